//! Whatever the text, parsing and lowering it ends in a module or a complaint.

use proptest::prelude::*;

use super::ir::Dialect;
use super::nesting::too_deep_at;
use super::parse::{Goal, parse};
use crate::location::SourceMap;

/// Pieces of programs, the odd ones more often than people write them.
const PIECES: &[&str] = &[
    "a",
    "b",
    "async",
    "await",
    "yield",
    "let",
    "const",
    "var",
    "of",
    "in",
    "as",
    "satisfies",
    "type",
    "interface",
    "enum",
    "namespace",
    "declare",
    "abstract",
    "class",
    "extends",
    "super",
    "this",
    "new",
    "new.target",
    "function",
    "function*",
    "static",
    "get",
    "set",
    "constructor",
    "#p",
    "@d",
    "return",
    "throw",
    "try",
    "catch",
    "finally",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "import",
    "export",
    "from",
    "import.meta",
    "import(",
    "with",
    "typeof",
    "void",
    "delete",
    "instanceof",
    "null",
    "undefined",
    "arguments",
    "eval",
    "0",
    "1n",
    "0x",
    "1e",
    "'s'",
    "\"t\"",
    "'",
    "`",
    "`${",
    "}`",
    "/r/g",
    "/",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "=>",
    "=",
    "==",
    "===",
    "+=",
    "??=",
    "&&",
    "||",
    "??",
    "?",
    "?.",
    ":",
    ";",
    ",",
    ".",
    "...",
    "!",
    "~",
    "+",
    "-",
    "++",
    "--",
    "**",
    "%",
    "&",
    "|",
    "^",
    "<<",
    ">>>",
    "//",
    "/*",
    "*/",
    "#!",
    "<!--",
    "-->",
    "\n",
    "\u{2028}",
    "\u{feff}",
    "\\u0061",
    "ü",
    "😀",
    "require",
    "module",
    "exports",
    "label:",
];

fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => "\\PC{0,4}",
    ];
    let glue = proptest::sample::select(vec![" ", " ", "", "\n"]);
    proptest::collection::vec((piece, glue), 0..120)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, glue)| piece + glue).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_answered(text in soup()) {
        let file = SourceMap::new().add("/m", text.as_str());
        let _ = too_deep_at(&text);
        for (dialect, goal) in [
            (Dialect::TypeScript, Goal::Transpiled),
            (Dialect::JavaScript, Goal::Module),
            (Dialect::JavaScript, Goal::CommonJs),
        ] {
            if let Ok(module) = parse(&text, file, dialect, goal) {
                let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
                prop_assert!(module.exprs.iter().all(|(_, at)| at.start <= at.end && at.end <= end));
            }
        }
    }
}
