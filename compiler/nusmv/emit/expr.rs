//! Expressions, with the value [`Expr::eval`](crate::system::expr::Expr::eval) gives them.
//!
//! NuSMV keeps booleans, integers and enumerations apart, so every expression has a [`Kind`] and is
//! converted where another one is wanted. `/` and `mod` truncate towards zero in NuSMV 2.6 as they do here;
//! only a divisor that may be zero needs care.

use super::scope::Scope;
use crate::system::{Domain, Expr, Leaf, Op, Scalar};
use crate::vocabulary::DataId;

/// What NuSMV takes a value for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `boolean`
    Bool,
    /// An integer.
    Int,
    /// A constant of an enumeration.
    Data(DataId),
}

impl From<Domain> for Kind {
    fn from(domain: Domain) -> Kind {
        match domain {
            Domain::Bool => Kind::Bool,
            Domain::Int { .. } => Kind::Int,
            Domain::Data { data, .. } => Kind::Data(data),
        }
    }
}

/// Up to this distance of its bounds a divisor that may be zero is written value by value.
const MOST_DIVISORS: i64 = 4096;

/// How tightly NuSMV binds an operator; parts that bind less need parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Or,
    And,
    Compare,
    Sum,
    Product,
    Minus,
    Atom,
}

/// A piece of text and how tightly it binds.
struct Piece(String, Level);

impl Piece {
    fn atom(text: impl Into<String>) -> Piece {
        Piece(text.into(), Level::Atom)
    }

    /// Its text, in parentheses if it binds less than `level`.
    fn at(self, level: Level) -> String {
        if self.1 < level {
            format!("({})", self.0)
        } else {
            self.0
        }
    }
}

/// Writes expressions in a scope, for an edge with these picks.
pub struct Writer<'s, 'a, 'p> {
    scope: &'s mut Scope<'a>,
    picks: &'p [Domain],
}

impl<'s, 'a, 'p> Writer<'s, 'a, 'p> {
    /// A writer.
    pub fn new(scope: &'s mut Scope<'a>, picks: &'p [Domain]) -> Self {
        Writer { scope, picks }
    }

    /// A boolean expression.
    pub fn condition(&mut self, expr: &Expr) -> String {
        let expr = self.scope.model().prune(expr);
        self.write(&expr, Kind::Bool).0
    }

    /// A boolean expression as an operand of `&`.
    pub fn operand(&mut self, expr: &Expr) -> String {
        let expr = self.scope.model().prune(expr);
        self.write(&expr, Kind::Bool).at(Level::And)
    }

    /// A value for a variable; clamped to the variable's domain unless it plainly is inside, because NuSMV
    /// refuses an assignment that might leave the domain even in states that are never reached.
    pub fn value(&mut self, expr: &Expr, domain: Domain, guard: &Expr) -> String {
        let mut text = self.unclamped(expr, domain);
        let Domain::Int { lo, hi } = domain else {
            return text;
        };
        let (least, greatest) = self.bounds(expr);
        if greatest > hi && !promises(guard, expr, Op::Le, hi) {
            text = format!("min({text}, {hi})");
        }
        if least < lo && !promises(guard, expr, Op::Ge, lo) {
            text = format!("max({text}, {lo})");
        }
        text
    }

    /// A value of a domain.
    pub fn unclamped(&mut self, expr: &Expr, domain: Domain) -> String {
        let expr = self.scope.model().prune(expr);
        self.write(&expr, domain.into()).0
    }

    /// A constant.
    pub fn constant(&mut self, scalar: Scalar) -> String {
        self.write(&Expr::Const(scalar), kind_of(scalar)).0
    }

    fn bounds(&self, expr: &Expr) -> (i64, i64) {
        expr.bounds(&|leaf| self.leaf_domain(leaf).bounds())
    }

