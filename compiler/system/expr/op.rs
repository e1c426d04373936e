//! The infix operators: their values and the bounds of their values.

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
