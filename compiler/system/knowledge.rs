//! What processes know: an operator of a specification is a variable that no edge writes until it is replaced by a condition
//! over what its processes see, which [`condition`] makes of a table.

use std::collections::BTreeMap;

use super::{Domain, Expr, Formula, Leaf, LocId, Op, System, VarId};
use crate::vocabulary::{Knowing, ProcessId};

/// `K(p, f)` and its kin.
#[derive(Clone, PartialEq, Debug)]
pub struct Operator {
    /// The variable that stands for it; it is always false.
    pub var: VarId,
    /// Whose knowledge.
    pub how: Knowing,
    /// The processes; one of `K`.
    pub processes: Vec<ProcessId>,
    /// What each of them sees.
    pub views: Vec<Vec<Sight>>,
    /// What is known.
    pub what: Formula,
    /// If it is about some runs only: which.
    pub within: Option<Within>,
}

/// Runs that start in some states and never leave others.
#[derive(Clone, PartialEq, Debug)]
pub struct Within {
    /// Where they start.
    pub start: Expr,
    /// What they never leave.
    pub stay: Expr,
}

/// Something that a process sees.
#[derive(Clone, PartialEq, Debug)]
pub struct Sight {
    /// `node.diag`, `location`: how it is told.
    pub name: String,
    /// What it is.
    pub kind: SightKind,
}

/// What a process sees.
#[derive(Clone, PartialEq, Debug)]
pub enum SightKind {
    /// Where it is.
    Location(ProcessId),
    /// The value of an expression, of this domain.
    Value(Expr, Domain),
}

impl Sight {
    /// Its value as a number: the code of a value, the number of a location.
    pub fn value(&self, system: &System) -> Expr {
        match &self.kind {
            SightKind::Value(value, _) => value.clone(),
            SightKind::Location(p) => {
                let count = system.process(*p).locations.len() as u32;
                location(*p, 0, count)
            }
        }
    }

    /// Whether its value is one of some codes.
    pub fn is_one_of(&self, codes: &[i64]) -> Expr {
        match &self.kind {
            SightKind::Location(p) => {
                let mut all: Vec<LocId> = codes.iter().map(|code| LocId(*code as u32)).collect();
                all.sort_unstable();
                match all.is_empty() {
                    true => Expr::no(),
                    false => Expr::Leaf(Leaf::At(*p, all)),
                }
            }
            SightKind::Value(value, domain) => Expr::or(codes.iter().map(|code| {
                let constant = Expr::Const(domain.scalar(*code));
                Expr::binary(Op::Eq, value.clone(), constant)
            })),
        }
    }
}

/// The number of the location at which a process is, of those from `from` to before `to`.
fn location(process: ProcessId, from: u32, to: u32) -> Expr {
    if to - from <= 1 {
        return Expr::int(i64::from(from));
    }
    let middle = from + (to - from) / 2;
    let lower = Expr::Leaf(Leaf::At(process, (from..middle).map(LocId).collect()));
    Expr::ite(
        lower,
        location(process, from, middle),
        location(process, middle, to),
    )
}

/// Whether all of a view is as in these codes.
pub fn is_seen(view: &[Sight], codes: &[i64]) -> Expr {
    let parts = view.iter().zip(codes);
    Expr::and(parts.map(|(sight, code)| sight.is_one_of(&[*code])))
}

/// The condition that is true where a view is one that a table calls true, and false where it calls it false. About views that
/// are not in the table it says anything: they are never seen.
pub fn condition(view: &[Sight], table: &BTreeMap<Vec<i64>, bool>) -> Expr {
    let rows: Vec<(&[i64], bool)> = (table.iter())
        .map(|(codes, truth)| (codes.as_slice(), *truth))
        .collect();
    decide(view, &rows)
}

/// Rows are in order, and so are those with the same first code.
fn decide(view: &[Sight], rows: &[(&[i64], bool)]) -> Expr {
    let first = rows.first().is_none_or(|(_, truth)| *truth);
    let Some((sight, rest)) = view.split_first() else {
        return Expr::bool(first);
    };
    if rows.iter().all(|(_, truth)| *truth == first) {
        return Expr::bool(first);
    }
    let mut parts: Vec<(Vec<i64>, Expr)> = Vec::new();
    for group in rows.chunk_by(|(a, _), (b, _)| a[0] == b[0]) {
        let inner: Vec<(&[i64], bool)> = group.iter().map(|(c, t)| (&c[1..], *t)).collect();
        let value = decide(rest, &inner);
        let code = group[0].0[0];
        // Neighbours with the same value are a range of integers; what is between them is never seen.
        let known = match sight.kind {
            SightKind::Value(_, Domain::Int { .. }) => {
                parts.last_mut().filter(|(_, known)| *known == value)
            }
            _ => parts.iter_mut().find(|(_, known)| *known == value),
        };
        match known {
            Some((codes, _)) => codes.push(code),
            None => parts.push((vec![code], value)),
        }
    }
    choose(sight, &parts)
}

/// The value of the part that has the code of what is seen.
fn choose(sight: &Sight, parts: &[(Vec<i64>, Expr)]) -> Expr {
    match parts {
        [] => Expr::yes(),
        [(_, only)] => only.clone(),
        _ => {
            let (test, at) = match &sight.kind {
                SightKind::Value(value, Domain::Int { .. }) => {
                    let at = parts.len() / 2;
                    let last = parts[at - 1].0.last().copied().unwrap_or_default();
                    (Expr::binary(Op::Le, value.clone(), Expr::int(last)), at)
                }
                _ => (sight.is_one_of(&parts[0].0), 1),
            };
            either(
                test,
                choose(sight, &parts[..at]),
                choose(sight, &parts[at..]),
            )
        }
    }
}

/// `if c then a else b`, of conditions.
fn either(c: Expr, a: Expr, b: Expr) -> Expr {
    match (&a, &b) {
        (a, _) if a.is_yes() => Expr::or([c, b]),
        (a, _) if a.is_no() => Expr::and([c.not(), b]),
        (_, b) if b.is_yes() => Expr::or([c.not(), a]),
        (_, b) if b.is_no() => Expr::and([c, a]),
        _ => Expr::ite(c, a, b),
    }
}

impl System {
    /// The operators about knowledge in an expression, each once, in order.
    pub fn knowledge_in(&self, expr: &Expr) -> Vec<usize> {
        let mut found = Vec::new();
        expr.leaves(&mut |leaf| {
            if let Leaf::Var(var) = leaf
                && let Some(index) = self.knowledge.iter().position(|k| k.var == *var)
                && !found.contains(&index)
            {
                found.push(index);
            }
        });
        found
    }

    /// The operators in a property, those of its levels included.
    pub fn knowledge_of(&self, property: usize) -> Vec<usize> {
        if self.knowledge.is_empty() {
            return Vec::new();
        }
        let asked = &self.properties[property];
        let levels = asked.tolerant.iter().flat_map(|t| &t.levels);
        let mut found = Vec::new();
        for kind in std::iter::once(&asked.kind).chain(levels) {
            kind.atoms(&mut |e| {
                for index in self.knowledge_in(e) {
                    if !found.contains(&index) {
                        found.push(index);
                    }
                }
            });
        }
        found
    }
}
