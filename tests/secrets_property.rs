//! Secrets stay secret: whatever stands where a secret can stand never appears in any output form.

use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use serde_json::{Value, json};

/// Questions that may show something of providers, and everything else there is to ask.
const QUESTIONS: [&[&str]; 15] = [
    &[],
    &["order"],
    &["all"],
    &["provider"],
    &["provider", "kilo"],
    &["provider", "groq"],
    &["provider", "kilo.headers.X-A"],
    &["provider", "kilo.baseUrl"],
    &["model"],
    &["model", "kilo/q1"],
    &["model", "kilo/q1.headers.X-M"],
    &["model", "groq/llama-3.1-8b-instant"],
    &["extension", "kilo.ts"],
    &["check"],
    &["tool", "kilo"],
];
const FORMATS: [&str; 4] = ["table", "json", "markdown", "compact"];
/// Forms that hold findings alone, whatever is asked.
const FINDINGS: [&str; 2] = ["sarif", "github"];

/// A text that looks like nothing else in the output, in one of the shapes of real keys.
fn secret() -> impl Strategy<Value = String> {
    prop_oneof!["sk-[A-Z]{4}[a-z0-9]{20}", "[A-Z]{3}q[0-9]{9}[A-Z]{4}", "ghp_[A-Za-z0-9]{24}q7"]
}

/// How the secret stands in an address.
fn address() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("https://user:SECRET@h.example/v1"),
        Just("https://SECRET@h.example/v1"),
        Just("https://h.example/v1?api_key=SECRET"),
        Just("https://h.example/v1?a=b&access_token=SECRET#frag"),
        Just("https://h.example/v1#token=SECRET"),
    ]
}

fn models_json(address: &str, broken: bool) -> Value {
    let mut kilo = json!({
        "baseUrl": address, "api": "openai-completions", "apiKey": "SECRET", "name": "Kilo",
        "headers": { "X-A": "SECRET", "Authorization": "Bearer SECRET" },
        "models": [{ "id": "q1", "baseUrl": address, "headers": { "X-M": "SECRET" } }],
        "modelOverrides": { "q1": { "headers": { "X-O": "SECRET" } } },
    });
    if broken {
        kilo["authHeader"] = json!("SECRET");
    }
    json!({ "providers": { "kilo": kilo, "groq": { "apiKey": "!echo SECRET", "headers": { "X-G": "SECRET" } } } })
}

fn extension(address: &str) -> String {
    format!(
        r#"
export default function (pi) {{
  pi.registerProvider("kilo", {{
    baseUrl: "{address}", apiKey: "SECRET", api: "openai-completions", authHeader: true,
    headers: {{ "X-A": "SECRET", "X-B": process.env.KILO_TOKEN }},
    oauth: {{ name: "Kilo", secret: "SECRET", async login() {{}}, async refreshToken() {{}}, getApiKey() {{}} }},
    models: [{{ id: "q1", baseUrl: "{address}", headers: {{ "X-M": "SECRET" }} }}],
  }});
  pi.registerProvider("bad", {{ models: [{{ id: "m", headers: {{ "X": "SECRET" }} }}], apiKey: "SECRET" }});
  pi.registerProvider({{ id: "native", name: "Native", baseUrl: "{address}", headers: {{ "X-N": "SECRET" }},
    auth: {{ apiKey: {{ name: "key", key: "SECRET" }} }}, getModels: () => [] }});
  pi.on("session_start", () => pi.registerProvider("kilo", {{ apiKey: "SECRET", headers: {{ "X-L": "SECRET" }} }}));
}}
"#
    )
}

fn install(root: &Path, secret: &str, address: &str, broken: bool) {
    let write = |path: &str, text: String| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("every file has a folder")).expect("folders can be made");
        fs::write(path, text.replace("SECRET", secret)).expect("files can be written");
    };
    fs::create_dir_all(root.join("project")).expect("folders can be made");
    write("agent/models.json", models_json(address, broken).to_string());
    write("agent/extensions/kilo.ts", extension(address));
    let auth = json!({
        "kilo": { "type": "api_key", "key": "SECRET" },
        "groq": { "type": "oauth", "access": "SECRET", "refresh": "SECRET", "expires": 1 },
    });
    write("agent/auth.json", auth.to_string());
    let model = json!({ "id": "s", "provider": "groq", "name": "S", "baseUrl": address, "headers": { "X-S": "SECRET" } });
    let store = json!({ "groq": { "lastModified": 9e15, "etag": "SECRET", "models": [model] } });
    write("agent/models-store.json", store.to_string());
}

fn output(root: &Path, secret: &str, question: &[&str], format: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pi-why"));
    command.env_clear();
    command.env("HOME", root.join("home"));
    command.env("PI_CODING_AGENT_DIR", root.join("agent"));
    command.env("KILO_TOKEN", secret).env("GROQ_API_KEY", secret);
    command.current_dir(root.join("project"));
    command.args(question).args(["--format", format, "--verbose"]);
    let output = command.output().expect("pi-why can be started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2, max_shrink_iters: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_secret_appears_in_any_output(secret in secret(), address in address(), broken: bool) {
        let directory = tempfile::tempdir().expect("there is room for temporary files");
        install(directory.path(), &secret, address, broken);
        let all = output(directory.path(), &secret, &["all"], "json");
        prop_assert!(all.contains("\"headers.X-B\"") && all.contains("\"native\""), "the extension is not understood");
        for question in QUESTIONS {
            let findings = if question.is_empty() { &FINDINGS[..] } else { &[] };
            for format in FORMATS.iter().chain(findings) {
                let said = output(directory.path(), &secret, question, format);
                let line = said.lines().find(|it| it.contains(&secret));
                prop_assert!(line.is_none(), "pi-why {:?} --format {} says: {:?}", question, format, line);
            }
        }
    }
}
