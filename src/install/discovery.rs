//! Finds the files of a folder (rules, section 1.3; Pi: `dist/core/package-manager.js`, `collectAutoExtensionEntries`,
//! `collectSkillEntries`, `collectFiles`, `addIgnoreRules`).

use camino::{Utf8Path, Utf8PathBuf};

use super::context::Context;
use super::ignore_rules::IgnoreRules;
use super::kind::ResourceKind;
use super::load_order::{Status, Step};
use super::manifest::Manifest;
use super::paths::{relative, trim};
use super::rules;
use super::untyped::Crash;
use crate::files::{DirectoryEntry, FileKind};
use crate::location::Span;
use crate::rule::RuleId;

/// A file that was found, and how.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub path: Utf8PathBuf,
    /// Manifest lines on the way to it.
    pub steps: Vec<Step>,
}

/// A file that is there, or named, and does not become a candidate.
#[derive(Debug, Clone)]
pub(super) struct LeftOut {
    pub path: Utf8PathBuf,
    pub status: Status,
    pub reason: String,
    pub rule: RuleId,
    pub at: Option<Span>,
    pub steps: Vec<Step>,
}

/// What looking through a folder brought.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub found: Vec<Found>,
    pub left_out: Vec<LeftOut>,
}

impl Collected {
    fn add(&mut self, path: Utf8PathBuf) {
        self.found.push(Found { path, steps: Vec::new() });
    }

    pub fn append(&mut self, mut other: Self) {
        self.found.append(&mut other.found);
        self.left_out.append(&mut other.left_out);
    }

    fn add_ignored(&mut self, path: Utf8PathBuf, at: Span) {
        self.left_out.push(LeftOut {
            path,
            status: Status::Disabled,
            reason: "an ignore file of its folder leaves it out".to_owned(),
            rule: rules::IGNORE_FILE,
            at: Some(at),
            steps: Vec::new(),
        });
    }
}

/// Which loose Markdown files of a skill folder count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SkillFolder {
    /// `.pi/skills`, the agent directory's, and those of packages and settings: the ones at its top.
    Pi,
    /// `.agents/skills`: none.
    Agents,
}

/// The files of a folder that settings or a package name (`collectResourceFiles`).
pub(super) fn collect(
    context: &Context<'_>,
    directory: &Utf8Path,
    kind: ResourceKind,
) -> Result<Collected, Crash> {
    match kind {
        ResourceKind::Extensions => extensions(context, directory),
        ResourceKind::Skills => Ok(skills(context, directory, SkillFolder::Pi)),
        ResourceKind::Prompts => Ok(tree(context, directory, ".md")),
        ResourceKind::Themes => Ok(tree(context, directory, ".json")),
    }
}

/// The prompts or themes at the top of an auto-discovered folder.
pub(super) fn flat(context: &Context<'_>, directory: &Utf8Path, suffix: &str) -> Collected {
    let mut collected = Collected::default();
    let mut scan = Scan::new(context, directory);
    scan.add_ignore_files(directory);
    for (entry, path) in visible(context, directory) {
        let Some(kind) = kind_of(context, &entry, &path) else { continue };
        // Pi asks without the slash that would make a folder of it
        if kind == FileKind::File && entry.name.ends_with(suffix) {
            match scan.ignored(&path, false) {
                Some(at) => collected.add_ignored(path, at),
                None => collected.add(path),
            }
        }
    }
    collected
}

/// The extensions of a folder: what its manifest or index says, or else each file and each folder with one of these.
pub(super) fn extensions(context: &Context<'_>, directory: &Utf8Path) -> Result<Collected, Crash> {
    let mut collected = Collected::default();
    if !context.files.exists(directory) {
        return Ok(collected);
    }
    if let Some(entries) = entries_of_folder(context, directory)? {
        collected.append(entries);
        for (name, path) in flat_extensions(context, directory) {
            if !collected.found.iter().any(|it| it.path == path) {
                collected.left_out.push(LeftOut {
                    path,
                    status: Status::Disabled,
                    reason: format!("{name} of its folder is what loads; other files do not"),
                    rule: rules::INDEX_STANDS_FOR_FOLDER,
                    at: None,
                    steps: Vec::new(),
                });
            }
        }
        return Ok(collected);
    }
    let mut scan = Scan::new(context, directory);
    scan.add_ignore_files(directory);
    for (entry, path) in visible(context, directory) {
        let Some(kind) = kind_of(context, &entry, &path) else { continue };
        let is_extension_file = is_extension_name(&entry.name) && kind == FileKind::File;
        if let Some(at) = scan.ignored(&path, kind == FileKind::Directory) {
            let is_one =
                kind == FileKind::Directory && entries_of_folder(context, &path).is_ok_and(|it| it.is_some());
            if is_extension_file || is_one {
                collected.add_ignored(path, at);
            }
        } else if is_extension_file {
            collected.add(path);
        } else if kind == FileKind::Directory {
            match entries_of_folder(context, &path) {
                Ok(Some(entries)) => collected.append(entries),
                Ok(None) => {}
                // Pi swallows the error, and with it the rest of the folder
                Err(_) => break,
            }
        }
    }
    Ok(collected)
}

