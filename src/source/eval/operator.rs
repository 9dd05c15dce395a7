//! Operators and conversions.

#![allow(clippy::wrong_self_convention, reason = "the conversions are named as in ECMAScript")]

use std::rc::Rc;
use std::sync::Arc;

use super::heap::{ObjectId, ObjectKind, PropertyKey};
use super::native::Eval;
use super::value::{Alternative, Data, Nature, Spot, SymbolId, Unknown, Value};
use super::{Arguments, Derivation, Evaluator};
use crate::source::ir::{BinaryOp, UnaryOp};
use crate::source::known::ReasonKind;

impl Evaluator<'_> {
    /// What `String(value)` and templates make of a settled value without running code; `None` when it is not known.
    pub(super) fn text_of(&self, value: &Value) -> Option<Arc<str>> {
        Some(match &value.data {
            Data::String(text, _) | Data::BigInt(text) => text.clone(),
            Data::Absent | Data::Undefined => "undefined".into(),
            Data::Null => "null".into(),
            Data::Bool(true) => "true".into(),
            Data::Bool(false) => "false".into(),
            Data::Number(number) => number_text(*number).into(),
            Data::Symbol(id) => self.key_text(&PropertyKey::Symbol(*id)),
            Data::Object(object) => self.object_text(*object, 0)?.into(),
            Data::Choice(_) | Data::Unknown(_) => return None,
        })
    }

    /// Objects whose text follows from what they are. Those with a `toString` of their own go through
    /// [`Evaluator::to_primitive`].
    fn object_text(&self, object: ObjectId, depth: u32) -> Option<String> {
        let it = self.heap.get(object);
        match &it.kind {
            ObjectKind::Array(elements) if it.open.is_none() && depth < 4 => {
                let mut text = String::new();
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    match &element.data {
                        Data::Absent | Data::Undefined | Data::Null => {}
                        Data::Object(inner) => text.push_str(&self.object_text(*inner, depth + 1)?),
                        _ => text.push_str(&self.text_of(element)?),
                    }
                }
                Some(text)
            }
            ObjectKind::Ordinary if it.open.is_none() => Some("[object Object]".into()),
            ObjectKind::Boxed(value) => self.text_of(value).map(|it| it.to_string()),
            ObjectKind::RegExp { pattern, flags } => Some(format!("/{}/{flags}", source_text(pattern))),
            _ => None,
        }
    }

    /// A value as the primitive that operators see: objects go through `Symbol.toPrimitive`, `valueOf`, `toString`.
    pub(super) fn to_primitive(&mut self, value: &Value, hint: &str) -> Eval {
        let Data::Object(object) = value.data else { return Ok(value.clone()) };
        let exotic = self.get_of(object, &PropertyKey::Symbol(SymbolId::TO_PRIMITIVE), value)?;
        if self.is_callable(&exotic) {
            return self.call(&exotic, value, Arguments::of([Value::string(hint)]));
        }
        let order = if hint == "string" { ["toString", "valueOf"] } else { ["valueOf", "toString"] };
        for name in order {
            let method = self.get_of(object, &name.into(), value)?;
            if self.is_callable(&method) {
                let result = self.call(&method, value, Arguments::default())?;
                if result.as_object().is_none() {
                    return Ok(result);
                }
            }
        }
        Ok(self
            .text_of(value)
            .map_or_else(|| self.unknown(ReasonKind::NotModelled, "an object used as text"), Value::string))
    }

    /// `String(value)`: a string, a choice of such, or an unknown.
    pub(super) fn to_text(&mut self, value: &Value) -> Eval {
        self.each(value, |me, value| {
            if matches!(value.data, Data::String(..)) {
                return Ok(value.clone());
            }
            let primitive = me.to_primitive(value, "string")?;
            if matches!(primitive.data, Data::Symbol(_)) {
                return Err(me.throw_error("TypeError", "Cannot convert a Symbol value to a string"));
            }
            let text = me.map(&primitive, |me, it| match me.text_of(it) {
                Some(text) => Value::string(text).resting_on(it.facts),
                None => it.clone(),
            });
            Ok(me.with_facts(text, value.facts))
        })
    }

    /// What `Number(value)` makes of a settled primitive; `None` when it is not known.
    pub(super) fn number_of(&self, value: &Value) -> Option<f64> {
        Some(match &value.data {
            Data::Number(number) => *number,
            Data::Absent | Data::Undefined => f64::NAN,
            Data::Null | Data::Bool(false) => 0.0,
            Data::Bool(true) => 1.0,
            Data::String(text, _) => text_to_number(text),
            Data::BigInt(text) => text.parse().ok()?,
            Data::Object(object) => text_to_number(&self.object_text(*object, 0)?),
            Data::Symbol(_) | Data::Choice(_) | Data::Unknown(_) => return None,
        })
    }

    /// Whether a settled value can be called.
    pub(super) fn is_callable(&self, value: &Value) -> bool {
        let Data::Object(object) = value.data else { return false };
        match &self.heap.get(object).kind {
            ObjectKind::Function(_) | ObjectKind::Native(_) | ObjectKind::Bound(_) | ObjectKind::Class(_) => {
                true
            }
            ObjectKind::Proxy { target, .. } => {
                let target = target.clone();
                target.as_object() != Some(object) && self.is_callable(&target)
            }
            _ => false,
        }
    }

    /// `typeof` of a settled value.
    fn type_name(&self, value: &Value) -> &'static str {
        match &value.data {
            Data::Absent | Data::Undefined => "undefined",
            Data::Bool(_) => "boolean",
            Data::Number(_) => "number",
            Data::BigInt(_) => "bigint",
            Data::String(..) => "string",
            Data::Symbol(_) => "symbol",
            Data::Object(_) if self.is_callable(value) => "function",
            Data::Null | Data::Object(_) | Data::Choice(_) | Data::Unknown(_) => "object",
        }
    }

    /// `typeof value`.
    pub(super) fn type_of(&mut self, value: &Value) -> Value {
        self.map(value, |me, it| match &it.data {
            Data::Unknown(unknown) => match unknown.nature.type_name() {
                Some(name) => Value::string(name).resting_on(it.facts),
                None => me.derive(unknown, Derivation::Typeof),
            },
            _ => Value::string(me.type_name(it)).resting_on(it.facts),
        })
    }

    /// `!value`.
    pub(super) fn not(&mut self, value: &Value) -> Value {
        self.map(value, |me, it| match &it.data {
            Data::Unknown(unknown) if unknown.nature.truth().is_none() => {
                if let Some(inner) = &unknown.negates {
                    return Value::new(Data::Unknown(inner.clone())).resting_on(it.facts);
                }
                if let Some(known) = me.derived.get(&(Derivation::Not, unknown.id)) {
                    return known.clone();
                }
                let negation = me.path.unknown_rc(unknown.reason.clone(), Some(unknown.clone()));
                let value = Value::new(Data::Unknown(negation)).resting_on(it.facts);
                me.summaries.ask(unknown.id);
                me.derived.insert((Derivation::Not, unknown.id), value.clone());
                value
            }
            _ => Value::from(!me.truthiness(it).unwrap_or(true)).resting_on(it.facts),
        })
    }

    /// A unary operator other than `!` and `typeof`.
    pub(super) fn unary(&mut self, op: UnaryOp, value: &Value) -> Eval {
        match op {
            UnaryOp::Not => return Ok(self.not(value)),
            UnaryOp::Typeof => return Ok(self.type_of(value)),
            UnaryOp::Void => return Ok(Value::UNDEFINED),
            UnaryOp::Negate | UnaryOp::Plus | UnaryOp::BitNot => {}
        }
        self.each(value, |me, value| {
            let primitive = me.to_primitive(value, "number")?;
            match primitive.data {
                Data::Symbol(_) => {
                    return Err(me.throw_error("TypeError", "Cannot convert a Symbol value to a number"));
                }
                Data::BigInt(_) if op == UnaryOp::Plus => {
                    return Err(me.throw_error("TypeError", "Cannot convert a BigInt value to a number"));
                }
                _ => {}
            }
            Ok(me.map(&primitive, |me, it| {
                if matches!(it.data, Data::BigInt(_)) {
                    return me.unknown(ReasonKind::NotModelled, "arithmetic on big integers");
                }
                let Some(number) = me.number_of(it) else { return it.clone() };
                let result = match op {
                    UnaryOp::Negate => -number,
                    UnaryOp::BitNot => f64::from(!to_int32(number)),
                    _ => number,
                };
                Value::number(result).resting_on(it.facts)
            }))
        })
    }

    /// A binary operator.
    pub(super) fn binary(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Eval {
        let (left, right) = (self.path.settle(left), self.path.settle(right));
        match op {
            BinaryOp::In => {
                return self.each(&left, |me, left| match me.property_key(left) {
                    Some(key) => me.has(&right, &key),
                    None => Ok(me.unknown(ReasonKind::NotModelled, "a computed name")),
                });
            }
            BinaryOp::InstanceOf => return self.each(&left, |me, left| me.instance_of(left, &right)),
            _ => {}
        }
        if left.is_settled() && right.is_settled() {
            return self.binary_settled(op, &left, &right);
        }
        self.pairs(&left, &right, |me, a, b| me.binary_open(op, a, b))
    }

    /// Applies a function to every pair of alternatives that can occur together.
    fn pairs(
        &mut self,
        left: &Value,
        right: &Value,
        mut run: impl FnMut(&mut Self, &Value, &Value) -> Eval,
    ) -> Eval {
        let alone = |value: &Value| match &value.data {
            Data::Choice(choice) => choice.alternatives.clone(),
            _ => vec![Alternative { value: value.clone(), guard: Vec::new(), exact: true, tag: 0 }],
        };
        let mut results = Vec::new();
        let (lefts, rights) = (alone(left), alone(right));
        for a in &lefts {
            for b in &rights {
                let clash = |it: &super::value::Literal| b.guard.contains(&it.negated());
                if a.guard.iter().any(clash) {
                    continue;
                }
                let value = run(self, &a.value, &b.value)?;
                let mut guard = a.guard.clone();
                guard.extend(b.guard.iter().filter(|it| !a.guard.contains(it)));
                results.push(Alternative { value, guard, exact: a.exact && b.exact, tag: 0 });
            }
        }
        Ok(self.path.choose(results))
    }

    fn binary_open(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Eval {
        if let Some(known) = known_by_nature(op, left, right) {
            return Ok(known.into());
        }
        let unknown = left.as_unknown().or(right.as_unknown());
        if let (BinaryOp::Add, Some(unknown)) = (op, unknown)
            && let Some(nature) = nature_of_sum(left, right)
        {
            return Ok(self.path.unknown_of(unknown.reason.clone(), nature));
        }
        match (&left.data, &right.data) {
            (Data::Unknown(unknown), _) => Ok(self.derived_operator(op, unknown, right)),
            (_, Data::Unknown(unknown)) => Ok(self.derived_operator(op, unknown, left)),
            _ => self.binary_settled(op, left, right),
        }
    }

    /// An operator on something unknown. Equality tests of one unknown with one constant are the same each time.
    fn derived_operator(&mut self, op: BinaryOp, unknown: &Rc<Unknown>, other: &Value) -> Value {
        let constant = match &other.data {
            Data::Object(_) | Data::Choice(_) | Data::Symbol(_) => None,
            Data::Unknown(it) => Some(format!("unknown {}", it.id)),
            Data::String(text, _) => Some(format!("string {text}")),
            _ => self.text_of(other).map(|it| it.to_string()),
        };
        let (symbol, negated) = match op {
            BinaryOp::Equal => ("==", false),
            BinaryOp::NotEqual => ("==", true),
            BinaryOp::StrictEqual => ("===", false),
            BinaryOp::StrictNotEqual => ("===", true),
            _ => return self.path.unknown(unknown.reason.clone()),
        };
        let Some(constant) = constant else { return self.path.unknown(unknown.reason.clone()) };
        let equal = self.derive(unknown, Derivation::Operator(symbol, constant.into()));
        if negated { self.not(&equal) } else { equal }
    }

    fn binary_settled(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Eval {
        let facts = self.facts.union(left.facts, right.facts);
        let result = match op {
            BinaryOp::StrictEqual => Value::from(strict_equal(left, right)),
            BinaryOp::StrictNotEqual => Value::from(!strict_equal(left, right)),
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let equal = self.loose_equal(left, right)?;
                if op == BinaryOp::NotEqual { self.not(&equal) } else { equal }
            }
            _ => {
                let hint = if op == BinaryOp::Add { "default" } else { "number" };
                let a = self.to_primitive(left, hint)?;
                let b = self.to_primitive(right, hint)?;
                if a.is_settled() && b.is_settled() {
                    self.arithmetic(op, &a, &b)?
                } else {
                    self.pairs(&a, &b, |me, a, b| {
                        if a.is_settled() && b.is_settled() {
                            me.arithmetic(op, a, b)
                        } else {
                            let unknown = a.as_unknown().or(b.as_unknown()).cloned();
                            Ok(match unknown {
                                Some(unknown) => me.path.unknown(unknown.reason.clone()),
                                None => me.unknown(ReasonKind::Merged, "one of several values"),
                            })
                        }
                    })?
                }
            }
        };
        Ok(self.with_facts(result, facts))
    }

    fn arithmetic(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Eval {
        let is_text = |it: &Value| matches!(it.data, Data::String(..));
        if op == BinaryOp::Add && (is_text(left) || is_text(right)) {
            return self.concatenate(left, right);
        }
        if let (Data::String(a, _), Data::String(b, _)) = (&left.data, &right.data) {
            let order = a.encode_utf16().cmp(b.encode_utf16());
            match op {
                BinaryOp::Less => return Ok(order.is_lt().into()),
                BinaryOp::LessEqual => return Ok(order.is_le().into()),
                BinaryOp::Greater => return Ok(order.is_gt().into()),
                BinaryOp::GreaterEqual => return Ok(order.is_ge().into()),
                _ => {}
            }
        }
        if [left, right].iter().any(|it| matches!(it.data, Data::Symbol(_))) {
            return Err(self.throw_error("TypeError", "Cannot convert a Symbol value to a number"));
        }
        let (is_left, is_right) =
            (matches!(left.data, Data::BigInt(_)), matches!(right.data, Data::BigInt(_)));
        if is_left || is_right {
            let compares = matches!(
                op,
                BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual
            );
            let may_be_one = |it: &Value| matches!(it.data, Data::BigInt(_) | Data::Object(_));
            let are_both = may_be_one(left) && may_be_one(right);
            if !compares && !are_both {
                let message = "Cannot mix BigInt and other types, use explicit conversions";
                return Err(self.throw_error("TypeError", message));
            }
            return Ok(self.unknown(ReasonKind::NotModelled, "arithmetic on big integers"));
        }
        let (Some(a), Some(b)) = (self.number_of(left), self.number_of(right)) else {
            return Ok(self.unknown(ReasonKind::NotModelled, "arithmetic on this value"));
        };
        Ok(number_operator(op, a, b))
    }

    fn concatenate(&mut self, left: &Value, right: &Value) -> Eval {
        if [left, right].iter().any(|it| matches!(it.data, Data::Symbol(_))) {
            return Err(self.throw_error("TypeError", "Cannot convert a Symbol value to a string"));
        }
        let (Some(a), Some(b)) = (self.text_of(left), self.text_of(right)) else {
            return Ok(self.unknown(ReasonKind::NotModelled, "text made from this value"));
        };
        self.spend_string(a.len() + b.len())?;
        let spot = match (&left.data, &right.data) {
            (Data::String(_, spot), _) if b.is_empty() => *spot,
            (_, Data::String(_, spot)) if a.is_empty() => *spot,
            _ => Spot::NONE,
        };
        let text: Arc<str> = [&*a, &*b].concat().into();
        Ok(Value::new(Data::String(text, spot)))
    }

    fn loose_equal(&mut self, left: &Value, right: &Value) -> Eval {
        let is_object = |it: &Value| it.as_object().is_some();
        if left.is_nullish() || right.is_nullish() {
            return Ok((left.is_nullish() && right.is_nullish()).into());
        }
        if std::mem::discriminant(&left.data) == std::mem::discriminant(&right.data) {
            return Ok(strict_equal(left, right).into());
        }
        let a = if is_object(left) { self.to_primitive(left, "default")? } else { left.clone() };
        let b = if is_object(right) { self.to_primitive(right, "default")? } else { right.clone() };
        if let (Data::String(a, _), Data::String(b, _)) = (&a.data, &b.data) {
            return Ok((a == b).into());
        }
        Ok(match (self.number_of(&a), self.number_of(&b)) {
            #[allow(clippy::float_cmp, reason = "JavaScript's equality")]
            (Some(a), Some(b)) => (a == b).into(),
            _ => self.unknown(ReasonKind::NotModelled, "a loose comparison"),
        })
    }

    fn instance_of(&mut self, left: &Value, right: &Value) -> Eval {
        if let Data::Choice(_) = right.data {
            return self.each(right, |me, right| match right.data {
                Data::Choice(_) => Ok(me.unknown(ReasonKind::Merged, "one of several classes")),
                _ => me.instance_of(left, right),
            });
        }
        if let Data::Unknown(unknown) = &left.data {
            let class = right.as_object().map_or_else(String::new, |it| format!("{it:?}"));
            return Ok(self.derive(unknown, Derivation::Operator("instanceof", class.into())));
        }
        let Some(class) = right.as_object() else {
            if let Data::Unknown(unknown) = &right.data {
                if left.as_object().is_none() {
                    return Ok(Value::FALSE);
                }
                let unknown = unknown.clone();
                return Ok(self.path.unknown(unknown.reason.clone()));
            }
            return Err(self.throw_error("TypeError", "Right-hand side of 'instanceof' is not callable"));
        };
        let has_instance = self.get_of(class, &PropertyKey::Symbol(SymbolId::HAS_INSTANCE), right)?;
        if self.is_callable(&has_instance) {
            return self.call(&has_instance, right, Arguments::of([left.clone()]));
        }
        let prototype = self.get_of(class, &"prototype".into(), right)?;
        let (Some(mut at), Some(prototype)) = (left.as_object(), prototype.as_object()) else {
            return Ok(if left.as_object().is_some() && !prototype.is_settled() {
                self.unknown(ReasonKind::NotModelled, "a class that is not modelled")
            } else {
                Value::FALSE
            });
        };
        for _ in 0..64 {
            if let ObjectKind::Proxy { .. } = self.heap.get(at).kind {
                let next = self.prototype_of(&at.into())?;
                match next.as_object() {
                    Some(next) if next == prototype => return Ok(Value::TRUE),
                    Some(next) => at = next,
                    None if next.is_settled() => break,
                    None => return Ok(self.unknown(ReasonKind::NotModelled, "the prototype of a proxy")),
                }
                continue;
            }
            match self.heap.get(at).prototype {
                Some(next) if next == prototype => return Ok(Value::TRUE),
                Some(next) => at = next,
                None => break,
            }
        }
        Ok(Value::FALSE)
    }
}

/// What a comparison comes to when only the types of what is compared are known, and perhaps that a number is positive.
fn known_by_nature(op: BinaryOp, left: &Value, right: &Value) -> Option<bool> {
    let is_excluded = left.nature().excludes(right) || right.nature().excludes(left);
    let (a, b) = (left.nature().type_name(), right.nature().type_name());
    let differ = a.zip(b).is_some_and(|(a, b)| a != b);
    let nullish = (left.nature().is_present() && right.is_nullish())
        || (right.nature().is_present() && left.is_nullish());
    let above = |value: &Value, bound: &Value| {
        value.nature() == Nature::PositiveNumber && bound.as_number().is_some_and(|it| it <= 0.0)
    };
    match op {
        BinaryOp::StrictEqual if is_excluded || differ => Some(false),
        BinaryOp::StrictNotEqual if is_excluded || differ => Some(true),
        BinaryOp::Equal if nullish => Some(false),
        BinaryOp::NotEqual if nullish => Some(true),
        BinaryOp::Greater | BinaryOp::GreaterEqual if above(left, right) => Some(true),
        BinaryOp::Less | BinaryOp::LessEqual if above(left, right) => Some(false),
        BinaryOp::Less | BinaryOp::LessEqual if above(right, left) => Some(true),
        BinaryOp::Greater | BinaryOp::GreaterEqual if above(right, left) => Some(false),
        _ => None,
    }
}

/// What is known of `a + b` where one of them is a string.
fn nature_of_sum(left: &Value, right: &Value) -> Option<Nature> {
    let is_text =
        |it: &Value| matches!(it.data, Data::String(..)) || it.nature().type_name() == Some("string");
    let is_full = |it: &Value| match &it.data {
        Data::String(text, _) => !text.is_empty(),
        Data::Unknown(unknown) => !matches!(unknown.nature, Nature::Anything | Nature::Text | Nature::Object),
        Data::Number(_) | Data::Bool(_) | Data::Null | Data::Undefined | Data::BigInt(_) => true,
        _ => false,
    };
    if !is_text(left) && !is_text(right) {
        return None;
    }
    Some(if is_full(left) || is_full(right) { Nature::FullText } else { Nature::Text })
}

/// `Object.is(a, b)` of settled values.
pub fn same_value(a: &Value, b: &Value) -> bool {
    match (&a.data, &b.data) {
        (Data::Number(a), Data::Number(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        _ => strict_equal(a, b),
    }
}

/// `===` of settled values.
pub fn strict_equal(left: &Value, right: &Value) -> bool {
    match (&left.data, &right.data) {
        #[allow(clippy::float_cmp, reason = "JavaScript's equality")]
        (Data::Number(a), Data::Number(b)) => a == b,
        (Data::Undefined | Data::Absent, Data::Undefined | Data::Absent) => true,
        _ => left.is_same(right),
    }
}

fn number_operator(op: BinaryOp, a: f64, b: f64) -> Value {
    let shift = to_uint32(b) & 31;
    Value::number(match op {
        BinaryOp::Less => return (a < b).into(),
        BinaryOp::LessEqual => return (a <= b).into(),
        BinaryOp::Greater => return (a > b).into(),
        BinaryOp::GreaterEqual => return (a >= b).into(),
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Remainder => a % b,
        BinaryOp::Power if b.is_nan() || (b.is_infinite() && (a.abs() - 1.0).abs() == 0.0) => f64::NAN,
        BinaryOp::Power => a.powf(b),
        BinaryOp::ShiftLeft => f64::from(to_int32(a).wrapping_shl(shift)),
        BinaryOp::ShiftRight => f64::from(to_int32(a).wrapping_shr(shift)),
        BinaryOp::ShiftRightUnsigned => f64::from(to_uint32(a).wrapping_shr(shift)),
        BinaryOp::BitAnd => f64::from(to_int32(a) & to_int32(b)),
        BinaryOp::BitOr => f64::from(to_int32(a) | to_int32(b)),
        BinaryOp::BitXor => f64::from(to_int32(a) ^ to_int32(b)),
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::StrictEqual
        | BinaryOp::StrictNotEqual
        | BinaryOp::In
        | BinaryOp::InstanceOf => f64::NAN,
    })
}

/// ECMAScript's `ToUint32`.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "reduced modulo 2^32 first")]
pub fn to_uint32(number: f64) -> u32 {
    if number.is_finite() { number.trunc().rem_euclid(4_294_967_296.0) as u32 } else { 0 }
}

/// ECMAScript's `ToInt32`.
pub fn to_int32(number: f64) -> i32 {
    to_uint32(number).cast_signed()
}

/// ECMAScript's conversion of a string to a number.
pub fn text_to_number(text: &str) -> f64 {
    let text = text.trim_matches(|it: char| it.is_whitespace() || it == '\u{feff}');
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok();
    #[allow(clippy::cast_precision_loss, reason = "as JavaScript does")]
    let integer = |it: Option<u64>| it.map_or(f64::NAN, |it| it as f64);
    match text.as_bytes() {
        [] => 0.0,
        [b'0', b'x' | b'X', ..] => integer(radix(&text[2..], 16)),
        [b'0', b'o' | b'O', ..] => integer(radix(&text[2..], 8)),
        [b'0', b'b' | b'B', ..] => integer(radix(&text[2..], 2)),
        _ if text == "Infinity" || text == "+Infinity" => f64::INFINITY,
        _ if text == "-Infinity" => f64::NEG_INFINITY,
        bytes if bytes.iter().all(|it| it.is_ascii_digit() || b"+-.eE".contains(it)) => {
            text.parse().unwrap_or(f64::NAN)
        }
        _ => f64::NAN,
    }
}

/// A number in JavaScript's spelling.
pub fn number_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    if number == 0.0 {
        return "0".into();
    }
    let scientific = format!("{number:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-6..21).contains(&exponent) {
        return format!("{number}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{}", exponent.abs())
}

/// The source of a regular expression as it would be written: slashes outside of classes and line ends are escaped.
pub fn source_text(pattern: &str) -> String {
    if pattern.is_empty() {
        return "(?:)".to_owned();
    }
    let mut text = String::with_capacity(pattern.len());
    let (mut is_escaped, mut in_class) = (false, false);
    for character in pattern.chars() {
        match character {
            '/' if !is_escaped && !in_class => text.push_str("\\/"),
            '\n' if is_escaped => text.push('n'),
            '\n' => text.push_str("\\n"),
            '\r' if is_escaped => text.push('r'),
            '\r' => text.push_str("\\r"),
            other => text.push(other),
        }
        match character {
            '[' if !is_escaped => in_class = true,
            ']' if !is_escaped => in_class = false,
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelt_as_javascript_spells_them() {
        for (number, text) in [
            (1.0, "1"),
            (-0.5, "-0.5"),
            (1e21, "1e+21"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e-7, "1e-7"),
            (0.000_001, "0.000001"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(number_text(number), text);
        }
    }

    #[test]
    fn strings_become_numbers_as_in_javascript() {
        assert!((text_to_number(" 12.5 ") - 12.5).abs() < f64::EPSILON);
        assert!((text_to_number("0x10") - 16.0).abs() < f64::EPSILON);
        assert!(text_to_number("").abs() < f64::EPSILON);
        assert!(text_to_number("12px").is_nan());
        assert!(text_to_number("nan").is_nan());
    }
}
