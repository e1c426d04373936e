//! What processes know: first of all it is worked out, operator by operator from the inside out, and then it is a condition like
//! any other, over what its processes see.
//!
//! The search for it is one of its own. Steps may be merged in it that nobody sees, neither the processes nor the formula that is
//! known, for then the same views go with the same truths.

mod claims;

use std::cell::OnceCell;
use std::sync::Arc;

use super::answer::{Answer, Twin, seen};
use super::strategy::Strategy;
use super::{Task, Trouble, World};
use crate::engine;
use crate::engine::knowledge::Asked;
use crate::simplify::{Rules, Simplified, simplify_until};
use crate::system::knowledge::{Operator, Sight, Within, condition, is_seen};
use crate::system::{Expr, Formula, Leaf, Property, PropertyKind, System};
use crate::trace;
use crate::trace::Trace;
use crate::verdict::Run;
use crate::vocabulary::Knowing;

/// What is said where nobody can know something because it is false.
const FALSE_ITSELF: &str = "at the end of the run, what is to be known is false itself";

/// What is known of the operators of a task.
pub struct Known {
    /// The System, in which conditions over views have replaced them.
    system: System,
    /// For each operator how it came out, if it was asked for.
    operators: Vec<Option<Result<Answered, String>>>,
    /// For each property the operators it reads itself.
    read: Vec<Vec<usize>>,
    /// For each operator those that its formula reads.
    inner: Vec<Vec<usize>>,
    stepwise: OnceCell<(Simplified, Vec<Option<Asked>>)>,
}

/// An operator that is known.
struct Answered {
    operator: Operator,
    found: engine::knowledge::Answer,
    condition: Expr,
}

impl Known {
    /// Works out what the properties of a task ask, if they ask anything of the kind.
    pub fn of(task: &Task<'_>, world: &dyn World) -> Option<Known> {
        let system = task.system;
        let read: Vec<Vec<usize>> = (0..system.properties.len())
            .map(|property| match task.wanted.contains(&property) {
                true => system.knowledge_of(property),
                false => Vec::new(),
            })
            .collect();
        let needed = closure(system, &read);
        if needed.is_empty() {
            return None;
        }
        let mut known = Known {
            system: system.clone(),
            operators: system.knowledge.iter().map(|_| None).collect(),
            read,
            inner: (system.knowledge.iter())
                .map(|operator| inner(system, &operator.what))
                .collect(),
            stepwise: OnceCell::new(),
        };
        known.work_out(task, needed, world);
        known.replace();
        Some(known)
    }

    /// From the inside out.
    fn work_out(&mut self, task: &Task<'_>, mut needed: Vec<usize>, world: &dyn World) {
        while !needed.is_empty() {
            let is_ready = |index: &usize| {
                let inner = inner(task.system, &task.system.knowledge[*index].what);
                inner.iter().all(|inner| self.operators[*inner].is_some())
            };
            let (ready, later): (Vec<usize>, Vec<usize>) = needed.iter().partition(|i| is_ready(i));
            if ready.is_empty() {
                break;
            }
            needed = later;
            let mut fresh = Vec::new();
            for index in ready {
                let operator = &task.system.knowledge[index];
                let why = inner(task.system, &operator.what)
                    .iter()
                    .find_map(|inner| self.operators[*inner].as_ref()?.as_ref().err().cloned());
                match why {
                    Some(why) => self.operators[index] = Some(Err(why)),
                    None => fresh.push((index, self.resolved(operator))),
                }
            }
            let operators: Vec<&Operator> = fresh.iter().map(|(_, operator)| operator).collect();
            let found = answers(task, &operators, world);
            for (position, (index, operator)) in fresh.into_iter().enumerate() {
                self.operators[index] = Some(match &found {
                    Err(why) => Err(why.clone()),
                    Ok(answers) => {
                        let found = answers[position].clone();
                        Ok(Answered {
                            condition: condition(&keys(&operator), &found.table),
                            operator,
                            found,
                        })
                    }
                });
            }
        }
    }

    /// An operator in whose formula inner ones are replaced.
    fn resolved(&self, operator: &Operator) -> Operator {
        let mut operator = operator.clone();
        operator.what.rewrite(&mut |leaf| self.stands_for(leaf));
        operator
    }

    fn stands_for(&self, leaf: &Leaf) -> Option<Expr> {
        let Leaf::Var(var) = leaf else {
            return None;
        };
        let known = self.operators.iter().flatten();
        let mut known = known.filter_map(|known| known.as_ref().ok());
        known
            .find(|known| known.operator.var == *var)
            .map(|known| known.condition.clone())
    }

