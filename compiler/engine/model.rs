//! A System made ready for searching: its layout, and for every location of every process the code of the edges
//! that leave it.

use super::code::{Code, Range, Scratch};
use super::compile::{Compiler, NO_PICKS, Picks};
use super::layout::{Field, Layout};
use crate::graph::{Check, EdgeKind};
use crate::program::ProcessId;
use crate::verdict::Move;
use crate::weave::{Edge, Event, Expr, LocId, System, state};

/// Edges with at most so many combinations of picks become as many edges without.
const EXPAND: u64 = 64;

/// A System ready for searching.
#[derive(Clone, Debug)]
pub struct Model {
    /// Where everything is.
    pub layout: Layout,
    /// Guards and updates.
    pub code: Code,
    /// The initial state.
    pub initial: Vec<u64>,
    edges: Vec<EdgeCode>,
    loops: Vec<PickLoop>,
    processes: Vec<ProcessCode>,
    locations: Vec<LocationCode>,
}

/// A process.
#[derive(Clone, Copy, Debug)]
struct ProcessCode {
    /// Its location; a field without bits if it has only one.
    at: Field,
    /// Where its locations begin.
    locations: u32,
}

/// The edges out of a location, in declaration order.
#[derive(Clone, Copy, Debug, Default)]
struct LocationCode {
    steps: Range,
    faults: Range,
}

/// An edge, or one of its combinations of picks.
#[derive(Clone, Copy, Debug)]
pub struct EdgeCode {
    guard: Range,
    updates: Range,
    /// The process.
    pub process: u32,
    /// Its index among the edges of its process.
    pub edge: u32,
    /// Its number among all of the model.
    pub number: u32,
    /// The position of its combination of picks.
    pub picks: u32,
    /// Whether it is no fault and no recovery.
    pub forced: bool,
    /// Whether it injects a fault.
    pub fault: bool,
    /// Which run-time checks fail on it: a bit per position in [`Check::ALL`].
    pub fails: u8,
    /// If its picks are chosen when it is taken: a position in `loops`.
    picks_loop: Option<u32>,
}

/// Picks that are chosen when an edge is taken.
#[derive(Clone, Debug)]
struct PickLoop {
    fields: Vec<Field>,
    sizes: Vec<u64>,
    count: u64,
    /// The part of the guard that reads picks.
    guard: Range,
}

/// Which edges are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Select {
    /// All but faults.
    Steps,
    /// Faults.
    Faults,
    /// All that matter, where shortcuts are taken.
    Shortcuts,
}

/// Why there is no model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge(pub String);

impl EdgeCode {
    /// Whether it is always taken with the same picks.
    pub fn has_fixed_picks(&self) -> bool {
        self.picks_loop.is_none()
    }
}

impl Model {
    /// Compiles a System, with further conditions to be asked about states; also yields their code.
    pub fn new(system: &System, conditions: &[Expr]) -> Result<(Self, Vec<Range>), TooLarge> {
        let layout = Layout::new(system);
        let mut compiler = Compiler::new(system, &layout);
        let mut model = Parts::default();
        for (id, process) in system.processes() {
            model.processes.push(ProcessCode {
                at: layout.locations[id.0 as usize].unwrap_or(Field {
                    word: 0,
                    shift: 0,
                    bits: 0,
                    lo: 0,
                }),
                locations: model.locations.len() as u32,
            });
            for location in (0..process.locations.len() as u32).map(LocId) {
                let mut code = LocationCode::default();
                for faults in [false, true] {
                    let start = model.edges.len() as u32;
                    for (index, edge) in process.edges.iter().enumerate() {
                        let is_fault = matches!(edge.kind, EdgeKind::Fault(_));
                        if edge.from == location && is_fault == faults {
                            model.edge(&mut compiler, id, index, edge)?;
                        }
                    }
                    let end = model.edges.len() as u32;
                    let range = Range { start, end };
                    if faults {
                        code.faults = range;
                    } else {
                        code.steps = range;
                    }
                }
                model.locations.push(code);
            }
        }
        let conditions = conditions
            .iter()
            .map(|c| compiler.condition(c, NO_PICKS))
            .collect();
        let code = compiler.code;
        let mut initial = vec![0; layout.words];
        layout.pack(&state::initial(system), &mut initial);
        let model = Model {
            layout,
            code,
            initial,
            edges: model.edges,
            loops: model.loops,
            processes: model.processes,
            locations: model.locations,
        };
        Ok((model, conditions))
    }

