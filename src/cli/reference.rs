//! Pages that are about no installation: rules, findings, the manual.

use clap_mangen::Man;

use super::Error;
use crate::catalog::PiVersion;
use crate::registry::Finding;
use crate::render::{Document, Role, Sign, Table, Text, nearest};
use crate::rule::Rule;
use crate::rulebook;

/// `pi-why rules [ID]`: all rules, those of a beginning, or everything about one.
pub(super) fn rules(id: Option<&str>) -> Result<Document, Error> {
    let wanted = id.unwrap_or_default();
    let found: Vec<&Rule> = rulebook::rules().filter(|it| it.id.0.starts_with(wanted)).collect();
    let exact = found.iter().find(|it| it.id.0 == wanted);
    let mut page = Document::new();
    if let Some(rule) = exact {
        page.answer(Sign::None, Text::new().name(rule.id.0).plain(format!(": {}", rule.sentence)));
        page.gap();
        let versions = PiVersion::NEWEST.as_str();
        let row = |key: &str, words: Text| vec![Text::new().dim(key), words];
        let rows = vec![
            row("example", Text::from(rule.example)),
            row("in pi", Text::new().code(rule.pi)),
            row("holds for", Text::from(format!("pi {versions}"))),
        ];
        page.table(Table { header: vec!["key", "value"], rows });
        return Ok(page);
    }
    if found.is_empty() {
        return Err(no_such("rule", wanted, rulebook::rules().map(|it| it.id.0)));
    }
    page.answer(Sign::None, format!("{} rules decide who wins a name and what loads", found.len()));
    page.gap();
    let rows = found.iter().map(|it| vec![Text::new().name(it.id.0), Text::from(it.sentence)]);
    page.table(Table { header: vec!["rule", "sentence"], rows: rows.collect() });
    Ok(page)
}

/// `pi-why explain [CODE]`: all findings, or one.
pub(super) fn findings(code: Option<&str>) -> Result<Document, Error> {
    let mut page = Document::new();
    if let Some(code) = code {
        let Some(finding) = Finding::ALL.iter().find(|it| it.as_str() == code) else {
            return Err(no_such("finding", code, Finding::ALL.iter().map(|it| it.as_str())));
        };
        page.answer(
            Sign::None,
            Text::new().name(finding.as_str()).plain(format!(": {}", finding.sentence())),
        );
        page.gap();
        let policy = format!("[findings] {} = \"allow\", \"note\", \"warn\" or \"deny\"", finding.as_str());
        let rows = vec![vec![Text::new().dim("in pi-why.toml"), Text::new().code(policy)]];
        page.table(Table { header: vec!["key", "value"], rows });
        return Ok(page);
    }
    page.answer(Sign::None, format!("{} findings, by which policies and baselines go", Finding::ALL.len()));
    page.gap();
    let row = |it: &Finding| vec![Text::new().with(Role::Name, it.as_str()), Text::from(it.sentence())];
    page.table(Table { header: vec!["finding", "sentence"], rows: Finding::ALL.iter().map(row).collect() });
    Ok(page)
}

fn no_such(what: &'static str, id: &str, all: impl Iterator<Item = &'static str>) -> Error {
    let near = nearest(id, all);
    let near = near.first().map_or_else(String::new, |it| format!(". Did you mean {it}?"));
    Error::NoSuchId { what, id: id.to_owned(), near }
}

/// The manual page in roff.
pub(super) fn manual(command: clap::Command) -> Result<String, Error> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
