//! All modules of one run: read, parsed and lowered once each, whoever asks, from whichever thread.
//!
//! Says for each file whether jiti transpiles it or Node loads it, as jiti's `eval_evalModule` decides
//! (rules, section 1.6). What Node fails to load jiti transpiles after all, so that a native module counts as such only when
//! Node gets through everything that it imports.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use camino::{Utf8Path, Utf8PathBuf};
use rustc_hash::FxHashSet;

use super::esm_syntax::{has_esm_syntax, may_be_module};
use super::ir::{Dialect, Expr, Module, Range, UnaryOp};
use super::memo::Memo;
use super::mentions::Mentions;
use super::nesting::{density, too_deep_at};
use super::outline::Outline;
use super::parse::{Goal, Refusal, outline, parse};
use super::problem::LoadProblem;
use super::resolve::{Asking, Format, Importer, Missing, ModuleFile, Place, Resolution, Resolver, Treatment};
use super::workers::Workers;
use crate::files::Files;
use crate::location::{FileId, SourceMap, Span};

/// Files larger than this are not parsed.
const SIZE_LIMIT: u64 = 16 << 20;

/// Entries from this size on are bundles that take long to parse: some threads begin with them.
const LARGE: u64 = 256 << 10;

/// Files with more words, brackets and operators than this are not parsed: each takes some hundred bytes on the way.
const DENSITY_LIMIT: usize = 2_500_000;

/// Where each request of a module leads; `None` for the erased ones.
pub type Links = Arc<[Option<Resolution>]>;

/// A text that was read.
#[derive(Debug, Clone)]
struct Text {
    file: FileId,
    content: Arc<str>,
    /// Whether it may be parsed, once somebody has asked.
    excess: Arc<OnceLock<Result<(), LoadProblem>>>,
}

impl Text {
    /// Why it is not parsed, if it is not.
    fn refuse_excess(&self, path: &Utf8Path) -> Result<(), LoadProblem> {
        self.excess.get_or_init(|| refuse_excess(path, self.file, &self.content)).clone()
    }
}

/// Texts that were read and what parsing made of them: kept from one run to the next over files whose code is the same. Their
/// spans point into [`Library::sources`].
#[derive(Debug, Default)]
pub struct Library {
    /// Every text that was read.
    pub sources: Arc<SourceMap>,
    workers: Workers,
    texts: Memo<Box<str>, Result<Text, LoadProblem>>,
    parsed: Memo<ModuleFile, Result<Arc<Module>, LoadProblem>>,
    outlines: Memo<ModuleFile, Result<Arc<Outline>, LoadProblem>>,
    mentions: Memo<FileId, Arc<Mentions>>,
}

/// The modules of one run.
pub struct Modules<'a> {
    files: &'a dyn Files,
    resolver: Resolver<'a>,
    library: &'a Library,
    links: Memo<ModuleFile, Result<Links, LoadProblem>>,
    /// Where Node takes the requests of a module that it loads; `None` where it does not get through.
    native_links: Memo<ModuleFile, Result<Links, LoadProblem>>,
    /// Modules that Node gets through with everything that they import.
    sound: RwLock<FxHashSet<ModuleFile>>,
    treatments: Memo<(Box<str>, Asking), Resolution>,
}

impl<'a> Modules<'a> {
    /// None yet.
    pub fn new(files: &'a dyn Files, library: &'a Library) -> Self {
        Self {
            files,
            resolver: Resolver::new(files),
            library,
            links: Memo::default(),
            native_links: Memo::default(),
            sound: RwLock::default(),
            treatments: Memo::default(),
        }
    }

    /// The threads that parse.
    pub(super) fn workers(&self) -> &Workers {
        &self.library.workers
    }

    /// Whether the file of an entry is a bundle that takes long to parse.
    pub(super) fn is_large(&self, entry: &Utf8Path) -> bool {
        let file = self.entry_path(entry);
        file.is_ok_and(|it| self.files.metadata(&it).is_ok_and(|it| it.size >= LARGE))
    }

