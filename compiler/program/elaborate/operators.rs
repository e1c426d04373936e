//! Operators: what they take, the range of what they yield, and their value if everything is constant.

use super::Checker;
use super::expressions::{show_range, unparenthesised};
use super::scope::{Messages, Place, Scope};
use super::uses::Question;
use crate::program::problem::{Lint, ProcessProblem, PropertyProblem, SizeProblem, TypeProblem};
use crate::program::range;
use crate::program::range::{Interval, MAX_SHIFT};
use crate::program::{BinaryOp, Expr, ExprKind, Type, UnaryOp, Value, limits};
use crate::source::Span;
use crate::syntax::{ast, print};

impl<'a> Checker<'a> {
    /// `!e`, `-e`
    pub fn unary(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: UnaryOp,
        operand: &'a ast::Expr,
    ) -> Option<Expr> {
        match op {
            UnaryOp::Not => {
                let operand = self.operand(scope, operand, "!", &Type::Bool)?;
                if let Some(Value::Bool(value)) = operand.as_const() {
                    return Some(Expr::constant(Value::Bool(!value), span));
                }
                Some(Expr {
                    kind: ExprKind::Unary(op, Box::new(operand)),
                    ty: Type::Bool,
                    span,
                })
            }
            UnaryOp::Neg => {
                if matches!(operand.kind, ast::ExprKind::Int(_)) {
                    return self.negative_literal(operand, span);
                }
                let temporal = std::mem::replace(&mut scope.temporal, false);
                let operand = self.operand(scope, operand, "-", &ANY_INT);
                scope.temporal = temporal;
                let operand = operand?;
                let range = operand.ty.range()?.negate();
                self.computable(range, span)?;
                if let Some(value) = operand.as_int() {
                    return Some(Expr::constant(Value::Int(-value), span));
                }
                Some(Expr {
                    kind: ExprKind::Unary(op, Box::new(operand)),
                    ty: Type::int(range),
                    span,
                })
            }
        }
    }

