//! `URLSearchParams`: a query that is known as long as what is put into it is.

use super::super::{Evaluator, Methods};
use super::url::{accessor, change_part, part_of};
use super::url_text::{pairs_of, query_of};
use crate::source::eval::Arguments;
use crate::source::eval::heap::{ObjectId, ObjectKind, Property, PropertyKey};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::property::is_conditional_element;
use crate::source::eval::value::{Data, SymbolId, Value};
use crate::source::known::ReasonKind;

/// Where the query is kept of one that stands alone.
const QUERY: &str = "\0query";

/// Where the URL is kept whose query it is.
const URL: &str = "\0url";

/// The URL's text; see `url`.
const HREF: &str = "\0href";

type Pairs = Vec<(String, String)>;

const METHODS: Methods = &[
    ("URLSearchParams.prototype.toString", |me, call| {
        ask(me, call, |_, pairs, _| Ok(Value::string(query_of(&pairs))))
    }),
    ("URLSearchParams.prototype.get", |me, call| {
        ask(me, call, |_, pairs, wanted| {
            Ok(pairs.into_iter().find(|it| it.0 == wanted).map_or(Value::NULL, |it| Value::string(it.1)))
        })
    }),
    ("URLSearchParams.prototype.getAll", |me, call| {
        ask(me, call, |me, pairs, wanted| {
            let values = pairs.into_iter().filter(|it| it.0 == wanted).map(|it| Value::string(it.1));
            let values = values.collect();
            Ok(me.new_array(values).into())
        })
    }),
    ("URLSearchParams.prototype.has", |me, call| {
        if call.has(1) {
            me.not_modelled(call)
        } else {
            ask(me, call, |_, pairs, wanted| Ok(pairs.iter().any(|it| it.0 == wanted).into()))
        }
    }),
    ("URLSearchParams.prototype.append", |me, call| change(me, call, Vec::push)),
    ("URLSearchParams.prototype.set", |me, call| change(me, call, set)),
    ("URLSearchParams.prototype.delete", |me, call| {
        if call.has(1) {
            change(me, call, |pairs, it| pairs.retain(|old| *old != it))
        } else {
            change(me, call, |pairs, it| pairs.retain(|old| old.0 != it.0))
        }
    }),
    ("URLSearchParams.prototype.sort", |me, call| {
        change(me, call, |pairs, _| pairs.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16())))
    }),
    ("URLSearchParams.prototype.entries", |me, call| {
        iterate(me, call, |(name, value)| [Some(name), Some(value)])
    }),
    ("URLSearchParams.prototype.keys", |me, call| iterate(me, call, |(name, _)| [Some(name), None])),
    ("URLSearchParams.prototype.values", |me, call| iterate(me, call, |(_, value)| [Some(value), None])),
    ("URLSearchParams.prototype.forEach", for_each),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let prototype = me.new_object();
    me.methods(prototype, METHODS);
    let size = me.new_native("URLSearchParams.prototype.size", |me, call| {
        ask(me, call, |_, pairs, _| Ok(Value::number(super::super::units::number(pairs.len()))))
    });
    accessor(me, prototype, "URLSearchParams.prototype.size", size, None);
    if let Some(entries) = me.heap.get(prototype).properties.get(&"entries".into()) {
        let entries = Property { enumerable: false, ..entries.clone() };
        let key = PropertyKey::Symbol(SymbolId::ITERATOR);
        me.heap.get_mut(prototype).properties.insert(key, entries);
    }
    me.global_class("URLSearchParams", construct, prototype);
    me.realm.modules.insert("\0search params".into(), prototype);
}

fn instance(me: &mut Evaluator<'_>, prototype: Option<ObjectId>, key: &str, value: Value) -> Value {
    let params = me.allocate(prototype, ObjectKind::Opaque("URLSearchParams"));
    me.hide(params, key, value);
    params.into()
}

/// The `searchParams` of a URL object.
pub(super) fn of_url(me: &mut Evaluator<'_>, url: ObjectId) -> Value {
    let prototype = me.realm.modules.get("\0search params").copied();
    instance(me, prototype, URL, url.into())
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let otherwise = me.realm.modules.get("\0search params").copied().unwrap_or(me.realm.object);
    let prototype = me.prototype_for(call, otherwise);
    let query = me.each(&call.arg(0), initial)?;
    Ok(instance(me, Some(prototype), QUERY, query))
}

/// The query that a constructor is handed: as a text, an object, a list of pairs.
fn initial(me: &mut Evaluator<'_>, value: &Value) -> Eval {
    let object = match &value.data {
        Data::Object(object) => *object,
        Data::Undefined | Data::Absent => return Ok(Value::string("")),
        Data::Unknown(_) | Data::Choice(_) => return Ok(value.clone()),
        _ => {
            let text = me.to_text(value)?;
            return me.combine("URLSearchParams", &[text], |me, values| {
                Ok(match values.first().and_then(|it| me.text_of(it)) {
                    Some(text) => Value::string(query_of(&pairs_of(&text))),
                    None => me.unknown(ReasonKind::NotModelled, "a query"),
                })
            });
        }
    };
    if let Some(query) = query_of_params(me, value)? {
        return Ok(query);
    }
    let iterator = me.get_of(object, &PropertyKey::Symbol(SymbolId::ITERATOR), value)?;
    let mut pairs = Vec::new();
    let mut unknown = None;
    if iterator.is_nullish() {
        for (name, value) in me.own_entries(object)? {
            pairs.push((Value::string(name), value));
        }
        unknown = me.open_along_prototypes(object).map(|it| me.path.unknown(it.reason.clone()));
    } else {
        let items = me.items_of(value)?;
        for item in items.values {
            if is_conditional_element(&item) {
                unknown = Some(me.unknown(ReasonKind::Merged, "a part of a query that may be missing"));
            } else {
                pairs.push((me.get_name(&item, "0")?, me.get_name(&item, "1")?));
            }
        }
        unknown = unknown.or(items.rest);
    }
    let mut query = Value::string("");
    for (name, value) in pairs {
        me.step()?;
        if is_conditional_element(&value) {
            unknown = Some(me.unknown(ReasonKind::Merged, "a part of a query that may be missing"));
        }
        let (name, value) = (me.to_text(&name)?, me.to_text(&value)?);
        query = with_pair(me, &query, &name, &value, &Vec::push)?;
    }
    Ok(unknown.unwrap_or(query))
}

