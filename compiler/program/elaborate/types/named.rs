//! Types with a name.

use super::NamedType;
use crate::program::Type;
use crate::program::elaborate::expr::Expressions;
use crate::program::elaborate::init::TOP;
use crate::program::problem::NameProblem;
use crate::source::Span;
use crate::syntax::ast::{self, TypeKind};

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
        if let Some(id) = self.decls.data_ids.get(text) {
            return Some(NamedType::Value(Type::Data(*id)));
        }
        self.unknown_type(name);
        None
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
        let problem = NameProblem::UnknownType {
            name: name.text.clone(),
            span: name.span,
            suggestion,
        };
        self.log.report_unknown(self.log.lost.declarations, problem);
    }

    /// The type of `type NAME = T`.
    pub fn type_declaration(&mut self, named: &'a ast::TypeDecl) -> Option<NamedType> {
        let ty = &named.ty;
        let (unit, written) = self.decls.written(self.unit(), ty);
        match &written.kind {
            TypeKind::Channel(..) => self.channel_type(ty, true).map(NamedType::Channel),
            TypeKind::Array(_, element) if self.decls.is_channel(unit, element) => {
                let (length, channel) = self.channels_type(ty)?;
                Some(NamedType::Channels(length, channel))
            }
            TypeKind::Process => {
                self.misplaced_type(
                    "`process` has no other name",
                    ty.span,
                    Some("write `process` where the parameter is declared"),
                );
                None
            }
            _ => self.value_type(ty).map(NamedType::Value),
        }
    }

    pub fn channel_as_value(&mut self, span: Span) {
        self.misplaced_type(
            "a channel cannot be stored in a variable or sent",
            span,
            Some("make it a parameter, and create the channel in `init`"),
        );
    }
}
