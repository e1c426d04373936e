//! What a parameter takes: channels, processes and detectors are told from values by their types alone.

use super::Declarations;
use crate::program::elaborate::init::Entity;
use crate::program::elaborate::scope::Binding;
use crate::syntax::ast::{self, TypeDeclKind, TypeKind};

/// What a parameter takes, as far as its syntax tells.
pub enum ParameterKind<'a> {
    Value,
    Channel(&'a ast::Type),
    /// An array of them.
    Channels(&'a ast::Type),
    /// A process or a detector.
    One(Noun),
    /// An array of them.
    Many(Noun, &'a ast::Type),
}

/// What a parameter may name that has no fields and no capacity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noun {
    Process,
    Detector,
}

impl Noun {
    /// `process`
    pub fn as_str(self) -> &'static str {
        match self {
            Noun::Process => "process",
            Noun::Detector => "detector",
        }
    }

    /// `array of processes`
    pub fn array(self) -> &'static str {
        match self {
            Noun::Process => "array of processes",
            Noun::Detector => "array of detectors",
        }
    }

    /// What a parameter stands for that an entry of this kind is given for.
    pub fn binding(self, entity: &Entity) -> Option<Binding> {
        match (self, entity) {
            (Noun::Process, Entity::Process(id)) => Some(Binding::Process(*id)),
            (Noun::Detector, Entity::Detector(id)) => Some(Binding::Detector(*id)),
            _ => None,
        }
    }

    /// What each element stands for of an array of this kind.
    pub fn elements(self, entity: &Entity) -> Option<Vec<Binding>> {
        let length = entity.length()?;
        let elements = (0..length).filter_map(|k| entity.get(k));
        elements.map(|element| self.binding(&element)).collect()
    }

    /// What an array of such elements stands for.
    pub fn all(self, elements: &[Binding]) -> Option<Binding> {
        let one = |binding: &Binding| match binding {
            Binding::Process(id) => Some(*id),
            _ => None,
        };
        let other = |binding: &Binding| match binding {
            Binding::Detector(id) => Some(*id),
            _ => None,
        };
        Some(match self {
            Noun::Process => Binding::Processes(elements.iter().map(one).collect::<Option<_>>()?),
            Noun::Detector => {
                Binding::Detectors(elements.iter().map(other).collect::<Option<_>>()?)
            }
        })
    }
}

impl<'a> Declarations<'a> {
    /// What a parameter of a type takes; names of types are those that a unit sees.
    pub fn parameter_kind(&self, unit: usize, ty: &'a ast::Type) -> ParameterKind<'a> {
        let (seen_from, written) = self.written(unit, ty);
        match &written.kind {
            TypeKind::Channel(..) => ParameterKind::Channel(ty),
            TypeKind::Array(_, element) if self.is_channel(seen_from, element) => {
                ParameterKind::Channels(ty)
            }
            TypeKind::Array(_, element) => match self.noun(seen_from, element) {
                Some(noun) => ParameterKind::Many(noun, ty),
                None => ParameterKind::Value,
            },
            _ => match self.noun(seen_from, written) {
                Some(noun) => ParameterKind::One(noun),
                None => ParameterKind::Value,
            },
        }
    }

    /// Whether a type is `process`, or `detector` where no type is declared with that name.
    pub fn noun(&self, unit: usize, ty: &ast::Type) -> Option<Noun> {
        match &ty.kind {
            TypeKind::Process => Some(Noun::Process),
            TypeKind::Named(name) if name.text == Noun::Detector.as_str() => {
                let named =
                    |unit: usize| self.units[unit].type_ids.contains_key(name.text.as_str());
                let declared =
                    named(unit) || named(0) || self.data_ids.contains_key(name.text.as_str());
                (!declared).then_some(Noun::Detector)
            }
            _ => None,
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
