//! When faults may happen, what a step does to them, and what specifications ask about them: section 7 of the reference.

use sandalc::program::{
    Expr, ExprKind, FaultAspect, FaultTarget, Happening, Moment, Pattern, Program,
};
use sandalc::vocabulary::{LabelId, ProcessId};

use super::Machine;
use super::code::Control;
use super::state::{State, Value, all_values};
use super::step::Move;
use super::write::path;

/// How far a fault is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// This run has none of it.
    Never,
    Waiting,
    Active,
    Over,
}

/// What a step did to a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Did {
    Sent(usize, Vec<Value>),
    Received(usize, Vec<Value>),
}

/// Which faults an expression asks this about.
pub fn asked(formula: &Expr, aspect: FaultAspect) -> Vec<usize> {
    let mut found = Vec::new();
    formula.visit(&mut |e| {
        if let ExprKind::OfFault(a, faults) = &e.kind
            && *a == aspect
        {
            found.extend(faults.iter().map(|f| f.0 as usize));
        }
    });
    found
}

/// Which faults some specification asks one of these about.
pub fn asked_by_some(program: &Program, aspects: &[FaultAspect]) -> Vec<bool> {
    let mut found = vec![false; program.faults.len()];
    for property in &program.properties {
        for aspect in aspects {
            for expr in property.exprs() {
                for fault in asked(expr, *aspect) {
                    found[fault] = true;
                }
            }
        }
    }
    found
}

