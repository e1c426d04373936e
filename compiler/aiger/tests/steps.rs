//! Random Systems: the latches go where the System goes, and what is bad is bad.

use super::super::bits::Part;
use super::super::graph::Lit;
use super::super::model::{Model, model, rank};
use super::super::walk::Frame;
use crate::system::state::{State, initials, successors};
use crate::system::{Expr, Op, PropertyKind, StartChoice, System, VarId};
use crate::testing::random::Random;
use crate::testing::system::{Shape, random_system_of};
use crate::verdict::Move;

/// What latches say.
struct Machine<'a> {
    model: &'a Model,
    latches: Vec<bool>,
}

impl Machine<'_> {
    fn holds(values: &[bool], lit: Lit) -> bool {
        values[lit.node()] != lit.is_negated()
    }

    fn bad(&self, frame: &Frame) -> Vec<(usize, bool)> {
        let values = self.model.graph.values(frame, &self.latches);
        let bad = self.model.bad.iter();
        bad.map(|bad| (bad.property, Self::holds(&values, bad.lit)))
            .collect()
    }

    fn step(&mut self, frame: &Frame) {
        let values = self.model.graph.values(frame, &self.latches);
        let latches = self.model.latches.iter();
        self.latches = latches.map(|l| Self::holds(&values, l.next)).collect();
    }

    /// Whether the latches are those of a state.
    fn is(&self, state: &State) -> bool {
        let bit = |latch: usize| self.latches[latch] != self.model.latches[latch].flipped;
        let vars = self.model.vars.iter().enumerate();
        let mut vars = vars.filter_map(|(i, bits)| Some((i, bits.as_ref()?)));
        let mut places = self.model.locations.iter().enumerate();
        vars.all(|(i, bits)| bits.value(bit) == state.values[i])
            && places.all(|(i, bits)| bits.value(bit) == i64::from(state.locations[i].0))
    }
}

fn set(frame: &mut Frame, parts: &[Part], value: i64) {
    for (index, part) in parts.iter().enumerate() {
        if let Part::Free(input) = part {
            frame[*input] = value >> index & 1 != 0;
        }
    }
}

/// The inputs that choose a move.
fn frame(system: &System, model: &Model, step: &Move) -> Frame {
    let mut frame = vec![false; model.inputs];
    let Move::Step {
        process,
        edge,
        picks,
    } = step
    else {
        // A choice of nothing: the last edge that can be numbered is none of a process without edges.
        frame.fill(true);
        return frame;
    };
    let p = process.0 as usize;
    set(&mut frame, &model.choice.process.parts, p as i64);
    let which = rank(&system.processes[p].edges, *edge);
    set(&mut frame, &model.choice.edge.parts, which as i64);
    for (bits, code) in model.choice.picks[p][*edge].iter().zip(picks) {
        set(&mut frame, &bits.parts, *code);
    }
    frame
}

/// Whether a property is decided here, or on this step.
fn is_bad(system: &System, property: usize, state: &State, step: &Move) -> bool {
    match &system.properties[property].kind {
        PropertyKind::Deadlock => state.holds(&system.deadlock()),
        PropertyKind::Invariant(e) => !state.holds(e),
        PropertyKind::Reachable(e) => state.holds(e),
        PropertyKind::Check(check) => match step {
            Move::Step { process, edge, .. } => system.process(*process).edges[*edge]
                .events
                .contains(&crate::system::Event::Failed(*check)),
            Move::Stutter => false,
        },
        _ => unreachable!("it is about runs"),
    }
}

/// Several starts, some of which are forbidden.
pub fn add_starts(system: &mut System, random: &mut Random) {
    for (index, var) in system.vars.iter().enumerate() {
        let (lo, hi) = var.domain.bounds();
        if var.derived.is_none() && random.chance(1, 2) {
            let others = (lo..=hi).filter(|code| *code != var.init);
            let codes = std::iter::once(var.init).chain(others).collect();
            system.starts.choices.push(StartChoice {
                var: VarId(index as u32),
                codes,
            });
        }
    }
    let numbers = system.starts.choices.iter().find(|choice| {
        matches!(
            system.var(choice.var).domain,
            crate::system::Domain::Int { .. }
        )
    });
    if let Some(choice) = numbers {
        let last = choice.codes[choice.codes.len() - 1];
        let var = Expr::Leaf(crate::system::Leaf::Var(choice.var));
        system.starts.only = Some(Expr::binary(Op::Eq, var, Expr::int(last)));
    }
}

/// Walks at random and compares every step.
fn walk(system: &System, seed: u64) -> usize {
    let all: Vec<usize> = (0..system.properties.len()).collect();
    let model = model(system, &all, &|| false).expect("it is small");
    let mut random = Random::new(seed);
    let mut machine = Machine {
        model: &model,
        latches: vec![false; model.latches.len()],
    };
    let starts: Vec<State> = initials(system).take(50).collect();
    let mut state = starts[random.below(starts.len())].clone();
    if model.started.is_some() {
        let nothing = vec![true; model.inputs];
        let bad = machine.bad(&nothing);
        assert!(
            bad.iter().all(|(_, bad)| !bad),
            "seed {seed}: bad before the start"
        );
        let mut chosen = vec![false; model.inputs];
        for (choice, bits) in system.starts.choices.iter().zip(&model.choice.starts) {
            let code = state.values[choice.var.0 as usize];
            let index = choice.codes.iter().position(|c| *c == code).unwrap();
            set(&mut chosen, &bits.parts, index as i64);
        }
        assert_eq!(model.started(system, &chosen), Some(state.clone()));
        machine.step(&chosen);
    }
    assert!(machine.is(&state), "seed {seed}: the start");
    let mut compared = 0;
    for _ in 0..40 {
        let moves = successors(system, &state);
        let Some((step, next)) = moves.get(random.below(moves.len().max(1))) else {
            break;
        };
        let chosen = frame(system, &model, step);
        if *step != Move::Stutter {
            let decoded = model.step(system, &state, &chosen);
            assert_eq!(decoded, Some((step.clone(), next.clone())), "seed {seed}");
            for (property, bad) in machine.bad(&chosen) {
                let expected = is_bad(system, property, &state, step);
                assert_eq!(bad, expected, "seed {seed}: {property} in {state:?}");
            }
            // Any other choice is one of the moves, or of nothing.
            let wild: Frame = (0..model.inputs).map(|_| random.chance(1, 2)).collect();
            let expected = model.step(system, &state, &wild);
            let expected = expected.map_or(state.clone(), |(_, next)| next);
            let mut other = Machine {
                model: &model,
                latches: machine.latches.clone(),
            };
            other.step(&wild);
            assert!(other.is(&expected), "seed {seed}: {wild:?}");
            machine.step(&chosen);
        }
        state = next.clone();
        assert!(machine.is(&state), "seed {seed}: {step:?}");
        compared += 1;
    }
    compared
}

#[test]
fn latches_go_where_the_system_goes() {
    let mut compared = 0;
    for seed in 0..150 {
        let shape = Shape {
            processes: 4,
            vars: 7,
            derived: 3,
            values: 9,
            ..Shape::default()
        };
        let mut system = random_system_of(seed, shape);
        if seed % 3 == 0 {
            add_starts(&mut system, &mut Random::new(seed));
            if initials(&system).next().is_none() {
                continue;
            }
        }
        compared += walk(&system, seed);
    }
    assert!(compared > 1_500, "{compared}");
}
