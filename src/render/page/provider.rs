//! `pi-why provider [ID[.FIELD]]`: the layers of providers, and each field with who set it.

use super::rows::{contest_rows, fates};
use super::{fields, missing, name};
use crate::registry::{Contest, ContestKind, Impact};
use crate::render::Paths;
use crate::render::document::{Document, Role, Sign, Table, Text};
use crate::render::words;
use crate::report::Report;

/// The page: of all providers that somebody touches, of one, or of one field.
pub fn page(asked: Option<&str>, report: &Report, paths: &Paths<'_>) -> Document {
    let mut page = Document::new();
    let Some(asked) = asked else {
        all(&mut page, report, paths);
        return page;
    };
    let (id, field) = split(asked, report);
    let provider = report.contests_of(ContestKind::Provider).find(|it| *it.name == *id);
    match (provider, field) {
        (Some(provider), None) => one(&mut page, provider, report, paths),
        (Some(_), Some(field)) => one_field(&mut page, id, field, report, paths),
        (None, _) => missing::name(&mut page, &[ContestKind::Provider], asked, report, paths),
    }
    page
}

/// Provider ids hold dots: the longest id that fits is the provider, the rest its field.
fn split<'a>(asked: &'a str, report: &Report) -> (&'a str, Option<&'a str>) {
    let known = |id: &str| report.contests_of(ContestKind::Provider).any(|it| *it.name == *id);
    if known(asked) {
        return (asked, None);
    }
    let dots = asked.match_indices('.').rev().map(|(at, _)| at);
    let found = dots.map(|at| (&asked[..at], &asked[at + 1..])).find(|(id, _)| known(id));
    found.map_or((asked, None), |(id, field)| (id, Some(field)))
}

fn fields_of<'a>(id: &str, report: &'a Report) -> Vec<&'a Contest> {
    report.contests_of(ContestKind::ProviderField).filter(|it| *it.name == *id).collect()
}

fn all(page: &mut Document, report: &Report, paths: &Paths<'_>) {
    let providers: Vec<&Contest> = report.contests_of(ContestKind::Provider).collect();
    if providers.is_empty() {
        page.answer(
            Sign::None,
            "no provider is touched: neither models.json nor an extension configures one",
        );
        return;
    }
    let fields = report.contests_of(ContestKind::ProviderField);
    let worst = fields.chain(providers.iter().copied()).map(|it| it.impact).max();
    let sign = match worst {
        Some(Impact::Fatal) => Sign::Bad,
        Some(Impact::Warning) => Sign::Careful,
        _ => Sign::Good,
    };
    let number = words::count(providers.len(), "provider");
    page.answer(sign, format!("{number} configured by models.json or an extension"));
    for provider in providers {
        let (_, text) = verdict(provider, report, paths);
        page.heading(text);
        page.table(fields::table(&fields_of(&provider.name, report), paths));
    }
    page.gap();
    page.line("pi-why provider ID shows one, built-in ones too; pi-why model the models");
}

fn one(page: &mut Document, provider: &Contest, report: &Report, paths: &Paths<'_>) {
    let (sign, text) = verdict(provider, report, paths);
    page.answer(sign, text);
    name::rule(page, &[provider]);
    page.gap();
    page.table(fields::table(&fields_of(&provider.name, report), paths));
    let layers = fates(provider);
    if layers.len() > 1 {
        page.heading("Layers, the topmost first");
        let mut rows = contest_rows(provider, paths);
        for row in &mut rows {
            row.remove(0);
        }
        page.table(Table { header: Vec::new(), rows });
    }
    let models = report.contests_of(ContestKind::Model);
    let mut ids: Vec<&str> =
        models.filter_map(|it| it.name.strip_prefix(&*provider.name)?.strip_prefix('/')).collect();
    ids.dedup();
    if !ids.is_empty() {
        page.gap();
        let number = words::count(ids.len(), "model");
        page.line(Text::from(format!("{number}: ")).code(format!("pi-why model {}", provider.name)));
    }
    name::pi_says(page, &[provider], report);
}

/// `kilo: 3 layers, in the order in which pi applies them`.
fn verdict(provider: &Contest, report: &Report, paths: &Paths<'_>) -> (Sign, Text) {
    let subject = Text::new().name(&*provider.name).plain(": ");
    let fatal = report
        .fatal
        .iter()
        .find(|it| it.kind == Some(ContestKind::Provider) && it.name.as_deref() == Some(&*provider.name));
    if let Some(fatal) = fatal {
        let who = fatal.at.map(|at| paths.place(at)).unwrap_or_default();
        let text = subject
            .with(Role::Refused, "pi refuses to start")
            .plain(", because it does not take the registration of ");
        return (Sign::Bad, text.then(who));
    }
    let sign = if provider.impact >= Impact::Warning { Sign::Careful } else { Sign::None };
    let layers = fates(provider).len();
    match (&provider.winner, layers) {
        (Some(winner), 1) => (sign, subject.then(fields::owner(winner, paths)).plain(" alone makes it")),
        (Some(_), many) => (sign, subject.plain(format!("{many} layers come together"))),
        (None, _) => (Sign::Careful, subject.plain("there is no such provider in the end")),
    }
}

fn one_field(page: &mut Document, id: &str, field: &str, report: &Report, paths: &Paths<'_>) {
    let all = fields_of(id, report);
    let found: Vec<&Contest> = all.iter().copied().filter(|it| it.field.as_deref() == Some(field)).collect();
    let Some(contest) = found.first() else {
        let inner: Vec<&Contest> = all
            .iter()
            .copied()
            .filter(|it| {
                it.field
                    .as_deref()
                    .is_some_and(|it| it.strip_prefix(field).is_some_and(|it| it.starts_with('.')))
            })
            .collect();
        if inner.is_empty() {
            let names = all.iter().filter_map(|it| it.field.as_deref());
            let near =
                missing::nearest(field, names).into_iter().map(|it| format!("{id}.{it}")).collect::<Vec<_>>();
            let offer = if near.is_empty() {
                String::new()
            } else {
                format!(". Did you mean {}?", near.join(" or "))
            };
            page.answer(Sign::None, format!("nobody sets {field} of {id}{offer}"));
        } else {
            page.answer(Sign::None, format!("{id}.{field}: {}", words::count(inner.len(), "field")));
            page.gap();
            page.table(fields::table(&inner, paths));
        }
        return;
    };
    name::field(page, contest, report, paths);
}
