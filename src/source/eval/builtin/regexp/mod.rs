//! Regular expressions, matched for real on texts that are known.

mod matcher;
mod program;

use std::rc::Rc;
use std::sync::Arc;

pub(in crate::source::eval) use self::matcher::{Input, Outcome};
pub(in crate::source::eval) use self::program::{Problem, Program};
use super::units::{Units, number};
use super::{Evaluator, Methods};
use crate::source::eval::heap::{ObjectId, ObjectKind, Property, PropertyKey};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

/// Steps of the matcher for one search.
const FUEL: usize = 2_000_000;

/// Steps of the matcher that count as one of the evaluator.
const FUEL_PER_STEP: usize = 16;

/// Compiled expressions by pattern and flags.
pub(in crate::source::eval) type Programs =
    rustc_hash::FxHashMap<(Arc<str>, Arc<str>), Result<Rc<Program>, Problem>>;

/// A regular expression of the heap that can be matched.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    /// The object.
    pub(super) object: ObjectId,
    /// Its flags.
    pub(super) flags: Arc<str>,
    /// What it does.
    pub(super) program: Rc<Program>,
}

/// Groups of one match, in UTF-16 units.
pub(super) type Groups = Vec<Option<(usize, usize)>>;

const METHODS: Methods = &[
    ("RegExp.prototype.test", test),
    ("RegExp.prototype.exec", exec),
    ("RegExp.prototype.toString", to_string),
    ("RegExp.prototype.compile", |_, call| Ok(call.this.clone())),
];

const STATICS: Methods = &[("RegExp.escape", escape)];

/// What `RegExp` itself keeps of the last match.
const OF_LAST_MATCH: [&str; 19] = [
    "$1",
    "$2",
    "$3",
    "$4",
    "$5",
    "$6",
    "$7",
    "$8",
    "$9",
    "$_",
    "$&",
    "$+",
    "$`",
    "$'",
    "input",
    "lastMatch",
    "lastParen",
    "leftContext",
    "rightContext",
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.regexp;
    let class = me.global_class("RegExp", construct, prototype);
    me.methods(class, STATICS);
    me.methods(prototype, METHODS);
    let last = me.unknown(ReasonKind::NotModelled, "what RegExp keeps of the last match");
    for name in OF_LAST_MATCH {
        me.hide(class, name, last.clone());
    }
}

impl Expression {
    /// Whether the search goes on behind the last match.
    pub(super) fn is_global(&self) -> bool {
        self.flags.contains('g')
    }

    fn is_sticky(&self) -> bool {
        self.flags.contains('y')
    }
}

