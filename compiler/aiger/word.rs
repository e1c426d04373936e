//! Numbers as rows of bits: two's complement, the lowest bit first, the sign last.
//!
//! A word is as wide as the least and the greatest value that it can have ask for, so that nothing ever overflows.

use super::graph::{Graph, Lit, NO};
use crate::system::Op;

/// A number, and bounds on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// Its bits; the last one is the sign.
    pub bits: Vec<Lit>,
    /// Least and greatest value.
    pub bounds: (i64, i64),
}

/// The widest words that are multiplied or divided.
const WIDEST: usize = 40;

/// How many bits a number has, with its sign.
pub fn width_of(value: i64) -> usize {
    let magnitude = if value < 0 { !value } else { value };
    (i64::BITS - magnitude.leading_zeros()) as usize + 1
}

/// How many bits the numbers between two have, with their sign.
pub fn width((lo, hi): (i64, i64)) -> usize {
    width_of(lo).max(width_of(hi))
}

impl Word {
    /// A constant.
    pub fn constant(value: i64) -> Word {
        let bits = (0..width_of(value)).map(|bit| Lit::of(value >> bit & 1 != 0));
        Word {
            bits: bits.collect(),
            bounds: (value, value),
        }
    }

    /// A boolean: 0 or 1.
    pub fn boolean(lit: Lit) -> Word {
        let known = [(NO, (0, 0)), (!NO, (1, 1))].into_iter();
        let bounds = known.into_iter().find(|(l, _)| *l == lit);
        Word {
            bits: vec![lit, NO],
            bounds: bounds.map_or((0, 1), |(_, bounds)| bounds),
        }
    }

    /// Whether it is not 0, for a word that is a boolean.
    pub fn truth(&self) -> Lit {
        self.bits[0]
    }

    /// One of its bits, beyond its width that of its sign.
    pub fn bit(&self, index: usize) -> Lit {
        let last = *self.bits.last().unwrap_or(&NO);
        self.bits.get(index).copied().unwrap_or(last)
    }

    /// Its sign.
    fn sign(&self) -> Lit {
        self.bit(usize::MAX)
    }

    /// Its value is between these; bits that are not needed for them are left out.
    fn within(mut bits: Vec<Lit>, bounds: (i64, i64)) -> Word {
        let width = width(bounds);
        bits.truncate(width);
        if bounds.0 >= 0
            && let Some(sign) = bits.get_mut(width - 1)
        {
            *sign = NO;
        }
        Word { bits, bounds }
    }

    /// So many of its bits.
    fn extended(&self, width: usize) -> Vec<Lit> {
        (0..width).map(|index| self.bit(index)).collect()
    }
}

impl Graph {
    /// `a` where the condition holds, else `b`.
    pub fn choose_word(&mut self, condition: Lit, a: &Word, b: &Word) -> Word {
        let width = a.bits.len().max(b.bits.len());
        let bits = (0..width).map(|i| self.choose(condition, a.bit(i), b.bit(i)));
        let bits = bits.collect();
        let (lo, hi) = (a.bounds.0.min(b.bounds.0), a.bounds.1.max(b.bounds.1));
        Word::within(bits, (lo, hi))
    }

    /// Whether they are equal.
    pub fn equal(&mut self, a: &Word, b: &Word) -> Lit {
        if a.bounds.1 < b.bounds.0 || b.bounds.1 < a.bounds.0 {
            return NO;
        }
        let width = a.bits.len().max(b.bits.len());
        let same: Vec<Lit> = (0..width).map(|i| !self.xor(a.bit(i), b.bit(i))).collect();
        self.all(same)
    }

    /// Whether it is this number.
    pub fn is(&mut self, word: &Word, value: i64) -> Lit {
        self.equal(word, &Word::constant(value))
    }

    /// Whether the first one is less.
    pub fn less(&mut self, a: &Word, b: &Word) -> Lit {
        if a.bounds.1 < b.bounds.0 {
            return !NO;
        }
        if a.bounds.0 >= b.bounds.1 {
            return NO;
        }
        let width = a.bits.len().max(b.bits.len());
        let mut less = NO;
        for index in 0..width {
            let (x, y) = (a.bit(index), b.bit(index));
            // The sign counts the other way round.
            let (x, y) = if index + 1 == width { (y, x) } else { (x, y) };
            let differ = self.xor(x, y);
            less = self.choose(differ, y, less);
        }
        less
    }

    /// The sum of three bits, and what is carried.
    fn add_bits(&mut self, a: Lit, b: Lit, carry: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        let sum = self.xor(half, carry);
        let (both, one) = (self.and(a, b), self.and(half, carry));
        (sum, self.or(both, one))
    }

