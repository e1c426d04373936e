//! Expressions that are neither tests nor tables: instructions, one per operator.

use rustc_hash::FxHashMap;

use super::super::code::{Op, Range, Test};
use super::{Compiler, Slot};
use crate::system::expr::{List, Shared};
use crate::system::{Expr, Leaf};

/// A shared part with so many nodes is compiled once, for all that read it.
const WORTH_CALLING: usize = 128;

/// Code that is there already.
#[derive(Default)]
pub(super) struct Routines {
    known: FxHashMap<Expr, Routine>,
    /// Such as read picks, which are elsewhere on the next edge.
    with_picks: FxHashMap<Expr, Routine>,
    constants: FxHashMap<List<Leaf>, Range>,
}

#[derive(Clone, Copy)]
struct Routine {
    range: Range,
    registers: usize,
}

impl Routines {
    pub(super) fn forget_picks(&mut self) {
        self.with_picks.clear();
    }

    fn get(&self, expr: &Expr) -> Option<Routine> {
        let known = self.known.get(expr).or_else(|| self.with_picks.get(expr));
        known.copied()
    }

    fn add(&mut self, expr: &Expr, routine: Routine) {
        let plain = expr.all_leaves(&mut |leaf| !matches!(leaf, Leaf::Pick(_)));
        let map = match plain {
            true => &mut self.known,
            false => &mut self.with_picks,
        };
        map.insert(expr.clone(), routine);
    }
}

