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
        "fails: Failed to load extension: Class constructor _default cannot be invoked without 'new'",
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

#[test]
fn ways_out_of_finally_override_those_of_try() {
    factory(
        r#"
        const run = () => { try { if (unknown.a) throw "lost"; } finally { if (unknown.a) return "returned"; } return "end"; };
        pi.registerTool({ name: run() });
        try { if (unknown.b) throw "lost"; } finally { if (unknown.c) return; }
        pi.registerTool({ name: "after" });
        "#,
        "
        tool returned if unknown.a
        tool end if !(unknown.a)
        tool after if !(unknown.b && !(unknown.c)) && !(unknown.c)
        fails: Failed to load extension: lost if unknown.b && !(unknown.c)
        ",
    );
}

#[test]
fn what_cannot_be_written_throws_in_strict_code() {
    module(
        r#"
        export default (pi) => {
            const attempt = (run) => { try { run(); pi.registerTool({ name: "ok" }); } catch (error) { pi.registerTool({ name: error.message }); } };
            const frozen = Object.freeze({ a: 1, list: Object.freeze(["x"]) });
            attempt(() => { frozen.a = 2; });
            attempt(() => { frozen.b = 2; });
            attempt(() => { delete frozen.a; });
            attempt(() => frozen.list.push("y"));
            attempt(() => { ({ get only() { return 1; } }).only = 2; });
            attempt(() => { Object.defineProperty({}, "fixed", { value: 1 }).fixed = 2; });
            attempt(() => { delete Object.defineProperty({}, "fixed", { value: 1 }).fixed; });
            attempt(() => { undeclared = 1; });
            attempt(() => { early; let early = 1; });
            const constant = 1;
            attempt(() => { constant = 2; });
            attempt(() => { "text".key = 1; });
            attempt(() => { new Proxy({}, { set: () => false }).a = 1; });
            const sealed = Object.seal({ a: 1 });
            sealed.a = "written";
            pi.registerTool({ name: sealed.a });
            pi.registerTool({ name: `${Reflect.set(frozen, "a", 2)} ${frozen.a}` });
        };
        "#,
        "
        tool Cannot assign to read only property 'a' of object '#<Object>'
        tool Cannot add property b, object is not extensible
        tool Cannot delete property 'a' of #<Object>
        tool Cannot add property 1, object is not extensible
        tool Cannot set property only of #<Object> which has only a getter
        tool Cannot assign to read only property 'fixed' of object '#<Object>'
        tool Cannot delete property 'fixed' of #<Object>
        tool undeclared is not defined
        tool Cannot access 'early' before initialization
        tool Assignment to constant variable.
        tool Cannot create property 'key' on string 'text'
        tool 'set' on proxy: trap returned falsish for property 'a'
        tool written
        tool false 1
        ",
    );
}

#[test]
fn code_that_is_not_strict_goes_on() {
    super::modules(
        &[(
            "index.js",
            r#"
            module.exports = (pi) => {
                const frozen = Object.freeze({ a: "kept" });
                frozen.a = "written";
                undeclared = "made";
                pi.registerTool({ name: frozen.a });
                pi.registerTool({ name: undeclared });
            };
            "#,
        )],
        "
        tool kept
        tool made
        ",
    );
}

#[test]
fn this_in_code_that_is_not_strict() {
    super::modules(
        &[(
            "index.cjs",
            "module.exports = (pi) => { (function () { pi.registerTool({ name: typeof this }); })(); };",
        )],
        "tool object",
    );
    super::modules(
        &[(
            "index.ts",
            "module.exports = (pi) => { (function () { pi.registerTool({ name: typeof this }); })(); };",
        )],
        "tool undefined",
    );
}

#[test]
fn what_is_passed_on_guards_nothing() {
    factory(
        r#"
        const attempt = () => {
            try { unknown.makeFolder(); unknown.access(); return "a"; }
            catch (error) { if (error.code !== "EPERM") throw error; return "a"; }
        };
        pi.registerTool({ name: attempt() });
        try { attempt(); pi.registerTool({ name: "b" }); } catch { pi.registerTool({ name: "c" }); }
        "#,
        r#"
        tool a
        tool b if !(unknown.makeFolder() throws || !(unknown.makeFolder() throws) && unknown.access() throws && error.c…)
        tool c if unknown.makeFolder() throws || !(unknown.makeFolder() throws) && unknown.access() throws && error.code !== "EPERM"
        "#,
    );
}

