//! The rules of load order, as data (rules, sections 1 and 12).

use crate::rule::{Rule, RuleId};

macro_rules! rules {
    ($($name:ident $id:literal $sentence:literal, $example:literal, $pi:literal;)*) => {
        $(
            #[doc = $sentence]
            pub const $name: RuleId = RuleId($id);
        )*

        /// Every rule of this stage.
        pub static RULES: &[Rule] =
            &[$(Rule { id: $name, sentence: $sentence, example: $example, pi: $pi }),*];
    };
}

rules! {
    CLI "order/cli"
        "What `-e` names is listed first, in the order of the command line, whatever settings and filters say of it.",
        "`pi -e ./try.ts`: try.ts stands before every installed extension.",
        "dist/core/resource-loader.js#reload, mergePaths";
    CLI_MISSING "order/cli-missing"
        "A path given with `-e` that is not there keeps Pi from starting.",
        "`pi -e ./gone.ts` prints `Extension path does not exist: …/gone.ts` and exits with status 1.",
        "dist/core/resource-loader.js#reload";
    PROJECT_SETTINGS "order/project-settings"
        "Files and folders of `extensions` in .pi/settings.json come first of what is installed, in the order of the list.",
        "`\"extensions\": [\"b.ts\", \"a.ts\"]` lists .pi/b.ts, then .pi/a.ts.",
        "dist/core/package-manager.js#resolveLocalEntries, resourcePrecedenceRank";
    PROJECT_AUTO "order/project-auto"
        "What lies in .pi/extensions comes after the project's settings entries and before everything of the user.",
        ".pi/extensions/a.ts stands before ~/.pi/agent/extensions/a.ts.",
        "dist/core/package-manager.js#addAutoDiscoveredResources, resourcePrecedenceRank";
    USER_SETTINGS "order/user-settings"
        "Files and folders of `extensions` in the user's settings.json come after those of the project, in the order of the list.",
        "`\"extensions\": [\"~/x.ts\"]` lists x.ts after .pi/extensions/*.",
        "dist/core/package-manager.js#resolveLocalEntries, resourcePrecedenceRank";
    USER_AUTO "order/user-auto"
        "What lies in the agent directory's folder extensions comes after the user's settings entries and before packages, in byte order of the names.",
        "~/.pi/agent/extensions/B.ts stands before a.ts.",
        "dist/core/package-manager.js#addAutoDiscoveredResources, collectAutoExtensionEntries";
    PACKAGE "order/package"
        "What packages bring comes last of what is installed: packages of the project first, each list in its order.",
        "`\"packages\": [\"npm:b\", \"npm:a\"]` lists the extensions of b before those of a.",
        "dist/core/package-manager.js#resolvePackageSources, resourcePrecedenceRank";
    INLINE "order/inline"
        "Extensions that the `pi` command brings itself come after everything else.",
        "<inline:llama.cpp> is the last of the list, also with `-ne`.",
        "dist/core/resource-loader.js#loadExtensionFactories";
    RESOURCE_FLAG "order/resource-flag"
        "What `--skill`, `--prompt-template` and `--theme` name comes after everything that is installed.",
        "`pi --skill ./review`: a skill `review` that is installed keeps the name.",
        "dist/core/resource-loader.js#reload, mergePaths";
    OVERRIDE "order/override-pattern"
        "In a settings list `!glob` switches off what the list names and what lies in the folder of the same scope, `+path` brings back, `-path` removes.",
        "`\"extensions\": [\"!old.ts\"]` in the user's settings.json switches off ~/.pi/agent/extensions/old.ts, not .pi/extensions/old.ts.",
        "dist/core/package-manager.js#applyPatterns, isEnabledByOverrides";
    FILTER "order/package-filter"
        "The object form of a package chooses from what the package brings: patterns select, `!glob` excludes, `+path` brings back, `-path` removes, `[]` switches everything off.",
        "`{\"source\": \"npm:x\", \"extensions\": [\"!src/b.ts\"]}` loads x without src/b.ts.",
        "dist/core/package-manager.js#applyPackageFilter";
    AUTOLOAD "order/autoload-false"
        "With `autoload: false` only what a pattern names is loaded, in the order of the patterns; in a project it comes before the rest of the user's entry of that package.",
        "`{\"source\": \"npm:x\", \"autoload\": false, \"extensions\": [\"b.ts\", \"a.ts\"]}` loads b.ts, then a.ts.",
        "dist/core/package-manager.js#applyPackageDeltaFilter, findAutoloadDeltaBase";
    MANIFEST "order/manifest"
        "The lists of `pi` in package.json may take back with `!glob` and `-path` what they named, and bring it back with `+path`.",
        "`\"extensions\": [\"src/*.ts\", \"!src/draft.ts\"]` leaves draft.ts out.",
        "dist/core/package-manager.js#addManifestEntries";
    IGNORE_FILE "order/ignore-file"
        "A .gitignore, .ignore or .fdignore in a folder that Pi looks through leaves files out.",
        "`draft*.ts` in ~/.pi/agent/extensions/.gitignore leaves draft1.ts out.",
        "dist/core/package-manager.js#addIgnoreRules";
    INDEX_STANDS_FOR_FOLDER "order/index-stands-for-folder"
        "Where the folder extensions itself has an index.ts, an index.js or a manifest, only that is loaded.",
        "An index.ts in ~/.pi/agent/extensions hides other.ts beside it.",
        "dist/core/package-manager.js#resolveExtensionEntries";
    REAL_PATH "order/real-path-once"
        "Of several paths that lead to one file only the best placed is loaded.",
        "~/.pi/agent/extensions/a.ts is a link to a file of a package: the link's place counts.",
        "dist/core/package-manager.js#toResolvedPaths";
    DISABLED_SHADOWS "order/disabled-shadows"
        "A file that is switched off at a better place is not loaded from a worse one either; only `-e` loads it.",
        "`\"extensions\": []` in a package's filter switches a file off even if the settings list `extensions` names the same path.",
        "dist/core/package-manager.js#addResource, toResolvedPaths";
    IDENTITY "order/package-identity"
        "A package counts once, whatever its version, ref or spelling: the project's entry beats the user's, the user's first beats later ones, the project's last replaces earlier ones in place.",
        "`npm:x@1` in .pi/settings.json makes `npm:x` of the user's settings.json disappear.",
        "dist/core/package-manager.js#dedupePackages";
    MISSING "order/missing"
        "What is named and not there is passed over.",
        "`\"extensions\": [\"gone.ts\"]` is not told to anybody.",
        "dist/core/package-manager.js#collectFilesFromPaths";
    NOT_INSTALLED "order/not-installed"
        "A package that is not installed, or in a version that its range does not allow, is installed when Pi starts, and skipped when it is offline.",
        "`npm:x@^2` with x 1.4.0 installed counts as missing.",
        "dist/core/package-manager.js#resolvePackageSources";
    UNTRUSTED "order/untrusted"
        "Settings, packages and folders of a project that is not trusted are not looked at.",
        "`pi --no-approve` leaves .pi/extensions out.",
        "dist/core/settings-manager.js#loadFromStorage, dist/core/package-manager.js#addAutoDiscoveredResources";
    NO_EXTENSIONS "order/no-extensions"
        "`--no-extensions` leaves out every extension that is installed; those of `-e` and Pi's own stay.",
        "`pi -ne -e ./a.ts` lists a.ts and <inline:llama.cpp>.",
        "dist/core/resource-loader.js#reload";
    NO_RESOURCES "order/no-resources"
        "`--no-skills`, `--no-prompt-templates` and `--no-themes` leave out what is installed; what `-e` and the option for single paths name stays.",
        "`pi --no-skills --skill ./review` has one skill.",
        "dist/core/resource-loader.js#reload";
    RESOURCE_DISCOVERED "order/resource-discovered"
        "Skills, prompt templates and themes that `resources_discover` handlers name come last, once the session has started; a path that is known already is passed over.",
        "A handler names `./skills`: its skills lose to installed ones of the same name.",
        "dist/core/resource-loader.js#extendResources";
    BEFORE_TRUST "order/before-trust"
        "In a plain run of a project that needs trust, what loads without trust runs first; what the project then replaces is gone from the list, yet its providers and flag defaults stay.",
        "The project's entry of a package filters b.ts out: b.ts has run already.",
        "dist/core/resource-loader.js#loadFinalExtensionSet";
    CRASH "order/settings-crash"
        "A settings or manifest value of a type that Pi does not expect ends it with an uncaught error.",
        "`\"extensions\": \"a.ts\"` beside an auto-discovered file: `TypeError: entries.filter is not a function`.",
        "dist/core/package-manager.js#isEnabledByOverrides, resolveLocalEntries";
    TRUST_STORE "order/trust-store"
        "A trust.json that is not what Pi writes ends it as soon as a saved decision is needed.",
        "`Failed to read trust store ~/.pi/agent/trust.json: …`",
        "dist/core/trust-manager.js#readTrustFile";
}
