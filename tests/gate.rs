//! `pi-why check`, `diff` and `manifest` as a CI job uses them: on copies of small packs and installations, in two places
//! with two homes.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of this test with a home of its own.
struct Place {
    _directory: tempfile::TempDir,
    root: PathBuf,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("there is room for temporary files");
        let root = directory.path().canonicalize().expect("the directory was just made");
        for folder in ["home", "agent", "project"] {
            fs::create_dir_all(root.join(folder)).expect("folders can be made");
        }
        Self { _directory: directory, root }
    }

    fn write(&self, path: &str, text: &str) -> &Self {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("folders can be made");
        fs::write(path, text).expect("files can be written");
        self
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).expect("the file is there")
    }

    /// Runs pi-why in the project, with nothing of the user's around it.
    fn run(&self, arguments: &[&str]) -> Answer {
        let output = Command::new(env!("CARGO_BIN_EXE_pi-why"))
            .env_clear()
            .env("HOME", self.root.join("home"))
            .env("PI_CODING_AGENT_DIR", self.root.join("agent"))
            .current_dir(self.root.join("project"))
            .args(arguments)
            .output()
            .expect("pi-why can be started");
        Answer(output)
    }
}

struct Answer(Output);

impl Answer {
    fn status(&self) -> i32 {
        self.0.status.code().expect("it ended by itself")
    }

    fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.0.stdout).expect("the answer is JSON")
    }
}

fn tool(name: &str) -> String {
    format!("export default (pi) => {{\n  pi.registerTool({{ name: \"{name}\" }});\n}};\n")
}

/// An installation in which an extension of the user and one of the project replace a built-in tool.
fn overriding() -> Place {
    let place = Place::new();
    place.write("agent/extensions/mine.ts", &tool("grep"));
    place.write("project/.pi/extensions/guard.ts", &tool("bash"));
    place
}

/// A pack in which two extensions clash.
fn clashing() -> Place {
    let place = Place::new();
    place.write(
        "project/pack/package.json",
        "{\"name\": \"pack\", \"pi\": {\"extensions\": [\"a.ts\", \"b.ts\"]}}",
    );
    let second = format!("// the second\n{}", tool("search"));
    place.write("project/pack/a.ts", &tool("search")).write("project/pack/b.ts", &second);
    place
}

fn codes(answer: &Answer) -> Vec<String> {
    let findings = answer.json()["check"]["findings"].as_array().cloned().unwrap_or_default();
    findings
        .iter()
        .map(|it| format!("{} {} {}", it["finding"], it["name"], it["level"]).replace('"', ""))
        .collect()
}

#[test]
fn the_exit_status_tells_clean_from_found_from_unusable_from_empty() {
    let place = clashing();
    place.write("project/clean/extensions/a.ts", &tool("x")).write("project/empty/readme.md", "");
    assert_eq!(place.run(&["check", "clean"]).status(), 0);
    assert_eq!(place.run(&["check", "pack"]).status(), 1);
    assert_eq!(place.run(&["check", "pack", "--exit-zero"]).status(), 0);
    assert_eq!(place.run(&["check", "nowhere"]).status(), 2);
    assert_eq!(place.run(&["check", "--no-such-option-at-all", "x", "y", "z"]).status(), 2);
    assert_eq!(place.run(&["check", "empty"]).status(), 3);
}

