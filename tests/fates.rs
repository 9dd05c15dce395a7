//! What the pages say became of a claim, where nobody holds the name in the end or holding it is of no use.

use std::path::Path;
use std::process::Command;

/// What pi-why says of two extensions of the user, without the marks of Markdown, whose tables break no line.
fn said(a: &str, b: &str, question: &[&str]) -> String {
    let home = tempfile::tempdir().expect("a folder can be made");
    let agent = home.path().join("agent");
    let write = |name: &str, text: &str| {
        let body = format!("export default function (pi) {{\n{text}\n}}\n");
        std::fs::write(agent.join("extensions").join(name), body).expect("an extension can be written");
    };
    std::fs::create_dir_all(agent.join("extensions")).expect("a folder can be made");
    std::fs::create_dir_all(home.path().join("project")).expect("a folder can be made");
    write("a.ts", a);
    write("b.ts", b);
    let output = command(home.path()).args(question).output().expect("pi-why can be started");
    let text = String::from_utf8(output.stdout).expect("answers are UTF-8").replace('\\', "");
    let words = text.split(|it: char| it.is_whitespace() || "|`*".contains(it)).filter(|it| !it.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn command(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pi-why"));
    command.env_clear().env("HOME", home).current_dir(home.join("project"));
    command
        .args(["--format", "markdown"])
        .arg("--agent-dir")
        .arg(home.join("agent"))
        .arg("--cwd")
        .arg(home.join("project"));
    command
}

fn headers(name: &str) -> String {
    format!(r#"pi.registerProvider("anthropic", {{ headers: {{ "{name}": "1" }} }});"#)
}

#[test]
fn headers_that_a_late_registration_drops_are_said_to_be_lost() {
    let late = format!(r#"pi.on("session_start", async () => {{ {} }});"#, headers("X-A"));
    for question in [&[][..], &["provider", "anthropic"], &["provider", "anthropic.headers.X-B"]] {
        let text = said(&late, &headers("X-B"), question);
        assert!(text.contains("lost on session_start, "), "{question:?}: {text}");
        assert!(text.contains("a.ts:2 replaces the headers whole"), "{question:?}: {text}");
    }
    assert!(said(&late, &headers("X-B"), &[]).contains("1 provider field worth a look"));
    // The same name again is no loss.
    let same = said(&late, &headers("X-A"), &["provider", "anthropic"]);
    assert!(!same.contains("lost"), "{same}");
}

#[test]
fn headers_that_are_gone_from_the_start_name_who_replaces_them() {
    for question in [&["provider", "anthropic"][..], &["provider", "anthropic.headers.X-A"]] {
        let text = said(&headers("X-A"), &headers("X-B"), question);
        assert!(text.contains("b.ts:2 replaces the headers whole"), "{question:?}: {text}");
        assert!(!text.contains("nobody sets it"), "{question:?}: {text}");
    }
}

#[test]
fn a_shortcut_that_no_key_press_matches_never_fires() {
    let dead = r#"pi.registerShortcut("ctrl + b", { handler() {} });"#;
    for question in [&["shortcut"][..], &["shortcut", "ctrl + b"]] {
        let text = said(dead, "", question);
        assert!(text.contains("never fires"), "{question:?}: {text}");
        assert!(!text.contains("answers") && !text.contains("gets it"), "{question:?}: {text}");
    }
    let alive = said(&dead.replace(' ', ""), "", &["shortcut", "ctrl+b"]);
    assert!(!alive.contains("never fires"), "{alive}");
}

#[test]
fn what_pi_accepts_of_a_refused_provider_is_one_layer_among_others() {
    let whole = r#"pi.registerProvider("corp", { baseUrl: "https://a", apiKey: "K", api: "openai-completions",
        models: [{ id: "m1", name: "M1", reasoning: false, input: ["text"],
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, contextWindow: 1, maxTokens: 1 }] });"#;
    let b = r#"pi.registerProvider("corp", { headers: { "X-B": "1" } });
        pi.registerProvider("corp", { models: [{ id: "m2" }] });"#;
    let text = said(whole, b, &["provider", "corp"]);
    assert!(text.contains("b.ts:2 merged") && text.contains("b.ts:3 refused"), "{text}");
    assert!(!text.contains("first claim"), "{text}");
}
