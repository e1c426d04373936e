//! Choosing the processes that move in a state.

use super::{Harmless, Reduction};
use crate::engine::code::Scratch;
use crate::engine::model::{CompiledSystem, EdgeCode, Select};

/// Of a step with very many outcomes so many are tried: they must not pile up, and one that does no harm is enough.
const MOST_TRIED: usize = 4096;

/// What choosing needs besides the state.
#[derive(Default)]
pub struct ChoiceScratch<const W: usize> {
    /// All edges that can be taken, process by process.
    found: Vec<Candidate>,
    /// How many successors they have.
    successors: u32,
    /// The successors by one of them.
    next: Vec<[u64; W]>,
    /// Where each process is.
    at: Vec<u32>,
    /// For each process how many successors it has.
    count: Vec<u32>,
    /// For each edge the last state in which it could be taken, states being numbered as they come.
    enabled: Vec<u64>,
    state: u64,
    /// The processes looked at for the present key, the best ones so far, and whether each is one of the former.
    chosen: Vec<u32>,
    best: Vec<u32>,
    is_chosen: Vec<bool>,
}

/// An edge that can be taken.
#[derive(Clone, Copy)]
struct Candidate {
    process: u32,
    /// Its position among the edges of the reduction.
    position: u32,
    /// Its number in the model: with other picks it has the same position, but another number.
    number: u32,
}

impl Reduction {
    /// Scratch memory for choosing.
    pub fn room<const W: usize>(&self) -> ChoiceScratch<W> {
        let processes = self.leaving.len();
        ChoiceScratch {
            at: vec![0; processes],
            count: vec![0; processes],
            enabled: vec![0; self.edges.len()],
            is_chosen: vec![false; processes],
            ..ChoiceScratch::default()
        }
    }

    /// Calls `each` with those of the successors that are enough that are asked for, until it says stop.
    pub fn successors<const W: usize>(
        &self,
        model: &CompiledSystem,
        words: &[u64; W],
        select: Select,
        scratch: &mut Scratch,
        room: &mut ChoiceScratch<W>,
        mut each: impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        room.found.clear();
        room.state += 1;
        room.successors = 0;
        room.count.fill(0);
        let mut processes = 0;
        model.all_enabled(words, scratch, |edge, count| {
            let process = edge.process as usize;
            let position = self.position(edge.process, edge.edge);
            processes += u32::from(room.count[process] == 0);
            room.count[process] = room.count[process].saturating_add(count);
            room.successors = room.successors.saturating_add(count);
            room.enabled[position] = room.state;
            room.found.push(Candidate {
                process: edge.process,
                position: position as u32,
                number: edge.number,
            });
        });
        let wanted = |found: &Candidate| select.wants(model.edge(found.number).fault);
        if !room.found.iter().any(wanted) {
            return;
        }
        let chosen = processes > 1 && self.choose(model, words, scratch, room);
        if chosen {
            for process in &room.best {
                room.is_chosen[*process as usize] = true;
            }
        }
        let mut go_on = true;
        for found in &room.found {
            if go_on && (!chosen || room.is_chosen[found.process as usize]) {
                let edge = model.edge(found.number);
                if !select.wants(edge.fault) {
                    continue;
                }
                model.follow(edge, words, scratch, &mut |edge, picks, next| {
                    go_on = each(edge, picks, next);
                    go_on
                });
            }
        }
        if chosen {
            for process in &room.best {
                room.is_chosen[*process as usize] = false;
            }
        }
    }

    fn position(&self, process: u32, edge: u32) -> usize {
        self.first[process as usize] as usize + edge as usize
    }

