//! Expressions: names, literals and elements; operators are in [`super::operators`].
//!
//! What is constant is folded on the way up, so an expression is constant exactly if its kind is
//! [`ExprKind::Const`].

use super::Checker;
use super::scope::{Binding, Place, Scope};
use crate::program::problem::{NameProblem, ProcessProblem, SizeProblem, TypeProblem};
use crate::program::range::Interval;
use crate::program::{Expr, ExprKind, MessageOp, Type, UnaryOp, Value, limits};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::ExprKind as Ast;

/// Expression nodes of all bodies together; statements have a limit of their own.
const NODES: u64 = 4 * limits::STATEMENTS;

impl Expr {
    /// A constant.
    pub(super) fn constant(value: Value, span: Span) -> Expr {
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

impl<'a> Checker<'a> {
    /// An expression; `want` is the type the context asks for, used only to tell constructors of the same
    /// name apart. `None` if something in it is faulty and has been reported.
    pub fn expr(
        &mut self,
        scope: &mut Scope<'a>,
        expr: &'a ast::Expr,
        want: Option<&Type>,
    ) -> Option<Expr> {
        self.charge(scope, 1, expr.span)?;
        match &expr.kind {
            Ast::Int(value) => self.literal(*value, expr.span),
            Ast::Bool(value) => Some(Expr::constant(Value::Bool(*value), expr.span)),
            Ast::Name(name) => self.name(scope, name, expr.span, want),
            Ast::Paren(inner) => self.expr(scope, inner, want),
            Ast::Array(elements) => self.array(scope, elements, expr.span, want),
            Ast::Field(base, name, number) => self.field(scope, expr, base, name, *number),
            Ast::Index(base, index) => self.index(scope, expr.span, base, index, want),
            Ast::At(base, label) => self.at(scope, expr.span, base, label),
            Ast::Unary(op, operand) => self.unary(scope, expr.span, *op, operand),
            Ast::Binary(op, left, right) => self.binary(scope, expr.span, *op, left, right),
            Ast::Message(message) => self.message_expression(scope, message),
            Ast::Any(_) => {
                self.misplaced(
                    "`any` can only be the whole right side of `=`",
                    expr.span,
                    Some("store it in a variable first: `x = any`"),
                );
                None
            }
            Ast::Call(name, arguments) => self.call(scope, expr.span, name, arguments),
            Ast::Quantified {
                quantifier,
                var,
                from,
                to,
                body,
            } => self.quantified(scope, expr.span, *quantifier, var, (from, to), body),
            Ast::Temporal(op, operand) => self.temporal(scope, expr.span, *op, operand),
            Ast::Path(op, inner) => self.path(scope, expr.span, *op, inner),
            Ast::Error => {
                self.incomplete = true;
                None
            }
        }
    }

    /// Counts what has been elaborated: 1 for a node, more for a table or a choice of channels.
    pub fn charge(&mut self, scope: &Scope<'a>, amount: u64, span: Span) -> Option<()> {
        if self.budget.exhausted {
            return None;
        }
        let (count, limit) = if scope.specification {
            (&mut self.budget.formula, limits::FORMULA)
        } else {
            (&mut self.budget.nodes, NODES)
        };
        *count += amount;
        if *count <= limit {
            return Some(());
        }
        self.budget.exhausted = true;
        if scope.specification {
            self.report(SizeProblem::Formula { span });
        } else {
            self.report(SizeProblem::Statements { span });
        }
        None
    }

    /// Reports an expression that cannot stand where it does.
    pub fn misplaced(&mut self, text: impl Into<String>, span: Span, hint: Option<&'static str>) {
        self.report(ProcessProblem::MisplacedExpression {
            text: text.into(),
            span,
            hint,
        });
    }

    fn literal(&mut self, value: i64, span: Span) -> Option<Expr> {
        if !Interval::point(value).is_computable() {
            self.report(TypeProblem::Overflow {
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

    fn array(
        &mut self,
        scope: &mut Scope<'a>,
        elements: &'a [ast::Expr],
        span: Span,
        want: Option<&Type>,
    ) -> Option<Expr> {
        if elements.is_empty() {
            self.report(TypeProblem::EmptyArray { span });
            return None;
        }
        let known;
        let want = match want {
            Some(Type::Array(element, _)) => Some(&**element),
            _ => {
                known = elements.iter().find_map(|e| self.probe(scope, e));
                known.as_ref()
            }
        };
        let temporal = std::mem::replace(&mut scope.temporal, false);
        let checked: Vec<Option<Expr>> = elements
            .iter()
            .map(|element| self.expr(scope, element, want))
            .collect();
        scope.temporal = temporal;
        let checked: Vec<Expr> = checked.into_iter().collect::<Option<_>>()?;
        let mut ty = checked[0].ty.clone();
        for other in &checked[1..] {
            if !ty.same_shape(&other.ty) {
                self.report(TypeProblem::Mismatch {
                    wanted: self.describe(&ty),
                    found: self.describe(&other.ty),
                    span: other.span,
                    because: Some((
                        checked[0].span,
                        format!("the first element is {}", self.describe(&ty)),
                    )),
                    hint: None,
                });
                return None;
            }
            ty = ty.join(&other.ty);
        }
        if checked.iter().all(|e| e.as_const().is_some()) {
            let values = checked
                .into_iter()
                .filter_map(|e| match e.kind {
                    ExprKind::Const(value) => Some(value),
                    _ => None,
                })
                .collect();
            return Some(Expr::constant(Value::Array(values), span));
        }
        Some(Expr {
            ty: Type::Array(Box::new(ty), checked.len() as u32),
            kind: ExprKind::Array(checked),
            span,
        })
    }

    fn call(
        &mut self,
        scope: &mut Scope<'a>,
        span: Span,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        if matches!(name.text.as_str(), "len" | "full" | "empty") {
            if matches!(scope.place, Place::Spec(_)) {
                return self.buffer_state(scope, span, name, arguments);
            }
            self.misplaced(
                format!("`{}` is for specifications", name.text),
                span,
                Some("use `nonblock_recv` or `nonblock_send` to ask whether an operation can go"),
            );
            return None;
        }
        let operations = MessageOp::ALL.iter().map(|op| op.as_str());
        let suggestion = match scope.place {
            Place::Process => self.near(&name.text, operations),
            Place::Spec(_) => self.near(&name.text, ["len", "full", "empty"]),
            Place::Constant => None,
        };
        let hint = match scope.place {
            Place::Spec(_) => ast::temporal_hint(&name.text),
            Place::Process | Place::Constant => None,
        };
        self.report(NameProblem::UnknownFunction {
            name: name.text.clone(),
            span: name.span,
            suggestion,
            hint,
        });
        None
    }

    /// The type an expression has regardless of context, if that can be seen at a glance: used to tell
    /// constructors of the same name apart.
    pub fn probe(&self, scope: &Scope<'a>, expr: &ast::Expr) -> Option<Type> {
        match &expr.kind {
            Ast::Paren(inner) => self.probe(scope, inner),
            Ast::Int(value) => Some(Type::int(Interval::point(*value))),
            Ast::Bool(_) | Ast::At(..) | Ast::Message(_) => Some(Type::Bool),
            Ast::Unary(UnaryOp::Not, _) => Some(Type::Bool),
            Ast::Name(name) => match self.find(scope, name).map(|local| local.binding) {
                Some(Binding::Value(value)) => Some(value.type_of()),
                Some(Binding::Variable(id)) => {
                    Some(self.program.variables[id.0 as usize].ty.clone())
                }
                Some(Binding::Counter(_, range)) => Some(Type::int(range)),
                Some(Binding::Element(element)) => Some(element.ty.clone()),
                Some(_) => None,
                None => match self.definitions.constructors.get(name.as_str())?.as_slice() {
                    [(data, _)] => Some(Type::Data(*data)),
                    _ => None,
                },
            },
            Ast::Array(elements) => {
                let element = elements.iter().find_map(|e| self.probe(scope, e))?;
                Some(Type::Array(Box::new(element), elements.len() as u32))
            }
            Ast::Index(base, _) => match self.probe(scope, base)? {
                Type::Array(element, _) => Some(*element),
                _ => None,
            },
            Ast::Field(base, name, number) => {
                if let Ast::Name(owner) = &base.kind
                    && let Some(data) = self.definitions.data.get(owner.as_str())
                    && self
                        .definitions
                        .constructors
                        .get(name.text.as_str())
                        .is_some_and(|all| all.iter().any(|(id, _)| id == data))
                {
                    return Some(Type::Data(*data));
                }
                match scope.place {
                    Place::Spec(_) => self.probe_variable(scope, base, &name.text, *number),
                    _ => None,
                }
            }
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
