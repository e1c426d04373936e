//! Faults that a model defines: their expressions become scalars. What the trigger would store or send is not known here; it is
//! [`Leaf::Given`], which weaving replaces.

use super::Lowerer;
use super::layout::{Layout, width};
use super::value::Values;
use crate::graph::{Expr, FairCase, Join, Leaf, Var};
use crate::program::{self, LocalId, Program, Trigger};
use crate::system::Domain;
use crate::vocabulary::ProcessId;

/// The joins of every fault of a program.
pub(super) fn joins(
    program: &Program,
    layout: &Layout,
    (vars, fair): (&mut Vec<Var>, &mut Vec<FairCase>),
) -> Vec<Vec<Join>> {
    let lower = |vars: &mut Vec<Var>, fair: &mut Vec<FairCase>, join: &program::Join| {
        let process = ProcessId(0);
        Lowerer::new(program, layout, (vars, fair), process).join(join)
    };
    (program.faults.iter())
        .map(|fault| {
            (fault.joins.iter())
                .map(|join| lower(vars, fair, join))
                .collect()
        })
        .collect()
}

impl Lowerer<'_> {
    fn join(&self, join: &program::Join) -> Join {
        let (given, locals) = self.given(&join.trigger);
        let mut values = Values {
            given,
            locals: locals.into_iter().collect(),
            ..Values::default()
        };
        // A condition that cannot be computed does not hold.
        let mut asked = values.clone();
        let condition = join.condition.as_ref().map(|condition| {
            let holds = self.eval(&mut asked).scalar(condition);
            let checks = asked.checks.into_iter().map(|(_, ok)| ok);
            Expr::and(checks.chain([holds]))
        });
        let mut stores = Vec::new();
        for (variable, value) in &join.effect.stores {
            let (vars, ty) = self.layout.part(variable);
            let scalars = self.right_side(ty, value, &mut values);
            self.eval(&mut values).check_stores(&scalars, ty);
            stores.extend(vars.iter().copied().zip(scalars));
        }
        let message = match (&join.effect.message, &join.trigger) {
            (Some(fields), Trigger::Send(passing)) => {
                let channel = &self.program.channels[passing.channel.0 as usize];
                let each = fields.iter().zip(&channel.fields);
                let scalars = each.flat_map(|(value, ty)| {
                    let scalars = self.right_side(ty, value, &mut values);
                    self.eval(&mut values).check_stores(&scalars, ty);
                    scalars
                });
                Some(scalars.collect())
            }
            _ => None,
        };
        Join {
            trigger: join.trigger.clone(),
            condition,
            picks: values.picks,
            stores,
            message,
            checks: values.checks,
            crashes: join.effect.crashes,
        }
    }

    /// What the names of a trigger stand for.
    fn given(&self, trigger: &Trigger) -> (Vec<Domain>, Vec<(LocalId, Vec<Expr>)>) {
        let scalar = |i: usize| Expr::Leaf(Leaf::Given(i as u32));
        match trigger {
            Trigger::Write {
                variable, value, ..
            } => {
                let (vars, _) = self.layout.part(variable);
                let domain = |v: &crate::system::VarId| self.vars[v.0 as usize].domain;
                let scalars = (0..vars.len()).map(scalar).collect();
                (vars.iter().map(domain).collect(), vec![(*value, scalars)])
            }
            Trigger::Send(passing) | Trigger::Receive(passing) => {
                let channel = &self.program.channels[passing.channel.0 as usize];
                let mut next = 0;
                let each = passing.fields.iter().zip(&channel.fields);
                let locals = each.map(|(local, ty)| {
                    let scalars = (next..next + width(ty)).map(scalar).collect();
                    next += width(ty);
                    (*local, scalars)
                });
                let locals = locals.collect();
                (self.layout.message(passing.channel).to_vec(), locals)
            }
            Trigger::Reached(..) | Trigger::Anytime(_) => (Vec::new(), Vec::new()),
        }
    }
}
