//! What holds of every System:
//!
//! - every process has its initial, done, failed and (if any) crashed location among its locations;
//! - every edge leads from a location of its process to one; no edge leaves *failed*, only a recovery
//!   leaves *crashed* and only a crash leaves *done*;
//! - guards, invariants and atoms are boolean; updates are of the kind of their variable;
//! - every variable an expression reads or an edge updates exists; no edge updates a variable twice, or a
//!   derived one; a derived variable reads no derived one;
//! - every pick an edge mentions is declared by it, and nothing but edges mentions picks;
//! - initial values lie in their domains, and no domain is empty; of several the first is the variable's own, no variable
//!   that has several is derived or has them twice, and what says which combinations there are reads only such variables;
//! - a fault edge injects exactly one fault, or is its beginning; of other edges only those of a fault at work inject one;
//! - a fair choice that an edge has to do with exists, and when it is owed something is boolean.

use super::expr::Leaves;
use super::*;
use crate::vocabulary::ProcessId;

/// The first invariant a System violates, in words.
pub fn verify(system: &System) -> Result<(), String> {
    for (index, var) in system.vars.iter().enumerate() {
        let (lo, hi) = var.domain.bounds();
        let name = system.var_name(VarId(index as u32));
        ensure(lo <= hi, || format!("{name} has an empty domain"))?;
        ensure(lo <= var.init && var.init <= hi, || {
            format!("{name} starts at {}", var.init)
        })?;
        if let Some(expr) = &var.derived {
            typed(system, expr, &[], kind_of(var.domain), &name)?;
            let mut plain = true;
            expr.leaves(&mut |leaf| {
                plain &= !matches!(leaf, Leaf::Var(v) if system.var(*v).derived.is_some());
            });
            ensure(plain, || {
                format!("{name} is derived from a derived variable")
            })?;
        }
    }
    verify_starts(system)?;
    for (id, process) in system.processes() {
        verify_process(system, id, process)?;
    }
    for property in &system.properties {
        verify_atoms(system, &property.name, |visit| property.kind.atoms(visit))?;
    }
    for fair in &system.fair {
        typed(system, &fair.owed, &[], Kind::Bool, &fair.name)?;
    }
    let mut assumptions = system.assumptions.iter();
    assumptions.try_for_each(|a| verify_atoms(system, &a.name, |visit| a.formula.atoms(visit)))
}

/// Stops at once on a System that violates an invariant, in debug builds.
pub fn debug_verify(system: &System) {
    if cfg!(debug_assertions)
        && let Err(problem) = verify(system)
    {
        panic!(
            "a System violates its invariants: {problem}\n{}",
            print::system(system)
        );
    }
}

fn verify_starts(system: &System) -> Result<(), String> {
    let choices = &system.starts.choices;
    for (index, choice) in choices.iter().enumerate() {
        let var = (system.vars.get(choice.var.0 as usize)).ok_or("a start of no variable")?;
        let name = system.var_name(choice.var);
        let (lo, hi) = var.domain.bounds();
        let inside = choice.codes.iter().all(|c| lo <= *c && *c <= hi);
        ensure(inside, || format!("{name} starts outside its domain"))?;
        let first = choice.codes.first();
        ensure(first == Some(&var.init), || {
            format!("{name} starts with another value than its own")
        })?;
        let once = choices[..index].iter().all(|c| c.var != choice.var);
        ensure(once && var.derived.is_none(), || {
            format!("{name} has several starts twice, or is derived")
        })?;
    }
    if let Some(only) = &system.starts.only {
        typed(system, only, &[], Kind::Bool, "the initial states")?;
        let mut known = true;
        only.leaves(&mut |leaf| {
            known &= matches!(leaf, Leaf::Var(v) if choices.iter().any(|c| c.var == *v));
        });
        ensure(known, || "the initial states depend on others".into())?;
    }
    Ok(())
}

fn verify_process(system: &System, id: ProcessId, process: &Process) -> Result<(), String> {
    let kind = |l: LocId| process.locations.get(l.0 as usize).map(|l| l.kind);
    let name = &process.name;
    ensure(kind(process.initial).is_some(), || {
        format!("{name} starts nowhere")
    })?;
    ensure(kind(process.done) == Some(LocationKind::Done), || {
        format!("{name}: done")
    })?;
    ensure(kind(process.failed) == Some(LocationKind::Failed), || {
        format!("{name}: failed")
    })?;
    if let Some(crashed) = process.crashed {
        ensure(kind(crashed) == Some(LocationKind::Crashed), || {
            format!("{name}: crashed")
        })?;
    }
    for (index, edge) in process.edges.iter().enumerate() {
        let what = || format!("edge {index} of {name}");
        let from = kind(edge.from).ok_or_else(|| format!("{} begins nowhere", what()))?;
        ensure(kind(edge.to).is_some(), || {
            format!("{} leads nowhere", what())
        })?;
        let legal = match from {
            LocationKind::Failed => false,
            LocationKind::Crashed => matches!(edge.kind, EdgeKind::Recovery(_)),
            LocationKind::Done => matches!(edge.kind, EdgeKind::Fault(_)),
            LocationKind::Statement | LocationKind::Inside | LocationKind::Idle => true,
        };
        ensure(legal, || format!("{} leaves {from:?}", what()))?;
        typed(system, &edge.guard, &edge.picks, Kind::Bool, &what())?;
        for (i, (var, value)) in edge.updates.iter().enumerate() {
            let target = system
                .vars
                .get(var.0 as usize)
                .ok_or_else(|| format!("{} writes nothing", what()))?;
            ensure(target.derived.is_none(), || {
                format!("{} writes a derived variable", what())
            })?;
            ensure(edge.updates[..i].iter().all(|(v, _)| v != var), || {
                format!("{} writes {} twice", what(), system.var_name(*var))
            })?;
            typed(system, value, &edge.picks, kind_of(target.domain), &what())?;
        }
        let counted = |wanted: fn(&Event) -> bool| edge.events.iter().filter(|e| wanted(e)).count();
        let injected = counted(|e| matches!(e, Event::Injected(_)));
        let began = counted(|e| matches!(e, Event::Began(_)));
        let expected = match edge.kind {
            // Several at once in an atomic step, each in its place.
            EdgeKind::Acting(_) => injected >= 1,
            // An injection may be what another fault waits for.
            EdgeKind::Fault(_) => injected == 1 || (injected == 0 && began == 1),
            _ => injected == 0,
        };
        ensure(expected, || format!("{} injects {injected} faults", what()))?;
        let roles = fairness::roles(edge);
        let known = (roles.iter()).all(|(id, _)| (id.0 as usize) < system.fair.len());
        ensure(known, || format!("{} is about no fair choice", what()))?;
    }
    let _ = id;
    Ok(())
}

