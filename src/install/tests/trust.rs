//! The verdict on trust.

use super::Case;
use crate::install::{TrustFlag, TrustSource};

fn verdict(files: &[(&str, &str)]) -> (bool, TrustSource) {
    let trust = Case::new(files).with(|it| it.trust = TrustFlag::Undecided).install().trust;
    (trust.trusted, trust.from)
}

#[test]
fn nothing_that_needs_trust_needs_none() {
    assert_eq!(verdict(&[("project/.pi/npm/x", "")]), (true, TrustSource::NotNeeded));
    assert_eq!(verdict(&[("home/.agents/skills/s/SKILL.md", "")]), (true, TrustSource::NotNeeded));
}

#[test]
fn folders_of_ancestors_and_migrated_ones_need_trust() {
    assert_eq!(verdict(&[(".agents/skills/s/SKILL.md", "")]), (true, TrustSource::Assumed));
    assert_eq!(verdict(&[("project/.pi/commands/a.md", "")]), (true, TrustSource::Assumed));
}

#[test]
fn the_nearest_saved_decision_counts() {
    let needing = ("project/.pi/SYSTEM.md", "");
    let saved = |text| verdict(&[needing, ("agent/trust.json", text)]);
    assert_eq!(saved(r#"{"/project": false, "/": true}"#), (false, TrustSource::Saved));
    assert_eq!(saved(r#"{"/project": null, "/": true}"#), (true, TrustSource::Saved));
    assert_eq!(saved("{}"), (true, TrustSource::Assumed));
}

#[test]
fn the_default_counts_where_nothing_is_saved() {
    let needing = ("project/.pi/SYSTEM.md", "");
    let never = ("agent/settings.json", r#"{"defaultProjectTrust": "never"}"#);
    assert_eq!(verdict(&[needing, never]), (false, TrustSource::Default));
    assert_eq!(
        verdict(&[needing, never, ("agent/trust.json", r#"{"/project": true}"#)]),
        (true, TrustSource::Saved)
    );
}

#[test]
fn a_broken_store_stops_pi_only_when_it_is_asked() {
    let files = [("project/.pi/SYSTEM.md", ""), ("agent/trust.json", r#"{"/x": 1}"#)];
    let case = Case::new(&files).with(|it| it.trust = TrustFlag::Undecided);
    let fatal = case.install().trusted.fatal;
    assert_eq!(
        fatal[0].message,
        "Error: Invalid trust store /agent/trust.json: value for \"/x\" must be true, false, or null"
    );
    assert!(Case::new(&files).install().trusted.fatal.is_empty());
}

#[test]
fn without_trust_the_project_is_listed_as_such() {
    let case = Case::new(&[
        ("project/.pi/extensions/p.ts", ""),
        ("project/.pi/settings.json", r#"{"packages": ["../../pp"]}"#),
        ("pp/extensions/pp.ts", ""),
        ("agent/extensions/u.ts", ""),
    ])
    .with(|it| it.trust = TrustFlag::Refuse);
    assert_eq!(
        case.extensions(),
        [
            "/agent/extensions/u.ts",
            "Untrusted /project/.pi/extensions/p.ts order/untrusted",
            "Untrusted /pp/extensions/pp.ts order/untrusted /project/.pi/settings.json:1:15",
        ]
    );
}
