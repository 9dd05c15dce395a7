//! The modules that Node brings: `module.builtinModules` of Node 24.

/// Names that work with and without `node:`. Sorted.
const BUILTINS: &[&str] = &[
    "_http_agent",
    "_http_client",
    "_http_common",
    "_http_incoming",
    "_http_outgoing",
    "_http_server",
    "_stream_duplex",
    "_stream_passthrough",
    "_stream_readable",
    "_stream_transform",
    "_stream_wrap",
    "_stream_writable",
    "_tls_common",
    "_tls_wrap",
    "assert",
    "assert/strict",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "dns/promises",
    "domain",
    "events",
    "fs",
    "fs/promises",
    "http",
    "http2",
    "https",
    "inspector",
    "inspector/promises",
    "module",
    "net",
    "os",
    "path",
    "path/posix",
    "path/win32",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "readline/promises",
    "repl",
    "stream",
    "stream/consumers",
    "stream/promises",
    "stream/web",
    "string_decoder",
    "sys",
    "timers",
    "timers/promises",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "util/types",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

/// Names that exist with `node:` alone.
const ONLY_WITH_SCHEME: &[&str] = &["sea", "sqlite", "test", "test/reporters"];

/// `module.builtinModules`.
pub fn builtin_modules() -> impl Iterator<Item = String> {
    let plain = BUILTINS.iter().map(|it| (*it).to_owned());
    plain.chain(ONLY_WITH_SCHEME.iter().map(|it| format!("node:{it}")))
}

/// What a specifier asks Node for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builtin<'a> {
    /// A module of this name.
    Known(&'a str),
    /// `node:` and a name that no module has.
    Unknown(&'a str),
}

/// Whether a specifier means a module of Node, and which.
pub(super) fn builtin(specifier: &str) -> Option<Builtin<'_>> {
    let Some(name) = specifier.strip_prefix("node:") else {
        return BUILTINS.binary_search(&specifier).is_ok().then_some(Builtin::Known(specifier));
    };
    let known = BUILTINS.binary_search(&name).is_ok() || ONLY_WITH_SCHEME.contains(&name);
    Some(if known { Builtin::Known(name) } else { Builtin::Unknown(name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_decides_for_some() {
        assert!(BUILTINS.is_sorted());
        assert_eq!(builtin("fs/promises"), Some(Builtin::Known("fs/promises")));
        assert_eq!(builtin("node:sqlite"), Some(Builtin::Known("sqlite")));
        assert_eq!(builtin("sqlite"), None);
        assert_eq!(builtin("node:zzz"), Some(Builtin::Unknown("zzz")));
        assert_eq!(builtin("fs/zzz"), None);
    }
}
