//! One module as the evaluator sees it: JavaScript without types, names resolved, owned and `Send`.
//!
//! Nodes live in arenas and refer to each other by index. What TypeScript alone knows (types, casts, `satisfies`,
//! non-null marks, type-only imports) is gone; parentheses are gone; enums, namespaces and parameter
//! properties remain as nodes of their own because they have effects at run time.

use std::sync::Arc;

use crate::location::{FileId, Span};

macro_rules! index {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
    };
}

index!(
    /// An expression of its module.
    ExprId
);
index!(
    /// A pattern or assignment target of its module.
    PatternId
);
index!(
    /// A function of its module: declaration, expression, arrow, method, accessor.
    FunctionId
);
index!(
    /// A class of its module.
    ClassId
);
index!(
    /// A declared name of its module, already told apart from others of the same spelling.
    BindingId
);
index!(
    /// A statement label of its module.
    LabelId
);

/// A string of the source: identifier, property name, literal. Interned per module.
pub type Atom = Arc<str>;

/// Byte range within the module's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    /// First byte.
    pub start: u32,
    /// After the last byte.
    pub end: u32,
}

/// A parsed and lowered module.
#[derive(Debug)]
pub struct Module {
    /// Its text.
    pub file: FileId,
    /// How it is written and therefore treated.
    pub dialect: Dialect,
    /// The statements, imports and exports left out.
    pub body: Block,
    /// Every module it asks for statically, in source order, erased ones included.
    pub requests: Vec<Request>,
    /// The calls of `import` with a written out specifier that may lead to code of the same package.
    pub loads: Vec<Load>,
    /// The names that it imports.
    pub imports: Vec<Import>,
    /// The names that it exports.
    pub exports: Vec<Export>,
    /// Those of its exported names that are assigned to after their declaration.
    pub changing: Vec<BindingId>,
    /// Whether it has an `import`, `export`, `import.meta` or top-level `await`.
    pub is_esm: bool,
    /// Whether its top level is strict code.
    pub is_strict: bool,
    /// Whether evaluating the top level does anything but declare functions, classes and constants without calls.
    pub has_effects: bool,
    /// Names by binding, for messages.
    pub binding_names: Vec<Atom>,
    /// Expressions with their places.
    pub exprs: Vec<(Expr, Range)>,
    /// Patterns with their places.
    pub patterns: Vec<(Pattern, Range)>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Classes.
    pub classes: Vec<Class>,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// `.ts`, `.mts`, `.cts`, `.tsx`: unused imports are erased.
    TypeScript,
    /// `.js`, `.mjs`, `.cjs`, `.jsx`.
    JavaScript,
    /// `.json`: the body is empty, the default export is the value.
    Json,
}

/// A specifier in an import, export-from or `require` position.
#[derive(Debug, Clone)]
pub struct Request {
    /// As written.
    pub specifier: Atom,
    /// The specifier's place.
    pub at: Range,
    /// Type-only, or (in TypeScript) none of its bindings is used as a value: never loaded.
    pub erased: bool,
}

/// One `import(…)`.
#[derive(Debug, Clone)]
pub struct Load {
    /// As written.
    pub specifier: Atom,
    /// Where the call begins.
    pub start: u32,
}

/// One imported name.
#[derive(Debug, Clone)]
pub struct Import {
    /// The local name.
    pub binding: BindingId,
    /// Index into [`Module::requests`].
    pub request: u32,
    /// What of it.
    pub imported: Imported,
}

/// Which export an import takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Imported {
    /// `import x from`.
    Default,
    /// `import * as x from`, and TypeScript's `import x = require()`.
    Namespace,
    /// `import { x } from`.
    Named(Atom),
}

/// One exported name. The default export is named `default`.
#[derive(Debug, Clone)]
pub enum Export {
    /// A declared name.
    Binding {
        /// As others see it.
        name: Atom,
        /// The local name.
        binding: BindingId,
    },
    /// `export default <expression>`; evaluated where [`Stmt::ExportDefault`] stands.
    Default,
    /// `export { a as b } from`.
    From {
        /// As others see it.
        name: Atom,
        /// Index into [`Module::requests`].
        request: u32,
        /// What of it.
        imported: Imported,
    },
    /// `export * from`.
    Star {
        /// Index into [`Module::requests`].
        request: u32,
    },
    /// TypeScript's `export = value`; evaluated where [`Stmt::ExportAssignment`] stands.
    Assignment,
}

impl Export {
    /// The request that it re-exports from.
    pub fn request(&self) -> Option<u32> {
        match self {
            Self::From { request, .. } | Self::Star { request } => Some(*request),
            Self::Binding { .. } | Self::Default | Self::Assignment => None,
        }
    }
}

