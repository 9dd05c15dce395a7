//! Prompt templates (rules, section 10; Pi: `dist/core/prompt-templates.js`, `loadPromptTemplates`).

use camino::Utf8Path;

use super::{Reader, ResourceFile, ResourceFileKind, stem};
use crate::install::installation::Resource;

impl Reader<'_> {
    /// The prompt templates of a planned file or directory; a directory is not followed downwards.
    pub(super) fn prompts(&mut self, resource: &Resource) {
        if self.context.files.is_directory(&resource.path) {
            for path in self.flat(&resource.path, ".md") {
                self.prompt(&path, resource);
            }
        } else if resource.path.as_str().strip_suffix(".md").is_some() {
            self.prompt(&resource.path, resource);
        }
    }

    fn prompt(&mut self, path: &Utf8Path, resource: &Resource) {
        let rejected = self.frontmatter(path).err();
        self.add(ResourceFile {
            kind: ResourceFileKind::Prompt,
            name: stem(path, ".md").into(),
            path: path.to_owned(),
            source_info: resource.source_info.clone(),
            name_at: None,
            rejected,
            discovered: None,
        });
    }
}
