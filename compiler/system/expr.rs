//! Expressions over scalars, generic in what they read.
//!
//! A process graph reads channels symbolically ([`graph::Leaf`](crate::graph::Leaf)), a System only
//! variables, picks and locations ([`weave::Leaf`](crate::system::Leaf)); the operators are the same. Arrays
//! and bit operators are gone: an element read by a computed index is a [`Expr::Select`], and so is a
//! bit operator (a table of constants).
//!
//! Every expression has a value in every state: a division by zero yields 0, a `Select` whose index is out
//! of bounds its last item. The run-time checks keep processes from ever using such a value.

use crate::vocabulary::DataId;

/// A scalar constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// A `bool`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// The constructor with this index.
    Data(DataId, u32),
}

impl Scalar {
    /// The number that stands for it in a state: booleans are 0 and 1, constructors their index.
    pub fn code(self) -> i64 {
        match self {
            Scalar::Bool(b) => i64::from(b),
            Scalar::Int(i) => i,
            Scalar::Data(_, index) => i64::from(index),
        }
    }
}

/// The values a variable or pick ranges over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Domain {
    /// false, true
    Bool,
    /// The integers lo to hi.
    Int {
        /// Least value.
        lo: i64,
        /// Greatest value.
        hi: i64,
    },
    /// The constructors of a `data` type, of which there are `count`.
    Data {
        /// The type.
        data: DataId,
        /// Its number of constructors.
        count: u32,
    },
}

impl Domain {
    /// Least and greatest code.
    pub fn bounds(self) -> (i64, i64) {
        match self {
            Domain::Bool => (0, 1),
            Domain::Int { lo, hi } => (lo, hi),
            Domain::Data { count, .. } => (0, i64::from(count) - 1),
        }
    }

    /// How many values there are.
    pub fn size(self) -> u64 {
        let (lo, hi) = self.bounds();
        (hi - lo + 1) as u64
    }

    /// The constant a code stands for.
    pub fn scalar(self, code: i64) -> Scalar {
        match self {
            Domain::Bool => Scalar::Bool(code != 0),
            Domain::Int { .. } => Scalar::Int(code),
            Domain::Data { data, .. } => Scalar::Data(data, code as u32),
        }
    }

    /// 0 if inside, else the least value.
    pub fn zero(self) -> i64 {
        let (lo, hi) = self.bounds();
        if lo <= 0 && 0 <= hi { 0 } else { lo }
    }
}

/// An expression whose leaves are `L`. Booleans evaluate to 0 and 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr<L> {
    /// A constant.
    Const(Scalar),
    /// What it reads.
    Leaf(L),
    /// `!e`
    Not(Box<Expr<L>>),
    /// All of them, evaluated from the left until one is false; true if empty.
    And(Vec<Expr<L>>),
    /// One of them, evaluated from the left until one is true; false if empty.
    Or(Vec<Expr<L>>),
    /// `-e`
    Neg(Box<Expr<L>>),
    /// A comparison or arithmetic.
    Binary(Op, Box<Expr<L>>, Box<Expr<L>>),
    /// `if c then a else b`
    If(Box<Expr<L>>, Box<Expr<L>>, Box<Expr<L>>),
    /// The item at an index from 0; the last one if out of bounds. Never empty.
    Select(Box<Expr<L>>, Vec<Expr<L>>),
}

/// Infix operators on scalars.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    /// Truncates towards zero; by zero it yields 0.
    Div,
    /// Has the sign of the dividend; by zero it yields 0.
    Rem,
}

impl Op {
    /// Its token.
    pub fn as_str(self) -> &'static str {
        match self {
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Rem => "%",
        }
    }

    /// Whether it yields a boolean.
    pub fn is_comparison(self) -> bool {
        matches!(self, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge)
    }

    /// Its value.
    pub fn apply(self, a: i64, b: i64) -> i64 {
        match self {
            Op::Eq => i64::from(a == b),
            Op::Ne => i64::from(a != b),
            Op::Lt => i64::from(a < b),
            Op::Le => i64::from(a <= b),
            Op::Gt => i64::from(a > b),
            Op::Ge => i64::from(a >= b),
            Op::Add => a + b,
            Op::Sub => a - b,
            Op::Mul => a * b,
            Op::Div => a.checked_div(b).unwrap_or(0),
            Op::Rem => a.checked_rem(b).unwrap_or(0),
        }
    }
}

/// Constructors that fold constants.
impl<L: Clone + PartialEq> Expr<L> {
    /// `true`
    pub fn yes() -> Self {
        Expr::bool(true)
    }

    /// `false`
    pub fn no() -> Self {
        Expr::bool(false)
    }

