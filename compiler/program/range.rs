//! Interval arithmetic over the integers of models: which values a subexpression can have.
//!
//! Every operation is exact on single values ([`apply`]) and returns an enclosing interval on intervals
//! ([`binary`]). Operands are expected inside [`LEAST`]..=[`GREATEST`]; results may lie outside, which the
//! caller reports. What cannot be evaluated (division by zero, a shift count outside 0..31) contributes
//! nothing to the result: it is a run-time check, not a value.

use crate::vocabulary::BinaryOp;

/// The least integer a model may compute.
pub const LEAST: i64 = -(1 << 31);
/// The greatest integer a model may compute.
pub const GREATEST: i64 = (1 << 31) - 1;
/// The greatest legal shift count; the least is 0.
pub const MAX_SHIFT: i64 = 31;

/// The integers `lo..=hi`; never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    /// Least value.
    pub lo: i64,
    /// Greatest value.
    pub hi: i64,
}

/// Why an operation on two single values has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// The divisor is 0.
    DivisionByZero,
    /// The shift count is outside 0..31.
    ShiftCount,
}

impl Interval {
    /// The integers from `lo` to `hi`; the two may come in any order.
    pub fn new(lo: i64, hi: i64) -> Self {
        Interval {
            lo: lo.min(hi),
            hi: lo.max(hi),
        }
    }

    /// One integer.
    pub fn point(value: i64) -> Self {
        Interval {
            lo: value,
            hi: value,
        }
    }

    /// Whether it has exactly one value.
    pub fn is_point(self) -> bool {
        self.lo == self.hi
    }

    /// Whether `value` lies inside.
    pub fn contains(self, value: i64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Whether all of it lies inside `outer`.
    pub fn within(self, outer: Interval) -> bool {
        outer.lo <= self.lo && self.hi <= outer.hi
    }

    /// The common part, if any.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Interval { lo, hi })
    }

    /// The smallest interval around both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    /// How many integers it has.
    pub fn size(self) -> u64 {
        self.hi.abs_diff(self.lo).saturating_add(1)
    }

    /// Whether every value lies in the integers a model may compute.
    pub fn is_computable(self) -> bool {
        self.within(Interval {
            lo: LEAST,
            hi: GREATEST,
        })
    }

    /// The values of `-x`.
    pub fn negate(self) -> Interval {
        Interval {
            lo: -self.hi,
            hi: -self.lo,
        }
    }

    /// The values of `!x` in two's complement, `-1 - x`.
    fn complement(self) -> Interval {
        Interval {
            lo: -1 - self.hi,
            hi: -1 - self.lo,
        }
    }
}

/// The value of `a op b` for an arithmetic operator.
pub fn apply(op: BinaryOp, a: i64, b: i64) -> Result<i64, Undefined> {
    let shift = || match b {
        0..=MAX_SHIFT => Ok(b as u32),
        _ => Err(Undefined::ShiftCount),
    };
    Ok(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a.saturating_mul(b),
        BinaryOp::Div if b == 0 => return Err(Undefined::DivisionByZero),
        BinaryOp::Rem if b == 0 => return Err(Undefined::DivisionByZero),
        BinaryOp::Div => a / b,
        BinaryOp::Rem => a % b,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl => a << shift()?,
        BinaryOp::Shr => a >> shift()?,
        _ => unreachable!("`{}` is not an arithmetic operator", op.as_str()),
    })
}

/// An interval around the values of `a op b` for an arithmetic operator.
pub fn binary(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    if a.is_point() && b.is_point() {
        return Interval::point(apply(op, a.lo, b.lo).unwrap_or(0));
    }
    match op {
        BinaryOp::Add => Interval {
            lo: a.lo + b.lo,
            hi: a.hi + b.hi,
        },
        BinaryOp::Sub => Interval {
            lo: a.lo - b.hi,
            hi: a.hi - b.lo,
        },
        BinaryOp::Mul => corners(op, a, b),
        BinaryOp::Div => {
            let negative = b.meet(Interval { lo: LEAST, hi: -1 });
            let positive = b.meet(Interval {
                lo: 1,
                hi: GREATEST,
            });
            [negative, positive]
                .into_iter()
                .flatten()
                .map(|part| corners(op, a, part))
                .reduce(Interval::hull)
                .unwrap_or(Interval::point(0))
        }
        BinaryOp::Rem => remainder(a, b),
        BinaryOp::BitAnd => and(a, b),
        // a | b = !(!a & !b)
        BinaryOp::BitOr => and(a.complement(), b.complement()).complement(),
        BinaryOp::BitXor => xor(a, b),
        BinaryOp::Shl | BinaryOp::Shr => match b.meet(Interval {
            lo: 0,
            hi: MAX_SHIFT,
        }) {
            Some(count) => corners(op, a, count),
            None => Interval::point(0),
        },
        _ => unreachable!("`{}` is not an arithmetic operator", op.as_str()),
    }
}

/// What a comparison of two integers must yield, if that is known from their ranges alone.
pub fn compare(op: BinaryOp, a: Interval, b: Interval) -> Option<bool> {
    let less = if a.hi < b.lo {
        Some(true)
    } else if a.lo >= b.hi {
        Some(false)
    } else {
        None
    };
    let greater = if a.lo > b.hi {
        Some(true)
    } else if a.hi <= b.lo {
        Some(false)
    } else {
        None
    };
    let equal = if a.meet(b).is_none() {
        Some(false)
    } else if a.is_point() && a == b {
        Some(true)
    } else {
        None
    };
    match op {
        BinaryOp::Lt => less,
        BinaryOp::Ge => less.map(|known| !known),
        BinaryOp::Gt => greater,
        BinaryOp::Le => greater.map(|known| !known),
        BinaryOp::Eq => equal,
        BinaryOp::Ne => equal.map(|known| !known),
        _ => unreachable!("`{}` is not a comparison", op.as_str()),
    }
}

