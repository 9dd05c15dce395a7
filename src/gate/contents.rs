//! What of a folder Pi would be told to load, if the folder is a pack.

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use crate::files::Files;
use crate::install::Minimatch;

/// Folders that make a directory a package without a manifest (rules, section 1.3).
const CONVENTIONAL: [&str; 4] = ["extensions", "skills", "prompts", "themes"];
/// How deep packages are looked for in a repository.
const DEPTH: usize = 4;
/// Where npm projects keep what they are made of and what is made of them: no extensions side by side.
const OF_ONE_PROJECT: [&str; 8] = ["src", "dist", "lib", "build", "out", "test", "tests", "scripts"];
/// Names of Pi's own package: what depends on it is meant for it.
const PI: [&str; 2] = ["@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent"];

/// Packages and extensions, as settings would name them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Contents {
    pub(super) packages: Vec<Utf8PathBuf>,
    pub(super) extensions: Vec<Utf8PathBuf>,
}

impl Contents {
    /// The folder itself if it is a package with a manifest, the packages of its workspaces, else the packages and the loose
    /// extensions in it.
    pub(super) fn of(files: &dyn Files, root: &Utf8Path) -> Self {
        if !files.is_directory(root) {
            return Self { packages: Vec::new(), extensions: vec![root.to_owned()] };
        }
        let folder = Folder { files, path: root };
        let manifest = folder.manifest();
        let itself = || vec![root.to_owned()];
        let workspaces = folder.workspaces(manifest.as_ref());
        if !workspaces.is_empty() {
            let mut packages = if has_pi(manifest.as_ref()) { itself() } else { Vec::new() };
            folder.packages_below(DEPTH, true, &mut packages);
            packages.retain(|it| it == root || is_covered(it.strip_prefix(root).ok(), &workspaces));
            if !packages.is_empty() {
                return Self { packages, extensions: Vec::new() };
            }
        }
        // Whoever writes a package.json means one package; without it, the folder is a mere heap.
        if has_pi(manifest.as_ref()) || manifest.is_some() && folder.is_conventional() {
            return Self { packages: itself(), extensions: Vec::new() };
        }
        if folder.has_index() {
            return Self { packages: itself(), extensions: Vec::new() };
        }
        if manifest.as_ref().is_some_and(|it| folder.has_main(it)) {
            let mut packages = Vec::new();
            folder.packages_below(DEPTH, true, &mut packages);
            return Self {
                packages: if packages.is_empty() { itself() } else { packages },
                extensions: Vec::new(),
            };
        }
        let mut packages = if folder.is_conventional() { itself() } else { Vec::new() };
        folder.packages_below(DEPTH, manifest.is_some(), &mut packages);
        let loose = folder.loose(manifest.is_some());
        // Pi's own way to look through a folder of extensions finds packages directly in it, too.
        let extensions =
            if manifest.is_none() && !loose.is_empty() && packages.first().is_none_or(|it| it != root) {
                packages
                    .retain(|it| it.parent() != Some(root) || Folder { files, path: it }.is_unseen_by_pi());
                itself()
            } else if packages.is_empty() {
                loose
            } else {
                Vec::new()
            };
        Self { packages, extensions }
    }
}

/// Whether a folder says itself that it is a package for Pi: by a manifest or a keyword, by workspaces, or by a `package.json`
/// beside extensions.
pub(super) fn declares_packages(files: &dyn Files, path: &Utf8Path) -> bool {
    let folder = Folder { files, path };
    let manifest = folder.manifest();
    let keywords = manifest.as_ref().and_then(|it| it["keywords"].as_array());
    let extensions = path.join("extensions");
    has_pi(manifest.as_ref())
        || keywords.is_some_and(|it| it.iter().any(|it| it == "pi-package"))
        || !folder.workspaces(manifest.as_ref()).is_empty()
        || manifest.is_some() && !Folder { files, path: &extensions }.loose(true).is_empty()
}

fn has_pi(manifest: Option<&Value>) -> bool {
    manifest.is_some_and(|it| it.get("pi").is_some())
}

/// Whether one of the patterns of the workspaces covers a folder; `!` takes out.
fn is_covered(folder: Option<&Utf8Path>, patterns: &[String]) -> bool {
    let Some(folder) = folder else { return false };
    let covers = |pattern: &str| {
        let bare = pattern.strip_prefix("./").unwrap_or(pattern).trim_end_matches('/');
        Minimatch::new(bare).matches(folder.as_str())
    };
    let (without, with): (Vec<&String>, Vec<&String>) = patterns.iter().partition(|it| it.starts_with('!'));
    with.iter().any(|it| covers(it)) && !without.iter().any(|it| covers(&it[1..]))
}

/// One folder.
struct Folder<'a> {
    files: &'a dyn Files,
    path: &'a Utf8Path,
}

