//! A System made ready for searching: its layout, and for every location of every process the code of the edges
//! that leave it. The rest of the engine calls that the model.

mod parts;

#[cfg(test)]
mod tests;

use std::num::NonZeroU32;

use super::code::{Base, Code, Lookup, Range, Scratch};
use super::compile::{Compiler, NO_PICKS};
use super::layout::{Field, Layout};
use crate::system::{Expr, System};
use crate::verdict::Move;
use crate::vocabulary::ProcessId;
use parts::Parts;

/// A System ready for searching.
#[derive(Clone, Debug)]
pub struct CompiledSystem {
    /// Where everything is.
    pub layout: Layout,
    /// Guards and updates.
    pub code: Code,
    edges: Vec<EdgeCode>,
    loops: Vec<PickLoop>,
    processes: Vec<ProcessCode>,
    /// Those of each location, then those that did not fit.
    groups: Vec<Group>,
}

/// A process.
#[derive(Clone, Copy, Debug)]
struct ProcessCode {
    /// Its location; a field without bits if it has only one.
    at: Field,
    /// Where the groups of its locations begin.
    groups: u32,
}

/// Up to 64 edges out of a location, in declaration order.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// Those that are no faults.
    steps: u64,
    /// Those that are.
    faults: u64,
    /// Those that are no faults and no recoveries.
    forced: u64,
    /// Those that can be taken, as far as their guards are not left.
    ready: Lookup,
    /// The first of them.
    first: u32,
    /// If there are more edges: a position in `groups`.
    more: Option<NonZeroU32>,
}

/// An edge, or one of its combinations of picks.
#[derive(Clone, Copy, Debug)]
pub struct EdgeCode {
    /// What is left of the guard.
    guard: Range,
    /// The constants stored in one word. Most edges do nothing else.
    base: Base,
    /// All other updates.
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
    /// Which run-time checks fail on it: a bit per position in [`Check::ALL`](crate::system::Check::ALL).
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
    /// Of those all but faults.
    ShortcutSteps,
    /// Of those the faults.
    ShortcutFaults,
}

impl Select {
    /// Whether an edge is asked for, as far as its being a fault decides that.
    pub fn wants(self, fault: bool) -> bool {
        match self {
            Select::Steps | Select::ShortcutSteps => !fault,
            Select::Faults | Select::ShortcutFaults => fault,
            Select::Shortcuts => true,
        }
    }

