//! Functions, objects and classes whose inside is not modelled: what they give is not known, and why.

use super::Evaluator;
use crate::source::eval::heap::{ObjectId, ObjectKind};
use crate::source::eval::native::{Call, Code, Eval};
use crate::source::eval::value::{Data, Nature, Value};
use crate::source::known::{Reason, ReasonKind};

/// What a function that is not modelled gives, and what may happen in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source::eval) enum Manner {
    /// Nothing.
    Nothing,
    /// Something that only depends on what it is given.
    Pure,
    /// Something of the outside world. It may throw.
    World,
    /// Something of the outside world. It does not throw.
    Outside,
    /// A promise of something of the outside world. It may be rejected.
    WorldInTime,
    /// What it is called on.
    Itself,
    /// A string of the outside world.
    Text,
    /// A number of the outside world that is above zero.
    PositiveNumber,
}

impl Manner {
    /// The code of such a function.
    pub(in crate::source::eval) fn code(self) -> Code {
        match self {
            Self::Nothing => nothing,
            Self::Pure => pure,
            Self::World => world,
            Self::Outside => outside,
            Self::WorldInTime => world_in_time,
            Self::Itself => itself,
            Self::Text => |me, call| of_nature(me, call, Nature::FullText),
            Self::PositiveNumber => |me, call| of_nature(me, call, Nature::PositiveNumber),
        }
    }
}

impl Evaluator<'_> {
    /// Adds functions of one manner to an object.
    pub(in crate::source::eval) fn opaque_methods(
        &mut self,
        object: ObjectId,
        manner: Manner,
        names: &[&'static str],
    ) {
        for name in names {
            self.method(object, name, manner.code());
        }
    }

    /// A class whose instances are opaque.
    pub(in crate::source::eval) fn opaque_class(&mut self, name: &'static str) -> ObjectId {
        self.opaque_class_by(name, construct)
    }

    /// As [`Evaluator::opaque_class`], with a constructor that knows more.
    pub(in crate::source::eval) fn opaque_class_by(
        &mut self,
        name: &'static str,
        construct: Code,
    ) -> ObjectId {
        let object = self.realm.object;
        let prototype = self.allocate(Some(object), ObjectKind::Opaque(name));
        let class = self.new_native_class(name, construct, prototype);
        if let ObjectKind::Native(function) = &mut self.heap.get_mut(class).kind {
            function.data = prototype.into();
        }
        // Instances are not open themselves: what subclasses of the program define comes first.
        let why = self.unknown(ReasonKind::NotModelled, format!("what a {name} holds"));
        self.open_up(prototype, &why);
        class
    }

    /// An object that may have any property.
    pub(in crate::source::eval) fn opaque_object(
        &mut self,
        class: &'static str,
        kind: ReasonKind,
        what: &str,
    ) -> ObjectId {
        let prototype = self.realm.object;
        let object = self.allocate(Some(prototype), ObjectKind::Opaque(class));
        let why = self.unknown(kind, what);
        self.open_up(object, &why);
        object
    }

    /// Callbacks among the arguments are called some time.
    pub(in crate::source::eval) fn callbacks_later(&mut self, call: &Call<'_>) {
        for arg in call.args {
            let alternatives = match &arg.data {
                Data::Choice(choice) => choice.alternatives.iter().map(|it| it.value.clone()).collect(),
                _ => vec![arg.clone()],
            };
            for it in alternatives {
                if is_callback(self, &it) {
                    self.call_later(&it);
                } else if let Some(object) = it.as_object()
                    && let ObjectKind::Native(native) = &self.heap.get(object).kind
                    && native.is_settler()
                {
                    self.settled_outside(&native.data.clone());
                }
            }
        }
    }

    /// A property of an object of options is called some time if it is a function.
    pub(in crate::source::eval) fn methods_later(&mut self, value: &Value) {
        let Some(object) = value.as_object() else { return };
        if !matches!(self.heap.get(object).kind, ObjectKind::Ordinary) {
            return;
        }
        let functions: Vec<Value> = self
            .heap
            .get(object)
            .properties
            .iter()
            .filter_map(|(_, property)| match &property.slot {
                crate::source::eval::heap::Slot::Data(value) => Some(value.clone()),
                crate::source::eval::heap::Slot::Accessor { .. } => None,
            })
            .filter(|it| is_callback(self, it))
            .collect();
        for function in functions {
            self.call_later(&function);
        }
    }
}

/// Whether a value is a function of the program.
fn is_callback(me: &Evaluator<'_>, value: &Value) -> bool {
    value
        .as_object()
        .is_some_and(|it| matches!(me.heap.get(it).kind, ObjectKind::Function(_) | ObjectKind::Bound(_)))
}

/// Whatever is handed to code that is not modelled is called some time.
pub(super) fn hand_on(me: &mut Evaluator<'_>, call: &Call<'_>) {
    me.callbacks_later(call);
    for arg in call.args {
        me.methods_later(arg);
    }
}

fn nothing(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    hand_on(me, call);
    Ok(Value::UNDEFINED)
}

fn itself(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    hand_on(me, call);
    Ok(call.this.clone())
}

fn pure(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    hand_on(me, call);
    Ok(me.unknown(ReasonKind::UnknownFunction, format!("what {}() returns", call.name)))
}

fn outside(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    hand_on(me, call);
    Ok(me.unknown(ReasonKind::OutsideWorld, format!("what {}() returns", call.name)))
}

fn of_nature(me: &mut Evaluator<'_>, call: &Call<'_>, nature: Nature) -> Eval {
    Ok(me.unknown_of(nature, ReasonKind::OutsideWorld, format!("what {}() returns", call.name)))
}

fn world(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let result = outside(me, call)?;
    me.may_throw(&result)?;
    Ok(result)
}

fn world_in_time(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let promise = in_time(me, call)?;
    let reason = Reason {
        kind: ReasonKind::OutsideWorld,
        text: "whether a promise is fulfilled".into(),
        at: Some(call.at),
    };
    let fails = me.path.throwing(call.at, reason.clone());
    let error = me.path.unknown(reason);
    if let Some(object) = promise.as_object()
        && let ObjectKind::Promise(it) = &mut me.heap.get_mut(object).kind
    {
        it.rejections.push((vec![fails], error));
    }
    Ok(promise)
}

fn in_time(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    hand_on(me, call);
    let result = me.unknown(ReasonKind::OutsideWorld, format!("what {}() returns", call.name));
    Ok(me.promise_in_time(result))
}

/// Makes an instance, be it with `new` or without: the class holds its prototype.
fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    Ok(instance(me, call))
}

/// What the constructor of an opaque class makes.
pub(super) fn instance(me: &mut Evaluator<'_>, call: &Call<'_>) -> Value {
    hand_on(me, call);
    let otherwise = call.data.as_object().unwrap_or(me.realm.object);
    let prototype = me.prototype_for(call, otherwise);
    me.allocate(Some(prototype), ObjectKind::Opaque(call.name)).into()
}
