//! The types of expressions as far as they can be seen at a glance.

use super::{Expressions, Site};
use crate::program::Type;
use crate::program::elaborate::scope::Binding;
use crate::program::elaborate::types::NamedType;
use crate::program::range::Interval;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::{DataId, UnaryOp};

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
                    [(data, _)] => self.data_type(*data),
                    _ => None,
                },
            },
            Ast::Call(name, _) => match self.decls.constructors.get(name.text.as_str()) {
                Some(all) => match all.as_slice() {
                    [(data, _)] => self.data_type(*data),
                    _ => None,
                },
                None => self.probe_call(&name.text),
            },
            Ast::CallOf(base, _, _) => match &base.kind {
                Ast::Name(owner) => self.data_type(*self.decls.data_ids.get(owner.as_str())?),
                _ => None,
            },
            Ast::Literal { name, .. } => match self.find_type(&name.text)? {
                NamedType::Value(ty) => Some(ty),
                _ => None,
            },
            Ast::Is(..) => Some(Type::Bool),
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
                    return self.data_type(*data);
                }
                let variable = match self.context.site {
                    Site::Spec(_) => self.probe_variable(base, &name.text, *number),
                    _ => None,
                };
                variable.or_else(|| {
                    let fields = match self.probe(base)? {
                        Type::Record(record) => record.fields.clone(),
                        Type::Tagged(tagged) => tagged.fields.clone(),
                        _ => return None,
                    };
                    let field = fields.into_iter().find(|field| field.name == name.text);
                    field.map(|field| field.ty)
                })
            }
            _ => None,
        }
    }

    /// The type of a data type's values.
    fn data_type(&self, data: DataId) -> Option<Type> {
        match self.tagged(data) {
            None => Some(Type::Data(data)),
            Some(tagged) => tagged.map(Type::Tagged),
        }
    }
}
