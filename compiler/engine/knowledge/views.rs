//! Views as numbers: one for each state and process.

use indexmap::{IndexMap, IndexSet};

use super::{Asked, Table};
use crate::engine::ctl::bits::Bits;
use crate::engine::emptiness::Stop;
use crate::engine::space::{Exhausted, StateId, States};
use crate::system::Expr;

/// What one process sees in each state.
pub struct View {
    /// The views that occur, in the order in which states with them are found.
    pub codes: IndexSet<Vec<i64>>,
    /// For each state the number of its view.
    pub of: Vec<u32>,
}

/// Views that have been numbered.
#[derive(Default)]
pub struct Views {
    known: IndexMap<Vec<Expr>, View>,
}

impl Views {
    /// Numbers the views of some processes, if that has not been done.
    pub fn number(
        &mut self,
        space: &dyn States,
        views: &[Vec<Expr>],
        memory: usize,
    ) -> Result<(), Stop> {
        let fresh: Vec<&Vec<Expr>> = views
            .iter()
            .filter(|v| !self.known.contains_key(*v))
            .collect();
        let mut found: Vec<View> = (fresh.iter())
            .map(|_| View {
                codes: IndexSet::new(),
                of: Vec::with_capacity(space.states()),
            })
            .collect();
        if found.is_empty() {
            return Ok(());
        }
        for id in 0..space.states() as StateId {
            let state = space.state(id);
            for (exprs, view) in fresh.iter().zip(&mut found) {
                let codes: Vec<i64> = exprs.iter().map(|e| state.eval(e)).collect();
                let number = match view.codes.get_index_of(&codes) {
                    Some(known) => known,
                    None => view.codes.insert_full(codes).0,
                };
                view.of.push(number as u32);
            }
            if id.is_multiple_of(1024) {
                let own: usize = found.iter().map(View::bytes).sum();
                let others: usize = self.known.values().map(View::bytes).sum();
                if space.bytes() + own + others > memory {
                    return Err(Stop::Exhausted(Exhausted::Memory));
                }
            }
        }
        for (exprs, view) in fresh.into_iter().zip(found) {
            self.known.insert(exprs.clone(), view);
        }
        Ok(())
    }

    /// A view that has been numbered.
    pub fn get(&self, exprs: &Vec<Expr>) -> &View {
        &self.known[exprs]
    }

    /// The table of an operator.
    pub fn table(
        &mut self,
        space: &dyn States,
        asked: &Asked,
        about: &Bits,
        bad: &Bits,
        memory: usize,
    ) -> Result<Table, Stop> {
        let apart = asked.told_apart();
        self.number(space, &apart, memory)?;
        let views: Vec<&View> = apart.iter().map(|exprs| self.get(exprs)).collect();
        let Some(first) = views.first() else {
            return Ok(Table::new());
        };
        let classes = asked.classes().map(|mut classes| {
            classes.join(&views, about);
            classes
        });
        let class = |number: u32| match &classes {
            Some(classes) => classes.root(number),
            None => number,
        };
        let count = views.iter().map(|view| view.codes.len()).sum();
        let mut wrong = vec![false; count];
        for state in about.iter() {
            if bad.contains(state) {
                wrong[class(first.of[state as usize]) as usize] = true;
            }
        }
        let mut table = Table::new();
        for state in about.iter() {
            let number = first.of[state as usize];
            let codes = &first.codes[number as usize];
            if !table.contains_key(codes) {
                table.insert(codes.clone(), !wrong[class(number) as usize]);
            }
        }
        Ok(table)
    }

    /// The states that an operator cannot tell from those with a view.
    pub fn alike(
        &mut self,
        space: &dyn States,
        asked: &Asked,
        about: &Bits,
        codes: &[i64],
        memory: usize,
    ) -> Result<Bits, Stop> {
        let apart = asked.told_apart();
        self.number(space, &apart, memory)?;
        let views: Vec<&View> = apart.iter().map(|exprs| self.get(exprs)).collect();
        let mut found = Bits::none(space.states());
        let Some((first, wanted)) = views
            .first()
            .and_then(|first| Some((first, first.codes.get_index_of(codes)? as u32)))
        else {
            return Ok(found);
        };
        let classes = asked.classes().map(|mut classes| {
            classes.join(&views, about);
            classes
        });
        for state in about.iter() {
            let number = first.of[state as usize];
            let same = match &classes {
                Some(classes) => classes.root(number) == classes.root(wanted),
                None => number == wanted,
            };
            if same {
                found.insert(state);
            }
        }
        Ok(found)
    }
}

impl View {
    /// About how many bytes it occupies.
    fn bytes(&self) -> usize {
        let each = self.codes.first().map_or(0, |codes| 8 * codes.len() + 56);
        4 * self.of.capacity() + each * self.codes.len()
    }
}

/// Views of several processes, those of one state in one class.
#[derive(Default)]
pub struct Classes {
    /// The views of the first process, then those of the next; each with another one of its class.
    parent: Vec<u32>,
}

impl Classes {
    /// Joins the views that a state has for different processes.
    fn join(&mut self, views: &[&View], about: &Bits) {
        let count: usize = views.iter().map(|view| view.codes.len()).sum();
        self.parent = (0..count as u32).collect();
        for state in about.iter() {
            let mut before = 0;
            let first = views[0].of[state as usize];
            for view in views {
                let other = before + view.of[state as usize];
                before += view.codes.len() as u32;
                let (a, b) = (self.shorten(first), self.shorten(other));
                // The least one stands for a class, so that the first process's views are asked by their own numbers.
                self.parent[a.max(b) as usize] = a.min(b);
            }
        }
    }

    /// What stands for the class of a view.
    fn root(&self, mut number: u32) -> u32 {
        while self.parent[number as usize] != number {
            number = self.parent[number as usize];
        }
        number
    }

    fn shorten(&mut self, number: u32) -> u32 {
        let root = self.root(number);
        let mut at = number;
        while self.parent[at as usize] != root {
            at = std::mem::replace(&mut self.parent[at as usize], root);
        }
        root
    }
}
