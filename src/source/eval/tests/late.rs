//! What is registered after loading.

use super::{factory, module, modules};

#[test]
fn handlers_have_their_phases() {
    factory(
        r#"
        pi.on("session_start", async (event, ctx) => {
            pi.registerTool({ name: "a" });
            if (ctx.hasUI) pi.registerTool({ name: "b" });
        });
        pi.registerCommand("go", { handler: async () => { pi.registerCommand("gone", {}); } });
        pi.registerTool({ name: "t", async execute() { pi.registerTool({ name: "c" }); } });
        unknown.later(() => pi.registerTool({ name: "d" }));
        "#,
        "
        command go
        tool t
        tool a @event:session_start
        tool b @event:session_start if ctx.hasUI
        command gone @command:go
        tool c @tool:t
        tool d @later
        ",
    );
}

#[test]
fn what_the_factory_waits_for_is_the_factory() {
    module(
        r#"
        export default async (pi) => {
            const unknown = pi.exec("x");
            await unknown.ready();
            pi.registerTool({ name: "a" });
            const inner = async (name) => { await unknown.ready(); pi.registerTool({ name }); };
            await inner("b");
            inner("c");
        };
        "#,
        "
        tool a
        tool b
        tool c @later
        ",
    );
}

#[test]
fn modules_loaded_after_the_factory_are_followed_where_they_register() {
    modules(
        &[
            (
                "index.ts",
                r#"
                import { later } from "helper";
                const load = () => import("./far.ts");
                export default (pi) => {
                    pi.on("session_start", async () => { (await load()).default(pi); });
                    pi.registerCommand("x", { handler: async () => { (await import("./harmless.ts")).default(pi); } });
                    pi.on("turn_end", () => later(pi));
                };
                "#,
            ),
            ("far.ts", r#"import { tool } from "./tool.ts"; export default (pi) => tool(pi);"#),
            ("tool.ts", r#"export const tool = (pi) => pi.registerTool({ name: "far" });"#),
            ("harmless.ts", r#"export default (pi) => pi.getFlag("x");"#),
            ("package.json", r#"{ "name": "x" }"#),
            (
                "node_modules/helper/package.json",
                r#"{ "name": "helper", "main": "main.js", "peerDependencies": { "@earendil-works/pi-coding-agent": "*" } }"#,
            ),
            ("node_modules/helper/main.js", r#"exports.later = (pi) => pi.registerFlag("late", {});"#),
        ],
        "
        command x
        tool far @event:session_start
        flag late @event:turn_end
        ",
    );
}

#[test]
fn code_that_is_loaded_and_not_known_counts_where_it_may_get_pi() {
    module(
        r#"
        export default (pi) => {
            const load = (path) => import(path);
            pi.on("session_start", async (_, ctx) => { const tools = await load(ctx.cwd); tools.default(pi); });
            pi.on("turn_end", async (_, ctx) => { pi.sendMessage(await load(ctx.cwd)); });
        };
        "#,
        "
        anything ? pi is handed to a module whose name is not known @event:session_start
        ",
    );
}
