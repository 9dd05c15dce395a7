//! What Node and the web bring, where code asks for more than a name.

use super::{factory, module, modules};

#[test]
fn a_descriptor_leaves_what_it_does_not_name() {
    factory(
        r#"
        const tool = { name: "plain", label: "", description: "" };
        Object.defineProperty(tool, "name", { get: () => "renamed" });
        pi.registerTool({ ...tool });
        Object.defineProperty(tool, "name", { set() {} });
        pi.registerTool({ ...tool, label: "kept" });
        Object.defineProperty(tool, "hidden", { get: () => 1 });
        pi.registerTool({ name: Object.keys(tool).join() });
        "#,
        "
        tool renamed
        tool renamed
        tool name,label,description
        ",
    );
}

#[test]
fn opaque_instances_may_yield_anything() {
    module(
        r#"
        const id = Array.from(new Uint8Array(4), (b) => b.toString(16)).join("");
        export default async (pi) => {
            for (const [key, value] of new Headers({ a: "1" })) pi.registerTool({ name: key });
            for (const byte of Buffer.from("ab")) void byte;
            Object.fromEntries(new Headers({ a: "1" }));
            [...new FormData()];
            pi.registerCommand(`${[...new Uint8Array(3)].length} ${Array.from(new Uint16Array([1, 2]), () => "x")}`, {});
            const stream = new ReadableStream({ start(it) { it.enqueue("a"); it.close(); } });
            for await (const chunk of stream) void chunk;
            pi.registerCommand("ok", {});
        }
        "#,
        "
        tool ? what a Headers holds if new Headers({ a: \"1\" })
        command 3 x,x
        command ok
        ",
    );
}

#[test]
fn instances_of_classes_of_unknown_parents_may_yield_anything() {
    factory(
        r#"
        class Own extends unknown.Parent {}
        for (const it of new Own()) void it;
        const [first] = new Own();
        pi.registerTool({ name: [...new Own()].join() });
        class Bag extends Headers { own = "b"; }
        pi.registerTool({ name: new Bag().own });
        "#,
        "
        tool ? what a subprocess prints
        tool b
        ",
    );
}

#[test]
fn members_that_are_not_modelled_are_there() {
    module(
        r#"
        import fs from "node:fs";
        import * as http from "node:http";
        import { builtinModules } from "node:module";
        import Stream, { Readable } from "node:stream";
        const start = process.hrtime.bigint();
        export default (pi) => {
            process.getMaxListeners();
            builtinModules.includes("fs");
            Error.prepareStackTrace?.("x");
            TypeError.captureStackTrace({});
            pi.registerTool({ name: typeof process.hrtime.bigint + typeof process.nothing + typeof Array.fromAsync });
            pi.registerTool({ name: typeof http.createServer + typeof http.nothing + typeof Readable.from });
            pi.registerTool({ name: `${"createHash" in process} ${"argv" in process} ${"URLPattern" in globalThis}` });
            pi.registerTool({ name: String(Object.keys({ ...fs }).includes("fsyncSync")) });
            pi.registerTool({ name: String(Object.hasOwn(Array.prototype, "copyWithin")) + Object.hasOwn([], "copyWithin") });
            pi.registerTool({ name: String(Object.hasOwn(process, "toString")) + process.hasOwnProperty("dlopen") });
            for (const name in { a: 1 }) pi.registerTool({ name });
            pi.registerTool({ name: typeof EventSource + typeof nothing });
        };
        "#,
        "
        tool functionundefinedfunction
        tool functionundefinedfunction
        tool false true true
        tool true
        tool truefalse
        tool falsetrue
        tool a
        tool undefinedundefined
        ",
    );
}

#[test]
fn modules_that_are_functions_and_classes() {
    module(
        r#"
        import assert from "node:assert/strict";
        import { strict, AssertionError } from "node:assert";
        import Stream, { Transform } from "node:stream";
        import EventEmitter from "node:events";
        class Upper extends Transform { own = "own"; constructor() { super({ objectMode: true }); } }
        class Old extends Stream {}
        export default (pi) => {
            assert(typeof pi.registerCommand === "function", "api");
            assert.equal(1, 1);
            strict.ok(pi.exec("x"));
            assert.deepEqual({}, {});
            try { assert.equal(1, "1"); } catch (e) {
                pi.registerCommand(`${e.name} ${e.code} ${e instanceof AssertionError} ${e instanceof Error}`, {});
            }
            try { assert(0, "text"); } catch (e) { pi.registerCommand(e.message, {}); }
            try { assert(0, new TypeError("own")); } catch (e) { pi.registerCommand(e.name, {}); }
            pi.registerCommand(new Upper().own + typeof new Old().pipe + typeof new EventEmitter().on, {});
        };
        "#,
        "
        command AssertionError ERR_ASSERTION true true
        command text
        command TypeError
        command ? what a Stream holds
        ",
    );
    module(
        r#"import assert from "assert"; export default (pi) => { assert.strictEqual(1, 2, "not one"); };"#,
        "fails: Failed to load extension: not one",
    );
}

#[test]
fn functions_that_are_classes_as_well() {
    module(
        r#"
        const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        const plain = (it) => {
            const C = Object.getPrototypeOf(it).constructor;
            return Function.prototype.call(C) === Function.prototype.call(it);
        };
        Error.stackTraceLimit = 50;
        class Fault {
            constructor() { Error.captureStackTrace(this, Fault); this.stack = this.stack.split("\n").join("\n"); }
        }
        export default (pi) => {
            new Fault();
            const { captureStackTrace } = Error;
            const target = {};
            captureStackTrace(target);
            if (isNaN(new Date("x"))) return;
            pi.registerCommand(`${Error.stackTraceLimit} ${"stack" in target} ${Object.keys(target).length}`, {});
            if (plain({})) pi.registerCommand(typeof Function.prototype, {});
            if (isNaN({}) && isNaN([1, 2]) && !isNaN([1]) && !isNaN(null) && !Number.isNaN({})) pi.registerCommand("numbers", {});
        };
        "#,
        "
        command 50 true 0 if !(isNaN(new Date(\"x\")))
        command function if !(isNaN(new Date(\"x\")))
        command numbers if !(isNaN(new Date(\"x\")))
        ",
    );
}

#[test]
fn promisified_functions_of_the_program() {
    module(
        r#"
        import fs from "node:fs";
        import { promisify } from "node:util";
        const load = promisify((name, done) => done(null, name + "!"));
        const late = promisify((name, done) => setTimeout(() => done(undefined, name), 5));
        const fails = promisify((done) => done(new Error("no")));
        const throws = promisify(() => { throw new Error("thrown"); });
        const read = promisify((path, done) => fs.readFile(path, done));
        const own = () => {};
        own[promisify.custom] = async () => "custom";
        export default async (pi) => {
            pi.registerCommand(await load("a"), {});
            pi.registerCommand(await late("b"), {});
            await fails().catch((e) => pi.registerCommand(e.message, {}));
            try { await throws(); } catch (e) { pi.registerCommand(e.message, {}); }
            pi.registerCommand(await promisify(own)(), {});
            pi.registerCommand(String(await read("x")), {});
            pi.registerCommand("end", {});
        };
        "#,
        "
        command a!
        command b
        command no
        command thrown
        command custom
        command ? what a promise that is settled later gives
        command end
        ",
    );
}

#[test]
fn constants_of_modules() {
    module(
        r#"
        import http from "node:http";
        import { builtinModules } from "node:module";
        import { debuglog } from "node:util";
        import { isMainThread, parentPort } from "node:worker_threads";
        const log = debuglog("x");
        export default (pi) => {
            if (!isMainThread || parentPort || typeof log.enabled !== "boolean") return;
            if (!http.METHODS.includes("GET") || !builtinModules.includes("fs") || builtinModules.includes("x")) return;
            log("text");
            pi.registerCommand("ok", {});
            if (log.enabled) pi.registerCommand("debugging", {});
        };
        "#,
        "command ok because env NODE_DEBUG is unset",
    );
}

#[test]
fn the_order_of_languages() {
    module(
        r#"
        const sorted = (list, compare) => list.sort(compare).join();
        export default (pi) => {
            const add = (name) => pi.registerCommand(name, {});
            add(sorted(["b", "a10", "a2"], (a, b) => a.localeCompare(b, undefined, { numeric: true })));
            add(sorted(["y", "X", "ä", "Ö", "z"], new Intl.Collator("en").compare));
            add(sorted(["re\u0301sume", "resume", "Resume", "r\u00e9sum\u00e9"], Intl.Collator().compare));
            add(sorted(["a", "A"], new Intl.Collator("de", { caseFirst: "upper" }).compare));
            const base = new Intl.Collator("en", { sensitivity: "base" });
            add(`${base.compare("a", "\u00c1")} ${"a".localeCompare("\u00e1", "en", { sensitivity: "accent" })}`);
            add(`${"\u00fc".localeCompare("U", "fr", { sensitivity: "case" })}`);
            add(String("a".localeCompare("b", "sv")));
        };
        "#,
        "
        command a2,a10,b
        command ä,Ö,X,y,z
        command resume,Resume,re\u{301}sume,r\u{e9}sum\u{e9}
        command A,a
        command 0 -1
        command -1
        command ? a comparison by the rules of a language
        ",
    );
}

#[test]
fn unknown_values_of_known_types() {
    module(
        r#"
        import { randomUUID, randomInt } from "node:crypto";
        import os from "node:os";
        export default (pi) => {
            const add = (name) => pi.registerCommand(name, {});
            const id = globalThis.crypto?.randomUUID ? crypto.randomUUID() : "x";
            if (!id || typeof id !== "string" || !process.pid || !os.tmpdir() || !randomUUID()) return;
            if (crypto.getRandomValues(new Uint8Array(16)).length < 16) throw new Error("few");
            if (!(Date.now() > 0) || 0 >= Date.now() || Number.isNaN(Date.now())) return;
            const now = new Date();
            if (isNaN(now) || isNaN(now.getTime()) || !now.toISOString() || typeof now.getDay() !== "number") return;
            if (process.pid == null || id === undefined || id === 5 || id === "" || process.pid === "1") return;
            if (!`${unknownTag()}-x` || typeof `${unknownTag()}` !== "string") return;
            if ((process.title ?? "none") === undefined || typeof Math.random() !== "number") return;
            add("ok");
            if (typeof randomInt(3) === "number" && performance.now() > 0) add("numbers");
            if (new Uint16Array([1, 2]).byteLength === 4) add("bytes");
            if (id === "a") add("equal");
            if (randomInt(3) > 0) add("above");
            if (!process.title) add("untitled");
            if (isNaN(new Date("x"))) add("invalid");
            const set = new Date();
            set.setTime(NaN);
            if (isNaN(set)) add("set");
        };
        const unknownTag = () => globalThis.tag?.() ?? process.title;
        "#,
        "
        command ok
        command numbers
        command bytes
        command equal if id === \"a\"
        command above if randomInt(3) > 0
        command untitled if !(process.title)
        command invalid if isNaN(new Date(\"x\"))
        command set if isNaN(set)
        ",
    );
}

#[test]
fn what_is_handed_to_modules_of_node() {
    module(
        r#"
        import vm from "node:vm";
        import { Transform } from "node:stream";
        import http from "node:http";
        export default (pi) => {
            vm.runInNewContext("pi.registerTool({ name: 'x' })", { pi });
            new vm.Script("x", { pi });
            http.createServer(() => pi.registerCommand("asked", {}));
            new Transform({ transform() { pi.registerCommand("passed", {}); } });
            class Own extends Transform { constructor() { super(); pi.registerCommand("own", {}); } }
            new Own();
            try { http.get("x"); pi.registerCommand("tried", {}); } catch {}
        };
        "#,
        "
        anything ? pi is handed to what node:vm does
        anything ? pi is handed to what a Script does
        command own
        command tried if !(http.get(\"x\") throws)
        command asked @later
        command passed @later
        ",
    );
}

#[test]
fn a_native_module_is_there_for_the_processor() {
    modules(
        &[
            (
                "index.js",
                r#"
                import binding from "native";
                import { arch } from "node:os";
                export default (pi) => {
                    pi.registerCommand(`loaded ${binding === null} ${binding ?? false ? 1 : 2}`, {});
                    pi.registerCommand(`${arch()} ${process.arch}`, {});
                };
                "#,
            ),
            ("node_modules/native/package.json", r#"{ "name": "native", "main": "main.js" }"#),
            ("node_modules/native/native.linux-x64.node", ""),
            (
                "node_modules/native/main.js",
                "let binding = null;
                if (process.platform === 'linux' && process.arch === 'x64') {
                    try { binding = require('./native.linux-x64.node'); } catch {}
                }
                if (!binding) throw new Error('no binding');
                module.exports = binding;",
            ),
        ],
        "
        command loaded false 1 because the platform is linux, the processor is x64
        command x64 x64 because the processor is x64
        ",
    );
}
