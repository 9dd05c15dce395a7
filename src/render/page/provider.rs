//! `pi-why provider [ID[.FIELD]]`: the layers of providers, and each field with who set it.

use super::rows::{contest_rows, fates};
use super::{fields, missing, name};
use crate::registry::provider::{COMPOSE_FAILURE, UNREGISTERED};
use crate::registry::{Contest, ContestKind, Impact, Layer, Outcome};
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
    let (own, touched): (Vec<&Contest>, Vec<&Contest>) = providers.into_iter().partition(|it| is_of_pi(it));
    let number = words::count(touched.len(), "provider");
    page.answer(sign, format!("{number} configured by models.json or an extension"));
    for provider in touched {
        let (_, text) = verdict(provider, report, paths);
        page.heading(text);
        page.table(fields::table(&fields_of(&provider.name, report), paths));
    }
    page.gap();
    if !own.is_empty() {
        let names: Vec<String> = own.iter().map(|it| it.name.to_string()).collect();
        page.line(format!("Pi's own, which nobody touches: {}", words::list(&names)));
    }
    page.line("pi-why provider ID shows one, built-in ones too; pi-why model the models");
}

/// A provider of an extension that Pi brings itself, and nobody else's.
fn is_of_pi(provider: &Contest) -> bool {
    provider.losers.is_empty() && provider.winner.as_ref().is_some_and(|it| it.layer == Layer::Inline)
}

fn one(page: &mut Document, provider: &Contest, report: &Report, paths: &Paths<'_>) {
    let (sign, text) = verdict(provider, report, paths);
    page.answer(sign, text);
    let of_provider = fields_of(&provider.name, report);
    let mut ruled = vec![provider];
    ruled.extend(of_provider.iter().copied().filter(|it| is_lost(it)));
    name::rule(page, &ruled);
    page.gap();
    page.table(fields::table(&of_provider, paths));
    let layers = fates(provider);
    if layers.len() > 1 || provider.winner.is_none() {
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
    name::pi_says(page, &[provider], report, paths);
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
    let Some(winner) = provider.in_session.as_ref().map_or(&provider.winner, |it| &it.winner) else {
        let why = match provider.rule {
            COMPOSE_FAILURE => ", because its layers do not fit together",
            UNREGISTERED => ", because what registers it is taken back",
            _ => "",
        };
        return (Sign::Careful, subject.plain(format!("there is no such provider in the end{why}")));
    };
    let of = |outcomes: &[Outcome]| -> Vec<String> {
        let all = provider.losers.iter().filter(|it| outcomes.contains(&it.outcome));
        let mut names: Vec<String> = all.map(|it| fields::owner(&it.claim, paths).to_plain()).collect();
        names.dedup();
        names
    };
    if winner.layer == Layer::Builtin && provider.losers.is_empty() {
        return (
            Sign::None,
            subject.plain("as pi ships it; neither models.json nor an extension configures it"),
        );
    }
    let top = fields::owner(winner, paths);
    let merged = of(&[Outcome::Merged]);
    let mut text = if merged.is_empty() {
        subject.then(top).plain(if provider.losers.is_empty() { " alone makes it" } else { " makes it" })
    } else {
        let number = merged.len() + 1;
        let text = subject.plain(format!("{number} layers come together: ")).then(top);
        text.plain(format!(" over {}", words::list(&merged)))
    };
    let gone = of(&[Outcome::Replaced, Outcome::Skipped]);
    if !gone.is_empty() {
        text = text.plain(format!("; what {} says does not count", words::list(&gone)));
    }
    let lost = fields_of(&provider.name, report).into_iter().filter(|it| is_lost(it)).count();
    if lost > 0 {
        text = text.plain(format!("; in {} one of them loses", words::count(lost, "field")));
    }
    (sign, text)
}

/// Whether a value that somebody configured does not count.
fn is_lost(field: &Contest) -> bool {
    field.impact >= Impact::Warning
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
