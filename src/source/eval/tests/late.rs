//! What is registered after loading.

use super::{factory, module, modules, registered};

/// Checks an extension of one file whose asynchronous factory has this body.
#[track_caller]
fn waiting(body: &str, expected: &str) {
    module(
        &format!("export default async (pi) => {{\nconst unknown = pi.exec(\"x\");\n{body}\n}};"),
        expected,
    );
}

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
fn timers_fire_while_the_factory_waits_for_them() {
    waiting(
        r#"
        setTimeout(() => pi.registerTool({ name: "long" }), 50);
        setTimeout(() => pi.registerTool({ name: "short" }), 1);
        const cleared = setTimeout(() => pi.registerTool({ name: "cleared" }), 2);
        clearTimeout(cleared);
        await new Promise((resolve) => setTimeout(() => { pi.registerTool({ name: "resolving" }); resolve(); }, 5));
        pi.registerTool({ name: "after" });
        "#,
        "
        tool short
        tool resolving
        tool after
        tool long @later
        ",
    );
    waiting(
        r#"
        const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
        (async () => { await sleep(1); pi.registerTool({ name: "before" }); })();
        (async () => { await sleep(100); pi.registerTool({ name: "behind" }); })();
        for (const name of ["a", "b"]) { await sleep(10); pi.registerTool({ name }); }
        let turns = 0;
        await new Promise((resolve) => {
            const interval = setInterval(() => {
                pi.registerTool({ name: `turn${turns++}` });
                if (turns === 2) { clearInterval(interval); resolve(); }
            }, 1);
        });
        const first = await Promise.race([sleep(30).then(() => "slow"), sleep(2).then(() => "fast"), Promise.resolve("now")]);
        pi.registerTool({ name: first });
        "#,
        "
        tool before
        tool a
        tool b
        tool turn0
        tool turn1
        tool now
        tool behind @later
        ",
    );
}

#[test]
fn what_may_be_settled_from_outside_is_not_left_to_timers() {
    waiting(
        r#"
        const answer = await new Promise((resolve) => {
            const timeout = setTimeout(() => { pi.registerTool({ name: "timeout" }); resolve("timed out"); }, 1000);
            unknown.on("exit", () => { clearTimeout(timeout); resolve("exit"); });
        });
        pi.registerTool({ name: "after" });
        "#,
        "
        tool after
        tool timeout @later
        ",
    );
    waiting(
        r#"
        await new Promise((resolve) => { setTimeout(() => pi.registerTool({ name: "t" }), 5); unknown.once("ready", resolve); });
        pi.registerTool({ name: "after" });
        "#,
        "
        tool after
        tool t @later
        ",
    );
}

#[test]
fn microtasks_run_when_the_factory_waits_or_ends() {
    factory(
        r#"
        let name = "early";
        queueMicrotask(() => pi.registerTool({ name }));
        name = "micro";
        process.nextTick(() => pi.registerTool({ name: "tick" }));
        "#,
        "
        tool micro
        tool tick @later
        ",
    );
    waiting(
        r#"
        queueMicrotask(() => pi.registerTool({ name: "micro" }));
        await null;
        pi.registerTool({ name: "after" });
        process.nextTick(() => pi.registerTool({ name: "tick" }));
        setImmediate(() => pi.registerTool({ name: "immediate" }));
        await new Promise((resolve) => setTimeout(resolve));
        "#,
        "
        tool micro
        tool after
        tool tick
        tool immediate
        ",
    );
}

#[test]
fn what_nobody_waits_for_is_late_however_deep() {
    waiting(
        r#"
        const inner = async () => { await unknown.ready(); pi.registerTool({ name: "inner" }); };
        (async () => { await inner(); pi.registerTool({ name: "outer" }); })();
        pi.registerTool({ name: "now" });
        "#,
        "
        tool now
        tool inner @later
        tool outer @later
        ",
    );
}

#[test]
fn the_first_settlement_counts() {
    waiting(
        r#"
        const name = await new Promise((resolve) => { if (unknown.a) resolve("first"); resolve("second"); resolve("third"); });
        pi.registerTool({ name });
        "#,
        "
        tool second if !(unknown.a)
        tool first if unknown.a
        ",
    );
}

