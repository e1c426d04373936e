//! The names in expressions.

use super::walk::Walk;
use crate::syntax::ast::*;

impl Walk<'_> {
    pub fn message(&mut self, message: &mut Message) {
        message.args.iter_mut().for_each(|e| self.expr(e));
    }

    pub fn expr(&mut self, expr: &mut Expr) {
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::Name(name) => {
                if !self.is_local(name) {
                    *name = self.plain(&name.clone(), span);
                }
            }
            ExprKind::Field(base, name, None) => {
                if let Some(kind) = self.prefixed(base, name, None) {
                    expr.kind = kind;
                } else {
                    self.expr(base);
                }
            }
            ExprKind::CallOf(base, name, args) => {
                args.iter_mut().for_each(|e| self.expr(e));
                if let Some(kind) = self.prefixed(base, name, Some(args)) {
                    expr.kind = kind;
                } else {
                    self.expr(base);
                }
            }
            ExprKind::Call(name, args) => {
                self.definition(name);
                args.iter_mut().for_each(|e| self.expr(e));
            }
            ExprKind::Group(_, args, body) => {
                args.iter_mut().for_each(|e| self.expr(e));
                self.expr(body);
            }
            ExprKind::Literal { name, fields, .. } => {
                self.definition(name);
                for field in fields {
                    self.expr(&mut field.value);
                }
            }
            ExprKind::Paren(e)
            | ExprKind::Field(e, ..)
            | ExprKind::At(e, _)
            | ExprKind::Unary(_, e)
            | ExprKind::EqualTo(e)
            | ExprKind::Temporal(_, e)
            | ExprKind::Path(_, e) => self.expr(e),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Is(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Array(elements) => elements.iter_mut().for_each(|e| self.expr(e)),
            ExprKind::Marked(base, _, args) => {
                self.expr(base);
                args.iter_mut().for_each(|e| self.expr(e));
            }
            ExprKind::Message(message) => self.message(message),
            ExprKind::Any(AnySet::Range(a, b)) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Any(AnySet::Of(values)) => values.iter_mut().for_each(|e| self.expr(e)),
            ExprKind::Quantified {
                vars,
                from,
                to,
                body,
                ..
            } => {
                self.expr(from);
                self.expr(to);
                self.scoped(|walk| {
                    vars.iter().for_each(|var| walk.bind(&var.text));
                    walk.expr(body);
                });
            }
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Any(AnySet::All) | ExprKind::Error => {
            }
        }
    }

    /// What `link.N` and `link.f(x)` stand for; `None` if `link` is no file here.
    fn prefixed(
        &mut self,
        base: &Expr,
        name: &Name,
        args: Option<&mut Vec<Expr>>,
    ) -> Option<ExprKind> {
        let ExprKind::Name(alias) = &base.kind else {
            return None;
        };
        if !self.names.is_alias(alias) || self.is_local(alias) {
            return None;
        }
        let span = base.span.to(name.span);
        let Some(text) = self.qualified(alias, &name.text, span) else {
            // It may be a type with the name of the file.
            if self.names.definers.contains_key(alias.as_str()) {
                return None;
            }
            self.missing(alias, &name.text, span);
            return Some(ExprKind::Error);
        };
        Some(match args {
            Some(args) => ExprKind::Call(Name { text, span }, std::mem::take(args)),
            None => ExprKind::Name(text),
        })
    }
}
