//! The order of texts by the rules of languages: `localeCompare` and `Intl.Collator`. Latin letters with and without
//! accents, digits and the punctuation of ASCII, for languages that go by the root collation.

use std::cmp::Ordering;

use super::Evaluator;
use crate::source::eval::heap::{ObjectId, ObjectKind};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

/// ASCII punctuation in the order of the root collation, then digits, then letters.
const ORDER: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

/// Accents in the order of the root collation, each with letters and what they are with it.
const ACCENTS: [(char, &str); 13] = [
    ('\u{301}', "AÁEÉIÍOÓUÚYÝaáeéiíoóuúyýCĆcćLĹlĺNŃnńRŔrŕSŚsśZŹzź"),
    ('\u{300}', "AÀEÈIÌOÒUÙaàeèiìoòuù"),
    ('\u{306}', "AĂaăEĔeĕGĞgğIĬiĭOŎoŏUŬuŭ"),
    ('\u{302}', "AÂEÊIÎOÔUÛaâeêiîoôuûCĈcĉGĜgĝHĤhĥJĴjĵSŜsŝWŴwŵYŶyŷ"),
    ('\u{30c}', "CČcčDĎdďEĚeěLĽlľNŇnňRŘrřSŠsšTŤtťZŽzž"),
    ('\u{30a}', "AÅaåUŮuů"),
    ('\u{308}', "AÄEËIÏOÖUÜaäeëiïoöuüyÿYŸ"),
    ('\u{30b}', "OŐoőUŰuű"),
    ('\u{303}', "AÃNÑOÕaãnñoõIĨiĩUŨuũ"),
    ('\u{307}', "CĊcċEĖeėGĠgġIİZŻzż"),
    ('\u{327}', "CÇcçGĢgģKĶkķLĻlļNŅnņRŖrŗSŞsşTŢtţ"),
    ('\u{328}', "AĄaąEĘeęIĮiįUŲuų"),
    ('\u{304}', "AĀaāEĒeēIĪiīOŌoōUŪuū"),
];

/// Languages without rules of their own for these letters.
const LANGUAGES: [&str; 6] = ["en", "de", "fr", "it", "nl", "pt"];

/// Longer runs of digits are not compared as numbers.
const MAX_DIGITS: usize = 200;

/// What a comparison looks at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// Whether runs of digits are compared as numbers.
    is_numeric: bool,
    /// Whether accents tell texts apart.
    accents: bool,
    case: Case,
}

/// How the case of letters counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    /// Not at all.
    Ignored,
    /// Small letters come first.
    LowerFirst,
    /// Capital letters come first.
    UpperFirst,
}

impl Rules {
    /// Those without options.
    const STANDARD: Self = Self { is_numeric: false, accents: true, case: Case::LowerFirst };
}

/// The rules of these arguments; `None` if they are not understood.
pub(super) fn rules_of(me: &mut Evaluator<'_>, locales: &Value, options: &Value) -> Eval<Option<Rules>> {
    let language = match &locales.data {
        Data::Undefined | Data::Absent => Some("en".to_owned()),
        Data::String(tag, _) => Some(tag.to_string()),
        Data::Object(_) => match me.settled_elements(locales).as_deref() {
            Some([]) => Some("en".to_owned()),
            Some([first, ..]) => first.as_str().map(ToString::to_string),
            None => None,
        },
        _ => None,
    };
    let is_known = language.is_some_and(|tag| {
        let mut parts = tag.split('-');
        // A further part of two letters is a country; others may change the rules.
        LANGUAGES.contains(&parts.next().unwrap_or_default())
            && parts.all(|it| it.len() == 2 && tag != "fr-CA")
    });
    if !is_known {
        return Ok(None);
    }
    let mut rules = Rules::STANDARD;
    if options.is_undefined() {
        return Ok(Some(rules));
    }
    if options.as_object().is_none() {
        return Ok(None);
    }
    let numeric = me.get_name(options, "numeric")?;
    match me.truthiness(&numeric) {
        Some(numeric) => rules.is_numeric = numeric,
        None => return Ok(None),
    }
    for name in ["usage", "localeMatcher", "ignorePunctuation", "collation"] {
        let option = me.get_name(options, name)?;
        if me.truthiness(&option) != Some(false) {
            return Ok(None);
        }
    }
    let sensitivity = me.get_name(options, "sensitivity")?;
    let case;
    (rules.accents, case) = match sensitivity.as_str().map(|it| &**it) {
        Some("base") => (false, false),
        Some("accent") => (true, false),
        Some("case") => (false, true),
        Some("variant") => (true, true),
        _ if sensitivity.is_undefined() => (true, true),
        _ => return Ok(None),
    };
    let first = me.get_name(options, "caseFirst")?;
    rules.case = match first.as_str().map(|it| &**it) {
        Some("upper") => Case::UpperFirst,
        Some("lower" | "false") => Case::LowerFirst,
        _ if first.is_undefined() => Case::LowerFirst,
        _ => return Ok(None),
    };
    if !case {
        rules.case = Case::Ignored;
    }
    Ok(Some(rules))
}

