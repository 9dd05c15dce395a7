//! Expressions.

use oxc_ast::ast::{
    Argument, ArrayExpression, ArrayExpressionElement, AssignmentExpression, CallExpression, ChainElement,
    ChainExpression, Expression, IdentifierReference, MemberExpression, ObjectExpression, ObjectProperty,
    ObjectPropertyKind, PropertyKind, RegExpLiteral, TaggedTemplateExpression, TemplateLiteral,
    UnaryExpression,
};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator, UpdateOperator};
use oxc_syntax::symbol::SymbolFlags;

use super::naming::naming_of_key;
use super::{Lowering, binding_of};
use crate::source::ir::{
    Atom, BinaryOp, Element, Expr, ExprId, Key, Load, LogicalOp, Property, RegExp, TaggedTemplate, Template,
    UnaryOp,
};

impl<'a> Lowering<'_, 'a> {
    pub(super) fn expr(&mut self, it: &Expression<'a>) -> ExprId {
        let expr = match it {
            Expression::NullLiteral(_) => Expr::Null,
            Expression::BooleanLiteral(it) => Expr::Bool(it.value),
            Expression::NumericLiteral(it) => Expr::Number(it.value),
            Expression::BigIntLiteral(it) => Expr::BigInt(self.atom(it.value.as_str())),
            Expression::StringLiteral(it) => Expr::String(self.atom(it.value.as_str())),
            Expression::RegExpLiteral(it) => self.regexp(it),
            Expression::TemplateLiteral(it) => Expr::Template(Box::new(self.template(it))),
            Expression::TaggedTemplateExpression(it) => self.tagged_template(it),
            Expression::Identifier(it) => self.name(it),
            Expression::ThisExpression(_) => Expr::This,
            Expression::NewTarget(_) => Expr::NewTarget,
            Expression::ImportMeta(_) => Expr::ImportMeta,
            Expression::ArrayExpression(it) => self.array(it),
            Expression::ObjectExpression(it) => self.object(it),
            Expression::FunctionExpression(it) => match self.function(it) {
                Some(function) => Expr::Function(function),
                None => Expr::Unsupported("a function without a body"),
            },
            Expression::ArrowFunctionExpression(it) => Expr::Function(self.arrow(it)),
            Expression::ClassExpression(it) => Expr::Class(self.class(it)),
            Expression::UnaryExpression(it) => self.unary(it),
            Expression::UpdateExpression(it) => Expr::Update {
                target: self.simple_target(&it.argument),
                increment: it.operator == UpdateOperator::Increment,
                prefix: it.prefix,
            },
            Expression::BinaryExpression(it) => {
                let left = self.expr(&it.left);
                Expr::Binary { op: binary_op(it.operator), left, right: self.expr(&it.right) }
            }
            Expression::LogicalExpression(it) => {
                let left = self.expr(&it.left);
                Expr::Logical { op: logical_op(it.operator), left, right: self.expr(&it.right) }
            }
            Expression::PrivateInExpression(it) => {
                let name = self.atom(it.left.name.as_str());
                Expr::PrivateIn { name, object: self.expr(&it.right) }
            }
            Expression::AssignmentExpression(it) => self.assignment(it),
            Expression::ConditionalExpression(it) => {
                let test = self.expr(&it.test);
                let then = self.expr(&it.consequent);
                Expr::Conditional { test, then, otherwise: self.expr(&it.alternate) }
            }
            Expression::CallExpression(it) => return self.call(it),
            Expression::NewExpression(it) => {
                let callee = self.expr(&it.callee);
                Expr::New { callee, args: self.arguments(&it.arguments) }
            }
            Expression::ChainExpression(it) => self.chain(it),
            Expression::AwaitExpression(it) => {
                self.has_top_level_await |= self.function_depth == 0;
                Expr::Await(self.expr(&it.argument))
            }
            Expression::YieldExpression(it) => Expr::Yield {
                value: it.argument.as_ref().map(|value| self.expr(value)),
                delegate: it.delegate,
            },
            Expression::ImportExpression(it) => {
                if it.phase.is_some() {
                    self.refuse("Import phases are not enabled.", it.span);
                }
                if let Expression::StringLiteral(source) = &it.source
                    && may_be_own(&source.value)
                {
                    let specifier = self.atom(source.value.as_str());
                    self.loads.push(Load { specifier, start: it.span.start });
                }
                Expr::ImportCall(self.expr(&it.source))
            }
            Expression::SequenceExpression(it) => {
                Expr::Sequence(it.expressions.iter().map(|part| self.expr(part)).collect())
            }
            Expression::ParenthesizedExpression(it) => return self.expr(&it.expression),
            Expression::TSAsExpression(it) => return self.expr(&it.expression),
            Expression::TSSatisfiesExpression(it) => return self.expr(&it.expression),
            Expression::TSTypeAssertion(it) => return self.expr(&it.expression),
            Expression::TSNonNullExpression(it) => return self.expr(&it.expression),
            Expression::TSInstantiationExpression(it) => return self.expr(&it.expression),
            Expression::JSXElement(_) | Expression::JSXFragment(_) => Expr::Unsupported("JSX"),
            Expression::V8IntrinsicExpression(_) => Expr::Unsupported("a V8 intrinsic"),
            Expression::Super(_) => Expr::Unsupported("super"),
            Expression::StaticMemberExpression(_)
            | Expression::ComputedMemberExpression(_)
            | Expression::PrivateFieldExpression(_) => match it.as_member_expression() {
                Some(member) => return self.member(member),
                None => Expr::Unsupported("a member"),
            },
        };
        self.push_expr(expr, it.span())
    }

    fn regexp(&mut self, it: &RegExpLiteral<'a>) -> Expr {
        Expr::RegExp(Box::new(RegExp {
            pattern: self.atom(it.regex.pattern.text.as_str()),
            flags: Atom::from(it.regex.flags.to_string()),
        }))
    }

    fn template(&mut self, it: &TemplateLiteral<'a>) -> Template {
        let quasis = self.cooked(it);
        Template { quasis, exprs: it.expressions.iter().map(|part| self.expr(part)).collect() }
    }

    fn cooked(&mut self, it: &TemplateLiteral<'a>) -> Box<[Atom]> {
        it.quasis.iter().map(|quasi| self.atom(quasi.value.cooked.map_or("", |text| text.as_str()))).collect()
    }

    fn tagged_template(&mut self, it: &TaggedTemplateExpression<'a>) -> Expr {
        let tag = self.expr(&it.tag);
        let template = self.template(&it.quasi);
        let raw = it.quasi.quasis.iter().map(|quasi| self.atom(quasi.value.raw.as_str())).collect();
        Expr::TaggedTemplate(Box::new(TaggedTemplate { tag, template, raw }))
    }

    /// A name in the position of a value.
    pub(super) fn name(&mut self, it: &IdentifierReference<'a>) -> Expr {
        let text = it.name.as_str();
        let Some(symbol) = self.resolve(it) else {
            if text == "arguments"
                && let Some(reads) = self.reads_arguments.last_mut()
            {
                *reads = true;
            }
            return Expr::Global(self.atom(text));
        };
        if self.scoping.symbol_flags(symbol).contains(SymbolFlags::EnumMember)
            && let Some(&binding) = self.enums.last()
        {
            self.enum_member_uses.insert(text);
            return Expr::EnumMember { binding, name: self.atom(text) };
        }
        Expr::Local(binding_of(symbol))
    }

    fn array(&mut self, it: &ArrayExpression<'a>) -> Expr {
        let elements = it.elements.iter().map(|element| match element {
            ArrayExpressionElement::SpreadElement(it) => Element::Spread(self.expr(&it.argument)),
            ArrayExpressionElement::Elision(_) => Element::Hole,
            other => other.as_expression().map_or(Element::Hole, |value| Element::Value(self.expr(value))),
        });
        Expr::Array(elements.collect())
    }

    fn object(&mut self, it: &ObjectExpression<'a>) -> Expr {
        Expr::Object(it.properties.iter().filter_map(|property| self.property(property)).collect())
    }

    fn property(&mut self, it: &ObjectPropertyKind<'a>) -> Option<Property> {
        match it {
            ObjectPropertyKind::SpreadProperty(it) => Some(Property::Spread(self.expr(&it.argument))),
            ObjectPropertyKind::ObjectProperty(it) => self.written_property(it),
        }
    }

    fn written_property(&mut self, it: &ObjectProperty<'a>) -> Option<Property> {
        let mut key = self.key(&it.key, it.computed);
        // Only `__proto__: value` sets the prototype; a shorthand or method of this name is a property like any other.
        if let Key::Name(name) = &key
            && &**name == "__proto__"
            && (it.shorthand || it.method)
        {
            let name = Expr::String(name.clone());
            key = Key::Computed(self.push_expr(name, it.span));
        }
        let accessor = match &it.value {
            Expression::FunctionExpression(function) if it.kind != PropertyKind::Init => function,
            value => {
                let naming = naming_of_key(&key, "");
                return Some(Property::Value { key, value: self.named(value, naming) });
            }
        };
        self.naming = naming_of_key(&key, if it.kind == PropertyKind::Get { "get " } else { "set " });
        let function = self.function(accessor)?;
        Some(match it.kind {
            PropertyKind::Get => Property::Get { key, function },
            PropertyKind::Set | PropertyKind::Init => Property::Set { key, function },
        })
    }

    fn unary(&mut self, it: &UnaryExpression<'a>) -> Expr {
        let operand = self.expr(&it.argument);
        let op = match it.operator {
            UnaryOperator::UnaryNegation => UnaryOp::Negate,
            UnaryOperator::UnaryPlus => UnaryOp::Plus,
            UnaryOperator::LogicalNot => UnaryOp::Not,
            UnaryOperator::BitwiseNot => UnaryOp::BitNot,
            UnaryOperator::Typeof => UnaryOp::Typeof,
            UnaryOperator::Void => UnaryOp::Void,
            UnaryOperator::Delete => return Expr::Delete { operand },
        };
        Expr::Unary { op, operand }
    }

    fn assignment(&mut self, it: &AssignmentExpression<'a>) -> Expr {
        let target = self.assignment_target(&it.left);
        let naming = if it.operator.is_arithmetic() || it.operator.is_bitwise() {
            None
        } else {
            self.naming_of_target(&it.left)
        };
        let value = self.named(&it.right, naming);
        if let Some(op) = it.operator.to_logical_operator() {
            Expr::AssignLogical { op: logical_op(op), target, value }
        } else if let Some(op) = it.operator.to_binary_operator() {
            Expr::AssignBinary { op: binary_op(op), target, value }
        } else {
            Expr::Assign { target, value }
        }
    }

    pub(super) fn arguments(&mut self, it: &[Argument<'a>]) -> Box<[Element]> {
        it.iter()
            .map(|argument| match argument {
                Argument::SpreadElement(it) => Element::Spread(self.expr(&it.argument)),
                other => {
                    other.as_expression().map_or(Element::Hole, |value| Element::Value(self.expr(value)))
                }
            })
            .collect()
    }

    fn call(&mut self, it: &CallExpression<'a>) -> ExprId {
        let expr = if matches!(it.callee, Expression::Super(_)) {
            Expr::SuperCall { args: self.arguments(&it.arguments) }
        } else {
            let callee = self.expr(&it.callee);
            Expr::Call { callee, args: self.arguments(&it.arguments), optional: it.optional }
        };
        self.push_expr(expr, it.span)
    }

    fn chain(&mut self, it: &ChainExpression<'a>) -> Expr {
        Expr::Chain(match &it.expression {
            ChainElement::CallExpression(it) => self.call(it),
            ChainElement::TSNonNullExpression(it) => self.expr(&it.expression),
            other => match other.as_member_expression() {
                Some(member) => self.member(member),
                None => self.push_expr(Expr::Unsupported("a chain"), it.span),
            },
        })
    }

    pub(super) fn member(&mut self, it: &MemberExpression<'a>) -> ExprId {
        let (expr, span): (Expr, Span) = match it {
            MemberExpression::StaticMemberExpression(it) => {
                let property = it.property.name.as_str();
                let expr = if matches!(it.object, Expression::Super(_)) {
                    Expr::SuperMember { property: self.atom(property) }
                } else {
                    let object = self.expr(&it.object);
                    Expr::Member { object, property: self.atom(property), optional: it.optional }
                };
                (expr, it.span)
            }
            MemberExpression::ComputedMemberExpression(it) => {
                let expr = if matches!(it.object, Expression::Super(_)) {
                    Expr::SuperIndex { index: self.expr(&it.expression) }
                } else {
                    let object = self.expr(&it.object);
                    Expr::Index { object, index: self.expr(&it.expression), optional: it.optional }
                };
                (expr, it.span)
            }
            MemberExpression::PrivateFieldExpression(it) => {
                let object = self.expr(&it.object);
                let name = self.atom(it.field.name.as_str());
                (Expr::Private { object, name, optional: it.optional }, it.span)
            }
        };
        self.push_expr(expr, span)
    }
}

