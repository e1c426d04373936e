//! From markers to faults: what each may happen to, when, and what it is called.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::Marked;
use crate::program::elaborate::declare::Declarations;
use crate::program::elaborate::expr::{Context, Expressions, Site};
use crate::program::elaborate::init::{Entity, Entry, FrameId, Instances, TOP};
use crate::program::elaborate::log::Log;
use crate::program::elaborate::scope::{Binding, Role, Scope};
use crate::program::elaborate::stmt::{NO_VARIABLES, Variables};
use crate::program::elaborate::time::{DELAY, Delays};
use crate::program::fault::{FaultKind, Happens, Marks};
use crate::program::problem::{EntryProblem, Lint, NameProblem};
use crate::program::{Fault, FaultTarget, Stmt, Timing, Value};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::FaultId;

/// Makes faults of the markers of entries and of `inject`, and gives them their names. The bodies of the processes are known.
pub fn mark<'a>(
    decls: &'a Declarations<'a>,
    made: &mut Instances<'a>,
    variables: &Variables,
    bodies: &[Vec<Stmt>],
    log: &mut Log,
) {
    let mut marks = std::mem::take(&mut made.markers);
    for item in decls.injects.iter().flat_map(|inject| &inject.items) {
        injected(decls, made, log, item, &mut marks);
    }
    let mut faults = Faults::default();
    let mut delays = Delays::default();
    let mut timed: Vec<&Marked<'a>> = Vec::new();
    for marked in &marks {
        if log.budget.exhausted {
            return;
        }
        if marked.marker.name.text == DELAY {
            let mut scope = marked.scope();
            let mut exprs = expressions(decls, made, variables, log, &mut scope);
            if let Some(ticks) = exprs.delay(marked) {
                delays.add(&mut exprs, marked, ticks);
            }
            continue;
        }
        if let Some(fault) = fault(decls, made, (variables, bodies), log, marked, &mut faults) {
            faults.name(made, log, marked, fault);
            if faults.list.len() > timed.len() {
                timed.push(marked);
            }
        }
    }
    faults.finish(made, log);
    delays.finish(made);
    // Events may name faults, so this comes when all have their names.
    for (index, marked) in timed.into_iter().enumerate() {
        let mut scope = marked.scope();
        let lasting = made.faults[index].kind.manner.lasting;
        let mut exprs = expressions(decls, made, variables, log, &mut scope);
        if let Some(timing) = exprs.marker_timing(marked.marker, lasting) {
            made.faults[index].timing = timing;
        }
    }
}

impl<'a> Marked<'a> {
    /// Where its arguments are evaluated.
    fn scope(&self) -> Scope<'a> {
        let mut scope = Scope::new(self.frame);
        for (name, value) in self.loops.iter() {
            let value = Binding::Value(Rc::new(Value::Int(*value)));
            scope.bind(&name.text, value, Role::Loop, name.span);
        }
        scope
    }
}

/// The faults so far.
#[derive(Default)]
struct Faults<'a> {
    list: Vec<Fault>,
    /// Where each name is from.
    names: FxHashMap<String, Span>,
    /// What each entry is marked with.
    on: FxHashMap<FaultTarget, Vec<(Arc<FaultKind>, Span)>>,
    /// The names after `as`: where each is, and what it stands for.
    named: IndexMap<(FrameId, &'a str), Named>,
}

/// What a name after `as` stands for.
struct Named {
    span: Span,
    only: Option<FaultId>,
    elements: BTreeMap<i64, FaultId>,
}

/// The marks that an item of `inject` makes.
fn injected<'a>(
    decls: &'a Declarations<'a>,
    made: &Instances<'a>,
    log: &mut Log,
    item: &'a ast::InjectItem,
    marks: &mut Vec<Marked<'a>>,
) {
    let mut scope = Scope::new(TOP);
    let mut exprs = expressions(decls, made, &NO_VARIABLES, log, &mut scope);
    let mut targets = Vec::new();
    let mut array = false;
    for target in &item.targets {
        let Some(entity) = exprs.entity(target, "process or channel") else {
            return;
        };
        array |= entity.length().is_some();
        match super::fault_targets(&entity) {
            Some(found) => targets.extend(found),
            None => {
                exprs.log.misplaced(
                    format!("a fault cannot happen to {}", entity.what()),
                    target.span,
                    Some("name processes or channels, as in `m.w`"),
                );
                return;
            }
        }
    }
    let marked = |targets, index| Marked {
        marker: &item.marker,
        targets,
        index,
        frame: TOP,
        loops: Rc::new([]),
    };
    if item.list {
        if item.marker.alias.is_none() {
            exprs.log.report(EntryProblem::UnnamedList {
                span: item.marker.span,
            });
        } else if !targets.is_empty() {
            marks.push(marked(targets, None));
        }
    } else {
        let index = |k: usize| array.then_some(k as i64);
        let each = targets.into_iter().enumerate();
        marks.extend(each.map(|(k, target)| marked(vec![target], index(k))));
    }
}

fn expressions<'c, 'a>(
    decls: &'a Declarations<'a>,
    made: &'c Instances<'a>,
    variables: &'c Variables,
    log: &'c mut Log,
    scope: &'c mut Scope<'a>,
) -> Expressions<'c, 'a> {
    Expressions {
        decls,
        made,
        variables,
        log,
        scope,
        context: Context::new(Site::Constant),
    }
}

