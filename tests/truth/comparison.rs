//! Holds a report of pi-why against what the real Pi decided, kind by kind.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

/// The kinds of names, each with the list of the truth that has its winners, the keys of the name and of who holds it in
/// that list, and the contest of the report that answers.
const KINDS: [Kind; 9] = [
    Kind { list: "tools", name: "name", owner: "owner", contest: "tool" },
    Kind { list: "commands", name: "invocation", owner: "owner", contest: "command" },
    Kind { list: "flags", name: "name", owner: "owner", contest: "flag" },
    Kind { list: "shortcuts", name: "key", owner: "owner", contest: "shortcut" },
    Kind { list: "messageRenderers", name: "customType", owner: "owner", contest: "messageRenderer" },
    Kind { list: "entryRenderers", name: "customType", owner: "owner", contest: "entryRenderer" },
    Kind { list: "skills", name: "name", owner: "path", contest: "skill" },
    Kind { list: "prompts", name: "name", owner: "path", contest: "prompt" },
    Kind { list: "themes", name: "name", owner: "path", contest: "theme" },
];

/// What an extension registers while loading, by the key that truth and report share.
const REGISTRATIONS: [&str; 6] =
    ["tools", "commands", "flags", "shortcuts", "messageRenderers", "entryRenderers"];

/// What is compared of a provider, and of each of its models.
const PROVIDER_FIELDS: [&str; 3] = ["name", "baseUrl", "auth"];
const MODEL_FIELDS: [&str; 9] =
    ["name", "api", "baseUrl", "reasoning", "contextWindow", "maxTokens", "input", "cost", "compat"];

struct Kind {
    list: &'static str,
    name: &'static str,
    owner: &'static str,
    contest: &'static str,
}

/// The moments for which there is an answer.
#[derive(Clone, Copy, PartialEq)]
enum Moment {
    Loaded,
    InSession,
}

/// What came of a comparison.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Where Pi says something else.
    disagreements: Vec<String>,
    /// Where the report is right, or claims something that Pi does not have, without being sure.
    hedges: Vec<String>,
}

impl Comparison {
    /// Compares a report with the truth.
    pub fn of(truth: &Value, report: &Value) -> Self {
        let mut result = Self::default();
        let starts = if truth["starts"] == true { "yes" } else { "no" };
        result.check("starts", Some(&json!(starts)), Some(&report["starts"]), report["starts"] != "unknown");
        if truth.get("crash").is_some() {
            return result;
        }
        result.order(truth, report);
        result.execution(truth, report);
        result.fatal(truth, report);
        result.registrations(truth, report);
        result.names(truth, report, Moment::Loaded);
        result.providers(truth, report, Moment::Loaded);
        if let Some(session) = truth.get("session").and_then(Value::as_object) {
            let mut later = truth.clone();
            for (key, value) in session {
                later[key] = value.clone();
            }
            result.names(&later, report, Moment::InSession);
            result.providers(&later, report, Moment::InSession);
        }
        result
    }

    /// What is wrong, one line each. Hedges count unless the fixture is one that must be hedged.
    pub fn problems(self, may_hedge: bool) -> Vec<String> {
        let mut problems = self.disagreements;
        if !may_hedge {
            problems.extend(self.hedges);
        }
        problems
    }

    fn check(&mut self, what: &str, pi: Option<&Value>, report: Option<&Value>, sure: bool) {
        if pi != report {
            let certain = if report.is_some() && sure { " (stated as certain)" } else { "" };
            self.disagreements.push(format!("{what}: Pi {}, report {}{certain}", show(pi), show(report)));
        } else if !sure {
            self.hedges.push(format!("{what}: {} is right, but hedged", show(report)));
        }
    }

    /// For a name that the report says it could not make out.
    fn admit(&mut self, what: &str, pi: &Value) {
        self.hedges.push(format!("{what}: Pi {pi}, report does not know"));
    }

    fn order(&mut self, truth: &Value, report: &Value) {
        let loaded: Vec<_> = entries(report).filter(|it| is_loaded(it)).map(|it| &it["path"]).collect();
        let pi: Vec<_> = list(&truth["order"]).iter().map(|it| &it["path"]).collect();
        self.check("order", Some(&json!(pi)), Some(&json!(loaded)), true);
        for extension in list(&truth["order"]) {
            let info = |it: &Value| json!([it["source"], it["scope"], it["origin"]]);
            let mine = entry(report, &extension["path"]).map(info);
            let what = format!("source info of {}", text(&extension["path"]));
            self.check(&what, Some(&info(extension)), mine.as_ref(), true);
        }
    }

    fn execution(&mut self, truth: &Value, report: &Value) {
        let listed = |path: &&Value| entries(report).any(|it| is_loaded(it) && it["path"] == **path);
        let pi: Vec<_> = list(&truth["exec"]).iter().filter(listed).collect();
        let mut mine: Vec<_> =
            entries(report).filter(|it| is_loaded(it) && pi.contains(&&it["path"])).collect();
        mine.sort_by_key(|it| it["execution"].as_u64());
        let mine: Vec<_> = mine.iter().map(|it| &it["path"]).collect();
        self.check("execution order", Some(&json!(pi)), Some(&json!(mine)), true);
    }

