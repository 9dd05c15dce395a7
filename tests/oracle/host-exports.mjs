// What the modules that the host serves to extensions export, and what calling the simple ones gives. For extract.mjs.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Longer texts are sentences that nobody compares names with.
const LONGEST_TEXT = 60;

export async function hostExports(pi) {
  const requireFrom = createRequire(join(pi, "dist/core/extensions/loader.js"));
  const typebox = (specifier) => requireFrom.resolve(specifier);
  const sibling = (path) => join(pi, "..", path);
  const modules = {
    "@earendil-works/pi-coding-agent": join(pi, "dist/index.js"),
    "@earendil-works/pi-agent-core": sibling("pi-agent-core/dist/index.js"),
    "@earendil-works/pi-tui": sibling("pi-tui/dist/index.js"),
    "@earendil-works/pi-ai/compat": sibling("pi-ai/dist/compat.js"),
    "@earendil-works/pi-ai/oauth": sibling("pi-ai/dist/oauth.js"),
    "@earendil-works/pi-ai/providers/all": sibling("pi-ai/dist/providers/all.js"),
    typebox: typebox("typebox"),
    "typebox/compile": typebox("typebox/compile"),
    "typebox/value": typebox("typebox/value"),
  };
  const all = {};
  for (const [specifier, path] of Object.entries(modules)) {
    const module = await import(pathToFileURL(path).href);
    all[specifier] = members(module, specifier);
  }
  return all;
}

function members(object, specifier) {
  return Object.fromEntries(Object.keys(object).sort().map((name) => [name, describe(name, object[name], specifier)]));
}

function describe(name, value, specifier) {
  if (typeof value === "function") return describeFunction(name, value, specifier);
  if (value === undefined || typeof value === "symbol") return "other";
  if (typeof value === "string") return value.length > LONGEST_TEXT ? "other" : { value };
  if (value === null || typeof value !== "object") return { value };
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) return "other";
  return { object: members(value, specifier) };
}

function describeFunction(name, value, specifier) {
  if (/^class\b/.test(Function.prototype.toString.call(value))) {
    const statics = Object.getOwnPropertyNames(value).filter((it) => !["length", "name", "prototype"].includes(it));
    return { class: statics.sort() };
  }
  if (specifier.endsWith("pi-tui") && `${value}`.startsWith("(key) => `")) {
    return { prefix: value("") };
  }
  if (specifier.endsWith("pi-coding-agent") && /^create\w+Tool(Definition)?$/.test(name)) {
    const tool = value("/");
    return { tool: { name: tool.name, label: tool.label, keys: Object.keys(tool).filter((key) => tool[key] !== undefined) } };
  }
  if (specifier.endsWith("pi-coding-agent") && /^create\w+Tools$/.test(name)) {
    return { tools: value("/").map((tool) => tool.name) };
  }
  if (specifier.includes("pi-ai/") && /Provider$/.test(name) && value.length === 0) {
    const id = providerId(value);
    if (id) return { provider: id };
  }
  return value.constructor.name === "AsyncFunction" ? "async" : "function";
}

function providerId(make) {
  try {
    const made = make();
    return typeof made?.id === "string" && typeof made.getModels === "function" ? made.id : undefined;
  } catch {
    return undefined;
  }
}
