//! What processes know: what they see, in variables and locations, and a variable for each operator that asks.

use super::draft::Draft;
use super::property::Lowering;
use super::tolerant;
use crate::graph;
use crate::program::{ExprKind, Knows, KnowsId, Program, Seen};
use crate::system::knowledge::{Operator, Sight, SightKind, Within};
use crate::system::{Domain, Expr, Formula, Leaf, Owner, VarId};
use crate::vocabulary::ProcessId;

/// The operators of a program, with what `tolerant` needs besides: those of the System without its faults.
pub(super) struct Asked<'a> {
    all: Vec<(&'a Knows, Option<usize>)>,
}

/// Declares a variable for each operator that specifications ask.
pub(super) fn declare<'a>(draft: &mut Draft, program: &'a Program) -> Asked<'a> {
    let mut all: Vec<(&Knows, Option<usize>)> = Vec::new();
    for (index, property) in program.properties.iter().enumerate() {
        let tolerant = property.tolerated.is_some().then_some(index);
        for expr in property.exprs() {
            expr.visit(&mut |e| {
                if let ExprKind::Knows(knows) = &e.kind
                    && all.iter().all(|(known, _)| known.id != knows.id)
                {
                    all.push((knows, tolerant));
                }
            });
        }
    }
    for (knows, tolerant) in &all {
        let var = draft.keep(format!("known {}", knows.id.0), Domain::Bool, 0);
        draft.known.insert(knows.id, var);
        if tolerant.is_some() {
            let name = format!("known {} without faults", knows.id.0);
            let var = draft.keep(name, Domain::Bool, 0);
            draft.known_without.insert(knows.id, var);
        }
    }
    Asked { all }
}

/// The operators, ready to be answered.
pub(super) fn lower(
    lowering: &Lowering<'_>,
    program: &Program,
    asked: &Asked<'_>,
) -> Vec<Operator> {
    let draft = lowering.draft;
    let mut operators = Vec::new();
    let mut add = |vars: &dyn Fn(KnowsId) -> Option<VarId>,
                   knows: &Knows,
                   what: Formula,
                   within: Option<Within>| {
        let Some(var) = vars(knows.id) else {
            return;
        };
        let views = knows.processes.iter();
        operators.push(Operator {
            var,
            how: knows.how,
            processes: knows.processes.clone(),
            views: views.map(|p| view(draft, program, *p)).collect(),
            what,
            within,
        });
    };
    for (knows, tolerant) in &asked.all {
        let of_all = |id: KnowsId| draft.known.get(&id).copied();
        add(&of_all, knows, lowering.formula(&knows.what), None);
        let Some(property) = tolerant else {
            continue;
        };
        let property = &program.properties[*property];
        if let (Some(tolerated), Some(condition)) = (&property.tolerated, property.formula()) {
            let of_some = |id: KnowsId| draft.known_without.get(&id).copied();
            let what = lowering.state(&knows.what, &tolerated.faults);
            let within = tolerant::without(lowering, program, condition, tolerated);
            add(&of_some, knows, Formula::Atom(what), Some(within));
        }
    }
    operators
}

/// What a process sees.
pub(super) fn view(draft: &Draft, program: &Program, process: ProcessId) -> Vec<Sight> {
    let name = &program.processes[process.0 as usize].name;
    let location = || Sight {
        name: format!("{name}.location"),
        kind: SightKind::Location(process),
    };
    let of_var = |var: VarId| Sight {
        name: format!("{name}.{}", draft.vars[var.0 as usize].name),
        kind: SightKind::Value(
            Expr::Leaf(Leaf::Var(var)),
            draft.vars[var.0 as usize].domain,
        ),
    };
    let Some(view) = program.views.iter().find(|view| view.process == process) else {
        let vars = (0..draft.vars.len() as u32).map(VarId);
        let own = vars.filter(|v| {
            let var = &draft.vars[v.0 as usize];
            var.owner == Owner::Process(process) && !var.hidden && var.derived.is_none()
        });
        return std::iter::once(location()).chain(own.map(of_var)).collect();
    };
    let mut sights: Vec<Sight> = Vec::new();
    for seen in &view.seen {
        let (value, shown) = match seen {
            Seen::Location => {
                sights.push(location());
                continue;
            }
            Seen::Value(value, shown) => (value, shown),
        };
        for scalar in graph::seen_values(&draft.layout, &draft.written, value) {
            match draft.resolve(&scalar) {
                Expr::Const(_) => {}
                Expr::Leaf(Leaf::Var(var))
                    if draft.vars[var.0 as usize].owner == Owner::Process(process) =>
                {
                    sights.push(of_var(var));
                }
                other => sights.push(Sight {
                    name: shown.clone(),
                    kind: SightKind::Value(other, Domain::Bool),
                }),
            }
        }
    }
    let mut seen: Vec<Sight> = Vec::new();
    sights.retain(|sight| {
        let fresh = !seen.contains(sight);
        seen.push(sight.clone());
        fresh
    });
    sights
}