    /// A boolean constant.
    pub fn bool(value: bool) -> Self {
        Expr::Const(Scalar::Bool(value))
    }

    /// An integer constant.
    pub fn int(value: i64) -> Self {
        Expr::Const(Scalar::Int(value))
    }

    /// The code of a constant.
    pub fn as_const(&self) -> Option<i64> {
        match self {
            Expr::Const(scalar) => Some(scalar.code()),
            _ => None,
        }
    }

    /// Whether it is the constant `true`.
    pub fn is_yes(&self) -> bool {
        *self == Expr::Const(Scalar::Bool(true))
    }

    /// Whether it is the constant `false`.
    pub fn is_no(&self) -> bool {
        *self == Expr::Const(Scalar::Bool(false))
    }

    /// `!e`
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Self {
        match self {
            Expr::Const(Scalar::Bool(b)) => Expr::bool(!b),
            Expr::Not(inner) => *inner,
            other => Expr::Not(Box::new(other)),
        }
    }

    /// All of them, in order.
    pub fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Expr::And(inner) => all.extend(inner),
                part if part.is_yes() => {}
                part if part.is_no() => return Expr::no(),
                part => all.push(part),
            }
        }
        match all.len() {
            0 => Expr::yes(),
            1 => all.remove(0),
            _ => Expr::And(all),
        }
    }

    /// One of them, in order.
    pub fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Expr::Or(inner) => all.extend(inner),
                part if part.is_no() => {}
                part if part.is_yes() => return Expr::yes(),
                part => all.push(part),
            }
        }
        match all.len() {
            0 => Expr::no(),
            1 => all.remove(0),
            _ => Expr::Or(all),
        }
    }

    /// `a op b`
    pub fn binary(op: Op, a: Self, b: Self) -> Self {
        match (op, &a, &b) {
            (_, Expr::Const(x), Expr::Const(y)) => {
                let value = op.apply(x.code(), y.code());
                if op.is_comparison() {
                    Expr::bool(value != 0)
                } else {
                    Expr::int(value)
                }
            }
            (Op::Eq, x, Expr::Const(Scalar::Bool(true))) => x.clone(),
            (Op::Eq, x, Expr::Const(Scalar::Bool(false))) => x.clone().not(),
            (Op::Ne, x, Expr::Const(Scalar::Bool(false))) => x.clone(),
            (Op::Ne, x, Expr::Const(Scalar::Bool(true))) => x.clone().not(),
            _ => Expr::Binary(op, Box::new(a), Box::new(b)),
        }
    }

    /// `if c then a else b`
    pub fn ite(c: Self, a: Self, b: Self) -> Self {
        match c {
            Expr::Const(Scalar::Bool(true)) => a,
            Expr::Const(Scalar::Bool(false)) => b,
            _ if a == b => a,
            c => Expr::If(Box::new(c), Box::new(a), Box::new(b)),
        }
    }

    /// The item at an index.
    pub fn select(index: Self, mut items: Vec<Self>) -> Self {
        debug_assert!(!items.is_empty());
        match index.as_const() {
            Some(i) => {
                let last = items.len() - 1;
                items.swap_remove(usize::try_from(i).map_or(last, |i| i.min(last)))
            }
            None if items.iter().all(|item| *item == items[0]) => items.swap_remove(0),
            None => Expr::Select(Box::new(index), items),
        }
    }

    /// The same expression over other leaves, constants folded again.
    pub fn map<M: Clone + PartialEq>(&self, leaf: &mut impl FnMut(&L) -> Expr<M>) -> Expr<M> {
        match self {
            Expr::Const(scalar) => Expr::Const(*scalar),
            Expr::Leaf(l) => leaf(l),
            Expr::Not(e) => e.map(leaf).not(),
            Expr::And(parts) => Expr::and(parts.iter().map(|e| e.map(leaf)).collect::<Vec<_>>()),
            Expr::Or(parts) => Expr::or(parts.iter().map(|e| e.map(leaf)).collect::<Vec<_>>()),
            Expr::Neg(e) => match e.map(leaf) {
                Expr::Const(scalar) => Expr::int(-scalar.code()),
                e => Expr::Neg(Box::new(e)),
            },
            Expr::Binary(op, a, b) => Expr::binary(*op, a.map(leaf), b.map(leaf)),
            Expr::If(c, a, b) => Expr::ite(c.map(leaf), a.map(leaf), b.map(leaf)),
            Expr::Select(index, items) => {
                Expr::select(index.map(leaf), items.iter().map(|e| e.map(leaf)).collect())
            }
        }
    }

    /// Calls `visit` for every leaf, from the left.
    pub fn leaves<'a>(&'a self, visit: &mut impl FnMut(&'a L)) {
        match self {
            Expr::Const(_) => {}
            Expr::Leaf(l) => visit(l),
            Expr::Not(e) | Expr::Neg(e) => e.leaves(visit),
            Expr::And(parts) | Expr::Or(parts) => parts.iter().for_each(|e| e.leaves(visit)),
            Expr::Binary(_, a, b) => {
                a.leaves(visit);
                b.leaves(visit);
            }
            Expr::If(c, a, b) => {
                c.leaves(visit);
                a.leaves(visit);
                b.leaves(visit);
            }
            Expr::Select(index, items) => {
                index.leaves(visit);
                items.iter().for_each(|e| e.leaves(visit));
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
            Expr::Select(index, items) => {
                let last = items.len() - 1;
                let index = usize::try_from(index.eval(leaf)).map_or(last, |i| i.min(last));
                items[index].eval(leaf)
            }
        }
    }

    /// Bounds on its value, given those of its leaves: `lo <= value <= hi`.
    pub fn bounds(&self, leaf: &impl Fn(&L) -> (i64, i64)) -> (i64, i64) {
        match self {
            Expr::Const(scalar) => (scalar.code(), scalar.code()),
            Expr::Leaf(l) => leaf(l),
            Expr::Not(e) => {
                let (lo, hi) = e.bounds(leaf);
                (1 - hi, 1 - lo)
            }
            Expr::And(parts) => parts.iter().fold((1, 1), |(lo, hi), e| {
                let (a, b) = e.bounds(leaf);
                (lo.min(a), hi.min(b))
            }),
            Expr::Or(parts) => parts.iter().fold((0, 0), |(lo, hi), e| {
                let (a, b) = e.bounds(leaf);
                (lo.max(a), hi.max(b))
            }),
            Expr::Neg(e) => {
                let (lo, hi) = e.bounds(leaf);
                (-hi, -lo)
            }
            Expr::Binary(op, a, b) => op.bounds(a.bounds(leaf), b.bounds(leaf)),
            Expr::If(c, a, b) => match c.bounds(leaf) {
                (1, _) => a.bounds(leaf),
                (_, 0) => b.bounds(leaf),
                _ => hull(a.bounds(leaf), b.bounds(leaf)),
            },
            Expr::Select(index, items) => {
                let (lo, hi) = index.bounds(leaf);
                let last = items.len() as i64 - 1;
                let first = if lo < 0 || hi > last { 0 } else { lo };
                let end = if lo < 0 || hi > last { last } else { hi };
                items[first as usize..=end as usize]
                    .iter()
                    .map(|e| e.bounds(leaf))
                    .reduce(hull)
                    .expect("a select has items")
            }
        }
    }
}

