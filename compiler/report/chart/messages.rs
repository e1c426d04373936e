//! Which message is which. A System stores what a channel holds, not who sent it; this follows every message from the step
//! that puts it there to the one that takes it away, by what the channel holds before and after each step. So it needs to
//! know no fault: one that takes the second message, or puts in another, shows by what is there afterwards.

use crate::system::state::State;
use crate::system::{ChannelVars, Event, System, VarId};
use crate::trace::{TraceStep, words};
use crate::vocabulary::{ChannelId, ProcessId};

/// A message, by its number in the order in which they are first seen.
pub type Id = usize;

/// What a step does with messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passage {
    /// Puts one into a channel.
    Sent(Id),
    /// Takes one out.
    Received(Id),
    /// Takes its own back.
    Withdrawn(Id),
}

/// A message that was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    pub from: ProcessId,
    pub channel: ChannelId,
    pub text: String,
    pub step: usize,
    pub rendezvous: bool,
}

/// The messages of a run so far.
pub struct Messages<'a> {
    system: &'a System,
    /// All that were ever seen.
    pub seen: Vec<Seen>,
    /// Those that each channel holds, in their order.
    held: Vec<Vec<Id>>,
}

impl<'a> Messages<'a> {
    pub fn new(system: &'a System) -> Self {
        Messages {
            system,
            seen: Vec::new(),
            held: vec![Vec::new(); system.channels.len()],
        }
    }

    /// The first message that a channel holds.
    pub fn head(&self, channel: ChannelId) -> Option<Id> {
        self.held[channel.0 as usize].first().copied()
    }

    /// A message that a channel never held.
    pub fn note(&mut self, seen: Seen) -> Id {
        self.seen.push(seen);
        self.seen.len() - 1
    }

    /// What a step does.
    pub fn follow(&mut self, index: usize, before: &State, step: &TraceStep) -> Vec<Passage> {
        let Some(process) = step.process else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for number in 0..self.system.channels.len() {
            let channel = ChannelId(number as u32);
            let by = By {
                process,
                index,
                channel,
                step,
            };
            match &self.system.channels[number].vars {
                ChannelVars::Rendezvous {
                    ready, received, ..
                } => {
                    let flag = |state: &State, var: &VarId| state.values[var.0 as usize] != 0;
                    let was = (flag(before, ready), flag(before, received));
                    let is = (flag(&step.state, ready), flag(&step.state, received));
                    found.extend(self.rendezvous(&by, was, is));
                }
                ChannelVars::Buffered { len, slots, .. } => {
                    let was = contents(before, *len, slots);
                    let is = contents(&step.state, *len, slots);
                    if was != is {
                        found.extend(self.buffered(&by, &was, &is));
                    }
                }
            }
        }
        // A step that takes a message and sends another has received first.
        found.sort_by_key(|passage| matches!(passage, Passage::Sent(_)));
        found
    }

    fn rendezvous(&mut self, by: &By, was: (bool, bool), is: (bool, bool)) -> Option<Passage> {
        let number = by.channel.0 as usize;
        let there = self.held[number].first().copied();
        match (was, is) {
            ((false, _), (true, _)) => {
                let id = self.send(by, 0, true);
                self.held[number] = vec![id];
                Some(Passage::Sent(id))
            }
            ((true, false), (true, true)) => there.map(Passage::Received),
            ((true, received), (false, _)) => {
                self.held[number].clear();
                there.filter(|_| !received).map(Passage::Withdrawn)
            }
            _ => None,
        }
    }

