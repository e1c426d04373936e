//! What processes know, worked out from the whole state space: for each operator a table of the views that occur, and
//! whether it holds there.
//!
//! States that a process cannot tell apart have the same number for it, its *view*. So each operator takes one pass: `K(p, f)`
//! is false for the views of the states in which f is false. `distributed` is the same for the view of all processes together.
//! `common` joins views of different processes that one state has, and what is so joined is false if some of it is.

pub mod diagnose;
pub mod moments;
mod views;

use std::collections::BTreeMap;

use super::ctl::Labelling;
use super::ctl::bits::Bits;
use super::ctl::way;
use super::emptiness::Stop;
use super::space::{Space, StateId, States};
use super::{Options, explore};
use crate::system::knowledge::Within;
use crate::system::{Expr, Formula, System};
use crate::verdict::Run;
use crate::vocabulary::Knowing;
use views::{Classes, Views};

/// An operator, in terms of the System that is searched.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Whose knowledge.
    pub how: Knowing,
    /// What each process sees.
    pub views: Vec<Vec<Expr>>,
    /// What is known.
    pub what: Formula,
    /// Which runs it is about, if not about all.
    pub within: Option<Within>,
}

/// For each view of an operator whether it holds. Of `common` the views of the first process, of `distributed` those of all
/// processes, one after the other.
pub type Table = BTreeMap<Vec<i64>, bool>;

/// Of an operator with more views than this nothing is kept by which another engine could follow its chains.
pub const MOST_VIEWS: usize = 512;

/// What has been found out about an operator.
#[derive(Clone, Default, Debug)]
pub struct Answer {
    /// Whether it holds, view by view.
    pub table: Table,
    /// How many views there are, of all processes.
    pub views: usize,
    /// Of `common` with few views: why.
    pub chains: Option<Chains>,
}

/// What `common` rests on: the views of all processes fall into classes, those of one state in one.
#[derive(Clone, Debug)]
pub struct Chains {
    /// The tables of the processes after the first one: by each of them it holds in the same states.
    pub others: Vec<Table>,
    /// Pairs of views that some state has, enough to get from each view to all others of its class, if it is false there.
    pub links: Vec<Link>,
    /// For each class in which it is false a view of the first process that goes with a state in which what is known is false.
    pub ends: Vec<Vec<i64>>,
}

/// Two views of one state.
#[derive(Clone, Debug)]
pub struct Link {
    /// The first process's.
    pub first: Vec<i64>,
    /// Another one of the processes.
    pub process: usize,
    /// What that one sees.
    pub other: Vec<i64>,
}

/// Works out some operators, none of which reads another one.
///
/// # Errors
/// Why the state space is not known.
pub fn tables(
    system: &System,
    asked: &[Asked],
    options: &Options<'_>,
) -> Result<Vec<Answer>, Unknown> {
    let memory = options.limits.memory;
    let found = explore(system, options, |space| {
        let known = Known::of(system, space, asked, memory).map_err(|stop| unknown(space, stop))?;
        let mut views = Views::default();
        let answers = asked.iter().map(|one| {
            let bad = known.bad(space, one)?;
            let about = known.about(space, one)?;
            views.answer(space, one, &about, &bad, memory)
        });
        let answers: Result<Vec<Answer>, Stop> = answers.collect();
        answers.map_err(|stop| unknown(space, stop))
    });
    found.map_err(Unknown::by_limit)?
}

/// Why nothing is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// In words.
    pub why: String,
    /// Whether it would be known if more were allowed.
    pub by_limit: bool,
}

impl Unknown {
    fn for_good(why: &str) -> Unknown {
        Unknown {
            why: why.to_owned(),
            by_limit: false,
        }
    }

    fn by_limit(why: String) -> Unknown {
        let by_limit = true;
        Unknown { why, by_limit }
    }
}

fn unknown(space: &(impl Space + ?Sized), stop: Stop) -> Unknown {
    match stop {
        Stop::Exhausted(_) => {
            let states = crate::vocabulary::thousands(space.states() as u64);
            Unknown::by_limit(format!(
                "who knows what takes all states, of which {states} were explored"
            ))
        }
        Stop::FairChoice => {
            Unknown::for_good("knowledge of what will happen does not know fair choices (`fair`)")
        }
        other => Unknown::for_good(&other.to_string()),
    }
}

