//! Views as numbers: one for each state and process.

use indexmap::{IndexMap, IndexSet};

use super::{Answer, Asked, Chains, Link, MOST_VIEWS, Table};
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

    /// What is to be said of an operator.
    pub fn answer(
        &mut self,
        space: &dyn States,
        asked: &Asked,
        about: &Bits,
        bad: &Bits,
        memory: usize,
    ) -> Result<Answer, Stop> {
        let apart = asked.told_apart();
        self.number(space, &apart, memory)?;
        let views: Vec<&View> = apart.iter().map(|exprs| self.get(exprs)).collect();
        let Some(first) = views.first() else {
            return Ok(Answer::default());
        };
        let classes = asked.classes().map(|mut classes| {
            classes.join(&views, about);
            classes
        });
        let class = |number: u32| match &classes {
            Some(classes) => classes.root(number),
            None => number,
        };
        let count: usize = views.iter().map(|view| view.codes.len()).sum();
        let mut wrong = vec![false; count];
        let mut ends = Vec::new();
        for state in about.iter() {
            let number = first.of[state as usize];
            let wrong = &mut wrong[class(number) as usize];
            if bad.contains(state) && !*wrong {
                *wrong = true;
                ends.push(first.codes[number as usize].clone());
            }
        }
        let is_true = |number: u32| !wrong[class(number) as usize];
        let chains = classes.as_ref().filter(|_| count <= MOST_VIEWS);
        let chains = chains.map(|classes| Chains {
            others: (views.iter().zip(classes.starts(&views)).skip(1))
                .map(|(view, start)| view.table(about, |number| is_true(start + number)))
                .collect(),
            links: classes.links(&views, is_true),
            ends,
        });
        let table = first.table(about, is_true);
        Ok(Answer {
            views: if classes.is_some() {
                count
            } else {
                table.len()
            },
            table,
            chains,
        })
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
    /// For each view that occurs in some states whether something is true of its number.
    fn table(&self, about: &Bits, is_true: impl Fn(u32) -> bool) -> Table {
        let mut told = Bits::none(self.codes.len());
        let mut table = Table::new();
        for state in about.iter() {
            let number = self.of[state as usize];
            if told.insert(number) {
                table.insert(self.codes[number as usize].clone(), is_true(number));
            }
        }
        table
    }

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
    /// What has joined classes: a view of the first process and one of another, which some state has.
    joints: Vec<(u32, usize, u32)>,
}

impl Classes {
    /// Joins the views that a state has for different processes.
    fn join(&mut self, views: &[&View], about: &Bits) {
        let count: usize = views.iter().map(|view| view.codes.len()).sum();
        self.parent = (0..count as u32).collect();
        for state in about.iter() {
            let first = views[0].of[state as usize];
            for (process, (view, start)) in views.iter().zip(self.starts(views)).enumerate() {
                let number = view.of[state as usize];
                let (a, b) = (self.shorten(first), self.shorten(start + number));
                if a != b {
                    self.joints.push((first, process, number));
                }
                // The least one stands for a class, so that the first process's views are asked by their own numbers.
                self.parent[a.max(b) as usize] = a.min(b);
            }
        }
    }

    /// For each process the number of its first view.
    fn starts(&self, views: &[&View]) -> Vec<u32> {
        let mut next = 0;
        let start = |view: &&View| {
            let start = next;
            next += view.codes.len() as u32;
            start
        };
        views.iter().map(start).collect()
    }

    /// What hangs together in classes that something is not true of.
    fn links(&self, views: &[&View], is_true: impl Fn(u32) -> bool) -> Vec<Link> {
        let told = self.joints.iter().filter(|(first, _, _)| !is_true(*first));
        told.map(|(first, process, other)| Link {
            first: views[0].codes[*first as usize].clone(),
            process: *process,
            other: views[*process].codes[*other as usize].clone(),
        })
        .collect()
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
