//! Random specifications.

use super::formula::{Formula, Parentheses};
use super::random::Random;
use super::types::{Proc, RECORD, TAGGED, Ty, WIDE};

/// What specifications may talk about.
pub struct Atoms {
    /// The processes by the names of their instances.
    pub processes: Vec<(String, Proc)>,
    /// The buffered channels with their capacities.
    pub buffers: Vec<(String, usize)>,
    /// What the faults are called.
    pub faults: Vec<String>,
    /// The failure detector.
    pub detector: Option<String>,
    /// Decides what is asked about faults for sure.
    pub seed: u64,
}

/// What can be asked about faults.
pub const ASPECTS: [&str; 6] = [
    "injected",
    "happened",
    "stopped",
    "faulty",
    "injecting",
    "begun",
];

impl Atoms {
    /// The specifications of a model, a line each.
    pub fn specs(&self, random: &mut Random, parentheses: Parentheses) -> Vec<String> {
        let mut specs = Vec::new();
        let mut add = |head: String, formula: Formula| {
            specs.push(format!("{head} {{ {} }}", formula.text(parentheses)));
        };
        for i in 0..1 + random.below(2) {
            add(format!("invariant i{i}"), self.state(random, 2));
        }
        if random.chance(70) {
            add("reachable".into(), self.state(random, 2));
        }
        if let Some(fault) = self.faults.last()
            && random.chance(80)
        {
            // The last is the fault that the seed decides, unless there are more.
            let aspect = ASPECTS[(self.seed % ASPECTS.len() as u64) as usize];
            let asked = Formula::Atom(format!("{aspect}({fault})"));
            add(
                "invariant about".into(),
                Formula::infix("->", asked, self.state(random, 1)),
            );
        }
        for i in 0..1 + random.below(3) {
            add(format!("ltl l{i}"), self.ltl(random, 3));
        }
        for i in 0..random.below(3) {
            add(format!("ctl c{i}"), self.ctl(random, 3));
        }
        if random.chance(30) {
            for _ in 0..1 + random.below(3) {
                add("assume".into(), self.assumption(random));
            }
        }
        specs
    }

    /// Something that some run satisfies, as far as one can tell from here. Most are strong fairness, which the search handles
    /// by itself; the others become part of the automaton.
    fn assumption(&self, random: &mut Random) -> Formula {
        let one = self.state(random, 1);
        match random.below(6) {
            0..4 => {
                let other = self.state(random, 1);
                Formula::infix("->", one.again_and_again(), other.again_and_again())
            }
            4 => {
                let never = Formula::prefix("F", Formula::prefix("G", one.clone().not()));
                Formula::infix("||", one.again_and_again(), never)
            }
            _ => one.not().again_and_again(),
        }
    }

    /// A formula without temporal operators.
    fn state(&self, random: &mut Random, depth: usize) -> Formula {
        if depth == 0 || random.chance(25) {
            return Formula::Atom(self.atom(random));
        }
        let left = self.state(random, depth - 1);
        let right = self.state(random, depth - 1);
        match random.below(6) {
            0 => left.not(),
            1 => Formula::infix("&&", left, right),
            2 | 3 => Formula::infix("||", left, right),
            4 => Formula::infix("->", left, right),
            _ => Formula::infix("<->", left, right),
        }
    }

    fn ltl(&self, random: &mut Random, depth: usize) -> Formula {
        if depth == 0 || random.chance(20) {
            return self.state(random, 1);
        }
        let left = self.ltl(random, depth - 1);
        match random.below(12) {
            0..6 => {
                // `X`, `Y` and `Z` count steps, which makes them rare in practice and dear in the tests.
                let ops = ["G", "F", "G", "F", "GF", "FG", "H", "O", "X", "Y", "Z", "G"];
                match *random.pick(&ops) {
                    "GF" => left.again_and_again(),
                    "FG" => Formula::prefix("F", Formula::prefix("G", left)),
                    op => Formula::prefix(op, left),
                }
            }
            6 | 7 => {
                let op = *random.pick(&["U", "V", "S", "T"]);
                Formula::infix(op, left, self.ltl(random, depth - 1))
            }
            8 => left.not(),
            9 => Formula::infix("&&", left, self.ltl(random, depth - 1)),
            10 => Formula::infix("->", left, self.ltl(random, depth - 1)),
            _ => Formula::infix("||", left, self.ltl(random, depth - 1)),
        }
    }

