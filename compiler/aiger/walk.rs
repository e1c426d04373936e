//! From inputs, step by step, to runs of the System.

use super::bits::Bits;
use super::model::{Bad, Model, rank};
use crate::system::state::{State, initial, start, start_codes, take};
use crate::system::{Event, System};
use crate::verdict::{Move, Run};
use crate::vocabulary::ProcessId;

/// The inputs of one step: for each input of the model what it is.
pub type Frame = Vec<bool>;

impl Model {
    /// The run that inputs describe, up to a bad state or step; nothing if they do not lead there.
    pub fn run(&self, system: &System, bad: &Bad, frames: &[Frame]) -> Option<Run> {
        let (last, before) = frames.split_last()?;
        let mut run = Run::default();
        let mut state = match self.started {
            Some(_) => None,
            None => Some(initial(system)),
        };
        for frame in before {
            match &state {
                None => {
                    state = self.started(system, frame);
                    let codes = state.as_ref().map(|state| start_codes(system, state));
                    run.start = codes.unwrap_or_default();
                }
                Some(here) => {
                    if let Some((step, next)) = self.step(system, here, frame) {
                        run.moves.push(step);
                        state = Some(next);
                    }
                }
            }
        }
        let state = state?;
        if let Some(check) = bad.fails {
            let (step, _) = self.step(system, &state, last)?;
            let Move::Step { process, edge, .. } = step else {
                return None;
            };
            let events = &system.process(process).edges[edge].events;
            if !events.contains(&Event::Failed(check)) {
                return None;
            }
            run.moves.push(step);
        }
        Some(run)
    }

    /// The initial state that inputs choose, if they choose one.
    pub fn started(&self, system: &System, frame: &Frame) -> Option<State> {
        let choices = system.starts.choices.iter().zip(&self.choice.starts);
        let codes: Option<Vec<i64>> = choices
            .map(|(choice, bits)| {
                let index = usize::try_from(value(bits, frame)).ok()?;
                choice.codes.get(index).copied()
            })
            .collect();
        start(system, &codes?)
    }

    /// The move that inputs choose, if it can be made, and where it leads.
    pub fn step(&self, system: &System, state: &State, frame: &Frame) -> Option<(Move, State)> {
        let number = usize::try_from(value(&self.choice.process, frame)).ok()?;
        let edges = &system.processes.get(number)?.edges;
        let which = usize::try_from(value(&self.choice.edge, frame)).ok()?;
        let here = state.locations[number];
        let index = (0..edges.len())
            .find(|index| edges[*index].from == here && rank(edges, *index) == which)?;
        let bits = &self.choice.picks[number][index];
        let picks: Vec<i64> = bits.iter().map(|bits| value(bits, frame)).collect();
        let inside = |(code, bits): (&i64, &Bits)| bits.bounds.0 <= *code && *code <= bits.bounds.1;
        if !picks.iter().zip(bits).all(inside) {
            return None;
        }
        let process = ProcessId(number as u32);
        let next = take(system, state, process, &edges[index], &picks)?;
        let step = Move::Step {
            process,
            edge: index,
            picks,
        };
        Some((step, next))
    }
}

/// The number that inputs are.
fn value(bits: &Bits, frame: &Frame) -> i64 {
    bits.value(|input| frame.get(input).copied().unwrap_or(false))
}