    fn leaf_domain(&self, leaf: &Leaf) -> Domain {
        match leaf {
            Leaf::Var(v) => self.scope.system().var(*v).domain,
            Leaf::Pick(i) => self.picks[*i as usize],
            Leaf::At(..) => Domain::Bool,
        }
    }

    fn kind(&self, expr: &Expr) -> Kind {
        match expr {
            Expr::Const(scalar) => kind_of(*scalar),
            Expr::Leaf(leaf) => self.leaf_domain(leaf).into(),
            Expr::Not(_) | Expr::And(_) | Expr::Or(_) => Kind::Bool,
            Expr::Neg(_) => Kind::Int,
            Expr::Binary(op, ..) if op.is_comparison() => Kind::Bool,
            Expr::Binary(..) => Kind::Int,
            Expr::If(_, a, b) => self.common([&**a, &**b]),
            Expr::Select(_, items) => self.common(items),
        }
    }

    /// The kind all have, or integer.
    fn common<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> Kind {
        let mut kinds = exprs.into_iter().map(|e| self.kind(e));
        let first = kinds.next().unwrap_or(Kind::Int);
        if kinds.all(|k| k == first) {
            first
        } else {
            Kind::Int
        }
    }

    /// Its text as a value of the kind that is wanted.
    fn write(&mut self, expr: &Expr, want: Kind) -> Piece {
        match (expr, want) {
            (Expr::Const(scalar), _) => self.literal(*scalar, want),
            // Branches are converted one by one.
            (Expr::If(c, a, b), _) => {
                let c = self.write(c, Kind::Bool).at(Level::Or);
                let a = self.write(a, want).at(Level::Or);
                let b = self.write(b, want).at(Level::Or);
                Piece::atom(format!("({c} ? {a} : {b})"))
            }
            (Expr::Select(index, items), _) => self.select(index, items, want),
            _ => {
                let kind = self.kind(expr);
                let text = self.plain(expr);
                self.convert(text, kind, want)
            }
        }
    }

    fn literal(&mut self, scalar: Scalar, want: Kind) -> Piece {
        let code = scalar.code();
        match want {
            Kind::Bool => Piece::atom(if code != 0 { "TRUE" } else { "FALSE" }),
            Kind::Int if code < 0 => Piece(code.to_string(), Level::Minus),
            Kind::Int => Piece::atom(code.to_string()),
            Kind::Data(data) => Piece::atom(self.scope.constant(data, code)),
        }
    }

    fn convert(&mut self, piece: Piece, kind: Kind, want: Kind) -> Piece {
        match (kind, want) {
            _ if kind == want => piece,
            (Kind::Bool, Kind::Int) => Piece::atom(format!("toint({})", piece.0)),
            (Kind::Int, Kind::Bool) => {
                Piece(format!("{} != 0", piece.at(Level::Sum)), Level::Compare)
            }
            (Kind::Data(data), Kind::Int) => {
                let value = self.shared(piece);
                let count = self.scope.system().data[data.0 as usize].constructors.len() as i64;
                let arms = (0..count - 1)
                    .map(|i| format!("{value} = {} : {i}; ", self.scope.constant(data, i)))
                    .collect::<String>();
                Piece::atom(format!("case {arms}TRUE : {}; esac", count - 1))
            }
            (Kind::Int, Kind::Data(data)) => {
                let value = self.shared(piece);
                let count = self.scope.system().data[data.0 as usize].constructors.len() as i64;
                let arms = (0..count - 1)
                    .map(|i| format!("{value} = {i} : {}; ", self.scope.constant(data, i)))
                    .collect::<String>();
                let last = self.scope.constant(data, count - 1);
                Piece::atom(format!("case {arms}TRUE : {last}; esac"))
            }
            // By way of the code.
            (_, _) => {
                let code = self.convert(piece, kind, Kind::Int);
                self.convert(code, Kind::Int, want)
            }
        }
    }