    /// `a op b`
    pub fn binary(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        match op {
            BinaryOp::And | BinaryOp::Or => self.short_circuit(scope, span, op, left, right),
            BinaryOp::Iff | BinaryOp::Implies => {
                if !matches!(scope.place, Place::Spec(_)) {
                    self.misplaced(
                        format!("`{}` is for specifications", op.as_str()),
                        span,
                        Some(match op {
                            BinaryOp::Iff => "write `a == b`",
                            _ => "write `!a || b`",
                        }),
                    );
                    return None;
                }
                self.connective(scope, span, op, left, right)
            }
            BinaryOp::Until | BinaryOp::Releases | BinaryOp::Since | BinaryOp::Triggered => {
                self.temporal_infix(scope, span, op, left, right)
            }
            BinaryOp::Eq | BinaryOp::Ne => self.equality(scope, span, op, left, right),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let (a, b) = self.integers(scope, op, left, right)?;
                if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
                    let known = range::compare(op, Interval::point(x), Interval::point(y));
                    return Some(Expr::constant(Value::Bool(known?), span));
                }
                Some(infix(op, a, b, Type::Bool, span))
            }
            _ => self.arithmetic(scope, span, op, left, right),
        }
    }

    /// An operand whose type the operator decides.
    fn operand(
        &mut self,
        scope: &mut Scope<'a>,
        operand: &'a ast::Expr,
        op: &'static str,
        ty: &Type,
    ) -> Option<Expr> {
        let checked = self.expr(scope, operand, Some(ty))?;
        self.operand_type(&checked, operand, op, ty)?;
        Some(checked)
    }

    fn operand_type(
        &mut self,
        checked: &Expr,
        operand: &ast::Expr,
        op: &'static str,
        ty: &Type,
    ) -> Option<()> {
        if checked.ty.same_shape(ty) {
            return Some(());
        }
        let wanted = match ty {
            Type::Bool => "truth values",
            _ => "integers",
        };
        let hint = match (op, &checked.ty) {
            ("!" | "&&" | "||", Type::Int { .. }) => Some("compare it: `x != 0`".to_owned()),
            ("&" | "|", Type::Bool) => Some(format!("write `{op}{op}`")),
            ("<" | "<=" | ">" | ">=", Type::Data(_)) => {
                Some("use `==` and `!=`: only integers are ordered".to_owned())
            }
            _ => None,
        };
        self.report(TypeProblem::Operand {
            op,
            wanted,
            found: self.describe(&checked.ty),
            span: operand.span,
            hint,
        });
        None
    }

    fn connective(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        let a = self.operand(scope, left, op.as_str(), &Type::Bool);
        let decided = op == BinaryOp::Implies
            && matches!(
                a.as_ref().and_then(Expr::as_const),
                Some(Value::Bool(false))
            );
        self.dead += u32::from(decided);
        let b = self.operand(scope, right, op.as_str(), &Type::Bool);
        self.dead -= u32::from(decided);
        if decided {
            // Nothing need follow from what is never true: `i < n - 1 -> w[i + 1].x`.
            return Some(Expr::constant(Value::Bool(true), span));
        }
        let (a, b) = (a?, b?);
        if let (Some(Value::Bool(x)), Some(Value::Bool(y))) = (a.as_const(), b.as_const()) {
            let value = match op {
                BinaryOp::And => *x && *y,
                BinaryOp::Or => *x || *y,
                BinaryOp::Implies => !*x || *y,
                _ => x == y,
            };
            return Some(Expr::constant(Value::Bool(value), span));
        }
        Some(infix(op, a, b, Type::Bool, span))
    }

    fn short_circuit(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        // Chains lean to the left; following them in a loop keeps long ones off the stack.
        let mut chain = vec![(span, right)];
        let mut first = left;
        while let ast::ExprKind::Binary(inner, a, b) = &first.kind {
            if *inner != op {
                break;
            }
            chain.push((first.span, b));
            first = a;
        }
        let mut result = self.operand(scope, first, op.as_str(), &Type::Bool);
        for (span, right) in chain.into_iter().rev() {
            let decided = match result.as_ref().and_then(|e| e.as_const()) {
                Some(Value::Bool(value)) => *value == (op == BinaryOp::Or),
                _ => false,
            };
            let messages = scope.messages;
            if scope.place == Place::Process && messages == Messages::Allowed {
                scope.messages = Messages::RightOf(op);
            }
            self.dead += u32::from(decided);
            let b = self.operand(scope, right, op.as_str(), &Type::Bool);
            self.dead -= u32::from(decided);
            scope.messages = messages;
            result = match (result, b) {
                (Some(a), Some(b)) => Some(match (a.as_const(), b.as_const()) {
                    (Some(Value::Bool(x)), Some(Value::Bool(y))) => {
                        let value = if op == BinaryOp::And {
                            *x && *y
                        } else {
                            *x || *y
                        };
                        Expr::constant(Value::Bool(value), span)
                    }
                    _ => infix(op, a, b, Type::Bool, span),
                }),
                // What a constant makes superfluous need not have a value: `n == 0 || 6 / n > 1`.
                (Some(a), None) if decided => Some(a),
                _ => None,
            };
        }
        result
    }

    fn equality(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        let saved = (scope.temporal, scope.comparing);
        (scope.temporal, scope.comparing) = (false, true);
        let right_type = self.probe(scope, right);
        let a = self.expr(scope, left, right_type.as_ref());
        let b = self.expr(scope, right, a.as_ref().map(|a| &a.ty));
        (scope.temporal, scope.comparing) = saved;
        let (a, b) = (a?, b?);
        if !a.ty.same_shape(&b.ty) {
            self.report(TypeProblem::Comparison {
                op: op.as_str(),
                left: self.describe(&a.ty),
                right: self.describe(&b.ty),
                span,
                left_span: left.span,
                right_span: right.span,
            });
            return None;
        }
        if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
            let value = (x == y) == (op == BinaryOp::Eq);
            return Some(Expr::constant(Value::Bool(value), span));
        }
        if let Type::Data(data) = a.ty.scalar()
            && a.as_const().is_none()
            && b.as_const().is_none()
        {
            self.uses.opaque.insert(*data);
        }
        Some(infix(op, a, b, Type::Bool, span))
    }

    fn integers(
        &mut self,
        scope: &mut Scope<'a>,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<(Expr, Expr)> {
        let temporal = std::mem::replace(&mut scope.temporal, false);
        let a = self.expr(scope, left, None);
        let b = self.expr(scope, right, None);
        scope.temporal = temporal;
        let (a, b) = (a?, b?);
        // One complaint is enough: the other operand is probably wrong for the same reason.
        self.operand_type(&a, left, op.as_str(), &ANY_INT)?;
        self.operand_type(&b, right, op.as_str(), &ANY_INT)?;
        Some((a, b))
    }

    fn arithmetic(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        op: BinaryOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Option<Expr> {
        let (a, b) = self.integers(scope, op, left, right)?;
        self.arithmetic_of(scope, span, op, a, b)
    }

    /// `a op b` of two integers, also for `a op= b`.
    pub fn arithmetic_of(
        &mut self,
        scope: &Scope<'a>,
        span: Span,
        op: BinaryOp,
        a: Expr,
        b: Expr,
    ) -> Option<Expr> {
        let (x, y) = (a.ty.range()?, b.ty.range()?);
        self.check_defined(scope, op, y, &b)?;
        let range = range::binary(op, x, y);
        self.computable(range, span)?;
        if let (Some(x), Some(y)) = (a.as_int(), b.as_int())
            && let Ok(value) = range::apply(op, x, y)
        {
            return Some(Expr::constant(Value::Int(value), span));
        }
        self.check_table(op, x, y, span)?;
        Some(infix(op, a, b, Type::int(range), span))
    }

    /// Division by zero and shift counts: errors in specifications and constants, run-time checks in
    /// processes.
    fn check_defined(
        &mut self,
        scope: &Scope<'a>,
        op: BinaryOp,
        right: Interval,
        divisor: &Expr,
    ) -> Option<()> {
        let (legal, why) = match op {
            BinaryOp::Div | BinaryOp::Rem => (right != Interval::point(0), "division by zero"),
            BinaryOp::Shl | BinaryOp::Shr => (
                right.lo <= MAX_SHIFT && right.hi >= 0,
                "the shift count is outside 0..31",
            ),
            _ => return Some(()),
        };
        let division = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        match scope.place {
            Place::Spec(_) if division => match divisor.as_int() {
                Some(value) if value != 0 => Some(()),
                known => {
                    self.report(PropertyProblem::Divisor {
                        zero: known.is_some(),
                        span: divisor.span,
                    });
                    None
                }
            },
            Place::Spec(_) => {
                if right.lo >= 0 && right.hi <= MAX_SHIFT {
                    return Some(());
                }
                self.report(PropertyProblem::Shift {
                    lo: right.lo,
                    hi: right.hi,
                    span: divisor.span,
                });
                None
            }
            Place::Constant if !legal => {
                self.report_value(TypeProblem::Undefined {
                    why,
                    span: divisor.span,
                });
                None
            }
            Place::Process => {
                let failure = (!legal).then(|| {
                    let why = if division {
                        "division by zero".to_owned()
                    } else {
                        format!("the shift count is {}, outside 0..31", show_range(right))
                    };
                    Lint::AlwaysFails {
                        why,
                        span: divisor.span,
                    }
                    .into()
                });
                self.agree(divisor.span, Question::Failure, failure);
                Some(())
            }
            Place::Constant => Some(()),
        }
    }

    fn computable(&mut self, range: Interval, span: Span) -> Option<()> {
        if range.is_computable() {
            return Some(());
        }
        if !self.sampling {
            self.report(TypeProblem::Overflow {
                lo: range.lo,
                hi: range.hi,
                span,
            });
        }
        None
    }

    /// Bit operators become tables, which must not be too large.
    fn check_table(&mut self, op: BinaryOp, a: Interval, b: Interval, span: Span) -> Option<()> {
        let counts = match op {
            BinaryOp::Shl | BinaryOp::Shr => b
                .meet(Interval {
                    lo: 0,
                    hi: MAX_SHIFT,
                })
                .map_or(1, Interval::size),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => b.size(),
            _ => return Some(()),
        };
        let entries = a.size().saturating_mul(counts);
        if entries <= limits::TABLE {
            return Some(());
        }
        if !self.sampling {
            self.report(SizeProblem::Table {
                op: op.as_str(),
                entries,
                span,
            });
        }
        None
    }

    /// Asks whether a condition is always the same, unless a constant makes it so on purpose.
    pub fn note_condition(&mut self, scope: &Scope<'a>, written: &'a ast::Expr, condition: &Expr) {
        let written = unparenthesised(written);
        let value = decide(condition);
        let literal = matches!(written.kind, ast::ExprKind::Bool(_));
        let answer = match value {
            Some(value) if !literal && !self.mentions_constant(scope, written) => {
                Some(Lint::ConstantCondition {
                    value,
                    span: written.span,
                })
            }
            _ => None,
        };
        self.agree(
            written.span,
            Question::Condition,
            answer.map(|lint| lint.into()),
        );
    }

    fn mentions_constant(&self, scope: &Scope<'a>, expr: &'a ast::Expr) -> bool {
        let mut found = false;
        super::constants::names_in(expr, &mut |name, _| {
            found = found
                || self
                    .find(scope, name)
                    .is_some_and(|local| matches!(local.binding, super::scope::Binding::Value(_)));
        });
        found
    }
}

