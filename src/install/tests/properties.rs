//! What holds for every installation, however broken.

use proptest::prelude::*;

use super::{Case, Plan};
use crate::install::{Status, TrustFlag};

/// Texts that settings and manifests are made of, sensible and not.
fn text() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "../p",
        "npm:x",
        "npm:x@^1",
        "git:github.com/a/b",
        "extensions",
        "extensions/a.ts",
        "!a.ts",
        "+extensions/a.ts",
        "-extensions/b.ts",
        "**/*.ts",
        "!**",
        "*",
        "a.ts",
        ".",
        "/",
        "~",
        "",
        "!",
        "{a,b}/*",
        "[",
        "\u{feff}",
    ];
    prop_oneof![prop::sample::select(KNOWN).prop_map(str::to_owned), "[a-c/.*!{}\\[\\]()|~@:#-]{0,6}"]
}

/// Names that settings and manifests know.
const KEYS: &[&str] = &[
    "packages",
    "extensions",
    "skills",
    "prompts",
    "themes",
    "source",
    "autoload",
    "pi",
    "version",
    "length",
];

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i8>().prop_map(Into::into),
        text().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::btree_map(prop::sample::select(KEYS), inner, 0..4).prop_map(|fields| {
                fields
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }),
        ]
    })
}

fn is_sound(plan: &Plan) -> Result<(), TestCaseError> {
    let entries = &plan.order.entries;
    for (at, entry) in entries.iter().enumerate() {
        prop_assert_eq!(entry.id.0 as usize, at);
        prop_assert!(!entry.reason.is_empty());
        prop_assert!(entry.status == Status::Planned || !entry.trail.is_empty());
        prop_assert_eq!(entry.execution.is_some(), entry.status == Status::Planned || entry.ran_before_trust);
        prop_assert!(crate::rulebook::rule(entry.rule).is_some(), "{}", entry.rule);
    }
    let mut places: Vec<_> = entries.iter().filter_map(|it| it.execution).collect();
    places.sort_unstable();
    prop_assert!(places.iter().enumerate().all(|(at, &place)| at == place as usize), "{:?}", places);
    let planned: Vec<_> = plan.order.planned().map(|it| &it.path).collect();
    let unique: std::collections::BTreeSet<_> = planned.iter().collect();
    prop_assert_eq!(planned.len(), unique.len());
    let after = entries.iter().skip_while(|it| it.status == Status::Planned);
    prop_assert!(after.into_iter().all(|it| it.status != Status::Planned), "planned ones come first");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_settings_and_manifests_give_a_sound_plan(
        user in json(), project in json(), package in json(), given in prop::collection::vec(text(), 0..2),
    ) {
        let [user, project, package] = [user, project, package].map(|it| it.to_string());
        let case = Case::new(&[
            ("agent/settings.json", &user),
            ("project/.pi/settings.json", &project),
            ("p/package.json", &package),
            ("p/extensions/a.ts", ""),
            ("p/extensions/b.ts", ""),
            ("p/skills/s/SKILL.md", ""),
            ("agent/extensions/a.ts", ""),
            ("agent/extensions/l.ts", "-> ../../p/extensions/a.ts"),
            ("agent/extensions/loop", "-> ."),
            ("agent/npm/node_modules/x/package.json", &package),
            ("agent/npm/node_modules/x/extensions/a.ts", ""),
            ("project/.pi/extensions/d/index.ts", ""),
        ])
        .with(|it| {
            it.trust = TrustFlag::Undecided;
            it.extensions = given;
        });
        let installation = case.install();
        is_sound(&installation.trusted)?;
        is_sound(&installation.untrusted)?;
    }
}
