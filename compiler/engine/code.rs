//! What guards and updates become: tests and operations on packed words that run without allocating.
//!
//! Most guards are conjunctions of questions about small fields, and most updates store constants or copy
//! fields. So a condition is a list of [`Test`]s (all questions `field == constant` about one word are a single
//! test), and an update a list of [`Update`]s (all constants stored in one word are a single operation, and so
//! are all copies between two words over the same distance). Whatever reads few bits in all is a table, above all which
//! edges out of a location can be taken. If many updates depend on one field (a buffer's length decides where a message
//! goes), there is a list for each of its values. The rest is code for a register machine ([`Op`]).

use super::layout::Field;
use crate::system::Op as Operator;

/// A question about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    /// `word & mask == value`: several fields have certain values.
    Mask {
        /// Which word.
        word: u16,
        /// The fields.
        mask: u64,
        /// Their values.
        value: u64,
    },
    /// One field of at most 6 bits is in a set.
    Set {
        /// Which word.
        word: u16,
        /// The field's lowest bit.
        shift: u8,
        /// As many ones as the field has bits.
        ones: u8,
        /// Bit `code` says whether the code is in the set.
        set: u64,
    },
    /// A table of bits says so.
    Table(Lookup),
    /// The code yields something else than 0.
    Code(Range),
    /// No.
    Never,
}

/// A part of one of the lists in [`Code`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Range {
    /// First.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl Range {
    /// As an index.
    #[inline]
    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether it has no parts.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// Where to find a value in a table: the bits of the inputs, one after another, are the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lookup {
    /// The fields: a part of `Code::inputs`.
    pub inputs: Range,
    /// Where the table begins: in bits of `Code::bits`, in `Code::values`, `Code::cases` or `Code::ready`.
    pub base: u32,
}

/// Clears the fields of a word that change and sets those that become constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Base {
    /// Which word.
    pub word: u16,
    /// The fields that change.
    pub clear: u64,
    /// The constants.
    pub set: u64,
}

impl Base {
    /// Changes a state.
    #[inline]
    pub fn apply(&self, words: &mut [u64]) {
        let word = &mut words[self.word as usize];
        *word = *word & !self.clear | self.set;
    }
}

/// A change of a state. All read the state before and write the state after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    /// Comes before everything else that writes its word; the others only set bits.
    Base(Base),
    /// Copies fields.
    Copy {
        /// The word read.
        from: u16,
        /// The word written.
        to: u16,
        /// How far to rotate to the left on the way.
        rotate: u8,
        /// The bits copied, after rotating.
        keep: u64,
    },
    /// Stores a value of a table.
    Table(Lookup, Place),
    /// Stores what code yields, less `lo`.
    Code(Range, Field),
    /// Skips as many of the next updates if a test of `Code::tests` says no.
    Unless {
        /// The test.
        test: u32,
        /// How many updates to skip.
        skip: u32,
    },
    /// Skips as many of the next updates.
    Skip(u32),
    /// The updates are those of `Code::cases`; comes alone.
    Cases(Lookup),
}

/// Where a code is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Which word.
    pub word: u16,
    /// The lowest bit.
    pub shift: u8,
}

/// An instruction of the register machine; the result is in register 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// `to = value`
    Constant { to: u16, value: i64 },
    /// `to = field`
    Load { to: u16, field: Field },
    /// `to = pick`: a field of the packed picks.
    Pick { to: u16, field: Field },
    /// `to = 1` if the test says yes, else 0; never a test of kind code.
    Test { to: u16, test: u32 },
    /// `to = !to`
    Not { to: u16 },
    /// `to = -to`
    Negate { to: u16 },
    /// `to = to op with`
    Binary { op: Operator, to: u16, with: u16 },
    /// Goes on at `target` if the register is 0.
    IfZero { register: u16, target: u32 },
    /// Goes on at `target` if the register is not 0.
    IfOther { register: u16, target: u32 },
    /// Goes on at `target`.
    Jump { target: u32 },
    /// Goes on at the target at the register's position in `Code::targets`, the last one if beyond.
    Switch { register: u16, targets: Range },
    /// Runs other instructions, whose first register is `to`, where they leave their result.
    Call { to: u16, range: Range },
    /// `to =` the constant of `Code::constants` at position `to` of the table, the last one if beyond.
    Fetch { to: u16, table: Range },
}