impl Folder<'_> {
    fn manifest(&self) -> Option<Value> {
        let text = self.files.read_text(&self.path.join("package.json")).ok()?;
        serde_json::from_str(&text).ok()
    }

    fn is_conventional(&self) -> bool {
        CONVENTIONAL.iter().any(|it| self.files.is_directory(&self.path.join(it)))
    }

    fn has_index(&self) -> bool {
        ["index.ts", "index.js"].iter().any(|it| self.files.is_file(&self.path.join(it)))
    }

    /// Whether the file is there that a `package.json` calls its main one: Pi imports the folder, and that is what comes of it.
    fn has_main(&self, manifest: &Value) -> bool {
        let main = manifest["main"].as_str().map(|it| self.path.join(it));
        let endings = ["", ".ts", ".js"];
        main.is_some_and(|main| {
            endings.iter().any(|it| self.files.is_file(&Utf8PathBuf::from(format!("{main}{it}"))))
        })
    }

    /// The patterns of npm's, yarn's and bun's `workspaces`, and of pnpm's file.
    fn workspaces(&self, manifest: Option<&Value>) -> Vec<String> {
        let named = manifest.map(|it| &it["workspaces"]);
        let list = named.and_then(|it| it.as_array().or_else(|| it["packages"].as_array()));
        let words = list.into_iter().flatten().filter_map(|it| it.as_str().map(str::to_owned));
        let pnpm = self.files.read_text(&self.path.join("pnpm-workspace.yaml")).ok();
        words.chain(pnpm.and_then(|it| pnpm_packages(&it)).unwrap_or_default()).collect()
    }

    fn folders(&self) -> Vec<Utf8PathBuf> {
        let entries = self.files.read_directory(self.path).unwrap_or_default();
        let visible = entries.iter().filter(|it| !it.name.starts_with('.') && it.name != "node_modules");
        let paths = visible.filter(|it| !it.is_symlink()).map(|it| self.path.join(&it.name));
        paths.filter(|it| self.files.is_directory(it)).collect()
    }

    /// In an npm project, a folder that happens to be called `extensions` or `themes` makes no package of the one around it.
    fn packages_below(&self, depth: usize, npm: bool, found: &mut Vec<Utf8PathBuf>) {
        for path in self.folders() {
            // What a package that is found already brings stands for itself.
            if found.iter().any(|it| it != self.path && path.starts_with(it)) || self.is_brought(&path, found)
            {
                continue;
            }
            let folder = Folder { files: self.files, path: &path };
            if folder.is_for_pi(npm) {
                found.push(path);
            } else if depth > 0 {
                folder.packages_below(depth - 1, npm, found);
            }
        }
    }

    /// A folder that the package above brings by convention.
    fn is_brought(&self, path: &Utf8Path, found: &[Utf8PathBuf]) -> bool {
        let name = path.file_name().unwrap_or_default();
        found.iter().any(|it| it == self.path) && CONVENTIONAL.contains(&name)
    }

    /// A package for Pi, or an npm package that is written for it and has an index.
    fn is_for_pi(&self, npm: bool) -> bool {
        let manifest = self.manifest();
        let depends = |it: &Value| {
            let kinds = ["dependencies", "peerDependencies", "devDependencies"];
            kinds.iter().any(|kind| PI.iter().any(|pi| it[*kind].get(*pi).is_some()))
        };
        has_pi(manifest.as_ref())
            || self.is_conventional() && (manifest.is_some() || !npm)
            || manifest.as_ref().is_some_and(|it| depends(it) && (self.has_index() || self.has_main(it)))
    }

    /// A folder in a folder of extensions that Pi passes over: without an index, and without extensions in its manifest.
    fn is_unseen_by_pi(&self) -> bool {
        let manifest = self.manifest();
        let named = manifest.as_ref().and_then(|it| it["pi"]["extensions"].as_array());
        let listed = named.is_some_and(|it| !it.is_empty());
        !listed && !self.has_index()
    }

    /// The extensions that lie in a folder (rules, section 1.3). In the folder of an npm package, tools have their
    /// configuration, which Pi does not look for there.
    fn loose(&self, npm: bool) -> Vec<Utf8PathBuf> {
        let entries = self.files.read_directory(self.path).unwrap_or_default();
        let visible = entries.iter().filter(|it| !it.name.starts_with('.') && it.name != "node_modules");
        let paths = visible.map(|it| self.path.join(&it.name));
        let is_loose = |path: &Utf8PathBuf| {
            let folder = Folder { files: self.files, path };
            let stem = path.file_stem().unwrap_or_default();
            let tooling = npm && [".config", ".test", ".spec", ".d"].iter().any(|it| stem.ends_with(it));
            let script = matches!(path.extension(), Some("ts" | "js"));
            let part = npm && path.file_name().is_some_and(|it| OF_ONE_PROJECT.contains(&it));
            script && !tooling && self.files.is_file(path) || !part && folder.has_index()
        };
        paths.filter(is_loose).collect()
    }
}

/// `packages` of a `pnpm-workspace.yaml`.
fn pnpm_packages(text: &str) -> Option<Vec<String>> {
    #[derive(serde::Deserialize)]
    struct Workspace {
        #[serde(default)]
        packages: Vec<String>,
    }
    serde_saphyr::from_str::<Workspace>(text).ok().map(|it| it.packages)
}
