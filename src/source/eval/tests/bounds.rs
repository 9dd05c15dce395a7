//! Code without end: every program comes to an end here, and what was not followed is said.

use super::registered;

fn gives_up(body: &str) {
    let text = format!("export default (pi) => {{ {body}\npi.registerTool({{ name: 'after' }}); }};");
    let found = registered(&[("/x.ts", &text)], &[]);
    assert!(found.contains("anything ?"), "{body}\ngives\n{found}");
}

#[test]
fn recursion() {
    for body in [
        "const a = (n) => b(n + 1), b = (n) => a(n + 1); a(0);",
        "const o = { get x() { return this.x; } }; o.x;",
        "const o = { toString() { return `${o}`; } }; `${o}`;",
        "const p = new Proxy({}, { get: (target, key, self) => self[key] }); p.x;",
        "class A { next = new A(); } new A();",
        "const f = (g) => g(f); f(f);",
        "const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); fib(60);",
    ] {
        gives_up(body);
    }
}

#[test]
fn loops_and_growth() {
    for body in [
        "for (;;) ;",
        "let i = 0; while (true) i++;",
        "let i = 0; while (true) pi.registerCommand(`c${i++}`, {});",
        "let s = 'x'; for (let i = 0; i < 100; i++) s += s;",
        "const s = 'x'.repeat(2_000_000_000);",
        "let a = [1]; for (let i = 0; i < 60; i++) a = [...a, ...a];",
        "const a = new Array(1e9).fill(0).map((_, i) => i);",
    ] {
        gives_up(body);
    }
}

#[test]
fn what_ends_by_itself_is_followed() {
    let text = r#"
        function* count() { let i = 0; while (true) yield i++; }
        export default (pi) => {
            for (const i of count()) { if (i === 3) break; pi.registerCommand(`c${i}`, {}); }
            const cyclic = { name: "cyclic" };
            cyclic.self = cyclic;
            pi.registerTool(cyclic);
        };
    "#;
    let found = registered(&[("/x.ts", text)], &[]);
    assert!(!found.contains("anything"), "{found}");
    assert!(found.contains("command c2") && found.contains("tool cyclic"), "{found}");
}
