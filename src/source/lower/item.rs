//! Imports, exports, enums and namespaces.

use oxc_ast::ast::{
    Declaration, ExportAllDeclaration, ExportDefaultDeclaration, ExportDefaultDeclarationKind,
    ExportFromDeclaration, ExportNamedDeclaration, ExportSpecifier, ImportDeclaration,
    ImportDeclarationSpecifier, ImportOrExportKind, ModuleDeclaration, ModuleExportName, Statement,
    StringLiteral, TSEnumDeclaration, TSEnumMemberName, TSImportEqualsDeclaration, TSModuleReference,
    TSNamespaceDeclaration, TSNamespaceDeclarationBody, TSQualifiedName, TSTypeName, VariableDeclarationKind,
};
use oxc_syntax::symbol::{SymbolFlags, SymbolId};

use super::naming::Naming;
use super::redeclaration::Declared;
use super::statement::Statements;
use super::{Lowering, binding_of, index, range};
use crate::source::ir::{
    Atom, BindingId, Block, Dialect, EnumMember, Export, Expr, ExprId, Import, Imported, Request, Stmt,
};

impl<'a> Lowering<'_, 'a> {
    pub(super) fn module_declaration(&mut self, it: &ModuleDeclaration<'a>, out: &mut Statements) {
        match it {
            ModuleDeclaration::ImportDeclaration(it) => self.import(it),
            ModuleDeclaration::ExportAllDeclaration(it) => self.export_all(it),
            ModuleDeclaration::ExportDefaultDeclaration(it) => self.export_default(it, out),
            ModuleDeclaration::ExportDeclaration(it) => {
                if let Declaration::ClassDeclaration(class) = &it.declaration
                    && class.decorators.first().is_some_and(|first| first.span.start > it.span.start)
                {
                    self.refuse("Decorators have to stand before 'export'.", it.span);
                }
                self.export_declaration(&it.declaration, out);
            }
            ModuleDeclaration::ExportNamedDeclaration(it) => self.export_named(it),
            ModuleDeclaration::ExportFromDeclaration(it) => self.export_from(it),
            ModuleDeclaration::TSExportAssignment(it) => {
                let value = self.expr(&it.expression);
                self.exports.push(Export::Assignment);
                out.list.push((Stmt::ExportAssignment(value), range(it.span)));
            }
            ModuleDeclaration::TSNamespaceExportDeclaration(it) => {
                self.refuse("Unexpected token 'export'", it.span);
            }
        }
    }

    fn request(&mut self, source: &StringLiteral<'a>, erased: bool) -> u32 {
        let specifier = self.atom(source.value.as_str());
        self.requests.push(Request { specifier, at: range(source.span), erased });
        index(self.requests.len() - 1)
    }

    fn import(&mut self, it: &ImportDeclaration<'a>) {
        let type_only = it.import_kind == ImportOrExportKind::Type;
        let specifiers = it.specifiers.as_ref().map_or(&[][..], |it| it.as_slice());
        if it.phase.is_some() {
            self.refuse("Import phases are not enabled.", it.span);
        }
        let undecided = self.dialect == Dialect::TypeScript && !specifiers.is_empty();
        let request = self.request(&it.source, type_only || undecided);
        for specifier in specifiers {
            let (local, imported, is_type) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(it) => {
                    let is_type = it.import_kind == ImportOrExportKind::Type;
                    (&it.local, Imported::Named(self.export_name(&it.imported)), is_type)
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => {
                    (&it.local, Imported::Default, false)
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                    (&it.local, Imported::Namespace, false)
                }
            };
            let imported = match imported {
                Imported::Named(name) if &*name == "default" => Imported::Default,
                other => other,
            };
            let Some(symbol) = local.symbol_id.get() else { continue };
            let is_type = is_type || type_only;
            let declared = if is_type { Declared::TypeImport } else { Declared::Import };
            self.note_declaration(symbol, declared, local.span);
            let import = Import { binding: binding_of(symbol), request, imported };
            if undecided && !is_type {
                self.undecided_imports.push((symbol, import));
            } else if !is_type {
                self.imports.push(import);
            }
        }
    }

    /// Decides which imports Babel keeps: in TypeScript those that something uses as a value.
    pub(super) fn settle_imports(&mut self) {
        for (symbol, import) in std::mem::take(&mut self.undecided_imports) {
            let is_kept = self.is_used_as_value(symbol)
                || self.kept_imports.contains(&symbol)
                || self.enum_member_uses.contains(self.scoping.symbol_name(symbol));
            if is_kept {
                if let Some(request) = self.requests.get_mut(import.request as usize) {
                    request.erased = false;
                }
                self.imports.push(import);
            }
        }
    }

    fn is_used_as_value(&self, symbol: SymbolId) -> bool {
        self.scoping.get_resolved_references(symbol).any(oxc_semantic::Reference::is_value)
    }

    fn export_all(&mut self, it: &ExportAllDeclaration<'a>) {
        let erased = it.export_kind == ImportOrExportKind::Type;
        let request = self.request(&it.source, erased);
        if erased {
            return;
        }
        let export = match &it.exported {
            Some(name) => {
                Export::From { name: self.export_name(name), request, imported: Imported::Namespace }
            }
            None => Export::Star { request },
        };
        self.exports.push(export);
    }

    fn export_default(&mut self, it: &ExportDefaultDeclaration<'a>, out: &mut Statements) {
        let value = match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                let declared = self.declare_function(function);
                if function.id.is_none() && function.body.is_some() {
                    self.naming = Some(Naming::default_export());
                }
                let Some(lowered) = self.function(function) else { return };
                let binding = if let Some(declared) = declared {
                    declared
                } else {
                    let binding = self.synthetic_binding("default");
                    self.lexical.push(binding);
                    binding
                };
                out.functions.push((binding, lowered));
                self.export_binding("default", binding);
                return;
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                if let Some(binding) = self.declare_class(class) {
                    let lowered = self.class(class);
                    out.list.push((Stmt::Class { binding, class: lowered }, range(class.span)));
                    self.export_binding("default", binding);
                    return;
                }
                self.naming = Some(Naming::default_export());
                let lowered = self.class(class);
                self.push_expr(Expr::Class(lowered), class.span)
            }
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => return,
            other => match other.as_expression() {
                Some(expression) => self.named(expression, Some(Naming::default_export())),
                None => return,
            },
        };
        self.exports.push(Export::Default);
        out.list.push((Stmt::ExportDefault(value), range(it.span)));
    }

    fn export_binding(&mut self, name: &'a str, binding: BindingId) {
        let name = self.atom(name);
        self.exports.push(Export::Binding { name, binding });
    }

    fn export_declaration(&mut self, it: &Declaration<'a>, out: &mut Statements) {
        if let Declaration::TSImportEqualsDeclaration(it) = it {
            self.import_equals(it, true, out);
        } else {
            self.declaration(it, out);
        }
        for (name, binding) in self.declared_names(it) {
            self.exports.push(Export::Binding { name, binding });
        }
    }

    /// The names that exist at run time because of a declaration.
    fn declared_names(&mut self, it: &Declaration<'a>) -> Vec<(Atom, BindingId)> {
        let mut names = Vec::new();
        match it {
            Declaration::VariableDeclaration(it) if !it.declare => {
                for declarator in &it.declarations {
                    for id in declarator.id.get_binding_identifiers() {
                        names.push((id.name.as_str(), id.symbol_id.get()));
                    }
                }
            }
            Declaration::FunctionDeclaration(it) if !it.declare && it.body.is_some() => {
                names.extend(it.id.as_ref().map(|id| (id.name.as_str(), id.symbol_id.get())));
            }
            Declaration::ClassDeclaration(it) if !it.declare => {
                names.extend(it.id.as_ref().map(|id| (id.name.as_str(), id.symbol_id.get())));
            }
            Declaration::TSEnumDeclaration(it) if !it.declare => {
                names.push((it.id.name.as_str(), it.id.symbol_id.get()));
            }
            Declaration::TSNamespaceDeclaration(it) if !it.declare => {
                let symbol = it.id.symbol_id.get().filter(|&symbol| self.is_instantiated(symbol));
                names.extend(symbol.map(|symbol| (it.id.name.as_str(), Some(symbol))));
            }
            Declaration::TSImportEqualsDeclaration(it) if it.import_kind == ImportOrExportKind::Value => {
                names.push((it.id.name.as_str(), it.id.symbol_id.get()));
            }
            _ => {}
        }
        let names = names.into_iter();
        names.filter_map(|(name, symbol)| Some((self.atom(name), binding_of(symbol?)))).collect()
    }

    fn export_named(&mut self, it: &ExportNamedDeclaration<'a>) {
        if it.export_kind == ImportOrExportKind::Type {
            return;
        }
        for specifier in it.specifiers.iter().filter(|it| it.export_kind == ImportOrExportKind::Value) {
            let ModuleExportName::IdentifierReference(local) = &specifier.local else { continue };
            let declared = local.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
            if declared.is_none() {
                self.refuse(format!("Export '{}' is not defined.", local.name), local.span);
            }
            if let Some(symbol) = self.resolve(local) {
                let name = self.export_name(&specifier.exported);
                self.exports.push(Export::Binding { name, binding: binding_of(symbol) });
            }
        }
    }

    fn export_from(&mut self, it: &ExportFromDeclaration<'a>) {
        let is_type = |specifier: &ExportSpecifier<'a>| specifier.export_kind == ImportOrExportKind::Type;
        let erased = it.export_kind == ImportOrExportKind::Type
            || (!it.specifiers.is_empty() && it.specifiers.iter().all(is_type));
        let request = self.request(&it.source, erased);
        if erased {
            return;
        }
        for specifier in it.specifiers.iter().filter(|it| !is_type(it)) {
            let name = self.export_name(&specifier.exported);
            let local = self.export_name(&specifier.local);
            let imported = if &*local == "default" { Imported::Default } else { Imported::Named(local) };
            self.exports.push(Export::From { name, request, imported });
        }
    }

    fn export_name(&mut self, it: &ModuleExportName<'a>) -> Atom {
        self.atom(match it {
            ModuleExportName::IdentifierName(it) => it.name.as_str(),
            ModuleExportName::IdentifierReference(it) => it.name.as_str(),
            ModuleExportName::StringLiteral(it) => it.value.as_str(),
        })
    }

    /// `import a = require("…")` and `import a = b.c`.
    pub(super) fn import_equals(
        &mut self,
        it: &TSImportEqualsDeclaration<'a>,
        exported: bool,
        out: &mut Statements,
    ) {
        let Some(symbol) = it.id.symbol_id.get() else { return };
        let type_only = it.import_kind == ImportOrExportKind::Type;
        let erased = type_only || !(exported || self.is_used_as_value(symbol));
        if let TSModuleReference::ExternalModuleReference(reference) = &it.module_reference {
            let request = self.request(&reference.expression, erased);
            if !erased {
                let binding = binding_of(symbol);
                self.imports.push(Import { binding, request, imported: Imported::Namespace });
            }
            return;
        }
        if erased {
            return;
        }
        let value = match &it.module_reference {
            TSModuleReference::IdentifierReference(id) => {
                let expr = self.name(id);
                self.push_expr(expr, id.span)
            }
            TSModuleReference::QualifiedName(name) => self.qualified_name(name),
            TSModuleReference::ExternalModuleReference(_) => return,
        };
        let binding = self.declare(symbol, Declared::Lexical, it.id.span);
        let target = self.push_pattern(crate::source::ir::Pattern::Local(binding), it.id.span);
        out.list.push((Stmt::Declare { target, value: Some(value) }, range(it.span)));
    }

    fn qualified_name(&mut self, it: &TSQualifiedName<'a>) -> ExprId {
        let object = match &it.left {
            TSTypeName::IdentifierReference(id) => {
                let expr = self.name(id);
                self.push_expr(expr, id.span)
            }
            TSTypeName::QualifiedName(name) => self.qualified_name(name),
            TSTypeName::ThisExpression(this) => self.push_expr(Expr::This, this.span),
        };
        let property = self.atom(it.right.name.as_str());
        self.push_expr(Expr::Member { object, property, optional: false }, it.span)
    }

    pub(super) fn enumeration(&mut self, it: &TSEnumDeclaration<'a>, out: &mut Statements) {
        let Some(symbol) = it.id.symbol_id.get() else { return };
        let declared = if it.r#const { Declared::ConstEnum } else { Declared::Enum };
        if it.declare {
            self.note_declaration(symbol, declared, it.id.span);
            return;
        }
        let binding = self.declare(symbol, declared, it.id.span);
        self.enums.push(binding);
        let members = it
            .body
            .members
            .iter()
            .map(|member| {
                if matches!(
                    member.id,
                    TSEnumMemberName::ComputedString(_) | TSEnumMemberName::ComputedTemplateString(_)
                ) {
                    self.refuse("Computed property names are not allowed in enums.", member.span);
                }
                let name = self.atom(member.id.static_name().as_str());
                let value = member.initializer.as_ref().map(|value| self.expr(value));
                EnumMember { name, value }
            })
            .collect();
        self.enums.pop();
        out.list.push((Stmt::Enum { binding, members }, range(it.span)));
    }

    fn is_instantiated(&self, symbol: SymbolId) -> bool {
        self.scoping.symbol_flags(symbol).contains(SymbolFlags::ValueModule)
    }

    pub(super) fn namespace(&mut self, it: &TSNamespaceDeclaration<'a>, out: &mut Statements) {
        let Some(symbol) = it.id.symbol_id.get() else { return };
        if it.declare || !self.is_instantiated(symbol) {
            self.note_declaration(symbol, Declared::Namespace, it.id.span);
            return;
        }
        let binding = self.declare(symbol, Declared::Namespace, it.id.span);
        let labels = std::mem::take(&mut self.labels);
        let (body, exported) = match &it.body {
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => self.nested_namespace(inner),
            TSNamespaceDeclarationBody::TSModuleBlock(block) => self.namespace_body(&block.body),
        };
        self.labels = labels;
        let stmt = Stmt::Namespace { binding, body: Box::new(body), exported: exported.into_boxed_slice() };
        out.list.push((stmt, range(it.span)));
    }

    /// Babel cannot keep a namespace in step with an export that changes.
    fn refuse_changing_export(&mut self, it: &Declaration<'a>) {
        if let Declaration::VariableDeclaration(it) = it
            && it.kind != VariableDeclarationKind::Const
            && !it.declare
        {
            self.refuse("Namespaces exporting non-const are not supported by Babel.", it.span);
        }
    }

    /// `namespace A.B {}`: the inner one is exported from the outer.
    fn nested_namespace(&mut self, inner: &TSNamespaceDeclaration<'a>) -> (Block, Vec<(Atom, BindingId)>) {
        let first = self.lexical.len();
        let mut out = Statements::default();
        self.namespace(inner, &mut out);
        let block = Block {
            bindings: self.lexical.drain(first..).collect(),
            functions: out.functions.into_boxed_slice(),
            statements: out.list.into_boxed_slice(),
        };
        let name = self.atom(inner.id.name.as_str());
        let exported = inner.id.symbol_id.get().map(|symbol| (name, binding_of(symbol)));
        (block, exported.into_iter().collect())
    }

    fn namespace_body(&mut self, statements: &[Statement<'a>]) -> (Block, Vec<(Atom, BindingId)>) {
        let mut exported = Vec::new();
        let (first_var, first) = (self.vars.len(), self.lexical.len());
        let mut out = Statements::default();
        for statement in statements {
            match statement.as_module_declaration() {
                Some(ModuleDeclaration::ExportDeclaration(export)) => {
                    if let Declaration::TSImportEqualsDeclaration(it) = &export.declaration {
                        self.import_equals(it, true, &mut out);
                    } else {
                        self.refuse_changing_export(&export.declaration);
                        self.declaration(&export.declaration, &mut out);
                    }
                    exported.append(&mut self.declared_names(&export.declaration));
                }
                Some(ModuleDeclaration::ExportNamedDeclaration(export)) => {
                    self.refuse("Exports in a namespace have to be declarations.", export.span);
                }
                Some(ModuleDeclaration::ExportDefaultDeclaration(export)) => {
                    self.refuse("Unexpected token 'export'", export.span);
                }
                Some(_) => {}
                None => self.statement(statement, &mut out),
            }
        }
        let vars = self.vars.split_off(first_var);
        let block = Block {
            bindings: self.lexical.drain(first..).chain(vars).collect(),
            functions: out.functions.into_boxed_slice(),
            statements: out.list.into_boxed_slice(),
        };
        (block, exported)
    }
}
