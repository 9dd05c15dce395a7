//! What Pi's own packages export.

use super::module;

#[test]
fn tools_and_keys_of_pi() {
    module(
        r#"
        import { createReadTool, createBashToolDefinition, createCodingTools, defineTool, getAgentDir, CONFIG_DIR_NAME }
            from "@earendil-works/pi-coding-agent";
        import { Key, Text } from "@mariozechner/pi-tui";
        import { StringEnum } from "@earendil-works/pi-ai";
        import { Type } from "@sinclair/typebox";
        class Panel extends Text { constructor() { super("", 0, 0); this.name = "panel"; } title() { return this.name; } }
        export default function (pi) {
            pi.registerTool(createReadTool(process.cwd()));
            pi.registerTool({ ...createBashToolDefinition("."), name: "shell" });
            for (const tool of createCodingTools(".")) pi.registerTool({ ...tool, name: `my_${tool.name}` });
            pi.registerTool(defineTool({ name: "own", parameters: Type.Object({ a: StringEnum(["x"]) }) }));
            pi.registerShortcut(Key.ctrlAlt("p"), {});
            pi.registerShortcut(Key.f1, {});
            pi.registerCommand(new Panel().title(), {});
            pi.registerCommand(getAgentDir() + CONFIG_DIR_NAME, {});
        }
        "#,
        "
        tool read
        tool shell
        tool my_read
        tool my_bash
        tool my_edit
        tool my_write
        tool own
        shortcut ctrl+alt+p
        shortcut f1
        command panel
        command /home/me/.pi/agent.pi
        ",
    );
}

#[test]
fn what_pi_does_not_export_is_undefined() {
    module(
        r#"
        import * as host from "@earendil-works/pi-coding-agent";
        import { createProvider } from "@earendil-works/pi-ai";
        export default function (pi) {
            if (host.somethingNew) pi.registerTool({ name: "new" });
            if (!host.somethingNew) pi.registerTool({ name: "old" });
            pi.registerProvider(createProvider({ id: "mine", auth: {}, models: [] }));
            host.withFileMutationQueue("x", () => pi);
        }
        "#,
        "
        tool old
        nativeprovider mine
        ",
    );
}

#[test]
fn the_host_tells_its_models() {
    module(
        r#"
        import { getModel, getModels, getProviders } from "@earendil-works/pi-ai";
        export default (pi) => {
            const model = getModel("zai", "glm-4.7");
            pi.registerCommand(`${model.provider}/${model.id} ${model.api} ${model.maxTokens > 0}`, {});
            pi.registerCommand(String(getModel("zai", "none")), {});
            pi.registerCommand(getModels("nobody").length + (getProviders().includes("radius") ? "yes" : "no"), {});
            for (const it of getModels("zai").filter((it) => it.input.includes("image"))) pi.registerTool({ name: it.id });
        };
        "#,
        "
        command zai/glm-4.7 openai-completions true
        command undefined
        command 0no
        tool glm-5v-turbo
        ",
    );
}
