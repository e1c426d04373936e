//! From a System to the text of an SMV model.
//!
//! NuSMV's state is exactly the System's (but for fair choices, see `fairness`): a location per process and the stored
//! variables. Who moves, by
//! which of several steps and with which picks are input variables. A process may be `running` only if it
//! takes a step, and `nobody` runs only where no process has to move, so every state has a successor.
//!
//! ```text
//! MODULE Worker(running, choice, req, rep)      a module per process
//! VAR pc, variables
//! DEFINE a definition per step, true when it is taken; moves; can_move
//! ASSIGN what each step changes
//! TRANS running -> moves
//! JUSTICE running | !can_move
//!
//! MODULE Rendezvous_Response(next_ready, ..)    a module per kind of channel
//!
//! MODULE main
//! IVAR running, choice, picks
//! VAR an instance per process and channel
//! TRANS running = nobody -> quiescent
//! COMPASSION for each fair choice
//! INVARSPEC, LTLSPEC, CTLSPEC
//! ```

mod channel;
mod expr;
mod fairness;
mod locations;
mod names;
mod order;
mod process;
mod property;
mod scope;
mod steps;
mod text;
mod time;

use indexmap::IndexMap;

pub use property::{Form, Spec};

use self::channel::{channel_arguments, channel_modules};
use self::expr::Writer;
use self::names::Taken;
use self::order::{Item, order};
use self::process::{ProcessModule, all_end, assignment, location_names, process_module, unstored};
use self::scope::{Emitting, Foreign, Scope, Style};
use self::text::{definition, domain, section};
use crate::source::Sources;
use crate::system::{Domain, PropertyKind, System, VarId};
use crate::vocabulary::ProcessId;

/// An SMV model, with what is needed to understand NuSMV's answers.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// The text.
    pub text: String,
    /// With fair choices: the text without them. Its states are the System's.
    pub plain: Option<String>,
    /// Where NuSMV is asked whether time goes on, if it is to be: a System of its own, and its model.
    pub calm: Option<Box<(System, Emitted)>>,
    /// A specification per property of the System.
    pub specs: Vec<Spec>,
    /// The name of the `LTLSPEC` that must be false: no run satisfies the assumptions.
    pub assumptions: Option<String>,
    /// What things are called in traces.
    pub names: TraceNames,
}

/// What things are called in NuSMV's traces.
#[derive(Clone, Debug)]
pub struct TraceNames {
    /// By variable; none if it is not stored.
    pub vars: Vec<Option<String>>,
    /// The variable that holds a process's location; none if it has but one.
    pub pcs: Vec<Option<String>>,
    /// By process and location; empty if never reached.
    pub locations: Vec<Vec<String>>,
    /// By data type and constructor.
    pub constants: Vec<Vec<String>>,
    /// The value of `running` when a process moves.
    pub runs: Vec<String>,
    /// By process and edge: the value of `choice` it needs.
    pub choices: Vec<Vec<Option<u32>>>,
    /// By process and edge: the input variable of each pick.
    pub picks: Vec<Vec<Vec<Option<String>>>>,
}

/// Writes a System as an SMV model. Comments give the source lines. The same System yields the same text.
pub fn emit(system: &System, sources: &Sources) -> Emitted {
    write(system, sources, !all_end(system))
}

/// Writes a System; with `fair` as one in which processes are weakly fair.
fn write(system: &System, sources: &Sources, fair: bool) -> Emitted {
    let model = Emitting::new(system, sources);
    let mut modules = Taken::keywords();
    modules.claim("main");
    let mut text = String::new();
    if let Some((_, file)) = sources.iter().next() {
        let path: String = file.path.chars().filter(|c| !c.is_control()).collect();
        text += &format!(
            "-- {path}, translated by sandalc {}.\n\n",
            env!("CARGO_PKG_VERSION")
        );
    }
    let processes = process_modules(&model, fair, &mut modules, &mut text);
    let channels = channel_modules(&model, &mut modules);
    text += &channels.text;

    let mut scope = Scope::main(&model);
    let mut main = Main::default();
    for item in order(system) {
        match item {
            Item::Process(id) => main.process(&mut scope, id, &processes[id.0 as usize]),
            Item::Channel(id) => {
                let (arguments, defines) = channel_arguments(&mut scope, id);
                let module = &channels.of[id.0 as usize];
                let name = &model.names.channels[id.0 as usize];
                main.instance(&model, name, module, &arguments, system.channel(id).span);
                main.defines += &defines;
            }
            Item::Budget(var) => main.budget(&mut scope, var),
        }
    }
    main.scheduling(&mut scope);

    let mut specs = Vec::new();
    let mut spec_text = String::new();
    if let Some(text) = property::assumptions(&mut scope) {
        spec_text += "-- Some run should satisfy the assumptions: this should be false.\n";
        spec_text += &text;
    }
    for (property, name) in system.properties.iter().zip(&model.names.properties) {
        if let Some(comment) = property.span.and_then(|s| locations::comment(s, sources)) {
            spec_text += &format!("-- {comment}\n");
        }
        let (spec, line) = property::property(&mut scope, property, name);
        specs.push(spec);
        spec_text += &line;
    }
    for (name, value) in scope.take_hoisted() {
        main.defines += &format!("  {name} := {value};\n");
    }
    text += &main.text(&model);
    text += &spec_text;
    let unfair = (!system.fair.is_empty()).then(|| fairness::without(system));
    let calm = time::is_asked(system).then(|| time::calm(system));
    Emitted {
        calm: calm.map(|system| {
            // Whether something can be reached does not depend on fairness, which only makes it hard to find out.
            let emitted = write(&system, sources, false);
            Box::new((system, emitted))
        }),
        text,
        plain: unfair.map(|system| emit(&system, sources).text),
        specs,
        assumptions: (!system.assumptions.is_empty()).then(|| model.names.assumptions.clone()),
        names: trace_names(&model),
    }
}

