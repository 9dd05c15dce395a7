// Asks the real Pi what it decides about one installation, and writes the answer as JSON.
//
//   node ask.mjs ANSWER-FILE [--session] [--sdk-tool NAME]... -- [what stands after `pi` on the command line]
//
// Runs the extensions' code: for fixtures only, in a process of its own, with a throwaway HOME. The working directory,
// HOME and PI_CODING_AGENT_DIR are the installation. It does what Pi's `main.ts` does up to the moment at which a mode
// would take over; a question whether to trust the project is answered with yes.
// With --session, it also starts the session (which emits `session_start`) and records that moment under `session`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const pi = new URL("./node_modules/@earendil-works/pi-coding-agent/dist/", import.meta.url);
const fromPi = (path) => import(new URL(path, pi).href);
const fromPiAi = (path) => import(new URL(`../../pi-ai/dist/${path}`, pi).href);

const [answerFile, ...rest] = process.argv.slice(2);
const end = rest.indexOf("--");
const own = rest.slice(0, end);
const withSession = own.includes("--session");
const sdkTools = own.filter((_, index) => own[index - 1] === "--sdk-tool");
const commandLine = rest.slice(end + 1);

// Extensions may print; nothing of that belongs to the answer.
console.log = console.info = console.warn = (...words) => process.stderr.write(`${words.join(" ")}\n`);

const { VERSION, getAgentDir } = await fromPi("config.js");
const { parseArgs } = await fromPi("cli/args.js");
const { runMigrations } = await fromPi("migrations.js");
const { isLocalPath, resolvePath } = await fromPi("utils/paths.js");
const { createAgentSessionServices, createAgentSessionFromServices } = await fromPi("core/agent-session-services.js");
const { KeybindingsManager } = await fromPi("core/keybindings.js");
const { ModelRuntime } = await fromPi("core/model-runtime.js");
const { resolveProjectTrusted } = await fromPi("core/project-trust.js");
const { DefaultResourceLoader } = await fromPi("core/resource-loader.js");
const { SessionManager } = await fromPi("core/session-manager.js");
const { SettingsManager } = await fromPi("core/settings-manager.js");
const { hasTrustRequiringProjectResources, ProjectTrustStore } = await fromPi("core/trust-manager.js");
const { builtInExtensions } = await fromPi("extensions/index.js");
const { InteractiveMode } = await fromPi("modes/interactive/interactive-mode.js");
const { builtinProviders } = await fromPiAi("providers/all.js");

const cwd = process.cwd();
const agentDir = getAgentDir();
const parsed = parseArgs(commandLine);
runMigrations(cwd);
const startupSettings = SettingsManager.create(cwd, agentDir);
const settingsErrors = startupSettings.drainErrors().map(({ scope, error }) => `${scope}: ${error.message}`);

const ranBeforeTrust = recordPreTrustPass();
const trust = { needed: hasTrustRequiringProjectResources(cwd), asked: false };
const modelRuntime = await ModelRuntime.create({
  authPath: join(agentDir, "auth.json"),
  modelsPath: join(agentDir, "models.json"),
});
const providerCalls = recordProviderCalls(modelRuntime);
const services = await createServices();
const session = await createSession(services);
const loaded = services.resourceLoader.getExtensions();
const errors = loaded.errors.map(({ path, error }) => ({ path, error }));
const diagnostics = [
  ...services.diagnostics,
  ...parsed.diagnostics,
].map(({ type, message }) => ({ type, message }));

const answer = {
  pi: VERSION,
  trust: { ...trust, trusted: services.settingsManager.isProjectTrusted() },
  starts: errors.length === 0 && !diagnostics.some(({ type }) => type === "error"),
  errors,
  diagnostics: diagnostics.map(({ message }) => message),
  settingsErrors,
  modelsError: modelRuntime.getError(),
  order: loaded.extensions.map(describeExtension),
  // What ran before the trust decision, then the rest in list order.
  exec: [
    ...ranBeforeTrust,
    ...loaded.extensions.map(({ path }) => path).filter((path) => !ranBeforeTrust.includes(path)),
  ],
  ...(await describeNames()),
  providerCalls,
};
if (withSession) {
  const runtimeErrors = [];
  await session.bindExtensions({
    onError: ({ extensionPath, event, error }) => runtimeErrors.push({ path: extensionPath, event, error }),
  });
  answer.session = { ...changes(answer, await describeNames()), runtimeErrors };
}
writeFileSync(answerFile, JSON.stringify(answer));
process.exit(0);