    /// What jiti makes of the path of an entry: a file, or a directory with an index.
    pub(super) fn entry(&self, path: &Utf8Path) -> Result<ModuleFile, LoadProblem> {
        let file = self.entry_path(path)?;
        match self.treated(&file, Asking::Import) {
            Resolution::File(file) => Ok(file),
            Resolution::Missing(missing) => Err(LoadProblem::unresolvable(&missing, None)),
            Resolution::Host(_) | Resolution::Builtin(_) | Resolution::Opaque(_) => {
                Err(LoadProblem::unresolvable(&Missing::opaque(path), None))
            }
        }
    }

    /// The file that an entry means.
    pub fn entry_path(&self, path: &Utf8Path) -> Result<Utf8PathBuf, LoadProblem> {
        self.resolver.entry(path).map_err(|missing| LoadProblem::unresolvable(&missing, None))
    }

    /// The folder of the package that an entry belongs to: that of the nearest `package.json`, else its own.
    pub fn package_of<'p>(&self, entry: &'p Utf8Path) -> &'p Utf8Path {
        let mut folders = entry.ancestors().skip(1);
        let root = folders.find(|it| self.files.is_file(&it.join("package.json")));
        root.or(entry.parent()).unwrap_or(entry)
    }

    /// The module of a file: read, parsed and lowered the first time, remembered afterwards.
    pub fn module(&self, file: &ModuleFile) -> Result<Arc<Module>, LoadProblem> {
        self.library.parsed.get(file, || self.load(file))
    }

    /// The module of a file, if it has been asked for already.
    pub(super) fn lowered(&self, file: &ModuleFile) -> Option<Result<Arc<Module>, LoadProblem>> {
        self.library.parsed.known(file)
    }

    /// What a module mentions that matters for registering.
    pub(super) fn mentions(&self, module: &Module) -> Arc<Mentions> {
        self.library.mentions.get(&module.file, || Arc::new(Mentions::of(module)))
    }

    /// Where each of [`Module::requests`] leads.
    pub fn links(&self, file: &ModuleFile) -> Result<Links, LoadProblem> {
        self.links.get(file, || self.link(file))
    }

    fn link(&self, file: &ModuleFile) -> Result<Links, LoadProblem> {
        let outline = self.outline(file)?;
        let native = if file.treatment.is_native() { Some(self.native_links(file)?) } else { None };
        let links = outline.requests.iter().enumerate().map(|(index, request)| {
            let by_node = native.as_ref().and_then(|it| it.get(index)?.clone());
            let by_jiti = || self.by_jiti(&file.path, &request.specifier, Asking::Import);
            (!request.erased).then(|| by_node.unwrap_or_else(by_jiti))
        });
        Ok(links.collect())
    }

    /// Where Node takes the requests of a module that it loads.
    pub(super) fn native_links(&self, file: &ModuleFile) -> Result<Links, LoadProblem> {
        self.native_links.get(file, || {
            let outline = self.outline(file)?;
            let requests = outline.requests.iter();
            Ok(requests.map(|it| self.by_node(&file.path, &it.specifier, Asking::Import)).collect())
        })
    }

    /// Where a specifier of a module leads.
    pub fn resolve(&self, from: Importer<'_>, specifier: &str, asking: Asking) -> Resolution {
        let is_native = from.treatment.is_native();
        let by_node = if is_native { self.by_node(from.path, specifier, asking) } else { None };
        by_node.unwrap_or_else(|| self.by_jiti(from.path, specifier, asking))
    }

    /// Where Node takes a specifier of a module that it loads; `None` when it does not get through and jiti steps in.
    fn by_node(&self, from: &Utf8Path, specifier: &str, asking: Asking) -> Option<Resolution> {
        match self.resolver.by_node(from, specifier, asking) {
            Place::File(path) => self.native_treatment(&path, asking),
            Place::Missing(_) => None,
            place => Some(settled(place)),
        }
    }

    fn by_jiti(&self, from: &Utf8Path, specifier: &str, asking: Asking) -> Resolution {
        match self.resolver.by_jiti(from, specifier, asking) {
            Place::File(path) => self.treated(&path, asking),
            place => settled(place),
        }
    }

    /// How jiti loads a file.
    fn treated(&self, path: &Utf8Path, asking: Asking) -> Resolution {
        self.treatments.get(&(path.as_str().into(), asking), || self.treat(path, asking))
    }

    fn treat(&self, path: &Utf8Path, asking: Asking) -> Resolution {
        let as_file = |treatment| Resolution::File(ModuleFile { path: path.to_owned(), treatment });
        let never_transpiled = ["node_modules/typescript/", "node_modules/jiti/"];
        if never_transpiled.iter().any(|part| path.as_str().contains(part)) {
            return self
                .native_treatment(path, asking)
                .unwrap_or_else(|| Resolution::Missing(Missing::not_stripped(path)));
        }
        match self.resolver.jiti_format(path) {
            Format::Json => match self.resolver.json_problem(path) {
                Some(message) => Resolution::Missing(Missing::broken(path, message)),
                None => as_file(Treatment::Json),
            },
            Format::Binary => Resolution::Opaque(path.to_owned()),
            Format::Unknown if asking == Asking::Import => {
                Resolution::Missing(Missing::unknown_extension(path))
            }
            Format::Unknown => as_file(Treatment::NativeCommonJs),
            Format::TypeScript => as_file(Treatment::Fresh),
            Format::Module | Format::CommonJs | Format::Undecided => match self.native_try(path, asking) {
                Some(file) if self.loads_natively(&file) => Resolution::File(file),
                _ => as_file(Treatment::Fresh),
            },
        }
    }

    /// What jiti hands a file to Node as, to transpile it only when Node does not get through.
    pub(super) fn native_try(&self, path: &Utf8Path, asking: Asking) -> Option<ModuleFile> {
        let is_tried = match self.resolver.jiti_format(path) {
            Format::Module => asking == Asking::Import,
            Format::CommonJs => true,
            Format::Undecided => !self.text(path).is_ok_and(|it| has_esm_syntax(&it.content)),
            Format::TypeScript | Format::Json | Format::Binary | Format::Unknown => false,
        };
        match is_tried.then(|| self.native_treatment(path, asking)).flatten() {
            Some(Resolution::File(file)) => Some(file),
            _ => None,
        }
    }

    /// How Node loads a file; `None` when it refuses to.
    fn native_treatment(&self, path: &Utf8Path, asking: Asking) -> Option<Resolution> {
        let as_file = |treatment| Resolution::File(ModuleFile { path: path.to_owned(), treatment });
        Some(match self.resolver.node_format(path) {
            Format::Module => as_file(Treatment::NativeEsm),
            Format::CommonJs => as_file(Treatment::NativeCommonJs),
            Format::Json => as_file(Treatment::Json),
            Format::Binary => Resolution::Opaque(path.to_owned()),
            Format::Unknown if asking == Asking::Require => as_file(Treatment::NativeCommonJs),
            Format::TypeScript | Format::Unknown => return None,
            Format::Undecided => {
                let common_js = ModuleFile { path: path.to_owned(), treatment: Treatment::NativeCommonJs };
                let module = ModuleFile { path: path.to_owned(), treatment: Treatment::NativeEsm };
                let is_module = self.outline(&common_js).is_err()
                    && self.outline(&module).is_ok_and(|outline| outline.is_esm);
                Resolution::File(if is_module { module } else { common_js })
            }
        })
    }

    /// Whether Node gets through a module and everything that it imports, so that jiti need not step in.
    fn loads_natively(&self, root: &ModuleFile) -> bool {
        if root.treatment != Treatment::NativeEsm {
            return self.outline(root).is_ok() && self.parses(root);
        }
        let is_sound =
            |file: &ModuleFile| self.sound.read().unwrap_or_else(PoisonError::into_inner).contains(file);
        let mut seen = FxHashSet::default();
        let mut waiting = vec![root.clone()];
        while let Some(file) = waiting.pop() {
            if is_sound(&file) || !seen.insert(file.clone()) {
                continue;
            }
            let (Ok(outline), Ok(links)) = (self.outline(&file), self.native_links(&file)) else {
                return false;
            };
            if !is_installed(&file.path) && self.module(&file).is_ok_and(|it| needs_commonjs(&it)) {
                return false;
            }
            for (request, link) in outline.requests.iter().zip(&*links) {
                match link {
                    Some(Resolution::File(child)) => {
                        if !request.names.iter().all(|name| self.may_export(child, name)) {
                            return false;
                        }
                        if child.treatment == Treatment::NativeEsm {
                            waiting.push(child.clone());
                        }
                    }
                    Some(_) => {}
                    None => return false,
                }
            }
        }
        self.sound.write().unwrap_or_else(PoisonError::into_inner).extend(seen);
        true
    }

    /// Node refuses a named import that an ECMAScript module does not export. What CommonJS exports is
    /// found out by running it: taken to be there.
    fn may_export(&self, file: &ModuleFile, name: &str) -> bool {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![file.clone()];
        while let Some(file) = waiting.pop() {
            if file.treatment != Treatment::NativeEsm {
                return true;
            }
            let Ok(outline) = self.outline(&file) else { return true };
            if outline.is_open || outline.exports.iter().any(|it| &**it == name) {
                return true;
            }
            let stars = outline.stars.iter().filter(|_| name != "default");
            let Ok(links) = self.native_links(&file) else { return true };
            for star in stars {
                let Some(Some(Resolution::File(child))) = links.get(*star as usize) else { return true };
                if seen.insert(child.clone()) {
                    waiting.push(child.clone());
                }
            }
        }
        false
    }

    /// The text of a module, where it was read.
    pub(super) fn file_id(&self, file: &ModuleFile) -> Option<FileId> {
        self.text(&file.path).ok().map(|text| text.file)
    }

    fn text(&self, path: &Utf8Path) -> Result<Text, LoadProblem> {
        self.library.texts.get(&path.as_str().into(), || self.read(path))
    }

    fn read(&self, path: &Utf8Path) -> Result<Text, LoadProblem> {
        let unreadable = |error| LoadProblem::unreadable(path, &error);
        if self.files.metadata(path).map_err(unreadable)?.size > SIZE_LIMIT {
            let unread = self.library.sources.add(path, "");
            return Err(LoadProblem::too_large(path, SIZE_LIMIT, Span::new(unread, 0, 0)));
        }
        let text: Arc<str> = self.files.read_text(path).map_err(unreadable)?.into();
        let file = self.library.sources.add(path, Arc::clone(&text));
        Ok(Text { file, content: text, excess: Arc::default() })
    }

    /// Parses code that a program has made. It counts as one of a path of its own.
    pub(super) fn made_code(&self, path: &Utf8Path, text: &str) -> Result<Module, LoadProblem> {
        let id = self.library.sources.add(path, text);
        refuse_excess(path, id, text)?;
        match parse(text, id, Dialect::JavaScript, Goal::CommonJs) {
            Ok(module) => Ok(module),
            Err(Refusal::Syntax(error)) => Err(LoadProblem::syntax(path, id, &error)),
            Err(Refusal::TooDeep(at)) => {
                Err(LoadProblem::too_deep(path, Span::new(id, at.start, at.start + 1)))
            }
        }
    }

    /// What a module asks for and what it gives.
    pub(super) fn outline(&self, file: &ModuleFile) -> Result<Arc<Outline>, LoadProblem> {
        self.library.outlines.get(file, || {
            if let Some(Ok(module)) = self.library.parsed.known(file) {
                return Ok(Arc::new(Outline::of_module(&module)));
            }
            if file.treatment.is_native() && is_installed(&file.path) {
                let text = self.text(&file.path)?;
                if is_left_unparsed(file, &text) {
                    return Ok(Arc::default());
                }
                text.refuse_excess(&file.path)?;
                let outline = outline(&text.content, goal(file.treatment));
                let refused = |error| LoadProblem::syntax(&file.path, text.file, &error);
                return outline.map(Arc::new).map_err(refused);
            }
            self.module(file).map(|module| Arc::new(Outline::of_module(&module)))
        })
    }

    /// Whether Node gets through the text of a module, where [`Modules::outline`] has not looked.
    fn parses(&self, file: &ModuleFile) -> bool {
        let Ok(text) = self.text(&file.path) else { return false };
        !is_left_unparsed(file, &text)
            || (text.refuse_excess(&file.path).is_ok()
                && outline(&text.content, goal(file.treatment)).is_ok())
    }

    fn load(&self, file: &ModuleFile) -> Result<Arc<Module>, LoadProblem> {
        let text = self.text(&file.path)?;
        let id = text.file;
        if file.treatment == Treatment::Json {
            let without_mark = text.content.trim_start_matches('\u{feff}');
            return match serde_json::from_str::<serde::de::IgnoredAny>(without_mark) {
                Ok(_) => Ok(Arc::new(super::lower::json(id))),
                Err(error) => Err(LoadProblem::bad_json(&file.path, &error)),
            };
        }
        text.refuse_excess(&file.path)?;
        match parse(&text.content, id, dialect(&file.path), goal(file.treatment)) {
            Ok(module) => Ok(Arc::new(module)),
            Err(Refusal::Syntax(error)) => Err(LoadProblem::syntax(&file.path, id, &error)),
            Err(Refusal::TooDeep(at)) => {
                Err(LoadProblem::too_deep(&file.path, Span::new(id, at.start, at.start + 1)))
            }
        }
    }
}

