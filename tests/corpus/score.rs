//! Holds pi-why against the recorded truth of the corpus, entry by entry: `cargo run --release --example corpus`.
//!
//! `truth.json` says what Pi's loader holds after loading one entry alone. The first run installs the packages below
//! `target/corpus` with npm (install scripts off); nothing of them is ever run here. With `--verbose` every difference and
//! every unresolved registration is listed.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use pi_why::environment::{Environment, Platform, architecture};
use pi_why::files::RememberedDisk;
use pi_why::install;
use pi_why::report::{LoadStatus, LoadedExtension};
use pi_why::source::{Certainty, Kind, Phase};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// One line of `truth.json`.
#[derive(Debug, serde::Deserialize)]
struct Truth {
    package: String,
    path: String,
    loads: bool,
    #[serde(flatten)]
    names: BTreeMap<String, serde_json::Value>,
}

/// The kinds that are compared, with their keys in `truth.json`.
const KINDS: [(Kind, &str); 9] = [
    (Kind::Tool, "tool"),
    (Kind::Command, "command"),
    (Kind::Flag, "flag"),
    (Kind::Shortcut, "shortcut"),
    (Kind::MessageRenderer, "messageRenderer"),
    (Kind::EntryRenderer, "entryRenderer"),
    (Kind::Provider, "provider"),
    (Kind::NativeProvider, "nativeProvider"),
    (Kind::Event, "event"),
];

/// Counts of one kind over all entries.
#[derive(Debug, Default)]
struct Score {
    wanted: usize,
    found: usize,
    certain: usize,
    wrong_certain: usize,
    extra_conditional: usize,
}

