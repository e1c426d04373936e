//! A System as latches and what they become.
//!
//! - Every stored variable, and where every process is, is a number of latches: the bits of the value, each negated if it is 1 at the
//!   start, so that all latches start with 0.
//! - Inputs choose the process, which of the edges out of its location, and the values of the picks. Together they are one number each;
//!   all edges share the inputs of picks.
//! - Where the choice is of nothing that can be done the state stays as it is. That adds no state that cannot be reached, and nothing but
//!   states and steps matters for the properties here.
//! - Where runs may start in several ways one more latch says whether the start has been chosen. Until then nothing is bad, and inputs choose it.

use super::bits::{Bits, Part, below};
use super::blast::{Blaster, Picks};
use super::error::TooLarge;
use super::graph::{Graph, Lit, NO, Node, YES};
use super::word::Word;
use crate::system::{Check, Edge, Event, Leaf, LocId, Sought, System, VarId};
use crate::vocabulary::ProcessId;

/// The most nodes of a graph.
pub const MOST: usize = 4_000_000;

/// As many combinations of picks are written out for one edge, where it matters whether there is one at all.
const COMBINATIONS: u64 = 1 << 12;

/// A System as a graph.
#[derive(Debug)]
pub struct Model {
    /// What everything is made of.
    pub graph: Graph,
    /// How many inputs there are.
    pub inputs: usize,
    /// What is kept from step to step.
    pub latches: Vec<Latch>,
    /// What is never to be, for the properties that can be said so.
    pub bad: Vec<Bad>,
    /// For each stored variable its bits; the free ones are latches.
    pub vars: Vec<Option<Bits>>,
    /// For each process where it is; the free bits are latches.
    pub locations: Vec<Bits>,
    /// How a step is chosen.
    pub choice: Choice,
    /// The latch that says that the start has been chosen, if there is a choice.
    pub started: Option<usize>,
}

/// A latch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latch {
    /// What it is a bit of.
    pub of: Owner,
    /// Which one, from the lowest.
    pub bit: usize,
    /// Whether the bit is the negation of the latch.
    pub flipped: bool,
    /// The latch.
    pub lit: Lit,
    /// What it becomes.
    pub next: Lit,
}

/// What a latch is a bit of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Owner {
    /// Where a process is.
    Location(ProcessId),
    /// A variable.
    Var(VarId),
    /// Whether the start has been chosen.
    Started,
}

/// What is never to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bad {
    /// The property that decides.
    pub property: usize,
    /// It is so now, or happens on this step.
    pub lit: Lit,
    /// The check that fails on the step, if it is about one.
    pub fails: Option<Check>,
}

/// Which inputs choose what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The process; the free bits are inputs, as in all of these.
    pub process: Bits,
    /// Which of the edges out of its location, in their order.
    pub edge: Bits,
    /// For each edge of each process its picks.
    pub picks: Vec<Vec<Vec<Bits>>>,
    /// For each variable that may start with several codes, which of them.
    pub starts: Vec<Bits>,
}

/// Writes a System as a graph, with those of the properties that one state or step decides.
///
/// # Errors
/// If it gets too large.
pub fn model(
    system: &System,
    properties: &[usize],
    stop: &dyn Fn() -> bool,
) -> Result<Model, TooLarge> {
    // What is sought has to be there as long as the writer is.
    let sought: Vec<(usize, Sought)> = (properties.iter())
        .map(|p| (*p, system.properties[*p].kind.sought(system)))
        .collect();
    let mut writer = Writer::new(system);
    let inputs = writer.choose();
    let bad = writer.write(&inputs, &sought, stop)?;
    if writer.blaster.graph.is_full() {
        return Err(TooLarge);
    }
    Ok(Model {
        graph: writer.blaster.graph,
        inputs: inputs.lits.len(),
        latches: writer.latches,
        bad,
        vars: writer.vars,
        locations: writer.locations,
        choice: inputs.choice,
        started: writer.started,
    })
}

/// The number of an edge among those out of the same location.
pub fn rank(edges: &[Edge], index: usize) -> usize {
    let from = edges[index].from;
    edges[..index].iter().filter(|e| e.from == from).count()
}

