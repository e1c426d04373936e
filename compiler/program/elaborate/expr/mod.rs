//! Expressions: which there are, and where they may stand; one file per kind of them.
//!
//! What is constant is folded on the way up, so an expression is constant exactly if its kind is
//! [`ExprKind::Const`].

mod argument;
mod arithmetic;
mod array;
mod boolean;
mod build;
mod call;
mod cases;
mod element;
mod entity;
mod expected;
mod field;
mod lookup;
mod name;
mod operator;
mod predicate;
mod probe;
mod pure;
mod quantifier;
mod record;
mod right_side;
mod watch;

pub use build::part_of;
pub use cases::{Covered, fits};
pub use operator::ANY_INT;

use super::declare::Declarations;
use super::init::Instances;
use super::log::Log;
use super::scope::Scope;
use super::stmt::Variables;
use crate::program::problem::TypeProblem;
use crate::program::range::Interval;
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::{BinaryOp, Logic, SpecKind};

/// Checks the expressions of one place. It reads what is declared and what has been created, and can change
/// neither: all it does is to yield expressions and to write to the log.
pub struct Expressions<'c, 'a> {
    pub decls: &'a Declarations<'a>,
    pub made: &'c Instances<'a>,
    pub variables: &'c Variables,
    pub log: &'c mut Log,
    pub scope: &'c mut Scope<'a>,
    pub context: Context,
}

/// What an expression is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Site {
    /// A constant, a type, an argument of an entry.
    Constant,
    /// A process.
    Process,
    /// A specification.
    Spec(SpecKind),
}

/// Whether a messaging expression may stand here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Messages {
    Allowed,
    /// To the right of this operator.
    RightOf(BinaryOp),
    /// In this construct.
    ForbiddenIn(&'static str),
}

/// Where an expression stands, which decides what may stand in it.
#[derive(Clone, Copy)]
pub struct Context {
    pub site: Site,
    /// Whether this is a specification, also in its constants.
    pub specification: bool,
    pub messages: Messages,
    /// Whether temporal operators may stand here.
    pub temporal: bool,
    /// Whether this is an operand of `==` or `!=`.
    pub comparing: bool,
    /// Whether `!` is also the opposite of a `bit`: in faults, which do not know what they happen to.
    pub opposites: bool,
}

impl Context {
    /// The outermost expression of a place.
    pub fn new(site: Site) -> Self {
        Context {
            site,
            specification: matches!(site, Site::Spec(_)),
            messages: Messages::Allowed,
            temporal: matches!(site, Site::Spec(kind) if kind.logic() != Logic::State),
            comparing: false,
            opposites: false,
        }
    }

    /// The same place, but no messaging expression may stand in it.
    pub fn without_messages(self, construct: &'static str) -> Self {
        Context {
            messages: Messages::ForbiddenIn(construct),
            ..self
        }
    }

    /// Whether this is a field of a message that is received.
    pub fn comparing_fields(self) -> bool {
        self.messages == Messages::ForbiddenIn("a target")
    }

    /// An operand that is no truth value over time.
    pub fn timeless(self) -> Self {
        Context {
            temporal: false,
            ..self
        }
    }
}

impl Expr {
    /// A constant.
    pub(in crate::program::elaborate) fn constant(value: Value, span: Span) -> Expr {
        Expr {
            ty: value.type_of(),
            kind: ExprKind::Const(value),
            span,
        }
    }

