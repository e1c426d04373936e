//! Names that NuSMV accepts, as close to the source as they can be.
//!
//! NuSMV has one name space for enumeration constants and instances, reserves many words (single letters
//! among them), and knows neither `worker[1]` nor `m.w`. The rules here:
//!
//! - constructors keep their names; a variable or instance called like a constructor yields;
//! - a name that is free as it is written keeps it; only then names that need a change get one:
//!   `worker[1]` becomes `worker_1`, a reserved word `F` becomes `F_`, a clash gets a number;
//! - names of the emitter's own (`pc`, `running`) are taken from the start.

use rustc_hash::FxHashSet;

use super::locations::{location_names, reachable_locations};
use crate::source::Sources;
use crate::system::{Owner, System, VarId};
use crate::vocabulary::ProcessId;

/// Words that NuSMV 2.6 or nuXmv 2 does not accept as an identifier.
const KEYWORDS: &[&str] = &[
    "A",
    "ABF",
    "ABG",
    "AF",
    "AG",
    "ASSIGN",
    "AX",
    "BU",
    "COMPASSION",
    "COMPID",
    "COMPUTE",
    "COMPWFF",
    "CONSTANTS",
    "CONSTARRAY",
    "CONSTRAINT",
    "CTLSPEC",
    "CTLWFF",
    "Clock",
    "DEFINE",
    "E",
    "EBF",
    "EBG",
    "EF",
    "EG",
    "EX",
    "F",
    "FAIRNESS",
    "FALSE",
    "FROZENVAR",
    "FUN",
    "G",
    "H",
    "IN",
    "INIT",
    "INVAR",
    "INVARSPEC",
    "ISA",
    "ITYPE",
    "IVAR",
    "Integer",
    "JUSTICE",
    "LTLSPEC",
    "LTLWFF",
    "MAX",
    "MDEFINE",
    "MIN",
    "MIRROR",
    "MODULE",
    "NAME",
    "O",
    "PARSYNTH",
    "PRED",
    "PREDICATES",
    "PSLSPEC",
    "PSLWFF",
    "READ",
    "Real",
    "S",
    "SIMPWFF",
    "SPEC",
    "T",
    "TRANS",
    "TRUE",
    "U",
    "URGENT",
    "V",
    "VAR",
    "WRITE",
    "Word",
    "X",
    "Y",
    "Z",
    "abs",
    "acos",
    "array",
    "asin",
    "atan",
    "at",
    "bool",
    "boolean",
    "case",
    "clock",
    "cos",
    "count",
    "esac",
    "exp",
    "extend",
    "floor",
    "in",
    "init",
    "integer",
    "ln",
    "max",
    "min",
    "mod",
    "next",
    "noncontinuous",
    "of",
    "pi",
    "pow",
    "process",
    "real",
    "resize",
    "self",
    "signed",
    "sin",
    "sizeof",
    "swconst",
    "tan",
    "time",
    "toint",
    "typeof",
    "union",
    "unsigned",
    "uwconst",
    "word",
    "word1",
    "xnor",
    "xor",
];

/// The emitter's own variables, definitions and modules.
const OWN: &[&str] = &[
    "main",
    "pc",
    "running",
    "choice",
    "moves",
    "can_move",
    "quiescent",
    "deadlock",
    "unfinished",
    "assert_fails",
    "range_fails",
    "division_fails",
    "index_fails",
    "excused",
];

/// The emitter's own enumeration constants.
const OWN_CONSTANTS: &[&str] = &["nobody", "done", "crashed", "failed"];

/// A set of names in use.
#[derive(Clone, Debug, Default)]
pub struct Taken(FxHashSet<String>);

impl Taken {
    /// What NuSMV keeps for itself.
    pub fn keywords() -> Self {
        Self::of(&[KEYWORDS])
    }

    fn of(words: &[&[&str]]) -> Self {
        Taken(
            words
                .iter()
                .flat_map(|w| w.iter())
                .map(|w| (*w).to_string())
                .collect(),
        )
    }

