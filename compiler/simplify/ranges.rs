//! Which values a variable can hold, found without exploring states.
//!
//! ```text
//! s0 --x := 1--> s1 --x < 3: y := x + 1--> s2       at s1: x in {1}, at s2: x in {1}, y in {2}
//! ```
//!
//! A forward analysis over every process graph at once, in the manner of Cousot and Cousot ("Abstract
//! interpretation", 1977), with small sets of values. A variable that one process alone changes has a set for each
//! location of that process (it cannot change while the process stays there); any other variable has one set for
//! the whole run. Guards narrow the sets. What is found holds in every reachable state, so rules that rely on it
//! keep every kind of property.

mod table;

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::leaves::{Writer, at, conjuncts, writers};
use super::values::{Images, Values, image};
use crate::system::expr::{Replaced, Seen};
use crate::system::predicates::{inline_in, knowing_at_in};
use crate::system::{Domain, Edge, Expr, Leaf, LocId, System, VarId};
use crate::vocabulary::ProcessId;
use table::Table;

/// In conditions that read more than this single variables are not narrowed: there is much to try and little to find.
const MOST_LEAVES: usize = 24;

/// Edges are followed again and again until nothing new is found. When that has meant looking at so many nodes, and at each
/// node of the System so many times, what still grows at a location is taken to be anything.
const MOST_WORK: usize = 4_000_000;
const MOST_ROUNDS: usize = 100;

/// What every variable can hold, everywhere and at each location.
pub(super) struct Ranges {
    writers: Vec<Writer>,
    domains: Vec<Domain>,
    /// Definitions of derived variables.
    derived: Vec<Option<Expr>>,
    /// In any state.
    anywhere: Vec<Values>,
    /// For each process and location the variables that only this process changes, in order; `None` if the
    /// location cannot be reached.
    at: Vec<Vec<Option<Table>>>,
    /// For each process how many of its locations can be reached.
    reached: Vec<usize>,
    /// The position of a variable among those of its only writer.
    slots: Vec<usize>,
    /// For each process which of its edges can ever be taken.
    taken: Vec<Vec<bool>>,
}

/// Which edges are to be followed, in the order in which one would come to them who goes through all edges over and over.
struct Agenda {
    /// For each process the number of its first edge.
    first: Vec<usize>,
    /// The edges that read a variable that others change, too.
    of_var: Vec<Vec<usize>>,
    /// The edges that ask where a process of others is.
    of_process: Vec<Vec<usize>>,
    /// The edges that leave a location of a process.
    of_location: Vec<Vec<Vec<usize>>>,
    now: usize,
    this_round: BTreeSet<usize>,
    next_round: BTreeSet<usize>,
}

impl Agenda {
    /// All edges.
    fn new(system: &System, inlined: &[Vec<Edge>], writers: &[Writer]) -> Agenda {
        let mut agenda = Agenda {
            first: Vec::new(),
            of_var: vec![Vec::new(); system.vars.len()],
            of_process: vec![Vec::new(); system.processes.len()],
            of_location: system
                .processes
                .iter()
                .map(|p| vec![Vec::new(); p.locations.len()])
                .collect(),
            now: 0,
            this_round: BTreeSet::new(),
            next_round: BTreeSet::new(),
        };
        let mut count = 0;
        for (id, _) in system.processes() {
            let p = id.0 as usize;
            agenda.first.push(count);
            for edge in &inlined[p] {
                agenda.of_location[p][edge.from.0 as usize].push(count);
                agenda.add_reader(id, edge, count, writers);
                count += 1;
            }
        }
        agenda.this_round = (0..count).collect();
        agenda
    }

    /// Notes what an edge reads besides what its own process alone changes.
    fn add_reader(&mut self, process: ProcessId, edge: &Edge, number: usize, writers: &[Writer]) {
        let values = edge.updates.iter().map(|(_, value)| value);
        let mut seen = Seen::default();
        for expr in std::iter::once(&edge.guard).chain(values) {
            expr.leaves_in(&mut seen, &mut |leaf| {
                let readers = match leaf {
                    Leaf::Var(v) if writers[v.0 as usize] != Writer::Only(process) => {
                        &mut self.of_var[v.0 as usize]
                    }
                    Leaf::At(p, _) if *p != process => &mut self.of_process[p.0 as usize],
                    _ => return,
                };
                if readers.last() != Some(&number) {
                    readers.push(number);
                }
            });
        }
    }

