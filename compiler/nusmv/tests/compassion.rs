//! Strong fairness three times: `(G F p) -> (G F q)` as an assumption in NuSMV's formulas, as NuSMV's own `COMPASSION`
//! (Kesten, Pnueli, Raviv, "Algorithmic verification of linear temporal logic specifications", 1998), and as pairs in the
//! component search of the embedded engine.

use super::super::{Emitted, Limits, Tool, decide, emit};
use super::odd::assume;
use super::tool;
use crate::engine;
use crate::source::Sources;
use crate::system::state::walk;
use crate::system::{Formula, Property, PropertyKind, System};
use crate::testing::random::Random;
use crate::testing::system::{random_condition, random_system, span};
use crate::verdict::{Outcome, Verdict};
use crate::vocabulary::TemporalOp;

/// Most states a System may have to be compared.
const MOST: usize = 600;

fn again(atom: Formula) -> Formula {
    let finally = Formula::Unary(TemporalOp::F, Box::new(atom));
    Formula::Unary(TemporalOp::G, Box::new(finally))
}

/// A random System with one to three pairs and some formulas about runs.
fn with_pairs(seed: u64) -> System {
    let mut system = random_system(seed);
    let mut random = Random::new(seed);
    let mut next = seed * 16;
    let mut atom = || {
        next += 1;
        Formula::Atom(random_condition(&system, next))
    };
    let (p, q) = (atom(), atom());
    let count = 1 + random.below(3);
    let pairs: Vec<Formula> = (0..count)
        .map(|_| Formula::Implies(Box::new(again(atom())), Box::new(again(atom()))))
        .collect();
    let finally = |f: &Formula| Formula::Unary(TemporalOp::F, Box::new(f.clone()));
    let settles = Formula::Unary(
        TemporalOp::F,
        Box::new(Formula::Unary(TemporalOp::G, Box::new(p.clone()))),
    );
    let responds = Formula::Implies(Box::new(p.clone()), Box::new(finally(&q)));
    let responds = Formula::Unary(TemporalOp::G, Box::new(responds));
    let formulas = [again(p), finally(&q), settles, responds];
    system.properties = formulas
        .into_iter()
        .enumerate()
        .map(|(i, formula)| Property {
            form: None,
            name: format!("property_{i}"),
            kind: PropertyKind::Ltl(formula),
            tolerant: None,
            span: Some(span()),
        })
        .collect();
    assume(&mut system, pairs);
    system
}

/// The text between two brackets at the start, and what follows.
fn bracketed(text: &str) -> (&str, &str) {
    let mut depth = 0;
    for (index, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&text[1..index], &text[index + 1..]);
        }
    }
    panic!("no bracket closes: {text}")
}

/// The same modules, with pairs as `COMPASSION` instead of in the formulas.
fn with_compassion(emitted: &Emitted) -> Emitted {
    let name = emitted.assumptions.as_ref().expect("there are pairs");
    let start = format!("LTLSPEC NAME {name} := !");
    let line = emitted.text.lines().find(|line| line.starts_with(&start));
    let line = line.expect("a specification of the assumptions");
    let (all, _) = bracketed(&line[start.len()..]);
    let mut constraints = String::new();
    let mut rest = all;
    while !rest.is_empty() {
        let (pair, after) = bracketed(rest.trim_start_matches(" & "));
        let given = pair.strip_prefix("(G (F ").expect("a pair");
        let (given, then) = given.split_once(")) -> (G (F ").expect("a pair");
        let then = then.strip_suffix("))").expect("a pair");
        constraints += &format!("COMPASSION ({given}, {then});\n");
        rest = after;
    }
    let text = emitted
        .text
        .replace(line, &format!("{constraints}{start}(TRUE);"));
    let text = text.replace(&format!(":= ({all}) -> "), ":= ");
    assert!(!text.contains(all), "{text}");
    // With `COMPASSION` NuSMV 2.6 finds no run at all if a `JUSTICE` reads an input; so who moves becomes part of the state.
    let text = text.replace("\nIVAR\n", "\nVAR\n");
    Emitted {
        text,
        ..emitted.clone()
    }
}

fn nusmv(tool: &Tool, system: &System, emitted: &Emitted) -> Option<Vec<Outcome>> {
    let all: Vec<usize> = (0..system.properties.len()).collect();
    let report = decide(tool, system, emitted, &all, Limits::default(), &mut |_| {})
        .unwrap_or_else(|error| panic!("{error}\n{}", emitted.text));
    (report.possible != Some(false)).then(|| outcomes(report.verdicts))
}

fn outcomes(mut verdicts: Vec<Verdict>) -> Vec<Outcome> {
    verdicts.sort_by_key(|verdict| verdict.property);
    let plain = |outcome| match outcome {
        Outcome::HoldsStatically => Outcome::Holds,
        other => other,
    };
    verdicts.into_iter().map(|v| plain(v.outcome)).collect()
}

/// Compares on Systems with some seeds; how many had few enough states, and on how many of them a run was possible.
fn compare(seeds: std::ops::Range<u64>) -> Option<(usize, usize)> {
    let tool = tool()?;
    let (mut compared, mut possible) = (0, 0);
    for seed in seeds {
        let system = with_pairs(seed);
        if walk(&system, MOST).is_none() {
            continue;
        }
        let emitted = emit(&system, &Sources::new());
        let all: Vec<usize> = (0..system.properties.len()).collect();
        let options = engine::Options::default();
        let report = engine::check(&system, &all, &options, &mut |_| {});
        let ours = (report.possible != Some(false)).then(|| outcomes(report.verdicts));
        let formulas = nusmv(&tool, &system, &emitted);
        let compassion = nusmv(&tool, &system, &with_compassion(&emitted));
        assert_eq!(ours, formulas, "seed {seed}\n{}", emitted.text);
        let text = with_compassion(&emitted).text;
        assert_eq!(ours, compassion, "seed {seed}\n{text}");
        compared += 1;
        possible += usize::from(ours.is_some());
    }
    Some((compared, possible))
}

#[test]
fn pairs_are_compassion() {
    if let Some((compared, possible)) = compare(0..30) {
        assert!(compared >= 20 && possible >= 15, "{compared}, {possible}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn pairs_are_compassion_on_many_systems() {
    if let Some((compared, possible)) = compare(1_000..1_800) {
        assert!(compared >= 500, "{compared}, {possible}");
    }
}
