//! Generators, loops that see what their bodies do, and rarer forms of classes and blocks.

use super::{factory, module};

#[test]
fn a_generator_does_no_more_than_it_is_asked_for() {
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        function* steps() { add("begun"); yield "one"; add("between"); yield "two"; add("end"); }
        steps();
        const some = steps();
        add("not yet");
        add(some.next().value);
        add(some.next().value);
        function* endless() { let i = 0; while (true) { add(`made${i}`); yield i++; } }
        for (const i of endless()) { if (i === 2) break; add(`used${i}`); }
        function* never() { add("never"); }
        never();
        "#,
        "
        tool not yet
        tool begun
        tool one
        tool between
        tool two
        tool made0
        tool used0
        tool made1
        tool used1
        tool made2
        ",
    );
}

#[test]
fn all_of_a_generator() {
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        function* inner() { yield "x"; return "returned"; }
        function* outer() { if (unknown.a) yield "a"; const last = yield* inner(); add(last); yield "y"; }
        for (const name of outer()) add(name);
        for (const name of [...inner()]) add(`spread ${name}`);
        class Names { *[Symbol.iterator]() { yield "own"; } }
        for (const name of new Names()) add(name);
        "#,
        "
        tool returned
        tool a if unknown.a
        tool x
        tool y
        tool spread x
        tool own
        ",
    );
    module(
        r#"
        async function* names() { for (const name of ["a", "b"]) { await null; yield name; } }
        export default async (pi) => { for await (const name of names()) pi.registerTool({ name }); };
        "#,
        "
        tool a
        tool b
        ",
    );
}

#[test]
fn loops_see_what_their_bodies_change() {
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        const list = ["a"];
        for (const name of list) { add(name); if (list.length < 3) list.push(`${name}a`); }
        const set = new Set(["s"]);
        for (const name of set) { add(name); if (set.size < 2) set.add("t"); }
        const map = new Map([["k", 1], ["l", 2]]);
        for (const [name] of map) { add(name); map.delete("l"); }
        const gone = ["x", "gone", "y"];
        gone.forEach((name) => { add(name); if (name === "x") gone.splice(1, 1); });
        "#,
        "
        tool a
        tool aa
        tool aaa
        tool s
        tool t
        tool k
        tool x
        tool y
        ",
    );
}

#[test]
fn resources_are_disposed_of() {
    module(
        r#"
        export default async (pi) => {
            const add = (name) => pi.registerTool({ name });
            const resource = (name) => ({ [Symbol.dispose]() { add(name); } });
            const run = () => { using a = resource("first made"); using b = resource("last made"); using none = null; return "returned"; };
            add(run());
            { await using c = { async [Symbol.asyncDispose]() { await null; add("waited for"); } }; add("inside"); }
            add("after");
        };
        "#,
        "
        tool last made
        tool first made
        tool returned
        tool inside
        tool waited for
        tool after
        ",
    );
}

#[test]
fn decorators_are_called() {
    module(
        r#"
        const commands = [];
        const command = (name) => (target, key, descriptor) => { commands.push([name, key, typeof descriptor.value]); };
        const named = (name) => (target) => { target.label = name; };
        @named("label")
        class Commands {
            @command("one") first() {}
            @command("two") static second() {}
        }
        export default (pi) => {
            for (const parts of commands) pi.registerCommand(parts.join("-"), {});
            pi.registerCommand(Commands.label, {});
        };
        "#,
        "
        command one-first-function
        command two-second-function
        command label
        ",
    );
}

#[test]
fn classes_of_lists_and_setters_of_parents() {
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        class List extends Array { last() { return this[this.length - 1]; } }
        add(List.from(["a", "from"]).last());
        add(List.of("of").map((it) => `mapped ${it}`).last());
        class Parent { #value = ""; get value() { return this.#value; } set value(it) { this.#value = `set ${it}`; } }
        class Child extends Parent { get value() { return super.value; } set value(it) { super.value = it; } }
        const child = new Child();
        child.value = "it";
        add(child.value);
        "#,
        "
        tool from
        tool mapped of
        tool set it
        ",
    );
}
