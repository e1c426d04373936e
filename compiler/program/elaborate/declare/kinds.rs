//! What a parameter takes: channels and processes are told from values by their types alone.

use super::Declarations;
use crate::syntax::ast::{self, TypeDeclKind, TypeKind};

/// What a parameter takes, as far as its syntax tells.
pub enum ParameterKind<'a> {
    Value,
    Channel(&'a ast::Type),
    /// An array of them.
    Channels(&'a ast::Type),
    Process,
}

impl<'a> Declarations<'a> {
    /// What a parameter of a type takes; names of types are those that a unit sees.
    pub fn parameter_kind(&self, unit: usize, ty: &'a ast::Type) -> ParameterKind<'a> {
        let (seen_from, written) = self.written(unit, ty);
        match &written.kind {
            TypeKind::Channel(..) => ParameterKind::Channel(ty),
            TypeKind::Process => ParameterKind::Process,
            TypeKind::Array(_, element) if self.is_channel(seen_from, element) => {
                ParameterKind::Channels(ty)
            }
            _ => ParameterKind::Value,
        }
    }

    /// Whether a type is that of a channel.
    pub fn is_channel(&self, unit: usize, ty: &ast::Type) -> bool {
        matches!(self.written(unit, ty).1.kind, TypeKind::Channel(..))
    }

    /// Whether a type is an array, of arrays perhaps, of channels.
    pub fn is_array_of_channels(&self, unit: usize, ty: &ast::Type) -> bool {
        let (mut unit, mut ty) = self.written(unit, ty);
        let is_array = matches!(ty.kind, TypeKind::Array(..));
        while let TypeKind::Array(_, element) = &ty.kind {
            (unit, ty) = self.written(unit, element);
        }
        is_array && matches!(ty.kind, TypeKind::Channel(..))
    }

    /// The type that a name stands for, as it is written, and the unit it is written in. Of names that stand
    /// for each other it is one of them.
    pub fn written<'t>(&'t self, mut unit: usize, mut ty: &'t ast::Type) -> (usize, &'t ast::Type) {
        let most: usize = self.units.iter().map(|unit| unit.types.len()).sum();
        for _ in 0..most {
            let TypeKind::Named(name) = &ty.kind else {
                break;
            };
            let declares =
                |unit: &usize| self.units[*unit].type_ids.contains_key(name.text.as_str());
            let found = [unit, 0].into_iter().find(declares).and_then(|unit| {
                let id = self.units[unit].type_ids.get(name.text.as_str())?;
                match &self.units[unit].types[*id].kind {
                    TypeDeclKind::Alias(ty) => Some((unit, ty)),
                    TypeDeclKind::Struct(_) => None,
                }
            });
            match found {
                Some(found) => (unit, ty) = found,
                None => break,
            }
        }
        (unit, ty)
    }
}
