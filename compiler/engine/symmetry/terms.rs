//! Expressions and edges as numbers: two get the same number if they are equal up to the order of commutative operands.
//!
//! A term knows which units it mentions, so that exchanging two units ([`Terms::swap`]) costs nothing where neither
//! is mentioned. Derived variables are replaced by what they stand for, but for those of units that are functions of
//! where a process outside is: they stay what they are, and [`moves`](super::moves) looks after them. Whatever a term equals it equals in every state:
//! expressions are total and exact, so `&&`, `||`, `+` and `*` may be reordered.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::units::{Place, Units};
use crate::system::{Check, Domain, Edge, Event, Expr, Leaf, LocId, Op, System, VarId};
use crate::vocabulary::ProcessId;

/// The number of a term.
pub type Term = u32;

/// What a term is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    Const(i64),
    Var(Place),
    Pick(u32),
    At(Place, Vec<LocId>),
    Not(Term),
    And(Vec<Term>),
    Or(Vec<Term>),
    Neg(Term),
    Sum(Vec<Term>),
    Product(Vec<Term>),
    Binary(Op, Term, Term),
    If(Term, Term, Term),
    Select(Term, Vec<Term>),
    /// What an edge does, wherever it leads: how it counts, its picks, its guard and its updates.
    Action(Kind, Vec<Domain>, Term, Vec<(Term, Term)>),
}

/// How an edge counts for a safety property.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Kind {
    forced: bool,
    fault: bool,
    /// A bit per position in [`Check::ALL`].
    fails: u8,
}

/// All terms seen so far.
pub struct Terms<'a> {
    system: &'a System,
    units: &'a Units,
    numbers: FxHashMap<Node, Term>,
    nodes: Vec<Node>,
    /// For each term the units it mentions, a bit each.
    mentions: Vec<u64>,
    /// For each term a number that stays the same whatever units are exchanged.
    anonymous: Vec<u64>,
    derived: FxHashMap<VarId, Term>,
    /// The variables of units that are functions of the location of a process outside, by that process.
    shown: FxHashMap<ProcessId, Vec<VarId>>,
    /// All of them.
    opaque: FxHashSet<VarId>,
    swapped: FxHashMap<(Term, u8, u8), Term>,
    /// How many nodes have been looked at: the price of all this.
    pub work: usize,
}

impl<'a> Terms<'a> {
    /// None yet.
    pub fn new(system: &'a System, units: &'a Units) -> Self {
        let mut shown: FxHashMap<ProcessId, Vec<VarId>> = FxHashMap::default();
        for var in units.vars.iter().flatten() {
            let shower = system.var(*var).derived.as_ref().and_then(shower);
            if let Some(process) = shower.filter(|p| units.process(*p).unit == Place::NOBODY) {
                shown.entry(process).or_default().push(*var);
            }
        }
        Terms {
            system,
            units,
            opaque: shown.values().flatten().copied().collect(),
            shown,
            numbers: FxHashMap::default(),
            nodes: Vec::new(),
            mentions: Vec::new(),
            anonymous: Vec::new(),
            derived: FxHashMap::default(),
            swapped: FxHashMap::default(),
            work: 0,
        }
    }

    /// The units a term mentions, a bit each.
    pub fn mentions(&self, term: Term) -> u64 {
        self.mentions[term as usize]
    }

    /// What a process without a unit shows to units by its location: variables and their definitions.
    pub fn shown(&self, process: usize) -> impl Iterator<Item = (Place, &'a Expr)> {
        let vars = self.shown.get(&ProcessId(process as u32));
        vars.into_iter().flatten().filter_map(|v| {
            let definition = self.system.var(*v).derived.as_ref()?;
            Some((self.units.var(*v), definition))
        })
    }

    /// The sets of locations of a process without a unit that some term asks about.
    pub fn location_sets(&self, process: usize) -> impl Iterator<Item = &[LocId]> {
        let place = Place {
            unit: Place::NOBODY,
            slot: process as u32,
        };
        self.nodes.iter().filter_map(move |node| match node {
            Node::At(at, set) if *at == place => Some(set.as_slice()),
            _ => None,
        })
    }

