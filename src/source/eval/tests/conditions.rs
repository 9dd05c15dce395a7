//! Conditions that are not known.

use super::{factory, registered};

#[test]
fn both_ways_of_an_unknown_condition() {
    factory(
        r#"
        if (unknown.a) pi.registerTool({ name: "a" });
        else pi.registerTool({ name: "b" });
        unknown.c && pi.registerTool({ name: "c" });
        unknown.d || pi.registerTool({ name: "d" });
        pi.registerTool({ name: "after" });
        "#,
        "
        tool a if unknown.a
        tool b if !(unknown.a)
        tool c if unknown.c
        tool d if !(unknown.d)
        tool after
        ",
    );
}

#[test]
fn in_both_ways_is_certain() {
    factory(
        r#"
        if (unknown.a) { pi.registerTool({ name: "x", one: 1 }); } else { pi.registerTool({ name: "x" }); }
        if (unknown.b) { pi.registerTool({ name: "y" }); return; }
        pi.registerTool({ name: "y" });
        "#,
        "
        tool x
        tool y
        ",
    );
}

#[test]
fn an_early_return_makes_the_rest_conditional() {
    factory(
        r#"
        pi.registerTool({ name: "a" });
        if (unknown.stop) return;
        pi.registerTool({ name: "b" });
        if (unknown.inner) { if (unknown.more) return; pi.registerTool({ name: "c" }); }
        pi.registerTool({ name: "d" });
        "#,
        "
        tool a
        tool b if !(unknown.stop)
        tool c if !(unknown.stop) && unknown.inner && !(unknown.more)
        tool d if !(unknown.stop) && !(unknown.inner && unknown.more)
        ",
    );
}

#[test]
fn a_return_in_a_helper_ends_only_the_helper() {
    factory(
        r#"
        const helper = () => { if (unknown.stop) return; pi.registerTool({ name: "a" }); };
        helper();
        pi.registerTool({ name: "b" });
        "#,
        "
        tool a if !(unknown.stop)
        tool b
        ",
    );
}

#[test]
fn values_remember_their_conditions() {
    factory(
        r#"
        const name = unknown.a ? "yes" : "no";
        pi.registerTool({ name });
        let definition;
        if (unknown.b) definition = { name: "defined" };
        if (definition) pi.registerTool(definition);
        const tools = [{ name: "first" }];
        if (unknown.c) tools[1] = { name: "second" };
        const all = [...tools, ...(unknown.d ? [{ name: "third" }] : [])];
        for (const tool of all) pi.registerTool(tool);
        "#,
        "
        tool yes if unknown.a
        tool no if !(unknown.a)
        tool defined if unknown.b
        tool first
        tool second if unknown.c
        tool third if unknown.d
        ",
    );
}

#[test]
fn one_condition_tested_twice_goes_the_same_way() {
    factory(
        r#"
        const flag = unknown.flag;
        if (flag) { if (!flag) pi.registerTool({ name: "never" }); else pi.registerTool({ name: "a" }); }
        if (!flag) return;
        if (flag) pi.registerTool({ name: "b" });
        const mode = unknown.mode;
        if (mode === "x") pi.registerTool({ name: "c" }); else if (mode === "x") pi.registerTool({ name: "never" });
        "#,
        "
        tool a if flag
        tool b if flag
        tool c if flag && mode === \"x\"
        ",
    );
}

#[test]
fn what_contradicts_itself_does_not_happen() {
    factory(
        r#"
        const { a, b, c } = unknown;
        if (a && b) return;
        pi.registerTool({ name: "first" });
        if (b && a) pi.registerTool({ name: "never" });
        if (b) { if (a) pi.registerTool({ name: "never either" }); else pi.registerTool({ name: "b alone" }); }
        const name = a && b ? "no" : "yes";
        pi.registerTool({ name });
        const options = { x: "kept", ...(!c && c && { x: "lost" }) };
        pi.registerTool({ name: options.x });
        const inverse = !c;
        if (c) pi.registerTool({ name: `inverse ${inverse}` });
        "#,
        "
        tool first if !(a && b)
        tool b alone if !(a && b) && b
        tool yes if !(a && b)
        tool kept if !(a && b)
        tool inverse false if !(a && b) && !(!c)
        ",
    );
}

#[test]
fn unknown_loops_and_switches() {
    factory(
        r#"
        for (const name of unknown.names) { pi.registerCommand("each", {}); pi.registerCommand(name, {}); }
        switch (unknown.kind) {
            case "a": pi.registerTool({ name: "a" }); break;
            case "b": pi.registerTool({ name: "b" });
            default: pi.registerTool({ name: "rest" });
        }
        pi.registerTool({ name: "after" });
        "#,
        r#"
        command each if unknown.names
        command ? what a subprocess prints if unknown.names
        tool a if unknown.kind === "a"
        tool b if !(unknown.kind === "a") && unknown.kind === "b"
        tool rest if !(unknown.kind === "a")
        tool after
        "#,
    );
}

#[test]
fn what_a_loop_of_unknown_length_leaves_is_unknown() {
    factory(
        r#"
        let n = 0;
        const found = [];
        let first = true;
        for (const it of unknown.list) { n++; found[n] = it; if (!first) pi.registerTool({ name: "later turn" }); first = false; }
        if (n === 0) pi.registerTool({ name: "none" });
        "#,
        "
        tool later turn if unknown.list && !first
        tool none if n === 0
        ",
    );
}

#[test]
fn turns_of_unknown_number_see_what_others_have_counted() {
    for head in [
        "for (let i = 0; i < n; i++) {",
        "for (var i = 0; i < n; i++) {",
        "let i = -1; while (++i < n) {",
        "let i = 0; while (i < n) { const before = i; i = before + 1;",
        "let i = 0; do { i++;",
    ] {
        let tail = if head.contains("do {") { "while (i < n)" } else { "" };
        let body =
            format!("const n = pi.exec('x').length; {head} pi.registerCommand('c' + i, {{}}); }} {tail}");
        let text = format!("export default (pi) => {{ {body} }};");
        let found = registered(&[("/x.ts", &text)], &[]);
        assert!(found.contains("command ?"), "{head}\ngives\n{found}");
    }
}

#[test]
fn one_call_that_cannot_be_determined_is_said_once() {
    factory(
        "
        const name = unknown.a ? unknown[0] : unknown.b ? unknown[1] : unknown[2];
        pi.registerCommand(name, {});
        pi.registerCommand(unknown.name, {});
        ",
        "
        command ? what a subprocess prints
        command ? what a subprocess prints
        ",
    );
}

#[test]
fn what_is_asked_of_an_expression_is_part_of_the_condition() {
    factory(
        r#"
        pi.registerCommand(unknown.name ?? "fallback", {});
        const either = unknown.a ? unknown.b : null;
        either ?? pi.registerTool({ name: "neither" });
        "#,
        "
        command fallback if unknown.name == null
        command ? what a subprocess prints if !(unknown.name == null)
        tool neither if !(unknown.a && !(either == null))
        ",
    );
}