    /// How many processes there are.
    pub fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Which run-time checks can fail at all: a bit per position in [`Check::ALL`].
    pub fn fails(&self) -> u8 {
        self.edges.iter().fold(0, |bits, edge| bits | edge.fails)
    }

    /// Compiles a further condition.
    pub fn condition(&mut self, system: &System, condition: &Expr) -> Range {
        let mut compiler = Compiler::new(system, &self.layout);
        compiler.code = std::mem::take(&mut self.code);
        let range = compiler.condition(condition, NO_PICKS);
        self.code = compiler.code;
        range
    }

    /// Room for running its code.
    pub fn scratch(&self) -> Scratch {
        Scratch::new(&self.code)
    }

    /// The edge with a number.
    pub fn edge(&self, number: u32) -> &EdgeCode {
        &self.edges[number as usize]
    }

    /// Where each process is.
    pub fn whereabouts(&self, words: &[u64], at: &mut [u32]) {
        for (process, at) in self.processes.iter().zip(at) {
            *at = process.at.code(words) as u32;
        }
    }

    #[inline]
    fn location(&self, process: &ProcessCode, words: &[u64]) -> &LocationCode {
        let at = (words[process.at.word as usize] >> (process.at.shift & 63)) & process.at.ones();
        &self.locations[process.locations as usize + at as usize]
    }

    /// Calls `found` with every successor by the selected edges in declaration order. If it says no, the remaining picks
    /// of an edge with very many of them are left out.
    #[inline]
    pub fn successors<const W: usize>(
        &self,
        words: &[u64; W],
        select: Select,
        scratch: &mut Scratch,
        mut found: impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        for process in &self.processes {
            let location = self.location(process, words);
            let range = match select {
                Select::Steps => location.steps,
                Select::Faults => location.faults,
                // These are found by those who take them.
                Select::Shortcuts => Range::default(),
            };
            for edge in &self.edges[range.indices()] {
                self.take(edge, words, scratch, &mut found);
            }
        }
    }

    /// As [`Model::successors`], steps and faults together in declaration order.
    pub fn all_successors<const W: usize>(
        &self,
        words: &[u64; W],
        scratch: &mut Scratch,
        mut found: impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        for process in &self.processes {
            let location = self.location(process, words);
            let mut steps = &self.edges[location.steps.indices()];
            let mut faults = &self.edges[location.faults.indices()];
            while let Some(edge) = match (steps.first(), faults.first()) {
                (Some(s), Some(f)) if f.edge < s.edge => faults.split_off_first(),
                (None, _) => faults.split_off_first(),
                _ => steps.split_off_first(),
            } {
                self.take(edge, words, scratch, &mut found);
            }
        }
    }

    /// Whether a process can take an edge that is no fault and no recovery.
    pub fn can_move<const W: usize>(
        &self,
        words: &[u64; W],
        process: usize,
        scratch: &mut Scratch,
    ) -> bool {
        let location = self.location(&self.processes[process], words);
        let mut can = false;
        for edge in &self.edges[location.steps.indices()] {
            if edge.forced && !can {
                match edge.picks_loop {
                    None => can = self.code.holds(edge.guard, words, scratch),
                    Some(_) => self.take(edge, words, scratch, &mut |_, _, _| {
                        can = true;
                        false
                    }),
                }
            }
        }
        can
    }

