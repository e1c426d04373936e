//! What things are called where: in `main`, or in the module of a process.
//!
//! A process module sees its own variables by name and everything else through parameters, which appear
//! when something is first read.

use indexmap::{IndexMap, IndexSet};

use super::names::{Names, Taken};
use super::process::all_end;
use super::steps::Steps;
use crate::source::Sources;
use crate::system::{Domain, Edge, Expr, Leaf, LocId, Owner, System, VarId};
use crate::vocabulary::DataId;
use crate::vocabulary::{ChannelId, ProcessId};

/// A System with everything the emitter found out about it.
pub struct Emitting<'a> {
    /// The System.
    pub system: &'a System,
    /// Its source texts.
    pub sources: &'a Sources,
    /// The names.
    pub names: Names,
    /// The steps.
    pub steps: Steps,
    /// Which steps change each variable.
    pub writers: Vec<Vec<(ProcessId, usize)>>,
    /// Whether there are fair choices that make a difference: who comes to an end passes over nothing for ever.
    pub has_compassion: bool,
}

impl<'a> Emitting<'a> {
    /// Looks at a System.
    pub fn new(system: &'a System, sources: &'a Sources) -> Self {
        let names = Names::new(system, sources);
        let steps = Steps::new(system, &names, sources);
        let mut writers = vec![Vec::new(); system.vars.len()];
        for (id, process) in system.processes() {
            for (index, step) in steps.of[id.0 as usize].iter().enumerate() {
                for (var, _) in &process.edges[step.edges[0]].updates {
                    let writers: &mut Vec<_> = &mut writers[var.0 as usize];
                    if writers.last() != Some(&(id, index)) {
                        writers.push((id, index));
                    }
                }
            }
        }
        Emitting {
            system,
            sources,
            names,
            steps,
            writers,
            has_compassion: !system.fair.is_empty() && !all_end(system),
        }
    }

    /// What says who may run when.
    pub fn scheduling(&self) -> &'static str {
        match self.has_compassion {
            true => "INVAR",
            false => "TRANS",
        }
    }

    /// The edge that speaks for a step.
    pub fn edge(&self, process: ProcessId, step: usize) -> &'a Edge {
        let edges = &self.steps.of[process.0 as usize][step].edges;
        &self.system.process(process).edges[edges[0]]
    }

    /// Whether a variable has to be stored: it is no function of others and may change.
    pub fn is_stored(&self, var: VarId) -> bool {
        let found = self.system.var(var);
        found.derived.is_none()
            && found.domain.size() > 1
            && (!self.writers[var.0 as usize].is_empty() || self.system.start_codes(var).len() > 1)
    }

    /// The variables of an owner.
    pub fn vars_of(&self, owner: Owner) -> Vec<VarId> {
        (0..self.system.vars.len() as u32)
            .map(VarId)
            .filter(|v| self.system.var(*v).owner == owner)
            .collect()
    }

    /// The same expression without questions about locations that are never reached, and without choices
    /// between a condition and its opposite.
    pub fn prune(&self, expr: &Expr) -> Expr {
        excluded_middle(expr.map(&mut |leaf| match leaf {
            Leaf::At(p, locations) => {
                let names = &self.names.locations[p.0 as usize];
                let reached = |l: &LocId| !names[l.0 as usize].is_empty();
                let here: Vec<LocId> = locations.iter().copied().filter(reached).collect();
                match here.len() {
                    0 => Expr::no(),
                    n if n == self.names.reachable[p.0 as usize] => Expr::yes(),
                    _ => Expr::Leaf(Leaf::At(*p, here)),
                }
            }
            other => Expr::Leaf(other.clone()),
        }))
    }
}

/// `c || !c` is true, as for the two ways out of an `if`; `c || c` is `c`.
fn excluded_middle(expr: Expr) -> Expr {
    match expr {
        Expr::And(parts) => Expr::and(parts.iter().cloned().map(excluded_middle)),
        Expr::Or(parts) => {
            let mut distinct: IndexSet<Expr> = IndexSet::new();
            distinct.extend(parts.iter().cloned().map(excluded_middle));
            let opposed = |e: &Expr| matches!(e, Expr::Not(inner) if distinct.contains(&**inner));
            if distinct.iter().any(opposed) {
                Expr::yes()
            } else {
                Expr::or(distinct)
            }
        }
        other => other,
    }
}

/// What a process module is told about the rest of the model.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Foreign {
    /// The input variable `choice`.
    Choice,
    /// An input variable for picks.
    Pick(String),
    /// A channel.
    Channel(ChannelId),
    /// Another process.
    Process(ProcessId),
    /// A variable of `main`: a budget.
    Budget(VarId),
}

/// How a module calls what it is told about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// By the names they have in `main`.
    Actual,
    /// By names that fit several instances: `ch_1`.
    Neutral,
}

/// Where an expression stands.
pub struct Scope<'a> {
    model: &'a Emitting<'a>,
    owner: Option<ProcessId>,
    style: Style,
    taken: Taken,
    parameters: IndexMap<Foreign, String>,
    hoisted: Vec<(String, String)>,
}

impl<'a> Scope<'a> {
    /// The module `main`.
    pub fn main(model: &'a Emitting<'a>) -> Self {
        let mut taken = model.names.in_main();
        for name in model.steps.picks.values() {
            taken.claim(name);
        }
        Scope {
            model,
            owner: None,
            style: Style::Actual,
            taken,
            parameters: IndexMap::new(),
            hoisted: Vec::new(),
        }
    }