    /// The value, if constant.
    pub fn as_const(&self) -> Option<&Value> {
        match &self.kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The value, if a constant integer.
    pub fn as_int(&self) -> Option<i64> {
        match self.kind {
            ExprKind::Const(Value::Int(value)) => Some(value),
            _ => None,
        }
    }
}

/// An expression without the parentheses around it.
pub fn unparenthesised(mut expr: &ast::Expr) -> &ast::Expr {
    while let Ast::Paren(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

impl<'a> Expressions<'_, 'a> {
    /// Goes to another context, and yields the one to come back to. (Not with a closure: expressions nest
    /// deep, and each closure takes some of the stack.)
    pub fn enter(&mut self, context: Context) -> Context {
        std::mem::replace(&mut self.context, context)
    }

    /// An expression; `want` is the type the context asks for, used only to tell constructors of the same
    /// name apart. `None` if something in it is faulty and has been reported.
    pub fn expr(&mut self, expr: &'a ast::Expr, want: Option<&Type>) -> Option<Expr> {
        self.charge(1, expr.span)?;
        match &expr.kind {
            Ast::Int(value) => self.literal(*value, expr.span),
            Ast::Bool(value) => Some(Expr::constant(Value::Bool(*value), expr.span)),
            Ast::Name(name) => self.name(name, expr.span, want),
            Ast::Paren(inner) => self.expr(inner, want),
            Ast::Array(elements) => self.array(elements, expr.span, want),
            Ast::Field(base, name, number) => self.field(expr, base, name, *number),
            Ast::Index(base, index) => self.index(expr.span, base, index, want),
            Ast::At(base, label) => self.at(expr.span, base, label),
            Ast::Marked(_, marker, _) => {
                let hint = "name it inside `injected(..)`, `happened(..)` or the like";
                let text = format!("`@{}` names a fault, which is no value", marker.text);
                self.log.misplaced(text, expr.span, Some(hint));
                None
            }
            Ast::Unary(op, operand) => self.unary(expr.span, *op, operand),
            Ast::Binary(op, left, right) => self.binary(expr.span, *op, left, right),
            Ast::Message(message) => self.message_expression(message),
            Ast::Any(_) => {
                self.log.misplaced(
                    "`any` can only be the whole right side of `=`",
                    expr.span,
                    Some("store it in a variable first: `x = any`"),
                );
                None
            }
            Ast::Call(name, arguments) => self.call(expr.span, name, arguments, want),
            Ast::Group(name, processes, what) => self.together(expr.span, name, processes, what),
            Ast::CallOf(base, name, arguments) => self.call_of(expr.span, base, name, arguments),
            Ast::Literal { name, fields, .. } => self.record_literal(expr.span, name, fields),
            Ast::Is(left, constructor) => self.is(expr.span, left, constructor),
            Ast::EqualTo(_) => {
                self.log.misplaced(
                    "`== e` is a pattern, for receiving",
                    expr.span,
                    Some("write what is to be compared before `==`"),
                );
                None
            }
            Ast::Quantified {
                quantifier,
                vars,
                from,
                to,
                body,
            } => self.quantified(expr.span, *quantifier, vars, (from, to), body),
            Ast::Temporal(op, operand) => self.temporal(expr.span, *op, operand),
            Ast::Path(op, inner) => self.path(expr.span, *op, inner),
            Ast::Error => {
                self.log.incomplete = true;
                None
            }
        }
    }

    /// Counts what has been elaborated: 1 for a node, more for a table or a choice of channels.
    pub fn charge(&mut self, amount: u64, span: Span) -> Option<()> {
        self.log.charge(self.context.specification, amount, span)
    }

    fn literal(&mut self, value: i64, span: Span) -> Option<Expr> {
        if !Interval::point(value).is_computable() {
            self.log.report(TypeProblem::Overflow {
                lo: value,
                hi: value,
                span,
            });
            return None;
        }
        Some(Expr::constant(Value::Int(value), span))
    }

    /// `-2147483648` is an integer although `2147483648` is none.
    pub fn negative_literal(&mut self, operand: &ast::Expr, span: Span) -> Option<Expr> {
        match operand.kind {
            Ast::Int(value) => self.literal(value.checked_neg()?, span),
            _ => None,
        }
    }
}

/// `3`, or `0..3`
pub fn show_range(range: Interval) -> String {
    if range.is_point() {
        range.lo.to_string()
    } else {
        format!("{}..{}", range.lo, range.hi)
    }
}
