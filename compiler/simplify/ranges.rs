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

use indexmap::IndexMap;

use super::leaves::{Writer, at, conjuncts, inline, writers};
use super::values::{Values, image};
use crate::system::{Domain, Edge, Expr, Leaf, LocId, System, VarId};
use crate::vocabulary::ProcessId;

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
    at: Vec<Vec<Option<Vec<Values>>>>,
    /// The position of a variable among those of its only writer.
    slots: Vec<usize>,
    /// For each process which of its edges can ever be taken.
    taken: Vec<Vec<bool>>,
}

/// What an edge reads of others.
#[derive(Default)]
struct Inputs {
    vars: Vec<usize>,
    processes: Vec<usize>,
}

/// When something new was last found out, edges followed being the clock.
struct News {
    now: u64,
    /// About a variable anywhere.
    vars: Vec<u64>,
    /// About which locations of a process can be reached.
    reached: Vec<u64>,
    /// About the variables of a process at a location.
    at: Vec<Vec<u64>>,
}

impl News {
    /// When something was last found out that an edge reads.
    fn latest(&self, process: usize, from: LocId, inputs: &Inputs) -> u64 {
        let vars = inputs.vars.iter().map(|v| self.vars[*v]);
        let reached = inputs.processes.iter().map(|p| self.reached[*p]);
        let at = self.at[process][from.0 as usize];
        vars.chain(reached).fold(at, u64::max)
    }
}

/// What leaves can be on an edge whose guard holds.
type Narrowed = IndexMap<Leaf, Values>;

impl Ranges {
    /// Analyses a System.
    pub(super) fn of(system: &System) -> Ranges {
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
        let initially = |index: usize| Values::one(system.vars[index].init);
        let mut at: Vec<Vec<Option<Vec<Values>>>> = system
            .processes
            .iter()
            .map(|p| vec![None; p.locations.len()])
            .collect();
        for (id, process) in system.processes() {
            let values = owned[id.0 as usize].iter().map(|i| initially(*i)).collect();
            at[id.0 as usize][process.initial.0 as usize] = Some(values);
        }
        let mut ranges = Ranges {
            domains: system.vars.iter().map(|v| v.domain).collect(),
            derived: system.vars.iter().map(|v| v.derived.clone()).collect(),
            anywhere: (0..system.vars.len()).map(initially).collect(),
            writers,
            at,
            slots,
            taken: system
                .processes
                .iter()
                .map(|p| vec![false; p.edges.len()])
                .collect(),
        };
        ranges.settle(system, &owned);
        ranges
    }

    fn settle(&mut self, system: &System, owned: &[Vec<usize>]) {
        let inlined: Vec<Vec<Edge>> = system
            .processes()
            .map(|(id, process)| {
                let known = |e: &Expr, from| at(&inline(system, e), id, from);
                let plain = |edge: &Edge| Edge {
                    guard: known(&edge.guard, edge.from),
                    updates: edge
                        .updates
                        .iter()
                        .map(|(v, e)| (*v, known(e, edge.from)))
                        .collect(),
                    ..edge.clone()
                };
                process.edges.iter().map(plain).collect()
            })
            .collect();
        let inputs: Vec<Vec<Inputs>> = system
            .processes()
            .map(|(id, _)| {
                let edges = inlined[id.0 as usize].iter();
                edges.map(|edge| self.inputs(id, edge)).collect()
            })
            .collect();
        let mut news = News {
            now: 1,
            vars: vec![1; system.vars.len()],
            reached: vec![1; system.processes.len()],
            at: system
                .processes
                .iter()
                .map(|p| vec![1; p.locations.len()])
                .collect(),
        };
        let mut followed: Vec<Vec<u64>> = inlined.iter().map(|e| vec![0; e.len()]).collect();
        loop {
            let before = news.now;
            for (id, _) in system.processes() {
                let p = id.0 as usize;
                for (index, edge) in inlined[p].iter().enumerate() {
                    // What an edge leads to changes only if something does that it reads.
                    if news.latest(p, edge.from, &inputs[p][index]) > followed[p][index] {
                        followed[p][index] = news.now;
                        news.now += 1;
                        self.step(id, index, edge, &owned[p], &mut news);
                    }
                }
            }
            if news.now == before {
                return;
            }
        }
    }

