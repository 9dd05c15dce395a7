//! Skills, prompt templates and themes: the first file that claims a name holds it (rules, sections 9 to 11).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::install::{ResourceFile, ResourceFileKind};
use crate::rule::{Rule, RuleId};
use crate::source::Phase;

use super::contest::{Claim, Contest, ContestKind, Finding, Impact, Layer, Loser, MayAlsoClaim, Outcome};
use super::input::Input;
use super::race::{Contender, settle};
use super::roster::Roster;

/// The first skill of a name.
pub const FIRST_SKILL: RuleId = RuleId("skill/first-file");
/// The first prompt template of a name.
pub const FIRST_PROMPT: RuleId = RuleId("prompt/first-file");
/// The first theme of a name.
pub const FIRST_THEME: RuleId = RuleId("theme/first-file");
/// A theme of one of Pi's own names.
pub const THEME_OVER_BUILTIN: RuleId = RuleId("theme/over-builtin");

/// The rules of this file.
pub static RULES: &[Rule] = &[
    Rule {
        id: FIRST_SKILL,
        sentence: "The first skill file that claims a name holds it: those of `-e` packages, then project, user and packages, then `--skill`; the same file by another path does not count.",
        example: "The project and the user both have a skill `review`: `/skill:review` is the project's.",
        pi: "dist/core/skills.js#loadSkills",
    },
    Rule {
        id: FIRST_PROMPT,
        sentence: "The first prompt template of a file name holds the name: those of `-e` packages, then project, user and packages, then `--prompt-template`.",
        example: "The project and the user both have `prompts/fix.md`: `/fix` is the project's.",
        pi: "dist/core/resource-loader.js#dedupePrompts",
    },
    Rule {
        id: FIRST_THEME,
        sentence: "The first theme file that claims a name holds it: those of `-e` packages, then project, user and packages, then `--theme`.",
        example: "Two packages bring a theme `night`: the one that is listed first is used.",
        pi: "dist/core/resource-loader.js#dedupeThemes",
    },
    Rule {
        id: THEME_OVER_BUILTIN,
        sentence: "A theme file named `dark` or `light` replaces Pi's own theme of that name.",
        example: "`themes/dark.json` with the name `dark`: Pi's own dark theme is not reachable.",
        pi: "dist/modes/interactive/theme/theme.js#loadTheme",
    },
];

/// Decides every name that a file claims.
pub(super) fn contests(input: &Input<'_>, roster: &Roster<'_>, unresolved: &[MayAlsoClaim]) -> Vec<Contest> {
    let mut names: BTreeMap<(ResourceFileKind, Arc<str>), Vec<&ResourceFile>> = BTreeMap::new();
    for file in input.resources {
        names.entry((file.kind, Arc::clone(&file.name))).or_default().push(file);
    }
    let decided = names.into_iter().map(|((kind, name), files)| {
        let mut contest = contest(input, roster, kind, &name, &files);
        contest.may_also_claim = unresolved.to_vec();
        contest
    });
    decided.collect()
}

fn contest(
    input: &Input<'_>,
    roster: &Roster<'_>,
    kind: ResourceFileKind,
    name: &Arc<str>,
    files: &[&ResourceFile],
) -> Contest {
    let (contest_kind, rule) = match kind {
        ResourceFileKind::Skill => (ContestKind::Skill, FIRST_SKILL),
        ResourceFileKind::Prompt => (ContestKind::Prompt, FIRST_PROMPT),
        ResourceFileKind::Theme => (ContestKind::Theme, FIRST_THEME),
    };
    let mut contest = Contest::new(contest_kind, Arc::clone(name), rule);
    let (taken, rejected): (Vec<&ResourceFile>, Vec<&ResourceFile>) =
        files.iter().partition(|it| it.rejected.is_none());
    let mut ranked: Vec<Contender> =
        taken.iter().map(|it| Contender::alone(claim(it, roster), Outcome::Shadowed)).collect();
    let is_own =
        kind == ResourceFileKind::Theme && input.catalog.themes().builtin.iter().any(|it| **it == **name);
    if is_own {
        let own = Claim::of_pi(format!("<builtin:{name}>"));
        ranked.push(Contender::alone(own, Outcome::Overridden));
    }
    settle(&mut contest, ranked, Vec::new());
    let skipped = rejected.iter().map(|it| Loser { claim: claim(it, roster), outcome: Outcome::Skipped });
    contest.losers.extend(skipped);
    if contest.losers.iter().any(|it| it.outcome == Outcome::Shadowed) {
        contest.find(Finding::ResourceShadowed, Impact::Warning);
    }
    if is_own && !taken.is_empty() {
        contest.rule = THEME_OVER_BUILTIN;
        contest.find(Finding::BuiltinOverridden, Impact::Note);
    }
    contest
}

/// The claim of a file; of one that an extension names, as sure and as late as the extension's handler.
fn claim(file: &ResourceFile, roster: &Roster<'_>) -> Claim {
    let own = Claim {
        layer: Layer::User,
        at: file.name_at,
        name_at: file.name_at,
        ..Claim::of_pi(file.path.as_str())
    };
    let handler = file.discovered.and_then(|by| {
        let member = roster.member(by.extension)?;
        Some(member.claim(member.registrations().get(by.registration)?))
    });
    match handler {
        Some(handler) => Claim {
            extension: handler.extension,
            phase: Phase::Event("resources_discover".into()),
            certainty: handler.certainty,
            rests_on: handler.rests_on,
            trail: handler.at.into_iter().collect(),
            ..own
        },
        None => own,
    }
}
