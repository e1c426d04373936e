//! Progress: whether the last step left the start of a statement labelled `progress` or `progress_..`. The labels are those of
//! Promela (G. J. Holzmann, "The Model Checker SPIN", 1997).
//!
//! A run makes no progress if from some moment on it takes steps for ever, but never such a step. Staying as it is is no step: a run that
//! comes to rest has nothing left to make progress with. So what is asked is an ordinary formula about the last step:
//!
//! ```text
//! G F made || F G !moved
//! ```

use petgraph::graph::EdgeIndex;

use super::draft::{Draft, var};
use super::happening;
use crate::system::{Domain, Formula, VarId};
use crate::vocabulary::{LabelId, TemporalOp, is_progress};

/// What is kept of the last step.
pub(super) struct Progress {
    /// It was progress.
    pub made: VarId,
    /// Somebody moved.
    pub moved: VarId,
}

/// Keeps what is asked of the last step, if some statement is labelled as progress.
pub(super) fn declare(draft: &mut Draft) {
    let labels = draft.about.iter().flat_map(|about| &about.labels);
    if labels.into_iter().any(|name| is_progress(name)) {
        draft.progress = Some(Progress {
            made: draft.keep("progress made".to_owned(), Domain::Bool, 0),
            moved: draft.keep("somebody moved".to_owned(), Domain::Bool, 1),
        });
    }
}

/// Whether a step leaves the start of a statement that is labelled as progress.
pub(super) fn is_made(draft: &Draft, process: usize, edge: EdgeIndex) -> bool {
    let graph = &draft.processes[process];
    let Some((source, _)) = graph.graph.edge_endpoints(edge) else {
        return false;
    };
    let labels = (0..).map(LabelId).zip(&draft.about[process].labels);
    let mut marked = labels.filter(|(_, name)| is_progress(name));
    marked.any(|(label, _)| happening::begins(graph, source, label))
}

/// That progress is made for ever, or nobody moves any more.
pub(super) fn formula(draft: &Draft, progress: &Progress) -> Formula {
    let unary = |op, f| Formula::Unary(op, Box::new(f));
    let atom = |v| Formula::Atom(draft.resolve(&var(v)));
    let still = Formula::Atom(draft.resolve(&var(progress.moved).not()));
    let made = unary(TemporalOp::G, unary(TemporalOp::F, atom(progress.made)));
    let over = unary(TemporalOp::F, unary(TemporalOp::G, still));
    let goes_on = Formula::Or(vec![made, over]);
    match &draft.ordinary {
        None => goes_on,
        Some(ordinary) => {
            let given = Formula::Atom(draft.resolve(ordinary));
            Formula::Implies(Box::new(given), Box::new(goes_on))
        }
    }
}
