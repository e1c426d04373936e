//! Sets of values, exact while small.

use std::cell::Cell;
use std::marker::PhantomData;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::system::expr::{List, Shared, hull};
use crate::system::{Domain, Expr, Leaf};

/// As many values are told apart; more of them become an interval.
const MOST_VALUES: usize = 64;

/// As many combinations of leaves are tried before an expression is bounded instead.
const MOST_COMBINATIONS: usize = 2048;

/// As many nodes are evaluated, all combinations together, before an expression is bounded instead.
const MOST_WORK: usize = 1 << 16;

/// With more nodes than this an expression is not tried as a whole.
const MOST_NODES: usize = 1024;

/// With at most so many nodes a part is looked at again wherever it occurs.
const FEW_NODES: usize = 12;

/// With more leaves than this those whose values are known are put in first.
const FEW_LEAVES: usize = 8;

/// A set of codes; never smaller than the truth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Values {
    /// Exactly these, in order; empty if impossible.
    These(Vec<i64>),
    /// All from one to the other.
    Between(i64, i64),
}

impl Values {
    pub(super) fn one(code: i64) -> Values {
        Values::These(vec![code])
    }

    pub(super) fn all(domain: Domain) -> Values {
        let (lo, hi) = domain.bounds();
        Values::between(lo, hi)
    }

    fn between(lo: i64, hi: i64) -> Values {
        if hi - lo < MOST_VALUES as i64 {
            Values::These((lo..=hi).collect())
        } else {
            Values::Between(lo, hi)
        }
    }

    pub(super) fn of(mut codes: Vec<i64>) -> Values {
        codes.sort_unstable();
        codes.dedup();
        if codes.len() <= MOST_VALUES {
            Values::These(codes)
        } else {
            Values::Between(codes[0], codes[codes.len() - 1])
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Values::These(codes) if codes.is_empty())
    }

    /// The only value.
    pub(super) fn single(&self) -> Option<i64> {
        match self {
            Values::These(codes) if codes.len() == 1 => Some(codes[0]),
            _ => None,
        }
    }

    /// Whether a boolean can be true.
    pub(super) fn can_be_true(&self) -> bool {
        self.contains(1)
    }

    /// Whether a boolean can be false.
    pub(super) fn can_be_false(&self) -> bool {
        self.contains(0)
    }

    fn contains(&self, code: i64) -> bool {
        match self {
            Values::These(codes) => codes.contains(&code),
            Values::Between(lo, hi) => *lo <= code && code <= *hi,
        }
    }

    fn bounds(&self) -> Option<(i64, i64)> {
        match self {
            Values::These(codes) => Some((*codes.first()?, *codes.last()?)),
            Values::Between(lo, hi) => Some((*lo, *hi)),
        }
    }

    /// Only those in a domain.
    pub(super) fn within(self, domain: Domain) -> Values {
        let (least, greatest) = domain.bounds();
        match self {
            Values::These(mut codes) => {
                codes.retain(|c| least <= *c && *c <= greatest);
                Values::These(codes)
            }
            Values::Between(lo, hi) => Values::between(lo.max(least), hi.min(greatest)),
        }
    }

    /// Adds values; whether there were new ones. An interval that grows takes all of the domain on that side, so
    /// that growing ends.
    pub(super) fn add(&mut self, other: &Values, domain: Domain) -> bool {
        let joined = match (&*self, other) {
            (Values::These(a), Values::These(b)) => {
                if b.iter().all(|code| a.contains(code)) {
                    return false;
                }
                Values::of(a.iter().chain(b).copied().collect())
            }
            _ => {
                let (Some(a), Some(b)) = (self.bounds(), other.bounds()) else {
                    if self.is_empty() && !other.is_empty() {
                        *self = other.clone();
                        return true;
                    }
                    return false;
                };
                if matches!(self, Values::Between(..)) && a.0 <= b.0 && b.1 <= a.1 {
                    return false;
                }
                let (least, greatest) = domain.bounds();
                let lo = if b.0 < a.0 { least } else { a.0 };
                let hi = if b.1 > a.1 { greatest } else { a.1 };
                Values::Between(lo, hi)
            }
        };
        let changed = joined != *self;
        *self = joined;
        changed
    }
}

/// The values an expression can have, given those of its leaves.
pub(super) fn image(expr: &Expr, of: &impl Fn(&Leaf) -> Values) -> Values {
    Images::default().image(expr, of)
}

/// The values of parts that expressions share, as long as those of the leaves stay the same.
#[derive(Default)]
pub(super) struct Images<'a> {
    known: FxHashMap<usize, Values>,
    exprs: PhantomData<&'a Expr>,
}

