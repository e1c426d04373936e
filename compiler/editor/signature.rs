//! The parameters of what is called at a place.

use super::Model;
use super::complete::{Around, Place};
use super::hover;
use super::index::{DefId, Kind, Ty};
use crate::source::Span;

/// What is called, and with which parameter the place has to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The whole.
    pub label: String,
    /// Each parameter, as a part of the label.
    pub parameters: Vec<String>,
    /// The one at the place.
    pub active: usize,
    /// What is to be known about it.
    pub about: String,
}

/// The signature of the innermost call around a place of the main file.
pub fn signature(model: &Model, offset: usize) -> Option<Signature> {
    let text = model.text();
    let place = Place::of(text, offset.min(text.len()));
    for open in place.open.iter().rev() {
        match &open.around {
            Around::Arguments(name) => {
                let found = of_name(model, name.clone())
                    .or_else(|| of_operation(model, &place, &text[name.clone()]))?;
                return Some(Signature {
                    active: open.commas.min(found.parameters.len().saturating_sub(1)),
                    ..found
                });
            }
            Around::Marker(name) => {
                let name = &text[name.clone()];
                let fault = model.faults.iter().find(|fault| fault.is_called(name))?;
                return Some(Signature {
                    label: format!("@{name}(..)"),
                    parameters: Vec::new(),
                    active: 0,
                    about: hover::describe_fault(fault, name),
                });
            }
            Around::Group => {}
            _ => return None,
        }
    }
    None
}

/// The type of the parameter that the place is an argument for.
pub fn wanted(model: &Model, place: &Place) -> Option<Ty> {
    let open = place.open.last()?;
    let Around::Arguments(name) = &open.around else {
        return None;
    };
    let id = called(model, name.clone())?;
    let mut params = parameters(model, id);
    params
        .nth(open.commas)
        .map(|param| model.definition(param).ty.clone())
}

fn called(model: &Model, name: std::ops::Range<usize>) -> Option<DefId> {
    if let Some((id, _)) = model.named_at(name.start) {
        return Some(id);
    }
    // The text around a cursor is seldom correct: then the name alone must do.
    let name = &model.text()[name];
    let mut all = model.index.definitions.iter();
    let found = all.position(|definition| definition.name == name && is_callable(definition.kind));
    found.map(DefId)
}

fn is_callable(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Proc | Kind::Func | Kind::Predicate | Kind::Module | Kind::Constructor
    )
}

fn parameters(model: &Model, id: DefId) -> impl Iterator<Item = DefId> {
    let members = model.index.members(id);
    let params = members.filter(|(_, m)| matches!(m.kind, Kind::Parameter | Kind::Field));
    params.map(|(id, _)| id).collect::<Vec<_>>().into_iter()
}

fn of_name(model: &Model, name: std::ops::Range<usize>) -> Option<Signature> {
    let id = called(model, name)?;
    let definition = model.definition(id);
    if !is_callable(definition.kind) {
        return None;
    }
    let parameters: Vec<String> = parameters(model, id)
        .map(|param| hover::head(model, model.definition(param)))
        .collect();
    Some(Signature {
        label: format!("{}({})", definition.name, parameters.join(", ")),
        parameters,
        active: 0,
        about: String::new(),
    })
}

/// `send(ch, value..)`: what follows depends on the channel.
fn of_operation(model: &Model, place: &Place, name: &str) -> Option<Signature> {
    let about = super::complete::meaning(name)?;
    let snippet = super::complete::WORDS
        .iter()
        .find(|word| word.text == name)?;
    let snippet = snippet.snippet;
    if !snippet.starts_with(name) || !snippet.contains('(') {
        return None;
    }
    let depth = place
        .open
        .iter()
        .rposition(|open| matches!(open.around, Around::Arguments(_)))?;
    let text = model.text();
    // The channel is the first argument.
    let Around::Arguments(span) = &place.open[depth].around else {
        return None;
    };
    let rest = &text[span.end..];
    let first = rest.trim_start_matches(['(', ' ']);
    let at = text.len() - first.len();
    let channel = model.named_at(at).map(|(id, _)| model.definition(id));
    let mut parameters = vec!["channel".to_owned()];
    let written = channel.and_then(|channel| fields_of(model, channel.head));
    match written {
        Some(fields) => parameters.extend(fields),
        None if name.contains("send") => parameters.push("values..".to_owned()),
        None if name.contains("recv") || name.contains("peek") => {
            parameters.push("variables..".to_owned());
        }
        None => {}
    }
    Some(Signature {
        label: format!("{name}({})", parameters.join(", ")),
        parameters,
        active: 0,
        about: about.to_owned(),
    })
}

/// What stands in the braces of a channel's type.
fn fields_of(model: &Model, head: Span) -> Option<Vec<String>> {
    let text = model.sources.slice(head);
    let (_, rest) = text.split_once('{')?;
    let (inner, _) = rest.split_once('}')?;
    Some(
        inner
            .split(',')
            .map(|field| field.trim().to_owned())
            .collect(),
    )
}
