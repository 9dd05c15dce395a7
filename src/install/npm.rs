//! Where npm packages of the settings are installed (rules, section 1.3; Pi: `dist/core/package-manager.js`,
//! `getNpmInstallPath`, `getGlobalNpmRoot`, `installedNpmMatchesConfiguredVersion`).
//!
//! Pi asks `npm root -g` for packages that an older Pi installed. That is never run here: the answer is derived from what
//! npm itself would read, and where that is not enough, it is not known.

use camino::{Utf8Path, Utf8PathBuf};

use super::context::Context;
use super::npm_version::NpmRange;
use super::paths::{Base, base_name};
use super::settings::Settings;
use super::untyped::{Crash, is_truthy};
use crate::environment::Platform;
use crate::json::{Node, Value};

/// The name of a package and the version that is asked for: `@scope/name@^1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NpmSpec {
    pub name: String,
    pub version: Option<String>,
}

impl NpmSpec {
    /// Takes a spec apart (`parseNpmSpec`).
    pub fn parse(spec: &str) -> Self {
        let scoped = usize::from(spec.starts_with('@'));
        let at = spec[scoped..].find('@').map(|it| it + scoped);
        match at {
            Some(at) if at > scoped && at + 1 < spec.len() => {
                Self { name: spec[..at].to_owned(), version: Some(spec[at + 1..].to_owned()) }
            }
            _ => Self { name: spec.to_owned(), version: None },
        }
    }

    /// Whether an installed version is one that is asked for. A tag such as `latest` asks for nothing.
    fn allows(&self, installed: &str) -> bool {
        self.range().is_none_or(|it| it.allows(installed))
    }

    fn range(&self) -> Option<NpmRange> {
        self.version.as_ref().and_then(|it| NpmRange::parse(it))
    }
}

/// What stands at the place where a package belongs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Installed {
    Yes,
    /// Nothing, or nothing with a `package.json` that can be read.
    No,
    /// A `package.json` without a version: Pi takes that as not installed.
    Unversioned,
    /// Another version.
    Other(String),
}

/// Looks at the version of a folder in `node_modules`.
pub(super) fn installed(
    context: &Context<'_>,
    folder: &Utf8Path,
    spec: &NpmSpec,
) -> Result<Installed, Crash> {
    let package = context.json(&folder.join("package.json"));
    let Some(manifest) = package.as_ref().and_then(|it| it.as_ref().as_ref().ok()?.as_object()) else {
        return Ok(Installed::No);
    };
    let Some(version) = manifest.get("version").filter(|it| is_truthy(it)) else {
        return Ok(Installed::Unversioned);
    };
    match version.as_str() {
        Some(text) if spec.allows(text) => Ok(Installed::Yes),
        Some(text) => Ok(Installed::Other(text.to_string())),
        None if spec.range().is_some() => {
            let kind = match version.value {
                Value::Number(_) => "number",
                Value::Bool(_) => "boolean",
                _ => "object",
            };
            let message = format!("Invalid version. Must be a string. Got type \"{kind}\".");
            Err(Crash::type_error(message, version.at))
        }
        None => Ok(Installed::Yes),
    }
}

/// What `npm root -g` would print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GlobalRoot {
    At(Utf8PathBuf),
    /// The package manager cannot be run: Pi goes on without.
    None,
    /// It cannot be told from files; with the reason.
    Unknown(&'static str),
}

/// Derives the folder of globally installed packages.
pub(super) fn global_root(context: &Context<'_>, cwd: &Utf8Path, settings: &[&Settings]) -> GlobalRoot {
    match package_manager(settings) {
        Manager::Npm => npm_root(context, cwd),
        Manager::Bun => bun_root(context),
        Manager::Unusable => GlobalRoot::None,
        Manager::Other => GlobalRoot::Unknown("npmCommand of the settings names another program than npm"),
    }
}

enum Manager {
    Npm,
    Bun,
    /// A command that Pi refuses or cannot call.
    Unusable,
    Other,
}

/// Which package manager `npmCommand` names; the project's counts before the user's.
fn package_manager(settings: &[&Settings]) -> Manager {
    let Some(command) = settings.iter().find_map(|it| it.npm_command()).filter(|it| is_truthy(it)) else {
        return Manager::Npm;
    };
    let words = match &command.value {
        Value::Array(words) => words.iter().map(Node::as_str).collect::<Option<Vec<_>>>(),
        _ => None,
    };
    match words.as_deref() {
        Some([]) => Manager::Npm,
        Some([only]) => match base_name(Utf8Path::new(&***only)) {
            "npm" => Manager::Npm,
            "bun" => Manager::Bun,
            "" => Manager::Unusable,
            _ => Manager::Other,
        },
        Some(_) => Manager::Other,
        None => Manager::Unusable,
    }
}

