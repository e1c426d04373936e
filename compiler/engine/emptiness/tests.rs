//! The search for fair runs against a plain one, on random graphs and Systems.

use std::ops::Range;

use super::graph_space::GraphSpace;
use super::marks::Side;
use super::*;
use crate::engine::ltl::{Observer, observe_by_automata};
use crate::engine::space::Transition;
use crate::system::{Expr, Leaf, Op, VarId};
use crate::testing::formulas::{parse, random_formula};
use crate::testing::plain_space::PlainSpace;
use crate::testing::random::Random;
use crate::testing::system::{random_condition, random_system};
use crate::vocabulary::TemporalOp;

const LIMITS: Limits = Limits {
    memory: 1 << 28,
    effort: Effort::SOME,
};

/// How many faults are in the prefix and in the loop.
fn faults(lasso: &Lasso) -> (usize, usize) {
    let (prefix, round) = lasso.transitions.split_at(lasso.loop_start);
    let count = |part: &[_]| part.iter().filter(|t: &&Transition| t.fault).count();
    (count(prefix), count(round))
}

/// Every fair run of at most `len` transitions that repeats its end.
fn short_runs(space: &mut GraphSpace, len: usize) -> Vec<Lasso> {
    let mut runs = Vec::new();
    let mut open = vec![Lasso {
        states: vec![0],
        transitions: Vec::new(),
        loop_start: 0,
    }];
    while let Some(path) = open.pop() {
        let last = path.states[path.states.len() - 1];
        for transition in space.out[last as usize].clone() {
            let mut longer = path.clone();
            longer.transitions.push(transition);
            for (i, state) in longer.states.iter().enumerate() {
                if *state == transition.target {
                    let run = Lasso {
                        loop_start: i,
                        ..longer.clone()
                    };
                    if is_fair(space, &run).expect("a small graph") {
                        runs.push(run);
                    }
                }
            }
            if longer.transitions.len() < len {
                longer.states.push(transition.target);
                open.push(longer);
            }
        }
    }
    runs
}

#[test]
fn no_short_run_is_missed_and_none_has_fewer_faults() {
    let [violated, holding, faulty] = compare_with_short_runs(0..120, 3, 4);
    // Each case occurs.
    assert!(
        violated > 50 && holding > 50 && faulty > 3,
        "{violated} {holding} {faulty}"
    );
}

/// How many formulas were violated by a loop without faults, held, and were violated by one with faults.
fn compare_with_short_runs(seeds: Range<u64>, states: usize, len: usize) -> [usize; 3] {
    let (mut violated, mut holding, mut faulty) = (0, 0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut space = GraphSpace::random(&mut random, states, 2);
        if random.chance(1, 2) {
            space = space.with_random_pairs(&mut random, 3);
        }
        let runs = short_runs(&mut space, len);
        for _ in 0..4 {
            let size = 1 + random.below(5);
            let past = random.chance(1, 2);
            let mut formula = random_formula(&mut random, size, 2, past);
            if random.chance(1, 3) {
                // Refuted only by a loop through several states.
                formula = parse("!(GF p && GF !p)");
            }
            let assumption = random_formula(&mut random, 2, 2, past);
            let assumptions: &[&Formula] = match random.chance(1, 3) {
                true => &[&assumption],
                false => &[],
            };
            let mut stats = Stats::default();
            let found = counterexample(&mut space, &formula, assumptions, LIMITS, &mut stats)
                .expect("small enough, and right");
            match &found {
                Some(lasso) if faults(lasso).1 > 0 => faulty += 1,
                Some(_) => violated += 1,
                None => holding += 1,
            }
            for run in &runs {
                let refutes = !satisfies(&mut space, run, &formula)
                    && assumptions.iter().all(|a| satisfies(&mut space, run, a));
                if !refutes {
                    continue;
                }
                let what = format!("seed {seed}: {formula:?} on {run:?}");
                let shown = found.as_ref().expect(&what);
                assert!(stats.minimal, "{what}");
                assert!(shown.cost() <= run.cost(), "{what}, not {shown:?}");
            }
        }
    }
    [violated, holding, faulty]
}

