// Writes the facts that one version of Pi ships into src/catalog/data/VERSION/, by importing the installed
// npm package. Needs no network and runs no extension but Pi's own.
//
//   node extract.mjs --pi <dir of an installed @earendil-works/pi-coding-agent> [--out DIR] [--check]
//
// --check  writes nothing; fails when the checked-in files differ from what the package says.
//
// models-schema.json  what models.json has to look like, as the JSON Schema that Pi's validator is made from.
// host-exports.json what the modules that the host serves to extensions export.
// facts.json        tools, slash commands, key bindings, options, inline extensions: small, read as a whole.
// providers.jsonl   one line for each provider, in Pi's order, so that one can be decoded without the others.
//                   Values that repeat stand in tables of the line; `models` are rows (see MODEL_COLUMNS).
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { hostExports } from "./host-exports.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const pi = resolve(option("--pi") ?? join(here, "node_modules/@earendil-works/pi-coding-agent"));
const load = (path) => import(pathToFileURL(join(pi, "dist", path)).href);
const source = (path) => readFileSync(join(pi, "dist", path), "utf8");
const piAi = resolve(pi, "../pi-ai/dist");

process.env.PI_OFFLINE = "1";
process.env.PI_CODING_AGENT_DIR = "/nonexistent";

// Key bindings depend on the platform when Pi's modules load: each platform gets a process of its own.
const PLATFORMS = ["linux", "wsl", "win32", "darwin"];
const asked = option("--keys-of");
if (asked) {
  if (asked === "wsl") process.env.WSL_DISTRO_NAME = "any";
  else Object.defineProperty(process, "platform", { value: asked });
  const { KEYBINDINGS } = await load("core/keybindings.js");
  const keys = Object.entries(KEYBINDINGS).map(([id, it]) => [id, [it.defaultKeys ?? []].flat()]);
  process.stdout.write(JSON.stringify(keys));
  process.exit(0);
}

const version = JSON.parse(readFileSync(join(pi, "package.json"), "utf8")).version;
const facts = {
  version,
  tools: await tools(),
  slashCommands: await slashCommands(),
  keybindings: keybindings(),
  reservedActions: await reservedActions(),
  legacyKeybindings: legacyKeybindings(),
  cliOptions: cliOptions(),
  inlineExtensions: await inlineExtensions(),
  trustRequiring: trustRequiring(),
  hostPackages: hostPackages(),
  themes: await themes(),
  modelDataGeneratedAt: (await import(pathToFileURL(join(piAi, "providers/all.js")).href)).getBuiltinModelDataGeneratedAt(),
};

async function tools() {
  const names = Object.keys((await load("core/tools/index.js")).createAllToolDefinitions("/", {}));
  const active = JSON.parse(/defaultActiveToolNames = (\[[^\]]*\])/.exec(source("core/sdk.js"))[1]);
  return names.map((name) => ({ name, active: active.includes(name) }));
}

// How each command matches stands in the editor's submit handler: `text === "/x"`, perhaps `|| text.startsWith("/x ")`.
async function slashCommands() {
  const listed = (await load("core/slash-commands.js")).BUILTIN_SLASH_COMMANDS.map((it) => it.name);
  const mode = source("modes/interactive/interactive-mode.js");
  const handler = mode.slice(mode.lastIndexOf("setupEditorSubmitHandler() {")).split("subscribeToAgent()")[0];
  const found = [...handler.matchAll(/text === "\/([a-z-]+)"( \|\| text\.startsWith\("\/[a-z-]+ "\))?/g)];
  const all = found.map(([, name, withArguments]) => ({ name, arguments: Boolean(withArguments), listed: listed.includes(name) }));
  const forgotten = listed.filter((name) => !all.some((it) => it.name === name));
  if (forgotten.length > 0) throw new Error(`no match in the submit handler for ${forgotten}`);
  return all;
}

function keybindings() {
  const perPlatform = PLATFORMS.map((platform) => {
    const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), "--pi", pi, "--keys-of", platform], { encoding: "utf8" });
    if (run.status !== 0) throw new Error(run.stderr);
    return JSON.parse(run.stdout);
  });
  return perPlatform[0].map(([action, keys], index) => {
    const others = {};
    for (const [at, platform] of PLATFORMS.entries()) {
      const [theirs, value] = perPlatform[at][index];
      if (theirs !== action) throw new Error(`${platform} orders its actions in another way`);
      if (JSON.stringify(value) !== JSON.stringify(keys)) others[platform] = value;
    }
    return { action, keys, ...(Object.keys(others).length > 0 ? { on: others } : {}) };
  });
}

