//! Where names come from.

use super::{factory, module, modules};

#[test]
fn literals_and_inline_definitions() {
    factory(
        r#"
        pi.registerTool({ name: "a", execute() {} });
        pi.registerCommand("b", { handler() {} });
        pi.registerFlag("c", { type: "boolean" });
        pi.registerShortcut("ctrl+x", { handler() {} });
        pi.registerMessageRenderer("d", () => {});
        pi.registerEntryRenderer("e", () => {});
        pi.registerProvider("f", { baseUrl: "x" });
        pi.registerProvider({ id: "g" });
        pi.unregisterProvider("h");
        (pi.registerTool as any)({ name: `i` } satisfies object);
        "#,
        "
        tool a
        command b
        flag c
        shortcut ctrl+x
        messagerenderer d
        entryrenderer e
        provider f
        nativeprovider g
        unregisterprovider h
        tool i
        ",
    );
}

#[test]
fn constants_and_helpers() {
    module(
        r#"
        const PREFIX = "my";
        const tool = { name: PREFIX + "_tool" };
        const make = (name, suffix = "x") => ({ name: `${name}-${suffix}` });
        function install(api, name) { api.registerTool(make(name)); }
        class Holder {
            constructor(private pi, readonly name = "held") {}
            install() { this.pi.registerTool({ name: this.name }); }
        }
        export default async (pi) => {
            pi.registerTool(tool);
            install(pi, "a");
            pi?.registerTool(make("b", "y"));
            new Holder(pi).install();
            const { registerTool, registerCommand: cmd } = pi;
            registerTool({ name: "destructured" });
            cmd("renamed", {});
        };
        "#,
        "
        tool my_tool
        tool a-x
        tool b-y
        tool held
        tool destructured
        command renamed
        ",
    );
}

#[test]
fn static_members_see_their_class() {
    module(
        r#"
        class Registry {
            static shared = new Registry();
            static { Registry.shared.names.push("late"); }
            names = ["one"];
        }
        const Other = class Self { static name2 = Self.name; static make() { return new Self(); } };
        export default (pi) => {
            for (const name of Registry.shared.names) pi.registerCommand(name, {});
            if (Other.make() instanceof Other) pi.registerCommand("made", {});
        };
        "#,
        "
        command one
        command late
        command made
        ",
    );
}

#[test]
fn loops_over_what_is_known() {
    factory(
        r#"
        for (const name of ["a", "b"]) pi.registerCommand(name, {});
        for (let i = 0; i < 3; i++) pi.registerCommand(`n${i}`, {});
        for (const key in { x: 1, y: 2 }) pi.registerCommand(key, {});
        const more = [..."pq", ...["r"]];
        for (const [index, name] of [[1, "s"], [2, "t"]]) { if (index === 2) continue; pi.registerCommand(name, {}); }
        let i = 0;
        while (true) { if (i >= 1) break; pi.registerCommand(more[i], {}); i++; }
        "#,
        "
        command a
        command b
        command n0
        command n1
        command n2
        command x
        command y
        command s
        command p
        ",
    );
}

#[test]
fn a_second_registration_is_listed_as_well() {
    factory(
        r#"pi.registerTool({ name: "a" }); pi.registerTool({ name: "a" }); pi.registerTool({});"#,
        "
        tool a
        tool a
        tool undefined
        ",
    );
}

#[test]
fn what_is_not_pi_is_not_reported() {
    modules(
        &[
            (
                "index.ts",
                r#"
                import { helper } from "./other.ts";
                const registry = { registerTool() {} };
                function registerCommand() {}
                export default (pi) => {
                    registry.registerTool({ name: "no" });
                    registerCommand("no", {});
                    if (false) pi.registerTool({ name: "dead" });
                    pi.registerTool({ name: helper() });
                };
                "#,
            ),
            (
                "other.ts",
                r#"
                export const helper = () => "yes";
                export default (pi) => pi.registerTool({ name: "of another extension" });
                "#,
            ),
        ],
        "tool yes",
    );
}

#[test]
fn destructured_alternatives_keep_their_places() {
    factory(
        r#"
        const [first, second = "none", ...others] = unknown.a ? unknown.list : ["x", "y", "z"];
        pi.registerTool({ name: first });
        pi.registerTool({ name: `${second}-${others.length}` });
        const list = [];
        if (unknown.b) list.push("p");
        list.push("q");
        const [head] = list;
        pi.registerCommand(head, {});
        "#,
        "
        tool ? what a subprocess prints if unknown.a
        tool x if !(unknown.a)
        tool ? what a subprocess prints if unknown.a
        tool y-1 if !(unknown.a)
        command p if unknown.b
        command q if !(unknown.b)
        ",
    );
}

#[test]
fn the_name_of_a_function_expression_is_the_function_itself() {
    factory(
        r#"
        const once = (fn) => function run() { if (run.done) return; run.done = true; fn(); };
        const only = once(() => pi.registerTool({ name: "once" }));
        only();
        only();
        const counter = function next() { return (next.n = (next.n ?? 0) + 1); };
        counter();
        pi.registerTool({ name: `n${counter()}` });
        const tagged = function self() { return self.tag; };
        tagged.tag = "tag";
        pi.registerTool({ name: tagged() });
        pi.registerTool({ name: `${(function me() { return me; })() === tagged} ${tagged === (function f(f) { return f; })(tagged)}` });
        const steps = function* all() { yield all.first; };
        steps.first = "yielded";
        pi.registerTool({ name: [...steps()][0] });
        "#,
        "
        tool once
        tool n2
        tool tag
        tool false true
        tool yielded
        ",
    );
}

