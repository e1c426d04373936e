//! Labelling against plain fixpoints, and linear formulas against LTL, on random graphs.

use super::*;
use crate::engine::emptiness::graph_space::GraphSpace;
use crate::engine::emptiness::{Effort, Limits, Stats, counterexample};
use crate::engine::space::Exhausted;
use crate::testing::formulas::{holds, parse, random_ctl};
use crate::testing::random::Random;

const MEMORY: usize = 1 << 26;
const LIMITS: Limits = Limits {
    memory: MEMORY,
    effort: Effort::NONE,
};

/// CTL by plain fixpoints (Emerson and Lei, 1986) on small graphs.
struct Naive<'a>(&'a GraphSpace);

impl Naive<'_> {
    fn states(&self, formula: &Formula) -> Vec<bool> {
        let n = self.0.out.len();
        let map = |f: &dyn Fn(usize) -> bool| (0..n).map(f).collect::<Vec<bool>>();
        match formula {
            Formula::Atom(expr) => map(&|s| holds(expr, self.0.letters[s])),
            Formula::Not(f) => self.states(f).iter().map(|v| !v).collect(),
            Formula::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|f| self.states(f)).collect();
                map(&|s| parts.iter().all(|p| p[s]))
            }
            Formula::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|f| self.states(f)).collect();
                map(&|s| parts.iter().any(|p| p[s]))
            }
            Formula::Implies(f, g) => {
                let (f, g) = (self.states(f), self.states(g));
                map(&|s| !f[s] || g[s])
            }
            Formula::Iff(f, g) => {
                let (f, g) = (self.states(f), self.states(g));
                map(&|s| f[s] == g[s])
            }
            Formula::Unary(op, f) => {
                let f = self.states(f);
                let not_f = map(&|s| !f[s]);
                let fair = self.always(&vec![true; n]);
                let yes = vec![true; n];
                let next = |f: &[bool]| {
                    let good = |t: usize| f[t] && fair[t];
                    map(&|s| self.0.out[s].iter().any(|e| good(e.target as usize)))
                };
                let until = |f: &[bool], g: &[bool]| self.until(f, &map(&|s| g[s] && fair[s]));
                let negated = |v: Vec<bool>| v.iter().map(|v| !v).collect();
                match op {
                    TemporalOp::EX => next(&f),
                    TemporalOp::AX => negated(next(&not_f)),
                    TemporalOp::EF => until(&yes, &f),
                    TemporalOp::AG => negated(until(&yes, &not_f)),
                    TemporalOp::EG => self.always(&f),
                    TemporalOp::AF => negated(self.always(&not_f)),
                    other => panic!("{other:?} is not CTL"),
                }
            }
            Formula::Path(op, f, g) => {
                let (f, g) = (self.states(f), self.states(g));
                let fair = self.always(&vec![true; n]);
                let until = |f: &[bool], g: &[bool]| self.until(f, &map(&|s| g[s] && fair[s]));
                match op {
                    PathOp::Exists => until(&f, &g),
                    PathOp::All => {
                        let not_g = map(&|s| !g[s]);
                        let neither = map(&|s| !f[s] && !g[s]);
                        let (a, b) = (until(&not_g, &neither), self.always(&not_g));
                        map(&|s| !a[s] && !b[s])
                    }
                }
            }
            Formula::Binary(..) => panic!("not CTL"),
        }
    }

    fn until(&self, f: &[bool], g: &[bool]) -> Vec<bool> {
        let mut found = g.to_vec();
        for _ in 0..found.len() {
            for s in 0..found.len() {
                let leads = self.0.out[s].iter().any(|e| found[e.target as usize]);
                found[s] |= f[s] && leads;
            }
        }
        found
    }

    /// The greatest set inside `f` from all of which, for each process, a way inside it leads to a transition inside
    /// it that treats the process fairly.
    fn always(&self, f: &[bool]) -> Vec<bool> {
        let mut set = f.to_vec();
        loop {
            let before = set.clone();
            for p in 0..self.0.processes {
                let treats = |s: usize| {
                    let out = &self.0.out[s];
                    let can = out.iter().any(|e| e.forced && e.process as usize == p);
                    out.iter()
                        .any(|e| set[e.target as usize] && (!can || e.process as usize == p))
                };
                let goal: Vec<bool> = (0..set.len()).map(|s| set[s] && treats(s)).collect();
                set = self.until(&set.clone(), &goal);
            }
            if set == before {
                return set;
            }
        }
    }
}

