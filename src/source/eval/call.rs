//! Calling and constructing.

use std::rc::Rc;

use super::branch::ExitKind;
use super::expression::present;
use super::generator::Yields;
use super::heap::{Bound, ClassObject, Closure, ObjectId, ObjectKind, Promise, Settler, Suspended};
use super::native::{Call, Eval, NativeFunction};
use super::path::Stop;
use super::scope::ScopeId;
use super::value::{Alternative, Data, Unknown, Value};
use super::{Arguments, Context, Evaluator, Frame, budget};
use crate::source::ir::{BindingId, Function, FunctionBody, FunctionId};
use crate::source::known::ReasonKind;

/// A callee with its parts taken out of the heap.
enum Callee {
    Closure(Box<Closure>),
    Native(NativeFunction),
    Bound(Box<Bound>),
    Class(Box<ClassObject>),
    Proxy(Value, Value),
    Nothing,
}

/// How a call is made.
struct Manner {
    this: Value,
    new_target: Option<ObjectId>,
    /// Whether `this` is there only once `super` is called.
    awaits_super: bool,
}

impl Manner {
    /// Not by `new`.
    fn call(this: Value) -> Self {
        Self { this, new_target: None, awaits_super: false }
    }
}

impl Evaluator<'_> {
    /// A function of the program. `home` is the object that it is a method of.
    pub(super) fn closure(
        &mut self,
        cx: Context<'_>,
        function: FunctionId,
        home: Option<ObjectId>,
    ) -> ObjectId {
        let code = cx.module.function(function);
        let (this, home, new_target) = if code.is_arrow {
            let frame = self.frame();
            (Some(frame.this.clone()), frame.home, frame.new_target)
        } else {
            (None, home, None)
        };
        // A named function expression sees itself by its name, in a scope of its own around it.
        let own: Vec<BindingId> = code.own_binding.into_iter().collect();
        let outer = self.block_context(cx, &own);
        let closure = Closure { module: cx.instance, function, scope: outer.scope, this, home, new_target };
        let [asynchronous, generator, both] = self.realm.functions;
        let prototype = match (code.is_async, code.is_generator) {
            (false, false) => self.realm.function,
            (true, false) => asynchronous,
            (false, true) => generator,
            (true, true) => both,
        };
        let object = self.allocate(Some(prototype), ObjectKind::Function(Box::new(closure)));
        for own in own {
            self.declare(outer, own, object.into());
        }
        object
    }

    fn callee_of(&self, object: ObjectId) -> Callee {
        match &self.heap.get(object).kind {
            ObjectKind::Function(closure) => Callee::Closure(closure.clone()),
            ObjectKind::Native(native) => Callee::Native(native.clone()),
            ObjectKind::Bound(bound) => Callee::Bound(bound.clone()),
            ObjectKind::Class(class) => Callee::Class(class.clone()),
            ObjectKind::Proxy { target, handler } => Callee::Proxy(target.clone(), handler.clone()),
            _ => Callee::Nothing,
        }
    }

    /// Calls a value.
    pub(super) fn call(&mut self, callee: &Value, this: &Value, args: Arguments) -> Eval {
        let result = match &callee.data {
            Data::Object(object) => self.call_object(*object, this, args)?,
            Data::Choice(_) => {
                let callee = self.without_nullish(callee);
                return self.each(&callee, |me, callee| match callee.data {
                    Data::Choice(_) => Ok(me.unknown(ReasonKind::Merged, "one of several functions")),
                    _ => me.call(callee, this, args.clone()),
                });
            }
            Data::Unknown(unknown) => self.call_unknown(&unknown.clone(), &args)?,
            _ => return Err(self.not_callable(callee)),
        };
        Ok(self.with_facts(result, callee.facts))
    }

    fn not_callable(&mut self, callee: &Value) -> Stop {
        let what = self.world.sources.snippet(self.here);
        let what = what.split('(').next().unwrap_or_default().trim().to_owned();
        let what = if what.is_empty() || what.len() > 80 {
            self.text_of(callee).map_or_else(|| "value".to_owned(), |it| it.to_string())
        } else {
            what
        };
        self.throw_error("TypeError", &format!("{what} is not a function"))
    }

    fn call_object(&mut self, object: ObjectId, this: &Value, args: Arguments) -> Eval {
        match self.callee_of(object) {
            Callee::Closure(closure) => {
                let manner = Manner::call(this.clone());
                self.call_within_bounds(object, &closure, args, manner)
            }
            Callee::Native(native) => self.call_native(&native, this, &args, None),
            Callee::Bound(bound) => {
                let args = Arguments {
                    values: bound.args.into_iter().chain(args.values).collect(),
                    rest: args.rest,
                };
                let (target, this) = (bound.target, bound.this);
                self.deeper(|me| me.call(&target, &this, args))
            }
            Callee::Class(class) => {
                let name = self.class_name(&class);
                let message = format!("Class constructor {name} cannot be invoked without 'new'");
                Err(self.throw_error("TypeError", &message))
            }
            Callee::Proxy(target, handler) => {
                let trap = self.get_name(&handler, "apply")?;
                if trap.is_nullish() {
                    return self.deeper(|me| me.call(&target, this, args));
                }
                let list = self.new_array(args.values);
                let args = Arguments::of([target, this.clone(), list.into()]);
                self.deeper(|me| me.call(&trap, &handler, args))
            }
            Callee::Nothing => Err(self.not_callable(&Value::from(object))),
        }
    }

    /// Calls a function of the program; one that takes too long and cannot register anything is given up on.
    fn call_within_bounds(
        &mut self,
        object: ObjectId,
        closure: &Closure,
        args: Arguments,
        manner: Manner,
    ) -> Eval {
        let refuge = self.refuge();
        let functions: Vec<Value> = args.values.iter().filter(|it| self.is_callable(it)).cloned().collect();
        let harmless = |me: &mut Self| {
            !me.may_register(&object.into()) && !functions.iter().any(|it| me.may_register(it))
        };
        // After loading only what may register is of interest.
        let is_harmless = self.schedule.is_late() && harmless(self);
        let code = (closure.module, closure.function);
        if is_harmless && self.budget.takes_too_long(code) {
            return Ok(self.result_of_too_long());
        }
        let given_up = self.budget.given_up_on();
        let held = is_harmless.then(|| self.budget.hold_back());
        let result = self.call_or_recall(closure, args, manner);
        self.budget.release(held.unwrap_or(0));
        match result {
            Err(Stop::Abort) if held.is_some_and(|it| it > 0) && self.is_out_of_steps() => {
                self.budget.blame(code, given_up);
                Ok(self.give_up(&refuge))
            }
            Err(Stop::Abort) if self.can_give_up(closure.module, harmless) => {
                let unknown = self.give_up(&refuge);
                self.grant_more();
                Ok(unknown)
            }
            _ => result,
        }
    }

    /// Calls a function of the program unless it is known what comes of it.
    fn call_or_recall(&mut self, closure: &Closure, args: Arguments, manner: Manner) -> Eval {
        let this = closure.this.as_ref().unwrap_or(&manner.this);
        if args.rest.is_some() || !this.is_nullish() || closure.home.is_some() {
            return self.call_closure(closure, args, manner);
        }
        if let Some(known) = self.summary(closure, &args.values) {
            return Ok(known);
        }
        let Some(question) = self.question(&args.values) else {
            return self.call_closure(closure, args, manner);
        };
        let values = args.values.clone();
        let result = self.call_closure(closure, args, manner);
        let is_remembered = self.remember(question, closure, &values, result.as_ref().ok());
        // From the first time on, it is one unknown that follows from the argument, and not one for each way through the code.
        let known = if is_remembered { self.summary(closure, &values) } else { None };
        known.map_or(result, Ok)
    }

    fn call_native(
        &mut self,
        native: &NativeFunction,
        this: &Value,
        args: &Arguments,
        new_target: Option<ObjectId>,
    ) -> Eval {
        let at = self.here;
        let call = Call {
            name: native.name,
            this,
            args: &args.values,
            rest: args.rest.as_ref(),
            at,
            new_target,
            data: &native.data,
        };
        self.summaries.note_native(native.name);
        self.deeper(|me| (native.code)(me, &call))
    }

    /// Constructs an instance: `new callee(…args)`.
    pub(super) fn construct(
        &mut self,
        callee: &Value,
        args: Arguments,
        new_target: Option<ObjectId>,
    ) -> Eval {
        match &callee.data {
            Data::Object(object) => {
                let object = *object;
                let new_target = new_target.unwrap_or(object);
                match self.callee_of(object) {
                    Callee::Class(class) => self.construct_class(&class, args, new_target),
                    Callee::Closure(closure) => self.construct_function(object, &closure, args, new_target),
                    Callee::Native(native) if native.constructs => {
                        self.call_native(&native, &Value::UNDEFINED, &args, Some(new_target))
                    }
                    Callee::Bound(bound) => {
                        let args = Arguments {
                            values: bound.args.into_iter().chain(args.values).collect(),
                            rest: args.rest,
                        };
                        let (target, of) = (bound.target, (new_target != object).then_some(new_target));
                        self.deeper(|me| me.construct(&target, args, of))
                    }
                    Callee::Proxy(target, handler) => {
                        let trap = self.get_name(&handler, "construct")?;
                        if trap.is_nullish() {
                            let of = (new_target != object).then_some(new_target);
                            return self.deeper(|me| me.construct(&target, args, of));
                        }
                        let list = self.new_array(args.values);
                        let args = Arguments::of([target, list.into(), new_target.into()]);
                        self.deeper(|me| me.call(&trap, &handler, args))
                    }
                    Callee::Native(_) | Callee::Nothing => {
                        let message = "value is not a constructor";
                        Err(self.throw_error("TypeError", message))
                    }
                }
            }
            Data::Choice(_) => {
                let callee = self.without_nullish(callee);
                self.each(&callee, |me, callee| match callee.data {
                    Data::Choice(_) => Ok(me.unknown(ReasonKind::Merged, "one of several classes")),
                    _ => me.construct(callee, args.clone(), new_target),
                })
            }
            Data::Unknown(unknown) => self.call_unknown(&unknown.clone(), &args),
            _ => Err(self.throw_error("TypeError", "value is not a constructor")),
        }
    }

    fn construct_function(
        &mut self,
        object: ObjectId,
        closure: &Closure,
        args: Arguments,
        new_target: ObjectId,
    ) -> Eval {
        let module = self.instances.module(closure.module);
        let code = module.function(closure.function);
        if code.is_arrow || code.is_async || code.is_generator {
            return Err(self.throw_error("TypeError", "value is not a constructor"));
        }
        let this = self.instance_of_prototype(new_target)?;
        self.call_as_constructor(object, this, args, new_target, false)
    }

    /// A new object whose prototype is that of a class or function.
    pub(super) fn instance_of_prototype(&mut self, class: ObjectId) -> Eval {
        let prototype = self.get_of(class, &"prototype".into(), &Value::from(class))?;
        let prototype = prototype.as_object().unwrap_or(self.realm.object);
        Ok(self.allocate(Some(prototype), ObjectKind::Ordinary).into())
    }

    fn call_closure(&mut self, closure: &Closure, args: Arguments, manner: Manner) -> Eval {
        self.run_closure(closure, args, manner).map(|(result, _)| result)
    }

    /// Calls a function of the program: what it returns, and its frame as it was in the end.
    fn run_closure(
        &mut self,
        closure: &Closure,
        args: Arguments,
        manner: Manner,
    ) -> Eval<(Value, Option<Frame>)> {
        if self.frames.len() > budget::MAX_CALLS {
            return Err(self.exceed(budget::Exceeded::Depth));
        }
        if self.recurs_unsurely(closure) {
            return Ok((self.not_followed_again(&args), None));
        }
        let module = self.instances.module(closure.module);
        let code = module.function(closure.function);
        if code.is_generator {
            let this = closure.this.clone().unwrap_or(manner.this);
            return Ok((self.new_generator(closure, this, args), None));
        }
        let (result, frame) = self.enter(closure, code, &module, args, manner, None);
        Ok((result?, frame))
    }

    /// Runs a generator: what it returns unless it always throws, and what it has yielded.
    pub(super) fn run_generator(&mut self, call: Suspended, yields: Yields) -> Eval<(Option<Value>, Yields)> {
        let module = self.instances.module(call.closure.module);
        let code = module.function(call.closure.function);
        let manner = Manner::call(call.this);
        let (result, frame) = self.enter(&call.closure, code, &module, call.arguments, manner, Some(yields));
        if matches!(result, Err(Stop::Abort)) {
            return Err(Stop::Abort);
        }
        Ok((result.ok(), frame.and_then(|it| it.yields).unwrap_or_default()))
    }

    fn enter(
        &mut self,
        closure: &Closure,
        code: &Function,
        module: &crate::source::ir::Module,
        args: Arguments,
        manner: Manner,
        yields: Option<Yields>,
    ) -> (Eval, Option<Frame>) {
        let at = self.here;
        let scope = self.activation_scope(closure, code);
        let cx = Context { module, instance: closure.module, scope };
        let mut this = closure.this.clone().unwrap_or(manner.this);
        if this.is_nullish() && !module.is_strict && !code.is_arrow {
            this = self.realm.global.into();
        }
        let frame = Frame {
            mark: self.path.mark(),
            this,
            home: closure.home,
            new_target: if code.is_arrow { closure.new_target } else { manner.new_target },
            code: Some((closure.module, closure.function)),
            top_level: None,
            has_waited: false,
            arguments: code.uses_arguments.then(|| args.clone()),
            awaits_super: manner.awaits_super,
            is_async: code.is_async,
            segment: self.segment(),
            yields,
        };
        self.trail.push(at);
        let ended = self.activate_frame(frame, |me| {
            me.bind_parameters(cx, code, args)?;
            me.body(cx, code)
        });
        self.trail.pop();
        self.here = at;
        if let (Ok(promise), Some(frame)) = &ended
            && code.is_async
            && frame.has_waited
        {
            self.note_detached(promise, closure, at);
        }
        ended
    }

    /// Calls a function of the program on an instance that is being made. Gives the instance that is made in the end: another
    /// one if the function returns one, or if `super` made one.
    pub(super) fn call_as_constructor(
        &mut self,
        function: ObjectId,
        this: Value,
        args: Arguments,
        new_target: ObjectId,
        awaits_super: bool,
    ) -> Eval {
        let Callee::Closure(closure) = self.callee_of(function) else { return Ok(this) };
        let manner = Manner { this: this.clone(), new_target: Some(new_target), awaits_super };
        let (result, frame) = self.run_closure(&closure, args, manner)?;
        let this = frame.map_or(this, |it| it.this);
        Ok(self.map(&result, |_, it| if it.as_object().is_some() { it.clone() } else { this.clone() }))
    }

    pub(super) fn activation_scope(&mut self, closure: &Closure, code: &Function) -> ScopeId {
        let mut names: Vec<BindingId> =
            Vec::with_capacity(code.param_bindings.len() + code.var_bindings.len());
        names.extend_from_slice(&code.param_bindings);
        names.extend_from_slice(&code.var_bindings);
        let hoisted = u32::try_from(names.len()).unwrap_or(0);
        if let FunctionBody::Block(block) = &code.body {
            names.extend_from_slice(&block.bindings);
        }
        if names.is_empty() {
            return closure.scope;
        }
        let birth = self.path.birth();
        self.scopes.add_function(closure.scope, &names, hoisted, birth)
    }

    fn body(&mut self, cx: Context<'_>, code: &Function) -> Eval {
        match &code.body {
            FunctionBody::Expr(expr) => self.eval(cx, *expr),
            FunctionBody::Block(block) => self.statements_of(cx, block).map(|()| Value::UNDEFINED),
        }
    }

    pub(super) fn bind_parameters(&mut self, cx: Context<'_>, code: &Function, args: Arguments) -> Eval<()> {
        let beyond = args.rest;
        let mut values = args.values.into_iter();
        for parameter in &code.params {
            let value = values.next().map(present).or_else(|| beyond.clone()).unwrap_or(Value::UNDEFINED);
            if let Some(name) = &parameter.property {
                let this = self.frame().this.clone();
                let key = super::heap::PropertyKey::Name(name.clone());
                self.bind(cx, parameter.pattern, value, true)?;
                let value = self.parameter_value(cx, parameter.pattern)?;
                self.set(&this, &key, value)?;
            } else {
                self.bind(cx, parameter.pattern, value, true)?;
            }
        }
        if let Some(rest) = code.rest {
            let array = self.new_array(values.collect());
            if let Some(beyond) = &beyond {
                self.open_up(array, beyond);
            }
            self.bind(cx, rest, array.into(), true)?;
        }
        Ok(())
    }

    /// What a parameter property holds once its default is applied.
    fn parameter_value(&mut self, cx: Context<'_>, pattern: crate::source::ir::PatternId) -> Eval {
        use crate::source::ir::Pattern;
        match cx.module.pattern(pattern) {
            Pattern::Local(binding) => self.variable(cx, *binding),
            Pattern::Default { pattern, .. } => self.parameter_value(cx, *pattern),
            _ => Ok(Value::UNDEFINED),
        }
    }

    /// Runs something as a function call: catches its returns, and what an asynchronous one throws.
    pub(super) fn activate(&mut self, frame: Frame, run: impl FnOnce(&mut Self) -> Eval) -> Eval {
        self.activate_frame(frame, run).0
    }

    /// As [`Evaluator::activate`], with the frame as it was in the end.
    pub(super) fn activate_frame(
        &mut self,
        frame: Frame,
        run: impl FnOnce(&mut Self) -> Eval,
    ) -> (Eval, Option<Frame>) {
        let (mark, exits) = (frame.mark, self.exits.len());
        let (is_async, control) = (frame.is_async && frame.yields.is_none(), self.control);
        let code = frame.code;
        let segment = self.segment();
        self.frames.push(frame);
        let result = self.deeper(run);
        let mut result = self.finish(result, exits);
        if is_async
            && let Ok(value) = &result
            && self.is_to_be_awaited(value, segment, exits)
        {
            let value = value.clone();
            self.resume(mark, exits);
            result = self.await_value(&value);
        }
        let frame = self.frames.pop();
        self.control = control;
        let rejected = if is_async {
            self.take_exits(exits, |kind| matches!(kind, ExitKind::Throw(..)))
        } else {
            Vec::new()
        };
        self.rebase_exits(exits, mark);
        self.resume(mark, exits);
        if let Err(Stop::Abort) = result {
            return (result, frame);
        }
        if frame.as_ref().is_some_and(|it| it.yields.is_some()) {
            return (result, frame);
        }
        if !is_async {
            return (result, frame);
        }
        let promise = self.async_result(result.ok(), rejected, segment);
        match (&frame, code) {
            (Some(frame), _) if frame.has_waited => self.note_late(&promise),
            (_, Some(_)) => self.note_rejecting(&promise),
            (_, None) => {}
        }
        (Ok(promise), frame)
    }

    /// Joins the ways on which a function ends regularly.
    fn finish(&mut self, result: Eval, exits: usize) -> Eval {
        if matches!(result, Err(Stop::Abort)) {
            return result;
        }
        let returns = self.take_exits(exits, |kind| matches!(kind, ExitKind::Return(_)));
        if returns.is_empty() {
            return result;
        }
        let mut alternatives: Vec<Alternative> = Vec::with_capacity(returns.len() + 1);
        for exit in returns {
            if let ExitKind::Return(value) = exit.kind {
                alternatives.push(Alternative { value, guard: exit.guard, exact: true, tag: 0 });
            }
        }
        if let Ok(value) = result {
            let guard = self.path.since_mark(self.frame().mark);
            alternatives.push(Alternative { value, guard, exact: true, tag: 0 });
        }
        if let [only] = alternatives.as_slice() {
            return Ok(only.value.clone());
        }
        Ok(self.path.choose(alternatives))
    }

    /// What is thrown out of a frame counts from the mark of the frame below.
    fn rebase_exits(&mut self, exits: usize, mark: usize) {
        if self.exits.len() <= exits {
            return;
        }
        let below = self.frame().mark;
        let mut prefix = self.path.since_mark(below);
        prefix.truncate(mark.saturating_sub(below));
        if prefix.is_empty() {
            return;
        }
        for exit in self.exits.iter_mut().skip(exits) {
            let mut guard = prefix.clone();
            guard.append(&mut exit.guard);
            exit.guard = guard;
        }
    }

    /// Whether what an asynchronous function returns has to be waited for, to know what its promise comes to. A promise that it
    /// returns at once becomes its own.
    fn is_to_be_awaited(&mut self, value: &Value, segment: super::heap::SegmentId, exits: usize) -> bool {
        let is_plain = self.segment() == segment && self.exits.len() == exits;
        let alternatives = match &value.data {
            Data::Choice(choice) => choice.alternatives.iter().map(|it| it.value.clone()).collect(),
            _ => vec![value.clone()],
        };
        alternatives.iter().any(|it| {
            let Some(object) = it.as_object() else { return false };
            let is_promise = match &self.heap.get(object).kind {
                ObjectKind::Promise(promise) => {
                    !promise.rejections.is_empty() || promise.value.is_none() || self.is_pending(object)
                }
                _ => return self.then_of(it).is_ok_and(|it| !it.is_nullish() && it.as_unknown().is_none()),
            };
            is_promise && !(is_plain && value.is_settled())
        })
    }

    fn async_result(
        &mut self,
        value: Option<Value>,
        rejected: Vec<super::branch::Exit>,
        segment: super::heap::SegmentId,
    ) -> Value {
        let mut rejections: Vec<_> = rejected
            .into_iter()
            .filter_map(|exit| match exit.kind {
                ExitKind::Throw(error, _) => Some((exit.guard, error)),
                _ => None,
            })
            .collect();
        let mut segments = Vec::new();
        if self.segment() != segment {
            segments.push(self.segment());
            self.schedule.current = segment;
        }
        // Who returns a promise that is yet to be settled, and did not wait before, as good as hands it on.
        if let Some(inner) = value.as_ref().and_then(Value::as_object)
            && rejections.is_empty()
            && segments.is_empty()
            && matches!(&self.heap.get(inner).kind, ObjectKind::Promise(_))
            && self.is_pending(inner)
        {
            return inner.into();
        }
        let settlement = value.map(|it| self.settlement(&it)).unwrap_or_default();
        rejections.extend(settlement.rejections);
        segments.extend(settlement.segments);
        let value = settlement.value;
        let prototype = self.realm.promise;
        let promise = Promise {
            value,
            rejections,
            segments,
            pending: Value::FALSE,
            settler: Settler::Program,
            is_queued: false,
            is_handled: false,
            made_in: segment,
        };
        self.allocate(Some(prototype), ObjectKind::Promise(Box::new(promise))).into()
    }

    /// Whether a function is called inside itself under conditions that are not known: how often cannot be known then.
    fn recurs_unsurely(&self, closure: &Closure) -> bool {
        let code = Some((closure.module, closure.function));
        let mut same = self.frames.iter().filter(|it| it.code == code);
        let Some(first) = same.next() else { return false };
        same.count() + 1 >= budget::MAX_UNSURE_RECURSION && self.path.mark() > first.mark
    }

    fn not_followed_again(&mut self, args: &Arguments) -> Value {
        if args.values.iter().any(|it| self.reaches_api(it)) {
            self.unfollowed("a function that calls itself until something unknown ends it");
        }
        self.unknown(ReasonKind::NotModelled, "a function that calls itself until something unknown ends it")
    }

    /// Calls something that is not known.
    fn call_unknown(&mut self, callee: &Rc<Unknown>, args: &Arguments) -> Eval {
        let value = Value::new(Data::Unknown(Rc::clone(callee)));
        self.hand_over(&args.values, &value)?;
        Ok(self.path.unknown(callee.reason.clone()))
    }

    /// Values go into code that cannot be followed: `pi` among them may register anything, callbacks may be called some time,
    /// tables may be added to.
    pub(super) fn hand_over(&mut self, values: &[Value], to: &Value) -> Eval<()> {
        if values.iter().any(|it| self.reaches_api(it)) {
            self.escaped(to);
        }
        for value in values {
            self.hand_over_one(value, to, 0)?;
        }
        self.may_throw(to)
    }

    fn hand_over_one(&mut self, value: &Value, to: &Value, depth: u32) -> Eval<()> {
        let alternatives = match &value.data {
            Data::Choice(choice) => choice.alternatives.iter().map(|it| it.value.clone()).collect(),
            _ => vec![value.clone()],
        };
        for value in alternatives {
            let Some(object) = value.as_object() else { continue };
            let kind = &self.heap.get(object).kind;
            // It cannot be told what is done with it.
            if !matches!(kind, ObjectKind::RegExp { .. }) {
                self.summaries.note_deed();
            }
            match kind {
                ObjectKind::Function(_) | ObjectKind::Bound(_) => {
                    self.call_later(&value);
                }
                ObjectKind::Promise(_) => self.handled(&value),
                ObjectKind::Native(native) if native.is_settler() => {
                    self.settled_outside(&native.data.clone());
                }
                ObjectKind::Ordinary if depth < 2 => {
                    self.share_emitter(object);
                    let methods: Vec<Value> = self
                        .heap
                        .get(object)
                        .properties
                        .iter()
                        .filter_map(|(_, it)| match &it.slot {
                            super::heap::Slot::Data(value) => Some(value.clone()),
                            super::heap::Slot::Accessor { .. } => None,
                        })
                        .collect();
                    for method in methods {
                        self.hand_over_one(&method, to, depth + 1)?;
                    }
                    if depth == 0 {
                        self.open_up(object, to);
                    }
                }
                ObjectKind::Array(_) | ObjectKind::Map(_) | ObjectKind::Set(_) if depth == 0 => {
                    self.open_up(object, to);
                }
                ObjectKind::Opaque("AbortController") => self.share_controller(object)?,
                _ => {}
            }
        }
        Ok(())
    }
}
