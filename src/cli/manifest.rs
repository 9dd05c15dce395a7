//! `pi-why manifest PATH`: the source of an extension or a pack as declarations.

use super::{Cli, Error, InstallationOptions, installation};
use crate::declared::manifest;
use crate::files::{Disk, Files as _, RememberedDisk};
use crate::gate::Pack;
use crate::render::Paths;
use crate::report::LoadedExtension;

/// The tables: of the extension that is meant, else of the pack at that path. Configured declarations do not count, only the
/// source does.
pub(super) fn run(cli: &Cli, path: &str) -> Result<String, Error> {
    let (mut options, environment) = cli.installation.resolve()?;
    let mut config = cli.installation.config(&options.install.cwd)?;
    config.declarations.extensions.clear();
    InstallationOptions::configure(&mut options, &config);
    let report = crate::inspect(&RememberedDisk::new(), &environment, &options);
    let found = crate::render::extensions_named(path, &report, &Paths::new(&report, false));
    if !found.is_empty() {
        return Ok(manifest(&report, &found)?);
    }
    let root = installation::absolute(path.into())?;
    let pack = Pack { root: root.clone(), with: Vec::new() };
    let report =
        if Disk.exists(&root) { pack.inspect(&RememberedDisk::new(), &environment, &options)? } else { None };
    let report = report.ok_or_else(|| Error::NoExtension(path.to_owned()))?;
    let all: Vec<&LoadedExtension> = report.order.iter().filter(|it| it.entry.execution.is_some()).collect();
    Ok(manifest(&report, &all)?)
}