/** Which extensions Pi runs before it knows whether it may trust the project. */
function recordPreTrustPass() {
  const paths = [];
  const loader = DefaultResourceLoader.prototype;
  const original = loader.loadProjectTrustExtensions;
  loader.loadProjectTrustExtensions = async function (...args) {
    const result = await original.apply(this, args);
    paths.push(...result.extensions.map(({ path }) => path));
    return result;
  };
  return paths;
}

/** Provider registrations in the order in which the runtime applies them. */
function recordProviderCalls(runtime) {
  const calls = [];
  for (const method of ["registerProvider", "registerNativeProvider", "unregisterProvider"]) {
    const original = runtime[method].bind(runtime);
    runtime[method] = (...args) => {
      const [first, config] = args;
      const call = { call: method, id: typeof first === "string" ? first : first?.id };
      if (method === "registerProvider") call.fields = definedKeys(config);
      calls.push(call);
      try {
        return original(...args);
      } catch (error) {
        call.error = String(error.message ?? error);
        throw error;
      }
    };
  }
  return calls;
}

/** `createRuntime` of Pi's main.ts, first half. */
async function createServices() {
  const override = parsed.projectTrustOverride;
  const mustDecide = override === undefined && trust.needed;
  const localPaths = (paths) => paths?.map((path) => (isLocalPath(path) ? resolvePath(path, cwd) : path));
  return createAgentSessionServices({
    cwd,
    agentDir,
    modelRuntime,
    settingsManager: SettingsManager.create(cwd, agentDir, { projectTrusted: mustDecide ? false : (override ?? true) }),
    extensionFlagValues: parsed.unknownFlags,
    resourceLoaderReloadOptions: mustDecide ? { resolveProjectTrust: decideTrust } : undefined,
    resourceLoaderOptions: {
      additionalExtensionPaths: localPaths(parsed.extensions),
      additionalSkillPaths: localPaths(parsed.skills),
      additionalPromptTemplatePaths: localPaths(parsed.promptTemplates),
      additionalThemePaths: localPaths(parsed.themes),
      noExtensions: parsed.noExtensions,
      noSkills: parsed.noSkills,
      noPromptTemplates: parsed.noPromptTemplates,
      noThemes: parsed.noThemes,
      extensionFactories: builtInExtensions,
    },
  });
}

function decideTrust({ extensionsResult }) {
  return resolveProjectTrusted({
    cwd,
    trustStore: new ProjectTrustStore(agentDir),
    defaultProjectTrust: startupSettings.getDefaultProjectTrust(),
    extensionsResult,
    projectTrustContext: {
      cwd,
      mode: "tui",
      hasUI: true,
      ui: {
        select: async (_title, options) => {
          trust.asked = true;
          return options.find((option) => option === "Trust (this session only)");
        },
        confirm: async () => false,
        input: async () => undefined,
        notify: () => {},
      },
    },
  });
}

/** `createRuntime` of Pi's main.ts, second half; tools of an SDK host on top. */
async function createSession(services) {
  const created = await createAgentSessionFromServices({
    services,
    sessionManager: SessionManager.inMemory(cwd),
    tools: parsed.tools,
    excludeTools: parsed.excludeTools,
    noTools: parsed.noTools ? "all" : parsed.noBuiltinTools ? "builtin" : undefined,
    customTools: sdkTools.map((name) => ({
      name,
      label: name,
      description: "A tool that the host passes in",
      parameters: { type: "object", properties: {} },
      execute: async () => ({ content: [], details: {} }),
    })),
  });
  return created.session;
}

/** One extension and what it registered while loading. */
function describeExtension(extension) {
  const { source, scope, origin } = extension.sourceInfo;
  const names = (map) => [...(map?.keys() ?? [])].map(String);
  return {
    path: extension.path,
    source,
    scope,
    origin,
    tools: names(extension.tools),
    commands: names(extension.commands),
    flags: names(extension.flags),
    shortcuts: names(extension.shortcuts),
    messageRenderers: names(extension.messageRenderers),
    entryRenderers: names(extension.entryRenderers),
    events: names(extension.handlers),
  };
}