fn bun_root(context: &Context<'_>) -> GlobalRoot {
    let home = &context.environment.home;
    let install =
        context.environment.variable("BUN_INSTALL").map_or_else(|| home.join(".bun"), Utf8PathBuf::from);
    GlobalRoot::At(install.join("install/global/node_modules"))
}

fn npm_root(context: &Context<'_>, cwd: &Utf8Path) -> GlobalRoot {
    match npm_prefix(context, cwd) {
        Prefix::At(prefix) if context.environment.platform == Platform::Windows => {
            GlobalRoot::At(prefix.join("node_modules"))
        }
        Prefix::At(prefix) => GlobalRoot::At(prefix.join("lib/node_modules")),
        Prefix::NoNpm => GlobalRoot::None,
        Prefix::Unknown(why) => GlobalRoot::Unknown(why),
    }
}

enum Prefix {
    At(Utf8PathBuf),
    NoNpm,
    Unknown(&'static str),
}

/// npm's prefix, in npm's order: environment, the user's npmrc, the global npmrc, npm's own, where node is.
fn npm_prefix(context: &Context<'_>, cwd: &Utf8Path) -> Prefix {
    let environment = context.environment;
    let base = Base { directory: cwd, home: &environment.home };
    let set = |name: &str| {
        let fits = |it: &str| it.to_ascii_lowercase().replace('-', "_") == format!("npm_config_{name}");
        let found = environment.variables.iter().find(|(key, value)| fits(key) && !value.is_empty());
        found.map(|(_, value)| base.resolve(value))
    };
    let from_file = |path: &Utf8Path| prefix_of_npmrc(context, path, base);
    if let Some(prefix) = set("prefix") {
        return Prefix::At(prefix);
    }
    let user = set("userconfig").unwrap_or_else(|| environment.home.join(".npmrc"));
    if let Some(prefix) = from_file(&user) {
        return Prefix::At(prefix);
    }
    let Some(npm) = find_program(context, "npm") else { return Prefix::NoNpm };
    let npm = context.canonical(&npm);
    let Some(package) = npm.parent().and_then(Utf8Path::parent).filter(|it| base_name(it) == "npm") else {
        return Prefix::Unknown("npm on the PATH is a program of some version manager");
    };
    let Some(node) = find_program(context, "node") else { return Prefix::NoNpm };
    let node = context.canonical(&node);
    let beside_node = match environment.variable("PREFIX").filter(|it| !it.is_empty()) {
        Some(prefix) => Utf8PathBuf::from(prefix),
        None => node.parent().and_then(Utf8Path::parent).unwrap_or(Utf8Path::new("/")).to_owned(),
    };
    let global = set("globalconfig").unwrap_or_else(|| beside_node.join("etc/npmrc"));
    let configured = from_file(&global).or_else(|| from_file(&package.join("npmrc")));
    Prefix::At(configured.unwrap_or(beside_node))
}

/// `prefix` of an npmrc: the last line counts, `${NAME}` is replaced.
fn prefix_of_npmrc(context: &Context<'_>, path: &Utf8Path, base: Base<'_>) -> Option<Utf8PathBuf> {
    let file = context.text(path)?;
    let lines = file.text.lines().map(str::trim).take_while(|it| !it.starts_with('['));
    let values = lines.filter(|it| !it.starts_with([';', '#'])).filter_map(|it| {
        let (name, value) = it.split_once('=')?;
        (name.trim() == "prefix").then(|| value.trim().trim_matches(['"', '\'']))
    });
    let value = values.last()?;
    Some(base.resolve(&with_variables(value, context))).filter(|_| !value.is_empty())
}

fn with_variables(value: &str, context: &Context<'_>) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let known = after.split_once('}');
        let known = known.and_then(|(name, after)| Some((context.environment.variable(name)?, after)));
        let (value, after) = known.unwrap_or(("${", after));
        out.push_str(value);
        rest = after;
    }
    out + rest
}

fn find_program(context: &Context<'_>, name: &str) -> Option<Utf8PathBuf> {
    let path = context.environment.variable("PATH")?;
    let folders = path.split(':').filter(|it| it.starts_with('/'));
    folders.map(|it| Utf8Path::new(it).join(name)).find(|it| context.files.is_file(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_come_apart_at_the_at_sign_that_is_no_scope() {
        let parsed = |spec| {
            let NpmSpec { name, version } = NpmSpec::parse(spec);
            (name, version.unwrap_or_default())
        };
        assert_eq!(parsed("@s/n@^1.2"), ("@s/n".to_owned(), "^1.2".to_owned()));
        assert_eq!(parsed("n@1@2"), ("n".to_owned(), "1@2".to_owned()));
        assert_eq!(parsed("n@"), ("n@".to_owned(), String::new()));
        assert_eq!(parsed("@s/n"), ("@s/n".to_owned(), String::new()));
    }
}
