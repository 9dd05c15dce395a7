//! Statements and blocks.

use oxc_ast::ast::{
    BindingIdentifier, CatchClause, Class, Declaration, ForInStatement, ForOfStatement, ForStatement,
    ForStatementInit, ForStatementLeft, Function, LabelIdentifier, LabeledStatement, Statement,
    SwitchStatement, TryStatement, VariableDeclaration, VariableDeclarationKind,
};
use oxc_span::{GetSpan, Span};

use super::redeclaration::Declared;
use super::{Lowering, Placed, STATEMENT_DEPTH, binding_of, range};
use crate::source::ir::{BindingId, Block, Case, Catch, ExprId, FunctionId, LabelId, PatternId, Stmt};

/// The statements of a list being lowered, and the functions that it declares.
#[derive(Default)]
pub(super) struct Statements {
    pub(super) list: Vec<Placed>,
    pub(super) functions: Vec<(BindingId, FunctionId)>,
}

impl<'a> Lowering<'_, 'a> {
    pub(super) fn block(&mut self, statements: &[Statement<'a>]) -> Block {
        let first = self.lexical.len();
        self.nested_blocks += 1;
        let mut out = Statements { list: Vec::with_capacity(statements.len()), functions: Vec::new() };
        self.statements(statements, &mut out);
        self.nested_blocks -= 1;
        Block {
            bindings: self.lexical.drain(first..).collect(),
            functions: out.functions.into_boxed_slice(),
            statements: out.list.into_boxed_slice(),
        }
    }

    /// Lowers statements one after the other. What follows a `using` becomes a `try` that disposes of it in the end.
    fn statements(&mut self, statements: &[Statement<'a>], out: &mut Statements) {
        for (at, statement) in statements.iter().enumerate() {
            self.statement(statement, out);
            let Statement::VariableDeclaration(declaration) = statement else { continue };
            let awaits = declaration.kind == VariableDeclarationKind::AwaitUsing;
            if !awaits && declaration.kind != VariableDeclarationKind::Using {
                continue;
            }
            self.has_top_level_await |= awaits && self.function_depth == 0;
            let mut rest = Statements::default();
            let after = statements.get(at + 1..).unwrap_or_default();
            self.nested(declaration.span, |me| me.statements(after, &mut rest));
            out.functions.append(&mut rest.functions);
            let place = range(declaration.span);
            let names: Vec<_> = declaration
                .declarations
                .iter()
                .flat_map(|it| it.id.get_binding_identifiers())
                .filter_map(|it| it.symbol_id.get())
                .map(binding_of)
                .collect();
            let mut list = rest.list;
            for binding in names.into_iter().rev() {
                let block = Block { statements: list.into_boxed_slice(), ..Block::default() };
                let end = vec![(Stmt::Dispose { binding, awaits }, place)];
                let end = Block { statements: end.into_boxed_slice(), ..Block::default() };
                let guarded = Stmt::Try { block: Box::new(block), catch: None, finally: Some(Box::new(end)) };
                list = vec![(guarded, place)];
            }
            out.list.append(&mut list);
            return;
        }
    }

    pub(super) fn statement(&mut self, it: &Statement<'a>, out: &mut Statements) {
        self.nested(it.span(), |me| me.lower_statement(it, out));
    }

    /// Lowers what is one statement deeper, unless that is too deep.
    fn nested(&mut self, span: Span, lower: impl FnOnce(&mut Self)) {
        if self.statement_depth >= STATEMENT_DEPTH {
            self.too_deep.get_or_insert(range(span));
            return;
        }
        self.statement_depth += 1;
        lower(self);
        self.statement_depth -= 1;
    }

    fn lower_statement(&mut self, it: &Statement<'a>, out: &mut Statements) {
        let stmt = match it {
            Statement::ExpressionStatement(it) => Stmt::Expr(self.expr(&it.expression)),
            Statement::BlockStatement(it) => Stmt::Block(Box::new(self.block(&it.body))),
            Statement::IfStatement(it) => {
                let test = self.expr(&it.test);
                let then = self.single(&it.consequent);
                let otherwise = it.alternate.as_ref().map(|it| self.single(it));
                Stmt::If { test, then, otherwise }
            }
            Statement::ReturnStatement(it) => {
                Stmt::Return(it.argument.as_ref().map(|value| self.expr(value)))
            }
            Statement::ThrowStatement(it) => Stmt::Throw(self.expr(&it.argument)),
            Statement::ForStatement(it) => self.for_loop(it),
            Statement::ForInStatement(it) => self.for_in(it),
            Statement::ForOfStatement(it) => self.for_of(it),
            Statement::WhileStatement(it) => {
                let test = self.expr(&it.test);
                Stmt::While { test, body: self.single(&it.body) }
            }
            Statement::DoWhileStatement(it) => {
                let body = self.single(&it.body);
                Stmt::DoWhile { body, test: self.expr(&it.test) }
            }
            Statement::BreakStatement(it) => Stmt::Break(self.label(it.label.as_ref())),
            Statement::ContinueStatement(it) => Stmt::Continue(self.label(it.label.as_ref())),
            Statement::LabeledStatement(it) => self.labeled(it),
            Statement::SwitchStatement(it) => self.switch(it),
            Statement::TryStatement(it) => self.try_statement(it),
            Statement::WithStatement(_) => Stmt::Unsupported,
            Statement::DebuggerStatement(_) | Statement::EmptyStatement(_) => return,
            other => {
                if let Some(declaration) = other.as_declaration() {
                    self.declaration(declaration, out);
                } else if let Some(declaration) = other.as_module_declaration() {
                    if self.nested_blocks > 1 {
                        self.refuse("'import' and 'export' may only appear at the top level.", other.span());
                    }
                    self.module_declaration(declaration, out);
                }
                return;
            }
        };
        out.list.push((stmt, range(it.span())));
    }

    pub(super) fn declaration(&mut self, it: &Declaration<'a>, out: &mut Statements) {
        match it {
            Declaration::VariableDeclaration(it) => self.variables(it, out),
            Declaration::FunctionDeclaration(it) => {
                if let Some(binding) = self.declare_function(it)
                    && let Some(function) = self.function(it)
                {
                    out.functions.push((binding, function));
                }
            }
            Declaration::ClassDeclaration(it) => {
                if let Some(binding) = self.declare_class(it) {
                    let class = self.class(it);
                    out.list.push((Stmt::Class { binding, class }, range(it.span)));
                }
            }
            Declaration::TSEnumDeclaration(it) => self.enumeration(it, out),
            Declaration::TSNamespaceDeclaration(it) => self.namespace(it, out),
            Declaration::TSImportEqualsDeclaration(it) => self.import_equals(it, false, out),
            Declaration::TSTypeAliasDeclaration(it) => self.note_type(&it.id, Declared::TypeAlias),
            Declaration::TSInterfaceDeclaration(it) => self.note_type(&it.id, Declared::Interface),
            Declaration::TSExternalModuleDeclaration(_) | Declaration::TSGlobalDeclaration(_) => {}
        }
    }

    fn note_type(&mut self, id: &BindingIdentifier<'a>, declared: Declared) {
        if let Some(symbol) = id.symbol_id.get() {
            self.note_declaration(symbol, declared, id.span);
        }
    }

    /// The name of a function declaration that has a body.
    pub(super) fn declare_function(&mut self, it: &Function<'a>) -> Option<BindingId> {
        let id = it.id.as_ref()?;
        let symbol = id.symbol_id.get()?;
        if it.declare && it.r#async {
            self.refuse("'async' modifier cannot be used in an ambient context.", it.span);
        }
        if it.declare || it.body.is_none() {
            self.note_declaration(symbol, Declared::Signature, id.span);
            return None;
        }
        Some(self.declare(symbol, Declared::Function, id.span))
    }

    /// The name of a class declaration that exists when the code runs.
    pub(super) fn declare_class(&mut self, it: &Class<'a>) -> Option<BindingId> {
        let id = it.id.as_ref()?;
        let symbol = id.symbol_id.get()?;
        if it.declare {
            self.note_declaration(symbol, Declared::AmbientClass, id.span);
            return None;
        }
        Some(self.declare(symbol, Declared::Class, id.span))
    }

    fn variables(&mut self, it: &VariableDeclaration<'a>, out: &mut Statements) {
        let declared = declared(it.kind);
        if it.declare {
            for id in it.declarations.iter().flat_map(|it| it.id.get_binding_identifiers()) {
                self.note_type(id, declared);
            }
            return;
        }
        for declarator in &it.declarations {
            let target = self.binding_pattern(&declarator.id, declared);
            let naming = self.naming_of_pattern(&declarator.id);
            let value = declarator.init.as_ref().map(|value| self.named(value, naming));
            if value.is_some() || declared == Declared::Lexical {
                out.list.push((Stmt::Declare { target, value }, range(declarator.span)));
            }
        }
    }

    /// A statement that stands alone: the body of a loop, a branch.
    #[allow(clippy::unnecessary_box_returns, reason = "every caller puts it in a box")]
    fn single(&mut self, it: &Statement<'a>) -> Box<Placed> {
        let at = range(it.span());
        let first = self.lexical.len();
        let mut out = Statements::default();
        self.statement(it, &mut out);
        let bindings: Box<[BindingId]> = self.lexical.drain(first..).collect();
        if bindings.is_empty() && out.functions.is_empty() && out.list.len() < 2 {
            return Box::new(out.list.pop().unwrap_or((Stmt::Empty, at)));
        }
        let block = Block {
            bindings,
            functions: out.functions.into_boxed_slice(),
            statements: out.list.into_boxed_slice(),
        };
        Box::new((Stmt::Block(Box::new(block)), at))
    }

    fn for_loop(&mut self, it: &ForStatement<'a>) -> Stmt {
        let first = self.lexical.len();
        let init = it.init.as_ref().and_then(|init| self.for_init(init));
        let bindings = self.lexical.drain(first..).collect();
        let test = it.test.as_ref().map(|test| self.expr(test));
        let update = it.update.as_ref().map(|update| self.expr(update));
        Stmt::For { bindings, init, test, update, body: self.single(&it.body) }
    }

    fn for_init(&mut self, it: &ForStatementInit<'a>) -> Option<Box<Placed>> {
        let at = range(it.span());
        let ForStatementInit::VariableDeclaration(declaration) = it else {
            let value = self.expr(it.as_expression()?);
            return Some(Box::new((Stmt::Expr(value), at)));
        };
        let mut out = Statements::default();
        self.variables(declaration, &mut out);
        if out.list.len() < 2 {
            return out.list.pop().map(Box::new);
        }
        let block = Block { statements: out.list.into_boxed_slice(), ..Block::default() };
        Some(Box::new((Stmt::Block(Box::new(block)), at)))
    }

    fn for_in(&mut self, it: &ForInStatement<'a>) -> Stmt {
        let (bindings, target, object) = self.for_each_head(&it.left, &it.right, it.span);
        Stmt::ForIn { bindings, target, object, body: self.single(&it.body) }
    }

    fn for_of(&mut self, it: &ForOfStatement<'a>) -> Stmt {
        self.has_top_level_await |= it.r#await && self.function_depth == 0;
        let (bindings, target, iterable) = self.for_each_head(&it.left, &it.right, it.span);
        Stmt::ForOf { bindings, target, iterable, awaits: it.r#await, body: self.single(&it.body) }
    }

    fn for_each_head(
        &mut self,
        left: &ForStatementLeft<'a>,
        right: &oxc_ast::ast::Expression<'a>,
        span: Span,
    ) -> (Box<[BindingId]>, PatternId, ExprId) {
        let first = self.lexical.len();
        let target = match left {
            ForStatementLeft::VariableDeclaration(declaration) => declaration
                .declarations
                .first()
                .map(|declarator| self.binding_pattern(&declarator.id, declared(declaration.kind))),
            other => other.as_assignment_target().map(|target| self.assignment_target(target)),
        };
        let bindings = self.lexical.drain(first..).collect();
        let target = target.unwrap_or_else(|| self.unmodelled_target(span));
        (bindings, target, self.expr(right))
    }

    fn labeled(&mut self, it: &LabeledStatement<'a>) -> Stmt {
        let label = LabelId(self.next_label);
        self.next_label += 1;
        self.labels.push((it.label.name.as_str(), label));
        let body = self.single(&it.body);
        self.labels.pop();
        Stmt::Labeled { label, body }
    }

    fn label(&self, it: Option<&LabelIdentifier<'a>>) -> Option<LabelId> {
        let name = it?.name.as_str();
        self.labels.iter().rev().find(|(label, _)| *label == name).map(|&(_, id)| id)
    }

    fn switch(&mut self, it: &SwitchStatement<'a>) -> Stmt {
        let value = self.expr(&it.discriminant);
        let first = self.lexical.len();
        let mut functions = Vec::new();
        let mut cases = Vec::with_capacity(it.cases.len());
        for case in &it.cases {
            let test = case.test.as_ref().map(|test| self.expr(test));
            let mut out = Statements::default();
            for statement in &case.consequent {
                self.statement(statement, &mut out);
            }
            functions.append(&mut out.functions);
            cases.push(Case { test, statements: out.list.into_boxed_slice() });
        }
        Stmt::Switch {
            value,
            bindings: self.lexical.drain(first..).collect(),
            functions: functions.into_boxed_slice(),
            cases: cases.into_boxed_slice(),
        }
    }

    fn try_statement(&mut self, it: &TryStatement<'a>) -> Stmt {
        let block = Box::new(self.block(&it.block.body));
        let catch = it.handler.as_ref().map(|handler| Box::new(self.catch(handler)));
        let finally = it.finalizer.as_ref().map(|block| Box::new(self.block(&block.body)));
        Stmt::Try { block, catch, finally }
    }

    fn catch(&mut self, it: &CatchClause<'a>) -> Catch {
        let first = self.lexical.len();
        let param = it.param.as_ref().map(|param| {
            let is_name = param.pattern.is_binding_identifier();
            let declared = if is_name { Declared::Catch } else { Declared::Lexical };
            self.binding_pattern(&param.pattern, declared)
        });
        let bindings = self.lexical.drain(first..).collect();
        Catch { param, bindings, body: self.block(&it.body.body) }
    }
}

fn declared(kind: VariableDeclarationKind) -> Declared {
    if kind == VariableDeclarationKind::Var { Declared::Var } else { Declared::Lexical }
}
