//! Automata against the meaning of formulas, on random words that repeat their end.

use super::*;
use crate::engine::emptiness::components::components;
use crate::system::lasso::holds_on_lasso;
use crate::testing::formulas::{holds, not, parse, random_formula};
use crate::testing::random::Random;

/// A word over letters (sets of variables) that repeats from `loop_start` on.
#[derive(Debug)]
struct Lasso {
    letters: Vec<u32>,
    loop_start: usize,
}

impl Lasso {
    fn random(random: &mut Random, atoms: usize) -> Lasso {
        let len = 1 + random.below(6);
        Lasso {
            letters: (0..len).map(|_| random.below(1 << atoms) as u32).collect(),
            loop_start: random.below(len),
        }
    }

    fn satisfies(&self, formula: &Formula) -> bool {
        holds_on_lasso(formula, self.letters.len(), self.loop_start, |i, e| {
            holds(e, self.letters[i])
        })
    }

    fn accepted(&self, observer: &Observer) -> bool {
        let again = |atom: &u32| {
            let mut round = self.letters[self.loop_start..].iter();
            round.any(|l| holds(&observer.atoms[*atom as usize], *l))
        };
        observer.recurring.iter().all(again)
            && (observer.pairs.iter()).all(|(given, then)| !again(given) || again(then))
            && observer
                .automata
                .iter()
                .all(|a| self.accepted_by(a, &observer.atoms))
    }

    /// By looking at all components of the product.
    fn accepted_by(&self, automaton: &Automaton, atoms: &[Expr]) -> bool {
        let len = self.letters.len();
        let letters: Vec<u128> = (self.letters.iter())
            .map(|letter| {
                let bits = automaton.atoms.iter().enumerate();
                bits.fold(0, |all, (i, atom)| {
                    all | u128::from(holds(&atoms[*atom as usize], *letter)) << i
                })
            })
            .collect();
        // Nodes are state * len + position; only what is reachable counts.
        let after = |i: usize| if i + 1 < len { i + 1 } else { self.loop_start };
        let out = |node: usize| {
            let (state, i) = (node / len, node % len);
            let fitting = automaton.states[state].iter();
            fitting
                .filter(|e| e.reads(letters[i]))
                .map(move |e| (e.to as usize * len + after(i), e.marks))
                .collect::<Vec<_>>()
        };
        let count = automaton.states.len() * len;
        let mut reached = vec![false; count];
        reached[0] = true;
        let mut rest = vec![0];
        while let Some(node) = rest.pop() {
            for (to, _) in out(node) {
                if !std::mem::replace(&mut reached[to], true) {
                    rest.push(to);
                }
            }
        }
        let (component, found) = components(
            count,
            |n| reached[n as usize],
            |n, cursor| {
                *cursor += 1;
                Some(out(n as usize).get(*cursor as usize - 1)?.0 as u32)
            },
        );
        let mut marks = vec![None; found as usize];
        for node in (0..count).filter(|n| reached[*n]) {
            for (to, edge) in out(node) {
                if component[to] == component[node] {
                    *marks[component[node] as usize].get_or_insert(0) |= edge;
                }
            }
        }
        marks.contains(&Some(automaton.all_marks()))
    }
}

/// Compares automata with the direct evaluation; returns how many formulas were too large.
fn compare(seeds: std::ops::Range<u64>, size: usize, atoms: usize, past: bool) -> usize {
    let mut too_large = 0;
    for seed in seeds {
        let mut random = Random::new(seed);
        let size = 1 + random.below(size);
        let formula = random_formula(&mut random, size, atoms, past);
        let (Ok(yes), Ok(no)) = (observe(&[(&formula, true)]), observe(&[(&formula, false)]))
        else {
            too_large += 1;
            continue;
        };
        for _ in 0..30 {
            let word = Lasso::random(&mut random, atoms);
            let expected = word.satisfies(&formula);
            assert_eq!(
                expected,
                word.accepted(&yes),
                "seed {seed}: {formula:?} on {word:?}"
            );
            assert_eq!(
                !expected,
                word.accepted(&no),
                "seed {seed}: not {formula:?} on {word:?}"
            );
        }
    }
    too_large
}

#[test]
fn automata_of_future_formulas_accept_what_satisfies_them() {
    assert_eq!(compare(0..500, 8, 3, false), 0);
}

#[test]
fn automata_of_formulas_with_past_accept_what_satisfies_them() {
    assert!(compare(0..500, 7, 2, true) < 5);
}

#[test]
fn automata_of_large_formulas() {
    let too_large = compare(0..40, 24, 4, false);
    assert!(too_large < 5, "{too_large} too large");
}

#[test]
fn conjunctions_of_formulas() {
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let formulas: Vec<(Formula, bool)> = (0..1 + random.below(4))
            .map(|_| {
                let past = random.chance(1, 2);
                (random_formula(&mut random, 4, 3, past), random.chance(2, 3))
            })
            .collect();
        let list: Vec<(&Formula, bool)> = formulas.iter().map(|(f, p)| (f, *p)).collect();
        let Ok(observer) = observe(&list) else {
            continue;
        };
        for _ in 0..30 {
            let word = Lasso::random(&mut random, 3);
            let expected = formulas.iter().all(|(f, p)| word.satisfies(f) == *p);
            assert_eq!(
                expected,
                word.accepted(&observer),
                "seed {seed}: {formulas:?}"
            );
        }
    }
}

