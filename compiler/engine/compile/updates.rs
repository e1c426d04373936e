//! From the updates of an edge to [`Update`]s.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::super::code::{Base, Place, Range, Test, Update};
use super::super::layout::Field;
use super::{Compiler, InSet, Picks, Slot};
use crate::system::Op as Operator;
use crate::system::expr::Replaced;
use crate::system::{Expr, Leaf, VarId};
use crate::vocabulary::ProcessId;

/// If so many updates compute something from one small field, they are compiled for each of its values.
const WORTH_CASES: usize = 3;

/// What reads more fields than this is not asked which of them.
const MOST_SLOTS: usize = 128;

/// No more cases when there are so many updates in all.
const MANY: usize = 1 << 16;

/// A field, and the expression of which it gets the value.
type Assignment = (VarId, Field, Expr);

impl Compiler<'_> {
    /// The updates of an edge that moves `process` to `to`, given the parts of its guard: the first, if it stores
    /// constants, and the others.
    pub fn updates(
        &mut self,
        process: ProcessId,
        to: u32,
        updates: &[(VarId, Expr)],
        guard: &[Expr],
        picks: Picks<'_>,
    ) -> (Base, Range) {
        self.bind(picks);
        let mut assignments: Vec<Assignment> = Vec::new();
        let mut memo = Replaced::default();
        // Of two updates of one variable the later wins.
        let positions = updates.iter().enumerate();
        let last: FxHashMap<VarId, usize> = positions.map(|(i, (var, _))| (*var, i)).collect();
        for (i, (var, expr)) in updates.iter().enumerate() {
            if let Some(field) = self.layout.vars[var.0 as usize].filter(|_| last[var] == i) {
                assignments.push((*var, field, self.normal_in(&mut memo, expr, picks)));
            }
        }
        let (sets, _) = self.sets(guard);
        for set in sets.iter().filter(|set| set.set.is_power_of_two()) {
            let code = u64::from(set.set.trailing_zeros());
            assignments = self.given(&assignments, set.slot, code);
        }
        let location = self.layout.locations[process.0 as usize].map(|field| (field, to));
        let mut list = match self.worth_cases(&assignments) {
            Some(slot) => vec![self.cases(location, &assignments, slot, &sets)],
            None => self.assign(location, &assignments),
        };
        let first = match list.first() {
            Some(Update::Base(base)) => *base,
            _ => return (Base::default(), self.add_updates(list)),
        };
        list.remove(0);
        (first, self.add_updates(list))
    }

    fn add_updates(&mut self, list: Vec<Update>) -> Range {
        let start = self.code.updates.len() as u32;
        self.code.updates.extend(list);
        Range {
            start,
            end: self.code.updates.len() as u32,
        }
    }

    /// The assignments in states in which a slot has a certain code.
    fn given(&self, assignments: &[Assignment], slot: Slot, code: u64) -> Vec<Assignment> {
        let mut memo = Replaced::default();
        let all = assignments.iter().map(|(var, field, expr)| {
            let expr = match expr {
                // What does not change costs nothing.
                Expr::Leaf(Leaf::Var(v)) if v == var => expr.clone(),
                _ => expr.replace_in(&mut memo, &mut |leaf| self.given_leaf(leaf, slot, code)),
            };
            (*var, *field, expr)
        });
        all.collect()
    }

    fn given_leaf(&self, leaf: &Leaf, slot: Slot, code: u64) -> Option<Expr> {
        match (leaf, slot) {
            (Leaf::Var(v), Slot::Var(known)) if *v == known => {
                let value = code as i64 + self.field(slot).lo;
                Some(Expr::Const(self.system.var(*v).domain.scalar(value)))
            }
            (Leaf::At(p, at), Slot::At(known)) if *p == known => {
                Some(Expr::bool(at.iter().any(|l| u64::from(l.0) == code)))
            }
            _ => None,
        }
    }

    /// The small field from which most assignments compute something, if there are enough of them.
    fn worth_cases(&self, assignments: &[Assignment]) -> Option<Slot> {
        let mut uses: IndexMap<Slot, usize, FxBuildHasher> = IndexMap::default();
        for (_, _, expr) in assignments {
            if matches!(expr, Expr::Leaf(_) | Expr::Const(_)) {
                continue;
            }
            let slots = self.slots_up_to(MOST_SLOTS, expr);
            for slot in slots.unwrap_or_default() {
                if self.field(slot).bits <= 6 {
                    *uses.entry(slot).or_default() += 1;
                }
            }
        }
        // Of several the first, so that the code is always the same.
        let (slot, count) = uses.into_iter().rev().max_by_key(|(_, count)| *count)?;
        (count >= WORTH_CASES && self.code.updates.len() < MANY).then_some(slot)
    }

    /// The assignments compiled for each code of a slot that the guard allows.
    fn cases(
        &mut self,
        location: Option<(Field, u32)>,
        assignments: &[Assignment],
        slot: Slot,
        sets: &[InSet],
    ) -> Update {
        let allowed = sets.iter().find(|set| set.slot == slot);
        let allowed = allowed.map_or(u64::MAX, |set| set.set);
        let field = self.field(slot);
        let cases: Vec<Range> = (0..=field.ones())
            .map(|code| {
                if code >= self.size(slot) || allowed >> code & 1 == 0 {
                    return Range::default();
                }
                let given = self.given(assignments, slot, code);
                let list = self.assign(location, &given);
                self.add_updates(list)
            })
            .collect();
        let inputs = self.lookup(&[slot], self.code.cases.len() as u32);
        self.code.cases.extend(cases);
        Update::Cases(inputs)
    }

    /// The code of a list of assignments.
    fn assign(
        &mut self,
        location: Option<(Field, u32)>,
        assignments: &[Assignment],
    ) -> Vec<Update> {
        let mut bases = Bases::default();
        let mut rest: Vec<Update> = Vec::new();
        if let Some((field, to)) = location {
            base(&mut bases, field, Some(i64::from(to)));
        }
        for (var, field, expr) in assignments {
            match expr.as_const() {
                Some(value) => base(&mut bases, *field, Some(value)),
                None if *expr == Expr::Leaf(Leaf::Var(*var)) => {}
                None => {
                    base(&mut bases, *field, None);
                    self.store(*field, expr, &mut rest);
                }
            }
        }
        let bases = bases.into_values().map(Update::Base);
        bases.chain(merge_copies(rest)).collect()
    }

    /// Stores an expression's value in a field whose bits have been cleared.
    fn store(&mut self, field: Field, expr: &Expr, out: &mut Vec<Update>) {
        if let Some(value) = expr.as_const() {
            let set = field.placed(value);
            if set != 0 {
                out.push(Update::Base(Base {
                    word: field.word,
                    clear: 0,
                    set,
                }));
            }
            return;
        }
        if let Expr::Leaf(Leaf::Var(v)) = expr {
            let source = self.field(Slot::Var(*v));
            if source.lo == field.lo {
                let ones = source.ones() & field.ones();
                out.push(Update::Copy {
                    from: source.word,
                    to: field.word,
                    rotate: (64 + field.shift - source.shift) % 64,
                    keep: ones << field.shift,
                });
                return;
            }
        }
        if let Some(lookup) = self.value_table(expr, field) {
            let place = Place {
                word: field.word,
                shift: field.shift,
            };
            out.push(Update::Table(lookup, place));
            return;
        }
        match expr {
            Expr::If(c, a, b) => self.branch(field, c, a, b, out),
            Expr::Select(index, items) if items.len() <= 16 => {
                // The first item, or the rest of them.
                let first = Expr::binary(Operator::Eq, (**index).clone(), Expr::int(0));
                match &items[..] {
                    [only] => self.store(field, only, out),
                    [item, others @ ..] => {
                        let next = Expr::binary(Operator::Sub, (**index).clone(), Expr::int(1));
                        // Beyond the end the last one: the chain ends in it, so a negative index must not
                        // come back into bounds; it only moves further away.
                        let rest = Expr::select(next, others.to_vec());
                        self.branch(field, &first, item, &rest, out);
                    }
                    [] => {}
                }
            }
            _ => {
                let range = self.instructions(expr);
                out.push(Update::Code(range, field));
            }
        }
    }

    fn branch(&mut self, field: Field, c: &Expr, a: &Expr, b: &Expr, out: &mut Vec<Update>) {
        let test = match self.in_set(c) {
            Some(set) => set.test().unwrap_or(Test::Mask {
                word: 0,
                mask: 0,
                value: 0,
            }),
            None => self.test(c),
        };
        let test = self.add_test(test);
        let mut yes = Vec::new();
        let mut no = Vec::new();
        self.store(field, a, &mut yes);
        self.store(field, b, &mut no);
        if !no.is_empty() {
            yes.push(Update::Skip(no.len() as u32));
        }
        let skip = yes.len() as u32;
        out.push(Update::Unless { test, skip });
        out.extend(yes);
        out.extend(no);
    }
}

/// Notes that a field changes, perhaps to a constant.
fn base(bases: &mut Bases, field: Field, value: Option<i64>) {
    let word = field.word;
    let base = bases.entry(word).or_insert(Base {
        word,
        clear: 0,
        set: 0,
    });
    base.clear |= field.mask();
    base.set |= value.map_or(0, |v| field.placed(v));
}

/// What changes in each word.
type Bases = IndexMap<u16, Base, FxBuildHasher>;

/// Copies between the same two words over the same distance become one. Those inside branches stay.
fn merge_copies(updates: Vec<Update>) -> Vec<Update> {
    if updates.iter().any(|u| matches!(u, Update::Unless { .. })) {
        return updates;
    }
    let mut merged: Vec<Update> = Vec::new();
    let mut places: FxHashMap<(u16, u16, u8), usize> = FxHashMap::default();
    for update in updates {
        if let Update::Copy {
            from,
            to,
            rotate,
            keep,
        } = update
        {
            let same = *places.entry((from, to, rotate)).or_insert(merged.len());
            if let Some(Update::Copy { keep: known, .. }) = merged.get_mut(same) {
                *known |= keep;
                continue;
            }
        }
        merged.push(update);
    }
    merged
}