impl Machine<'_> {
    /// The faults of these kinds that may happen to a process or channel.
    pub fn faults_of(
        &self,
        kinds: &'static [&'static str],
        target: FaultTarget,
    ) -> impl Iterator<Item = usize> {
        self.faults.iter().copied().filter(move |f| {
            let fault = &self.program.faults[*f];
            kinds.contains(&&*fault.kind.name) && fault.targets.contains(&target)
        })
    }

    /// Whether a fault happens at every occasion now.
    pub fn always(&self, state: &State, fault: usize) -> bool {
        self.program.faults[fault].timing.always && state.phases[fault] == Phase::Active
    }

    /// Whether a fault that happens now and then may happen now.
    pub fn ready(&self, state: &State, fault: usize) -> bool {
        let timing = &self.program.faults[fault].timing;
        !timing.always && state.phases[fault] == Phase::Active && self.affordable(state, fault)
    }

    /// Whether the budgets of a fault have some left.
    fn affordable(&self, state: &State, fault: usize) -> bool {
        (self.budgets.iter().zip(&state.used))
            .all(|(b, used)| !b.faults.contains(&fault) || *used < b.most)
    }

    fn count(&self, state: &mut State, fault: usize) {
        for (budget, used) in self.budgets.iter().zip(&mut state.used) {
            if budget.faults.contains(&fault) {
                *used += 1;
            }
        }
    }

    /// Sets the phases at the start of a run in which these faults may happen.
    pub fn begin(&self, state: &mut State, may: &[bool]) {
        for fault in &self.faults {
            let timing = &self.program.faults[*fault].timing;
            let at_start = |moment: &Option<Moment>| match moment {
                Some(Moment::After(Happening::Reached(p, label))) => {
                    self.begins(state, p.0 as usize, *label)
                }
                _ => false,
            };
            let (from, until) = (at_start(&timing.from), at_start(&timing.until));
            state.phases[*fault] = if !may[*fault] {
                Phase::Never
            } else if timing.from.is_some() && !from
                || timing.always && !self.affordable(state, *fault)
            {
                Phase::Waiting
            } else {
                if timing.always {
                    self.count(state, *fault);
                }
                match until && timing.from.is_none() {
                    true => Phase::Over,
                    false => Phase::Active,
                }
            };
        }
    }

    /// Whether a process is at the start of a labelled statement.
    pub fn begins(&self, state: &State, process: usize, label: LabelId) -> bool {
        let at = state.control[process];
        matches!(at, Control::At(_)) && self.code[process].is_at(at, label.0)
    }

    /// A whole step: its injections are counted, and what it was may begin and end faults.
    pub fn account(&self, before: &State, mut step: Move) -> Move {
        let after = &mut step.state;
        let happened: Vec<usize> = step.fault.iter().chain(&step.acting).copied().collect();
        if let Some(fault) = step.fault {
            self.count(after, fault);
            let own = self.budgets.iter().zip(&after.used);
            let used_up = own
                .filter(|(b, _)| b.own == Some(fault))
                .any(|(b, used)| *used == b.most);
            if used_up {
                after.phases[fault] = Phase::Over;
            }
        }
        for fault in &self.faults {
            let timing = &self.program.faults[*fault].timing;
            let is = |moment: &Option<Moment>| match moment {
                Some(Moment::After(event)) => self.was(event, step.by, after, &step.did, &happened),
                _ => false,
            };
            match before.phases[*fault] {
                Phase::Waiting if is(&timing.from) => {
                    if !timing.always {
                        after.phases[*fault] = Phase::Active;
                    } else if self.affordable(after, *fault) {
                        after.phases[*fault] = Phase::Active;
                        self.count(after, *fault);
                    }
                }
                Phase::Active if is(&timing.until) => after.phases[*fault] = Phase::Over,
                _ => {}
            }
        }
        for fault in 0..self.program.faults.len() {
            let now = happened.contains(&fault);
            after.injected[fault] = now && self.remembers_last[fault];
            after.happened[fault] |= now && self.remembers[fault];
        }
        step
    }

    /// Whether a step that led to a state was an event.
    fn was(
        &self,
        event: &Happening,
        by: Option<usize>,
        after: &State,
        did: &[Did],
        happened: &[usize],
    ) -> bool {
        match event {
            Happening::Reached(p, label) => {
                let p = p.0 as usize;
                by == Some(p) && self.begins(after, p, *label)
            }
            Happening::Sent(sent) => did.iter().any(|did| match did {
                Did::Sent(c, message) => {
                    let channels = &mut sent.channels.iter();
                    channels.any(|x| x.0 as usize == *c) && fit(message, &sent.patterns)
                }
                Did::Received(..) => false,
            }),
            Happening::Received(received) => did.iter().any(|did| match did {
                Did::Received(c, message) => {
                    let channels = &mut received.channels.iter();
                    channels.any(|x| x.0 as usize == *c) && fit(message, &received.patterns)
                }
                Did::Sent(..) => false,
            }),
            Happening::Injected(faults) => {
                faults.iter().any(|f| happened.contains(&(f.0 as usize)))
            }
            Happening::Crashed(_) => panic!("timing knows no `crashed_now`"),
        }
    }

    /// The steps that nobody takes, or that are the ends of transient faults.
    pub fn moments(&self, state: &State) -> Vec<Move> {
        let mut moves = Vec::new();
        for fault in self.faults.iter().copied() {
            let timing = &self.program.faults[fault].timing;
            let to = |phase, forced| {
                let mut next = Move::plain(state.clone());
                next.state.phases[fault] = phase;
                next.forced = forced;
                next
            };
            let phase = state.phases[fault];
            if phase == Phase::Waiting && timing.from == Some(Moment::Any) {
                let mut begins = to(Phase::Active, false);
                if !timing.always {
                    moves.push(begins);
                } else if self.affordable(state, fault) {
                    self.count(&mut begins.state, fault);
                    moves.push(begins);
                }
            }
            if phase == Phase::Active && timing.until == Some(Moment::Any) {
                moves.push(to(Phase::Over, false));
            }
            if phase == Phase::Active && timing.transient {
                moves.push(to(Phase::Over, true));
            }
        }
        moves
    }

    /// What happens to variables at any time: wherever a statement begins.
    pub fn spontaneous(&self, state: &State, process: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        if !matches!(state.control[process], Control::At(_)) {
            return moves;
        }
        let target = FaultTarget::Process(ProcessId(process as u32));
        for fault in self.faults_of(&["flip", "scramble"], target) {
            if !self.ready(state, fault) {
                continue;
            }
            let marked = &self.program.faults[fault];
            for (of, place) in marked.targets.iter().zip(&marked.variables) {
                if *of != target {
                    continue;
                }
                let variable = place.variable.0 as usize;
                let path = path(place);
                let ty = self.element_type(variable, &path);
                let mut current = state.vars[variable].clone();
                let now = current.element(&path).clone();
                for value in all_values(&ty, self.program) {
                    if value == now {
                        continue;
                    }
                    *current.element(&path) = value;
                    let mut next = Move::plain(state.clone());
                    next.state.vars[variable] = current.clone();
                    next.fault = Some(fault);
                    next.forced = false;
                    moves.push(next);
                }
            }
        }
        moves.extend(self.own_spontaneous(state, process));
        moves
    }

    /// What a specification asks about a fault.
    pub fn about_fault(&self, state: &State, aspect: FaultAspect, fault: usize) -> bool {
        if !self.faults.contains(&fault) {
            return false;
        }
        let phase = state.phases[fault];
        match aspect {
            FaultAspect::Faulty => phase != Phase::Never,
            FaultAspect::Injecting => phase == Phase::Active,
            FaultAspect::Injected => state.injected[fault],
            FaultAspect::Happened => state.happened[fault],
            FaultAspect::Stopped => state.happened[fault] && phase == Phase::Over,
            FaultAspect::Begun => match self.program.faults[fault].timing.always {
                true => matches!(phase, Phase::Active | Phase::Over),
                false => state.happened[fault],
            },
        }
    }

    /// Whether a property is about the runs of a state: those in which all faults may happen that it does not ask about.
    pub fn is_about(&self, state: &State, formula: Option<&Expr>) -> bool {
        let own = formula.map_or(Vec::new(), |f| asked(f, FaultAspect::Faulty));
        let mut chosen = self.faults.iter().filter(|f| self.chosen[**f]);
        chosen.all(|f| own.contains(f) || state.phases[*f] != Phase::Never)
    }
}

/// Whether a message fits the patterns of an event; none fit everything.
fn fit(message: &[Value], patterns: &[Pattern]) -> bool {
    let mut fields = patterns.iter().zip(message);
    fields.all(|(pattern, value)| fits(pattern, value))
}

fn fits(pattern: &Pattern, value: &Value) -> bool {
    match pattern {
        Pattern::Any | Pattern::Into(_) => true,
        Pattern::Equal(e) => e.as_const().is_some_and(|c| Value::of(c) == *value),
        Pattern::Between(lo, hi) => (*lo..=*hi).contains(&value.number()),
        Pattern::Either(all) => all.iter().any(|one| fits(one, value)),
        Pattern::Constructor(..) => panic!("events of the random models have plain patterns"),
    }
}
