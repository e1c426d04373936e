//! Walks through expressions: over other leaves, to collect leaves, to find a value or its bounds.
//!
//! Those that may meet a large shared part again remember what became of it.

use std::marker::PhantomData;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Expr, Leaves, List, Shared, hull};

/// Smaller parts are quicker looked at again than found in a table.
const WORTH: u32 = 12;

/// What became of shared parts, while expressions are written over other leaves, all of them in the same way.
pub struct Memo<L, M> {
    // The old parts are kept, so that no other comes to be where they were.
    nodes: FxHashMap<usize, (Shared<L>, Expr<M>)>,
    lists: FxHashMap<usize, (List<L>, List<M>)>,
}

/// What became of shared parts, while leaves of expressions are replaced, in all of them in the same way.
pub struct Replaced<L> {
    nodes: FxHashMap<usize, (Shared<L>, Option<Expr<L>>)>,
    lists: FxHashMap<usize, (List<L>, Option<List<L>>)>,
}

/// The shared parts whose leaves have been visited.
pub struct Seen<'a, L> {
    places: FxHashSet<usize>,
    exprs: PhantomData<&'a Expr<L>>,
}

impl<L, M> Default for Memo<L, M> {
    fn default() -> Self {
        Memo {
            nodes: FxHashMap::default(),
            lists: FxHashMap::default(),
        }
    }
}

impl<L> Default for Replaced<L> {
    fn default() -> Self {
        Replaced {
            nodes: FxHashMap::default(),
            lists: FxHashMap::default(),
        }
    }
}

impl<L> Default for Seen<'_, L> {
    fn default() -> Self {
        Seen {
            places: FxHashSet::default(),
            exprs: PhantomData,
        }
    }
}

impl<L> Seen<'_, L> {
    /// Whether a part is worth a visit: it reads something and has not been visited.
    fn is_new(&mut self, place: usize, size: u32, shared: bool, closed: bool) -> bool {
        !closed && (size < WORTH || !shared || self.places.insert(place))
    }
}

impl<L: Leaves> Expr<L> {
    /// The same expression over other leaves, constants folded again.
    pub fn map<M: Leaves>(&self, leaf: &mut impl FnMut(&L) -> Expr<M>) -> Expr<M> {
        self.map_in(&mut Memo::default(), leaf)
    }

    /// The same; parts that others share are written once for all that use the same memo.
    pub fn map_in<M: Leaves>(
        &self,
        memo: &mut Memo<L, M>,
        leaf: &mut impl FnMut(&L) -> Expr<M>,
    ) -> Expr<M> {
        match self {
            Expr::Const(scalar) => Expr::Const(*scalar),
            Expr::Leaf(l) => leaf(l),
            Expr::Not(e) => e.map_part(memo, leaf).not(),
            Expr::And(parts) => Expr::and(parts.map_items(memo, leaf)),
            Expr::Or(parts) => Expr::or(parts.map_items(memo, leaf)),
            Expr::Neg(e) => e.map_part(memo, leaf).negated(),
            Expr::Binary(op, a, b) => {
                Expr::binary(*op, a.map_part(memo, leaf), b.map_part(memo, leaf))
            }
            // What is not chosen is not looked at: of a large array one element is, when a run is replayed.
            Expr::If(c, a, b) => {
                let c = c.map_part(memo, leaf);
                match c.as_const() {
                    Some(0) => b.map_part(memo, leaf),
                    Some(_) => a.map_part(memo, leaf),
                    None => Expr::ite(c, a.map_part(memo, leaf), b.map_part(memo, leaf)),
                }
            }
            Expr::Select(index, items) => {
                let index = index.map_part(memo, leaf);
                match index.as_const() {
                    Some(code) => items.at(code).map_in(memo, leaf),
                    None => Expr::item(index, items.map_list(memo, leaf)),
                }
            }
        }
    }

    /// The same expression with some leaves replaced, constants folded again; what has none of them stays shared.
    pub fn replace(&self, leaf: &mut impl FnMut(&L) -> Option<Expr<L>>) -> Expr<L> {
        self.replace_in(&mut Replaced::default(), leaf)
    }