impl<'a> Images<'a> {
    /// The values an expression can have, given those of its leaves.
    pub(super) fn image(&mut self, expr: &'a Expr, of: &impl Fn(&Leaf) -> Values) -> Values {
        match expr {
            Expr::Const(scalar) => return Values::one(scalar.code()),
            Expr::Leaf(leaf) => return of(leaf),
            _ => {}
        }
        if expr.size() > MOST_NODES {
            return self.by_parts(expr, of);
        }
        let mut leaves = IndexSet::with_hasher(FxBuildHasher);
        expr.leaves(&mut |leaf| {
            leaves.insert(leaf);
        });
        let sets: Vec<(&Leaf, Values)> = leaves.into_iter().map(|leaf| (leaf, of(leaf))).collect();
        if let Some(values) = exact(expr, &sets) {
            return values;
        }
        self.by_parts(expr, of)
    }

    fn part(&mut self, part: &'a Shared<Leaf>, of: &impl Fn(&Leaf) -> Values) -> Values {
        if part.size() <= FEW_NODES || !part.is_shared() {
            return self.image(part, of);
        }
        if let Some(known) = self.known.get(&part.place()) {
            return known.clone();
        }
        let values = self.image(part, of);
        self.known.insert(part.place(), values.clone());
        values
    }

    /// The values an expression can have, given those of its parts.
    fn by_parts(&mut self, expr: &'a Expr, of: &impl Fn(&Leaf) -> Values) -> Values {
        match expr {
            Expr::Not(e) => {
                let e = self.part(e, of);
                truth(e.can_be_true(), e.can_be_false())
            }
            Expr::And(parts) => {
                let parts: Vec<Values> = parts.iter().map(|e| self.image(e, of)).collect();
                truth(
                    parts.iter().any(Values::can_be_false),
                    parts.iter().all(Values::can_be_true),
                )
            }
            Expr::Or(parts) => {
                let parts: Vec<Values> = parts.iter().map(|e| self.image(e, of)).collect();
                truth(
                    parts.iter().all(Values::can_be_false),
                    parts.iter().any(Values::can_be_true),
                )
            }
            Expr::If(c, a, b) => {
                let c = self.part(c, of);
                let mut sets = Vec::new();
                for (possible, e) in [(c.can_be_true(), a), (c.can_be_false(), b)] {
                    if possible {
                        sets.push(self.part(e, of));
                    }
                }
                union(sets.into_iter())
            }
            Expr::Select(index, items) => match self.part(index, of) {
                Values::These(codes) => {
                    let chosen = codes.iter().map(|code| self.image(items.at(*code), of));
                    union(chosen.collect::<Vec<_>>().into_iter())
                }
                Values::Between(..) => self.items(items, of),
            },
            Expr::Binary(..) | Expr::Neg(_) if expr.size() <= MOST_NODES => {
                let impossible = Cell::new(false);
                let (lo, hi) = expr.bounds(&|leaf| {
                    of(leaf).bounds().unwrap_or_else(|| {
                        impossible.set(true);
                        (0, 0)
                    })
                });
                match impossible.get() {
                    true => Values::These(Vec::new()),
                    false => Values::between(lo, hi),
                }
            }
            Expr::Binary(op, a, b) => {
                match (self.part(a, of).bounds(), self.part(b, of).bounds()) {
                    (Some(a), Some(b)) => {
                        let (lo, hi) = op.bounds(a, b);
                        Values::between(lo, hi)
                    }
                    _ => Values::These(Vec::new()),
                }
            }
            Expr::Neg(e) => match self.part(e, of).bounds() {
                Some((lo, hi)) => Values::between(-hi, -lo),
                None => Values::These(Vec::new()),
            },
            Expr::Const(_) | Expr::Leaf(_) => self.image(expr, of),
        }
    }

    /// The values that the items of a list can have.
    fn items(&mut self, items: &'a List<Leaf>, of: &impl Fn(&Leaf) -> Values) -> Values {
        if let Some(values) = constants(items) {
            return values;
        }
        if let Some(known) = self.known.get(&items.place()) {
            return known.clone();
        }
        let all: Vec<Values> = items.iter().map(|e| self.image(e, of)).collect();
        let values = union(all.into_iter());
        self.known.insert(items.place(), values.clone());
        values
    }
}

/// The values of a list of constants, the table of an operator say: of a large one no more is looked at than is needed to see that
/// there are many.
fn constants(items: &List<Leaf>) -> Option<Values> {
    let (lo, hi) = items.constants()?;
    let mut codes: Vec<i64> = Vec::new();
    for code in items.iter().filter_map(Expr::as_const) {
        if let Err(place) = codes.binary_search(&code) {
            codes.insert(place, code);
        }
        if codes.len() > MOST_VALUES {
            return Some(Values::Between(lo, hi));
        }
    }
    Some(Values::These(codes))
}