/// Any integer: stands for "integer" where only the shape of a type matters.
pub const ANY_INT: Type = Type::Int {
    lo: range::LEAST,
    hi: range::GREATEST,
};

fn infix(op: BinaryOp, a: Expr, b: Expr, ty: Type, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
        ty,
        span,
    }
}

/// What a truth value must be, if ranges tell.
pub fn decide(expr: &Expr) -> Option<bool> {
    match &expr.kind {
        ExprKind::Const(Value::Bool(value)) => Some(*value),
        ExprKind::Unary(UnaryOp::Not, e) => decide(e).map(|value| !value),
        ExprKind::Binary(BinaryOp::And, a, b) => match (decide(a), decide(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        ExprKind::Binary(BinaryOp::Or, a, b) => match (decide(a), decide(b)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        ExprKind::Binary(
            op @ (BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge),
            a,
            b,
        ) => range::compare(*op, a.ty.range()?, b.ty.range()?),
        _ => None,
    }
}

impl<'a> Checker<'a> {
    /// Reports a messaging expression that cannot stand where it does.
    pub fn message_allowed(&mut self, scope: &Scope<'a>, message: &ast::Message) -> bool {
        match (scope.place, scope.messages) {
            (Place::Constant | Place::Spec(_), _) => {
                self.misplaced(
                    format!(
                        "`{}` can only be performed by a process",
                        message.op.as_str()
                    ),
                    message.span,
                    None,
                );
                false
            }
            (Place::Process, Messages::Allowed) => true,
            (Place::Process, Messages::RightOf(op)) => {
                self.report(ProcessProblem::ShortCircuit {
                    op: op.as_str(),
                    operation: message.op.as_str(),
                    message: print::message(message),
                    span: message.span,
                });
                false
            }
            (Place::Process, Messages::ForbiddenIn(place)) => {
                self.misplaced(
                    format!("`{}` cannot stand in {place}", message.op.as_str()),
                    message.span,
                    Some("store its result in a variable before"),
                );
                false
            }
        }
    }
}