/// What is asked of a value as `URLSearchParams`: its query, if it is one.
fn query_of_params(me: &mut Evaluator<'_>, value: &Value) -> Eval<Option<Value>> {
    let url = me.get_name(value, URL)?;
    if url.as_object().is_some() {
        let href = me.get_name(&url, HREF)?;
        return part_of(me, &href, "search").map(Some);
    }
    let query = me.get_name(value, QUERY)?;
    Ok((!query.is_nullish()).then_some(query))
}

fn query(me: &mut Evaluator<'_>, this: &Value) -> Eval {
    match query_of_params(me, this)? {
        Some(query) => Ok(query),
        None => Ok(me.unknown(ReasonKind::NotModelled, "a query")),
    }
}

/// Answers from the pairs and the first argument.
fn ask(me: &mut Evaluator<'_>, call: &Call<'_>, answer: fn(&mut Evaluator<'_>, Pairs, &str) -> Eval) -> Eval {
    let query = query(me, call.this)?;
    let wanted = if call.args.is_empty() { Value::string("") } else { me.to_text(&call.arg(0))? };
    me.combine(call.name, &[query, wanted], |me, values| {
        let [query, wanted] = values else { return me.not_modelled(call) };
        let (Some(query), Some(wanted)) = (query.as_str(), me.text_of(wanted)) else {
            return me.not_modelled(call);
        };
        me.steps(query.len() / 8)?;
        answer(me, pairs_of(query), &wanted)
    })
}

fn with_pair(
    me: &mut Evaluator<'_>,
    query: &Value,
    name: &Value,
    value: &Value,
    edit: &dyn Fn(&mut Pairs, (String, String)),
) -> Eval {
    let values = [query.clone(), name.clone(), value.clone()];
    me.combine("URLSearchParams", &values, |me, values| {
        let [query, name, value] = values else { return Ok(Value::UNDEFINED) };
        let (Some(query), Some(name), Some(value)) = (query.as_str(), me.text_of(name), me.text_of(value))
        else {
            return Ok(me.unknown(ReasonKind::NotModelled, "a query"));
        };
        me.spend_string(query.len() + name.len() + value.len())?;
        let mut pairs = pairs_of(query);
        edit(&mut pairs, (name.to_string(), value.to_string()));
        Ok(Value::string(query_of(&pairs)))
    })
}

fn change(me: &mut Evaluator<'_>, call: &Call<'_>, edit: fn(&mut Pairs, (String, String))) -> Eval {
    let Some(params) = call.this_object() else { return Ok(Value::UNDEFINED) };
    let before = query(me, call.this)?;
    let (name, value) = (me.to_text(&call.arg(0))?, me.to_text(&call.arg(1))?);
    let after = with_pair(me, &before, &name, &value, &edit)?;
    let url = me.get_name(call.this, URL)?;
    if url.as_object().is_some() {
        change_part(me, &url, "search", &after)?;
    } else {
        me.write(params, &QUERY.into(), after)?;
    }
    Ok(Value::UNDEFINED)
}

/// Takes the place of the first of this name; the others go.
fn set(pairs: &mut Pairs, (name, value): (String, String)) {
    let Some(first) = pairs.iter().position(|it| it.0 == name) else {
        pairs.push((name, value));
        return;
    };
    let mut at = 0;
    pairs.retain(|it| {
        at += 1;
        at <= first + 1 || it.0 != name
    });
    if let Some(pair) = pairs.get_mut(first) {
        pair.1 = value;
    }
}

/// An iterator over what is made of each pair: one text, or a list of two.
fn iterate(
    me: &mut Evaluator<'_>,
    call: &Call<'_>,
    part: fn((String, String)) -> [Option<String>; 2],
) -> Eval {
    let query = query(me, call.this)?;
    let list = me.combine(call.name, &[query], |me, values| {
        let Some(query) = values.first().and_then(Value::as_str) else { return me.not_modelled(call) };
        me.steps(query.len() / 8)?;
        let mut items = Vec::new();
        for pair in pairs_of(query) {
            items.push(match part(pair).map(|it| it.map(Value::string)) {
                [Some(name), Some(value)] => me.new_array(vec![name, value]).into(),
                [one, _] => one.unwrap_or(Value::UNDEFINED),
            });
        }
        Ok(me.new_array(items).into())
    })?;
    let items = me.items_of(&list)?;
    Ok(me.new_iterator(items, Value::UNDEFINED).into())
}

fn for_each(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let pairs = iterate(me, call, |(name, value)| [Some(name), Some(value)])?;
    let pairs = me.items_of(&pairs)?;
    let callback = call.arg(0);
    for pair in pairs.values {
        me.if_present(&pair, call.at, |me, pair| {
            let (name, value) = (me.get_name(&pair, "0")?, me.get_name(&pair, "1")?);
            let args = Arguments::of([value, name, call.this.clone()]);
            me.call(&callback, &Value::UNDEFINED, args).map(|_| ())
        })?;
    }
    if pairs.rest.is_some() {
        me.call_later(&callback);
    }
    Ok(Value::UNDEFINED)
}
