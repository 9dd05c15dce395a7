//! SARIF 2.1.0: findings for code scanning services.

use serde_json::{Value, json};

use super::Paths;
use super::findings::message;
use crate::diagnostic::Severity;
use crate::gate::check::{Item, State};
use crate::gate::{Level, Subject};
use crate::location::Span;
use crate::registry::Finding;
use crate::report::Report;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The name under which the identity of a finding stands. Its number changes when the making of the identity does.
const FINGERPRINT: &str = "piWhy/v1";

/// The log of some findings.
pub fn print(items: &[Item<'_>], report: &Report, paths: &Paths<'_>) -> serde_json::Result<String> {
    let results: Vec<Value> = items.iter().map(|it| result(it, report, paths)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver() },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications(report),
            }],
            "properties": { "starts": super::findings::starts(report), "piVersion": report.pi.version },
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&log)?;
    text.push('\n');
    Ok(text)
}

fn driver() -> Value {
    let rules: Vec<Value> = Finding::ALL
        .iter()
        .map(|code| json!({ "id": code.as_str(), "shortDescription": { "text": code.sentence() } }))
        .collect();
    json!({
        "name": env!("CARGO_PKG_NAME"),
        "version": env!("CARGO_PKG_VERSION"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    })
}

fn notifications(report: &Report) -> Vec<Value> {
    let notification = |it: &crate::diagnostic::Diagnostic| {
        let level = match it.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let mut value = json!({ "level": level, "message": { "text": it.message } });
        if let Some(at) = it.at {
            value["locations"] = json!([{ "physicalLocation": place(at, report) }]);
        }
        value
    };
    report.diagnostics.iter().map(notification).collect()
}

fn result(item: &Item<'_>, report: &Report, paths: &Paths<'_>) -> Value {
    let found = &item.found;
    let level = match found.level {
        Level::Note => "note",
        Level::Warning => "warning",
        Level::Error => "error",
    };
    let physical = match (found.at, &found.path) {
        (Some(at), _) => Some(place(at, report)),
        (None, Some(path)) if path.starts_with('/') => {
            Some(json!({ "artifactLocation": artifact(path, report) }))
        }
        _ => None,
    };
    let locations: Vec<Value> = physical.into_iter().map(|it| json!({ "physicalLocation": it })).collect();
    let related: Vec<Value> = found
        .related
        .iter()
        .enumerate()
        .map(|(id, at)| json!({ "id": id, "physicalLocation": place(*at, report) }))
        .collect();
    let mut properties = json!({ "certainty": if found.certain { "certain" } else { "conditional" } });
    if let Subject::Contest(it) = found.subject {
        properties["kind"] = json!(it.kind);
        properties["name"] = json!(it.name);
    }
    if let Some(reason) = &item.reason {
        properties["reason"] = json!(reason);
    }
    let mut result = json!({
        "ruleId": found.code.as_str(),
        "ruleIndex": Finding::ALL.iter().position(|it| *it == found.code),
        "level": level,
        "message": { "text": message(found, report, paths) },
        "locations": locations,
        "relatedLocations": related,
        "partialFingerprints": { FINGERPRINT: found.key.to_string() },
        "properties": properties,
    });
    if let Some(state) = item.state {
        result["baselineState"] = match state {
            State::New => "new".into(),
            State::Known => "unchanged".into(),
        };
    }
    result
}

fn place(span: Span, report: &Report) -> Value {
    let file = report.sources.get(span.file);
    let (line, column) = file.line_column(span.start);
    let (end_line, end_column) = file.line_column(span.end);
    json!({
        "artifactLocation": artifact(file.path().as_str(), report),
        "region": { "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column },
    })
}

/// Relative to the checkout or the project where it can be, so that services find the file in their checkout.
fn artifact(path: &str, report: &Report) -> Value {
    match report.in_checkout(path.into()) {
        Some(rest) => json!({ "uri": super::url::path(rest.as_str()), "uriBaseId": "PROJECTROOT" }),
        None => json!({ "uri": format!("file://{}", super::url::path(path)) }),
    }
}
