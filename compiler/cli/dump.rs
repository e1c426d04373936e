//! `sandalc dump`: a model in each of its forms.

use super::args::{Dump, Form};
use super::shell::Shell;
use super::{Exit, model};
use crate::{graph, nusmv, weave};

/// Prints a form of a model.
pub fn run(args: &Dump, shell: &mut Shell) -> Exit {
    let text = match args.form {
        Form::Graph | Form::Woven | Form::Smv => checked(args, shell),
    };
    match text {
        Ok(text) => {
            shell.print(&text);
            shell.done()
        }
        Err(exit) => exit,
    }
}

/// The forms of a right model.
fn checked(args: &Dump, shell: &mut Shell) -> Result<String, Exit> {
    let model = model::program(&args.model, shell)?;
    Ok(match args.form {
        Form::Graph => {
            let graphs = graph::lower(&model.program);
            if args.dot {
                graph::print::dot(&model.program, &graphs)
            } else {
                graph::print::text(&model.program, &graphs, &model.sources)
            }
        }
        Form::Woven => weave::print(&model::system(&args.model, &model.program, shell)?),
        Form::Smv => {
            let system = model::system(&args.model, &model.program, shell)?;
            nusmv::emit(&system, &model.sources).text
        }
    })
}
