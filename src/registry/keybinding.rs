//! The keys of Pi's own actions once `keybindings.json` has been heard (rules, section 6, points 2 and 5; Pi:
//! `dist/core/keybindings.js` and `buildBuiltinKeybindings` in `dist/core/extensions/runner.js`).

use std::collections::BTreeMap;

use crate::catalog::{Catalog, KeyPlatform};
use crate::install::UserKeybindings;
use crate::location::Span;

/// What Pi itself does with one key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct BuiltinKey {
    /// The action that Pi names in messages.
    pub(super) action: &'static str,
    /// Whether extensions cannot have the key.
    pub(super) reserved: bool,
    /// Every action that has the key, in Pi's order.
    pub(super) all: Vec<&'static str>,
    /// The entries of `keybindings.json` that give it to them.
    pub(super) by_user: Vec<(&'static str, Span)>,
}

/// Every key that an action has, lower-cased.
pub(super) fn builtin_keys(
    catalog: Catalog,
    platform: KeyPlatform,
    user: &UserKeybindings,
) -> BTreeMap<String, BuiltinKey> {
    let mut keys: BTreeMap<String, BuiltinKey> = BTreeMap::new();
    for binding in catalog.keybindings() {
        let own = user_keys(catalog, user, &binding.action);
        let bound = own.map_or_else(|| binding.keys_on(platform), |it| it.0);
        let reserved = catalog.is_reserved(&binding.action);
        for key in bound {
            let entry = keys.entry(key.to_lowercase()).or_default();
            if !entry.all.contains(&binding.action.as_str()) {
                entry.all.push(&binding.action);
                entry.by_user.extend(own.map(|(_, at)| (binding.action.as_str(), at)));
            }
            // The last action is the one that is named, but a reserved one stays reserved.
            if reserved || !entry.reserved {
                (entry.action, entry.reserved) = (&binding.action, reserved);
            }
        }
    }
    keys
}

/// What the user binds an action to: the entry of its present name, else the last one of an older name. An entry that
/// is no key leaves the default, but still keeps older names from counting.
fn user_keys<'u>(catalog: Catalog, user: &'u UserKeybindings, action: &str) -> Option<(&'u [String], Span)> {
    let present = user.entries.iter().find(|it| it.action == action);
    let older = || user.entries.iter().rfind(|it| catalog.legacy_keybinding(&it.action) == Some(action));
    let entry = present.or_else(older)?;
    Some((entry.keys.as_deref()?, entry.at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::PiVersion;
    use crate::install::UserKeybinding;
    use crate::registry::testing::span;

    fn user(entries: &[(&str, Option<&[&str]>)]) -> UserKeybindings {
        let keys = |keys: &[&str]| keys.iter().map(|&it| it.to_owned()).collect();
        let entry = |(action, bound): &(&str, Option<&[&str]>)| UserKeybinding {
            action: (*action).to_owned(),
            keys: bound.map(keys),
            at: span(0),
        };
        UserKeybindings { entries: entries.iter().map(entry).collect() }
    }

    fn key(user: &UserKeybindings, platform: KeyPlatform, key: &str) -> Option<(&'static str, bool)> {
        let keys = builtin_keys(Catalog::of(PiVersion::NEWEST), platform, user);
        keys.get(key).map(|it| (it.action, it.reserved))
    }

    #[test]
    fn the_reserved_default_keys_are_those_of_the_rules() {
        let reserved = |platform| {
            let keys = builtin_keys(Catalog::of(PiVersion::NEWEST), platform, &UserKeybindings::default());
            keys.into_iter().filter(|it| it.1.reserved).map(|it| it.0).collect::<Vec<_>>().join(" ")
        };
        let linux = "alt+enter ctrl+c ctrl+d ctrl+g ctrl+k ctrl+l ctrl+o ctrl+p ctrl+t ctrl+x ctrl+z enter escape \
                     shift+ctrl+p shift+tab";
        assert_eq!(reserved(KeyPlatform::Linux), linux);
        assert_eq!(reserved(KeyPlatform::Darwin), linux);
        assert_eq!(reserved(KeyPlatform::Windows), linux.replace(" ctrl+z", ""));
    }

    #[test]
    fn an_entry_takes_the_defaults_away_and_reserves_its_own_keys() {
        let user = user(&[("app.model.select", Some(&["CTRL+Y"])), ("app.message.copy", Some(&[]))]);
        let at = |name| key(&user, KeyPlatform::Linux, name);
        assert_eq!(at("ctrl+y"), Some(("app.model.select", true)));
        assert_eq!(at("ctrl+l"), Some(("app.tree.filter.labeledOnly", false)));
        assert_eq!(at("ctrl+x"), Some(("app.models.clearAll", false)));
    }

    #[test]
    fn older_names_count_unless_the_present_one_is_there() {
        let older = user(&[("selectModel", Some(&["f1"]))]);
        assert_eq!(key(&older, KeyPlatform::Linux, "f1"), Some(("app.model.select", true)));
        let both = user(&[("selectModel", Some(&["f1"])), ("app.model.select", None)]);
        assert_eq!(key(&both, KeyPlatform::Linux, "f1"), None);
        assert_eq!(key(&both, KeyPlatform::Linux, "ctrl+l"), Some(("app.model.select", true)));
        let twice = user(&[("app.unknown", Some(&["f2"]))]);
        assert_eq!(key(&twice, KeyPlatform::Linux, "f2"), None);
    }
}
