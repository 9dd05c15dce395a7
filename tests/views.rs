//! Every view at 60, 80 and 160 columns, on the demo installation.
//!
//! `INSTA_UPDATE=always cargo test --test views` writes them anew.

#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "fixtures/mod.rs"]
mod fixtures;

use std::fmt::Write as _;

use fixtures::Fixture;
use unicode_width::UnicodeWidthStr as _;

/// Bytes of the path of the demo's copy.
const ROOT_BYTES: usize = 64;

const VIEWS: [(&str, &[&str]); 30] = [
    ("overview", &[]),
    ("order", &["order"]),
    ("all", &["all"]),
    ("tools", &["tool"]),
    ("tool-conflict", &["tool", "web_search"]),
    ("tool-over-builtin", &["tool", "bash"]),
    ("tool-late", &["tool", "todo"]),
    ("tool-builtin", &["tool", "read"]),
    ("tool-unknown", &["tool", "web_serach"]),
    ("commands", &["command"]),
    ("command-renamed", &["command", "review"]),
    ("command-hidden", &["command", "tree"]),
    ("command-builtin", &["command", "quit"]),
    ("flags", &["flag"]),
    ("flag-conflict", &["flag", "plan"]),
    ("shortcuts", &["shortcut"]),
    ("shortcut-reserved", &["shortcut", "ctrl+x"]),
    ("shortcut-builtin", &["shortcut", "ctrl+p"]),
    ("shortcut-free", &["shortcut", "ctrl+q"]),
    ("renderer", &["renderer", "review-note"]),
    ("providers", &["provider"]),
    ("provider", &["provider", "northwind"]),
    ("provider-field", &["provider", "deepseek.headers.X-Team"]),
    ("models", &["model", "northwind"]),
    ("skill", &["skill", "release-notes"]),
    ("prompt", &["prompt", "review"]),
    ("theme", &["theme", "dusk"]),
    ("extension", &["extension", "project/.pi/extensions/review.ts"]),
    ("check", &["check"]),
    ("rule", &["rules", "command/suffix"]),
];

#[test]
fn every_view() {
    let demo = Fixture::materialise_in("demo", ROOT_BYTES);
    let root = demo.root().to_str().expect("the root is UTF-8").to_owned();
    for (name, arguments) in VIEWS {
        let mut pages = String::new();
        for width in [60, 80, 160] {
            let columns = width.to_string();
            let page = page(&demo, &[arguments, &["--width", &columns, "--quiet"]].concat());
            let too_wide = page.lines().filter(|it| it.width() > width && !is_unbreakable(it, width));
            let too_wide: Vec<_> = too_wide.collect();
            assert!(too_wide.is_empty(), "{name} at {width}:\n{}", too_wide.join("\n"));
            let rule = "─".repeat(width - 4 - columns.len());
            let _ = writeln!(pages, "── {width} {rule}\n{}", page.replace(&root, "{ROOT}"));
        }
        insta::assert_snapshot!(name, pages);
    }
}

/// A page as it is printed where the agent directory lies in the home directory, as it usually does.
fn page(demo: &Fixture, arguments: &[&str]) -> String {
    let output = demo.command(arguments).env("HOME", demo.root()).output().expect("pi-why can be started");
    assert!(output.status.code().is_some_and(|it| it < 2), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("pages are UTF-8")
}

/// A line of source, or one with a word that is longer than the page: what is meant to be copied is not broken.
fn is_unbreakable(line: &str, width: usize) -> bool {
    let of_source = line.contains("╭─[") || line.contains(" │ ") || line.contains(" · ");
    of_source || line.split_whitespace().any(|it| it.width() + 8 > width)
}
