//! Directories, migrations, skills, prompts and themes.

use camino::Utf8PathBuf;

use super::Case;
use crate::files::Files;
use crate::install::{MigratedFiles, Options, Resource, Status};

fn planned(resources: &[Resource]) -> Vec<&str> {
    resources.iter().filter(|it| it.status == Status::Planned).map(|it| it.path.as_str()).collect()
}

#[test]
fn the_agent_directory_is_given_configured_or_at_home() {
    let of = |case: Case| case.install().agent_dir;
    assert_eq!(of(Case::new(&[])), "/agent");
    assert_eq!(of(Case::new(&[]).variable("PI_CODING_AGENT_DIR", "~/x")), "/home/x");
    assert_eq!(of(Case::new(&[]).variable("PI_CODING_AGENT_DIR", "")), "/home/.pi/agent");
    assert_eq!(of(Case::new(&[]).variable("PI_CODING_AGENT_DIR", "rel")), "/project/rel");
    let given = |it: &mut Options| it.agent_dir = Some(Utf8PathBuf::from("../y"));
    assert_eq!(of(Case::new(&[]).with(given)), "/y");
}

#[test]
fn commands_become_prompts() {
    let case = Case::new(&[("agent/commands/old.md", "text"), ("project/.pi/commands/p.md", "")]);
    let installation = case.install();
    assert_eq!(
        planned(&installation.trusted.prompts),
        ["/project/.pi/prompts/p.md", "/agent/prompts/old.md"]
    );
    let files = MigratedFiles::new(&case.files, &installation.renames);
    assert_eq!(files.read_text("/agent/prompts/old.md".into()).ok().as_deref(), Some("text"));
}

#[test]
fn skills_come_from_the_project_upwards_and_never_from_home_twice() {
    let case = Case::new(&[
        ("project/.pi/skills/a/SKILL.md", ""),
        ("project/.agents/skills/b/SKILL.md", ""),
        ("project/.agents/skills/loose.md", ""),
        (".agents/skills/c/SKILL.md", ""),
        ("agent/skills/loose.md", ""),
        ("agent/skills/d/SKILL.md", ""),
        ("agent/skills/d/deeper/SKILL.md", ""),
        ("home/.agents/skills/e/SKILL.md", ""),
    ]);
    assert_eq!(
        planned(&case.install().trusted.skills),
        [
            "/project/.pi/skills/a/SKILL.md",
            "/project/.agents/skills/b/SKILL.md",
            "/.agents/skills/c/SKILL.md",
            "/agent/skills/d/SKILL.md",
            "/agent/skills/loose.md",
            "/home/.agents/skills/e/SKILL.md",
        ]
    );
    let in_repository = Case::new(&[
        ("project/.git/HEAD", ""),
        ("project/.agents/skills/b/SKILL.md", ""),
        (".agents/skills/c/SKILL.md", ""),
    ]);
    assert_eq!(planned(&in_repository.install().trusted.skills), ["/project/.agents/skills/b/SKILL.md"]);
}

#[test]
fn paths_of_the_command_line_come_last_and_directories_stay() {
    let case = Case::new(&[
        ("agent/prompts/a.md", ""),
        ("agent/prompts/sub/b.md", ""),
        ("given/c.md", ""),
        ("p/prompts/d.md", ""),
    ])
    .with(|it| {
        it.prompts = vec!["/given".to_owned(), "/agent/prompts/a.md".to_owned(), "/gone".to_owned()];
        it.extensions = vec!["/p".to_owned()];
    });
    let installation = case.install();
    assert_eq!(planned(&installation.trusted.prompts), ["/p/prompts/d.md", "/agent/prompts/a.md", "/given"]);
    let gone = installation.trusted.prompts.iter().find(|it| it.status == Status::Missing);
    assert_eq!(gone.map(|it| it.path.as_str()), Some("/gone"));
}

#[test]
fn the_old_object_of_skills_counts_by_its_directories() {
    let case = Case::new(&[
        ("agent/settings.json", r#"{"skills": {"customDirectories": ["../own"]}}"#),
        ("own/s/SKILL.md", ""),
    ]);
    assert_eq!(planned(&case.install().trusted.skills), ["/own/s/SKILL.md"]);
}
