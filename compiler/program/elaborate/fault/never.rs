//! Timing that is probably not meant: an event that never comes, an end that comes before the beginning.

use indexmap::IndexMap;

use crate::program::elaborate::log::Log;
use crate::program::problem::Lint;
use crate::program::{
    Acts, Fault, FaultTarget, Happening, Moment, Program, Stmt, StmtKind, Transfer,
};
use crate::source::Span;
use crate::vocabulary::{ChannelId, FaultId, LabelId, ProcessId};

/// Timing whose event can never happen, and `from` that comes after `until`; of arrays and replicated entries if that is so for all.
pub fn never_timed(program: &Program, log: &mut Log) {
    if program.faults.iter().all(|f| f.timing.is_plain()) {
        return;
    }
    let bodies = program.processes.iter();
    let acts: Vec<Acts> = bodies.map(|process| Acts::of(&process.body)).collect();
    let mut found: IndexMap<(Span, &'static str), Option<String>> = IndexMap::new();
    for (id, fault) in (0..).map(FaultId).zip(&program.faults) {
        let timing = &fault.timing;
        let mut note = |word, why: Option<String>| {
            let known = found.entry((fault.span, word));
            known
                .and_modify(|old| *old = old.take().filter(|_| why.is_some()))
                .or_insert(why);
        };
        for (word, moment) in [("from", &timing.from), ("until", &timing.until)] {
            if let Some(Moment::After(event)) = moment {
                note(word, never(program, &acts, id, event));
            }
        }
        if let (Some(Moment::After(from)), Some(Moment::After(until))) =
            (&timing.from, &timing.until)
        {
            let late = comes_later(program, until, from);
            note("both", late.then(String::new));
        }
    }
    for ((span, word), why) in found {
        match (word, why) {
            (_, None) => {}
            ("both", Some(_)) => log.report(Lint::EndsBefore { span }),
            (word, Some(why)) => log.report(Lint::NeverComes { word, why, span }),
        }
    }
}

/// Why an event never happens, if that is plain.
fn never(program: &Program, acts: &[Acts], of: FaultId, event: &Happening) -> Option<String> {
    let on = |passing: &Transfer, does: &dyn Fn(&Acts, &ChannelId) -> bool, verb: &str| {
        let mut all = (0..).map(ProcessId).zip(acts);
        let channels = &passing.channels;
        let one = |(p, a)| (channels.iter()).any(|c| passing.concerns(p, *c) && does(a, c));
        let nobody = !all.any(one);
        let name = |c: &ChannelId| program.channels[c.0 as usize].name.clone();
        let first = channels.first().map(name).unwrap_or_default();
        let who = match passing.by.as_deref() {
            Some([one]) => format!("`{}` never", program.processes[one.0 as usize].name),
            _ => "no process".to_owned(),
        };
        nobody.then(|| format!("{who} {verb} `{first}`"))
    };
    match event {
        Happening::Reached(process, label) => {
            let known = acts[process.0 as usize].labels.contains(label);
            let process = &program.processes[process.0 as usize];
            let label = &process.labels[label.0 as usize].name;
            (!known).then(|| format!("`{}` has no statement `{label}`", process.name))
        }
        Happening::Sent(passing) => on(passing, &|a, c| a.sends.contains(c), "sends on"),
        Happening::Received(passing) => {
            on(passing, &|a, c| a.receives.contains(c), "receives from")
        }
        Happening::Crashed(_) => None,
        Happening::Injected(faults) if *faults == [of] => Some("it waits for itself".to_owned()),
        Happening::Injected(faults) => {
            let happens = |f: &FaultId| program.faults[f.0 as usize].max != Some(0);
            let none = !faults.iter().any(happens);
            none.then(|| "that fault is never injected".to_owned())
        }
    }
}

/// Whether a process passes one label before another, and never the other way round.
fn comes_later(program: &Program, first: &Happening, second: &Happening) -> bool {
    let (Happening::Reached(p, a), Happening::Reached(q, b)) = (first, second) else {
        return false;
    };
    if p != q || a == b || starts_again(program, *p) {
        return false;
    }
    let mut labels = Vec::new();
    let straight = straight(&program.processes[p.0 as usize].body, &mut labels);
    let at = |wanted: &LabelId| {
        let mut places = (0..labels.len()).filter(|i| labels[*i] == *wanted);
        places.next().filter(|_| places.next().is_none())
    };
    match (straight, at(a), at(b)) {
        (true, Some(a), Some(b)) => a < b,
        _ => false,
    }
}

/// Whether a fault may lead a process back to its beginning.
fn starts_again(program: &Program, process: ProcessId) -> bool {
    let on = |fault: &Fault| fault.targets.contains(&FaultTarget::Process(process));
    let again = |fault: &&Fault| fault.kind.takes == crate::program::fault::Takes::Losses;
    program.faults.iter().filter(again).any(on)
}

/// The labels of a body in the order in which they are passed; false if it may go back.
fn straight(body: &[Stmt], labels: &mut Vec<LabelId>) -> bool {
    body.iter().all(|stmt| {
        labels.extend(stmt.labels.iter().map(|copy| copy.label));
        match &stmt.kind {
            StmtKind::While { .. } | StmtKind::Range { .. } | StmtKind::Goto(_) => false,
            StmtKind::Block(body) | StmtKind::Atomic(body) => straight(body, labels),
            StmtKind::Unrolled { iterations, .. } => {
                iterations.iter().all(|(_, body)| straight(body, labels))
            }
            // Of blocks of which one is taken none comes before another.
            StmtKind::If { .. }
            | StmtKind::Choice(_)
            | StmtKind::Select(_)
            | StmtKind::Fair(_)
            | StmtKind::Switch { .. } => !loops(stmt),
            _ => true,
        }
    })
}

/// Whether a statement of several blocks has labels or may go back: then nothing is said about it.
fn loops(stmt: &Stmt) -> bool {
    let acts = Acts::of(std::slice::from_ref(stmt));
    acts.labels.len() > stmt.labels.len() || acts.goes_back
}