    /// What Pi prints when it exits: load failures, conflicts, refused providers.
    fn fatal(&mut self, truth: &Value, report: &Value) {
        let failures = list(&truth["errors"]).iter().map(|it| line(&it["path"], text(&it["error"])));
        let refused = list(&truth["diagnostics"]).iter().filter_map(|it| {
            let (path, message) = text(it).strip_prefix("Extension \"")?.split_once("\" error: ")?;
            Some(line(&json!(path), message))
        });
        let pi: BTreeSet<_> = failures.chain(refused).collect();
        let claimed = list(&report["fatal"]);
        let mine: BTreeSet<_> = claimed.iter().map(|it| line(&it["path"], text(&it["message"]))).collect();
        self.check("fatal", Some(&json!(pi)), Some(&json!(mine)), claimed.iter().all(is_sure));
    }

    fn registrations(&mut self, truth: &Value, report: &Value) {
        for extension in list(&truth["order"]) {
            let mine = entry(report, &extension["path"]);
            for key in REGISTRATIONS {
                let names = |it: &Value| json!(list(&it[key]).iter().map(text).collect::<BTreeSet<_>>());
                let (pi, mine) = (names(extension), mine.map(names));
                let what = format!("{key} of {}", text(&extension["path"]));
                if mine.as_ref() != Some(&pi) && has_unresolved(report, &extension["path"]) {
                    self.admit(&what, &pi);
                } else {
                    self.check(&what, Some(&pi), mine.as_ref(), true);
                }
            }
        }
    }

    /// Who holds each name, the tools that are active, what hides commands, and the values of flags.
    fn names(&mut self, truth: &Value, report: &Value, moment: Moment) {
        for kind in &KINDS {
            self.holders(truth, report, kind, moment);
        }
        if moment == Moment::InSession {
            return;
        }
        let held: Vec<_> = contests(report, "tool").filter(|it| holds(it)).collect();
        let active: BTreeSet<_> =
            held.iter().filter(|it| it["active"] == true).map(|it| text(&it["name"])).collect();
        let pi: BTreeSet<_> = list(&truth["activeTools"]).iter().map(text).collect();
        let sure = held.iter().all(|it| is_sure(&it["winner"]));
        self.check("active tools", Some(&json!(pi)), Some(&json!(active)), sure);
        for command in list(&truth["commands"]) {
            let invocation = &command["invocation"];
            let mine = contests(report, "command").find(|it| it["invocation"] == *invocation && holds(it));
            let hidden = mine.and_then(|it| it["hiddenBy"].get("when"));
            self.check(&format!("what hides command {invocation}"), command.get("hidden"), hidden, true);
        }
        for flag in list(&truth["flags"]) {
            let mine = contests(report, "flag").find(|it| it["name"] == flag["name"]);
            for key in ["type", "value"] {
                if let (Some(pi), Some(mine)) = (flag.get(key), mine) {
                    let what = format!("flag {} {key}", text(&flag["name"]));
                    self.check(&what, Some(pi), mine.get(key), is_sure(&mine["winner"]));
                }
            }
        }
    }

    /// Every field of the providers that models.json or an extension touches, and of their models.
    fn providers(&mut self, truth: &Value, report: &Value, moment: Moment) {
        let suffix = if moment == Moment::InSession { " in the session" } else { "" };
        let said = text(&truth["modelsError"]);
        for message in contests(report, "provider").filter_map(|it| it.get("message")?.as_str()) {
            if moment == Moment::Loaded && !said.contains(message) {
                self.disagreements.push(format!("Pi says {said:?}, report {message:?}"));
            }
        }
        // What composes to no provider at all has no name.
        for provider in list(&truth["providers"]).iter().filter(|it| it.get("name").is_some()) {
            let id = text(&provider["id"]);
            let field = |field: &str| {
                contests(report, "providerField").find(|it| it["name"] == id && it["field"] == field)
            };
            self.fields(&format!("provider {id}{suffix}"), provider, &PROVIDER_FIELDS, field, moment);
            let models = list(&provider["models"]);
            let ids: Vec<_> = models.iter().map(|it| text(&it["id"])).collect();
            let pi = json!({ "models": ids });
            self.fields(&format!("provider {id}{suffix}"), &pi, &["models"], field, moment);
            if moment == Moment::InSession {
                continue;
            }
            let model_id =
                |it: &'_ Value| text(&it["name"]).strip_prefix(id)?.strip_prefix('/').map(str::to_owned);
            let mine: BTreeSet<_> = contests(report, "model").filter_map(model_id).collect();
            let pi: BTreeSet<_> = ids.iter().copied().collect();
            let sure = contests(report, "model")
                .filter(|it| model_id(it).is_some())
                .all(|it| is_sure(&it["winner"]));
            self.check(&format!("models of provider {id}"), Some(&json!(pi)), Some(&json!(mine)), sure);
            for (at, model) in models.iter().enumerate() {
                // Of two models of one id Pi finds the first.
                if ids.get(..at).is_some_and(|it| it.contains(&text(&model["id"]))) {
                    continue;
                }
                let name = format!("{id}/{}", text(&model["id"]));
                let field = |field: &str| {
                    contests(report, "model").find(|it| it["name"] == name && it["field"] == field)
                };
                self.fields(&format!("model {name}"), model, &MODEL_FIELDS, field, moment);
            }
        }
    }