#[test]
fn warnings_alone_pass_and_policies_decide() {
    let place = overriding();
    assert_eq!(place.run(&["check"]).status(), 0);
    let cases: &[(&str, i32, &[&str])] = &[
        ("", 0, &["builtin-overridden bash warning", "builtin-overridden grep warning"]),
        (
            "[check]\nfail-on = \"warn\"\n",
            1,
            &["builtin-overridden bash warning", "builtin-overridden grep warning"],
        ),
        ("[findings]\nbuiltin-overridden = \"allow\"\n", 0, &[]),
        (
            "[[policy]]\nfinding = [\"builtin-overridden\"]\nscope = [\"project\"]\nlevel = \"deny\"\nreason = \"Projects keep off.\"\n",
            1,
            &["builtin-overridden bash error", "builtin-overridden grep warning"],
        ),
        (
            "[[policy]]\nname = [\"g*\"]\nlevel = \"allow\"\nreason = \"x\"\n[[policy]]\npath = [\"project/**\"]\nlevel = \"note\"\nreason = \"x\"\n",
            0,
            &["builtin-overridden bash note"],
        ),
        (
            "[[policy]]\nkind = [\"command\"]\nlevel = \"deny\"\nreason = \"x\"\n[findings]\nbuiltin-overridden = \"deny\"\n",
            1,
            &["builtin-overridden bash error", "builtin-overridden grep error"],
        ),
    ];
    for (policy, status, findings) in cases {
        place.write("project/pi-why.toml", policy);
        let answer = place.run(&["check", "--format", "json"]);
        assert_eq!(
            (answer.status(), codes(&answer)),
            (*status, findings.iter().map(|&it| it.to_owned()).collect()),
            "{policy}"
        );
        assert_eq!(place.run(&["check", "--isolated"]).status(), 0, "{policy}");
    }
}

#[test]
fn what_is_not_certain_counts_no_more_than_the_policy_says() {
    let place = Place::new();
    let condition =
        "export default (pi) => {\n  if (Math.random() > 0.5) pi.registerTool({ name: \"x\" });\n};\n";
    place.write("agent/extensions/a.ts", condition).write("agent/extensions/b.ts", &tool("x"));
    assert_eq!(place.run(&["check"]).status(), 0);
    place.write("project/pi-why.toml", "[check]\nconditional = \"deny\"\n");
    assert_eq!(place.run(&["check"]).status(), 1);
    place.write(
        "agent/extensions/a.ts",
        "export default (pi) => { pi.registerTool({ name: String(Math.random()) }); };\n",
    );
    assert_eq!(place.run(&["check"]).status(), 0);
    place.write("project/pi-why.toml", "[check]\nunresolved = \"deny\"\n");
    assert_eq!(place.run(&["check"]).status(), 1);
}

#[test]
fn a_mistake_in_the_configuration_is_shown_at_its_place() {
    let place = overriding();
    place.write("project/pi-why.toml", "[check]\nfail-on = \"warm\"\n");
    let answer = place.run(&["check"]);
    assert_eq!(answer.status(), 2);
    assert!(answer.err().contains("warm") && answer.err().contains("pi-why.toml:2:11"), "{}", answer.err());
}

#[test]
fn a_glob_that_nothing_closes_and_a_folder_for_a_configuration_are_mistakes() {
    let place = overriding();
    for (key, glob) in [("path", "[unclosed"), ("path", "{a"), ("name", "ba[")] {
        let policy = format!("[[policy]]\n{key} = [\"{glob}\"]\nlevel = \"deny\"\nreason = \"x\"\n");
        let answer = place.write("project/pi-why.toml", &policy).run(&["check"]);
        assert_eq!(answer.status(), 2, "{glob}");
        assert!(answer.err().contains("pi-why.toml:2:8") && answer.err().contains(glob), "{}", answer.err());
    }
    fs::remove_file(place.root.join("project/pi-why.toml")).expect("the file is there");
    place.write("project/pi-why.toml/readme.md", "");
    for question in [&["check"][..], &[]] {
        let answer = place.run(question);
        assert!(answer.status() == 2 && answer.err().contains("pi-why.toml"), "{}", answer.err());
    }
}

