//! Pages: what a person is told, one file per question. They put words to a report; how it looks is for the forms.

mod all;
pub mod changes;
pub mod check;
mod cures;
pub mod extension;
mod fields;
mod kinds;
pub mod missing;
mod model;
pub mod name;
mod order;
mod overview;
pub mod provider;
mod rows;
mod shortcut;
mod slash;
mod tool;
mod twice;
pub mod verdict;

use super::document::{Document, Role, Text};
use super::{Paths, Question};
use crate::diagnostic::Severity;
use crate::registry::{Contest, ContestKind, Impact};
use crate::report::{Report, TrustFrom};

/// The page that answers a question.
pub fn page(question: &Question, report: &Report, paths: &Paths<'_>) -> Document {
    match question {
        Question::Overview => overview::page(report, paths),
        Question::Order => order::page(report, paths),
        Question::Kinds(kinds) => kinds::page(kinds, report, paths),
        Question::Name { kinds, name } => name::page(kinds, name, report, paths),
        Question::Extension(path) => extension::page(path, report, paths),
        Question::Provider(id) => provider::page(id.as_deref(), report, paths),
        Question::Model(name) => model::page(name.as_deref(), report, paths),
        Question::All => all::page(report, paths),
        Question::Several(questions) => several(questions, report, paths),
    }
}

fn several(questions: &[Question], report: &Report, paths: &Paths<'_>) -> Document {
    let mut whole = Document::new();
    if questions.iter().any(|it| is_fatal(it, report)) {
        let (sign, text) = overview::verdict(report);
        whole.answer(sign, text);
    }
    for question in questions {
        whole.gap();
        whole.blocks.extend(page(question, report, paths).blocks);
    }
    whole
}

/// Whether what is asked about keeps Pi from starting.
fn is_fatal(question: &Question, report: &Report) -> bool {
    match question {
        Question::Name { kinds, name } => {
            name::find(kinds, name, report).iter().any(|it| it.impact == Impact::Fatal)
        }
        Question::Provider(Some(id)) => {
            let of_id = |it: &&Contest| *it.name == **id;
            report.contests_of(ContestKind::Provider).find(of_id).is_some_and(|it| it.impact == Impact::Fatal)
        }
        _ => false,
    }
}

/// What went wrong while reading, and what the answer takes for granted.
pub fn diagnostics(report: &Report, paths: &Paths<'_>) -> Document {
    let mut page = Document::new();
    if report.trust.from == TrustFrom::Assumed {
        let text = Text::new().with(Role::Warning, "!").plain(
            " this project is not trusted yet; pi would ask. Shown as if you answered yes (--no-approve shows the other answer)",
        );
        page.push(super::document::Block::Line(0, text));
    }
    for it in &report.diagnostics {
        if it.code == crate::diagnostic::Code::TrustAssumed {
            continue;
        }
        let (word, role) = match it.severity {
            Severity::Error => ("error", Role::Refused),
            Severity::Warning => ("warning", Role::Warning),
            Severity::Note => ("note", Role::Dim),
        };
        let mut text = Text::new().with(role, word).plain(": ");
        if let Some(at) = it.at {
            text = text.then(paths.place(at)).plain(": ");
        }
        text = text.plain(paths.words(&it.message));
        if let Some(help) = &it.help {
            text = text.dim(format!(" ({help})"));
        }
        page.push(super::document::Block::Line(0, text));
    }
    page
}
