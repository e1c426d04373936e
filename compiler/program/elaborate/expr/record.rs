//! `Entry{term: 1, value: X}`

use rustc_hash::FxHashMap;

use super::{Context, Expressions, Site};
use crate::program::data::RecordType;
use crate::program::elaborate::types::NamedType;
use crate::program::problem::{DataProblem, TypeProblem};
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast::{self, LiteralField};

impl<'a> Expressions<'_, 'a> {
    /// A literal of a record. What is not written is zero.
    pub fn record_literal(
        &mut self,
        span: Span,
        name: &'a ast::Name,
        fields: &'a [LiteralField],
    ) -> Option<Expr> {
        let named = self.named_type(name);
        let Some(NamedType::Value(Type::Record(record))) = named else {
            if named.is_some() {
                self.log.report(DataProblem::NotARecord {
                    name: name.text.clone(),
                    span: name.span,
                });
            }
            return None;
        };
        let placed = self.placed_fields(span, &record, fields)?;
        let mut values = Vec::with_capacity(record.fields.len());
        for (field, written) in record.fields.iter().zip(placed) {
            values.push(match written {
                None => Some(Expr::constant(field.ty.zero(), span)),
                Some(written) => {
                    let because = (record.span, format!("`{}` declared here", record.name));
                    self.stored(written, &field.ty, because)
                }
            });
        }
        let values: Vec<Expr> = values.into_iter().collect::<Option<_>>()?;
        let mut inside = values.iter().zip(&record.fields);
        let inside = inside.all(|(value, field)| field.ty.covers(&value.ty));
        if let Some(constants) = all_constant(&values).filter(|_| inside) {
            return Some(Expr::constant(Value::Record(record, constants), span));
        }
        Some(Expr {
            ty: Type::Record(record),
            kind: ExprKind::Record(values),
            span,
        })
    }

    /// The value written for each field, if there is one.
    fn placed_fields(
        &mut self,
        span: Span,
        record: &RecordType,
        fields: &'a [LiteralField],
    ) -> Option<Vec<Option<&'a ast::Expr>>> {
        let names = || record.fields.iter().map(|field| field.name.clone());
        let named = fields.iter().filter(|field| field.name.is_some()).count();
        if named < fields.len() {
            if named > 0 || fields.len() != record.fields.len() {
                self.log.report(DataProblem::FieldCount {
                    record: record.name.clone(),
                    fields: names().collect(),
                    found: fields.len(),
                    mixed: named > 0,
                    span,
                    declared: record.span,
                });
                return None;
            }
            return Some(fields.iter().map(|field| Some(&field.value)).collect());
        }
        let mut placed: Vec<Option<&'a ast::Expr>> = vec![None; record.fields.len()];
        let mut seen: FxHashMap<u32, Span> = FxHashMap::default();
        let mut sound = true;
        for field in fields {
            let Some(name) = &field.name else { continue };
            let Some(position) = record.position(&name.text) else {
                self.unknown_field(record, name);
                sound = false;
                continue;
            };
            if let Some(first) = seen.insert(position, name.span) {
                self.log.report(DataProblem::FieldTwice {
                    name: name.text.clone(),
                    span: name.span,
                    first,
                });
                sound = false;
            }
            placed[position as usize] = Some(&field.value);
        }
        sound.then_some(placed)
    }

    pub fn unknown_field(&mut self, record: &RecordType, name: &ast::Name) {
        let known = record.fields.iter().map(|field| field.name.as_str());
        let suggestion = self.log.near(&name.text, known);
        self.log.report(DataProblem::UnknownField {
            owner: format!("record `{}`", record.name),
            name: name.text.clone(),
            span: name.span,
            declared: record.span,
            suggestion,
        });
    }

    /// A value that goes into a field of something that is built here, which is a store.
    pub fn stored(
        &mut self,
        written: &'a ast::Expr,
        ty: &Type,
        because: (Span, String),
    ) -> Option<Expr> {
        let outer = self.enter(Context {
            comparing: false,
            ..self.context.timeless()
        });
        let value = self.expr_of(written, ty, Some(because.clone()));
        self.context = outer;
        let value = value?;
        if ty.covers(&value.ty) {
            return Some(value);
        }
        match (self.context.site, value.as_const()) {
            (Site::Spec(_), _) => {
                self.log.report(DataProblem::OutOfRange {
                    found: value.ty.show(&self.decls.data),
                    wanted: ty.show(&self.decls.data),
                    span: written.span,
                });
                return None;
            }
            (Site::Constant, Some(constant)) => {
                self.log.report_value(TypeProblem::Outside {
                    value: constant.show(&self.decls.data),
                    ty: ty.show(&self.decls.data),
                    span: written.span,
                    because: Some(because),
                });
                return None;
            }
            _ => self.note_store(ty, &value.ty, written.span, "the field"),
        }
        Some(value)
    }
}

/// The values of expressions that are all constant.
pub fn all_constant(values: &[Expr]) -> Option<Vec<Value>> {
    values
        .iter()
        .map(|value| value.as_const().cloned())
        .collect()
}
