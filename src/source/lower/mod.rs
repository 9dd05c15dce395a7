//! From oxc's tree to the intermediate representation. One pass; the tree is dropped afterwards.

mod class;
mod effects;
mod expression;
mod function;
mod item;
mod naming;
mod pattern;
#[cfg(test)]
mod print;
mod redeclaration;
mod statement;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use oxc_ast::ast::{IdentifierReference, Program};
use oxc_semantic::Scoping;
use oxc_span::Span;
use oxc_syntax::module_record::ModuleRecord;
use oxc_syntax::symbol::{SymbolFlags, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use self::naming::Naming;
use self::redeclaration::Declared;
use super::ir::{
    Atom, BindingId, Block, Class, ClassId, Dialect, Export, Expr, ExprId, Function, FunctionId, Import,
    LabelId, Load, Module, Pattern, PatternId, Range, Request, Stmt,
};
use super::parse::SyntaxError;
use crate::location::FileId;

/// A module, and what Pi's parsers say about it that oxc does not.
pub(super) struct Lowered {
    pub(super) module: Module,
    /// What they refuse.
    pub(super) refused: Option<SyntaxError>,
    /// Where names are declared for a second time, and they do not mind.
    pub(super) declared_again: Vec<u32>,
    /// Where statements are nested more deeply than is looked into: what lies there is left out.
    pub(super) too_deep: Option<Range>,
}

/// Statements in statements, functions between them or not. They own each other, so that whoever drops them recurses, on
/// whatever stack it has.
const STATEMENT_DEPTH: u32 = 4_000;

/// Source code has hardly more expressions than one for so many bytes.
const BYTES_PER_EXPR: usize = 10;

/// Lowers a program.
pub(super) fn module(
    program: &Program<'_>,
    record: &ModuleRecord<'_>,
    scoping: &Scoping,
    file: FileId,
    dialect: Dialect,
) -> Lowered {
    let mut lowering = Lowering::new(scoping, dialect);
    lowering.exprs.reserve(program.source_text.len() / BYTES_PER_EXPR);
    let body = lowering.hoisting_block(&program.body);
    lowering.settle_imports();
    lowering.free_ambient_names();
    let changing = lowering.changing_exports();
    let mut module = Module {
        file,
        dialect,
        body,
        requests: lowering.requests,
        loads: lowering.loads,
        imports: lowering.imports,
        exports: lowering.exports,
        changing,
        is_esm: record.has_module_syntax || lowering.has_top_level_await,
        // Babel makes strict code of TypeScript.
        is_strict: dialect == Dialect::TypeScript
            || record.has_module_syntax
            || lowering.has_top_level_await
            || program.directives.iter().any(|it| it.directive == "use strict"),
        has_effects: true,
        binding_names: lowering.binding_names,
        exprs: lowering.exprs,
        patterns: lowering.patterns,
        functions: lowering.functions,
        classes: lowering.classes,
    };
    module.has_effects = effects::block_has_effects(&module, &module.body);
    Lowered {
        module,
        refused: lowering.refused,
        declared_again: lowering.declared_again,
        too_deep: lowering.too_deep,
    }
}

/// The module of a JSON file: no code.
pub(super) fn json(file: FileId) -> Module {
    Module {
        file,
        dialect: Dialect::Json,
        body: Block::default(),
        requests: Vec::new(),
        loads: Vec::new(),
        imports: Vec::new(),
        exports: Vec::new(),
        changing: Vec::new(),
        is_esm: false,
        is_strict: false,
        has_effects: false,
        binding_names: Vec::new(),
        exprs: Vec::new(),
        patterns: Vec::new(),
        functions: Vec::new(),
        classes: Vec::new(),
    }
}

/// A statement with its place.
type Placed = (Stmt, Range);

/// The state of lowering one module.
struct Lowering<'s, 'a> {
    scoping: &'s Scoping,
    dialect: Dialect,
    exprs: Vec<(Expr, Range)>,
    patterns: Vec<(Pattern, Range)>,
    functions: Vec<Function>,
    classes: Vec<Class>,
    requests: Vec<Request>,
    loads: Vec<Load>,
    imports: Vec<Import>,
    exports: Vec<Export>,
    binding_names: Vec<Atom>,
    atoms: FxHashMap<&'a str, Atom>,
    /// Names already given to a list of names to create, by symbol.
    declared: Vec<bool>,
    /// Names declared lexically in the blocks around, innermost last.
    lexical: Vec<BindingId>,
    /// Names declared with `var` in the functions around, innermost last.
    vars: Vec<BindingId>,
    /// Labels around.
    labels: Vec<(&'a str, LabelId)>,
    next_label: u32,
    /// Enums around.
    enums: Vec<BindingId>,
    /// For each function around that has its own `arguments`: whether it is read.
    reads_arguments: Vec<bool>,
    /// What names the function or class that comes next if it has no name of its own: a name, or one that is computed.
    naming: Option<Naming>,
    /// How many functions are around, arrows included.
    function_depth: u32,
    has_top_level_await: bool,
    /// How many blocks are around in which `import` and `export` may not stand.
    nested_blocks: u32,
    /// Imports that are erased unless something turns out to use them.
    undecided_imports: Vec<(SymbolId, Import)>,
    /// Imports that Babel keeps although nothing uses them as values.
    kept_imports: Vec<SymbolId>,
    /// Bare names of enum members: Babel takes them for uses of what else has the name.
    enum_member_uses: FxHashSet<&'a str>,
    redeclared: FxHashMap<SymbolId, Vec<Declared>>,
    declared_again: Vec<u32>,
    refused: Option<SyntaxError>,
    /// How many statements are around.
    statement_depth: u32,
    too_deep: Option<Range>,
}

impl<'s, 'a> Lowering<'s, 'a> {
    fn new(scoping: &'s Scoping, dialect: Dialect) -> Self {
        let mut lowering = Self {
            scoping,
            dialect,
            exprs: Vec::new(),
            patterns: Vec::new(),
            functions: Vec::new(),
            classes: Vec::new(),
            requests: Vec::new(),
            loads: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            binding_names: Vec::with_capacity(scoping.symbols_len()),
            atoms: FxHashMap::default(),
            declared: vec![false; scoping.symbols_len()],
            lexical: Vec::new(),
            vars: Vec::new(),
            labels: Vec::new(),
            next_label: 0,
            enums: Vec::new(),
            reads_arguments: Vec::new(),
            function_depth: 0,
            has_top_level_await: false,
            nested_blocks: 0,
            undecided_imports: Vec::new(),
            kept_imports: Vec::new(),
            enum_member_uses: FxHashSet::default(),
            redeclared: FxHashMap::default(),
            declared_again: Vec::new(),
            refused: None,
            naming: None,
            statement_depth: 0,
            too_deep: None,
        };
        let mut names: FxHashMap<&str, Atom> = FxHashMap::default();
        for name in scoping.symbol_names() {
            let atom = names.entry(name).or_insert_with(|| Arc::from(name));
            lowering.binding_names.push(Arc::clone(atom));
        }
        lowering
    }

    fn atom(&mut self, text: &'a str) -> Atom {
        Arc::clone(self.atoms.entry(text).or_insert_with(|| Arc::from(text)))
    }

    fn push_expr(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = ExprId(index(self.exprs.len()));
        self.exprs.push((expr, range(span)));
        id
    }

    fn push_pattern(&mut self, pattern: Pattern, span: Span) -> PatternId {
        let id = PatternId(index(self.patterns.len()));
        self.patterns.push((pattern, range(span)));
        id
    }

    fn push_function(&mut self, function: Function) -> FunctionId {
        let id = FunctionId(index(self.functions.len()));
        self.functions.push(function);
        id
    }

    fn push_class(&mut self, class: Class) -> ClassId {
        let id = ClassId(index(self.classes.len()));
        self.classes.push(class);
        id
    }

    /// A name of the program's own making, for what has none in the source.
    fn synthetic_binding(&mut self, name: &'a str) -> BindingId {
        let id = BindingId(index(self.binding_names.len()));
        let name = self.atom(name);
        self.binding_names.push(name);
        self.declared.push(true);
        id
    }

    /// Puts a name on the list of names that the block or function around creates, unless it is on one already.
    fn declare(&mut self, symbol: SymbolId, declared: Declared, span: Span) -> BindingId {
        self.note_declaration(symbol, declared, span);
        let binding = binding_of(symbol);
        if let Some(seen) = self.declared.get_mut(symbol.index())
            && !std::mem::replace(seen, true)
        {
            match declared {
                Declared::Var => self.vars.push(binding),
                _ => self.lexical.push(binding),
            }
        }
        binding
    }

    /// The declared name that a reference means.
    fn resolve(&self, reference: &IdentifierReference<'a>) -> Option<SymbolId> {
        let id = reference.reference_id.get()?;
        let symbol = self.scoping.get_reference(id).symbol_id()?;
        let is_value = SymbolFlags::Value | SymbolFlags::Import | SymbolFlags::TypeImport;
        self.scoping.symbol_flags(symbol).intersects(is_value).then_some(symbol)
    }

    /// Names that are only said to exist (`declare let x`) are those of the global object.
    fn free_ambient_names(&mut self) {
        let is_ambient = |binding: BindingId| {
            let at = binding.0 as usize;
            at < self.scoping.symbols_len()
                && !self.declared.get(at).is_some_and(|it| *it)
                && self.scoping.symbol_flags(SymbolId::from_usize(at)).contains(SymbolFlags::Ambient)
                && !self.imports.iter().any(|it| it.binding == binding)
        };
        let ambient: FxHashSet<BindingId> =
            (0..index(self.scoping.symbols_len())).map(BindingId).filter(|it| is_ambient(*it)).collect();
        if ambient.is_empty() {
            return;
        }
        let names = &self.binding_names;
        let name_of =
            |binding: &BindingId| names.get(binding.0 as usize).filter(|_| ambient.contains(binding));
        for (expr, _) in &mut self.exprs {
            if let Expr::Local(binding) = expr
                && let Some(name) = name_of(binding)
            {
                *expr = Expr::Global(Arc::clone(name));
            }
        }
        for (pattern, _) in &mut self.patterns {
            if let Pattern::Local(binding) | Pattern::Constant(binding) = pattern
                && let Some(name) = name_of(binding)
            {
                *pattern = Pattern::Global(Arc::clone(name));
            }
        }
    }

    /// The exported names that something assigns to.
    fn changing_exports(&self) -> Vec<BindingId> {
        let is_changing = |it: &BindingId| {
            let at = it.0 as usize;
            at < self.scoping.symbols_len() && self.scoping.symbol_is_mutated(SymbolId::from_usize(at))
        };
        let bindings = self.exports.iter().filter_map(|it| match it {
            Export::Binding { binding, .. } => Some(*binding),
            _ => None,
        });
        bindings.filter(is_changing).collect()
    }

    /// Takes note that Pi's parsers refuse the text.
    fn refuse(&mut self, message: impl Into<String>, span: Span) {
        let error = SyntaxError { message: message.into(), at: range(span) };
        self.refused.get_or_insert(error);
    }

    /// A list of statements that is its own target of `var`: a module, a namespace, a static block.
    fn hoisting_block(&mut self, statements: &[oxc_ast::ast::Statement<'a>]) -> Block {
        let first_var = self.vars.len();
        let mut block = self.block(statements);
        if self.vars.len() > first_var {
            let hoisted = self.vars.drain(first_var..);
            block.bindings = block.bindings.iter().copied().chain(hoisted).collect();
        }
        block
    }
}

fn binding_of(symbol: SymbolId) -> BindingId {
    BindingId(index(symbol.index()))
}

fn range(span: Span) -> Range {
    Range { start: span.start, end: span.end }
}

/// Arena indices fit: a text has fewer than 2³² bytes.
fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
