// Records what the real Pi's loader holds after loading each entry of the corpus alone, in a process and a home of its own.
//
//   node record.mjs --pi <dir of an installed @earendil-works/pi-coding-agent> --packages <dir whose node_modules holds the corpus>
//
// Writes truth.json beside this file. It runs the packages' code: only the packages that package.json pins.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const pi = resolve(option("--pi"));

if (process.argv.includes("--load")) await load(option("--load"));
else record(resolve(option("--packages")));

/** Child: loads one entry and prints what Pi's loader holds then. */
async function load(entry) {
  const { loadExtensions } = await import(pathToFileURL(join(pi, "dist/core/extensions/loader.js")).href);
  const print = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  const { extensions, errors, runtime } = await loadExtensions([entry], process.cwd());
  const [it] = extensions;
  const names = (map) => [...(map?.keys() ?? [])].map(String).sort();
  const answer = {
    loads: errors.length === 0,
    error: errors[0]?.error.split("\n")[0],
    tool: names(it?.tools),
    command: names(it?.commands),
    flag: names(it?.flags),
    shortcut: names(it?.shortcuts),
    messageRenderer: names(it?.messageRenderers),
    entryRenderer: names(it?.entryRenderers),
    provider: [...new Set(runtime.pendingProviderRegistrations.map((r) => r.name))].sort(),
    nativeProvider: [...new Set(runtime.pendingNativeProviderRegistrations.map((r) => r.provider.id))].sort(),
    event: names(it?.handlers),
  };
  print(JSON.stringify(answer), () => process.exit(0));
}

/** Parent: one child for each entry. */
function record(packages) {
  const truth = [];
  for (const { label, root, path } of entries(packages)) {
    const home = mkdtempSync(join(tmpdir(), "corpus-"));
    for (const dir of ["agent", "project"]) mkdirSync(join(home, dir));
    const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), "--pi", pi, "--load", join(root, path)], {
      cwd: join(home, "project"),
      encoding: "utf8",
      timeout: 60_000,
      env: { PATH: process.env.PATH, HOME: home, PI_OFFLINE: "1", PI_CODING_AGENT_DIR: join(home, "agent"), TERM: "xterm" },
    });
    rmSync(home, { recursive: true, force: true });
    let answer;
    try {
      answer = JSON.parse(run.stdout);
    } catch {
      throw new Error(`${label} ${path}: no answer (${run.status ?? run.signal}): ${run.stderr.slice(-500)}`);
    }
    if (answer.error) answer.error = answer.error.replaceAll(root, "{PACKAGE}").replaceAll(packages, "{CORPUS}");
    truth.push({ package: label, path, ...answer });
    process.stderr.write(`${label} ${path}: ${answer.loads ? "loads" : answer.error}\n`);
  }
  const lines = truth.map((it) => `  ${JSON.stringify(it)}`).join(",\n");
  writeFileSync(join(here, "truth.json"), `[\n${lines}\n]\n`);
}

/** The entries of Pi's own examples, then those that each package of the corpus names. */
function* entries(packages) {
  const examples = join(pi, "examples/extensions");
  for (const name of readdirSync(examples).sort()) {
    if (statSync(join(examples, name)).isDirectory()) yield { label: "examples", root: examples, path: `${name}/index.ts` };
    else if (name.endsWith(".ts")) yield { label: "examples", root: examples, path: name };
  }
  const wanted = JSON.parse(readFileSync(join(here, "package.json"), "utf8")).dependencies;
  delete wanted["@earendil-works/pi-coding-agent"];
  for (const [name, version] of Object.entries(wanted)) {
    const root = join(packages, "node_modules", name);
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    if (manifest.version !== version) throw new Error(`${name} is ${manifest.version}, wanted ${version}`);
    const named = manifest.pi?.extensions ?? [manifest.main];
    for (const path of named) if (existsSync(join(root, path))) yield { label: name, root, path: path.replace(/^\.\//, "") };
  }
}
