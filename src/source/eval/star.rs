//! `export *`: which names come through, and what happens to one that comes from two modules.
//!
//! jiti makes `CommonJS` of a module: the second definition of a name throws, unless it is the same value. Node leaves a
//! name out that it finds in two modules.

use std::sync::Arc;

use super::Evaluator;
use super::heap::InstanceId;
use super::module::{MAX_REEXPORTS, Target};
use super::native::Eval;
use super::value::Data;
use crate::source::ir::{BindingId, Export, Imported, Module};
use crate::source::resolve::Treatment;

/// Where an exported name is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Binding(InstanceId, BindingId),
    Default(InstanceId),
    Namespace(InstanceId),
}

impl Evaluator<'_> {
    /// Throws what jiti's `export *` throws when two modules export one name.
    pub(super) fn check_stars(&mut self, id: InstanceId) -> Eval<()> {
        let module = self.instances.module(id);
        let stars = self.starred(id, &module)?;
        if stars.len() < 2 || self.instances.file(id).treatment != Treatment::Fresh {
            return Ok(());
        }
        let own: Vec<Arc<str>> = own_names(&module);
        let mut seen: Vec<(Arc<str>, InstanceId)> = Vec::new();
        for star in stars {
            if !self.has_come_to_run(star) {
                continue;
            }
            for name in self.export_names(star)? {
                if matches!(&*name, "default" | "__esModule") || own.contains(&name) {
                    continue;
                }
                match seen.iter().find(|it| it.0 == name) {
                    Some(&(_, first)) => self.check_star(&name, first, star)?,
                    None => seen.push((name, star)),
                }
            }
        }
        Ok(())
    }

    fn check_star(&mut self, name: &Arc<str>, first: InstanceId, second: InstanceId) -> Eval<()> {
        let origins = (self.origin(first, name, 0)?, self.origin(second, name, 0)?);
        if origins.0 == origins.1 {
            return Ok(());
        }
        let (first, second) = (self.export_value(first, name)?, self.export_value(second, name)?);
        let (Some(first), Some(second)) = (first, second) else { return Ok(()) };
        let (first, second) = (super::expression::present(first), super::expression::present(second));
        let is_nan = matches!(first.data, Data::Number(it) if it.is_nan());
        if first.is_settled() && second.is_settled() && (is_nan || !first.is_same(&second)) {
            return Err(self.throw_error("TypeError", &format!("Cannot redefine property: {name}")));
        }
        Ok(())
    }

    /// The modules of the program that a module re-exports whole.
    fn starred(&mut self, id: InstanceId, module: &Module) -> Eval<Vec<InstanceId>> {
        let mut stars = Vec::new();
        for export in &module.exports {
            if let Export::Star { request } = export
                && module.requests.get(*request as usize).is_some_and(|it| !it.erased)
                && let Target::Instance(star) = self.target(id, *request)?
                && !stars.contains(&star)
            {
                stars.push(star);
            }
        }
        Ok(stars)
    }

    /// Where a name that a module exports is declared; `None` when it is not known.
    fn origin(&mut self, id: InstanceId, name: &Arc<str>, depth: u32) -> Eval<Option<Origin>> {
        if depth > MAX_REEXPORTS {
            return Ok(None);
        }
        let module = self.instances.module(id);
        for export in &module.exports {
            match export {
                Export::Binding { name: it, binding } if it == name => {
                    return Ok(Some(Origin::Binding(id, *binding)));
                }
                Export::Default if &**name == "default" => return Ok(Some(Origin::Default(id))),
                Export::From { name: it, request, imported } if it == name => {
                    let Target::Instance(next) = self.target(id, *request)? else { return Ok(None) };
                    return match imported {
                        Imported::Named(name) => self.origin(next, name, depth + 1),
                        Imported::Default => self.origin(next, &"default".into(), depth + 1),
                        Imported::Namespace => Ok(Some(Origin::Namespace(next))),
                    };
                }
                _ => {}
            }
        }
        for star in self.starred(id, &module)? {
            let found = self.origin(star, name, depth + 1)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Whether a name that a module exports may be assigned to.
    pub(super) fn is_changing(&mut self, id: InstanceId, name: &Arc<str>) -> Eval<bool> {
        Ok(match self.origin(id, name, 0)? {
            Some(Origin::Binding(id, binding)) => {
                !self.instances.is_finished(id) || self.instances.module(id).changing.contains(&binding)
            }
            Some(Origin::Default(id)) => !self.instances.is_finished(id),
            Some(Origin::Namespace(_)) => false,
            None => true,
        })
    }

    /// Whether Node leaves a name out because two modules export it.
    pub(super) fn is_ambiguous(&mut self, id: InstanceId, module: &Module, name: &Arc<str>) -> Eval<bool> {
        if self.instances.file(id).treatment != Treatment::NativeEsm {
            return Ok(false);
        }
        let mut first = None;
        for star in self.starred(id, module)? {
            let Some(origin) = self.origin(star, name, 0)? else { continue };
            if first.is_some_and(|it| it != origin) {
                return Ok(true);
            }
            first = Some(origin);
        }
        Ok(false)
    }

    /// The names that a module exports, in the order in which its namespace lists them.
    pub(super) fn export_names(&mut self, id: InstanceId) -> Eval<Vec<Arc<str>>> {
        let mut names = Vec::new();
        self.collect_export_names(id, &mut names, 0)?;
        if self.instances.file(id).treatment == Treatment::NativeEsm {
            names.sort_unstable();
        }
        Ok(names)
    }

    /// Its own names come first, sorted, then those of each module that it re-exports.
    fn collect_export_names(&mut self, id: InstanceId, names: &mut Vec<Arc<str>>, depth: u32) -> Eval<()> {
        if depth > MAX_REEXPORTS {
            return Ok(());
        }
        let module = self.instances.module(id);
        let mut own = own_names(&module);
        own.sort_unstable();
        for name in own {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        for star in self.starred(id, &module)? {
            let mut inner = Vec::new();
            self.collect_export_names(star, &mut inner, depth + 1)?;
            for name in inner {
                if &*name != "default" && !names.contains(&name) && !self.is_ambiguous(id, &module, &name)? {
                    names.push(name);
                }
            }
        }
        Ok(())
    }
}

/// The names that a module exports by itself.
fn own_names(module: &Module) -> Vec<Arc<str>> {
    module
        .exports
        .iter()
        .filter_map(|it| match it {
            Export::Binding { name, .. } | Export::From { name, .. } => Some(name.clone()),
            Export::Default => Some("default".into()),
            Export::Star { .. } | Export::Assignment => None,
        })
        .collect()
}
