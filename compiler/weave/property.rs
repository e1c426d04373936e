//! Specifications become formulas over the System, and the built-in properties join them.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::aspect::asked_in;
use super::draft::Draft;
use super::progress;
use super::tolerant;
use crate::graph;
use crate::program;
use crate::program::{ExprKind, FaultAspect, Program, Says};
use crate::system::{
    Assumption, BinaryTemporal, Check, Expr, Form, Formula, Property, PropertyKind,
};
use crate::system::{Op, VarId, phase};
use crate::vocabulary::{BinaryOp, FaultId, SpecKind, UnaryOp};

/// The built-in properties that are not always there.
pub(super) struct Builtins {
    /// Deadlock freedom is asked for.
    pub deadlock: bool,
    /// Some send must find room.
    pub room: bool,
    /// There is a clock.
    pub time: bool,
}

/// The properties and assumptions of a program, built-ins first.
pub(super) fn lower(
    lowering: &Lowering<'_>,
    program: &Program,
    builtins: &Builtins,
) -> (Vec<Property>, Vec<Assumption>) {
    let draft = lowering.draft;
    let builtin = |name: &str, kind| Property {
        name: name.to_string(),
        kind,
        tolerant: None,
        form: None,
        span: None,
    };
    let mut properties = Vec::new();
    if builtins.deadlock {
        properties.push(builtin("deadlock", PropertyKind::Deadlock));
    }
    let checks = Check::ALL.into_iter();
    let checks = checks.filter(|check| builtins.room || *check != Check::Room);
    properties.extend(checks.map(|check| builtin(check.as_str(), PropertyKind::Check(check))));
    if builtins.time {
        properties.push(builtin("time", PropertyKind::Time));
    }
    if let Some(progress) = &draft.progress {
        let goes_on = PropertyKind::Ltl(progress::formula(draft, progress));
        properties.push(Property {
            form: Some(Form::Progress),
            ..builtin("progress", goes_on)
        });
    }
    let mut assumptions = Vec::new();
    for (index, property) in program.properties.iter().enumerate() {
        if let (Some(tolerated), Says::Formula(formula)) = (&property.tolerated, &property.says) {
            let (kind, tolerant) = tolerant::lower(lowering, program, formula, tolerated);
            properties.push(Property {
                name: property.name.clone(),
                kind,
                tolerant: Some(Box::new(tolerant)),
                form: None,
                span: Some(property.span),
            });
            continue;
        }
        let formula = match (&property.says, draft.kept.get(&index)) {
            (Says::Formula(formula), _) => lowering.formula(formula),
            (_, Some(kept)) => Formula::Atom(draft.resolve(kept)),
            (_, None) => unreachable!("what is no formula has been woven"),
        };
        let asked: FxHashSet<_> = property.exprs().into_iter().flat_map(asked_in).collect();
        let usual = usual(draft, &asked);
        let formula = match (property.kind, usual) {
            (_, None) | (SpecKind::Assume, _) => formula,
            (SpecKind::Reachable | SpecKind::Unreachable, Some(usual)) => {
                lowering.connective(BinaryOp::And, Formula::Atom(usual), formula)
            }
            (_, Some(usual)) => {
                lowering.connective(BinaryOp::Implies, Formula::Atom(usual), formula)
            }
        };
        let (name, span) = (property.name.clone(), property.span);
        let form = match property.kind {
            SpecKind::Unreachable => Some(Form::Unreachable),
            SpecKind::Diagnosable => Some(Form::Diagnosable),
            _ => match &property.says {
                Says::Protocol(protocol) => {
                    let conduct = super::protocol::conduct(draft, protocol);
                    Some(Form::Protocol(Arc::new(conduct)))
                }
                _ => None,
            },
        };
        let kind = match property.kind {
            SpecKind::Tolerant => unreachable!("it says what is tolerated"),
            SpecKind::Assume => {
                assumptions.push(Assumption {
                    name,
                    formula,
                    span,
                });
                continue;
            }
            SpecKind::Invariant => PropertyKind::Invariant(propositional(formula)),
            SpecKind::Reachable => PropertyKind::Reachable(propositional(formula)),
            SpecKind::Unreachable => PropertyKind::Invariant(propositional(formula).not()),
            SpecKind::Protocol => PropertyKind::Invariant(propositional(formula)),
            SpecKind::Ltl => PropertyKind::Ltl(formula),
            SpecKind::Ctl | SpecKind::Diagnosable => PropertyKind::Ctl(formula),
        };
        properties.push(Property {
            name,
            kind,
            tolerant: None,
            form,
            span: Some(span),
        });
    }
    (properties, assumptions)
}

