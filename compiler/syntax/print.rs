//! Nodes back to text, on one line and without comments: for messages, traces and tests. The formatter
//! ([`super::format()`]) works on tokens instead, because it keeps what the user laid out; on one line the two
//! agree.
//!
//! Parentheses that the tree needs but does not have are put in.

use super::ast::*;
use crate::vocabulary::{BinaryOp, PathOp, UnaryOp};

/// An expression as the user would write it.
pub fn expr(expr: &Expr) -> String {
    let mut text = String::new();
    write_expr(&mut text, expr, Level::Iff);
    text
}

/// A type as the user would write it.
pub fn ty(ty: &Type) -> String {
    let mut text = String::new();
    write_type(&mut text, ty);
    text
}

/// A channel operation as the user would write it.
pub fn message(message: &Message) -> String {
    let mut text = String::new();
    write_message(&mut text, message);
    text
}

/// How tightly an operator binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Iff,
    Implies,
    Or,
    And,
    Until,
    Temporal,
    Comparison,
    Sum,
    Product,
    Unary,
    Postfix,
}

impl Level {
    fn of(op: BinaryOp) -> Level {
        match op {
            BinaryOp::Iff => Level::Iff,
            BinaryOp::Implies => Level::Implies,
            BinaryOp::Or => Level::Or,
            BinaryOp::And => Level::And,
            BinaryOp::Until | BinaryOp::Releases | BinaryOp::Since | BinaryOp::Triggered => {
                Level::Until
            }
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => Level::Comparison,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitOr | BinaryOp::BitXor => Level::Sum,
            BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::BitAnd => Level::Product,
        }
    }

    /// The next tighter level.
    fn above(self) -> Level {
        match self {
            Level::Iff => Level::Implies,
            Level::Implies => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Until,
            Level::Until => Level::Temporal,
            Level::Temporal => Level::Comparison,
            Level::Comparison => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Unary,
            Level::Unary | Level::Postfix => Level::Postfix,
        }
    }
}

/// The level at which an expression can stand without parentheses.
fn level(expr: &Expr) -> Level {
    match &expr.kind {
        ExprKind::Binary(op, ..) => Level::of(*op),
        ExprKind::Is(..) => Level::Comparison,
        ExprKind::EqualTo(_) => Level::Iff,
        ExprKind::Temporal(..) | ExprKind::Path(..) => Level::Temporal,
        // `!G p` binds like `G p`.
        ExprKind::Unary(UnaryOp::Not, operand) if level(operand) == Level::Temporal => {
            Level::Temporal
        }
        ExprKind::Unary(..) => Level::Unary,
        ExprKind::Int(value) if *value < 0 => Level::Unary,
        _ => Level::Postfix,
    }
}

fn write_expr(text: &mut String, expr: &Expr, least: Level) {
    if level(expr) < least {
        text.push('(');
        write_bare(text, expr);
        text.push(')');
    } else {
        write_bare(text, expr);
    }
}