/// Inputs and what they choose.
struct Inputs {
    lits: Vec<Lit>,
    choice: Choice,
}

struct Writer<'a> {
    system: &'a System,
    blaster: Blaster<'a>,
    latches: Vec<Latch>,
    vars: Vec<Option<Bits>>,
    locations: Vec<Bits>,
    started: Option<usize>,
}

/// What becomes of a variable: under which conditions what.
type Changes = Vec<(Lit, Word)>;

impl<'a> Writer<'a> {
    /// With the latches.
    fn new(system: &'a System) -> Self {
        let mut writer = Writer {
            system,
            blaster: Blaster::new(system, MOST),
            latches: Vec::new(),
            vars: Vec::new(),
            locations: Vec::new(),
            started: None,
        };
        if !system.starts.choices.is_empty() {
            writer.started = Some(writer.keep((0, 1), 0, Owner::Started).1);
        }
        for (id, process) in system.processes() {
            let bounds = (0, process.locations.len() as i64 - 1);
            let start = i64::from(process.initial.0);
            let (bits, _) = writer.keep(bounds, start, Owner::Location(id));
            let word = writer.now(&bits);
            writer.locations.push(bits);
            writer.blaster.locations.push(word);
        }
        for (index, var) in system.vars.iter().enumerate() {
            let stored = var.derived.is_none().then(|| {
                let owner = Owner::Var(VarId(index as u32));
                writer.keep(var.domain.bounds(), var.init, owner).0
            });
            writer.blaster.vars[index] = stored.as_ref().map(|bits| writer.now(bits));
            writer.vars.push(stored);
        }
        writer
    }

    /// Latches for the values between two, and the number of the first one.
    fn keep(&mut self, bounds: (i64, i64), start: i64, of: Owner) -> (Bits, usize) {
        let first = self.latches.len();
        let mut next = first;
        let bits = Bits::of(bounds, || {
            next += 1;
            next - 1
        });
        for bit in 0..next - first {
            let lit = self.blaster.graph.latch(first + bit);
            self.latches.push(Latch {
                of,
                bit,
                flipped: start >> bit & 1 != 0,
                lit,
                next: lit,
            });
        }
        (bits, first)
    }

    /// What the latches say now.
    fn now(&self, bits: &Bits) -> Word {
        bits.word(|latch| {
            let latch = &self.latches[latch];
            latch.lit.flip_if(latch.flipped)
        })
    }

    /// The inputs.
    fn choose(&mut self) -> Inputs {
        let system = self.system;
        let mut count = 0;
        let mut fresh = || {
            count += 1;
            count - 1
        };
        let process = below(system.processes.len(), &mut fresh);
        let ranks = system.processes.iter().flat_map(|process| {
            let edges = 0..process.edges.len();
            edges.map(|index| rank(&process.edges, index) + 1)
        });
        let edge = below(ranks.max().unwrap_or(1), &mut fresh);
        // The rest is shared by all edges, and by the start.
        let shared = count;
        let mut most = shared;
        let mut picks = Vec::new();
        for process in &system.processes {
            let of_edge = |edge: &Edge| {
                let mut next = shared;
                let row = edge.picks.iter().map(|domain| {
                    Bits::of(domain.bounds(), || {
                        next += 1;
                        next - 1
                    })
                });
                let row: Vec<Bits> = row.collect();
                most = most.max(next);
                row
            };
            picks.push(process.edges.iter().map(of_edge).collect());
        }
        let mut next = shared;
        let starts = (system.starts.choices.iter()).map(|choice| {
            below(choice.codes.len(), || {
                next += 1;
                next - 1
            })
        });
        let starts = starts.collect();
        // There is always one: ABC's counterexamples have a line of inputs for each step.
        let most = most.max(next).max(1);
        Inputs {
            lits: (0..most).map(|i| self.blaster.graph.input(i)).collect(),
            choice: Choice {
                process,
                edge,
                picks,
                starts,
            },
        }
    }

