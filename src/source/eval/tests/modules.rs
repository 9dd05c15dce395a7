//! Several files.

use super::{module, modules};

#[test]
fn imports_and_reexports() {
    modules(
        &[
            ("index.ts", r#"export { default } from "./main";"#),
            (
                "main.ts",
                r#"
                import { NAME, tools as all } from "./barrel.js";
                import * as ns from "./barrel";
                import make from "./make.ts";
                export default function (pi) {
                    pi.registerTool({ name: NAME });
                    for (const tool of all) pi.registerTool(tool);
                    ns.install(pi);
                    pi.registerTool(make());
                }
                "#,
            ),
            (
                "barrel.ts",
                r#"export * from "./names"; export { list as tools } from "./names"; export const install = (pi) => pi.registerCommand("c", {});"#,
            ),
            ("names.ts", r#"export const NAME = "n"; export const list = [{ name: "l" }];"#),
            ("make.ts", r#"export default () => ({ name: "made" });"#),
        ],
        "
        tool n
        tool l
        command c
        tool made
        ",
    );
}

#[test]
fn commonjs() {
    modules(
        &[
            (
                "index.js",
                r#"const { name } = require("./other.cjs"); module.exports = (pi) => pi.registerTool({ name });"#,
            ),
            ("other.cjs", r#"exports.name = "c"; "#),
        ],
        "tool c",
    );
}

#[test]
fn a_cycle_sees_undefined_so_far() {
    modules(
        &[
            (
                "index.ts",
                r#"import { b } from "./b"; export const a = later(); function later() { return "a"; } export default (pi) => { pi.registerTool({ name: b() }); };"#,
            ),
            (
                "b.ts",
                r#"import { a } from "./index"; const early = typeof a; export const b = () => early + a; void log(); function log() {}"#,
            ),
        ],
        // jiti keeps what was read first.
        "tool undefinedundefined",
    );
}

#[test]
fn getters_that_call_themselves_and_endless_loops_end() {
    module(
        "const o = { get x() { return o.x; } }; export default (pi) => { pi.registerTool({ name: 'a' }); o.x; };",
        "
        tool a
        anything ? the code is nested too deeply to follow
        ",
    );
    module(
        "export default (pi) => { pi.registerTool({ name: 'a' }); for (;;) {} };",
        "
        tool a
        anything ? the code takes too many steps to follow
        ",
    );
}

#[test]
fn one_name_from_two_modules() {
    let a = ("a.ts", r#"export const name = "a", same = 1; export * from "./c";"#);
    let c = ("c.ts", "export const c = {};");
    let index = r#"
        import * as all from "./barrel";
        export default (pi) => { for (const key of Object.keys(all)) pi.registerCommand(key, {}); };
    "#;
    modules(
        &[
            ("index.ts", index),
            ("barrel.ts", r#"export * from "./a"; export * from "./b";"#),
            a,
            ("b.ts", r#"export const name = "b";"#),
            c,
        ],
        "fails: Failed to load extension: Cannot redefine property: name",
    );
    modules(
        &[
            ("index.ts", index),
            (
                "barrel.ts",
                r#"export * from "./a"; export * from "./b"; export const name = "own", zero = 0;"#,
            ),
            a,
            ("b.ts", r#"export const name = "b", same = 1, more = 2; export { c } from "./c";"#),
            c,
        ],
        "
        command name
        command zero
        command same
        command c
        command more
        ",
    );
}

#[test]
fn what_is_imported_is_there_whatever_its_first_use_depends_on() {
    modules(
        &[
            (
                "index.ts",
                r#"
                import { name } from "names";
                import { other } from "./names.ts";
                export default (pi) => {
                    if (pi.exec("x")) pi.registerCommand(name + other, {});
                    pi.registerTool({ name: name + other });
                };
                "#,
            ),
            ("names.ts", r#"import { other as it } from "others"; export const other = it;"#),
            ("node_modules/names/package.json", r#"{ "type": "module", "main": "main.js" }"#),
            (
                "node_modules/names/main.js",
                r#"const made = ["na", "me"].join(""); export const name = made;"#,
            ),
            ("node_modules/others/package.json", r#"{ "main": "main.js" }"#),
            ("node_modules/others/main.js", r#"const made = "s".toUpperCase(); exports.other = made;"#),
        ],
        r#"
        command nameS if pi.exec("x")
        tool nameS
        "#,
    );
}

#[test]
fn commonjs_that_the_extension_imports_itself_has_to_parse() {
    let files = |main| {
        [
            (
                "index.ts",
                r#"import { name } from "broken"; export const unused = () => name; export default (pi) => pi.registerTool({ name: "a" });"#,
            ),
            ("node_modules/broken/package.json", r#"{ "main": "main.js" }"#),
            ("node_modules/broken/main.js", main),
        ]
    };
    modules(&files("exports.name = 1;"), "tool a");
    modules(
        &files("exports.name = (1;"),
        "fails: Failed to load extension: ParseError: Expected `,` or `)` but found `;`",
    );
}
