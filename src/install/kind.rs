//! The four kinds of resources that settings, packages and folders bring.

/// A kind of resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ResourceKind {
    Extensions,
    Skills,
    Prompts,
    Themes,
}

impl ResourceKind {
    /// All of them in the order in which Pi goes through them.
    pub const ALL: [Self; 4] = [Self::Extensions, Self::Skills, Self::Prompts, Self::Themes];

    /// Its name in settings, manifests and as a folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Extensions => "extensions",
            Self::Skills => "skills",
            Self::Prompts => "prompts",
            Self::Themes => "themes",
        }
    }
}

/// One value for each kind.
#[derive(Debug, Clone, Default)]
pub(super) struct PerKind<T>([T; 4]);

impl<T> PerKind<T> {
    pub fn get(&self, kind: ResourceKind) -> &T {
        &self.0[kind as usize]
    }

    pub fn get_mut(&mut self, kind: ResourceKind) -> &mut T {
        &mut self.0[kind as usize]
    }
}