    fn fields<'a>(
        &mut self,
        what: &str,
        pi: &Value,
        fields: &[&str],
        contest: impl Fn(&str) -> Option<&'a Value>,
        moment: Moment,
    ) {
        for &field in fields {
            let contest = contest(field);
            let later = contest.and_then(|it| it.get("inSession"));
            let later = later.filter(|it| moment == Moment::InSession && !it.is_null());
            let winner = later.or(contest).map(|it| &it["winner"]).filter(|it| !it.is_null());
            let value = winner.and_then(|it| it.get("value"));
            self.check(&format!("{what} {field}"), pi.get(field), value, winner.is_none_or(is_sure));
        }
    }

    fn holders(&mut self, truth: &Value, report: &Value, kind: &Kind, moment: Moment) {
        let mut mine: BTreeMap<String, &Value> =
            contests(report, kind.contest).filter_map(|it| answer(it, kind, moment)).collect();
        let suffix = if moment == Moment::InSession { " in the session" } else { "" };
        for name in list(&truth[kind.list]) {
            let Some(owner) = name.get(kind.owner) else { continue };
            let key = text(&name[kind.name]);
            let claim = mine.remove(key);
            let what = format!("{} {key:?}{suffix}", kind.contest);
            match claim {
                None if has_unresolved(report, owner) => self.admit(&what, owner),
                None => self.check(&what, Some(owner), None, true),
                Some(claim) => self.check(&what, Some(owner), Some(&claim["path"]), is_sure(claim)),
            }
        }
        for (key, claim) in mine {
            // Pi lists no themes of its own.
            if kind.contest == "theme" && claim["layer"] == "builtin" {
                continue;
            }
            let what = format!("{} {key:?}{suffix}", kind.contest);
            if is_sure(claim) {
                self.check(&what, None, Some(&claim["path"]), true);
            } else {
                self.hedges.push(format!("{what}: Pi has none, report hedges {}", claim["path"]));
            }
        }
    }
}

fn show(value: Option<&Value>) -> String {
    value.map_or("nothing".to_owned(), Value::to_string)
}

/// The name that a contest gives an answer for at that moment, and who holds it.
fn answer<'a>(contest: &'a Value, kind: &Kind, moment: Moment) -> Option<(String, &'a Value)> {
    let later = contest.get("inSession").filter(|it| moment == Moment::InSession && !it.is_null());
    let winner = later.map_or(&contest["winner"], |it| &it["winner"]);
    if winner.is_null() || moment == Moment::Loaded && is_late(winner) {
        return None;
    }
    let invocation = later.and_then(|it| it.get("invocation")).or_else(|| contest.get("invocation"));
    let name = text(invocation.filter(|it| it.is_string()).unwrap_or(&contest["name"]));
    // Pi's table of shortcuts has lower-case keys.
    let name = if kind.contest == "shortcut" { name.to_lowercase() } else { name.to_owned() };
    Some((name, winner))
}

/// One line of Pi's complaints. The words of an error that was thrown are the JavaScript engine's: only that it was
/// thrown is compared.
fn line(path: &Value, message: &str) -> String {
    const THROWN: &str = "Failed to load extension";
    let message = if message.starts_with("Failed to load extension: ") { THROWN } else { message };
    format!("{}: {message}", text(path))
}

fn contests<'a>(report: &'a Value, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    list(&report["contests"]).iter().filter(move |it| it["kind"] == kind)
}

fn entries(report: &Value) -> impl Iterator<Item = &Value> {
    list(&report["order"]).iter()
}

fn entry<'a>(report: &'a Value, path: &Value) -> Option<&'a Value> {
    entries(report).find(|it| it["path"] == *path)
}

/// Whether the report admits that it could not make out all that this extension registers.
fn has_unresolved(report: &Value, path: &Value) -> bool {
    entry(report, path).is_some_and(|it| !list(&it["unresolved"]).is_empty())
}

fn is_loaded(entry: &Value) -> bool {
    entry["status"] == "loaded"
}

fn holds(contest: &Value) -> bool {
    !contest["winner"].is_null()
}

fn is_late(claim: &Value) -> bool {
    claim.get("phase").is_some_and(|it| it != "factory")
}

fn is_sure(claim: &Value) -> bool {
    claim.get("certainty").is_none_or(|it| it == "certain")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
