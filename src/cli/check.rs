//! `pi-why check`: findings against a policy and a baseline, with an exit status for CI.

use std::process::ExitCode;

use camino::{Utf8Path, Utf8PathBuf};
use clap::Args;

use super::output::write_data;
use super::{Cli, Error, InstallationOptions};
use crate::files::{Disk, Files as _, RememberedDisk};
use crate::gate::check::check;
use crate::gate::{self, Baseline, Config, findings};
use crate::render;
use crate::report::Report;

/// Exit status when findings make the check fail.
const FINDINGS: u8 = 1;
/// Exit status when there is nothing to inspect.
pub(super) const NOTHING: u8 = 3;

/// What to check and against what.
#[derive(Debug, Clone, Args)]
pub struct CheckOptions {
    /// A package, or a folder of packages and extensions, to be checked without any home; or the project or agent directory of an
    /// installation [default: the installation in which pi would be started]
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
        tell_of_nothing(&inspected, options.path.as_deref());
        return Ok(ExitCode::from(NOTHING));
    };
    let filter = cli.filter.filter();
    let file = baseline_file(options, &config);
    let writes = options.write_baseline || options.prune_baseline;
    if writes && file.is_none() {
        return Err(Error::Usage("say with --baseline FILE which file to write".to_owned()));
    }
    if writes && !filter.is_empty() {
        return Err(Error::Usage(
            "a baseline is written from all findings: leave the filters out".to_owned(),
        ));
    }
    let known = match &file {
        Some(file) if Disk.exists(file) && !options.write_baseline => Some(Known::read(file, &report)?),
        Some(file) if !options.write_baseline => {
            return Err(Error::Baseline { path: file.clone(), why: "there is no such file".to_owned() });
        }
        _ => None,
    };
    if let (Some(file), Some(known), true) = (&file, &known, options.prune_baseline) {
        let mut baseline = known.baseline.clone();
        baseline.prune(&known.stale);
        return write(file, &baseline);
    }
    filter.apply(&mut report);
    let (baseline, stale) = known.as_ref().map_or((None, &[][..]), |it| (Some(&it.baseline), &*it.stale));
    // With a filter, what is left out is not gone.
    let stale = if filter.is_empty() { stale } else { &[] };
    let checked = check(&report, &config.policy, baseline, stale, &filter);
    if let (Some(file), true) = (&file, options.write_baseline) {
        return write(file, &Baseline::new(checked.items.iter().map(|it| it.found.key.clone())));
    }
    super::output::write_check(&cli.output, &checked, &report)?;
    let fails = checked.failing > 0 && !options.exit_zero;
    Ok(if fails { ExitCode::from(FINDINGS) } else { ExitCode::SUCCESS })
}

/// Says that there is nothing to inspect; and why, where a manifest cannot be read.
pub(super) fn tell_of_nothing(inspected: &str, path: Option<&Utf8Path>) {
    let manifest = path.map(|it| it.join("package.json"));
    let broken = manifest.and_then(|it| {
        let text = Disk.read_text(&it).ok()?;
        let error = serde_json::from_str::<serde_json::Value>(&text).err()?;
        Some(format!(": {it} is not JSON: {error}"))
    });
    anstream::eprintln!("pi-why: nothing to inspect in {inspected}{}", broken.unwrap_or_default());
}

/// A baseline, and what of it is not there any more.
struct Known {
    baseline: Baseline,
    stale: Vec<gate::Known>,
}

impl Known {
    fn read(path: &Utf8Path, report: &Report) -> Result<Self, Error> {
        let unusable = |why: String| Error::Baseline { path: path.to_owned(), why };
        let text = Disk.read_text(path).map_err(|error| unusable(error.to_string()))?;
        let baseline = Baseline::parse(&text).map_err(|error| unusable(error.to_string()))?;
        let file = report.sources.add(super::installation::absolute(path)?, text);
        let stale = baseline.stale(findings(report).iter().map(|it| &it.key), Some(file));
        Ok(Self { baseline, stale })
    }
}

/// What is inspected, in words; the configuration; and the report, unless there is nothing.
fn inspect(cli: &Cli, options: &CheckOptions) -> Result<(String, Config, Option<Report>), Error> {
    let Some(path) = &options.path else {
        let (mut asked, environment) = cli.installation.resolve()?;
        let config = cli.installation.config(&asked.install.cwd)?;
        InstallationOptions::configure(&mut asked, &config);
        let report = crate::inspect(&RememberedDisk::new(), &environment, &asked);
        let words = "the agent directory and the project".to_owned();
        return Ok((words, config, Some(report).filter(|it| it.found)));
    };
    let root = super::installation::absolute(path)?;
    let (config, report) = cli.installation.inspect_path("check", &root, &options.with)?;
    Ok((path.to_string(), config, report))
}

fn baseline_file(options: &CheckOptions, config: &Config) -> Option<Utf8PathBuf> {
    options.baseline.clone().or_else(|| config.baseline())
}

fn write(path: &Utf8Path, baseline: &Baseline) -> Result<ExitCode, Error> {
    let unusable = |why: String| Error::Baseline { path: path.to_owned(), why };
    if Disk.exists(path) && !Disk.read_text(path).is_ok_and(|it| Baseline::may_replace(&it)) {
        return Err(unusable("it holds something else, and is left as it is".to_owned()));
    }
    std::fs::write(path, baseline.to_text()?).map_err(|error| unusable(error.to_string()))?;
    write_data(&format!("{path}: {} known\n", render::count(baseline.len(), "finding")))?;
    Ok(ExitCode::SUCCESS)
}