/// Whether there is an accepting cycle, by the components of the whole product: for each choice of pairs whose first
/// mark is never seen, those of what is left.
fn naive(space: &mut GraphSpace, observer: Observer) -> bool {
    let pairs = observer.pairs.len() + space.pairs.len();
    let mut product = Product::new(space, observer);
    let initial = product.initials().expect("few nodes")[0];
    let mut out = std::collections::BTreeMap::new();
    let mut rest = vec![initial];
    while let Some(node) = rest.pop() {
        let mut steps = Vec::new();
        product.steps(node, &mut steps).expect("few nodes");
        rest.extend(
            steps
                .iter()
                .map(|s| s.to)
                .filter(|to| !out.contains_key(to)),
        );
        let here = product.here().to_vec();
        let steps: Vec<(u32, Vec<u64>)> = steps
            .iter()
            .map(|step| {
                let mut set = here.clone();
                product.add_marks(step.marks, &mut set);
                (step.to, set)
            })
            .collect();
        out.insert(node, steps);
    }
    let marks = product.marks.clone();
    (0..1 << pairs).any(|avoided: u32| {
        let mut forbidden = vec![0; marks.words];
        let mut wanted = marks.required().to_vec();
        for pair in 0..pairs {
            match avoided >> pair & 1 {
                1 => marks::insert(&mut forbidden, marks.pair(pair, Side::Given)),
                _ => marks::insert(&mut wanted, marks.pair(pair, Side::Then)),
            }
        }
        let allowed =
            |node: u32| (out[&node].iter()).filter(|(_, set)| !marks::meets(set, &forbidden));
        let (component, count) = components::components(
            product.bound(),
            |node| out.contains_key(&node),
            |node, cursor| {
                *cursor += 1;
                Some(allowed(node).nth(*cursor as usize - 1)?.0)
            },
        );
        let mut seen = vec![None; count as usize];
        for node in out.keys() {
            for (to, set) in allowed(*node) {
                if component[*node as usize] == component[*to as usize] {
                    let all = &mut seen[component[*node as usize] as usize];
                    marks::join(all.get_or_insert_with(|| vec![0; marks.words]), set);
                }
            }
        }
        (seen.iter().flatten()).any(|set| marks::includes(set, &wanted))
    })
}

#[test]
fn larger_graphs_agree_with_all_components() {
    let violated = compare_with_components(0..400);
    assert!((40..360).contains(&violated), "{violated}");
}

/// How many formulas were violated.
fn compare_with_components(seeds: Range<u64>) -> usize {
    let mut violated = 0;
    for seed in seeds {
        let mut random = Random::new(seed ^ 0xbeef);
        let large = random.chance(1, 2);
        let mut space = GraphSpace::random(&mut random, if large { 40 } else { 6 }, 3)
            .with_random_pairs(&mut random, 4);
        let size = 1 + random.below(7);
        let past = random.chance(1, 2);
        let mut formula = random_formula(&mut random, size, 3, past);
        let mut assumption = random_formula(&mut random, 3, 3, past);
        if !large {
            // Refuted only by a loop through several states, often one with faults.
            formula = parse("!(GF p && GF !p)");
            assumption = parse("GF q || F r");
        } else if random.chance(1, 2) {
            assumption = parse("(GF p -> GF q) && !(GF r && FG !p) && G (GF q -> F G F r)");
        }
        let Ok(found) = counterexample(
            &mut space,
            &formula,
            &[&assumption],
            LIMITS,
            &mut Stats::default(),
        ) else {
            panic!("seed {seed}: {formula:?}");
        };
        violated += usize::from(found.is_some());
        let wanted = [(&formula, false), (&assumption, true)];
        let expected = naive(&mut space, observe(&wanted).expect("small enough"));
        assert_eq!(found.is_some(), expected, "seed {seed}: {formula:?}");
        let plain = observe_by_automata(&wanted).expect("small enough");
        assert_eq!(
            naive(&mut space, plain),
            expected,
            "seed {seed}: {formula:?}"
        );
    }
    violated
}

