//! The names that Node finds a `CommonJS` module to export.
//!
//! `import` needs them before the module runs, so that Node searches its text (`cjs-module-lexer`; Node:
//! `lib/internal/modules/esm/translators.js`): for what is assigned to a property of something called `exports` or
//! `module.exports`, for what is defined on it, for literals that become `module.exports`, and for other modules whose exports are
//! passed on. Where in the code that stands, and whether it ever runs, makes no difference. What is set in another way,
//! as bundlers do, is not found, be it the mark of an ECMAScript module: then the default export is all of
//! `module.exports`.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Evaluator;
use super::heap::InstanceId;
use crate::location::Span;
use crate::source::ir::{Atom, Element, Expr, ExprId, Key, Module, Pattern, Property};
use crate::source::resolve::{Asking, Importer, ModuleFile, Resolution, Treatment};

/// More modules that pass on each other's exports are not looked at.
const MAX_MODULES: usize = 1_000;

/// What is found in one module.
#[derive(Default)]
struct Found {
    names: Vec<Atom>,
    /// The modules whose exports are passed on, as they are asked for.
    passed_on: Vec<Atom>,
    /// The names of another module are copied in a loop.
    copies: bool,
}

impl Evaluator<'_> {
    /// The names that Node finds; `None` where it may find others than are seen here.
    pub(super) fn names_found_by_node(&self, id: InstanceId) -> Option<FxHashSet<Atom>> {
        let mut names = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut open = vec![self.instances.file(id).clone()];
        while let Some(file) = open.pop() {
            if seen.len() > MAX_MODULES {
                return None;
            }
            if !seen.insert(file.clone()) {
                continue;
            }
            let module = self.world.modules.module(&file).ok()?;
            let found = self.found_in(&module);
            if found.copies {
                return None;
            }
            names.extend(found.names);
            for specifier in &found.passed_on {
                open.push(self.commonjs_module(&file, specifier)?);
            }
        }
        Some(names)
    }

    /// The module that `require` gives, if it is one of `CommonJS`.
    fn commonjs_module(&self, from: &ModuleFile, specifier: &str) -> Option<ModuleFile> {
        let importer = Importer { path: &from.path, treatment: from.treatment };
        match self.world.modules.resolve(importer, specifier, Asking::Require) {
            Resolution::File(file) if file.treatment == Treatment::NativeCommonJs => Some(file),
            _ => None,
        }
    }

    fn found_in(&self, module: &Module) -> Found {
        let mut found = Found::default();
        for (expr, _) in &module.exprs {
            match expr {
                Expr::Assign { target, value } => {
                    if let Pattern::Member(member) = module.pattern(*target) {
                        self.find_in_assignment(module, *member, *value, &mut found);
                    }
                }
                Expr::Call { callee, args, .. } => find_in_call(module, *callee, args, &mut found),
                _ => {}
            }
        }
        found
    }

    fn find_in_assignment(&self, module: &Module, target: ExprId, value: ExprId, found: &mut Found) {
        if let Some((object, name)) = property(module, target)
            && is_exports(module, object)
        {
            found.names.push(Arc::clone(name));
        }
        if !is_module_exports(module, target) {
            return;
        }
        found.passed_on.clear();
        found.passed_on.extend(required(module, value).cloned());
        if let Expr::Object(properties) = module.expr(value) {
            self.find_in_literal(module, properties, found);
        }
    }

    /// A literal is read up to the first value that is no word.
    fn find_in_literal(&self, module: &Module, properties: &[Property], found: &mut Found) {
        let is_word = |value: ExprId| {
            matches!(
                module.expr(value),
                Expr::Local(_) | Expr::Global(_) | Expr::Bool(_) | Expr::Null | Expr::This
            )
        };
        // A method begins with its parameters.
        let begins_with_word = |value: ExprId| {
            let text = self.world.sources.snippet(module.expr_span(value));
            let is_method =
                matches!(module.expr(value), Expr::Function(it) if !module.function(*it).is_arrow);
            is_method || text.starts_with(|it: char| it.is_alphabetic() || it == '_' || it == '$')
        };
        for property in properties {
            match property {
                Property::Value { key: Key::Name(name), value } if is_word(*value) => {
                    found.names.push(Arc::clone(name));
                }
                Property::Value { key: Key::Name(name), value } if begins_with_word(*value) => {
                    found.names.push(Arc::clone(name));
                    break;
                }
                Property::Spread(value) => match required(module, *value) {
                    Some(specifier) => found.passed_on.push(Arc::clone(specifier)),
                    None if is_word(*value) => {}
                    None => break,
                },
                _ => break,
            }
        }
    }
}

