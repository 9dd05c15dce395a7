//! `pi-why check`: findings against a policy and a baseline, with an exit status for CI.

use std::process::ExitCode;

use camino::{Utf8Path, Utf8PathBuf};
use clap::Args;

use super::output::write_data;
use super::{Cli, Error, InstallationOptions, UNUSABLE};
use crate::environment::Environment;
use crate::files::{Disk, Files as _, RememberedDisk};
use crate::gate::check::{Checked, check};
use crate::gate::{Baseline, Config, Pack};
use crate::options::Options;
use crate::render;
use crate::report::Report;

/// Exit status when findings make the check fail.
const FINDINGS: u8 = 1;
/// Exit status when there is nothing to inspect.
const NOTHING: u8 = 3;

/// What to check and against what.
#[derive(Debug, Clone, Args)]
pub struct CheckOptions {
    /// A package, or a folder of packages and extensions, to be checked without any home; without it, the installation
    pub path: Option<Utf8PathBuf>,
    /// Check the pack together with this one: a path, or npm:NAME of the `node_modules` around it (repeatable)
    #[arg(long, value_name = "PATH", requires = "path")]
    pub with: Vec<String>,
    /// Fail only on findings that this file does not know
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<Utf8PathBuf>,
    /// Write the findings into the baseline
    #[arg(long, conflicts_with = "prune_baseline")]
    pub write_baseline: bool,
    /// Take findings out of the baseline that are not there any more
    #[arg(long)]
    pub prune_baseline: bool,
    /// Exit with status 0 whatever is found
    #[arg(long)]
    pub exit_zero: bool,
}

/// Runs the check.
pub(super) fn run(cli: &Cli, options: &CheckOptions) -> Result<ExitCode, Error> {
    let (inspected, config, report) = inspect(cli, options)?;
    let Some(mut report) = report else {
        anstream::eprintln!("pi-why: nothing to inspect in {inspected}");
        return Ok(ExitCode::from(NOTHING));
    };
    cli.filter.filter().apply(&mut report);
    let file = baseline_file(options, &config);
    if (options.write_baseline || options.prune_baseline) && file.is_none() {
        anstream::eprintln!("pi-why: say with --baseline FILE which file to write");
        return Ok(ExitCode::from(UNUSABLE));
    }
    let known = match &file {
        Some(file) if Disk.exists(file) => Some(read(file)?),
        Some(file) if !options.write_baseline => {
            return Err(Error::Baseline { path: file.clone(), why: "there is no such file".to_owned() });
        }
        _ => None,
    };
    let checked = check(&report, &config.policy, known.as_ref());
    if let Some(file) = &file
        && (options.write_baseline || options.prune_baseline)
    {
        write(file, &checked, options.prune_baseline)?;
        return Ok(ExitCode::SUCCESS);
    }
    super::output::write_check(&cli.output, &checked, &report)?;
    let fails = checked.failing > 0 && !options.exit_zero;
    Ok(if fails { ExitCode::from(FINDINGS) } else { ExitCode::SUCCESS })
}

/// What is inspected, in words; the configuration; and the report, unless there is nothing.
fn inspect(cli: &Cli, options: &CheckOptions) -> Result<(String, Config, Option<Report>), Error> {
    let (mut asked, environment) = cli.installation.resolve()?;
    let Some(path) = &options.path else {
        let config = cli.installation.config(&asked.install.cwd)?;
        InstallationOptions::configure(&mut asked, &config);
        let report = crate::inspect(&RememberedDisk::new(), &environment, &asked);
        let words = "the agent directory and the project".to_owned();
        return Ok((words, config, Some(report).filter(|it| it.found)));
    };
    let root = super::installation::absolute(path)?;
    if !Disk.exists(&root) {
        let why = "there is no such file or folder".to_owned();
        return Err(Error::Directory { what: "pack", path: path.to_string(), why });
    }
    let config = cli.installation.config(&root)?;
    InstallationOptions::configure(&mut asked, &config);
    let report = inspect_pack(root, options, &environment, &asked)?;
    Ok((path.to_string(), config, report))
}

fn inspect_pack(
    root: Utf8PathBuf,
    options: &CheckOptions,
    environment: &Environment,
    asked: &Options,
) -> Result<Option<Report>, Error> {
    let pack = Pack { root, with: options.with.clone() };
    Ok(pack.inspect(&RememberedDisk::new(), environment, asked)?)
}

fn baseline_file(options: &CheckOptions, config: &Config) -> Option<Utf8PathBuf> {
    options.baseline.clone().or_else(|| config.baseline())
}

fn read(path: &Utf8Path) -> Result<Baseline, Error> {
    let unusable = |why: String| Error::Baseline { path: path.to_owned(), why };
    let text = Disk.read_text(path).map_err(|error| unusable(error.to_string()))?;
    Baseline::parse(&text).map_err(|error| unusable(error.to_string()))
}

/// Writes the baseline: all findings there are, or those of them that were known.
fn write(path: &Utf8Path, checked: &Checked<'_>, only_known: bool) -> Result<(), Error> {
    let kept =
        checked.items.iter().filter(|it| !only_known || it.state == Some(crate::gate::check::State::Known));
    let baseline = Baseline::new(kept.map(|it| it.found.key.clone()));
    let unusable = |why: String| Error::Baseline { path: path.to_owned(), why };
    std::fs::write(path, baseline.to_text()?).map_err(|error| unusable(error.to_string()))?;
    write_data(&format!("{path}: {} known\n", render::count(baseline.len(), "finding")))
}
