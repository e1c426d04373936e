//! Events in words: the one place that turns what happened into what a user reads.

use super::{Trace, TraceStep};
use crate::source::{Sources, Span};
use crate::system::event::{Declined, Expiry, Word};
use crate::system::print::expr as print_expr;
use crate::system::shape::{Part, Shape, Shaped};
use crate::system::state::State;
use crate::system::{
    ChannelVars, Check, Edge, Event, Expr, Leaf, LocId, Owner, Scalar, System, VarId,
};
use crate::system::{LocationKind, phase};
use crate::verdict::Move;
use crate::vocabulary::{ChannelId, ProcessId};

/// A step in words, without its place: `worker1 sends Ready on rep1`, `FAULT req2 drops Commit`.
pub fn step(system: &System, sources: &Sources, step: &TraceStep) -> String {
    let Some(process) = step.process else {
        return "nobody moves any more".to_string();
    };
    let who = &system.process(process).name;
    let channel = |c: &ChannelId| system.channel(*c).name.clone();
    let message = |c: &ChannelId, values: &[Expr]| message(system, *c, values);
    let mut parts: Vec<String> = Vec::new();
    let mut wrote = false;
    for event in &step.events {
        let part = match event {
            Event::Wrote(_) if std::mem::replace(&mut wrote, true) => continue,
            Event::Wrote(var) => assignment(system, step, who, *var),
            // What was sent instead follows as an event of its own.
            Event::Offered(..) | Event::Sent(..) if step.fault.or(step.acting).is_some() => {
                continue;
            }
            Event::Offered(c, m) | Event::Sent(c, m) => {
                format!("{who} sends {} on {}", message(c, m), channel(c))
            }
            Event::Overflowed(c, m) => {
                let (m, c) = (message(c, m), channel(c));
                format!("{who} sends {m} on {c}, which is full: it is lost")
            }
            Event::Completed(c) => format!("{who} completes its send on {}", channel(c)),
            Event::Withdrew(c) => format!("{who} withdraws its message on {}", channel(c)),
            Event::Received(c, m) => {
                format!("{who} receives {} from {}", message(c, m), channel(c))
            }
            Event::Peeked(c, m) => format!("{who} peeks at {} on {}", message(c, m), channel(c)),
            Event::Decided(value, condition) => {
                let condition = one_line(sources.slice(*condition));
                format!("{who} finds `{condition}` {value}")
            }
            Event::Switched(subject, case) => {
                let subject = one_line(sources.slice(*subject));
                match case {
                    Some(case) => {
                        let case = one_line(sources.slice(*case));
                        format!("{who} finds `{subject}` to be `{case}`")
                    }
                    None => format!("{who} finds `{subject}` to be none of its cases"),
                }
            }
            Event::Looped(true) => format!("{who} begins a round of its loop"),
            Event::Looped(false) => format!("{who} ends its loop"),
            Event::Chose(block) => format!("{who} chooses block {}", block + 1),
            Event::Asserted => format!("{who} passes an assertion"),
            // What was waited for follows as an event of its own.
            Event::TimedOut(_) if step.events.iter().any(|e| matches!(e, Event::Expired(_))) => {
                continue;
            }
            Event::Expired(Expiry::Sleep) => format!("{who} wakes up"),
            Event::Expired(Expiry::Ticks(n)) => {
                format!("{who} has waited for {}", ticks(*n))
            }
            Event::Expired(Expiry::Timer(v)) => {
                format!("{who} finds {} at 0", system.var(*v).name)
            }
            Event::Slept(e) => match e.as_const() {
                Some(n) => format!("{who} goes to sleep for {}", ticks(n)),
                None => format!("{who} goes to sleep"),
            },
            Event::Ticked => "time passes".to_string(),
            Event::TimedOut(_) if step.untimely => {
                format!("{who} times out, although it could have gone on")
            }
            Event::TimedOut(_) => format!("{who} times out"),
            Event::Declined(what) => format!("{who} finds {}", declined(system, *what)),
            Event::Failed(check) => format!("{who} fails: {}", failure(*check)),
            Event::Acted(act) => {
                let on = act.sentence.iter().find_map(|word| match word {
                    Word::Channel(c) => Some(c),
                    _ => None,
                });
                let words = act.sentence.iter().map(|word| match word {
                    Word::Plain(word) => (*word).to_string(),
                    Word::Actor => who.clone(),
                    Word::Process(p) => system.process(*p).name.clone(),
                    Word::Channel(c) => channel(c),
                    Word::Message(m) => match on {
                        Some(c) => message(c, m),
                        None => scalars(system, m),
                    },
                    Word::Count(n) => n.to_string(),
                    Word::Fault(f) => system.fault_name(*f).to_owned(),
                    Word::Variable(v) => system.var_name(*v),
                    Word::Part(first, count) => part_name(system, *first, *count as usize),
                    Word::Value(first, values) => part_value(system, *first, values),
                });
                let mut words: Vec<String> = words.collect();
                // A fault that happens at every occasion may change nothing.
                let instead = words.iter().position(|word| word == "instead of");
                if let Some(at) = instead.filter(|at| *at > 0)
                    && words.get(at - 1) == words.get(at + 1)
                {
                    words.drain(at..at + 2);
                }
                let sentence = words.join(" ");
                // A recovery is told by the fault too, but it injects nothing.
                match step.fault.or(step.acting) {
                    Some(_) => format!("FAULT {sentence}"),
                    None => sentence,
                }
            }
            Event::Injected(_) | Event::Delivered(..) | Event::Denied(_) | Event::Granted(_) => {
                continue;
            }
            Event::Began(f) => format!("FAULT {} begins", system.fault_name(*f)),
        };
        parts.push(part);
    }
    if parts.is_empty() {
        parts.push(format!("{who} goes on"));
    }
    parts.join("; ")
}

