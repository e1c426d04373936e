//! Faults that cannot happen together: of an atomic block, one at most.

use rustc_hash::FxHashSet;

use crate::program::elaborate::log::Log;
use crate::program::fault::Happens;
use crate::program::problem::Lint;
use crate::program::{Case, CaseKind, ExprKind, FaultTarget, Message, Program, Stmt, StmtKind};
use crate::source::Span;
use crate::vocabulary::{ChannelId, FaultId};

/// Atomic blocks with two sends, each of which may suffer a fault: not both do. Where a limit allows only one fault anyway
/// there is nothing to say.
pub fn never_together(program: &Program, log: &mut Log) {
    let faults = program.faults.iter().zip(0u32..);
    let faults: Vec<(FaultId, Vec<ChannelId>)> = faults
        .filter(|(fault, _)| fault.kind.happens == Happens::AtSends && !fault.timing.always)
        .map(|(fault, id)| {
            let channels = fault.targets.iter().filter_map(|target| match target {
                FaultTarget::Channel(id) => Some(*id),
                _ => None,
            });
            (FaultId(id), channels.collect())
        })
        .collect();
    let all: Vec<FaultId> = faults.iter().map(|(id, _)| *id).collect();
    let limited = (program.limits.iter())
        .any(|limit| limit.bound <= 1 && all.iter().all(|id| limit.faults.contains(id)));
    if all.is_empty() || limited {
        return;
    }
    let mut blocks = Blocks {
        lossy: faults
            .into_iter()
            .flat_map(|(_, channels)| channels)
            .collect(),
        found: Vec::new(),
    };
    for process in &program.processes {
        blocks.outside(&process.body);
    }
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    for span in blocks.found {
        if seen.insert(span) {
            log.report(Lint::NeverTogether { span });
        }
    }
}

struct Blocks {
    /// The channels on which a send may suffer a fault.
    lossy: FxHashSet<ChannelId>,
    /// The blocks with two such sends.
    found: Vec<Span>,
}

impl Blocks {
    fn outside(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            if let StmtKind::Atomic(body) = &stmt.kind {
                if self.sends(body) > 1 {
                    self.found.push(stmt.span);
                }
            } else {
                let mut inner: Vec<&[Stmt]> = Vec::new();
                blocks_of(&stmt.kind, &mut inner);
                inner.into_iter().for_each(|block| self.outside(block));
            }
        }
    }

    /// The most such sends on one way through.
    fn sends(&self, stmts: &[Stmt]) -> usize {
        let of = |stmt: &Stmt| {
            let own = match &stmt.kind {
                StmtKind::Message(message) => self.is_lossy(message),
                StmtKind::Assign {
                    value: crate::program::Rhs::Expr(value),
                    ..
                } => matches!(&value.kind, ExprKind::Message(m) if self.is_lossy(m)),
                StmtKind::If { condition, .. } => {
                    matches!(&condition.kind, ExprKind::Message(m) if self.is_lossy(m))
                }
                _ => false,
            };
            let mut inner: Vec<&[Stmt]> = Vec::new();
            blocks_of(&stmt.kind, &mut inner);
            let inner = inner.into_iter().map(|block| self.sends(block));
            let below = match &stmt.kind {
                StmtKind::Unrolled { .. } => inner.sum::<usize>(),
                StmtKind::Select(cases) => (cases.iter().zip(inner))
                    .map(|(case, below)| below + usize::from(self.case_sends(case)))
                    .max()
                    .unwrap_or(0),
                _ => inner.max().unwrap_or(0),
            };
            below + usize::from(own)
        };
        stmts.iter().map(of).sum()
    }

    fn case_sends(&self, case: &Case) -> bool {
        matches!(&case.kind, CaseKind::Message(message) if self.is_lossy(message))
    }

    fn is_lossy(&self, message: &Message) -> bool {
        let mut channels = message.channel.channels.iter();
        message.op.is_send() && channels.any(|channel| self.lossy.contains(channel))
    }
}

/// The blocks of a statement, those of a `select` one for each case.
fn blocks_of<'a>(kind: &'a StmtKind, into: &mut Vec<&'a [Stmt]>) {
    match kind {
        StmtKind::Block(body) | StmtKind::Atomic(body) => into.push(body),
        StmtKind::While { body, .. } | StmtKind::Range { body, .. } => into.push(body),
        StmtKind::If {
            then, otherwise, ..
        } => into.extend([then.as_slice(), otherwise.as_slice()]),
        StmtKind::Unrolled { iterations, .. } => {
            into.extend(iterations.iter().map(|(_, body)| body.as_slice()));
        }
        StmtKind::Choice(blocks) => into.extend(blocks.iter().map(Vec::as_slice)),
        StmtKind::Select(cases) => into.extend(cases.iter().map(|case| case.body.as_slice())),
        StmtKind::Switch { cases, .. } => {
            into.extend(cases.iter().map(|case| case.body.as_slice()));
        }
        StmtKind::Fair(stmt) => blocks_of(&stmt.kind, into),
        _ => {}
    }
}
