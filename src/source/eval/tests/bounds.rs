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

#[test]
fn what_a_package_takes_too_long_for_is_left_out() {
    let library = r#"
        const spin = (n) => { let sum = 0; for (let i = 0; i < 1e7; i++) sum += i * n; return sum; };
        const inner = (n) => { const parts = []; for (let i = 0; i < 50; i++) parts.push(spin(i)); return parts; };
        const middle = (n) => [inner(n), inner(n + 1)].map((it) => it.map(spin));
        exports.render = (n) => middle(n).map((it) => it.map(spin)).flat().join("");
    "#;
    let entry = r#"
        import { render } from "slow";
        export default (pi) => {
            pi.registerTool({ name: "before" });
            const text = render(1);
            pi.registerTool({ name: "after", description: text });
            render(2);
            pi.registerCommand("last", {});
        };
    "#;
    let files = [
        ("x.ts", entry),
        ("package.json", "{}"),
        ("node_modules/slow/package.json", r#"{ "name": "slow", "main": "main.js" }"#),
        ("node_modules/slow/main.js", library),
    ];
    let found = registered(&files, &[]);
    assert!(found.contains("tool after") && found.contains("command last"), "{found}");
}

#[test]
fn recursion_goes_deep() {
    let text = r"
        const depth = (n) => (n === 0 ? 0 : 1 + depth(n - 1));
        const list = (n) => { let it = null; for (let i = 0; i < n; i++) it = { next: it }; return it; };
        const length = (it) => { if (!it) return 0; const rest = length(it.next); return rest + 1; };
        export default (pi) => {
            pi.registerCommand(`c${depth(2000)}`, {});
            pi.registerCommand(`l${length(list(1500))}`, {});
        };
    ";
    let found = registered(&[("/x.ts", text)], &[]);
    assert!(found.contains("command c2000") && found.contains("command l1500"), "{found}");
}

#[test]
fn many_ways_to_throw_are_not_told_apart() {
    let throws = (0..3_000).map(|it| format!("if (u[{it}]) throw new Error(u.x{it});\n"));
    let throws = throws.collect::<Vec<_>>().concat();
    let text = format!(
        "export default (pi) => {{ const u = process.argv;
            try {{ {throws} pi.registerCommand('inside', {{}}); }} catch {{ pi.registerCommand('caught', {{}}); }}
            pi.registerTool({{ name: 'after' }});
        }};"
    );
    let found = registered(&[("/x.ts", &text)], &[]);
    let starts_with = |start: &str| found.lines().any(|it| it.starts_with(start));
    assert!(starts_with("command inside if !(u[0]) && !(u[1]) &&"));
    assert!(starts_with("command caught if "));
    assert!(found.lines().any(|it| it == "tool after"));
}

#[test]
fn functions_with_very_many_variables_are_followed() {
    let variables = (0..20_000).map(|it| format!("let v{it} = {it}; var w{it} = v{it};\n"));
    let text = format!(
        "export default (pi, w19999) => {{
            {}
            {{ const v7 = 'inner'; pi.registerCommand(v7 + w7, {{}}); }}
            pi.registerTool({{ name: `n${{v19999}}-${{w19999}}-${{v0 + w1}}` }});
        }};",
        variables.collect::<Vec<_>>().concat()
    );
    assert_eq!(registered(&[("/x.ts", &text)], &[]), "command inner7\ntool n19999-19999-1");
}
