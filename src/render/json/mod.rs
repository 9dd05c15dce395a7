//! The JSON form: one module per version of the schema.

mod changes;
pub mod v1;

pub use changes::changes;

use super::Paths;
use super::document::{Block, Document, Text};
use crate::gate::check::Checked;
use crate::registry::Contest;
use crate::report::Report;

/// The report as JSON, indented, with a final newline; of the contests, those that are asked about. The same files give
/// the same bytes.
pub fn render(report: &Report, is_asked: &dyn Fn(&Contest) -> bool) -> serde_json::Result<String> {
    let report = v1::Report::from(report, is_asked);
    let mut text = serde_json::to_string_pretty(&report)?;
    text.push('\n');
    Ok(text)
}

/// The report with the result of a check.
pub fn check(checked: &Checked<'_>, report: &Report, paths: &Paths<'_>) -> serde_json::Result<String> {
    let mut whole = v1::Report::from(report, &|_| true);
    whole.check = Some(v1::Check::new(checked, report, paths));
    let mut text = serde_json::to_string_pretty(&whole)?;
    text.push('\n');
    Ok(text)
}

/// The JSON Schema of what [`render`] writes.
pub fn schema() -> serde_json::Result<String> {
    // What is left out when it is empty is required of nobody.
    let generator = schemars::generate::SchemaSettings::default().for_serialize().into_generator();
    let mut text = serde_json::to_string_pretty(&generator.into_root_schema_for::<v1::Report>())?;
    text.push('\n');
    Ok(text)
}

/// The rows of a page that is no report: one object per row, with the columns as keys.
pub fn document(page: &Document) -> serde_json::Result<String> {
    let mut rows = Vec::new();
    for block in &page.blocks {
        let Block::Table(table) = block else { continue };
        for row in &table.rows {
            let cells = table
                .header
                .iter()
                .zip(row)
                .map(|(key, cell)| ((*key).to_owned(), Text::to_plain(cell).into()));
            rows.push(serde_json::Value::Object(cells.collect()));
        }
    }
    let mut text = serde_json::to_string_pretty(&rows)?;
    text.push('\n');
    Ok(text)
}