impl Evaluator<'_> {
    /// A regular expression. Where a search goes on is a property of its own, by which libraries tell what is one.
    pub(in crate::source::eval) fn new_regexp(
        &mut self,
        prototype: ObjectId,
        pattern: Arc<str>,
        flags: Arc<str>,
    ) -> ObjectId {
        let object = self.allocate(Some(prototype), ObjectKind::RegExp { pattern, flags });
        let last_index = Property { is_fixed: true, ..Property::hidden(Value::number(0.0)) };
        self.heap.get_mut(object).properties.insert("lastIndex".into(), last_index);
        object
    }

    /// Whether a settled value is a regular expression.
    pub(super) fn is_regexp(&self, value: &Value) -> bool {
        value.as_object().is_some_and(|it| matches!(self.heap.get(it).kind, ObjectKind::RegExp { .. }))
    }

    /// The regular expression that a value is; what cannot be matched is an unknown.
    pub(super) fn expression(&mut self, value: &Value) -> Result<Expression, Value> {
        let Some(object) = value.as_object() else {
            return Err(self.unknown(ReasonKind::NotModelled, "an unknown regular expression"));
        };
        let ObjectKind::RegExp { pattern, flags } = &self.heap.get(object).kind else {
            return Err(self.unknown(ReasonKind::NotModelled, "an unknown regular expression"));
        };
        let flags = flags.clone();
        match self.program(&pattern.clone(), &flags) {
            Ok(program) => Ok(Expression { object, flags, program }),
            Err(Problem::NotModelled(what)) => Err(self.unknown(ReasonKind::NotModelled, what)),
            Err(Problem::Syntax(_)) => {
                Err(self.unknown(ReasonKind::NotModelled, "a regular expression that cannot be read"))
            }
        }
    }

    fn program(&mut self, pattern: &Arc<str>, flags: &Arc<str>) -> Result<Rc<Program>, Problem> {
        let key = (pattern.clone(), flags.clone());
        let programs = &mut self.realm.regexps;
        programs.entry(key).or_insert_with(|| Program::new(pattern, flags).map(Rc::new)).clone()
    }

    /// The first match from a unit on. An unknown when the search takes too long.
    pub(super) fn find(
        &mut self,
        it: &Expression,
        input: &Input,
        from: usize,
    ) -> Eval<Result<Option<Groups>, Value>> {
        let mut fuel = FUEL;
        let outcome = it.program.find(input, from, it.is_sticky(), &mut fuel);
        self.steps((FUEL - fuel) / FUEL_PER_STEP)?;
        Ok(match outcome {
            Outcome::Match(groups) => Ok(Some(groups)),
            Outcome::NoMatch => Ok(None),
            Outcome::TooLong => {
                Err(self.unknown(ReasonKind::BudgetExceeded, "a regular expression that takes too long"))
            }
        })
    }

    /// All matches, one behind the other.
    pub(super) fn find_all(&mut self, it: &Expression, text: &str) -> Eval<Result<Vec<Groups>, Value>> {
        let input = Input::new(text, &it.program);
        let length = Units::new(text).len();
        let mut all: Vec<Groups> = Vec::new();
        let mut from = 0;
        while from <= length {
            let groups = match self.find(it, &input, from)? {
                Ok(Some(groups)) => groups,
                Ok(None) => break,
                Err(unknown) => return Ok(Err(unknown)),
            };
            let Some(Some((start, end))) = groups.first().copied() else { break };
            from = if end > start { end } else { end + 1 };
            all.push(groups);
        }
        Ok(Ok(all))
    }

    /// The array that `exec` gives for a match.
    pub(super) fn match_result(&mut self, it: &Expression, text: &Value, groups: &Groups) -> Eval {
        self.spend_object()?;
        let whole = text.as_str().cloned().unwrap_or_else(|| "".into());
        let units = Units::new(&whole);
        let values: Vec<Value> = groups.iter().map(|group| group_value(&units, *group)).collect();
        let named = self.named_groups(it, &values);
        let array = self.new_array(values);
        let start = groups.first().copied().flatten().map_or(0, |(start, _)| start);
        self.put(array, "index", Value::number(number(start)));
        self.put(array, "input", text.clone());
        self.put(array, "groups", named);
        Ok(array.into())
    }

    /// The object of named groups; `undefined` when there are none.
    pub(super) fn named_groups(&mut self, it: &Expression, values: &[Value]) -> Value {
        if it.program.names.is_empty() {
            return Value::UNDEFINED;
        }
        let object = self.new_object();
        self.heap.get_mut(object).prototype = None;
        let names = it.program.names.clone();
        for (name, group) in names {
            let value = values.get(group).cloned().unwrap_or(Value::UNDEFINED);
            let known = self.heap.get(object).properties.get(&PropertyKey::Name(name.clone())).is_some();
            if !known || !value.is_undefined() {
                self.put(object, &name, value);
            }
        }
        object.into()
    }

    fn last_index(&mut self, it: &Expression) -> Eval<Option<usize>> {
        if !it.is_global() && !it.is_sticky() {
            return Ok(Some(0));
        }
        let value = self.get_of(it.object, &"lastIndex".into(), &it.object.into())?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a position")]
        Ok(value.as_number().map(|it| it.max(0.0) as usize))
    }

    fn set_last_index(&mut self, it: &Expression, to: usize) -> Eval<()> {
        if it.is_global() || it.is_sticky() {
            self.write(it.object, &"lastIndex".into(), Value::number(number(to)))?;
        }
        Ok(())
    }

    /// `exec` on a known text: the groups, or none.
    fn exec_on(&mut self, it: &Expression, text: &str) -> Eval<Result<Option<Groups>, Value>> {
        let Some(from) = self.last_index(it)? else {
            return Ok(Err(self.unknown(ReasonKind::NotModelled, "where a regular expression goes on")));
        };
        let input = Input::new(text, &it.program);
        if from > Units::new(text).len() {
            self.set_last_index(it, 0)?;
            return Ok(Ok(None));
        }
        let found = self.find(it, &input, from)?;
        if let Ok(groups) = &found {
            let end = groups.as_ref().and_then(|it| it.first().copied().flatten()).map_or(0, |it| it.1);
            self.set_last_index(it, end)?;
        }
        Ok(found)
    }
}

/// A group as a value.
pub(super) fn group_value(units: &Units<'_>, group: Option<(usize, usize)>) -> Value {
    group.map_or(Value::UNDEFINED, |(start, end)| Value::string(units.slice(start, end)))
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let (pattern, flags) = (call.arg(0), call.arg(1));
    let pattern = match pattern.as_object().map(|it| &me.heap.get(it).kind) {
        Some(ObjectKind::RegExp { pattern, flags: own }) => {
            let (pattern, own) = (Value::string(pattern.clone()), Value::string(own.clone()));
            let flags = if flags.is_undefined() { own } else { flags.clone() };
            return make(me, call, &[pattern, flags]);
        }
        _ if pattern.is_undefined() => Value::string(""),
        _ => me.to_text(&pattern)?,
    };
    let flags = if flags.is_undefined() { Value::string("") } else { me.to_text(&flags)? };
    make(me, call, &[pattern, flags])
}

