//! Small sources and what becomes of them.

use super::print::print;
use crate::location::SourceMap;
use crate::source::ir::{Dialect, Module};
use crate::source::parse::{Goal, parse};

fn lowered(text: &str, dialect: Dialect, goal: Goal) -> Module {
    let file = SourceMap::new().add("/m", text);
    parse(text, file, dialect, goal).unwrap()
}

fn ts(text: &str) -> String {
    print(&lowered(text, Dialect::TypeScript, Goal::Transpiled))
}

fn cjs(text: &str) -> String {
    print(&lowered(text, Dialect::JavaScript, Goal::CommonJs))
}

#[test]
fn names_are_resolved() {
    insta::assert_snapshot!(ts(
        "let a = 1; { let a = 2; a; } function f(a) { var b = a; { var b; let c = b } return arguments }
         const g = function h() { return h }; const k = class L { m() { return L } };
         for (let i = 0, n = 2; i < n; i++) f(i); for (const x of [a]) () => x;
         try { b } catch ({ message }) { message } label: for (;;) { continue label }"
    ));
}

#[test]
fn types_leave_no_trace() {
    insta::assert_snapshot!(ts(
        "import type { A } from './a'; import { B, c } from './b'; import { type D } from './d'; import './e';
         export type { F } from './f'; export * as g from './g'; export { h as default } from './h';
         interface I {} type T = B; declare const z: number; declare function w(): void;
         abstract class K<T> extends (c as any)<T> { declare x: number; y!: string; z?: T; abstract q(): void;
           constructor(private readonly p: number, o = 1) { super() } static #s = <any>1; get v() { return this.y! } }
         function over(a: string): void; function over(a: any) {} (c satisfies any) = c!; c<string>;"
    ));
}

#[test]
fn typescript_that_runs() {
    insta::assert_snapshot!(ts(
        "enum E { A = 1, B = A, 'c d' } export namespace N { export const x = 1; let y = x; export function f() {}
         namespace M { export const z = 2 } } namespace O.P { export const q = 1 } import r = N.x; r;
         import s = require('./s'); s; import t = require('./t'); namespace Types { export type X = 1 }
         @d class D { @d m() {} }"
    ));
}

#[test]
fn exports() {
    insta::assert_snapshot!(ts(
        "import { a, default as b } from './x'; export { a, b as 'c d' }; export const { e, f: [g] } = a, h = 1;
         export function k() {} export class L {} export enum M {} export default async function (pi) { await pi }"
    ));
    insta::assert_snapshot!(ts("export default class {}"));
    insta::assert_snapshot!(ts("export default { a: 1 } as const"));
    insta::assert_snapshot!(ts("export = (pi: any) => pi.x"));
}

#[test]
fn expressions() {
    insta::assert_snapshot!(ts(
        "x?.a?.(1, ...y)[z]?.b; delete x.a; x.a ??= 1; x += 2; [a.b, , ...c] = d; ({ e = 1, f: g.h, ...i } = j);
         `a${1}b`; tag`\\u{41}${2}`; ({ a, 'b': 1, 3: 2, [c]: 4, get d() { return 1 }, set d(v) {}, async *e() {}, ...f });
         new A; new.target2; typeof q; void 0; 1n; /a/g; a ? b : c; (a, b); a && b || c; a ** -b; import('./x');
         import.meta.url; async () => await x; function* g() { yield; yield* x } -1; i++; --j;
         class P extends Q { #p = 1; m() { return #p in this && super.m(this.#p) && super['n'] } }"
            .replace("new.target2", "function t() { new.target }")
            .as_str()
    ));
}

#[test]
fn statements() {
    insta::assert_snapshot!(ts(
        "if (a) b; else if (c) { d } else e; while (a) b; do { c } while (d); switch (a) { case 1: let x = 1; break;
         default: function y() {} } for (k in o) {} for (var v of w) {} for (;;) break; throw a;
         async function z() { for await (const q of r) return q } if (a) { ; } debugger; try { a } finally { b }
         class S { static { var u = 1; } static f = 1 }"
    ));
}

#[test]
fn commonjs() {
    insta::assert_snapshot!(cjs(
        "const x = require('./x'); module.exports = function () { return __dirname }; exports.a = x;
         with (x) { y } if (x) function f() {} return"
    ));
}

#[test]
fn quiet_modules_can_wait() {
    let has_effects = |text| lowered(text, Dialect::TypeScript, Goal::Transpiled).has_effects;
    assert!(!has_effects(
        "export const a = { b: [1, 'x'], c() {} }; export class D { e = f() } function f() {}"
    ));
    assert!(has_effects("f(); function f() {}"));
    assert!(has_effects("class A { static b = f() } function f() {}"));
    assert!(has_effects("x.y = 1"));
    assert!(has_effects("await 1"));
    assert!(has_effects("const { a } = b"));
}
