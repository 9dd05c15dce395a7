//! What loading the corpus, and finding out all about it, cost over what oxc's parser alone costs: `cargo bench --bench loading`.
//!
//! The corpus lies where `cargo run --example corpus` installs it, or where `CORPUS` says.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use divan::Bencher;
use divan::counter::BytesCount;
use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use pi_why::Options;
use pi_why::environment::{Environment, Platform, architecture};
use pi_why::files::{Disk, RememberedDisk};
use pi_why::install;
use pi_why::source::modules::{Library, Modules};
use pi_why::source::resolve::{ModuleFile, Treatment};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// The entries of the corpus.
fn entries() -> Vec<Utf8PathBuf> {
    let here = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = std::env::var("CORPUS").map_or_else(|_| here.join("target/corpus"), Utf8PathBuf::from);
    let truth: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../tests/corpus/truth.json")).unwrap_or_default();
    let text = |entry: &serde_json::Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let path = |entry: &serde_json::Value| match text(entry, "package").as_str() {
        "examples" => corpus
            .join("node_modules/@earendil-works/pi-coding-agent/examples/extensions")
            .join(text(entry, "path")),
        package => corpus.join("node_modules").join(package).join(text(entry, "path")),
    };
    truth.iter().map(path).collect()
}

/// The modules that the program reads for the entries, with their texts: what they import, and what they load while they
/// run as far as that is looked at.
fn modules() -> Vec<(ModuleFile, Arc<str>)> {
    let (environment, options) = everything();
    let report = pi_why::inspect(&RememberedDisk::new(), &environment, &options);
    let library = Library::default();
    let modules = Modules::new(&Disk, &library);
    let mut files: Vec<ModuleFile> =
        entries().iter().flat_map(|entry| modules.load_graph(entry).order).collect();
    let imported: BTreeSet<Utf8PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    let loaded = report.sources.paths().into_iter().filter(|path| !imported.contains(path));
    files.extend(loaded.filter(|path| is_code(path)).map(|path| {
        let treatment = if is_typescript(&path) { Treatment::Fresh } else { Treatment::NativeEsm };
        ModuleFile { path, treatment }
    }));
    files.sort();
    files.dedup();
    files.retain(|file| file.treatment != Treatment::Json);
    let text = |file: &ModuleFile| std::fs::read_to_string(&file.path).unwrap_or_default().into();
    files.into_iter().map(|file| (text(&file), file)).map(|(text, file)| (file, text)).collect()
}

fn is_typescript(path: &Utf8Path) -> bool {
    path.extension().is_some_and(|extension| extension.contains("ts"))
}

fn is_code(path: &Utf8Path) -> bool {
    is_typescript(path) || matches!(path.extension(), Some("js" | "mjs" | "cjs"))
}

fn bytes(modules: &[(ModuleFile, Arc<str>)]) -> BytesCount {
    BytesCount::new(modules.iter().map(|(_, text)| text.len()).sum::<usize>())
}

fn source_type(file: &ModuleFile) -> SourceType {
    let language = if is_typescript(&file.path) { SourceType::ts() } else { SourceType::mjs() };
    language.with_module(true).with_commonjs(file.treatment == Treatment::NativeCommonJs)
}

/// The yardstick.
#[divan::bench(sample_count = 5)]
fn oxc_parser_alone(bencher: Bencher) {
    let modules = modules();
    bencher.counter(bytes(&modules)).bench_local(|| {
        for (file, text) in &modules {
            let allocator = Allocator::default();
            divan::black_box(Parser::new(&allocator, text, source_type(file)).parse().panicked);
        }
    });
}

#[divan::bench(sample_count = 5)]
fn oxc_parser_and_semantic(bencher: Bencher) {
    let modules = modules();
    bencher.counter(bytes(&modules)).bench_local(|| {
        for (file, text) in &modules {
            let allocator = Allocator::default();
            let options = ParseOptions { preserve_parens: false, ..ParseOptions::default() };
            let parsed = Parser::new(&allocator, text, source_type(file)).with_options(options).parse();
            let semantic = SemanticBuilder::new_compiler().build(&parsed.program);
            divan::black_box(semantic.diagnostics.has_errors());
        }
    });
}

/// Resolving, reading, parsing and lowering all that the entries reach, on all cores.
#[divan::bench(sample_count = 5)]
fn load_everything(bencher: Bencher) {
    let entries = entries();
    let modules = modules();
    bencher.counter(bytes(&modules)).bench_local(|| {
        let library = Library::default();
        let modules = Modules::new(&Disk, &library);
        for entry in &entries {
            divan::black_box(modules.load_graph(entry).order.len());
        }
    });
}

/// All that the program does, from the arguments to the report, with every entry in one process.
#[divan::bench(sample_count = 5)]
fn inspect_everything(bencher: Bencher) {
    let (environment, options) = everything();
    let modules = modules();
    // The report is not taken apart within the time: the program, which ends then, does not do so either.
    bencher
        .counter(bytes(&modules))
        .bench_local(|| pi_why::inspect(&RememberedDisk::new(), &environment, &options));
}

/// An installation of nothing but the entries.
fn everything() -> (Environment, Options) {
    let home = Utf8PathBuf::from_path_buf(std::env::temp_dir())
        .unwrap_or_else(|_| "/tmp".into())
        .join("no-such-home");
    let environment = Environment {
        variables: BTreeMap::new(),
        home: home.clone(),
        platform: Platform::current(),
        architecture: architecture(),
    };
    let options = Options {
        install: install::Options {
            cwd: home.join("project"),
            agent_dir: Some(home.join("agent")),
            extensions: entries().iter().map(ToString::to_string).collect(),
            no_extensions: true,
            ..install::Options::default()
        },
        ..Options::default()
    };
    (environment, options)
}
