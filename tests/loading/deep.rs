//! Absurd files are answered: no stack runs over, and what is merely long is read.

use camino::Utf8Path;
use pi_why::source::modules::{Library, Modules};
use pi_why::source::problem::LoadProblemKind;

use super::{Memory, ROOT};

fn problem(name: &str, text: String) -> Option<LoadProblemKind> {
    let files = Memory::single(name, text);
    let library = Library::default();
    let modules = Modules::new(&files, &library);
    modules.load_graph(&Utf8Path::new(ROOT).join(name)).problem.map(|problem| problem.kind)
}

#[test]
fn nesting_without_end_is_not_looked_into() {
    let many = 100_000;
    let nested = [
        format!("x = {}1{}", "(".repeat(many), ")".repeat(many)),
        format!("x = {}{}", "[".repeat(many), "]".repeat(many)),
        format!("x = {}1", "!".repeat(many)),
        format!("x = {}1", "a => ".repeat(many)),
        format!("{}{{}}", "if (a) {} else ".repeat(many)),
        format!("{};", "if (a) ".repeat(many)),
        format!("x = {}1{}", "`${".repeat(many), "}`".repeat(many)),
        format!("x = {}2", "a ? 1 : ".repeat(many)),
        format!("{}{}", "function f() {".repeat(many), "}".repeat(many)),
        format!("let x: {}1{}", "A<".repeat(many), ">".repeat(many)),
    ];
    for text in nested {
        let start = text[..20].to_owned();
        assert_eq!(problem("e.ts", text), Some(LoadProblemKind::TooDeep), "{start}");
    }
}

#[test]
fn as_deep_as_it_may_be() {
    let many = 3_900;
    for (before, middle, after) in
        [("(", "1", ")"), ("[", "", "]"), ("!", "1", ""), ("a => ", "1", ""), ("`${", "1", "}`")]
    {
        let text = format!("x = {}{middle}{}", before.repeat(many), after.repeat(many));
        assert_eq!(problem("e.ts", text), None, "{before}");
    }
    assert_eq!(problem("e.ts", format!("{}{{}}", "if (a) {} else ".repeat(many / 2))), None);
    assert_eq!(problem("e.ts", format!("{}{}", "{".repeat(many), "}".repeat(many))), None);
    assert_eq!(problem("e.ts", format!("{}{}", "() => {".repeat(many / 2), "}".repeat(many / 2))), None);
}

#[test]
fn what_is_long_is_read() {
    assert_eq!(problem("e.cjs", format!("x = a{}", " + a".repeat(20_000))), None);
    assert_eq!(problem("e.cjs", format!("x = a{}", ".b()".repeat(20_000))), None);
    assert_eq!(problem("e.cjs", format!("x = [{}]", "1,".repeat(200_000))), None);
    assert_eq!(problem("e.cjs", format!("x = {{{}}}", "a: 'b',".repeat(50_000))), None);
}

#[test]
fn a_file_beyond_the_limit_is_not_parsed() {
    let text = format!("// {}\n", "x".repeat(16 << 20));
    assert_eq!(problem("e.ts", text), Some(LoadProblemKind::TooLarge));
}