#[test]
fn listeners_of_an_emitter_of_its_own() {
    module(
        r#"
        import { EventEmitter, once } from "node:events";
        export default async (pi) => {
            const add = (name) => pi.registerTool({ name });
            const bus = new EventEmitter();
            bus.once("a", add);
            bus.emit("a", "once");
            bus.emit("a", "twice");
            bus.on("b", add);
            bus.emit("b", "on");
            bus.off("b", add);
            bus.emit("b", "off");
            bus.on("never", () => add("never"));
            bus.on("late", () => add("late"));
            setTimeout(() => bus.emit("late"), 100);
            setTimeout(() => bus.emit("ready", "waited for"), 1);
            const [name] = await once(bus, "ready");
            add(name);
            try { bus.emit("error", new Error("thrown")); } catch (error) { add(error.message); }
            const off = pi.events.on("x", add);
            pi.events.emit("x", "heard");
            off();
            pi.events.emit("x", "not heard");
        };
        "#,
        "
        tool once
        tool on
        tool waited for
        tool thrown
        tool heard
        tool late @later
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

#[test]
fn reactions_see_what_has_been_set_by_then() {
    factory(
        r#"
        let name = "too early";
        Promise.reject(new Error("x")).catch(() => pi.registerTool({ name: "caught" }));
        Promise.resolve().then(() => pi.registerTool({ name })).then(() => pi.registerTool({ name: "chained" }));
        name = "in time";
        pi.registerTool({ name: "first" });
        "#,
        "
        tool first
        tool caught
        tool in time
        tool chained
        ",
    );
    waiting(
        r#"
        let queue = Promise.resolve();
        const enqueue = (run) => (queue = queue.then(run));
        enqueue(() => pi.registerTool({ name: "a" }));
        const last = enqueue(async () => { await null; return "b"; });
        pi.registerTool({ name: await last });
        const helper = async (promise) => pi.registerTool({ name: await promise });
        await helper(Promise.resolve("handed").then((it) => `${it} on`));
        "#,
        "
        tool a
        tool b
        tool handed on
        ",
    );
}

#[test]
fn actions_while_the_factory_still_waits() {
    waiting(
        r#"
        pi.registerFlag("mode", { type: "string", default: "x" });
        await unknown.ready();
        pi.registerTool({ name: `mode ${pi.getFlag("mode")}` });
        try { pi.getActiveTools(); pi.registerTool({ name: "works" }); } catch { pi.registerTool({ name: "throws" }); }
        const inner = async () => {
            await unknown.ready();
            try { pi.getActiveTools(); pi.registerTool({ name: "perhaps" }); } catch { pi.registerTool({ name: "perhaps not" }); }
        };
        await inner();
        "#,
        "
        flag mode
        tool mode x
        tool throws
        tool perhaps if !(pi.getActiveTools() throws)
        tool perhaps not if pi.getActiveTools() throws
        ",
    );
}

#[test]
fn a_package_that_says_nothing_of_pi_is_followed_where_it_may_get_pi() {
    modules(
        &[
            (
                "index.ts",
                r#"
                import { later, path } from "helper";
                export default (pi) => {
                    pi.on("session_start", () => later(pi));
                    pi.on("turn_end", () => pi.exec(path("x")));
                };
                "#,
            ),
            ("package.json", r#"{ "name": "x" }"#),
            ("node_modules/helper/package.json", r#"{ "name": "helper", "main": "main.js" }"#),
            (
                "node_modules/helper/main.js",
                r#"exports.later = (pi) => pi.registerFlag("late", {}); exports.path = (it) => it;"#,
            ),
        ],
        "
        flag late @event:session_start
        ",
    );
}

#[test]
fn handlers_find_the_modules_of_their_own_extension() {
    let first = r#"
        import { keep } from "./state";
        export default (pi) => {
            keep(pi);
            pi.on("session_start", async () => (await import("./state")).register("a"));
        };
    "#;
    let state = r"
        let kept;
        export const keep = (pi) => { kept = pi; };
        export const register = (name) => kept.registerTool({ name });
    ";
    let second = r#"
        import { register } from "./state";
        export default (pi) => pi.on("session_start", () => register(pi));
    "#;
    let other = r#"export const register = (pi) => pi.registerTool({ name: "b" });"#;
    modules(
        &[
            ("one/index.ts", first),
            ("one/package.json", "{}"),
            ("one/state.ts", state),
            ("two/index.ts", second),
            ("two/package.json", "{}"),
            ("two/state.ts", other),
        ],
        "
        tool a @event:session_start
        tool b @event:session_start
        ",
    );
}

#[test]
fn whatever_has_a_then_method_is_waited_for() {
    module(
        r#"
        const add = (name) => ({ then(ok) { ok({ name }); } });
        class Lazy { constructor(name) { this.name = name; } then(ok, fail) { this.name ? ok({ name: this.name }) : fail(new Error("nameless")); } }
        const later = (name) => ({ then: (ok) => setTimeout(() => ok({ name }), 5) });
        export default async (pi) => {
            pi.registerTool(await new Lazy("awaited"));
            pi.registerTool(await later("timer"));
            pi.registerTool(await (async () => new Lazy("returned"))());
            pi.registerTool(await Promise.resolve(new Lazy("resolved")));
            pi.registerTool(await Promise.resolve(1).then(() => new Lazy("then")));
            pi.registerTool(await new Promise((resolve) => resolve(new Lazy("executor"))));
            for (const it of await Promise.all([new Lazy("all"), add("any")])) pi.registerTool(it);
            for await (const it of [new Lazy("each")]) pi.registerTool(it);
            pi.registerTool(await add(add("inner").then((it) => it) ?? "nested"));
            pi.registerTool({ name: await new Lazy().then((it) => it, (error) => error.message) ?? "no promise" });
            try { await new Lazy(); } catch (error) { pi.registerTool({ name: error.message }); }
            const order = [];
            Promise.resolve({ then(ok) { order.push("job"); ok(); } });
            order.push("first");
            await null;
            pi.registerTool({ name: order.join() });
            pi.registerTool((await { then: "text", name: "no method" }));
            return new Lazy();
        };
        "#,
        "
        tool awaited
        tool timer
        tool returned
        tool resolved
        tool then
        tool executor
        tool all
        tool any
        tool each
        tool nested
        tool no promise
        tool nameless
        tool first,job
        tool no method
        fails: Failed to load extension: nameless
        ",
    );
}

#[test]
fn what_an_asynchronous_function_returns_decides_how_it_ends() {
    module(
        r#"
        const fails = async () => Promise.reject(new Error("rejected"));
        const waits = async () => new Promise((resolve) => setTimeout(() => resolve("slept"), 5));
        export default async (pi) => {
            const attempt = async (run) => { try { pi.registerTool({ name: await run() }); } catch (error) { pi.registerTool({ name: `caught ${error.message}` }); } };
            await attempt(fails);
            await attempt(waits);
            await attempt(async () => { await null; return fails(); });
            await attempt(() => new Promise((resolve) => resolve(Promise.reject(new Error("inner")))));
            await attempt(async () => { await waits(); return Promise.resolve("after"); });
            await attempt(async () => pi.unknown ? fails() : "plain");
            return fails();
        };
        "#,
        "
        tool caught rejected
        tool slept
        tool caught inner
        tool after
        tool plain
        fails: Failed to load extension: rejected
        ",
    );
}

#[test]
fn promises_that_are_handed_on_and_that_never_settle() {
    waiting(
        r#"
        const later = async () => new Promise((go) => setTimeout(() => go("v"), 1));
        pi.registerTool({ name: await later() });
        new Promise(() => {}).then(() => pi.registerTool({ name: "never" }));
        "#,
        "tool v",
    );
}

#[test]
fn intervals_go_on() {
    factory(
        r#"
        let n = 0;
        const timer = setInterval(() => { n++; pi.registerTool({ name: "n" + n }); if (n === 2) clearInterval(timer); }, 1);
        "#,
        "
        tool n1 @later
        tool n2 @later
        ",
    );
}

#[test]
fn chains_of_promises_take_turns() {
    waiting(
        r#"
        const log = [];
        Promise.resolve().then(() => log.push("a1")).then(() => log.push("a2")).then(() => log.push("a3"));
        Promise.resolve().then(() => log.push("b1")).then(() => log.push("b2"));
        await null; log.push("m1");
        await null; log.push("m2");
        await null; log.push("m3");
        pi.registerTool({ name: log.join() });
        "#,
        "tool a1,b1,m1,a2,b2,m2,a3,m3",
    );
}

#[test]
fn each_extension_has_steps_of_its_own_and_says_when_they_are_spent() {
    let spins = r#"
        const spin = (pi, name) => { let n = 0; for (let i = 0; i < 1e6; i++) n += i; pi.registerCommand(name + n, {}); };
        export default (pi) => {
            pi.on("session_start", () => setTimeout(() => pi.registerCommand("spent", {}), 9));
            for (const name of ["a", "b", "c", "d", "e", "f", "g", "h", "i"]) pi.on(name, () => spin(pi, name));
        };
    "#;
    let modest = r#"
        export default (pi) => pi.on("session_start", () => setTimeout(() => pi.registerCommand("seen", {}), 9));
    "#;
    assert_eq!(
        registered(&[("a/index.ts", spins), ("b/index.ts", modest)], &[]).lines().collect::<Vec<_>>(),
        [
            "anything ? the code takes too many steps to follow @event:a",
            "anything ? the code takes too many steps to follow @later",
            "command seen @later",
        ]
    );
}
