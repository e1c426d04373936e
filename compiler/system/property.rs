//! What is to be checked of a System. What most others have to know of a kind of property is here: what it reads, what a
//! run must end with that decides it, and how it is printed. The kinds are known by name to those who answer (`engine::temporal`,
//! `nusmv::emit`), who judge runs (`trace`) or make them smaller (`check::search`, `check::shrink`), and who have something special to
//! say about one (deadlock in `report`, formulas in `analysis`).

use std::sync::Arc;

use super::conduct::Conduct;
use super::event::Check;
use super::{Expr, Formula, Leaf, System, print};
use crate::source::Span;
use crate::vocabulary::{FaultId, Level};

/// Something to be checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What it says.
    pub kind: PropertyKind,
    /// Of `tolerant`: the six questions of its report. What the property itself says is the one of them that is asked for, or
    /// nothing.
    pub tolerant: Option<Box<Tolerant>>,
    /// How it is written, if its kind does not say so.
    pub form: Option<Form>,
    /// Where it is written; built-ins have no place.
    pub span: Option<Span>,
}

/// How a property is written that is asked like one of another kind.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// `unreachable`: an invariant.
    Unreachable,
    /// `protocol`: an invariant about what is kept of it.
    Protocol(Arc<Conduct>),
    /// `diagnosable`: a formula of branching time.
    Diagnosable,
    /// The built-in `progress`: a formula about the last step.
    Progress,
    /// One of the questions of `tolerant`.
    Level,
}

impl Property {
    /// `invariant`, `ltl`, ... or `builtin`: as it is written.
    pub fn kind_name(&self) -> &'static str {
        match (&self.form, &self.tolerant) {
            (Some(Form::Unreachable), _) => "unreachable",
            (Some(Form::Protocol(_)), _) => "protocol",
            (Some(Form::Diagnosable), _) => "diagnosable",
            (Some(Form::Progress), _) => "builtin",
            (None, Some(_)) => "tolerant",
            (None | Some(Form::Level), _) => self.kind.as_str(),
        }
    }

    /// Whether it is `tolerant`, or one of its questions.
    pub fn is_level(&self) -> bool {
        self.tolerant.is_some() || matches!(self.form, Some(Form::Level))
    }
}

/// `tolerant`: how well a condition bears faults.
#[derive(Clone, PartialEq, Debug)]
pub struct Tolerant {
    /// The level that has to be reached.
    pub at: Option<Level>,
    /// The faults that are to be borne.
    pub faults: Vec<FaultId>,
    /// What each level says, in the order of [`Level::ALL`].
    pub levels: [PropertyKind; 6],
    /// That the last step has injected one of the faults.
    pub injected: Expr,
}

impl System {
    /// The System with the questions of every `tolerant` property as further properties, and for each property the number of its
    /// first question.
    pub fn with_levels(&self) -> (System, Vec<Option<usize>>) {
        let mut system = self.clone();
        let mut first = Vec::new();
        for property in &self.properties {
            first.push((property.tolerant.as_ref()).map(|_| system.properties.len()));
            if let Some(tolerant) = &property.tolerant {
                let levels = Level::ALL.iter().zip(&tolerant.levels);
                system
                    .properties
                    .extend(levels.map(|(level, kind)| Property {
                        name: format!("{}.{}", property.name, level.as_str()),
                        kind: kind.clone(),
                        tolerant: None,
                        form: Some(Form::Level),
                        span: property.span,
                    }));
            }
        }
        (system, first)
    }
}

/// What a property says.
#[derive(Clone, PartialEq, Debug)]
pub enum PropertyKind {
    /// No reachable state is a deadlock ([`System::deadlock`](super::System::deadlock)).
    Deadlock,
    /// No edge with `Event::Failed` of this check can be taken ([`System::fails`](super::System::fails)).
    Check(Check),
    /// From every reachable state, by edges that are no faults, a state is reached in which time passes or nobody has to move
    /// ([`System::lets_time_pass`](super::System::lets_time_pass)).
    Time,
    /// It holds in every reachable state.
    Invariant(Expr),
    /// It holds in some reachable state.
    Reachable(Expr),
    /// It holds on every fair run that satisfies the assumptions.
    Ltl(Formula),
    /// It holds in the initial state, paths being fair runs.
    Ctl(Formula),
}