    /// The number of an expression.
    pub fn expr(&mut self, expr: &Expr) -> Term {
        self.work += 1;
        let node = match expr {
            Expr::Const(scalar) => Node::Const(scalar.code()),
            Expr::Leaf(Leaf::Var(v)) => match &self.system.var(*v).derived {
                Some(definition) if !self.opaque.contains(v) => {
                    if let Some(term) = self.derived.get(v) {
                        return *term;
                    }
                    let term = self.expr(definition);
                    self.derived.insert(*v, term);
                    return term;
                }
                _ => Node::Var(self.units.var(*v)),
            },
            Expr::Leaf(Leaf::Pick(i)) => Node::Pick(*i),
            Expr::Leaf(Leaf::At(p, at)) => Node::At(self.units.process(*p), at.clone()),
            Expr::Not(e) => Node::Not(self.expr(e)),
            Expr::And(parts) => Node::And(self.exprs(parts)),
            Expr::Or(parts) => Node::Or(self.exprs(parts)),
            Expr::Neg(e) => Node::Neg(self.expr(e)),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                match op {
                    Op::Add => Node::Sum(vec![a, b]),
                    Op::Sub => {
                        let negative = self.number(Node::Neg(b));
                        Node::Sum(vec![a, negative])
                    }
                    Op::Mul => Node::Product(vec![a, b]),
                    _ => Node::Binary(*op, a, b),
                }
            }
            Expr::If(c, a, b) => Node::If(self.expr(c), self.expr(a), self.expr(b)),
            Expr::Select(index, items) => {
                let index = self.expr(index);
                Node::Select(index, self.exprs(items))
            }
        };
        self.number(node)
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Vec<Term> {
        exprs.iter().map(|e| self.expr(e)).collect()
    }

    /// The number of what an edge does, wherever it leads.
    pub fn action(&mut self, edge: &Edge) -> Term {
        let fails = Check::ALL.iter().enumerate().fold(0, |bits, (i, check)| {
            let fails = edge.events.contains(&Event::Failed(*check));
            bits | (u8::from(fails) << i)
        });
        let kind = Kind {
            forced: edge.kind.is_forced(),
            fault: edge.injection().is_some(),
            fails,
        };
        let guard = self.expr(&edge.guard);
        let updates = edge.updates.iter().map(|(var, value)| {
            let var = self.number(Node::Var(self.units.var(*var)));
            (var, self.expr(value))
        });
        let updates = updates.collect();
        self.number(Node::Action(kind, edge.picks.clone(), guard, updates))
    }

    /// The parts of the guard of an action that all have to hold.
    pub fn conjuncts(&self, action: Term) -> &[Term] {
        let Node::Action(_, _, guard, _) = &self.nodes[action as usize] else {
            return &[];
        };
        match &self.nodes[*guard as usize] {
            Node::And(parts) => parts,
            _ => std::slice::from_ref(guard),
        }
    }

    /// What an action writes: where, and the value if it is constant.
    pub fn writes(&self, action: Term) -> Vec<(Place, Option<i64>)> {
        let Node::Action(_, _, _, updates) = &self.nodes[action as usize] else {
            return Vec::new();
        };
        let writes = updates.iter().filter_map(|(var, value)| {
            let value = match self.nodes[*value as usize] {
                Node::Const(code) => Some(code),
                _ => None,
            };
            match self.nodes[*var as usize] {
                Node::Var(place) => Some((place, value)),
                _ => None,
            }
        });
        writes.collect()
    }

    /// The process of a unit and the set of locations, if a term asks where it is.
    pub fn as_location(&self, term: Term) -> Option<(Place, &[LocId])> {
        match &self.nodes[term as usize] {
            Node::At(place, set) if place.unit != Place::NOBODY => Some((*place, set)),
            _ => None,
        }
    }

    /// For each of so many locations of a process outside whether a term holds there, if that is all it asks about.
    pub fn by_location(&self, term: Term, process: usize, count: usize) -> Option<Vec<bool>> {
        let nobody = |place: &Place| place.unit == Place::NOBODY && place.slot as usize == process;
        let mut leaf = term;
        loop {
            leaf = match &self.nodes[leaf as usize] {
                Node::Not(e) => *e,
                Node::Binary(_, a, b) => match &self.nodes[*a as usize] {
                    Node::Const(_) => *b,
                    _ if matches!(self.nodes[*b as usize], Node::Const(_)) => *a,
                    _ => return None,
                },
                Node::At(place, _) if nobody(place) => break,
                Node::Var(place) => {
                    let var = self.units.vars.get(place.unit as usize)?[place.slot as usize];
                    let shown = self.shown.get(&ProcessId(process as u32))?;
                    if shown.contains(&var) {
                        break;
                    }
                    return None;
                }
                _ => return None,
            };
        }
        let value = |l: LocId| match &self.nodes[leaf as usize] {
            Node::At(_, set) => Some(i64::from(set.contains(&l))),
            Node::Var(place) => {
                let var = self.units.vars[place.unit as usize][place.slot as usize];
                let definition = self.system.var(var).derived.as_ref()?;
                Some(value_at(definition, l))
            }
            _ => None,
        };
        (0..count as u32)
            .map(|l| value(LocId(l)).map(|v| self.test(term, v) != 0))
            .collect()
    }