/// Which runs a specification that asks this is about, if not about all: those that may inject the faults it does not ask
/// `faulty` about.
pub(super) fn usual(draft: &Draft, asked: &FxHashSet<(FaultAspect, FaultId)>) -> Option<Expr> {
    let about = |var: VarId| {
        let of = |id: &FaultId| draft.phases[id.0 as usize] == Some(var);
        let reads =
            |(aspect, id): &(FaultAspect, FaultId)| *aspect == FaultAspect::Faulty && of(id);
        asked.iter().any(reads)
    };
    let choices = draft.starts.choices.iter();
    let choices = choices.filter(|choice| choice.codes.contains(&phase::NEVER));
    let choices = choices.map(|choice| choice.var);
    let phases = choices.filter(|var| draft.phases.contains(&Some(*var)) && !about(*var));
    let all: Vec<Expr> = phases
        .map(|var| draft.resolve(&super::phase::is(var, phase::NEVER).not()))
        .collect();
    (!all.is_empty()).then(|| Expr::and(all))
}

/// From a specification to a formula.
pub(super) struct Lowering<'a> {
    pub draft: &'a Draft,
}

impl Lowering<'_> {
    /// A state formula, in which whatever it asks about some faults is false.
    pub fn state(&self, e: &program::Expr, without: &[FaultId]) -> Expr {
        let value = graph::spec_value(&self.draft.layout, &self.draft.written, e);
        let value = value.replace(&mut |leaf| match leaf {
            graph::Leaf::OfFault(_, f) if without.contains(f) => Some(graph::Expr::no()),
            graph::Leaf::Known(id) if !without.is_empty() => {
                let known = self.draft.known_without.get(id);
                known.map(|var| graph::Expr::Leaf(graph::Leaf::Var(*var)))
            }
            _ => None,
        });
        self.draft.resolve(&value)
    }

    /// A formula.
    pub fn formula(&self, e: &program::Expr) -> Formula {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, e) => match self.formula(e) {
                Formula::Atom(e) => Formula::Atom(e.not()),
                f => Formula::Not(Box::new(f)),
            },
            ExprKind::Temporal(op, e) => Formula::Unary(*op, Box::new(self.formula(e))),
            ExprKind::Path(op, a, b) => {
                Formula::Path(*op, Box::new(self.formula(a)), Box::new(self.formula(b)))
            }
            ExprKind::Binary(op, a, b) if is_connective(*op, a) => {
                self.connective(*op, self.formula(a), self.formula(b))
            }
            _ => {
                let value = graph::spec_value(&self.draft.layout, &self.draft.written, e);
                Formula::Atom(self.draft.resolve(&value))
            }
        }
    }

    pub fn connective(&self, op: BinaryOp, a: Formula, b: Formula) -> Formula {
        let boxed = |a, b| (Box::new(a), Box::new(b));
        match (op, a, b) {
            (BinaryOp::And, Formula::Atom(a), Formula::Atom(b)) => Formula::Atom(Expr::and([a, b])),
            (BinaryOp::Or, Formula::Atom(a), Formula::Atom(b)) => Formula::Atom(Expr::or([a, b])),
            (BinaryOp::Implies, Formula::Atom(a), Formula::Atom(b)) => {
                Formula::Atom(Expr::or([a.not(), b]))
            }
            (BinaryOp::Iff | BinaryOp::Eq, Formula::Atom(a), Formula::Atom(b)) => {
                Formula::Atom(Expr::binary(Op::Eq, a, b))
            }
            (BinaryOp::Ne, Formula::Atom(a), Formula::Atom(b)) => {
                Formula::Atom(Expr::binary(Op::Ne, a, b))
            }
            (BinaryOp::And, a, b) => Formula::And(vec![a, b]),
            (BinaryOp::Or, a, b) => Formula::Or(vec![a, b]),
            (BinaryOp::Implies, a, b) => {
                let (a, b) = boxed(a, b);
                Formula::Implies(a, b)
            }
            (BinaryOp::Iff | BinaryOp::Eq, a, b) => {
                let (a, b) = boxed(a, b);
                Formula::Iff(a, b)
            }
            (BinaryOp::Ne, a, b) => {
                let (a, b) = boxed(a, b);
                Formula::Not(Box::new(Formula::Iff(a, b)))
            }
            (op, a, b) => {
                let (a, b) = boxed(a, b);
                let op = match op {
                    BinaryOp::Until => BinaryTemporal::Until,
                    BinaryOp::Releases => BinaryTemporal::Releases,
                    BinaryOp::Since => BinaryTemporal::Since,
                    BinaryOp::Triggered => BinaryTemporal::Triggered,
                    other => unreachable!("{} joins no formulas", other.as_str()),
                };
                Formula::Binary(op, a, b)
            }
        }
    }
}

/// Whether an operator joins formulas rather than values.
fn is_connective(op: BinaryOp, left: &program::Expr) -> bool {
    match op {
        BinaryOp::Iff | BinaryOp::Implies | BinaryOp::Or | BinaryOp::And => true,
        BinaryOp::Until | BinaryOp::Releases | BinaryOp::Since | BinaryOp::Triggered => true,
        BinaryOp::Eq | BinaryOp::Ne => left.ty == program::Type::Bool,
        _ => false,
    }
}

fn propositional(formula: Formula) -> Expr {
    match formula {
        Formula::Atom(e) => e,
        other => unreachable!("a state formula has no temporal operators: {other:?}"),
    }
}