fn truth(can_be_false: bool, can_be_true: bool) -> Values {
    let codes = [(0, can_be_false), (1, can_be_true)];
    Values::These(
        codes
            .into_iter()
            .filter(|(_, can)| *can)
            .map(|(code, _)| code)
            .collect(),
    )
}

fn union(sets: impl Iterator<Item = Values>) -> Values {
    let mut codes = Vec::new();
    let mut bounds: Option<(i64, i64)> = None;
    let mut wide = false;
    for set in sets {
        if let Some(b) = set.bounds() {
            bounds = Some(bounds.map_or(b, |a| hull(a, b)));
        }
        match set {
            Values::These(more) => codes.extend(more),
            Values::Between(..) => wide = true,
        }
    }
    match bounds {
        Some((lo, hi)) if wide => Values::Between(lo, hi),
        _ => Values::of(codes),
    }
}

/// The values found by trying every combination, if there are few.
fn exact(expr: &Expr, sets: &[(&Leaf, Values)]) -> Option<Values> {
    let mut lists = Vec::new();
    let mut combinations = 1;
    for (leaf, values) in sets {
        let Values::These(codes) = values else {
            return None;
        };
        combinations *= codes.len();
        if combinations > MOST_COMBINATIONS {
            return None;
        }
        lists.push((*leaf, codes));
    }
    // What is known is put in once, not with each combination.
    let mut folded = None;
    if lists.len() > FEW_LEAVES {
        let (known, open): (Vec<_>, Vec<_>) = lists.into_iter().partition(|l| l.1.len() == 1);
        let known: FxHashMap<&Leaf, i64> = known.into_iter().map(|(l, c)| (l, c[0])).collect();
        lists = open;
        folded = Some(expr.map(&mut |leaf| match known.get(leaf) {
            Some(code) => Expr::int(*code),
            None => Expr::Leaf(leaf.clone()),
        }));
    }
    let expr = folded.as_ref().unwrap_or(expr);
    if combinations * expr.size() > MOST_WORK {
        return None;
    }
    let most = if is_boolean(expr) { 2 } else { usize::MAX };
    let mut found = Vec::new();
    for number in 0..combinations {
        let mut rest = number;
        let chosen: Vec<(&Leaf, i64)> = lists
            .iter()
            .map(|(leaf, codes)| {
                let code = codes[rest % codes.len()];
                rest /= codes.len();
                (*leaf, code)
            })
            .collect();
        let value = expr.eval(&|leaf| {
            chosen
                .iter()
                .find(|(l, _)| *l == leaf)
                .map_or(0, |(_, code)| *code)
        });
        if !found.contains(&value) {
            found.push(value);
        }
        if found.len() == most {
            break;
        }
    }
    Some(Values::of(found))
}

/// Whether an expression is true or false by its outermost operator.
fn is_boolean(expr: &Expr) -> bool {
    match expr {
        Expr::Not(_) | Expr::And(_) | Expr::Or(_) => true,
        Expr::Binary(op, _, _) => op.is_comparison(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Op, VarId};

    #[test]
    fn sets_are_exact_while_small_and_bounded_beyond() {
        let leaf = |i| Expr::Leaf(Leaf::Var(VarId(i)));
        let product = Expr::binary(Op::Mul, leaf(0), leaf(1));
        let small = |_: &Leaf| Values::These(vec![1, 3]);
        assert_eq!(image(&product, &small), Values::These(vec![1, 3, 9]));
        let large = |_: &Leaf| Values::Between(0, 1000);
        assert_eq!(image(&product, &large), Values::Between(0, 1_000_000));
        let never = Expr::binary(Op::Lt, leaf(0), Expr::int(0));
        assert!(!image(&never, &large).can_be_true());
        // A leaf without a value makes everything impossible.
        assert!(image(&product, &|_| Values::These(Vec::new())).is_empty());
    }

    #[test]
    fn growing_ends() {
        let domain = Domain::Int { lo: 0, hi: 1 << 40 };
        let mut values = Values::one(0);
        let mut rounds = 0;
        while values.add(
            &image(
                &Expr::binary(Op::Add, Expr::Leaf(Leaf::Pick(0)), Expr::int(1)),
                &|_| values.clone(),
            )
            .within(domain),
            domain,
        ) {
            rounds += 1;
            assert!(rounds < 100);
        }
        assert_eq!(values.bounds(), Some((0, 1 << 40)));
    }
}
