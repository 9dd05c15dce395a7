//! Where names live: scopes in an arena, each with the bindings of one block, function or module.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::heap::Birth;
use super::value::Value;
use super::watch::Watch;
use crate::source::ir::BindingId;

/// A scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScopeId(u32);

/// The variables of one run of a block.
#[derive(Debug)]
struct Scope {
    parent: Option<ScopeId>,
    birth: Birth,
    names: Names,
    values: Vec<Value>,
}

/// How a scope finds a name.
#[derive(Debug)]
enum Names {
    /// Those of a block or function.
    Own(Own),
    /// Every binding of a module has a place; only those of the top level are used.
    Module,
}

/// The names of a block or function.
#[derive(Debug, Clone)]
struct Own {
    list: Box<[BindingId]>,
    /// How many of the first are parameters and `var`s.
    hoisted: u32,
    /// Their places in the list, where it is long.
    index: Option<Rc<FxHashMap<BindingId, u32>>>,
}

/// From this many names on, an index is kept beside the list.
const INDEXED_FROM: usize = 32;

impl Own {
    fn new(list: &[BindingId], hoisted: u32) -> Self {
        let index = (list.len() >= INDEXED_FROM).then(|| {
            let mut index = FxHashMap::default();
            for (&name, at) in list.iter().zip(0..) {
                // Of a name that is twice in it, the first counts.
                index.entry(name).or_insert(at);
            }
            Rc::new(index)
        });
        Self { list: list.into(), hoisted, index }
    }

    fn position(&self, name: BindingId) -> Option<u32> {
        match &self.index {
            Some(index) => index.get(&name).copied(),
            None => self.list.iter().position(|&it| it == name).and_then(|at| u32::try_from(at).ok()),
        }
    }
}

/// Every scope.
#[derive(Debug)]
pub struct Scopes {
    scopes: Vec<Scope>,
    /// In which of them variables are set.
    pub changes: Watch,
}

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    scope: ScopeId,
    index: u32,
}

impl Place {
    /// Whether its scope is one of so many that were made first.
    pub fn is_among_first(self, scopes: usize) -> bool {
        (self.scope.0 as usize) < scopes
    }
}

impl Scopes {
    /// None yet.
    pub fn new() -> Self {
        Self { scopes: Vec::new(), changes: Watch::new() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.scopes.len()
    }

    fn add(&mut self, scope: Scope) -> ScopeId {
        let id = ScopeId(u32::try_from(self.scopes.len()).unwrap_or(u32::MAX));
        self.scopes.push(scope);
        id
    }

    /// The top scope of a module with this many bindings.
    pub fn add_module(&mut self, bindings: usize, birth: Birth) -> ScopeId {
        self.add(Scope { parent: None, birth, names: Names::Module, values: vec![Value::ABSENT; bindings] })
    }

    /// A scope for these names inside another one.
    pub fn add_block(&mut self, parent: ScopeId, names: &[BindingId], birth: Birth) -> ScopeId {
        self.add_function(parent, names, 0, birth)
    }

    /// A scope for a function whose first names are its parameters and `var`s.
    pub fn add_function(
        &mut self,
        parent: ScopeId,
        names: &[BindingId],
        hoisted: u32,
        birth: Birth,
    ) -> ScopeId {
        let values = vec![Value::ABSENT; names.len()];
        self.add(Scope { parent: Some(parent), birth, names: Names::Own(Own::new(names, hoisted)), values })
    }

    /// Whether a variable is there before its declaration is reached: a `var`, or one of a module, which may be.
    pub fn is_hoisted(&self, place: Place) -> bool {
        self.scopes.get(place.scope.0 as usize).is_some_and(|it| match &it.names {
            Names::Own(own) => place.index < own.hoisted,
            Names::Module => true,
        })
    }

    /// A copy of a scope with the same parent: the variables of the next turn of a loop.
    pub fn copy(&mut self, of: ScopeId, birth: Birth) -> Option<ScopeId> {
        let scope = self.scopes.get(of.0 as usize)?;
        let Names::Own(own) = &scope.names else { return None };
        let copy = Scope {
            parent: scope.parent,
            birth,
            names: Names::Own(own.clone()),
            values: scope.values.clone(),
        };
        Some(self.add(copy))
    }

    /// Sets every variable of a scope that has no value yet.
    pub fn fill(&mut self, scope: ScopeId, value: &Value) {
        self.changes.note(scope.0 as usize);
        let Some(scope) = self.scopes.get_mut(scope.0 as usize) else { return };
        for slot in &mut scope.values {
            if matches!(slot.data, super::value::Data::Absent) {
                *slot = value.clone();
            }
        }
    }

    /// The variable that a name means in a scope.
    pub fn find(&self, from: ScopeId, name: BindingId) -> Option<Place> {
        let mut at = Some(from);
        while let Some(id) = at {
            let scope = self.scopes.get(id.0 as usize)?;
            match &scope.names {
                Names::Own(own) => {
                    if let Some(index) = own.position(name) {
                        return Some(Place { scope: id, index });
                    }
                }
                Names::Module => {
                    return ((name.0 as usize) < scope.values.len())
                        .then_some(Place { scope: id, index: name.0 });
                }
            }
            at = scope.parent;
        }
        None
    }

    /// What a variable holds, not narrowed to the path.
    pub fn get(&self, place: Place) -> &Value {
        self.scopes
            .get(place.scope.0 as usize)
            .and_then(|it| it.values.get(place.index as usize))
            .unwrap_or(&Value::UNDEFINED)
    }

    /// When the variable was made.
    pub fn birth(&self, place: Place) -> Birth {
        self.scopes.get(place.scope.0 as usize).map_or(Birth::default(), |it| it.birth)
    }

    /// Sets a variable, whatever the path.
    pub fn set(&mut self, place: Place, value: Value) {
        self.changes.note(place.scope.0 as usize);
        if let Some(slot) =
            self.scopes.get_mut(place.scope.0 as usize).and_then(|it| it.values.get_mut(place.index as usize))
        {
            *slot = value;
        }
    }
}
