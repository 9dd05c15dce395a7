//! Brace expansion as Bash and minimatch do it: `{a,b}`, `{1..3}`, `{a..e..2}`.

/// How many alternatives one pattern may grow into; what goes beyond is dropped, as minimatch does at its own limit.
const MOST: usize = 10_000;

/// How deep sets may stand in sets; deeper ones are text.
const DEEPEST: usize = 200;

/// Every alternative that the braces of a pattern stand for, each once. A pattern without a set stands for itself.
pub fn expand(pattern: &str) -> Vec<String> {
    if pattern.is_empty() {
        return vec![String::new()];
    }
    // Bash leaves a leading `{}` alone.
    let mut all = match pattern.strip_prefix("{}") {
        Some(rest) => expand_at(rest, 0).into_iter().map(|it| format!("{{}}{it}")).collect(),
        None => expand_at(pattern, 0),
    };
    let mut seen = std::collections::HashSet::new();
    // Bash drops empty results.
    all.retain(|it| !it.is_empty() && seen.insert(it.clone()));
    all
}

fn expand_at(text: &str, depth: usize) -> Vec<String> {
    let mut done = vec![String::new()];
    let mut rest = text;
    while let Some(set) = (depth < DEEPEST).then(|| first_set(rest)).flatten() {
        let (before, body, after) = set;
        let choices = if before.ends_with('$') { None } else { choices(body, depth) };
        // No set after all (`{a}`, `${a,b}`): the braces stay, what is between them is looked at.
        let literal = || expand_at(body, depth + 1).into_iter().map(|it| format!("{{{it}}}")).collect();
        done = product(&done, before, &choices.unwrap_or_else(literal));
        rest = after;
    }
    product(&done, rest, &[String::new()])
}

/// Every `done + middle + end`.
fn product(done: &[String], middle: &str, ends: &[String]) -> Vec<String> {
    let all = done.iter().flat_map(|start| ends.iter().map(move |end| format!("{start}{middle}{end}")));
    all.take(MOST).collect()
}

/// The first balanced pair of braces: what is before, between and after. An opening brace that is never closed is text.
fn first_set(text: &str) -> Option<(&str, &str, &str)> {
    let mut open = Vec::new();
    let mut best: Option<(usize, usize)> = None;
    for (at, found) in unescaped(text, &['{', '}']) {
        if found == '{' {
            open.push(at);
        } else if let Some(start) = open.pop() {
            if best.is_none_or(|(first, _)| start < first) {
                best = Some((start, at));
            }
            if open.is_empty() {
                break;
            }
        }
    }
    best.map(|(start, end)| (&text[..start], &text[start + 1..end], &text[end + 1..]))
}

/// What the body of a set stands for; `None` when it is no set.
fn choices(body: &str, depth: usize) -> Option<Vec<String>> {
    if let Some(sequence) = sequence(body) {
        return Some(sequence);
    }
    let members = members(body);
    if members.len() < 2 {
        return None;
    }
    Some(members.into_iter().flat_map(|it| expand_at(it, depth + 1)).take(MOST).collect())
}

/// The members of a set: split at commas that stand in no inner set.
fn members(body: &str) -> Vec<&str> {
    let mut members = Vec::new();
    let mut depth = 0_usize;
    let mut from = 0;
    for (at, found) in unescaped(body, &['{', '}', ',']) {
        match found {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 => {
                members.push(&body[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    members.push(&body[from..]);
    members
}

/// `1..3`, `01..10..2`, `a..e`.
fn sequence(body: &str) -> Option<Vec<String>> {
    let mut parts = body.split("..");
    let (from, to, step) = (parts.next()?, parts.next()?, parts.next());
    if parts.next().is_some() {
        return None;
    }
    let step = match step {
        Some(step) => step.parse::<i64>().ok()?.unsigned_abs().max(1),
        None => 1,
    };
    if let (Some(first), Some(last)) = (integer(from), integer(to)) {
        let padded = [from, to]
            .iter()
            .any(|it| it.trim_start_matches('-').len() > 1 && it.trim_start_matches('-').starts_with('0'));
        let width = if padded { from.len().max(to.len()) } else { 0 };
        return Some(walk(first, last, step).map(|it| pad(it, width)).collect());
    }
    let letter = |text: &str| match text.as_bytes() {
        [it] if it.is_ascii_alphabetic() => Some(i64::from(*it)),
        _ => None,
    };
    let code_points = walk(letter(from)?, letter(to)?, step);
    let characters = code_points.filter_map(|it| u8::try_from(it).ok()).map(char::from);
    // A backslash between `Z` and `a` escapes nothing, so it is left out.
    Some(characters.map(|it| if it == '\\' { String::new() } else { it.to_string() }).collect())
}

fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn walk(first: i64, last: i64, step: u64) -> impl Iterator<Item = i64> {
    let count = first.abs_diff(last) / step;
    let sign = if first <= last { 1 } else { -1 };
    (0..=count).take(MOST).map_while(move |turn| {
        let offset = i64::try_from(turn.checked_mul(step)?).ok()?;
        first.checked_add(sign * offset)
    })
}

fn pad(number: i64, width: usize) -> String {
    if number < 0 {
        format!("-{:0>1$}", number.unsigned_abs(), width.saturating_sub(1))
    } else {
        format!("{number:0>width$}")
    }
}

/// Where these characters stand, those after a backslash left out.
fn unescaped<'t>(text: &'t str, wanted: &'t [char]) -> impl Iterator<Item = (usize, char)> + 't {
    let mut escaped = false;
    text.char_indices().filter(move |&(_, found)| {
        let free = !std::mem::replace(&mut escaped, false);
        if free && found == '\\' {
            escaped = true;
        }
        free && wanted.contains(&found)
    })
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn sets_and_sequences() {
        for (pattern, expected) in [
            ("a{b,c}d", "abd acd"),
            ("{a,b{c,d}}", "a bc bd"),
            ("{1..3}.ts", "1.ts 2.ts 3.ts"),
            ("{01..03}", "01 02 03"),
            ("{3..1}", "3 2 1"),
            ("{a..e..2}", "a c e"),
            ("{a}", "{a}"),
            ("{a", "{a"),
            ("a}", "a}"),
            ("x{}y", "x{}y"),
            ("${a,b}", "${a,b}"),
            ("{,a}b", "b ab"),
            ("\\{a,b}", "\\{a,b}"),
            ("{a,b", "{a,b"),
            ("{a{b,c}", "{ab {ac"),
            ("{{a,b}}", "{a} {b}"),
            ("{a,a}", "a"),
        ] {
            assert_eq!(expand(pattern).join(" "), expected, "{pattern}");
        }
    }

    #[test]
    fn growth_is_bounded() {
        assert!(expand(&"{a,b}".repeat(60)).len() <= 10_000);
        assert!(expand("{1..9999999999}").len() <= 10_000);
        assert!(!expand(&"{".repeat(100_000)).is_empty());
        assert!(!expand(&format!("{}a,b{}", "{".repeat(5_000), "}".repeat(5_000))).is_empty());
    }
}
