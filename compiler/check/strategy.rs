//! What all parts of the strategy share: the task, the world, the Systems that are searched, and the answers so far.
//!
//! Nothing is decided here. Which way is searched is decided in `search`, which engine is asked in [`check`](super::check).

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use super::answer::{Answer, Proof, Shows};
use super::cause::cause;
use super::knowledge::Known;
use super::notes::{NO_FAULTY_RUN, assumptions_rule_out_faults};
use super::{Task, Trouble, World};
use crate::engine::{self, Notice};
use crate::simplify::{Rules, Simplified, simplify_until};
use crate::system::{PropertyKind, System};
use crate::verdict::{Outcome, Verdict};

/// A task at work.
pub struct Strategy<'a> {
    /// What is to be answered, and how.
    pub task: &'a Task<'a>,
    /// Clock and audience.
    pub world: &'a dyn World,
    /// What processes know, if that is asked.
    pub known: Option<&'a Known>,
    simplified: OnceCell<Simplified>,
    stepwise: OnceCell<Simplified>,
    without_faults: OnceCell<bool>,
    answers: RefCell<Vec<Answer>>,
}

/// To replay more steps takes a while, and memory.
const LONG: usize = 10_000;

impl<'a> Strategy<'a> {
    /// Nothing is known yet.
    pub fn new(task: &'a Task<'a>, known: Option<&'a Known>, world: &'a dyn World) -> Self {
        Strategy {
            task,
            world,
            known,
            simplified: OnceCell::new(),
            stepwise: OnceCell::new(),
            without_faults: OnceCell::new(),
            answers: RefCell::default(),
        }
    }

    /// The System that the engines get.
    pub fn simplified(&self) -> &Simplified {
        self.simplified
            .get_or_init(|| self.simplify(Rules::default()))
    }

    /// The System that the engines get where every step counts.
    pub fn stepwise(&self) -> &Simplified {
        self.stepwise
            .get_or_init(|| self.simplify(Rules::EVERY_STEP))
    }

    /// The System that is searched, by whether every step counts.
    pub fn way(&self, stepwise: bool) -> &Simplified {
        match stepwise {
            true => self.stepwise(),
            false => self.simplified(),
        }
    }

    /// Asks the engine about properties of the System that is searched; together with others, if there are any, and these are
    /// properties that can be shared.
    pub fn ask(
        &self,
        stepwise: bool,
        properties: &[usize],
        options: &engine::Options<'_>,
        notice: &mut dyn FnMut(Notice<'_>),
    ) -> engine::Report {
        let system = &self.way(stepwise).system;
        let is_temporal = |p: &usize| system.properties[*p].kind.is_temporal();
        match self.world.together() {
            // What somebody knows has been worked out here, and nobody else knows that.
            Some(together) if self.known.is_none() && !properties.iter().any(is_temporal) => {
                together.search(stepwise, (system, properties), options, notice)
            }
            _ => engine::check(system, properties, options, notice),
        }
    }

    fn simplify(&self, rules: Rules) -> Simplified {
        let rules = match self.task.options.simplify {
            true => rules,
            false => Rules::NONE,
        };
        simplify_until(self.task.system, &rules, &|| self.world.is_over())
    }

    /// Another System, as the engines get it.
    pub fn simplify_other(&self, system: &System) -> Simplified {
        let rules = match self.task.options.simplify {
            true => Rules::default(),
            false => Rules::NONE,
        };
        simplify_until(system, &rules, &|| self.world.is_over())
    }

    fn assumptions_rule_out_faults(&self) -> bool {
        let known = &self.without_faults;
        *known.get_or_init(|| assumptions_rule_out_faults(self))
    }

    /// How to search, without any shortcut.
    pub fn options<'s>(&'s self, stop: &'s dyn Fn() -> bool) -> engine::Options<'s> {
        engine::Options {
            limits: self.task.options.limits,
            threads: self.task.options.threads,
            disk: self.world.disk(),
            stop,
            ..engine::Options::default()
        }
    }

    /// The answers so far.
    pub fn answers(&self) -> Vec<Answer> {
        self.answers.borrow().clone()
    }

    /// Replays a verdict's run and tells that a better one may follow.
    pub fn announce(&self, verdict: &Verdict) -> Result<(), Trouble> {
        // A limit may end it all before a long run is replayed; the verdict is not lost.
        if verdict
            .run
            .as_ref()
            .is_some_and(|run| run.moves.len() > LONG)
        {
            self.world.first_answer(&Answer::not_replayed(verdict));
        }
        let answer = Answer::new(self.task.system, verdict, Shows::Any);
        self.world.first_answer(&answer.map_err(Trouble::Internal)?);
        Ok(())
    }

    /// Replays a verdict's run and tells the answer.
    pub fn settle(&self, verdict: &Verdict, shows: Shows) -> Result<(), Trouble> {
        self.settle_after(verdict, shows, None)
    }

    /// The same of a verdict without a run, with the time that it took and why it is so.
    pub fn settle_proved(
        &self,
        verdict: &Verdict,
        time: Option<Duration>,
        proof: Option<Proof>,
    ) -> Result<(), Trouble> {
        self.settle_with(verdict, Shows::Any, time, proof)
    }

    /// The same, with the time that it took.
    pub fn settle_after(
        &self,
        verdict: &Verdict,
        shows: Shows,
        time: Option<Duration>,
    ) -> Result<(), Trouble> {
        self.settle_with(verdict, shows, time, None)
    }

    fn settle_with(
        &self,
        verdict: &Verdict,
        shows: Shows,
        time: Option<Duration>,
        proof: Option<Proof>,
    ) -> Result<(), Trouble> {
        let answer = Answer::new(self.task.system, verdict, shows);
        let mut answer = answer.map_err(Trouble::Internal)?;
        answer.time = time;
        answer.proof = proof.map(Arc::new);
        if let Some(trace) = answer.trace.as_ref().filter(|_| answer.is_violated()) {
            answer.cause = cause(self, verdict.property, trace, shows);
        }
        if let Some(known) = self.known {
            answer.twin = known.twin(self, &answer)?;
            answer.notes.extend(known.remark(&answer));
            answer.notes.extend(known.note(verdict.property));
            // All states have been looked at to find out who knows what.
            if known.is_asked_by(verdict.property) && answer.outcome == Outcome::HoldsStatically {
                answer.outcome = Outcome::Holds;
            }
        }
        let holds = matches!(verdict.outcome, Outcome::Holds | Outcome::HoldsStatically);
        let kind = &self.task.system.properties[verdict.property].kind;
        if holds && matches!(kind, PropertyKind::Ltl(_)) && self.assumptions_rule_out_faults() {
            answer.notes.push(NO_FAULTY_RUN.to_owned());
        }
        self.world.answer(&answer);
        self.answers.borrow_mut().push(answer);
        Ok(())
    }

    /// Tells that nobody knows.
    pub fn leave_open(&self, undecided: Vec<Verdict>) -> Result<(), Trouble> {
        let mut undecided = undecided.iter();
        undecided.try_for_each(|verdict| self.settle(verdict, Shows::Any))
    }
}
