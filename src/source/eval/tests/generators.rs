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

#[test]
fn what_a_parent_constructor_returns_is_this() {
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        class Api { constructor(pi) { this.pi = pi; return new Proxy(this, { get: (target, key) => (key in target ? target[key] : (name) => target.pi[key]({ name })) }); } }
        class Implicit extends Api { own = "field"; start() { this.registerTool("implicit"); add(this.own); } }
        new Implicit(pi).start;
        add(new Implicit(pi).own);
        Implicit.prototype.start.call(new Implicit(pi));
        class Explicit extends Api { #secret = "private"; constructor(pi) { super(pi); this.registerTool("explicit"); this.read = () => this.#secret; } }
        add(new Explicit(pi).read());
        class Deeper extends Explicit { constructor(pi) { const before = super(pi); add(`${before === this}`); } }
        new Deeper(pi);
        const shared = { name: "shared" };
        function Old() { return shared; }
        class New extends Old { label = "label"; }
        add(new New().name + shared.label);
        class Maybe { constructor(other) { if (other) return { name: "other" }; this.name = "own"; } }
        class Child extends Maybe {}
        add(new Child(unknown.a).name);
        class Wrapped { constructor() { this.kind = new.target.name; } }
        class Around extends new Proxy(Wrapped, {}) {}
        add(new Around().kind);
        add(`${new Around() instanceof Wrapped}`);
        const run = (call) => call();
        class Lazily extends Api { constructor(pi) { run(() => super(pi)); this.registerTool("lazily"); } }
        new Lazily(pi);
        "#,
        "
        tool field
        tool implicit
        tool explicit
        tool private
        tool true
        tool sharedlabel
        tool other if other
        tool own if !(other)
        tool Around
        tool lazily
        ",
    );
}

#[test]
fn what_is_sent_to_a_generator() {
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        class Effect { constructor(value) { this.value = value; } *[Symbol.iterator]() { return yield this; } }
        const run = (make) => { const it = make(); let step = it.next(); while (!step.done) step = it.next(step.value.value); return step.value; };
        const result = run(function* () { const first = yield* new Effect(1); add(`got ${first}`); if (first === 1) add("one"); return first + 1; });
        if (result !== 2) return;
        add("ok");
        "#,
        "
        tool got 1
        tool one
        tool ok
        ",
    );
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        const run = (make) => { const it = make(); let step = it.next(); while (!step.done) step = it.next(step.value); return step.value; };
        const result = run(function* () { const sum = (yield 1) + (yield 2); add(`sum ${sum}`); return sum; });
        if (result !== 3) return;
        add("ok");
        "#,
        "
        tool ? what is sent to a generator
        tool ok if !(result !== 3)
        ",
    );
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        function* inner() { yield "a"; return "returned"; }
        const wrapped = { [Symbol.iterator]: () => { let n = 0; return { next: () => ({ done: n++ > 1, value: `n${n}` }) }; } };
        function* outer() { add(yield* inner()); add(yield* wrapped); add(`${yield* ["x"]}`); }
        for (const name of outer()) add(name);
        "#,
        "
        tool returned
        tool n3
        tool undefined
        tool a
        tool n1
        tool n2
        tool x
        ",
    );
}

#[test]
fn errors_that_are_thrown_into_a_generator() {
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        const steps = function* () { try { yield 1; add("went on"); } catch (error) { add("caught"); } };
        const it = steps();
        it.next();
        const thrown = new Error("thrown");
        it.throw(thrown);
        const fresh = steps();
        try { fresh.throw(new Error("at once")); } catch (error) { add(error.message); }
        const left = (function* () { try { yield 1; } finally { add("finally"); } })();
        left.next();
        add(left.return("left").value);
        add(`${left.next().done}`);
        add("end");
        "#,
        "
        tool caught
        tool at once
        tool finally
        tool left
        tool true
        tool end
        ",
    );
}

