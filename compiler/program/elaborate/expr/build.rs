//! Values of data types: constructors with and without fields, and what they are asked for.

use std::sync::Arc;

use super::record::all_constant;
use super::{Context, Expressions, Site, unparenthesised};
use crate::program::data::TaggedType;
use crate::program::elaborate::spec::is_event;
use crate::program::problem::{DataProblem, NameProblem};
use crate::program::{Expr, ExprKind, Type, Value};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::DataId;

impl<'a> Expressions<'_, 'a> {
    /// A constructor by its name; `want` tells those of one name apart.
    pub fn constructor_of(
        &mut self,
        name: &str,
        span: Span,
        want: Option<&Type>,
    ) -> Option<(DataId, u32)> {
        let all = self.decls.constructors.get(name)?;
        let wanted = match want.map(Type::scalar) {
            Some(Type::Data(id)) => Some(*id),
            Some(Type::Tagged(tagged)) => Some(tagged.data),
            _ => None,
        };
        let found = match (all.as_slice(), wanted) {
            ([only], _) => Some(*only),
            (several, Some(id)) => several.iter().find(|(data, _)| *data == id).copied(),
            // Of several files, the one at hand means its own.
            (several, None) => {
                let own = |data: &DataId| self.decls.data[data.0 as usize].span.file == span.file;
                let mut own = several.iter().filter(|(data, _)| own(data));
                own.next().filter(|_| own.next().is_none()).copied()
            }
        };
        if found.is_none() {
            let types = all
                .iter()
                .map(|(id, _)| self.decls.data[id.0 as usize].name.clone())
                .collect();
            self.log.report(NameProblem::AmbiguousConstructor {
                name: name.to_owned(),
                types,
                span,
            });
        }
        found
    }

    /// The constructor of a data type with this name.
    pub fn constructor_in(&self, data: DataId, name: &str) -> Option<u32> {
        let all = self.decls.constructors.get(name)?;
        let found = all.iter().find(|(id, _)| *id == data)?;
        Some(found.1)
    }

    /// Notes that a constructor is produced or compared with.
    pub fn note_constructor(&mut self, data: DataId, index: u32, span: Span) {
        let (produces, compares) = match self.context.site {
            Site::Constant => (true, true),
            Site::Spec(_) => (false, true),
            Site::Process => (!self.context.comparing, self.context.comparing),
        };
        if produces {
            self.log.uses.produced.insert((data, index));
        }
        if compares {
            self.log.uses.compared.entry((data, index)).or_insert(span);
        }
    }

    /// A constructor without fields as a value.
    pub fn constructor_value(&mut self, data: DataId, index: u32, span: Span) -> Option<Expr> {
        self.note_constructor(data, index, span);
        let Some(tagged) = self.tagged(data) else {
            return Some(Expr::constant(Value::Data(data, index), span));
        };
        let tagged = tagged?;
        if !tagged.constructors[index as usize].fields.is_empty() {
            self.constructor_fields(&tagged, index, None, span, false);
            return None;
        }
        Some(Expr::constant(
            Value::Tagged(tagged, index, Vec::new()),
            span,
        ))
    }

    /// Reports a constructor with the wrong number of fields.
    pub fn constructor_fields(
        &mut self,
        tagged: &TaggedType,
        index: u32,
        found: Option<usize>,
        span: Span,
        pattern: bool,
    ) {
        let fields = tagged.fields_of(index).map(|field| field.name.clone());
        self.log.report(DataProblem::Constructor {
            name: tagged.constructors[index as usize].name.clone(),
            fields: fields.collect(),
            found,
            span,
            declared: self.decls.constructor_spans[tagged.data.0 as usize][index as usize],
            pattern,
        });
    }

    /// `Accept(3, X)`: a constructor with its fields.
    pub fn build(
        &mut self,
        span: Span,
        (data, index): (DataId, u32),
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        self.note_constructor(data, index, span);
        let Some(tagged) = self.tagged(data) else {
            let ty = &self.decls.data[data.0 as usize];
            self.log.report(DataProblem::Constructor {
                name: ty.constructors[index as usize].clone(),
                fields: Vec::new(),
                found: Some(arguments.len()),
                span,
                declared: self.decls.constructor_spans[data.0 as usize][index as usize],
                pattern: false,
            });
            return None;
        };
        let tagged = tagged?;
        if tagged.constructors[index as usize].fields.len() != arguments.len() {
            self.constructor_fields(&tagged, index, Some(arguments.len()), span, false);
            return None;
        }
        let declared = self.decls.constructor_spans[data.0 as usize][index as usize];
        let because = (declared, "declared here".to_owned());
        let values: Vec<Option<Expr>> = arguments
            .iter()
            .zip(tagged.fields_of(index))
            .map(|(argument, field)| self.stored(argument, &field.ty, because.clone()))
            .collect();
        let values: Vec<Expr> = values.into_iter().collect::<Option<_>>()?;
        let inside = (values.iter().zip(tagged.fields_of(index)))
            .all(|(value, field)| field.ty.covers(&value.ty));
        if let Some(constants) = all_constant(&values).filter(|_| inside) {
            return Some(Expr::constant(
                Value::Tagged(tagged, index, constants),
                span,
            ));
        }
        Some(Expr {
            ty: Type::Tagged(tagged),
            kind: ExprKind::Build(index, values),
            span,
        })
    }

    /// `D.A(x)`
    pub fn call_of(
        &mut self,
        span: Span,
        base: &'a ast::Expr,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
    ) -> Option<Expr> {
        if let Ast::Name(owner) = &unparenthesised(base).kind
            && let Some(&data) = self.decls.data_ids.get(owner.as_str())
        {
            let Some(index) = self.constructor_in(data, &name.text) else {
                self.unknown_constructor(data, name);
                return None;
            };
            return self.build(span, (data, index), arguments);
        }
        if is_event(&name.text) && name.text != "crashed_now" {
            return self.event(span, Some(base), name, arguments);
        }
        self.log.report(NameProblem::UnknownFunction {
            name: name.text.clone(),
            span: name.span,
            suggestion: None,
            hint: None,
        });
        None
    }

    pub fn unknown_constructor(&mut self, data: DataId, name: &ast::Name) {
        let ty = &self.decls.data[data.0 as usize];
        let known = ty.constructors.iter().map(String::as_str);
        let suggestion = self.log.near(&name.text, known);
        self.log.report(NameProblem::UnknownConstructor {
            data: ty.name.clone(),
            name: name.text.clone(),
            span: name.span,
            declared: ty.span,
            suggestion,
        });
    }

    /// `e is A`
    pub fn is(
        &mut self,
        span: Span,
        left: &'a ast::Expr,
        constructor: &'a ast::Expr,
    ) -> Option<Expr> {
        if !self.context.specification {
            self.log.report(DataProblem::Parts {
                text: "`is` is for specifications".to_owned(),
                span,
                hint: "write `switch m { case A { .. } default { .. } }`".to_owned(),
            });
            return None;
        }
        let outer = self.enter(Context {
            comparing: true,
            ..self.context.timeless()
        });
        let value = self.expr(left, None);
        self.context = outer;
        let value = value?;
        let data = match &value.ty {
            Type::Tagged(tagged) => tagged.data,
            Type::Data(data) => *data,
            other => {
                let found = self.decls.describe(other);
                self.log.report(DataProblem::Parts {
                    text: format!("`is` asks for the constructor of a value, but this is {found}"),
                    span: left.span,
                    hint: "write `==` to compare it".to_owned(),
                });
                return None;
            }
        };
        let (data, index) = self.named_constructor(constructor, data)?;
        self.log
            .uses
            .compared
            .entry((data, index))
            .or_insert(constructor.span);
        if let Some(found) = constructor_index(&value) {
            return Some(Expr::constant(Value::Bool(found == index), span));
        }
        Some(Expr {
            kind: ExprKind::Is(Box::new(value), index),
            ty: Type::Bool,
            span,
        })
    }

    /// A constructor of a certain type, written `A` or `D.A`.
    pub fn named_constructor(
        &mut self,
        written: &'a ast::Expr,
        data: DataId,
    ) -> Option<(DataId, u32)> {
        let (name, span) = match &written.kind {
            Ast::Name(name) => (name.as_str(), written.span),
            Ast::Field(base, name, None)
                if matches!(&base.kind, Ast::Name(owner)
                    if self.decls.data_ids.get(owner.as_str()) == Some(&data)) =>
            {
                (name.text.as_str(), name.span)
            }
            Ast::Error => {
                self.log.incomplete = true;
                return None;
            }
            _ => ("", written.span),
        };
        if let Some(index) = self.constructor_in(data, name) {
            return Some((data, index));
        }
        let name = ast::Name {
            text: if name.is_empty() {
                crate::syntax::print::expr(written)
            } else {
                name.to_owned()
            },
            span,
        };
        self.unknown_constructor(data, &name);
        None
    }

    /// `e.f` of a value.
    pub fn part(&mut self, span: Span, base: &'a ast::Expr, name: &'a ast::Name) -> Option<Expr> {
        let outer = self.enter(self.context.timeless());
        let value = self.expr(base, None);
        self.context = outer;
        let value = value?;
        match &value.ty {
            Type::Record(record) => {
                let Some(position) = record.position(&name.text) else {
                    let record = record.clone();
                    self.unknown_field(&record, name);
                    return None;
                };
                Some(part_of(value, position, span))
            }
            Type::Tagged(tagged) => {
                let tagged = tagged.clone();
                let Some(position) = tagged.position(&name.text) else {
                    self.unknown_part(&tagged, name);
                    return None;
                };
                if !self.context.specification {
                    let (text, field) = (crate::syntax::print::expr(base), &name.text);
                    let carrier = tagged.carriers(position)[0] as usize;
                    let carrier = &tagged.constructors[carrier].name;
                    self.log.report(DataProblem::Parts {
                        text: format!(
                            "whether `{text}` has a `{field}` depends on its constructor"
                        ),
                        span,
                        hint: format!("write `switch {text} {{ case {carrier}(..) {{ .. }} .. }}`"),
                    });
                    return None;
                }
                Some(part_of(value, position, span))
            }
            other => {
                let found = self.decls.describe(other);
                self.log.misplaced(
                    format!("this is {found}, which has no `{}`", name.text),
                    span,
                    None,
                );
                None
            }
        }
    }

    fn unknown_part(&mut self, tagged: &Arc<TaggedType>, name: &ast::Name) {
        let known = tagged.fields.iter().map(|field| field.name.as_str());
        let suggestion = self.log.near(&name.text, known);
        self.log.report(DataProblem::UnknownField {
            owner: format!("data type `{}`", tagged.name),
            name: name.text.clone(),
            span: name.span,
            declared: self.decls.data[tagged.data.0 as usize].span,
            suggestion,
        });
    }

    /// Whether what stands before a `.` is a value rather than a process or module.
    pub fn is_value(&self, base: &ast::Expr) -> bool {
        use crate::program::elaborate::scope::Binding;
        let base = unparenthesised(base);
        match &base.kind {
            Ast::Literal { .. } | Ast::Call(..) | Ast::CallOf(..) | Ast::Array(_) => true,
            Ast::Name(name) => self.find(name).is_some_and(|local| {
                matches!(
                    local.binding,
                    Binding::Value(_)
                        | Binding::Local(..)
                        | Binding::Variable(_)
                        | Binding::Element(_)
                        | Binding::Counter(..)
                )
            }),
            Ast::Index(inner, _) | Ast::Field(inner, _, _) => {
                if matches!(self.context.site, Site::Spec(_)) && self.probe_entity(base).is_some() {
                    return false;
                }
                self.is_value(inner) || self.probe(base).is_some()
            }
            _ => false,
        }
    }
}

/// The constructor of a constant.
fn constructor_index(value: &Expr) -> Option<u32> {
    match value.as_const()? {
        Value::Data(_, index) | Value::Tagged(_, index, _) => Some(*index),
        _ => None,
    }
}

/// A field of a record or message, folded if that is constant.
pub fn part_of(base: Expr, position: u32, span: Span) -> Expr {
    match base.as_const() {
        Some(Value::Record(_, values)) => {
            return Expr::constant(values[position as usize].clone(), span);
        }
        Some(Value::Tagged(tagged, constructor, values)) => {
            let own = &tagged.constructors[*constructor as usize].fields;
            let value = match own.iter().position(|field| *field == position) {
                Some(at) => values[at].clone(),
                None => tagged.fields[position as usize].ty.zero(),
            };
            return Expr::constant(value, span);
        }
        _ => {}
    }
    let ty = match &base.ty {
        Type::Record(record) => record.fields[position as usize].ty.clone(),
        Type::Tagged(tagged) => tagged.fields[position as usize].ty.clone(),
        other => unreachable!("{other:?} has no fields"),
    };
    Expr {
        kind: ExprKind::Field(Box::new(base), position),
        ty,
        span,
    }
}