    /// The sum of so many bits.
    fn add_rows(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let (bit, next) = self.add_bits(*a, *b, carry);
            sum.push(bit);
            carry = next;
        }
        sum
    }

    /// The difference of so many bits.
    fn subtract_rows(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let inverse: Vec<Lit> = b.iter().map(|bit| !*bit).collect();
        self.add_rows(a, &inverse, !NO)
    }

    /// `-a`
    pub fn negative(&mut self, a: &Word) -> Word {
        let bounds = (-a.bounds.1, -a.bounds.0);
        let width = width(bounds).max(a.bits.len());
        let bits = self.subtract_rows(&vec![NO; width], &a.extended(width));
        Word::within(bits, bounds)
    }

    /// The value of an operator.
    pub fn apply(&mut self, op: Op, a: &Word, b: &Word) -> Word {
        match op {
            Op::Eq => Word::boolean(self.equal(a, b)),
            Op::Ne => Word::boolean(!self.equal(a, b)),
            Op::Lt => Word::boolean(self.less(a, b)),
            Op::Le => Word::boolean(!self.less(b, a)),
            Op::Gt => Word::boolean(self.less(b, a)),
            Op::Ge => Word::boolean(!self.less(a, b)),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem => self.arithmetic(op, a, b),
        }
    }

    fn arithmetic(&mut self, op: Op, a: &Word, b: &Word) -> Word {
        let bounds = op.bounds(a.bounds, b.bounds);
        if bounds.0 == bounds.1 {
            return Word::constant(bounds.0);
        }
        let width = width(bounds);
        let bits = match op {
            Op::Add => self.add_rows(&a.extended(width), &b.extended(width), NO),
            Op::Sub => self.subtract_rows(&a.extended(width), &b.extended(width)),
            _ if a.bits.len().max(b.bits.len()).max(width) > WIDEST => {
                self.give_up();
                vec![NO; width]
            }
            Op::Mul => self.multiply(&a.extended(width), &b.extended(width)),
            _ => {
                let (quotient, rest) = self.divide(a, b);
                let wanted = if op == Op::Div { quotient } else { rest };
                let last = wanted.last().copied().unwrap_or(NO);
                (0..width)
                    .map(|i| wanted.get(i).copied().unwrap_or(last))
                    .collect()
            }
        };
        Word::within(bits, bounds)
    }

    /// The product, of the width of the factors.
    fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut sum = vec![NO; a.len()];
        for (shift, factor) in b.iter().enumerate() {
            let zeros = std::iter::repeat_n(NO, shift);
            let shifted = zeros.chain(a.iter().copied()).take(a.len());
            let shifted: Vec<Lit> = shifted.map(|bit| self.and(bit, *factor)).collect();
            sum = self.add_rows(&sum, &shifted, NO);
        }
        sum
    }

    /// Quotient and remainder: truncated towards zero, and 0 if divided by 0.
    fn divide(&mut self, a: &Word, b: &Word) -> (Vec<Lit>, Vec<Lit>) {
        // One bit more than the widest, so that magnitudes fit.
        let width = a.bits.len().max(b.bits.len()) + 1;
        let magnitude = |graph: &mut Graph, word: &Word| {
            let bits = word.extended(width);
            let negative = graph.subtract_rows(&vec![NO; width], &bits);
            let pairs = bits.iter().zip(&negative);
            pairs
                .map(|(plus, minus)| graph.choose(word.sign(), *minus, *plus))
                .collect::<Vec<Lit>>()
        };
        let (dividend, divisor) = (magnitude(self, a), magnitude(self, b));
        let mut quotient = vec![NO; width];
        let mut rest = vec![NO; width];
        for place in (0..width).rev() {
            rest.rotate_right(1);
            rest[0] = dividend[place];
            let less = self.subtract_rows(&rest, &divisor);
            let fits = !less[width - 1];
            quotient[place] = fits;
            rest = (rest.iter().zip(&less))
                .map(|(stays, less)| self.choose(fits, *less, *stays))
                .collect();
        }
        let differ = self.xor(a.sign(), b.sign());
        let some = self.any(divisor);
        let signed = |graph: &mut Graph, bits: Vec<Lit>, negative: Lit| {
            let minus = graph.subtract_rows(&vec![NO; width], &bits);
            (bits.iter().zip(&minus))
                .map(|(plus, minus)| {
                    let bit = graph.choose(negative, *minus, *plus);
                    graph.and(bit, some)
                })
                .collect::<Vec<Lit>>()
        };
        (signed(self, quotient, differ), signed(self, rest, a.sign()))
    }
}