#[test]
fn what_a_generator_throws_concerns_whoever_asked_for_a_value() {
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        const steps = function* () { try { yield 1; throw new Error("inside"); } catch { add("inside"); } yield 2; throw new Error("outside"); };
        const it = steps();
        it.next();
        add("first");
        it.next();
        add("second");
        try { it.next(); add("never"); } catch (error) { add(error.message); }
        add(`${it.next().done}`);
        const fails = steps();
        fails.next();
        fails.next();
        fails.next();
        "#,
        "
        tool first
        tool inside
        tool second
        tool outside
        tool true
        fails: Failed to load extension: outside
        ",
    );
}

#[test]
fn steps_of_asynchronous_generators_are_promises() {
    module(
        r#"
        async function* names() { yield "a"; await null; yield "b"; throw new Error("no more"); }
        export default (pi) => {
            const it = names();
            return it.next().then(async (step) => {
                pi.registerCommand(step.value, {});
                pi.registerCommand((await it.next()).value, {});
                await it.next().catch((error) => pi.registerCommand(error.message, {}));
            });
        };
        "#,
        "
        command a
        command b
        command no more
        ",
    );
}

#[test]
fn generators_stand_still_between_their_values() {
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        let name = "early";
        const steps = function* (limit) {
            add(`begins ${name}`);
            for (let i = 0; i < limit; i++) {
                if (i === 1) continue;
                const sent = yield i;
                add(`${name} ${sent}`);
                if (sent === "stop") break;
            }
            for (const each of ["x", "y"]) { name = yield each; }
            try {
                try { yield "try"; } catch (error) { add(`caught ${error}`); } finally { add("finally"); }
                while (true) { const last = yield* inner(); if (last) return last; }
            } finally { add("over"); }
        };
        function* inner() { let got = yield "inner"; do { got = yield got; } while (got !== "out"); return "result"; }
        const it = steps(3);
        const show = ({ value, done }) => `${value} ${done}`;
        name = "late";
        add(show(it.next("ignored")));
        name = "later";
        add(show(it.next("a")));
        add(show(it.next("stop")));
        add(show(it.next("p")));
        add(show(it.next("q")));
        add(name);
        add(show(it.throw("thrown")));
        add(show(it.next("back")));
        add(show(it.next("out")));
        add(show(it.next()));
        try { it.throw("too late"); } catch (error) { add(error); }
        const rest = (function* () { yield 1; yield 2; yield 3; })();
        rest.next();
        add([...rest].join());
        "#,
        "
        tool begins late
        tool 0 false
        tool later a
        tool 2 false
        tool later stop
        tool x false
        tool y false
        tool try false
        tool q
        tool caught thrown
        tool finally
        tool inner false
        tool back false
        tool over
        tool result true
        tool undefined true
        tool too late
        tool 2,3
        ",
    );
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        const steps = (function* () { yield 1; if (unknown.a) return; yield 2; add("end"); })();
        steps.next();
        steps.next();
        add("after");
        "#,
        "
        anything ? a generator of which it is not known where it goes on
        tool after
        ",
    );
}

#[test]
fn iterators_of_the_program_are_asked_one_by_one() {
    module(
        r#"
        const upTo = (count) => ({ [Symbol.iterator]() { let at = 0; return {
            next: () => (at < count ? { value: at++, done: false } : { done: true }),
            return: () => { log.push("left"); return {}; },
        }; } });
        const log = [];
        const failing = { [Symbol.asyncIterator]() { let at = 0; return { async next() { if (at > 1) throw new Error("end"); return { value: "v" + at++ }; } }; } };
        export default async (pi) => {
            for (const x of upTo(2)) pi.registerTool({ name: "a" + x });
            for (const x of upTo(9)) if (x) break;
            pi.registerTool({ name: log.join() });
            try { for await (const x of failing) pi.registerTool({ name: x }); } catch (error) { pi.registerTool({ name: error.message }); }
        };
        "#,
        "
        tool a0
        tool a1
        tool left
        tool v0
        tool v1
        tool end
        ",
    );
}

