//! ABC's proofs are checked again by another program, CaDiCaL, which is asked three questions about each: can the start break a condition,
//! can a step from where all hold lead to where one does not, is something bad where all hold? The answer has to be no.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::super::graph::{Graph, Lit, Node};
use super::super::model::{Bad, Model, model};
use super::super::proof::{Condition, Cube, Proof};
use super::super::{Limits, Owner, check};
use super::{place, tool};
use crate::simplify::{Rules, simplify};
use crate::source::Sources;
use crate::system::{Property, PropertyKind, System};
use crate::testing::model::program;
use crate::testing::system::random_system;
use crate::weave;

/// Clauses for a solver.
#[derive(Default)]
struct Clauses {
    text: String,
    count: usize,
    variables: usize,
}

impl Clauses {
    /// Those that say what each node of a graph is. Its variable is the node's number plus 1.
    fn of(graph: &Graph) -> Clauses {
        let mut clauses = Clauses {
            variables: graph.nodes().len(),
            ..Clauses::default()
        };
        for (number, node) in graph.nodes().iter().enumerate() {
            let out = number as i64 + 1;
            match *node {
                Node::Constant => clauses.add(&[-out]),
                Node::Input(_) | Node::Latch(_) => {}
                Node::And(a, b) => {
                    let (a, b) = (literal(a), literal(b));
                    clauses.add(&[-out, a]);
                    clauses.add(&[-out, b]);
                    clauses.add(&[out, -a, -b]);
                }
            }
        }
        clauses
    }

    fn add(&mut self, literals: &[i64]) {
        for literal in literals {
            self.text += &format!("{literal} ");
        }
        self.text += "0\n";
        self.count += 1;
    }

    /// One of the combinations occurs.
    fn some(&mut self, combinations: &[Vec<i64>]) {
        let mut some = Vec::new();
        for combination in combinations {
            self.variables += 1;
            let this = self.variables as i64;
            for literal in combination {
                self.add(&[-this, *literal]);
            }
            some.push(this);
        }
        self.add(&some);
    }

    /// Whether they can all be satisfied.
    fn satisfiable(&self, cadical: &Path) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("question.cnf");
        let text = format!("p cnf {} {}\n{}", self.variables, self.count, self.text);
        std::fs::write(&file, text).unwrap();
        let answer = Command::new(cadical).arg("-q").arg(&file).output().unwrap();
        match answer.status.code() {
            Some(10) => true,
            Some(20) => false,
            other => panic!("CaDiCaL ends with {other:?}"),
        }
    }
}

fn literal(lit: Lit) -> i64 {
    let variable = lit.node() as i64 + 1;
    if lit.is_negated() {
        -variable
    } else {
        variable
    }
}

/// What is wrong with a proof, if anything is.
fn wrong(cadical: &Path, model: &Model, bad: &Bad, cubes: &[Cube]) -> Option<&'static str> {
    let now = |(latch, value): &(usize, bool)| literal(model.latches[*latch].lit.flip_if(!value));
    let next = |(latch, value): &(usize, bool)| literal(model.latches[*latch].next.flip_if(!value));
    let all = |cube: &Cube, literal: &dyn Fn(&(usize, bool)) -> i64| -> Vec<i64> {
        cube.iter().map(literal).collect()
    };
    let kept = |clauses: &mut Clauses| {
        for cube in cubes {
            let none: Vec<i64> = all(cube, &now).into_iter().map(|l| -l).collect();
            clauses.add(&none);
        }
    };
    let mut start = Clauses::of(&model.graph);
    for latch in &model.latches {
        start.add(&[-literal(latch.lit)]);
    }
    start.some(&cubes.iter().map(|c| all(c, &now)).collect::<Vec<_>>());
    if start.satisfiable(cadical) {
        return Some("the start");
    }
    let mut step = Clauses::of(&model.graph);
    kept(&mut step);
    step.some(&cubes.iter().map(|c| all(c, &next)).collect::<Vec<_>>());
    if step.satisfiable(cadical) {
        return Some("a step");
    }
    let mut end = Clauses::of(&model.graph);
    kept(&mut end);
    end.add(&[literal(bad.lit)]);
    end.satisfiable(cadical).then_some("something bad")
}

/// The proofs of a System's properties, each with what it is about.
fn proofs(system: &System, of: &[usize]) -> Option<(Model, Vec<(Bad, Proof)>)> {
    let tool = tool()?;
    let model = model(system, of, &|| false).unwrap();
    let replies = check(&tool, system, of, Limits::default(), &mut |_| {}).unwrap();
    let proofs = replies.into_iter().filter_map(|reply| {
        let property = reply.verdict.property;
        let bad = model.bad.iter().find(|bad| bad.property == property)?;
        Some((*bad, reply.proof?))
    });
    let proofs = proofs.collect();
    Some((model, proofs))
}