/// What stands for a whole folder: the existing entries of its manifest, or its index (`resolveExtensionEntries`).
fn entries_of_folder(context: &Context<'_>, directory: &Utf8Path) -> Result<Option<Collected>, Crash> {
    let mut collected = Collected::default();
    if let Some(manifest) = Manifest::read(context, directory) {
        collected = manifest.existing_extensions(context)?;
        if !collected.found.is_empty() {
            return Ok(Some(collected));
        }
    }
    for name in ["index.ts", "index.js"] {
        let path = directory.join(name);
        if context.files.exists(&path) {
            collected.add(path);
            return Ok(Some(collected));
        }
    }
    Ok(None)
}

/// The extension files at the top of a folder, each with the name of what hides it.
fn flat_extensions<'a>(
    context: &'a Context<'_>,
    directory: &'a Utf8Path,
) -> impl Iterator<Item = (&'static str, Utf8PathBuf)> {
    let hiding = ["index.ts", "index.js"].into_iter().find(|it| context.files.exists(&directory.join(it)));
    let has_manifest = Manifest::read(context, directory)
        .is_some_and(|it| it.existing_extensions(context).is_ok_and(|it| !it.found.is_empty()));
    let name = if has_manifest { "package.json" } else { hiding.unwrap_or("index.ts") };
    visible(context, directory)
        .into_iter()
        .filter(|(entry, path)| {
            is_extension_name(&entry.name) && kind_of(context, entry, path) == Some(FileKind::File)
        })
        .map(move |(_, path)| (name, path))
}

fn is_extension_name(name: &str) -> bool {
    // Pi compares case-sensitively on every platform
    let end = name.rsplit_once('.').map(|(_, it)| it);
    matches!(end, Some("ts" | "js"))
}

fn is_loose_skill(name: &str) -> bool {
    name != "SKILL.md" && name.rsplit_once('.').is_some_and(|(_, end)| end == "md")
}

/// The skills of a folder (`collectSkillEntries`).
pub(super) fn skills(context: &Context<'_>, directory: &Utf8Path, folder: SkillFolder) -> Collected {
    let mut collected = Collected::default();
    let mut scan = Scan::new(context, directory);
    scan.skills(directory, folder, 0, &mut collected);
    collected
}

/// Every file below a folder with a suffix (`collectFiles`).
fn tree(context: &Context<'_>, directory: &Utf8Path, suffix: &str) -> Collected {
    let mut collected = Collected::default();
    let mut scan = Scan::new(context, directory);
    scan.files(directory, suffix, 0, &mut collected);
    collected
}

/// One look through a folder and those below it. Ignore files that were met stay in force.
struct Scan<'a, 'c> {
    context: &'a Context<'c>,
    root: Utf8PathBuf,
    ignore: IgnoreRules,
}

impl<'a, 'c> Scan<'a, 'c> {
    fn new(context: &'a Context<'c>, root: &Utf8Path) -> Self {
        Self { context, root: root.to_owned(), ignore: IgnoreRules::default() }
    }