    /// Replaces all that is known in the System's properties.
    fn replace(&mut self) {
        let mut properties = std::mem::take(&mut self.system.properties);
        for property in &mut properties {
            property.kind.rewrite(&mut |leaf| self.stands_for(leaf));
        }
        self.system.properties = properties;
        self.system.knowledge.clear();
    }

    /// The System without operators about knowledge.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Whether a property asks who knows what.
    pub fn is_asked_by(&self, property: usize) -> bool {
        !self.read[property].is_empty()
    }

    /// Why it is not known what a property asks, if so.
    pub fn why_unknown(&self, property: usize) -> Option<&str> {
        let read = self.read[property].iter();
        let mut read = read.filter_map(|index| self.operators[*index].as_ref());
        read.find_map(|known| known.as_ref().err().map(String::as_str))
    }

    /// Whether what somebody would know at the end of a violation is false: then he cannot.
    pub fn remark(&self, answer: &Answer) -> Option<String> {
        let trace = answer.trace.as_ref().filter(|_| answer.is_violated())?;
        let unknown = self.unknown_at_end(answer.property, trace);
        let plain = unknown
            .iter()
            .all(|(_, known)| known.is_false_itself(trace));
        (plain && !unknown.is_empty()).then(|| FALSE_ITSELF.to_owned())
    }

    /// What a property reads and the end of a run says nobody knows; then what these read in turn.
    fn unknown_at_end(&self, property: usize, trace: &Trace) -> Vec<(usize, &Answered)> {
        let mut all = self.read[property].clone();
        let mut next = 0;
        while next < all.len() {
            for inner in &self.inner[all[next]] {
                if !all.contains(inner) {
                    all.push(*inner);
                }
            }
            next += 1;
        }
        let known = all.into_iter().filter_map(|index| {
            let known = self.operators[index].as_ref()?.as_ref().ok()?;
            Some((index, known))
        });
        known
            .filter(|(_, known)| !trace.last().holds(&known.condition))
            .collect()
    }

    /// For an answer with a run at whose end somebody does not know what it asks: a run to what he takes it for.
    pub fn twin(&self, strategy: &Strategy, answer: &Answer) -> Result<Option<Twin>, Trouble> {
        let Some(trace) = answer.trace.as_ref().filter(|_| answer.is_violated()) else {
            return Ok(None);
        };
        let unknown = self.unknown_at_end(answer.property, trace);
        let mut unknown = unknown.into_iter();
        let Some((index, known)) = unknown.find(|(_, known)| !known.is_false_itself(trace)) else {
            return Ok(None);
        };
        let system = &self.system;
        let keys = keys(&known.operator);
        let codes: Vec<i64> = (keys.iter())
            .map(|sight| trace.last().eval(&sight.value(system)))
            .collect();
        let (simplified, asked) = self.stepwise.get_or_init(|| self.every_step(strategy));
        let Some(asked) = &asked[index] else {
            return Ok(None);
        };
        let stop = || strategy.world.is_over();
        let options = strategy.options(&stop);
        let run = engine::knowledge::twin(&simplified.system, asked, &codes, &options);
        let Ok(Some(run)) = run else {
            return Ok(None);
        };
        let shown = simplified.restore(system, &run, None);
        let shown = shown.and_then(|run| self.replayed(known, &codes, &run));
        let Some(shown) = shown else {
            return Err(Trouble::Internal(
                "a run to what a process takes for another is none of the model".to_owned(),
            ));
        };
        Ok(Some(Twin {
            trace: Arc::new(shown),
            processes: known.operator.processes.clone(),
            how: known.operator.how,
            seen: seen(&keys, &codes),
        }))
    }

    /// Replays a run to a state with a view.
    fn replayed(&self, known: &Answered, codes: &[i64], run: &Run) -> Option<Trace> {
        let mut parts = Vec::new();
        if known.operator.how != Knowing::Common {
            parts.push(is_seen(&keys(&known.operator), codes));
        }
        if let Formula::Atom(what) = &known.operator.what {
            parts.push(what.clone().not());
        }
        let mut system = self.system.clone();
        system.properties.push(Property {
            name: "alike".to_owned(),
            kind: PropertyKind::Reachable(Expr::and(parts)),
            tolerant: None,
            form: None,
            span: None,
        });
        trace::replay(&system, system.properties.len() - 1, run).ok()
    }