#[test]
fn loops_take_one_value_of_a_generator_after_the_other() {
    module(
        r#"
        const log = [];
        const told = () => log.splice(0).join(" ");
        function* counted(count) {
            log.push("begins");
            try { for (let i = 0; i < count; i++) { yield i; log.push(`behind ${i}`); } } finally { log.push("over"); }
        }
        function* first(it) { for (const x of it) { yield x; return; } }
        function* all(...its) { for (const it of its) yield* it; }
        async function* slow(count) { try { for (let i = 0; i < count; i++) { await null; yield i; } } finally { log.push("closed"); } }
        async function* mapped(it) { for await (const x of it) yield `m${x}`; }
        export default async (pi) => {
            const add = (name) => pi.registerTool({ name });
            for (const x of counted(2)) log.push(`turn ${x}`);
            add(told());
            for (const x of counted(9)) if (x === 1) break;
            add(told());
            for (const x of first(counted(9))) log.push(`turn ${x}`);
            add(told());
            for (const x of all(counted(1), counted(5))) { log.push(`turn ${x}`); if (log.length > 6) break; }
            add(told());
            const found = () => { for (const x of counted(5)) if (x === 1) return `found ${x}`; };
            log.push(found());
            try { for (const x of counted(5)) throw `thrown ${x}`; } catch (error) { log.push(error); }
            add(told());
            for await (const x of mapped(slow(9))) { log.push(x); if (x === "m1") break; }
            add(told());
        };
        "#,
        "
        tool begins turn 0 behind 0 turn 1 behind 1 over
        tool begins behind 0 over
        tool begins turn 0 over
        tool begins turn 0 behind 0 over begins turn 0 behind 0 turn 1 over
        tool begins behind 0 over found 1 begins over thrown 0
        tool m0 m1 closed
        ",
    );
}

#[test]
fn generators_run_to_their_end_where_their_way_is_not_known() {
    factory(
        r#"
        function* branching() { yield "a"; if (unknown.b) yield "b"; yield "c"; if (unknown.d) return; yield "d"; }
        function* looping(on) { while (on) { yield "e"; on = unknown.f; } for (const x of ["g", "h"]) { if (unknown[x]) continue; yield x; } }
        function* guarded() { try { yield "i"; if (unknown.j) throw "k"; } catch (error) { yield error; } yield* branching(); yield "l"; }
        const add = (kind, it) => { for (const name of it) pi.registerTool({ name: `${kind} ${name}` }); };
        add(1, branching());
        add(2, looping(unknown.on));
        add(3, guarded());
        for (const name of branching()) { if (unknown.stop) break; pi.registerCommand(name, {}); }
        "#,
        "
        tool 1 a
        tool 1 b if unknown.b
        tool 1 c
        tool 1 d if !(unknown.d)
        tool 2 e if on
        tool 2 g if !(unknown[x])
        tool 2 h if !(unknown[x])
        tool 3 i
        tool 3 k if unknown.j
        tool 3 a
        tool 3 b if unknown.b
        tool 3 c
        tool 3 d if !(unknown.d)
        tool 3 l
        command a if !(unknown.stop)
        command b if !(unknown.stop) && unknown.b
        command c if !(unknown.stop)
        command d if !(unknown.stop) && !(unknown.d)
        ",
    );
}

#[test]
fn iterators_go_on_where_they_were_left() {
    factory(
        r#"
        const add = (name) => pi.registerTool({ name });
        const words = ["--name", "x", "pos"].values();
        for (const word of words) add(word === "--name" ? `name ${words.next().value}` : word);
        const lines = ["head", "first", "second"].values();
        const [head] = lines;
        for (const line of lines) add(`${head} ${line}`);
        let closed = 0;
        function* counting() { try { let i = 0; while (true) yield i++; } finally { closed++; } }
        const [zero, one] = counting();
        add(`${zero} ${one} ${closed}`);
        const written = { [Symbol.iterator]() { let i = 0; return { next: () => ({ value: i++, done: false }), return() { closed++; return {}; } }; } };
        const [a, , b] = written;
        add(`${a} ${b} ${closed}`);
        "#,
        "
        tool name x
        tool pos
        tool head first
        tool head second
        tool 0 1 1
        tool 0 2 2
        ",
    );
}
