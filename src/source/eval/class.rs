//! Classes, instances and `super`.

use std::rc::Rc;
use std::sync::Arc;

use super::heap::{ClassObject, ObjectId, ObjectKind, Property, PropertyKey, Slot};
use super::native::Eval;
use super::path::Stop;
use super::value::{Data, Value};
use super::{Arguments, Context, Evaluator, Frame};
use crate::source::ir::{BindingId, ClassId, Member, MemberKind};
use crate::source::known::ReasonKind;

impl Evaluator<'_> {
    /// The class of a class declaration or expression. The name that a declaration binds is there before the static members
    /// are made, which may use it (`static shared = new Registry()`).
    pub(super) fn class(&mut self, cx: Context<'_>, id: ClassId, declared: Option<BindingId>) -> Eval {
        let class = cx.module.class(id);
        let outside = cx;
        let own: Vec<_> = class.own_binding.into_iter().collect();
        let cx = self.block_context(cx, &own);
        let parent = match class.parent {
            Some(parent) => {
                let value = self.eval(cx, parent)?;
                self.here = cx.module.expr_span(parent);
                Some(value)
            }
            None => None,
        };
        let (prototype, static_parent) = self.class_parents(parent.as_ref())?;
        let keys = self.member_keys(cx, &class.members)?;
        let object = self.allocate(
            Some(static_parent),
            ObjectKind::Class(Box::new(ClassObject {
                module: cx.instance,
                class: id,
                scope: cx.scope,
                parent,
                prototype,
                field_keys: keys.clone(),
            })),
        );
        self.hide(object, "prototype", prototype.into());
        self.hide(prototype, "constructor", object.into());
        if let Some(own) = class.own_binding {
            self.declare(cx, own, object.into());
        }
        if let Some(declared) = declared {
            self.declare(outside, declared, object.into());
        }
        for (member, key) in class.members.iter().zip(keys.iter()) {
            self.define_method(cx, member, key.as_ref(), if member.is_static { object } else { prototype });
        }
        for (member, key) in class.members.iter().zip(keys.iter()) {
            self.decorate_member(
                cx,
                member,
                key.as_ref(),
                if member.is_static { object } else { prototype },
            )?;
        }
        for (member, key) in class.members.iter().zip(keys.iter()) {
            if member.is_static {
                self.static_part(cx, member, key.as_ref(), object)?;
            }
        }
        self.decorate_parameters(cx, &class.of_parameters, &object.into(), &Value::UNDEFINED)?;
        if class.decorators.is_empty() {
            return Ok(object.into());
        }
        let decorated = self.decorate_class(cx, &class.decorators, object.into())?;
        if let Some(declared) = declared {
            self.declare(outside, declared, decorated.clone());
        }
        Ok(decorated)
    }

    /// Calls the decorators of a class, the last one first: what they return takes its place.
    fn decorate_class(
        &mut self,
        cx: Context<'_>,
        decorators: &[crate::source::ir::ExprId],
        class: Value,
    ) -> Eval {
        let mut functions = Vec::with_capacity(decorators.len());
        for &decorator in decorators {
            functions.push(self.eval(cx, decorator)?);
        }
        let mut class = class;
        for function in functions.into_iter().rev() {
            let result = self.call(&function, &Value::UNDEFINED, Arguments::of([class.clone()]))?;
            class = self.map(&result, |_, it| if it.is_nullish() { class.clone() } else { it.clone() });
        }
        Ok(class)
    }

    /// Calls the decorators of a member, the last one first, as Babel's `legacy` decorators are: with the object that holds it,
    /// its name and its descriptor.
    fn decorate_member(
        &mut self,
        cx: Context<'_>,
        member: &Member,
        key: Option<&PropertyKey>,
        holder: ObjectId,
    ) -> Eval<()> {
        let is_decorated = !member.decorators.is_empty() || !member.of_parameters.is_empty();
        let Some(key) = key.filter(|_| is_decorated) else { return Ok(()) };
        let mut functions = Vec::with_capacity(member.decorators.len());
        for &decorator in &member.decorators {
            functions.push(self.eval(cx, decorator)?);
        }
        let (name, holder_value) = (self.key_value(key), Value::from(holder));
        self.decorate_parameters(cx, &member.of_parameters, &holder_value, &name)?;
        for function in functions.into_iter().rev() {
            let descriptor = self.new_object();
            if let MemberKind::Method(_) = member.kind {
                let method = self.get_of(holder, key, &holder_value)?;
                self.put(descriptor, "value", method);
            }
            let args = Arguments::of([holder_value.clone(), name.clone(), descriptor.into()]);
            let result = self.call(&function, &Value::UNDEFINED, args)?;
            let result = if result.as_object().is_some() { result } else { descriptor.into() };
            if let MemberKind::Method(_) = member.kind {
                let method = self.get_name(&result, "value")?;
                self.heap.get_mut(holder).properties.insert(key.clone(), Property::hidden(method));
            }
        }
        Ok(())
    }

    /// Calls the decorators of parameters, the last one first: with the object that holds the method, its name and the position.
    fn decorate_parameters(
        &mut self,
        cx: Context<'_>,
        decorators: &[(u32, crate::source::ir::ExprId)],
        holder: &Value,
        name: &Value,
    ) -> Eval<()> {
        for &(at, decorator) in decorators.iter().rev() {
            let function = self.eval(cx, decorator)?;
            let args = Arguments::of([holder.clone(), name.clone(), Value::number(f64::from(at))]);
            self.call(&function, &Value::UNDEFINED, args)?;
        }
        Ok(())
    }

    /// The prototype object of a new class and the object that its static members are inherited from.
    fn class_parents(&mut self, parent: Option<&Value>) -> Eval<(ObjectId, ObjectId)> {
        let function = self.realm.function;
        let Some(parent) = parent else { return Ok((self.new_object(), function)) };
        match &parent.data {
            Data::Object(class) => {
                let class = *class;
                if !self.may_construct(class) {
                    return Err(self.not_extensible_class(parent));
                }
                let inherited = self.get_of(class, &"prototype".into(), parent)?;
                if inherited.is_settled() && inherited.as_object().is_none() && !is_null(&inherited) {
                    let shown = self.shown_value(&inherited);
                    let message =
                        format!("Class extends value does not have valid prototype property {shown}");
                    return Err(self.throw_error("TypeError", &message));
                }
                let inherited = inherited.as_object();
                let prototype = self.allocate(inherited.or(Some(self.realm.object)), ObjectKind::Ordinary);
                Ok((prototype, class))
            }
            Data::Null => Ok((self.allocate(None, ObjectKind::Ordinary), function)),
            _ if parent.is_settled() => Err(self.not_extensible_class(parent)),
            _ => {
                // What an unknown class brings may be there in every instance.
                let why = match parent.as_unknown() {
                    Some(unknown) => self.path.unknown(unknown.reason.clone()),
                    None => self.unknown(ReasonKind::Merged, "one of several classes"),
                };
                let unknown_prototype = self.new_object();
                self.open_up(unknown_prototype, &why);
                Ok((self.allocate(Some(unknown_prototype), ObjectKind::Ordinary), function))
            }
        }
    }

    /// Whether `new` may be used on an object. Functions that are built in count as if it could.
    fn may_construct(&self, object: ObjectId) -> bool {
        match &self.heap.get(object).kind {
            ObjectKind::Function(closure) => {
                let module = self.instances.module(closure.module);
                let code = module.function(closure.function);
                !(code.is_arrow || code.is_async || code.is_generator)
            }
            ObjectKind::Class(_) | ObjectKind::Native(_) | ObjectKind::Opaque(_) => true,
            ObjectKind::Bound(bound) => bound.target.as_object().is_none_or(|it| self.may_construct(it)),
            // Of what may have anything, this is not known either.
            _ => self.heap.get(object).open.is_some() || self.is_callable(&object.into()),
        }
    }

    fn not_extensible_class(&mut self, parent: &Value) -> Stop {
        let shown = self.shown_value(parent);
        self.throw_error("TypeError", &format!("Class extends value {shown} is not a constructor or null"))
    }

    fn member_keys(&mut self, cx: Context<'_>, members: &[Member]) -> Eval<Rc<[Option<PropertyKey>]>> {
        let mut keys = Vec::with_capacity(members.len());
        for member in members {
            keys.push(match &member.key {
                Some(key) => self.key(cx, key)?,
                None => None,
            });
        }
        Ok(keys.into())
    }

    fn define_method(&mut self, cx: Context<'_>, member: &Member, key: Option<&PropertyKey>, home: ObjectId) {
        let Some(key) = key else { return };
        match member.kind {
            MemberKind::Method(function) => {
                let method = self.closure(cx, function, Some(home));
                let property = Property::hidden(method.into());
                self.heap.get_mut(home).properties.insert(key.clone(), property);
            }
            MemberKind::Get(function) | MemberKind::Set(function) => {
                let accessor = self.closure(cx, function, Some(home));
                let is_getter = matches!(member.kind, MemberKind::Get(_));
                self.define_accessor(home, key.clone(), accessor, is_getter, false);
            }
            MemberKind::Field(_) | MemberKind::StaticBlock(_) => {}
        }
    }

    fn static_part(
        &mut self,
        cx: Context<'_>,
        member: &Member,
        key: Option<&PropertyKey>,
        class: ObjectId,
    ) -> Eval<()> {
        match &member.kind {
            MemberKind::Field(value) => {
                let value = match value {
                    Some(value) => self.with_this(class.into(), Some(class), |me| me.eval(cx, *value))?,
                    None => Value::UNDEFINED,
                };
                self.define_field(class, key, value);
                Ok(())
            }
            MemberKind::StaticBlock(block) => self
                .with_this(class.into(), Some(class), |me| me.block(cx, block).map(|()| Value::UNDEFINED))
                .map(|_| ()),
            MemberKind::Method(_) | MemberKind::Get(_) | MemberKind::Set(_) => Ok(()),
        }
    }

    /// Private methods are looked up along the prototypes, but a proxy that became `this` has none of its own.
    fn lend_private_methods(&mut self, class: &ClassObject, to: ObjectId) {
        let properties = self.heap.get(class.prototype).properties.iter();
        let private: Vec<(PropertyKey, Property)> = properties
            .filter(|(key, _)| matches!(key, PropertyKey::Private(_)))
            .map(|(key, property)| (key.clone(), property.clone()))
            .collect();
        for (key, property) in private {
            self.heap.get_mut(to).properties.insert(key, property);
        }
    }

    fn define_field(&mut self, object: ObjectId, key: Option<&PropertyKey>, value: Value) {
        let object = if matches!(key, Some(PropertyKey::Private(_))) { object } else { self.behind(object) };
        match key {
            Some(key) => {
                self.heap.get_mut(object).properties.insert(key.clone(), Property::plain(value));
            }
            None => self.write_unknown_key(object),
        }
    }

    /// What a proxy stands for in the end. Traps for definitions are rare and not asked.
    fn behind(&self, object: ObjectId) -> ObjectId {
        let mut at = object;
        for _ in 0..super::property::MAX_PROTOTYPES {
            let ObjectKind::Proxy { target, .. } = &self.heap.get(at).kind else { break };
            let Some(target) = target.as_object() else { break };
            at = target;
        }
        at
    }

    /// Runs something with a `this` of its own.
    fn with_this(
        &mut self,
        this: Value,
        home: Option<ObjectId>,
        run: impl FnOnce(&mut Self) -> Eval,
    ) -> Eval {
        let frame = Frame {
            mark: self.path.mark(),
            this,
            home,
            new_target: None,
            code: None,
            top_level: None,
            has_waited: false,
            arguments: None,
            awaits_super: false,
            is_async: false,
            segment: self.segment(),
            yields: None,
        };
        self.activate(frame, run)
    }

    /// `new Class(…)`.
    pub(super) fn construct_class(
        &mut self,
        class: &ClassObject,
        args: Arguments,
        new_target: ObjectId,
    ) -> Eval {
        self.spend_object()?;
        if class.parent.is_some() {
            return self.construct_derived(class, args, new_target);
        }
        let this = self.instance_of_prototype(new_target)?;
        self.initialize_fields(class, &this)?;
        self.run_constructor(class, &this, args, new_target)
    }

    fn run_constructor(
        &mut self,
        class: &ClassObject,
        this: &Value,
        args: Arguments,
        new_target: ObjectId,
    ) -> Eval {
        let module = self.instances.module(class.module);
        let Some(constructor) = module.class(class.class).constructor else { return Ok(this.clone()) };
        self.call_constructor(class, constructor, this.clone(), args, new_target)
    }

    fn call_constructor(
        &mut self,
        class: &ClassObject,
        constructor: crate::source::ir::FunctionId,
        this: Value,
        args: Arguments,
        new_target: ObjectId,
    ) -> Eval {
        let module = self.instances.module(class.module);
        let cx = Context { module: &module, instance: class.module, scope: class.scope };
        let function = self.closure(cx, constructor, Some(class.prototype));
        self.call_as_constructor(function, this, args, new_target, class.parent.is_some())
    }

    /// A class with a parent: `this` is what the parent makes, once `super` is called.
    fn construct_derived(&mut self, class: &ClassObject, args: Arguments, new_target: ObjectId) -> Eval {
        let module = self.instances.module(class.module);
        if let Some(constructor) = module.class(class.class).constructor {
            // `super()` fills in the object that stands for `this`; it is made here so that arrows see the same one.
            let this = self.instance_of_prototype(new_target)?;
            return self.call_constructor(class, constructor, this, args, new_target);
        }
        let this = self.instance_of_prototype(new_target)?;
        let parent = class.parent.clone().unwrap_or(Value::UNDEFINED);
        let this = self.construct_onto(&parent, &this, args, new_target)?;
        self.initialize_fields(class, &this)?;
        Ok(this)
    }

    /// Runs the constructor of a parent class on an instance that is there already. Gives what is `this` from then on: another
    /// object if the constructor returns one.
    fn construct_onto(
        &mut self,
        parent: &Value,
        this: &Value,
        args: Arguments,
        new_target: ObjectId,
    ) -> Eval {
        let Some(object) = parent.as_object() else {
            if !parent.is_settled() {
                let why = parent.clone();
                self.hand_over(&args.values, &why)?;
            }
            return Ok(this.clone());
        };
        let class = match &self.heap.get(object).kind {
            ObjectKind::Class(class) => Some(class.clone()),
            _ => None,
        };
        if let Some(class) = class {
            let module = self.instances.module(class.module);
            let has_constructor = module.class(class.class).constructor.is_some();
            if class.parent.is_some() && !has_constructor {
                let parent = class.parent.clone().unwrap_or(Value::UNDEFINED);
                let this = self.deeper(|me| me.construct_onto(&parent, this, args, new_target))?;
                self.initialize_fields(&class, &this)?;
                return Ok(this);
            }
            if class.parent.is_none() {
                self.initialize_fields(&class, this)?;
            }
            return self.run_constructor(&class, this, args, new_target);
        }
        let made = match &self.heap.get(object).kind {
            ObjectKind::Function(_) => {
                return self.call_as_constructor(object, this.clone(), args, new_target, false);
            }
            // What stands for a class makes the whole instance.
            ObjectKind::Bound(_) | ObjectKind::Proxy { .. } => {
                return self.construct(parent, args, Some(new_target));
            }
            _ => self.construct(parent, args, Some(new_target))?,
        };
        // What a built-in class makes becomes part of the instance.
        if let (Some(made), Some(this)) = (made.as_object(), this.as_object()) {
            let properties: Vec<_> = self
                .heap
                .get(made)
                .properties
                .iter()
                .map(|(key, property)| (key.clone(), property.clone()))
                .collect();
            let open = self.heap.get(made).open.clone();
            let kind = std::mem::replace(&mut self.heap.get_mut(made).kind, ObjectKind::Ordinary);
            let target = self.heap.get_mut(this);
            if !matches!(kind, ObjectKind::Ordinary) {
                target.kind = kind;
            }
            target.open = target.open.take().or(open);
            for (key, property) in properties {
                target.properties.insert(key, property);
            }
        } else if let (Data::Unknown(_), Some(this)) = (&made.data, this.as_object()) {
            self.open_up(this, &made);
        }
        Ok(this.clone())
    }

    /// `super(…)`.
    pub(super) fn super_call(&mut self, args: Arguments) -> Eval {
        let frame = self.frame();
        let (this, new_target, home) = (frame.this.clone(), frame.new_target, frame.home);
        let Some(class) = home.and_then(|it| self.class_of_prototype(it)) else {
            return Ok(self.unknown(ReasonKind::NotModelled, "super outside of a class"));
        };
        let ObjectKind::Class(data) = &self.heap.get(class).kind else { return Ok(this) };
        let data = data.clone();
        let parent = data.parent.clone().unwrap_or(Value::UNDEFINED);
        let made = self.construct_onto(&parent, &this, args, new_target.unwrap_or(class))?;
        self.take_as_this(&this, &made);
        self.initialize_fields(&data, &made)?;
        Ok(made)
    }

    /// From now on this is `this` in the constructor that is under way, and in the arrow in it that called `super`.
    fn take_as_this(&mut self, before: &Value, now: &Value) {
        for at in (0..self.frames.len()).rev() {
            let Some(frame) = self.frames.get(at).filter(|it| it.this.is_same(before)) else { continue };
            let is_arrow = frame
                .code
                .is_some_and(|(module, function)| self.instances.module(module).function(function).is_arrow);
            let guard = self.path.since_mark(frame.mark);
            let this = self.path.written(before, now.clone(), &guard);
            if let Some(frame) = self.frames.get_mut(at) {
                frame.this = this;
                frame.awaits_super = false;
            }
            if !is_arrow {
                break;
            }
        }
    }

    fn class_of_prototype(&self, prototype: ObjectId) -> Option<ObjectId> {
        match &self.heap.get(prototype).properties.get(&"constructor".into())?.slot {
            super::heap::Slot::Data(value) => value.as_object(),
            super::heap::Slot::Accessor { .. } => None,
        }
    }

    fn initialize_fields(&mut self, class: &ClassObject, this: &Value) -> Eval<()> {
        let module = self.instances.module(class.module);
        let cx = Context { module: &module, instance: class.module, scope: class.scope };
        let Some(object) = this.as_object() else { return Ok(()) };
        if matches!(self.heap.get(object).kind, ObjectKind::Proxy { .. }) {
            self.lend_private_methods(class, object);
        }
        for (member, key) in module.class(class.class).members.iter().zip(class.field_keys.iter()) {
            let MemberKind::Field(value) = member.kind else { continue };
            if member.is_static {
                continue;
            }
            let value = match value {
                Some(value) => {
                    self.with_this(this.clone(), Some(class.prototype), |me| me.eval(cx, value))?
                }
                None => Value::UNDEFINED,
            };
            self.define_field(object, key.as_ref(), value);
        }
        Ok(())
    }

    /// `super.key`.
    pub(super) fn super_get(&mut self, key: &PropertyKey) -> Eval {
        let frame = self.frame();
        let this = frame.this.clone();
        let Some(above) = frame.home.and_then(|it| self.heap.get(it).prototype) else {
            return Ok(Value::UNDEFINED);
        };
        self.get_of(above, key, &this)
    }

    /// `super.key = value`: a setter of the parent is called, else the instance is written to.
    pub(super) fn super_set(&mut self, key: &PropertyKey, value: Value) -> Eval<()> {
        let frame = self.frame();
        let this = frame.this.clone();
        let mut above = frame.home.and_then(|it| self.heap.get(it).prototype);
        for _ in 0..super::property::MAX_PROTOTYPES {
            let Some(at) = above else { break };
            let property = self.heap.get(at).properties.get(key);
            if let Some(Property { slot: Slot::Accessor { set: Some(set), .. }, .. }) = property {
                let set = Value::from(*set);
                return self.call(&set, &this, Arguments::of([value])).map(|_| ());
            }
            above = self.heap.get(at).prototype;
        }
        match this.as_object() {
            Some(object) => self.write(object, key, value),
            None => Ok(()),
        }
    }

    /// The name of a class.
    pub(super) fn class_name(&self, class: &ClassObject) -> Arc<str> {
        let module = self.instances.module(class.module);
        module.class(class.class).name.clone().unwrap_or_else(|| "".into())
    }

    /// `f.name`.
    pub(super) fn function_name(&mut self, object: ObjectId) -> Value {
        match &self.heap.get(object).kind {
            ObjectKind::Function(closure) => {
                let module = self.instances.module(closure.module);
                match &module.function(closure.function).name {
                    Some(name) => Value::string(name.clone()),
                    None => {
                        self.unknown(ReasonKind::NotModelled, "the name of a function with a computed key")
                    }
                }
            }
            ObjectKind::Class(class) => {
                let module = self.instances.module(class.module);
                match &module.class(class.class).name {
                    Some(name) => Value::string(name.clone()),
                    None => self.unknown(ReasonKind::NotModelled, "the name of a class with a computed key"),
                }
            }
            ObjectKind::Bound(bound) => {
                let target = bound.target.clone();
                let name = match target.as_object() {
                    Some(target) => self.function_name(target),
                    None => self.unknown(ReasonKind::NotModelled, "the name of a bound function"),
                };
                self.map(&name, |_, name| match name.as_str() {
                    Some(name) => Value::string(format!("bound {name}")),
                    None => name.clone(),
                })
            }
            ObjectKind::Native(native) => Value::string(native.name.rsplit('.').next().unwrap_or_default()),
            _ => Value::string(""),
        }
    }
}

fn is_null(value: &Value) -> bool {
    matches!(value.data, Data::Null)
}
