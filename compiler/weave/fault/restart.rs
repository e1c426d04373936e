//! `@restart`: crash-recovery.
//!
//! ```text
//! before   s0 --recv--> s1 --skip--> done
//! after    ... and s0, s1, done --crash--> crashed --recover, x := initial--> s0
//! ```
//!
//! Recovery resets every variable but the durable ones, and of these those that it `loses` (one that starts with any value: to
//! any, an edge each). It is never forced (the crash may be for good)
//! and it is no injection. Of several on one process each recovers from its own crashes, so that a lost disk is injected and counted;
//! from one by another fault any of them does.

use crate::graph::{Edge, Expr};
use crate::program::FaultTarget;
use crate::system::event::Word;
use crate::system::{EdgeKind, LocationKind, Op, Owner, VarId};
use crate::vocabulary::{FaultId, ProcessId};
use crate::weave::draft::{Draft, act, fault_edge, var};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, process: ProcessId) {
    let crashed = draft.crashed(process);
    let shared = draft.alike.contains(&FaultTarget::Process(process));
    let by = shared.then(|| draft.crashed_by(process));
    let is = |v: VarId, number: u32| Expr::binary(Op::Eq, var(v), Expr::int(i64::from(number)));
    let sets = |number: u32| by.map(|v| (v, Expr::int(i64::from(number))));
    draft.recovers[process.0 as usize] = true;
    draft.spontaneous(
        process,
        |_, location| matches!(location.kind, LocationKind::Statement | LocationKind::Done),
        crashed,
        |span| {
            let told = act("crashes", [Word::Actor, Word::Plain("crashes")]);
            Edge {
                updates: sets(fault.0 + 1).into_iter().collect(),
                ..fault_edge(fault, vec![told], span)
            }
        },
    );
    let value = |v: VarId, code| (v, Expr::Const(draft.vars[v.0 as usize].domain.scalar(code)));
    let reset = |v: &VarId| {
        let var = &draft.vars[v.0 as usize];
        let durable = draft.durable[v.0 as usize] && !draft.lost.contains(v);
        var.owner == Owner::Process(process) && !durable
    };
    let mut ways: Vec<Vec<(VarId, Expr)>> = vec![sets(0).into_iter().collect()];
    for v in (0..draft.vars.len() as u32).map(VarId).filter(reset) {
        let init = draft.vars[v.0 as usize].init;
        // What starts with any of several values does so again, if it is lost.
        let several = draft.starts.choices.iter().find(|choice| choice.var == v);
        let several = several.filter(|_| draft.lost.contains(&v));
        let codes = several.map_or(vec![init], |choice| choice.codes.clone());
        ways = (ways.into_iter())
            .flat_map(|way| {
                let longer = |code: &i64| [&way[..], &[value(v, *code)]].concat();
                codes.iter().map(longer).collect::<Vec<_>>()
            })
            .collect();
    }
    let graph = &draft.processes[process.0 as usize];
    let initial = graph.initial;
    let begin = graph.graph[initial].span;
    for updates in ways {
        draft.spontaneous(
            process,
            |node, _| node == crashed,
            initial,
            |_| Edge {
                guard: by.map_or(Expr::yes(), |v| Expr::or([is(v, 0), is(v, fault.0 + 1)])),
                updates: updates.clone(),
                kind: EdgeKind::Recovery(fault),
                events: vec![act("recovers", [Word::Actor, Word::Plain("restarts")])],
                ..fault_edge(fault, Vec::new(), begin)
            },
        );
    }
}
