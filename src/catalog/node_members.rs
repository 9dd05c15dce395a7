//! What the globals and modules of Node have as members, as it stands in `node-members.txt`.

use std::sync::OnceLock;

/// What a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeMember {
    /// A function.
    Function,
    /// A class.
    Class,
    /// Something else.
    Value,
}

/// The members of one object of Node.
#[derive(Debug, PartialEq, Eq)]
pub struct NodeObject {
    /// Its path: `process.hrtime`, `Array.prototype`, `node:fs`; `globalThis` for the global object.
    pub path: &'static str,
    members: &'static str,
}

impl NodeObject {
    /// Those whose path is this or starts with this and a dot, in the order of their paths.
    pub fn below(path: &str) -> impl Iterator<Item = &'static Self> {
        let all = Self::all();
        let start = all.partition_point(|it| it.path < path);
        let inside = move |it: &&Self| it.path.starts_with(path);
        let is_part = move |it: &&'static Self| {
            it.path.get(path.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        all.get(start..).unwrap_or_default().iter().take_while(inside).filter(is_part)
    }

    /// All, in the order of their paths.
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<NodeObject>> = OnceLock::new();
        ALL.get_or_init(|| {
            let lines = include_str!("data/node-members.txt").lines();
            lines.filter_map(|it| it.split_once(' ')).map(|(path, members)| Self { path, members }).collect()
        })
    }

    /// A member by its name, with the name as it stands in the list.
    pub fn member(&self, name: &str) -> Option<(&'static str, NodeMember)> {
        self.members().find(|it| it.0 == name)
    }

    /// The members in the order of their names.
    pub fn members(&self) -> impl Iterator<Item = (&'static str, NodeMember)> + use<> {
        self.members.split(' ').filter_map(|it| {
            let kind = match it.as_bytes().first()? {
                b'f' => NodeMember::Function,
                b'c' => NodeMember::Class,
                _ => NodeMember::Value,
            };
            Some((it.get(1..)?, kind))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{NodeMember, NodeObject};

    #[test]
    fn the_list_is_sorted_and_answers() {
        assert!(NodeObject::all().is_sorted_by(|a, b| a.path < b.path));
        let paths: Vec<&str> = NodeObject::below("process").map(|it| it.path).collect();
        assert_eq!(paths, ["process", "process.hrtime", "process.memoryUsage"]);
        let module = NodeObject::below("node:module").next();
        assert_eq!(
            module.and_then(|it| it.member("builtinModules")),
            Some(("builtinModules", NodeMember::Value))
        );
        assert_eq!(module.and_then(|it| it.member("nothing")), None);
    }
}