fn logical_op(op: LogicalOperator) -> LogicalOp {
    match op {
        LogicalOperator::And => LogicalOp::And,
        LogicalOperator::Or => LogicalOp::Or,
        LogicalOperator::Coalesce => LogicalOp::Coalesce,
    }
}

fn binary_op(op: BinaryOperator) -> BinaryOp {
    match op {
        BinaryOperator::Equality => BinaryOp::Equal,
        BinaryOperator::Inequality => BinaryOp::NotEqual,
        BinaryOperator::StrictEquality => BinaryOp::StrictEqual,
        BinaryOperator::StrictInequality => BinaryOp::StrictNotEqual,
        BinaryOperator::LessThan => BinaryOp::Less,
        BinaryOperator::LessEqualThan => BinaryOp::LessEqual,
        BinaryOperator::GreaterThan => BinaryOp::Greater,
        BinaryOperator::GreaterEqualThan => BinaryOp::GreaterEqual,
        BinaryOperator::Addition => BinaryOp::Add,
        BinaryOperator::Subtraction => BinaryOp::Subtract,
        BinaryOperator::Multiplication => BinaryOp::Multiply,
        BinaryOperator::Division => BinaryOp::Divide,
        BinaryOperator::Remainder => BinaryOp::Remainder,
        BinaryOperator::Exponential => BinaryOp::Power,
        BinaryOperator::ShiftLeft => BinaryOp::ShiftLeft,
        BinaryOperator::ShiftRight => BinaryOp::ShiftRight,
        BinaryOperator::ShiftRightZeroFill => BinaryOp::ShiftRightUnsigned,
        BinaryOperator::BitwiseAnd => BinaryOp::BitAnd,
        BinaryOperator::BitwiseOR => BinaryOp::BitOr,
        BinaryOperator::BitwiseXOR => BinaryOp::BitXor,
        BinaryOperator::In => BinaryOp::In,
        BinaryOperator::Instanceof => BinaryOp::InstanceOf,
    }
}

/// Whether a specifier may lead to code of the same package.
fn may_be_own(specifier: &str) -> bool {
    specifier.starts_with(['.', '#', '/'])
}
