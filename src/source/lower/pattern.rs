//! Binding patterns and assignment targets.

use oxc_ast::ast::{
    ArrayAssignmentTarget, ArrayPattern, AssignmentTarget, AssignmentTargetMaybeDefault,
    AssignmentTargetProperty, BindingPattern, Expression, IdentifierReference, ObjectAssignmentTarget,
    ObjectPattern, PropertyKey, SimpleAssignmentTarget,
};
use oxc_span::{GetSpan, Span};
use oxc_syntax::number::ToJsString;
use oxc_syntax::symbol::SymbolFlags;

use super::naming::naming_of_key;
use super::redeclaration::Declared;
use super::{Lowering, binding_of};
use crate::source::ir::{ExprId, Key, Pattern, PatternId};

impl<'a> Lowering<'_, 'a> {
    pub(super) fn binding_pattern(&mut self, it: &BindingPattern<'a>, declared: Declared) -> PatternId {
        match it {
            BindingPattern::BindingIdentifier(id) => {
                let pattern = match id.symbol_id.get() {
                    Some(symbol) => Pattern::Local(self.declare(symbol, declared, id.span)),
                    None => Pattern::Global(self.atom(id.name.as_str())),
                };
                self.push_pattern(pattern, id.span)
            }
            BindingPattern::ObjectPattern(it) => self.object_pattern(it, declared),
            BindingPattern::ArrayPattern(it) => self.array_pattern(it, declared),
            BindingPattern::AssignmentPattern(it) => {
                let pattern = self.binding_pattern(&it.left, declared);
                let naming = self.naming_of_pattern(&it.left);
                let default = self.named(&it.right, naming);
                self.push_pattern(Pattern::Default { pattern, default }, it.span)
            }
        }
    }

    fn object_pattern(&mut self, it: &ObjectPattern<'a>, declared: Declared) -> PatternId {
        let properties = it
            .properties
            .iter()
            .map(|property| {
                let key = self.key(&property.key, property.computed);
                (key, self.binding_pattern(&property.value, declared))
            })
            .collect();
        let rest = it.rest.as_ref().map(|rest| self.binding_pattern(&rest.argument, declared));
        self.push_pattern(Pattern::Object { properties, rest }, it.span)
    }

    fn array_pattern(&mut self, it: &ArrayPattern<'a>, declared: Declared) -> PatternId {
        let elements = it
            .elements
            .iter()
            .map(|element| element.as_ref().map(|element| self.binding_pattern(element, declared)))
            .collect();
        let rest = it.rest.as_ref().map(|rest| self.binding_pattern(&rest.argument, declared));
        self.push_pattern(Pattern::Array { elements, rest }, it.span)
    }

    pub(super) fn assignment_target(&mut self, it: &AssignmentTarget<'a>) -> PatternId {
        match it {
            AssignmentTarget::ArrayAssignmentTarget(it) => self.array_target(it),
            AssignmentTarget::ObjectAssignmentTarget(it) => self.object_target(it),
            other => match other.as_simple_assignment_target() {
                Some(simple) => self.simple_target(simple),
                None => self.unmodelled_target(other.span()),
            },
        }
    }

    pub(super) fn simple_target(&mut self, it: &SimpleAssignmentTarget<'a>) -> PatternId {
        match it {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(id) => {
                let pattern = self.name_target(id);
                self.push_pattern(pattern, id.span)
            }
            SimpleAssignmentTarget::TSAsExpression(it) => self.cast_target(&it.expression),
            SimpleAssignmentTarget::TSSatisfiesExpression(it) => self.cast_target(&it.expression),
            SimpleAssignmentTarget::TSNonNullExpression(it) => self.cast_target(&it.expression),
            SimpleAssignmentTarget::TSTypeAssertion(it) => self.cast_target(&it.expression),
            other => match other.as_member_expression() {
                Some(member) => {
                    let member = self.member(member);
                    self.member_target(member, it.span())
                }
                None => self.unmodelled_target(other.span()),
            },
        }
    }

    /// `(x as T) = …`: the expression below the cast is the target.
    fn cast_target(&mut self, it: &Expression<'a>) -> PatternId {
        match it.get_inner_expression() {
            Expression::Identifier(id) => {
                let pattern = self.name_target(id);
                self.push_pattern(pattern, id.span)
            }
            inner => match inner.as_member_expression() {
                Some(member) => {
                    let member = self.member(member);
                    self.member_target(member, inner.span())
                }
                None => self.unmodelled_target(inner.span()),
            },
        }
    }

    fn name_target(&mut self, id: &IdentifierReference<'a>) -> Pattern {
        match self.resolve(id) {
            Some(symbol) if self.scoping.symbol_flags(symbol).contains(SymbolFlags::ConstVariable) => {
                Pattern::Constant(binding_of(symbol))
            }
            Some(symbol) => Pattern::Local(binding_of(symbol)),
            None => Pattern::Global(self.atom(id.name.as_str())),
        }
    }

    fn member_target(&mut self, member: ExprId, span: Span) -> PatternId {
        self.push_pattern(Pattern::Member(member), span)
    }

    /// A target that no grammar has: an assignment to it has no effect that could be followed.
    pub(super) fn unmodelled_target(&mut self, span: Span) -> PatternId {
        self.push_pattern(Pattern::Object { properties: Box::default(), rest: None }, span)
    }

    fn array_target(&mut self, it: &ArrayAssignmentTarget<'a>) -> PatternId {
        let elements = it
            .elements
            .iter()
            .map(|element| element.as_ref().map(|element| self.target_with_default(element)))
            .collect();
        let rest = it.rest.as_ref().map(|rest| self.assignment_target(&rest.target));
        self.push_pattern(Pattern::Array { elements, rest }, it.span)
    }

    fn object_target(&mut self, it: &ObjectAssignmentTarget<'a>) -> PatternId {
        let properties = it.properties.iter().map(|property| self.target_property(property)).collect();
        let rest = it.rest.as_ref().map(|rest| self.assignment_target(&rest.target));
        self.push_pattern(Pattern::Object { properties, rest }, it.span)
    }

    fn target_property(&mut self, it: &AssignmentTargetProperty<'a>) -> (Key, PatternId) {
        match it {
            AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => {
                let key = Key::Name(self.atom(it.binding.name.as_str()));
                let pattern = self.name_target(&it.binding);
                let pattern = self.push_pattern(pattern, it.binding.span);
                let Some(default) = &it.init else { return (key, pattern) };
                let naming = naming_of_key(&key, "");
                let default = self.named(default, naming);
                (key, self.push_pattern(Pattern::Default { pattern, default }, it.span))
            }
            AssignmentTargetProperty::AssignmentTargetPropertyProperty(it) => {
                let key = self.key(&it.name, it.computed);
                (key, self.target_with_default(&it.binding))
            }
        }
    }

    fn target_with_default(&mut self, it: &AssignmentTargetMaybeDefault<'a>) -> PatternId {
        match it {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(it) => {
                let pattern = self.assignment_target(&it.binding);
                let naming = self.naming_of_target(&it.binding);
                let default = self.named(&it.init, naming);
                self.push_pattern(Pattern::Default { pattern, default }, it.span)
            }
            other => match other.as_assignment_target() {
                Some(target) => self.assignment_target(target),
                None => self.unmodelled_target(other.span()),
            },
        }
    }

    pub(super) fn key(&mut self, it: &PropertyKey<'a>, computed: bool) -> Key {
        match it {
            PropertyKey::StaticIdentifier(id) => Key::Name(self.atom(id.name.as_str())),
            PropertyKey::PrivateIdentifier(id) => Key::Private(self.atom(id.name.as_str())),
            PropertyKey::StringLiteral(it) if !computed => Key::Name(self.atom(it.value.as_str())),
            PropertyKey::NumericLiteral(it) if !computed => Key::Name(it.value.to_js_string().into()),
            PropertyKey::BigIntLiteral(it) if !computed => Key::Name(self.atom(it.value.as_str())),
            other => match other.as_expression() {
                Some(expression) => Key::Computed(self.expr(expression)),
                None => Key::Name(self.atom("")),
            },
        }
    }
}