    /// What an edge reads besides what its own process alone changes.
    fn inputs(&self, process: ProcessId, edge: &Edge) -> Inputs {
        let mut inputs = Inputs::default();
        let values = edge.updates.iter().map(|(_, value)| value);
        for expr in std::iter::once(&edge.guard).chain(values) {
            expr.leaves(&mut |leaf| match leaf {
                Leaf::Var(v) if self.writers[v.0 as usize] != Writer::Only(process) => {
                    inputs.vars.push(v.0 as usize);
                }
                Leaf::At(p, _) if *p != process => inputs.processes.push(p.0 as usize),
                _ => {}
            });
        }
        inputs
    }

    /// Follows one edge and notes what is new.
    fn step(
        &mut self,
        process: ProcessId,
        index: usize,
        edge: &Edge,
        owned: &[usize],
        news: &mut News,
    ) {
        let Some(narrowed) = self.narrow(process, edge) else {
            return;
        };
        let of = |leaf: &Leaf| self.leaf(process, edge, &narrowed, leaf);
        let written: Vec<(VarId, Values)> = edge
            .updates
            .iter()
            .map(|(v, e)| (*v, image(e, &of).within(self.domains[v.0 as usize])))
            .collect();
        if written.iter().any(|(_, values)| values.is_empty()) {
            return;
        }
        self.taken[process.0 as usize][index] = true;
        let of = |leaf: &Leaf| self.leaf(process, edge, &narrowed, leaf);
        let mut after: Vec<Values> = owned
            .iter()
            .map(|i| of(&Leaf::Var(VarId(*i as u32))))
            .collect();
        for (var, values) in written {
            let index = var.0 as usize;
            if self.anywhere[index].add(&values, self.domains[index]) {
                news.vars[index] = news.now;
            }
            if self.writers[index] == Writer::Only(process) {
                after[self.slots[index]] = values;
            }
        }
        let (p, to) = (process.0 as usize, edge.to.0 as usize);
        match &mut self.at[p][to] {
            target @ None => {
                *target = Some(after);
                news.at[p][to] = news.now;
                news.reached[p] = news.now;
            }
            Some(known) => {
                for ((known, new), index) in known.iter_mut().zip(&after).zip(owned) {
                    if known.add(new, self.domains[*index]) {
                        news.at[p][to] = news.now;
                    }
                }
            }
        }
    }

    /// What the leaves of an edge can be when its guard holds; `None` if it never does.
    fn narrow(&self, process: ProcessId, edge: &Edge) -> Option<Narrowed> {
        self.at[process.0 as usize][edge.from.0 as usize].as_ref()?;
        let mut narrowed = Narrowed::new();
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
        let mut leaves = indexmap::IndexSet::new();
        condition.leaves(&mut |leaf| {
            leaves.insert(leaf.clone());
        });
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
                        values[self.slots[index]].clone()
                    }
                    _ => self.anywhere[index].clone(),
                }
            }
            Leaf::At(p, locations) if *p == process => {
                Values::one(i64::from(locations.contains(&location)))
            }
            Leaf::At(p, locations) => {
                let reached = |inside: bool| {
                    let all = self.at[p.0 as usize].iter().enumerate();
                    all.filter(|(_, values)| values.is_some())
                        .any(|(l, _)| locations.contains(&LocId(l as u32)) == inside)
                };
                let codes = [(0, reached(false)), (1, reached(true))];
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

    fn locals(&self, process: ProcessId, location: LocId) -> Option<&Vec<Values>> {
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
        let mut narrowed = Narrowed::new();
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
