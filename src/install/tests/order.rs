//! Places and overrides.

use super::{Case, execution};
use crate::install::{Scope, TrustFlag};

#[test]
fn project_before_user_settings_before_folders_packages_last() {
    let case = Case::new(&[
        ("agent/extensions/ua.ts", ""),
        ("agent/ul.ts", ""),
        ("agent/settings.json", r#"{"extensions": ["ul.ts"], "packages": ["../up"]}"#),
        ("project/.pi/extensions/pa.ts", ""),
        ("project/.pi/pl.ts", ""),
        ("project/.pi/settings.json", r#"{"extensions": ["pl.ts"], "packages": ["../../pp"]}"#),
        ("up/extensions/up.ts", ""),
        ("pp/extensions/pp.ts", ""),
        ("c.ts", ""),
    ])
    .with(|it| it.extensions = vec!["../c.ts".to_owned()]);
    assert_eq!(
        case.extensions(),
        [
            "/c.ts",
            "/project/.pi/pl.ts",
            "/project/.pi/extensions/pa.ts",
            "/agent/ul.ts",
            "/agent/extensions/ua.ts",
            "/pp/extensions/pp.ts",
            "/up/extensions/up.ts",
        ]
    );
}

#[test]
fn a_plain_run_executes_the_user_first() {
    let case = Case::new(&[("agent/extensions/u.ts", ""), ("project/.pi/extensions/p.ts", "")]);
    let plain = case.with(|it| it.trust = TrustFlag::Undecided);
    assert_eq!(plain.extensions(), ["/project/.pi/extensions/p.ts", "/agent/extensions/u.ts"]);
    let installation = plain.install();
    assert_eq!(execution(&installation.trusted), ["/agent/extensions/u.ts", "/project/.pi/extensions/p.ts"]);
    assert_eq!(execution(&installation.untrusted), ["/agent/extensions/u.ts"]);
}

#[test]
fn what_ran_before_trust_and_is_filtered_out_afterwards_is_told() {
    let case = Case::new(&[
        ("p/extensions/a.ts", ""),
        ("p/extensions/b.ts", ""),
        ("agent/settings.json", r#"{"packages": ["../p"]}"#),
        ("project/.pi/settings.json", r#"{"packages": [{"source": "../../p", "extensions": ["b.ts"]}]}"#),
    ])
    .with(|it| it.trust = TrustFlag::Undecided);
    let installation = case.install();
    let order = &installation.trusted.order;
    let early: Vec<_> = order.entries.iter().filter(|it| it.ran_before_trust).collect();
    assert_eq!(early.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["/p/extensions/a.ts"]);
    assert_eq!(early[0].execution, Some(0));
    assert_eq!(order.planned().map(|it| it.execution).collect::<Vec<_>>(), [Some(1)]);
}

#[test]
fn overrides_name_the_pattern_and_its_line() {
    let case = Case::new(&[
        ("agent/extensions/a.ts", ""),
        ("agent/extensions/b.ts", ""),
        ("agent/extensions/c.ts", ""),
        ("agent/settings.json", "{\n  \"extensions\": [\n    \"!a.ts\", \"-extensions/b.ts\"\n  ]\n}"),
        ("project/.pi/settings.json", r#"{"extensions": ["!c.ts"]}"#),
    ]);
    assert_eq!(
        case.extensions(),
        [
            "/agent/extensions/c.ts",
            "Disabled /agent/extensions/a.ts order/override-pattern /agent/settings.json:3:5",
            "Disabled /agent/extensions/b.ts order/override-pattern /agent/settings.json:3:14",
        ]
    );
}

#[test]
fn ignore_files_name_their_line() {
    let case = Case::new(&[
        ("agent/extensions/.gitignore", "# mine\r\ndraft*.ts\r\n"),
        ("agent/extensions/draft1.ts", ""),
        ("agent/extensions/kept.ts", ""),
    ]);
    assert_eq!(
        case.extensions(),
        [
            "/agent/extensions/kept.ts",
            "Disabled /agent/extensions/draft1.ts order/ignore-file /agent/extensions/.gitignore:2:1",
        ]
    );
}

#[test]
fn an_index_stands_for_the_folder() {
    let case = Case::new(&[
        ("agent/extensions/index.ts", ""),
        ("agent/extensions/other.ts", ""),
        ("agent/extensions/sub/index.ts", ""),
    ]);
    assert_eq!(
        case.extensions(),
        ["/agent/extensions/index.ts", "Disabled /agent/extensions/other.ts order/index-stands-for-folder",]
    );
}

#[test]
fn a_link_at_a_better_place_takes_the_file() {
    let case = Case::new(&[
        ("p/extensions/e.ts", ""),
        ("agent/extensions/l.ts", "-> ../../p/extensions/e.ts"),
        ("agent/settings.json", r#"{"packages": ["../p"]}"#),
    ]);
    assert_eq!(
        case.extensions(),
        ["/agent/extensions/l.ts", "Duplicate /p/extensions/e.ts order/real-path-once"]
    );
}

#[test]
fn a_link_that_is_off_takes_the_file_too() {
    let case = Case::new(&[
        ("p/extensions/e.ts", ""),
        ("agent/extensions/l.ts", "-> ../../p/extensions/e.ts"),
        ("agent/settings.json", r#"{"packages": ["../p"], "extensions": ["!l.ts"]}"#),
    ]);
    let lines = case.extensions();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("Disabled /p/extensions/e.ts order/disabled-shadows"), "{lines:?}");
    assert!(lines[1].starts_with("Disabled /agent/extensions/l.ts order/override-pattern"), "{lines:?}");
}

#[test]
fn the_command_line_loads_what_is_off_and_keeps_its_source() {
    let case =
        Case::new(&[("agent/extensions/a.ts", ""), ("agent/settings.json", r#"{"extensions": ["!a.ts"]}"#)])
            .with(|it| it.extensions = vec!["/agent/extensions/a.ts".to_owned()]);
    assert_eq!(case.extensions(), ["/agent/extensions/a.ts"]);
    let installation = case.install();
    let info = &installation.plan().order.entries[0].source_info;
    assert_eq!((info.source.as_str(), info.scope), ("auto", Scope::User));
}

#[test]
fn a_missing_path_of_the_command_line_is_fatal() {
    let case = Case::new(&[]).with(|it| it.extensions = vec!["gone.ts".to_owned()]);
    assert_eq!(case.extensions(), ["Missing /project/gone.ts order/cli-missing"]);
    let fatal = case.install().trusted.fatal;
    assert_eq!(fatal[0].message, "Extension path does not exist: /project/gone.ts");
}

#[test]
fn no_extensions_leaves_the_command_line_alone() {
    let case = Case::new(&[("agent/extensions/a.ts", ""), ("project/b.ts", "")]).with(|it| {
        it.no_extensions = true;
        it.extensions = vec!["b.ts".to_owned()];
    });
    assert_eq!(case.extensions(), ["/project/b.ts", "Disabled /agent/extensions/a.ts order/no-extensions"]);
}

#[test]
fn how_a_file_came_in_is_told_step_by_step() {
    let case = Case::new(&[
        (
            "p/package.json",
            "{\"name\": \"p\", \"version\": \"1.0.0\",\n \"pi\": {\"extensions\": [\"src/*.ts\"]}}",
        ),
        ("p/src/a.ts", ""),
        ("agent/settings.json", r#"{"packages": ["../p"]}"#),
    ]);
    let installation = case.install();
    let entry = &installation.plan().order.entries[0];
    let trail: Vec<_> = entry.trail.iter().map(|it| format!("{}{}", it.text, case.place(it.at))).collect();
    assert_eq!(
        trail,
        [
            "user settings.json, packages[0] \"../p\" /agent/settings.json:1:15",
            "package.json, pi.extensions[0] \"src/*.ts\" /p/package.json:2:24",
        ]
    );
    assert_eq!(entry.package.as_deref(), Some("p@1.0.0"));
}