    /// The same; parts that others share are looked at once for all that use the same memo.
    pub fn replace_in(
        &self,
        memo: &mut Replaced<L>,
        leaf: &mut impl FnMut(&L) -> Option<Expr<L>>,
    ) -> Expr<L> {
        self.replaced(memo, leaf).unwrap_or_else(|| self.clone())
    }

    /// The expression with leaves replaced, or nothing if it has none of them.
    fn replaced(
        &self,
        memo: &mut Replaced<L>,
        leaf: &mut impl FnMut(&L) -> Option<Expr<L>>,
    ) -> Option<Expr<L>> {
        if self.is_closed() {
            return None;
        }
        match self {
            Expr::Const(_) => None,
            Expr::Leaf(l) => leaf(l),
            Expr::Not(e) => Some(e.replace_part(memo, leaf)?.not()),
            Expr::And(parts) => Some(Expr::and(parts.replace_items(memo, leaf)?)),
            Expr::Or(parts) => Some(Expr::or(parts.replace_items(memo, leaf)?)),
            Expr::Neg(e) => Some(e.replace_part(memo, leaf)?.negated()),
            Expr::Binary(op, a, b) => {
                let (x, y) = (a.replace_part(memo, leaf), b.replace_part(memo, leaf));
                let changed = x.is_some() || y.is_some();
                changed.then(|| Expr::binary(*op, a.or(x), b.or(y)))
            }
            Expr::If(c, a, b) => {
                let x = c.replace_part(memo, leaf);
                let (y, z) = (a.replace_part(memo, leaf), b.replace_part(memo, leaf));
                let changed = x.is_some() || y.is_some() || z.is_some();
                changed.then(|| Expr::ite(c.or(x), a.or(y), b.or(z)))
            }
            Expr::Select(index, items) => {
                let at = index.replace_part(memo, leaf);
                if let Some(code) = at.as_ref().and_then(Expr::as_const) {
                    let item = items.at(code);
                    return Some(item.replaced(memo, leaf).unwrap_or_else(|| item.clone()));
                }
                let list = items.replace_list(memo, leaf);
                let changed = at.is_some() || list.is_some();
                changed.then(|| Expr::item(index.or(at), list.unwrap_or_else(|| items.clone())))
            }
        }
    }

    /// Calls `visit` for every leaf, from the left; in a large part that occurs several times only once.
    pub fn leaves<'a>(&'a self, visit: &mut impl FnMut(&'a L)) {
        self.leaves_in(&mut Seen::default(), visit);
    }

