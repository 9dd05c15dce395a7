//! What functions inherit: `call`, `apply`, `bind`. And functions that are made from text.

use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{Bound, ObjectId, ObjectKind, Property, PropertyKey};
use crate::source::eval::native::{Call, Eval, NativeFunction};
use crate::source::eval::value::{Nature, SymbolId, Value};
use crate::source::known::ReasonKind;
use crate::source::problem::LoadProblemKind;

/// The classes of functions of another kind, and how these begin.
const KINDS: [(&str, &str); 3] = [
    ("AsyncFunction", "async function"),
    ("GeneratorFunction", "function*"),
    ("AsyncGeneratorFunction", "async function*"),
];

/// Longer texts are not made functions of.
const MAX_TEXT: usize = 200_000;

/// How the texts of arrows, functions and classes begin. A method's place is without its name.
const ARROW: &[&str] = &[""];
const FUNCTION: &[&str] = &["function", "async function"];
const CLASS: &[&str] = &["class"];

/// Longer lists are not handed over element by element.
const MAX_LISTED: f64 = 10_000.0;

const METHODS: Methods = &[
    ("Function.prototype.call", call_with),
    ("Function.prototype.apply", apply),
    ("Function.prototype.bind", bind),
    ("Function.prototype.toString", to_string),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.realm.function;
    me.global_class("Function", construct, prototype);
    // It is a function itself, one that does nothing.
    let code = |_: &mut Evaluator<'_>, _: &Call<'_>| Ok(Value::UNDEFINED);
    let itself = NativeFunction { name: "", code, data: Value::UNDEFINED, constructs: false };
    me.heap.get_mut(prototype).kind = ObjectKind::Native(itself);
    me.methods(prototype, METHODS);
    for ((name, _), kind) in KINDS.into_iter().zip(me.realm.functions) {
        me.heap.get_mut(kind).prototype = Some(prototype);
        me.new_native_class(name, construct, kind);
        let tag = PropertyKey::Symbol(SymbolId::TO_STRING_TAG);
        me.heap.get_mut(kind).properties.insert(tag, Property::hidden(Value::string(name)));
    }
}

/// A function made from text: code in the global scope.
fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let mut texts = Vec::with_capacity(call.args.len());
    for arg in call.args {
        texts.push(me.to_text(arg)?);
    }
    let known: Option<Vec<_>> = texts.iter().map(|it| it.as_str().map(|it| &**it)).collect();
    let Some(mut parts) = known.filter(|_| call.rest.is_none()) else { return unknown_function(me, call) };
    let body = parts.pop().unwrap_or_default();
    let begin = KINDS.iter().find(|(name, _)| *name == call.name).map_or("function", |(_, begin)| begin);
    let text = format!("({begin} ({}\n) {{\n{body}\n}})", parts.join(","));
    if text.len() > MAX_TEXT {
        return unknown_function(me, call);
    }
    me.steps(text.len() / 16)?;
    match me.function_of_text(&text) {
        Ok(function) => Ok(function),
        Err(Some(LoadProblemKind::Syntax)) => {
            let error = me.new_error("SyntaxError", "");
            let message = me.unknown(ReasonKind::NotModelled, "what is wrong with a text");
            me.hide(error, "message", message);
            Err(me.trip(error.into()))
        }
        Err(_) => unknown_function(me, call),
    }
}

fn unknown_function(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let result = me.unknown(ReasonKind::NotModelled, "a function made from text");
    me.hand_over(call.args, &result)?;
    Ok(result)
}

fn call_with(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let args = Arguments { values: call.args.iter().skip(1).cloned().collect(), rest: call.rest.cloned() };
    me.call(call.this, &call.arg(0), args)
}

fn to_string(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(call.this, |me, this| {
        if this.is_settled() && !me.is_callable(this) {
            let message = "Function.prototype.toString requires that 'this' be a Function";
            return Err(me.throw_error("TypeError", message));
        }
        let text = this.as_object().and_then(|it| me.source_of(it));
        Ok(match text {
            Some(text) => {
                me.spend_string(text.len())?;
                Value::string(text)
            }
            None => me.unknown_of(Nature::FullText, ReasonKind::NotModelled, "the source of a function"),
        })
    })
}

impl Evaluator<'_> {
    /// The text of a function or class, as it stands in a file that Node loads itself: what jiti makes of others reads
    /// otherwise.
    fn source_of(&self, object: ObjectId) -> Option<String> {
        let (instance, at, begins) = match &self.heap.get(object).kind {
            ObjectKind::Function(closure) => {
                let module = self.instances.module(closure.module);
                let function = module.function(closure.function);
                (closure.module, function.at, if function.is_arrow { ARROW } else { FUNCTION })
            }
            ObjectKind::Class(class) => {
                let at = self.instances.module(class.module).class(class.class).at;
                (class.module, at, CLASS)
            }
            _ => return None,
        };
        if !self.instances.file(instance).treatment.is_native() {
            return None;
        }
        let span = self.instances.module(instance).span(at);
        let file = self.world.sources.get(span.file);
        let text = file.text().get(span.start as usize..span.end as usize)?;
        begins.iter().any(|it| text.starts_with(it)).then(|| text.to_owned())
    }
}

fn apply(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let list = call.arg(1);
    if list.is_nullish() {
        return me.call(call.this, &call.arg(0), Arguments::default());
    }
    call_with_list(me, call.this, &call.arg(0), &list)
}

/// Calls a function with what a list holds.
pub(super) fn call_with_list(me: &mut Evaluator<'_>, function: &Value, this: &Value, list: &Value) -> Eval {
    let function = me.path.settle(function);
    let args = if function.is_settled() && !me.is_callable(&function) {
        // It throws before it looks into the list.
        Arguments::default()
    } else {
        list_of(me, list)?
    };
    me.call(&function, this, args)
}

/// What `CreateListFromArrayLike` makes of a value: it asks for the length and the elements and does not iterate.
pub(super) fn list_of(me: &mut Evaluator<'_>, list: &Value) -> Eval<Arguments> {
    let list = me.path.settle(list);
    match list.as_object().map(|it| &me.heap.get(it).kind) {
        None if list.is_settled() => {
            return Err(me.throw_error("TypeError", "CreateListFromArrayLike called on non-object"));
        }
        None | Some(ObjectKind::Array(_)) => {
            let items = me.items_of(&list)?;
            return Ok(Arguments { values: items.values, rest: items.rest });
        }
        Some(_) => {}
    }
    let length = me.get_name(&list, "length")?;
    let length = me.path.settle(&length);
    let count = if length.is_settled() { me.number_of(&length) } else { None };
    let count = count.map(|it| if it.is_nan() { 0.0 } else { it.max(0.0) }).filter(|it| *it <= MAX_LISTED);
    let Some(count) = count else {
        let rest = me.unknown(ReasonKind::NotModelled, "how long a list is");
        return Ok(Arguments { values: Vec::new(), rest: Some(rest) });
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between zero and MAX_LISTED")]
    let count = count as usize;
    me.steps(count / 8)?;
    let mut values = Vec::with_capacity(count);
    for index in 0..count {
        values.push(me.get_name(&list, &index.to_string())?);
    }
    Ok(Arguments { values, rest: None })
}

fn bind(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.each(call.this, |me, target| {
        if !me.is_callable(target) {
            return Ok(target.clone());
        }
        let bound = Bound {
            target: target.clone(),
            this: call.arg(0),
            args: call.args.iter().skip(1).cloned().collect(),
        };
        let prototype = me.realm.function;
        Ok(me.allocate(Some(prototype), ObjectKind::Bound(Box::new(bound))).into())
    })
}
