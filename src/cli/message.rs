//! Pi's own messages as questions: what somebody pastes when Pi did not start.
//!
//! The texts are those of `dist/core/resource-loader.js` (`detectExtensionConflicts`), `dist/main.js`,
//! `dist/core/extensions/runner.js` (shortcuts), `dist/core/provider-composer.js` (providers) and
//! `dist/modes/interactive/interactive-mode.js` (commands, collisions of files).

use crate::registry::ContestKind;
use crate::render::Question;

/// The questions in a pasted output, each once, in the order of the messages.
pub fn questions(output: &str) -> Vec<Question> {
    let plain = anstream::adapter::strip_str(output).to_string();
    let mut found: Vec<Question> = Vec::new();
    let mut add = |questions: Vec<Question>| {
        for question in questions {
            if !found.contains(&question) {
                found.push(question);
            }
        }
    };
    for line in plain.lines() {
        add(of_line(line));
    }
    if found.iter().any(|it| matches!(it, Question::Name { .. } | Question::Provider(_))) {
        return found;
    }
    // A terminal may have broken one message into several lines.
    let whole = of_line(&plain.split_whitespace().collect::<Vec<_>>().join(" "));
    if whole.iter().any(|it| matches!(it, Question::Name { .. } | Question::Provider(_))) || found.is_empty()
    {
        whole
    } else {
        found
    }
}

fn of_line(line: &str) -> Vec<Question> {
    let one = |kinds: &[ContestKind], name: &str| {
        vec![Question::Name { kinds: kinds.to_vec(), name: name.to_owned() }]
    };
    if let Some(name) = between(line, "Tool \"", "\" conflicts with") {
        return one(&[ContestKind::Tool], name);
    }
    if let Some(name) = between(line, "Flag \"--", "\" conflicts with")
        .or_else(|| between(line, "Extension flag \"--", "\" requires"))
    {
        return one(&[ContestKind::Flag], name);
    }
    if let Some(name) = between(line, "Extension command '/", "' conflicts with") {
        return one(&[ContestKind::Command], name);
    }
    if let Some(key) = between(line, "Extension shortcut '", "' from")
        .or_else(|| between(line, "Extension shortcut conflict: '", "' is "))
    {
        return one(&[ContestKind::Shortcut], key);
    }
    if let Some(name) = between(line, "name \"/", "\" collision") {
        return one(&[ContestKind::Prompt], name);
    }
    if let Some(name) = between(line, "name \"", "\" collision") {
        return one(&[ContestKind::Skill, ContestKind::Theme], name);
    }
    // As the interactive mode groups them.
    if let Some(name) = between(line, "\"", "\" collision:") {
        let bare = name.strip_prefix('/').unwrap_or(name);
        return one(&[ContestKind::Skill, ContestKind::Prompt, ContestKind::Theme], bare);
    }
    if let Some(id) = of_provider(line) {
        return vec![Question::Provider(Some(id.to_owned()))];
    }
    if line.contains("Failed to load models.json") {
        return vec![Question::Provider(None)];
    }
    if let Some((_, options)) = line.split_once("Unknown option").and_then(|(_, rest)| rest.split_once(':')) {
        let names = options.split([',', ' ']).filter_map(|it| it.trim().strip_prefix("--"));
        return names.flat_map(|it| one(&[ContestKind::Flag], it)).collect();
    }
    let path = between(line, "Failed to load extension \"", "\":")
        .or_else(|| between(line, "Extension \"", "\" error:"));
    path.map(|path| vec![Question::Extension(path.to_owned())]).unwrap_or_default()
}

/// The id in `Provider ID: …`, `Provider ID, model M: …` and `Provider "ID": …`.
fn of_provider(line: &str) -> Option<&str> {
    let rest = line.split_once("Provider ")?.1;
    let id = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once("\":")?.0,
        None => rest.split_once([':', ',']).map(|it| it.0)?,
    };
    (!id.is_empty() && !id.contains(char::is_whitespace)).then_some(id)
}

/// What stands between two texts: from the first `before` to the last `after`, because names may hold quotes.
fn between<'a>(line: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let rest = line.split_once(before)?.1;
    rest.rsplit_once(after).map(|it| it.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds_and_names(text: &str) -> Vec<String> {
        let said = |it: &Question| match it {
            Question::Name { kinds, name } => format!("{:?} {name}", kinds.first()),
            Question::Extension(path) => format!("extension {path}"),
            other => format!("{other:?}"),
        };
        questions(text).iter().map(said).collect()
    }

    #[test]
    fn every_message_of_pi_leads_to_its_name() {
        for (message, question) in [
            ("Error: Failed to load extension \"/b.ts\": Tool \"x\" conflicts with /a.ts", "Some(Tool) x"),
            ("Failed to load extension \"/b.ts\": Flag \"--f\" conflicts with /a.ts", "Some(Flag) f"),
            ("Extension flag \"--f\" requires a value", "Some(Flag) f"),
            (
                "Extension command '/go' conflicts with built-in interactive command. Available as '/go:1'.",
                "Some(Command) go",
            ),
            (
                "Extension shortcut 'ctrl+x' from /a.ts conflicts with built-in shortcut. Skipping.",
                "Some(Shortcut) ctrl+x",
            ),
            (
                "Extension shortcut conflict: 'ctrl+j' is built-in shortcut for y and /a.ts. Using /a.ts.",
                "Some(Shortcut) ctrl+j",
            ),
            ("Unknown option: --plan", "Some(Flag) plan"),
            ("name \"/x\" collision", "Some(Prompt) x"),
            ("name \"x\" collision", "Some(Skill) x"),
            ("Failed to load extension \"/b.ts\": Failed to load extension: boom", "extension /b.ts"),
            ("Extension \"/b.ts\" error: Provider id must not be empty.", "extension /b.ts"),
            ("Extension \"/b.ts\" error: Provider x: \"baseUrl\" is required", "Provider(Some(\"x\"))"),
            ("Provider x, model m: no \"api\" specified.", "Provider(Some(\"x\"))"),
            ("Provider \"x\": Provider x: no models", "Provider(Some(\"x\"))"),
            ("Failed to load models.json: Unexpected token", "Provider(None)"),
            ("  \"x\" collision:", "Some(Skill) x"),
        ] {
            assert_eq!(kinds_and_names(message), [question], "{message}");
        }
    }

    #[test]
    fn a_whole_output_gives_each_question_once() {
        let output = "\u{1b}[31mError: Failed to load extension \"/b.ts\": Tool \"x\" conflicts with /a.ts\u{1b}[0m\n\
            Error: Failed to load extension \"/c.ts\": Tool \"x\" conflicts with /a.ts\n\
            Hint: Start without extensions using \"pi -ne\".\n";
        assert_eq!(kinds_and_names(output), ["Some(Tool) x"]);
    }

    #[test]
    fn a_message_that_a_terminal_broke_is_put_together() {
        assert_eq!(
            kinds_and_names("Failed to load extension \"/b.ts\": Tool\n \"x\" conflicts\n with /a.ts"),
            ["Some(Tool) x"]
        );
        assert!(kinds_and_names("all is well").is_empty());
    }
}
