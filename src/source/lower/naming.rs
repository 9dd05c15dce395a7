//! The names of functions and classes that are written without one: those of what they are assigned to.

use oxc_ast::ast::{AssignmentTarget, BindingPattern, Expression};

use super::Lowering;
use crate::source::ir::{Atom, ExprId, Key};

/// What names a function or class that has no name of its own.
#[derive(Debug, Clone)]
pub(super) enum Naming {
    /// A name.
    Name(Atom),
    /// A key that is computed.
    Computed,
}

impl Naming {
    /// The name that Babel gives to what a module exports by default.
    pub(super) fn default_export() -> Self {
        Self::Name("_default".into())
    }
}

impl<'a> Lowering<'_, 'a> {
    /// The value of something that gives its name to functions and classes.
    pub(super) fn named(&mut self, value: &Expression<'a>, naming: Option<Naming>) -> ExprId {
        if is_anonymous(value) {
            self.naming = naming;
        }
        self.expr(value)
    }

    /// The name of a function or class that is written with this one or none: `None` when it is not known here.
    pub(super) fn own_name(&mut self, written: Option<&'a str>) -> Option<Atom> {
        let naming = self.naming.take();
        match (written, naming) {
            (Some(name), _) => Some(self.atom(name)),
            (None, Some(Naming::Name(name))) => Some(name),
            (None, Some(Naming::Computed)) => None,
            (None, None) => Some(self.atom("")),
        }
    }

    pub(super) fn naming_of_pattern(&mut self, it: &BindingPattern<'a>) -> Option<Naming> {
        let BindingPattern::BindingIdentifier(id) = it else { return None };
        Some(Naming::Name(self.atom(id.name.as_str())))
    }

    pub(super) fn naming_of_target(&mut self, it: &AssignmentTarget<'a>) -> Option<Naming> {
        let AssignmentTarget::AssignmentTargetIdentifier(id) = it else { return None };
        Some(Naming::Name(self.atom(id.name.as_str())))
    }
}

/// How a property names its value. Accessors put a word before the name.
pub(super) fn naming_of_key(key: &Key, word: &str) -> Option<Naming> {
    let text = |name: &str| Naming::Name(format!("{word}{name}").into());
    Some(match key {
        // As a key that sets the prototype it names nothing.
        Key::Name(name) if &**name == "__proto__" => return None,
        Key::Name(name) => text(name),
        Key::Private(name) => text(&format!("#{name}")),
        Key::Computed(_) => Naming::Computed,
    })
}

fn is_anonymous(value: &Expression<'_>) -> bool {
    match value {
        Expression::ArrowFunctionExpression(_) => true,
        Expression::FunctionExpression(it) => it.id.is_none(),
        Expression::ClassExpression(it) => it.id.is_none(),
        Expression::ParenthesizedExpression(it) => is_anonymous(&it.expression),
        Expression::TSAsExpression(it) => is_anonymous(&it.expression),
        Expression::TSSatisfiesExpression(it) => is_anonymous(&it.expression),
        Expression::TSNonNullExpression(it) => is_anonymous(&it.expression),
        Expression::TSTypeAssertion(it) => is_anonymous(&it.expression),
        _ => false,
    }
}