/// Minutes of the above; `cargo test --lib many_random -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn many_random_graphs() {
    compare_with_short_runs(1_000..3_000, 4, 5);
    compare_with_components(1_000..21_000);
}

/// A formula over variables as one over state formulas.
fn over(formula: &Formula, atoms: &[Expr]) -> Formula {
    let part = |f: &Formula| Box::new(over(f, atoms));
    let all = |parts: &[Formula]| parts.iter().map(|f| over(f, atoms)).collect();
    match formula {
        Formula::Atom(expr) => Formula::Atom(expr.map(&mut |leaf| match leaf {
            Leaf::Var(v) => atoms[v.0 as usize].clone(),
            other => panic!("no variable: {other:?}"),
        })),
        Formula::Not(f) => Formula::Not(part(f)),
        Formula::And(parts) => Formula::And(all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
        Formula::Implies(f, g) => Formula::Implies(part(f), part(g)),
        Formula::Iff(f, g) => Formula::Iff(part(f), part(g)),
        Formula::Unary(op, f) => Formula::Unary(*op, part(f)),
        Formula::Binary(op, f, g) => Formula::Binary(*op, part(f), part(g)),
        Formula::Path(op, f, g) => Formula::Path(*op, part(f), part(g)),
    }
}

#[test]
fn of_a_formula_and_its_negation_one_is_violated() {
    let mut both = 0;
    for seed in 0..40 {
        let system = random_system(seed);
        let mut space = PlainSpace::new(&system, 2_000);
        let mut random = Random::new(seed);
        let atoms: Vec<_> = (0..3)
            .map(|k| random_condition(&system, 10 * seed + k))
            .collect();
        let past = random.chance(1, 2);
        let formula = over(&random_formula(&mut random, 5, 3, past), &atoms);
        let negation = Formula::Not(Box::new(formula.clone()));
        let mut ask = |f: &Formula| {
            counterexample(&mut space, f, &[], LIMITS, &mut Stats::default()).map(|l| l.is_some())
        };
        match (ask(&formula), ask(&negation)) {
            (Ok(yes), Ok(no)) => {
                assert!(yes || no, "seed {seed}: no run at all");
                both += usize::from(yes && no);
            }
            (Err(Stop::Exhausted(Exhausted::States)), _)
            | (_, Err(Stop::Exhausted(Exhausted::States))) => {}
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(both > 1, "{both}");
}

#[test]
fn limits_are_reported() {
    let system = (0..)
        .map(random_system)
        .find(|s| crate::system::state::walk(s, 100).is_none())
        .expect("a large System");
    // True, but not by its shape: everything has to be searched.
    let x = Expr::Leaf(Leaf::Var(VarId(0)));
    let same = Formula::Atom(Expr::binary(Op::Eq, x.clone(), x));
    let always = Formula::Unary(TemporalOp::G, Box::new(same));
    let ask = |states: usize, memory: usize| {
        let limits = Limits { memory, ..LIMITS };
        let mut space = PlainSpace::new(&system, states);
        counterexample(&mut space, &always, &[], limits, &mut Stats::default())
    };
    assert_eq!(ask(100_000, LIMITS.memory), Ok(None));
    assert_eq!(
        ask(10, LIMITS.memory),
        Err(Stop::Exhausted(Exhausted::States))
    );
    assert_eq!(ask(100_000, 200), Err(Stop::Exhausted(Exhausted::Memory)));
}

#[test]
fn assumptions_that_no_run_satisfies_have_no_witness() {
    let mut random = Random::new(1);
    let mut space = GraphSpace::random(&mut random, 5, 2);
    let mut ask = |assumptions: &[&Formula]| {
        let run = witness(&mut space, assumptions, LIMITS, &mut Stats::default());
        run.expect("small enough").is_some()
    };
    assert!(ask(&[]));
    assert!(!ask(&[&parse("FG p"), &parse("GF !p")]));
    assert!(!ask(&[&parse("Y p")]));
    assert!(ask(&[&parse("Z p")]));
}
