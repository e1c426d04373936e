//! The edges of a System, compiled one after another and put into groups.

use std::num::NonZeroU32;

use super::{EdgeCode, Group, PickLoop, ProcessCode, TooLarge};
use crate::engine::code::{Base, Range};
use crate::engine::compile::{Compiler, NO_PICKS, Picks};
use crate::engine::layout::Field;
use crate::system::Check;
use crate::system::{Edge, Event, Expr};
use crate::vocabulary::ProcessId;

/// Edges with at most so many combinations of picks become as many edges without.
const EXPAND: u64 = 64;

/// What is being compiled.
#[derive(Default)]
pub struct Parts {
    pub edges: Vec<EdgeCode>,
    pub loops: Vec<PickLoop>,
    pub processes: Vec<ProcessCode>,
    pub groups: Vec<Group>,
    /// The guards of the edges out of the location at hand, in parts.
    guards: Vec<Vec<Expr>>,
}

impl Parts {
    /// The edges that have come since the last location are those of one, whose first group has its place.
    pub fn location(&mut self, compiler: &mut Compiler<'_>, mut place: usize) {
        let mut first = self.edges.len() - self.guards.len();
        let mut guards = std::mem::take(&mut self.guards);
        for (i, guards) in guards.chunks_mut(64).enumerate() {
            if i > 0 {
                let end = self.groups.len();
                self.groups[place].more = NonZeroU32::new(end as u32);
                self.groups.push(Group::default());
                place = end;
            }
            let ready = compiler.ready(guards);
            let group = &mut self.groups[place];
            (group.first, group.ready) = (first as u32, ready);
            let edges = &mut self.edges[first..];
            for (i, (guard, edge)) in guards.iter().zip(edges).enumerate() {
                edge.guard = compiler.all_of(guard, NO_PICKS);
                let bit = 1 << i;
                if edge.fault {
                    group.faults |= bit;
                } else {
                    group.steps |= bit;
                }
                if edge.forced {
                    group.forced |= bit;
                }
            }
            first += guards.len();
        }
    }

    fn add(&mut self, mut code: EdgeCode, guard: Vec<Expr>) {
        code.number = self.edges.len() as u32;
        self.edges.push(code);
        self.guards.push(guard);
    }

    pub fn edge(
        &mut self,
        compiler: &mut Compiler<'_>,
        process: ProcessId,
        index: usize,
        edge: &Edge,
    ) -> Result<(), TooLarge> {
        let fails = Check::ALL.iter().enumerate().fold(0, |bits, (i, check)| {
            let fails = edge.events.contains(&Event::Failed(*check));
            bits | (u8::from(fails) << i)
        });
        let mut code = EdgeCode {
            guard: Range::default(),
            base: Base::default(),
            updates: Range::default(),
            process: process.0,
            edge: index as u32,
            number: 0,
            picks: 0,
            forced: edge.kind.is_forced(),
            fault: edge.injection().is_some(),
            fails,
            picks_loop: None,
        };
        let count = edge
            .picks
            .iter()
            .try_fold(1u64, |n, domain| n.checked_mul(domain.size()))
            .filter(|n| *n < 1 << 32);
        let Some(count) = count else {
            return Err(TooLarge(
                "a single step has more than 4,294,967,295 outcomes".into(),
            ));
        };
        if count > EXPAND {
            return self.edge_with_loop(compiler, code, edge, count);
        }
        for rank in 0..count {
            let mut rest = rank;
            let mut fixed: Vec<_> = edge
                .picks
                .iter()
                .rev()
                .map(|domain| {
                    let digit = rest % domain.size();
                    rest /= domain.size();
                    (*domain, domain.bounds().0 + digit as i64)
                })
                .collect();
            fixed.reverse();
            let picks = Picks::Fixed(&fixed);
            let guard = compiler.parts(&edge.guard, picks);
            if !compiler.is_never(&guard) {
                (code.base, code.updates) =
                    compiler.updates(process, edge.to.0, &edge.updates, &guard, picks);
                code.picks = rank as u32;
                self.add(code, guard);
            }
        }
        Ok(())
    }

    fn edge_with_loop(
        &mut self,
        compiler: &mut Compiler<'_>,
        mut code: EdgeCode,
        edge: &Edge,
        count: u64,
    ) -> Result<(), TooLarge> {
        let mut shift = 0;
        let mut fields = Vec::new();
        for domain in &edge.picks {
            let bits = (64 - (domain.size() - 1).leading_zeros()) as u8;
            fields.push(Field {
                word: 0,
                shift: shift.min(63),
                bits,
                lo: domain.bounds().0,
            });
            shift += bits;
        }
        let picks = Picks::Packed(&fields);
        let parts = compiler.parts(&edge.guard, picks);
        let (inner, outer): (Vec<Expr>, Vec<Expr>) = parts.into_iter().partition(reads_picks);
        if compiler.is_never(&outer) || compiler.is_never(&inner) {
            return Ok(());
        }
        let guard = compiler.all_of(&inner, picks);
        let process = ProcessId(code.process);
        (code.base, code.updates) =
            compiler.updates(process, edge.to.0, &edge.updates, &outer, picks);
        code.picks_loop = Some(self.loops.len() as u32);
        self.loops.push(PickLoop {
            sizes: edge.picks.iter().map(|d| d.size()).collect(),
            fields,
            count,
            guard,
        });
        self.add(code, outer);
        Ok(())
    }
}

fn reads_picks(expr: &Expr) -> bool {
    let mut found = false;
    expr.leaves(&mut |leaf| found |= matches!(leaf, crate::system::Leaf::Pick(_)));
    found
}