    #[inline]
    fn take<const W: usize>(
        &self,
        edge: &EdgeCode,
        words: &[u64; W],
        scratch: &mut Scratch,
        found: &mut impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        if !self.code.holds(edge.guard, words, scratch) {
            return;
        }
        match edge.picks_loop {
            None => {
                let mut next = *words;
                self.code.update(edge.updates, words, &mut next, scratch);
                found(edge, edge.picks, next);
            }
            Some(index) => self.take_all(edge, &self.loops[index as usize], words, scratch, found),
        }
    }

    #[inline(never)]
    fn take_all<const W: usize>(
        &self,
        edge: &EdgeCode,
        picks: &PickLoop,
        words: &[u64; W],
        scratch: &mut Scratch,
        found: &mut impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        scratch.picks = 0;
        for rank in 0..picks.count {
            if self.code.holds(picks.guard, words, scratch) {
                let mut next = *words;
                self.code.update(edge.updates, words, &mut next, scratch);
                if !found(edge, rank as u32, next) {
                    break;
                }
            }
            // The next combination: the last pick varies fastest.
            for (field, size) in picks.fields.iter().zip(&picks.sizes).rev() {
                let code = ((scratch.picks >> field.shift) & field.ones()) + 1;
                scratch.picks &= !field.mask();
                if code < *size {
                    scratch.picks |= code << field.shift;
                    break;
                }
            }
        }
        scratch.picks = 0;
    }
}

/// The move that an edge with the combination of picks at a position is.
pub fn to_move(system: &System, process: u32, edge: u32, picks: u32) -> Move {
    let process = ProcessId(process);
    let domains = &system.process(process).edges[edge as usize].picks;
    let mut rest = u64::from(picks);
    let mut codes: Vec<i64> = domains
        .iter()
        .rev()
        .map(|domain| {
            let digit = rest % domain.size();
            rest /= domain.size();
            domain.bounds().0 + digit as i64
        })
        .collect();
    codes.reverse();
    Move::Step {
        process,
        edge: edge as usize,
        picks: codes,
    }
}

/// What is being compiled.
#[derive(Default)]
struct Parts {
    edges: Vec<EdgeCode>,
    loops: Vec<PickLoop>,
    processes: Vec<ProcessCode>,
    locations: Vec<LocationCode>,
}

impl Parts {
    fn edge(
        &mut self,
        compiler: &mut Compiler<'_>,
        process: ProcessId,
        index: usize,
        edge: &Edge,
    ) -> Result<(), TooLarge> {
        let fails = Check::ALL.iter().enumerate().fold(0, |bits, (i, check)| {
            let fails = edge.events.contains(&Event::Failed(*check));
            bits | (u8::from(fails) << i)
        });
        let mut code = EdgeCode {
            guard: Range::default(),
            updates: Range::default(),
            process: process.0,
            edge: index as u32,
            number: 0,
            picks: 0,
            forced: edge.kind.is_forced(),
            fault: matches!(edge.kind, EdgeKind::Fault(_)),
            fails,
            picks_loop: None,
        };
        let count = edge
            .picks
            .iter()
            .try_fold(1u64, |n, domain| n.checked_mul(domain.size()))
            .filter(|n| *n < 1 << 32);
        let Some(count) = count else {
            return Err(TooLarge(
                "a single step has more than 4,294,967,295 outcomes".into(),
            ));
        };
        if count > EXPAND {
            return self.edge_with_loop(compiler, code, edge, count);
        }
        for rank in 0..count {
            let mut rest = rank;
            let mut fixed: Vec<_> = edge
                .picks
                .iter()
                .rev()
                .map(|domain| {
                    let digit = rest % domain.size();
                    rest /= domain.size();
                    (*domain, domain.bounds().0 + digit as i64)
                })
                .collect();
            fixed.reverse();
            let picks = Picks::Fixed(&fixed);
            code.guard = compiler.condition(&edge.guard, picks);
            if !compiler.code.is_never(code.guard) {
                code.updates = compiler.updates(process, edge.to.0, &edge.updates, picks);
                code.picks = rank as u32;
                code.number = self.edges.len() as u32;
                self.edges.push(code);
            }
        }
        Ok(())
    }