    /// The same; large parts that have been seen are passed over.
    pub fn leaves_in<'a>(&'a self, seen: &mut Seen<'a, L>, visit: &mut impl FnMut(&'a L)) {
        match self {
            Expr::Const(_) => {}
            Expr::Leaf(l) => visit(l),
            Expr::Not(e) | Expr::Neg(e) => e.visit_part(seen, visit),
            Expr::And(parts) | Expr::Or(parts) => parts.visit_items(seen, visit),
            Expr::Binary(_, a, b) => {
                a.visit_part(seen, visit);
                b.visit_part(seen, visit);
            }
            Expr::If(c, a, b) => {
                c.visit_part(seen, visit);
                a.visit_part(seen, visit);
                b.visit_part(seen, visit);
            }
            Expr::Select(index, items) => {
                index.visit_part(seen, visit);
                items.visit_items(seen, visit);
            }
        }
    }

    /// Whether all leaves are like this; ends at the first that is not.
    pub fn all_leaves(&self, like: &mut impl FnMut(&L) -> bool) -> bool {
        if self.is_closed() {
            return true;
        }
        match self {
            Expr::Const(_) => true,
            Expr::Leaf(l) => like(l),
            Expr::Not(e) | Expr::Neg(e) => e.all_leaves(like),
            Expr::And(parts) | Expr::Or(parts) => parts.iter().all(|e| e.all_leaves(like)),
            Expr::Binary(_, a, b) => a.all_leaves(like) && b.all_leaves(like),
            Expr::If(c, a, b) => c.all_leaves(like) && a.all_leaves(like) && b.all_leaves(like),
            Expr::Select(index, items) => {
                index.all_leaves(like)
                    && (items.is_closed() || items.iter().all(|e| e.all_leaves(like)))
            }
        }
    }

    /// Its value, given those of its leaves.
    pub fn eval(&self, leaf: &impl Fn(&L) -> i64) -> i64 {
        match self {
            Expr::Const(scalar) => scalar.code(),
            Expr::Leaf(l) => leaf(l),
            Expr::Not(e) => i64::from(e.eval(leaf) == 0),
            Expr::And(parts) => i64::from(parts.iter().all(|e| e.eval(leaf) != 0)),
            Expr::Or(parts) => i64::from(parts.iter().any(|e| e.eval(leaf) != 0)),
            Expr::Neg(e) => -e.eval(leaf),
            Expr::Binary(op, a, b) => op.apply(a.eval(leaf), b.eval(leaf)),
            Expr::If(c, a, b) => if c.eval(leaf) != 0 { a } else { b }.eval(leaf),
            Expr::Select(index, items) => items.at(index.eval(leaf)).eval(leaf),
        }
    }

    /// Bounds on its value, given those of its leaves: `lo <= value <= hi`.
    pub fn bounds(&self, leaf: &impl Fn(&L) -> (i64, i64)) -> (i64, i64) {
        self.bounds_in(&mut FxHashMap::default(), leaf)
    }

    fn bounds_in(&self, known: &mut Bounds, leaf: &impl Fn(&L) -> (i64, i64)) -> (i64, i64) {
        match self {
            Expr::Const(scalar) => (scalar.code(), scalar.code()),
            Expr::Leaf(l) => leaf(l),
            Expr::Not(e) => {
                let (lo, hi) = e.part_bounds(known, leaf);
                (1 - hi, 1 - lo)
            }
            Expr::And(parts) => parts.iter().fold((1, 1), |(lo, hi), e| {
                let (a, b) = e.bounds_in(known, leaf);
                (lo.min(a), hi.min(b))
            }),
            Expr::Or(parts) => parts.iter().fold((0, 0), |(lo, hi), e| {
                let (a, b) = e.bounds_in(known, leaf);
                (lo.max(a), hi.max(b))
            }),
            Expr::Neg(e) => {
                let (lo, hi) = e.part_bounds(known, leaf);
                (-hi, -lo)
            }
            Expr::Binary(op, a, b) => {
                op.bounds(a.part_bounds(known, leaf), b.part_bounds(known, leaf))
            }
            Expr::If(c, a, b) => match c.part_bounds(known, leaf) {
                (1, _) => a.part_bounds(known, leaf),
                (_, 0) => b.part_bounds(known, leaf),
                _ => hull(a.part_bounds(known, leaf), b.part_bounds(known, leaf)),
            },
            Expr::Select(index, items) => {
                let (lo, hi) = index.part_bounds(known, leaf);
                let last = items.len() as i64 - 1;
                let inside = lo >= 0 && hi <= last;
                let (first, end) = if inside { (lo, hi) } else { (0, last) };
                match items.constants() {
                    Some(all) if (first, end) == (0, last) => all,
                    _ => items[first as usize..=end as usize]
                        .iter()
                        .map(|e| e.bounds_in(known, leaf))
                        .reduce(hull)
                        .expect("a select has items"),
                }
            }
        }
    }
}

/// The bounds of shared parts.
type Bounds = FxHashMap<usize, (i64, i64)>;

impl<L: Leaves> Shared<L> {
    fn is_worth_it(&self) -> bool {
        self.nodes() >= WORTH && self.is_shared()
    }

    fn map_part<M: Leaves>(
        &self,
        memo: &mut Memo<L, M>,
        leaf: &mut impl FnMut(&L) -> Expr<M>,
    ) -> Expr<M> {
        if !self.is_worth_it() {
            return self.map_in(memo, leaf);
        }
        if let Some((_, known)) = memo.nodes.get(&self.place()) {
            return known.clone();
        }
        let new = self.map_in(memo, leaf);
        memo.nodes.insert(self.place(), (self.clone(), new.clone()));
        new
    }