/// A field read by a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input {
    /// Which word.
    pub word: u16,
    /// The lowest bit.
    pub shift: u8,
    /// How many bits.
    pub bits: u8,
}

/// All the code of a model.
#[derive(Clone, Default, Debug)]
pub struct Code {
    /// Tests; a condition is a range of them, all of which must say yes.
    pub tests: Vec<Test>,
    /// Updates.
    pub updates: Vec<Update>,
    /// Fields read by tables.
    pub inputs: Vec<Input>,
    /// Tables of bits.
    pub bits: Vec<u64>,
    /// Tables of codes.
    pub values: Vec<u32>,
    /// Tables of updates.
    pub cases: Vec<Range>,
    /// Tables of edges that can be taken, a bit for each of those out of a location.
    pub ready: Vec<u64>,
    /// Instructions.
    pub ops: Vec<Op>,
    /// Where switches lead.
    pub targets: Vec<u32>,
    /// Tables of constants.
    pub constants: Vec<i64>,
    /// How many registers are needed.
    pub registers: usize,
}

/// What running code needs besides the state.
#[derive(Clone, Default, Debug)]
pub struct Scratch {
    /// The packed picks.
    pub picks: u64,
    registers: Vec<i64>,
}

impl Scratch {
    /// Room for running `code`.
    pub fn new(code: &Code) -> Self {
        Scratch {
            picks: 0,
            registers: vec![0; code.registers.max(1)],
        }
    }
}

impl Code {
    /// Whether a condition can never hold, as is plain.
    pub fn is_never(&self, condition: Range) -> bool {
        self.tests[condition.indices()].first() == Some(&Test::Never)
    }

    /// The edges that a table says can be taken.
    #[inline]
    pub fn ready(&self, lookup: Lookup, words: &[u64]) -> u64 {
        self.ready[self.position(lookup, words)]
    }

    /// Whether all tests of a condition say yes.
    #[inline]
    pub fn holds(&self, condition: Range, words: &[u64], scratch: &mut Scratch) -> bool {
        for test in &self.tests[condition.indices()] {
            if !self.says_yes(test, words, scratch) {
                return false;
            }
        }
        true
    }

    #[inline]
    fn says_yes(&self, test: &Test, words: &[u64], scratch: &mut Scratch) -> bool {
        match *test {
            Test::Code(range) => self.run(range, words, scratch) != 0,
            _ => self.plain(test, words),
        }
    }

    #[inline]
    fn plain(&self, test: &Test, words: &[u64]) -> bool {
        match *test {
            Test::Mask { word, mask, value } => words[word as usize] & mask == value,
            Test::Set {
                word,
                shift,
                ones,
                set,
            } => {
                let code = (words[word as usize] >> (shift & 63)) & u64::from(ones);
                (set >> code) & 1 != 0
            }
            Test::Table(lookup) => {
                let position = self.position(lookup, words);
                (self.bits[position / 64] >> (position % 64)) & 1 != 0
            }
            Test::Code(_) | Test::Never => false,
        }
    }

    #[inline]
    fn position(&self, lookup: Lookup, words: &[u64]) -> usize {
        let mut position = 0;
        for input in &self.inputs[lookup.inputs.indices()] {
            let bits = input.bits & 63;
            let code = (words[input.word as usize] >> (input.shift & 63)) & ((1 << bits) - 1);
            position = (position << bits) | code as usize;
        }
        lookup.base as usize + position
    }

