//! The twenty specifiers that the host serves, whatever is installed (rules, section 1.6).
//!
//! Pi's `core/extensions/loader.js` (`getAliases`) hands jiti an alias for each of them. An alias also catches
//! every longer specifier that continues with a slash: `typebox/other` becomes a path inside the alias's target, which
//! does not exist.

/// A module that Pi itself serves to extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostModule {
    /// `@earendil-works/pi-coding-agent`.
    CodingAgent,
    /// `@earendil-works/pi-agent-core`.
    AgentCore,
    /// `@earendil-works/pi-tui`.
    Tui,
    /// `@earendil-works/pi-ai` and `@earendil-works/pi-ai/compat`: one module.
    AiCompat,
    /// `@earendil-works/pi-ai/oauth`.
    AiOauth,
    /// `@earendil-works/pi-ai/providers/all`.
    AiProviders,
    /// `typebox`.
    TypeBox,
    /// `typebox/compile`.
    TypeBoxCompile,
    /// `typebox/value`.
    TypeBoxValue,
}

impl HostModule {
    /// The module behind one of the twenty specifiers.
    pub fn from_specifier(specifier: &str) -> Option<Self> {
        if let Some(rest) = specifier.strip_prefix("@sinclair/").or(Some(specifier))
            && let Some(it) = Self::type_box(rest)
        {
            return Some(it);
        }
        let rest = specifier
            .strip_prefix("@earendil-works/")
            .or_else(|| specifier.strip_prefix("@mariozechner/"))?;
        match rest {
            "pi-coding-agent" => Some(Self::CodingAgent),
            "pi-agent-core" => Some(Self::AgentCore),
            "pi-tui" => Some(Self::Tui),
            "pi-ai" | "pi-ai/compat" => Some(Self::AiCompat),
            "pi-ai/oauth" => Some(Self::AiOauth),
            "pi-ai/providers/all" => Some(Self::AiProviders),
            _ => None,
        }
    }

    fn type_box(specifier: &str) -> Option<Self> {
        match specifier {
            "typebox" => Some(Self::TypeBox),
            "typebox/compile" => Some(Self::TypeBoxCompile),
            "typebox/value" => Some(Self::TypeBoxValue),
            _ => None,
        }
    }

    /// The module whose alias catches a longer specifier (`typebox/system`), which then leads nowhere.
    pub fn claiming(specifier: &str) -> Option<Self> {
        let mut rest = specifier;
        while let Some((shorter, _)) = rest.rsplit_once('/') {
            if let Some(it) = Self::from_specifier(shorter) {
                return Some(it);
            }
            rest = shorter;
        }
        None
    }

    /// The specifier under which Pi's own code knows it.
    pub fn specifier(self) -> &'static str {
        match self {
            Self::CodingAgent => "@earendil-works/pi-coding-agent",
            Self::AgentCore => "@earendil-works/pi-agent-core",
            Self::Tui => "@earendil-works/pi-tui",
            Self::AiCompat => "@earendil-works/pi-ai/compat",
            Self::AiOauth => "@earendil-works/pi-ai/oauth",
            Self::AiProviders => "@earendil-works/pi-ai/providers/all",
            Self::TypeBox => "typebox",
            Self::TypeBoxCompile => "typebox/compile",
            Self::TypeBoxValue => "typebox/value",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_specifiers_and_no_more() {
        let scopes = ["@earendil-works/", "@mariozechner/"];
        let pi = [
            "pi-coding-agent",
            "pi-agent-core",
            "pi-tui",
            "pi-ai",
            "pi-ai/compat",
            "pi-ai/oauth",
            "pi-ai/providers/all",
        ];
        let names = scopes.iter().flat_map(|scope| pi.iter().map(move |name| format!("{scope}{name}")));
        for name in names {
            assert!(HostModule::from_specifier(&name).is_some(), "{name}");
        }
        for scope in ["", "@sinclair/"] {
            for name in ["typebox", "typebox/compile", "typebox/value"] {
                assert!(HostModule::from_specifier(&format!("{scope}{name}")).is_some(), "{scope}{name}");
            }
        }
        for name in [
            "pi-ai",
            "@earendil-works/typebox",
            "@sinclair/pi-ai",
            "typebox/system",
            "@earendil-works/pi-ai/x",
        ] {
            assert_eq!(HostModule::from_specifier(name), None, "{name}");
        }
        assert_eq!(HostModule::claiming("typebox/system"), Some(HostModule::TypeBox));
        assert_eq!(HostModule::claiming("@earendil-works/pi-ai/oauth/x"), Some(HostModule::AiOauth));
        assert_eq!(HostModule::claiming("@earendil-works/x"), None);
    }
}
