//! The rules by which Pi decides, as data. Each rule stands beside the code that follows it.

/// The id of a rule, such as `tool/first-extension`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct RuleId(pub &'static str);

impl std::fmt::Display for RuleId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// One rule, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// How reports name it.
    pub id: RuleId,
    /// The rule in one sentence.
    pub sentence: &'static str,
    /// A case in which it decides.
    pub example: &'static str,
    /// Where Pi does it: file and function of the npm package.
    pub pi: &'static str,
}
