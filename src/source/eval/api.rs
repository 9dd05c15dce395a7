//! `pi`, the object that a factory gets (Pi: `core/extensions/loader.js`, `createExtensionAPI`).

#![allow(clippy::unnecessary_wraps, reason = "the signature of built-in functions")]

use super::heap::{ObjectId, ObjectKind, PropertyKey};
use super::native::{Call, Code, Eval};
use super::phases::Callback;
use super::value::{Data, Value};
use super::{Arguments, Evaluator};
use crate::install::ExtensionId;
use crate::source::known::{Reason, ReasonKind};
use crate::source::registration::{Kind, Phase};

/// The members of the object in Pi's order, apart from `events`.
const MEMBERS: [(&str, Code); 24] = [
    ("pi.on", on),
    ("pi.registerTool", register_tool),
    ("pi.registerCommand", register_command),
    ("pi.registerShortcut", register_shortcut),
    ("pi.registerFlag", register_flag),
    ("pi.registerMessageRenderer", register_message_renderer),
    ("pi.registerEntryRenderer", register_entry_renderer),
    ("pi.getFlag", get_flag),
    ("pi.sendMessage", action),
    ("pi.sendUserMessage", action),
    ("pi.appendEntry", action),
    ("pi.setSessionName", action),
    ("pi.getSessionName", action),
    ("pi.setLabel", action),
    ("pi.exec", exec),
    ("pi.getActiveTools", action),
    ("pi.getAllTools", action),
    ("pi.setActiveTools", action),
    ("pi.getCommands", action),
    ("pi.setModel", set_model),
    ("pi.getThinkingLevel", action),
    ("pi.setThinkingLevel", action),
    ("pi.registerProvider", register_provider),
    ("pi.unregisterProvider", unregister_provider),
];

/// What an action says while an extension loads (`createExtensionRuntime`).
const NOT_INITIALIZED: &str =
    "Extension runtime not initialized. Action methods cannot be called during extension loading.";

/// The table of the values of flags.
const FLAG_VALUES: &str = "\0flag values";

impl Evaluator<'_> {
    /// The object for an extension.
    pub(super) fn api_of(&mut self, extension: ExtensionId) -> ObjectId {
        let api = self.new_object();
        let owner = Value::number(f64::from(extension.0));
        for (name, code) in MEMBERS {
            let function = self.new_native_with(name, code, owner.clone());
            self.put(api, name.trim_start_matches("pi."), function.into());
        }
        let events = self.event_bus();
        self.put(api, "events", events);
        api
    }

    fn event_bus(&mut self) -> Value {
        if let Some(&bus) = self.realm.modules.get("\0events") {
            return bus.into();
        }
        let bus = self.new_object();
        for (name, code) in [("events.emit", emit as Code), ("events.on", listen), ("events.clear", clear)] {
            let function = self.new_native(name, code);
            self.put(bus, name.trim_start_matches("events."), function.into());
        }
        self.realm.modules.insert("\0events".into(), bus);
        bus.into()
    }

    /// The listeners of a channel of the event bus, as an array.
    fn channel(&mut self, name: &str) -> ObjectId {
        let key = format!("\0channel {name}");
        if let Some(&list) = self.realm.modules.get(&*key) {
            return list;
        }
        let path = self.path.suspend();
        let list = self.new_array(Vec::new());
        self.path.restore(path);
        self.realm.modules.insert(key.into(), list);
        list
    }

    fn owner(call: &Call<'_>) -> ExtensionId {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "made from an id")]
        ExtensionId(call.data.as_number().unwrap_or(0.0) as u32)
    }

    /// `{ name, …options }`: what Pi stores for a command, flag or shortcut needs options that can be spread.
    fn store(&mut self, kind: Kind, call: &Call<'_>) {
        let owner = Self::owner(call);
        let (name, payload) = (call.arg(0), call.arg(1));
        self.register(owner, kind, &name, &payload, call.at);
    }

    /// An object of the runtime that is made when first asked for: `flagValues`, the flags of an extension, the channels
    /// of the event bus.
    fn runtime_table(&mut self, name: &str) -> ObjectId {
        if let Some(&table) = self.realm.modules.get(name) {
            return table;
        }
        let path = self.path.suspend();
        let table = self.allocate(None, ObjectKind::Ordinary);
        self.path.restore(path);
        self.realm.modules.insert(name.into(), table);
        table
    }

    fn element_of(&self, list: &Value, index: usize) -> Value {
        match list.as_object().map(|it| &self.heap.get(it).kind) {
            Some(ObjectKind::Array(elements)) => elements.get(index).cloned().unwrap_or(Value::UNDEFINED),
            _ => Value::UNDEFINED,
        }
    }

    fn callback_of(&mut self, definition: &Value, method: &str) -> Eval<Value> {
        if definition.is_nullish() {
            return Ok(Value::UNDEFINED);
        }
        self.get(definition, &PropertyKey::from(method))
    }

    /// Whether Pi has yet to hand out its runtime: actions work from then on. `None` when that is not known, because it is not
    /// known whether the factory waits for the code.
    fn is_loading(&self) -> Option<bool> {
        if self.schedule.phase(self.segment()) == Phase::Factory {
            return Some(true);
        }
        if self.schedule.is_late() {
            return Some(false);
        }
        // What goes on in the factory itself after it has waited is the factory.
        let is_factory = self.frames.iter().filter(|it| it.is_async).count() == 1
            && self.frames.get(1).is_some_and(|it| it.is_async);
        is_factory.then_some(true)
    }
}

