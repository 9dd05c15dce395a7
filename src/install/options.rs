//! What the command line says about loading.

use camino::Utf8PathBuf;

/// What the user decides about trust with `--approve` or `--no-approve`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TrustFlag {
    /// Neither: Pi looks for a saved decision, asks extensions, or asks the user.
    #[default]
    Undecided,
    /// `-a`, `--approve`: trusted, and everything loads in one pass.
    Approve,
    /// `-na`, `--no-approve`: not trusted.
    Refuse,
}

/// The options of Pi that decide what is loaded, in the order in which they were given.
#[derive(Debug, Clone, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub struct Options {
    /// The directory in which Pi is started. Made absolute and real by [`plan`](super::plan), as `process.cwd()` is.
    pub cwd: Utf8PathBuf,
    /// `--agent-dir`; otherwise `PI_CODING_AGENT_DIR`, otherwise `~/.pi/agent`.
    pub agent_dir: Option<Utf8PathBuf>,
    /// `-e`, `--extension`: paths, or `npm:` and `git:` sources.
    pub extensions: Vec<String>,
    /// `--skill`.
    pub skills: Vec<String>,
    /// `--prompt-template`.
    pub prompts: Vec<String>,
    /// `--theme`.
    pub themes: Vec<String>,
    /// `-ne`, `--no-extensions`.
    pub no_extensions: bool,
    /// `-ns`, `--no-skills`.
    pub no_skills: bool,
    /// `-np`, `--no-prompt-templates`.
    pub no_prompts: bool,
    /// `--no-themes`.
    pub no_themes: bool,
    /// `--approve`, `--no-approve`.
    pub trust: TrustFlag,
}

/// The points in which Pi versions differ while collecting what is loaded. The catalog hands one in; only the one of
/// 0.83.0 is exact so far.
#[derive(Debug, Clone)]
pub struct Behaviour {
    /// Names of the extensions that the `pi` command brings itself and lists last, such as `llama.cpp`.
    pub inline_extensions: Vec<String>,
    /// Names below `.pi` that make a project need trust.
    pub trust_requiring: Vec<String>,
    /// Whether a byte order mark is stripped from JSON files before they are parsed (since 0.84.3).
    pub strips_bom: bool,
}

impl Behaviour {
    /// Pi 0.83.0.
    pub fn pi_0_83() -> Self {
        let names = |list: &[&str]| list.iter().map(|&it| it.to_owned()).collect();
        Self {
            inline_extensions: names(&["llama.cpp"]),
            trust_requiring: names(&[
                "settings.json",
                "extensions",
                "skills",
                "prompts",
                "themes",
                "SYSTEM.md",
                "APPEND_SYSTEM.md",
            ]),
            strips_bom: false,
        }
    }
}
