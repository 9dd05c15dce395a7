//! Themes (rules, section 11; Pi: `dist/modes/interactive/theme/theme.js`, `loadThemeFromPath`).

use std::sync::Arc;

use camino::Utf8Path;
use rustc_hash::FxHashSet;

use super::{Reader, ResourceFile, ResourceFileKind, stem};
use crate::catalog::Themes;
use crate::install::installation::Resource;
use crate::json::{Node, Object, Value};

impl Reader<'_> {
    /// The themes of a planned file or directory; a directory is not followed downwards.
    pub(super) fn themes(&mut self, resource: &Resource) {
        if self.context.files.is_directory(&resource.path) {
            for path in self.flat(&resource.path, ".json") {
                self.theme(&path, resource);
            }
        } else if resource.path.as_str().strip_suffix(".json").is_some() {
            self.theme(&resource.path, resource);
        } else {
            self.tell(format!("{}: theme path is not a json file", resource.path), None);
        }
    }

    fn theme(&mut self, path: &Utf8Path, resource: &Resource) {
        let mut theme = ResourceFile {
            kind: ResourceFileKind::Theme,
            name: stem(path, ".json").into(),
            path: path.to_owned(),
            source_info: resource.source_info.clone(),
            name_at: None,
            rejected: None,
            discovered: None,
        };
        match self.context.json(path).as_deref() {
            Some(Ok(node)) => {
                if let Some(name) = node.as_object().and_then(|it| it.get("name"))
                    && let Some(written) = name.as_str()
                {
                    theme.name = Arc::clone(written);
                    theme.name_at = Some(name.at);
                }
                theme.rejected = check(node, self.themes).err();
            }
            Some(Err(error)) => {
                theme.name_at = Some(error.at);
                theme.rejected = Some(format!("not JSON: {}", error.message));
            }
            None => theme.rejected = Some("cannot be read".to_owned()),
        }
        self.add(theme);
    }
}

/// Whether Pi takes it for a theme. Unknown keys and colors are allowed.
fn check(theme: &Node, facts: &Themes) -> Result<(), String> {
    let object = theme.as_object().ok_or("a theme has to be an object")?;
    let name = object.get("name").and_then(Node::as_str).ok_or("name has to be a string")?;
    if object.get("$schema").is_some_and(|it| it.as_str().is_none()) {
        return Err("$schema has to be a string".to_owned());
    }
    let colors = object.get("colors").and_then(Node::as_object).ok_or("colors has to be an object")?;
    let required = &facts.required_colors;
    let missing: Vec<&str> =
        required.iter().map(String::as_str).filter(|it| colors.get(it).is_none()).collect();
    if !missing.is_empty() {
        return Err(format!("missing required color tokens: {}", missing.join(", ")));
    }
    all_colors(colors, |name| required.iter().chain(&facts.optional_colors).any(|it| it == name))?;
    let vars = optional_object(object, "vars")?;
    if let Some(vars) = vars {
        all_colors(vars, |_| true)?;
    }
    if let Some(export) = optional_object(object, "export")? {
        all_colors(export, |it| matches!(it, "pageBg" | "cardBg" | "infoBg"))?;
    }
    if name.contains('/') {
        return Err(format!("the name {name:?} has a slash"));
    }
    resolve(colors, vars)
}

fn optional_object<'n>(object: &'n Object, name: &str) -> Result<Option<&'n Object>, String> {
    match object.get(name) {
        Some(node) => node.as_object().map(Some).ok_or_else(|| format!("{name} has to be an object")),
        None => Ok(None),
    }
}

/// A color is text or a number of the 256-color palette.
fn all_colors(colors: &Object, is_checked: impl Fn(&str) -> bool) -> Result<(), String> {
    let bad = colors.iter().find(|(name, member)| {
        let good = match &member.node.value {
            Value::String(_) => true,
            Value::Number(it) => it.fract() == 0.0 && (0.0..=255.0).contains(it),
            _ => false,
        };
        is_checked(name) && !good
    });
    match bad {
        Some((name, _)) => Err(format!("{name} has to be a color: text, or a number from 0 to 255")),
        None => Ok(()),
    }
}

/// Follows references to `vars`, which may refer to one another.
fn resolve(colors: &Object, vars: Option<&Object>) -> Result<(), String> {
    let mut good: FxHashSet<&str> = FxHashSet::default();
    for (_, member) in colors.iter() {
        let mut node = &member.node;
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        while let Value::String(text) = &node.value {
            if text.is_empty() || text.starts_with('#') || good.contains(&**text) {
                break;
            }
            if !seen.insert(text) {
                return Err(format!("circular variable reference: {text}"));
            }
            node = vars.and_then(|it| it.get(text)).ok_or_else(|| format!("variable not found: {text}"))?;
        }
        good.extend(seen);
    }
    Ok(())
}
