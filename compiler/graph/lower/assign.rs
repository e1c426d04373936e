//! `x = e`, `a[i] = e`, `x = any`: one step.
//!
//! Evaluation order is Go's: the operands of the target's indices, the right side, then the target's
//! bounds, then the range of what is stored.

use super::layout::width;
use super::value::Values;
use super::{Lowerer, Node, Outcome};
use crate::graph::{Expr, Leaf};
use crate::program;
use crate::program::{ExprKind, Place, Rhs, Step, Type};
use crate::source::Span;
use crate::system::event::Event;
use crate::system::{Domain, Op, VarId};

impl Lowerer<'_> {
    pub(super) fn assign(&mut self, target: &Place, value: &Rhs, span: Span, next: Node) -> Node {
        // A messaging expression as the whole right side is one step, its outcomes separate edges.
        if let Rhs::Expr(e) = value
            && let ExprKind::Message(message) = &e.kind
        {
            let mut checks = Values::default();
            let indices = self.indices(target, &mut checks);
            let mut outcome = |value: bool| Outcome {
                to: next,
                updates: self.store_at(target, &indices, vec![Expr::bool(value)], &mut checks),
                events: Vec::new(),
            };
            let (yes, no) = (outcome(true), outcome(false));
            return self.whole_message(message, &checks, span, yes, Some(no));
        }
        let mut exprs: Vec<&program::Expr> = target.indices().collect();
        match value {
            Rhs::Expr(e) => exprs.push(e),
            Rhs::AnyOf(es) => exprs.extend(es),
            Rhs::Any | Rhs::AnyRange(..) => {}
        }
        self.step_after_messages(&exprs, span, |this, values, from| {
            let indices = this.indices(target, values);
            let scalars = this.right_side(&target.ty, value, values);
            let mut updates = this.store_at(target, &indices, scalars, values);
            let wrote = updates.iter().map(|(var, _)| Event::Wrote(*var)).collect();
            updates.extend(this.forget_results(values));
            this.edge(from, next, values, updates, wrote, span);
        })
    }

    /// `a, b = b, a`: all indices and right sides are evaluated before the first is stored.
    pub(super) fn assign_all(
        &mut self,
        targets: &[Place],
        sources: &[program::Expr],
        span: Span,
        next: Node,
    ) -> Node {
        let mut values = Values::default();
        let indices: Vec<Vec<Expr>> = targets
            .iter()
            .map(|target| self.indices(target, &mut values))
            .collect();
        let scalars: Vec<Vec<Expr>> = sources
            .iter()
            .map(|source| self.eval(&mut values).flat(source))
            .collect();
        let mut updates = Vec::new();
        for ((target, indices), scalars) in targets.iter().zip(&indices).zip(scalars) {
            let stored = self.store_at(target, indices, scalars, &mut values);
            merge_updates(&mut updates, stored);
        }
        let wrote = updates.iter().map(|(var, _)| Event::Wrote(*var)).collect();
        self.simple_step(values, updates, wrote, span, next)
    }

    /// The scalars of a right side; `any` adds picks.
    pub(super) fn right_side(&self, ty: &Type, value: &Rhs, values: &mut Values) -> Vec<Expr> {
        match value {
            Rhs::Expr(e) => self.eval(values).flat(e),
            Rhs::Any => self.layout.arbitrary(ty, &mut values.picks),
            Rhs::AnyRange(lo, hi) => (0..width(ty))
                .map(|_| pick(values, Domain::Int { lo: *lo, hi: *hi }))
                .collect(),
            // One of the values as a whole: for arrays too, a single choice.
            Rhs::AnyOf(es) => {
                let items: Vec<Vec<Expr>> = es.iter().map(|e| self.eval(values).flat(e)).collect();
                if items.len() == 1 {
                    return items.into_iter().flatten().collect();
                }
                let hi = items.len() as i64 - 1;
                let chosen = pick(values, Domain::Int { lo: 0, hi });
                (0..width(ty))
                    .map(|j| {
                        let column = items.iter().map(|item| item[j].clone()).collect();
                        Expr::select(chosen.clone(), column)
                    })
                    .collect()
            }
        }
    }

    /// The target's indices, evaluated but not yet checked against its bounds.
    pub(super) fn indices(&self, target: &Place, values: &mut Values) -> Vec<Expr> {
        target
            .indices()
            .map(|index| self.eval(values).scalar(index))
            .collect()
    }

    /// The updates that store scalars in a target whose indices have been evaluated.
    pub(super) fn store_at(
        &self,
        target: &Place,
        indices: &[Expr],
        scalars: Vec<Expr>,
        values: &mut Values,
    ) -> Vec<(VarId, Expr)> {
        // Each index narrows the variable's scalars to candidates, with the condition to be the one.
        let variable = &self.program.variables[target.variable.0 as usize];
        let mut ty = &variable.ty;
        let mut candidates = vec![(Expr::yes(), self.layout.variable(target.variable))];
        let mut indices = indices.iter();
        for step in &target.path {
            match (step, ty) {
                (Step::Index(_), Type::Array(element, count)) => {
                    let index = indices.next().expect("all indices are evaluated");
                    self.eval(values).check_index(index, *count as usize);
                    let stride = width(element);
                    candidates = candidates
                        .into_iter()
                        .flat_map(|(condition, scalars)| {
                            scalars.chunks(stride).enumerate().map(move |(k, chunk)| {
                                let here = Expr::binary(Op::Eq, index.clone(), Expr::int(k as i64));
                                (Expr::and([condition.clone(), here]), chunk)
                            })
                        })
                        .filter(|(condition, _)| !condition.is_no())
                        .collect();
                    ty = element;
                }
                (Step::Field(field), Type::Record(record)) => {
                    let own = record.scalars_of(*field);
                    for (_, scalars) in &mut candidates {
                        *scalars = &scalars[own.clone()];
                    }
                    ty = &record.fields[*field as usize].ty;
                }
                _ => unreachable!("only arrays are indexed, and only records have fields"),
            }
        }
        self.eval(values).check_stores(&scalars, ty);
        let mut updates = Vec::new();
        for (condition, vars) in candidates {
            for (var, scalar) in vars.iter().zip(&scalars) {
                let old = Expr::Leaf(Leaf::Var(*var));
                let update = match condition.is_yes() && may_keep(*var, scalar) {
                    true => Expr::If(condition.clone().into(), scalar.clone().into(), old.into()),
                    false => Expr::ite(condition.clone(), scalar.clone(), old),
                };
                updates.push((*var, update));
            }
        }
        updates
    }
}

