//! From a run of the simplified System back to one of the original, so that traces show the user's own steps.

use super::Simplified;
use crate::system::state;
use crate::system::state::{State, take};
use crate::system::{Event, PropertyKind, Sought, System};
use crate::verdict::{Move, Run};
use crate::vocabulary::ProcessId;

impl Simplified {
    /// The run of the original System that a run of the simplified one stands for. `property` is the one it is a
    /// counterexample to (or a witness of), by its index. `None` if it does not replay, which is a bug.
    ///
    /// - A merged edge is the edges it was made from. Processes that wait in front of one for ever (or in a deadlock)
    ///   have made its silent part: so they do.
    /// - A run that violates an invariant ends where it does so first; one that violates a run-time check goes on to
    ///   where the check can fail.
    /// - A cycle is repeated until the original comes back to where it was, as variables whose values do not
    ///   matter may need a round more.
    pub fn restore(&self, original: &System, run: &Run, property: Option<usize>) -> Option<Run> {
        let property = property.map(|index| &original.properties[index].kind);
        let split = run.loop_start.unwrap_or(run.moves.len());
        let (prefix, cycle) = run.moves.split_at(split);
        let mut replay = Replay {
            original,
            start: run.start.clone(),
            state: state::start(original, &run.start)?,
            moves: Vec::new(),
        };
        for step in prefix {
            replay.all(self.parts(step))?;
        }
        if run.loop_start.is_none() {
            if let Some(property) = property {
                self.finish(&mut replay, run, property)?;
            }
            return Some(Run {
                moves: replay.moves,
                loop_start: None,
                start: replay.start,
            });
        }
        let last = self.state_after(&run.start, prefix)?;
        for (index, location) in last.locations.iter().enumerate() {
            let process = ProcessId(index as u32);
            let moves = |m: &Move| matches!(m, Move::Step { process: p, .. } if *p == process);
            if !cycle.iter().any(moves) {
                self.make_pending(&mut replay, process, location.0 as usize);
            }
        }
        let mut round: Vec<Move> = cycle.iter().flat_map(|step| self.parts(step)).collect();
        if round.is_empty() {
            round.push(Move::Stutter);
        }
        // Where each round began, and in which state.
        let mut begun: Vec<(usize, State)> = Vec::new();
        loop {
            if let Some((start, _)) = begun.iter().find(|(_, s)| *s == replay.state) {
                return Some(Run {
                    loop_start: Some(*start),
                    moves: replay.moves,
                    start: replay.start,
                });
            }
            begun.push((replay.moves.len(), replay.state.clone()));
            replay.all(round.iter().cloned())?;
        }
    }

    /// Ends a finite run where the property is violated (or witnessed).
    fn finish(&self, replay: &mut Replay<'_>, run: &Run, property: &PropertyKind) -> Option<()> {
        match property.sought(replay.original) {
            Sought::State(e, value) => replay.cut(|state| state.holds(&e) == value),
            Sought::Rest(_) => {
                let last = self.state_after(&run.start, &run.moves)?;
                for (index, location) in last.locations.iter().enumerate() {
                    self.make_pending(replay, ProcessId(index as u32), location.0 as usize);
                }
                Some(())
            }
            Sought::Failure(check) => {
                if replay.state.holds(&replay.original.fails(check)) || replay.failed(check) {
                    return Some(());
                }
                let last = self.state_after(&run.start, &run.moves)?;
                let (step, _) = state::successors(&self.system, &last).into_iter().find(
                    |(step, _)| match step {
                        Move::Step { process, edge, .. } => self.system.process(*process).edges
                            [*edge]
                            .events
                            .contains(&Event::Failed(check)),
                        Move::Stutter => false,
                    },
                )?;
                let mut parts: Vec<Move> = self.parts(&step).collect();
                parts.pop();
                replay.all(parts)
            }
            Sought::Run => Some(()),
        }
    }

    /// The original steps of a step; stuttering is left out.
    fn parts(&self, step: &Move) -> impl Iterator<Item = Move> + use<> {
        let mut parts = Vec::new();
        if let Move::Step {
            process,
            edge,
            picks,
        } = step
        {
            let mut picks = picks.iter().copied();
            for part in &self.steps[process.0 as usize][*edge] {
                parts.push(Move::Step {
                    process: *process,
                    edge: part.edge,
                    picks: picks.by_ref().take(part.picks).collect(),
                });
            }
        }
        parts.into_iter()
    }

    /// Makes the silent steps that a process waiting at a location has as good as made.
    fn make_pending(&self, replay: &mut Replay<'_>, process: ProcessId, location: usize) {
        let mut ways: Vec<&Vec<usize>> =
            self.pending[process.0 as usize][location].iter().collect();
        // The furthest it gets; what remains is blocked.
        ways.sort_by_key(|way| std::cmp::Reverse(way.len()));
        for way in ways {
            let made = way.iter().map(|edge| Move::Step {
                process,
                edge: *edge,
                picks: Vec::new(),
            });
            let (state, count) = (replay.state.clone(), replay.moves.len());
            if replay.all(made).is_some() {
                return;
            }
            replay.state = state;
            replay.moves.truncate(count);
        }
    }

    fn state_after(&self, start: &[i64], moves: &[Move]) -> Option<State> {
        let mut replay = Replay {
            original: &self.system,
            start: start.to_vec(),
            state: state::start(&self.system, start)?,
            moves: Vec::new(),
        };
        replay.all(moves.iter().cloned())?;
        Some(replay.state)
    }
}

/// A run in the making.
struct Replay<'a> {
    original: &'a System,
    start: Vec<i64>,
    state: State,
    moves: Vec<Move>,
}

impl Replay<'_> {
    fn all(&mut self, moves: impl IntoIterator<Item = Move>) -> Option<()> {
        moves.into_iter().try_for_each(|step| self.one(step))
    }

    fn one(&mut self, step: Move) -> Option<()> {
        match &step {
            Move::Stutter => {
                if !self.state.holds(&self.original.quiescent()) {
                    return None;
                }
            }
            Move::Step {
                process,
                edge,
                picks,
            } => {
                let edge = self.original.process(*process).edges.get(*edge)?;
                self.state = take(self.original, &self.state, *process, edge, picks)?;
            }
        }
        self.moves.push(step);
        Some(())
    }

    /// Goes back to the first state in which something holds; it must hold in one.
    fn cut(&mut self, holds: impl Fn(&State) -> bool) -> Option<()> {
        let moves = std::mem::take(&mut self.moves);
        self.state = state::start(self.original, &self.start)?;
        for step in moves {
            if holds(&self.state) {
                return Some(());
            }
            self.one(step)?;
        }
        holds(&self.state).then_some(())
    }

    /// Whether the last move fails a check.
    fn failed(&self, check: crate::system::Check) -> bool {
        match self.moves.last() {
            Some(Move::Step { process, edge, .. }) => self.original.process(*process).edges[*edge]
                .events
                .contains(&Event::Failed(check)),
            _ => false,
        }
    }
}
