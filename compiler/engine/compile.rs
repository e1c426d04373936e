//! From expressions of a System to [`Code`]. Here are conditions, each in the cheapest form it has: a mask, a set, a table,
//! instructions.

mod instructions;
mod ready;
mod updates;

use indexmap::IndexMap;
use instructions::Routines;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::code::{Code, Input, Lookup, Range, Test};
use super::layout::{Field, Layout};
use crate::system::Op as Operator;
use crate::system::expr::Replaced;
use crate::system::{Domain, Expr, Leaf, System, VarId};
use crate::vocabulary::ProcessId;

/// Expressions that read at most so many bits become tables.
const TABLE_BITS: u32 = 10;

/// With more fields than this an expression is no table: a field has at least a bit.
const MOST_SLOTS: usize = 16;

/// A part of a condition shares a table with others if it fits into one of so many.
const NEAR: usize = 8;

/// What the picks of an edge are.
#[derive(Clone, Copy)]
pub enum Picks<'a> {
    /// Constants: the domain and code of each.
    Fixed(&'a [(Domain, i64)]),
    /// Fields of the packed picks.
    Packed(&'a [Field]),
}

/// There are none.
pub const NO_PICKS: Picks<'static> = Picks::Fixed(&[]);

/// Translates expressions, one after another.
pub struct Compiler<'a> {
    system: &'a System,
    layout: &'a Layout,
    /// What has been translated so far.
    pub code: Code,
    bit_tables: FxHashMap<Expr, Lookup>,
    value_tables: FxHashMap<(Expr, i64, u8), Lookup>,
    routines: Routines,
    packed: Vec<Field>,
}

/// What an expression reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Slot {
    At(ProcessId),
    Var(VarId),
}

/// A single field and the codes for which a condition holds.
struct InSet {
    slot: Slot,
    field: Field,
    set: u64,
    all: u64,
}

impl<'a> Compiler<'a> {
    /// One that knows where everything is.
    pub fn new(system: &'a System, layout: &'a Layout) -> Self {
        Compiler {
            system,
            layout,
            code: Code::default(),
            bit_tables: FxHashMap::default(),
            value_tables: FxHashMap::default(),
            routines: Routines::default(),
            packed: Vec::new(),
        }
    }

    /// The expression over stored variables and locations with more than one value, picks replaced.
    pub fn normal(&self, expr: &Expr, picks: Picks<'_>) -> Expr {
        self.normal_in(&mut Replaced::default(), expr, picks)
    }

    /// The same; parts that expressions share are looked at once with the same memo.
    pub fn normal_in(&self, memo: &mut Replaced<Leaf>, expr: &Expr, picks: Picks<'_>) -> Expr {
        expr.replace_in(memo, &mut |leaf| match leaf {
            Leaf::Var(v) => {
                let var = self.system.var(*v);
                match &var.derived {
                    Some(derived) => Some(self.normal(derived, NO_PICKS)),
                    None if self.layout.vars[v.0 as usize].is_none() => {
                        Some(Expr::Const(var.domain.scalar(var.domain.bounds().0)))
                    }
                    None => None,
                }
            }
            Leaf::Pick(i) => match picks {
                Picks::Fixed(codes) => {
                    let (domain, code) = codes[*i as usize];
                    Some(Expr::Const(domain.scalar(code)))
                }
                Picks::Packed(_) => None,
            },
            Leaf::At(p, at) => {
                let count = self.system.process(*p).locations.len();
                match at.len() {
                    0 => Some(Expr::no()),
                    n if n == count => Some(Expr::yes()),
                    _ => None,
                }
            }
        })
    }

    /// A condition: the tests that must all say yes.
    pub fn condition(&mut self, expr: &Expr, picks: Picks<'_>) -> Range {
        let parts = self.parts(expr, picks);
        self.all_of(&parts, picks)
    }

    /// The parts of a condition, which must all hold, in normal form.
    pub fn parts(&self, expr: &Expr, picks: Picks<'_>) -> Vec<Expr> {
        match self.normal(expr, picks) {
            Expr::And(parts) => parts.to_vec(),
            one if one.is_yes() => Vec::new(),
            one => vec![one],
        }
    }