fn make(me: &mut Evaluator<'_>, call: &Call<'_>, values: &[Value; 2]) -> Eval {
    let prototype = me.prototype_for(call, me.realm.regexp);
    me.combine(call.name, values, |me, values| {
        let [pattern, flags] = values else { return Ok(Value::UNDEFINED) };
        let (Some(pattern), Some(flags)) = (me.text_of(pattern), me.text_of(flags)) else {
            return me.not_modelled(call);
        };
        if let Err(Problem::Syntax(_)) = me.program(&pattern, &flags) {
            let message = format!("Invalid regular expression: /{pattern}/{flags}");
            return Err(me.throw_error("SyntaxError", &message));
        }
        Ok(me.new_regexp(prototype, pattern, flags).into())
    })
}

fn test(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = me.to_text(&call.arg(0))?;
    me.combine(call.name, &[call.this.clone(), text], |me, values| {
        let [this, Value { data: Data::String(text, _), .. }] = values else { return me.not_modelled(call) };
        let it = match me.expression(this) {
            Ok(it) => it,
            Err(unknown) => return Ok(unknown),
        };
        Ok(match me.exec_on(&it, text)? {
            Ok(groups) => groups.is_some().into(),
            Err(unknown) => unknown,
        })
    })
}

fn exec(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let text = me.to_text(&call.arg(0))?;
    me.combine(call.name, &[call.this.clone(), text], |me, values| {
        let [this, text] = values else { return me.not_modelled(call) };
        let it = match me.expression(this) {
            Ok(it) => it,
            Err(unknown) => return Ok(unknown),
        };
        let known = text.as_str().cloned().unwrap_or_else(|| "".into());
        match me.exec_on(&it, &known)? {
            Ok(Some(groups)) => me.match_result(&it, text, &groups),
            Ok(None) => Ok(Value::NULL),
            Err(unknown) => Ok(unknown),
        }
    })
}

fn to_string(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    Ok(me.map(call.this, |me, this| me.text_of(this).map_or(Value::UNDEFINED, Value::string)))
}

fn escape(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.not_modelled(call)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pattern: &str, flags: &str, text: &str) -> Option<Groups> {
        let program = Program::new(pattern, flags).unwrap();
        let mut fuel = FUEL;
        match program.find(&Input::new(text, &program), 0, false, &mut fuel) {
            Outcome::Match(groups) => Some(groups),
            Outcome::NoMatch | Outcome::TooLong => None,
        }
    }

    #[test]
    fn groups_are_those_of_ecmascript() {
        for (pattern, flags, text, expected) in [
            ("a|ab", "", "abc", vec![Some((0, 1))]),
            (
                "((a)|(ab))((c)|(bc))",
                "",
                "abc",
                vec![Some((0, 3)), Some((0, 1)), Some((0, 1)), None, Some((1, 3)), None, Some((1, 3))],
            ),
            // Groups are forgotten at each turn, and empty turns end a loop.
            (
                "(z)((a+)?(b+)?(c))*",
                "",
                "zaacbbbcac",
                vec![Some((0, 10)), Some((0, 1)), Some((8, 10)), Some((8, 9)), None, Some((9, 10))],
            ),
            ("(a*)*", "", "b", vec![Some((0, 0)), None]),
            ("(?<=(\\d+)(\\d+))$", "", "1053", vec![Some((4, 4)), Some((0, 1)), Some((1, 4))]),
            ("(?<q>[\"']).*?\\k<q>", "", "x 'a' \"", vec![Some((2, 5)), Some((2, 3))]),
            ("(?=(a+))a*b\\1", "", "baaabac", vec![Some((3, 6)), Some((3, 4))]),
            ("^[A-Z]+$", "i", "hello", vec![Some((0, 5))]),
            (".", "u", "\u{1F600}", vec![Some((0, 2))]),
            (".", "", "\u{1F600}", vec![Some((0, 1))]),
            ("^b", "m", "a\nb", vec![Some((2, 3))]),
            ("a{2,3}?", "", "aaaa", vec![Some((0, 2))]),
        ] {
            assert_eq!(find(pattern, flags, text), Some(expected), "/{pattern}/{flags} on {text:?}");
        }
        assert_eq!(find("(?!a)a|^\\b$", "", "a"), None);
    }

    #[test]
    fn what_would_not_end_is_given_up() {
        let program = Program::new("^(a+)+$", "").unwrap();
        let mut fuel = FUEL;
        let input = Input::new(&format!("{}!", "a".repeat(60)), &program);
        assert!(matches!(program.find(&input, 0, false, &mut fuel), Outcome::TooLong));
    }
}