/// The table of the flags that an extension has registered.
fn flags_of(extension: ExtensionId) -> String {
    format!("\0flags {}", extension.0)
}

/// The arguments that each kind of callback is called with.
const EVENT_ARGUMENTS: usize = 2;
const COMMAND_ARGUMENTS: usize = 2;
const SHORTCUT_ARGUMENTS: usize = 1;
const TOOL_ARGUMENTS: usize = 5;

fn on(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let (event, handler) = (call.arg(0), call.arg(1));
    let record = me.register(Evaluator::owner(call), Kind::Event, &event, &handler, call.at);
    me.each(&event, |me, event| {
        let Some(name) = event.as_str() else { return Ok(Value::UNDEFINED) };
        let callback = Callback {
            phase: Some(Phase::Event(name.clone())),
            arguments: EVENT_ARGUMENTS,
            // What these two return is part of the installation (rules, section 12).
            result_of: record.filter(|_| matches!(&**name, "project_trust" | "resources_discover")),
        };
        me.call_in(&handler, callback);
        Ok(Value::UNDEFINED)
    })
}

fn register_tool(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let owner = Evaluator::owner(call);
    me.each(&call.arg(0), |me, definition| {
        let name = me.get_name(definition, "name")?;
        me.register(owner, Kind::Tool, &name, definition, call.at);
        let execute = me.callback_of(definition, "execute")?;
        me.each(&name, |me, name| {
            if let Some(name) = name.as_str() {
                me.call_in(&execute, Callback::new(Phase::Tool(name.clone()), TOOL_ARGUMENTS));
            }
            Ok(Value::UNDEFINED)
        })
    })
}

fn register_command(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.store(Kind::Command, call);
    let handler = me.callback_of(&call.arg(1), "handler")?;
    me.each(&call.arg(0), |me, name| {
        if let Some(name) = name.as_str() {
            me.call_in(&handler, Callback::new(Phase::Command(name.clone()), COMMAND_ARGUMENTS));
        }
        Ok(Value::UNDEFINED)
    })
}

fn register_shortcut(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.store(Kind::Shortcut, call);
    let handler = me.callback_of(&call.arg(1), "handler")?;
    me.each(&call.arg(0), |me, key| {
        if let Some(key) = key.as_str() {
            me.call_in(&handler, Callback::new(Phase::Shortcut(key.clone()), SHORTCUT_ARGUMENTS));
        }
        Ok(Value::UNDEFINED)
    })
}

fn register_flag(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.store(Kind::Flag, call);
    // Pi reads `options.default` and so fails without options.
    let default = me.get_name(&call.arg(1), "default")?;
    let own = me.runtime_table(&flags_of(Evaluator::owner(call)));
    let values = me.runtime_table(FLAG_VALUES);
    me.each(&call.arg(0), |me, name| {
        let Some(key) = me.property_key(name) else { return Ok(Value::UNDEFINED) };
        me.write(own, &key, Value::TRUE)?;
        // The first default counts.
        let old = me.get_of(values, &key, &Value::UNDEFINED)?;
        let value = me.map(&old, |_, it| if it.is_undefined() { default.clone() } else { it.clone() });
        me.write(values, &key, value)?;
        Ok(Value::UNDEFINED)
    })
}

fn register_message_renderer(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.store(Kind::MessageRenderer, call);
    Ok(Value::UNDEFINED)
}

fn register_entry_renderer(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.store(Kind::EntryRenderer, call);
    Ok(Value::UNDEFINED)
}

fn register_provider(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let owner = Evaluator::owner(call);
    me.each(&call.arg(0), |me, first| match &first.data {
        Data::String(..) => {
            let config = call.arg(1);
            if config.is_settled() && me.truthiness(&config) == Some(false) {
                return Err(me.throw_error("Error", "Provider config is required when registering by name"));
            }
            me.register(owner, Kind::Provider, first, &config, call.at);
            Ok(Value::UNDEFINED)
        }
        Data::Unknown(_) if call.has(1) => {
            let config = call.arg(1);
            me.register(owner, Kind::Provider, first, &config, call.at);
            Ok(Value::UNDEFINED)
        }
        _ => {
            let name = match first.data {
                Data::Object(_) | Data::Unknown(_) => me.get_name(first, "id")?,
                _ => Value::UNDEFINED,
            };
            me.register(owner, Kind::NativeProvider, &name, first, call.at);
            Ok(Value::UNDEFINED)
        }
    })
}

