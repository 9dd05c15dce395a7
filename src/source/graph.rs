//! What an entry's static imports reach, in the order in which the loader evaluates it, and the first thing that keeps the loader
//! from getting through (rules, section 1.6).
//!
//! Everything that is not erased is resolved and parsed, short of the host's packages and Node's own modules.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::modules::{Links, Modules, belongs_to};
use super::problem::LoadProblem;
use super::resolve::{Asking, Importer, ModuleFile, Resolution, Treatment};
use super::workers::Queue;
use crate::location::Span;

/// More modules than this are not looked at for one entry.
const MODULE_LIMIT: usize = 20_000;

/// What loading an entry brings to light before any code runs.
#[derive(Debug, Clone)]
pub struct Graph {
    /// The entry's own module.
    pub entry: Option<ModuleFile>,
    /// The modules that static imports reach, in the order in which they are evaluated; the entry last. When there is a
    /// problem, those that are evaluated before it shows.
    pub order: Vec<ModuleFile>,
    /// The first thing that keeps the loader from getting through.
    pub problem: Option<LoadProblem>,
}

/// Graphs that are being loaded in the background.
pub struct Ahead<'q> {
    graphs: FxHashMap<Utf8PathBuf, Receiver<Graph>>,
    queue: &'q Queue<Job<'q>>,
}

impl Ahead<'_> {
    /// The graph of an entry, once it is there; `None` when nobody loads it.
    pub fn take(&mut self, path: &Utf8Path) -> Option<Graph> {
        let graph = self.graphs.remove(path)?;
        graph.try_recv().or_else(|_| self.queue.wait_for(|| graph.recv())).ok()
    }
}

/// What is done in the background.
#[derive(Debug)]
enum Job<'p> {
    /// Loading the graph of an entry.
    Graph(&'p Utf8Path, SyncSender<Graph>),
    /// Reading and parsing what the entry loads only while it runs.
    Late(&'p Utf8Path),
}

/// A module whose imports are being walked.
struct Visit {
    file: ModuleFile,
    links: Links,
    next: usize,
}

impl Modules<'_> {
    /// Loads what the static imports of an entry reach.
    pub fn load_graph(&self, path: &Utf8Path) -> Graph {
        self.workers().run(|| self.graph(path))
    }

    /// Loads what entries reach beside what `run` does with them one after the other.
    pub fn load_ahead<R>(&self, paths: &[&Utf8Path], run: impl FnOnce(Ahead<'_>) -> R) -> R {
        let mut graphs = FxHashMap::default();
        let mut jobs = Vec::new();
        for &path in paths {
            let (sender, receiver) = sync_channel(1);
            if graphs.insert(path.to_owned(), receiver).is_none() {
                jobs.push((Job::Graph(path, sender), self.is_large(path)));
            }
        }
        jobs.extend(paths.iter().map(|path| (Job::Late(path), false)));
        let queue = Queue::new(jobs);
        let ahead = Ahead { graphs, queue: &queue };
        self.workers().beside(&queue, |job| self.work_on(job), || run(ahead))
    }

    fn work_on(&self, job: Job<'_>) {
        match job {
            // Nobody waits for a graph once the run is over.
            Job::Graph(path, sender) => drop(sender.send(self.graph(path))),
            Job::Late(path) => {
                if let Ok(entry) = self.entry(path) {
                    self.warm_up(&entry, self.package_of(path), Self::links_with_late);
                }
            }
        }
    }

    /// Where the requests of a module lead, and those modules of its own that it loads while it runs. What it mentions will be
    /// asked for then, too.
    fn links_with_late(&self, file: &ModuleFile) -> Result<Links, LoadProblem> {
        let links = self.links(file)?;
        let Some(Ok(module)) = self.lowered(file) else { return Ok(links) };
        self.mentions(&module);
        if module.loads.is_empty() {
            return Ok(links);
        }
        let importer = Importer { path: &file.path, treatment: file.treatment };
        let late = module.loads.iter().map(|it| Some(self.resolve(importer, &it.specifier, Asking::Import)));
        Ok(links.iter().cloned().chain(late).collect())
    }

    fn graph(&self, path: &Utf8Path) -> Graph {
        let package = self.package_of(path);
        let native = self.entry_path(path).ok().and_then(|it| self.native_try(&it, Asking::Import));
        if let Some(native) = native {
            self.warm_up(&native, package, Self::native_links);
        }
        match self.entry(path) {
            Ok(entry) => {
                self.warm_up(&entry, package, Self::links);
                self.walk(&entry)
            }
            Err(problem) => Graph { entry: None, order: Vec::new(), problem: Some(problem) },
        }
    }

    /// Reads and parses in parallel what will be asked for one after the other. The package's own code will be evaluated, so that
    /// it is lowered along with it.
    fn warm_up(
        &self,
        entry: &ModuleFile,
        package: &Utf8Path,
        links: fn(&Self, &ModuleFile) -> Result<Links, LoadProblem>,
    ) {
        let mut seen = FxHashSet::from_iter([entry.clone()]);
        let mut frontier = vec![entry.clone()];
        while !frontier.is_empty() && seen.len() < MODULE_LIMIT {
            let reached: Vec<Vec<ModuleFile>> = frontier
                .par_iter()
                .map(|file| {
                    if belongs_to(&file.path, package) && file.treatment != Treatment::Json {
                        // Whoever needs it sees the problem.
                        drop(self.module(file));
                    }
                    match links(self, file) {
                        Ok(links) => links.iter().flatten().filter_map(file_of).cloned().collect(),
                        Err(_) => Vec::new(),
                    }
                })
                .collect();
            frontier = reached.into_iter().flatten().filter(|file| seen.insert(file.clone())).collect();
        }
    }

    fn walk(&self, entry: &ModuleFile) -> Graph {
        let mut seen = FxHashSet::from_iter([entry.clone()]);
        let mut order = Vec::new();
        let mut around = Vec::new();
        let mut problem = self.visit(entry.clone(), &mut around).err();
        while problem.is_none()
            && let Some(visit) = around.last_mut()
        {
            let Some(link) = visit.links.get(visit.next) else {
                order.extend(around.pop().map(|visit| visit.file));
                continue;
            };
            visit.next += 1;
            match link {
                Some(Resolution::File(file)) if seen.insert(file.clone()) => {
                    let file = file.clone();
                    problem = if seen.len() > MODULE_LIMIT {
                        Some(LoadProblem::too_many_modules(MODULE_LIMIT))
                    } else {
                        self.visit(file, &mut around).err()
                    };
                }
                Some(Resolution::Missing(missing)) => {
                    let at = self.request_span(&visit.file, visit.next - 1);
                    problem = Some(LoadProblem::unresolvable(missing, at));
                }
                _ => {}
            }
        }
        Graph { entry: Some(entry.clone()), order, problem }
    }

    fn visit(&self, file: ModuleFile, around: &mut Vec<Visit>) -> Result<(), LoadProblem> {
        let links = self.links(&file)?;
        around.push(Visit { file, links, next: 0 });
        Ok(())
    }

    /// Where a module names what it imports.
    fn request_span(&self, file: &ModuleFile, index: usize) -> Option<Span> {
        let at = self.outline(file).ok()?.requests.get(index)?.at;
        Some(Span::new(self.file_id(file)?, at.start, at.end))
    }
}

fn file_of(link: &Resolution) -> Option<&ModuleFile> {
    match link {
        Resolution::File(file) => Some(file),
        _ => None,
    }
}
