//! Skills (rules, section 9; Pi: `dist/core/skills.js`, `loadSkills`).

use camino::Utf8Path;
use serde_json::Value;

use super::frontmatter::{Frontmatter, is_truthy};
use super::{Reader, ResourceFile, ResourceFileKind};
use crate::install::discovery::{self, SkillFolder};
use crate::install::installation::Resource;

impl Reader<'_> {
    /// The skills of a planned file or directory. A package's or folder's skill directory stands for its `SKILL.md`.
    pub(super) fn skills(&mut self, resource: &Resource) {
        if self.context.files.is_directory(&resource.path) {
            for found in discovery::skills(self.context, &resource.path, SkillFolder::Pi).found {
                self.skill(&found.path, resource);
            }
        } else if resource.path.as_str().strip_suffix(".md").is_some() {
            self.skill(&resource.path, resource);
        } else {
            self.tell(format!("{}: skill path is not a markdown file", resource.path), None);
        }
    }

    fn skill(&mut self, path: &Utf8Path, resource: &Resource) {
        let folder = path.parent().and_then(Utf8Path::file_name).unwrap_or_default();
        let mut skill = ResourceFile {
            kind: ResourceFileKind::Skill,
            name: folder.into(),
            path: path.to_owned(),
            source_info: resource.source_info.clone(),
            name_at: None,
            rejected: None,
            discovered: None,
        };
        match self.frontmatter(path) {
            Ok((file, frontmatter)) => {
                skill.rejected = describe(&frontmatter).err();
                match frontmatter.field("name") {
                    Some(Value::String(name)) if !name.is_empty() => {
                        skill.name = name.as_str().into();
                        skill.name_at = frontmatter.place("name").map(|(start, end)| file.span(start, end));
                    }
                    Some(other) if is_truthy(other) => {
                        skill.rejected.get_or_insert_with(|| "name is not a string".to_owned());
                    }
                    _ => {}
                }
            }
            Err(problem) => skill.rejected = Some(problem),
        }
        if skill.rejected.is_none() {
            let real = self.context.canonical(path);
            if self.real_paths.contains(&real) {
                return;
            }
            if !self.found.files.iter().any(|it| it.holds(&skill)) {
                self.real_paths.insert(real);
            }
            for problem in name_problems(&skill.name) {
                self.tell(format!("{path}: {problem}"), skill.name_at);
            }
        }
        self.add(skill);
    }
}

impl ResourceFile {
    /// Whether this file already has the name of another of its kind.
    fn holds(&self, other: &Self) -> bool {
        self.kind == other.kind && self.rejected.is_none() && self.name == other.name
    }
}

/// A skill without a description is not taken.
fn describe(frontmatter: &Frontmatter) -> Result<(), String> {
    match frontmatter.field("description") {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(()),
        Some(other) if is_truthy(other) && !other.is_string() => {
            Err("description is not a string".to_owned())
        }
        _ => Err("description is required".to_owned()),
    }
}

/// What Pi warns about in the name of a skill that it takes all the same.
fn name_problems(name: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let length = name.encode_utf16().count();
    if length > 64 {
        problems.push(format!("name exceeds 64 characters ({length})"));
    }
    if name.is_empty() || !name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
    {
        problems
            .push("name contains invalid characters (must be lowercase a-z, 0-9, hyphens only)".to_owned());
    }
    if name.starts_with('-') || name.ends_with('-') {
        problems.push("name must not start or end with a hyphen".to_owned());
    }
    if name.contains("--") {
        problems.push("name must not contain consecutive hyphens".to_owned());
    }
    problems
}