#[test]
fn rarer_forms_of_the_language() {
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        for (const index in "ab") add(`i${index}`);
        for (const index in 5) add("never");
        add(JSON.stringify({ d: { toJSON: (key) => key } }));
        add(JSON.stringify([{ toJSON: (key) => `<${key}>` }], (key, value) => (key === "0" ? `${value}!` : value)));
        add(new RegExp("a/b").source);
        add(String(new RegExp("[/]/\\/")));
        add(`empty ${new RegExp("").source}`);
        const computed = { __proto__: { a: "p" }, ["__proto__"]: 1 };
        add(`${computed.a} ${Object.keys(computed)}`);
        const __proto__ = { a: "q" };
        const shorthand = { __proto__ };
        add(`${shorthand.a} ${Object.keys(shorthand)}`);
        add(`${{ __proto__: 5 }}`);
        "#,
        r#"
        tool i0
        tool i1
        tool {"d":"d"}
        tool ["<0>!"]
        tool a\/b
        tool /[/]\/\//
        tool empty (?:)
        tool p __proto__
        tool undefined __proto__
        tool [object Object]
        "#,
    );
}

#[test]
fn names_that_are_only_declared_are_global() {
    module(
        r#"
        declare const process: any; declare let total: any; declare const DEFINED: string;
        interface Shape { a: number } const Shape = { a: 1 };
        function over(a: string): string; function over(a: any) { return "o" + a; }
        export default (pi: any) => {
            pi.registerTool({ name: typeof process.platform + typeof DEFINED + Shape.a + over("x") });
            try { total = 5; pi.registerTool({ name: "no" }); } catch (error: any) { pi.registerTool({ name: error.message }); }
            for (DEFINED of []) {}
            for (total = 0; total < 2; total++) pi.registerTool({ name: "t" });
        };
        "#,
        "
        tool stringundefined1ox because the platform is linux
        tool total is not defined
        fails: Failed to load extension: total is not defined
        ",
    );
}

#[test]
fn keys_that_are_deleted_do_not_come() {
    factory(
        r#"
        const o = { a: 1, b: 2, c: 3 };
        for (const key in o) { delete o.b; o.d = 4; pi.registerTool({ name: key }); }
        for (const index in "ab") pi.registerTool({ name: "i" + index });
        "#,
        "
        tool a
        tool c
        tool i0
        tool i1
        ",
    );
}

#[test]
fn proxies_have_more_traps() {
    factory(
        r#"
        const log = [];
        const proxy = new Proxy({ a: 1 }, {
            deleteProperty(target, key) { log.push("d" + key); return delete target[key]; },
            defineProperty(target, key, how) { log.push("p" + key + Object.keys(how).length); return Reflect.defineProperty(target, key, how); },
            getPrototypeOf: () => Array.prototype,
        });
        proxy.a = 2; proxy.b = 3; delete proxy.a;
        pi.registerTool({ name: log.join("_") + Object.keys(proxy) + (proxy instanceof Array) });
        const { proxy: gone, revoke } = Proxy.revocable({ a: 1 }, {});
        revoke();
        try { gone.a; } catch (error) { pi.registerTool({ name: error.name }); }
        "#,
        "
        tool pa1_pb4_dabtrue
        tool TypeError
        ",
    );
}

#[test]
fn what_the_language_says_of_objects() {
    factory(
        r#"
        const tag = (texts) => texts, same = () => tag`a`;
        class A { constructor(a, b = 1) {} } class B extends A {}
        const key = "__proto__";
        const hidden = Object.defineProperty({}, "h", { value: 1 });
        pi.registerTool({ name: [same() === same(), tag`a` === tag`a`, A.length, B.length, Object.keys({ [key]: 1 }), hidden.propertyIsEnumerable("h"), typeof EventSource].join() });
        "#,
        "tool true,false,1,0,__proto__,false,undefined",
    );
}

#[test]
fn decorators_of_parameters() {
    module(
        r"
        const seen: string[] = [];
        const P = (target: any, key: any, at: number) => { seen.push(typeof target + String(key) + at); };
        class T { constructor(@P x: string) {} run(@P q: string, @P r: string) {} }
        export default (pi: any) => { for (const name of seen) pi.registerTool({ name }); };
        ",
        "
        tool objectrun1
        tool objectrun0
        tool functionundefined0
        ",
    );
}

#[test]
fn functions_and_classes_are_named_by_what_holds_them() {
    factory(
        r#"
        const arrow = () => 1;
        const Made = class extends Map {};
        const table = { plain: () => 1, method() {}, get got() { return 1; }, Kept: class {} };
        class Holder { field = () => 1; static Inner = class {}; }
        const byDefault = ({ given = function () {} } = {}) => given.name;
        const [listed] = [() => 1];
        const names = [arrow, Made, table.plain, table.method, table.Kept, new Holder().field, Holder.Inner].map((it) => it.name);
        pi.registerTool({ name: names.join(" ") });
        pi.registerTool({ name: `${byDefault()} ${arrow.bind(null).name} ${listed.name || "none"}` });
        "#,
        "
        tool arrow Made plain method Kept field Inner
        tool given bound arrow none
        ",
    );
}
