//! No secret in any output: keys, tokens and header values are planted wherever one can stand, and every question is asked
//! in every form.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What must never be seen. Each planted secret has this in it.
const PLANTED: &str = "s3cr3tPlanted9Qx";

const MODELS_JSON: &str = r#"{
  "providers": {
    "kilo": {
      "baseUrl": "https://user:s3cr3tPlanted9Qx@kilo.example/v1?api_key=s3cr3tPlanted9Qx",
      "api": "openai-completions",
      "apiKey": "s3cr3tPlanted9Qx",
      "headers": { "X-Team": "s3cr3tPlanted9Qx" },
      "models": [{ "id": "m", "headers": { "X-Model": "s3cr3tPlanted9Qx" }, "baseUrl": "https://h/?token=s3cr3tPlanted9Qx" }],
      "modelOverrides": { "m": { "headers": { "X-Over": "s3cr3tPlanted9Qx" } } }
    },
    "anthropic": { "apiKey": "!echo s3cr3tPlanted9Qx" }
  }
}"#;

const EXTENSION: &str = r#"
const apiKey = "s3cr3tPlanted9Qx";
const shared = { Authorization: "Bearer s3cr3tPlanted9Qx" };
export default function (pi) {
  pi.registerProvider("team", {
    baseUrl: "https://user:s3cr3tPlanted9Qx@team.example/v1", api: "openai-completions", apiKey,
    headers: shared,
    models: [{ id: "t", name: "T", headers: { "X-T": `s3cr3tPlanted9Qx` } }],
  });
  pi.registerTool({ name: "near" }); const token = "s3cr3tPlanted9Qx";
  pi.registerProvider("kilo", { headers: { "X-Team": "s3cr3tPlanted9Qx" } });
  if (process.env.TEAM_TOKEN === "s3cr3tPlanted9Qx") pi.registerTool({ name: "guarded" });
  pi.registerTool({ name: fetch("https://user:s3cr3tPlanted9Qx@names.example") });
  pi.registerCommand("near", { key: "s3cr3tPlanted9Qx" });
  pi.registerFlag("team-key", { type: "string", default: "s3cr3tPlanted9Qx" });
}
"#;

const BROKEN: &str = r#"
export default function (pi) {
  pi.registerProvider("team", { apiKey: "s3cr3tPlanted9Qx", models: [{ id: "x" }] });
  pi.registerTool({ name: "near" });
  throw new Error("cannot reach https://user:s3cr3tPlanted9Qx@team.example");
}
"#;

const QUESTIONS: &[&[&str]] = &[
    &[],
    &["all"],
    &["order"],
    &["provider"],
    &["provider", "kilo"],
    &["provider", "kilo.apiKey"],
    &["provider", "kilo.headers.X-Team"],
    &["provider", "kilo.baseUrl"],
    &["provider", "team"],
    &["provider", "team.headers"],
    &["provider", "team.apiKey"],
    &["provider", "anthropic"],
    &["model"],
    &["model", "kilo/m"],
    &["model", "team/t"],
    &["tool", "near"],
    &["tool", "guarded"],
    &["tool"],
    &["command", "near"],
    &["flag", "team-key"],
    &["extension", "keys.ts"],
    &["extension", "broken.ts"],
    &["check"],
    &["--verbose"],
];

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("folders can be made");
    fs::write(path, text).expect("files can be written");
}

fn answer(root: &Path, arguments: &[&str], format: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_pi-why"))
        .env_clear()
        .env("HOME", root.join("home"))
        .env("PI_CODING_AGENT_DIR", root.join("agent"))
        .env("TEAM_TOKEN", PLANTED)
        .env("KILO_KEY", PLANTED)
        .env("ANTHROPIC_API_KEY", PLANTED)
        .current_dir(root.join("project"))
        .args(arguments)
        .args(["--format", format, "--env", &format!("MORE={PLANTED}")])
        .output()
        .expect("pi-why can be started");
    assert!(output.status.code().is_some_and(|it| it < 2), "{arguments:?}: {output:?}");
    let all = [output.stdout, output.stderr].concat();
    String::from_utf8(all).expect("answers are UTF-8")
}

#[test]
fn no_planted_secret_is_ever_seen() {
    let directory = tempfile::tempdir().expect("there is room for temporary files");
    let root = directory.path();
    for folder in ["home", "project"] {
        fs::create_dir_all(root.join(folder)).expect("folders can be made");
    }
    write(&root.join("agent/models.json"), MODELS_JSON);
    let stored = format!("{{\"openai\": {{\"type\": \"api_key\", \"key\": \"{PLANTED}\"}}}}");
    write(&root.join("agent/auth.json"), &stored);
    write(&root.join("agent/extensions/keys.ts"), EXTENSION);
    write(&root.join("agent/extensions/broken.ts"), BROKEN);
    let mut seen = Vec::new();
    for arguments in QUESTIONS {
        // Findings are made of the same words whatever is asked.
        let findings: &[&str] = if arguments.is_empty() { &["sarif", "github"] } else { &[] };
        for format in ["table", "json", "markdown", "compact"].iter().chain(findings) {
            let text = answer(root, arguments, format);
            if let Some(line) = text.lines().find(|it| it.contains(PLANTED)) {
                seen.push(format!("{arguments:?} as {format}: {line}"));
            }
        }
    }
    assert!(seen.is_empty(), "{}", seen.join("\n"));
}