/// Whether a file belongs to the package in a folder, and not to one that is installed in it.
pub fn belongs_to(file: &Utf8Path, package: &Utf8Path) -> bool {
    let rest = file.as_str().strip_prefix(package.as_str().trim_end_matches('/'));
    rest.is_some_and(|rest| rest.starts_with('/') && !rest.contains("/node_modules/"))
}

fn refuse_excess(path: &Utf8Path, id: FileId, text: &str) -> Result<(), LoadProblem> {
    if text.len() > DENSITY_LIMIT && density(text) > DENSITY_LIMIT {
        return Err(LoadProblem::too_dense(path, DENSITY_LIMIT, Span::new(id, 0, 0)));
    }
    match too_deep_at(text) {
        Some(at) => Err(LoadProblem::too_deep(path, Span::new(id, at, at + 1))),
        None => Ok(()),
    }
}

/// Whether a module is parsed only when somebody evaluates it: `CommonJS` of a package, which imports nothing statically.
fn is_left_unparsed(file: &ModuleFile, text: &Text) -> bool {
    file.treatment == Treatment::NativeCommonJs && is_installed(&file.path) && !may_be_module(&text.content)
}

/// Whether it came with a package manager. What is published parses, or nobody would use it: its early errors are found only when
/// it is evaluated.
fn is_installed(path: &Utf8Path) -> bool {
    path.components().any(|part| part.as_str() == "node_modules")
}