    /// The next edge: its process, and its index there.
    fn next(&mut self) -> Option<(usize, usize)> {
        if self.this_round.is_empty() {
            std::mem::swap(&mut self.this_round, &mut self.next_round);
        }
        self.now = self.this_round.pop_first()?;
        let process = self.first.partition_point(|first| *first <= self.now) - 1;
        Some((process, self.now - self.first[process]))
    }

    fn add(&mut self, readers: impl Fn(&Agenda) -> &Vec<usize>) {
        for index in 0..readers(self).len() {
            let edge = readers(self)[index];
            match edge > self.now {
                true => self.this_round.insert(edge),
                false => self.next_round.insert(edge),
            };
        }
    }
}

/// How much there is to look at when an edge is followed.
fn work(edge: &Edge) -> usize {
    // Parts that updates share are looked at once: most of an update is such a part if it is large.
    let updates = edge.updates.iter().map(|(_, e)| e.size().min(64));
    edge.guard.size() + updates.sum::<usize>()
}

/// What leaves can be on an edge whose guard holds.
type Narrowed = IndexMap<Leaf, Values, FxBuildHasher>;

impl Ranges {
    /// Analyses a System, unless told to stop.
    pub(super) fn of(system: &System, stop: &dyn Fn() -> bool) -> Option<Ranges> {
        let writers = writers(system);
        let mut owned = vec![Vec::new(); system.processes.len()];
        let mut slots = vec![0; system.vars.len()];
        for (index, writer) in writers.iter().enumerate() {
            if let Writer::Only(p) = writer {
                let list: &mut Vec<usize> = &mut owned[p.0 as usize];
                slots[index] = list.len();
                list.push(index);
            }
        }
        let initially = |index: usize| Values::of(system.start_codes(VarId(index as u32)));
        let mut at: Vec<Vec<Option<Table>>> = system
            .processes
            .iter()
            .map(|p| vec![None; p.locations.len()])
            .collect();
        for (id, process) in system.processes() {
            let values = owned[id.0 as usize].iter().map(|i| initially(*i)).collect();
            at[id.0 as usize][process.initial.0 as usize] = Some(Table::new(values));
        }
        let mut ranges = Ranges {
            domains: system.vars.iter().map(|v| v.domain).collect(),
            derived: system.vars.iter().map(|v| v.derived.clone()).collect(),
            anywhere: (0..system.vars.len()).map(initially).collect(),
            writers,
            at,
            reached: vec![1; system.processes.len()],
            slots,
            taken: system
                .processes
                .iter()
                .map(|p| vec![false; p.edges.len()])
                .collect(),
        };
        ranges.settle(system, &owned, stop)?;
        Some(ranges)
    }

    fn settle(
        &mut self,
        system: &System,
        owned: &[Vec<usize>],
        stop: &dyn Fn() -> bool,
    ) -> Option<()> {
        let inlined: Vec<Vec<Edge>> = system
            .processes()
            .map(|(id, process)| {
                let plain = |edge: &Edge| {
                    let (mut inlined, mut located) = (Replaced::default(), Replaced::default());
                    let mut known = |e: &Expr| {
                        let e = inline_in(system, e, &mut inlined);
                        knowing_at_in(&e, id, edge.from, &mut located)
                    };
                    let updates = edge.updates.iter();
                    Edge {
                        guard: known(&edge.guard),
                        picks: edge.picks.clone(),
                        updates: updates.map(|(v, e)| (*v, known(e))).collect(),
                        events: Vec::new(),
                        ..*edge
                    }
                };
                process.edges.iter().map(plain).collect()
            })
            .collect();
        let mut agenda = Agenda::new(system, &inlined, &self.writers);
        let edges = || inlined.iter().flatten();
        let mut left = MOST_WORK + MOST_ROUNDS * edges().map(work).sum::<usize>();
        while let Some((p, index)) = agenda.next() {
            let process = ProcessId(p as u32);
            let edge = &inlined[p][index];
            left = left.saturating_sub(work(edge));
            self.step(process, index, edge, &owned[p], &mut agenda, left == 0);
            if stop() {
                return None;
            }
        }
        Some(())
    }

