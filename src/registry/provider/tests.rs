//! What the rules of section 8 say, on small cases. Agreement at large is tested with the fixtures.

use std::sync::Arc;

use super::super::testing::*;
use super::super::{Contest, ContestKind, Finding, Impact, Input, Outcome, Resolution, Starts, resolve};
use super::super::{ProviderScope, model};
use super::*;
use crate::install::ModelsJson;
use crate::location::SourceMap;
use crate::source::known::Field;
use crate::source::{Known, Registration};

fn list(values: Vec<Known>) -> Known {
    Known::Array(values.into_iter().map(|value| Field { value, at: None }).collect())
}

fn config(id: &str, fields: &[(&str, Known)]) -> Registration {
    registration(Kind::Provider, id).payload(object(fields))
}

fn native(id: &str) -> Registration {
    let auth = object(&[("apiKey", object(&[]))]);
    registration(Kind::NativeProvider, id).payload(object(&[
        ("id", text(id)),
        ("name", text("Native")),
        ("auth", auth),
    ]))
}

fn unregister(id: &str) -> Registration {
    registration(Kind::UnregisterProvider, id)
}

fn a_model(id: &str) -> Known {
    object(&[("id", text(id)), ("api", text("a")), ("baseUrl", text("http://m"))])
}

fn with(small: &Small, models_json: &str) -> Resolution {
    asked(small, models_json, |_| {})
}

fn asked(small: &Small, models_json: &str, change: impl FnOnce(&mut Input<'_>)) -> Resolution {
    let mut input = small.input();
    if !models_json.is_empty() {
        let sources = SourceMap::new();
        input.models_json = ModelsJson::parse(models_json, "/models.json".into(), &sources, input.catalog);
        assert_eq!(input.models_json.problem, None);
    }
    change(&mut input);
    resolve(&input)
}

fn find<'r>(found: &'r Resolution, name: &str, field: &str) -> Option<&'r Contest> {
    found.contests.iter().find(|it| &*it.name == name && it.field.as_deref() == Some(field))
}

/// The value of a field as text, with `?` when it is not certain; `-` when nobody sets it.
fn value(found: &Resolution, name: &str, field: &str) -> String {
    shown(find(found, name, field).and_then(|it| it.winner.as_ref()))
}

fn shown(claim: Option<&Claim>) -> String {
    let Some(claim) = claim else { return "-".to_owned() };
    let text = match &claim.value {
        Some(Known::String(text)) => text.to_string(),
        Some(Known::Array(items)) => {
            items.iter().filter_map(|it| it.value.as_str()).collect::<Vec<_>>().join(" ")
        }
        other => format!("{other:?}"),
    };
    if claim.certainty.is_certain() { text } else { format!("{text}?") }
}

#[test]
fn configurations_merge_field_by_field_in_execution_order() {
    let a = config("kilo", &[("baseUrl", text("http://a")), ("name", text("A"))]);
    let b = config("kilo", &[("baseUrl", text("http://b")), ("name", Known::Undefined)]);
    let small = Small::of([vec![a], vec![b]]);
    let found = small.resolve();
    assert_eq!(value(&found, "kilo", "baseUrl"), "http://b");
    assert_eq!(value(&found, "kilo", "name"), "A");
    let contest = find(&found, "kilo", "baseUrl");
    assert_eq!(
        contest.map(|it| (it.rule, it.finding)),
        Some((FIELD_MERGE, Some(Finding::ProviderFieldReplaced)))
    );
    assert_eq!(value(&small.executed(&[1, 0]).resolve(), "kilo", "baseUrl"), "http://a");
}

