//! What code mentions, found without running it.

use rustc_hash::FxHashSet;

use super::ir::{Atom, BindingId, Expr, FunctionId, Key, Module, Pattern, Range};

/// A variable that code names, and whether more is done with it than asking for a property.
pub type Named = (BindingId, bool);

/// Where a module mentions what matters here, by position.
#[derive(Debug)]
pub struct Mentions {
    /// Names of variables, and whether more is done with them than asking for a property.
    variables: Vec<(u32, BindingId, bool)>,
    /// The variables that each function names, each once, by the number of the function: of the first ones, as long as they are not
    /// too many in all.
    of_functions: Vec<Box<[Named]>>,
    /// Names of registering methods.
    registering: Vec<u32>,
    /// Code that is loaded at run time and not known.
    unknown: Vec<u32>,
    /// Modules that are loaded at run time.
    loading: Vec<(u32, Atom)>,
}

/// Whether a name is that of a registering method.
pub fn registers(name: &str) -> bool {
    matches!(
        name,
        "registerTool"
            | "registerCommand"
            | "registerFlag"
            | "registerShortcut"
            | "registerMessageRenderer"
            | "registerEntryRenderer"
            | "registerProvider"
            | "unregisterProvider"
    )
}

impl Mentions {
    /// Whether a registering method is named anywhere.
    pub fn registers(&self) -> bool {
        !self.registering.is_empty()
    }

    /// Whether code is loaded anywhere that is not known.
    pub fn loads_unknown(&self) -> bool {
        !self.unknown.is_empty()
    }

    /// The modules that are loaded at run time.
    pub fn loaded(&self) -> impl Iterator<Item = &Atom> {
        self.loading.iter().map(|it| &it.1)
    }

    /// Those of a module.
    pub fn of(module: &Module) -> Self {
        let mut variables = Vec::new();
        let mut registering = Vec::new();
        let mut unknown = Vec::new();
        let mut loading: Vec<_> = module.loads.iter().map(|it| (it.start, it.specifier.clone())).collect();
        let mut only_asked = FxHashSet::default();
        for (expr, range) in &module.exprs {
            match expr {
                Expr::Local(binding) => variables.push((range.start, *binding, true)),
                Expr::Member { object, property: name, .. } => {
                    if let Expr::Local(_) = module.expr(*object) {
                        only_asked.insert(module.expr_span(*object).start);
                    }
                    if registers(name) {
                        registering.push(range.start);
                    }
                }
                Expr::String(name) if registers(name) => registering.push(range.start),
                Expr::ImportCall(specifier) => match module.expr(*specifier) {
                    Expr::String(_) => {}
                    _ => unknown.push(range.start),
                },
                _ => {}
            }
        }
        for (pattern, range) in &module.patterns {
            if let Pattern::Object { properties, .. } = pattern
                && properties.iter().any(|(key, _)| matches!(key, Key::Name(name) if registers(name)))
            {
                registering.push(range.start);
            }
        }
        for (start, _, is_handed_on) in &mut variables {
            *is_handed_on = !only_asked.contains(start);
        }
        variables.sort_unstable();
        registering.sort_unstable();
        unknown.sort_unstable();
        loading.sort_unstable();
        let mut mentions = Self { variables, of_functions: Vec::new(), registering, unknown, loading };
        mentions.of_functions = mentions.in_functions(module);
        mentions
    }

    /// The variables that the functions of a module name.
    fn in_functions(&self, module: &Module) -> Vec<Box<[Named]>> {
        // What is named in a function counts for each one around it.
        let mut left = self.variables.len() * 8;
        let mut named = Vec::new();
        for function in &module.functions {
            let mut within: Vec<Named> = self.variables_within(function.at).collect();
            if within.len() > left {
                break;
            }
            left -= within.len();
            within.sort_unstable();
            within.dedup();
            named.push(within.into_boxed_slice());
        }
        named
    }

    /// The variables that a function names, each once, if that has been found out.
    pub fn variables_of(&self, function: FunctionId) -> Option<&[Named]> {
        self.of_functions.get(function.0 as usize).map(|it| &**it)
    }

    /// Whether code within a range names a registering method.
    pub fn registers_within(&self, range: Range) -> bool {
        any_within(&self.registering, range)
    }

    /// Whether code within a range loads code that is not known.
    pub fn loads_unknown_within(&self, range: Range) -> bool {
        any_within(&self.unknown, range)
    }

    /// The modules that code within a range loads at run time.
    pub fn loaded_within(&self, range: Range) -> impl Iterator<Item = &Atom> {
        let from = self.loading.partition_point(|it| it.0 < range.start);
        let within = self.loading.get(from..).unwrap_or_default();
        within.iter().take_while(move |it| it.0 < range.end).map(|it| &it.1)
    }

    /// The variables that code within a range names.
    pub fn variables_within(&self, range: Range) -> impl Iterator<Item = Named> {
        let from = self.variables.partition_point(|it| it.0 < range.start);
        let within = self.variables.get(from..).unwrap_or_default();
        within.iter().take_while(move |it| it.0 < range.end).map(|it| (it.1, it.2))
    }
}

fn any_within(starts: &[u32], range: Range) -> bool {
    let from = starts.partition_point(|&it| it < range.start);
    starts.get(from).is_some_and(|&it| it < range.end)
}
