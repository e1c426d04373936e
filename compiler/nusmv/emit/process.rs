//! A module per process: its location and variables, its steps, and when it moves.

use super::expr::Writer;
use super::locations::{comment, line};
use super::scope::{Emitting, Foreign, Scope, Style};
use super::text::{case, definition, domain, section};
use crate::source::printable;
use crate::system::{Check, Expr, Owner, Process, PropertyKind, System, VarId};
use crate::vocabulary::ProcessId;

/// The module of a process but for its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessModule {
    /// The names of its parameters after `running`.
    pub parameters: Vec<String>,
    /// What is to be passed for them.
    pub arguments: Vec<Foreign>,
    /// Everything after the line with its name.
    pub body: String,
}

/// Writes the module of a process. With `fair` it says that the process is weakly fair.
pub fn process_module(
    model: &Emitting<'_>,
    id: ProcessId,
    style: Style,
    fair: bool,
) -> ProcessModule {
    let system = model.system;
    let process = system.process(id);
    let mut scope = Scope::process(model, id, style);

    let own = model.vars_of(Owner::Process(id));
    let mut vars = String::new();
    let locations: Vec<&str> = location_names(model, id);
    if locations.len() > 1 {
        vars += &format!("  pc : {{{}}};\n", locations.join(", "));
    }
    for v in own.iter().filter(|v| model.is_stored(**v)) {
        let name = &model.names.vars[v.0 as usize];
        vars += &format!(
            "  {name} : {};\n",
            domain(&model.names, system.var(*v).domain)
        );
    }

    let mut defines = String::new();
    if let [only] = locations.as_slice() {
        defines += &format!("  pc := {only};\n");
    }
    for v in own.iter().filter(|v| !model.is_stored(**v)) {
        defines += &unstored(&mut scope, *v);
    }
    let mut moves = Vec::new();
    let mut place = None;
    for index in 0..model.steps.of[id.0 as usize].len() {
        // Steps of one statement stand under one comment.
        let comment = step_comment(model, process, index, id);
        if let Some(comment) = comment.as_ref().filter(|_| comment != place) {
            defines += &format!("  -- {comment}\n");
        }
        place = comment;
        defines += &step(&mut scope, id, index);
        moves.push(scope.step(id, index));
    }
    defines += &definition("moves", &moves, "|", "FALSE");
    let can_move = model.prune(&system.can_move_without_fault(id));
    defines += &formula(&mut scope, "can_move", &can_move);
    for (name, predicate) in predicates(model, id) {
        defines += &formula(&mut scope, &name, &predicate);
    }

    let mut assigns = String::new();
    if locations.len() > 1 {
        let initial = &model.names.locations[id.0 as usize][process.initial.0 as usize];
        assigns += &format!("  init(pc) := {initial};\n");
        let arms = targets(&mut scope, id);
        assigns += &format!("  next(pc) := {};\n", case(&arms, "pc", "  "));
    }
    for v in own.iter().filter(|v| model.is_stored(**v)) {
        assigns += &assignment(&mut scope, *v);
    }
    for (name, text) in scope.take_hoisted() {
        defines += &format!("  {name} := {text};\n");
    }

    let mut body = section("VAR", &vars);
    body += &section("DEFINE", &defines);
    body += &section("ASSIGN", &assigns);
    body += &format!("{} running -> moves;\n", model.scheduling());
    if fair && !can_move.is_no() {
        body += "JUSTICE running | !can_move;\n";
    }
    let (arguments, parameters) = scope.parameters().into_iter().unzip();
    ProcessModule {
        parameters,
        arguments,
        body,
    }
}

/// The locations that can be reached, by name.
pub fn location_names<'a>(model: &'a Emitting<'_>, process: ProcessId) -> Vec<&'a str> {
    let names = &model.names.locations[process.0 as usize];
    names
        .iter()
        .map(String::as_str)
        .filter(|n| !n.is_empty())
        .collect()
}

/// The predicates that properties ask of a process, false ones left out.
fn predicates(model: &Emitting<'_>, process: ProcessId) -> Vec<(String, Expr)> {
    let system = model.system;
    let mut found = Vec::new();
    for property in &system.properties {
        match property.kind {
            PropertyKind::Deadlock => {
                found.push(("unfinished".to_string(), system.unfinished(process)));
                found.push(("excused".to_string(), system.excused(process)));
            }
            PropertyKind::Check(check) => {
                found.push((fails(check), system.fails_in(process, check)));
            }
            _ => {}
        }
    }
    found
        .into_iter()
        .map(|(name, expr)| (name, model.prune(&expr)))
        .filter(|(_, expr)| !expr.is_no())
        .collect()
}

/// The definition that says whether a check can fail.
pub fn fails(check: Check) -> String {
    format!("{}_fails", check.as_str())
}

/// The definition that says that a step is taken.
fn step(scope: &mut Scope<'_>, id: ProcessId, index: usize) -> String {
    let model = scope.model();
    let step = &model.steps.of[id.0 as usize][index];
    let edge = model.edge(id, index);
    let mut from = step.from.clone();
    from.sort_unstable();
    let at = model.prune(&model.system.at(id, |l| from.contains(&l)));
    let mut parts = vec!["running".to_string()];
    if let Some(choice) = step.choice {
        parts.push(format!("{} = {choice}", scope.choice()));
    }
    for condition in [&at, &edge.guard] {
        if !condition.is_yes() {
            parts.push(Writer::new(scope, &edge.picks).operand(condition));
        }
    }
    definition(&step.name, &parts, "&", "TRUE")
}