/// The cheapest run to a state that has the same view, in which what is known is false: of `common` to one to which a chain
/// of views leads.
///
/// # Errors
/// Why the state space is not known.
pub fn twin(
    system: &System,
    asked: &Asked,
    view: &[i64],
    options: &Options<'_>,
) -> Result<Option<Run>, Unknown> {
    let memory = options.limits.memory;
    let found = explore(system, options, |space| {
        let asked_alone = std::slice::from_ref(asked);
        let found = Known::of(system, space, asked_alone, memory).and_then(|known| {
            let about = known.about(space, asked)?;
            let mut goal = known.bad(space, asked)?.and(&about);
            let mut views = Views::default();
            goal = views.alike(space, asked, &about, view, memory)?.and(&goal);
            let start = asked
                .within
                .as_ref()
                .map(|within| space.atom(&within.start));
            let mut starts = Bits::all(known.states);
            if let Some(atom) = start {
                starts = set_of(space, known.states, atom);
            }
            way::cheapest(
                space,
                known.states,
                |s| starts.contains(s),
                |s| about.contains(s),
                &goal,
            )
        });
        found.map_err(|stop| unknown(space, stop))
    });
    found.map_err(Unknown::by_limit)?
}

/// A state space that is known, as a graph if that is needed.
struct Known {
    states: usize,
    labelling: Option<Labelling>,
}

impl Known {
    fn of(
        system: &System,
        space: &mut dyn States,
        asked: &[Asked],
        memory: usize,
    ) -> Result<Known, Stop> {
        let temporal = |one: &Asked| !matches!(one.what, Formula::Atom(_));
        if asked.iter().any(temporal) && !system.fair.is_empty() {
            return Err(Stop::FairChoice);
        }
        let graph = asked
            .iter()
            .any(|one| temporal(one) || one.within.is_some());
        let labelling = match graph {
            true => Some(Labelling::new(space, memory)?),
            false => {
                explore_all(space, memory)?;
                None
            }
        };
        Ok(Known {
            states: space.states(),
            labelling,
        })
    }

    /// The states in which what is known is false.
    fn bad(&self, space: &mut dyn States, asked: &Asked) -> Result<Bits, Stop> {
        Ok(match (&asked.what, &self.labelling) {
            (Formula::Atom(expr), _) => {
                let atom = space.atom(expr);
                set_of(space, self.states, atom).not()
            }
            (formula, Some(labelling)) => labelling.states(space, formula)?.not(),
            (_, None) => return Err(Stop::Misplaced),
        })
    }

    /// The states that an operator is about.
    fn about(&self, space: &mut dyn States, asked: &Asked) -> Result<Bits, Stop> {
        let (Some(within), Some(labelling)) = (&asked.within, &self.labelling) else {
            return Ok(Bits::all(self.states));
        };
        let start = space.atom(&within.start);
        let stay = space.atom(&within.stay);
        let stay = set_of(space, self.states, stay);
        let starts: Vec<StateId> = (0..space.starts())
            .filter(|s| space.holds(*s, start))
            .collect();
        Ok(labelling.within(starts.into_iter(), &stay))
    }
}

/// Explores all states.
fn explore_all(space: &mut (impl Space + ?Sized), memory: usize) -> Result<(), Stop> {
    let mut out = Vec::new();
    let mut next = 0;
    while next < space.states() {
        space
            .successors(next as StateId, &mut out)
            .map_err(Stop::Exhausted)?;
        next += 1;
        if next.is_multiple_of(1024) && space.bytes() > memory {
            return Err(Stop::Exhausted(super::space::Exhausted::Memory));
        }
    }
    Ok(())
}

/// The states in which an atom holds.
fn set_of(space: &mut (impl Space + ?Sized), states: usize, atom: usize) -> Bits {
    let mut set = Bits::none(states);
    for state in 0..states as StateId {
        if space.holds(state, atom) {
            set.insert(state);
        }
    }
    set
}

/// The parts of several views, each once.
fn joined(views: &[Vec<Expr>]) -> Vec<Expr> {
    views.iter().flatten().cloned().collect()
}

impl Asked {
    /// The views that are told apart: one for each process, or one of all together.
    fn told_apart(&self) -> Vec<Vec<Expr>> {
        match self.how {
            Knowing::Distributed => vec![joined(&self.views)],
            Knowing::Own | Knowing::Common => self.views.clone(),
        }
    }

    /// The classes of views that hang together, if they do.
    fn classes(&self) -> Option<Classes> {
        (self.how == Knowing::Common).then(Classes::default)
    }
}