    /// Takes `wish` if it is free, else something like it.
    pub fn claim(&mut self, wish: &str) -> String {
        let name = std::iter::once(wish.to_string())
            .chain(std::iter::once(format!("{wish}_")).filter(|_| is_keyword(wish)))
            .chain((2..).map(|n| format!("{wish}_{n}")))
            .find(|name| !self.0.contains(name))
            .expect("numbers do not run out");
        self.0.insert(name.clone());
        name
    }

    /// Whether nothing has this name.
    pub fn is_free(&self, name: &str) -> bool {
        !self.0.contains(name)
    }

    /// Claims many names at once: first those that are free as they are, then the others.
    fn claim_all(&mut self, wishes: &[String]) -> Vec<String> {
        let mut names = vec![String::new(); wishes.len()];
        for natural in [true, false] {
            for (name, wish) in names.iter_mut().zip(wishes) {
                let legal = is_identifier(wish);
                if !name.is_empty() || (natural && (!legal || self.0.contains(wish))) {
                    continue;
                }
                *name = self.claim(&identifier(wish));
            }
        }
        names
    }
}

/// The names of everything a System has.
pub struct Names {
    /// Constructors, by data type.
    pub constants: Vec<Vec<String>>,
    /// Process instances.
    pub processes: Vec<String>,
    /// Channel instances.
    pub channels: Vec<String>,
    /// Variables, inside their owner's module (that is `main` for budgets).
    pub vars: Vec<String>,
    /// Locations, by process; empty for one that cannot be reached.
    pub locations: Vec<Vec<String>>,
    /// How many locations can be reached, by process.
    pub reachable: Vec<usize>,
    /// The constants that say which process moves.
    pub runs: Vec<String>,
    /// Properties.
    pub properties: Vec<String>,
    /// The property that asks whether some run satisfies the assumptions.
    pub assumptions: String,
    /// What no name of a later scope may be: keywords, own names, constants.
    reserved: Taken,
    /// The names used in `main`.
    main: Taken,
}

impl Names {
    /// Chooses the names for a System.
    pub fn new(system: &System, sources: &Sources) -> Names {
        let constants = constants(system);
        // What a variable may not be.
        let mut avoid = Taken::of(&[KEYWORDS, OWN, OWN_CONSTANTS]);
        avoid.0.extend(constants.iter().flatten().cloned());

        // Instances and budgets live in `main`.
        let mut main = avoid.clone();
        let budgets: Vec<VarId> =
            vars_of(system, |o| matches!(o, Owner::Fault(_) | Owner::Shared(_)));
        let wishes: Vec<String> = (system.processes.iter().map(|p| p.name.clone()))
            .chain(system.channels.iter().map(|c| c.name.clone()))
            .chain(budgets.iter().map(|v| system.var(*v).name.clone()))
            .collect();
        let mut found = main.claim_all(&wishes);
        let budget_names = found.split_off(system.processes.len() + system.channels.len());
        let channels = found.split_off(system.processes.len());
        let processes = found;

        let mut vars = vec![String::new(); system.vars.len()];
        let mut assign = |ids: &[VarId], names: Vec<String>| {
            for (id, name) in ids.iter().zip(names) {
                vars[id.0 as usize] = name;
            }
        };
        assign(&budgets, budget_names);
        let owners = (0..system.processes.len() as u32)
            .map(|p| Owner::Process(ProcessId(p)))
            .chain(
                (0..system.channels.len() as u32)
                    .map(|c| Owner::Channel(crate::vocabulary::ChannelId(c))),
            );
        for owner in owners {
            let ids = vars_of(system, |o| o == owner);
            let wishes: Vec<String> = ids.iter().map(|v| system.var(*v).name.clone()).collect();
            assign(&ids, avoid.clone().claim_all(&wishes));
        }

        // Locations and `run_..` are constants, so they avoid all variables.
        let mut avoid_constants = Taken::of(&[KEYWORDS, OWN]);
        for names in [&processes, &channels, &vars] {
            avoid_constants.0.extend(names.iter().cloned());
        }
        let runs: Vec<String> = {
            let mut taken = avoid_constants.clone();
            taken
                .0
                .extend(OWN_CONSTANTS.iter().map(|c| (*c).to_string()));
            processes
                .iter()
                .map(|p| taken.claim(&format!("run_{p}")))
                .collect()
        };
        let locations: Vec<Vec<String>> = system
            .processes
            .iter()
            .map(|p| location_names(p, &reachable_locations(p), sources, avoid_constants.clone()))
            .collect();

        let mut reserved = avoid;
        reserved
            .0
            .extend(runs.iter().chain(locations.iter().flatten()).cloned());
        main.0.extend(reserved.0.iter().cloned());

        let mut taken = Taken::of(&[KEYWORDS]);
        let wishes: Vec<String> = system.properties.iter().map(|p| p.name.clone()).collect();
        let properties = taken.claim_all(&wishes);
        let assumptions = taken.claim("assumptions_contradict");
        Names {
            constants,
            processes,
            channels,
            vars,
            reachable: (locations.iter())
                .map(|names| names.iter().filter(|name| !name.is_empty()).count())
                .collect(),
            locations,
            runs,
            properties,
            assumptions,
            reserved,
            main,
        }
    }