/// A message: `Ready`, `1, 2`, `Accept(3, X)`.
pub fn message(system: &System, channel: ChannelId, values: &[Expr]) -> String {
    let constants = values.iter().map(|value| match value {
        Expr::Const(scalar) => Some(*scalar),
        _ => None,
    });
    let constants: Option<Vec<Scalar>> = constants.collect();
    match (system.message_shape(channel), constants) {
        (Some(shapes), Some(constants)) => fields(system, shapes, &constants).join(", "),
        _ => scalars(system, values),
    }
}

/// The name of a part of a variable, with its owner's.
fn part_name(system: &System, first: VarId, count: usize) -> String {
    let Some((name, _)) = system.part(first, count) else {
        return system.var_name(first);
    };
    match system.var(first).owner {
        Owner::Process(p) => format!("{}.{name}", system.process(p).name),
        _ => name,
    }
}

/// A value of the part of a variable that begins with a scalar, as a model writes it.
fn part_value(system: &System, first: VarId, values: &[Expr]) -> String {
    let constants: Option<Vec<Scalar>> = (values.iter())
        .map(|value| match value {
            Expr::Const(scalar) => Some(*scalar),
            _ => None,
        })
        .collect();
    match (system.part(first, values.len()), constants) {
        (Some((_, shape)), Some(constants)) => shape.show(&constants, &|scalar| {
            print_expr(system, &Expr::Const(scalar))
        }),
        _ => scalars(system, values),
    }
}

fn scalars(system: &System, values: &[Expr]) -> String {
    let values: Vec<String> = values.iter().map(|e| print_expr(system, e)).collect();
    values.join(", ")
}

/// The fields of a message.
fn fields(system: &System, shapes: &[Shape], scalars: &[Scalar]) -> Vec<String> {
    let mut rest = scalars;
    let mut shown = Vec::new();
    for shape in shapes {
        let (own, others) = rest.split_at(shape.width());
        shown.push(shape.show(own, &|scalar| print_expr(system, &Expr::Const(scalar))));
        rest = others;
    }
    shown
}

