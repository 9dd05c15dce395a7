// Fixtures: small Pi installations below `fixtures/`. Each has `agent/` (the agent directory), `project/`, sometimes
// `home/` and other folders, and a `case.json`:
//
//   why          one sentence: the rule or surprise that the fixture is about
//   arguments    what stands after `pi` on the command line (default: nothing)
//   cwd          where Pi is started, relative to the fixture (default: project)
//   environment  further environment variables
//   files        files that git cannot carry under their own name here (`.gitignore`): path -> text
//   links        symbolic links: path -> target
//   directories  empty directories
//   session      true when the answer changes once the session has started: both moments are recorded
//   crash        true when Pi ends with an uncaught error instead of an answer
//   conditional  (for pi-why) true when an honest report has to hedge something here
//
// `{ROOT}` stands for the folder that the fixture lies in: in the values of `case.json`, in every `.json` file of the
// fixture, and in `truth.json`.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = "{ROOT}";
/** Files of a fixture's folder that describe it and are no part of the installation. */
const DESCRIPTION = new Set(["case.json", "truth.json", "README.md"]);

export const fixturesDirectory = fileURLToPath(new URL("../../fixtures", import.meta.url));

/** The names of all fixtures, sorted. */
export function fixtureNames() {
  return readdirSync(fixturesDirectory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export const truthPath = (name) => join(fixturesDirectory, name, "truth.json");

/** Copies a fixture into a fresh directory, so that nothing is ever written into the original. */
export function materialise(name) {
  const source = join(fixturesDirectory, name);
  const description = JSON.parse(readFileSync(join(source, "case.json"), "utf8"));
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pi-why-fixture-")));
  for (const entry of readdirSync(source)) {
    if (!DESCRIPTION.has(entry)) cpSync(join(source, entry), join(root, entry), { recursive: true });
  }
  for (const path of ["agent", "project", "home", ...(description.directories ?? [])]) {
    mkdirSync(join(root, path), { recursive: true });
  }
  for (const [path, text] of Object.entries(description.files ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  fillIn(root, root);
  for (const [path, target] of Object.entries(description.links ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(withRoot(target, root), join(root, path));
  }
  return {
    root,
    why: description.why,
    arguments: (description.arguments ?? []).map((argument) => withRoot(argument, root)),
    cwd: join(root, description.cwd ?? "project"),
    environment: Object.fromEntries(
      Object.entries(description.environment ?? {}).map(([key, value]) => [key, withRoot(value, root)]),
    ),
    session: description.session === true,
    crash: description.crash === true,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

const withRoot = (text, root) => text.replaceAll(ROOT, root);

/** The same with `{ROOT}` in place of the directory. */
export const withoutRoot = (text, root) => text.replaceAll(root, ROOT);

function fillIn(directory, root) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) fillIn(path, root);
    else if (entry.isFile() && path.endsWith(".json")) {
      const text = readFileSync(path, "utf8");
      if (text.includes(ROOT)) writeFileSync(path, withRoot(text, root));
    }
  }
}

/** The recorded truth of a fixture, or nothing. */
export const recordedTruth = (name) => (existsSync(truthPath(name)) ? readFileSync(truthPath(name), "utf8") : undefined);
