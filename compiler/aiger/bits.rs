//! Which bits a value has of its own: those at the top that all values share are known.

use super::graph::{Graph, Lit};
use super::word::{Word, width};

/// The bits of the values between two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The lowest first, the sign last.
    pub parts: Vec<Part>,
    /// Least and greatest value.
    pub bounds: (i64, i64),
}

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The same for all values.
    Known(bool),
    /// The one with this number, of those that are free.
    Free(usize),
}

impl Bits {
    /// Those of a range of values; `fresh` numbers the free ones.
    pub fn of(bounds: (i64, i64), mut fresh: impl FnMut() -> usize) -> Bits {
        let width = width(bounds);
        let bit = |value: i64, index: usize| value >> index & 1 != 0;
        let same = |index: &usize| bit(bounds.0, *index) == bit(bounds.1, *index);
        let known = (0..width).rev().take_while(same).count();
        let parts = (0..width).map(|index| match index >= width - known {
            true => Part::Known(bit(bounds.0, index)),
            false => Part::Free(fresh()),
        });
        Bits {
            parts: parts.collect(),
            bounds,
        }
    }

    /// The value, given those of the free bits.
    pub fn value(&self, free: impl Fn(usize) -> bool) -> i64 {
        let bit = |part: &Part| match part {
            Part::Known(bit) => *bit,
            Part::Free(number) => free(*number),
        };
        let sign = self.parts.last().is_some_and(bit);
        let start = if sign { -1 } else { 0 };
        (self.parts.iter().rev()).fold(start, |value, part| value << 1 | i64::from(bit(part)))
    }

    /// The word, given the free bits.
    pub fn word(&self, free: impl Fn(usize) -> Lit) -> Word {
        let bits = self.parts.iter().map(|part| match part {
            Part::Known(bit) => Lit::of(*bit),
            Part::Free(number) => free(*number),
        });
        Word {
            bits: bits.collect(),
            bounds: self.bounds,
        }
    }

    /// Whether the free bits are those of a value: there may be more combinations than values.
    pub fn is_value(&self, graph: &mut Graph, word: &Word) -> Lit {
        let sign = self.parts.len() - 1;
        let extreme = |least: bool| {
            let bit = |index: usize, part: &Part| match part {
                Part::Known(bit) => *bit,
                Part::Free(_) => (index == sign) == least,
            };
            let bits = self.parts.iter().enumerate().rev();
            bits.fold(0i64, |value, (index, part)| {
                let value = value << 1 | i64::from(bit(index, part));
                // The sign comes first.
                if index == sign { -value } else { value }
            })
        };
        let any = Word {
            bits: word.bits.clone(),
            bounds: (extreme(true), extreme(false)),
        };
        let below = graph.less(&any, &Word::constant(self.bounds.0));
        let above = graph.less(&Word::constant(self.bounds.1), &any);
        graph.and(!below, !above)
    }
}

/// The bits of a number below `count`.
pub fn below(count: usize, fresh: impl FnMut() -> usize) -> Bits {
    Bits::of((0, count.max(1) as i64 - 1), fresh)
}
