//! Random specifications.

use super::random::Random;
use super::types::{Proc, Ty};

/// What specifications may talk about.
pub struct Atoms {
    /// The processes by the names of their instances.
    pub processes: Vec<(String, Proc)>,
    /// The buffered channels with their capacities.
    pub buffers: Vec<(String, usize)>,
}

impl Atoms {
    /// The specifications of a model, a line each.
    pub fn specs(&self, random: &mut Random) -> Vec<String> {
        let mut specs = Vec::new();
        for i in 0..1 + random.below(2) {
            specs.push(format!("invariant i{i} {{ {} }}", self.state(random, 2)));
        }
        if random.chance(70) {
            specs.push(format!("reachable {{ {} }}", self.state(random, 2)));
        }
        for i in 0..1 + random.below(3) {
            specs.push(format!("ltl l{i} {{ {} }}", self.ltl(random, 3)));
        }
        for i in 0..random.below(3) {
            specs.push(format!("ctl c{i} {{ {} }}", self.ctl(random, 3)));
        }
        if random.chance(12) {
            // Satisfied by some run at least, as far as one can tell from here.
            let atom = self.atom(random);
            specs.push(format!("assume {{ G F {atom} || F G !({atom}) }}"));
        }
        specs
    }

    /// A formula without temporal operators.
    fn state(&self, random: &mut Random, depth: usize) -> String {
        if depth == 0 || random.chance(25) {
            return self.atom(random);
        }
        let left = self.state(random, depth - 1);
        let right = self.state(random, depth - 1);
        match random.below(6) {
            0 => format!("!({left})"),
            1 => format!("{left} && {right}"),
            2 | 3 => format!("({left} || {right})"),
            4 => format!("({left} -> {right})"),
            _ => format!("({left} <-> {right})"),
        }
    }

    fn ltl(&self, random: &mut Random, depth: usize) -> String {
        if depth == 0 || random.chance(20) {
            return self.state(random, 1);
        }
        let left = self.ltl(random, depth - 1);
        match random.below(12) {
            0..6 => {
                // `X`, `Y` and `Z` count steps, which makes them rare in practice and dear in the tests.
                let op = *random.pick(&[
                    "G", "F", "G", "F", "G F", "F G", "H", "O", "X", "Y", "Z", "G",
                ]);
                format!("{op} ({left})")
            }
            6 | 7 => {
                let op = *random.pick(&["U", "V", "S", "T"]);
                format!("(({left}) {op} ({}))", self.ltl(random, depth - 1))
            }
            8 => format!("!({left})"),
            9 => format!("(({left}) && ({}))", self.ltl(random, depth - 1)),
            10 => format!("(({left}) -> ({}))", self.ltl(random, depth - 1)),
            _ => format!("(({left}) || ({}))", self.ltl(random, depth - 1)),
        }
    }

    fn ctl(&self, random: &mut Random, depth: usize) -> String {
        if depth == 0 || random.chance(20) {
            return self.state(random, 1);
        }
        let left = self.ctl(random, depth - 1);
        match random.below(10) {
            0..6 => {
                let op = *random.pick(&["AG", "AF", "EG", "EF", "AX", "EX"]);
                format!("{op} ({left})")
            }
            6 | 7 => {
                let op = *random.pick(&["A", "E"]);
                format!("{op} (({left}) U ({}))", self.ctl(random, depth - 1))
            }
            8 => format!("!({left})"),
            _ => format!("(({left}) && ({}))", self.ctl(random, depth - 1)),
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
        let (name, proc) = random.pick(&self.processes);
        if random.chance(15) {
            return format!("{name}.{}", random.pick(&["done", "crashed", "failed"]));
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
            Ty::Array(element, n) => {
                if random.chance(30) {
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