#[test]
fn labels_agree_with_plain_fixpoints() {
    let mut holding = 0;
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let mut space = GraphSpace::random(&mut random, 9, 3);
        let size = 1 + random.below(6);
        let formula = random_ctl(&mut random, size, 3);
        let labelling = Labelling::new(&mut space, MEMORY).expect("small enough");
        let found = labelling.states(&mut space, &formula).expect("CTL");
        let expected = Naive(&space).states(&formula);
        for (s, expected) in expected.iter().enumerate() {
            assert_eq!(
                found.contains(s as u32),
                *expected,
                "seed {seed}, state {s}: {formula:?}"
            );
        }
        holding += usize::from(expected[0]);
    }
    assert!((100..500).contains(&holding), "{holding}");
}

#[test]
fn linear_formulas_have_the_same_answer_as_ltl() {
    let mut compared = [0, 0];
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let size = 1 + random.below(5);
        let formula = random_ctl(&mut random, size, 2);
        let Some(ltl) = linear(&formula) else {
            continue;
        };
        let mut space = GraphSpace::random(&mut random, 7, 2);
        let run = counterexample(&mut space, &ltl, &[], LIMITS, &mut Stats::default());
        let violated = run.expect("small enough").is_some();
        let labelling = Labelling::new(&mut space, MEMORY).expect("small enough");
        let holds = labelling.holds(&mut space, &formula).expect("CTL");
        assert_eq!(holds, !violated, "seed {seed}: {formula:?}");
        compared[usize::from(holds)] += 1;
    }
    assert!(compared[0] > 50 && compared[1] > 50, "{compared:?}");
}

#[test]
fn shapes_that_are_linear() {
    for (ctl, ltl) in [
        ("AG (p -> AF q)", Some("G (!p || F q)")),
        ("AF AG p", None),
        ("AG EF p", None),
        ("!EF (p && EG q)", Some("G (!p || F !q)")),
        ("A(p U q)", Some("p U q")),
        ("!E(p U q)", Some("!p V !q")),
        ("AF p || AF q", None),
        ("AF p && AX q", Some("F p && X q")),
    ] {
        let expected = ltl.map(parse);
        assert_eq!(linear(&parse(ctl)).is_some(), expected.is_some(), "{ctl}");
        let mut same = true;
        for seed in 0..50 {
            let mut random = Random::new(seed);
            let mut space = GraphSpace::random(&mut random, 5, 2);
            let mut ask = |f: &Formula| {
                let run = counterexample(&mut space, f, &[], LIMITS, &mut Stats::default());
                run.expect("small enough").is_some()
            };
            if let (Some(a), Some(b)) = (linear(&parse(ctl)), &expected) {
                same &= ask(&a) == ask(b);
            }
        }
        assert!(same, "{ctl}");
    }
}

#[test]
fn limits_are_reported() {
    let mut space = GraphSpace::random(&mut Random::new(5), 40, 2);
    let answer = Labelling::new(&mut space, 100).err();
    assert_eq!(answer, Some(Stop::Exhausted(Exhausted::Memory)));
    let labelling = Labelling::new(&mut space, MEMORY).expect("small enough");
    let answer = labelling.holds(&mut space, &parse("F p"));
    assert_eq!(answer, Err(Stop::Misplaced));
}