    /// What the latches become, and what is bad.
    fn write(
        &mut self,
        inputs: &Inputs,
        sought: &'a [(usize, Sought)],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Bad>, TooLarge> {
        let system = self.system;
        let started = self.started.map_or(YES, |latch| self.latches[latch].lit);
        let Choice { process, edge, .. } = &inputs.choice;
        let free = |input: usize| inputs.lits[input];
        let (process, edge) = (process.word(free), edge.word(free));
        let mut changes: Vec<Changes> = vec![Vec::new(); system.vars.len()];
        let mut moves: Vec<Changes> = vec![Vec::new(); system.processes.len()];
        let mut failures: Vec<(Check, Lit)> = Vec::new();
        for (id, p) in system.processes() {
            let number = id.0 as usize;
            let chosen = self.blaster.graph.is(&process, number as i64);
            let chosen = self.blaster.graph.and(chosen, started);
            for (index, e) in p.edges.iter().enumerate() {
                if stop() || self.blaster.graph.is_full() {
                    return Err(TooLarge);
                }
                let (mut picks, sound) = self.picks(&inputs.choice.picks[number][index], &free);
                let which = rank(&p.edges, index) as i64;
                let which = self.blaster.graph.is(&edge, which);
                let here = self.here(id, e.from);
                let guard = self.blaster.truth(&e.guard, &mut picks);
                let taken = self.blaster.graph.all([chosen, here, which, sound, guard]);
                if taken == NO {
                    continue;
                }
                for (var, expr) in &e.updates {
                    let value = self.blaster.value(expr, &mut picks);
                    changes[var.0 as usize].push((taken, value));
                }
                moves[number].push((taken, Word::constant(i64::from(e.to.0))));
                failures.extend(e.events.iter().filter_map(|event| match event {
                    Event::Failed(check) => Some((*check, taken)),
                    _ => None,
                }));
            }
        }
        self.start(inputs, started, &mut changes);
        for (index, row) in changes.iter().enumerate() {
            if let Some(bits) = self.vars[index].clone() {
                self.become_one_of(&bits, row);
            }
        }
        for (index, row) in moves.iter().enumerate() {
            let bits = self.locations[index].clone();
            self.become_one_of(&bits, row);
        }
        let mut bad = Vec::new();
        for (property, sought) in sought {
            let (lit, fails) = match sought {
                Sought::State(expr, wanted) => {
                    let truth = self.blaster.truth(expr, &mut Picks::default());
                    (truth.flip_if(!wanted), None)
                }
                Sought::Rest(expr) => {
                    let truth = self.blaster.truth(expr, &mut Picks::default());
                    let rest = self.rest()?;
                    (self.blaster.graph.and(truth, rest), None)
                }
                Sought::Failure(check) => {
                    let of_this = failures.iter().filter(|(c, _)| c == check);
                    let lits: Vec<Lit> = of_this.map(|(_, lit)| *lit).collect();
                    (self.blaster.graph.any(lits), Some(*check))
                }
                Sought::Run => continue,
            };
            bad.push(Bad {
                property: *property,
                lit: self.blaster.graph.and(lit, started),
                fails,
            });
        }
        Ok(bad)
    }

    /// The values of an edge's picks, and whether the inputs are such.
    fn picks(&mut self, bits: &[Bits], free: &impl Fn(usize) -> Lit) -> (Picks, Lit) {
        let mut picks = Picks::default();
        let mut sound = YES;
        for bits in bits {
            let word = bits.word(free);
            let is_value = bits.is_value(&mut self.blaster.graph, &word);
            sound = self.blaster.graph.and(sound, is_value);
            picks.words.push(word);
        }
        (picks, sound)
    }

    /// Whether a process is at a location.
    fn here(&mut self, process: ProcessId, location: LocId) -> Lit {
        let word = &self.blaster.locations[process.0 as usize];
        self.blaster.graph.is(word, i64::from(location.0))
    }

    /// Whether nobody has to move.
    fn rest(&mut self) -> Result<Lit, TooLarge> {
        let mut moves = Vec::new();
        for (id, process) in self.system.processes() {
            for edge in process.edges.iter().filter(|e| e.kind.is_forced()) {
                let here = self.here(id, edge.from);
                let can = self.some_picks(edge)?;
                moves.push(self.blaster.graph.and(here, can));
            }
        }
        Ok(!self.blaster.graph.any(moves))
    }

