//! What modules give to each other through jiti.

use super::{module, modules};

/// Checks an extension whose factory has this body, after these imports of `b.ts`.
#[track_caller]
fn with_b(imports: &str, body: &str, b: &str, expected: &str) {
    let index = format!("{imports}\nexport default async (pi: any) => {{ {body} }};");
    modules(&[("index.ts", &index), ("b.ts", b)], expected);
}

#[test]
fn a_module_without_a_default_is_its_own() {
    let b = r#"export const register = (pi: any) => pi.registerTool({ name: "b" });"#;
    with_b(
        r#"import b from "./b";"#,
        "pi.registerTool({ name: typeof b }); b.register(pi);",
        b,
        "
        tool object
        tool b
    ",
    );
    with_b(
        "",
        r#"const m = await import("./b"); (m.default || m).register(pi); if (!m.default) pi.registerTool({ name: "no" });"#,
        b,
        "tool b",
    );
    with_b(
        "",
        r#"const m = await import("./b"); (m.default ?? m.register)(pi);"#,
        b,
        "
        fails: Failed to load extension: (m.default ?? m.register) is not a function
    ",
    );
    with_b(
        "",
        r#"const lib = require("./b"); pi.registerTool({ name: typeof lib.default });"#,
        b,
        "tool object",
    );
}

#[test]
fn names_that_a_module_lacks_come_from_its_default() {
    with_b(
        r#"import svc, { list, name } from "./b";"#,
        r#"svc.add("a"); pi.registerTool({ name: list().join() + name + Object.keys(svc) });"#,
        r#"class Svc { xs: string[] = []; name = "n"; add(x: string) { this.xs.push(x); } list() { return this.xs; } } export default new Svc();"#,
        "tool anxs,name",
    );
    with_b(
        r#"import * as all from "./b";"#,
        r#"for (const key of Object.keys(all)) pi.registerTool({ name: key }); pi.registerTool({ name: all.hidden + ("hidden" in all) });"#,
        r#"export default { hidden: "h" }; export const seen = 1;"#,
        "
        tool default
        tool seen
        tool hfalse
        ",
    );
}

#[test]
fn a_default_within_the_default_wins() {
    with_b(
        r#"import f from "./b";"#,
        "f(pi);",
        r#"const f: any = (pi: any) => pi.registerTool({ name: "outer" }); f.default = (pi: any) => pi.registerTool({ name: "inner" }); export default f;"#,
        "tool inner",
    );
    with_b(
        r#"import n from "./b";"#,
        "pi.registerTool({ name: String(n) });",
        "export default null;",
        "fails: Failed to load extension: Cannot read properties of null (reading 'then')",
    );
}

#[test]
fn what_was_read_stays() {
    let b =
        "export let on = false; export const enable = () => { on = true; }; export const isOn = () => on;";
    with_b(
        r#"import { on, enable, isOn } from "./b"; import { on as other } from "./b.ts";"#,
        "const before = on; enable(); pi.registerTool({ name: [before, on, isOn(), other].join() });",
        b,
        "tool false,false,true,true",
    );
    with_b(
        r#"import * as b from "./b";"#,
        r#"if (pi.exec("x").y) pi.registerTool({ name: `${b.on}` }); b.enable(); if (b.on) pi.registerTool({ name: "on" });"#,
        b,
        r#"
        tool false if pi.exec("x").y
        tool on if !(pi.exec("x").y)
        "#,
    );
}