impl Op {
    /// Bounds on its value, given those of its operands.
    pub fn bounds(self, a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
        let sure = |yes: bool, no: bool| (i64::from(yes), i64::from(!no));
        let disjoint = a.1 < b.0 || b.1 < a.0;
        let same = a.0 == a.1 && a == b;
        match self {
            Op::Eq => sure(same, disjoint),
            Op::Ne => sure(disjoint, same),
            Op::Lt => sure(a.1 < b.0, a.0 >= b.1),
            Op::Le => sure(a.1 <= b.0, a.0 > b.1),
            Op::Gt => sure(a.0 > b.1, a.1 <= b.0),
            Op::Ge => sure(a.0 >= b.1, a.1 < b.0),
            Op::Add => (a.0 + b.0, a.1 + b.1),
            Op::Sub => (a.0 - b.1, a.1 - b.0),
            Op::Mul => corners(self, a, &[b.0, b.1]),
            Op::Div => {
                // The extremes are at the ends of the divisor's range and next to zero.
                let divisors: Vec<i64> = [b.0, b.1, -1, 0, 1]
                    .into_iter()
                    .filter(|d| b.0 <= *d && *d <= b.1)
                    .collect();
                corners(self, a, &divisors)
            }
            Op::Rem => {
                let m = b.0.abs().max(b.1.abs()).saturating_sub(1).max(0);
                let lo = if a.0 < 0 { (-m).max(a.0) } else { 0 };
                let hi = if a.1 > 0 { m.min(a.1) } else { 0 };
                (lo, hi)
            }
        }
    }
}

fn corners(op: Op, a: (i64, i64), bs: &[i64]) -> (i64, i64) {
    bs.iter()
        .flat_map(|b| [op.apply(a.0, *b), op.apply(a.1, *b)])
        .map(|v| (v, v))
        .reduce(hull)
        .expect("an operand has bounds")
}

/// The smallest bounds that cover both.
pub fn hull(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    (a.0.min(b.0), a.1.max(b.1))
}
