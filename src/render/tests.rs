//! What people see, at three widths.

use std::fmt::Write as _;

use super::testing::{Extension, From, extension, report};
use super::{Form, Question, Style, render};
use crate::registry::ContestKind;
use crate::report::Report;

/// The page of a question without colours.
fn page(question: &Question, report: &Report, width: usize) -> String {
    let style = Style { width, links: false, full_paths: false };
    let text = render(Form::Table, question, report, &style).unwrap_or_default();
    anstream::adapter::strip_str(&text).to_string()
}

/// The page at 60, 80 and 160 columns.
fn pages(question: &Question, report: &Report) -> String {
    let mut all = String::new();
    for width in [60, 80, 160] {
        let page = page(question, report, width);
        let rule = "─".repeat(width - 4 - width.to_string().len());
        let _ = writeln!(all, "── {width} {rule}\n{page}");
    }
    all
}

fn name(kind: ContestKind, name: &str) -> Question {
    Question::Name { kinds: vec![kind], name: name.to_owned() }
}

/// Two tools and two flags clash, and much else is worth a look.
fn busy() -> Report {
    report(&[
        extension(
            From::Project,
            "guard.ts",
            "export default function (pi) {\n  pi.registerTool({ name: \"bash\", execute });\n  pi.registerCommand(\"review\", {});\n  pi.registerShortcut(\"ctrl+x\", {});\n  pi.registerMessageRenderer(\"card\", draw);\n}\n",
        ),
        extension(
            From::User,
            "mcp.ts",
            "export default function (pi) {\n  pi.registerFlag(\"mcp-config\", {});\n  pi.registerCommand(\"review\", {});\n  pi.registerCommand(\"model\", {});\n  pi.registerShortcut(\"ctrl+x\", {});\n  pi.registerShortcut(\"ctrl+c\", {});\n  pi.registerMessageRenderer(\"card\", draw);\n}\n",
        ),
        extension(From::User, "old.ts", "").disabled(),
        extension(
            From::Npm("pi-subagents"),
            "src/extension/index.ts",
            "export default function (pi) {\n  pi.registerTool({ name: \"wait\", label: \"Wait for a subagent\" });\n  pi.registerTool({ name: \"late\" }); // on session_start\n}\n",
        ),
        extension(
            From::Npm("conv"),
            "dist/index.js",
            "export default (pi) => {\n  pi.registerTool({ name: \"wait\" });\n  pi.registerFlag(\"mcp-config\", {});\n  pi.registerTool(remote); // unknown the name comes from fetch(url)\n  pi.registerTool({ name: \"late\" });\n  pi.registerTool({ name: \"fetch_page\" }); // if process.env.WEB_TOOLS === \"1\"\n}\n",
        ),
        extension(From::User, "broken.ts", "import x from \"gone\";\n")
            .failing("the package \"gone\" is not installed"),
    ])
}

fn calm() -> Report {
    report(&[extension(
        From::User,
        "search.ts",
        "export default (pi) => {\n  pi.registerTool({ name: \"search\" });\n  pi.registerCommand(\"find\", {});\n};\n",
    )])
}

#[test]
fn overview_of_a_pi_that_does_not_start() {
    insta::assert_snapshot!(pages(&Question::Overview, &busy()));
}

#[test]
fn overview_of_a_pi_that_starts() {
    insta::assert_snapshot!(pages(&Question::Overview, &calm()));
}

#[test]
fn order() {
    insta::assert_snapshot!(pages(&Question::Order, &busy()));
}

#[test]
fn every_name() {
    insta::assert_snapshot!(pages(&Question::All, &busy()));
}

#[test]
fn tools() {
    insta::assert_snapshot!(pages(&Question::Kinds(vec![ContestKind::Tool]), &busy()));
}

#[test]
fn a_tool_that_two_extensions_register() {
    insta::assert_snapshot!(pages(&name(ContestKind::Tool, "wait"), &busy()));
}

#[test]
fn a_tool_on_a_condition() {
    insta::assert_snapshot!(pages(&name(ContestKind::Tool, "fetch_page"), &busy()));
}

#[test]
fn a_tool_that_comes_late() {
    insta::assert_snapshot!(pages(&name(ContestKind::Tool, "late"), &busy()));
}

#[test]
fn a_builtin_tool_that_is_replaced() {
    insta::assert_snapshot!(pages(&name(ContestKind::Tool, "bash"), &busy()));
}

#[test]
fn a_tool_that_nobody_has() {
    insta::assert_snapshot!(pages(&name(ContestKind::Tool, "wiat"), &busy()));
}

#[test]
fn a_command_whose_bare_name_is_gone() {
    insta::assert_snapshot!(pages(&name(ContestKind::Command, "review"), &busy()));
}

