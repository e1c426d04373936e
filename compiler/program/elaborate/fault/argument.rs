//! What stands in the parentheses of a marker.

use super::loses::is_losses;
use crate::program::elaborate::expr::{Expressions, unparenthesised};
use crate::program::problem::EntryProblem;
use crate::source::Span;
use crate::syntax::ast;

/// What the arguments of a marker say.
#[derive(Default)]
pub struct Arguments {
    /// `max = k`, `once`
    pub max: Option<u32>,
    /// `fair`
    pub fair: Option<Span>,
}

/// The words that say when a fault happens, whatever marker they stand in.
const TIMING: [&str; 3] = ["max", "once", "fair"];

impl<'a> Expressions<'_, 'a> {
    /// The arguments of a marker; `None` if something is wrong with them.
    pub fn marker_arguments(&mut self, marker: &'a ast::Marker) -> Option<Arguments> {
        let mut arguments = Arguments::default();
        let mut sound = true;
        let mut seen: Vec<(&str, Span)> = Vec::new();
        for arg in marker.args.iter().filter(|arg| !is_losses(arg)) {
            let Some(word) = word(arg) else {
                sound &= self.wrong_argument(marker, arg);
                continue;
            };
            let clash = seen.iter().find(|(other, _)| clash(word, other));
            if let Some((other, first)) = clash {
                self.log.report(EntryProblem::ArgumentsClash {
                    one: word.to_owned(),
                    other: (*other).to_owned(),
                    span: arg.span,
                    first: *first,
                });
                sound = false;
                continue;
            }
            match (word, &arg.name) {
                ("max", Some(_)) => match self.budget_number(&arg.value) {
                    Some(max) => arguments.max = Some(max),
                    None => sound = false,
                },
                ("once", None) => arguments.max = Some(1),
                ("fair", None) => arguments.fair = Some(arg.span),
                _ => {
                    sound &= self.wrong_argument(marker, arg);
                    continue;
                }
            }
            seen.push((word, arg.span));
        }
        sound.then_some(arguments)
    }

    fn wrong_argument(&mut self, marker: &ast::Marker, arg: &ast::MarkerArg) -> bool {
        let argument = match (&arg.name, word(arg)) {
            (Some(name), _) => name.text.clone(),
            (None, Some(word)) => word.to_owned(),
            (None, None) => crate::syntax::print::expr(&arg.value),
        };
        let near = self.log.near(&argument, TIMING);
        let hint = match (near.as_deref(), argument.as_str()) {
            (Some("max"), _) | (_, "max" | "maximum" | "count" | "limit") => {
                format!("write `max`, as in `@{}(max = 2)`", marker.name.text)
            }
            (Some(word), _) => format!("write `{word}`"),
            (None, _) => "remove it".to_owned(),
        };
        self.log.report(EntryProblem::MarkerArgument {
            marker: marker.name.text.clone(),
            argument,
            span: arg.name.as_ref().map_or(arg.span, |name| name.span),
            hint,
        });
        false
    }
}

/// The word that an argument begins with: the name before `=`, or a name alone.
fn word(arg: &ast::MarkerArg) -> Option<&str> {
    match (&arg.name, &unparenthesised(&arg.value).kind) {
        (Some(name), _) => Some(&name.text),
        (None, ast::ExprKind::Name(name)) => Some(name),
        _ => None,
    }
}

/// Whether two words do not go together.
fn clash(one: &str, other: &str) -> bool {
    const PAIRS: [(&str, &str); 2] = [("max", "once"), ("fair", "always")];
    one == other || PAIRS.contains(&(one, other)) || PAIRS.contains(&(other, one))
}
