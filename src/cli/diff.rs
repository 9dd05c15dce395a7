//! `pi-why diff A B`: what changed between two reports, installations or packs.

use std::process::ExitCode;

use camino::{Utf8Path, Utf8PathBuf};
use clap::Args;

use super::{Cli, Error, InstallationOptions};
use crate::files::{Disk, Files as _, RememberedDisk};
use crate::gate::Pack;
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
    let before = snapshot(cli, &options.before)?;
    let after = snapshot(cli, &options.after)?;
    let changes = changes(&before, &after);
    super::output::write_changes(&cli.output, &changes)?;
    let fails = !changes.is_empty() && options.exit_code;
    Ok(if fails { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn snapshot(cli: &Cli, path: &Utf8Path) -> Result<Snapshot, Error> {
    let root = super::installation::absolute(path)?;
    let unusable = |why: &str| Error::Directory { what: "diff", path: path.to_string(), why: why.to_owned() };
    if Disk.is_file(&root) {
        let text = Disk.read_text(&root)?;
        return Snapshot::from_json(&text).map_err(|error| unusable(&error.to_string()));
    }
    if !Disk.is_directory(&root) {
        return Err(unusable("there is no such file or folder"));
    }
    let (mut asked, environment) = cli.installation.resolve()?;
    let config = cli.installation.config(&root)?;
    InstallationOptions::configure(&mut asked, &config);
    if Disk.is_directory(&root.join(".pi")) {
        asked.install.cwd = root;
        return Ok(Snapshot::new(&crate::inspect(&RememberedDisk::new(), &environment, &asked)));
    }
    if is_agent_directory(&root) {
        asked.install.agent_dir = Some(root);
        return Ok(Snapshot::new(&crate::inspect(&RememberedDisk::new(), &environment, &asked)));
    }
    let pack = Pack { root, with: Vec::new() };
    let report = pack.inspect(&RememberedDisk::new(), &environment, &asked)?;
    report.map(|it| Snapshot::new(&it)).ok_or_else(|| unusable("there is nothing to inspect"))
}

/// A folder with Pi's own files in it.
fn is_agent_directory(folder: &Utf8Path) -> bool {
    ["settings.json", "trust.json", "models.json", "auth.json", "keybindings.json"]
        .iter()
        .any(|it| Disk.is_file(&folder.join(it)))
}