    /// Performs updates: reads the state `before`, changes `after`, which begins as a copy of it.
    pub fn update(&self, updates: Range, before: &[u64], after: &mut [u64], scratch: &mut Scratch) {
        let mut updates = &self.updates[updates.indices()];
        let mut next = 0;
        while let Some(update) = updates.get(next) {
            next += 1;
            match *update {
                Update::Base(base) => base.apply(after),
                Update::Copy {
                    from,
                    to,
                    rotate,
                    keep,
                } => {
                    let moved = before[from as usize].rotate_left(u32::from(rotate));
                    after[to as usize] |= moved & keep;
                }
                Update::Table(lookup, place) => {
                    let code = self.values[self.position(lookup, before)];
                    after[place.word as usize] |= u64::from(code) << (place.shift & 63);
                }
                Update::Code(range, field) => {
                    let value = self.run(range, before, scratch);
                    after[field.word as usize] |= field.placed(value);
                }
                Update::Unless { test, skip } => {
                    if !self.says_yes(&self.tests[test as usize], before, scratch) {
                        next += skip as usize;
                    }
                }
                Update::Skip(skip) => next += skip as usize,
                Update::Cases(lookup) => {
                    let case = self.cases[self.position(lookup, before)];
                    updates = &self.updates[case.indices()];
                    next = 0;
                }
            }
        }
    }

    /// Runs instructions and returns register 0.
    #[inline(never)]
    fn run(&self, range: Range, words: &[u64], scratch: &mut Scratch) -> i64 {
        let picks = scratch.picks;
        self.run_in(range, words, picks, &mut scratch.registers)
    }

    fn run_in(&self, range: Range, words: &[u64], picks: u64, registers: &mut [i64]) -> i64 {
        let mut next = range.start;
        while next < range.end {
            let op = &self.ops[next as usize];
            next += 1;
            match *op {
                Op::Constant { to, value } => registers[to as usize] = value,
                Op::Load { to, field } => registers[to as usize] = field.get(words),
                Op::Pick { to, field } => registers[to as usize] = field.get(&[picks]),
                Op::Test { to, test } => {
                    let yes = self.plain(&self.tests[test as usize], words);
                    registers[to as usize] = i64::from(yes);
                }
                Op::Not { to } => {
                    registers[to as usize] = i64::from(registers[to as usize] == 0);
                }
                Op::Negate { to } => {
                    registers[to as usize] = registers[to as usize].wrapping_neg();
                }
                Op::Binary { op, to, with } => {
                    let (a, b) = (registers[to as usize], registers[with as usize]);
                    registers[to as usize] = apply(op, a, b);
                }
                Op::IfZero { register, target } => {
                    if registers[register as usize] == 0 {
                        next = target;
                    }
                }
                Op::IfOther { register, target } => {
                    if registers[register as usize] != 0 {
                        next = target;
                    }
                }
                Op::Jump { target } => next = target,
                Op::Switch { register, targets } => {
                    next = *item(
                        &self.targets[targets.indices()],
                        registers[register as usize],
                    );
                }
                Op::Call { to, range } => {
                    self.run_in(range, words, picks, &mut registers[to as usize..]);
                }
                Op::Fetch { to, table } => {
                    let constants = &self.constants[table.indices()];
                    registers[to as usize] = *item(constants, registers[to as usize]);
                }
            }
        }
        registers[0]
    }
}

/// The item at an index, the last one if beyond.
fn item<T>(items: &[T], index: i64) -> &T {
    let last = items.len() - 1;
    &items[usize::try_from(index).map_or(last, |i| i.min(last))]
}

/// As [`Operator::apply`], but total also where the bounds that make it so are not met.
fn apply(op: Operator, a: i64, b: i64) -> i64 {
    match op {
        Operator::Add => a.wrapping_add(b),
        Operator::Sub => a.wrapping_sub(b),
        Operator::Mul => a.wrapping_mul(b),
        _ => op.apply(a, b),
    }
}
