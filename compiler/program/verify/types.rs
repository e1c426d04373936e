//! Types.

use rustc_hash::FxHashSet;

use super::require;
use crate::program::Type;
use crate::program::range::Interval;

pub(super) fn well_formed(ty: &Type) -> Result<(), String> {
    match ty {
        Type::Int { lo, hi } => require(
            lo <= hi && Interval::new(*lo, *hi).is_computable(),
            "ranges are computable",
        ),
        Type::Array(element, length) => {
            require(*length > 0, "arrays have elements").and_then(|()| well_formed(element))
        }
        Type::Bool | Type::Data(_) => Ok(()),
        Type::Record(record) => {
            require(!record.fields.is_empty(), "records have fields")?;
            record
                .fields
                .iter()
                .try_for_each(|field| well_formed(&field.ty))
        }
        Type::Tagged(tagged) => {
            let rooms = tagged.rooms.len() as u32;
            let mut own = tagged.rooms_of.iter().zip(&tagged.fields);
            let fit = own.all(|(own, field)| {
                let scalars = field.ty.flat();
                own.len() == scalars.len()
                    && own
                        .iter()
                        .zip(&scalars)
                        .all(|(room, ty)| *room < rooms && tagged.rooms[*room as usize] == *ty)
            });
            require(fit, "fields fit their rooms")?;
            for constructor in &tagged.constructors {
                let mut seen = FxHashSet::default();
                let rooms = constructor.fields.iter();
                let mut rooms = rooms.flat_map(|field| &tagged.rooms_of[*field as usize]);
                require(
                    rooms.all(|room| seen.insert(*room)),
                    "rooms are not shared within a constructor",
                )?;
            }
            tagged
                .fields
                .iter()
                .try_for_each(|field| well_formed(&field.ty))
        }
    }
}
