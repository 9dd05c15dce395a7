//! `Math`.

use std::f64::consts;

use super::{Evaluator, Methods};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::operator::{to_int32, to_uint32};
use crate::source::eval::value::{Nature, Value};
use crate::source::known::ReasonKind;

macro_rules! of_one {
    ($($name:literal => $code:expr,)*) => {
        &[$((concat!("Math.", $name), |me, call| numbers(me, call, |it| {
            let code: fn(f64) -> f64 = $code;
            code(it.first().copied().unwrap_or(f64::NAN))
        })),)*]
    };
}

const OF_ONE: Methods = of_one! {
    "abs" => f64::abs, "acos" => f64::acos, "acosh" => f64::acosh, "asin" => f64::asin, "asinh" => f64::asinh,
    "atan" => f64::atan, "atanh" => f64::atanh, "cbrt" => f64::cbrt, "ceil" => f64::ceil, "cos" => f64::cos,
    "cosh" => f64::cosh, "exp" => f64::exp, "expm1" => f64::exp_m1, "floor" => f64::floor,
    "log" => f64::ln, "log10" => f64::log10, "log1p" => f64::ln_1p, "log2" => f64::log2, "sin" => f64::sin,
    "sinh" => f64::sinh, "sqrt" => f64::sqrt, "tan" => f64::tan, "tanh" => f64::tanh, "trunc" => f64::trunc,
    "fround" => single,
    "round" => round,
    "sign" => |it| if it.is_nan() || it == 0.0 { it } else { it.signum() },
    "clz32" => |it| f64::from(to_uint32(it).leading_zeros()),
};

const OF_MANY: Methods = &[
    ("Math.max", |me, call| numbers(me, call, |all| fold(all, f64::NEG_INFINITY, f64::max))),
    ("Math.min", |me, call| numbers(me, call, |all| fold(all, f64::INFINITY, f64::min))),
    ("Math.hypot", |me, call| numbers(me, call, |all| all.iter().map(|it| it * it).sum::<f64>().sqrt())),
    ("Math.pow", |me, call| numbers(me, call, |all| power(nth(all, 0), nth(all, 1)))),
    ("Math.atan2", |me, call| numbers(me, call, |all| nth(all, 0).atan2(nth(all, 1)))),
    ("Math.imul", |me, call| {
        numbers(me, call, |all| f64::from(to_int32(nth(all, 0)).wrapping_mul(to_int32(nth(all, 1)))))
    }),
    ("Math.random", |me, _| Ok(me.unknown_of(Nature::Number, ReasonKind::OutsideWorld, "a random number"))),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let math = me.global_object("Math", OF_ONE);
    me.methods(math, OF_MANY);
    for (name, number) in [
        ("PI", consts::PI),
        ("E", consts::E),
        ("LN2", consts::LN_2),
        ("LN10", consts::LN_10),
        ("LOG2E", consts::LOG2_E),
        ("LOG10E", consts::LOG10_E),
        ("SQRT2", consts::SQRT_2),
        ("SQRT1_2", consts::FRAC_1_SQRT_2),
    ] {
        me.constant(math, name, Value::number(number));
    }
}

fn numbers(me: &mut Evaluator<'_>, call: &Call<'_>, code: impl Fn(&[f64]) -> f64) -> Eval {
    me.pure(call, |me, values| {
        let all = values.iter().skip(1).map(|it| me.number_of(it)).collect::<Option<Vec<_>>>();
        match all {
            Some(all) => Ok(Value::number(code(&all))),
            None => me.not_modelled(call),
        }
    })
}

fn nth(all: &[f64], index: usize) -> f64 {
    all.get(index).copied().unwrap_or(f64::NAN)
}

fn fold(all: &[f64], start: f64, choose: fn(f64, f64) -> f64) -> f64 {
    all.iter().fold(start, |a, &b| if a.is_nan() || b.is_nan() { f64::NAN } else { choose(a, b) })
}

fn power(base: f64, exponent: f64) -> f64 {
    #[allow(clippy::float_cmp, reason = "JavaScript says so for exactly one")]
    let is_undecided = exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite());
    if is_undecided { f64::NAN } else { base.powf(exponent) }
}

/// Halves go up.
fn round(it: f64) -> f64 {
    let floor = it.floor();
    if it - floor >= 0.5 { floor + 1.0 } else { floor }
}

#[allow(clippy::cast_possible_truncation, reason = "this is what it is for")]
fn single(it: f64) -> f64 {
    f64::from(it as f32)
}