    /// Whether only faults are.
    pub fn is_faults(self) -> bool {
        matches!(self, Select::Faults | Select::ShortcutFaults)
    }
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

impl CompiledSystem {
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
                groups: model.groups.len() as u32,
            });
            let groups = model.groups.len();
            let count = process.locations.len();
            model.groups.resize(groups + count, Group::default());
            let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
            for (index, edge) in process.edges.iter().enumerate() {
                leaving[edge.from.0 as usize].push(index);
            }
            for (location, leaving) in leaving.into_iter().enumerate() {
                for index in leaving {
                    model.edge(&mut compiler, id, index, &process.edges[index])?;
                }
                model.location(&mut compiler, groups + location);
            }
        }
        let conditions = conditions
            .iter()
            .map(|c| compiler.condition(c, NO_PICKS))
            .collect();
        let code = compiler.code;
        let model = CompiledSystem {
            layout,
            code,
            edges: model.edges,
            loops: model.loops,
            processes: model.processes,
            groups: model.groups,
        };
        Ok((model, conditions))
    }

    /// How many processes there are.
    pub fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Which run-time checks can fail at all: a bit per position in [`Check::ALL`](crate::system::Check::ALL).
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

    /// The first group of the location at which a process is.
    #[inline]
    fn group(&self, process: &ProcessCode, words: &[u64]) -> &Group {
        let at = (words[process.at.word as usize] >> (process.at.shift & 63)) & process.at.ones();
        &self.groups[process.groups as usize + at as usize]
    }

    #[inline]
    fn more(&self, group: &Group) -> Option<&Group> {
        group.more.map(|more| &self.groups[more.get() as usize])
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
            let mut next = Some(self.group(process, words));
            while let Some(group) = next {
                let wanted = match select {
                    Select::Steps => group.steps,
                    Select::Faults => group.faults,
                    // These are found by those who take them.
                    Select::Shortcuts | Select::ShortcutSteps | Select::ShortcutFaults => 0,
                };
                self.take_ready(group, wanted, words, scratch, &mut found);
                next = self.more(group);
            }
        }
    }

    /// As [`CompiledSystem::successors`], steps and faults together in declaration order.
    pub fn all_successors<const W: usize>(
        &self,
        words: &[u64; W],
        scratch: &mut Scratch,
        mut found: impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        for process in &self.processes {
            let mut next = Some(self.group(process, words));
            while let Some(group) = next {
                let all = group.steps | group.faults;
                self.take_ready(group, all, words, scratch, &mut found);
                next = self.more(group);
            }
        }
    }

    /// Calls `found` with every edge that can be taken, in declaration order, and how many combinations of its picks
    /// allow that.
    pub fn all_enabled<const W: usize>(
        &self,
        words: &[u64; W],
        scratch: &mut Scratch,
        mut found: impl FnMut(&EdgeCode, u32),
    ) {
        for process in &self.processes {
            let mut next = Some(self.group(process, words));
            while let Some(group) = next {
                for edge in self.ready(group, group.steps | group.faults, words) {
                    let mut count = 1;
                    if !edge.guard.is_empty() && !self.code.holds(edge.guard, words, scratch) {
                        continue;
                    }
                    if !edge.has_fixed_picks() {
                        count = 0;
                        self.follow(edge, words, scratch, &mut |_, _, _| {
                            count += 1;
                            true
                        });
                    }
                    if count > 0 {
                        found(edge, count);
                    }
                }
                next = self.more(group);
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
        let mut can = false;
        let mut next = Some(self.group(&self.processes[process], words));
        while let Some(group) = next {
            for edge in self.ready(group, group.forced, words) {
                match edge.picks_loop {
                    _ if can => {}
                    None => can = self.code.holds(edge.guard, words, scratch),
                    Some(_) => self.take(edge, words, scratch, &mut |_, _, _| {
                        can = true;
                        false
                    }),
                }
            }
            next = self.more(group);
        }
        can
    }

    /// Those of the wanted edges of a group that can be taken, as far as their guards are not left.
    #[inline]
    fn ready(
        &self,
        group: &Group,
        wanted: u64,
        words: &[u64],
    ) -> impl Iterator<Item = &EdgeCode> + use<'_> {
        // An empty group has no table.
        let mut ready = match wanted {
            0 => 0,
            _ => self.code.ready(group.ready, words) & wanted,
        };
        let first = group.first as usize;
        std::iter::from_fn(move || {
            let next = ready.trailing_zeros();
            ready &= ready.wrapping_sub(1);
            (next < 64).then(|| &self.edges[first + next as usize])
        })
    }

    #[inline]
    fn take_ready<const W: usize>(
        &self,
        group: &Group,
        wanted: u64,
        words: &[u64; W],
        scratch: &mut Scratch,
        found: &mut impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        for edge in self.ready(group, wanted, words) {
            self.take(edge, words, scratch, found);
        }
    }

    #[inline]
    fn take<const W: usize>(
        &self,
        edge: &EdgeCode,
        words: &[u64; W],
        scratch: &mut Scratch,
        found: &mut impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        if edge.guard.is_empty() || self.code.holds(edge.guard, words, scratch) {
            self.follow(edge, words, scratch, found);
        }
    }

    /// Calls `found` with the successors by an edge that can be taken. If it says no, the remaining picks are left out.
    #[inline]
    pub fn follow<const W: usize>(
        &self,
        edge: &EdgeCode,
        words: &[u64; W],
        scratch: &mut Scratch,
        found: &mut impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        match edge.picks_loop {
            None => {
                let next = self.after(edge, words, scratch);
                found(edge, edge.picks, next);
            }
            Some(index) => self.take_all(edge, &self.loops[index as usize], words, scratch, found),
        }
    }

    /// The state after an edge was taken.
    #[inline]
    fn after<const W: usize>(
        &self,
        edge: &EdgeCode,
        words: &[u64; W],
        scratch: &mut Scratch,
    ) -> [u64; W] {
        let mut next = *words;
        edge.base.apply(&mut next);
        if !edge.updates.is_empty() {
            self.code.update(edge.updates, words, &mut next, scratch);
        }
        next
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
                let next = self.after(edge, words, scratch);
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
