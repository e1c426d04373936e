//! A run whose steps somebody chooses: the part without a terminal.

use super::watched::{Watching, show};
use crate::system::EdgeKind;
use crate::system::state::{self, State};
use crate::trace::choices::{self, Choice};
use crate::trace::monitor::{Course, Monitor};
use crate::trace::simulate::{Random, begin, choose};
use crate::trace::{Trace, TraceStep, step, words};
use crate::verdict::{Move, Run};

/// A run, and what can be done with it.
pub struct Explorer {
    /// The model with what is watched.
    pub watching: Watching,
    /// The moves so far.
    pub run: Run,
    /// Their steps.
    pub trace: Trace,
    /// What can happen next: steps, then faults.
    pub choices: Vec<Choice>,
    /// The properties that are violated where the run is now.
    pub violated: Vec<usize>,
    /// Whether the run violates a property anywhere.
    pub has_violated: bool,
    course: Course,
    monitor: Monitor,
    random: Random,
}

impl Explorer {
    /// At the beginning.
    pub fn new(watching: Watching, seed: u64) -> Explorer {
        let mut random = Random::new(seed);
        let initial = begin(&watching.system, &mut random);
        let mut explorer = Explorer {
            run: Run::default(),
            trace: Trace::start(&watching.system, initial.clone()),
            choices: Vec::new(),
            violated: Vec::new(),
            has_violated: false,
            course: Course::default(),
            monitor: Monitor::new(&watching.system),
            random,
            watching,
        };
        explorer.begin(initial);
        explorer
    }

    /// At the beginning, in this initial state.
    pub fn begin(&mut self, initial: State) {
        self.run = Run {
            start: state::start_codes(&self.watching.system, &initial),
            ..Run::default()
        };
        self.trace = Trace::start(&self.watching.system, initial);
        self.judge();
    }

    /// The same run on the model with something else to watch.
    pub fn watch(&mut self, watching: Watching) -> bool {
        let system = &watching.system;
        let chosen = words::chosen(&self.watching.system, &self.trace.initial);
        let same = |state: &State| words::chosen(system, state) == chosen;
        let Some(initial) = state::initials(system).find(same) else {
            return false;
        };
        let start = state::start_codes(system, &initial);
        let mut trace = Trace::start(system, initial);
        for taken in &self.run.moves {
            match step(&watching.system, trace.last(), taken) {
                Some(next) => trace.steps.push(next),
                None => return false,
            }
        }
        self.trace = trace;
        self.run.start = start;
        self.monitor = Monitor::new(&watching.system);
        self.watching = watching;
        self.judge();
        true
    }

    /// Judges the whole run, and finds out what can happen next.
    fn judge(&mut self) {
        self.course = self.monitor.begin();
        self.has_violated = false;
        for index in 0..=self.trace.steps.len() {
            self.read(index);
        }
        self.look();
    }

    /// Reads the state after so many steps.
    fn read(&mut self, steps: usize) {
        let step = steps.checked_sub(1).map(|last| &self.trace.steps[last]);
        let state = self.trace.before(steps);
        self.violated = self.monitor.read(&mut self.course, step, state);
        self.has_violated |= !self.violated.is_empty();
    }

    /// Takes a step.
    fn go(&mut self, taken: Move, step: TraceStep) {
        self.run.moves.push(taken);
        self.trace.steps.push(step);
        self.read(self.trace.steps.len());
        self.look();
    }

    /// Finds out what can happen next.
    fn look(&mut self) {
        let mut all = choices::all(&self.watching.system, self.trace.last());
        all.retain(|choice| choice.taken != Move::Stutter);
        all.sort_by_key(|choice| self.is_fault(choice));
        self.choices = all;
    }

    /// Whether a choice injects a fault.
    pub fn is_fault(&self, choice: &Choice) -> bool {
        match &choice.taken {
            Move::Stutter => false,
            Move::Step { process, edge, .. } => {
                let edges = &self.watching.system.process(*process).edges;
                matches!(edges[*edge].kind, EdgeKind::Fault(_))
            }
        }
    }

    /// Takes one of the choices.
    pub fn take(&mut self, choice: usize) {
        let Choice { taken, step } = self.choices[choice].clone();
        self.go(taken, step);
    }

    /// Takes back the last steps; how many that were.
    pub fn back(&mut self, steps: usize) -> usize {
        let steps = steps.min(self.run.moves.len());
        let left = self.run.moves.len() - steps;
        self.run.moves.truncate(left);
        self.trace.steps.truncate(left);
        self.judge();
        steps
    }

    /// Takes a random step that is no fault; false if there is none.
    pub fn random(&mut self) -> bool {
        let system = &self.watching.system;
        let Some(taken) = choose(system, self.trace.last(), 0, &mut self.random) else {
            return false;
        };
        let Some(step) = step(system, self.trace.last(), &taken) else {
            return false;
        };
        self.go(taken, step);
        true
    }

    /// If nobody can move without a fault: the `ltl` properties that are violated should it stay so.
    pub fn at_rest(&self) -> Vec<usize> {
        let resting = self.choices.iter().all(|choice| self.is_fault(choice));
        match resting {
            true => {
                let system = &self.watching.system;
                self.monitor.at_rest(system, &self.run, &self.trace).0
            }
            false => Vec::new(),
        }
    }

    /// What is watched, with its value now.
    pub fn watched(&self) -> Vec<(&str, String)> {
        let Watching {
            system, watched, ..
        } = &self.watching;
        let state = self.trace.last();
        watched
            .iter()
            .map(|(text, values)| (text.as_str(), show(system, state, values)))
            .collect()
    }
}