    /// Follows one edge and notes what is new.
    fn step(
        &mut self,
        process: ProcessId,
        index: usize,
        edge: &Edge,
        owned: &[usize],
        agenda: &mut Agenda,
        hurry: bool,
    ) {
        let Some(narrowed) = self.narrow(process, edge) else {
            return;
        };
        let of = |leaf: &Leaf| self.leaf(process, edge, &narrowed, leaf);
        let mut images = Images::default();
        let written: Vec<(VarId, Values)> = edge
            .updates
            .iter()
            .map(|(v, e)| {
                let values = images.image(e, &of);
                (*v, values.within(self.domains[v.0 as usize]))
            })
            .collect();
        if written.iter().any(|(_, values)| values.is_empty()) {
            return;
        }
        self.taken[process.0 as usize][index] = true;
        let (p, from, to) = (process.0 as usize, edge.from.0 as usize, edge.to.0 as usize);
        let Some(mut after) = self.at[p][from].clone() else {
            return;
        };
        let own = |v: &VarId| self.writers[v.0 as usize] == Writer::Only(process);
        for (leaf, values) in narrowed {
            if let Leaf::Var(v) = leaf
                && own(&v)
            {
                after.set(self.slots[v.0 as usize], values);
            }
        }
        for (var, values) in written {
            let index = var.0 as usize;
            if self.anywhere[index].add(&values, self.domains[index]) {
                agenda.add(|agenda| &agenda.of_var[index]);
            }
            if own(&var) {
                after.set(self.slots[index], values);
            }
        }
        let add = |slot: usize, known: &Values, new: &Values| {
            let mut both = known.clone();
            let domain = self.domains[owned[slot]];
            let more = both.add(new, domain);
            more.then(|| match hurry {
                true => Values::all(domain),
                false => both,
            })
        };
        let changed = match &mut self.at[p][to] {
            target @ None => {
                *target = Some(after);
                self.reached[p] += 1;
                agenda.add(|agenda| &agenda.of_process[p]);
                true
            }
            Some(known) => known.join(&after, &add),
        };
        if changed {
            agenda.add(|agenda| &agenda.of_location[p][to]);
        }
    }

    /// What the leaves of an edge can be when its guard holds; `None` if it never does.
    fn narrow(&self, process: ProcessId, edge: &Edge) -> Option<Narrowed> {
        self.at[process.0 as usize][edge.from.0 as usize].as_ref()?;
        let mut narrowed = Narrowed::default();
        // The second time conditions profit from each other.
        for _ in 0..2 {
            for condition in conjuncts(&edge.guard) {
                self.assume(process, edge, condition, &mut narrowed)?;
            }
        }
        Some(narrowed)
    }

    /// Narrows leaves to what makes a condition true; `None` if nothing does.
    fn assume(
        &self,
        process: ProcessId,
        edge: &Edge,
        condition: &Expr,
        narrowed: &mut Narrowed,
    ) -> Option<()> {
        let of = |narrowed: &Narrowed, leaf: &Leaf| -> Values {
            self.leaf(process, edge, narrowed, leaf)
        };
        if !image(condition, &|leaf| of(narrowed, leaf)).can_be_true() {
            return None;
        }
        let mut leaves: IndexSet<Leaf, FxBuildHasher> = IndexSet::default();
        let few = condition.all_leaves(&mut |leaf| {
            leaves.insert(leaf.clone());
            leaves.len() <= MOST_LEAVES
        });
        if !few {
            return Some(());
        }
        for leaf in leaves {
            let Values::These(codes) = of(narrowed, &leaf) else {
                continue;
            };
            let possible = |code: &i64| {
                let fixed = |l: &Leaf| {
                    if *l == leaf {
                        Values::one(*code)
                    } else {
                        of(narrowed, l)
                    }
                };
                image(condition, &fixed).can_be_true()
            };
            let kept: Vec<i64> = codes.iter().filter(|c| possible(c)).copied().collect();
            if kept.is_empty() {
                return None;
            }
            narrowed.insert(leaf, Values::These(kept));
        }
        Some(())
    }