    /// Whether the guard of an edge holds for some picks.
    fn some_picks(&mut self, edge: &'a Edge) -> Result<Lit, TooLarge> {
        let mut used = vec![false; edge.picks.len()];
        edge.guard.leaves(&mut |leaf| {
            if let Leaf::Pick(pick) = leaf {
                used[*pick as usize] = true;
            }
        });
        let domains = edge.picks.iter().zip(used);
        // Of what is not read one value is as good as another.
        let ranges: Vec<(i64, i64)> = domains
            .map(|(domain, used)| match (domain.bounds(), used) {
                (bounds, true) => bounds,
                ((lo, _), false) => (lo, lo),
            })
            .collect();
        let sizes = ranges.iter().map(|(lo, hi)| (hi - lo + 1) as u64);
        if sizes.fold(1u64, u64::saturating_mul) > COMBINATIONS {
            return Err(TooLarge);
        }
        let mut codes: Vec<i64> = ranges.iter().map(|(lo, _)| *lo).collect();
        let mut some = Vec::new();
        loop {
            let mut picks = Picks::default();
            picks.words = codes.iter().map(|code| Word::constant(*code)).collect();
            some.push(self.blaster.truth(&edge.guard, &mut picks));
            let Some(place) = (codes.iter().zip(&ranges)).rposition(|(code, (_, hi))| code < hi)
            else {
                return Ok(self.blaster.graph.any(some));
            };
            codes[place] += 1;
            for (code, (lo, _)) in codes.iter_mut().zip(&ranges).skip(place + 1) {
                *code = *lo;
            }
        }
    }

    /// The start, where it is chosen.
    fn start(&mut self, inputs: &Inputs, started: Lit, changes: &mut [Changes]) {
        let Some(latch) = self.started else {
            return;
        };
        let system: &'a System = self.system;
        let free = |input: usize| inputs.lits[input];
        let mut sound = !started;
        let mut chosen = Vec::new();
        for (choice, bits) in system.starts.choices.iter().zip(&inputs.choice.starts) {
            let index = bits.word(free);
            let is_value = bits.is_value(&mut self.blaster.graph, &index);
            sound = self.blaster.graph.and(sound, is_value);
            let codes: Vec<Word> = choice.codes.iter().map(|c| Word::constant(*c)).collect();
            chosen.push((choice.var, self.blaster.item(&index, &codes)));
        }
        if let Some(only) = &system.starts.only {
            let allowed = self.blaster.truth_with(only, &chosen);
            sound = self.blaster.graph.and(sound, allowed);
        }
        for (var, value) in chosen {
            changes[var.0 as usize].push((sound, value));
        }
        self.latches[latch].next = self.blaster.graph.or(started, sound);
    }

    /// Some latches get what one of the changes says; no two of them happen at once.
    fn become_one_of(&mut self, bits: &Bits, changes: &Changes) {
        let now = self.now(bits);
        let graph = &mut self.blaster.graph;
        let stays = !graph.any(changes.iter().map(|(when, _)| *when));
        let free: Vec<(usize, usize)> = (bits.parts.iter().enumerate())
            .filter_map(|(bit, part)| match part {
                Part::Free(latch) => Some((bit, *latch)),
                Part::Known(_) => None,
            })
            .collect();
        for (bit, latch) in free {
            let mut ways: Vec<Lit> = (changes.iter())
                .map(|(when, value)| graph.and(*when, value.bit(bit)))
                .collect();
            ways.push(graph.and(stays, now.bit(bit)));
            let next = graph.any(ways);
            let latch = &mut self.latches[latch];
            latch.next = next.flip_if(latch.flipped);
        }
    }
}

impl Model {
    /// The nodes that something depends on, over any number of steps: what is to be written for it.
    pub fn cone(&self, of: &[Lit]) -> Vec<bool> {
        let nodes = self.graph.nodes();
        let mut needed = vec![false; nodes.len()];
        let mut open: Vec<usize> = of.iter().map(|lit| lit.node()).collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut needed[node], true) {
                continue;
            }
            match nodes[node] {
                Node::And(a, b) => open.extend([a.node(), b.node()]),
                Node::Latch(latch) => open.push(self.latches[latch as usize].next.node()),
                Node::Constant | Node::Input(_) => {}
            }
        }
        needed
    }
}
