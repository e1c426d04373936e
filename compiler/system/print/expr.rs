//! Expressions as text, whatever their leaves are: process graphs and Systems print alike.

use crate::system::expr::{Domain, Expr, Scalar};
use crate::vocabulary::DataType;

/// Prints expressions, given how their leaves are printed.
pub struct Printer<'a, L> {
    /// Names of values.
    pub data: &'a [DataType],
    /// How a leaf is printed.
    pub leaf: &'a dyn Fn(&L) -> String,
}

impl<L> Printer<'_, L> {
    /// An expression.
    pub fn expr(&self, e: &Expr<L>) -> String {
        let join = |parts: &[Expr<L>], op: &str| {
            parts
                .iter()
                .map(|e| self.operand(e))
                .collect::<Vec<_>>()
                .join(op)
        };
        match e {
            Expr::Const(s) => scalar(self.data, *s),
            Expr::Leaf(l) => (self.leaf)(l),
            Expr::Not(e) => format!("!{}", self.operand(e)),
            Expr::And(parts) if parts.is_empty() => "true".to_string(),
            Expr::Or(parts) if parts.is_empty() => "false".to_string(),
            Expr::And(parts) => join(parts, " && "),
            Expr::Or(parts) => join(parts, " || "),
            Expr::Neg(e) => format!("-{}", self.operand(e)),
            Expr::Binary(op, a, b) => {
                format!("{} {} {}", self.operand(a), op.as_str(), self.operand(b))
            }
            Expr::If(c, a, b) => {
                let (c, a, b) = (self.operand(c), self.operand(a), self.operand(b));
                format!("if {c} then {a} else {b}")
            }
            Expr::Select(index, items) => {
                let items: Vec<String> = items.iter().map(|e| self.expr(e)).collect();
                format!("[{}][{}]", items.join(", "), self.expr(index))
            }
        }
    }

    fn operand(&self, e: &Expr<L>) -> String {
        let text = self.expr(e);
        match e {
            Expr::Leaf(_) if text.contains(' ') => format!("({text})"),
            Expr::Const(_) | Expr::Leaf(_) | Expr::Not(_) | Expr::Select(..) => text,
            _ => format!("({text})"),
        }
    }
}

/// A constant, as the user writes it.
pub fn scalar(data: &[DataType], scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool(b) => b.to_string(),
        Scalar::Int(i) => i.to_string(),
        Scalar::Data(d, i) => data[d.0 as usize].constructors[i as usize].clone(),
    }
}

/// A domain.
pub fn domain(data: &[DataType], domain: Domain) -> String {
    match domain {
        Domain::Bool => "bool".to_string(),
        Domain::Int { lo, hi } => format!("{lo}..{hi}"),
        Domain::Data { data: d, .. } => data[d.0 as usize].name.clone(),
    }
}
