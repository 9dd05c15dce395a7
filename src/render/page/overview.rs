//! `pi-why`: will Pi start, and if not, why; then what is contested, what is not known, and the counts.

use std::collections::BTreeSet;

use super::rows::{contest_rows, is_claimed};
use super::twice;
use crate::install::rules::MISSING;
use crate::install::{EntryKind, Origin, Scope};
use crate::registry::{Contest, ContestKind, Fatal, Impact, Starts};
use crate::render::Paths;
use crate::render::document::{Document, Role, Sign, Table, Text};
use crate::render::words;
use crate::report::{LoadStatus, LoadedExtension, Report};
use crate::source::Certainty;

/// The page.
pub fn page(report: &Report, paths: &Paths<'_>) -> Document {
    let mut page = Document::new();
    if !report.found {
        page.answer(Sign::None, nothing_found(report, paths));
        return page;
    }
    let (sign, text) = verdict(report);
    page.answer(sign, text);
    load_failures(&mut page, report, paths);
    contests(&mut page, report, Impact::Fatal, "", paths);
    let contested: Vec<&Contest> = report.contests.iter().filter(|it| it.impact >= Impact::Warning).collect();
    page.gap();
    twice::told(&mut page, &contested, report, paths);
    contests(&mut page, report, Impact::Warning, "Worth a look", paths);
    contests(&mut page, report, Impact::Note, "Good to know", paths);
    unresolved(&mut page, report, paths);
    absent(&mut page, report, paths);
    page.gap();
    counts(&mut page, report);
    page
}

fn nothing_found(report: &Report, paths: &Paths<'_>) -> String {
    format!(
        "no pi installation found: neither {} nor {} exists (set PI_CODING_AGENT_DIR or pass --agent-dir)",
        paths.short(report.agent_dir.as_str()),
        paths.short(report.cwd.join(".pi").as_str())
    )
}

/// Whether Pi starts, and why not.
pub fn verdict(report: &Report) -> (Sign, Text) {
    let pi = format!("pi {}", report.pi.version);
    let fatal = |certain: bool| report.fatal.iter().filter(move |it| it.certainty.is_certain() == certain);
    match report.starts {
        Starts::No => {
            let text = Text::from(format!("{pi} ")).with(Role::Refused, "will not start here");
            (Sign::Bad, text.plain(format!(": {}", reasons(fatal(true)))))
        }
        Starts::Unknown => {
            let text = Text::from(format!("{pi} ")).with(Role::Warning, "may not start here");
            let reasons = reasons(fatal(false));
            (Sign::Careful, text.plain(format!(": {reasons}, on a condition that is not known")))
        }
        Starts::Yes => {
            let extensions = report.loaded().filter(|it| it.entry.kind == EntryKind::File).count();
            let names = report.contests.iter().filter(|it| it.is_of_name() && is_claimed(it)).count();
            let contested = |of_name: bool| {
                let all = report.contests.iter().filter(|it| it.is_of_name() == of_name);
                all.filter(|it| it.impact >= Impact::Warning).count()
            };
            let conflicts = match (contested(true), contested(false)) {
                (0, 0) => "no conflicts".to_owned(),
                (names, 0) => format!("{names} of them worth a look"),
                (0, fields) => format!("{} worth a look", words::count(fields, "provider field")),
                (names, fields) => {
                    let fields = words::count(fields, "provider field");
                    format!("{names} of them and {fields} worth a look")
                }
            };
            let counts = format!(
                "{}, {}, {conflicts}",
                words::count(extensions, "extension"),
                words::count(names, "name")
            );
            (
                Sign::Good,
                Text::from(format!("{pi} ")).with(Role::Winner, "starts here").plain(format!(": {counts}")),
            )
        }
    }
}

/// What kind of thing keeps Pi from starting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blame {
    /// Two claim one name.
    Conflict,
    /// A provider is not accepted.
    Provider,
    /// An extension does not load.
    Extension,
    /// An option is unknown or lacks its value.
    Option,
    /// A file is not what Pi expects.
    File,
}

impl Blame {
    fn of(it: &Fatal) -> Self {
        match (it.kind, &it.path) {
            (Some(ContestKind::Provider), _) => Self::Provider,
            (Some(_), Some(_)) => Self::Conflict,
            (None, Some(_)) => Self::Extension,
            (Some(_), None) => Self::Option,
            (None, None) => Self::File,
        }
    }

    /// `2 conflicts are fatal`.
    fn words(self, number: usize) -> String {
        let (thing, one, many) = match self {
            Self::Conflict => ("conflict", "is fatal", "are fatal"),
            Self::Provider => ("provider registration", "is not accepted", "are not accepted"),
            Self::Extension => ("extension", "does not load", "do not load"),
            Self::Option => ("option", "is not accepted", "are not accepted"),
            Self::File => ("file", "makes it crash", "make it crash"),
        };
        format!("{} {}", words::count(number, thing), if number == 1 { one } else { many })
    }
}

