//! The JSON form: one module per version of the schema.

pub mod v1;

use crate::report::Report;

/// The report as JSON, indented, with a final newline. The same files give the same bytes.
pub fn render(report: &Report) -> serde_json::Result<String> {
    let mut text = serde_json::to_string_pretty(&v1::Report::from(report))?;
    text.push('\n');
    Ok(text)
}

/// The JSON Schema of what [`render`] writes.
pub fn schema() -> serde_json::Result<String> {
    let mut text = serde_json::to_string_pretty(&schemars::schema_for!(v1::Report))?;
    text.push('\n');
    Ok(text)
}
