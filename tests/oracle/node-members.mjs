// What Node's globals and modules have as members, for the catalog:
//   node tests/oracle/node-members.mjs > src/catalog/data/node-members.txt
//   node tests/oracle/node-members.mjs --check   # fails when the file says otherwise
// A line for each object: its path, then its members, each behind what it is: `f` a function, `c` a class, `o` another value.
// Inherited members count, but for those that every object or every function has.
import { readFileSync } from "node:fs";
import { builtinModules, createRequire } from "node:module";

const requireFrom = createRequire(import.meta.url);
const ROOTS = new Set([Object.prototype, Function.prototype, Object.getPrototypeOf(async () => {})]);
const OF_FUNCTIONS = new Set(["arguments", "caller", "length", "name", "prototype"]);
const SAME_AS_OTHERS = new Set(["console", "constants", "process", "sys"]);
const MODULES = builtinModules.filter((it) => !/^_|:/.test(it) && !SAME_AS_OTHERS.has(it)).concat("sqlite", "test", "sea");

const lines = new Map();

function names(object) {
  const all = new Set();
  for (let at = object; at && (at === object || !ROOTS.has(at)); at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) all.add(name);
  }
  const isFunction = typeof object === "function";
  return [...all].filter((it) => /^[A-Za-z$_][\w$]*$/.test(it) && !(isFunction && OF_FUNCTIONS.has(it))).sort();
}

// Getters of prototypes are for instances.
function read(object, name) {
  for (let at = object; at; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found) return found.get && Object.hasOwn(object, "constructor") ? undefined : object[name];
  }
  return undefined;
}

function kindOf(name, value) {
  if (typeof value !== "function") return "o";
  return /^[A-Z]/.test(name) && value.prototype ? "c" : "f";
}

function add(path, object) {
  const members = names(object).map((name) => kindOf(name, read(object, name)) + name);
  if (members.length > 0) lines.set(path, members);
}

// An object, and its functions that have members themselves: `process.hrtime.bigint`.
function describe(path, object) {
  add(path, object);
  for (const name of names(object)) {
    const value = read(object, name);
    if (typeof value === "function" && name !== "constructor") add(`${path}.${name}`, value);
  }
}

const globals = names(globalThis).filter((it) => it !== "constructor");
lines.set("globalThis", globals.map((it) => kindOf(it, read(globalThis, it)) + it));
for (const name of globals) {
  const value = read(globalThis, name);
  if (value === null || value === undefined || value === globalThis) continue;
  if (typeof value === "object") describe(name, value);
  else if (typeof value === "function") {
    add(name, value);
    if (kindOf(name, value) === "c") add(`${name}.prototype`, value.prototype);
  }
}
for (const name of MODULES) {
  const module = requireFrom(`node:${name}`);
  describe(`node:${name}`, module);
  if (name === "events") add("node:events.EventEmitter.prototype", module.prototype);
}

const sorted = [...lines].sort(([a], [b]) => (a < b ? -1 : 1));
const text = sorted.map(([path, members]) => [path, ...members].join(" ")).join("\n") + "\n";
if (!process.argv.includes("--check")) {
  process.stdout.write(text);
} else {
  const written = readFileSync(new URL("../../src/catalog/data/node-members.txt", import.meta.url), "utf8");
  const known = new Set(written.split("\n"));
  const other = text.split("\n").filter((line) => !known.has(line));
  if (text !== written) {
    console.error(`node-members.txt is not what Node ${process.version} says:\n${other.join("\n")}`);
    process.exitCode = 1;
  }
}