#[test]
fn a_command_behind_a_builtin_one() {
    insta::assert_snapshot!(pages(&name(ContestKind::Command, "/model"), &busy()));
}

#[test]
fn a_flag_that_two_extensions_register() {
    insta::assert_snapshot!(pages(&name(ContestKind::Flag, "--mcp-config"), &busy()));
}

#[test]
fn shortcuts() {
    insta::assert_snapshot!(pages(&Question::Kinds(vec![ContestKind::Shortcut]), &busy()));
}

#[test]
fn a_renderer() {
    let kinds = vec![ContestKind::MessageRenderer, ContestKind::EntryRenderer];
    insta::assert_snapshot!(pages(&Question::Name { kinds, name: "card".to_owned() }, &busy()));
}

#[test]
fn an_extension() {
    insta::assert_snapshot!(pages(&Question::Extension("mcp.ts".to_owned()), &busy()));
}

#[test]
fn an_extension_that_fails() {
    insta::assert_snapshot!(pages(&Question::Extension("broken".to_owned()), &busy()));
}

#[test]
fn an_extension_that_is_nowhere() {
    insta::assert_snapshot!(pages(&Question::Extension("gaurd.ts".to_owned()), &busy()));
}

/// Names of other scripts, of emoji and of escapes.
fn foreign() -> Vec<Extension> {
    vec![
        extension(
            From::User,
            "日本語.ts",
            "export default (pi) => {\n  pi.registerTool({ name: \"検索\" });\n  pi.registerTool({ name: \"👩‍💻\" });\n  pi.registerTool({ name: \"\\e[31mred\" });\n};\n",
        ),
        extension(
            From::User,
            "b.ts",
            "export default (pi) => {\n  pi.registerTool({ name: \"検索\" });\n};\n",
        ),
    ]
}

#[test]
fn names_of_other_scripts_keep_the_columns() {
    insta::assert_snapshot!(pages(&Question::Kinds(vec![ContestKind::Tool]), &report(&foreign())));
}

#[test]
fn no_control_character_of_a_name_reaches_the_terminal() {
    let report = report(&foreign());
    for question in [Question::Overview, Question::All, name(ContestKind::Tool, "\u{1b}[31mred")] {
        let page = page(&question, &report, 80);
        assert!(page.chars().all(|it| it == '\n' || !it.is_control()), "{page:?}");
        assert!(question == Question::Overview || page.contains("\\x1b[31mred"), "{page}");
    }
}

#[test]
fn a_label_far_to_the_right_is_brought_into_view() {
    let padding = "x".repeat(5000);
    let text: &'static str = Box::leak(
        format!("var a = \"{padding}\"; pi.registerTool({{ name: \"deep\" }}); var b = \"{padding}\";\n")
            .into(),
    );
    let report = report(&[extension(From::Npm("bundled"), "dist/i.js", text)]);
    insta::assert_snapshot!(page(&name(ContestKind::Tool, "deep"), &report, 80));
}

/// The answer of a question in one form.
fn form(form: Form, question: &Question, report: &Report) -> String {
    let style = Style { width: 80, links: false, full_paths: false };
    render(form, question, report, &style).unwrap_or_default()
}

#[test]
fn markdown() {
    insta::assert_snapshot!(form(Form::Markdown, &name(ContestKind::Tool, "wait"), &busy()));
}

#[test]
fn compact_overview() {
    insta::assert_snapshot!(form(Form::Compact, &Question::Overview, &busy()));
}

#[test]
fn compact_page() {
    insta::assert_snapshot!(form(Form::Compact, &name(ContestKind::Command, "review"), &busy()));
}

#[test]
fn github_annotations() {
    insta::assert_snapshot!(form(Form::Github, &Question::Overview, &busy()));
}

#[test]
fn sarif() {
    let text = form(Form::Sarif, &Question::Kinds(vec![ContestKind::Flag]), &busy());
    let mut log: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    log["runs"][0]["tool"]["driver"]["rules"] = "…".into();
    insta::assert_json_snapshot!(log);
}

#[test]
fn sarif_fingerprints_name_no_machine_and_no_line() {
    let text = form(Form::Sarif, &Question::Overview, &busy());
    let log: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let results = log["runs"][0]["results"].as_array().cloned().unwrap_or_default();
    let keys: Vec<_> = results.iter().map(|it| it["partialFingerprints"]["piWhy/v1"].to_string()).collect();
    assert!(keys.len() > 8 && keys.iter().all(|it| !it.contains("/home/ada")), "{keys:#?}");
}

#[test]
fn json() {
    insta::assert_snapshot!(form(Form::Json, &name(ContestKind::Tool, "late"), &busy()));
}

#[test]
fn json_schema() {
    insta::assert_snapshot!(super::json::schema().unwrap_or_default());
}
