//! Complaints of oxc that Pi's parsers do not share.
//!
//! oxc checks a part of what TypeScript's own compiler checks. Babel takes most of it without a word. The list was found by asking the
//! real Pi about every one of oxc's numbered complaints (`tests/loading/grammar.mjs`).

use oxc_diagnostics::OxcDiagnostic;

/// Numbers of TypeScript's complaints that Babel does not raise.
const NUMBERS: &[&str] = &[
    "1015", "1016", "1021", "1035", "1036", "1038", "1051", "1063", "1093", "1094", "1095", "1147", "1221",
    "1222", "1234", "1235", "1249", "1263", "1264", "1265", "1266", "1268", "1316", "1337", "1338", "2309",
    "2390", "2391", "2398", "2670", "2681", "5085",
];

/// Beginnings of complaints without a number that Babel does not raise.
const MESSAGES: &[&str] = &[
    "Enum member must have initializer",
    "Getters and setters must have an implementation",
    "Type alias name cannot be ",
    "Type parameter name cannot be ",
    "Class name cannot be ",
    "Enum name cannot be ",
    "Interface name cannot be ",
];

/// Whether Pi loads the file in spite of this.
pub(super) fn is_tolerated(complaint: &OxcDiagnostic) -> bool {
    let numbered = complaint.code.number.as_deref().is_some_and(|number| NUMBERS.contains(&number));
    numbered
        || MESSAGES.iter().any(|start| complaint.message.starts_with(start))
        || complaint.message.ends_with("statement cannot use a type annotation.")
}

/// Whether it is about one name declared twice, and where the second declaration stands.
pub(super) fn second_declaration(complaint: &OxcDiagnostic) -> Option<u32> {
    let is_redeclaration = complaint.message.starts_with("Identifier `")
        && complaint.message.ends_with("` has already been declared");
    complaint.labels.get(1).filter(|_| is_redeclaration).map(oxc_diagnostics::LabeledSpan::offset)
}