/// Whether an update could be taken for one that stores only under a condition: `x = max(y, x)` is none, so it becomes `if true then ..`
/// until the faults of its variable are woven.
fn may_keep(var: VarId, update: &Expr) -> bool {
    match update {
        Expr::If(_, _, otherwise) => may_keep(var, otherwise),
        other => *other == Expr::Leaf(Leaf::Var(var)),
    }
}

/// Adds updates to others; where both write a variable the later wins, whose condition may leave the
/// earlier value in place.
pub(super) fn merge_updates(into: &mut Vec<(VarId, Expr)>, later: Vec<(VarId, Expr)>) {
    for (var, value) in later {
        match into.iter_mut().find(|(v, _)| *v == var) {
            Some((_, old)) => {
                // `if c then v else x` keeps x: by now that is the earlier update's value.
                *old = match value {
                    Expr::If(c, then, kept)
                        if *kept == Expr::Leaf(Leaf::Var(var)) && !c.is_yes() =>
                    {
                        Expr::ite(c, then, old.clone())
                    }
                    value => value,
                };
            }
            None => into.push((var, value)),
        }
    }
}

fn pick(values: &mut Values, domain: Domain) -> Expr {
    values.picks.push(domain);
    Expr::Leaf(Leaf::Pick(values.picks.len() as u32 - 1))
}
