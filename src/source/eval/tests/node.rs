//! Node's modules: files, paths and what is only known to be outside.

use super::{factory, modules};

#[test]
fn files_of_the_installation_are_read() {
    modules(
        &[
            (
                "index.ts",
                r#"
                import { existsSync, readFileSync, readdirSync } from "node:fs";
                import * as path from "path";
                import { fileURLToPath } from "url";
                import { homedir } from "os";
                const here = path.dirname(fileURLToPath(import.meta.url));
                const settings = JSON.parse(readFileSync(path.join(here, "settings.json"), "utf8"));
                function load() {
                    try { return JSON.parse(readFileSync(path.join(homedir(), ".pi", "agent", "none.json")).toString()); }
                    catch (error) { return { tools: [error.code] }; }
                }
                export default function (pi) {
                    for (const name of settings.tools) pi.registerTool({ name });
                    for (const name of load().tools) pi.registerTool({ name });
                    if (!existsSync(path.resolve(here, "..", "missing"))) pi.registerCommand("there", {});
                    for (const file of readdirSync(path.join(here, "parts"))) {
                        if (file.endsWith(".md")) pi.registerCommand(path.basename(file, ".md"), {});
                    }
                }
                "#,
            ),
            ("settings.json", r#"{ "tools": ["a", "b"] }"#),
            ("parts/one.md", ""),
            ("parts/two.txt", ""),
        ],
        "
        tool a because ~/.pi/agent/extensions/x/settings.json says so
        tool b because ~/.pi/agent/extensions/x/settings.json says so
        tool ENOENT because ~/.pi/agent/none.json does not exist
        command there because ~/.pi/agent/extensions/missing does not exist
        command one because ~/.pi/agent/extensions/x/parts holds these files
        ",
    );
}

#[test]
fn what_the_program_writes_is_what_it_reads() {
    modules(
        &[(
            "index.ts",
            r#"
            import fs from "fs";
            export default async function (pi) {
                const file = "/home/me/.pi/agent/state.json";
                const before = fs.existsSync(file) ? "there" : "not there";
                pi.registerCommand(before, {});
                fs.writeFileSync(file, "{}");
                if (fs.existsSync(file)) pi.registerTool({ name: "after" });
                fs.mkdirSync("/home/me/.pi/agent/mine/deep", { recursive: true });
                fs.writeFileSync("/home/me/.pi/agent/mine/deep/config.json", JSON.stringify({ name: "written" }));
                pi.registerTool(JSON.parse(fs.readFileSync("/home/me/.pi/agent/mine/deep/config.json", "utf8")));
                try { fs.writeFileSync("/home/me/.pi/agent/no/such/folder", ""); pi.registerTool({ name: "no" }); }
                catch (error) { pi.registerTool({ name: error.code }); }
                try { fs.mkdirSync("/home/me/.pi/agent/mine"); } catch (error) { pi.registerTool({ name: error.code }); }
                fs.rmSync("/home/me/.pi/agent/mine", { recursive: true, force: true });
                if (fs.existsSync("/home/me/.pi/agent/mine/deep")) pi.registerTool({ name: "no" });
                if (pi.exec("x").some) fs.writeFileSync("/home/me/.pi/agent/perhaps", "");
                if (fs.existsSync("/home/me/.pi/agent/perhaps")) pi.registerTool({ name: "perhaps" });
                const text = await fs.promises.readFile("/home/me/.pi/agent/none", "utf8").catch(() => "gone");
                pi.registerTool({ name: text });
            }
            "#,
        )],
        r#"
        command not there because ~/.pi/agent/state.json does not exist
        tool after
        tool written
        tool ENOENT because ~/.pi/agent/no/such/folder does not exist
        tool EEXIST because ~/.pi/agent/no/such/folder does not exist, ~/.pi/agent/mine exists
        tool perhaps if fs.existsSync("/home/me/.pi/agent/perhaps") because ~/.pi/agent/no/such/folder does not exist, ~/.pi/agent/mine exists
        tool gone because ~/.pi/agent/no/such/folder does not exist, ~/.pi/agent/mine exists, ~/.pi/agent/none does not exist
        "#,
    );
}

#[test]
fn the_outside_world_is_not_known() {
    modules(
        &[(
            "index.ts",
            r#"
            import { execSync } from "node:child_process";
            import { createHash } from "crypto";
            import { EventEmitter } from "node:events";
            class Bus extends EventEmitter {}
            export default function (pi) {
                let version = "none";
                try { version = execSync("tool --version").toString(); } catch {}
                if (version !== "none") pi.registerTool({ name: "a" });
                pi.registerTool({ name: createHash("md5").update("x").digest("hex") });
                const bus = new Bus();
                bus.on("go", (name) => pi.registerTool({ name }));
                bus.emit("go", "b");
                setInterval(() => {}, 100).unref();
                process.on("exit", () => {});
                console.log(pi);
            }
            "#,
        )],
        r#"
        tool a if !(execSync("tool --version") throws) && version !== "none"
        tool ? node:crypto is not modelled
        tool b
        "#,
    );
}

#[test]
fn node_is_as_new_as_pi_needs_it() {
    modules(
        &[(
            "index.ts",
            r#"
            import { createRequire } from "node:module";
            const works = (Database) => {
                let probe = null;
                try { probe = new Database(":memory:"); probe.exec("create table a(b)"); return true; }
                catch { return false; }
                finally { try { probe?.close(); } catch {} }
            };
            export default (pi) => {
                const [major, minor] = (process.versions.node ?? "0.0.0").split(".").map(Number);
                if (major >= 22 && minor >= 5) pi.registerTool({ name: "modern" });
                if (Number.parseInt(process.version.slice(1), 10) < 20) pi.registerTool({ name: "old" });
                if (major >= 24) pi.registerTool({ name: "newest" });
                const { DatabaseSync } = createRequire(import.meta.url)("node:sqlite");
                if (DatabaseSync && works(DatabaseSync)) pi.registerTool({ name: "sqlite" });
            };
            "#,
        )],
        "
        tool modern because Pi runs on Node 22.19 or newer
        tool newest if major >= 24
        tool sqlite
        ",
    );
}

#[test]
fn who_calls_is_not_known() {
    factory(
        r#"
        const caller = () => {
            const before = Error.prepareStackTrace;
            const error = {};
            let file;
            Error.prepareStackTrace = (_, stack) => {
                for (let i = 0; i < stack.length; i++) {
                    file = stack[i].getFileName();
                    if (file !== "x") return;
                }
            };
            Error.captureStackTrace(error);
            error.stack;
            Error.prepareStackTrace = before;
            return file.indexOf("file://") === 0 ? file.slice(7) : file;
        };
        caller();
        pi.registerTool({ name: "a" });
        "#,
        "tool a",
    );
}

#[test]
fn what_a_storage_runs_runs_at_once() {
    modules(
        &[(
            "index.ts",
            r#"
            import { AsyncLocalStorage } from "node:async_hooks";
            import { mkdirSync, rmSync } from "node:fs";
            class Own extends AsyncLocalStorage {}
            const storage = new AsyncLocalStorage();
            export default (pi) => {
                const name = storage.run({ a: 1 }, (b) => { pi.registerTool({ name: "a" }); return b; }, "b");
                new Own().exit(() => pi.registerTool({ name }));
                if (storage.getStore()) pi.registerTool({ name: "c" });
                try {
                    mkdirSync("/home/me/somewhere", { recursive: true });
                    rmSync("/home/me/elsewhere", { force: true });
                    pi.registerTool({ name: "d" });
                } catch { pi.registerTool({ name: "e" }); }
            };
            "#,
        )],
        "
        tool a
        tool b
        tool d
        ",
    );
}

#[test]
fn the_working_directory_changes() {
    modules(
        &[
            (
                "index.ts",
                r#"
                import fs from "node:fs"; import path from "node:path";
                export default (pi) => {
                    process.chdir(path.join(__dirname, "sub"));
                    pi.registerTool({ name: fs.readFileSync("c.txt", "utf8") + path.basename(path.resolve("x/..")) + path.basename(process.cwd()) });
                    try { process.chdir("nowhere"); } catch { pi.registerTool({ name: "stays" }); }
                    if (pi.exec("x").y) process.chdir("..");
                    pi.registerTool({ name: process.cwd() });
                };
                "#,
            ),
            ("sub/c.txt", "c"),
        ],
        "
        tool csubsub because ~/.pi/agent/extensions/x/sub/c.txt says so
        tool stays
        tool ? the working directory after process.chdir()
        ",
    );
}

#[test]
fn what_is_stored_for_a_while() {
    modules(
        &[(
            "index.ts",
            r#"
            import { AsyncLocalStorage } from "node:async_hooks";
            const storage = new AsyncLocalStorage();
            const add = (name) => storage.getStore().registerTool({ name });
            export default async (pi) => {
                pi.registerTool({ name: typeof storage.getStore() });
                await storage.run(pi, async () => { await null; add("a"); });
                pi.on("session_start", () => { storage.run(1, () => {}); pi.registerTool({ name: storage.getStore() }); });
            };
            "#,
        )],
        "
        tool undefined
        tool a
        tool ? AsyncLocalStorage.getStore() is not modelled @event:session_start
        ",
    );
}

#[test]
fn what_is_read_in_time_fails_only_if_it_does() {
    modules(
        &[
            (
                "index.ts",
                r#"
                import { readFile, readdir } from "node:fs/promises";
                import { join } from "node:path";
                const at = (name) => join(import.meta.dirname, name);
                const parsed = async (name) => JSON.parse(await readFile(at(name), "utf8"));
                export default async (pi) => {
                    const add = (name) => pi.registerTool({ name });
                    add((await readdir(at("d")).catch(() => [])).join());
                    add((await parsed("d/a.json").catch(() => ({ name: "none" }))).name);
                    add(await readFile(at("gone"), "utf8").then(JSON.parse).catch((e) => e.code));
                    add(await parsed("d/b.json").catch((e) => e.name));
                    add((await parsed("d/a.json").catch(() => ({ name: "none" }))).name + " again");
                    const asked = async () => { await fetch("http://h/"); return "fine"; };
                    add(await asked().catch(() => "failed"));
                };
                "#,
            ),
            ("d/a.json", r#"{ "name": "read" }"#),
            ("d/b.json", "{"),
        ],
        r#"
        tool a.json,b.json because ~/.pi/agent/extensions/x/d holds these files
        tool read because ~/.pi/agent/extensions/x/d/a.json says so
        tool ENOENT because ~/.pi/agent/extensions/x/gone does not exist
        tool SyntaxError
        tool read again because ~/.pi/agent/extensions/x/d/a.json says so
        tool fine if !(asked().catch(() => "failed") throws)
        tool failed if asked().catch(() => "failed") throws
        "#,
    );
}

#[test]
fn stack_traces_are_texts_unless_the_program_makes_others() {
    super::factory(
        r#"
        const name = typeof (new Error("x").stack ?? 1);
        Error.prepareStackTrace = (_, callers) => callers;
        pi.registerTool({ name });
        pi.registerTool({ name: typeof new Error("x").stack });
        "#,
        "
        tool string
        tool ? a stack trace
        ",
    );
}

#[test]
fn settings_are_looked_for_around_a_project() {
    modules(
        &[
            (
                "index.ts",
                r#"
            import { existsSync, readFileSync } from "node:fs";
            export default (pi) => {
                if (!existsSync("/home/.pi/settings.json")) pi.registerTool({ name: "around" });
                if (!existsSync("/tmp/.pi/settings.json")) pi.registerTool({ name: "elsewhere" });
                pi.registerTool({ name: typeof readFileSync("/etc/passwd", "utf8") });
            };
            "#,
            ),
            ("/etc/passwd", ""),
        ],
        r#"
        tool around because /home/.pi/settings.json does not exist
        tool elsewhere if !existsSync("/tmp/.pi/settings.json")
        tool string
        "#,
    );
}