/// What a step does to a variable or a part of one: its full name, and what it was and is.
pub struct Altered {
    /// One of its scalars.
    pub var: VarId,
    /// Its name without the owner's.
    pub name: String,
    /// Its full name.
    pub full_name: String,
    /// What it was.
    pub from: String,
    /// What it is.
    pub to: String,
}

/// What a step changes: records and messages as the model writes them.
pub fn altered(system: &System, step: &TraceStep) -> Vec<Altered> {
    let mut found = Vec::new();
    let mut seen: Vec<VarId> = Vec::new();
    for change in &step.changes {
        let Some(shaped) = system.shaped(change.var) else {
            found.push(Altered {
                var: change.var,
                name: system.var(change.var).name.clone(),
                full_name: system.var_name(change.var),
                from: value(system, change.var, change.from),
                to: value(system, change.var, change.to),
            });
            continue;
        };
        if !seen.contains(&shaped.first) {
            seen.push(shaped.first);
            found.extend(altered_parts(system, step, shaped));
        }
    }
    found
}

fn altered_parts(system: &System, step: &TraceStep, shaped: &Shaped) -> Vec<Altered> {
    let vars: Vec<VarId> = (0..shaped.shape.width() as u32)
        .map(|i| VarId(shaped.first.0 + i))
        .collect();
    let change = |var: &VarId| step.changes.iter().find(|change| change.var == *var);
    let changed: Vec<bool> = vars.iter().map(|var| change(var).is_some()).collect();
    let mut parts = Vec::new();
    let shape = &shaped.shape;
    shape.changed(&changed, shaped.name.clone(), 0, &mut parts);
    let scalar = |var: &VarId, code: i64| system.var(*var).domain.scalar(code);
    let show = |scalar| print_expr(system, &Expr::Const(scalar));
    let owner = match system.var(shaped.first).owner {
        Owner::Process(p) => format!("{}.", system.process(p).name),
        _ => String::new(),
    };
    let part = |part: Part| {
        let own = &vars[part.first..part.first + part.shape.width()];
        let now: Vec<Scalar> = (own.iter())
            .map(|var| scalar(var, step.state.values[var.0 as usize]))
            .collect();
        let before: Vec<Scalar> = (own.iter().zip(&now))
            .map(|(var, now)| change(var).map_or(*now, |change| scalar(var, change.from)))
            .collect();
        Altered {
            var: own[0],
            full_name: format!("{owner}{}", part.name),
            name: part.name,
            from: part.shape.show(&before, &show),
            to: part.shape.show(&now, &show),
        }
    };
    parts.into_iter().map(part).collect()
}

fn assignment(system: &System, step: &TraceStep, who: &str, var: VarId) -> String {
    let owner = system.var(var).owner;
    let changed: Vec<String> = altered(system, step)
        .into_iter()
        .filter(|part| system.var(part.var).owner == owner)
        .map(|part| format!("{} = {}", part.name, part.to))
        .collect();
    if changed.is_empty() {
        let name = match system.shaped(var) {
            Some(shaped) => &shaped.name,
            None => &system.var(var).name,
        };
        format!("{who} assigns {name} (no change)")
    } else {
        format!("{who} sets {}", changed.join(", "))
    }
}

fn declined(system: &System, what: Declined) -> String {
    let name = |c: ChannelId| &system.channel(c).name;
    match what {
        Declined::Cases => "that none of its cases can go".to_string(),
        Declined::Receive(Some(c)) => format!("nothing to take on {}", name(c)),
        Declined::Receive(None) => "nothing to take".to_string(),
        Declined::Send(Some(c)) => format!("{} full", name(c)),
        Declined::Send(None) => "its channel full".to_string(),
    }
}

/// How ticks in a row are told: `-- 3 ticks --`.
pub fn passing(n: usize) -> String {
    format!("-- {} --", ticks(n as i64))
}

/// `1 tick`, `3 ticks`
pub fn ticks(n: i64) -> String {
    match n {
        1 => "1 tick".to_string(),
        n => format!("{n} ticks"),
    }
}

