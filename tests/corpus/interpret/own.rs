//! Faults that a model defines, read from their definitions, and failure detectors: section 11 of the contract.

use sandalc::program::{FaultTarget, Join, LocalId, Rhs, Trigger};
use sandalc::system::Check;
use sandalc::vocabulary::DetectorId;

use super::Machine;
use super::code::Control;
use super::eval::fits;
use super::state::{State, Value, product};
use super::step::Move;
use super::write::{Outcome, path};

/// What the names of a join stand for, or why that cannot be computed.
type Names = Result<Vec<(LocalId, Value)>, Check>;

impl Machine<'_> {
    /// The joins of the faults that may happen now, with their faults.
    fn joins(&self, state: &State) -> Vec<(usize, &Join)> {
        let now = |fault: &usize| self.ready(state, *fault) || self.always(state, *fault);
        let faults = self.faults.iter().copied().filter(now);
        let of = |fault: usize| {
            let joins = self.program.faults[fault].joins.iter();
            joins.map(move |join| (fault, join))
        };
        faults.flat_map(of).collect()
    }

    /// Whether a join applies: a condition that cannot be computed, or is about something that cannot, does not hold.
    fn applies(&self, state: &State, join: &Join, names: &Names, possible: bool) -> bool {
        let Some(condition) = &join.condition else {
            return true;
        };
        let Ok(names) = names else { return false };
        possible && self.eval(state, 0).with(names).truth(condition) == Ok(true)
    }

    /// The values of a right side.
    fn values(&self, state: &State, names: &Names, value: &Rhs) -> Result<Vec<Value>, Check> {
        let names = names.as_ref().map_err(|check| *check)?;
        let mut eval = self.eval(state, 0).with(names);
        match value {
            Rhs::Expr(e) => Ok(vec![eval.value(e)?]),
            Rhs::AnyRange(lo, hi) => Ok((*lo..=*hi).map(Value::One).collect()),
            Rhs::AnyOf(es) => es.iter().map(|e| eval.value(e)).collect(),
            Rhs::Any => panic!("any value of what type"),
        }
    }

    /// What a join makes of a step without the effect of its trigger, in every way there is.
    fn effects(
        &self,
        before: &State,
        process: usize,
        join: &Join,
        names: &Names,
        step: Result<Move, Check>,
    ) -> Vec<Move> {
        let mut step = match step {
            Ok(step) => step,
            Err(check) => return vec![self.fail(before, process, check)],
        };
        if join.effect.crashes {
            step.state.control[process] = Control::Crashed;
            step.state.results[process] = 0;
        }
        let mut choices = Vec::new();
        for (place, value) in &join.effect.stores {
            let ty = self.element_type(place.variable.0 as usize, &path(place));
            let values = match value {
                Rhs::Any => Ok(super::state::all_values(&ty, self.program)),
                _ => self.values(before, names, value),
            };
            match values {
                Ok(values) => choices.push(values),
                Err(check) => return vec![self.fail(before, process, check)],
            }
        }
        (product(&choices).into_iter())
            .map(|values| {
                let mut step = step.clone();
                for ((place, _), value) in join.effect.stores.iter().zip(values) {
                    let variable = place.variable.0 as usize;
                    let path = path(place);
                    if !fits(&value, &self.element_type(variable, &path)) {
                        return self.fail(before, process, Check::Range);
                    }
                    *step.state.vars[variable].element(&path) = value;
                }
                step
            })
            .collect()
    }

    /// What faults of writes make of a step.
    pub fn own_writes(
        &self,
        before: &State,
        process: usize,
        outcome: &Outcome,
    ) -> Vec<(usize, Move)> {
        let mut found = Vec::new();
        for (fault, join) in self.joins(before) {
            let Trigger::Write {
                process: by,
                variable,
                value,
            } = &join.trigger
            else {
                continue;
            };
            let (variable, path) = (variable.variable.0 as usize, path(variable));
            // Of two writes to the same scalar the later one counts.
            let hit = (outcome.writes.iter())
                .rfind(|written| written.variable == variable && written.path == path);
            let Some(hit) = hit.filter(|_| by.0 as usize == process) else {
                continue;
            };
            let names = match (&hit.value, &outcome.to) {
                (Some(written), _) => Ok(vec![(*value, written.clone())]),
                (None, Err(check)) => Err(*check),
                (None, Ok(_)) => panic!("what is stored was computed"),
            };
            if !self.applies(before, join, &names, outcome.to.is_ok()) {
                continue;
            }
            let without = outcome.to.clone().map(|mut step| {
                if join.effect.crashes {
                    // Who crashes does nothing else; but a message that was taken is gone.
                    return crashing(before, &step);
                }
                let old = before.vars[variable].clone().element(&path).clone();
                *step.state.vars[variable].element(&path) = old;
                step
            });
            let steps = self.effects(before, process, join, &names, without);
            found.extend(steps.into_iter().map(|step| (fault, step)));
        }
        found
    }

    /// The faults of messages of a process on a channel: those that apply to this one.
    fn of_messages(
        &self,
        state: &State,
        (process, channel, sends): (usize, usize, bool),
        message: &Result<Vec<Value>, Check>,
        possible: bool,
    ) -> Vec<(usize, &Join, Names)> {
        let mut found = Vec::new();
        for (fault, join) in self.joins(state) {
            let passing = match &join.trigger {
                Trigger::Send(passing) if sends => passing,
                Trigger::Receive(passing) if !sends => passing,
                _ => continue,
            };
            let own = passing.process.is_none_or(|p| p.0 as usize == process);
            if !own || passing.channel.0 as usize != channel {
                continue;
            }
            let named = |message: &Vec<Value>| {
                let all = passing.fields.iter().copied().zip(message.iter().cloned());
                all.collect()
            };
            let names = message.as_ref().map(named).map_err(|check| *check);
            if self.applies(state, join, &names, possible) {
                found.push((fault, join, names));
            }
        }
        found
    }

    /// The faults that apply to a message that is sent and let the sender go on without its channel.
    pub fn own_losses(
        &self,
        state: &State,
        process: usize,
        channel: usize,
        message: &Result<Vec<Value>, Check>,
    ) -> Vec<usize> {
        let all = self.of_messages(state, (process, channel, true), message, true);
        let losses = all
            .into_iter()
            .filter(|(_, join, _)| join.effect.message.is_none());
        losses.map(|(fault, ..)| fault).collect()
    }

    /// What faults make of a message that is sent: the step of each, and the faults that apply. `lost` is the step in which nothing is
    /// sent, `put` that in which something else is, if it can be.
    pub fn own_sends(
        &self,
        state: &State,
        (process, channel): (usize, usize),
        message: &Result<Vec<Value>, Check>,
        lost: &dyn Fn() -> Move,
        put: Option<&dyn Fn(Vec<Value>) -> Move>,
    ) -> (Vec<(usize, Move)>, Vec<usize>) {
        let (mut found, mut applied) = (Vec::new(), Vec::new());
        for (fault, join, names) in
            self.of_messages(state, (process, channel, true), message, message.is_ok())
        {
            let Some(fields) = &join.effect.message else {
                applied.push(fault);
                let crashed = || message.clone().map(|_| Move::plain(state.clone()));
                let without = match join.effect.crashes {
                    true => crashed(),
                    false => Ok(lost()),
                };
                let steps = self.effects(state, process, join, &names, without);
                found.extend(steps.into_iter().map(|step| (fault, step)));
                continue;
            };
            let Some(put) = put else { continue };
            applied.push(fault);
            let types = &self.program.channels[channel].fields;
            let sent = message.clone().and_then(|_| {
                let values = fields.iter().zip(types).map(|(field, ty)| match field {
                    Rhs::Any => Ok(super::state::all_values(ty, self.program)),
                    _ => self.values(state, &names, field),
                });
                values.collect::<Result<Vec<_>, Check>>()
            });
            let sent = match sent {
                Ok(sent) => product(&sent),
                Err(check) => {
                    found.push((fault, self.fail(state, process, check)));
                    continue;
                }
            };
            for other in sent {
                let good = other.iter().zip(types).all(|(value, ty)| fits(value, ty));
                let step = match good {
                    true => Ok(put(other)),
                    false => Err(Check::Range),
                };
                let steps = self.effects(state, process, join, &names, step);
                found.extend(steps.into_iter().map(|step| (fault, step)));
            }
        }
        (found, applied)
    }

    /// What faults make of a message that is received: `ignored` is the step in which it is taken, but not copied.
    pub fn own_receives(
        &self,
        state: &State,
        (process, channel): (usize, usize),
        message: &Result<Vec<Value>, Check>,
        ignored: &Result<Move, Check>,
    ) -> Vec<(usize, Move)> {
        let own = (process, channel, false);
        let all = self.of_messages(state, own, message, ignored.is_ok());
        let mut found = Vec::new();
        for (fault, join, names) in all {
            let without = ignored.clone().map(|step| match join.effect.crashes {
                true => crashing(state, &step),
                false => step,
            });
            let steps = self.effects(state, process, join, &names, without);
            found.extend(steps.into_iter().map(|step| (fault, step)));
        }
        found
    }

    /// What happens to a process all by itself, wherever a statement begins.
    pub fn own_spontaneous(&self, state: &State, process: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        if !matches!(state.control[process], Control::At(_)) {
            return moves;
        }
        for (fault, join) in self.joins(state) {
            let here = match &join.trigger {
                Trigger::Anytime(p) => p.0 as usize == process,
                Trigger::Reached(p, label) => {
                    p.0 as usize == process && self.begins(state, process, *label)
                }
                _ => false,
            };
            let names = Ok(Vec::new());
            if here && self.applies(state, join, &names, true) {
                let step = Ok(Move::plain(state.clone()));
                let steps = self.effects(state, process, join, &names, step);
                moves.extend(steps.into_iter().map(|step| Move {
                    fault: Some(fault),
                    forced: false,
                    ..step
                }));
            }
        }
        moves
    }

    /// What failure detectors do.
    pub fn detections(&self, state: &State) -> Vec<Move> {
        let mut moves = Vec::new();
        for (index, detector) in self.program.detectors.iter().enumerate() {
            let crashed = state.control[detector.process.0 as usize] == Control::Crashed;
            let suspects = state.suspects[index];
            let mut next = Move::plain(state.clone());
            next.state.suspects[index] = !suspects;
            if crashed != suspects {
                moves.push(next);
            } else if !crashed {
                let target = FaultTarget::Detector(DetectorId(index as u32));
                let wrong = self.faults_of(&["wrong"], target);
                let ready = wrong.filter(|fault| self.ready(state, *fault));
                moves.extend(ready.map(|fault| Move {
                    fault: Some(fault),
                    forced: false,
                    ..next.clone()
                }));
            }
        }
        moves
    }
}

/// What is left of a step whose process crashes in it.
fn crashing(before: &State, step: &Move) -> Move {
    let mut state = before.clone();
    let sent = |did: &super::fault::Did| matches!(did, super::fault::Did::Sent(..));
    let did: Vec<_> = step.did.iter().filter(|d| !sent(d)).cloned().collect();
    // What it would send is not sent; a message that was taken is gone, and so is an offer that was over.
    if !step.did.iter().any(sent) {
        state.channels.clone_from(&step.state.channels);
    }
    Move {
        did,
        ..Move::plain(state)
    }
}
