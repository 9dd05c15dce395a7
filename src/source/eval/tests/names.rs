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