/// Source text on one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn failure(check: Check) -> &'static str {
    match check {
        Check::Assert => "an assertion is false",
        Check::Range => "a value is out of range",
        Check::Division => "a division by zero",
        Check::Index => "an index is out of bounds",
        Check::Room => "a channel is full, and an atomic step cannot wait",
    }
}

/// A value of a variable, as the user writes it.
pub fn value(system: &System, var: VarId, code: i64) -> String {
    print_expr(system, &Expr::Const(system.var(var).domain.scalar(code)))
}

/// The values that were chosen for the start of a run: names and values. Of faults only that this run does not inject them.
pub fn chosen(system: &System, initial: &State) -> Vec<(String, String)> {
    let choices = system.starts.choices.iter();
    let code = |var: VarId| initial.values[var.0 as usize];
    choices
        .filter_map(|c| match fault_chosen(system, c.var) {
            Some(faulty) => (code(c.var) == phase::NEVER).then(|| (faulty, "false".to_owned())),
            // How much of a limit is used at the start follows from the faults that this run may inject.
            None if matches!(system.var(c.var).owner, Owner::Shared(_)) => None,
            None if system.var(c.var).hidden => None,
            None => Some((system.var_name(c.var), value(system, c.var, code(c.var)))),
        })
        .collect()
}

/// `faulty(f)`, if a variable says from the start whether a run may inject f.
pub fn fault_chosen(system: &System, var: VarId) -> Option<String> {
    let fault = system
        .faults
        .iter()
        .find(|fault| fault.phase == Some(var))?;
    Some(format!("faulty({})", fault.name))
}

/// The values that a move picks, as the user writes them.
pub fn picks(system: &System, taken: &Move) -> Vec<String> {
    let Move::Step {
        process,
        edge,
        picks,
    } = taken
    else {
        return Vec::new();
    };
    let domains = &system.process(*process).edges[*edge].picks;
    (domains.iter().zip(picks))
        .map(|(domain, code)| print_expr(system, &Expr::Const(domain.scalar(*code))))
        .collect()
}

/// Where a process is: `done`, `crashed`, `failed`, or the place of its statement.
pub fn location(system: &System, sources: &Sources, state: &State, process: ProcessId) -> String {
    let here = state.locations[process.0 as usize];
    let location = &system.process(process).locations[here.0 as usize];
    match location.kind {
        LocationKind::Done => "done".to_owned(),
        LocationKind::Crashed => "crashed".to_owned(),
        LocationKind::Failed => "failed".to_owned(),
        _ => sources.place(location.span),
    }
}

/// Every variable that a step changes, with its new value.
pub fn changes(system: &System, step: &TraceStep) -> Vec<String> {
    let all = altered(system, step).into_iter();
    all.map(|part| format!("{} = {}", part.full_name, part.to))
        .collect()
}

/// What a step changes beyond what [`step`] says: variables that a message went into, and buffers by what
/// they hold now (`reqs[0] = [Accept 1 2 2]`). An offered message, its arrival and the counters of faults
/// are told by the words of the step.
pub fn effects(system: &System, step: &TraceStep) -> Vec<String> {
    let told = step.events.iter().any(|e| matches!(e, Event::Wrote(_)));
    let mut effects = Vec::new();
    let mut buffers: Vec<ChannelId> = Vec::new();
    for part in altered(system, step) {
        match system.var(part.var).owner {
            Owner::Process(_) if !told => {
                effects.push(format!("{} = {}", part.full_name, part.to));
            }
            Owner::Channel(c) if !buffers.contains(&c) => {
                buffers.push(c);
                effects.extend(contents(system, &step.state, c));
            }
            _ => {}
        }
    }
    effects
}