    /// The System with every step as it is, and the operators in its terms.
    fn every_step(&self, strategy: &Strategy) -> (Simplified, Vec<Option<Asked>>) {
        let known: Vec<Option<&Operator>> = (self.operators.iter())
            .map(|known| Some(&known.as_ref()?.as_ref().ok()?.operator))
            .collect();
        let operators: Vec<&Operator> = known.iter().flatten().copied().collect();
        let rules = match strategy.task.options.simplify {
            true => Rules::EVERY_STEP,
            false => Rules::NONE,
        };
        let stop = || strategy.world.is_over();
        let (simplified, asked) = probe(&self.system, &operators, &rules, &stop);
        let mut asked = asked.into_iter();
        let each = known.iter().map(|known| known.and_then(|_| asked.next()));
        let each = each.collect();
        (simplified, each)
    }
}

impl Answered {
    /// Whether what is to be known is false at the end of a run, as is plain.
    fn is_false_itself(&self, trace: &Trace) -> bool {
        match &self.operator.what {
            Formula::Atom(what) => !trace.last().holds(what),
            _ => false,
        }
    }
}

/// The view by which a table goes.
fn keys(operator: &Operator) -> Vec<Sight> {
    match operator.how {
        Knowing::Distributed => operator.views.iter().flatten().cloned().collect(),
        Knowing::Own | Knowing::Common => operator.views.first().cloned().unwrap_or_default(),
    }
}

/// The operators that a formula reads.
fn inner(system: &System, formula: &Formula) -> Vec<usize> {
    let mut found = Vec::new();
    formula.atoms(&mut |e| found.extend(system.knowledge_in(e)));
    found
}

/// The operators that properties read, and those that these read.
fn closure(system: &System, read: &[Vec<usize>]) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut rest: Vec<usize> = read.iter().flatten().copied().collect();
    while let Some(index) = rest.pop() {
        if !found.contains(&index) {
            found.push(index);
            rest.extend(inner(system, &system.knowledge[index].what));
        }
    }
    found.sort_unstable();
    found
}

/// Works out operators that read no others.
fn answers(
    task: &Task<'_>,
    operators: &[&Operator],
    world: &dyn World,
) -> Result<Vec<engine::knowledge::Answer>, String> {
    if operators.is_empty() {
        return Ok(Vec::new());
    }
    let stays = |o: &&Operator| o.within.is_none() && matches!(o.what, Formula::Atom(_));
    let rules = match (task.options.simplify, operators.iter().all(stays)) {
        (false, _) => Rules::NONE,
        (true, false) => Rules::EVERY_STEP,
        (true, true) => Rules::default(),
    };
    let stop = || world.is_over();
    let (simplified, asked) = probe(task.system, operators, &rules, &stop);
    let options = engine::Options {
        limits: task.options.limits,
        stop: &stop,
        ..engine::Options::default()
    };
    let found = engine::knowledge::tables(&simplified.system, &asked, &options);
    found.map_err(|unknown| unknown.why)
}

/// A simplified System in which nothing is lost that operators read, and these in its terms.
pub fn probe(
    system: &System,
    operators: &[&Operator],
    rules: &Rules,
    stop: &dyn Fn() -> bool,
) -> (Simplified, Vec<Asked>) {
    let mut probe = system.clone();
    probe.properties.clear();
    probe.assumptions.clear();
    probe.knowledge.clear();
    for operator in operators {
        let kept = &mut probe.kept;
        let views = operator.views.iter().flatten();
        kept.extend(views.map(|sight| sight.value(system)));
        operator.what.atoms(&mut |e| kept.push(e.clone()));
        if let Some(Within { start, stay }) = &operator.within {
            kept.extend([start.clone(), stay.clone()]);
        }
    }
    let simplified = simplify_until(&probe, rules, stop);
    let mut kept = simplified.system.kept.iter().cloned();
    let mut next = || kept.next().unwrap_or_else(Expr::yes);
    let asked = operators.iter().map(|operator| {
        let views = operator.views.iter();
        let views = views.map(|view| view.iter().map(|_| next()).collect());
        let views = views.collect();
        let what = operator.what.map_atoms(&mut |_| next());
        let within = operator.within.as_ref().map(|_| Within {
            start: next(),
            stay: next(),
        });
        Asked {
            how: operator.how,
            views,
            what,
            within,
        }
    });
    let asked = asked.collect();
    (simplified, asked)
}