#[test]
fn null_and_empty_values_count_in_the_merge() {
    let a = config("kilo", &[("name", text("A"))]);
    let b = config("kilo", &[("name", Known::Null)]);
    let found =
        with(&Small::of([vec![a], vec![b]]), r#"{"providers": {"kilo": {"name": "J", "apiKey": "k"}}}"#);
    assert_eq!(value(&found, "kilo", "name"), "J");
}

#[test]
fn headers_of_two_extensions_replace_each_other_and_those_of_models_json_merge() {
    let headers = |names: &[&str]| {
        let values: Vec<_> = names.iter().map(|it| (*it, text("S3CR3T"))).collect();
        object(&values)
    };
    let a = config("kilo", &[("headers", headers(&["X-A", "X-B"]))]);
    let b = config("kilo", &[("headers", headers(&["X-B"]))]);
    let json = r#"{"providers": {"kilo": {"headers": {"X-B": "1", "X-J": "$J"}}}}"#;
    let found = with(&Small::of([vec![a], vec![b]]), json);
    let owner = |field| find(&found, "kilo", field).map(winner).unwrap_or_default();
    assert_eq!(owner("headers.X-A"), "-");
    assert_eq!(owner("headers.X-B"), "/b.ts");
    assert_eq!(owner("headers.X-J"), "/models.json");
    let lost = find(&found, "kilo", "headers.X-A").map(losers);
    assert_eq!(lost, Some(vec!["/a.ts replaced".to_owned()]));
}

#[test]
fn a_native_provider_beats_configurations_at_the_start_and_the_last_call_later() {
    let fields = [("name", text("Config"))];
    for order in [[native("kilo"), config("kilo", &fields)], [config("kilo", &fields), native("kilo")]] {
        let found = Small::of([order.to_vec()]).resolve();
        assert_eq!(value(&found, "kilo", "name"), "Native");
        let it = contest(&found, ContestKind::Provider, "kilo");
        assert_eq!((it.rule, it.finding), (NATIVE_REPLACES, Some(Finding::NativeReplaced)));
    }
    let late = Small::of([vec![native("kilo"), config("kilo", &fields).late("session_start")]]).resolve();
    assert_eq!(value(&late, "kilo", "name"), "Native");
    let then = find(&late, "kilo", "name").and_then(|it| it.in_session.as_ref());
    assert_eq!(then.map(|it| shown(it.winner.as_ref())), Some("Config".to_owned()));
}

#[test]
fn an_extensions_models_replace_the_list() {
    let mine = config("openai", &[("models", list(vec![a_model("mine")]))]);
    let json = r#"{"providers": {"openai": {"models": [{"id": "theirs"}]}}}"#;
    let found = with(&Small::of([vec![mine]]), json);
    assert_eq!(value(&found, "openai", "models"), "mine");
    assert!(find(&found, "openai/theirs", "name").is_none());
    let contest = find(&found, "openai", "models");
    assert_eq!(
        contest.map(|it| (it.rule, it.finding, it.impact)),
        Some((model::LIST_REPLACED, Some(Finding::ModelsReplaced), Impact::Warning))
    );
    assert_eq!(value(&found, "openai/mine", "name"), "-");
    assert_eq!(value(&found, "openai/mine", "baseUrl"), "http://m");
}

#[test]
fn a_model_of_models_json_inherits_nothing_but_api_and_base_url() {
    let json = r#"{"providers": {"openai": {"models": [{"id": "gpt-5", "name": "Mine"}]}}}"#;
    let found = with(&Small::of([vec![]]), json);
    assert_eq!(value(&found, "openai/gpt-5", "name"), "Mine");
    assert_eq!(value(&found, "openai/gpt-5", "api"), "openai-responses");
    let window = find(&found, "openai/gpt-5", "contextWindow").and_then(|it| it.winner.as_ref());
    assert_eq!(
        window.map(|it| (it.layer, it.value.clone())),
        Some((Layer::Default, Some(Known::Number(128_000.0))))
    );
    assert!(
        find(&found, "openai/gpt-5", "contextWindow")
            .is_some_and(|it| it.losers[0].outcome == Outcome::Overridden)
    );
}

#[test]
fn overrides_come_last_and_reach_an_extensions_model() {
    let mine = config("kilo", &[("models", list(vec![a_model("m")]))]);
    let json =
        r#"{"providers": {"kilo": {"modelOverrides": {"m": {"name": "Over"}, "gone": {"name": "x"}}}}}"#;
    let found = with(&Small::of([vec![mine]]), json);
    assert_eq!(value(&found, "kilo/m", "name"), "Over");
    assert_eq!(find(&found, "kilo/m", "name").map(|it| it.rule), Some(model::OVERRIDE));
}

#[test]
fn a_registration_that_cannot_stand_alone_keeps_pi_from_starting_and_changes_nothing() {
    let whole = config(
        "kilo",
        &[
            ("api", text("a")),
            ("baseUrl", text("http://a")),
            ("models", list(vec![object(&[("id", text("m"))])])),
        ],
    );
    let partial = config("kilo", &[("models", list(vec![object(&[("id", text("n"))])]))]);
    let found = Small::of([vec![whole], vec![partial]]).resolve();
    assert_eq!(value(&found, "kilo", "models"), "m");
    assert_eq!(found.starts, Starts::No);
    assert_eq!(
        found.fatal.iter().map(|it| (it.path.as_deref(), &*it.message)).collect::<Vec<_>>(),
        [(Some("/b.ts"), "Provider kilo, model n: no \"api\" specified. Set at provider or model level.")]
    );
}

#[test]
fn layers_that_do_not_fit_are_dropped_together() {
    let found = with(&Small::of([vec![]]), r#"{"providers": {"openai": {"name": "x"}}}"#);
    let it = contest(&found, ContestKind::Provider, "openai");
    assert_eq!(
        (winner(it).as_str(), losers(it)),
        ("<builtin:openai>", vec!["/models.json skipped".to_owned()])
    );
    assert_eq!((it.rule, found.starts), (COMPOSE_FAILURE, Starts::Yes));
    assert_eq!(value(&found, "openai", "name"), "OpenAI");
}

#[test]
fn unregistering_takes_back_what_ran_before_it_and_no_more() {
    let fields = [("name", text("A"))];
    let before = Small::of([vec![config("kilo", &fields), unregister("kilo")]]).resolve();
    assert_eq!(winner(contest(&before, ContestKind::Provider, "kilo")), "-");
    let after = Small::of([vec![unregister("kilo"), config("kilo", &fields)]]).resolve();
    assert_eq!(value(&after, "kilo", "name"), "A");
}

#[test]
fn failed_and_dropped_extensions_leave_their_registrations() {
    let small = Small::of([vec![config("kilo", &[("name", text("A"))])]]);
    assert_eq!(value(&small.failing(0, Certainty::Certain).resolve(), "kilo", "name"), "A");
    let small = Small::of([vec![config("kilo", &[("name", text("A"))])]]);
    assert_eq!(value(&small.dropped(0).resolve(), "kilo", "name"), "A");
}

#[test]
fn a_conditional_registration_leaves_both_answers_conditional() {
    let a = config("kilo", &[("baseUrl", text("http://a")), ("api", text("x"))]);
    let b = config("kilo", &[("baseUrl", text("http://b"))]).when(1, true);
    let found = Small::of([vec![a], vec![b]]).resolve();
    assert_eq!(value(&found, "kilo", "baseUrl"), "http://a?");
    assert_eq!(value(&found, "kilo", "api"), "x");
    let rival = find(&found, "kilo", "baseUrl").and_then(|it| it.losers.first());
    assert_eq!(shown(rival.map(|it| &it.claim)), "http://b?");
}

#[test]
fn a_field_whose_value_is_not_known_is_unknown_and_not_absent() {
    let a = config("kilo", &[("baseUrl", text("http://a"))]);
    let b = config("kilo", &[("baseUrl", Known::Unknown(reason()))]);
    let found = Small::of([vec![a], vec![b]]).resolve();
    let claim = find(&found, "kilo", "baseUrl").and_then(|it| it.winner.clone());
    assert!(
        claim.is_some_and(|it| &*it.path == "/b.ts" && matches!(it.certainty, Certainty::Unresolved(..)))
    );
}

#[test]
fn a_configuration_with_unknown_parts_clouds_what_it_may_set() {
    let open = Known::Object {
        fields: vec![(Arc::from("name"), Field { value: text("B"), at: None })],
        open: Some(reason()),
    };
    let a = config("kilo", &[("baseUrl", text("http://a"))]);
    let b = registration(Kind::Provider, "kilo").payload(open);
    let found = Small::of([vec![a], vec![b]]).resolve();
    assert_eq!(value(&found, "kilo", "name"), "B");
    assert_eq!(value(&found, "kilo", "baseUrl"), "http://a?");
}

#[test]
fn untouched_providers_are_answered_only_when_they_are_asked_for() {
    let small = Small::of([vec![]]);
    assert!(!contested(&small.resolve(), ContestKind::Provider, "groq"));
    let one = asked(&small, "", |it| it.provider_scope = ProviderScope::And("groq".into()));
    assert_eq!(value(&one, "groq", "baseUrl"), "https://api.groq.com/openai/v1");
    assert_eq!(find(&one, "groq", "baseUrl").map(|it| it.rule), Some(AS_SHIPPED));
    assert!(!contested(&one, ContestKind::Provider, "openai"));
    let all = asked(&small, "", |it| it.provider_scope = ProviderScope::All);
    let providers = all.contests.iter().filter(|it| it.kind == ContestKind::Provider).count();
    assert_eq!(providers, 38);
}

#[test]
fn no_secret_reaches_a_claim() {
    let secret = || text("S3CR3T");
    let model = object(&[
        ("id", text("m")),
        ("api", text("a")),
        ("baseUrl", text("https://u:S3CR3T@h")),
        ("headers", object(&[("X-M", secret())])),
    ]);
    let a = config(
        "kilo",
        &[
            ("apiKey", secret()),
            ("baseUrl", text("https://h/v1?token=S3CR3T")),
            ("headers", object(&[("X-A", secret())])),
            ("oauth", object(&[("name", text("login")), ("token", secret())])),
            ("models", list(vec![model])),
        ],
    );
    let json = r#"{"providers": {"kilo": {"api": "a", "apiKey": "S3CR3T", "baseUrl": "http://S3CR3T@h", "headers": {"X-J": "S3CR3T"},
        "models": [{"id": "m", "headers": {"X-N": "S3CR3T"}}], "modelOverrides": {"m": {"headers": {"X-O": "S3CR3T"}}}}}}"#;
    let found = with(&Small::of([vec![a]]), json);
    assert!(find(&found, "kilo", "apiKey").is_some() && find(&found, "kilo/m", "headers.X-O").is_some());
    assert!(!format!("{found:?}").contains("S3CR3T"));
}
