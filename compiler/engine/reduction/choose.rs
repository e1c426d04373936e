//! Choosing the processes that move in a state.

use super::{Harmless, Reduction};
use crate::engine::code::Scratch;
use crate::engine::model::{EdgeCode, Model};

/// What choosing needs besides the state.
#[derive(Default)]
pub struct Room<const W: usize> {
    /// All successors, process by process.
    found: Vec<Found<W>>,
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

/// A successor.
struct Found<const W: usize> {
    edge: EdgeCode,
    picks: u32,
    next: [u64; W],
}

impl Reduction {
    /// Room for choosing.
    pub fn room<const W: usize>(&self) -> Room<W> {
        let processes = self.leaving.len();
        Room {
            at: vec![0; processes],
            count: vec![0; processes],
            enabled: vec![0; self.edges.len()],
            is_chosen: vec![false; processes],
            ..Room::default()
        }
    }

    /// Calls `each` with the successors that are enough, until it says stop.
    pub fn successors<const W: usize>(
        &self,
        model: &Model,
        words: &[u64; W],
        scratch: &mut Scratch,
        room: &mut Room<W>,
        mut each: impl FnMut(&EdgeCode, u32, [u64; W]) -> bool,
    ) {
        room.found.clear();
        room.state += 1;
        room.count.fill(0);
        let mut processes = 0;
        model.all_successors(words, scratch, |edge, picks, next| {
            let process = edge.process as usize;
            processes += u32::from(room.count[process] == 0);
            room.count[process] += 1;
            room.enabled[self.position(edge.process, edge.edge)] = room.state;
            room.found.push(Found {
                edge: *edge,
                picks,
                next,
            });
            true
        });
        if processes > 1 && self.choose(model, words, scratch, room) {
            for process in &room.best {
                room.is_chosen[*process as usize] = true;
            }
            room.found
                .retain(|found| room.is_chosen[found.edge.process as usize]);
            for process in &room.best {
                room.is_chosen[*process as usize] = false;
            }
        }
        for found in &room.found {
            if !each(&found.edge, found.picks, found.next) {
                return;
            }
        }
    }

    fn position(&self, process: u32, edge: u32) -> usize {
        self.first[process as usize] as usize + edge as usize
    }

    /// Whether some processes are enough; then they are `room.best`.
    fn choose<const W: usize>(
        &self,
        model: &Model,
        words: &[u64; W],
        scratch: &mut Scratch,
        room: &mut Room<W>,
    ) -> bool {
        model.whereabouts(words, &mut room.at);
        let mut best = room.found.len() as u32;
        let mut previous = None;
        let mut successful = false;
        for index in 0..room.found.len() {
            let found = &room.found[index];
            let edge = (found.edge.process, found.edge.edge);
            let plan = &self.edges[self.position(edge.0, edge.1)];
            // Nothing that has as many successors itself is better.
            if previous == Some(edge) || room.count[edge.0 as usize] >= best {
                continue;
            }
            let Some(harmless) = &plan.key else {
                continue;
            };
            if !is_harmless(harmless, model, words, &found.next, scratch) {
                continue;
            }
            previous = Some(edge);
            if let Some(cost) = self.close(edge, room, best) {
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
    fn close<const W: usize>(&self, key: (u32, u32), room: &mut Room<W>, best: u32) -> Option<u32> {
        let mut cost = room.count[key.0 as usize];
        room.chosen.clear();
        room.chosen.push(key.0);
        room.is_chosen[key.0 as usize] = true;
        let mut next = 0;
        'all: while let Some(&process) = room.chosen.get(next) {
            next += 1;
            let at = room.at[process as usize] as usize;
            for &edge in &self.leaving[process as usize][at] {
                let position = self.position(process, edge);
                let rivals = &self.edges[position].rivals;
                let rivals = if (process, edge) == key {
                    &rivals.as_key
                } else if room.enabled[position] == room.state {
                    &rivals.enabled
                } else {
                    &rivals.disabled
                };
                for rival in rivals {
                    let other = rival.process as usize;
                    if !room.is_chosen[other] && rival.is_from(room.at[other] as usize) {
                        room.is_chosen[other] = true;
                        room.chosen.push(rival.process);
                        cost += room.count[other];
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

fn is_harmless<const W: usize>(
    harmless: &Harmless,
    model: &Model,
    before: &[u64; W],
    after: &[u64; W],
    scratch: &mut Scratch,
) -> bool {
    let unchanged = |(word, mask): &(u16, u64)| {
        let word = *word as usize;
        (before[word] ^ after[word]) & mask == 0
    };
    harmless.unchanged.iter().all(unchanged)
        && harmless.kept.iter().all(|condition| {
            !model.code.holds(*condition, before, scratch)
                || model.code.holds(*condition, after, scratch)
        })
}