    /// The stored variable of a unit that is all that a term reads.
    pub fn as_test(&self, term: Term) -> Option<Place> {
        let both = |a: Term, b: Term| match (&self.nodes[a as usize], &self.nodes[b as usize]) {
            (Node::Const(_), _) => self.as_test(b),
            (_, Node::Const(_)) => self.as_test(a),
            _ => None,
        };
        match &self.nodes[term as usize] {
            Node::Var(place) => {
                let var = self.units.vars.get(place.unit as usize)?[place.slot as usize];
                self.system.var(var).derived.is_none().then_some(*place)
            }
            Node::Not(e) => self.as_test(*e),
            Node::Binary(_, a, b) => both(*a, *b),
            _ => None,
        }
    }

    /// The value of such a test.
    pub fn test(&self, term: Term, value: i64) -> i64 {
        match &self.nodes[term as usize] {
            Node::Const(code) => *code,
            Node::Not(e) => i64::from(self.test(*e, value) == 0),
            Node::Binary(op, a, b) => op.apply(self.test(*a, value), self.test(*b, value)),
            // What it reads.
            _ => value,
        }
    }

    /// The term with two units exchanged.
    pub fn swap(&mut self, term: Term, i: u8, j: u8) -> Term {
        self.work += 1;
        if self.mentions(term) & (1 << i | 1 << j) == 0 {
            return term;
        }
        let key = (term, i.min(j), i.max(j));
        if let Some(swapped) = self.swapped.get(&key) {
            return *swapped;
        }
        let mut node = self.nodes[term as usize].clone();
        let mut swap = |t: Term| self.swap(t, i, j);
        match &mut node {
            Node::Const(_) | Node::Pick(_) => {}
            Node::Var(place) | Node::At(place, _) => place.swap(i, j),
            Node::Not(e) | Node::Neg(e) => *e = swap(*e),
            Node::And(parts) | Node::Or(parts) | Node::Sum(parts) | Node::Product(parts) => {
                parts.iter_mut().for_each(|t| *t = swap(*t));
            }
            Node::Binary(_, a, b) => [a, b].into_iter().for_each(|t| *t = swap(*t)),
            Node::If(c, a, b) => [c, a, b].into_iter().for_each(|t| *t = swap(*t)),
            Node::Select(index, items) => {
                *index = swap(*index);
                items.iter_mut().for_each(|t| *t = swap(*t));
            }
            Node::Action(_, _, guard, updates) => {
                *guard = swap(*guard);
                for (var, value) in updates {
                    *var = swap(*var);
                    *value = swap(*value);
                }
            }
        }
        let swapped = self.number(node);
        self.swapped.insert(key, swapped);
        swapped
    }

    /// The number of a node, its commutative operands in order.
    fn number(&mut self, mut node: Node) -> Term {
        match &mut node {
            Node::And(parts) => {
                self.flatten(parts, |n| match n {
                    Node::And(inner) => Some(inner),
                    _ => None,
                });
                parts.dedup();
            }
            Node::Or(parts) => {
                self.flatten(parts, |n| match n {
                    Node::Or(inner) => Some(inner),
                    _ => None,
                });
                parts.dedup();
            }
            Node::Sum(parts) => self.flatten(parts, |n| match n {
                Node::Sum(inner) => Some(inner),
                _ => None,
            }),
            Node::Product(parts) => self.flatten(parts, |n| match n {
                Node::Product(inner) => Some(inner),
                _ => None,
            }),
            Node::Binary(op, a, b) => {
                let turned = match op {
                    Op::Gt => Some(Op::Lt),
                    Op::Ge => Some(Op::Le),
                    _ => None,
                };
                if let Some(turned) = turned {
                    *op = turned;
                    std::mem::swap(a, b);
                } else if matches!(op, Op::Eq | Op::Ne) && a > b {
                    std::mem::swap(a, b);
                }
            }
            Node::Action(_, _, _, updates) => updates.sort_unstable(),
            _ => {}
        }
        if let Some(term) = self.numbers.get(&node) {
            return *term;
        }
        let term = self.nodes.len() as Term;
        self.mentions.push(self.mentioned(&node));
        self.anonymous.push(self.without_names(&node));
        self.nodes.push(node.clone());
        self.numbers.insert(node, term);
        term
    }