fn unregister_provider(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let owner = Evaluator::owner(call);
    me.register(owner, Kind::UnregisterProvider, &call.arg(0), &Value::UNDEFINED, call.at);
    Ok(Value::UNDEFINED)
}

/// `getFlag`: the default while extensions load. Later the command line may have set it.
fn get_flag(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if me.is_loading() != Some(true) {
        return Ok(me.unknown(ReasonKind::SessionValue, "the value of a flag"));
    }
    let own = me.runtime_table(&flags_of(Evaluator::owner(call)));
    let values = me.runtime_table(FLAG_VALUES);
    me.each(&call.arg(0), |me, name| {
        let Some(key) = me.property_key(name) else {
            return Ok(me.unknown(ReasonKind::NotModelled, "a flag whose name is not known"));
        };
        let registered = me.get_of(own, &key, &Value::UNDEFINED)?;
        let value = me.get_of(values, &key, &Value::UNDEFINED)?;
        me.each(&registered, |_, it| Ok(if it.is_undefined() { Value::UNDEFINED } else { value.clone() }))
    })
}

fn action(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    match me.is_loading() {
        Some(true) => return Err(me.throw_error("Error", NOT_INITIALIZED)),
        Some(false) => {}
        None => {
            let reason = Reason {
                kind: ReasonKind::SessionValue,
                text: "whether the extension is still loading".into(),
                at: Some(call.at),
            };
            let literal = me.path.throwing(call.at, reason);
            let error = me.new_error("Error", NOT_INITIALIZED);
            me.under(&[literal], |me| -> Eval<()> { Err(me.throw(error.into(), Some(call.at))) })?;
            me.path.assume(literal.negated());
        }
    }
    Ok(me.unknown(ReasonKind::SessionValue, format!("what {} returns", call.name)))
}

/// `setModel` gives a promise that rejects while an extension loads.
fn set_model(me: &mut Evaluator<'_>, _call: &Call<'_>) -> Eval {
    if me.is_loading() == Some(false) {
        return Ok(me.unknown(ReasonKind::SessionValue, "what pi.setModel returns"));
    }
    let error = me.new_error("Error", "Extension runtime not initialized");
    let promise = me.new_promise(Value::UNDEFINED, Vec::new());
    if let ObjectKind::Promise(promise) = &mut me.heap.get_mut(promise).kind {
        promise.value = None;
        promise.rejections.push((Vec::new(), error.into()));
    }
    Ok(promise.into())
}

fn exec(me: &mut Evaluator<'_>, _call: &Call<'_>) -> Eval {
    Ok(me.unknown(ReasonKind::OutsideWorld, "what a subprocess prints"))
}

/// `events.on`: kept by channel, called by `emit`; between extensions, too.
fn listen(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let channel = call.arg(0);
    let mut place = Value::UNDEFINED;
    if let Some(name) = channel.as_str() {
        let channel = me.channel(name);
        me.append(channel, [call.arg(1)])?;
        place = me.new_array(vec![channel.into(), call.arg(1)]).into();
    }
    // It may be called by others at any time.
    if let (Some(task), Some(place)) = (me.call_later(&call.arg(1)), place.as_object()) {
        me.append(place, [Value::number(f64::from(task))])?;
    }
    Ok(me.new_native_with("events.off", off, place).into())
}

/// Takes a listener off its channel.
fn off(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let channel = me.element_of(call.data, 0);
    let listener = me.element_of(call.data, 1);
    if let (Some(channel), Some(listener)) = (channel.as_object(), listener.as_object()) {
        me.remove_from(channel, |_, it| it == listener);
    }
    if let Some(task) = me.element_of(call.data, 2).as_number() {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "made from a number of a task"
        )]
        me.clear_timer(task as u32);
    }
    Ok(Value::UNDEFINED)
}

fn clear(_: &mut Evaluator<'_>, _: &Call<'_>) -> Eval {
    Ok(Value::UNDEFINED)
}

/// `events.emit`: runs the listeners in place, as an `EventEmitter` does. What they throw is logged.
fn emit(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let Some(name) = call.text(0) else { return Ok(Value::UNDEFINED) };
    let listeners = Value::from(me.channel(&name));
    for listener in me.items_of(&listeners)?.values {
        let argument = call.arg(1);
        me.if_present(&listener, call.at, |me, listener| {
            let result =
                me.as_async(|me| me.call(&listener, &Value::UNDEFINED, Arguments::of([argument])))?;
            // Pi's bus waits for it and logs what it fails with.
            me.handled(&result);
            Ok(())
        })?;
    }
    Ok(Value::UNDEFINED)
}
