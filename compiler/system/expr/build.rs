//! Constructors that fold constants.

use super::{Expr, Leaves, List, Op, Scalar, Shared};

impl<L: Leaves> Expr<L> {
    /// `true`
    pub fn yes() -> Self {
        Expr::bool(true)
    }

    /// `false`
    pub fn no() -> Self {
        Expr::bool(false)
    }

    /// A boolean constant.
    pub fn bool(value: bool) -> Self {
        Expr::Const(Scalar::Bool(value))
    }

    /// An integer constant.
    pub fn int(value: i64) -> Self {
        Expr::Const(Scalar::Int(value))
    }

    /// The code of a constant.
    pub fn as_const(&self) -> Option<i64> {
        match self {
            Expr::Const(scalar) => Some(scalar.code()),
            _ => None,
        }
    }

    /// Whether it is the constant `true`.
    pub fn is_yes(&self) -> bool {
        *self == Expr::Const(Scalar::Bool(true))
    }

    /// Whether it is the constant `false`.
    pub fn is_no(&self) -> bool {
        *self == Expr::Const(Scalar::Bool(false))
    }

    /// `!e`
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Self {
        match self {
            Expr::Const(Scalar::Bool(b)) => Expr::bool(!b),
            Expr::Not(inner) => inner.take(),
            other => Expr::Not(Shared::new(other)),
        }
    }

    /// All of them, in order.
    pub fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Expr::And(inner) => all.extend(inner.iter().cloned()),
                part if part.is_yes() => {}
                part if part.is_no() => return Expr::no(),
                part => all.push(part),
            }
        }
        match all.len() {
            0 => Expr::yes(),
            1 => all.remove(0),
            _ => Expr::And(List::new(all)),
        }
    }

    /// One of them, in order.
    pub fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Expr::Or(inner) => all.extend(inner.iter().cloned()),
                part if part.is_no() => {}
                part if part.is_yes() => return Expr::yes(),
                part => all.push(part),
            }
        }
        match all.len() {
            0 => Expr::no(),
            1 => all.remove(0),
            _ => Expr::Or(List::new(all)),
        }
    }

    /// `a op b`
    pub fn binary(op: Op, a: impl Part<L>, b: impl Part<L>) -> Self {
        match (op, a.expr(), b.expr()) {
            (_, Expr::Const(x), Expr::Const(y)) => {
                let value = op.apply(x.code(), y.code());
                if op.is_comparison() {
                    Expr::bool(value != 0)
                } else {
                    Expr::int(value)
                }
            }
            (Op::Eq, x, Expr::Const(Scalar::Bool(true))) => x.clone(),
            (Op::Eq, x, Expr::Const(Scalar::Bool(false))) => x.clone().not(),
            (Op::Ne, x, Expr::Const(Scalar::Bool(false))) => x.clone(),
            (Op::Ne, x, Expr::Const(Scalar::Bool(true))) => x.clone().not(),
            _ => Expr::Binary(op, a.shared(), b.shared()),
        }
    }

    /// `if c then a else b`
    pub fn ite(c: impl Part<L>, a: impl Part<L>, b: impl Part<L>) -> Self {
        match c.expr() {
            Expr::Const(Scalar::Bool(true)) => a.expr().clone(),
            Expr::Const(Scalar::Bool(false)) => b.expr().clone(),
            _ if a.expr() == b.expr() => a.expr().clone(),
            _ => Expr::If(c.shared(), a.shared(), b.shared()),
        }
    }

    /// `-e`
    pub fn negated(self) -> Self {
        match self {
            Expr::Const(scalar) => Expr::int(-scalar.code()),
            other => Expr::Neg(Shared::new(other)),
        }
    }

    /// The item at an index.
    pub fn select(index: impl Part<L>, items: Vec<Self>) -> Self {
        Expr::item(index, List::new(items))
    }

    /// The item at an index of items that may be shared.
    pub fn item(index: impl Part<L>, items: List<L>) -> Self {
        debug_assert!(!items.is_empty());
        match index.expr().as_const() {
            Some(code) => items.at(code).clone(),
            None if items.is_uniform() => items[0].clone(),
            None => Expr::Select(index.shared(), items),
        }
    }
}

/// What an expression is built from: another one, shared already or not.
pub trait Part<L> {
    /// The expression.
    fn expr(&self) -> &Expr<L>;
    /// The expression as one that is shared.
    fn shared(self) -> Shared<L>;
}

impl<L: Leaves> Part<L> for Expr<L> {
    fn expr(&self) -> &Expr<L> {
        self
    }

    fn shared(self) -> Shared<L> {
        Shared::new(self)
    }
}

impl<L: Leaves> Part<L> for Shared<L> {
    fn expr(&self) -> &Expr<L> {
        self
    }

    fn shared(self) -> Shared<L> {
        self
    }
}