#[test]
fn a_baseline_lets_known_findings_pass_and_is_the_same_everywhere() {
    let (here, there) = (clashing(), clashing());
    for place in [&here, &there] {
        assert_eq!(
            place.run(&["check", "pack", "--baseline", "known.jsonl", "--write-baseline"]).status(),
            0
        );
    }
    assert_eq!(here.read("project/known.jsonl"), there.read("project/known.jsonl"));
    assert_eq!(here.run(&["check", "pack", "--baseline", "known.jsonl"]).status(), 0);
    // Other lines are no other finding.
    here.write("project/pack/b.ts", &format!("// moved\n\n{}", tool("search")));
    assert_eq!(here.run(&["check", "pack", "--baseline", "known.jsonl"]).status(), 0);
    // A new clash is.
    let two = "export default (pi) => { pi.registerTool({ name: \"search\" }); pi.registerTool({ name: \"open\" }); };\n";
    here.write("project/pack/a.ts", two).write("project/pack/b.ts", two);
    assert_eq!(here.run(&["check", "pack", "--baseline", "known.jsonl"]).status(), 1);
}

#[test]
fn what_a_baseline_knows_and_is_gone_is_told_and_pruned() {
    let place = clashing();
    place.run(&["check", "pack", "--baseline", "known.jsonl", "--write-baseline"]);
    place.write("project/pack/b.ts", &tool("open"));
    let answer = place.run(&["check", "pack", "--baseline", "known.jsonl", "--format", "json"]);
    assert_eq!(answer.json()["check"]["stale"][0]["finding"], "tool-conflict");
    assert!(
        place.run(&["check", "pack", "--baseline", "known.jsonl"]).out().contains("1 stale in the baseline")
    );
    assert_eq!(place.run(&["check", "pack", "--baseline", "known.jsonl", "--prune-baseline"]).status(), 0);
    assert_eq!(place.read("project/known.jsonl").lines().count(), 1);
    assert_eq!(place.run(&["check", "pack", "--baseline", "gone.jsonl"]).status(), 2);
}

#[test]
fn versions_of_packages_do_not_matter_to_a_baseline() {
    let place = Place::new();
    place.write("agent/extensions/a.ts", &tool("x"));
    for version in ["1.0.0", "2.0.0"] {
        place.write("agent/settings.json", &format!("{{\"packages\": [\"npm:pack@{version}\"]}}"));
        let manifest = format!(
            "{{\"name\": \"pack\", \"version\": \"{version}\", \"pi\": {{\"extensions\": [\"b.ts\"]}}}}"
        );
        place.write("agent/npm/node_modules/pack/package.json", &manifest);
        place.write("agent/npm/node_modules/pack/b.ts", &tool("x"));
        place.run(&["check", "--baseline", &format!("{version}.jsonl"), "--write-baseline"]);
    }
    assert_eq!(place.read("project/1.0.0.jsonl"), place.read("project/2.0.0.jsonl"));
    assert!(place.read("project/1.0.0.jsonl").contains("npm:pack/b.ts"));
}

#[test]
fn packs_are_checked_together() {
    let place = Place::new();
    place.write("project/one/extensions/a.ts", &tool("search"));
    place.write("project/two/index.ts", &tool("search"));
    place.write(
        "project/node_modules/three/package.json",
        "{\"name\": \"three\", \"pi\": {\"extensions\": [\"c.ts\"]}}",
    );
    place.write("project/node_modules/three/c.ts", &tool("search"));
    assert_eq!(place.run(&["check", "one"]).status(), 0);
    assert_eq!(place.run(&["check", "one", "--with", "../two"]).status(), 1);
    assert_eq!(place.run(&["check", "one", "--with", "npm:three"]).status(), 1);
    assert_eq!(place.run(&["check", "one", "--with", "npm:four"]).status(), 2);
}

#[test]
fn a_folder_of_packages_and_a_folder_of_extensions_are_packs() {
    let place = Place::new();
    place.write("project/repo/packages/one/extensions/a.ts", &tool("search"));
    place.write("project/repo/packages/two/extensions/b.ts", &tool("search"));
    assert_eq!(place.run(&["check", "repo"]).status(), 1);
    place.write("project/loose/a.ts", &tool("x")).write("project/loose/sub/index.ts", &tool("x"));
    assert_eq!(place.run(&["check", "loose"]).status(), 1);
    assert_eq!(place.run(&["check", "loose/a.ts"]).status(), 0);
}

