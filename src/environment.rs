//! The facts of the machine that an answer may rest on, taken once at the start.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;

/// What `process.platform` says in Node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Platform {
    /// `linux`, outside the Windows Subsystem for Linux.
    Linux,
    /// `darwin`.
    Darwin,
    /// `win32`.
    Windows,
}

impl Platform {
    /// The platform that this program was built for.
    pub fn current() -> Self {
        if cfg!(target_os = "macos") {
            Self::Darwin
        } else if cfg!(windows) {
            Self::Windows
        } else {
            Self::Linux
        }
    }

    /// Node's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Darwin => "darwin",
            Self::Windows => "win32",
        }
    }
}

/// The process environment in which Pi would be started.
#[derive(Debug, Clone)]
pub struct Environment {
    /// Environment variables; what `process.env` holds. Values are secrets and are never printed.
    pub variables: BTreeMap<String, String>,
    /// The home directory, as `os.homedir()` gives it.
    pub home: Utf8PathBuf,
    /// The operating system.
    pub platform: Platform,
    /// The processor, in Node's word, as [`architecture`] gives it; `None` if that is not known.
    pub architecture: Option<&'static str>,
}

/// What `process.arch` says in a Node that was built for the processor that this program was built for.
pub fn architecture() -> Option<&'static str> {
    Some(match std::env::consts::ARCH {
        "x86_64" => "x64",
        "x86" => "ia32",
        "aarch64" => "arm64",
        "arm" => "arm",
        "loongarch64" => "loong64",
        "riscv64" => "riscv64",
        "s390x" => "s390x",
        "powerpc64" => "ppc64",
        _ => return None,
    })
}

impl Environment {
    /// The value of one variable.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }
}
