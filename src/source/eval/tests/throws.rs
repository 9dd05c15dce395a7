//! Throwing and catching.

use super::{factory, module};

#[test]
fn a_throw_fails_the_extension() {
    factory(
        r#"pi.registerTool({ name: "a" }); throw { message: "no" };"#,
        "
        tool a
        fails: Failed to load extension: no
        ",
    );
    factory(
        r#"if (unknown.bad) throw "bad"; pi.registerTool({ name: "a" });"#,
        "
        tool a if !(unknown.bad)
        fails: Failed to load extension: bad if unknown.bad
        ",
    );
    factory(
        "pi.setActiveTools([]);",
        "fails: Failed to load extension: Extension runtime not initialized. Action methods cannot be called during extension loading.",
    );
    factory(
        "const x = {}; x.y.z;",
        "fails: Failed to load extension: Cannot read properties of undefined (reading 'z')",
    );
}

#[test]
fn what_is_no_factory() {
    let fails =
        format!("fails: Extension does not export a valid factory function: {}/index.ts", super::FOLDER);
    module("export const x = 1;", &fails);
    module("export default {};", &fails);
    module(
        "export default class {}",
        "fails: Failed to load extension: Class constructor  cannot be invoked without 'new'",
    );
}

#[test]
fn catching() {
    factory(
        r#"
        try { throw "x"; } catch (error) { pi.registerTool({ name: error }); } finally { pi.registerTool({ name: "f" }); }
        let config;
        try { config = unknown.read(); } catch { config = { tools: ["default"] }; }
        pi.registerTool({ name: "after" });
        try { pi.registerTool({ name: "before" }); unknown.call(); pi.registerTool({ name: "b" }); } catch { pi.registerTool({ name: "c" }); }
        const inner = () => { try { return 1; } finally { pi.registerTool({ name: "g" }); } };
        inner();
        "#,
        "
        tool x
        tool f
        tool after
        tool before
        tool b if !(unknown.call() throws)
        tool c if unknown.call() throws
        tool g
        ",
    );
}
