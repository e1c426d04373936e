//! The types of expressions as far as they can be seen at a glance.

use super::{Expressions, Site};
use crate::program::Type;
use crate::program::elaborate::scope::Binding;
use crate::program::range::Interval;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::UnaryOp;

impl<'a> Expressions<'_, 'a> {
    /// The type an expression has regardless of context, if that can be seen at a glance: used to tell
    /// constructors of the same name apart.
    pub fn probe(&self, expr: &ast::Expr) -> Option<Type> {
        match &expr.kind {
            Ast::Paren(inner) => self.probe(inner),
            Ast::Int(value) => Some(Type::int(Interval::point(*value))),
            Ast::Bool(_) | Ast::At(..) | Ast::Message(_) => Some(Type::Bool),
            Ast::Unary(UnaryOp::Not, _) => Some(Type::Bool),
            Ast::Name(name) => match self.find(name).map(|local| local.binding) {
                Some(Binding::Value(value)) => Some(value.type_of()),
                Some(Binding::Variable(id)) => Some(self.variables.get(id).ty.clone()),
                Some(Binding::Counter(_, range)) => Some(Type::int(range)),
                Some(Binding::Element(element)) => Some(element.ty.clone()),
                Some(Binding::Local(_, ty)) => Some((*ty).clone()),
                Some(_) => None,
                None => match self.decls.constructors.get(name.as_str())?.as_slice() {
                    [(data, _)] => Some(Type::Data(*data)),
                    _ => None,
                },
            },
            Ast::Array(elements) => {
                let element = elements.iter().find_map(|e| self.probe(e))?;
                Some(Type::Array(Box::new(element), elements.len() as u32))
            }
            Ast::Index(base, _) => match self.probe(base)? {
                Type::Array(element, _) => Some(*element),
                _ => None,
            },
            Ast::Field(base, name, number) => {
                if let Ast::Name(owner) = &base.kind
                    && let Some(data) = self.decls.data_ids.get(owner.as_str())
                    && self
                        .decls
                        .constructors
                        .get(name.text.as_str())
                        .is_some_and(|all| all.iter().any(|(id, _)| id == data))
                {
                    return Some(Type::Data(*data));
                }
                match self.context.site {
                    Site::Spec(_) => self.probe_variable(base, &name.text, *number),
                    _ => None,
                }
            }
            Ast::Call(name, _) => self.probe_call(&name.text),
            _ => None,
        }
    }
}
