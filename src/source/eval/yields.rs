//! Which generators can stand still at each of their `yield`s; see `suspension`.

use crate::source::ir::{Expr, ExprId, Function, FunctionBody, Module, Pattern, Range, Stmt};

/// Modules of more expressions are not searched for the `yield`s of a generator.
const MAX_EXPRESSIONS: usize = 60_000;

/// The places of the `yield`s of a generator, if each stands where it can stand still.
pub(super) fn yields_of(module: &Module, code: &Function) -> Option<Vec<Range>> {
    let FunctionBody::Block(block) = &code.body else { return None };
    if module.exprs.len() > MAX_EXPRESSIONS {
        return None;
    }
    let within = |inner: Range, outer: Range| outer.start <= inner.start && inner.end <= outer.end;
    let nested: Vec<Range> =
        module.functions.iter().map(|it| it.at).filter(|it| *it != code.at && within(*it, code.at)).collect();
    let yields: Vec<Range> = module
        .exprs
        .iter()
        .filter(|(expr, at)| matches!(expr, Expr::Yield { .. }) && within(*at, code.at))
        .map(|(_, at)| *at)
        .filter(|at| !nested.iter().any(|it| within(*at, *it)))
        .collect();
    let holds = |range: Range| yields.iter().any(|it| within(*it, range));
    let mut plain = 0;
    let are_plain = block.statements.iter().all(|it| is_plain(module, it, &holds, &mut plain));
    (are_plain && plain == yields.len()).then_some(yields)
}

/// Whether every `yield` of a statement stands where the generator can stand still. Counts them.
fn is_plain(
    module: &Module,
    (statement, range): &(Stmt, Range),
    holds: &impl Fn(Range) -> bool,
    count: &mut usize,
) -> bool {
    if !holds(*range) {
        return true;
    }
    let mut is_yield = |expr: ExprId| {
        let Expr::Yield { value, .. } = module.expr(expr) else { return false };
        *count += 1;
        value.is_none_or(|it| !holds(place(module, it)))
    };
    match statement {
        Stmt::Expr(expr) => match module.expr(*expr) {
            Expr::Assign { target, value } => {
                matches!(module.pattern(*target), Pattern::Local(_)) && is_yield(*value)
            }
            _ => is_yield(*expr),
        },
        Stmt::Declare { target, value: Some(value) } => {
            let target = module.patterns.get(target.0 as usize).map(|it| it.1);
            target.is_some_and(|it| !holds(it)) && is_yield(*value)
        }
        Stmt::Return(Some(value)) => is_yield(*value),
        Stmt::Block(block) => block.statements.iter().all(|it| is_plain(module, it, holds, count)),
        Stmt::If { test, then, otherwise } => {
            !holds(place(module, *test))
                && is_plain(module, then, holds, count)
                && otherwise.as_ref().is_none_or(|it| is_plain(module, it, holds, count))
        }
        Stmt::While { test, body } | Stmt::DoWhile { body, test } => {
            !holds(place(module, *test)) && is_plain(module, body, holds, count)
        }
        Stmt::For { init, test, update, body, .. } => {
            init.as_ref().is_none_or(|it| !holds(it.1))
                && [test, update].into_iter().flatten().all(|it| !holds(place(module, *it)))
                && is_plain(module, body, holds, count)
        }
        Stmt::ForOf { iterable, body, .. } => {
            !holds(place(module, *iterable)) && is_plain(module, body, holds, count)
        }
        Stmt::Try { block, .. } => block.statements.iter().all(|it| is_plain(module, it, holds, count)),
        _ => false,
    }
}

fn place(module: &Module, id: ExprId) -> Range {
    module.exprs.get(id.0 as usize).map_or(Range { start: 0, end: 0 }, |it| it.1)
}
