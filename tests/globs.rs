//! Globs and ignore rules against what minimatch 10.2.5 and npm `ignore` 7.0.5 answered for some thousand pairs.

use pi_why::install::{IgnoreRules, Minimatch};

fn pairs(kind: &str) -> Vec<(String, String, bool)> {
    let data: serde_json::Value = serde_json::from_str(include_str!("data/globs.json")).expect("valid JSON");
    serde_json::from_value(data[kind].clone()).expect("triples of pattern, path and answer")
}

fn disagreements(kind: &str, matches: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let pairs = pairs(kind);
    assert!(pairs.len() > 2_000);
    let wrong = pairs.iter().filter(|(pattern, path, wanted)| matches(pattern, path) != *wanted);
    wrong.map(|(pattern, path, wanted)| format!("{pattern:?} {path:?} should be {wanted}")).collect()
}

#[test]
fn globs_match_as_minimatch_matches_them() {
    let wrong = disagreements("glob", |pattern, path| Minimatch::new(pattern).matches(path));
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn ignore_rules_ignore_what_npm_ignore_ignores() {
    let wrong = disagreements("ignore", |patterns, path| {
        let mut rules = IgnoreRules::default();
        rules.add(patterns.lines());
        rules.ignores(path)
    });
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
