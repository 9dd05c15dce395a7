//! Which Pi the answer is for: the one that is asked for, else the one that the shell would start, else the newest known.

use camino::Utf8PathBuf;
use serde_json::Value;

use crate::catalog::PiVersion;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::environment::Environment;
use crate::files::Files;
use crate::options::Options;
use crate::report::{InspectedPi, VersionFrom};

/// The name of Pi's npm package.
const PACKAGE: &str = "@earendil-works/pi-coding-agent";

/// The version to answer for, the one that was meant, and what to say if they differ.
pub(super) fn settle(
    files: &dyn Files,
    environment: &Environment,
    options: &Options,
) -> (PiVersion, InspectedPi, Option<Diagnostic>) {
    let asked = options.pi_version.clone();
    let installed =
        || Some(InspectedPi { version: installed(files, environment)?, from: VersionFrom::Installed });
    let Some(meant) = asked.or_else(installed) else {
        let version = PiVersion::NEWEST;
        let pi = InspectedPi { version: version.as_str().to_owned(), from: VersionFrom::Default };
        return (version, pi, None);
    };
    let version = PiVersion::nearest(&meant.version);
    let differs = PiVersion::exact(&meant.version).is_none();
    let verb = if meant.from == VersionFrom::Installed { "is installed" } else { "is asked for" };
    let diagnostic = differs.then(|| Diagnostic {
        code: Code::PiVersionUnknown,
        severity: Severity::Warning,
        message: format!(
            "pi {} {verb}; these are the rules of {}, the newest that pi-why knows",
            meant.version,
            version.as_str()
        ),
        help: None,
        at: None,
    });
    (version, InspectedPi { version: version.as_str().to_owned(), from: meant.from }, diagnostic)
}

/// The version of the `pi` that stands first on `PATH`, if it is the npm package.
fn installed(files: &dyn Files, environment: &Environment) -> Option<String> {
    let path = environment.variable("PATH")?;
    let program = path.split(':').filter(|it| it.starts_with('/')).map(|it| Utf8PathBuf::from(it).join("pi"));
    let program = program.into_iter().find(|it| files.is_file(it))?;
    let program = files.canonicalize(&program).ok()?;
    program.ancestors().skip(1).find_map(|folder| {
        let manifest: Value =
            serde_json::from_str(&files.read_text(&folder.join("package.json")).ok()?).ok()?;
        (manifest["name"].as_str() == Some(PACKAGE))
            .then(|| manifest["version"].as_str().map(str::to_owned))?
    })
}