    fn skills(&mut self, directory: &Utf8Path, folder: SkillFolder, depth: usize, collected: &mut Collected) {
        if depth > Context::DEEPEST_FOLDER {
            return;
        }
        self.add_ignore_files(directory);
        let takes_loose = folder == SkillFolder::Pi && depth == 0;
        let own = directory.join("SKILL.md");
        if self.context.files.is_file(&own) {
            match self.ignored(&own, false) {
                None => return collected.add(own),
                Some(at) => collected.add_ignored(own, at),
            }
        }
        for (entry, path) in visible(self.context, directory) {
            match kind_of(self.context, &entry, &path) {
                Some(FileKind::File) if takes_loose && is_loose_skill(&entry.name) => {
                    match self.ignored(&path, false) {
                        Some(at) => collected.add_ignored(path, at),
                        None => collected.add(path),
                    }
                }
                Some(FileKind::Directory) if self.ignored(&path, true).is_none() => {
                    self.skills(&path, folder, depth + 1, collected);
                }
                _ => {}
            }
        }
    }

    fn files(&mut self, directory: &Utf8Path, suffix: &str, depth: usize, collected: &mut Collected) {
        if depth > Context::DEEPEST_FOLDER {
            return;
        }
        self.add_ignore_files(directory);
        for (entry, path) in visible(self.context, directory) {
            let Some(kind) = kind_of(self.context, &entry, &path) else { continue };
            let ignored = self.ignored(&path, kind == FileKind::Directory);
            match (kind, ignored) {
                (FileKind::Directory, None) => self.files(&path, suffix, depth + 1, collected),
                (FileKind::File, None) if entry.name.ends_with(suffix) => collected.add(path),
                (FileKind::File, Some(at)) if entry.name.ends_with(suffix) => collected.add_ignored(path, at),
                _ => {}
            }
        }
    }

    fn ignored(&self, path: &Utf8Path, is_directory: bool) -> Option<Span> {
        if self.ignore.is_empty() {
            return None;
        }
        let mut relative = relative(&self.root, path);
        if is_directory {
            relative.push('/');
        }
        self.ignore.ignored_by(&relative)
    }

    /// Takes in the ignore files of a folder, their patterns made relative to the root of the scan.
    fn add_ignore_files(&mut self, directory: &Utf8Path) {
        let below = relative(&self.root, directory);
        let prefix = if below.is_empty() { below } else { below + "/" };
        for name in [".gitignore", ".ignore", ".fdignore"] {
            let Some(file) = self.context.text(&directory.join(name)) else { continue };
            let mut start = 0;
            for line in file.text.split('\n') {
                let bare = line.strip_suffix('\r').filter(|_| start + line.len() < file.text.len());
                let bare = bare.unwrap_or(line);
                if let Some(pattern) = prefixed(bare, &prefix) {
                    self.ignore.add_line(&pattern, file.span(start, start + bare.len()));
                }
                start += line.len() + 1;
            }
        }
    }
}

/// A line of an ignore file as Pi hands it on (`prefixIgnorePattern`).
fn prefixed(line: &str, prefix: &str) -> Option<String> {
    let trimmed = trim(line);
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return None;
    }
    let (negation, pattern) = match line.strip_prefix('!') {
        Some(rest) => ("!", rest),
        None => ("", line.strip_prefix("\\!").map_or(line, |_| &line[1..])),
    };
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    Some(format!("{negation}{prefix}{pattern}"))
}

/// The names of a folder that Pi looks at.
fn visible(context: &Context<'_>, directory: &Utf8Path) -> Vec<(DirectoryEntry, Utf8PathBuf)> {
    let entries = context.list(directory).into_iter();
    let shown = entries.filter(|it| !it.name.starts_with('.') && it.name != "node_modules");
    shown.map(|it| (directory.join(&it.name), it)).map(|(path, it)| (it, path)).collect()
}

/// What a name leads to, links followed; `None` for a link that leads nowhere.
fn kind_of(context: &Context<'_>, entry: &DirectoryEntry, path: &Utf8Path) -> Option<FileKind> {
    match entry.kind {
        Some(kind) => Some(kind),
        None => context.files.metadata(path).ok().map(|it| it.kind),
    }
}

#[cfg(test)]
mod tests {
    use super::prefixed;

    #[test]
    fn lines_of_ignore_files_are_made_relative_to_the_scan() {
        assert_eq!(prefixed("/a.ts", "").as_deref(), Some("a.ts"));
        assert_eq!(prefixed("!b", "sub/").as_deref(), Some("!sub/b"));
        assert_eq!(prefixed("\\!c", "").as_deref(), Some("!c"));
        assert_eq!(prefixed(" # comment", ""), None);
        assert_eq!(prefixed("\\#d", "x/").as_deref(), Some("x/\\#d"));
    }
}
