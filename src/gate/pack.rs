//! A pack: a package, or a folder of packages and extensions, looked at without any home, as Pi would load it as a local
//! package.
//!
//! The home, the agent directory and the settings that load the pack exist in an overlay only.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};

use crate::environment::Environment;
use crate::files::{Files, Overlay};
use crate::inspect;
use crate::install::TrustFlag;
use crate::options::Options;
use crate::report::Report;

/// Where the home of a pack would be. Nothing is there.
const NOWHERE: &str = "/pi-why-without-home";
/// Folders that make a directory a package without a manifest (rules, section 1.3).
const CONVENTIONAL: [&str; 4] = ["extensions", "skills", "prompts", "themes"];
/// How deep packages are looked for in a repository.
const DEPTH: usize = 4;

/// What is checked together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pack {
    /// The pack's own folder.
    pub root: Utf8PathBuf,
    /// `--with`: paths, or `npm:NAME` of the `node_modules` around the pack.
    pub with: Vec<String>,
}

/// Why a pack cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `--with npm:NAME` that is not installed around the pack.
    #[error("--with {0}: not in any node_modules folder at or above the pack")]
    NotInstalled(String),
    /// `--with PATH` that is not there.
    #[error("--with {0}: there is no such file or folder")]
    Missing(String),
}

impl Pack {
    /// Inspects the pack. `None` when there is nothing in it that Pi would load.
    pub fn inspect(
        &self,
        files: &dyn Files,
        environment: &Environment,
        options: &Options,
    ) -> Result<Option<Report>, Error> {
        let loads = loads(files, &self.root);
        if loads.packages.is_empty() && loads.extensions.is_empty() {
            return Ok(None);
        }
        let mut packages = loads.packages;
        let mut extensions = loads.extensions;
        for with in &self.with {
            let path = self.with_path(files, with)?;
            if is_package(files, &path) { packages.push(path) } else { extensions.push(path) }
        }
        let agent_dir = Utf8PathBuf::from(NOWHERE).join("agent");
        let mut files = Overlay::new(files);
        let settings: Value = json!({ "packages": packages, "extensions": extensions });
        files.edit(agent_dir.join("settings.json"), settings.to_string());
        let mut environment = environment.clone();
        environment.home = NOWHERE.into();
        let mut options = options.clone();
        options.install.cwd = self.root.clone();
        options.install.agent_dir = Some(agent_dir);
        options.install.trust = TrustFlag::Refuse;
        Ok(Some(inspect(&files, &environment, &options)))
    }

    fn with_path(&self, files: &dyn Files, with: &str) -> Result<Utf8PathBuf, Error> {
        if let Some(name) = with.strip_prefix("npm:") {
            let places = self.root.ancestors().map(|it| it.join("node_modules").join(name));
            return places
                .into_iter()
                .find(|it| files.is_directory(it))
                .ok_or_else(|| Error::NotInstalled(with.to_owned()));
        }
        let path = self.root.join(with);
        if files.exists(&path) { Ok(path) } else { Err(Error::Missing(with.to_owned())) }
    }
}

#[derive(Default)]
struct Loads {
    packages: Vec<Utf8PathBuf>,
    extensions: Vec<Utf8PathBuf>,
}

/// What of a folder Pi would be told to load: the folder itself if it is a package, else the packages in it, else the folder as a
/// folder of extensions.
fn loads(files: &dyn Files, root: &Utf8Path) -> Loads {
    if !files.is_directory(root) {
        return Loads { packages: Vec::new(), extensions: vec![root.to_owned()] };
    }
    if is_package(files, root) {
        return Loads { packages: vec![root.to_owned()], extensions: Vec::new() };
    }
    let extensions = if has_extensions(files, root) { vec![root.to_owned()] } else { Vec::new() };
    let mut packages = Vec::new();
    if extensions.is_empty() {
        packages_below(files, root, DEPTH, &mut packages);
    }
    Loads { packages, extensions }
}

/// A manifest that Pi reads, or a folder that it knows by name.
fn is_package(files: &dyn Files, folder: &Utf8Path) -> bool {
    let manifest = files.read_text(&folder.join("package.json")).ok();
    let manifest: Option<Value> = manifest.and_then(|it| serde_json::from_str(&it).ok());
    manifest.is_some_and(|it| it.get("pi").is_some())
        || CONVENTIONAL.iter().any(|it| files.is_directory(&folder.join(it)))
}

/// Whether Pi finds extensions in a folder as it does in its own (rules, section 1.3).
fn has_extensions(files: &dyn Files, folder: &Utf8Path) -> bool {
    let entries = files.read_directory(folder).unwrap_or_default();
    entries.iter().filter(|it| !it.name.starts_with('.') && it.name != "node_modules").any(|it| {
        let path = folder.join(&it.name);
        let script = matches!(path.extension(), Some("ts" | "js"));
        script && files.is_file(&path)
            || files.is_file(&path.join("index.ts"))
            || files.is_file(&path.join("index.js"))
    })
}

fn packages_below(files: &dyn Files, folder: &Utf8Path, depth: usize, found: &mut Vec<Utf8PathBuf>) {
    let entries = files.read_directory(folder).unwrap_or_default();
    for entry in
        entries.iter().filter(|it| !it.name.starts_with('.') && it.name != "node_modules" && !it.is_symlink())
    {
        let path = folder.join(&entry.name);
        if !files.is_directory(&path) {
            continue;
        }
        if is_package(files, &path) {
            found.push(path);
        } else if depth > 0 {
            packages_below(files, &path, depth - 1, found);
        }
    }
}
