//! Sets of faults one by one, each woven and checked by itself: where one exploration is too large, where a fault takes
//! behaviour away, and where more faults may both break and repair a property.

use std::collections::HashMap;
use std::time::Duration;

use super::duality;
use super::fault_set::FaultSet;
use super::question::{Question, direction};
use super::survey::{Inquiry, Survey, Surveyed, Tolerates};
use super::violations::{Possible, Shape, Violations};
use crate::check::{self, Answer, Engines, Options, Trouble, World};
use crate::system::{Domain, EdgeKind, Expr, Leaf, Op, PropertyKind, System};
use crate::verdict::Outcome;
use crate::vocabulary::FaultId;

/// With more faults than this a property that neither rises nor falls is asked about small sets only.
const MOST: usize = 12;

/// A world that hears nothing but the time.
pub struct Quiet<'a>(pub &'a dyn World);

impl World for Quiet<'_> {
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn time_left(&self) -> Option<Duration> {
        self.0.time_left()
    }
}

/// Answers questions set by set.
pub fn survey(
    task: &Inquiry<'_>,
    questions: &[(usize, Question)],
    world: &dyn World,
) -> Result<Survey, Trouble> {
    let count = task.faults.len();
    let mut checker = Checker {
        task,
        world,
        properties: questions.iter().map(|(property, _)| *property).collect(),
        known: HashMap::new(),
    };
    // Assumptions that no run satisfies even with all faults are a mistake of the model.
    let all = FaultSet::all(count);
    checker.check(all)?;
    checker.check(FaultSet::NONE)?;
    let mut survey = Survey::default();
    for (property, question) in questions {
        let mut trouble = None;
        let mut ask = |set: FaultSet| match checker.ask(*property, set) {
            Ok(answer) => answer,
            Err(why) => {
                trouble.get_or_insert(why);
                Err("there is a problem".to_owned())
            }
        };
        let violations = match question {
            Question::Each => table(count, &mut |set| Ok(ask(set)?.is_some())),
            Question::Branches(formula) => {
                branching(count, formula, &mut |set| Ok(ask(set)?.is_some()))
            }
            Question::State { good: true, .. } => falling(count, &mut |set| {
                let violated = ask(set)?.is_some();
                Ok((!violated).then_some(set))
            }),
            _ => rising(count, &mut ask),
        };
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let stop = || world.is_over();
        let tolerates = checker.tolerates(*property, &violations, &stop);
        survey.properties.push(Surveyed {
            property: *property,
            violations,
            tolerates,
        });
    }
    Ok(survey)
}

/// What a set-by-set question answers: whether the property is violated.
type Violated<'a> = &'a mut dyn FnMut(FaultSet) -> Result<bool, String>;

/// The violations of a formula of branching time.
pub fn branching(count: usize, formula: &crate::system::Formula, ask: Violated<'_>) -> Violations {
    match direction(formula) {
        Some(true) => rising(count, &mut |set| Ok(ask(set)?.then_some(set))),
        Some(false) => falling(count, &mut |set| Ok((!ask(set)?).then_some(set))),
        None => table(count, ask),
    }
}

fn rising(count: usize, ask: duality::Asks<'_>) -> Violations {
    let (possible, missing) = duality::smallest(count, small_sets(count, ask), ask);
    Violations {
        faults: count,
        shape: Shape::Rising(possible),
        missing,
    }
}

fn falling(count: usize, ask: duality::Asks<'_>) -> Violations {
    let (possible, missing) = duality::smallest(count, small_sets(count, ask), ask);
    Violations {
        faults: count,
        shape: Shape::Falling(possible),
        missing,
    }
}

/// What is known without faults and with each alone: what people ask first, so it is there if the time is up later.
fn small_sets(count: usize, ask: duality::Asks<'_>) -> Possible {
    let mut known = Possible::default();
    let singles = (0..count).map(FaultSet::one);
    let first = [FaultSet::NONE, FaultSet::all(count)];
    for set in first.into_iter().chain(singles) {
        if known.with(set).is_some() {
            continue;
        }
        match ask(set) {
            Ok(Some(_)) if set.len() <= 1 => {
                known.smallest.add(set);
            }
            Ok(None) => known.impossible.push(set),
            Ok(Some(_)) | Err(_) => {}
        }
    }
    known
}