    fn leaf(&self, process: ProcessId, edge: &Edge, narrowed: &Narrowed, leaf: &Leaf) -> Values {
        if let Some(values) = narrowed.get(leaf) {
            return values.clone();
        }
        match leaf {
            Leaf::Pick(i) => Values::all(edge.picks[*i as usize]),
            other => self.at_location(process, edge.from, other),
        }
    }

    /// What a leaf can be while a process is at a location.
    fn at_location(&self, process: ProcessId, location: LocId, leaf: &Leaf) -> Values {
        match leaf {
            Leaf::Var(v) => {
                let index = v.0 as usize;
                if let Some(definition) = &self.derived[index] {
                    let known = at(definition, process, location);
                    return image(&known, &|leaf| self.at_location(process, location, leaf));
                }
                match (self.writers[index], self.locals(process, location)) {
                    (Writer::Only(p), Some(values)) if p == process => {
                        values.get(self.slots[index]).clone()
                    }
                    _ => self.anywhere[index].clone(),
                }
            }
            Leaf::At(p, locations) if *p == process => {
                Values::one(i64::from(locations.binary_search(&location).is_ok()))
            }
            Leaf::At(p, locations) => {
                let known = &self.at[p.0 as usize];
                let inside = locations.iter().filter(|l| known[l.0 as usize].is_some());
                let inside = inside.count();
                let codes = [(0, inside < self.reached[p.0 as usize]), (1, inside > 0)];
                Values::of(
                    codes
                        .into_iter()
                        .filter(|(_, can)| *can)
                        .map(|(code, _)| code)
                        .collect(),
                )
            }
            Leaf::Pick(_) => Values::Between(i64::MIN / 4, i64::MAX / 4),
        }
    }

    fn locals(&self, process: ProcessId, location: LocId) -> Option<&Table> {
        self.at[process.0 as usize][location.0 as usize].as_ref()
    }

    /// Whether a location can be reached.
    pub(super) fn reaches(&self, process: ProcessId, location: LocId) -> bool {
        self.locals(process, location).is_some()
    }

    /// Whether an edge can ever be taken, by its index.
    pub(super) fn can_take(&self, process: ProcessId, edge: usize) -> bool {
        self.taken[process.0 as usize][edge]
    }

    /// The only value a variable ever holds.
    pub(super) fn constant(&self, var: VarId) -> Option<i64> {
        match &self.derived[var.0 as usize] {
            Some(definition) => definition.as_const(),
            None => self.anywhere[var.0 as usize].single(),
        }
    }

    /// The only value a variable holds while a process is at a location.
    pub(super) fn constant_at(
        &self,
        process: ProcessId,
        location: LocId,
        var: VarId,
    ) -> Option<i64> {
        self.at_location(process, location, &Leaf::Var(var))
            .single()
    }

    /// What a condition without picks can be while a process is at a location.
    pub(super) fn condition(
        &self,
        process: ProcessId,
        location: LocId,
        condition: &Expr,
    ) -> Values {
        image(condition, &|leaf| self.at_location(process, location, leaf))
    }

    /// The guard of an edge without the conditions that always hold where they are asked.
    pub(super) fn needed_guard(&self, process: ProcessId, edge: &Edge) -> Expr {
        let mut narrowed = Narrowed::default();
        let mut needed = Vec::new();
        for condition in conjuncts(&edge.guard) {
            let values = image(condition, &|leaf| self.leaf(process, edge, &narrowed, leaf));
            if values.can_be_false() {
                needed.push(condition.clone());
            }
            if self
                .assume(process, edge, condition, &mut narrowed)
                .is_none()
            {
                return Expr::no();
            }
        }
        Expr::and(needed)
    }
}