/// The state formulas of a specification are boolean.
fn verify_atoms<'a>(
    system: &System,
    name: &str,
    atoms: impl FnOnce(&mut dyn FnMut(&'a Expr)),
) -> Result<(), String> {
    let mut result = Ok(());
    atoms(&mut |e| {
        if result.is_ok() {
            result = typed(system, e, &[], Kind::Bool, name);
        }
    });
    result
}

/// The kinds of scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// A constructor of a data type.
    Data(crate::vocabulary::DataId),
}

/// The kind of a domain's values.
pub fn kind_of(domain: Domain) -> Kind {
    match domain {
        Domain::Bool => Kind::Bool,
        Domain::Int { .. } => Kind::Int,
        Domain::Data { data, .. } => Kind::Data(data),
    }
}

/// The kind of an expression's value, if its operands fit; `leaf` tells what it reads.
pub fn kind<L: Leaves + std::fmt::Debug>(
    e: &expr::Expr<L>,
    leaf: &impl Fn(&L) -> Result<Kind, String>,
) -> Result<Kind, String> {
    use expr::Expr;
    let of = |e: &Expr<L>| kind(e, leaf);
    let want = |e: &Expr<L>, wanted: Kind| {
        let found = kind(e, leaf)?;
        ensure(found == wanted, || {
            format!("{e:?} is {found:?}, not {wanted:?}")
        })
    };
    match e {
        Expr::Const(Scalar::Bool(_)) => Ok(Kind::Bool),
        Expr::Const(Scalar::Int(_)) => Ok(Kind::Int),
        Expr::Const(Scalar::Data(d, _)) => Ok(Kind::Data(*d)),
        Expr::Leaf(l) => leaf(l),
        Expr::Not(e) => want(e, Kind::Bool).map(|()| Kind::Bool),
        Expr::And(parts) | Expr::Or(parts) => parts
            .iter()
            .try_for_each(|e| want(e, Kind::Bool))
            .map(|()| Kind::Bool),
        Expr::Neg(e) => want(e, Kind::Int).map(|()| Kind::Int),
        Expr::Binary(op @ (Op::Eq | Op::Ne), a, b) => {
            let left = of(a)?;
            want(b, left).map_err(|e| format!("{} {e}", op.as_str()))?;
            Ok(Kind::Bool)
        }
        Expr::Binary(op, a, b) => {
            want(a, Kind::Int)?;
            want(b, Kind::Int)?;
            Ok(if op.is_comparison() {
                Kind::Bool
            } else {
                Kind::Int
            })
        }
        Expr::If(c, a, b) => {
            want(c, Kind::Bool)?;
            let found = of(a)?;
            want(b, found)?;
            Ok(found)
        }
        Expr::Select(index, items) => {
            want(index, Kind::Int)?;
            let found = of(items.first().ok_or("an empty selection")?)?;
            items.iter().try_for_each(|item| want(item, found))?;
            Ok(found)
        }
    }
}

/// The kind of what an expression of a System reads.
fn leaf_kind(system: &System, leaf: &Leaf, picks: &[Domain]) -> Result<Kind, String> {
    match leaf {
        Leaf::Var(v) => {
            let var = system
                .vars
                .get(v.0 as usize)
                .ok_or_else(|| format!("no variable {v:?}"))?;
            Ok(kind_of(var.domain))
        }
        Leaf::Pick(i) => picks
            .get(*i as usize)
            .map(|d| kind_of(*d))
            .ok_or_else(|| format!("no pick {i}")),
        Leaf::At(p, locations) => {
            let process = system
                .processes
                .get(p.0 as usize)
                .ok_or("no such process")?;
            let known = locations
                .iter()
                .all(|l| (l.0 as usize) < process.locations.len());
            ensure(known && !locations.is_empty(), || {
                format!("{} has no such location", process.name)
            })?;
            Ok(Kind::Bool)
        }
    }
}

fn typed(
    system: &System,
    e: &Expr,
    picks: &[Domain],
    wanted: Kind,
    place: &str,
) -> Result<(), String> {
    let found = kind(e, &|leaf| leaf_kind(system, leaf, picks))
        .map_err(|problem| format!("{place}: {problem}"))?;
    ensure(found == wanted, || {
        format!(
            "{place}: {} is {found:?}, not {wanted:?}",
            print::expr(system, e)
        )
    })
}

/// An invariant, and what is wrong if it does not hold.
pub fn ensure(condition: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(problem()) }
}