/// `reqs[0] = [Accept 1 2 2]`: what a buffered channel holds in a state.
pub fn contents(system: &System, state: &State, id: ChannelId) -> Option<String> {
    let channel = system.channel(id);
    let ChannelVars::Buffered { len, slots, ages } = &channel.vars else {
        return None;
    };
    let code = |var: &VarId| state.values[var.0 as usize];
    let message = |fields: &[VarId]| {
        if let Some(shapes) = system.message_shape(id) {
            let scalar = |var: &VarId| system.var(*var).domain.scalar(code(var));
            let scalars: Vec<Scalar> = fields.iter().map(scalar).collect();
            return self::fields(system, shapes, &scalars).join(" ");
        }
        let fields = fields.iter();
        let fields: Vec<String> = fields.map(|var| value(system, *var, code(var))).collect();
        fields.join(" ")
    };
    let messages: Vec<String> = slots
        .iter()
        .enumerate()
        .take(usize::try_from(code(len)).unwrap_or(0))
        .map(|(k, fields)| match ages.get(k).map(code) {
            None | Some(0) => message(fields),
            Some(age) => format!("{} (in {})", message(fields), ticks(age)),
        })
        .collect();
    Some(format!("{} = [{}]", channel.name, messages.join(", ")))
}

/// What a process that cannot move waits for, and where: of every process that has not stopped.
pub fn waiting(system: &System, trace: &Trace) -> Vec<(String, Span)> {
    let waiting = waits(system, trace.last()).into_iter();
    waiting
        .map(|(id, what, span)| (format!("{} {what}", system.process(id).name), span))
        .collect()
}

/// The same in a state, the processes apart from the words: `waits to receive from replies`.
pub fn waits(system: &System, state: &State) -> Vec<(ProcessId, String, Span)> {
    let mut found = Vec::new();
    for (id, process) in system.processes() {
        let here = state.locations[id.0 as usize];
        let location = &process.locations[here.0 as usize];
        if matches!(
            location.kind,
            LocationKind::Statement | LocationKind::Inside
        ) {
            let what = waits_for(system, state, id, here);
            found.push((id, format!("waits {what}"), location.span));
        }
    }
    found
}

fn waits_for(system: &System, state: &State, process: ProcessId, here: LocId) -> String {
    let edges = system.process(process).edges.iter();
    let mut reasons: Vec<String> = Vec::new();
    for edge in edges.filter(|e| e.from == here && e.kind.is_forced()) {
        if ruled_out(system, state, process, &edge.guard) {
            continue;
        }
        if let Some(reason) = reason(system, edge)
            && !reasons.contains(&reason)
        {
            reasons.push(reason);
        }
    }
    if reasons.is_empty() {
        "for ever".to_string()
    } else {
        reasons.join(" or ")
    }
}

/// Whether a process will not take an edge whatever the others do: a part of the guard that reads only
/// its own variables is false. So of `send(out[i], x)` only the channel that `i` selects is waited for.
pub(super) fn ruled_out(system: &System, state: &State, process: ProcessId, guard: &Expr) -> bool {
    let parts = match guard {
        Expr::And(parts) => parts,
        other => std::slice::from_ref(other),
    };
    parts.iter().any(|part| match part {
        Expr::And(_) => ruled_out(system, state, process, part),
        _ => {
            let mut own = true;
            let timers = system.timers();
            part.leaves(&mut |leaf| {
                own &= matches!(leaf, Leaf::Var(v) if system.var(*v).owner == Owner::Process(process)
                    && !timers.contains(v));
            });
            own && !state.holds(part)
        }
    })
}

fn reason(system: &System, edge: &Edge) -> Option<String> {
    edge.events.iter().find_map(|event| match event {
        Event::Received(c, _) => Some(format!("to receive from {}", system.channel(*c).name)),
        Event::Peeked(c, _) => Some(format!("for a message on {}", system.channel(*c).name)),
        Event::Offered(c, _) | Event::Sent(c, _) => {
            Some(format!("to send on {}", system.channel(*c).name))
        }
        Event::Expired(Expiry::Timer(v)) => Some(format!("for {} to run out", system.var(*v).name)),
        Event::Expired(_) => Some("for time to pass".to_string()),
        Event::Completed(c) => Some(format!(
            "for its message on {} to be received",
            system.channel(*c).name
        )),
        _ => None,
    })
}
