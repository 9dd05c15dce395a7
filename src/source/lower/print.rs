//! The intermediate representation as text, for tests.

use std::fmt::Write;

use crate::source::ir::{
    BindingId, Block, Catch, Element, Export, Expr, ExprId, FunctionBody, FunctionId, Imported, Key,
    MemberKind, Module, Parameter, Pattern, PatternId, Property, Stmt,
};

/// Prints a module.
pub(super) fn print(module: &Module) -> String {
    let mut printer = Printer { module, out: String::new(), indent: 0 };
    for request in &module.requests {
        let erased = if request.erased { " (erased)" } else { "" };
        printer.line(&format!("request {}{erased}", request.specifier));
    }
    for import in &module.imports {
        let name = printer.name(import.binding);
        printer.line(&format!("import {name} = {}.{}", import.request, imported(&import.imported)));
    }
    for export in &module.exports {
        let text = printer.export(export);
        printer.line(&text);
    }
    printer.block("module", &module.body);
    let _ = write!(printer.out, "esm: {}, effects: {}", module.is_esm, module.has_effects);
    printer.out
}

fn imported(it: &Imported) -> &str {
    match it {
        Imported::Default => "default",
        Imported::Namespace => "*",
        Imported::Named(name) => name,
    }
}

struct Printer<'m> {
    module: &'m Module,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(self.indent));
    }

    fn name(&self, binding: BindingId) -> String {
        format!("{}#{}", self.module.binding_names[binding.0 as usize], binding.0)
    }

    fn names(&self, bindings: &[BindingId]) -> String {
        bindings.iter().map(|it| self.name(*it)).collect::<Vec<_>>().join(" ")
    }

    fn export(&self, it: &Export) -> String {
        match it {
            Export::Binding { name, binding } => format!("export {name} = {}", self.name(*binding)),
            Export::Default => "export default".to_owned(),
            Export::From { name, request, imported: it } => {
                format!("export {name} = {request}.{}", imported(it))
            }
            Export::Star { request } => format!("export * = {request}"),
            Export::Assignment => "export =".to_owned(),
        }
    }

    fn block(&mut self, title: &str, block: &Block) {
        self.line(&format!("{title} [{}]", self.names(&block.bindings)));
        self.indent += 1;
        for (binding, function) in &block.functions {
            let text = format!("{} := {}", self.name(*binding), self.function(*function));
            self.line(&text);
            self.body(*function);
        }
        for (stmt, _) in &block.statements {
            self.stmt(stmt);
        }
        self.indent -= 1;
    }

    fn nested(&mut self, title: &str, stmt: &Stmt) {
        self.line(title);
        self.indent += 1;
        self.stmt(stmt);
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(it) => self.line(&self.expr(*it)),
            Stmt::Declare { target, value } => {
                let value = value.map_or(String::new(), |it| format!(" = {}", self.expr(it)));
                self.line(&format!("declare {}{value}", self.pattern(*target)));
            }
            Stmt::Class { binding, class } => {
                self.line(&format!("class {} {}", self.name(*binding), class.0));
                self.class(class.0);
            }
            Stmt::Enum { binding, members } => {
                let members: Vec<_> = members
                    .iter()
                    .map(|it| match it.value {
                        Some(value) => format!("{} = {}", it.name, self.expr(value)),
                        None => it.name.to_string(),
                    })
                    .collect();
                self.line(&format!("enum {} {{ {} }}", self.name(*binding), members.join(", ")));
            }
            Stmt::Namespace { binding, body, exported } => {
                let exported: Vec<_> =
                    exported.iter().map(|(name, it)| format!("{name}={}", self.name(*it))).collect();
                let title = format!("namespace {} exports {}", self.name(*binding), exported.join(" "));
                self.block(&title, body);
            }
            Stmt::Block(block) => self.block("block", block),
            Stmt::If { test, then, otherwise } => {
                self.nested(&format!("if {}", self.expr(*test)), &then.0);
                if let Some(otherwise) = otherwise {
                    self.nested("else", &otherwise.0);
                }
            }
            Stmt::For { bindings, init, test, update, body } => {
                self.line(&format!("for [{}]", self.names(bindings)));
                self.indent += 1;
                if let Some(init) = init {
                    self.stmt(&init.0);
                }
                for part in [test, update].into_iter().flatten() {
                    self.line(&format!("; {}", self.expr(*part)));
                }
                self.stmt(&body.0);
                self.indent -= 1;
            }
            Stmt::ForIn { bindings, target, object, body } => {
                let head = format!("{} in {}", self.pattern(*target), self.expr(*object));
                self.nested(&format!("for [{}] {head}", self.names(bindings)), &body.0);
            }
            Stmt::ForOf { bindings, target, iterable, awaits, body } => {
                let word = if *awaits { "await of" } else { "of" };
                let head = format!("{} {word} {}", self.pattern(*target), self.expr(*iterable));
                self.nested(&format!("for [{}] {head}", self.names(bindings)), &body.0);
            }
            Stmt::While { test, body } => self.nested(&format!("while {}", self.expr(*test)), &body.0),
            Stmt::DoWhile { body, test } => self.nested(&format!("do while {}", self.expr(*test)), &body.0),
            Stmt::Return(value) => {
                self.line(&format!("return {}", value.map_or(String::new(), |it| self.expr(it))));
            }
            Stmt::Throw(value) => self.line(&format!("throw {}", self.expr(*value))),
            Stmt::Break(label) => self.line(&format!("break {label:?}")),
            Stmt::Continue(label) => self.line(&format!("continue {label:?}")),
            Stmt::Labeled { label, body } => self.nested(&format!("{label:?}:"), &body.0),
            Stmt::Switch { value, bindings, functions, cases } => {
                self.line(&format!("switch {} [{}]", self.expr(*value), self.names(bindings)));
                for (binding, function) in functions {
                    let text = format!("{} := {}", self.name(*binding), self.function(*function));
                    self.line(&text);
                }
                for case in cases {
                    let test = case.test.map_or("default".to_owned(), |it| format!("case {}", self.expr(it)));
                    self.line(&test);
                    self.indent += 1;
                    for (stmt, _) in &case.statements {
                        self.stmt(stmt);
                    }
                    self.indent -= 1;
                }
            }
            Stmt::Try { block, catch, finally } => {
                self.block("try", block);
                if let Some(catch) = catch {
                    self.catch(catch);
                }
                if let Some(finally) = finally {
                    self.block("finally", finally);
                }
            }
            Stmt::Dispose { binding, awaits } => self.line(&format!("dispose {binding:?} awaits: {awaits}")),
            Stmt::ExportDefault(value) => self.line(&format!("export default {}", self.expr(*value))),
            Stmt::ExportAssignment(value) => self.line(&format!("export = {}", self.expr(*value))),
            Stmt::Unsupported => self.line("unsupported"),
            Stmt::Empty => self.line("empty"),
        }
    }

    fn catch(&mut self, catch: &Catch) {
        let param = catch.param.map_or(String::new(), |it| self.pattern(it));
        let title = format!("catch ({param}) [{}]", self.names(&catch.bindings));
        self.block(&title, &catch.body);
    }

    fn function(&self, id: FunctionId) -> String {
        let it = self.module.function(id);
        let mut text = String::new();
        for (is, word) in [
            (it.is_async, "async "),
            (it.is_generator, "generator "),
            (it.is_arrow, "arrow "),
            (it.uses_arguments, "arguments "),
        ] {
            text.push_str(if is { word } else { "" });
        }
        let own = it.own_binding.map_or(String::new(), |own| format!(" own {}", self.name(own)));
        let params: Vec<_> = it.params.iter().map(|it| self.parameter(it)).collect();
        let rest = it.rest.map_or(String::new(), |it| format!(" ...{}", self.pattern(it)));
        let vars = self.names(&it.var_bindings);
        let name = it.name.as_deref().filter(|it| !it.is_empty()).unwrap_or("_");
        let bindings = self.names(&it.param_bindings);
        let value = match &it.body {
            FunctionBody::Expr(value) => format!(" => {}", self.expr(*value)),
            FunctionBody::Block(_) => format!(" {{{}}}", id.0),
        };
        format!("{text}{name}{own}({}{rest}) [{bindings}] var [{vars}]{value}", params.join(", "))
    }

    fn parameter(&self, it: &Parameter) -> String {
        let property = it.property.as_ref().map_or(String::new(), |name| format!("this.{name} "));
        format!("{property}{}", self.pattern(it.pattern))
    }

    /// The statements of a function, where it has some.
    fn body(&mut self, id: FunctionId) {
        if let FunctionBody::Block(block) = &self.module.function(id).body {
            self.indent += 1;
            self.block(&format!("{{{}}}", id.0), block);
            self.indent -= 1;
        }
    }

    fn class(&mut self, index: u32) {
        let class = &self.module.classes[index as usize];
        self.indent += 1;
        let parent = class.parent.map_or(String::new(), |it| format!("extends {}", self.expr(it)));
        let own = class.own_binding.map_or(String::new(), |own| format!("own {}", self.name(own)));
        if !parent.is_empty() || !own.is_empty() || class.decorated {
            self.line(&format!("{parent}{own}{}", if class.decorated { " decorated" } else { "" }));
        }
        if let Some(constructor) = class.constructor {
            let text = format!("constructor {}", self.function(constructor));
            self.line(&text);
            self.body(constructor);
        }
        for member in &class.members {
            let place = if member.is_static { "static " } else { "" };
            let key = member.key.as_ref().map_or(String::new(), |key| self.key(key));
            match &member.kind {
                MemberKind::Method(it) => self.member(&format!("{place}{key}"), *it),
                MemberKind::Get(it) => self.member(&format!("{place}get {key}"), *it),
                MemberKind::Set(it) => self.member(&format!("{place}set {key}"), *it),
                MemberKind::Field(value) => {
                    let value = value.map_or(String::new(), |it| format!(" = {}", self.expr(it)));
                    self.line(&format!("{place}field {key}{value}"));
                }
                MemberKind::StaticBlock(block) => self.block("static", block),
            }
        }
        self.indent -= 1;
    }

    fn member(&mut self, title: &str, function: FunctionId) {
        let text = format!("{title} {}", self.function(function));
        self.line(&text);
        self.body(function);
    }

    fn key(&self, key: &Key) -> String {
        match key {
            Key::Name(name) => name.to_string(),
            Key::Computed(it) => format!("[{}]", self.expr(*it)),
            Key::Private(name) => format!("#{name}"),
        }
    }

    fn elements(&self, elements: &[Element]) -> String {
        let texts = elements.iter().map(|element| match element {
            Element::Value(it) => self.expr(*it),
            Element::Spread(it) => format!("...{}", self.expr(*it)),
            Element::Hole => "hole".to_owned(),
        });
        texts.collect::<Vec<_>>().join(", ")
    }

    fn list(&self, exprs: &[ExprId]) -> String {
        exprs.iter().map(|it| self.expr(*it)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, id: ExprId) -> String {
        let mark = |optional: &bool| if *optional { "?" } else { "" };
        match self.module.expr(id) {
            Expr::Null => "null".to_owned(),
            Expr::Bool(it) => it.to_string(),
            Expr::Number(it) => it.to_string(),
            Expr::BigInt(it) => format!("{it}n"),
            Expr::String(it) => format!("{it:?}"),
            Expr::RegExp(it) => format!("/{}/{}", it.pattern, it.flags),
            Expr::Template(it) => format!("template({:?}, {})", it.quasis, self.list(&it.exprs)),
            Expr::TaggedTemplate(it) => {
                format!("tagged({}, {:?}, {})", self.expr(it.tag), it.raw, self.list(&it.template.exprs))
            }
            Expr::Local(it) => self.name(*it),
            Expr::Global(it) => format!("global {it}"),
            Expr::EnumMember { binding, name } => format!("{}.{name}", self.name(*binding)),
            Expr::This => "this".to_owned(),
            Expr::NewTarget => "new.target".to_owned(),
            Expr::ImportMeta => "import.meta".to_owned(),
            Expr::Array(elements) => format!("[{}]", self.elements(elements)),
            Expr::Object(properties) => {
                let texts = properties.iter().map(|property| match property {
                    Property::Value { key, value } => format!("{}: {}", self.key(key), self.expr(*value)),
                    Property::Get { key, function } => {
                        format!("get {} {}", self.key(key), self.function(*function))
                    }
                    Property::Set { key, function } => {
                        format!("set {} {}", self.key(key), self.function(*function))
                    }
                    Property::Spread(it) => format!("...{}", self.expr(*it)),
                });
                format!("{{ {} }}", texts.collect::<Vec<_>>().join(", "))
            }
            Expr::Function(it) => self.function(*it),
            Expr::Class(it) => format!("class {}", it.0),
            Expr::Unary { op, operand } => format!("{op:?}({})", self.expr(*operand)),
            Expr::Delete { operand } => format!("delete {}", self.expr(*operand)),
            Expr::Update { target, increment, prefix } => {
                let name = if *increment { "increment" } else { "decrement" };
                format!("{name}{}({})", if *prefix { "" } else { " after" }, self.pattern(*target))
            }
            Expr::Binary { op, left, right } => {
                format!("{op:?}({}, {})", self.expr(*left), self.expr(*right))
            }
            Expr::Logical { op, left, right } => {
                format!("{op:?}({}, {})", self.expr(*left), self.expr(*right))
            }
            Expr::PrivateIn { name, object } => format!("#{name} in {}", self.expr(*object)),
            Expr::Assign { target, value } => {
                format!("{} = {}", self.pattern(*target), self.expr(*value))
            }
            Expr::AssignBinary { op, target, value } => {
                format!("{} {op:?}= {}", self.pattern(*target), self.expr(*value))
            }
            Expr::AssignLogical { op, target, value } => {
                format!("{} {op:?}= {}", self.pattern(*target), self.expr(*value))
            }
            Expr::Conditional { test, then, otherwise } => {
                format!("{} ? {} : {}", self.expr(*test), self.expr(*then), self.expr(*otherwise))
            }
            Expr::Call { callee, args, optional } => {
                format!("{}{}({})", self.expr(*callee), mark(optional), self.elements(args))
            }
            Expr::New { callee, args } => format!("new {}({})", self.expr(*callee), self.elements(args)),
            Expr::Member { object, property, optional } => {
                format!("{}{}.{property}", self.expr(*object), mark(optional))
            }
            Expr::Index { object, index, optional } => {
                format!("{}{}[{}]", self.expr(*object), mark(optional), self.expr(*index))
            }
            Expr::Private { object, name, optional } => {
                format!("{}{}.#{name}", self.expr(*object), mark(optional))
            }
            Expr::Chain(it) => format!("chain({})", self.expr(*it)),
            Expr::SuperCall { args } => format!("super({})", self.elements(args)),
            Expr::SuperMember { property } => format!("super.{property}"),
            Expr::SuperIndex { index } => format!("super[{}]", self.expr(*index)),
            Expr::Await(it) => format!("await {}", self.expr(*it)),
            Expr::Yield { value, delegate } => {
                let value = value.map_or(String::new(), |it| self.expr(it));
                format!("yield{} {value}", if *delegate { "*" } else { "" })
            }
            Expr::ImportCall(it) => format!("import({})", self.expr(*it)),
            Expr::Sequence(exprs) => format!("({})", self.list(exprs)),
            Expr::Unsupported(what) => format!("unsupported {what}"),
        }
    }

    fn pattern(&self, id: PatternId) -> String {
        let rest =
            |rest: &Option<PatternId>| rest.map_or(String::new(), |it| format!(" ...{}", self.pattern(it)));
        match self.module.pattern(id) {
            Pattern::Local(it) => self.name(*it),
            Pattern::Constant(it) => format!("const {}", self.name(*it)),
            Pattern::Global(it) => format!("global {it}"),
            Pattern::Member(it) => self.expr(*it),
            Pattern::Object { properties, rest: others } => {
                let texts =
                    properties.iter().map(|(key, it)| format!("{}: {}", self.key(key), self.pattern(*it)));
                format!("{{ {}{} }}", texts.collect::<Vec<_>>().join(", "), rest(others))
            }
            Pattern::Array { elements, rest: others } => {
                let texts = elements.iter().map(|it| it.map_or("hole".to_owned(), |it| self.pattern(it)));
                format!("[{}{}]", texts.collect::<Vec<_>>().join(", "), rest(others))
            }
            Pattern::Default { pattern, default } => {
                format!("({} or {})", self.pattern(*pattern), self.expr(*default))
            }
        }
    }
}