    /// What parts of a condition say about single small fields, and the other parts.
    fn sets<'e>(&self, parts: &'e [Expr]) -> (Vec<InSet>, Vec<&'e Expr>) {
        let mut sets: IndexMap<Slot, InSet, FxBuildHasher> = IndexMap::default();
        let mut others = Vec::new();
        for part in parts {
            match self.in_set(part) {
                Some(found) => match sets.get_mut(&found.slot) {
                    Some(known) => known.set &= found.set,
                    None => drop(sets.insert(found.slot, found)),
                },
                None => others.push(part),
            }
        }
        (sets.into_values().collect(), others)
    }

    /// Whether parts of a condition never hold together, as is plain.
    pub fn is_never(&self, parts: &[Expr]) -> bool {
        let (sets, others) = self.sets(parts);
        sets.iter().any(|set| set.set == 0) || others.iter().any(|part| part.as_const() == Some(0))
    }

    /// The tests for parts of a condition in normal form.
    pub fn all_of(&mut self, parts: &[Expr], picks: Picks<'_>) -> Range {
        self.bind(picks);
        let (sets, others) = self.sets(parts);
        let mut tests: Vec<Test> = Vec::new();
        // Where the test of a word is.
        let mut masks: FxHashMap<u16, usize> = FxHashMap::default();
        for set in &sets {
            match set.test() {
                Some(Test::Mask { word, mask, value }) => {
                    let same = *masks.entry(word).or_insert(tests.len());
                    match tests.get_mut(same) {
                        Some(Test::Mask {
                            mask: m, value: v, ..
                        }) => {
                            *m |= mask;
                            *v |= value;
                        }
                        _ => tests.push(Test::Mask { word, mask, value }),
                    }
                }
                Some(test) => tests.push(test),
                None => {}
            }
        }
        for part in self.in_common_tables(others, Expr::and) {
            tests.push(self.test(&part));
        }
        // What is cheap and says no comes first.
        tests.sort_by_key(|test| match test {
            Test::Never => 0,
            Test::Mask { .. } => 1,
            Test::Set { .. } => 2,
            Test::Table(_) => 3,
            Test::Code(_) => 4,
        });
        if tests.first() == Some(&Test::Never) {
            tests.truncate(1);
        }
        let start = self.code.tests.len() as u32;
        self.code.tests.extend(tests);
        Range {
            start,
            end: self.code.tests.len() as u32,
        }
    }

    /// Parts of a conjunction or disjunction, those that one table can answer together as one.
    fn in_common_tables<'e>(
        &self,
        parts: impl IntoIterator<Item = &'e Expr>,
        join: impl Fn(Vec<Expr>) -> Expr,
    ) -> Vec<Expr> {
        let mut groups: Vec<(Vec<Slot>, Vec<Expr>)> = Vec::new();
        let mut alone = Vec::new();
        for part in parts {
            let Some(slots) = self.tabulated(part) else {
                alone.push(part.clone());
                continue;
            };
            let together = |known: &[Slot]| {
                let new = slots.iter().filter(|slot| !known.contains(slot));
                [known, &new.copied().collect::<Vec<_>>()].concat()
            };
            let fits = |known: &[Slot]| self.bits(&together(known)) <= TABLE_BITS;
            // Parts that read the same are mostly close to each other.
            let mut near = groups.iter_mut().rev().take(NEAR);
            match near.find(|(known, _)| fits(known)) {
                Some((known, all)) => {
                    *known = together(known);
                    all.push(part.clone());
                }
                None => groups.push((slots, vec![part.clone()])),
            }
        }
        let groups = groups.into_iter().map(|(_, all)| join(all));
        groups.chain(alone).collect()
    }

    fn bind(&mut self, picks: Picks<'_>) {
        self.packed.clear();
        self.routines.forget_picks();
        if let Picks::Packed(fields) = picks {
            self.packed.extend_from_slice(fields);
        }
    }

    fn add_test(&mut self, test: Test) -> u32 {
        self.code.tests.push(test);
        self.code.tests.len() as u32 - 1
    }

    /// A condition on a single small field.
    fn in_set(&self, expr: &Expr) -> Option<InSet> {
        let slots = self.slots(expr)?;
        let [slot] = slots.as_slice() else {
            return None;
        };
        let field = self.field(*slot);
        if field.bits > 6 {
            // Too many values for a set, but a single one is a mask.
            return None;
        }
        let mut set = 0;
        let mut all = 0;
        for code in 0..self.size(*slot) {
            all |= 1 << code;
            if self.eval(expr, &[(*slot, code)]) != 0 {
                set |= 1 << code;
            }
        }
        Some(InSet {
            slot: *slot,
            field,
            set,
            all,
        })
    }

    /// A test for any condition.
    fn test(&mut self, expr: &Expr) -> Test {
        if let Some(value) = expr.as_const() {
            return match value {
                0 => Test::Never,
                _ => Test::Mask {
                    word: 0,
                    mask: 0,
                    value: 0,
                },
            };
        }
        if let Some(test) = self.plain_test(expr) {
            return test;
        }
        Test::Code(self.instructions(expr))
    }

    /// A test without code, if there is one.
    fn plain_test(&mut self, expr: &Expr) -> Option<Test> {
        if let Some(set) = self.in_set(expr) {
            return Some(set.test().unwrap_or(Test::Mask {
                word: 0,
                mask: 0,
                value: 0,
            }));
        }
        if let Expr::Binary(Operator::Eq, a, b) = expr
            && let (Expr::Leaf(Leaf::Var(v)), Some(value)) = (&**a, b.as_const())
        {
            let (lo, hi) = self.system.var(*v).domain.bounds();
            let field = self.field(Slot::Var(*v));
            return Some(if value < lo || value > hi {
                Test::Never
            } else {
                Test::Mask {
                    word: field.word,
                    mask: field.mask(),
                    value: field.placed(value),
                }
            });
        }
        if let Some(known) = self.bit_tables.get(expr) {
            return Some(Test::Table(*known));
        }
        let slots = self.tabulated(expr)?;
        let base = self.code.bits.len() as u32 * 64;
        let mut words = Vec::new();
        self.each(expr, &slots, |position, value| {
            if position % 64 == 0 {
                words.push(0u64);
            }
            if value.is_some_and(|v| v != 0) {
                words[position / 64] |= 1 << (position % 64);
            }
        });
        self.code.bits.extend(words);
        let lookup = self.lookup(&slots, base);
        self.bit_tables.insert(expr.clone(), lookup);
        Some(Test::Table(lookup))
    }

    fn value_table(&mut self, expr: &Expr, field: Field) -> Option<Lookup> {
        let key = (expr.clone(), field.lo, field.bits);
        if let Some(known) = self.value_tables.get(&key) {
            return Some(*known);
        }
        let slots = self.tabulated(expr)?;
        let base = self.code.values.len() as u32;
        let mut values = Vec::new();
        self.each(expr, &slots, |_, value| {
            let code = value.map_or(0, |v| v.wrapping_sub(field.lo) as u64 & field.ones());
            values.push(code as u32);
        });
        if field.bits > 32 {
            return None;
        }
        self.code.values.extend(values);
        let lookup = self.lookup(&slots, base);
        self.value_tables.insert(key, lookup);
        Some(lookup)
    }

    fn lookup(&mut self, slots: &[Slot], base: u32) -> Lookup {
        let start = self.code.inputs.len() as u32;
        let mut inputs: Vec<Input> = Vec::new();
        for slot in slots {
            let Field {
                word, shift, bits, ..
            } = self.field(*slot);
            match inputs.last_mut() {
                // Neighbours are read together.
                Some(last) if last.word == word && last.shift == shift + bits => {
                    last.shift = shift;
                    last.bits += bits;
                }
                _ => inputs.push(Input { word, shift, bits }),
            }
        }
        self.code.inputs.extend(inputs);
        let inputs = Range {
            start,
            end: self.code.inputs.len() as u32,
        };
        Lookup { inputs, base }
    }

    /// What an expression reads, if that is few bits and no picks; from the upper bits of a word to the lower.
    fn tabulated(&self, expr: &Expr) -> Option<Vec<Slot>> {
        let mut slots = self.slots(expr)?;
        self.sort(&mut slots);
        (self.bits(&slots) <= TABLE_BITS && !slots.is_empty()).then_some(slots)
    }

    fn bits(&self, slots: &[Slot]) -> u32 {
        slots.iter().map(|s| u32::from(self.field(*s).bits)).sum()
    }

    fn sort(&self, slots: &mut [Slot]) {
        slots.sort_by_key(|slot| {
            let field = self.field(*slot);
            (field.word, std::cmp::Reverse(field.shift))
        });
    }

    /// Calls `entry` with every position of a table and the value there; there is none at positions that no
    /// state has.
    fn each(&self, expr: &Expr, slots: &[Slot], mut entry: impl FnMut(usize, Option<i64>)) {
        let bits = self.bits(slots);
        let mut codes: Vec<(Slot, u64)> = slots.iter().map(|s| (*s, 0)).collect();
        for position in 0..1usize << bits {
            let mut rest = position;
            let mut real = true;
            for (slot, code) in codes.iter_mut().rev() {
                let field = self.field(*slot);
                *code = rest as u64 & field.ones();
                rest >>= field.bits;
                real &= *code < self.size(*slot);
            }
            entry(position, real.then(|| self.eval(expr, &codes)));
        }
    }

    fn eval(&self, expr: &Expr, codes: &[(Slot, u64)]) -> i64 {
        let code = |wanted: Slot| {
            let known = codes.iter().find(|(slot, _)| *slot == wanted);
            known.expect("every slot has a code").1
        };
        expr.eval(&|leaf| match leaf {
            Leaf::Var(v) => code(Slot::Var(*v)) as i64 + self.field(Slot::Var(*v)).lo,
            Leaf::At(p, at) => {
                let here = code(Slot::At(*p)) as u32;
                i64::from(at.iter().any(|l| l.0 == here))
            }
            Leaf::Pick(_) => unreachable!("what reads picks is no table"),
        })
    }

    /// The fields an expression reads, or none if it reads picks or more fields than any table.
    fn slots(&self, expr: &Expr) -> Option<Vec<Slot>> {
        self.slots_up_to(MOST_SLOTS, expr)
    }

    /// The fields an expression reads, or none if it reads picks or more fields than this.
    fn slots_up_to(&self, most: usize, expr: &Expr) -> Option<Vec<Slot>> {
        let mut slots = Vec::new();
        let few = expr.all_leaves(&mut |leaf| {
            let slot = match leaf {
                Leaf::Var(v) => Slot::Var(*v),
                Leaf::At(p, _) => Slot::At(*p),
                Leaf::Pick(_) => return false,
            };
            if !slots.contains(&slot) {
                slots.push(slot);
            }
            slots.len() <= most
        });
        few.then_some(slots)
    }

    fn field(&self, slot: Slot) -> Field {
        let field = match slot {
            Slot::At(p) => self.layout.locations[p.0 as usize],
            Slot::Var(v) => self.layout.vars[v.0 as usize],
        };
        field.expect("constants have been replaced")
    }

    /// How many values a slot has.
    fn size(&self, slot: Slot) -> u64 {
        match slot {
            Slot::At(p) => self.system.process(p).locations.len() as u64,
            Slot::Var(v) => self.system.var(v).domain.size(),
        }
    }
}

impl InSet {
    /// The test, or none if it always says yes.
    fn test(&self) -> Option<Test> {
        let Field {
            word, shift, bits, ..
        } = self.field;
        let set = self.set & self.all;
        Some(match set {
            0 => Test::Never,
            _ if set == self.all => return None,
            _ if set.is_power_of_two() => Test::Mask {
                word,
                mask: self.field.mask(),
                value: u64::from(set.trailing_zeros()) << shift,
            },
            _ => Test::Set {
                word,
                shift,
                ones: ((1u16 << bits) - 1) as u8,
                set,
            },
        })
    }
}
