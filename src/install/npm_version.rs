//! Versions and ranges as npm's semver 7 understands them (Pi: `validRange`, `satisfies`).
//!
//! nodejs-semver compares versions. Its ranges accept what npm takes for a tag, and join contradictory comparators to
//! something that can be satisfied, so ranges are taken apart here.

use std::sync::LazyLock;

use nodejs_semver::Version;
use regex::{Captures, Regex};

const NUMBER: &str = r"(?:0|[1-9]\d*)";
const BUILD: &str = r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?";

/// One comparator: operator, and up to three numbers that may be wildcards.
static COMPARATOR: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"^(\^|~>?|[<>]?=?)\s*{}$", partial())).ok());
static HYPHENATED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"^\s*{0}\s+-\s+{0}\s*$", partial())).ok());
static OPERATOR_AND_BLANKS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(\^|~>?|[<>]=?|=)\s+").ok());
static VERSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(r"^v?({NUMBER}\.{NUMBER}\.{NUMBER}(?:{})?){BUILD}$", prerelease())).ok()
});

fn prerelease() -> String {
    let identifier = format!("(?:\\d*[a-zA-Z-][0-9A-Za-z-]*|{NUMBER})");
    format!(r"-{identifier}(?:\.{identifier})*")
}

/// Captures what stands before the numbers, three numbers, and the prerelease.
fn partial() -> String {
    let part = format!(r"({NUMBER}|[xX*])");
    format!(r"([v=\s]*){part}(?:\.{part}(?:\.{part}({})?{BUILD})?)?", prerelease())
}

/// A range that npm accepts: the alternatives of `||`, each a list of bounds that all have to hold.
#[derive(Debug)]
pub(super) struct NpmRange {
    alternatives: Vec<Vec<Bound>>,
}

#[derive(Debug)]
struct Bound {
    operator: Operator,
    version: Version,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Below,
    AtMost,
    Exactly,
    AtLeast,
    Above,
}

impl Bound {
    fn holds(&self, version: &Version) -> bool {
        match self.operator {
            Operator::Below => *version < self.version,
            Operator::AtMost => *version <= self.version,
            Operator::Exactly => *version == self.version,
            Operator::AtLeast => *version >= self.version,
            Operator::Above => *version > self.version,
        }
    }
}

impl NpmRange {
    /// Reads a range; `None` for what npm takes for a tag.
    pub fn parse(written: &str) -> Option<Self> {
        let alternatives: Option<Vec<_>> = written.split("||").map(bounds).collect();
        alternatives.map(|mut alternatives| {
            // Beside one that takes everything npm forgets the others, and with them the prereleases they allow
            if alternatives.iter().any(Vec::is_empty) {
                alternatives = vec![Vec::new()];
            }
            Self { alternatives }
        })
    }

    /// Whether a version is in the range. What is no version is in none.
    pub fn allows(&self, version: &str) -> bool {
        let plain = VERSION.as_ref().and_then(|it| it.captures(version.trim()));
        let version = plain.and_then(|it| Version::parse(it.get(1)?.as_str()).ok());
        version.is_some_and(|version| self.alternatives.iter().any(|bounds| satisfies(&version, bounds)))
    }
}

/// A prerelease needs a bound that names a prerelease of the same version.
fn satisfies(version: &Version, bounds: &[Bound]) -> bool {
    let numbers = |it: &Version| (it.major(), it.minor(), it.patch());
    let names_it =
        |it: &Bound| !it.version.pre_release().is_empty() && numbers(&it.version) == numbers(version);
    bounds.iter().all(|it| it.holds(version))
        && (version.pre_release().is_empty() || bounds.iter().any(names_it))
}

fn bounds(alternative: &str) -> Option<Vec<Bound>> {
    let mut bounds = Vec::new();
    if let Some(both) = HYPHENATED.as_ref()?.captures(alternative) {
        let (from, to) = (Partial::new(&both, 1), Partial::new(&both, 6));
        bounds.extend(from.bounds(">=")?);
        bounds.extend(to.bounds("<=")?);
        return Some(bounds);
    }
    let joined = OPERATOR_AND_BLANKS.as_ref()?.replace_all(alternative, "$1");
    for comparator in joined.split_whitespace() {
        let parts = COMPARATOR.as_ref()?.captures(comparator)?;
        bounds.extend(Partial::new(&parts, 2).bounds(parts.get(1)?.as_str())?);
    }
    Some(bounds)
}

/// A version of which the end may be missing.
struct Partial<'t> {
    before: &'t str,
    numbers: Vec<u64>,
    prerelease: &'t str,
}