#[test]
fn another_program_finds_nothing_wrong() {
    let Some(cadical) = place::cadical("aiger: another_program_finds_nothing_wrong") else {
        return;
    };
    let (mut checked, mut noticed) = (0, 0);
    for seed in 6_000..6_008 {
        let system = random_system(seed);
        let all: Vec<usize> = (0..system.properties.len()).collect();
        let Some((model, proofs)) = proofs(&system, &all) else {
            return;
        };
        for (bad, proof) in proofs {
            assert_eq!(
                wrong(&cadical, &model, &bad, &proof.cubes),
                None,
                "seed {seed}"
            );
            checked += 1;
            // It would notice: with one condition less a proof is none, or says more than it has to.
            let less = &proof.cubes[..proof.cubes.len().saturating_sub(1)];
            noticed += usize::from(wrong(&cadical, &model, &bad, less).is_some());
        }
    }
    assert!(checked >= 5, "{checked}");
    assert!(noticed >= 3, "{noticed} of {checked}");
}

const LAMPS: &str = "
data Light { Red, Amber, Green }
proc Crossing(go channel [1] { Light }) {
    var light Light = Red
    var count 0..5
    for {
        light = Green
        send(go, Green)
        light = Red
        if count < 3 { count += 1 } else { count = 0 }
    }
}
proc Car(go channel [1] { Light }) {
    var seen Light = Red
    for { recv(go, seen) }
}
init {
    go: channel [1] { Light },
    crossing: Crossing(go),
    car: Car(go),
}
invariant never_amber { car.seen != Amber }
invariant few { crossing.count <= 3 }
";

#[test]
fn proofs_are_told_in_the_models_own_names() {
    let program = program(LAMPS);
    let woven = crate::build(&program, &weave::Options::default());
    let system = simplify(&woven, &Rules::NONE).system;
    let of = |name: &str| {
        system
            .properties
            .iter()
            .position(|p| p.name == name)
            .unwrap()
    };
    let wanted = [of("never_amber"), of("few")];
    let Some((_, proofs)) = proofs(&system, &wanted) else {
        return;
    };
    let mut sources = Sources::new();
    sources.add("lamps.sdl", LAMPS);
    let told: BTreeMap<usize, Vec<String>> = (proofs.iter())
        .map(|(bad, proof)| (bad.property, proof.show(&system, &sources).unwrap()))
        .collect();
    assert!(
        told[&wanted[0]].contains(&"car.seen != Amber".to_owned()),
        "{told:?}"
    );
    assert!(
        told[&wanted[1]].contains(&"crossing.count <= 3".to_owned()),
        "{told:?}"
    );
}

/// Conditions of a System made by hand.
fn shown(system: &System, never: Vec<(Owner, Vec<i64>)>) -> String {
    let mut sources = Sources::new();
    sources.add("lamps.sdl", LAMPS);
    let proof = Proof {
        cubes: Vec::new(),
        conditions: Some(vec![Condition { never }]),
    };
    proof.show(system, &sources).unwrap().remove(0)
}

#[test]
fn conditions_read_well() {
    let program = program(LAMPS);
    let system = crate::build(&program, &weave::Options::default());
    let var = |name: &str| {
        let mut all = (0..system.vars.len() as u32).map(crate::system::VarId);
        Owner::Var(all.find(|v| system.var_name(*v) == name).unwrap())
    };
    let (light, count, seen) = (
        var("crossing.light"),
        var("crossing.count"),
        var("car.seen"),
    );
    for (never, expected) in [
        (vec![(count, vec![4, 5])], "crossing.count <= 3"),
        (vec![(count, vec![0])], "crossing.count != 0"),
        (vec![(count, vec![0, 1, 5])], "crossing.count in {2..4}"),
        (vec![(count, vec![1, 2, 3, 4])], "crossing.count in {0, 5}"),
        (vec![(light, vec![0, 2])], "crossing.light == Amber"),
        (
            vec![(light, vec![2]), (seen, vec![1])],
            "!(crossing.light == Green && car.seen == Amber)",
        ),
        (
            vec![(light, vec![2]), (count, vec![1, 2, 3, 4, 5])],
            "crossing.light == Green -> crossing.count == 0",
        ),
        (vec![], "false"),
    ] {
        assert_eq!(shown(&system, never), expected);
    }
    let process = crate::vocabulary::ProcessId(1);
    let first = shown(&system, vec![(Owner::Location(process), vec![0])]);
    assert!(first.starts_with("car at line "), "{first}");
}

#[test]
fn a_property_about_nothing_needs_no_conditions() {
    let mut system = random_system(3);
    system.properties = vec![Property {
        name: "yes".into(),
        kind: PropertyKind::Invariant(crate::system::Expr::yes()),
        tolerant: None,
        form: None,
        span: None,
    }];
    let model = model(&system, &[0], &|| false).unwrap();
    assert_eq!(model.bad[0].lit, super::super::graph::NO);
    assert!(
        model
            .cone(&[model.bad[0].lit])
            .iter()
            .filter(|n| **n)
            .count()
            <= 1
    );
}
