//! Packages: which count, where they are, what they bring.

use super::Case;

/// What Pi makes of the names of temporary sources: the start of SHA-256.
const NPM_HASH: &str = "f35b2129";
const GIT_HASH: &str = "8737c929";

#[test]
fn an_empty_list_switches_everything_off() {
    let case = Case::new(&[
        ("p/extensions/a.ts", ""),
        ("agent/settings.json", r#"{"packages": [{"source": "../p", "extensions": []}]}"#),
    ]);
    assert_eq!(
        case.extensions(),
        ["Disabled /p/extensions/a.ts order/package-filter /agent/settings.json:1:48"]
    );
}

#[test]
fn a_disabled_file_of_a_package_shadows_the_settings_entry() {
    let case = Case::new(&[
        ("p/extensions/a.ts", ""),
        (
            "agent/settings.json",
            r#"{"packages": [{"source": "../p", "extensions": []}], "extensions": ["../p/extensions/a.ts"]}"#,
        ),
    ]);
    assert_eq!(
        case.extensions(),
        ["Disabled /p/extensions/a.ts order/disabled-shadows /agent/settings.json:1:48"]
    );
}

#[test]
fn the_object_form_brings_back_folders_that_the_manifest_leaves_out() {
    let files = |settings| {
        Case::new(&[
            ("p/package.json", r#"{"pi": {"skills": ["skills"]}}"#),
            ("p/extensions/a.ts", ""),
            ("agent/settings.json", settings),
        ])
    };
    assert!(files(r#"{"packages": ["../p"]}"#).extensions().is_empty());
    assert_eq!(files(r#"{"packages": [{"source": "../p"}]}"#).extensions(), ["/p/extensions/a.ts"]);
}

#[test]
fn a_package_counts_once() {
    let case = Case::new(&[
        ("agent/npm/node_modules/x/package.json", r#"{"name": "x", "version": "1.2.3"}"#),
        ("agent/npm/node_modules/x/extensions/a.ts", ""),
        ("agent/settings.json", r#"{"packages": ["npm:x@^1", "npm:x"]}"#),
    ]);
    assert_eq!(
        case.extensions(),
        [
            "/agent/npm/node_modules/x/extensions/a.ts",
            "Duplicate /agent/npm/node_modules/x order/package-identity /agent/settings.json:1:27",
        ]
    );
}

#[test]
fn another_version_counts_as_missing() {
    let case = Case::new(&[
        ("agent/npm/node_modules/x/package.json", r#"{"name": "x", "version": "1.2.3"}"#),
        ("agent/npm/node_modules/x/extensions/a.ts", ""),
        ("agent/settings.json", r#"{"packages": ["npm:x@^2"]}"#),
    ]);
    assert_eq!(
        case.extensions(),
        ["Missing /agent/npm/node_modules/x order/not-installed /agent/settings.json:1:15"]
    );
    let entry = &case.install().trusted.order.entries[0];
    assert_eq!(
        entry.reason,
        "version 1.2.3 is installed there, ^2 is asked for; Pi is offline (PI_OFFLINE) and skips it"
    );
}

#[test]
fn the_global_folder_of_npm_is_derived() {
    let package = r#"{"name": "x", "version": "1.0.0"}"#;
    let settings = ("agent/settings.json", r#"{"packages": ["npm:x"]}"#);
    let by_variable = Case::new(&[
        settings,
        ("g/lib/node_modules/x/package.json", package),
        ("g/lib/node_modules/x/extensions/a.ts", ""),
    ])
    .variable("NPM_CONFIG_PREFIX", "/g");
    assert_eq!(by_variable.extensions(), ["/g/lib/node_modules/x/extensions/a.ts"]);
    let by_npmrc = Case::new(&[
        settings,
        ("home/.npmrc", "; mine\nprefix = ${HOME}/g\n"),
        ("home/g/lib/node_modules/x/package.json", package),
        ("home/g/lib/node_modules/x/extensions/a.ts", ""),
    ])
    .variable("HOME", "/home");
    assert_eq!(by_npmrc.extensions(), ["/home/g/lib/node_modules/x/extensions/a.ts"]);
    let by_node = Case::new(&[
        settings,
        ("opt/node/bin/node", ""),
        ("opt/node/bin/npm", "-> ../lib/node_modules/npm/bin/npm-cli.js"),
        ("opt/node/lib/node_modules/npm/bin/npm-cli.js", ""),
        ("opt/node/lib/node_modules/x/package.json", package),
        ("opt/node/lib/node_modules/x/extensions/a.ts", ""),
    ])
    .variable("PATH", "/bin:/opt/node/bin");
    assert_eq!(by_node.extensions(), ["/opt/node/lib/node_modules/x/extensions/a.ts"]);
}

#[test]
fn what_cannot_be_told_of_npm_is_said() {
    let case = Case::new(&[("agent/settings.json", r#"{"packages": ["npm:x"], "npmCommand": ["pnpm"]}"#)]);
    let codes: Vec<_> =
        case.install().trusted.diagnostics.iter().map(|it| format!("{:?}", it.code)).collect();
    assert_eq!(codes, ["GlobalNpmRootUnknown", "PackageMissing"]);
}

#[test]
fn patterns_of_autoload_false_give_the_order() {
    let case = Case::new(&[
        ("p/extensions/a.ts", ""),
        ("p/extensions/b.ts", ""),
        ("p/extensions/c.ts", ""),
        ("agent/settings.json", r#"{"packages": ["../p"]}"#),
        (
            "project/.pi/settings.json",
            r#"{"packages": [{"source": "../../p", "autoload": false, "extensions": ["-extensions/a.ts", "c.ts"]}]}"#,
        ),
    ]);
    assert_eq!(
        case.extensions(),
        [
            "/p/extensions/c.ts",
            "/p/extensions/b.ts",
            "Disabled /p/extensions/a.ts order/autoload-false /project/.pi/settings.json:1:71",
        ]
    );
}

#[test]
fn temporary_sources_are_used_when_they_are_there_and_told_of_when_not() {
    let npm = format!("agent/tmp/extensions/npm/{NPM_HASH}/node_modules/x");
    let case = Case::new(&[
        (&format!("{npm}/package.json"), r#"{"version": "1.0.0"}"#),
        (&format!("{npm}/extensions/a.ts"), ""),
    ])
    .with(|it| it.extensions = vec!["npm:x".to_owned(), "git:github.com/a/b".to_owned()]);
    assert_eq!(
        case.extensions(),
        [
            format!("/{npm}/extensions/a.ts"),
            format!("Missing /agent/tmp/extensions/git-github.com/{GIT_HASH}/a/b order/not-installed"),
        ]
    );
}

#[test]
fn wrong_types_end_pi_with_its_own_words() {
    for (settings, message) in [
        (r#"{"extensions": 5}"#, "TypeError: entries is not iterable"),
        (r#"{"extensions": "a"}"#, "TypeError: entries.filter is not a function"),
        (r#"{"extensions": [null]}"#, "TypeError: Cannot read properties of null (reading 'startsWith')"),
        (
            r#"{"packages": true}"#,
            "TypeError: boolean true is not iterable (cannot read property Symbol(Symbol.iterator))",
        ),
        (r#"{"packages": [{}]}"#, "TypeError: Cannot read properties of undefined (reading 'startsWith')"),
    ] {
        let case = Case::new(&[("agent/extensions/a.ts", ""), ("agent/settings.json", settings)]);
        let plan = case.install().trusted;
        assert_eq!(
            plan.fatal.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(),
            [message],
            "{settings}"
        );
        assert!(plan.fatal[0].at.is_some() && plan.order.entries.is_empty());
    }
}
