//! Patterns, and values that go into fields.

use super::{Verify, require};
use crate::program::{Expr, Pattern, Type};

impl Verify<'_> {
    pub(in crate::program) fn pattern(&self, pattern: &Pattern, ty: &Type) -> Result<(), String> {
        match pattern {
            Pattern::Any => Ok(()),
            Pattern::Into(place) => {
                self.place(place)?;
                require(place.ty.same_shape(ty), "targets fit their fields")
            }
            Pattern::Equal(value) => {
                self.expr(value, false)?;
                require(value.ty.same_shape(ty), "patterns fit their fields")
            }
            Pattern::Between(lo, hi) => require(
                lo <= hi && ty.range().is_some(),
                "ranges are patterns for integers",
            ),
            Pattern::Either(all) => {
                let places = all.iter().any(|pattern| !pattern.places().is_empty());
                require(!all.is_empty() && !places, "sets are of constants")?;
                all.iter().try_for_each(|pattern| self.pattern(pattern, ty))
            }
            Pattern::Constructor(index, fields) => {
                let Type::Tagged(tagged) = ty else {
                    return Err("a constructor of something else".into());
                };
                let Some(constructor) = tagged.constructors.get(*index as usize) else {
                    return Err("a constructor that does not exist".into());
                };
                require(
                    constructor.fields.len() == fields.len(),
                    "all fields have patterns",
                )?;
                let mut all = fields.iter().zip(tagged.fields_of(*index));
                all.try_for_each(|(pattern, field)| self.pattern(pattern, &field.ty))
            }
        }
    }

    /// Values that go into fields.
    pub(super) fn fields(
        &self,
        values: &[Expr],
        fields: &[&Type],
        messages: bool,
    ) -> Result<(), String> {
        require(values.len() == fields.len(), "every field has a value")?;
        for (value, field) in values.iter().zip(fields) {
            self.expr(value, messages)?;
            require(value.ty.same_shape(field), "values fit their fields")?;
        }
        Ok(())
    }
}
