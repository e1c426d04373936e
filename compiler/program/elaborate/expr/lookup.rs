//! What a name stands for: a local name, a parameter or constant of the module, a constant of the top level.

use super::Expressions;
use crate::program::elaborate::init::{FrameId, TOP};
use crate::program::elaborate::scope::{Binding, Local, Role};

impl<'a> Expressions<'_, 'a> {
    /// What a name that is no constructor stands for: a local name, a parameter or constant of the module,
    /// or a constant of the top level. Counts as a use.
    pub fn lookup(&mut self, name: &str) -> Option<Local> {
        let found = self.find(name);
        if let Some(local) = &found {
            self.log.uses.read.insert(local.span);
        }
        found
    }

    /// As [`Self::lookup`], without counting as a use.
    pub fn find(&self, name: &str) -> Option<Local> {
        if let Some(local) = self.scope.local(name) {
            return Some(local.clone());
        }
        let frame = &self.made.frames[self.scope.frame.0];
        if let Some(local) = frame.parameters.get(name) {
            return Some(local.clone());
        }
        self.constant_of(self.scope.frame, name).or_else(|| {
            if self.scope.frame.0 == 0 {
                None
            } else {
                self.constant_of(TOP, name)
            }
        })
    }

    fn constant_of(&self, frame: FrameId, name: &str) -> Option<Local> {
        let frame = &self.made.frames[frame.0];
        let index = *self.decls.units[frame.unit].constant_ids.get(name)?;
        let span = self.decls.units[frame.unit].constants[index].name.span;
        let binding = match frame.constants.get(name) {
            Some(Some(value)) => Binding::Value(value.clone()),
            _ => Binding::Broken,
        };
        let module = self.decls.units[frame.unit].module;
        let role = match module {
            Some(module) if !module.params.is_empty() => Role::Given,
            _ => Role::Constant,
        };
        Some(Local {
            binding,
            role,
            span,
            depth: 0,
        })
    }

    /// Every visible name of a value, for suggestions.
    pub fn visible(&self) -> Vec<&'a str> {
        let mut names: Vec<&'a str> = self.scope.locals().map(|(name, _)| name).collect();
        let frame = &self.made.frames[self.scope.frame.0];
        names.extend(frame.parameters.keys());
        names.extend(self.decls.units[frame.unit].constant_ids.keys());
        names.extend(self.decls.units[0].constant_ids.keys());
        names.extend(self.decls.constructors.keys());
        names
    }
}