impl PropertyKind {
    /// `invariant`, `ltl`, ... or `builtin`.
    pub fn as_str(&self) -> &'static str {
        match self {
            PropertyKind::Deadlock | PropertyKind::Check(_) | PropertyKind::Time => "builtin",
            PropertyKind::Invariant(_) => "invariant",
            PropertyKind::Reachable(_) => "reachable",
            PropertyKind::Ltl(_) => "ltl",
            PropertyKind::Ctl(_) => "ctl",
        }
    }

    /// What a run ends with that decides it.
    pub fn sought(&self, system: &System) -> Sought {
        match self {
            PropertyKind::Deadlock => Sought::Rest(system.deadlock_if_quiescent()),
            PropertyKind::Check(check) => Sought::Failure(*check),
            PropertyKind::Invariant(e) => Sought::State(e.clone(), false),
            PropertyKind::Reachable(e) => Sought::State(e.clone(), true),
            PropertyKind::Ltl(_) | PropertyKind::Ctl(_) | PropertyKind::Time => Sought::Run,
        }
    }

    /// Whether it holds if what is sought is found; else it is violated then.
    pub fn holds_if_found(&self) -> bool {
        matches!(self, PropertyKind::Reachable(_))
    }

    /// Whether it is about whole runs, not about single states.
    pub fn is_temporal(&self) -> bool {
        matches!(
            self,
            PropertyKind::Ltl(_) | PropertyKind::Ctl(_) | PropertyKind::Time
        )
    }

    /// Whether its meaning depends on how many steps there are or on where runs part, so that steps must not be merged.
    pub fn counts_steps_or_branches(&self) -> bool {
        match self {
            PropertyKind::Ltl(f) => f.counts_steps(),
            PropertyKind::Ctl(_) => true,
            _ => false,
        }
    }

    /// Calls `visit` for every state formula in it.
    pub fn atoms<'a>(&'a self, visit: &mut (impl FnMut(&'a Expr) + ?Sized)) {
        match self {
            PropertyKind::Invariant(e) | PropertyKind::Reachable(e) => visit(e),
            PropertyKind::Ltl(f) | PropertyKind::Ctl(f) => f.atoms(visit),
            PropertyKind::Deadlock | PropertyKind::Check(_) | PropertyKind::Time => {}
        }
    }

    /// Replaces leaves of every state formula in it, those for which `leaf` yields something.
    pub fn rewrite(&mut self, leaf: &mut impl FnMut(&Leaf) -> Option<Expr>) {
        match self {
            PropertyKind::Invariant(e) | PropertyKind::Reachable(e) => *e = e.replace(leaf),
            PropertyKind::Ltl(f) | PropertyKind::Ctl(f) => f.rewrite(leaf),
            PropertyKind::Deadlock | PropertyKind::Check(_) | PropertyKind::Time => {}
        }
    }

    /// What it says, for `sandalc dump woven`.
    pub(super) fn show(&self, system: &System) -> String {
        match self {
            PropertyKind::Deadlock => format!("never {}", print::expr(system, &system.deadlock())),
            PropertyKind::Check(check) => {
                format!("never {}", print::expr(system, &system.fails(*check)))
            }
            PropertyKind::Time => {
                let passes = system.lets_time_pass();
                format!("from everywhere {}", print::expr(system, &passes))
            }
            PropertyKind::Invariant(e) => format!("always {}", print::expr(system, e)),
            PropertyKind::Reachable(e) => format!("sometimes {}", print::expr(system, e)),
            PropertyKind::Ltl(f) | PropertyKind::Ctl(f) => print::formula(system, f),
        }
    }
}

/// What a run ends with that decides a property.
#[derive(Clone, PartialEq, Debug)]
pub enum Sought {
    /// A state in which the condition has this value.
    State(Expr, bool),
    /// A state in which nobody has to move and the condition is true.
    Rest(Expr),
    /// A step that fails this check.
    Failure(Check),
    /// Nothing: the whole run matters, or more than one.
    Run,
}

/// `assume name { .. }`
#[derive(Clone, PartialEq, Debug)]
pub struct Assumption {
    /// Its name.
    pub name: String,
    /// What every run satisfies.
    pub formula: Formula,
    /// Where it is written.
    pub span: Span,
}