#[test]
fn reports_installations_and_packs_can_be_compared() {
    let place = Place::new();
    place.write(
        "project/before/extensions/a.ts",
        "export default (pi) => { pi.registerCommand(\"go\", {}); };\n",
    );
    place.write(
        "project/after/extensions/a.ts",
        "export default (pi) => { pi.registerCommand(\"go\", {}); };\n",
    );
    place.write(
        "project/after/extensions/b.ts",
        "export default (pi) => { pi.registerCommand(\"go\", {}); };\n",
    );
    let changed = place.run(&["diff", "before", "after", "--exit-code"]);
    assert_eq!(changed.status(), 1);
    assert!(changed.out().contains("/go → /go:1"), "{}", changed.out());
    assert_eq!(place.run(&["diff", "before", "before", "--exit-code"]).status(), 0);
    let report = place.run(&["check", "after", "--format", "json", "--exit-zero"]);
    place.write("project/report.json", &report.out());
    assert_eq!(place.run(&["diff", "report.json", "after", "--exit-code"]).status(), 0);
    assert_eq!(place.run(&["diff", "before", "nowhere"]).status(), 2);
    place.write("project/empty/readme.md", "");
    let first = place.run(&["diff", "empty", "before", "--exit-code"]);
    assert!(first.status() == 1 && first.out().contains("appeared"), "{}", first.out());
}

#[test]
fn what_starts_neither_before_nor_after_still_does_not_start() {
    let place = Place::new();
    let report = |contests: &str| {
        format!(
            "{{\"schema\": \"pi-why/1\", \"starts\": \"no\", \"cwd\": \"/p\", \"agentDir\": \"/a\", \"contests\": [{contests}]}}"
        )
    };
    let tool = "{\"kind\": \"tool\", \"name\": \"x\", \"winner\": {\"path\": \"/a/a.ts\"}}";
    place.write("project/before.json", &report("")).write("project/after.json", &report(tool));
    for after in ["before.json", "after.json"] {
        let answer = place.run(&["diff", "before.json", after]);
        assert!(answer.out().contains("pi still does not start"), "{}", answer.out());
    }
}

#[test]
fn nothing_to_inspect_is_said_with_the_reason() {
    let place = Place::new();
    place.write("project/empty/readme.md", "").write("project/broken/package.json", "{ \"pi\": ");
    let diff = place.run(&["diff", "empty", "broken"]);
    assert_eq!((diff.status(), diff.out().as_str()), (3, ""));
    let check = place.run(&["check", "broken"]);
    assert_eq!(check.status(), 3);
    for answer in [diff, check] {
        assert!(answer.err().contains("broken/package.json is not JSON: EOF"), "{}", answer.err());
    }
    assert!(!place.run(&["check", "empty"]).err().contains("package.json"));
}

#[test]
fn findings_of_a_pack_are_placed_in_its_own_files() {
    let place = Place::new();
    for name in ["one", "two"] {
        place.write(
            &format!("project/pack/{name}/package.json"),
            "{ \"name\": \"same\", \"pi\": { \"extensions\": [\"extensions\"] } }",
        );
        place.write(
            &format!("project/pack/{name}/extensions/a.ts"),
            "export default (pi) => { pi.on(\"x\", () => {}); };\n",
        );
    }
    place.write(
        "project/pack/bad/package.json",
        "{ \"name\": \"bad\", \"pi\": { \"extensions\": [\"extensions\"] } }",
    );
    place.write("project/pack/bad/extensions/none.ts", "export const a = 1;\n");
    for format in ["github", "sarif", "table", "compact"] {
        let answer = place.run(&["check", "pack", "--format", format]);
        assert!(!answer.out().contains("pi-why-without-home"), "{}", answer.out());
        assert!(answer.out().contains("loaded-twice"), "{}", answer.out());
    }
    let annotations = place.run(&["check", "pack", "--format", "github"]).out();
    assert!(annotations.lines().all(|it| it.contains(" file=")), "{annotations}");
    assert!(annotations.contains("file=two/extensions/a.ts,title=loaded-twice"), "{annotations}");
}