/// The module of each process: its name and what to pass. Instances of one proc share a module if theirs
/// would be the same but for the names of what is passed.
fn process_modules(
    model: &Emitting<'_>,
    fair: bool,
    modules: &mut Taken,
    text: &mut String,
) -> Vec<(String, ProcessModule)> {
    let system = model.system;
    let mut alike: IndexMap<(&str, Vec<String>, String), Vec<usize>> = IndexMap::new();
    let mut found: Vec<ProcessModule> = Vec::new();
    for (id, process) in system.processes() {
        let module = process_module(model, id, Style::Neutral, fair);
        let key = (
            process.proc_name.as_str(),
            module.parameters.clone(),
            module.body.clone(),
        );
        alike.entry(key).or_default().push(id.0 as usize);
        found.push(module);
    }
    let kinds = |proc_name: &str| alike.keys().filter(|(name, ..)| *name == proc_name).count();
    let mut result: Vec<Option<(String, ProcessModule)>> = vec![None; found.len()];
    for ((proc_name, ..), instances) in &alike {
        let first = instances[0];
        let wish = if kinds(proc_name) == 1 {
            names::identifier(proc_name)
        } else {
            let instance = &model.names.processes[first];
            format!("{}_{instance}", names::identifier(proc_name))
        };
        let name = modules.claim(&wish);
        if instances.len() == 1 {
            found[first] = process_module(model, ProcessId(first as u32), Style::Actual, fair);
        }
        for instance in instances {
            result[*instance] = Some((name.clone(), found[*instance].clone()));
        }
        let module = &found[first];
        let who: Vec<&str> = instances
            .iter()
            .map(|i| system.processes[*i].name.as_str())
            .collect();
        *text += &format!("-- proc {proc_name}: {}\n", who.join(", "));
        *text += &format!(
            "MODULE {name}({})\n",
            parameters(&module.parameters).join(", ")
        );
        *text += &module.body;
        *text += "\n";
    }
    result
        .into_iter()
        .map(|m| m.expect("every process is in one group"))
        .collect()
}

fn parameters(rest: &[String]) -> Vec<String> {
    std::iter::once("running".to_string())
        .chain(rest.iter().cloned())
        .collect()
}

/// The sections of `main`.
#[derive(Default)]
struct Main {
    vars: String,
    defines: String,
    assigns: String,
    trans: String,
}

impl Main {
    fn instance(
        &mut self,
        model: &Emitting<'_>,
        name: &str,
        module: &str,
        arguments: &[String],
        span: crate::source::Span,
    ) {
        let arguments = if arguments.is_empty() {
            String::new()
        } else {
            format!("({})", arguments.join(", "))
        };
        if let Some(comment) = locations::comment(span, model.sources) {
            self.vars += &format!("  -- {comment}\n");
        }
        self.vars += &format!("  {name} : {module}{arguments};\n");
    }

    fn process(
        &mut self,
        scope: &mut Scope<'_>,
        id: ProcessId,
        (module, parts): &(String, ProcessModule),
    ) {
        let model = scope.model();
        let names = &model.names;
        let mut arguments = vec![format!("running = {}", names.runs[id.0 as usize])];
        arguments.extend(parts.arguments.iter().map(|what| match what {
            Foreign::Choice => "choice".to_string(),
            Foreign::Pick(name) => name.clone(),
            Foreign::Channel(c) => names.channels[c.0 as usize].clone(),
            Foreign::Process(p) => names.processes[p.0 as usize].clone(),
            Foreign::Budget(v) => names.vars[v.0 as usize].clone(),
        }));
        let name = &names.processes[id.0 as usize];
        let span = model.system.process(id).span;
        self.instance(model, name, module, &arguments, span);
    }