impl Compiler<'_> {
    pub(super) fn instructions(&mut self, expr: &Expr) -> Range {
        self.routine(expr).range
    }

    /// Instructions that leave the value in the first of their registers.
    fn routine(&mut self, expr: &Expr) -> Routine {
        if let Some(known) = self.routines.get(expr) {
            return known;
        }
        let outer = std::mem::take(&mut self.code.registers);
        // Tables made on the way do not disturb: they are no instructions.
        let start = self.code.ops.len() as u32;
        self.evaluate(expr, 0);
        let range = Range {
            start,
            end: self.code.ops.len() as u32,
        };
        let registers = std::mem::replace(&mut self.code.registers, outer);
        self.code.registers = outer.max(registers);
        let routine = Routine { range, registers };
        self.routines.add(expr, routine);
        routine
    }

    /// Evaluates a part, by the instructions that others use too if it is large.
    fn part(&mut self, part: &Shared<Leaf>, to: u16) {
        if part.size() < WORTH_CALLING || !part.is_shared() {
            return self.evaluate(part, to);
        }
        if self.routines.get(part).is_none() {
            // The instructions stand here, but are passed over.
            let over = self.jump(Op::Jump { target: 0 });
            self.routine(part);
            self.land(over);
        }
        let Routine { range, registers } = self.routine(part);
        self.code.registers = self.code.registers.max(to as usize + registers);
        self.code.ops.push(Op::Call { to, range });
    }

    fn evaluate(&mut self, expr: &Expr, to: u16) {
        self.code.registers = self.code.registers.max(to as usize + 2);
        let is_condition = matches!(
            expr,
            Expr::Not(_) | Expr::And(_) | Expr::Or(_) | Expr::Leaf(Leaf::At(..))
        ) || matches!(expr, Expr::Binary(op, ..) if op.is_comparison());
        if is_condition && let Some(test) = self.plain_test(expr) {
            let test = self.add_test(test);
            self.code.ops.push(Op::Test { to, test });
            return;
        }
        match expr {
            Expr::Const(scalar) => {
                let value = scalar.code();
                self.code.ops.push(Op::Constant { to, value });
            }
            Expr::Leaf(Leaf::Var(v)) => {
                let field = self.field(Slot::Var(*v));
                self.code.ops.push(Op::Load { to, field });
            }
            Expr::Leaf(Leaf::Pick(i)) => {
                let field = self.packed[*i as usize];
                self.code.ops.push(Op::Pick { to, field });
            }
            Expr::Leaf(Leaf::At(p, at)) => {
                // A process with more than 1,024 locations: one comparison each.
                let field = self.field(Slot::At(*p));
                let tests: Vec<Test> = at
                    .iter()
                    .map(|l| Test::Mask {
                        word: field.word,
                        mask: field.mask(),
                        value: field.placed(i64::from(l.0)),
                    })
                    .collect();
                self.until(to, tests, true, |this, test, to| {
                    let test = this.add_test(test);
                    this.code.ops.push(Op::Test { to, test });
                });
            }
            Expr::Not(e) => {
                self.part(e, to);
                self.code.ops.push(Op::Not { to });
            }
            Expr::Neg(e) => {
                self.part(e, to);
                self.code.ops.push(Op::Negate { to });
            }
            Expr::And(parts) => {
                let parts = self.in_common_tables(parts, Expr::and);
                self.until(to, parts, false, |this, e, to| this.evaluate(&e, to));
            }
            Expr::Or(parts) => {
                let parts = self.in_common_tables(parts, Expr::or);
                self.until(to, parts, true, |this, e, to| this.evaluate(&e, to));
            }
            Expr::Binary(op, a, b) => {
                self.part(a, to);
                self.part(b, to + 1);
                self.code.ops.push(Op::Binary {
                    op: *op,
                    to,
                    with: to + 1,
                });
            }
            Expr::If(c, a, b) => {
                self.part(c, to);
                let to_else = self.jump(Op::IfZero {
                    register: to,
                    target: 0,
                });
                self.part(a, to);
                let to_end = self.jump(Op::Jump { target: 0 });
                self.land(to_else);
                self.part(b, to);
                self.land(to_end);
            }
            Expr::Select(index, items) => {
                self.part(index, to);
                if let Some(table) = self.constants(items) {
                    self.code.ops.push(Op::Fetch { to, table });
                    return;
                }
                let start = self.code.targets.len() as u32;
                let targets = Range {
                    start,
                    end: start + items.len() as u32,
                };
                self.code.targets.extend(items.iter().map(|_| 0));
                self.code.ops.push(Op::Switch {
                    register: to,
                    targets,
                });
                let mut ends = Vec::new();
                for (i, item) in items.iter().enumerate() {
                    self.code.targets[start as usize + i] = self.code.ops.len() as u32;
                    self.evaluate(item, to);
                    ends.push(self.jump(Op::Jump { target: 0 }));
                }
                ends.into_iter().for_each(|end| self.land(end));
            }
        }
    }

    /// Where items are if all are constants.
    fn constants(&mut self, items: &List<Leaf>) -> Option<Range> {
        if let Some(known) = self.routines.constants.get(items) {
            return Some(*known);
        }
        let values: Option<Vec<i64>> = items.iter().map(Expr::as_const).collect();
        let start = self.code.constants.len() as u32;
        self.code.constants.extend(values?);
        let range = Range {
            start,
            end: self.code.constants.len() as u32,
        };
        self.routines.constants.insert(items.clone(), range);
        Some(range)
    }

    /// Evaluates parts from the left until one is what decides.
    fn until<T>(
        &mut self,
        to: u16,
        parts: impl IntoIterator<Item = T>,
        decides: bool,
        mut evaluate: impl FnMut(&mut Self, T, u16),
    ) {
        let value = i64::from(!decides);
        self.code.ops.push(Op::Constant { to, value });
        let mut exits = Vec::new();
        for part in parts {
            evaluate(self, part, to);
            let exit = if decides {
                Op::IfOther {
                    register: to,
                    target: 0,
                }
            } else {
                Op::IfZero {
                    register: to,
                    target: 0,
                }
            };
            exits.push(self.jump(exit));
        }
        exits.into_iter().for_each(|exit| self.land(exit));
    }

    fn jump(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    fn land(&mut self, jump: usize) {
        let here = self.code.ops.len() as u32;
        match &mut self.code.ops[jump] {
            Op::IfZero { target, .. } | Op::IfOther { target, .. } | Op::Jump { target } => {
                *target = here;
            }
            _ => unreachable!("only jumps land"),
        }
    }
}
