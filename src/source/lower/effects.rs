//! Whether evaluating a module's top level can be put off until one of its values is needed.

use crate::source::ir::{
    Block, ClassId, Element, Expr, ExprId, Key, MemberKind, Module, Pattern, PatternId, Property, Stmt,
};

/// Whether the statements do anything but declare functions, classes and constants.
pub(super) fn block_has_effects(module: &Module, block: &Block) -> bool {
    !block.statements.iter().all(|(stmt, _)| is_quiet(module, stmt))
}

fn is_quiet(module: &Module, stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Empty => true,
        Stmt::Declare { target, value } => {
            is_plain_name(module, *target) && value.is_none_or(|value| is_pure(module, value))
        }
        Stmt::Class { class, .. } => is_pure_class(module, *class),
        Stmt::Enum { members, .. } => {
            members.iter().all(|member| member.value.is_none_or(|value| is_pure(module, value)))
        }
        Stmt::ExportDefault(value) | Stmt::Expr(value) => is_pure(module, *value),
        _ => false,
    }
}

fn is_plain_name(module: &Module, pattern: PatternId) -> bool {
    matches!(module.pattern(pattern), Pattern::Local(_))
}

fn is_pure_class(module: &Module, class: ClassId) -> bool {
    let class = module.class(class);
    let pure_parent = class.parent.is_none_or(|parent| matches!(module.expr(parent), Expr::Local(_)));
    pure_parent
        && !class.decorated
        && class.members.iter().all(|member| {
            !matches!(member.key, Some(Key::Computed(_)))
                && match &member.kind {
                    MemberKind::StaticBlock(_) => false,
                    MemberKind::Field(Some(value)) if member.is_static => is_pure(module, *value),
                    _ => true,
                }
        })
}

/// Whether evaluating it runs no code of anybody and cannot throw. Names count as pure although one that is read too
/// early throws: reading it later cannot do more than that.
fn is_pure(module: &Module, expr: ExprId) -> bool {
    let pure = |expr: &ExprId| is_pure(module, *expr);
    match module.expr(expr) {
        Expr::Null
        | Expr::Bool(_)
        | Expr::Number(_)
        | Expr::BigInt(_)
        | Expr::String(_)
        | Expr::RegExp(_)
        | Expr::Local(_)
        | Expr::EnumMember { .. }
        | Expr::This
        | Expr::ImportMeta
        | Expr::Function(_) => true,
        Expr::Template(it) => it.exprs.iter().all(|part| is_literal(module, *part)),
        Expr::Array(elements) => elements.iter().all(|element| match element {
            Element::Value(value) => pure(value),
            Element::Hole => true,
            Element::Spread(_) => false,
        }),
        Expr::Object(properties) => properties.iter().all(|property| match property {
            Property::Value { key, value } => !matches!(key, Key::Computed(_)) && pure(value),
            Property::Get { key, .. } | Property::Set { key, .. } => !matches!(key, Key::Computed(_)),
            Property::Spread(_) => false,
        }),
        Expr::Class(class) => is_pure_class(module, *class),
        Expr::Unary { operand, .. } => is_literal(module, *operand),
        Expr::Binary { left, right, .. } => is_literal(module, *left) && is_literal(module, *right),
        Expr::Logical { left, right, .. } => pure(left) && pure(right),
        Expr::Conditional { test, then, otherwise } => pure(test) && pure(then) && pure(otherwise),
        _ => false,
    }
}

/// Whether it is a primitive written out: operators on it run no code.
fn is_literal(module: &Module, expr: ExprId) -> bool {
    match module.expr(expr) {
        Expr::Null | Expr::Bool(_) | Expr::Number(_) | Expr::String(_) => true,
        Expr::Unary { operand, .. } => is_literal(module, *operand),
        Expr::Binary { left, right, .. } => is_literal(module, *left) && is_literal(module, *right),
        _ => false,
    }
}
