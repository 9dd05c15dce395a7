//! Calls that are not followed again.

use super::modules;

/// Goes through a text: takes long when it is not known.
const SCAN: &str = r#"
    const scan = (text, { keep = true } = {}) => {
        let out = "", quoted = false, depth = 0, start = -1;
        for (let i = 0; i < text.length; i++) {
            const now = text[i], next = text[i + 1];
            if (now === '"') quoted = !quoted;
            if (quoted) { out += now; continue; }
            if (now === "{" || now === "[") depth++;
            else if (now === "}" || now === "]") depth--;
            else if (now + next === "/*") { start = i; i++; }
            else if (now + next === "*/") { out += keep ? text.slice(start, i + 2) : ""; start = -1; i++; }
            else if (start === -1 && depth >= 0) out += now;
        }
        WHEN_DONE
        return out;
    };
"#;

/// Checks a factory that may use `scan` and reads files that are not known.
#[track_caller]
fn scanning(when_done: &str, body: &str, expected: &str) {
    let scan = SCAN.replace("WHEN_DONE", when_done);
    let text = format!(
        r#"import {{ readFileSync }} from "node:fs";
        const read = (name) => readFileSync("/etc/" + name, "utf8");
        let count = 0, mode = "on", first = "x", second = "y", third = "x";
        const list = [];
        {scan}
        export default (pi) => {{
            {body}
        }};"#
    );
    modules(&[("index.ts", &text), ("/etc/a", ""), ("/etc/b", ""), ("/etc/c", "")], expected);
}

#[test]
fn each_result_follows_from_its_own_argument() {
    scanning(
        "",
        r#"
            pi.registerCommand(scan(read("a")), {});
            pi.registerCommand(scan(read("b")), {});
            pi.registerTool({ name: scan(read("c"), { keep: false }) });
            pi.registerTool({ name: scan("known") });
            pi.registerTool({ name: scan("/*known*/", { keep: false }) + "else" });
        "#,
        "
        command ? the contents of /etc/a
        command ? the contents of /etc/b
        tool ? the contents of /etc/c
        tool known
        tool else
        ",
    );
}

#[test]
fn what_changes_something_is_followed_each_time() {
    for (when_done, body) in [
        (
            "count++;",
            r#"for (const it of ["a", "b", "c"]) scan(read(it)); pi.registerCommand("c" + count, {});"#,
        ),
        (
            "list.push(out);",
            r#"for (const it of ["a", "b", "c"]) scan(read(it)); pi.registerCommand("c" + list.length, {});"#,
        ),
        (
            "globalThis.n = (globalThis.n ?? 0) + 1;",
            r#"for (const it of ["a", "b", "c"]) scan(read(it)); pi.registerCommand("c" + globalThis.n, {});"#,
        ),
    ] {
        scanning(when_done, body, "command c3");
    }
}

#[test]
fn what_goes_another_way_is_followed() {
    scanning(
        r#"if (mode === "off") throw new Error("it is off");"#,
        r#"scan(read("a")); scan(read("b")); mode = "off"; scan(read("c")); pi.registerCommand("never", {});"#,
        "fails: Failed to load extension: it is off",
    );
    scanning(
        r#"if (first + second + third === "xyy") throw new Error("it is xyy");"#,
        r#"scan(read("a")); scan(read("b")); third = "y"; scan(read("c")); pi.registerCommand("never", {});"#,
        "fails: Failed to load extension: it is xyy",
    );
    for mode in ["scan.strict", "globalThis.strict", "process.env.STRICT"] {
        scanning(
            &format!(r#"if ({mode}) throw new Error("it is strict");"#),
            &format!(
                r#"scan(read("a")); scan(read("b")); {mode} = true; scan(read("c")); pi.registerCommand("never", {{}});"#
            ),
            "fails: Failed to load extension: it is strict",
        );
    }
    scanning(
        r#"if (text === "no") throw new Error("no");"#,
        r#"scan(read("a")); scan("no"); pi.registerCommand("never", {});"#,
        "fails: Failed to load extension: no",
    );
}
