//! `pi-why model [PROVIDER[/ID]]`: models, and each field of one with who set it.

use std::collections::BTreeMap;

use super::{fields, missing};
use crate::registry::{Contest, ContestKind};
use crate::render::Paths;
use crate::render::document::{Document, Sign, Table, Text};
use crate::render::words;
use crate::report::Report;

/// Fields of the list.
const COLUMNS: [&str; 4] = ["name", "api", "contextWindow", "baseUrl"];

/// The page: of all models of providers that somebody touches, of one provider, or of one model.
pub fn page(asked: Option<&str>, report: &Report, paths: &Paths<'_>) -> Document {
    let mut page = Document::new();
    let asked = asked.unwrap_or_default();
    let one: Vec<&Contest> = report.contests_of(ContestKind::Model).filter(|it| *it.name == *asked).collect();
    if let Some(first) = one.first() {
        let owners =
            one.iter().filter_map(|it| it.winner.as_ref()).map(|it| fields::owner(it, paths).to_plain());
        let mut owners: Vec<String> = owners.collect();
        owners.sort_unstable();
        owners.dedup();
        let text = Text::new().name(&*first.name).plain(format!(": {} set its fields", words::list(&owners)));
        page.answer(Sign::None, text);
        page.gap();
        page.table(fields::table(&one, paths));
        return page;
    }
    let models = models(asked, report);
    if models.is_empty() && !asked.is_empty() {
        missing::name(&mut page, &[ContestKind::Model], asked, report, paths);
        return page;
    }
    list(&mut page, asked, &models, paths);
    page
}

type Models<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a Contest>>;

/// The models of a provider, or of all, with their fields.
fn models<'a>(provider: &str, report: &'a Report) -> Models<'a> {
    let mut models: Models<'a> = BTreeMap::new();
    for it in report.contests_of(ContestKind::Model) {
        let of_provider = it.name.strip_prefix(provider).is_some_and(|rest| rest.starts_with('/'));
        if provider.is_empty() || of_provider {
            let field = it.field.as_deref().unwrap_or_default();
            models.entry(&it.name).or_default().insert(field, it);
        }
    }
    models
}

fn list(page: &mut Document, provider: &str, models: &Models<'_>, paths: &Paths<'_>) {
    let number = words::count(models.len(), "model");
    let of = if provider.is_empty() { "providers that somebody configures" } else { provider };
    page.answer(Sign::None, format!("{number} of {of}"));
    page.gap();
    let rows = models.iter().map(|(name, fields)| {
        let winner = |field: &str| fields.get(field).and_then(|it| it.winner.as_ref());
        let value = |field: &&str| {
            let value = winner(field).and_then(|it| it.value.as_ref());
            Text::from(value.map(fields::short).unwrap_or_default())
        };
        let owner = winner("name").or_else(|| winner("api")).or_else(|| winner("baseUrl"));
        let mut row = vec![Text::new().name(*name)];
        row.extend(COLUMNS.iter().map(value));
        row.push(owner.map(|it| fields::owner(it, paths)).unwrap_or_default());
        row
    });
    let header = vec!["model", "name", "api", "context", "base URL", "from"];
    page.table(Table { header, rows: rows.collect() });
    page.gap();
    page.line("Which model a pattern such as that of --model picks is not looked at.");
}