/// Statements with the names that they declare lexically (`let`, `const`, `class`, functions of the block).
#[derive(Debug, Default)]
pub struct Block {
    /// Names to create on entry.
    pub bindings: Box<[BindingId]>,
    /// Function declarations, bound on entry.
    pub functions: Box<[(BindingId, FunctionId)]>,
    /// The statements; function declarations are not repeated here.
    pub statements: Box<[(Stmt, Range)]>,
}

/// A statement.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the grammar's")]
pub enum Stmt {
    /// An expression for its effects.
    Expr(ExprId),
    /// `let`, `const`, `var` with a value; `var` without one is not a statement, `let` without one sets undefined.
    Declare { target: PatternId, value: Option<ExprId> },
    /// A class declaration.
    Class { binding: BindingId, class: ClassId },
    /// TypeScript's `enum`; merges into an existing one.
    Enum { binding: BindingId, members: Box<[EnumMember]> },
    /// TypeScript's `namespace` with run-time content: a function of no parameters called at once. The exported bindings are the
    /// properties of the namespace object.
    Namespace { binding: BindingId, body: Box<Block>, exported: Box<[(Atom, BindingId)]> },
    /// `{ … }`.
    Block(Box<Block>),
    /// `if`.
    If { test: ExprId, then: Box<(Stmt, Range)>, otherwise: Option<Box<(Stmt, Range)>> },
    /// `for (;;)`. The bindings are fresh for each turn.
    For {
        bindings: Box<[BindingId]>,
        init: Option<Box<(Stmt, Range)>>,
        test: Option<ExprId>,
        update: Option<ExprId>,
        body: Box<(Stmt, Range)>,
    },
    /// `for (… in object)`.
    ForIn { bindings: Box<[BindingId]>, target: PatternId, object: ExprId, body: Box<(Stmt, Range)> },
    /// `for (… of iterable)`, `for await`.
    ForOf {
        bindings: Box<[BindingId]>,
        target: PatternId,
        iterable: ExprId,
        awaits: bool,
        body: Box<(Stmt, Range)>,
    },
    /// `while`.
    While { test: ExprId, body: Box<(Stmt, Range)> },
    /// `do … while`.
    DoWhile { body: Box<(Stmt, Range)>, test: ExprId },
    /// `return`.
    Return(Option<ExprId>),
    /// `throw`.
    Throw(ExprId),
    /// `break`, to a label or the nearest loop or switch.
    Break(Option<LabelId>),
    /// `continue`.
    Continue(Option<LabelId>),
    /// `label: statement`.
    Labeled { label: LabelId, body: Box<(Stmt, Range)> },
    /// `switch`; the bindings are shared by all cases.
    Switch {
        value: ExprId,
        bindings: Box<[BindingId]>,
        functions: Box<[(BindingId, FunctionId)]>,
        cases: Box<[Case]>,
    },
    /// `try`.
    Try { block: Box<Block>, catch: Option<Box<Catch>>, finally: Option<Box<Block>> },
    /// The end of the block of a `using`: what the name holds is disposed of.
    Dispose { binding: BindingId, awaits: bool },
    /// `export default <expression>`.
    ExportDefault(ExprId),
    /// `export = <expression>`.
    ExportAssignment(ExprId),
    /// `with`, and anything else that makes names unknowable.
    Unsupported,
    /// Nothing.
    Empty,
}

/// One member of an enum.
#[derive(Debug)]
pub struct EnumMember {
    /// Its name.
    pub name: Atom,
    /// Its value, if written. References to earlier members of the enum are [`Expr::EnumMember`]s.
    pub value: Option<ExprId>,
}

/// One `case`, or `default` when there is no test.
#[derive(Debug)]
pub struct Case {
    /// What is compared.
    pub test: Option<ExprId>,
    /// What is run.
    pub statements: Box<[(Stmt, Range)]>,
}

/// A `catch`.
#[derive(Debug)]
pub struct Catch {
    /// The caught value.
    pub param: Option<PatternId>,
    /// Names that the parameter declares.
    pub bindings: Box<[BindingId]>,
    /// What is run.
    pub body: Block,
}