    fn budget(&mut self, scope: &mut Scope<'_>, var: VarId) {
        let model = scope.model();
        if model.is_stored(var) {
            let kind = domain(&model.names, model.system.var(var).domain);
            self.vars += &format!("  {} : {kind};\n", model.names.vars[var.0 as usize]);
            self.assigns += &assignment(scope, var);
        } else {
            self.defines += &unstored(scope, var);
        }
    }

    /// Who may run when, and the definitions that properties need.
    fn scheduling(&mut self, scope: &mut Scope<'_>) {
        let model = scope.model();
        let movers: Vec<String> = (model.system.processes())
            .map(|(id, _)| format!("!{}", scope.member(id, "can_move")))
            .collect();
        self.defines += &definition("quiescent", &movers, "&", "TRUE");
        let asked = (model.system.properties.iter()).any(|p| p.kind == PropertyKind::Deadlock);
        if let Some(deadlock) = property::deadlock(scope).filter(|_| asked) {
            self.defines += &format!("  deadlock := {deadlock};\n");
        }
        if let Some(only) = &model.system.starts.only {
            let text = Writer::new(scope, &[]).condition(only);
            self.trans += &format!("INIT {text};\n");
        }
        if !model.names.runs.is_empty() {
            let word = model.scheduling();
            self.trans += &format!("{word} running = nobody -> quiescent;\n");
        }
        if model.has_compassion {
            self.trans += &fairness::compassion(scope);
        }
    }

    fn text(&self, model: &Emitting<'_>) -> String {
        let mut inputs = String::new();
        let runs: Vec<&str> = model.names.runs.iter().map(String::as_str).collect();
        // A variable of one value would be a constant to NuSMV, and a reason to warn.
        if !runs.is_empty() {
            inputs += &format!(
                "  running : {{{}}};\n",
                [&runs[..], &["nobody"]].concat().join(", ")
            );
        }
        if model.steps.choices > 1 {
            inputs += &format!("  choice : 0..{};\n", model.steps.choices - 1);
        }
        for ((kind, _), name) in &model.steps.picks {
            if kind.size() > 1 {
                inputs += &format!("  {name} : {};\n", domain(&model.names, *kind));
            }
        }
        format!(
            "MODULE main\n{}{}{}{}{}{}",
            section("CONSTANTS", &constants(model)),
            match model.has_compassion {
                true => section("VAR", &inputs),
                false => section("IVAR", &inputs),
            },
            section("VAR", &self.vars),
            section("DEFINE", &self.defines),
            section("ASSIGN", &self.assigns),
            self.trans
        )
    }
}

/// The constants that are in no declared type but may be mentioned.
fn constants(model: &Emitting<'_>) -> String {
    let mut declared: Vec<&str> = Vec::new();
    let mut wanted: Vec<&str> = Vec::new();
    let system = model.system;
    for (id, _) in system.processes() {
        let locations = location_names(model, id);
        if locations.len() > 1 {
            declared.extend(&locations);
        } else {
            wanted.extend(&locations);
        }
    }
    let stored = (0..system.vars.len() as u32)
        .map(VarId)
        .filter(|v| model.is_stored(*v))
        .map(|v| system.var(v).domain);
    let picked = model.steps.picks.keys().map(|(d, _)| *d);
    for domain in stored.chain(picked) {
        if let (Domain::Data { data, count }, true) = (domain, domain.size() > 1) {
            let names = &model.names.constants[data.0 as usize][..count as usize];
            declared.extend(names.iter().map(String::as_str));
        }
    }
    wanted.extend(model.names.constants.iter().flatten().map(String::as_str));
    let mut missing: Vec<&str> = Vec::new();
    for name in wanted {
        if !declared.contains(&name) && !missing.contains(&name) {
            missing.push(name);
        }
    }
    if missing.is_empty() {
        String::new()
    } else {
        format!("  {};\n", missing.join(", "))
    }
}

fn trace_names(model: &Emitting<'_>) -> TraceNames {
    let system = model.system;
    TraceNames {
        vars: (0..system.vars.len() as u32)
            .map(VarId)
            .map(|v| model.is_stored(v).then(|| model.names.full(system, v)))
            .collect(),
        pcs: (system.processes())
            .map(|(id, _)| {
                let several = location_names(model, id).len() > 1;
                several.then(|| format!("{}.pc", model.names.processes[id.0 as usize]))
            })
            .collect(),
        locations: model.names.locations.clone(),
        constants: model.names.constants.clone(),
        runs: model.names.runs.clone(),
        choices: (system.processes())
            .map(|(id, p)| model.steps.choices_of(id, p.edges.len()))
            .collect(),
        picks: (system.processes())
            .map(|(_, p)| {
                let inputs = |picks: &[Domain]| {
                    (0..picks.len() as u32)
                        .map(|i| model.steps.pick(picks, i).map(str::to_string))
                        .collect()
                };
                p.edges.iter().map(|e| inputs(&e.picks)).collect()
            })
            .collect(),
    }
}