/// Everything that is counted.
#[derive(Debug, Default)]
struct Tally {
    kinds: BTreeMap<&'static str, Score>,
    entries: usize,
    exact: usize,
    verdicts: usize,
    /// Why registrations are unresolved, while loading and after it.
    reasons: [BTreeMap<String, usize>; 2],
    time: Duration,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("corpus: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether the score is what the project asks of itself.
fn run() -> Result<bool, Box<dyn Error>> {
    let verbose = std::env::args().any(|it| it == "--verbose");
    let here = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let packages = match std::env::args().skip_while(|it| it != "--packages").nth(1) {
        Some(path) => Utf8PathBuf::from(path).canonicalize_utf8()?,
        None => installed(&here)?,
    };
    let truth: Vec<Truth> = serde_json::from_str(&std::fs::read_to_string(here.join("truth.json"))?)?;
    let home = tempfile::tempdir()?;
    let home = Utf8PathBuf::try_from(home.path().canonicalize()?)?;
    for directory in ["agent", "project"] {
        std::fs::create_dir(home.join(directory))?;
    }
    let mut tally = Tally::default();
    for entry in &truth {
        let root = match entry.package.as_str() {
            "examples" => packages.join("node_modules/@earendil-works/pi-coding-agent/examples/extensions"),
            name => packages.join("node_modules").join(name),
        };
        let start = Instant::now();
        let extension = evaluate(&root.join(&entry.path), &home).ok_or("the entry is not in the report")?;
        tally.time += start.elapsed();
        tally.add(entry, &extension, verbose);
    }
    tally.print();
    Ok(tally.is_good())
}

/// The directory that holds the packages, installed if need be.
fn installed(here: &Utf8Path) -> Result<Utf8PathBuf, Box<dyn Error>> {
    let to = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    if !to.join("node_modules").exists() {
        std::fs::create_dir_all(&to)?;
        for file in ["package.json", "package-lock.json"] {
            std::fs::copy(here.join(file), to.join(file))?;
        }
        let npm = ["ci", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
        let status = Command::new("npm").args(npm).current_dir(&to).status()?;
        if !status.success() {
            return Err("npm could not install the corpus".into());
        }
    }
    Ok(to.canonicalize_utf8()?)
}

/// What pi-why finds for one entry alone, in an empty installation and environment.
fn evaluate(entry: &Utf8Path, home: &Utf8Path) -> Option<LoadedExtension> {
    let environment = Environment {
        variables: BTreeMap::new(),
        home: home.to_owned(),
        platform: Platform::current(),
        architecture: architecture(),
    };
    let options = pi_why::Options {
        install: install::Options {
            cwd: home.join("project"),
            agent_dir: Some(home.join("agent")),
            extensions: vec![entry.to_string()],
            no_extensions: true,
            ..install::Options::default()
        },
        ..pi_why::Options::default()
    };
    let report = pi_why::inspect(&RememberedDisk::new(), &environment, &options);
    report.order.into_iter().find(|it| it.entry.path == entry)
}

impl Tally {
    fn add(&mut self, truth: &Truth, found: &LoadedExtension, verbose: bool) {
        let label = format!("{} {}", truth.package, truth.path);
        let tell = |text: String| {
            if verbose {
                println!("{label}: {text}");
            }
        };
        self.entries += 1;
        let loads = found.status == LoadStatus::Loaded;
        if loads == truth.loads {
            self.verdicts += 1;
        } else {
            tell(format!("Pi loads it: {}, here: {} ({})", truth.loads, loads, found.reason()));
        }
        let mut exact = loads == truth.loads;
        if truth.loads {
            for (kind, key) in KINDS {
                let wanted = names(truth, key);
                let (certain, possible) = claims(found, kind);
                let score = self.kinds.entry(key).or_default();
                let missed: Vec<_> =
                    wanted.iter().filter(|&it| !certain.contains(it) && !possible.contains(it)).collect();
                let wrong: Vec<_> = certain.difference(&wanted).collect();
                score.wanted += wanted.len();
                score.found += wanted.len() - missed.len();
                score.certain += wanted.intersection(&certain).count();
                score.wrong_certain += wrong.len();
                score.extra_conditional +=
                    possible.difference(&wanted).filter(|&it| !certain.contains(it)).count();
                exact &= missed.is_empty() && wrong.is_empty();
                for name in missed {
                    tell(format!("misses {key} {name:?}"));
                }
                for name in wrong {
                    tell(format!("wrongly certain of {key} {name:?}"));
                }
                for name in possible.iter().filter(|&it| !certain.contains(it)) {
                    tell(format!("only conditional {key} {name:?} ({})", conditions(found, kind, name)));
                }
            }
        }
        self.exact += usize::from(exact);
        for it in found.unresolved() {
            if let Certainty::Unresolved(reason, _) = &it.certainty {
                tell(format!(
                    "unresolved {:?} in {:?}: {:?} {}",
                    it.kind, it.phase, reason.kind, reason.text
                ));
                let when = usize::from(it.phase != Phase::Factory);
                if let Some(reasons) = self.reasons.get_mut(when) {
                    *reasons.entry(format!("{:?}: {}", reason.kind, reason.text)).or_default() += 1;
                }
            }
        }
    }

    fn print(&self) {
        println!(
            "{:16} {:>7} {:>6} {:>8} {:>6} {:>6}",
            "kind", "in Pi", "found", "certain", "wrong", "extra"
        );
        for (kind, it) in &self.kinds {
            println!(
                "{kind:16} {:>7} {:>6} {:>8} {:>6} {:>6}",
                it.wanted, it.found, it.certain, it.wrong_certain, it.extra_conditional
            );
        }
        let all = self.sum();
        for (when, reasons) in ["while loading", "after loading"].iter().zip(&self.reasons) {
            println!("unresolved {when}, by reason: {}", reasons.values().sum::<usize>());
            let mut reasons: Vec<_> = reasons.iter().collect();
            reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(*count));
            for (reason, count) in reasons {
                println!("  {count:>4}  {reason}");
            }
        }
        println!("verdict on loading right: {} of {}", self.verdicts, self.entries);
        println!(
            "entries exact: {} of {} ({:.1}%)",
            self.exact,
            self.entries,
            share(self.exact, self.entries)
        );
        println!(
            "registrations found: {} of {} ({:.1}%)",
            all.found,
            all.wanted,
            share(all.found, all.wanted)
        );
        println!("of those certain: {} ({:.1}%)", all.certain, share(all.certain, all.found));
        println!(
            "certain, but not in Pi: {}; conditional, but not in Pi: {}",
            all.wrong_certain, all.extra_conditional
        );
        println!("time: {:.0} ms", self.time.as_secs_f64() * 1000.0);
    }

    fn sum(&self) -> Score {
        self.kinds.values().fold(Score::default(), |sum, it| Score {
            wanted: sum.wanted + it.wanted,
            found: sum.found + it.found,
            certain: sum.certain + it.certain,
            wrong_certain: sum.wrong_certain + it.wrong_certain,
            extra_conditional: sum.extra_conditional + it.extra_conditional,
        })
    }

    /// 97% of entries exact, 98.5% of registrations found, 95% of those certain, none wrongly so, every verdict right.
    fn is_good(&self) -> bool {
        let all = self.sum();
        share(self.exact, self.entries) >= 97.0
            && share(all.found, all.wanted) >= 98.5
            && share(all.certain, all.found) >= 95.0
            && all.wrong_certain == 0
            && self.verdicts == self.entries
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts of a few thousand")]
fn share(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn names(truth: &Truth, key: &str) -> BTreeSet<String> {
    let list = truth.names.get(key).and_then(serde_json::Value::as_array);
    list.into_iter().flatten().filter_map(|it| it.as_str().map(str::to_owned)).collect()
}

/// The names of one kind that it registers while loading: those that are certain, and the others.
fn claims(found: &LoadedExtension, kind: Kind) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut certain = BTreeSet::new();
    let mut possible = BTreeSet::new();
    for it in found.registrations.iter().filter(|it| it.kind == kind && it.phase == Phase::Factory) {
        if let Some(name) = &it.name {
            let set = if it.certainty.is_certain() { &mut certain } else { &mut possible };
            set.insert(name.to_string());
        }
    }
    (certain, possible)
}

/// What a conditional registration depends on, as written.
fn conditions(found: &LoadedExtension, kind: Kind, name: &str) -> String {
    let it = found.registrations.iter().find(|it| it.kind == kind && it.name.as_deref() == Some(name));
    match it.map(|it| &it.certainty) {
        Some(Certainty::Conditional(conditions)) => {
            let each = conditions.iter().map(|it| {
                let not = if it.holds { "" } else { "not " };
                format!("{not}{} [{:?}: {}]", it.text, it.reason.kind, it.reason.text)
            });
            each.collect::<Vec<_>>().join(" and ")
        }
        _ => String::new(),
    }
}