impl<'t> Partial<'t> {
    /// Reads five captures from `first` on: what stands before, three numbers, the prerelease.
    fn new(parts: &Captures<'t>, first: usize) -> Self {
        let text = |at: usize| parts.get(at).map_or("", |it| it.as_str());
        // A wildcard ends the numbers
        let numbers: Vec<u64> = (first + 1..first + 4).map_while(|at| text(at).parse().ok()).collect();
        let prerelease = if numbers.len() == 3 { text(first + 4) } else { "" };
        Self { before: text(first), numbers, prerelease }
    }

    fn number(&self, at: usize) -> u64 {
        self.numbers.get(at).copied().unwrap_or(0)
    }

    /// The first version that fits.
    fn lowest(&self) -> String {
        format!("{}.{}.{}{}", self.number(0), self.number(1), self.number(2), self.prerelease)
    }

    /// The first version in which the number at `at` is higher.
    fn next(&self, at: usize) -> String {
        let raised = |place: usize| match place.cmp(&at) {
            std::cmp::Ordering::Less => self.number(place),
            std::cmp::Ordering::Equal => self.number(place).saturating_add(1),
            std::cmp::Ordering::Greater => 0,
        };
        format!("{}.{}.{}", raised(0), raised(1), raised(2))
    }

    /// What an operator before this version asks for; `None` for what npm does not accept.
    fn bounds(&self, operator: &str) -> Option<Vec<Bound>> {
        use Operator::{Above, AtLeast, AtMost, Below, Exactly};
        let bound =
            |operator, version: String| Some(Bound { operator, version: Version::parse(version).ok()? });
        let below = |at: usize| bound(Below, format!("{}-0", self.next(at)));
        let known = self.numbers.len();
        let Some(last) = known.checked_sub(1) else {
            return match operator {
                "<" | ">" => Some(vec![bound(Below, "0.0.0-0".to_owned())?]),
                _ => Some(Vec::new()),
            };
        };
        let spans = |at: usize| Some(vec![bound(AtLeast, self.lowest())?, below(at)?]);
        match operator {
            "^" => spans(self.numbers.iter().position(|&it| it > 0).unwrap_or(last).min(last)),
            "~" | "~>" => spans(last.min(1)),
            // Only here the version goes on as it was written
            _ if known == 3 && !matches!(self.before, "" | "v") => None,
            ">=" => Some(vec![bound(AtLeast, self.lowest())?]),
            "<" if known == 3 => Some(vec![bound(Below, self.lowest())?]),
            "<" => Some(vec![bound(Below, format!("{}-0", self.lowest()))?]),
            ">" if known == 3 => Some(vec![bound(Above, self.lowest())?]),
            ">" => Some(vec![bound(AtLeast, self.next(last))?]),
            "<=" if known == 3 => Some(vec![bound(AtMost, self.lowest())?]),
            "<=" => Some(vec![below(last)?]),
            _ if known == 3 => Some(vec![bound(Exactly, self.lowest())?]),
            _ => spans(last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NpmRange;

    fn allows(range: &str, version: &str) -> Option<bool> {
        NpmRange::parse(range).map(|it| it.allows(version))
    }

    #[test]
    fn ranges_are_npms() {
        for (range, version, expected) in [
            ("^1.2.0", "1.9.9", Some(true)),
            ("^1.2.0", "2.0.0", Some(false)),
            ("^1.0.0", "1.1.0-beta.1", Some(false)),
            ("^1.2.3-beta.1", "1.2.3-beta.2", Some(true)),
            ("1.x || >=3", "3.1.0", Some(true)),
            ("~> 1.2", "1.2.9", Some(true)),
            ("=v1.2.3", "v1.2.3", Some(true)),
            ("1.2 - 2", "2.9.0", Some(true)),
            ("2 - 1", "1.5.0", Some(false)),
            ("* - 1", "1.5.0", Some(true)),
            ("^ x", "0.0.1", Some(true)),
            (">*", "1.0.0", Some(false)),
            ("", "1.0.0", Some(true)),
            ("1.2.3", "1.2.3+build", Some(true)),
            ("1", "01.2.3", Some(false)),
            ("2 <=1", "1.0.0", Some(false)),
            ("^1.2.3-0 || *", "1.2.3-0", Some(false)),
            ("^0.0", "0.0.9", Some(true)),
            ("^0", "0.9.0", Some(true)),
            ("<1.2", "1.2.0-beta", Some(false)),
        ] {
            assert_eq!(allows(range, version), expected, "{range:?} {version:?}");
        }
    }

    #[test]
    fn what_is_no_range_is_a_tag() {
        for tag in ["latest", "1.2.3.4", "^00.1.2", "1.0.0,2.0.0", "^1 ~", " - 1"] {
            assert_eq!(allows(tag, "1.0.0"), None, "{tag:?}");
        }
    }
}