#[test]
fn what_is_named_and_not_there_is_named_in_the_overview() {
    let place = Place::new();
    place.write(
        "agent/settings.json",
        "{ \"packages\": [\"../nowhere\", \"npm:pkg\"], \"extensions\": [\"./nofile.ts\"] }",
    );
    place.write("agent/npm/node_modules/pkg/package.json", "{}");
    let answer = place.run(&[]);
    for path in ["nowhere", "nofile.ts"] {
        assert!(answer.out().contains(path), "{path}: {}", answer.out());
    }
    assert!(
        answer.err().contains("which Pi takes as not installed")
            && !answer.err().contains("not installed there"),
        "{}",
        answer.err()
    );
}

#[test]
fn declared_registrations_count_as_the_others_do() {
    let place = Place::new();
    let remote = "export default async (pi) => { pi.registerTool({ name: await (await fetch(\"https://x\")).text() }); };\n";
    place.write("agent/extensions/a.ts", remote).write("agent/extensions/b.ts", &tool("search"));
    assert_eq!(place.run(&["check"]).status(), 0);
    let declared = "[[extension]]\npath = \"agent/extensions/a.ts\"\n[[extension.register]]\nkind = \"tool\"\nname = \"search\"\n[[sdk-tool]]\nname = \"ask\"\n";
    place.write("project/pi-why.toml", declared);
    let answer = place.run(&["check", "--format", "json"]);
    assert_eq!((answer.status(), codes(&answer)), (1, vec!["tool-conflict search error".to_owned()]));
    assert!(place.run(&["tool", "ask"]).out().contains("SDK host"));
    assert!(
        place.run(&["tool", "search"]).out().contains("pi-why.toml:5"),
        "{}",
        place.run(&["tool", "search"]).out()
    );
}

/// An installation with a finding of every origin, laid out in its own way: home, agent directory and checkout lie elsewhere, the
/// packages have another version and stand elsewhere, and the lines have moved.
struct Layout {
    home: &'static str,
    agent: &'static str,
    checkout: &'static str,
    version: &'static str,
    hoisted: bool,
    before: &'static str,
}