    fn ctl(&self, random: &mut Random, depth: usize) -> Formula {
        if depth == 0 || random.chance(20) {
            return self.state(random, 1);
        }
        let left = self.ctl(random, depth - 1);
        match random.below(10) {
            0..6 => {
                let op = *random.pick(&["AG", "AF", "EG", "EF", "AX", "EX"]);
                Formula::prefix(op, left)
            }
            6 | 7 => {
                let op = *random.pick(&["A", "E"]);
                Formula::path(op, left, self.ctl(random, depth - 1))
            }
            8 => left.not(),
            _ => Formula::infix("&&", left, self.ctl(random, depth - 1)),
        }
    }

    /// Something that is true or false in a state.
    fn atom(&self, random: &mut Random) -> String {
        if !self.buffers.is_empty() && random.chance(15) {
            let (name, capacity) = random.pick(&self.buffers);
            return match random.below(3) {
                0 => format!("full({name})"),
                1 => format!("empty({name})"),
                _ => format!("len({name}) >= {}", random.between(1, *capacity as i64)),
            };
        }
        if !self.faults.is_empty() && random.chance(12) {
            let fault = random.pick(&self.faults).clone();
            return match random.chance(10) {
                true => "injected()".to_owned(),
                false => format!("{}({fault})", random.pick(&ASPECTS)),
            };
        }
        if let Some(detector) = &self.detector
            && random.chance(15)
        {
            return format!("suspects({detector})");
        }
        let (name, proc) = random.pick(&self.processes);
        if random.chance(15) {
            return format!(
                "{name}.{}",
                random.pick(&["done", "crashed", "failed", "waiting"])
            );
        }
        if !proc.labels.is_empty() && random.chance(20) {
            return format!("{name}@{}", random.pick(&proc.labels));
        }
        let readable: Vec<&(String, Ty)> = proc.vars.iter().chain(&proc.values).collect();
        if readable.is_empty() {
            return format!("{name}.done");
        }
        let (variable, ty) = random.pick(&readable);
        let path = format!("{name}.{variable}");
        self.about(random, &path, ty)
    }

    fn about(&self, random: &mut Random, path: &str, ty: &Ty) -> String {
        match ty {
            Ty::Bool => path.into(),
            Ty::Int(lo, hi) => {
                let op = *random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                if random.chance(20)
                    && let Some(other) = self.other_integer(random)
                {
                    return format!("{path} {op} {other}");
                }
                format!("{path} {op} {}", random.between(*lo, *hi))
            }
            Ty::Data(_) => format!("{path} == {}", ty.constant(random)),
            Ty::Record if random.chance(40) => format!("{path} == {}", ty.constant(random)),
            Ty::Record => {
                let (field, ty) = random.pick(&RECORD).clone();
                self.about(random, &format!("{path}.{field}"), &ty)
            }
            Ty::Tagged => match random.below(3) {
                0 => format!("{path} == {}", ty.constant(random)),
                1 => format!("{path} is {}", random.pick(&TAGGED).0),
                _ => {
                    let fields: Vec<&(&str, Ty)> =
                        TAGGED.iter().flat_map(|(_, f)| f.iter()).collect();
                    let (field, ty) = (*random.pick(&fields)).clone();
                    self.about(random, &format!("{path}.{field}"), &ty)
                }
            },
            Ty::Array(element, n) => {
                if *n < WIDE && random.chance(30) {
                    return format!("{path} == {}", ty.constant(random));
                }
                let i = random.below(*n);
                self.about(random, &format!("{path}[{i}]"), element)
            }
        }
    }

    fn other_integer(&self, random: &mut Random) -> Option<String> {
        let (name, proc) = random.pick(&self.processes);
        let integers: Vec<&(String, Ty)> = proc
            .vars
            .iter()
            .filter(|(_, ty)| matches!(ty, Ty::Int(..)))
            .collect();
        (!integers.is_empty()).then(|| format!("{name}.{} + 1", random.pick(&integers).0))
    }
}