    /// Whether some processes are enough; then they are `room.best`.
    fn choose<const W: usize>(
        &self,
        model: &CompiledSystem,
        words: &[u64; W],
        scratch: &mut Scratch,
        room: &mut ChoiceScratch<W>,
    ) -> bool {
        model.whereabouts(words, &mut room.at);
        let mut best = room.successors;
        let mut previous = None;
        let mut successful = false;
        for index in 0..room.found.len() {
            let found = room.found[index];
            // Nothing that has as many successors itself is better.
            if previous == Some(found.position) || room.count[found.process as usize] >= best {
                continue;
            }
            let Some(harmless) = &self.edges[found.position as usize].key else {
                continue;
            };
            let edge = model.edge(found.number);
            if !can_be_harmless(harmless, edge, model, words, scratch, &mut room.next) {
                continue;
            }
            previous = Some(found.position);
            if let Some(cost) = self.close(found, room, best) {
                best = cost;
                successful = true;
                std::mem::swap(&mut room.best, &mut room.chosen);
                if best == 1 {
                    break;
                }
            }
        }
        successful
    }

    /// Puts those processes into `room.chosen` that must move if the process of a key does; yields how many successors
    /// they have, if fewer than `best`.
    fn close<const W: usize>(
        &self,
        key: Candidate,
        room: &mut ChoiceScratch<W>,
        best: u32,
    ) -> Option<u32> {
        let mut cost = room.count[key.process as usize];
        room.chosen.clear();
        room.chosen.push(key.process);
        room.is_chosen[key.process as usize] = true;
        let mut next = 0;
        'all: while let Some(&process) = room.chosen.get(next) {
            next += 1;
            let at = room.at[process as usize] as usize;
            for &edge in &self.leaving[process as usize][at] {
                let position = self.position(process, edge);
                let rivals = &self.edges[position].rivals;
                let rivals = if position == key.position as usize {
                    &rivals.as_key
                } else if room.enabled[position] == room.state {
                    &rivals.enabled
                } else {
                    let can_be_taken =
                        |other: &u32| room.enabled[self.position(process, *other)] == room.state;
                    match &rivals.beside {
                        Some(beside) if beside.others.iter().any(can_be_taken) => &beside.disabled,
                        _ => &rivals.disabled,
                    }
                };
                for rival in rivals {
                    let other = rival.process as usize;
                    if !room.is_chosen[other] && rival.is_from(room.at[other] as usize) {
                        room.is_chosen[other] = true;
                        room.chosen.push(rival.process);
                        cost = cost.saturating_add(room.count[other]);
                        if cost >= best {
                            break 'all;
                        }
                    }
                }
            }
        }
        for process in &room.chosen {
            room.is_chosen[*process as usize] = false;
        }
        (cost < best).then_some(cost)
    }
}

impl Harmless {
    /// Whether it is so whatever the step does.
    fn always(&self) -> bool {
        self.unchanged.is_empty() && self.kept.is_empty()
    }

    /// Whether it is true of a step.
    fn is_true<const W: usize>(
        &self,
        model: &CompiledSystem,
        before: &[u64; W],
        after: &[u64; W],
        scratch: &mut Scratch,
    ) -> bool {
        let unchanged = |(word, mask): &(u16, u64)| {
            let word = *word as usize;
            (before[word] ^ after[word]) & mask == 0
        };
        self.unchanged.iter().all(unchanged)
            && self.kept.iter().all(|condition| {
                !model.code.holds(*condition, before, scratch)
                    || model.code.holds(*condition, after, scratch)
            })
    }
}

/// Whether a step by an edge that can be taken does no harm, with some of its picks.
fn can_be_harmless<const W: usize>(
    harmless: &Harmless,
    edge: &EdgeCode,
    model: &CompiledSystem,
    words: &[u64; W],
    scratch: &mut Scratch,
    next: &mut Vec<[u64; W]>,
) -> bool {
    if harmless.always() {
        return true;
    }
    next.clear();
    model.follow(edge, words, scratch, &mut |_, _, after| {
        next.push(after);
        next.len() < MOST_TRIED
    });
    let is_true = |after| harmless.is_true(model, words, after, scratch);
    next.iter().any(is_true)
}
