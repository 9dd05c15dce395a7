//! The functions of the language, each as expressions and what they come to.

use super::{factory, module, registered};

/// Checks expressions: each is registered as the name of a tool, as JSON.
#[track_caller]
pub(super) fn expressions(table: &[(&str, &str)]) {
    let call = |(source, _): &(&str, &str)| {
        format!("pi.registerTool({{ name: String(JSON.stringify({source})) }});")
    };
    let calls = table.iter().map(call).collect::<Vec<_>>().join("\n");
    let text = format!("export default function (pi) {{ const unknown = pi.exec(); {calls} }}");
    let found = registered(&[("index.js", &text)], &[]);
    let found: Vec<&str> = found.lines().collect();
    for (index, (source, expected)) in table.iter().enumerate() {
        let expected = format!("tool {expected}");
        assert_eq!(found.get(index).copied(), Some(expected.as_str()), "{source}\n{found:#?}");
    }
    assert_eq!(found.len(), table.len());
}

#[test]
fn strings() {
    expressions(&[
        ("'a-b_c'.replace(/[-_](.)/g, (_, c) => c.toUpperCase())", r#""aBC""#),
        ("'fooBar'.replace(/([A-Z])/g, '_$1').toLowerCase()", r#""foo_bar""#),
        ("'a1b22'.split(/(\\d+)/)", r#"["a","1","b","22",""]"#),
        ("'x'.padStart(3, 'ab') + 'y'.padEnd(2)", r#""abxy ""#),
        ("[...'a\u{1F600}'].length + 'a\u{1F600}'.length", "5"),
        ("'abc'.at(-1) + 'abcdef'.slice(-3, -1) + 'abc'.substring(2, 0)", r#""cdeab""#),
        ("[...'a1b2'.matchAll(/[a-z](?<n>\\d)/g)].map(it => it.groups.n)", r#"["1","2"]"#),
        ("['b', 'B', '_', 'a', '1', '-'].sort((a, b) => a.localeCompare(b))", r#"["_","-","1","a","b","B"]"#),
        ("String.raw`\\n${1}`", r#""\\n1""#),
    ]);
}

#[test]
fn arrays() {
    expressions(&[
        ("Array.from({ length: 3 }, (_, i) => i * 2)", "[0,2,4]"),
        ("[3, 10, 1].sort()", "[1,10,3]"),
        ("[3, 10, 1].sort((a, b) => b - a)", "[10,3,1]"),
        ("[[1], [2, [3]]].flat()", "[1,2,[3]]"),
        ("[1, 2].flatMap(it => [it, it * 10])", "[1,10,2,20]"),
        ("(() => { const a = [1, 2, 3, 4]; return [a.splice(1, 2, 'x'), a] })()", r#"[[2,3],[1,"x",4]]"#),
        ("(() => { const a = [1]; a.push(2); a.unshift(0); return [a.pop(), a.shift(), a] })()", "[2,0,[1]]"),
        ("[1, 2, 3].reduce((sum, it) => ({ ...sum, ['k' + it]: it }), {})", r#"{"k1":1,"k2":2,"k3":3}"#),
        ("[1, 2, 3].find(it => it > 1) + [1, 2].findIndex(it => it > 5)", "1"),
        ("[NaN].includes(NaN) && ![NaN].includes(1)", "true"),
        ("[...['a', 'b'].entries()]", r#"[[0,"a"],[1,"b"]]"#),
        ("[1, , 3].map(it => it + 1).length", "3"),
    ]);
}

#[test]
fn objects() {
    expressions(&[
        ("Object.entries({ b: 1, 2: 0, a: 3 })", r#"[["2",0],["b",1],["a",3]]"#),
        ("Object.fromEntries(new Map([['x', 1]]))", r#"{"x":1}"#),
        ("Object.assign({ a: 1 }, null, { b: 2 }, { a: 3 })", r#"{"a":3,"b":2}"#),
        ("(() => { const o = Object.freeze({ a: 1 }); try { o.a = 2 } catch {} return o })()", r#"{"a":1}"#),
        ("Object.keys(Object.defineProperty({ a: 1 }, 'b', { value: 2 }))", r#"["a"]"#),
        ("Object.create({ x: 1 }).x", "1"),
        ("Object.groupBy([1, 2, 3], it => it % 2 ? 'odd' : 'even')", r#"{"odd":[1,3],"even":[2]}"#),
        ("structuredClone({ a: [1, { b: 2 }] })", r#"{"a":[1,{"b":2}]}"#),
        ("Reflect.ownKeys(new Proxy({ a: 1 }, {}))", r#"["a"]"#),
        ("new Proxy({}, { get: (_, key) => 'got ' + key }).it", r#""got it""#),
    ]);
}

#[test]
fn collections_numbers_and_the_rest() {
    expressions(&[
        ("[...new Map([['a', 1]]).set('b', 2)]", r#"[["a",1],["b",2]]"#),
        ("(() => { const s = new Set([1, 2]); s.delete(1); s.add(3); return [...s, s.size] })()", "[2,3,2]"),
        ("[(2.5).toFixed(0), (255).toString(16), parseInt('12px'), Number('0x1f')]", r#"["3","ff",12,31]"#),
        ("[Math.round(-2.5), Math.max(), Math.trunc(-1.5)]", "[-2,null,-1]"),
        ("JSON.parse('{\"a\": [1, {\"b\": null}]}')", r#"{"a":[1,{"b":null}]}"#),
        ("JSON.stringify({ a: [1], b: undefined }, null, 1)", r#""{\n \"a\": [\n  1\n ]\n}""#),
        ("encodeURIComponent('a b/ü')", r#""a%20b%2F%C3%BC""#),
        ("new URL('https://a.com:8080/p?x=1').pathname", r#""/p""#),
        (
            "(() => { try { null.x } catch (e) { return [e.name, e instanceof TypeError] } })()",
            r#"["TypeError",true]"#,
        ),
        ("[...(function* () { yield 1; yield* [2, 3] })()]", "[1,2,3]"),
        ("Buffer.from('aGk=', 'base64').toString()", r#""hi""#),
        ("Symbol.for('a') === Symbol.for('a')", "true"),
    ]);
}

#[test]
fn every_alternative_is_followed() {
    factory(
        r#"
        const name = unknown.flag ? "One" : "Two";
        pi.registerTool({ name: name.toLowerCase() });
        const list = ["a"];
        if (unknown.more) list.push("b");
        for (const it of list.map((it) => it + "!")) pi.registerTool({ name: it });
        pi.registerCommand(list.join("+"), {});
        "#,
        "
        tool one if unknown.flag
        tool two if !(unknown.flag)
        tool a!
        tool b! if unknown.more
        command a+b if unknown.more
        command a if !(unknown.more)
        ",
    );
}

#[test]
fn what_is_taken_under_a_condition_is_gone_there() {
    factory(
        r#"
        const queue = [];
        if (unknown.on) {
            queue.push("a", "b");
            while (queue.length > 0) pi.registerTool({ name: queue.shift() });
            pi.registerTool({ name: `left${queue.length}` });
        }
        queue.push("c");
        pi.registerTool({ name: queue[0] });
        "#,
        "
        tool a if unknown.on
        tool b if unknown.on
        tool left0 if unknown.on
        tool c
        ",
    );
}

#[test]
fn getters_run_only_for_values() {
    factory(
        r#"
        const table = { get name() { pi.registerTool({ name: "ran" }); return "n"; } };
        for (const key in table) pi.registerTool({ name: key });
        pi.registerTool({ name: Object.keys(table).join() });
        pi.registerTool({ name: typeof Object.getOwnPropertyDescriptor(table, "name").get });
        pi.registerTool({ name: Object.values(table)[0] });
        "#,
        "
        tool name
        tool name
        tool function
        tool ran
        tool n
        ",
    );
}

#[test]
fn tests_of_elements() {
    factory(
        r#"
        const all = [{ name: "a", on: true }, { name: "b", on: unknown.b }, { name: "c", on: false }];
        all.filter((it) => it.on).forEach((it) => pi.registerTool(it));
        if (all.some((it) => it.name === "c")) pi.registerTool(all.find((it) => it.name === "c"));
        unknown.list.forEach((it) => pi.registerTool({ name: "once" }));
        "#,
        "
        tool a
        tool b if it.on
        tool c
        tool once @later
        ",
    );
}

#[test]
fn promises_are_transparent() {
    super::module(
        r#"
        const load = async () => { await fetch("x"); return [{ name: "a" }, { name: "b" }]; };
        export default async function (pi) {
            const [tools, more] = await Promise.all([load(), Promise.resolve([{ name: "c" }])]);
            for (const tool of [...tools, ...more]) pi.registerTool(tool);
            await load().then((tools) => tools.forEach((it) => pi.registerCommand(it.name, {})));
            await new Promise((resolve) => setTimeout(resolve, 10));
            pi.registerTool({ name: "after" });
            load().then(() => pi.registerTool({ name: "late" }));
            setTimeout(() => pi.registerTool({ name: "timer" }), 5);
            const settled = await Promise.allSettled([Promise.reject(new Error("no")), 1]);
            pi.registerTool({ name: settled.map((it) => it.status).join() });
        }
        "#,
        "
        tool a
        tool b
        tool c
        command a
        command b
        tool after
        tool rejected,fulfilled
        tool late @later
        tool timer @later
        ",
    );
}

#[test]
fn the_environment_is_a_fact() {
    super::with_environment(
        &[(
            "index.ts",
            r#"
            export default function (pi) {
                if (!process.env.OFF) pi.registerTool({ name: "a" });
                if (process.env.ROLE === "admin") pi.registerTool({ name: "b" });
                const windows = process.platform === "win32";
                windows ? pi.registerTool({ name: "c" }) : undefined;
                pi.registerTool({ name: process.env.PREFIX ?? "d" });
            }
            "#,
        )],
        &[("ROLE", "admin")],
        "
        tool a because env OFF is unset
        tool b because env ROLE is set
        tool d because env PREFIX is unset
        ",
    );
}

#[test]
fn texts_are_made_into_slugs() {
    factory(
        r#"
        const slug = (it) => it.normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase();
        pi.registerCommand(slug("My Tool"));
        pi.registerCommand(slug("Caf\u00e9 2"));
        pi.registerCommand(`n${"e\u0301".normalize().length}${/^\p{Script=Greek}\P{Lu}$/u.test("\u03b1b")}`);
        "#,
        "
        command my-tool
        command cafe-2
        command n1true
        ",
    );
}

#[test]
fn functions_made_from_text() {
    module(
        r#"
        const allowed = (() => { if (typeof navigator !== "undefined" && navigator?.userAgent?.includes("Cloudflare")) return false; try { const F = Function; new F(""); return true; } catch { return false; } })();
        const parse = new Function("x", "return { value: x, issues: [] }");
        export default async (pi) => {
            const add = (name) => pi.registerTool({ name });
            if (!allowed) return;
            const result = parse("a");
            if (result.issues.length) throw new Error("invalid");
            add(result.value);
            add(Function("a, b", "c", "return a + b + c")("b", "-", "d"));
            new Function("pi", "pi.registerTool({ name: 'inside' })")(pi);
            add(new Function("return typeof local + typeof require + typeof this.process")());
            try { new Function("return ("); } catch (error) { add(error.name); }
            try { new Function("}, function () {"); } catch (error) { add(`no ${error.name}`); }
            const AsyncFunction = Object.getPrototypeOf(async function () {}).constructor;
            add(AsyncFunction.name);
            add(await new AsyncFunction("x", "await null; return x")("awaited"));
            try { await new Function("s", "return import(s)")("node:fs"); } catch (error) { add(error.message); }
            new Function("pi", pi.unknown ?? `${pi.exec("x")}`)(pi);
        };
        "#,
        "
        tool a
        tool b-d
        tool inside
        tool undefinedundefinedobject
        tool SyntaxError
        tool no SyntaxError
        tool AsyncFunction
        tool awaited
        tool A dynamic import callback was not specified.
        anything ? pi is handed to a function made from text
        ",
    );
}

#[test]
fn listeners_are_called_in_order() {
    module(
        r#"
        import { EventEmitter } from "node:events";
        export default (pi) => {
            const log = [], e = new EventEmitter(), symbol = Symbol();
            e.on("newListener", (name) => log.push("+" + String(name)));
            e.once("a", () => log.push(1));
            e.prependListener("a", () => log.push(0));
            e.prependOnceListener("a", () => log.push(-1));
            e.emit("a"); e.emit("a");
            e.off("newListener", e.listeners("newListener")[0]);
            e.on(symbol, () => log.push("s"));
            e.emit(symbol);
            pi.registerTool({ name: log.join() });
        };
        "#,
        "tool +a,+a,+a,-1,0,1,0,s",
    );
}

#[test]
fn subclasses_and_copies() {
    factory(
        r#"
        class Upper extends Map { set(key, value) { return super.set(key, value.toUpperCase()); } }
        class Tagged extends Promise { tag = "t"; }
        const names = [new Upper([["a", "x"]]).get("a"), Tagged.resolve(1).tag, [1, "b"].toLocaleString(), /a/i.ignoreCase, /a/.sticky];
        try { structuredClone({ f() {} }); } catch (error) { names.push(error.name); }
        pi.registerTool({ name: names.join() });
        /v(\d)/.test("v1");
        pi.registerTool({ name: RegExp.$1 });
        "#,
        "
        tool X,t,1,b,true,false,DataCloneError
        tool ? what RegExp keeps of the last match
        ",
    );
}
