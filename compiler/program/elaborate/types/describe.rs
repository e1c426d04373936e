//! Types in words.

use super::{Capacity, ChannelType};
use crate::program::Type;
use crate::program::elaborate::declare::Declarations;

impl Declarations<'_> {
    /// A type as part of a sentence: `an integer`.
    pub fn describe(&self, ty: &Type) -> String {
        match ty {
            Type::Int { .. } => "an integer".into(),
            Type::Array(..) => {
                let element = match ty.scalar() {
                    Type::Int { .. } => "integers".to_owned(),
                    scalar => format!("`{}`", scalar.show(&self.data)),
                };
                let mut lengths = Vec::new();
                let mut inner = ty;
                while let Type::Array(element, n) = inner {
                    lengths.push(n.to_string());
                    inner = element;
                }
                format!("an array of {} {element}", lengths.join(" x "))
            }
            _ => {
                let name = ty.show(&self.data);
                let article = match name.chars().next() {
                    Some('A' | 'E' | 'I' | 'O' | 'a' | 'e' | 'i' | 'o') => "an",
                    _ => "a",
                };
                format!("{article} `{name}`")
            }
        }
    }

    /// The type of a channel as a model writes it.
    pub fn show_channel(&self, ty: &ChannelType) -> String {
        let fields: Vec<_> = ty
            .fields
            .iter()
            .map(|field| field.show(&self.data))
            .collect();
        let capacity = match ty.capacity {
            Capacity::Rendezvous => String::new(),
            Capacity::Any => "[] ".into(),
            Capacity::Buffered(n) => format!("[{n}] "),
        };
        format!("channel {capacity}{{ {} }}", fields.join(", "))
    }
}