/// The violations of a property that neither rises nor falls: of all sets, if they are few, else of small ones.
pub fn table(count: usize, ask: Violated<'_>) -> Violations {
    let mut table = HashMap::new();
    let mut missing = None;
    let mut note = |set: FaultSet, table: &mut HashMap<FaultSet, bool>| {
        if table.contains_key(&set) {
            return true;
        }
        match ask(set) {
            Ok(violated) => {
                table.insert(set, violated);
                true
            }
            Err(why) => {
                missing.get_or_insert(why);
                false
            }
        }
    };
    let mut sets = vec![FaultSet::NONE, FaultSet::all(count)];
    sets.extend((0..count).map(FaultSet::one));
    if count <= MOST {
        let mut all: Vec<FaultSet> = (0..1 << count).map(FaultSet).collect();
        all.sort_by_key(|set| set.order());
        sets.extend(all);
    } else {
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        sets.extend(pairs.map(|(a, b)| FaultSet::one(a).and(FaultSet::one(b))));
    }
    for set in sets {
        if !note(set, &mut table) {
            break;
        }
    }
    if count > MOST {
        missing.get_or_insert(format!(
            "more than {MOST} faults: only small sets were tried"
        ));
    }
    Violations {
        faults: count,
        shape: Shape::Table(table),
        missing,
    }
}

/// How many injections a property survives that has to be tried.
pub fn tolerates(
    task: &Inquiry<'_>,
    property: usize,
    violations: &Violations,
    stop: &dyn Fn() -> bool,
) -> Tolerates {
    match violations.with(FaultSet::NONE) {
        Some(true) => return Tolerates::Nothing,
        None => return Tolerates::Unknown,
        Some(false) => {}
    }
    if violations.with(violations.all()) == Some(false)
        && !matches!(violations.shape, Shape::Table(_))
    {
        return Tolerates::Any;
    }
    // Every run with so many injections is one with some set of faults, and with each of them it holds on all runs.
    let kind = &task.system.properties[property].kind;
    if violations.never() == Some(true) && is_about_all_runs(kind) {
        return Tolerates::Any;
    }
    let all = FaultSet::all(task.faults.len());
    let lasting = lasting(task);
    for injections in 1..=task.max_faults {
        // What is `always` there is injected once, when it begins: of the runs in which some of these faults begin, and no others of them,
        // the rest of the injections are of faults that happen now and then.
        for begun in subsets(lasting, injections) {
            if stop() {
                return Tolerates::Unknown;
            }
            let kept = all.without(lasting).and(begun);
            let left = injections - begun.len();
            let limited = match kept == all {
                true => with_at_most(task.system, left),
                false => with_at_most(&(task.weave)(&kept.faults(task.faults)), left),
            };
            let stop_world = Stopped(stop);
            match answers(&limited, &[property], &task.options, &stop_world) {
                Ok(found) => match found.first().map(|answer| &answer.outcome) {
                    Some(Outcome::Holds | Outcome::HoldsStatically) => {}
                    Some(Outcome::Violated) => return Tolerates::AtMost(injections - 1),
                    _ => return Tolerates::Unknown,
                },
                Err(_) => return Tolerates::Unknown,
            }
        }
    }
    Tolerates::AtLeast(task.max_faults)
}

/// The faults that happen at every occasion while they last.
fn lasting(task: &Inquiry<'_>) -> FaultSet {
    let faults = task.faults.iter().enumerate();
    let lasting = faults.filter(|(_, id)| task.system.faults[id.0 as usize].always);
    lasting.fold(FaultSet::NONE, |all, (i, _)| all.and(FaultSet::one(i)))
}

/// The subsets with at most so many faults.
fn subsets(of: FaultSet, most: u32) -> Vec<FaultSet> {
    let mut found = vec![FaultSet::NONE];
    for position in of.positions() {
        let smaller = found.iter().filter(|set| set.len() < most);
        let more: Vec<FaultSet> = smaller
            .map(|set| set.and(FaultSet::one(position)))
            .collect();
        found.extend(more);
    }
    found
}

/// Whether a property is about each run by itself.
fn is_about_all_runs(kind: &PropertyKind) -> bool {
    match kind {
        PropertyKind::Reachable(_) => false,
        PropertyKind::Ctl(formula) => direction(formula) == Some(true),
        _ => true,
    }
}

/// A world that only knows when to stop.
struct Stopped<'a>(&'a dyn Fn() -> bool);

impl World for Stopped<'_> {
    fn is_over(&self) -> bool {
        (self.0)()
    }
}

/// The System with at most so many injections in a run, of all faults together that happen now and then.
pub fn with_at_most(system: &System, injections: u32) -> System {
    let mut limited = system.clone();
    let most = i64::from(injections);
    let used = limited.declare_hidden("injections", Domain::Int { lo: 0, hi: most }, 0);
    let value = Expr::Leaf(Leaf::Var(used));
    for process in &mut limited.processes {
        for edge in &mut process.edges {
            let counts = |fault: FaultId| !system.faults[fault.0 as usize].always;
            if matches!(edge.kind, EdgeKind::Fault(fault) if counts(fault)) {
                let left = Expr::binary(Op::Lt, value.clone(), Expr::int(most));
                edge.guard = Expr::and([edge.guard.clone(), left]);
                let more = Expr::binary(Op::Add, value.clone(), Expr::int(1));
                edge.updates.push((used, more));
            }
        }
    }
    limited
}

