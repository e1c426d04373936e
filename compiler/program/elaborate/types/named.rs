//! Types with a name.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::NamedType;
use crate::program::data::{Constructor, Field, RecordType, TaggedType};
use crate::program::elaborate::expr::Expressions;
use crate::program::elaborate::init::TOP;
use crate::program::problem::{DataProblem, NameProblem, SizeProblem};
use crate::program::{Type, limits};
use crate::source::Span;
use crate::syntax::ast::{self, TypeDeclKind, TypeKind};
use crate::syntax::habit::Habit;
use crate::vocabulary::DataId;

/// The word for the type of timers, unless the model has another meaning for it.
const TIMER: &str = "timer";

impl<'a> Expressions<'_, 'a> {
    /// The unit whose names are seen here.
    pub fn unit(&self) -> usize {
        self.made.frames[self.scope.frame.0].unit
    }

    /// What a name of a type stands for; `None` if that is faulty and has been reported.
    pub fn named_type(&mut self, name: &'a ast::Name) -> Option<NamedType> {
        let text = name.text.as_str();
        for frame in [self.scope.frame, TOP] {
            let frame = &self.made.frames[frame.0];
            if self.decls.units[frame.unit].type_ids.contains_key(text) {
                // One that is on a cycle has no value, and that has been reported.
                return frame.types.get(text).cloned().flatten();
            }
        }
        if self.decls.data_ids.contains_key(text) {
            // One that is faulty has been reported.
            return self.find_type(text);
        }
        if text == TIMER {
            self.misplaced_type(
                "`timer` is the type of a variable of a process only",
                name.span,
                Some("declare it in the process: `var t timer = 5`"),
            );
            return None;
        }
        self.unknown_type(name);
        None
    }

    /// Whether a name of a type means a timer: no type of the model is called so.
    pub fn means_timer(&self, name: &ast::Name) -> bool {
        let units = [self.unit(), 0];
        let hidden = |unit: &usize| self.decls.units[*unit].type_ids.contains_key(TIMER);
        name.text == TIMER && !units.iter().any(hidden) && !self.decls.data_ids.contains_key(TIMER)
    }

    fn unknown_type(&mut self, name: &'a ast::Name) {
        let units = [self.unit(), 0];
        if let Some(proc) = units
            .iter()
            .find_map(|unit| self.decls.units[*unit].proc(&name.text))
        {
            let declared = proc.ast.name.span;
            self.log.report(NameProblem::WrongKind {
                name: name.text.clone(),
                span: name.span,
                found: "a proc",
                wanted: "a type",
                declared: Some(declared),
                hint: Some(format!("for an instance of it, write `{}(..)`", name.text)),
            });
            return;
        }
        let named = units
            .iter()
            .flat_map(|unit| self.decls.units[*unit].type_ids.keys().copied());
        let known = self.decls.data_ids.keys().copied().chain(named);
        let suggestion = match name.text.as_str() {
            "boolean" => Some("bool".to_owned()),
            other => self.log.near(other, known.chain(["bool", "bit"])),
        };
        let hint = match self.decls.constructors.contains_key(name.text.as_str()) {
            true => Some(format!(
                "`{0}` is a constructor: write what it carries in parentheses, as in `{0}(..)`",
                name.text
            )),
            false => Habit::type_hint(&name.text).map(str::to_owned),
        };
        let problem = NameProblem::UnknownType {
            name: name.text.clone(),
            span: name.span,
            suggestion,
            hint,
        };
        self.log.report_unknown(self.log.lost.declarations, problem);
    }

    /// The type of `type NAME = T`.
    pub fn type_declaration(&mut self, named: &'a ast::TypeDecl) -> Option<NamedType> {
        let ty = match &named.kind {
            TypeDeclKind::Alias(ty) => ty,
            TypeDeclKind::Struct(fields) => return self.record_declaration(&named.name, fields),
        };
        let (unit, written) = self.decls.written(self.unit(), ty);
        match &written.kind {
            TypeKind::Channel(..) => self.channel_type(ty, true).map(NamedType::Channel),
            TypeKind::Array(_, element) if self.decls.is_channel(unit, element) => {
                let (length, channel) = self.channels_type(ty)?;
                Some(NamedType::Channels(length, channel))
            }
            TypeKind::Named(_) if self.decls.noun(unit, written).is_some() => {
                self.misplaced_type(
                    "`detector` has no other name",
                    ty.span,
                    Some("write `detector` where the parameter is declared"),
                );
                None
            }
            TypeKind::Process => {
                self.misplaced_type(
                    "`process` has no other name",
                    ty.span,
                    Some("write `process` where the parameter is declared"),
                );
                None
            }
            _ => {
                let value = self.value_type(ty)?;
                self.reasonable(&value, named.name.span)?;
                Some(NamedType::Value(value))
            }
        }
    }

    pub fn channel_as_value(&mut self, span: Span) {
        self.misplaced_type(
            "a channel cannot be stored in a variable or sent",
            span,
            Some("make it a parameter, and create the channel in `init`"),
        );
    }

    /// The type of `type NAME struct { .. }`.
    fn record_declaration(
        &mut self,
        name: &'a ast::Name,
        fields: &'a [ast::Param],
    ) -> Option<NamedType> {
        if fields.is_empty() {
            self.log.report(DataProblem::EmptyRecord {
                name: name.text.clone(),
                span: name.span,
            });
            return None;
        }
        let fields = self.declared_fields(fields)?;
        let record = RecordType::new(name.text.clone(), fields, name.span);
        let ty = Type::Record(Arc::new(record));
        self.reasonable(&ty, name.span)?;
        Some(NamedType::Value(ty))
    }

    /// The fields of a record or of a constructor.
    fn declared_fields(&mut self, fields: &'a [ast::Param]) -> Option<Vec<Field>> {
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        let mut found = Vec::new();
        let mut sound = true;
        for field in fields {
            self.log.legal_name(&field.name, false);
            if let Some(first) = seen.insert(&field.name.text, field.name.span) {
                self.log.report(NameProblem::Duplicate {
                    name: field.name.text.clone(),
                    what: "field",
                    span: field.name.span,
                    first,
                });
                sound = false;
            }
            match self.value_type(&field.ty) {
                Some(ty) => found.push(Field {
                    name: field.name.text.clone(),
                    ty,
                }),
                None => sound = false,
            }
        }
        sound.then_some(found)
    }

    /// The type of a `data` declaration whose constructors carry fields.
    pub fn tagged_declaration(
        &mut self,
        id: DataId,
        data: &'a ast::Data,
    ) -> Option<Arc<TaggedType>> {
        let mut all: Vec<Field> = Vec::new();
        let mut spans: Vec<Span> = Vec::new();
        let mut constructors = Vec::new();
        let mut sound = true;
        let mut seen: FxHashMap<&str, ()> = FxHashMap::default();
        for constructor in &data.constructors {
            // A second one of a name has been reported, and is no constructor.
            if seen.insert(&constructor.name.text, ()).is_some() {
                continue;
            }
            let Some(fields) = self.declared_fields(&constructor.fields) else {
                sound = false;
                continue;
            };
            let mut own = Vec::new();
            for (field, written) in fields.into_iter().zip(&constructor.fields) {
                let known = all.iter().position(|other| other.name == field.name);
                if let Some(known) = known
                    && all[known].ty != field.ty
                {
                    let types = [&field.ty, &all[known].ty].map(|ty| ty.show(&self.decls.data));
                    self.log.report(DataProblem::FieldTypes {
                        name: field.name.clone(),
                        data: data.name.text.clone(),
                        types,
                        span: written.name.span,
                        first: spans[known],
                    });
                    sound = false;
                }
                own.push(known.unwrap_or(all.len()) as u32);
                if known.is_none() {
                    all.push(field);
                    spans.push(written.name.span);
                }
            }
            constructors.push(Constructor {
                name: constructor.name.text.clone(),
                fields: own,
            });
        }
        let scalars = all.iter().map(|field| field.ty.scalars());
        let scalars = scalars.fold(1, u64::saturating_add);
        if scalars > limits::SCALARS {
            self.log.report(SizeProblem::Scalars {
                count: scalars,
                span: data.name.span,
            });
            return None;
        }
        if !sound {
            return None;
        }
        let tagged = Arc::new(TaggedType::new(
            id,
            data.name.text.clone(),
            constructors,
            all,
        ));
        self.reasonable(&Type::Tagged(tagged.clone()), data.name.span)?;
        Some(tagged)
    }

    /// Complains about a type with a name that is too large or nests too deep.
    fn reasonable(&mut self, ty: &Type, span: Span) -> Option<()> {
        let count = ty.scalars();
        if count > limits::SCALARS {
            self.log.report(SizeProblem::Scalars { count, span });
            return None;
        }
        if ty.depth() > limits::TYPE_DEPTH {
            self.log.report(SizeProblem::TypeDepth { span });
            return None;
        }
        Some(())
    }

    /// The type of a data type whose constructors carry fields; `Some(None)` if it is faulty and has been reported.
    pub fn tagged(&self, id: DataId) -> Option<Option<Arc<TaggedType>>> {
        let carries = &self.decls.units[0].tagged;
        carries
            .iter()
            .any(|(other, _)| *other == id)
            .then(|| self.made.frames[0].data.get(&id).cloned().flatten())
    }

    /// What a name of a type stands for, without complaints.
    pub fn find_type(&self, name: &str) -> Option<NamedType> {
        for frame in [self.scope.frame, TOP] {
            let frame = &self.made.frames[frame.0];
            if self.decls.units[frame.unit].type_ids.contains_key(name) {
                return frame.types.get(name).cloned().flatten();
            }
        }
        let id = *self.decls.data_ids.get(name)?;
        Some(NamedType::Value(match self.tagged(id) {
            None => Type::Data(id),
            Some(tagged) => Type::Tagged(tagged?),
        }))
    }
}