/** Who holds each name of each kind now. */
async function describeNames() {
  const runner = session.extensionRunner;
  const { extensions } = services.resourceLoader.getExtensions();
  const renderers = (pick, find) =>
    [...new Set(extensions.flatMap((extension) => [...(pick(extension)?.keys() ?? [])]))].map((customType) => {
      const held = find(customType);
      const owner = held && extensions.find((extension) => pick(extension)?.get(customType) === held);
      return { customType, owner: owner?.path };
    });
  const keybindings = KeybindingsManager.create(agentDir).getEffectiveConfig();
  const { skills, diagnostics: skillProblems } = services.resourceLoader.getSkills();
  const { prompts, diagnostics: promptProblems } = services.resourceLoader.getPrompts();
  const { themes, diagnostics: themeProblems } = services.resourceLoader.getThemes();
  const problem = ({ type, message, path }) => `${type}: ${message}${path ? ` ${path}` : ""}`;
  return {
    tools: session
      .getAllTools()
      .map(({ name, sourceInfo }) => ({ name: String(name), owner: sourceInfo.path }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    activeTools: session.getActiveToolNames().map(String),
    commands: await Promise.all(
      runner.getRegisteredCommands().map(async ({ name, invocationName, sourceInfo }) => ({
        name,
        invocation: invocationName,
        owner: sourceInfo.path,
        hidden: await hiddenByBuiltin(invocationName),
      })),
    ),
    flags: [...runner.getFlags()].map(([name, { extensionPath, type }]) => ({
      name,
      owner: extensionPath,
      type,
      value: runner.getFlagValues().get(name),
    })),
    shortcuts: [...runner.getShortcuts(keybindings)].map(([key, { extensionPath }]) => ({ key, owner: extensionPath })),
    shortcutDiagnostics: runner.getShortcutDiagnostics().map(({ message }) => message),
    messageRenderers: renderers((extension) => extension.messageRenderers, (type) => runner.getMessageRenderer(type)),
    entryRenderers: renderers((extension) => extension.entryRenderers, (type) => runner.getEntryRenderer(type)),
    skills: skills.map(({ name, filePath }) => ({ name, path: filePath })),
    skillDiagnostics: skillProblems.map(problem),
    prompts: prompts.map(({ name, filePath }) => ({ name, path: filePath })),
    promptDiagnostics: promptProblems.map(problem),
    themes: themes.map(({ name, sourcePath }) => ({ name, path: sourcePath })),
    themeDiagnostics: themeProblems.map(problem),
    providers: describeProviders(),
  };
}

/** Whether the interactive mode takes `/invocation` for one of its own commands. */
async function hiddenByBuiltin(invocation) {
  const isTaken = async (text) => {
    let passedOn = false;
    const nothing = () => {};
    const screen = {
      defaultEditor: {},
      editor: { setText: nothing },
      session: {},
      onInputCallback: () => (passedOn = true),
    };
    const interactive = new Proxy(screen, { get: (target, key) => target[key] ?? nothing });
    InteractiveMode.prototype.setupEditorSubmitHandler.call(interactive);
    await screen.defaultEditor.onSubmit(text);
    return !passedOn;
  };
  if (!(await isTaken(`/${invocation}`))) return undefined;
  return (await isTaken(`/${invocation} something`)) ? "always" : "without arguments";
}

/** The providers that models.json or an extension touches. */
function describeProviders() {
  const builtin = new Set(builtinProviders().map(({ id }) => id));
  const touched = new Set([...modelRuntime.getRegisteredProviderIds(), ...modelRuntime.config.getProviderIds()]);
  return [...touched].sort().map((id) => {
    const provider = modelRuntime.getProvider(id);
    return {
      id,
      builtin: builtin.has(id),
      native: modelRuntime.getRegisteredNativeProvider(id) !== undefined,
      extensionFields: definedKeys(modelRuntime.getRegisteredProviderConfig(id)).sort(),
      name: provider?.name,
      baseUrl: provider?.baseUrl,
      auth: provider && Object.keys(provider.auth).sort(),
      models: modelRuntime.getModels(id).map((model) => ({
        id: model.id,
        name: model.name,
        api: model.api,
        baseUrl: model.baseUrl,
        reasoning: model.reasoning,
        contextWindow: model.contextWindow,
        maxTokens: model.maxTokens,
        input: model.input,
        cost: model.cost,
        compat: model.compat,
      })),
    };
  });
}

/** Those entries of `after` that differ from `before`. */
function changes(before, after) {
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key])),
  );
}

function definedKeys(object) {
  return Object.keys(object ?? {}).filter((key) => object[key] !== undefined);
}
