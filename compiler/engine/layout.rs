//! How a state is packed: every location and every stored variable in as many bits as its domain needs.
//!
//! A state is a fixed number of 64-bit words. No field crosses the end of a word, so reading one is a shift and
//! a mask. Derived variables and variables with a single value take no room. In memory a state is cut to whole
//! bytes ([`Layout::bytes`]): only the last word may be partly used.

use super::symmetry::Units;
use crate::system::state::State;
use crate::system::{LocId, System, VarId};
use crate::vocabulary::ProcessId;

/// A few bits of one word, which hold `value - lo`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Which word.
    pub word: u16,
    /// Its lowest bit.
    pub shift: u8,
    /// How many bits: 1 to 33.
    pub bits: u8,
    /// The value that is stored as 0.
    pub lo: i64,
}

impl Field {
    /// As many ones as it has bits.
    #[inline]
    pub fn ones(self) -> u64 {
        (1 << self.bits) - 1
    }

    /// Its bits within its word.
    #[inline]
    pub fn mask(self) -> u64 {
        self.ones() << self.shift
    }

    /// What is stored.
    #[inline]
    pub fn code(self, words: &[u64]) -> u64 {
        (words[self.word as usize] >> self.shift) & self.ones()
    }

    /// The value.
    #[inline]
    pub fn get(self, words: &[u64]) -> i64 {
        self.code(words) as i64 + self.lo
    }

    /// A value as it is stored, at its place in the word.
    #[inline]
    pub fn placed(self, value: i64) -> u64 {
        ((value - self.lo) as u64 & self.ones()) << self.shift
    }

    /// Stores a value.
    #[inline]
    pub fn set(self, words: &mut [u64], value: i64) {
        let word = &mut words[self.word as usize];
        *word = *word & !self.mask() | self.placed(value);
    }
}

/// Where everything is.
#[derive(Clone, Debug)]
pub struct Layout {
    /// How many words a state has, at least 1.
    pub words: usize,
    /// How many bytes of them are used, at least 1.
    pub bytes: usize,
    /// How many bits the fields have together.
    pub bits: usize,
    /// The location of each process; none if it has only one.
    pub locations: Vec<Option<Field>>,
    /// Each variable; none if it is derived or has only one value.
    pub vars: Vec<Option<Field>>,
}

impl Layout {
    /// The layout for a System.
    pub fn new(system: &System) -> Self {
        // Locations first, then the variables as declared: what is copied together stays together.
        let locations = system.processes.iter().map(|p| p.locations.len() as u64);
        let vars = system.vars.iter().map(|v| match v.derived {
            Some(_) => 1,
            None => v.domain.size(),
        });
        let widths: Vec<u8> = locations.chain(vars).map(width).collect();
        // What is exchanged together stays together even more.
        let order = together(system);
        let mut by_width: Vec<usize> = (0..widths.len()).collect();
        by_width.sort_by_key(|i| std::cmp::Reverse(widths[*i]));
        // Widest first wastes less; it is taken where that saves a byte.
        let declared = place(&widths, &order);
        let sorted = place(&widths, &by_width);
        let (places, bytes) = if sorted.1 < declared.1 {
            sorted
        } else {
            declared
        };
        let field = |i: usize, lo: i64| {
            let (word, shift) = places[i];
            let bits = widths[i];
            (bits > 0).then_some(Field {
                word,
                shift,
                bits,
                lo,
            })
        };
        let count = system.processes.len();
        Layout {
            words: bytes.div_ceil(8),
            bytes,
            bits: widths.iter().map(|w| *w as usize).sum(),
            locations: (0..count).map(|p| field(p, 0)).collect(),
            vars: system
                .vars
                .iter()
                .enumerate()
                .map(|(v, var)| field(count + v, var.domain.bounds().0))
                .collect(),
        }
    }

    /// Packs a state into `words`.
    pub fn pack(&self, state: &State, words: &mut [u64]) {
        words.fill(0);
        for (field, at) in self.locations.iter().zip(&state.locations) {
            if let Some(field) = field {
                field.set(words, i64::from(at.0));
            }
        }
        for (field, value) in self.vars.iter().zip(&state.values) {
            if let Some(field) = field {
                field.set(words, *value);
            }
        }
    }

