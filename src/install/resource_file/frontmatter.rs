//! The YAML between the `---` lines at the top of a Markdown file (Pi: `dist/utils/frontmatter.js`, `parseFrontmatter`).

use serde_json::Value;

/// What stands in a file's front matter. A file without one has an empty one.
#[derive(Debug)]
pub(super) struct Frontmatter {
    value: Value,
    /// Where the YAML begins in the file.
    from: usize,
    yaml: String,
}

impl Frontmatter {
    /// Reads a file's text.
    ///
    /// # Errors
    /// When there is front matter and it is not YAML; with the parser's words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let none = || Self { value: Value::Null, from: 0, yaml: String::new() };
        let Some((from, yaml)) = extract(text) else { return Ok(none()) };
        if yaml.trim().is_empty() {
            return Ok(none());
        }
        // YAML 1.2, as Pi's parser has it: `yes` is text, and there is one document.
        let options = serde_saphyr::options! { strict_booleans: true };
        let normalized = yaml.replace("\r\n", "\n").replace('\r', "\n");
        let value: Value = serde_saphyr::from_str_with_options(&normalized, options)
            .map_err(|error| first_line(&error.to_string()))?;
        Ok(Self { value, from, yaml: yaml.to_owned() })
    }

    /// A field, unless it is missing.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.value.get(name)
    }

    /// Where the value of a top-level field stands in the file, as byte offsets.
    pub fn place(&self, name: &str) -> Option<(usize, usize)> {
        let mut line_start = 0;
        for line in self.yaml.split_inclusive('\n') {
            if let Some(rest) = line.strip_prefix(name).and_then(|it| it.strip_prefix(':')) {
                let value = rest.trim();
                let (offset, length) = match line.rfind(value) {
                    Some(offset) if !value.is_empty() => (offset, value.len()),
                    _ => (0, name.len()),
                };
                let start = self.from + line_start + offset;
                return Some((start, start + length));
            }
            line_start += line.len();
        }
        None
    }
}

/// The YAML and where it begins.
fn extract(text: &str) -> Option<(usize, &str)> {
    if !text.starts_with("---") {
        return None;
    }
    let closes = |mark: &str| text.get(3..).and_then(|it| it.find(mark)).map(|at| at + 3);
    let end = [closes("\n---"), closes("\r---")].into_iter().flatten().min()?;
    // Pi takes what follows the fourth character, which is the line break after `---`.
    let from = if text[3..].starts_with("\r\n") { 5 } else { 4 };
    let end = if text[..end].ends_with('\r') { end - 1 } else { end };
    Some((from, text.get(from..end).unwrap_or_default()))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// What JavaScript takes for true.
pub(super) fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(it) => *it,
        Value::Number(it) => it.as_f64() != Some(0.0),
        Value::String(it) => !it.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_their_types_and_places() {
        let text = "---\nname: go\ndescription: \"1\"\ncount: 1\nyes: yes\n---\nbody";
        let found = Frontmatter::parse(text).expect("YAML");
        assert_eq!(found.field("name"), Some(&Value::String("go".into())));
        assert_eq!(found.field("description"), Some(&Value::String("1".into())));
        assert_eq!(found.field("count"), Some(&Value::from(1)));
        assert_eq!(found.field("yes"), Some(&Value::String("yes".into())));
        let (from, to) = found.place("name").expect("a place");
        assert_eq!(&text[from..to], "go");
    }

    #[test]
    fn what_is_not_closed_is_text() {
        assert!(Frontmatter::parse("---\nname: a").expect("no YAML").field("name").is_none());
        assert!(Frontmatter::parse("\u{feff}---\nname: a\n---\n").expect("no YAML").field("name").is_none());
        assert!(Frontmatter::parse("---\nname: [\n---\n").is_err());
        let windows = Frontmatter::parse("---\r\nname: a\r\n---\r\n").expect("YAML");
        assert_eq!(windows.field("name"), Some(&Value::String("a".into())));
    }
}
