//! What the variables of one process can hold at one location.
//!
//! A location mostly differs from the one before it in a variable or two, so tables share what is the same: they are
//! trees of which a change copies one path (Driscoll, Sarnak, Sleator, Tarjan, "Making data structures persistent",
//! 1989). Where two tables share a part they need not be compared.

use std::rc::Rc;

use crate::simplify::values::Values;

/// As many parts has a node.
const WIDTH: usize = 16;

/// A table of values, by the position of a variable among those of its process.
#[derive(Clone)]
pub(super) struct Table {
    root: Rc<Node>,
    /// How many positions each part of the root covers.
    span: usize,
}

#[derive(Clone)]
enum Node {
    Leaf(Vec<Values>),
    Inner(Vec<Rc<Node>>),
}

impl Table {
    /// One with these values.
    pub(super) fn new(values: Vec<Values>) -> Table {
        let mut values = values.into_iter().peekable();
        let mut level: Vec<Rc<Node>> = Vec::new();
        while values.peek().is_some() {
            let some: Vec<Values> = values.by_ref().take(WIDTH).collect();
            level.push(Rc::new(Node::Leaf(some)));
        }
        let mut span = 1;
        while level.len() > 1 {
            let groups = level.chunks(WIDTH);
            level = groups.map(|g| Rc::new(Node::Inner(g.to_vec()))).collect();
            span *= WIDTH;
        }
        let nothing = || Rc::new(Node::Leaf(Vec::new()));
        Table {
            root: level.pop().unwrap_or_else(nothing),
            span,
        }
    }

    /// The values at a position.
    pub(super) fn get(&self, position: usize) -> &Values {
        let (mut node, mut rest, mut span) = (&self.root, position, self.span);
        loop {
            match &**node {
                Node::Leaf(values) => return &values[rest],
                Node::Inner(parts) => {
                    node = &parts[rest / span];
                    rest %= span;
                    span /= WIDTH;
                }
            }
        }
    }

    /// Changes the values at a position.
    pub(super) fn set(&mut self, position: usize, values: Values) {
        if *self.get(position) == values {
            return;
        }
        let (mut node, mut rest, mut span) = (&mut self.root, position, self.span);
        loop {
            match Rc::make_mut(node) {
                Node::Leaf(all) => {
                    all[rest] = values;
                    return;
                }
                Node::Inner(parts) => {
                    node = &mut parts[rest / span];
                    rest %= span;
                    span /= WIDTH;
                }
            }
        }
    }

    /// Adds the values of another table with the same positions, by `add`, which is given a position, what is known and
    /// what is new, and returns what both are if that is more than was known. Whether there was anything new.
    pub(super) fn join(
        &mut self,
        other: &Table,
        add: &impl Fn(usize, &Values, &Values) -> Option<Values>,
    ) -> bool {
        let joined = join(&self.root, &other.root, 0, self.span, add);
        let changed = joined.is_some();
        if let Some(root) = joined {
            self.root = root;
        }
        changed
    }
}

/// Both together, if that is more than the first.
fn join(
    known: &Rc<Node>,
    new: &Rc<Node>,
    start: usize,
    span: usize,
    add: &impl Fn(usize, &Values, &Values) -> Option<Values>,
) -> Option<Rc<Node>> {
    if Rc::ptr_eq(known, new) {
        return None;
    }
    match (&**known, &**new) {
        (Node::Leaf(a), Node::Leaf(b)) => {
            let pairs = || a.iter().zip(b).enumerate();
            let found = |(i, (a, b)): (usize, (&Values, &Values))| {
                if a == b {
                    return None;
                }
                Some((i, add(start + i, a, b)?))
            };
            let more: Vec<(usize, Values)> = pairs().filter_map(found).collect();
            if more.is_empty() {
                return None;
            }
            let mut all = a.clone();
            for (i, values) in more {
                all[i] = values;
            }
            // What is the same is shared.
            Some(if all == *b {
                Rc::clone(new)
            } else {
                Rc::new(Node::Leaf(all))
            })
        }
        (Node::Inner(a), Node::Inner(b)) => {
            let pairs = a.iter().zip(b).enumerate();
            let parts: Vec<Option<Rc<Node>>> = pairs
                .map(|(i, (a, b))| join(a, b, start + i * span, span / WIDTH, add))
                .collect();
            if parts.iter().all(Option::is_none) {
                return None;
            }
            let parts = parts.into_iter().zip(a);
            let all: Vec<Rc<Node>> = parts
                .map(|(part, a)| part.unwrap_or_else(|| Rc::clone(a)))
                .collect();
            Some(if all.iter().zip(b).all(|(x, y)| Rc::ptr_eq(x, y)) {
                Rc::clone(new)
            } else {
                Rc::new(Node::Inner(all))
            })
        }
        _ => unreachable!("tables of a process have one shape"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What both are.
    fn add(_: usize, a: &Values, b: &Values) -> Option<Values> {
        let (Values::These(a), Values::These(b)) = (a, b) else {
            return None;
        };
        let both = Values::of(a.iter().chain(b).copied().collect());
        (both != Values::These(a.clone())).then_some(both)
    }

    #[test]
    fn a_table_is_like_a_list() {
        for count in [0, 1, 15, 16, 17, 300, 5000] {
            let list: Vec<Values> = (0..count as i64).map(Values::one).collect();
            let mut table = Table::new(list.clone());
            let before = table.clone();
            for i in (0..count).step_by(7) {
                table.set(i, Values::one(-1));
            }
            for (i, values) in list.iter().enumerate() {
                assert_eq!(before.get(i), values);
                let new = if i % 7 == 0 { &Values::one(-1) } else { values };
                assert_eq!(table.get(i), new);
            }
            let mut joined = before.clone();
            assert_eq!(joined.join(&table, &add), count > 0);
            assert!(!joined.join(&before, &add));
            assert!(!joined.join(&table, &add));
            for i in 0..count {
                let both = if i % 7 == 0 {
                    Values::of(vec![-1, i as i64])
                } else {
                    Values::one(i as i64)
                };
                assert_eq!(*joined.get(i), both);
            }
        }
    }
}
