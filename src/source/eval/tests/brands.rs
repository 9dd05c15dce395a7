//! What libraries test at load time to tell what a value is.

use super::builtins::expressions;
use super::modules;

#[test]
fn regular_expressions_own_where_they_go_on() {
    expressions(&[
        (
            "Object.getOwnPropertyDescriptor(/x/, 'lastIndex')",
            r#"{"value":0,"writable":true,"enumerable":false,"configurable":false}"#,
        ),
        ("Object.hasOwn(/x/, 'lastIndex')", "true"),
        ("Object.keys(/x/)", "[]"),
        ("(() => { const it = /a/g; it.test('ba'); return [it.lastIndex, Object.keys(it)]; })()", "[2,[]]"),
        (
            "(() => { const mark = {}; try { RegExp.prototype.exec.call(/x/, { toString() { throw mark; } }); } catch (e) { return e === mark; } })()",
            "true",
        ),
        ("'axb'.replace({ toString: () => 'x' }, 'y')", r#""ayb""#),
    ]);
}

#[test]
fn lists_of_arguments_are_asked_for_their_length() {
    expressions(&[
        (
            "(() => { const mark = {}; const list = Object.defineProperty({}, 'length', { get() { throw mark; } }); try { Reflect.apply(() => { throw 1; }, null, list); } catch (e) { return e === mark; } })()",
            "true",
        ),
        ("Math.max.apply(null, { length: 2, 0: 3, 1: 7 })", "7"),
        ("Reflect.construct(Array, { length: 3, 0: 1 }).length", "3"),
        ("(function () { return arguments.length; }).apply(null, new Set([1, 2]))", "0"),
        (
            "(() => { try { Reflect.apply(() => 1, null); } catch (e) { return e.message; } })()",
            r#""CreateListFromArrayLike called on non-object""#,
        ),
        (
            "(() => { try { Reflect.apply({}, null, { get length() { throw 1; } }); } catch (e) { return e.name; } })()",
            r#""TypeError""#,
        ),
    ]);
}

#[test]
fn functions_tell_their_text_where_node_loads_the_file() {
    modules(
        &[
            (
                "index.js",
                r#"
                import probe from "probe";
                export default (pi) => { for (const text of probe) pi.registerCommand(text, {}); };
                "#,
            ),
            ("node_modules/probe/package.json", r#"{ "name": "probe", "main": "main.js" }"#),
            (
                "node_modules/probe/main.js",
                "const text = Function.prototype.toString;
                const isClass = (it) => /^\\s*class\\b/.test(text.call(it));
                function a(b) { return b; }
                module.exports = [text.call(a), String(x => 1), isClass(class A {}) + ' ' + isClass(a)];
                try { text.call({}); } catch (e) { module.exports.push(e.name); }",
            ),
        ],
        "
        command function a(b) { return b; }
        command x => 1
        command true false
        command TypeError
        ",
    );
}

#[test]
fn bytes_are_told_from_other_objects() {
    expressions(&[
        ("new TextEncoder().encode('h\u{e9}').length", "3"),
        ("new TextEncoder().encode() instanceof Uint8Array", "true"),
        ("Buffer.from('x') instanceof Uint8Array", "true"),
        (
            "[Buffer.isBuffer(Buffer.from('x')), Buffer.isBuffer(new Uint8Array(1)), Buffer.isBuffer('x')]",
            "[true,false,false]",
        ),
        ("[ArrayBuffer.isView(new Uint8Array(1)), ArrayBuffer.isView([1])]", "[true,false]"),
        ("Object.prototype.toString.call(new Uint8Array(1))", r#""[object Uint8Array]""#),
    ]);
}

#[test]
fn how_an_unmodelled_property_is_defined_is_not_made_up() {
    super::factory(
        r#"
        pi.registerTool({ name: typeof Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength")?.get });
        "#,
        "tool ? how a property is defined",
    );
}