    fn replace_part(
        &self,
        memo: &mut Replaced<L>,
        leaf: &mut impl FnMut(&L) -> Option<Expr<L>>,
    ) -> Option<Expr<L>> {
        if !self.is_worth_it() {
            return self.replaced(memo, leaf);
        }
        if let Some((_, known)) = memo.nodes.get(&self.place()) {
            return known.clone();
        }
        let new = self.replaced(memo, leaf);
        memo.nodes.insert(self.place(), (self.clone(), new.clone()));
        new
    }

    /// What it was replaced by, or itself.
    fn or(&self, replaced: Option<Expr<L>>) -> Shared<L> {
        replaced.map_or_else(|| self.clone(), Shared::new)
    }

    fn visit_part<'a>(&'a self, seen: &mut Seen<'a, L>, visit: &mut impl FnMut(&'a L)) {
        if seen.is_new(
            self.place(),
            self.nodes(),
            self.is_shared(),
            self.is_closed(),
        ) {
            self.leaves_in(seen, visit);
        }
    }

    fn part_bounds(&self, known: &mut Bounds, leaf: &impl Fn(&L) -> (i64, i64)) -> (i64, i64) {
        if !self.is_worth_it() {
            return self.bounds_in(known, leaf);
        }
        if let Some(bounds) = known.get(&self.place()) {
            return *bounds;
        }
        let bounds = self.bounds_in(known, leaf);
        known.insert(self.place(), bounds);
        bounds
    }
}

impl<L: Leaves> List<L> {
    fn is_worth_it(&self) -> bool {
        self.nodes() >= WORTH && self.is_shared()
    }

    fn map_items<M: Leaves>(
        &self,
        memo: &mut Memo<L, M>,
        leaf: &mut impl FnMut(&L) -> Expr<M>,
    ) -> Vec<Expr<M>> {
        self.iter().map(|e| e.map_in(memo, leaf)).collect()
    }

    fn map_list<M: Leaves>(
        &self,
        memo: &mut Memo<L, M>,
        leaf: &mut impl FnMut(&L) -> Expr<M>,
    ) -> List<M> {
        if let Some((_, known)) = memo.lists.get(&self.place()) {
            return known.clone();
        }
        let new = List::new(self.map_items(memo, leaf));
        if self.is_worth_it() {
            memo.lists.insert(self.place(), (self.clone(), new.clone()));
        }
        new
    }

    /// The items with leaves replaced, or nothing if they have none of them.
    fn replace_items(
        &self,
        memo: &mut Replaced<L>,
        leaf: &mut impl FnMut(&L) -> Option<Expr<L>>,
    ) -> Option<Vec<Expr<L>>> {
        let mut new: Option<Vec<Expr<L>>> = None;
        for (index, item) in self.iter().enumerate() {
            let replaced = item.replaced(memo, leaf);
            if new.is_none() && replaced.is_some() {
                new = Some(self[..index].to_vec());
            }
            if let Some(new) = &mut new {
                new.push(replaced.unwrap_or_else(|| item.clone()));
            }
        }
        new
    }

    fn replace_list(
        &self,
        memo: &mut Replaced<L>,
        leaf: &mut impl FnMut(&L) -> Option<Expr<L>>,
    ) -> Option<List<L>> {
        if self.is_closed() {
            return None;
        }
        if let Some((_, known)) = memo.lists.get(&self.place()) {
            return known.clone();
        }
        let new = self.replace_items(memo, leaf).map(List::new);
        if self.is_worth_it() {
            memo.lists.insert(self.place(), (self.clone(), new.clone()));
        }
        new
    }

    fn visit_items<'a>(&'a self, seen: &mut Seen<'a, L>, visit: &mut impl FnMut(&'a L)) {
        if seen.is_new(
            self.place(),
            self.nodes(),
            self.is_shared(),
            self.is_closed(),
        ) {
            self.iter().for_each(|e| e.leaves_in(seen, visit));
        }
    }
}