/// An expression.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the grammar's")]
pub enum Expr {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A big integer, digits in base ten.
    BigInt(Atom),
    /// A string.
    String(Atom),
    /// A regular expression.
    RegExp(Box<RegExp>),
    /// A template.
    Template(Box<Template>),
    /// A tagged template.
    TaggedTemplate(Box<TaggedTemplate>),
    /// A name that this module declares or imports.
    Local(BindingId),
    /// A name that it does not.
    Global(Atom),
    /// An earlier member of the enclosing enum by its bare name.
    EnumMember { binding: BindingId, name: Atom },
    /// `this`.
    This,
    /// `new.target`.
    NewTarget,
    /// `import.meta`.
    ImportMeta,
    /// An array literal.
    Array(Box<[Element]>),
    /// An object literal.
    Object(Box<[Property]>),
    /// A function or arrow.
    Function(FunctionId),
    /// A class expression.
    Class(ClassId),
    /// `- + ! ~ typeof void`.
    Unary { op: UnaryOp, operand: ExprId },
    /// `delete` of a property.
    Delete { operand: ExprId },
    /// `++`, `--`.
    Update { target: PatternId, increment: bool, prefix: bool },
    /// A binary operator.
    Binary { op: BinaryOp, left: ExprId, right: ExprId },
    /// `&& || ??`.
    Logical { op: LogicalOp, left: ExprId, right: ExprId },
    /// `#name in object`.
    PrivateIn { name: Atom, object: ExprId },
    /// `=`.
    Assign { target: PatternId, value: ExprId },
    /// `+=` and its like.
    AssignBinary { op: BinaryOp, target: PatternId, value: ExprId },
    /// `&&= ||= ??=`.
    AssignLogical { op: LogicalOp, target: PatternId, value: ExprId },
    /// `test ? then : otherwise`.
    Conditional { test: ExprId, then: ExprId, otherwise: ExprId },
    /// A call; `optional` for `f?.()`.
    Call { callee: ExprId, args: Box<[Element]>, optional: bool },
    /// `new`.
    New { callee: ExprId, args: Box<[Element]> },
    /// `object.property`; `optional` for `?.`.
    Member { object: ExprId, property: Atom, optional: bool },
    /// `object[index]`.
    Index { object: ExprId, index: ExprId, optional: bool },
    /// `object.#name`.
    Private { object: ExprId, name: Atom, optional: bool },
    /// The whole of an optional chain: where a short circuit ends.
    Chain(ExprId),
    /// `super(…)`.
    SuperCall { args: Box<[Element]> },
    /// `super.property`.
    SuperMember { property: Atom },
    /// `super[index]`.
    SuperIndex { index: ExprId },
    /// `await`.
    Await(ExprId),
    /// `yield`, `yield*`.
    Yield { value: Option<ExprId>, delegate: bool },
    /// `import(…)`.
    ImportCall(ExprId),
    /// `a, b`.
    Sequence(Box<[ExprId]>),
    /// Syntax that is not modelled (JSX and the like), with its name.
    Unsupported(&'static str),
}

/// A regular expression literal.
#[derive(Debug)]
pub struct RegExp {
    /// What stands between the slashes.
    pub pattern: Atom,
    /// What stands after them.
    pub flags: Atom,
}

/// A template literal.
#[derive(Debug)]
pub struct Template {
    /// The texts between the substitutions: one more than there are of these.
    pub quasis: Box<[Atom]>,
    /// The substitutions.
    pub exprs: Box<[ExprId]>,
}

/// A template literal with a function before it.
#[derive(Debug)]
pub struct TaggedTemplate {
    /// The function.
    pub tag: ExprId,
    /// The template, escapes resolved.
    pub template: Template,
    /// Its texts as written.
    pub raw: Box<[Atom]>,
}

/// Large modules have millions of expressions: what is rare and large is boxed.
const _: () = assert!(size_of::<(Expr, Range)>() == 32);

/// An array element or a call argument.
#[derive(Debug, Clone, Copy)]
pub enum Element {
    /// A value.
    Value(ExprId),
    /// `...value`.
    Spread(ExprId),
    /// A gap in an array literal.
    Hole,
}

/// A part of an object literal.
#[derive(Debug)]
#[allow(missing_docs, reason = "the fields are the grammar's")]
pub enum Property {
    /// `key: value`, shorthand and methods included.
    Value { key: Key, value: ExprId },
    /// `get key() {}`.
    Get { key: Key, function: FunctionId },
    /// `set key(v) {}`.
    Set { key: Key, function: FunctionId },
    /// `...value`.
    Spread(ExprId),
}

/// A property name.
#[derive(Debug, Clone)]
pub enum Key {
    /// Written out; numbers in JavaScript's spelling.
    Name(Atom),
    /// `[expression]`.
    Computed(ExprId),
    /// `#name`, in classes.
    Private(Atom),
}

/// A binding pattern or assignment target.
#[derive(Debug)]
#[allow(missing_docs, reason = "the fields are the grammar's")]
pub enum Pattern {
    /// A name of this module.
    Local(BindingId),
    /// A name that it does not declare.
    Global(Atom),
    /// A `const` of this module that is assigned to: that throws.
    Constant(BindingId),
    /// A property; always one of the member expressions.
    Member(ExprId),
    /// `{ a, b: c = 1, ...rest }`.
    Object { properties: Box<[(Key, PatternId)]>, rest: Option<PatternId> },
    /// `[a, , b, ...rest]`.
    Array { elements: Box<[Option<PatternId>]>, rest: Option<PatternId> },
    /// `pattern = default`.
    Default { pattern: PatternId, default: ExprId },
}

/// A function.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a modifier of the grammar")]
pub struct Function {
    /// Its place, the whole of it.
    pub at: Range,
    /// Its name, if it has one of its own.
    pub name: Option<Atom>,
    /// The name by which a named function expression knows itself.
    pub own_binding: Option<BindingId>,
    /// Arrow: `this`, `arguments`, `super` are those of the surroundings.
    pub is_arrow: bool,
    /// `async`.
    pub is_async: bool,
    /// `function*`.
    pub is_generator: bool,
    /// Parameters in order.
    pub params: Box<[Parameter]>,
    /// `...rest`.
    pub rest: Option<PatternId>,
    /// Names that the parameters declare.
    pub param_bindings: Box<[BindingId]>,
    /// `var` names, hoisted (those that are also parameters are not repeated).
    pub var_bindings: Box<[BindingId]>,
    /// The body.
    pub body: FunctionBody,
    /// Whether `arguments` is read.
    pub uses_arguments: bool,
}

/// What a function runs.
#[derive(Debug)]
pub enum FunctionBody {
    /// Statements.
    Block(Block),
    /// An arrow's expression.
    Expr(ExprId),
}

/// One parameter.
#[derive(Debug)]
pub struct Parameter {
    /// What it binds; a default is a [`Pattern::Default`].
    pub pattern: PatternId,
    /// TypeScript's `constructor(private pi: …)`: also sets this property of `this`.
    pub property: Option<Atom>,
}

/// A class.
#[derive(Debug)]
pub struct Class {
    /// Its place.
    pub at: Range,
    /// Its name, if it has one.
    pub name: Option<Atom>,
    /// The name by which it knows itself.
    pub own_binding: Option<BindingId>,
    /// `extends`.
    pub parent: Option<ExprId>,
    /// The constructor, if written.
    pub constructor: Option<FunctionId>,
    /// The rest, in order.
    pub members: Box<[Member]>,
    /// Its decorators, in order.
    pub decorators: Box<[ExprId]>,
    /// The decorators of the constructor's parameters, in order, each with the parameter's position.
    pub of_parameters: Box<[(u32, ExprId)]>,
    /// Whether it, or a member, or a parameter of one, has decorators.
    pub decorated: bool,
}

/// A member of a class.
#[derive(Debug)]
pub struct Member {
    /// Its name; a static block has none.
    pub key: Option<Key>,
    /// `static`.
    pub is_static: bool,
    /// What it is.
    pub kind: MemberKind,
    /// Its decorators, in order.
    pub decorators: Box<[ExprId]>,
    /// The decorators of its parameters, in order, each with the parameter's position.
    pub of_parameters: Box<[(u32, ExprId)]>,
}

/// Kinds of class members.
#[derive(Debug)]
pub enum MemberKind {
    /// A method.
    Method(FunctionId),
    /// A getter.
    Get(FunctionId),
    /// A setter.
    Set(FunctionId),
    /// A field with its value: an expression in which `this` is the instance (or the class, when static).
    Field(Option<ExprId>),
    /// `static { }`.
    StaticBlock(Block),
}

/// `- + ! ~ typeof void`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the operators themselves")]
pub enum UnaryOp {
    Negate,
    Plus,
    Not,
    BitNot,
    Typeof,
    Void,
}

/// Binary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the operators themselves")]
pub enum BinaryOp {
    Equal,
    NotEqual,
    StrictEqual,
    StrictNotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    BitAnd,
    BitOr,
    BitXor,
    In,
    InstanceOf,
}

/// `&& || ??`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the operators themselves")]
pub enum LogicalOp {
    And,
    Or,
    Coalesce,
}

impl Module {
    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize].0
    }

    /// A pattern.
    pub fn pattern(&self, id: PatternId) -> &Pattern {
        &self.patterns[id.0 as usize].0
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A class.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.0 as usize]
    }

    /// Where an expression stands.
    pub fn expr_span(&self, id: ExprId) -> Span {
        self.span(self.exprs[id.0 as usize].1)
    }

    /// Where a pattern stands.
    pub fn pattern_span(&self, id: PatternId) -> Span {
        self.span(self.patterns[id.0 as usize].1)
    }

    /// A range of this module as a span.
    pub fn span(&self, range: Range) -> Span {
        Span::new(self.file, range.start, range.end)
    }
}
