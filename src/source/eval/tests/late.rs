//! What is registered after loading.

use super::{factory, module};

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
