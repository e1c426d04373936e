//! The values of constants, and `-D NAME=VALUE`.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Creator, FrameId, TOP};
use crate::program::elaborate::declare::Definition;
use crate::program::elaborate::scope::Scope;
use crate::program::problem::{NameProblem, TypeProblem};
use crate::program::{Define, Type, Value};
use crate::source::{FileId, Span};
use crate::syntax::ast;

impl<'a> Creator<'_, 'a> {
    /// Evaluates the constants of the top level.
    pub fn top_constants(&mut self, defines: &[Define]) {
        if defines.is_empty() {
            self.constants(TOP);
        } else {
            // The first round only finds the types; what is wrong shows in the second.
            let problems = std::mem::take(&mut self.log.problems);
            self.constants(TOP);
            self.log.problems = problems;
            self.override_constants(defines);
        }
    }

    /// Evaluates the constants and types of a frame whose value parameters are bound.
    pub fn constants(&mut self, frame: FrameId) {
        self.definitions(frame, FxHashMap::default());
    }

    /// Evaluates the constants and types of a frame; some of the constants are given.
    fn definitions(&mut self, frame: FrameId, mut given: FxHashMap<usize, Value>) {
        let unit = &self.decls.units[self.made.frames[frame.0].unit];
        let mut scope = Scope::new(frame);
        for definition in &unit.order {
            match *definition {
                Definition::Constant(index) => {
                    let constant = unit.constants[index];
                    let value = match given.remove(&index) {
                        None => self.exprs(&mut scope).constant_declaration(constant),
                        Some(value) => self.given_constant(&mut scope, constant, value),
                    };
                    self.made.frames[frame.0]
                        .constants
                        .insert(&constant.name.text, value.map(Rc::new));
                }
                Definition::Type(index) => {
                    let named = unit.types[index];
                    let ty = self.exprs(&mut scope).type_declaration(named);
                    self.made.frames[frame.0].types.insert(&named.name.text, ty);
                }
                Definition::Data(index) => {
                    let (id, data) = unit.tagged[index];
                    let ty = self.exprs(&mut scope).tagged_declaration(id, data);
                    self.made.frames[frame.0].data.insert(id, ty);
                }
            }
        }
    }

    /// `-D NAME=VALUE`: later ones win. Everything that depends on an overridden constant is computed
    /// again.
    pub fn override_constants(&mut self, defines: &[Define]) {
        let mut given: FxHashMap<usize, Value> = FxHashMap::default();
        for define in defines {
            let ids = &self.decls.units[0].constant_ids;
            let Some(&index) = ids.get(define.name.as_str()) else {
                let suggestion = self.log.near(&define.name, ids.keys().copied());
                let file = self.decls.main.unwrap_or(FileId(0));
                self.log.report(NameProblem::UnknownDefine {
                    name: define.name.clone(),
                    span: Span::new(file, 0, 0),
                    suggestion,
                });
                continue;
            };
            let constant = self.decls.units[0].constants[index];
            let old = self.made.frames[0]
                .constants
                .get(constant.name.text.as_str());
            let wanted = old.and_then(|v| v.as_ref()).map(|v| v.type_of());
            let Some(value) = self.read_value(&define.value, wanted.as_ref()) else {
                self.log.report(NameProblem::UnreadableDefine {
                    name: define.name.clone(),
                    value: define.value.clone(),
                    span: constant.name.span,
                });
                continue;
            };
            if let Some(wanted) = wanted
                && !scalar_shape(&wanted, &value.type_of())
            {
                self.log.report(TypeProblem::Mismatch {
                    wanted: self.decls.describe(&wanted),
                    found: format!("{} (`-D`)", self.decls.describe(&value.type_of())),
                    span: constant.name.span,
                    because: None,
                    hint: None,
                });
                continue;
            }
            given.insert(index, value);
        }
        self.definitions(TOP, given);
    }

    fn given_constant(
        &mut self,
        scope: &mut Scope<'a>,
        constant: &'a ast::Const,
        value: Value,
    ) -> Option<Value> {
        if let Some(written) = &constant.ty {
            let ty = self.exprs(scope).value_type(written)?;
            if !ty.contains(&value) {
                self.log.report(TypeProblem::Outside {
                    value: value.show(&self.decls.data),
                    ty: ty.show(&self.decls.data),
                    span: constant.name.span,
                    because: Some((written.span, "because of this type".into())),
                });
                return None;
            }
        }
        self.note_value(&value);
        Some(value)
    }

    /// Counts the constructors in a value as used in every way.
    fn note_value(&mut self, value: &Value) {
        match value {
            Value::Data(data, index) => {
                let span = self.decls.data[data.0 as usize].span;
                self.log.uses.produced.insert((*data, *index));
                self.log
                    .uses
                    .compared
                    .entry((*data, *index))
                    .or_insert(span);
            }
            Value::Array(values) | Value::Record(_, values) => {
                values.iter().for_each(|value| self.note_value(value));
            }
            Value::Tagged(tagged, index, values) => {
                self.note_value(&Value::Data(tagged.data, *index));
                values.iter().for_each(|value| self.note_value(value));
            }
            Value::Bool(_) | Value::Int(_) => {}
        }
    }

    /// Reads a number, a truth value, a constructor, or an array of these, as `-D` gives them.
    fn read_value(&self, text: &str, wanted: Option<&Type>) -> Option<Value> {
        let text = text.trim();
        if let Some(inner) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            let element = match wanted {
                Some(Type::Array(element, _)) => Some(&**element),
                _ => None,
            };
            let values: Option<Vec<Value>> = split_elements(inner)
                .into_iter()
                .map(|part| self.read_value(part, element))
                .collect();
            return values.filter(|v| !v.is_empty()).map(Value::Array);
        }
        match text {
            "true" => return Some(Value::Bool(true)),
            "false" => return Some(Value::Bool(false)),
            _ => {}
        }
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            let number: i64 = text.parse().ok()?;
            let range = crate::program::range::Interval::point(number);
            return range.is_computable().then_some(Value::Int(number));
        }
        let (data, name) = match text.split_once('.') {
            Some((data, name)) => (Some(*self.decls.data_ids.get(data)?), name),
            None => (None, text),
        };
        let all = self.decls.constructors.get(name)?;
        let scalar = wanted.map(Type::scalar);
        all.iter()
            .find(|(id, _)| match (data, scalar) {
                (Some(data), _) => *id == data,
                (None, Some(wanted)) if wanted.data().is_some() => wanted.data() == Some(*id),
                (None, _) => all.len() == 1,
            })
            .and_then(|(id, index)| match self.made.frames[0].data.get(id) {
                None => Some(Value::Data(*id, *index)),
                Some(tagged) => {
                    let tagged = tagged.clone()?;
                    let plain = tagged.constructors[*index as usize].fields.is_empty();
                    plain.then(|| Value::Tagged(tagged, *index, Vec::new()))
                }
            })
    }
}

/// Whether `-D` may replace a value of one type by one of the other: an array may change its length.
fn scalar_shape(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Array(a, _), Type::Array(b, _)) => scalar_shape(a, b),
        _ => a.same_shape(b),
    }
}

/// Splits at the commas that are not inside brackets.
fn split_elements(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