// The list is not exported, so each action is bound alone to a key that an extension wants, and the runner is asked.
async function reservedActions() {
  const { KEYBINDINGS } = await load("core/keybindings.js");
  const { ExtensionRunner } = await load("core/extensions/runner.js");
  const warn = console.warn;
  console.warn = () => {};
  const extension = { path: "x", shortcuts: new Map([["f12", { shortcut: "f12", extensionPath: "x" }]]) };
  const reserved = Object.keys(KEYBINDINGS).filter((id) => new ExtensionRunner([extension], {}, "/", {}, {}).getShortcuts({ [id]: "f12" }).size === 0);
  console.warn = warn;
  return reserved;
}

function legacyKeybindings() {
  const table = /KEYBINDING_NAME_MIGRATIONS = (\{[\s\S]*?\n\});?/.exec(source("core/keybindings.js"))[1];
  return Object.fromEntries([...table.matchAll(/(\w+): "([^"]+)"/g)].map(([, from, to]) => [from, to]));
}

// `value`: takes the next argument. Whatever Pi itself reads never reaches a flag of an extension.
function cliOptions() {
  const parser = source("cli/args.js").split("export function printHelp")[0];
  const branches = parser.split(/else if |if \(arg/).filter((it) => /arg === "-/.test(it) || /^ === "-/.test(it));
  return branches.flatMap((branch) => {
    const value = /args\[\+\+i\]/.test(branch) && !/listModels = true/.test(branch);
    return [...branch.split("{")[0].matchAll(/=== "(--?[a-z-]+)"/g)].map(([, name]) => ({ name, value }));
  });
}

async function inlineExtensions() {
  const { loadExtensionFromFactory, createExtensionRuntime } = await load("core/extensions/loader.js");
  const { createEventBus } = await load("core/event-bus.js");
  const { builtInExtensions } = await load("extensions/index.js");
  const all = [];
  for (const it of builtInExtensions) {
    const runtime = createExtensionRuntime();
    const path = it.builtin ? `builtin:${it.name}` : `<inline:${it.name}>`;
    const made = await loadExtensionFromFactory(it.factory, "/", createEventBus(), runtime, path);
    const keys = (map) => [...(map?.keys() ?? [])];
    all.push({
      path,
      tools: keys(made.tools), commands: keys(made.commands), flags: keys(made.flags), shortcuts: keys(made.shortcuts),
      messageRenderers: keys(made.messageRenderers), entryRenderers: keys(made.entryRenderers), events: keys(made.handlers),
      configProviders: runtime.pendingProviderRegistrations.map((entry) => entry.name),
      nativeProviders: runtime.pendingNativeProviderRegistrations.map(({ provider }) => ({
        id: provider.id, name: provider.name, baseUrl: provider.baseUrl, auth: Object.keys(provider.auth).sort(), models: provider.getModels().length,
      })),
    });
  }
  return all;
}

function trustRequiring() {
  const manager = source("core/trust-manager.js");
  const list = /(?:const|=) [A-Z_]*(?:RESOURCES?|TRUST)[A-Z_]* = (?:new Set\()?(\[[\s\S]*?\])/.exec(manager);
  if (!list) throw new Error("the trust-requiring names are not where they were");
  return [...list[1].matchAll(/"([^"]+)"/g)].map(([, name]) => name);
}

function hostPackages() {
  const table = /VIRTUAL_MODULES = \{([\s\S]*?)\n\};/.exec(source("core/extensions/loader.js"))[1];
  return [...table.matchAll(/^\s+"?([^":\s]+)"?:/gm)].map(([, name]) => name);
}

// Names and color tokens. The schema is not exported: its declaration says which tokens may be left out.
async function themes() {
  const builtin = (await load("modes/interactive/theme/theme.js")).getAvailableThemesWithPaths().map((it) => it.name);
  const colors = source("modes/interactive/theme/theme.js").split("colors: Type.Object({")[1].split("}),")[0];
  const tokens = [...colors.matchAll(/^\s+(\w+): (Type\.Optional\()?ColorValueSchema/gm)];
  const named = (optional) => tokens.filter((it) => Boolean(it[2]) === optional).map((it) => it[1]);
  return { builtin, requiredColors: named(false), optionalColors: named(true) };
}

// A value of a table: the index of an equal one, or of a new one.
function index(table, value) {
  const text = JSON.stringify(value);
  const at = table.findIndex((it) => JSON.stringify(it) === text);
  return at >= 0 ? at : table.push(value) - 1;
}

const MODEL_COLUMNS = ["id", "name", "api", "baseUrl", "reasoning", "input", "cost", "contextWindow", "maxTokens", "compat", "thinkingLevelMap", "headers"];

// The schema is not exported: its declarations are evaluated with Pi's own schema builder.
async function modelsSchema() {
  const text = source("core/model-config.js");
  const declarations = text.slice(text.indexOf("const PercentileCutoffsSchema"), text.indexOf("const validateModelsConfig"));
  const typebox = await import(pathToFileURL(join(pi, "../../typebox/build/index.mjs")).href);
  return new Function("Type", `${declarations}\nreturn ModelsConfigSchema;`)(typebox.Type ?? typebox.default);
}

// Which variables (or files) of the machine make a provider usable, found by asking its own code: every smallest set
// that suffices, in the order in which the code looks.
async function credentials(provider) {
  const apiKey = provider.auth.apiKey;
  if (!apiKey) return [];
  const usable = async (set, seen) => {
    const has = (name) => { seen?.(name); return set.includes(name); };
    const ctx = { env: async (name) => (has(name) ? "x" : undefined), fileExists: async (path) => has(`file:${path}`) };
    return (await apiKey.resolve({ ctx })) !== undefined;
  };
  const names = [];
  const note = (name) => { if (!names.includes(name)) names.push(name); };
  for (let before = -1; before !== names.length; ) {
    before = names.length;
    for (const set of [[], ...names.map((name) => [name]), ...names.flatMap((one) => names.map((two) => [one, two]))]) await usable(set, note);
  }
  const found = [];
  const subsets = (from, size) => (size === 0 ? [[]] : from.flatMap((name, at) => subsets(from.slice(at + 1), size - 1).map((rest) => [name, ...rest])));
  for (const size of [1, 2, 3]) {
    for (const set of subsets(names, size)) {
      if (!found.some((it) => it.every((name) => set.includes(name))) && (await usable(set))) found.push(set);
    }
  }
  return found;
}

async function providers() {
  const { builtinProviders } = await import(pathToFileURL(join(piAi, "providers/all.js")).href);
  return Promise.all(builtinProviders().map(async (provider) => {
    const tables = { apis: [], baseUrls: [], inputs: [], costs: [], compats: [], thinkingLevelMaps: [], modelHeaders: [] };
    const optional = (table, value) => (value === undefined ? -1 : index(table, value));
    const models = provider.getModels().map((model) => {
      const unknown = Object.keys(model).filter((key) => key !== "provider" && !MODEL_COLUMNS.includes(key));
      if (unknown.length > 0) throw new Error(`${provider.id}/${model.id} has fields without a column: ${unknown}`);
      return [
        model.id, model.name, index(tables.apis, model.api), index(tables.baseUrls, model.baseUrl), model.reasoning,
        index(tables.inputs, model.input), index(tables.costs, model.cost), model.contextWindow, model.maxTokens,
        optional(tables.compats, model.compat), optional(tables.thinkingLevelMaps, model.thinkingLevelMap),
        optional(tables.modelHeaders, model.headers && Object.keys(model.headers)),
      ];
    });
    return {
      id: provider.id, name: provider.name, baseUrl: provider.baseUrl ?? null, auth: Object.keys(provider.auth).sort(),
      headers: Object.keys(provider.headers ?? {}), refreshes: Boolean(provider.refreshModels),
      credentials: await credentials(provider), ...tables, models,
    };
  }));
}

// One line for each export of each module.
function oneLineEach(modules) {
  const lines = (members) => Object.entries(members).map(([name, it]) => `  ${JSON.stringify(name)}: ${JSON.stringify(it)}`).join(",\n");
  const parts = Object.entries(modules).map(([name, members]) => ` ${JSON.stringify(name)}: {\n${lines(members)}\n }`);
  return `{\n${parts.join(",\n")}\n}\n`;
}

const out = resolve(option("--out") ?? join(here, "../../src/catalog/data", version));
const files = {
  "facts.json": `${JSON.stringify(facts, null, 1)}\n`,
  "host-exports.json": oneLineEach(await hostExports(pi)),
  "models-schema.json": `${JSON.stringify(await modelsSchema(), null, 1)}\n`,
  "providers.jsonl": (await providers()).map((it) => `${JSON.stringify(it)}\n`).join(""),
};
let drifted = false;
for (const [name, text] of Object.entries(files)) {
  const path = join(out, name);
  if (!process.argv.includes("--check")) {
    mkdirSync(out, { recursive: true });
    writeFileSync(path, text);
  } else if (readFileSync(path, "utf8") !== text) {
    console.error(`${path} differs from Pi ${version}`);
    drifted = true;
  }
}
process.exit(drifted ? 1 : 0);