fn laid_out(layout: &Layout) -> Place {
    let Layout { home, agent, checkout, version, hoisted, before } = layout;
    let place = Place::new();
    let code = |body: &str| format!("{before}export default async (pi) => {{\n{body}\n}};\n");
    let write = |path: String, text: &str| {
        place.write(&path, text);
    };
    let tools = |names: &[&str]| {
        let calls: Vec<String> =
            names.iter().map(|it| format!("pi.registerTool({{ name: \"{it}\" }});")).collect();
        code(&calls.join("\n"))
    };
    let manifest = |name: &str, file: &str| {
        format!(
            "{{\"name\": \"{name}\", \"version\": \"{version}\", \"pi\": {{\"extensions\": [\"{file}\"]}}}}"
        )
    };
    let local = place.root.join("elsewhere/local");
    let settings = format!(
        "{{{}\"packages\": [\"npm:pack@{version}\", \"git:github.com/o/r@v{version}\", \"{}\", \"npm:gone@{version}\"]}}",
        "\n".repeat(before.len()),
        local.display()
    );
    write(format!("{agent}/settings.json"), &settings);
    write(format!("{agent}/npm/node_modules/pack/package.json"), &manifest("pack", "p.ts"));
    write(format!("{agent}/npm/node_modules/pack/p.ts"), &tools(&["search", "bash"]));
    write(format!("{agent}/git/github.com/o/r/package.json"), &manifest("r", "r.ts"));
    write(format!("{agent}/git/github.com/o/r/r.ts"), &tools(&["search"]));
    write("elsewhere/local/package.json".into(), &manifest("local", "l.ts"));
    write("elsewhere/local/l.ts".into(), &tools(&["search"]));
    write(
        format!("{agent}/extensions/mine.ts"),
        &code(
            "pi.registerCommand(\"go\", {});\npi.registerTool({ name: await (await fetch(\"https://x.example\")).text() });",
        ),
    );
    write(format!("{agent}/extensions/broken.ts"), &code("throw new Error(import.meta.url);"));
    write(format!("{agent}/prompts/go.md"), "Go.");
    write(format!("{home}/.agents/skills/note/SKILL.md"), "---\nname: note\ndescription: x\n---\n");
    write(format!("{agent}/skills/note/SKILL.md"), "---\nname: note\ndescription: x\n---\n");
    write(format!("{agent}/models.json"), "{ oops");
    write(
        format!("{checkout}/app/.pi/settings.json"),
        "{\"extensions\": [\"../../shared/s.ts\"], \"packages\": [\"../../packages/q\"]}",
    );
    write(format!("{checkout}/shared/s.ts"), &code("pi.registerCommand(\"go\", {});"));
    write(format!("{checkout}/packages/q/package.json"), &manifest("q", "q.ts"));
    write(format!("{checkout}/packages/q/q.ts"), &code("pi.registerShortcut(\"ctrl+x\", {});"));
    write(format!("{checkout}/app/.pi/prompts/go.md"), "Go.");
    let modules =
        if *hoisted { format!("{checkout}/node_modules") } else { format!("{checkout}/app/node_modules") };
    write(format!("{modules}/dep/d.ts"), &code("pi.registerFlag(\"f\", {});"));
    write(format!("{checkout}/app/.pi/extensions/f.ts"), &code("pi.registerFlag(\"f\", {});"));
    place
}

#[test]
fn a_baseline_is_the_same_bytes_in_another_checkout_under_another_home() {
    let layouts = [
        Layout {
            home: "home",
            agent: "home/.pi/agent",
            checkout: "home/src/repo",
            version: "1.0.0",
            hoisted: false,
            before: "",
        },
        Layout {
            home: "users/ci",
            agent: "agents/a",
            checkout: "builds/42/deep/er/repo",
            version: "2.1.0",
            hoisted: true,
            before: "// moved\n\n",
        },
    ];
    let baselines = layouts.map(|layout| {
        let place = laid_out(&layout);
        let app = place.root.join(layout.checkout).join("app");
        let dep = if layout.hoisted { "../node_modules/dep/d.ts" } else { "node_modules/dep/d.ts" };
        let arguments =
            ["check", "-e", dep, "--sdk-tool", "bash", "--baseline", "known.jsonl", "--write-baseline"];
        let output = Command::new(env!("CARGO_BIN_EXE_pi-why"))
            .env_clear()
            .env("HOME", place.root.join(layout.home))
            .env("PI_CODING_AGENT_DIR", place.root.join(layout.agent))
            .current_dir(&app)
            .args(arguments)
            .output()
            .expect("pi-why can be started");
        assert!(output.status.success(), "{}", Answer(output).err());
        let text = fs::read_to_string(app.join("known.jsonl")).expect("the baseline was written");
        assert!(!text.contains(&*place.root.to_string_lossy()), "{text}");
        text
    });
    assert_eq!(baselines[0], baselines[1]);
    for party in [
        "npm:pack/p.ts",
        "git:github.com/o/r/r.ts",
        "local/l.ts",
        "npm:gone",
        "agent/extensions/broken.ts",
        "home/.agents/skills/note/SKILL.md",
        "project/../shared/s.ts",
        "q/q.ts",
        "npm:dep/d.ts",
        "agent/models.json",
        "<sdk:bash>",
    ] {
        assert!(baselines[0].contains(&format!("\"{party}\"")), "{party} is not in\n{}", baselines[0]);
    }
    let lines: Vec<&str> = baselines[0].lines().skip(1).collect();
    assert!(lines.is_sorted() && lines.len() > 8, "{lines:#?}");
}

