//! From text to [`Module`]: parsing with oxc, early errors, lowering.

use std::cell::Cell;

use oxc_allocator::Allocator;
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{SemanticBuilder, Stats};
use oxc_span::SourceType;

use super::ir::{Dialect, Module, Range};
use super::leniency::{is_tolerated, second_declaration};
use super::lower;
use super::outline::Outline;
use crate::location::FileId;

/// What the loader takes a text for. Decides about strict mode, `return` at the top, and which names are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// Transpiled by jiti: Babel's module goal, strict.
    Transpiled,
    /// An ECMAScript module that Node loads.
    Module,
    /// A `CommonJS` module that Node wraps in a function.
    CommonJs,
}

/// A text that the loader refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub at: Range,
}

/// Why there is no module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The loader refuses the text.
    Syntax(SyntaxError),
    /// Statements are nested more deeply than is looked into, here.
    TooDeep(Range),
}

impl From<&OxcDiagnostic> for Refusal {
    fn from(complaint: &OxcDiagnostic) -> Self {
        Self::Syntax(syntax_error(complaint))
    }
}

/// Parses and lowers one text. Recurses as deeply as the text nests: run it where the stack is large enough
/// (see `nesting`).
pub fn parse(text: &str, file: FileId, dialect: Dialect, goal: Goal) -> Result<Module, Refusal> {
    let arena = Arena::take();
    let allocator = &arena.allocator;
    let options = ParseOptions {
        preserve_parens: false,
        parse_regular_expression: true,
        allow_return_outside_function: goal == Goal::CommonJs,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(allocator, text, source_type(dialect, goal)).with_options(options).parse();
    let strict = |complaint: &&OxcDiagnostic| parsed.panicked || !is_tolerated(complaint);
    if let Some(error) = parsed.diagnostics.errors().find(strict) {
        return Err(error.into());
    }
    let semantic = SemanticBuilder::new_compiler().with_stats(expected_stats(text)).build(&parsed.program);
    let mut doubted = Vec::new();
    for complaint in semantic.diagnostics.errors().filter(|it| !is_tolerated(it)) {
        match second_declaration(complaint).filter(|_| dialect == Dialect::TypeScript) {
            Some(at) => doubted.push((at, complaint)),
            None => return Err(complaint.into()),
        }
    }
    let scoping = semantic.semantic.scoping();
    let lowered = lower::module(&parsed.program, &parsed.module_record, scoping, file, dialect);
    let is_refused = |(at, _): &&(u32, &OxcDiagnostic)| !lowered.declared_again.contains(at);
    match (lowered.refused, doubted.iter().find(is_refused), lowered.too_deep) {
        (Some(error), ..) => Err(Refusal::Syntax(error)),
        (None, Some((_, complaint)), _) => Err((*complaint).into()),
        (None, None, Some(at)) => Err(Refusal::TooDeep(at)),
        (None, None, None) => Ok(lowered.module),
    }
}

/// The imports and exports of a JavaScript text. Finds the errors that the parser alone finds.
pub(super) fn outline(text: &str, goal: Goal) -> Result<Outline, SyntaxError> {
    let arena = Arena::take();
    let allocator = &arena.allocator;
    let options = ParseOptions {
        preserve_parens: false,
        allow_return_outside_function: goal == Goal::CommonJs,
        enable_ident_hashes: false,
        ..ParseOptions::default()
    };
    let source_type = source_type(Dialect::JavaScript, goal);
    let parsed = Parser::new(allocator, text, source_type).with_options(options).parse();
    match parsed.diagnostics.errors().next() {
        Some(error) => Err(syntax_error(error)),
        None => Ok(Outline::of_record(&parsed.module_record)),
    }
}

/// Room for what scoping keeps, by the length of the text: more than most texts need. Counting would walk the whole tree.
fn expected_stats(text: &str) -> Stats {
    let one_in = |bytes: usize| u32::try_from(text.len() / bytes).unwrap_or(u32::MAX);
    Stats::new(one_in(7), one_in(150), one_in(90), one_in(35))
}

/// An arena for trees, given back for the next text of the same thread.
struct Arena {
    allocator: Allocator,
}

thread_local! {
    static SPARE: Cell<Option<Allocator>> = const { Cell::new(None) };
}

impl Arena {
    /// More than this is given back to the system.
    const KEPT_BYTES: usize = 8 << 20;

    fn take() -> Self {
        Self { allocator: SPARE.take().unwrap_or_default() }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let mut allocator = std::mem::take(&mut self.allocator);
        if allocator.capacity() <= Self::KEPT_BYTES {
            allocator.reset();
            SPARE.set(Some(allocator));
        }
    }
}

fn source_type(dialect: Dialect, goal: Goal) -> SourceType {
    let language = match dialect {
        Dialect::TypeScript => SourceType::ts(),
        Dialect::JavaScript | Dialect::Json => SourceType::mjs(),
    };
    language.with_jsx(false).with_module(true).with_commonjs(goal == Goal::CommonJs)
}

fn syntax_error(error: &OxcDiagnostic) -> SyntaxError {
    let at = error.labels.first().map_or(Range { start: 0, end: 0 }, |label| Range {
        start: label.offset(),
        end: label.offset().saturating_add(label.len()),
    });
    SyntaxError { message: error.message.to_string(), at }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::location::SourceMap;

    fn verdict(text: &str, dialect: Dialect, goal: Goal) -> Result<Module, String> {
        let file = SourceMap::new().add("/m", text);
        parse(text, file, dialect, goal).map_err(|refusal| format!("{refusal:?}"))
    }

    #[test]
    fn early_errors_are_errors() {
        for text in
            ["let a; let a;", "with (a) {}", "class A extends B { constructor() { super(); super.x = ; } }"]
        {
            assert!(verdict(text, Dialect::TypeScript, Goal::Transpiled).is_err(), "{text}");
        }
        assert!(verdict("return 1", Dialect::JavaScript, Goal::CommonJs).is_ok());
        assert!(verdict("with (a) {}", Dialect::JavaScript, Goal::CommonJs).is_ok());
    }

    #[test]
    fn statements_are_not_nested_without_end() {
        let nested = |depth: usize| {
            let using = (0..depth).map(|it| format!("using a{it} = b;")).collect::<Vec<_>>().concat();
            let open = ["if (a) {} else ", "for (;;) ", "{", "switch (a) { case 1: "];
            let closed = |it: &str| it.matches('{').count() - it.matches('}').count();
            let nested = open.map(|it| it.repeat(depth) + ";" + &"}".repeat(closed(it) * depth));
            [nested.as_slice(), &[using]].concat()
        };
        let verdict = |text: &str| {
            let parse = || verdict(text, Dialect::JavaScript, Goal::Module).map(drop);
            let thread = std::thread::Builder::new().stack_size(1 << 28);
            std::thread::scope(|scope| thread.spawn_scoped(scope, parse).unwrap().join().unwrap())
        };
        for text in nested(5_000) {
            assert!(verdict(&text).is_err_and(|it| it.starts_with("TooDeep")), "{}", &text[..20]);
        }
        for text in nested(300) {
            assert_eq!(verdict(&text), Ok(()), "{}", &text[..20]);
        }
    }

    #[test]
    fn bindings_are_told_apart() {
        let text = "import { a } from './x'; import { T } from './t';
            let b: T = a; { let b = 1; b; } export default function f(b) { return b; }";
        let module = verdict(text, Dialect::TypeScript, Goal::Transpiled).unwrap();
        assert_eq!(module.requests.iter().map(|it| it.erased).collect::<Vec<_>>(), [false, true]);
        assert_eq!(module.imports.len(), 1);
        assert_eq!(module.binding_names.iter().filter(|name| &***name == "b").count(), 3);
    }
}