    fn buffered(&mut self, by: &By, was: &[Vec<i64>], is: &[Vec<i64>]) -> Vec<Passage> {
        let number = by.channel.0 as usize;
        let mut old = std::mem::take(&mut self.held[number]);
        // Only if a channel was filled by nobody; then nothing can be said about what it held.
        old.resize(was.len(), Id::MAX);
        let stays = common(was, is);
        let mut found: Vec<Passage> = (0..was.len())
            .filter(|place| !stays.iter().any(|(from, _)| from == place) && old[*place] != Id::MAX)
            .map(|place| Passage::Received(old[place]))
            .collect();
        let mut sent = 0;
        for place in 0..is.len() {
            let id = match stays.iter().find(|(_, to)| *to == place) {
                Some((from, _)) => old[*from],
                None => {
                    let id = self.send(by, sent, false);
                    sent += 1;
                    found.push(Passage::Sent(id));
                    id
                }
            };
            self.held[number].push(id);
        }
        found
    }

    /// A message that this step puts into its channel, the `nth` one there.
    fn send(&mut self, by: &By, nth: usize, rendezvous: bool) -> Id {
        let messages = by.step.events.iter().filter_map(|event| match event {
            Event::Offered(c, m) | Event::Sent(c, m) if *c == by.channel => Some(m),
            _ => None,
        });
        let text = messages
            .map(|values| words::message(self.system, by.channel, values))
            .nth(nth);
        self.note(Seen {
            from: by.process,
            channel: by.channel,
            text: text.unwrap_or_else(|| "a message".to_owned()),
            step: by.index,
            rendezvous,
        })
    }
}

/// Who does something where.
struct By<'a> {
    process: ProcessId,
    index: usize,
    channel: ChannelId,
    step: &'a TraceStep,
}

/// The messages in a buffer, each as its codes.
fn contents(state: &State, len: VarId, slots: &[Vec<VarId>]) -> Vec<Vec<i64>> {
    let code = |var: &VarId| state.values[var.0 as usize];
    let count = usize::try_from(code(&len)).unwrap_or(0);
    let filled = slots.iter().take(count);
    filled.map(|slot| slot.iter().map(code).collect()).collect()
}

/// The messages that stay, as pairs of places before and after. What is sent comes last and what is received was first, if it
/// can have been so; otherwise as many stay as can.
fn common(was: &[Vec<i64>], is: &[Vec<i64>]) -> Vec<(usize, usize)> {
    if is.starts_with(was) {
        return (0..was.len()).map(|place| (place, place)).collect();
    }
    if was.ends_with(is) {
        let taken = was.len() - is.len();
        return (0..is.len()).map(|place| (place + taken, place)).collect();
    }
    // lengths[i][j]: of the first i and the first j.
    let mut lengths = vec![vec![0_usize; is.len() + 1]; was.len() + 1];
    for i in 0..was.len() {
        for j in 0..is.len() {
            lengths[i + 1][j + 1] = match was[i] == is[j] {
                true => lengths[i][j] + 1,
                false => lengths[i][j + 1].max(lengths[i + 1][j]),
            };
        }
    }
    let (mut i, mut j) = (was.len(), is.len());
    let mut pairs = Vec::new();
    while i > 0 && j > 0 {
        if was[i - 1] == is[j - 1] && lengths[i][j] == lengths[i - 1][j - 1] + 1 {
            pairs.push((i - 1, j - 1));
            (i, j) = (i - 1, j - 1);
        } else if lengths[i - 1][j] >= lengths[i][j - 1] {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::common;

    #[test]
    fn buffers_are_taken_from_the_front() {
        let messages = |codes: &[i64]| codes.iter().map(|c| vec![*c]).collect::<Vec<_>>();
        let stays = |was: &[i64], is: &[i64]| common(&messages(was), &messages(is));
        assert_eq!(stays(&[1, 1], &[1]), [(1, 0)]);
        assert_eq!(stays(&[1, 2, 3], &[1, 3]), [(0, 0), (2, 1)]);
        assert_eq!(stays(&[1, 2], &[2, 3]), [(1, 0)]);
        assert_eq!(stays(&[], &[2]), []);
        assert_eq!(stays(&[4], &[]), []);
        assert_eq!(stays(&[1, 1], &[1, 1, 1]), [(0, 0), (1, 1)]);
    }
}