/// States, edges and marks of the automata, and how many literals recur.
fn sizes(formula: &str) -> (Vec<(usize, usize, u32)>, usize) {
    let observer = observe(&[(&parse(formula), true)]).expect("small enough");
    let size = |a: &Automaton| {
        let edges = a.states.iter().map(Vec::len).sum();
        (a.states.len(), edges, a.marks)
    };
    (
        observer.automata.iter().map(size).collect(),
        observer.recurring.len(),
    )
}

#[test]
fn sizes_of_automata() {
    for (formula, automata, recurring) in [
        ("G p", vec![(1, 1, 0)], 0),
        ("F p", vec![(2, 3, 1)], 0),
        ("GF p", vec![], 1),
        ("FG p", vec![(2, 3, 1)], 0),
        ("GF p && GF q && GF r", vec![], 3),
        ("!(G (p -> F q))", vec![(2, 3, 1)], 0),
        ("G (p -> F q)", vec![(2, 5, 1)], 0),
        ("!(G (p -> (q U r)))", vec![(3, 6, 1)], 0),
        ("!(GF p -> G (q -> F r))", vec![(2, 3, 1)], 1),
        ("!(G (p -> O q))", vec![(2, 3, 1)], 0),
        ("!(G (p -> Y (q S r)))", vec![(3, 7, 1)], 0),
        ("G (p -> H (q -> F r))", vec![(4, 13, 1)], 0),
        // Too many to be worth one automaton.
        (
            "G (p -> F q) && G (q -> F r) && G (r -> F s) && G (s -> F t) && G (t -> F p)",
            vec![(2, 5, 1); 5],
            0,
        ),
        // Twenty operators.
        (
            "!((GF p -> GF q) && (GF r -> GF s) && (GF t -> GF u) && (GF v -> GF w) && (GF x -> GF y))",
            vec![(11, 30, 5)],
            0,
        ),
    ] {
        assert_eq!(sizes(formula), (automata, recurring), "{formula}");
    }
}

#[test]
fn what_cannot_be_has_no_automaton() {
    for formula in ["G p && F !p", "F p && G !p", "Y p"] {
        let observer = observe(&[(&parse(formula), true)]).expect("small enough");
        let empty = observer.automata.iter().any(Automaton::is_empty);
        assert!(empty, "{formula}: {observer:?}");
    }
    let observer = observe(&[(&not(parse("G p && F !p")), true)]).expect("small enough");
    assert!(observer.automata.is_empty() && observer.recurring.is_empty());
}

/// Minutes of the above; `cargo test --lib many_random -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn many_random_formulas() {
    let future = compare(10_000..60_000, 10, 3, false);
    let past = compare(10_000..60_000, 8, 2, true);
    let large = compare(10_000..12_000, 30, 5, true);
    println!("too large: {future} of 50,000, {past} of 50,000, {large} of 2,000");
}

#[test]
fn strong_fairness_needs_no_automaton_however_it_is_written() {
    for formula in [
        "GF p -> GF q",
        "G F G F p -> G F q",
        "FG !p || GF q",
        "!(GF p && FG !q)",
        "G (GF p -> GF q)",
        "(GF p -> GF q) && (GF q -> GF r) && (GF r -> GF (p && q))",
        "!((GF p && !GF q) || (GF q && FG !r))",
        "GF p -> (GF q || GF r)",
    ] {
        let observer = observe(&[(&parse(formula), true)]).expect("small enough");
        let pairs = observer.pairs.len();
        assert!(
            pairs > 0 && observer.automata.is_empty(),
            "{formula}: {pairs} pairs"
        );
    }
    // Neither of these is a pair.
    for formula in ["(GF p && GF q) -> GF r", "GF p -> FG q", "GF p -> F q"] {
        let observer = observe(&[(&parse(formula), true)]).expect("small enough");
        assert!(observer.pairs.is_empty(), "{formula}");
    }
}

/// What is waited for anyway is not kept beside what asks for it, or each level would double the automaton of the negation.
#[test]
fn operators_may_stand_deeply_inside_each_other() {
    let letters = ["p", "q", "r", "s", "t", "u", "v", "w", "x", "y"];
    let right = letters
        .iter()
        .rev()
        .skip(1)
        .fold("y".to_owned(), |f, p| format!("{p} U ({f})"));
    let left = letters
        .iter()
        .skip(1)
        .fold("p".to_owned(), |f, p| format!("({f}) U {p}"));
    // Both ways in one formula, which takes the product of their automata: as deep as that may be.
    let mixed = "G (p U (q U (r U (s U t)))) || F !((((p U q) U r) U s) U t)".to_owned();
    let mut random = Random::new(7);
    for formula in [right, left, mixed] {
        let formula = parse(&formula);
        let yes = observe(&[(&formula, true)]).expect("small enough");
        let no = observe(&[(&formula, false)]).expect("small enough");
        for _ in 0..200 {
            let word = Lasso::random(&mut random, letters.len());
            let expected = word.satisfies(&formula);
            assert_eq!(expected, word.accepted(&yes), "{formula:?} on {word:?}");
            assert_eq!(!expected, word.accepted(&no), "not {formula:?} on {word:?}");
        }
    }
}
