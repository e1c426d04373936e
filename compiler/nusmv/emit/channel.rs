//! A module per kind of channel: what it holds. When that changes is said in `main`, where all the processes
//! that use it are known, and passed as parameters.

use indexmap::IndexMap;

use super::expr::Writer;
use super::names::Taken;
use super::process::{next_value, unstored_value};
use super::scope::{Emitting, Scope};
use super::steps::domain_name;
use super::text::{domain, section};
use crate::system::{Channel, ChannelVars, Domain, Owner, VarId};
use crate::vocabulary::ChannelId;

/// The modules for channels, and which of them each channel is an instance of.
pub struct ChannelModules {
    /// The text of all modules.
    pub text: String,
    /// The module of each channel.
    pub of: Vec<String>,
}

/// What a variable of a channel is, as far as its module is concerned.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Member {
    name: String,
    domain: Domain,
    holds: Holds,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Holds {
    /// Stored, with its initial value.
    Stored(i64),
    /// A function of other variables, passed as a parameter.
    Derived,
    /// Never changed.
    Constant(i64),
}

/// Writes a module for each kind of channel; `modules` are the names of modules in use.
pub fn channel_modules(model: &Emitting<'_>, modules: &mut Taken) -> ChannelModules {
    let mut kinds: IndexMap<(String, Vec<Member>), String> = IndexMap::new();
    let mut text = String::new();
    let mut of = Vec::new();
    for (index, channel) in model.system.channels.iter().enumerate() {
        let owner = Owner::Channel(ChannelId(index as u32));
        let members: Vec<Member> = model
            .vars_of(owner)
            .iter()
            .map(|v| member(model, *v))
            .collect();
        let wish = kind_name(model, channel);
        let name = kinds
            .entry((wish.clone(), members.clone()))
            .or_insert_with(|| {
                let name = modules.claim(&wish);
                text += &module(model, owner, channel, &name, &members);
                name
            });
        of.push(name.clone());
    }
    ChannelModules { text, of }
}

/// What is passed to a channel, with the definitions in `main` that it refers to.
pub fn channel_arguments(scope: &mut Scope<'_>, channel: ChannelId) -> (Vec<String>, String) {
    let model = scope.model();
    let channel_name = model.names.channels[channel.0 as usize].clone();
    let mut arguments = Vec::new();
    let mut defines = String::new();
    for v in model.vars_of(Owner::Channel(channel)) {
        let var_name = &model.names.vars[v.0 as usize];
        if model.is_stored(v) {
            let name = scope.claim(&format!("next_{channel_name}_{var_name}"));
            let next = next_value(scope, v, &format!("{channel_name}.{var_name}"));
            defines += &format!("  {name} := {next};\n");
            arguments.push(name);
        } else if model.system.var(v).derived.is_some() {
            let name = scope.claim(&format!("{channel_name}_{var_name}"));
            let value = unstored_value(scope, v);
            defines += &format!("  {name} := {value};\n");
            arguments.push(name);
        }
    }
    (arguments, defines)
}

fn member(model: &Emitting<'_>, var: VarId) -> Member {
    let found = model.system.var(var);
    let holds = if model.is_stored(var) {
        Holds::Stored(found.init)
    } else if found.derived.is_some() {
        Holds::Derived
    } else {
        Holds::Constant(found.init)
    };
    Member {
        name: model.names.vars[var.0 as usize].clone(),
        domain: found.domain,
        holds,
    }
}

/// `Rendezvous_Response`, `Buffer2_bool_0_3`
fn kind_name(model: &Emitting<'_>, channel: &Channel) -> String {
    let (mut name, fields) = match &channel.vars {
        ChannelVars::Rendezvous { values, .. } => ("Rendezvous".to_string(), values.as_slice()),
        ChannelVars::Buffered { slots, .. } => (
            format!("Buffer{}", slots.len()),
            slots.first().map_or(&[][..], Vec::as_slice),
        ),
    };
    // A message of many scalars would make an unreadable name.
    if fields.len() <= 4 {
        for field in fields {
            let domain = model.system.var(*field).domain;
            name += &format!("_{}", domain_name(model.system, domain));
        }
    }
    name
}

fn module(
    model: &Emitting<'_>,
    owner: Owner,
    channel: &Channel,
    name: &str,
    members: &[Member],
) -> String {
    let mut taken = model.names.in_module(model.system, owner);
    // Constants are the same in every scope.
    let mut scope = Scope::main(model);
    let mut parameters = Vec::new();
    let (mut vars, mut defines, mut assigns) = (String::new(), String::new(), String::new());
    for member in members {
        let var = &member.name;
        match member.holds {
            Holds::Stored(init) => {
                let next = taken.claim(&format!("next_{var}"));
                let init = Writer::new(&mut scope, &[]).constant(member.domain.scalar(init));
                vars += &format!("  {var} : {};\n", domain(&model.names, member.domain));
                assigns += &format!("  init({var}) := {init};\n  next({var}) := {next};\n");
                parameters.push(next);
            }
            Holds::Derived => {
                // NuSMV does not let others see a parameter, so it gets a name.
                let value = taken.claim(&format!("{var}_is"));
                defines += &format!("  {var} := {value};\n");
                parameters.push(value);
            }
            Holds::Constant(init) => {
                let init = Writer::new(&mut scope, &[]).constant(member.domain.scalar(init));
                defines += &format!("  {var} := {init};\n");
            }
        }
    }
    let what = match &channel.vars {
        ChannelVars::Rendezvous { .. } => "A rendezvous channel.".to_string(),
        ChannelVars::Buffered { slots, .. } => {
            format!("A buffered channel of capacity {}.", slots.len())
        }
    };
    let parameters = if parameters.is_empty() {
        String::new()
    } else {
        format!("({})", parameters.join(", "))
    };
    format!(
        "-- {what}\nMODULE {name}{parameters}\n{}{}{}\n",
        section("VAR", &vars),
        section("DEFINE", &defines),
        section("ASSIGN", &assigns)
    )
}