#[test]
fn what_is_awaited_may_fail() {
    factory(
        r#"
        return (async () => {
            await fetch("a");
            pi.registerTool({ name: "first" });
            try { await fetch("b"); pi.registerTool({ name: "reached" }); }
            catch { pi.registerTool({ name: "offline" }); }
            const name = await fetch("c").then(() => "yes").catch(() => "no");
            pi.registerTool({ name });
            const [one, two] = await Promise.allSettled([fetch("d"), "known"]);
            pi.registerTool({ name: one.status });
            pi.registerTool({ name: `${two.status}-${two.value}` });
            await new Promise((resolve) => setTimeout(resolve, 10));
            await new Promise((resolve, reject) => { if (name) resolve(); else reject(); });
            pi.registerTool({ name: "waited" });
            try { await new Promise((resolve, reject) => setTimeout(reject, 10)); pi.registerTool({ name: "connected" }); }
            catch { pi.registerTool({ name: "refused" }); }
            try { await fetch("e"); } catch { return; }
            pi.registerTool({ name: "last" });
        })();
        "#,
        r#"
        tool first
        tool reached if !(fetch("b") throws)
        tool offline if fetch("b") throws
        tool yes if !(fetch("c").then(() => "yes").catch(() => "no") throws)
        tool no if fetch("c").then(() => "yes").catch(() => "no") throws
        tool rejected if fetch("d") throws
        tool fulfilled if !(fetch("d") throws)
        tool fulfilled-known
        tool waited
        tool connected if !(new Promise((resolve, reject) => setTimeout(reject, 10)) throws)
        tool refused if new Promise((resolve, reject) => setTimeout(reject, 10)) throws
        tool last if !(fetch("e") throws)
        "#,
    );
}

#[test]
fn a_class_is_a_factory_that_throws_where_it_stands() {
    let (evaluated, sources) =
        super::run(&[("index.ts", "\nexport default class A { constructor(pi) {} }")], &[]);
    let failure = evaluated.first().and_then(|it| it.failure.as_ref()).unwrap();
    assert_eq!(sources.locate(failure.at.unwrap()).line, 2);
}

#[test]
fn what_no_class_can_extend() {
    module(
        r#"
        import { NoSuchClass } from "@earendil-works/pi-coding-agent";
        export default (pi) => {
            const attempt = (run) => { try { run(); pi.registerTool({ name: "ok" }); } catch (error) { pi.registerTool({ name: error.message }); } };
            attempt(() => class extends NoSuchClass {});
            attempt(() => class extends (5) {});
            attempt(() => class extends "s" {});
            attempt(() => class extends ({}) {});
            attempt(() => class extends [1] {});
            attempt(() => class extends (() => 1) {});
            attempt(() => class extends Symbol("x") {});
            attempt(() => class extends (new Map()) {});
            attempt(() => class extends (function () {}.bind()) {});
            attempt(() => class extends Map {});
            attempt(() => class extends (function () {}) {});
            attempt(() => class extends pi.unknown.Class {});
            class B {}
            class Early extends B { x; constructor() { this.x = 1; super(); } }
            attempt(() => new Early());
            class Arrow extends B { constructor() { const late = () => this; super(); this.same = late() === this; } }
            pi.registerTool({ name: `same ${new Arrow().same}` });
        };
        "#,
        "
        tool Class extends value undefined is not a constructor or null
        tool Class extends value 5 is not a constructor or null
        tool Class extends value s is not a constructor or null
        tool Class extends value #<Object> is not a constructor or null
        tool Class extends value [object Array] is not a constructor or null
        tool Class extends value () => 1 is not a constructor or null
        tool Class extends value Symbol(x) is not a constructor or null
        tool Class extends value #<Map> is not a constructor or null
        tool Class extends value does not have valid prototype property undefined
        tool ok
        tool Cannot read properties of undefined (reading 'Class')
        tool Must call super constructor in derived class before accessing 'this' or returning from derived constructor
        tool same true
        ",
    );
    module(
        r#"
        import { NoSuchClass } from "@earendil-works/pi-coding-agent";
        class Mine extends NoSuchClass {}
        export default (pi) => pi.registerTool({ name: "never" });
        "#,
        "fails: Failed to load extension: Class extends value undefined is not a constructor or null",
    );
}