/// Whether running the top level of a module needs a name that only `CommonJS` has, so that it throws in Node's ECMAScript
/// modules. One that asks `typeof` for such a name copes without.
fn needs_commonjs(module: &Module) -> bool {
    let is_name = |name: &str| matches!(name, "module" | "exports" | "require" | "__filename" | "__dirname");
    let names = |expr: &Expr| matches!(expr, Expr::Global(name) if is_name(name));
    let mut places = module.exprs.iter().filter(|(expr, _)| names(expr)).map(|(_, range)| *range).peekable();
    if places.peek().is_none() {
        return false;
    }
    let asks = |expr: &Expr| match expr {
        Expr::Unary { op: UnaryOp::Typeof, operand } => names(module.expr(*operand)),
        _ => false,
    };
    let is_put_off = |range: &Range| {
        module.functions.iter().any(|it| it.at.start <= range.start && range.end <= it.at.end)
    };
    !module.exprs.iter().any(|(expr, _)| asks(expr)) && places.any(|it| !is_put_off(&it))
}

fn goal(treatment: Treatment) -> Goal {
    match treatment {
        Treatment::Fresh | Treatment::Json => Goal::Transpiled,
        Treatment::NativeEsm => Goal::Module,
        Treatment::NativeCommonJs => Goal::CommonJs,
    }
}

/// The language that jiti takes a file for, by its extension.
fn dialect(path: &Utf8Path) -> Dialect {
    match path.extension() {
        Some("ts" | "mts" | "cts" | "tsx" | "mtsx" | "ctsx") => Dialect::TypeScript,
        _ => Dialect::JavaScript,
    }
}

fn settled(place: Place) -> Resolution {
    match place {
        Place::Host(host) => Resolution::Host(host),
        Place::Builtin(name) => Resolution::Builtin(name),
        Place::File(path) => Resolution::Opaque(path),
        Place::Data => Resolution::Opaque(Utf8PathBuf::from("data:")),
        Place::Missing(missing) => Resolution::Missing(missing),
    }
}
