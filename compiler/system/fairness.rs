//! Strong fairness: what cannot be passed over for ever although it is possible again and again.
//!
//! ```text
//! fair select { case recv(a, x) {..} .. }    given: it waits there and `a` has a message; then: it receives from `a`
//! ch: channel {..} @drop(fair)               given: a send is lost that could have gone;  then: that send is made
//! ```
//!
//! Z. Manna and A. Pnueli ("The Temporal Logic of Reactive and Concurrent Systems", 1992) call this compassion, and the weak
//! fairness of processes justice; so does NuSMV.
//!
//! Each is a pair of things that steps can do. A run that does the first again and again does the second again and
//! again, or it does not count. Edges say themselves what they do ([`Event::Denied`], [`Event::Granted`]), so that a rule
//! that merges edges need not know about pairs.
//!
//! Every state has a fair continuation: whoever is owed something gets it when it is possible next, in turn, and no
//! fault strikes. So a state is reached if and only if a fair run reaches it.

use super::{Edge, Event, Expr, System};
use crate::source::Span;
use crate::vocabulary::FairId;

/// A fair choice.
#[derive(Clone, PartialEq, Debug)]
pub struct Fair {
    /// What is fair, for those who tell about it: `select`, `req@drop`.
    pub name: String,
    /// It is owed something if again and again this holds, or an edge with [`Event::Denied`] is taken.
    pub owed: Expr,
    /// Where it is written.
    pub span: Span,
}

/// Strong fairness: if one thing happens again and again, so does another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrongFairness {
    /// If this happens again and again,
    pub given: Happening,
    /// so does this.
    pub then: Happening,
}

/// What a step can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Happening {
    /// It leaves a state in which this holds,
    pub when: Expr,
    /// by one of these edges, each a process and one of its edges; `None`: by whatever step.
    pub edges: Option<Vec<(u32, u32)>>,
}

impl System {
    /// The strong fairness that every run keeps to, by the edges that there are; what can never be owed is left out.
    pub fn strong_fairness(&self) -> Vec<StrongFairness> {
        let mut granted = vec![Vec::new(); self.fair.len()];
        let mut denied = vec![Vec::new(); self.fair.len()];
        for (process, p) in (0..).zip(&self.processes) {
            for (edge, e) in (0..).zip(&p.edges) {
                for event in &e.events {
                    match event {
                        Event::Granted(id) => granted[id.0 as usize].push((process, edge)),
                        Event::Denied(id) => denied[id.0 as usize].push((process, edge)),
                        _ => {}
                    }
                }
            }
        }
        let pairs = self.fair.iter().zip(denied).zip(granted);
        pairs
            .filter(|((fair, denied), _)| !fair.owed.is_no() || !denied.is_empty())
            .map(|((fair, denied), granted)| StrongFairness {
                given: match fair.owed.is_no() {
                    true => Happening::by(denied),
                    false => Happening {
                        when: fair.owed.clone(),
                        edges: None,
                    },
                },
                then: Happening::by(granted),
            })
            .collect()
    }
}

impl Happening {
    /// By one of these edges.
    fn by(mut edges: Vec<(u32, u32)>) -> Happening {
        edges.dedup();
        Happening {
            when: Expr::yes(),
            edges: Some(edges),
        }
    }
}

/// Fair choices that an edge has to do with, in order: whether what one is about is done, or denied.
pub type Roles = Vec<(FairId, bool)>;

/// What an edge has to do with fair choices.
pub fn roles(edge: &Edge) -> Roles {
    let mut roles: Roles = (edge.events.iter())
        .filter_map(|event| match event {
            Event::Denied(id) => Some((*id, false)),
            Event::Granted(id) => Some((*id, true)),
            _ => None,
        })
        .collect();
    roles.sort_unstable();
    roles.dedup();
    roles
}