    /// Puts in order, after replacing operands of the same operator by theirs.
    fn flatten(&self, parts: &mut Vec<Term>, inner: impl Fn(&Node) -> Option<&Vec<Term>>) {
        let is_flat = |t: &Term| inner(&self.nodes[*t as usize]).is_none();
        if !parts.iter().all(is_flat) {
            let nested = std::mem::take(parts);
            for term in nested {
                match inner(&self.nodes[term as usize]) {
                    Some(inner) => parts.extend(inner),
                    None => parts.push(term),
                }
            }
        }
        parts.sort_unstable();
    }

    /// A number that stays the same whatever units are exchanged; terms that differ otherwise hardly ever share one.
    pub fn anonymous(&self, term: Term) -> u64 {
        self.anonymous[term as usize]
    }

    fn without_names(&self, node: &Node) -> u64 {
        let of = |t: &Term| self.anonymous(*t);
        // Operands whose order depends on names are added up.
        let sum = |terms: &[Term]| terms.iter().fold(0u64, |n, t| n.wrapping_add(of(t)));
        let place = |p: &Place| (p.unit == Place::NOBODY, p.slot);
        let hash = |key: (u8, u64, u64)| FxBuildHasher.hash_one(key);
        match node {
            Node::Const(code) => hash((0, *code as u64, 0)),
            Node::Var(p) => FxBuildHasher.hash_one((1u8, place(p))),
            Node::Pick(i) => hash((2, u64::from(*i), 0)),
            Node::At(p, set) => FxBuildHasher.hash_one((3u8, place(p), set)),
            Node::Not(e) => hash((4, of(e), 0)),
            Node::And(parts) => hash((5, sum(parts), 0)),
            Node::Or(parts) => hash((6, sum(parts), 0)),
            Node::Neg(e) => hash((7, of(e), 0)),
            Node::Sum(parts) => hash((8, sum(parts), 0)),
            Node::Product(parts) => hash((9, sum(parts), 0)),
            Node::Binary(op, a, b) if matches!(op, Op::Eq | Op::Ne) => {
                FxBuildHasher.hash_one((10u8, op, sum(&[*a, *b])))
            }
            Node::Binary(op, a, b) => FxBuildHasher.hash_one((11u8, op, of(a), of(b))),
            Node::If(c, a, b) => FxBuildHasher.hash_one((12u8, of(c), of(a), of(b))),
            Node::Select(index, items) => {
                let items: Vec<u64> = items.iter().map(of).collect();
                FxBuildHasher.hash_one((13u8, of(index), items))
            }
            Node::Action(kind, picks, guard, updates) => {
                let updates = updates
                    .iter()
                    .map(|(var, value)| hash((14, of(var), of(value))));
                let updates = updates.fold(0u64, u64::wrapping_add);
                FxBuildHasher.hash_one((15u8, kind, picks, of(guard), updates))
            }
        }
    }

    fn mentioned(&self, node: &Node) -> u64 {
        let all = |terms: &[Term]| terms.iter().fold(0, |m, t| m | self.mentions(*t));
        match node {
            Node::Const(_) | Node::Pick(_) => 0,
            Node::Var(place) | Node::At(place, _) => place.mentions(),
            Node::Not(e) | Node::Neg(e) => self.mentions(*e),
            Node::And(parts) | Node::Or(parts) | Node::Sum(parts) | Node::Product(parts) => {
                all(parts)
            }
            Node::Binary(_, a, b) => all(&[*a, *b]),
            Node::If(c, a, b) => all(&[*c, *a, *b]),
            Node::Select(index, items) => self.mentions(*index) | all(items),
            Node::Action(_, _, guard, updates) => updates
                .iter()
                .fold(self.mentions(*guard), |m, (var, value)| {
                    m | self.mentions(*var) | self.mentions(*value)
                }),
        }
    }
}

/// The value of an expression that reads nothing but the location of one process.
pub fn value_at(expr: &Expr, location: LocId) -> i64 {
    expr.eval(&|leaf| match leaf {
        Leaf::At(_, set) => i64::from(set.contains(&location)),
        _ => 0,
    })
}

/// The process whose location is all that an expression reads.
fn shower(expr: &Expr) -> Option<ProcessId> {
    let mut process = None;
    let mut is_other = false;
    expr.leaves(&mut |leaf| match leaf {
        Leaf::At(p, _) if process.is_none_or(|q| q == *p) => process = Some(*p),
        _ => is_other = true,
    });
    process.filter(|_| !is_other)
}