#[test]
fn installations_are_compared_by_project_by_agent_directory_and_by_report() {
    let place = overriding();
    place.write("other/.pi/extensions/guard.ts", "export default (pi) => { pi.registerFlag(\"f\", {}); };\n");
    place.write("other/.pi/extensions/more.ts", "export default (pi) => { pi.registerFlag(\"f\", {}); };\n");
    let report = place.run(&["--format", "json"]);
    place.write("project/report.json", &report.out());
    for before in ["../project", "report.json"] {
        let answer = place.run(&["diff", before, "../other", "--format", "json", "--exit-code"]);
        assert_eq!(answer.status(), 1);
        let changes = answer.json();
        assert_eq!(changes["starts"], serde_json::json!({ "before": "yes", "after": "no" }), "{before}");
        assert_eq!(
            changes["changes"],
            serde_json::json!([
                { "change": "appeared", "kind": "flag", "name": "f", "owner": "project/.pi/extensions/guard.ts" },
                {
                    "change": "moved",
                    "kind": "tool",
                    "name": "bash",
                    "before": "project/.pi/extensions/guard.ts",
                    "after": "<builtin:bash>",
                },
            ])
        );
    }
    place.write("agent2/settings.json", "{}");
    let answer = place.run(&["diff", "../agent2", "../project"]);
    assert!(
        answer.out().contains("grep  moved   <builtin:grep> → agent/extensions/mine.ts"),
        "{}",
        answer.out()
    );
    assert_eq!(place.run(&["diff", "report.json", "../project", "--exit-code"]).status(), 0);
    place.write("project/broken.json", "{}");
    assert_eq!(place.run(&["diff", "broken.json", "../project"]).status(), 2);
    assert_eq!(place.run(&["diff", "../other", "../project", "--format", "sarif"]).status(), 2);
}

#[test]
fn every_form_tells_what_is_new_known_stale_and_why() {
    let place = clashing();
    place.write("project/pack/c.ts", &tool("bash"));
    let manifest = "{\"name\": \"pack\", \"pi\": {\"extensions\": [\"a.ts\", \"b.ts\", \"c.ts\"]}}";
    place.write("project/pack/package.json", manifest);
    place.run(&["check", "pack", "--baseline", "known.jsonl", "--write-baseline"]);
    place.write("project/pack/c.ts", &tool("grep"));
    let policy = "[[policy]]\nfinding = [\"builtin-overridden\"]\nlevel = \"deny\"\nreason = \"Keep off.\"\n";
    place.write("project/pack/pi-why.toml", policy);
    for (form, known) in [
        ("table", true),
        ("markdown", true),
        ("compact", true),
        ("github", false),
        ("sarif", true),
        ("json", true),
    ] {
        let check = ["check", "pack", "--baseline", "known.jsonl", "--format", form];
        let answer = place.run(&check);
        let out = answer.out().replace('\\', "").replace("\n  ", " ");
        assert_eq!(answer.status(), 1, "{form}");
        for word in ["builtin-overridden", "grep", "Keep off.", "stale-baseline", "known.jsonl"] {
            assert!(out.contains(word), "{form} does not say {word}:\n{out}");
        }
        // An annotation on what is known already would only be in the way.
        assert_eq!(out.contains("tool-conflict"), known, "{form}:\n{out}");
        let mut passing = check.to_vec();
        passing.push("--exit-zero");
        assert_eq!(place.run(&passing).status(), 0, "{form}");
    }
}