    /// Where a process is.
    fn location(&self, words: &[u64], process: ProcessId) -> LocId {
        LocId(self.locations[process.0 as usize].map_or(0, |f| f.code(words) as u32))
    }

    /// The value of a stored variable.
    fn value(&self, system: &System, words: &[u64], var: VarId) -> i64 {
        match self.vars[var.0 as usize] {
            Some(field) => field.get(words),
            None => system.var(var).domain.bounds().0,
        }
    }

    /// The state that was packed.
    pub fn unpack(&self, system: &System, words: &[u64]) -> State {
        let mut state = State {
            locations: system
                .processes()
                .map(|(id, _)| self.location(words, id))
                .collect(),
            values: (0..system.vars.len())
                .map(|v| self.value(system, words, VarId(v as u32)))
                .collect(),
        };
        for (v, var) in system.vars.iter().enumerate() {
            if let Some(expr) = &var.derived {
                state.values[v] = state.eval(expr);
            }
        }
        state
    }
}

/// The processes and then the variables, by number, in an order that does not tear apart what symmetry exchanges.
fn together(system: &System) -> Vec<usize> {
    let units = Units::find(system);
    let processes = (0..system.processes.len() as u32).map(|p| (units.process(ProcessId(p)), 0));
    let vars = (0..system.vars.len() as u32).map(|v| (units.var(VarId(v)), 1));
    // What belongs to no unit has the greatest number for one, and comes last.
    let keys: Vec<_> = processes
        .chain(vars)
        .map(|(place, kind)| (place.unit, kind, place.slot))
        .collect();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|i| keys[*i]);
    order
}

/// The bits that `size` values need.
fn width(size: u64) -> u8 {
    (64 - size.saturating_sub(1).leading_zeros()) as u8
}

/// First fit: a word and a shift for each field, and the bytes used.
fn place(widths: &[u8], order: &[usize]) -> (Vec<(u16, u8)>, usize) {
    let mut used: Vec<u8> = vec![0];
    let mut places = vec![(0, 0); widths.len()];
    let mut open = 0;
    for &i in order {
        let bits = widths[i];
        let fits = used[open..].iter().position(|u| u + bits <= 64);
        let word = match fits {
            Some(offset) => open + offset,
            None => {
                used.push(0);
                used.len() - 1
            }
        };
        places[i] = (word as u16, used[word]);
        used[word] += bits;
        while open + 1 < used.len() && used[open] == 64 {
            open += 1;
        }
    }
    let last = *used.last().expect("there is a first word") as usize;
    let bytes = (used.len() - 1) * 8 + last.div_ceil(8);
    (places, bytes.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::state;
    use crate::testing::system::random_system;

    #[test]
    fn states_survive_packing() {
        for seed in 0..100 {
            let system = random_system(seed);
            let layout = Layout::new(&system);
            let mut words = vec![0; layout.words];
            for state in state::walk(&system, 1000).unwrap_or_default() {
                layout.pack(&state, &mut words);
                assert_eq!(layout.unpack(&system, &words), state, "seed {seed}");
                let spare = layout.words * 64 - layout.bytes * 8;
                assert!(words[layout.words - 1].leading_zeros() as usize >= spare);
            }
        }
    }

    #[test]
    fn fields_do_not_overlap_or_cross_words() {
        let widths: Vec<u8> = vec![33, 33, 1, 7, 20, 0, 31, 5, 64 - 33, 2];
        let order: Vec<usize> = (0..widths.len()).collect();
        let (places, bytes) = place(&widths, &order);
        let mut words = vec![0u64; bytes.div_ceil(8)];
        for (width, (word, shift)) in widths.iter().zip(places) {
            assert!(width + shift <= 64);
            let mask = ((1u64 << width) - 1) << shift;
            assert_eq!(words[word as usize] & mask, 0);
            words[word as usize] |= mask;
        }
    }

    #[test]
    fn widths_fit_exactly() {
        let cases = [
            (1, 0),
            (2, 1),
            (3, 2),
            (4, 2),
            (5, 3),
            (1 << 32, 32),
            ((1 << 32) + 1, 33),
        ];
        for (size, bits) in cases {
            assert_eq!(width(size), bits, "{size}");
        }
    }
}