/// For operators that are monotone in each operand where the other is fixed.
fn corners(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)]
        .into_iter()
        .filter_map(|(x, y)| apply(op, x, y).ok())
        .map(Interval::point)
        .reduce(Interval::hull)
        .unwrap_or(Interval::point(0))
}

fn remainder(a: Interval, b: Interval) -> Interval {
    let greatest = b.lo.abs().max(b.hi.abs());
    if greatest == 0 {
        return Interval::point(0);
    }
    let least = if b.contains(0) {
        1
    } else {
        b.lo.abs().min(b.hi.abs())
    };
    if a.lo > -least && a.hi < least {
        return a;
    }
    Interval {
        lo: a.lo.max(1 - greatest).min(0),
        hi: a.hi.min(greatest - 1).max(0),
    }
}

fn and(a: Interval, b: Interval) -> Interval {
    match (a.lo >= 0, b.lo >= 0) {
        (true, true) => Interval {
            lo: 0,
            hi: a.hi.min(b.hi),
        },
        (true, false) => Interval { lo: 0, hi: a.hi },
        (false, true) => Interval { lo: 0, hi: b.hi },
        (false, false) => Interval {
            lo: -(1 << width(a.lo.min(b.lo), -1)),
            hi: a.hi.max(b.hi),
        },
    }
}

fn xor(a: Interval, b: Interval) -> Interval {
    let bits = 1 << width(a.lo.min(b.lo), a.hi.max(b.hi));
    let same_sign = (a.lo >= 0 && b.lo >= 0) || (a.hi < 0 && b.hi < 0);
    let other_sign = (a.lo >= 0 && b.hi < 0) || (a.hi < 0 && b.lo >= 0);
    Interval {
        lo: if same_sign { 0 } else { -bits },
        hi: if other_sign { -1 } else { bits - 1 },
    }
}

/// The least w with `lo..=hi` inside `-2^w..2^w`.
fn width(lo: i64, hi: i64) -> u32 {
    let bits = |v: i64| 64 - (if v < 0 { !v } else { v }).leading_zeros();
    bits(lo).max(bits(hi))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARITHMETIC: [BinaryOp; 10] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Shl,
        BinaryOp::Shr,
    ];

    fn small_intervals() -> Vec<Interval> {
        let mut all = Vec::new();
        for lo in -6..=6 {
            for hi in lo..=6 {
                all.push(Interval { lo, hi });
            }
        }
        all
    }

    #[test]
    fn every_result_lies_in_the_computed_interval() {
        for op in ARITHMETIC {
            for a in small_intervals() {
                for b in small_intervals() {
                    let range = binary(op, a, b);
                    for x in a.lo..=a.hi {
                        for y in b.lo..=b.hi {
                            if let Ok(value) = apply(op, x, y) {
                                assert!(
                                    range.contains(value),
                                    "{x} {} {y} = {value} is not in {range:?}",
                                    op.as_str()
                                );
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn sums_products_and_quotients_are_tight() {
        for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div] {
            for a in small_intervals() {
                for b in small_intervals() {
                    let exact = (a.lo..=a.hi)
                        .flat_map(|x| (b.lo..=b.hi).filter_map(move |y| apply(op, x, y).ok()))
                        .map(Interval::point)
                        .reduce(Interval::hull);
                    if let Some(exact) = exact {
                        assert_eq!(binary(op, a, b), exact, "{a:?} {} {b:?}", op.as_str());
                    }
                }
            }
        }
    }

    #[test]
    fn comparisons_are_decided_exactly_when_all_values_agree() {
        type Comparison = (BinaryOp, fn(i64, i64) -> bool);
        let comparisons: [Comparison; 6] = [
            (BinaryOp::Eq, |x, y| x == y),
            (BinaryOp::Ne, |x, y| x != y),
            (BinaryOp::Lt, |x, y| x < y),
            (BinaryOp::Le, |x, y| x <= y),
            (BinaryOp::Gt, |x, y| x > y),
            (BinaryOp::Ge, |x, y| x >= y),
        ];
        for (op, holds) in comparisons {
            for a in small_intervals() {
                for b in small_intervals() {
                    let mut seen = [false; 2];
                    for x in a.lo..=a.hi {
                        for y in b.lo..=b.hi {
                            seen[usize::from(holds(x, y))] = true;
                        }
                    }
                    let exact = match seen {
                        [true, false] => Some(false),
                        [false, true] => Some(true),
                        _ => None,
                    };
                    assert_eq!(compare(op, a, b), exact, "{a:?} {} {b:?}", op.as_str());
                }
            }
        }
    }

    #[test]
    fn division_truncates_towards_zero() {
        assert_eq!(apply(BinaryOp::Div, -7, 2), Ok(-3));
        assert_eq!(apply(BinaryOp::Rem, -7, 2), Ok(-1));
        assert_eq!(apply(BinaryOp::Div, 1, 0), Err(Undefined::DivisionByZero));
        assert_eq!(apply(BinaryOp::Shl, 1, 32), Err(Undefined::ShiftCount));
        assert_eq!(apply(BinaryOp::Shr, -5, 1), Ok(-3));
    }

    #[test]
    fn extreme_operands_do_not_overflow() {
        let all = Interval {
            lo: LEAST,
            hi: GREATEST,
        };
        for op in ARITHMETIC {
            let range = binary(op, all, all);
            assert!(range.lo <= range.hi);
        }
        assert!(!binary(BinaryOp::Mul, all, all).is_computable());
        assert!(!Interval::point(LEAST).negate().is_computable());
    }
}
