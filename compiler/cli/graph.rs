//! `sandalc graph`: the processes of a model as pictures.

use super::Exit;
use super::args::{Graph, Wanted};
use super::model;
use super::shell::Shell;
use crate::diagnostic::did_you_mean;
use crate::report::graph;
use crate::vocabulary::ProcessId;

/// Prints a picture of a model, or of one of its processes.
pub fn run(args: &Graph, shell: &mut Shell) -> Exit {
    match picture(args, shell) {
        Ok(text) => {
            shell.print(&text);
            shell.done()
        }
        Err(exit) => exit,
    }
}

fn picture(args: &Graph, shell: &mut Shell) -> Result<String, Exit> {
    let model = model::program(&args.model, shell)?;
    let system = model::system(&args.model.options, &model.program, shell)?;
    let graph = match &args.process {
        None => graph::topology(&system),
        Some(name) => {
            let found = system.processes.iter().position(|p| p.name == *name);
            let Some(index) = found else {
                let names = || system.processes.iter().map(|process| process.name.as_str());
                let hint = match did_you_mean(name, names()) {
                    Some(near) => format!("write `{near}`"),
                    None => format!("choose from {}", names().collect::<Vec<_>>().join(", ")),
                };
                let message = format!("the model has no process `{name}`");
                shell.complain(&message, None, Some(&hint));
                return Err(Exit::BadInput);
            };
            graph::machine(&system, &model.sources, ProcessId(index as u32), true).0
        }
    };
    Ok(match shell.wanted() {
        Some(Wanted::Dot) => graph::dot::write(&graph),
        Some(Wanted::Mermaid) => graph::mermaid::write(&graph),
        _ => graph::svg::write(&graph),
    })
}
