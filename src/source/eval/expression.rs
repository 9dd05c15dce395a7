//! Expressions.

use std::rc::Rc;
use std::sync::Arc;

use super::branch::Decision;
use super::fact::FactSet;
use super::heap::{Integrity, ObjectKind, Property as HeapProperty, PropertyKey, Slot};
use super::native::Eval;
use super::path::{Asks, Tested};
use super::value::{Alternative, Data, Nature, Value};
use super::writing::Mode;
use super::{Arguments, Context, Derivation, Evaluator, budget};
use crate::source::ir::{
    BindingId, Element, Expr, ExprId, Key, LogicalOp, Pattern, PatternId, Property, UnaryOp,
};
use crate::source::known::ReasonKind;

impl Evaluator<'_> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, cx: Context<'_>, id: ExprId) -> Eval {
        let value = self.eval_link(cx, id)?;
        Ok(present(value))
    }

    /// The value of an expression that may be a link of an optional chain: `Absent` where the chain was cut short.
    fn eval_link(&mut self, cx: Context<'_>, id: ExprId) -> Eval {
        match cx.module.expr(id) {
            Expr::Null => Ok(Value::NULL),
            Expr::Bool(it) => Ok((*it).into()),
            Expr::Number(it) => Ok(Value::number(*it)),
            Expr::BigInt(digits) => Ok(Value::new(Data::BigInt(digits.clone()))),
            Expr::String(text) => {
                Ok(Value::new(Data::String(text.clone(), self.instances.spot(cx.instance, id))))
            }
            Expr::Local(binding) => self.variable(cx, *binding),
            _ => self.deeper(|me| me.eval_compound(cx, id)),
        }
    }

    fn eval_compound(&mut self, cx: Context<'_>, id: ExprId) -> Eval {
        match cx.module.expr(id) {
            Expr::Member { object, property, optional } => {
                let object = self.eval_link(cx, *object)?;
                self.here = cx.module.expr_span(id);
                self.member(&object, &PropertyKey::Name(property.clone()), *optional)
            }
            Expr::Index { object, index, optional } => {
                let object = self.eval_link(cx, *object)?;
                if matches!(object.data, Data::Absent) || (*optional && object.is_nullish()) {
                    return Ok(Value::ABSENT);
                }
                let index = self.eval(cx, *index)?;
                self.here = cx.module.expr_span(id);
                self.index(&object, &index, *optional)
            }
            Expr::Private { object, name, optional } => {
                let object = self.eval_link(cx, *object)?;
                self.here = cx.module.expr_span(id);
                self.member(&object, &PropertyKey::Private(name.clone()), *optional)
            }
            Expr::Chain(inner) => self.eval_link(cx, *inner).map(present),
            Expr::Call { callee, args, optional } => self.eval_call(cx, id, *callee, args, *optional),
            Expr::New { callee, args } => self.eval_new(cx, id, *callee, args),
            Expr::Function(function) => Ok(self.closure(cx, *function, None).into()),
            Expr::Object(properties) => self.object_literal(cx, properties),
            Expr::Array(elements) => {
                let list = self.list(cx, elements, true)?;
                let rest = list.rest.clone();
                let array = self.new_array(list.values);
                if let Some(rest) = rest {
                    self.open_up(array, &rest);
                }
                self.spend_object()?;
                Ok(array.into())
            }
            Expr::Logical { op, left, right } => {
                let value = self.eval(cx, *left)?;
                let at = cx.module.expr_span(*left);
                self.logical(*op, &value, at, |me| {
                    let value = me.eval(cx, *right)?;
                    // If it is tested, then by its own words.
                    if let Some(unknown) = value.as_unknown() {
                        me.path.truth_of(unknown, cx.module.expr_span(*right));
                    }
                    Ok(value)
                })
            }
            Expr::Conditional { test, then, otherwise } => {
                let value = self.eval(cx, *test)?;
                let at = cx.module.expr_span(*test);
                match self.decide(&value, at) {
                    Decision::Known(truth, facts) => {
                        let way = if truth { *then } else { *otherwise };
                        self.steered(facts, |me| me.eval(cx, way))
                    }
                    Decision::Open(test) => {
                        self.fork(&test, |me| me.eval(cx, *then), |me| me.eval(cx, *otherwise))
                    }
                }
            }
            Expr::Template(it) => self.template(cx, id, &it.quasis, &it.exprs),
            Expr::Assign { target, value } => self.assign(cx, *target, *value),
            Expr::Unary { op: UnaryOp::Typeof, operand } => {
                if let Expr::Global(name) = cx.module.expr(*operand) {
                    let value = self.global_or_absent(cx, name)?;
                    return Ok(self.type_of(&value));
                }
                let value = self.eval(cx, *operand)?;
                Ok(self.type_of(&value))
            }
            Expr::Unary { op, operand } => {
                let value = self.eval(cx, *operand)?;
                self.here = cx.module.expr_span(id);
                self.unary(*op, &value)
            }
            Expr::Binary { op, left, right } => {
                let left = self.eval(cx, *left)?;
                let right = self.eval(cx, *right)?;
                self.here = cx.module.expr_span(id);
                self.binary(*op, &left, &right)
            }
            Expr::Await(inner) => {
                let value = self.eval(cx, *inner)?;
                self.here = cx.module.expr_span(id);
                self.await_value(&value)
            }
            Expr::Sequence(exprs) => {
                let mut value = Value::UNDEFINED;
                for &expr in exprs {
                    value = self.eval(cx, expr)?;
                }
                Ok(value)
            }
            _ => self.eval_rare(cx, id),
        }
    }

    /// `new callee(…args)`.
    fn eval_new(&mut self, cx: Context<'_>, id: ExprId, callee: ExprId, args: &[Element]) -> Eval {
        let class = self.eval(cx, callee)?;
        let args = self.arguments(cx, args)?;
        self.here = cx.module.expr_span(id);
        if self.constructs_nothing(&class) {
            return Err(self.not_a("constructor", cx, callee));
        }
        self.construct(&class, args, None)
    }

    fn eval_this(&mut self, at: crate::location::Span) -> Eval {
        if !self.frame().awaits_super {
            return Ok(self.path.settle(&self.frame().this));
        }
        self.here = at;
        let message = "Must call super constructor in derived class before accessing 'this' or returning from derived constructor";
        Err(self.throw_error("ReferenceError", message))
    }

    fn eval_rare(&mut self, cx: Context<'_>, id: ExprId) -> Eval {
        let at = cx.module.expr_span(id);
        match cx.module.expr(id) {
            Expr::Global(name) => {
                let value = self.global_or_absent(cx, name)?;
                if matches!(value.data, Data::Absent) {
                    self.here = at;
                    return Err(self.throw_error("ReferenceError", &format!("{name} is not defined")));
                }
                Ok(value)
            }
            Expr::This => self.eval_this(at),
            Expr::NewTarget => Ok(self.frame().new_target.map_or(Value::UNDEFINED, Value::from)),
            Expr::ImportMeta => Ok(self.import_meta(cx)),
            Expr::RegExp(it) => {
                let prototype = self.realm.regexp;
                Ok(self.new_regexp(prototype, it.pattern.clone(), it.flags.clone()).into())
            }
            Expr::TaggedTemplate(it) => {
                self.tagged_template(cx, id, it.tag, (&it.template.quasis, &it.raw), &it.template.exprs)
            }
            Expr::EnumMember { binding, name } => {
                let value = self.variable(cx, *binding)?;
                self.get(&value, &PropertyKey::Name(name.clone()))
            }
            Expr::Class(class) => self.class(cx, *class, None),
            Expr::Delete { operand } => self.delete_expression(cx, *operand),
            Expr::Update { target, increment, prefix } => {
                let old = self.read_target(cx, *target)?;
                let old = if may_be_big(&old) {
                    self.here = at;
                    self.unknown(ReasonKind::NotModelled, "arithmetic on big integers")
                } else {
                    self.unary(UnaryOp::Plus, &old)?
                };
                let op = if *increment {
                    crate::source::ir::BinaryOp::Add
                } else {
                    crate::source::ir::BinaryOp::Subtract
                };
                let new = self.binary(op, &old, &Value::number(1.0))?;
                self.bind(cx, *target, new.clone(), false)?;
                Ok(if *prefix { new } else { old })
            }
            Expr::PrivateIn { name, object } => {
                let object = self.eval(cx, *object)?;
                self.has(&object, &PropertyKey::Private(name.clone()))
            }
            Expr::AssignBinary { op, target, value } => {
                let old = self.read_target(cx, *target)?;
                let operand = self.eval(cx, *value)?;
                self.here = at;
                let new = self.binary(*op, &old, &operand)?;
                self.bind(cx, *target, new.clone(), false)?;
                Ok(new)
            }
            Expr::AssignLogical { op, target, value } => {
                let old = self.read_target(cx, *target)?;
                self.logical(*op, &old, at, |me| {
                    let new = me.eval(cx, *value)?;
                    me.bind(cx, *target, new.clone(), false)?;
                    Ok(new)
                })
            }
            Expr::SuperCall { args } => {
                let args = self.arguments(cx, args)?;
                self.here = at;
                self.super_call(args)
            }
            Expr::SuperMember { property } => self.super_get(&PropertyKey::Name(property.clone())),
            Expr::SuperIndex { index } => {
                let index = self.eval(cx, *index)?;
                match self.property_key(&index) {
                    Some(key) => self.super_get(&key),
                    None => Ok(self.unknown(ReasonKind::NotModelled, "a computed property of super")),
                }
            }
            Expr::Yield { value, delegate } => {
                let value = match value {
                    Some(value) => self.eval(cx, *value)?,
                    None => Value::UNDEFINED,
                };
                self.here = at;
                self.yield_value(value, *delegate)
            }
            Expr::ImportCall(specifier) => {
                let specifier = self.eval(cx, *specifier)?;
                self.here = at;
                self.import_call(cx, &specifier)
            }
            Expr::Unsupported(what) => {
                self.here = at;
                Ok(self.unknown(ReasonKind::NotModelled, format!("{what} is not modelled")))
            }
            // Everything else is handled by the callers of this function.
            _ => Ok(Value::UNDEFINED),
        }
    }

    /// Runs code that is there because of facts: what it comes to rests on them.
    pub(super) fn steered(&mut self, facts: FactSet, run: impl FnOnce(&mut Self) -> Eval) -> Eval {
        if facts == FactSet::NONE {
            return run(self);
        }
        let before = self.control;
        self.control = self.facts.union(before, facts);
        let result = run(self);
        self.control = before;
        let value = result?;
        Ok(self.with_facts(value, facts))
    }

    /// The value of a variable as it is seen from here.
    pub(super) fn variable(&mut self, cx: Context<'_>, binding: BindingId) -> Eval {
        let Some(place) = self.scopes.find(cx.scope, binding) else { return Ok(Value::UNDEFINED) };
        let value = self.scopes.get(place);
        match &value.data {
            Data::Choice(_) => Ok(present(self.path.settle(value))),
            Data::Absent if !self.scopes.is_hoisted(place) => {
                let name = cx.module.binding_names.get(binding.0 as usize).cloned().unwrap_or_default();
                let message = format!("Cannot access '{name}' before initialization");
                Err(self.throw_error("ReferenceError", &message))
            }
            Data::Absent => self.import_value(cx, binding),
            _ => Ok(value.clone()),
        }
    }

    /// `&&`, `||`, `??`.
    fn logical(
        &mut self,
        op: LogicalOp,
        left: &Value,
        at: crate::location::Span,
        right: impl FnOnce(&mut Self) -> Eval,
    ) -> Eval {
        let tested = match op {
            LogicalOp::And | LogicalOp::Or => left.clone(),
            LogicalOp::Coalesce => self.is_nullish(left),
        };
        // `&&` and `??` go on when the test holds, `||` when it does not.
        let goes_on = op != LogicalOp::Or;
        let asks = if op == LogicalOp::Coalesce { Asks::Nullish } else { Asks::Truth };
        match self.decide(&tested, Tested { at, asks }) {
            Decision::Known(truth, facts) if truth == goes_on => self.steered(facts, right),
            Decision::Known(_, facts) => Ok(self.with_facts(left.clone(), facts)),
            Decision::Open(test) => {
                let stays = |me: &mut Self| {
                    let value = me.path.settle(left);
                    Ok(if op == LogicalOp::Coalesce { me.without_nullish(&value) } else { value })
                };
                if goes_on { self.fork(&test, right, stays) } else { self.fork(&test, stays, right) }
            }
        }
    }

    /// Whether a value is `null` or `undefined`.
    pub(super) fn is_nullish(&mut self, value: &Value) -> Value {
        self.map(value, |me, it| match &it.data {
            Data::Unknown(unknown) if unknown.nature == Nature::Anything => {
                me.derive(unknown, Derivation::Operator("==", "null".into()))
            }
            _ => Value::from(it.is_nullish()).resting_on(it.facts),
        })
    }

    /// `object.key`, `object?.key`.
    pub(super) fn member(&mut self, object: &Value, key: &PropertyKey, optional: bool) -> Eval {
        match &object.data {
            Data::Absent => Ok(Value::ABSENT),
            Data::Undefined | Data::Null if optional => Ok(Value::ABSENT),
            Data::Choice(choice) => {
                let cut = |it: &Value| matches!(it.data, Data::Absent) || (optional && it.is_nullish());
                if choice.alternatives.iter().any(|it| cut(&it.value)) {
                    return self.each(
                        object,
                        |me, it| {
                            if cut(it) { Ok(Value::ABSENT) } else { me.get(it, key) }
                        },
                    );
                }
                self.get(object, key)
            }
            _ => self.get(object, key),
        }
    }

    /// `object[index]`.
    pub(super) fn index(&mut self, object: &Value, index: &Value, optional: bool) -> Eval {
        if let (Data::Object(id), Data::Number(number)) = (&object.data, &index.data)
            && let ObjectKind::Array(elements) = &self.heap.get(*id).kind
            && *number >= 0.0
            && number.fract() == 0.0
            && *number < 4_294_967_295.0
        {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
            let at = *number as usize;
            if at < elements.len() || self.heap.get(*id).open.is_some() {
                let id = *id;
                return Ok(present(self.element(id, at)));
            }
        }
        self.each(index, |me, index| {
            if let Some(key) = me.known_key(index)? {
                return me.member(object, &key, optional);
            }
            me.any_member(object)
        })
    }

    /// The property name that a value stands for; objects go through their `toString`.
    pub(super) fn known_key(&mut self, value: &Value) -> Eval<Option<PropertyKey>> {
        if value.as_object().is_some() {
            let text = self.to_primitive(value, "string")?;
            return Ok(self.property_key(&text));
        }
        Ok(self.property_key(value))
    }

    /// A property of unknown name: any of those that the object has, if they are few, or unknown.
    fn any_member(&mut self, object: &Value) -> Eval {
        if let Some(id) = object.as_object() {
            let is_table = matches!(self.heap.get(id).kind, ObjectKind::Ordinary | ObjectKind::Array(_));
            if is_table && self.heap.get(id).open.is_none() {
                let entries = self.own_entries(id)?;
                if !entries.is_empty() && entries.len() < super::value::MAX_ALTERNATIVES {
                    let any = entries
                        .into_iter()
                        .map(|(_, value)| value)
                        .chain([Value::UNDEFINED])
                        .map(|value| Alternative { value, guard: Vec::new(), exact: false, tag: 0 })
                        .collect();
                    return Ok(self.path.choose(any));
                }
            }
        }
        if let Data::Unknown(unknown) = &object.data {
            return Ok(self.path.unknown(unknown.reason.clone()));
        }
        Ok(self.unknown(ReasonKind::NotModelled, "a property whose name is not known"))
    }

    fn template(&mut self, cx: Context<'_>, id: ExprId, quasis: &[Arc<str>], exprs: &[ExprId]) -> Eval {
        let first = quasis.first().cloned().unwrap_or_else(|| "".into());
        if exprs.is_empty() {
            return Ok(Value::new(Data::String(first, self.instances.spot(cx.instance, id))));
        }
        let mut result = Value::string(first);
        for (index, &expr) in exprs.iter().enumerate() {
            let value = self.eval(cx, expr)?;
            self.here = cx.module.expr_span(expr);
            let text = self.to_text(&value)?;
            result = self.binary(crate::source::ir::BinaryOp::Add, &result, &text)?;
            if let Some(quasi) = quasis.get(index + 1)
                && !quasi.is_empty()
            {
                let quasi = Value::string(quasi.clone());
                result = self.binary(crate::source::ir::BinaryOp::Add, &result, &quasi)?;
            }
        }
        let spot = self.instances.spot(cx.instance, id);
        Ok(self.map(&result, |_, it| match &it.data {
            Data::String(text, _) => Value::new(Data::String(text.clone(), spot)).resting_on(it.facts),
            _ => it.clone(),
        }))
    }

    fn tagged_template(
        &mut self,
        cx: Context<'_>,
        id: ExprId,
        tag: ExprId,
        (quasis, raw): (&[Arc<str>], &[Arc<str>]),
        exprs: &[ExprId],
    ) -> Eval {
        let (callee, this) = self.callee(cx, tag)?;
        let spot = self.instances.spot(cx.instance, id);
        let known = self.templates.get(&spot.0).copied();
        let strings = known.unwrap_or_else(|| {
            let texts = |list: &[Arc<str>]| list.iter().map(|it| Value::string(it.clone())).collect();
            let path = self.path.suspend();
            let strings = self.new_array(texts(quasis));
            let raw = self.new_array(texts(raw));
            self.hide(strings, "raw", raw.into());
            for array in [strings, raw] {
                self.heap.get_mut(array).integrity = Integrity::Frozen;
            }
            self.path.restore(path);
            self.templates.insert(spot.0, strings);
            strings
        });
        let mut values = vec![Value::from(strings)];
        for &expr in exprs {
            values.push(self.eval(cx, expr)?);
        }
        self.here = cx.module.expr_span(id);
        self.call(&callee, &this, Arguments::of(values))
    }

    /// What is called, and its `this`.
    fn callee(&mut self, cx: Context<'_>, id: ExprId) -> Eval<(Value, Value)> {
        Ok(match cx.module.expr(id) {
            Expr::Member { .. } | Expr::Index { .. } | Expr::Private { .. } => {
                let (object, key) = self.reference(cx, id)?;
                let function = match key {
                    Some(key) => self.get(&object, &key)?,
                    None => self.any_member(&object)?,
                };
                (function, object)
            }
            Expr::SuperMember { .. } | Expr::SuperIndex { .. } => {
                (self.eval(cx, id)?, self.frame().this.clone())
            }
            _ => (self.eval(cx, id)?, Value::UNDEFINED),
        })
    }

    /// The object and key of a member expression; no key when it is not known.
    fn reference(&mut self, cx: Context<'_>, id: ExprId) -> Eval<(Value, Option<PropertyKey>)> {
        let pair = match cx.module.expr(id) {
            Expr::Member { object, property, .. } => {
                (self.eval(cx, *object)?, Some(PropertyKey::Name(property.clone())))
            }
            Expr::Private { object, name, .. } => {
                (self.eval(cx, *object)?, Some(PropertyKey::Private(name.clone())))
            }
            Expr::Index { object, index, .. } => {
                let object = self.eval(cx, *object)?;
                let index = self.eval(cx, *index)?;
                let key = self.known_key(&index)?;
                (object, key)
            }
            Expr::Chain(inner) => return self.reference(cx, *inner),
            _ => (self.eval(cx, id)?, None),
        };
        self.here = cx.module.expr_span(id);
        Ok(pair)
    }

    fn eval_call(
        &mut self,
        cx: Context<'_>,
        id: ExprId,
        callee: ExprId,
        args: &[Element],
        optional: bool,
    ) -> Eval {
        let at = cx.module.expr_span(id);
        // `(a?.b)()` keeps `this`: a chain that is only a callee is looked into.
        let target = match cx.module.expr(callee) {
            Expr::Chain(inner) => *inner,
            _ => callee,
        };
        let (object, key) = match cx.module.expr(target) {
            Expr::Member { object, property, optional } => {
                let object = self.eval_link(cx, *object)?;
                (Some((object, *optional)), Some(PropertyKey::Name(property.clone())))
            }
            Expr::Private { object, name, optional } => {
                let object = self.eval_link(cx, *object)?;
                (Some((object, *optional)), Some(PropertyKey::Private(name.clone())))
            }
            Expr::Index { object, index, optional } => {
                let object = self.eval_link(cx, *object)?;
                if matches!(object.data, Data::Absent) || (*optional && object.is_nullish()) {
                    return Ok(Value::ABSENT);
                }
                let index = self.eval(cx, *index)?;
                (Some((object, *optional)), self.known_key(&index)?)
            }
            _ => (None, None),
        };
        let Some((object, cut)) = object else {
            let (function, this) = match cx.module.expr(target) {
                Expr::SuperMember { .. } | Expr::SuperIndex { .. } => self.callee(cx, target)?,
                _ => (self.eval_link(cx, target)?, Value::UNDEFINED),
            };
            if matches!(function.data, Data::Absent) || (optional && function.is_nullish()) {
                return Ok(Value::ABSENT);
            }
            let args = self.arguments(cx, args)?;
            self.here = at;
            return self.call_link((cx, target), &function, &this, args, optional);
        };
        if matches!(object.data, Data::Absent) || (cut && object.is_nullish()) {
            return Ok(Value::ABSENT);
        }
        // The method is read before the arguments are evaluated, which may replace it.
        let early = match (&object.data, &key) {
            (Data::Choice(_), _) => None,
            (_, Some(key)) => {
                self.here = cx.module.expr_span(target);
                Some(self.get(&object, key)?)
            }
            (_, None) => Some(self.any_member(&object)?),
        };
        if let Some(function) = early {
            if optional && function.is_nullish() {
                return Ok(Value::ABSENT);
            }
            let args = self.arguments(cx, args)?;
            self.here = at;
            return self.call_link((cx, target), &function, &object, args, optional);
        }
        let args = self.arguments(cx, args)?;
        let object = if cut { object } else { self.without_nullish(&object) };
        self.each(&object, |me, object| {
            if matches!(object.data, Data::Absent) || (cut && object.is_nullish()) {
                return Ok(Value::ABSENT);
            }
            me.here = at;
            let function = match &key {
                Some(key) => me.get(object, key)?,
                None => me.any_member(object)?,
            };
            me.here = at;
            me.call_link((cx, target), &function, object, args.clone(), optional)
        })
    }

    /// A call as a link of a chain.
    fn call_link(
        &mut self,
        (cx, callee): (Context<'_>, ExprId),
        function: &Value,
        this: &Value,
        args: Arguments,
        optional: bool,
    ) -> Eval {
        match &function.data {
            Data::Absent => Ok(Value::ABSENT),
            Data::Undefined | Data::Null if optional => Ok(Value::ABSENT),
            Data::Choice(choice) => {
                let cut = |it: &Value| matches!(it.data, Data::Absent) || (optional && it.is_nullish());
                if choice.alternatives.iter().any(|it| cut(&it.value)) {
                    return self.each(function, |me, it| {
                        if cut(it) { Ok(Value::ABSENT) } else { me.call(it, this, args.clone()) }
                    });
                }
                self.call(function, this, args)
            }
            Data::Unknown(_) => self.call(function, this, args),
            _ if !self.is_callable(function) => Err(self.not_a("function", cx, callee)),
            _ => self.call(function, this, args),
        }
    }

    /// Call arguments.
    pub(super) fn arguments(&mut self, cx: Context<'_>, elements: &[Element]) -> Eval<Arguments> {
        self.list(cx, elements, false)
    }

    /// The elements of an array literal or call.
    fn list(&mut self, cx: Context<'_>, elements: &[Element], is_array: bool) -> Eval<Arguments> {
        let mut list = Arguments { values: Vec::with_capacity(elements.len()), rest: None };
        for element in elements {
            match element {
                Element::Value(id) => {
                    let value = self.eval(cx, *id)?;
                    if list.rest.is_none() || is_array {
                        list.values.push(value);
                    }
                }
                Element::Hole => list.values.push(Value::ABSENT),
                Element::Spread(id) => {
                    let value = self.eval(cx, *id)?;
                    self.here = cx.module.expr_span(*id);
                    let items = self.items_of(&value)?;
                    list.values.extend(items.values);
                    if list.rest.is_none() {
                        list.rest = items.rest;
                    }
                }
            }
            if list.values.len() > budget::MAX_ELEMENTS {
                return Err(self.exceed(budget::Exceeded::Memory));
            }
        }
        Ok(list)
    }

    fn object_literal(&mut self, cx: Context<'_>, properties: &[Property]) -> Eval {
        self.spend_object()?;
        let object = self.new_object();
        for property in properties {
            match property {
                Property::Value { key, value } => {
                    let is_computed = matches!(key, Key::Computed(_));
                    let key = self.key(cx, key)?;
                    let value = match cx.module.expr(*value) {
                        Expr::Function(function) => self.closure(cx, *function, Some(object)).into(),
                        _ => self.eval(cx, *value)?,
                    };
                    match key {
                        Some(PropertyKey::Name(name)) if &*name == "__proto__" && !is_computed => {
                            self.set_written_prototype(object, &value);
                        }
                        Some(key) => {
                            self.heap.get_mut(object).properties.insert(key, HeapProperty::plain(value));
                        }
                        None => self.write_unknown_key(object),
                    }
                }
                Property::Get { key, function } | Property::Set { key, function } => {
                    let key = self.key(cx, key)?;
                    let function = self.closure(cx, *function, Some(object));
                    if let Some(key) = key {
                        let is_getter = matches!(property, Property::Get { .. });
                        self.define_accessor(object, key, function, is_getter, true);
                    }
                }
                Property::Spread(value) => {
                    let at = cx.module.expr_span(*value);
                    let value = self.eval(cx, *value)?;
                    self.here = at;
                    self.copy_into(object, &value)?;
                }
            }
        }
        Ok(object.into())
    }

    /// `__proto__: value` in a literal. What is no object and not `null` is ignored.
    fn set_written_prototype(&mut self, object: super::heap::ObjectId, value: &Value) {
        match &value.data {
            Data::Object(prototype) => self.heap.get_mut(object).prototype = Some(*prototype),
            Data::Null => self.heap.get_mut(object).prototype = None,
            Data::Unknown(_) => self.open_up(object, value),
            Data::Choice(_) => {
                let why = self.unknown(ReasonKind::Merged, "one of several prototypes");
                self.open_up(object, &why);
            }
            _ => {}
        }
    }

    /// Adds one half of an accessor.
    pub(super) fn define_accessor(
        &mut self,
        object: super::heap::ObjectId,
        key: PropertyKey,
        function: super::heap::ObjectId,
        is_getter: bool,
        enumerable: bool,
    ) {
        let (mut get, mut set) = match self.heap.get(object).properties.get(&key) {
            Some(HeapProperty { slot: Slot::Accessor { get, set }, .. }) => (*get, *set),
            _ => (None, None),
        };
        if is_getter {
            get = Some(function);
        } else {
            set = Some(function);
        }
        let property =
            HeapProperty { slot: Slot::Accessor { get, set }, enumerable, writable: true, is_fixed: false };
        self.heap.get_mut(object).properties.insert(key, property);
    }

    /// A property of unknown name was written: any may be there now.
    pub(super) fn write_unknown_key(&mut self, object: super::heap::ObjectId) {
        let why = self.unknown(ReasonKind::NotModelled, "a property whose name is not known");
        self.open_up(object, &why);
    }

    /// A property name; `None` when it is not known.
    pub(super) fn key(&mut self, cx: Context<'_>, key: &Key) -> Eval<Option<PropertyKey>> {
        Ok(match key {
            Key::Name(name) => Some(PropertyKey::Name(name.clone())),
            Key::Private(name) => Some(PropertyKey::Private(name.clone())),
            Key::Computed(id) => {
                let value = self.eval(cx, *id)?;
                self.known_key(&value)?
            }
        })
    }

    fn assign(&mut self, cx: Context<'_>, target: PatternId, value: ExprId) -> Eval {
        if let Pattern::Member(member) = cx.module.pattern(target) {
            if let Expr::SuperMember { property } = cx.module.expr(*member) {
                let value = self.eval(cx, value)?;
                self.super_set(&PropertyKey::Name(property.clone()), value.clone())?;
                return Ok(value);
            }
            // The object is evaluated before the value.
            let (object, key) = self.reference(cx, *member)?;
            let value = self.eval(cx, value)?;
            self.here = cx.module.expr_span(*member);
            self.assign_member(&object, key.as_ref(), value.clone(), mode_of(cx))?;
            return Ok(value);
        }
        let value = self.eval(cx, value)?;
        self.bind(cx, target, value.clone(), false)?;
        Ok(value)
    }

    /// Writes to a member; an unknown key may be any.
    pub(super) fn assign_member(
        &mut self,
        object: &Value,
        key: Option<&PropertyKey>,
        value: Value,
        mode: Mode,
    ) -> Eval<()> {
        if let Some(key) = key {
            return self.set_in(object, key, value, mode);
        }
        if let Some(id) = object.as_object() {
            self.write_unknown_key(id);
        }
        Ok(())
    }

    /// What an assignment target holds, for operators that read it first.
    fn read_target(&mut self, cx: Context<'_>, target: PatternId) -> Eval {
        match cx.module.pattern(target) {
            Pattern::Local(binding) | Pattern::Constant(binding) => self.variable(cx, *binding),
            Pattern::Global(name) => {
                let value = self.global_or_absent(cx, name)?;
                if matches!(value.data, Data::Absent) {
                    return Err(self.throw_error("ReferenceError", &format!("{name} is not defined")));
                }
                Ok(present(value))
            }
            Pattern::Member(member) => self.eval(cx, *member),
            Pattern::Object { .. } | Pattern::Array { .. } | Pattern::Default { .. } => Ok(Value::UNDEFINED),
        }
    }

    fn delete_expression(&mut self, cx: Context<'_>, operand: ExprId) -> Eval {
        match cx.module.expr(operand) {
            Expr::Member { .. } | Expr::Index { .. } | Expr::Private { .. } | Expr::Chain(_) => {
                let (object, key) = self.reference(cx, operand)?;
                match key {
                    Some(key) => self.delete(&object, &key)?,
                    None => {
                        if let Some(id) = object.as_object() {
                            self.write_unknown_key(id);
                        }
                    }
                }
            }
            _ => {
                self.eval(cx, operand)?;
            }
        }
        Ok(Value::TRUE)
    }
}

/// Whether a value is a big integer on some way.
fn may_be_big(value: &Value) -> bool {
    match &value.data {
        Data::Choice(choice) => choice.alternatives.iter().any(|it| may_be_big(&it.value)),
        _ => matches!(value.data, Data::BigInt(_)),
    }
}

/// Whether assignments that cannot be done throw in this code.
pub fn mode_of(cx: Context<'_>) -> Mode {
    if cx.module.is_strict { Mode::Strict } else { Mode::Sloppy }
}

/// A value as code sees it: what is absent reads as `undefined`.
pub fn present(value: Value) -> Value {
    match &value.data {
        Data::Absent => Value::UNDEFINED,
        Data::Choice(choice) if value.may_be_absent() => {
            let alternatives = choice
                .alternatives
                .iter()
                .map(|it| match it.value.data {
                    Data::Absent => Alternative { value: Value::UNDEFINED, ..it.clone() },
                    _ => it.clone(),
                })
                .collect();
            let choice = super::value::Choice::new(choice.id, alternatives);
            Value { data: Data::Choice(Rc::new(choice)), facts: value.facts }
        }
        _ => value,
    }
}