fn write_bare(text: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Int(value) => text.push_str(&value.to_string()),
        ExprKind::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        ExprKind::Name(name) => text.push_str(name),
        ExprKind::Paren(inner) => {
            text.push('(');
            write_bare(text, inner);
            text.push(')');
        }
        ExprKind::Array(elements) => {
            text.push('[');
            write_list(text, elements);
            text.push(']');
        }
        ExprKind::Field(base, name, number) => {
            write_expr(text, base, Level::Postfix);
            text.push('.');
            text.push_str(&name.text);
            if let Some(number) = number {
                text.push('#');
                text.push_str(&number.to_string());
            }
        }
        ExprKind::Index(base, index) => {
            write_expr(text, base, Level::Postfix);
            text.push('[');
            write_bare(text, index);
            text.push(']');
        }
        ExprKind::At(base, label) => {
            write_expr(text, base, Level::Postfix);
            text.push('@');
            text.push_str(&label.text);
        }
        ExprKind::Marked(base, marker, args) => {
            write_expr(text, base, Level::Postfix);
            text.push('@');
            text.push_str(&marker.text);
            text.push('(');
            write_list(text, args);
            text.push(')');
        }
        ExprKind::Unary(op, operand) => {
            text.push_str(match op {
                UnaryOp::Not => "!",
                UnaryOp::Neg => "-",
            });
            let temporal = *op == UnaryOp::Not && level(operand) == Level::Temporal;
            write_expr(
                text,
                operand,
                if temporal {
                    Level::Temporal
                } else {
                    Level::Unary
                },
            );
        }
        ExprKind::Binary(op, left, right) => {
            let here = Level::of(*op);
            let to_the_right = matches!(here, Level::Implies | Level::Until);
            let (left_level, right_level) = if to_the_right {
                (here.above(), here)
            } else {
                (here, here.above())
            };
            write_expr(text, left, left_level);
            text.push(' ');
            text.push_str(op.as_str());
            text.push(' ');
            write_expr(text, right, right_level);
        }
        ExprKind::Message(message) => write_message(text, message),
        ExprKind::Any(AnySet::All) => text.push_str("any"),
        ExprKind::Any(AnySet::Range(lo, hi)) => {
            text.push_str("any(");
            write_tight(text, lo);
            text.push_str("..");
            write_tight(text, hi);
            text.push(')');
        }
        ExprKind::Any(AnySet::Of(values)) => {
            text.push_str("any(");
            write_list(text, values);
            text.push(')');
        }
        ExprKind::Call(callee, args) => {
            text.push_str(&callee.text);
            text.push('(');
            write_list(text, args);
            text.push(')');
        }
        ExprKind::Group(callee, args, body) => {
            text.push_str(&callee.text);
            text.push('(');
            write_list(text, args);
            text.push_str(": ");
            write_bare(text, body);
            text.push(')');
        }
        ExprKind::CallOf(base, callee, args) => {
            write_expr(text, base, Level::Postfix);
            text.push('.');
            text.push_str(&callee.text);
            text.push('(');
            write_list(text, args);
            text.push(')');
        }
        ExprKind::Literal { name, fields, .. } => {
            text.push_str(&name.text);
            text.push('{');
            for (i, field) in fields.iter().enumerate() {
                text.push_str(if i > 0 { ", " } else { "" });
                if let Some(name) = &field.name {
                    text.push_str(&name.text);
                    text.push_str(": ");
                }
                write_bare(text, &field.value);
            }
            text.push('}');
        }
        ExprKind::EqualTo(value) => {
            text.push_str("== ");
            write_bare(text, value);
        }
        ExprKind::Is(left, constructor) => {
            write_expr(text, left, Level::Comparison);
            text.push_str(" is ");
            write_bare(text, constructor);
        }
        ExprKind::Quantified {
            quantifier,
            vars,
            from,
            to,
            body,
        } => {
            text.push_str(quantifier.as_str());
            let names: Vec<&str> = vars.iter().map(|var| var.text.as_str()).collect();
            text.push(' ');
            text.push_str(&names.join(", "));
            text.push_str(" in range ");
            write_bare(text, from);
            text.push_str(" to ");
            write_bare(text, to);
            text.push_str(" { ");
            write_bare(text, body);
            text.push_str(" }");
        }
        ExprKind::Temporal(op, operand) => {
            text.push_str(op.as_str());
            text.push(' ');
            write_expr(text, operand, Level::Temporal);
        }
        ExprKind::Path(op, inner) => {
            text.push_str(match op {
                PathOp::All => "A (",
                PathOp::Exists => "E (",
            });
            write_bare(text, inner);
            text.push(')');
        }
        ExprKind::Error => text.push_str(".."),
    }
}

/// The bound of a range: without spaces, so that `0..n-1` reads as one thing.
fn write_tight(text: &mut String, expr: &Expr) {
    let mut bound = String::new();
    write_bare(&mut bound, expr);
    let tight = is_tight(expr);
    text.extend(bound.chars().filter(|c| *c != ' ' || !tight));
}

/// Whether the bound of a range is written without spaces.
pub(super) fn is_tight(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Name(_) => true,
        ExprKind::Paren(inner) | ExprKind::Unary(UnaryOp::Neg, inner) => is_tight(inner),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, left, right) => {
            is_tight(left) && is_tight(right)
        }
        _ => false,
    }
}

fn write_list(text: &mut String, exprs: &[Expr]) {
    for (i, expr) in exprs.iter().enumerate() {
        if i > 0 {
            text.push_str(", ");
        }
        write_bare(text, expr);
    }
}

fn write_message(text: &mut String, message: &Message) {
    text.push_str(message.op.as_str());
    text.push('(');
    write_list(text, &message.args);
    text.push(')');
}

fn write_type(text: &mut String, ty: &Type) {
    match &ty.kind {
        TypeKind::Bool => text.push_str("bool"),
        TypeKind::Int => text.push_str("int"),
        TypeKind::Bit => text.push_str("bit"),
        TypeKind::Range(lo, hi) => {
            write_tight(text, lo);
            text.push_str("..");
            write_tight(text, hi);
        }
        TypeKind::Named(name) => text.push_str(&name.text),
        TypeKind::Array(length, element) => {
            text.push('[');
            if let Some(length) = length {
                write_bare(text, length);
            }
            text.push(']');
            write_type(text, element);
        }
        TypeKind::Channel(capacity, fields) => {
            text.push_str("channel ");
            if let Capacity::Network { bag: true, .. } = capacity {
                text.push_str("bag ");
            }
            match capacity {
                Capacity::Rendezvous => {}
                Capacity::Any => text.push_str("[] "),
                Capacity::Network { length: None, .. } => {}
                Capacity::Buffered(length)
                | Capacity::Network {
                    length: Some(length),
                    ..
                } => {
                    text.push('[');
                    write_bare(text, length);
                    text.push_str("] ");
                }
            }
            text.push_str(if fields.is_empty() { "{" } else { "{ " });
            for (i, field) in fields.iter().enumerate() {
                if i > 0 {
                    text.push_str(", ");
                }
                if let Some(name) = &field.name {
                    text.push_str(&name.text);
                    text.push(' ');
                }
                write_type(text, &field.ty);
            }
            text.push_str(if fields.is_empty() { "}" } else { " }" });
            if let Capacity::Network { overflow: true, .. } = capacity {
                text.push_str(" overflow");
            }
        }
        TypeKind::Process => text.push_str("process"),
        TypeKind::Error => text.push_str(".."),
    }
}