/// Checks sets of faults, each once.
struct Checker<'c> {
    task: &'c Inquiry<'c>,
    world: &'c dyn World,
    properties: Vec<usize>,
    known: HashMap<FaultSet, Vec<Known>>,
}

/// What is known about a property with a set of faults.
#[derive(Clone)]
struct Known {
    property: usize,
    /// Whether it is violated, and with which of the faults.
    violated: Result<Option<FaultSet>, String>,
    injections: Option<u32>,
}

impl Checker<'_> {
    /// Whether a property is violated with a set; an outer error ends everything.
    fn ask(
        &mut self,
        property: usize,
        set: FaultSet,
    ) -> Result<Result<Option<FaultSet>, String>, Trouble> {
        self.check(set)?;
        let known = self.known[&set].iter().find(|k| k.property == property);
        Ok(known.map_or(Ok(None), |known| known.violated.clone()))
    }

    fn check(&mut self, set: FaultSet) -> Result<(), Trouble> {
        if self.known.contains_key(&set) {
            return Ok(());
        }
        let system = (self.task.weave)(&set.faults(self.task.faults));
        let (options, quiet) = (&self.task.options, Quiet(self.world));
        let mut found = match answers(&system, &self.properties, options, &quiet) {
            Err(Trouble::NoRun) if set != FaultSet::all(self.task.faults.len()) => {
                // With these faults no run counts for `ltl` properties: they hold.
                let is_ltl = |p: &usize| matches!(system.properties[*p].kind, PropertyKind::Ltl(_));
                let (ltl, others): (Vec<usize>, Vec<usize>) =
                    self.properties.iter().partition(|p| is_ltl(p));
                let mut found = answers(&system, &others, options, &quiet)?;
                found.extend(ltl.into_iter().map(|property| Answer {
                    outcome: Outcome::Holds,
                    ..Answer::unknown(property, String::new())
                }));
                found
            }
            other => other?,
        };
        let known = found.drain(..).map(|answer| self.known(set, &answer));
        let known = known.collect();
        self.known.insert(set, known);
        Ok(())
    }

    fn known(&self, set: FaultSet, answer: &Answer) -> Known {
        let used = |answer: &Answer| match &answer.trace {
            None => set,
            Some(trace) => {
                let faults = trace.faults_used().into_iter();
                let position = |fault: FaultId| {
                    let known = self.task.faults.iter().position(|f| *f == fault);
                    known.map_or(FaultSet::NONE, FaultSet::one)
                };
                faults.fold(FaultSet::NONE, |all, fault| all.and(position(fault)))
            }
        };
        let finite = answer.trace.as_ref().filter(|trace| {
            let start = trace.loop_start.unwrap_or(trace.steps.len());
            trace.steps[start..]
                .iter()
                .all(|step| step.injections().next().is_none())
        });
        Known {
            property: answer.property,
            violated: match &answer.outcome {
                Outcome::Holds | Outcome::HoldsStatically => Ok(None),
                Outcome::Violated => Ok(Some(used(answer))),
                Outcome::Unknown(why) => Err(why.clone()),
            },
            injections: finite
                .filter(|_| answer.is_violated() && answer.shows > check::Shows::Any)
                .map(|trace| trace.faults() as u32),
        }
    }

    fn tolerates(
        &self,
        property: usize,
        violations: &Violations,
        stop: &dyn Fn() -> bool,
    ) -> Tolerates {
        let all = self.known.get(&violations.all());
        let known = all.and_then(|known| known.iter().find(|k| k.property == property));
        if violations.is_rising() && violations.with(FaultSet::NONE) == Some(false) {
            if violations.with(violations.all()) == Some(false) {
                return Tolerates::Any;
            }
            if let Some(injections) = known.and_then(|known| known.injections) {
                return Tolerates::AtMost(injections.saturating_sub(1));
            }
        }
        tolerates(self.task, property, violations, stop)
    }
}

/// The answers of the embedded engine about some properties of a System.
pub fn answers(
    system: &System,
    properties: &[usize],
    options: &Options,
    world: &dyn World,
) -> Result<Vec<Answer>, Trouble> {
    if properties.is_empty() {
        return Ok(Vec::new());
    }
    let task = check::Task {
        system,
        wanted: properties,
        options: Options {
            full_space: false,
            levels: false,
            ..options.clone()
        },
    };
    let found = check::check(&task, Engines::Embedded, world)?;
    Ok(found.answers)
}
