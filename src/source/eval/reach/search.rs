//! The search for what registers.
//!
//! Handlers of one extension lead to much the same objects, in circles more often than not. So that each is looked at
//! once, the search finds the parts of the graph in which every object leads to every other (Tarjan's algorithm): when
//! it has been through one, it keeps for each of its objects what they all lead to.

use super::super::Evaluator;
use super::super::heap::ObjectId;
use super::super::value::Value;
use super::{MAX_SEARCHED, Traits};

/// What the searches so far have found out.
#[derive(Debug, Default)]
pub struct Searched {
    states: Vec<State>,
}

/// What is known of an object.
#[derive(Debug, Clone, Copy, Default)]
enum State {
    /// Nobody has met it.
    #[default]
    Unmet,
    /// It may belong to a circle that is not closed. Its number in the order in which objects are met.
    Pending(u32),
    /// What the code does that it leads to.
    Known(Traits),
}

impl Searched {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.states.clear();
    }

    fn get(&self, object: ObjectId) -> State {
        self.states.get(object.index()).copied().unwrap_or_default()
    }

    fn set(&mut self, object: ObjectId, state: State) {
        let at = object.index();
        if at >= self.states.len() {
            self.states.resize(at + 1, State::Unmet);
        }
        if let Some(slot) = self.states.get_mut(at) {
            *slot = state;
        }
    }
}

/// An object whose neighbours are being looked at.
struct Visit {
    object: ObjectId,
    /// Its number in the order in which objects are met.
    number: u32,
    /// The lowest number that it is known to lead back to.
    lowest: u32,
    /// Where its neighbours begin in [`Search::open`].
    from: usize,
    traits: Traits,
}

/// One search.
#[derive(Default)]
struct Search {
    /// Neighbours that have not been looked at, those of the last visit at the end.
    open: Vec<ObjectId>,
    visits: Vec<Visit>,
    /// The objects that are [`State::Pending`], in the order of their numbers.
    pending: Vec<ObjectId>,
    /// How many objects have been met.
    met: u32,
    /// What has been met in all.
    traits: Traits,
}

impl Evaluator<'_> {
    /// Whether code that a value leads to registers something, or may hand `pi` to code that does.
    pub(super) fn leads_to_registering(&mut self, value: &Value) -> bool {
        let mut search = Search::default();
        let answer = value.objects().any(|root| self.search_from(root, &mut search));
        for object in search.pending {
            self.reach.searched.set(object, State::Unmet);
        }
        answer
    }

    fn search_from(&mut self, root: ObjectId, search: &mut Search) -> bool {
        let mut next = Some(root);
        loop {
            if let Some(object) = next
                && self.meet(object, search)
            {
                return true;
            }
            let Some(visit) = search.visits.last() else { return false };
            next = if search.open.len() > visit.from { search.open.pop() } else { None };
            if next.is_none() {
                self.close(search);
            }
        }
    }

    /// Comes to an object for the first time or again. Whether the search is over.
    fn meet(&mut self, object: ObjectId, search: &mut Search) -> bool {
        match (self.reach.searched.get(object), search.visits.last_mut()) {
            (State::Known(known), visit) => {
                if let Some(visit) = visit {
                    visit.traits = visit.traits.with(known);
                }
                search.traits = search.traits.with(known);
                return search.traits.may_register();
            }
            (State::Pending(number), Some(visit)) => {
                visit.lowest = visit.lowest.min(number);
                return false;
            }
            (State::Pending(_) | State::Unmet, _) => {}
        }
        search.met += 1;
        let code = self.code_of(object).map(|(id, range)| (id, range, self.mentions(id)));
        let registers = match &code {
            Some((id, range, mentions)) => self.code_registers(*id, *range, mentions),
            None => self.reach.is_registering(object),
        };
        if search.met as usize > MAX_SEARCHED || registers {
            return true;
        }
        let number = search.met;
        self.reach.searched.set(object, State::Pending(number));
        search.pending.push(object);
        let from = search.open.len();
        let traits = self.add_neighbours(object, &mut search.open);
        let loads_unknown = code.is_some_and(|(_, range, mentions)| mentions.loads_unknown_within(range));
        let traits = Traits { loads_unknown, ..traits };
        search.visits.push(Visit { object, number, lowest: number, from, traits });
        search.traits = search.traits.with(traits);
        search.traits.may_register()
    }

    /// Leaves the object whose neighbours have all been looked at.
    fn close(&mut self, search: &mut Search) {
        let Some(visit) = search.visits.pop() else { return };
        if visit.lowest == visit.number {
            while let Some(object) = search.pending.pop() {
                self.reach.searched.set(object, State::Known(visit.traits));
                if object == visit.object {
                    break;
                }
            }
        }
        if let Some(around) = search.visits.last_mut() {
            around.lowest = around.lowest.min(visit.lowest);
            around.traits = around.traits.with(visit.traits);
        }
    }
}