#[test]
fn json_and_commonjs() {
    let json = ("j.json", r#"{ "tools": ["a"] }"#);
    modules(
        &[
            (
                "index.ts",
                r#"
                import j, { tools } from "./j.json";
                import * as ns from "./j.json";
                export default async (pi: any) => {
                    const m = await import("./j.json");
                    pi.registerTool({ name: [j.tools, tools, Object.keys(ns), m.default.tools, Object.keys(require("./j.json"))].join() });
                };
                "#,
            ),
            json,
        ],
        "tool a,a,default,tools,a,tools",
    );
    modules(
        &[
            (
                "index.ts",
                r#"
                import * as c from "./c";
                import d from "./d.cjs";
                import { e } from "./e.mjs";
                export default (pi: any) => { pi.registerTool({ name: Object.keys(c).join() + d() + e }); };
                "#,
            ),
            ("c.js", "exports.a = 1; exports.b = 2;"),
            (
                "d.cjs",
                r#"Object.defineProperty(exports, "__esModule", { value: true }); exports.default = () => "d";"#,
            ),
            ("e.mjs", r#"import d from "./d.cjs"; export const e = typeof d + typeof d.default;"#),
        ],
        "tool a,b,default,module.exportsdobjectfunction",
    );
}

#[test]
fn functions_are_there_in_a_cycle() {
    modules(
        &[
            (
                "index.ts",
                r#"import { b } from "./b"; export function a() { return "a"; } export default (pi: any) => { pi.registerTool({ name: b }); };"#,
            ),
            (
                "b.ts",
                r#"import { a } from "./index"; export const b = typeof a; void log(); function log() {}"#,
            ),
        ],
        "tool function",
    );
}

#[test]
fn what_counts_as_a_factory() {
    module(r#"export default { default: (pi) => pi.registerTool({ name: "a" }) };"#, "tool a");
    module(r#"export default Promise.resolve((pi) => pi.registerTool({ name: "a" }));"#, "tool a");
    module(
        r#"function f(pi) { pi.registerTool({ name: "outer" }); } f.default = (pi) => pi.registerTool({ name: "a" }); export default f;"#,
        "tool a",
    );
    module(r#"export const meta = 1; module.exports = (pi) => pi.registerTool({ name: "a" });"#, "tool a");
}

#[test]
fn names_of_a_literal_are_seen_up_to_a_value_that_is_no_word() {
    modules(
        &[
            (
                "index.ts",
                r#"
                import { seen, lost } from "./b.cjs";
                import * as all from "./b.cjs";
                export default (pi: any) => { pi.registerTool({ name: [Object.keys(all), seen, lost, "lost" in all].join() }); };
                "#,
            ),
            (
                "b.cjs",
                r#"const seen = "s"; module.exports = { seen, text: "t", lost: "l" }; module.exports.more = 1;"#,
            ),
        ],
        "tool default,module.exports,more,seen,s,l,false",
    );
}

#[test]
fn names_of_commonjs_are_those_that_node_finds_in_its_text() {
    let inner =
        r#"Object.defineProperty(exports, "__esModule", { value: true }); exports.default = exports.a = 1;"#;
    let index = r#"import * as all from "./b.cjs"; export default (pi: any) => pi.registerTool({ name: Object.keys(all).join() });"#;
    for (text, names) in [
        ("const all = exports; all.__esModule = true; all.a = 1;", "default,module.exports"),
        (
            "if (false) { exports.__esModule = true; exports.a = 1; } const all = exports; all.b = 1;",
            "__esModule,a,default,module.exports",
        ),
        ("exports['a'] = 1; exports.b = exports['c'] = 2;", "a,b,c,default,module.exports"),
        ("module.exports = require('./inner.cjs');", "__esModule,a,default,module.exports"),
        ("module.exports = { ...require('./inner.cjs') };", "__esModule,a,default,module.exports"),
        ("module.exports = { a: 1, default: 2 };", "default,module.exports"),
        (
            "const all = { a: 1, b: 2 }; module.exports = Object.assign({}, all); 0 && (module.exports = { a });",
            "a,default,module.exports",
        ),
        (
            "(function (module, exports) { exports.a = 1; })({}, {}); module.exports.b = 1;",
            "a,b,default,module.exports",
        ),
    ] {
        let tool = format!("tool {names}");
        modules(&[("index.ts", index), ("b.cjs", text), ("inner.cjs", inner)], &tool);
    }
}