    fn edge_with_loop(
        &mut self,
        compiler: &mut Compiler<'_>,
        mut code: EdgeCode,
        edge: &Edge,
        count: u64,
    ) -> Result<(), TooLarge> {
        let mut shift = 0;
        let mut fields = Vec::new();
        for domain in &edge.picks {
            let bits = (64 - (domain.size() - 1).leading_zeros()) as u8;
            fields.push(Field {
                word: 0,
                shift: shift.min(63),
                bits,
                lo: domain.bounds().0,
            });
            shift += bits;
        }
        let picks = Picks::Packed(&fields);
        let guard = compiler.normal(&edge.guard, picks);
        let parts = match guard {
            Expr::And(parts) => parts,
            one => vec![one],
        };
        let (inner, outer): (Vec<Expr>, Vec<Expr>) = parts.into_iter().partition(reads_picks);
        code.guard = compiler.condition(&Expr::and(outer), picks);
        let guard = compiler.condition(&Expr::and(inner), picks);
        if compiler.code.is_never(code.guard) || compiler.code.is_never(guard) {
            return Ok(());
        }
        code.updates = compiler.updates(ProcessId(code.process), edge.to.0, &edge.updates, picks);
        code.picks_loop = Some(self.loops.len() as u32);
        self.loops.push(PickLoop {
            sizes: edge.picks.iter().map(|d| d.size()).collect(),
            fields,
            count,
            guard,
        });
        code.number = self.edges.len() as u32;
        self.edges.push(code);
        Ok(())
    }
}

fn reads_picks(expr: &Expr) -> bool {
    let mut found = false;
    expr.leaves(&mut |leaf| found |= matches!(leaf, crate::weave::Leaf::Pick(_)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::system::{Shape, random_condition, random_system, random_system_of};

    /// Moves, successors, enabledness and conditions are those of the plain walker, in every state.
    fn agrees(system: &System, seed: u64, limit: usize) {
        let asked: Vec<Expr> = (0..5)
            .map(|i| random_condition(system, seed * 7 + i))
            .collect();
        let (model, conditions) = Model::new(system, &asked).expect("it is small");
        assert!(model.layout.words <= 4);
        let mut scratch = model.scratch();
        let Some(states) = state::walk(system, limit) else {
            return;
        };
        for state in &states {
            let mut words = [0u64; 4];
            model.layout.pack(state, &mut words[..model.layout.words]);
            let mut found = Vec::new();
            model.all_successors(&words, &mut scratch, |edge, picks, next| {
                let step = to_move(system, edge.process, edge.edge, picks);
                found.push((step, model.layout.unpack(system, &next)));
                true
            });
            let mut wanted = state::successors(system, state);
            wanted.retain(|(step, _)| *step != Move::Stutter);
            assert_eq!(found, wanted, "seed {seed}");
            let mut split = 0;
            for select in [Select::Steps, Select::Faults] {
                model.successors(&words, select, &mut scratch, |edge, _, _| {
                    assert_eq!(edge.fault, select == Select::Faults);
                    split += 1;
                    true
                });
            }
            assert_eq!(split, wanted.len());
            for (id, _) in system.processes() {
                let can = state.holds(&system.can_move_without_fault(id));
                let found = model.can_move(&words, id.0 as usize, &mut scratch);
                assert_eq!(found, can, "seed {seed}");
            }
            for (expr, condition) in asked.iter().zip(&conditions) {
                let holds = model.code.holds(*condition, &words, &mut scratch);
                assert_eq!(holds, state.holds(expr), "seed {seed}: {expr:?}");
            }
        }
    }

    #[test]
    fn steps_are_those_of_the_plain_walker() {
        for seed in 0..400 {
            agrees(&random_system(seed), seed, 250);
        }
    }

    #[test]
    fn wide_domains_and_many_picks_too() {
        let shape = Shape {
            values: 40,
            processes: 2,
            ..Shape::default()
        };
        for seed in 0..200 {
            agrees(&random_system_of(seed, shape), seed, 200);
        }
    }
}
