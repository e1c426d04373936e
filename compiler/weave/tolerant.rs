//! `tolerant`: six questions about one condition p and some faults f, of which each is an ordinary property.
//!
//! ```text
//! unaffected         AG p
//! correct            AG p in the System without the faults
//! unaffected_later   AG (!injected(f) -> p)
//! holds_on           !E [!injected(f) U (injected(f) & !AG p)]
//! may_recover        AG (injected(f) -> EF p)
//! recovers           AG (injected(f) -> AF p)
//! ```
//!
//! - *correct* is asked of the one System there is: of the states on the way to which no fault of these has been injected or, if it happens
//!   at every occasion, has begun. Those are the states of the System without them: such a fault adds edges and takes nothing away
//!   before it is active. One that is active from the start has to be chosen not to happen, as `faulty` does. What p asks
//!   about the faults is false there. What somebody knows is worked out from these states alone.
//! - *holds_on* is asked as `AG (injected(f) -> AG p)`, of which a run can show that it is false. It is the same: if p is false
//!   after some injection, it is false after the first.

use rustc_hash::FxHashSet;

use super::aspect::asked_in;
use super::happening;
use super::property::{Lowering, usual};
use crate::graph::{self, Leaf};
use crate::program;
use crate::program::{FaultAspect, Moment, Program, Tolerated};
use crate::system::knowledge::Within;
use crate::system::{Expr, Formula, PropertyKind, Tolerant};
use crate::vocabulary::{BinaryOp, FaultId, Level, PathOp, TemporalOp};

/// What the six questions ask about faults.
pub(super) fn asks(
    program: &Program,
    tolerated: &Tolerated,
) -> impl Iterator<Item = (FaultAspect, FaultId)> {
    let faults = tolerated.faults.iter();
    faults.flat_map(|id| {
        [Some((FaultAspect::Injected, *id)), begins(program, *id)]
            .into_iter()
            .flatten()
    })
}

/// How to tell that a fault takes behaviour away, if it can.
fn begins(program: &Program, id: FaultId) -> Option<(FaultAspect, FaultId)> {
    let timing = &program.faults[id.0 as usize].timing;
    let waits = match &timing.from {
        None => false,
        Some(Moment::Any) => true,
        Some(Moment::After(event)) => !happening::may_be_at_start(event),
    };
    let aspect = match waits {
        true => FaultAspect::Begun,
        false => FaultAspect::Faulty,
    };
    timing.always.then_some((aspect, id))
}

/// What `tolerant` says.
pub(super) fn lower(
    lowering: &Lowering<'_>,
    program: &Program,
    condition: &program::Expr,
    tolerated: &Tolerated,
) -> (PropertyKind, Tolerant) {
    let of = |aspect, id: FaultId| {
        lowering
            .draft
            .resolve(&graph::Expr::Leaf(Leaf::OfFault(aspect, id)))
    };
    let injected = Expr::or(
        tolerated
            .faults
            .iter()
            .map(|id| of(FaultAspect::Injected, *id)),
    );
    let p = lowering.state(condition, &[]);
    let Within { start, stay } = without(lowering, program, condition, tolerated);
    let asked = asked_in(condition);
    let when = |asked: &FxHashSet<(FaultAspect, FaultId)>| {
        usual(lowering.draft, asked).unwrap_or_else(Expr::yes)
    };
    let always = |p: Expr| PropertyKind::Invariant(Expr::or([when(&asked).not(), p]));
    let after = |op: TemporalOp| {
        let then = Formula::Unary(op, Box::new(Formula::Atom(p.clone())));
        let body = lowering.connective(BinaryOp::Implies, Formula::Atom(injected.clone()), then);
        given(when(&asked), Formula::Unary(TemporalOp::AG, Box::new(body)))
    };
    let correct = {
        let without = lowering.state(condition, &tolerated.faults);
        let wrong = Expr::and([stay.clone(), without.not()]);
        let [on, wrong] = [stay, wrong].map(|e| Box::new(Formula::Atom(e)));
        let found = Formula::Path(PathOp::Exists, on, wrong);
        given(start, Formula::Not(Box::new(found)))
    };
    let levels = Level::ALL.map(|level| match level {
        Level::Unaffected => always(p.clone()),
        Level::Correct => correct.clone(),
        Level::UnaffectedLater => always(Expr::or([injected.clone(), p.clone()])),
        Level::HoldsOn => after(TemporalOp::AG),
        Level::MayRecover => after(TemporalOp::EF),
        Level::Recovers => after(TemporalOp::AF),
    });
    let asked = match tolerated.at {
        Some(level) => levels[level as usize].clone(),
        None => PropertyKind::Invariant(Expr::yes()),
    };
    let tolerant = Tolerant {
        at: tolerated.at,
        faults: tolerated.faults.clone(),
        levels,
        injected,
    };
    (asked, tolerant)
}

/// The runs of the System without some faults, among those of the System with them.
pub(super) fn without(
    lowering: &Lowering<'_>,
    program: &Program,
    condition: &program::Expr,
    tolerated: &Tolerated,
) -> Within {
    let of = |aspect, id: FaultId| {
        lowering
            .draft
            .resolve(&graph::Expr::Leaf(Leaf::OfFault(aspect, id)))
    };
    let faults = &tolerated.faults;
    let injected = faults.iter().map(|id| of(FaultAspect::Injected, *id));
    let mut touched: Vec<Expr> = vec![Expr::or(injected)];
    let mut asked = asked_in(condition);
    asked.extend(asks(program, tolerated));
    let mut chosen = vec![usual(lowering.draft, &asked).unwrap_or_else(Expr::yes)];
    for (aspect, id) in faults.iter().filter_map(|id| begins(program, *id)) {
        match aspect {
            FaultAspect::Begun => touched.push(of(aspect, id)),
            _ => chosen.push(of(aspect, id).not()),
        }
    }
    Within {
        start: Expr::and(chosen),
        stay: Expr::or(touched).not(),
    }
}

/// A formula of branching time, from the initial states in which a condition holds.
fn given(when: Expr, formula: Formula) -> PropertyKind {
    PropertyKind::Ctl(match when.is_yes() {
        true => formula,
        false => Formula::Implies(Box::new(Formula::Atom(when)), Box::new(formula)),
    })
}