    /// A text that may stand in many places: a name for it if it is long.
    fn shared(&mut self, piece: Piece) -> String {
        if piece.0.len() <= 40 {
            piece.at(Level::Sum)
        } else {
            self.scope.hoist(piece.0)
        }
    }

    fn select(&mut self, index: &Expr, items: &[Expr], want: Kind) -> Piece {
        let index_piece = self.write(index, Kind::Int);
        let index_text = self.shared(index_piece);
        let (lo, hi) = self.bounds(index);
        let last = items.len() as i64 - 1;
        let mut arms = String::new();
        for (i, item) in items.iter().enumerate().take(items.len() - 1) {
            // Items that cannot be selected would only cost NuSMV time.
            if (lo..=hi).contains(&(i as i64)) {
                let value = self.write(item, want).0;
                arms += &format!("{index_text} = {i} : {value}; ");
            }
        }
        let value = self.write(&items[last as usize], want);
        if arms.is_empty() {
            value
        } else {
            Piece::atom(format!("case {arms}TRUE : {}; esac", value.0))
        }
    }

    /// Its text as a value of its own kind.
    fn plain(&mut self, expr: &Expr) -> Piece {
        match expr {
            Expr::Const(scalar) => self.literal(*scalar, kind_of(*scalar)),
            Expr::Leaf(Leaf::Var(v)) => Piece::atom(self.scope.var(*v)),
            Expr::Leaf(Leaf::Pick(i)) => match self.scope.pick(self.picks, *i) {
                Some(name) => Piece::atom(name),
                None => {
                    let domain = self.picks[*i as usize];
                    let only = domain.scalar(domain.bounds().0);
                    self.literal(only, domain.into())
                }
            },
            Expr::Leaf(Leaf::At(p, locations)) => {
                let text = self.scope.at(*p, locations);
                if text == "TRUE" || text == "FALSE" {
                    Piece::atom(text)
                } else {
                    Piece(text, Level::Compare)
                }
            }
            // `!(a = b)` reads better as `a != b`.
            Expr::Not(e) if matches!(&**e, Expr::Binary(op, ..) if op.is_comparison()) => {
                let Expr::Binary(op, a, b) = &**e else {
                    unreachable!("just matched");
                };
                self.comparison(opposite(*op), a, b)
            }
            Expr::Not(e) => {
                let inner = self.write(e, Kind::Bool).at(Level::Atom);
                Piece::atom(format!("!{inner}"))
            }
            Expr::And(parts) => self.join(parts, " & ", Level::And, "TRUE"),
            Expr::Or(parts) => self.join(parts, " | ", Level::Or, "FALSE"),
            Expr::Neg(e) => {
                let inner = self.write(e, Kind::Int).at(Level::Atom);
                Piece(format!("-{inner}"), Level::Minus)
            }
            Expr::Binary(op, a, b) if op.is_comparison() => self.comparison(*op, a, b),
            Expr::Binary(op, a, b) => self.arithmetic(*op, a, b),
            Expr::If(..) | Expr::Select(..) => {
                let kind = self.kind(expr);
                self.write(expr, kind)
            }
        }
    }

    fn join(&mut self, parts: &[Expr], glue: &str, level: Level, empty: &str) -> Piece {
        // One level up: operands of the same operator need no parentheses.
        let texts: Vec<String> = parts
            .iter()
            .map(|e| self.write(e, Kind::Bool).at(level))
            .collect();
        match texts.len() {
            0 => Piece::atom(empty),
            _ => Piece(texts.join(glue), level),
        }
    }

    fn comparison(&mut self, op: Op, a: &Expr, b: &Expr) -> Piece {
        let (left, right) = (self.kind(a), self.kind(b));
        let equality = matches!(op, Op::Eq | Op::Ne);
        let kind = if equality && left == right {
            left
        } else {
            Kind::Int
        };
        let symbol = match op {
            Op::Eq => "=",
            other => other.as_str(),
        };
        let a = self.write(a, kind).at(Level::Sum);
        let b = self.write(b, kind).at(Level::Sum);
        Piece(format!("{a} {symbol} {b}"), Level::Compare)
    }