#[test]
fn what_built_in_functions_refuse() {
    module(
        r#"
        export default (pi) => {
            const attempt = (run) => { try { run(); pi.registerTool({ name: `not ${run}` }); } catch (error) { pi.registerTool({ name: error.message }); } };
            attempt(() => `${Symbol("x")}`);
            attempt(() => -Symbol("x"));
            attempt(() => 1n + 1);
            attempt(() => +1n);
            attempt(() => "a".replaceAll(/a/, ""));
            attempt(() => new Map([1]));
            attempt(() => new Map(5));
            attempt(() => structuredClone(() => 1));
            attempt(() => structuredClone([Symbol("y")]));
            attempt(() => new WeakMap().set("a", 1));
            attempt(() => new WeakSet().add(Symbol.for("y")));
            attempt(() => new WeakRef("a"));
            attempt(() => Buffer.from(undefined));
            attempt(() => Buffer.from(5));
            let big = 1n;
            big++;
            const key = Symbol("own");
            pi.registerTool({ name: `${new WeakMap().set(key, "held").get(key)} ${String(key)} ${1n + "text"} ${1n < 2}` });
            pi.registerTool({ name: String(big) });
        };
        "#,
        "
        tool Cannot convert a Symbol value to a string
        tool Cannot convert a Symbol value to a number
        tool Cannot mix BigInt and other types, use explicit conversions
        tool Cannot convert a BigInt value to a number
        tool String.prototype.replaceAll called with a non-global RegExp argument
        tool Iterator value 1 is not an entry object
        tool number 5 is not iterable (cannot read property Symbol(Symbol.iterator))
        tool () => 1 could not be cloned.
        tool Symbol(y) could not be cloned.
        tool Invalid value used as weak map key
        tool Invalid value used in weak set
        tool WeakRef: invalid target
        tool The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object. Received undefined
        tool The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object. Received type number (5)
        tool ? arithmetic on big integers
        tool ? arithmetic on big integers
        ",
    );
}

#[test]
fn what_is_no_function_is_named_as_node_names_it() {
    module(
        r#"
        export default (pi: any) => {
            const attempt = (run) => { try { run(); } catch (error) { pi.registerTool({ name: error.message }); } };
            const o: any = { a: {} }; let u; const k = "key"; const f = () => 1;
            attempt(() => o.typed<string>("x"));
            attempt(() => (o as any).cast("x"));
            attempt(() => o.bang!("x"));
            attempt(() => o["name"]());
            attempt(() => o[k]());
            attempt(() => o[0]());
            attempt(() => u());
            attempt(() => o?.maybe());
            attempt(() => (0, o.x)());
            attempt(() => o.a.toString().zip());
            attempt(() => f()());
            attempt(() => (u || o.or)());
            attempt(() => "text".b());
            attempt(() => new o.Class());
            attempt(() => new f());
            attempt(() => new (() => 1)());
            attempt(() => new Map().zip());
            pi.registerVirtualThing<string>("x");
        };
        "#,
        r#"
        tool o.typed is not a function
        tool o.cast is not a function
        tool o.bang is not a function
        tool o.name is not a function
        tool o[k] is not a function
        tool o[0] is not a function
        tool u is not a function
        tool o?.maybe is not a function
        tool (0 , o.x) is not a function
        tool o.a.toString(...).zip is not a function
        tool f(...) is not a function
        tool (u || o.or) is not a function
        tool "text".b is not a function
        tool o.Class is not a constructor
        tool f is not a constructor
        tool (intermediate value) is not a constructor
        tool (intermediate value).zip is not a function
        fails: Failed to load extension: pi.registerVirtualThing is not a function
        "#,
    );
}