/// The weights of a text: of its letters, of their accents and of their case, the most important first.
#[derive(Debug, Default)]
struct Weights {
    letters: Vec<(usize, usize, String)>,
    accents: Vec<usize>,
    case: Vec<bool>,
}

fn weights_of(text: &str, is_numeric: bool) -> Option<Weights> {
    let mut weights = Weights::default();
    let mut characters = text.chars().peekable();
    let mut can_have_accent = false;
    while let Some(character) = characters.next() {
        if let Some(accent) = ACCENTS.iter().position(|it| it.0 == character) {
            // Several accents of one letter have an order of their own.
            if !can_have_accent {
                return None;
            }
            can_have_accent = false;
            weights.accents.push(accent + 1);
            continue;
        }
        if is_numeric && character.is_ascii_digit() {
            let mut digits = character.to_string();
            while let Some(digit) = characters.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            if digits.len() > MAX_DIGITS {
                return None;
            }
            let digits = digits.trim_start_matches('0').to_owned();
            weights.letters.push((ORDER.find('0')?, digits.len(), digits));
            weights.accents.push(0);
            weights.case.push(false);
            can_have_accent = false;
            continue;
        }
        let (letter, accent) = without_accent(character);
        let weight = match letter {
            'a'..='z' | 'A'..='Z' => ORDER.len() + letter.to_ascii_lowercase() as usize,
            _ => ORDER.find(letter)?,
        };
        weights.letters.push((weight, 0, String::new()));
        weights.accents.push(0);
        weights.case.push(letter.is_ascii_uppercase());
        if let Some(accent) = accent {
            weights.accents.push(accent + 1);
        }
        can_have_accent = accent.is_none() && letter.is_ascii_alphabetic();
    }
    Some(weights)
}

/// A letter without its accent, and which that is.
fn without_accent(character: char) -> (char, Option<usize>) {
    if character.is_ascii() {
        return (character, None);
    }
    for (accent, (_, letters)) in ACCENTS.iter().enumerate() {
        let mut letters = letters.chars();
        while let (Some(letter), Some(with_accent)) = (letters.next(), letters.next()) {
            if with_accent == character {
                return (letter, Some(accent));
            }
        }
    }
    (character, None)
}

/// The order in which a collation puts two strings; `None` for text whose order is not known.
pub(super) fn compare(a: &str, b: &str, rules: Rules) -> Option<Ordering> {
    let (a, b) = (weights_of(a, rules.is_numeric)?, weights_of(b, rules.is_numeric)?);
    let accents = if rules.accents { a.accents.cmp(&b.accents) } else { Ordering::Equal };
    let case = match rules.case {
        Case::Ignored => Ordering::Equal,
        Case::LowerFirst => a.case.cmp(&b.case),
        Case::UpperFirst => b.case.cmp(&a.case),
    };
    Some(a.letters.cmp(&b.letters).then(accents).then(case))
}

/// Makes `Intl.Collator` a class whose instances compare.
pub(super) fn install(me: &mut Evaluator<'_>, intl: ObjectId) {
    let object = me.realm.object;
    let prototype = me.allocate(Some(object), ObjectKind::Opaque("Collator"));
    let class = me.new_native_class("Collator", construct, prototype);
    me.opaque_methods(class, super::opaque::Manner::Pure, &["Collator.supportedLocalesOf"]);
    me.opaque_methods(prototype, super::opaque::Manner::Pure, &["Collator.prototype.resolvedOptions"]);
    me.realm.modules.insert("\0collator".into(), prototype);
    me.hide(intl, "Collator", class.into());
}

fn construct(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let otherwise = me.realm.modules.get("\0collator").copied().unwrap_or(me.realm.object);
    let prototype = me.prototype_for(call, otherwise);
    let collator = me.allocate(Some(prototype), ObjectKind::Opaque("Collator"));
    let given = me.new_array(vec![call.arg(0), call.arg(1)]);
    let compare = me.new_native_with("Intl.Collator.compare", compare_values, given.into());
    me.hide(collator, "compare", compare.into());
    Ok(collator.into())
}

fn compare_values(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let (locales, options) = (me.get_name(call.data, "0")?, me.get_name(call.data, "1")?);
    let rules = rules_of(me, &locales, &options)?;
    let (a, b) = (me.to_text(&call.arg(0))?, me.to_text(&call.arg(1))?);
    me.combine(call.name, &[a, b], |me, values| {
        let [a, b] = values else { return me.not_modelled(call) };
        let texts = me.text_of(a).zip(me.text_of(b));
        if let Some((a, b)) = &texts {
            me.steps((a.len() + b.len()) / 16)?;
        }
        match rules.zip(texts).and_then(|(rules, (a, b))| compare(&a, &b, rules)) {
            Some(order) => Ok(Value::number(f64::from(order as i8))),
            None => Ok(me.unknown(ReasonKind::NotModelled, "a comparison by the rules of a language")),
        }
    })
}
