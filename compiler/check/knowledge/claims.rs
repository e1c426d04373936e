//! What is said to be known, as properties without any knowledge in them: a second engine looks at each.
//!
//! Where `K` or `distributed` is true, so is what is known; and for each other view there is a state in which it is not.
//!
//! `common` is true for the views of its first process in a set C. It is right to say so if what is known is true wherever C is, and
//! if for each other process there is a set of its views that is seen in just the same states: then whoever goes on from a state of
//! C to one that somebody cannot tell from it is still in C. It is right to say that it is false for the other views if each hangs
//! together with one that goes with a state in which what is known is false: two views do that some state has both.

use super::{Answered, Known, keys};
use crate::engine::knowledge::{Chains, MOST_VIEWS};
use crate::system::knowledge::{Operator, Within, condition, is_seen};
use crate::system::{Expr, Formula, Op, Property, PropertyKind, System};
use crate::vocabulary::{PathOp, TemporalOp, thousands};

impl Known {
    /// What there is to say about a property whose operators have too many views for a second engine.
    pub fn note(&self, property: usize) -> Option<String> {
        let most = self.most_views(property);
        (most > MOST_VIEWS).then(|| {
            let (most, limit) = (thousands(most as u64), thousands(MOST_VIEWS as u64));
            format!("NuSMV does not confirm who knows what: {most} views, more than {limit}")
        })
    }

    /// Whether a second engine is not asked about a property.
    pub fn is_too_large(&self, property: usize) -> bool {
        self.most_views(property) > MOST_VIEWS
    }

    fn most_views(&self, property: usize) -> usize {
        let read = self.read[property].iter();
        let known = read.filter_map(|index| self.operators[*index].as_ref()?.as_ref().ok());
        known.map(Answered::views).max().unwrap_or(0)
    }

    /// A System whose properties say what the tables say, and whether each holds.
    pub fn claims(&self) -> Option<(System, Vec<bool>)> {
        let mut system = self.system.clone();
        system.assumptions.clear();
        let (mut properties, mut expected) = (Vec::new(), Vec::new());
        for (index, known) in self.operators.iter().enumerate() {
            let Some(Ok(known)) = known else {
                continue;
            };
            if known.views() > MOST_VIEWS {
                continue;
            }
            for (kind, holds) in known.claims() {
                properties.push(Property {
                    name: format!("known_{index}_{}", properties.len()),
                    kind,
                    tolerant: None,
                    form: None,
                    span: None,
                });
                expected.push(holds);
            }
        }
        system.properties = properties;
        (!expected.is_empty()).then_some((system, expected))
    }
}

impl Answered {
    /// How many views its processes have.
    fn views(&self) -> usize {
        self.found.views
    }

    /// What is said of it, as properties and whether they hold.
    fn claims(&self) -> Vec<(PropertyKind, bool)> {
        let operator = &self.operator;
        let mut claims = Vec::new();
        if self.found.table.values().any(|truth| *truth) {
            claims.push((
                operator.says(self.condition.clone(), operator.what.clone()),
                true,
            ));
        }
        match &self.found.chains {
            Some(chains) => self.chained(chains, &mut claims),
            None => {
                let wrong = self.found.table.iter().filter(|(_, truth)| !**truth);
                claims.extend(wrong.map(|(codes, _)| (self.is_wrong_at(codes), false)));
            }
        }
        claims
    }

    /// That what is known is true wherever a view is seen.
    fn is_wrong_at(&self, codes: &[i64]) -> PropertyKind {
        let seen = is_seen(&keys(&self.operator), codes);
        self.operator.says(seen, self.operator.what.clone())
    }

    fn chained(&self, chains: &Chains, claims: &mut Vec<(PropertyKind, bool)>) {
        let operator = &self.operator;
        for (view, table) in operator.views.iter().skip(1).zip(&chains.others) {
            let same = Expr::binary(Op::Eq, self.condition.clone(), condition(view, table));
            claims.push((operator.says(Expr::yes(), Formula::Atom(same)), true));
        }
        for link in &chains.links {
            let first = is_seen(&operator.views[0], &link.first);
            let other = is_seen(&operator.views[link.process], &link.other);
            claims.push((operator.says(first, Formula::Atom(other.not())), false));
        }
        claims.extend(chains.ends.iter().map(|end| (self.is_wrong_at(end), false)));
    }
}

impl Operator {
    /// That something holds wherever a condition does.
    fn says(&self, when: Expr, what: Formula) -> PropertyKind {
        let implied = match what {
            Formula::Atom(what) => Formula::Atom(Expr::or([when.not(), what])),
            what => Formula::Implies(Box::new(Formula::Atom(when)), Box::new(what)),
        };
        match (&self.within, implied) {
            (None, Formula::Atom(e)) => PropertyKind::Invariant(e),
            (None, formula) => PropertyKind::Ctl(Formula::Unary(TemporalOp::AG, Box::new(formula))),
            (Some(Within { start, stay }), formula) => {
                let stay = Formula::Atom(stay.clone());
                let wrong = Formula::And(vec![stay.clone(), Formula::Not(Box::new(formula))]);
                let found = Formula::Path(PathOp::Exists, Box::new(stay), Box::new(wrong));
                PropertyKind::Ctl(Formula::Implies(
                    Box::new(Formula::Atom(start.clone())),
                    Box::new(Formula::Not(Box::new(found))),
                ))
            }
        }
    }
}