#[test]
fn a_promise_settled_with_a_rejecting_one_rejects() {
    factory(
        r#"
        const fail = async (name) => { throw new Error(name); };
        class Store { async load() { return this.read(); } async read() { throw new Error("b"); } }
        return (async () => {
            try { await (async () => fail("x"))(); pi.registerTool({ name: "no" }); } catch { pi.registerTool({ name: "a" }); }
            pi.registerTool({ name: await new Store().load().catch((error) => error.message) });
            try { await (async () => import("not-installed"))(); pi.registerTool({ name: "no" }); } catch { pi.registerTool({ name: "c" }); }
            try { await (async () => Promise.all([1, fail("x")]))(); pi.registerTool({ name: "no" }); } catch { pi.registerTool({ name: "d" }); }
            try { await new Promise((resolve) => resolve(fail("x"))); pi.registerTool({ name: "no" }); } catch { pi.registerTool({ name: "e" }); }
            try { await (async () => (unknown.x ? fail("x") : "fine"))(); pi.registerTool({ name: "f" }); } catch { pi.registerTool({ name: "g" }); }
        })();
        "#,
        "
        tool a
        tool b
        tool c
        tool d
        tool e
        tool f if !(unknown.x)
        tool g if unknown.x
        ",
    );
    module(
        r#"const setup = async (pi) => { throw new Error("x"); }; export default async (pi) => setup(pi);"#,
        "fails: Failed to load extension: x",
    );
}

#[test]
fn what_nobody_catches_ends_pi() {
    factory(
        r#"(async () => { throw new Error("x"); })(); pi.registerTool({ name: "a" });"#,
        "
        tool a
        fails: x
    ",
    );
    factory(r#"Promise.reject(new Error("x")).then(() => {});"#, "fails: x");
    factory(r#"setTimeout(() => { throw new Error("x"); }, 5);"#, "fails: x");
    // What it does after it has waited may rest on what follows the call.
    factory(
        r#"void (async () => { await new Promise((go) => setTimeout(go, 5)); throw new Error("x"); })();"#,
        "",
    );
    factory(
        r"
        let config;
        const start = async () => { await null; config.start(); };
        const main = async () => { await start(); };
        start();
        void main();
        void Promise.all([main()]).then(() => {});
        config = { start() {} };
        ",
        "",
    );
    factory(r#"setTimeout(() => { throw new Error("x"); }, 60000);"#, "");
    factory(r#"void (async () => { await unknown.y(); throw new Error("x"); })();"#, "");
    factory(
        r#"
        const fail = async () => { throw new Error("x"); };
        const kept = fail();
        kept.catch(() => {});
        void Promise.allSettled([1, 2].map(fail));
        void (async () => { try { return await fail(); } catch {} })();
        unknown.handle(fail());
        clearTimeout(setTimeout(() => { throw new Error("x"); }, 5));
        pi.events.on("e", fail);
        pi.events.on("e", () => { throw new Error("x"); });
        pi.events.emit("e");
        pi.registerTool({ name: "a" });
        "#,
        "tool a",
    );
}

#[test]
fn settling_for_good() {
    module(
        r#"
        export default async (pi) => {
            await new Promise((resolve) => { resolve(); throw new Error("too late"); });
            pi.registerTool({ name: "a" });
            try { await Promise.any([Promise.reject(1), Promise.reject(2)]); } catch (error) { pi.registerTool({ name: error.name + error.errors }); }
        };
        "#,
        "
        tool a
        tool AggregateError1,2
        ",
    );
}

#[test]
fn code_that_needs_what_follows_its_call_is_doubted() {
    factory(
        r#"
        let config, other;
        const start = async () => { await null; if (config.on) pi.registerTool({ name: config.name }); };
        const quiet = async () => { await null; config.start(); };
        const silent = async () => { await null; if (config?.on) pi.registerTool({ name: config.name }); };
        const fine = async () => { await null; if (other) return; pi.registerTool({ name: "b" }); };
        start(); quiet(); silent(); fine();
        config = { on: true, name: "c", start() {} };
        pi.registerTool({ name: "a" });
        "#,
        "
        tool b
        tool a
        anything ? code that goes on only after what follows its call
        anything ? code that goes on only after what follows its call
        ",
    );
    module(
        r#"
        let config;
        const start = async (pi) => { await null; if (config) pi.registerTool({ name: "no" }); };
        const load = async () => { await null; config = { on: true }; };
        export default async (pi) => {
            await load();
            config = null;
            await start(pi);
            config = {};
            const kept = start(pi);
            config = null;
            await kept;
        };
        "#,
        "
        tool no
        anything ? code that goes on only after what follows its call
        ",
    );
}