/// The fault that a marker means, without its name.
fn fault<'a>(
    decls: &'a Declarations<'a>,
    made: &Instances<'a>,
    (variables, bodies): (&Variables, &[Vec<Stmt>]),
    log: &mut Log,
    marked: &Marked<'a>,
    faults: &mut Faults<'a>,
) -> Option<Fault> {
    let marker = marked.marker;
    let kind = decls.fault_kind(marker, log)?;
    for target in &marked.targets {
        if !fits(made, log, &kind, *target, marker) {
            return None;
        }
        let others = faults.on.entry(*target).or_default();
        let clash = others.iter().find_map(|(other, span)| {
            let ways = [(&kind, other), (other, &kind)];
            let including = ways.into_iter().find(|(a, b)| a.can_do_all_of(b));
            including.map(|(more, less)| (more.name.to_string(), less.name.to_string(), *span))
        });
        if let Some((more, less, first)) = clash {
            log.report(EntryProblem::MarkersExclude {
                more,
                less,
                span: marker.span,
                first,
            });
            return None;
        }
        others.push((kind.clone(), marker.span));
    }
    let alias = kind.aliases.iter().find(|a| a.name == marker.name.text);
    if let Some(alias) = alias
        && let Some(warning) = alias.warning
    {
        log.report(Lint::SurprisingAlias {
            alias: alias.name,
            name: kind.name.to_string(),
            warning,
            span: marker.span,
        });
    }
    let mut scope = marked.scope();
    let arguments = expressions(decls, made, variables, log, &mut scope).marker_arguments(
        marker,
        &kind,
        &marked.targets,
        bodies,
    )?;
    let loses = super::loses::losses(marker, &kind, log)?;
    if let Some(span) = arguments.fair
        && kind.happens == Happens::AtStatements
    {
        log.report(EntryProblem::MarkerArgument {
            marker: marker.name.text.clone(),
            argument: "fair".to_owned(),
            span,
            hint: "remove it: only what takes the place of an operation can leave room for it"
                .to_owned(),
        });
        return None;
    }
    Some(Fault {
        name: String::new(),
        kind,
        targets: marked.targets.clone(),
        variables: arguments.variables,
        values: arguments.values,
        at: arguments.at,
        probability: arguments.probability,
        shown: arguments.shown,
        written: arguments.written,
        max: arguments.max,
        timing: Timing::default(),
        joins: arguments.joins,
        fair: arguments.fair.is_some(),
        loses,
        span: marker.span,
    })
}

/// Whether a fault can happen to something.
fn fits(
    made: &Instances<'_>,
    log: &mut Log,
    kind: &FaultKind,
    target: FaultTarget,
    marker: &ast::Marker,
) -> bool {
    let (on, legal) = match target {
        FaultTarget::Process(_) => ("a process", kind.marks.process()),
        FaultTarget::Detector(_) => ("a detector", kind.marks == Marks::Detector),
        FaultTarget::Channel(id) => {
            let channel = &made.channels[id.0 as usize];
            let (buffered, bag) = (channel.capacity.is_some(), channel.bag);
            let on = match buffered {
                _ if bag => "a bag of messages",
                true => "a channel",
                false => "a rendezvous channel",
            };
            (on, kind.marks.channel(buffered, bag))
        }
    };
    if !legal {
        log.report(EntryProblem::WrongMarker {
            name: marker.name.text.clone(),
            on,
            wanted: kind.marks.as_str(),
            span: marker.span,
        });
        return false;
    }
    true
}

impl<'a> Faults<'a> {
    /// Gives a fault its name and adds it to the others.
    fn name(&mut self, made: &Instances<'a>, log: &mut Log, marked: &Marked<'a>, mut fault: Fault) {
        let id = FaultId(self.list.len() as u32);
        let alias = marked.marker.alias.as_ref();
        fault.name = match alias {
            None => super::marked_name(made, &fault, fault.targets[0]),
            Some(alias) => {
                log.legal_name(alias, false);
                let prefix = &made.frames[marked.frame.0].prefix;
                match marked.index {
                    Some(index) => format!("{prefix}{}[{index}]", alias.text),
                    None => format!("{prefix}{}", alias.text),
                }
            }
        };
        let place = alias.map_or(marked.marker.span, |alias| alias.span);
        if let Some(first) = self.names.get(&fault.name) {
            let first = *first;
            log.report(match alias {
                None => EntryProblem::MarkerTwice {
                    name: fault.kind.name.to_string(),
                    span: place,
                    first,
                },
                Some(_) => EntryProblem::FaultTwice {
                    name: fault.name,
                    span: place,
                    first,
                },
            });
            return;
        }
        self.names.insert(fault.name.clone(), place);
        if let Some(alias) = alias {
            let key = (marked.frame, alias.text.as_str());
            let named = self.named.entry(key).or_insert_with(|| Named {
                span: alias.span,
                only: None,
                elements: BTreeMap::new(),
            });
            match marked.index {
                Some(index) => {
                    named.elements.insert(index, id);
                }
                None => named.only = Some(id),
            }
            if named.only.is_some() && !named.elements.is_empty() {
                log.report(EntryProblem::FaultTwice {
                    name: alias.text.clone(),
                    span: alias.span,
                    first: named.span,
                });
            }
        }
        self.list.push(fault);
    }

    /// Makes the names known: they share a namespace with the entries.
    fn finish(self, made: &mut Instances<'a>, log: &mut Log) {
        for ((frame, name), named) in self.named {
            let entity = match named.only {
                Some(id) => Entity::Fault(id),
                None => Entity::Faults(named.elements.into_values().collect()),
            };
            let entries = &mut made.frames[frame.0].entries;
            if let Some(first) = entries.get(name).map(|entry| entry.span) {
                log.report(NameProblem::Duplicate {
                    name: name.to_owned(),
                    what: "entry",
                    span: named.span,
                    first,
                });
                continue;
            }
            let span = named.span;
            entries.insert(name, Entry { entity, span });
        }
        made.faults = self.list;
    }
}