    /// The names taken in `main`.
    pub fn in_main(&self) -> Taken {
        self.main.clone()
    }

    /// The names taken in the module of a process or channel.
    pub fn in_module(&self, system: &System, owner: Owner) -> Taken {
        let mut taken = self.reserved.clone();
        let own = vars_of(system, |o| o == owner);
        taken
            .0
            .extend(own.iter().map(|v| self.vars[v.0 as usize].clone()));
        taken
    }

    /// `worker1.resp`: a variable's name as seen from `main`.
    pub fn full(&self, system: &System, var: VarId) -> String {
        let name = &self.vars[var.0 as usize];
        match system.var(var).owner {
            Owner::Process(p) => format!("{}.{name}", self.processes[p.0 as usize]),
            Owner::Channel(c) => format!("{}.{name}", self.channels[c.0 as usize]),
            Owner::Fault(_) | Owner::Shared(_) => name.clone(),
        }
    }
}

/// The same constructor name is the same constant, whatever the type.
fn constants(system: &System) -> Vec<Vec<String>> {
    let mut distinct: Vec<String> = Vec::new();
    for name in system.data.iter().flat_map(|d| &d.constructors) {
        if !distinct.contains(name) {
            distinct.push(name.clone());
        }
    }
    let names = Taken::of(&[KEYWORDS, OWN]).claim_all(&distinct);
    let of = |name: &String| {
        let index = distinct
            .iter()
            .position(|d| d == name)
            .expect("collected above");
        names[index].clone()
    };
    system
        .data
        .iter()
        .map(|d| d.constructors.iter().map(of).collect())
        .collect()
}

fn vars_of(system: &System, select: impl Fn(Owner) -> bool) -> Vec<VarId> {
    (0..system.vars.len() as u32)
        .map(VarId)
        .filter(|v| select(system.var(*v).owner))
        .collect()
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Whether it is an identifier for NuSMV's scripts too, where `#` begins a comment.
fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// An identifier like `name`: `worker[1]` becomes `worker_1`, `m.w` becomes `m_w`, `x#2` becomes `x_2`.
pub fn identifier(name: &str) -> String {
    let mut result = String::new();
    for c in name.chars() {
        match c {
            ']' => {}
            c if c.is_ascii_alphanumeric() || c == '_' => result.push(c),
            '-' => result.push('m'),
            _ => result.push('_'),
        }
    }
    if !result
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
    {
        result.insert(0, '_');
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natural_names_come_first() {
        let mut taken = Taken::of(&[KEYWORDS, OWN]);
        let wishes = ["w[1]", "w_1", "F", "F_", "pc", "m.w", "x#2", "ok"].map(String::from);
        let names = taken.claim_all(&wishes);
        assert_eq!(
            names,
            ["w_1_2", "w_1", "F_2", "F_", "pc_2", "m_w", "x_2", "ok"]
        );
    }

    #[test]
    fn keywords_get_an_underscore() {
        let mut taken = Taken::of(&[KEYWORDS]);
        assert_eq!(taken.claim("next"), "next_");
        assert_eq!(taken.claim("next"), "next_2");
    }
}
