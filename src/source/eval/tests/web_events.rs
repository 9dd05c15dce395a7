//! `EventTarget` and `AbortController`.

use super::{factory, module};

#[test]
fn listeners_of_event_targets() {
    module(
        r#"
        class Bus extends EventTarget { own = "o"; }
        export default (pi) => {
            const bus = new Bus();
            const add = (name) => pi.registerCommand(name, {});
            const gone = () => add("gone");
            bus.addEventListener("ready", (event) => add(`${event.type} ${event.detail.n} ${event.target === bus} ${bus.own}`));
            bus.addEventListener("ready", gone);
            bus.removeEventListener("ready", gone);
            bus.addEventListener("ready", { handleEvent() { add("object"); } });
            bus.addEventListener("never", () => add("never"));
            bus.dispatchEvent(new CustomEvent("ready", { detail: { n: 1 } }));
            let times = 0;
            const count = () => { times += 1; };
            bus.addEventListener("tick", count);
            bus.addEventListener("tick", count);
            bus.addEventListener("tick", () => { times += 10; }, { once: true });
            bus.dispatchEvent(new Event("tick"));
            bus.dispatchEvent(new Event("tick"));
            add(`${times}`);
            bus.addEventListener("ask", (event) => { event.preventDefault(); event.stopImmediatePropagation(); });
            bus.addEventListener("ask", () => add("stopped"));
            add(`asked ${bus.dispatchEvent(new Event("ask", { cancelable: true }))}`);
            add(`${new Event("x") instanceof Event} ${new CustomEvent("x") instanceof Event}`);
        };
        "#,
        "
        command ready 1 true o
        command object
        command 12
        command asked false
        command true true
        ",
    );
}

#[test]
fn controllers_abort() {
    module(
        r#"
        export default (pi) => {
            const add = (name) => pi.registerCommand(name, {});
            const controller = new AbortController();
            const { signal } = controller;
            if (signal.aborted) return;
            const all = AbortSignal.any([signal, new AbortController().signal]);
            const bus = new EventTarget();
            bus.addEventListener("late", () => add("late"), { signal });
            signal.addEventListener("abort", () => add("stopped"));
            all.onabort = () => add("any");
            controller.abort();
            controller.abort("again");
            bus.dispatchEvent(new Event("late"));
            try { signal.throwIfAborted(); add("wrong"); } catch (e) {
                add(`${e.name} ${e.code} ${e instanceof DOMException} ${e instanceof Error}`);
            }
            add(`${all.aborted} ${all.reason === signal.reason} ${AbortSignal.abort("why").reason} ${signal instanceof EventTarget}`);
            const other = new AbortController();
            other.signal.throwIfAborted();
            add(`${other.signal.aborted} ${other.signal.reason}`);
        };
        "#,
        "
        command stopped
        command any
        command AbortError 20 true true
        command true true why true
        command false undefined
        ",
    );
}

#[test]
fn who_else_may_abort() {
    factory(
        r#"
        const controller = new AbortController();
        controller.signal.addEventListener("abort", () => pi.registerCommand("aborted", {}));
        unknown.take(controller);
        if (!controller.signal.aborted) pi.registerCommand("going", {});
        const timeout = AbortSignal.timeout(10);
        timeout.addEventListener("abort", () => pi.registerCommand("timeout", {}));
        const own = new AbortController();
        if (unknown.on) own.abort();
        if (own.signal.aborted) pi.registerCommand("own", {});
        "#,
        "
        command going if !controller.signal.aborted
        command own if unknown.on
        command aborted @later
        command timeout @later
        ",
    );
}
