//! A [`Space`] that is an explicit graph, for tests: random, with everything fairness and faults can be.

use crate::engine::space::{Exhausted, Space, StateId, Transition};
use crate::system::{Expr, Happening, StrongFairness};
use crate::testing::formulas;
use crate::testing::random::Random;
use crate::verdict::Move;
use crate::vocabulary::ProcessId;

/// A graph whose states are letters: sets of boolean variables.
#[derive(Clone, Debug)]
pub struct GraphSpace {
    /// How many processes there are.
    pub processes: usize,
    /// The letter of each state.
    pub letters: Vec<u32>,
    /// The transitions of each state.
    pub out: Vec<Vec<Transition>>,
    /// The strong fairness of its runs.
    pub pairs: Vec<StrongFairness>,
    atoms: Vec<Expr>,
}

impl GraphSpace {
    /// A random graph with at most so many states, over so many variables.
    pub fn random(random: &mut Random, states: usize, variables: usize) -> Self {
        let n = 1 + random.below(states);
        let processes = 1 + random.below(3);
        let faults = random.chance(2, 3);
        let dense = 1 + random.below(4);
        let mut out = Vec::new();
        for state in 0..n {
            let mut transitions = Vec::new();
            for edge in 0..1 + random.below(dense) {
                let fault = faults && random.chance(1, 2);
                transitions.push(Transition {
                    target: random.below(n) as StateId,
                    process: random.below(processes) as u32,
                    edge: edge as u32,
                    picks: 0,
                    forced: !fault && random.chance(5, 6),
                    fault,
                });
            }
            if transitions.iter().all(|t| !t.forced) {
                transitions.push(Transition::stutter(state as StateId));
            }
            out.push(transitions);
        }
        GraphSpace {
            processes,
            letters: (0..n)
                .map(|_| random.below(1 << variables) as u32)
                .collect(),
            out,
            pairs: Vec::new(),
            atoms: Vec::new(),
        }
    }

    /// Adds random strong fairness: about edges, about states and about both.
    pub fn with_random_pairs(mut self, random: &mut Random, most: usize) -> Self {
        for _ in 0..random.below(most + 1) {
            let mut happening = || Happening {
                when: match random.below(3) {
                    0 => formulas::atom("q"),
                    1 => formulas::atom("p").not(),
                    _ => Expr::yes(),
                },
                edges: random.chance(2, 3).then(|| {
                    let count = 1 + random.below(3);
                    (0..count)
                        .map(|_| (random.below(self.processes) as u32, random.below(4) as u32))
                        .collect()
                }),
            };
            let (given, then) = (happening(), happening());
            self.pairs.push(StrongFairness { given, then });
        }
        self
    }
}

impl Space for GraphSpace {
    fn processes(&self) -> usize {
        self.processes
    }

    fn states(&self) -> usize {
        self.out.len()
    }

    fn atom(&mut self, formula: &Expr) -> usize {
        match self.atoms.iter().position(|a| a == formula) {
            Some(known) => known,
            None => {
                self.atoms.push(formula.clone());
                self.atoms.len() - 1
            }
        }
    }

    fn holds(&mut self, state: StateId, atom: usize) -> bool {
        formulas::holds(&self.atoms[atom], self.letters[state as usize])
    }

    fn successors(&mut self, state: StateId, out: &mut Vec<Transition>) -> Result<(), Exhausted> {
        out.clear();
        out.extend(&self.out[state as usize]);
        Ok(())
    }

    fn can_move(&mut self, state: StateId, process: usize) -> bool {
        let mut out = self.out[state as usize].iter();
        out.any(|t| t.forced && t.process as usize == process)
    }

    fn strong_fairness(&self) -> Vec<StrongFairness> {
        self.pairs.clone()
    }

    fn bytes(&self) -> usize {
        0
    }

    fn to_move(&self, transition: &Transition) -> Move {
        if transition.is_stutter() {
            return Move::Stutter;
        }
        Move::Step {
            process: ProcessId(transition.process),
            edge: transition.edge as usize,
            picks: Vec::new(),
        }
    }
}
