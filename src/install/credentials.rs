//! Reads which providers have a stored credential in `auth.json`, and of which kind (rules, section 8.4; Pi:
//! `dist/core/auth-storage.js`). The secrets themselves are dropped at once.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use crate::files::Files;
use crate::json::{self, Node};
use crate::location::{SourceMap, Span};
use crate::secret::ValueForm;

/// What `auth.json` says, without its secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credentials {
    /// Where the file is or would be.
    pub path: Utf8PathBuf,
    stored: Vec<StoredCredential>,
}

/// One stored credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCredential {
    /// Whose.
    pub provider: Arc<str>,
    /// What it is.
    pub kind: CredentialKind,
    /// The entry.
    pub at: Span,
}

/// What is stored for a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CredentialKind {
    /// `"type": "api_key"`, and in which form its key is written; `None` when it has none.
    ApiKey(Option<ValueForm>),
    /// `"type": "oauth"`.
    OAuth,
    /// Anything else: it keeps the variables of the environment from being asked, and gives nothing.
    Other,
}

impl Credentials {
    /// Reads the file of an agent directory. One that cannot be read counts as empty, as in Pi.
    pub fn read(files: &dyn Files, sources: &SourceMap, agent_dir: &Utf8Path) -> Self {
        let path = agent_dir.join("auth.json");
        let Some(text) = files.read_text(&path).ok().filter(|it| !it.is_empty()) else {
            return Self { path, stored: Vec::new() };
        };
        let file = sources.add(path.clone(), text.clone());
        let root = json::parse(&text, file).ok();
        let entries = root.as_ref().and_then(Node::as_object).into_iter().flat_map(json::Object::iter);
        let stored = entries.filter_map(|(provider, member)| {
            let entry = member.node.as_object()?;
            let kind = match entry.get("type").and_then(Node::as_str).map(|it| &**it) {
                Some("api_key") => {
                    let key = entry.get("key").and_then(Node::as_str);
                    CredentialKind::ApiKey(key.map(|it| ValueForm::of(it)))
                }
                Some("oauth") => CredentialKind::OAuth,
                _ => CredentialKind::Other,
            };
            Some(StoredCredential { provider: Arc::clone(provider), kind, at: member.at })
        });
        Self { path, stored: stored.collect() }
    }

    /// What is stored for a provider.
    pub fn of(&self, provider: &str) -> Option<&StoredCredential> {
        self.stored.iter().find(|it| &*it.provider == provider)
    }
}
