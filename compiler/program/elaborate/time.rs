//! Delays of channels, and the name of the clock.

use rustc_hash::FxHashMap;

use super::expr::Expressions;
use super::fault::Marked;
use super::init::{Instances, TOP};
use super::log::Log;
use crate::program::FaultTarget;
use crate::program::problem::{EntryProblem, TimeProblem};
use crate::program::time::LONGEST;
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::ChannelId;

/// The marker of a delay. It is no fault: it has no phase and no budget, and it is always there.
pub const DELAY: &str = "delay";

/// How long messages of channels are under way, and where that is said.
#[derive(Default)]
pub struct Delays(FxHashMap<ChannelId, (i64, i64, Span)>);

impl Delays {
    /// Notes a delay.
    pub fn add(&mut self, exprs: &mut Expressions<'_, '_>, marked: &Marked<'_>, ticks: (i64, i64)) {
        let marker = marked.marker;
        for target in &marked.targets {
            let buffered = match target {
                FaultTarget::Channel(id) => exprs.made.channels[id.0 as usize].capacity.is_some(),
                FaultTarget::Process(_) | FaultTarget::Detector(_) => false,
            };
            let (true, FaultTarget::Channel(id)) = (buffered, *target) else {
                exprs.log.report(EntryProblem::WrongMarker {
                    name: DELAY.to_owned(),
                    on: match target {
                        FaultTarget::Process(_) => "a process",
                        FaultTarget::Detector(_) => "a detector",
                        FaultTarget::Channel(_) => "a rendezvous channel",
                    },
                    wanted: "a buffered channel",
                    span: marker.span,
                });
                return;
            };
            if let Some((_, _, first)) = self.0.get(&id) {
                let first = *first;
                exprs.log.report(EntryProblem::MarkerTwice {
                    name: DELAY.to_owned(),
                    span: marker.span,
                    first,
                });
                return;
            }
            exprs.log.uses.clock = true;
            self.0.insert(id, (ticks.0, ticks.1, marker.span));
        }
    }

    /// Tells the channels.
    pub fn finish(self, made: &mut Instances<'_>) {
        for (id, (lo, hi, _)) in self.0 {
            made.channels[id.0 as usize].delay = Some((lo, hi));
        }
    }
}

impl<'a> Expressions<'_, 'a> {
    /// The numbers of ticks of `@delay(lo..hi)`.
    pub fn delay(&mut self, marked: &Marked<'a>) -> Option<(i64, i64)> {
        const HINT: &str = "write the fewest and the most ticks: `@delay(1..3)`";
        let marker = marked.marker;
        let mut wrong = |text: &str, span, hint| {
            self.log.report(TimeProblem::Delay {
                text: text.to_owned(),
                span,
                hint,
            });
        };
        if let Some(alias) = &marker.alias {
            let hint = "remove `as`, and write the marker at each channel";
            wrong("`@delay` is no fault, so it has no name", alias.span, hint);
            return None;
        }
        let [arg] = marker.args.as_slice() else {
            wrong("`@delay` takes one range of ticks", marker.span, HINT);
            return None;
        };
        let (None, ast::ExprKind::Any(ast::AnySet::Range(lo, hi))) = (&arg.name, &arg.value.kind)
        else {
            wrong("`@delay` takes one range of ticks", arg.span, HINT);
            return None;
        };
        let lo = self.constant_int(lo, "a number of ticks");
        let hi = self.constant_int(hi, "a number of ticks");
        let (lo, hi) = (lo?, hi?);
        if lo < 0 || lo > hi || hi > LONGEST {
            self.log.report_value(TimeProblem::Delay {
                text: format!("{lo}..{hi} is no range of ticks"),
                span: arg.span,
                hint: HINT,
            });
            return None;
        }
        Some((lo, hi))
    }

    /// `clock.ticked`, if that is what a field of a name is; complains about the rest of the clock.
    pub fn of_clock(&mut self, base: &ast::Expr, name: &ast::Name) -> Option<bool> {
        let ast::ExprKind::Name(owner) = &base.kind else {
            return None;
        };
        let is_entry = self.made.frames[self.scope.frame.0]
            .entries
            .contains_key(owner.as_str());
        if owner != "clock" || is_entry {
            return None;
        }
        let problem = match (self.log.uses.clock, name.text.as_str()) {
            (true, "ticked") => return Some(true),
            (true, _) => TimeProblem::Clock {
                text: "all that there is to ask of the clock is `clock.ticked`",
                span: name.span,
                hint: "write `clock.ticked`, or read a timer: `p.t`",
            },
            (false, _) => TimeProblem::Clock {
                text: "a model without timers has no clock",
                span: base.span,
                hint: "declare a timer: `var t timer = 5`",
            },
        };
        self.log.report(problem);
        Some(false)
    }
}

/// Beside timers nothing else is called `clock`.
pub fn clock_name(made: &Instances<'_>, log: &mut Log) {
    let entry = made.frames[TOP.0].entries.get("clock");
    if let Some(entry) = entry.filter(|_| log.uses.clock) {
        log.report(TimeProblem::ClockName { span: entry.span });
    }
}
