//! `pi-why diff A B`: what changed between two reports, installations or packs.

use std::process::ExitCode;

use camino::{Utf8Path, Utf8PathBuf};
use clap::Args;

use super::output::Format;
use super::{Cli, Error};
use crate::files::{Disk, Files as _};
use crate::gate::snapshot::{Snapshot, changes};

/// What to compare.
#[derive(Debug, Clone, Args)]
pub struct DiffOptions {
    /// The state before: a JSON report, an agent directory, a project directory, or a pack
    pub before: Utf8PathBuf,
    /// The state after
    pub after: Utf8PathBuf,
    /// Exit with status 1 when something changed
    #[arg(long)]
    pub exit_code: bool,
}

/// Compares.
pub(super) fn run(cli: &Cli, options: &DiffOptions) -> Result<ExitCode, Error> {
    if cli.output.format == Some(Format::Sarif) {
        return Err(Error::Usage("changes are no findings: diff has no SARIF form, check has".to_owned()));
    }
    let (before, after) = (snapshot(cli, &options.before)?, snapshot(cli, &options.after)?);
    if before.is_none() && after.is_none() {
        for path in [&options.before, &options.after] {
            super::check::tell_of_nothing(path.as_str(), Some(path));
        }
        return Ok(ExitCode::from(super::check::NOTHING));
    }
    // Before the first extension, and after the last one, there is nothing; that is a state, too.
    let [before, after] = [before, after].map(|it| it.unwrap_or_else(Snapshot::empty));
    let changes = changes(&before, &after);
    super::output::write_changes(&cli.output, &changes, after.starts())?;
    let fails = !changes.is_empty() && options.exit_code;
    Ok(if fails { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// What is at a path; `None` when there is nothing that Pi would load.
fn snapshot(cli: &Cli, path: &Utf8Path) -> Result<Option<Snapshot>, Error> {
    let root = super::installation::absolute(path)?;
    let unusable = |why: String| Error::Directory { what: "diff", path: path.to_string(), why };
    let script = matches!(root.extension(), Some("ts" | "js" | "mts" | "cts" | "mjs" | "cjs"));
    if Disk.is_file(&root) && !script {
        let text = Disk.read_text(&root)?;
        return Snapshot::from_json(&text).map(Some).map_err(|error| unusable(error.to_string()));
    }
    let (_, report) = cli.installation.inspect_path("diff", &root, &[])?;
    Ok(report.map(|it| Snapshot::new(&it)))
}
