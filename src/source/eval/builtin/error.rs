//! The error classes.

use super::{Evaluator, Methods};
use crate::source::eval::Arguments;
use crate::source::eval::heap::ObjectKind;
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::{Nature, Value};
use crate::source::known::ReasonKind;

const CLASSES: [&str; 6] =
    ["TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError"];

const METHODS: Methods = &[("Error.prototype.toString", to_string)];

const STATICS: Methods = &[("Error.captureStackTrace", capture)];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let base = me.realm.error;
    let class = me.global_class("Error", construct, base);
    me.methods(class, STATICS);
    me.put(class, "stackTraceLimit", Value::number(10.0));
    me.methods(base, METHODS);
    me.hide(base, "name", Value::string("Error"));
    me.hide(base, "message", Value::string(""));
    for name in CLASSES {
        let prototype = me.allocate(Some(base), ObjectKind::Ordinary);
        let subclass = me.global_class(name, construct, prototype);
        me.heap.get_mut(subclass).prototype = Some(class);
        me.hide(prototype, "name", Value::string(name));
        me.realm.errors.insert(name, prototype);
    }
    let prototype = me.allocate(Some(base), ObjectKind::Ordinary);
    let aggregate = me.global_class("AggregateError", construct_aggregate, prototype);
    me.heap.get_mut(aggregate).prototype = Some(class);
    me.hide(prototype, "name", Value::string("AggregateError"));
    me.realm.errors.insert("AggregateError", prototype);
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    make(me, call, &call.arg(0), &call.arg(1))
}

fn construct_aggregate(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let error = make(me, call, &call.arg(1), &call.arg(2))?;
    if let Some(object) = error.as_object() {
        me.hide(object, "errors", call.arg(0));
    }
    Ok(error)
}

fn make(me: &mut Evaluator<'_>, call: &Call<'_>, message: &Value, options: &Value) -> Eval {
    let own = me.realm.errors.get(call.name).copied().unwrap_or(me.realm.error);
    let prototype = me.prototype_for(call, own);
    let message = if message.is_undefined() { None } else { Some(me.to_text(message)?) };
    let error = me.allocate(Some(prototype), ObjectKind::Error);
    if let Some(message) = message {
        me.hide(error, "message", message);
    }
    // It is a text unless the program makes something else of it.
    let prepare = preparation(me)?.1;
    let is_own = prepare.as_object().is_some_and(|it| !matches!(me.heap.get(it).kind, ObjectKind::Native(_)));
    let nature = if is_own { Nature::Anything } else { Nature::FullText };
    let stack = me.unknown_of(nature, ReasonKind::NotModelled, "a stack trace");
    me.hide(error, "stack", stack);
    if options.as_object().is_some() {
        let cause = me.get_name(options, "cause")?;
        if !cause.is_undefined() {
            me.hide(error, "cause", cause);
        }
    }
    Ok(error.into())
}

/// The class of errors and its `prepareStackTrace`.
fn preparation(me: &mut Evaluator<'_>) -> Eval<(Value, Value)> {
    let class = me.get_name(&me.realm.error.into(), "constructor")?;
    let prepare = me.get_name(&class, "prepareStackTrace")?;
    Ok((class, prepare))
}

/// What the program makes of a stack trace by `Error.prepareStackTrace` happens when it asks for one: it learns from there which
/// files call it, as packages with native code do.
fn capture(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    const CALLERS: usize = 3;
    let (class, prepare) = preparation(me)?;
    let target = call.arg(0);
    let stack = if me.is_callable(&prepare) {
        let callers = (0..CALLERS).map(|_| me.unknown(ReasonKind::NotModelled, "a stack trace")).collect();
        let callers = me.new_array(callers);
        me.call(&prepare, &class, Arguments::of([target.clone(), callers.into()]))?
    } else {
        me.unknown(ReasonKind::NotModelled, "a stack trace")
    };
    me.each(&target, |me, target| {
        if let Some(object) = target.as_object() {
            let key = "stack".into();
            me.write(object, &key, stack.clone())?;
            if let Some(property) = me.heap.get_mut(object).properties.get_mut(&key) {
                property.enumerable = false;
            }
        }
        Ok(Value::UNDEFINED)
    })?;
    Ok(Value::UNDEFINED)
}

fn to_string(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let name = me.get_name(call.this, "name")?;
    let message = me.get_name(call.this, "message")?;
    let (name, message) = (me.to_text(&name)?, me.to_text(&message)?);
    me.combine(call.name, &[name, message], |_, values| {
        let [name, message] = values else { return Ok(Value::UNDEFINED) };
        let part = |it: &Value| it.as_str().map_or_else(String::new, ToString::to_string);
        Ok(Value::string(match (part(name), part(message)) {
            (name, message) if message.is_empty() => name,
            (name, message) if name.is_empty() => message,
            (name, message) => format!("{name}: {message}"),
        }))
    })
}