    /// The module of a process.
    pub fn process(model: &'a Emitting<'a>, process: ProcessId, style: Style) -> Self {
        let mut taken = model.names.in_module(model.system, Owner::Process(process));
        for step in &model.steps.of[process.0 as usize] {
            taken.claim(&step.name);
        }
        Scope {
            owner: Some(process),
            style,
            taken,
            ..Scope::main(model)
        }
    }

    /// What the emitter knows.
    pub fn model(&self) -> &'a Emitting<'a> {
        self.model
    }

    /// The System.
    pub fn system(&self) -> &'a System {
        self.model.system
    }

    /// A fresh name.
    pub fn claim(&mut self, wish: &str) -> String {
        self.taken.claim(wish)
    }

    /// The parameters so far, inputs first: what each stands for, and its name here.
    pub fn parameters(&self) -> Vec<(Foreign, String)> {
        let mut found: Vec<_> = self.parameters.clone().into_iter().collect();
        found.sort_by_key(|(what, _)| match what {
            Foreign::Choice => 0,
            Foreign::Pick(_) => 1,
            _ => 2,
        });
        found
    }

    /// Gives a text a name and returns that.
    pub fn hoist(&mut self, text: String) -> String {
        if let Some((name, _)) = self.hoisted.iter().find(|(_, t)| *t == text) {
            return name.clone();
        }
        let name = self.claim("term");
        self.hoisted.push((name.clone(), text));
        name
    }

    /// The texts hoisted since the last call, with their names.
    pub fn take_hoisted(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.hoisted)
    }

    /// A constructor.
    pub fn constant(&self, data: DataId, index: i64) -> String {
        let constants = &self.model.names.constants[data.0 as usize];
        // An expression may be out of bounds where nobody evaluates it.
        let index = usize::try_from(index).unwrap_or(0).min(constants.len() - 1);
        constants[index].clone()
    }

    /// A variable.
    pub fn var(&mut self, id: VarId) -> String {
        let name = self.model.names.vars[id.0 as usize].clone();
        match self.model.system.var(id).owner {
            Owner::Process(p) if self.owner == Some(p) => name,
            Owner::Process(p) => format!("{}.{name}", self.foreign(Foreign::Process(p))),
            Owner::Channel(c) => format!("{}.{name}", self.foreign(Foreign::Channel(c))),
            Owner::Fault(_) | Owner::Shared(_) => self.foreign(Foreign::Budget(id)),
        }
    }

    /// The definition that says that a step is taken.
    pub fn step(&mut self, process: ProcessId, step: usize) -> String {
        let name = self.model.steps.of[process.0 as usize][step].name.clone();
        self.member(process, &name)
    }

    /// A definition of a process's module.
    pub fn member(&mut self, process: ProcessId, name: &str) -> String {
        if self.owner == Some(process) {
            name.to_string()
        } else {
            format!("{}.{name}", self.foreign(Foreign::Process(process)))
        }
    }

    /// The input variable `choice`.
    pub fn choice(&mut self) -> String {
        self.foreign(Foreign::Choice)
    }

    /// The input variable of a pick; none if there is but one value.
    pub fn pick(&mut self, picks: &[Domain], index: u32) -> Option<String> {
        let name = self.model.steps.pick(picks, index)?.to_string();
        Some(self.foreign(Foreign::Pick(name)))
    }

    /// Whether a process is at one of these locations.
    pub fn at(&mut self, process: ProcessId, locations: &[LocId]) -> String {
        let names = &self.model.names.locations[process.0 as usize];
        let name = |l: &LocId| names[l.0 as usize].as_str();
        let mut inside: Vec<LocId> = locations.to_vec();
        inside.sort_unstable();
        inside.dedup();
        inside.retain(|l| !name(l).is_empty());
        let rest = self.model.names.reachable[process.0 as usize] - inside.len();
        let pc = match (inside.len(), rest) {
            (0, _) => return "FALSE".into(),
            (_, 0) => return "TRUE".into(),
            _ => self.member(process, "pc"),
        };
        match inside.as_slice() {
            [one] => format!("{pc} = {}", name(one)),
            _ if rest == 1 => {
                let is_out = |l: &LocId| !name(l).is_empty() && inside.binary_search(l).is_err();
                let out = (0..names.len() as u32).map(LocId).find(is_out);
                format!("{pc} != {}", name(&out.expect("one is left")))
            }
            _ => {
                let here: Vec<&str> = inside.iter().map(name).collect();
                format!("{pc} in {{{}}}", here.join(", "))
            }
        }
    }

    fn foreign(&mut self, what: Foreign) -> String {
        let names = &self.model.names;
        let actual = match &what {
            Foreign::Choice => "choice".to_string(),
            Foreign::Pick(name) => name.clone(),
            Foreign::Channel(c) => names.channels[c.0 as usize].clone(),
            Foreign::Process(p) => names.processes[p.0 as usize].clone(),
            Foreign::Budget(v) => names.vars[v.0 as usize].clone(),
        };
        if self.owner.is_none() {
            return actual;
        }
        if let Some(name) = self.parameters.get(&what) {
            return name.clone();
        }
        let name = match (&what, self.style) {
            // Reserved in every module for this.
            (Foreign::Choice, _) => actual,
            (Foreign::Channel(_), Style::Neutral) => self.numbered("ch"),
            (Foreign::Process(_), Style::Neutral) => self.numbered("proc"),
            (Foreign::Budget(_), Style::Neutral) => self.numbered("used"),
            _ => self.claim(&actual),
        };
        self.parameters.insert(what, name.clone());
        name
    }

    /// `ch_1`, or `ch_2` if that is taken, and so on.
    fn numbered(&mut self, stem: &str) -> String {
        let name = (1..)
            .map(|n| format!("{stem}_{n}"))
            .find(|name| self.taken.is_free(name))
            .expect("numbers do not run out");
        self.claim(&name)
    }
}