fn find_in_call(module: &Module, callee: ExprId, args: &[Element], found: &mut Found) {
    let argument = |at: usize| match args.get(at) {
        Some(Element::Value(value)) => Some(*value),
        _ => None,
    };
    let (object, method) = match module.expr(callee) {
        Expr::Member { object, property, .. } => (Some(*object), &**property),
        Expr::Local(_) | Expr::Global(_) => (None, name_of(module, callee).unwrap_or_default()),
        _ => return,
    };
    match (object, method, argument(0), argument(1)) {
        (Some(object), "defineProperty", Some(target), Some(name))
            if name_of(module, object) == Some("Object") && is_exports(module, target) =>
        {
            if let Expr::String(name) = module.expr(name) {
                found.names.push(Arc::clone(name));
            }
        }
        // What TypeScript makes of `export *`.
        (_, "__exportStar" | "__export", Some(value), _) => {
            found.passed_on.extend(required(module, value).cloned());
        }
        // What Babel makes of it: a loop that leaves the default export out.
        (Some(object), "forEach", Some(each), _)
            if is_keys(module, object) && mentions_default(module, module.expr_span(each)) =>
        {
            found.copies = true;
        }
        _ => {}
    }
}

fn is_keys(module: &Module, expr: ExprId) -> bool {
    let Expr::Call { callee, .. } = module.expr(expr) else { return false };
    matches!(property(module, *callee), Some((object, name)) if &**name == "keys" && name_of(module, object) == Some("Object"))
}

fn mentions_default(module: &Module, within: Span) -> bool {
    module.exprs.iter().any(|(expr, range)| {
        within.start <= range.start
            && range.end <= within.end
            && matches!(expr, Expr::String(text) if &**text == "default")
    })
}

/// What `require("…")` asks for.
fn required(module: &Module, expr: ExprId) -> Option<&Atom> {
    let Expr::Call { callee, args, .. } = module.expr(expr) else { return None };
    match (name_of(module, *callee), args.first()) {
        (Some("require"), Some(Element::Value(specifier))) => match module.expr(*specifier) {
            Expr::String(specifier) => Some(specifier),
            _ => None,
        },
        _ => None,
    }
}

/// The object and the name of `object.name` and `object["name"]`.
fn property(module: &Module, expr: ExprId) -> Option<(ExprId, &Atom)> {
    match module.expr(expr) {
        Expr::Member { object, property, .. } => Some((*object, property)),
        Expr::Index { object, index, .. } => match module.expr(*index) {
            Expr::String(name) => Some((*object, name)),
            _ => None,
        },
        _ => None,
    }
}

/// A name that stands alone, whatever it is bound to.
fn name_of(module: &Module, expr: ExprId) -> Option<&str> {
    match module.expr(expr) {
        Expr::Global(name) => Some(name),
        Expr::Local(binding) => module.binding_names.get(binding.0 as usize).map(|it| &**it),
        _ => None,
    }
}

/// `exports` or `module.exports`.
fn is_exports(module: &Module, expr: ExprId) -> bool {
    name_of(module, expr) == Some("exports") || is_module_exports(module, expr)
}

fn is_module_exports(module: &Module, expr: ExprId) -> bool {
    matches!(property(module, expr), Some((object, name)) if &**name == "exports" && name_of(module, object) == Some("module"))
}