/// `2 conflicts are fatal, 1 extension does not load`.
fn reasons<'a>(fatal: impl Iterator<Item = &'a Fatal>) -> String {
    let fatal: Vec<&Fatal> = fatal.collect();
    let all = [Blame::Conflict, Blame::Provider, Blame::Extension, Blame::Option, Blame::File];
    let parts: Vec<String> = all
        .into_iter()
        .filter_map(|blame| {
            let of = fatal.iter().filter(|it| Blame::of(it) == blame);
            let number = match blame {
                Blame::Extension => of.filter_map(|it| it.path.as_deref()).collect::<BTreeSet<_>>().len(),
                Blame::Conflict | Blame::Provider => {
                    of.filter_map(|it| it.kind.zip(it.name.as_deref())).collect::<BTreeSet<_>>().len()
                }
                Blame::Option | Blame::File => of.count(),
            };
            (number > 0).then(|| blame.words(number))
        })
        .collect();
    words::list(&parts)
}

fn load_failures(page: &mut Document, report: &Report, paths: &Paths<'_>) {
    let failures = report.fatal.iter();
    let failures = failures.filter(|it| !matches!(Blame::of(it), Blame::Conflict | Blame::Provider));
    let rows: Vec<Vec<Text>> = failures
        .map(|it| {
            let place = match (it.at, &it.path) {
                (Some(at), _) => paths.place(at),
                (None, Some(path)) => paths.linked(path),
                (None, None) if Blame::of(it) == Blame::Option => Text::from("the command line"),
                (None, None) => Text::from("pi"),
            };
            let words = it.explanation.as_deref().unwrap_or(&it.message);
            let mut what = Text::new().with(Role::Refused, paths.words(words));
            if let Some(condition) = it.certainty.condition_text() {
                what = what.plain(" if ").code(condition);
            }
            vec![place, what]
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    page.gap();
    page.table(Table { header: Vec::new(), rows });
    // One way to read on is enough: a name that is quarrelled over comes with one.
    let quarrels = report.contests.iter().any(|it| it.impact == Impact::Fatal);
    let mut extensions = report.fatal.iter().filter(|it| !quarrels && Blame::of(it) == Blame::Extension);
    if let Some(path) = extensions.find_map(|it| it.path.as_deref()) {
        more(page, format!("pi-why extension {}", shell_word(path)));
    }
}

/// Where to read on: trying out what helps takes a second look at the installation, and this page is wanted at once.
fn more(page: &mut Document, command: String) {
    page.line(Text::from("→ ").code(command).plain(" says what makes pi start"));
}

fn contests(page: &mut Document, report: &Report, impact: Impact, heading: &str, paths: &Paths<'_>) {
    let contests: Vec<&Contest> = report.contests.iter().filter(|it| it.impact == impact).collect();
    let Some(first) = contests.first() else { return };
    if heading.is_empty() {
        page.gap();
    } else {
        page.heading(heading);
    }
    let mut rows: Vec<Vec<Text>> = Vec::new();
    for contest in &contests {
        for (at, mut row) in contest_rows(contest, paths).into_iter().enumerate() {
            if let Some(name) = row.first_mut().filter(|_| at == 0) {
                *name = Text::from(format!("{} ", words::kind(contest.kind))).then(name.clone());
            }
            rows.push(row);
        }
    }
    if rows.iter().all(|row| row.last().is_none_or(Text::is_empty)) {
        for row in &mut rows {
            row.pop();
        }
    }
    page.table(Table { header: Vec::new(), rows });
    if impact == Impact::Fatal {
        // What helps is tried for names, not for providers.
        let named = contests.iter().find(|it| it.kind != ContestKind::Provider);
        let contest = named.unwrap_or(first);
        let dashes = if contest.name.starts_with('-') { "-- " } else { "" };
        let command = format!("pi-why {} {dashes}{}", subcommand(contest), shell_word(&contest.name));
        match named {
            Some(_) => more(page, command),
            None => page.line(Text::from("→ ").code(command)),
        }
    }
}

/// The subcommand that explains a contest.
pub fn subcommand(contest: &Contest) -> &'static str {
    use crate::registry::ContestKind as K;
    match contest.kind {
        K::MessageRenderer | K::EntryRenderer => "renderer",
        K::ProviderField => "provider",
        K::Prompt => "prompt",
        kind => words::kind(kind),
    }
}

/// A word as a shell takes it.
pub fn shell_word(word: &str) -> String {
    let safe = |it: char| it.is_alphanumeric() || "-_./:@%+=,~".contains(it);
    if !word.is_empty() && word.chars().all(safe) && !word.starts_with('-') {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The registrations that could not be determined, of every kind.
pub fn unresolved(page: &mut Document, report: &Report, paths: &Paths<'_>) {
    let found = report.order.iter().filter(|it| it.status == LoadStatus::Loaded);
    let rows: Vec<Vec<Text>> = found
        .flat_map(LoadedExtension::unresolved)
        .map(|it| {
            let reason = match &it.certainty {
                Certainty::Unresolved(reason, _) => reason.text.to_string(),
                _ => String::new(),
            };
            vec![paths.place(it.call), Text::from(words::registration(it.kind)), Text::from(reason)]
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    page.heading(format!("{} could not be determined", words::count(rows.len(), "registration")));
    page.table(Table { header: Vec::new(), rows });
}

/// What the settings or a manifest name and is not there. Packages that are not installed are told as diagnostics.
fn absent(page: &mut Document, report: &Report, paths: &Paths<'_>) {
    let missing =
        report.order.iter().filter(|it| it.status == LoadStatus::Missing && it.entry.rule == MISSING);
    let row = |it: &LoadedExtension| {
        let named_at = it.entry.at.map_or_else(Text::new, |at| paths.place(at));
        vec![named_at, Text::from(paths.short(it.entry.path.as_str()))]
    };
    let rows: Vec<Vec<Text>> = missing.map(row).collect();
    if rows.is_empty() {
        return;
    }
    page.heading("Named, but not there");
    page.table(Table { header: Vec::new(), rows });
}

fn counts(page: &mut Document, report: &Report) {
    page.line(extension_counts(report));
    let names: Vec<&Contest> =
        report.contests.iter().filter(|it| it.is_of_name() && is_claimed(it)).collect();
    if names.is_empty() {
        return;
    }
    let at = |impact| names.iter().filter(|it| it.impact == impact).count();
    let mut parts = vec![format!("{} uncontested", at(Impact::None))];
    for (impact, word) in
        [(Impact::Fatal, "fatal"), (Impact::Warning, "worth a look"), (Impact::Note, "good to know")]
    {
        if at(impact) > 0 {
            parts.push(format!("{} {word}", at(impact)));
        }
    }
    page.line(format!("{}: {}", words::count(names.len(), "name"), parts.join(", ")));
    let fields = report.contests.iter().filter(|it| !it.is_of_name());
    let fields = fields.filter(|it| it.impact >= Impact::Warning).count();
    if fields > 0 {
        page.line(format!("{} worth a look", words::count(fields, "provider field")));
    }
}

/// `14 extensions load (3 from the project, 5 from the user, 6 from 4 packages), 1 is disabled`.
pub fn extension_counts(report: &Report) -> String {
    let loaded: Vec<_> = report.loaded().filter(|it| it.entry.kind == EntryKind::File).collect();
    let from = |origin, scope| {
        loaded
            .iter()
            .filter(|it| it.entry.source_info.origin == origin && it.entry.source_info.scope == scope)
            .count()
    };
    let packaged: Vec<_> =
        loaded.iter().filter(|it| it.entry.source_info.origin == Origin::Package).collect();
    let sources: BTreeSet<_> = packaged.iter().map(|it| &it.entry.source_info.source).collect();
    let mut parts = Vec::new();
    for (scope, words) in
        [(Scope::Project, "from the project"), (Scope::User, "of the user"), (Scope::Temporary, "from -e")]
    {
        let number = from(Origin::TopLevel, scope);
        if number > 0 {
            parts.push(format!("{number} {words}"));
        }
    }
    if !packaged.is_empty() {
        parts.push(format!("{} from {}", packaged.len(), words::count(sources.len(), "package")));
    }
    let load = if loaded.len() == 1 { "loads" } else { "load" };
    let mut text = format!("{} {load}", words::count(loaded.len(), "extension"));
    if !parts.is_empty() {
        text = format!("{text} ({})", parts.join(", "));
    }
    for (status, one, many) in [
        (LoadStatus::Failed, "fails", "fail"),
        (LoadStatus::Disabled, "is disabled", "are disabled"),
        (LoadStatus::Duplicate, "is a duplicate", "are duplicates"),
        (LoadStatus::Untrusted, "is not trusted", "are not trusted"),
        (LoadStatus::Missing, "is missing", "are missing"),
    ] {
        match report.order.iter().filter(|it| it.status == status).count() {
            0 => {}
            1 => text = format!("{text}, 1 {one}"),
            number => text = format!("{text}, {number} {many}"),
        }
    }
    text
}