/// The statements a step comes from.
fn step_comment(
    model: &Emitting<'_>,
    process: &Process,
    index: usize,
    id: ProcessId,
) -> Option<String> {
    let step = &model.steps.of[id.0 as usize][index];
    let mut spans: Vec<_> = step.edges.iter().map(|e| process.edges[*e].span).collect();
    spans.dedup();
    let first = spans[0];
    if spans.len() == 1 {
        return comment(first, model.sources);
    }
    let mut lines: Vec<usize> = spans
        .iter()
        .filter_map(|s| line(*s, model.sources))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    line(first, model.sources)?;
    let path = printable(&model.sources.file(first.file).path);
    Some(format!("{path}:{}", lines.join(",")))
}

fn formula(scope: &mut Scope<'_>, name: &str, expr: &Expr) -> String {
    let parts: Vec<String> = match expr {
        Expr::Or(parts) => parts
            .iter()
            .map(|p| Writer::new(scope, &[]).operand(p))
            .collect(),
        other => vec![Writer::new(scope, &[]).condition(other)],
    };
    definition(name, &parts, "|", "FALSE")
}

/// A variable that is a function of others, or that never changes.
pub fn unstored(scope: &mut Scope<'_>, var: VarId) -> String {
    let value = unstored_value(scope, var);
    format!(
        "  {} := {value};\n",
        scope.model().names.vars[var.0 as usize]
    )
}

/// The value of such a variable.
pub fn unstored_value(scope: &mut Scope<'_>, var: VarId) -> String {
    let found = scope.system().var(var);
    let mut writer = Writer::new(scope, &[]);
    match &found.derived {
        Some(expr) => writer.unclamped(expr, found.domain),
        None => writer.constant(found.domain.scalar(found.init)),
    }
}

/// Where the steps of a process lead: arms of `next(pc)`.
fn targets(scope: &mut Scope<'_>, id: ProcessId) -> Vec<(String, String)> {
    let model = scope.model();
    let mut arms = Vec::new();
    for (index, step) in model.steps.of[id.0 as usize].iter().enumerate() {
        let edge = model.edge(id, index);
        let target = model.names.locations[id.0 as usize][edge.to.0 as usize].clone();
        // A step that stays where it is changes nothing.
        if step.from != [edge.to] {
            arms.push((scope.step(id, index), target));
        }
    }
    merge(arms)
}

/// `init` and `next` of a stored variable.
pub fn assignment(scope: &mut Scope<'_>, var: VarId) -> String {
    let name = scope.model().names.vars[var.0 as usize].clone();
    let next = next_value(scope, var, &name);
    format!(
        "  init({name}) := {};\n  next({name}) := {next};\n",
        initial_value(scope, var)
    )
}

/// The value of a variable at the start.
pub fn initial_value(scope: &mut Scope<'_>, var: VarId) -> String {
    let domain = scope.system().var(var).domain;
    let codes = scope.system().start_codes(var);
    let mut writer = Writer::new(scope, &[]);
    let values: Vec<String> = (codes.iter())
        .map(|code| writer.constant(domain.scalar(*code)))
        .collect();
    match values.as_slice() {
        [only] => only.clone(),
        _ => format!("{{{}}}", values.join(", ")),
    }
}

/// The value of a stored variable after a step; `unchanged` is what it is called in this scope.
pub fn next_value(scope: &mut Scope<'_>, var: VarId, unchanged: &str) -> String {
    let model = scope.model();
    let found = model.system.var(var);
    let mut arms = Vec::new();
    for (process, index) in &model.writers[var.0 as usize] {
        let edge = model.edge(*process, *index);
        let guard = &edge.guard;
        // Of two updates of one variable the later one counts.
        let (_, expr) = edge
            .updates
            .iter()
            .rfind(|(v, _)| *v == var)
            .expect("a writer of the variable");
        let condition = scope.step(*process, *index);
        let value = Writer::new(scope, &edge.picks).value(expr, found.domain, guard);
        if value != unchanged {
            arms.push((condition, value));
        }
    }
    case(&merge(arms), unchanged, "  ")
}

/// Joins arms of the same value; the conditions exclude each other, so order does not matter.
fn merge(arms: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut merged: indexmap::IndexMap<String, Vec<String>> = indexmap::IndexMap::new();
    for (condition, value) in arms {
        merged.entry(value).or_default().push(condition);
    }
    merged
        .into_iter()
        .map(|(value, conditions)| (conditions.join(" | "), value))
        .collect()
}

/// Whether every process runs into its end after finitely many steps, whatever the guards are: no path of
/// edges comes back to where it was.
pub fn all_end(system: &System) -> bool {
    system.processes.iter().all(|process| {
        let graph = petgraph::graphmap::DiGraphMap::<u32, ()>::from_edges(
            process.edges.iter().map(|e| (e.from.0, e.to.0)),
        );
        !petgraph::algo::is_cyclic_directed(&graph)
    })
}

/// Whether a check of a process can fail on an edge that is emitted.
pub fn may_fail(model: &Emitting<'_>, process: ProcessId, check: Check) -> bool {
    !model.prune(&model.system.fails_in(process, check)).is_no()
}