    fn arithmetic(&mut self, op: Op, a: &Expr, b: &Expr) -> Piece {
        let (level, symbol) = match op {
            Op::Add => (Level::Sum, "+"),
            Op::Sub => (Level::Sum, "-"),
            Op::Mul => (Level::Product, "*"),
            Op::Div => (Level::Product, "/"),
            _ => (Level::Product, "mod"),
        };
        let right_level = match level {
            Level::Sum => Level::Product,
            _ => Level::Minus,
        };
        let left = self.write(a, Kind::Int).at(level);
        let right = self.write(b, Kind::Int).at(right_level);
        let (lo, hi) = self.bounds(b);
        let divides = matches!(op, Op::Div | Op::Rem);
        if divides && (lo <= 0 && 0 <= hi || self.has_branches(b)) {
            let divisor = self.shared(Piece(right, right_level));
            if hi - lo > MOST_DIVISORS {
                return Piece::atom(format!(
                    "({divisor} = 0 ? 0 : {left} {symbol} ({divisor} = 0 ? 1 : {divisor}))"
                ));
            }
            // One by one: NuSMV moves divisions into the branches of a divisor that has branches, also through sums,
            // `max` and `abs`, and refuses a zero it finds there even if the condition excludes it.
            let left = match hi - lo > 8 {
                true => self.shared(Piece(left, level)),
                false => left,
            };
            let arms = (lo..=hi)
                .filter(|d| *d != 0)
                .map(|d| format!("{divisor} = {d} : {left} {symbol} {d}; "))
                .collect::<String>();
            return Piece::atom(format!("case {arms}TRUE : 0; esac"));
        }
        Piece(format!("{left} {symbol} {right}"), level)
    }

    /// Whether a value is computed in several ways. NuSMV looks at each of them, also at what their conditions exclude.
    fn has_branches(&self, e: &Expr) -> bool {
        match e {
            Expr::If(..) | Expr::Select(..) => true,
            Expr::Leaf(Leaf::Var(v)) => self.scope.system().var(*v).derived.is_some(),
            Expr::Neg(e) => self.has_branches(e),
            Expr::Binary(Op::Div | Op::Rem, ..) => true,
            Expr::Binary(_, a, b) => self.has_branches(a) || self.has_branches(b),
            _ => false,
        }
    }
}

fn kind_of(scalar: Scalar) -> Kind {
    match scalar {
        Scalar::Bool(_) => Kind::Bool,
        Scalar::Int(_) => Kind::Int,
        Scalar::Data(data, _) => Kind::Data(data),
    }
}

fn opposite(op: Op) -> Op {
    match op {
        Op::Eq => Op::Ne,
        Op::Ne => Op::Eq,
        Op::Lt => Op::Ge,
        Op::Ge => Op::Lt,
        Op::Le => Op::Gt,
        Op::Gt => Op::Le,
        other => other,
    }
}

/// Whether a guard says outright that `expr op bound`, or something stronger.
fn promises(guard: &Expr, expr: &Expr, op: Op, bound: i64) -> bool {
    let parts = match guard {
        Expr::And(parts) => parts,
        other => std::slice::from_ref(other),
    };
    parts.iter().any(|part| match part {
        Expr::Binary(found, a, b) if **a == *expr => {
            let Some(value) = b.as_const() else {
                return false;
            };
            match (op, found) {
                (_, Op::Eq) if op == Op::Le => value <= bound,
                (_, Op::Eq) => value >= bound,
                (Op::Le, Op::Le) => value <= bound,
                (Op::Le, Op::Lt) => value - 1 <= bound,
                (Op::Ge, Op::Ge) => value >= bound,
                (Op::Ge, Op::Gt) => value + 1 >= bound,
                _ => false,
            }
        }
        _ => false,
    })
}
