//! `sandalc dump`: a model in each of its forms.

use super::Exit;
use super::args::{Dump, Form};
use super::model::{self, Model};
use super::proofs;
use super::shell::Shell;
use crate::aiger;
use crate::graph;
use crate::load::{Module, problem};
use crate::nusmv;
use crate::program;
use crate::simplify::Rules;
use crate::source::Sources;
use crate::syntax;
use crate::system::{self, System};

/// What NuSMV reads: the same, with what processes know worked out.
fn smv(args: &Dump, shell: &mut Shell) -> Result<(Model, System), Exit> {
    let model = model::program(&args.model, shell)?;
    let options = &args.model.options;
    let system = model::resolved(options, &model.program, shell)?;
    let simplified = model::simplified(options, &system, Rules::default(), &|| false);
    Ok((model, simplified.system))
}

/// Prints a form of a model.
pub fn run(args: &Dump, shell: &mut Shell) -> Exit {
    let text = match args.form {
        Form::Tokens => written(args, shell, |main, sources| {
            syntax::dump::tokens(sources, main.id)
        }),
        Form::Ast => written(args, shell, |main, sources| {
            syntax::dump::ast(&main.parsed.file, sources)
        }),
        Form::Program => {
            model::program(&args.model, shell).map(|model| program::dump(&model.program))
        }
        Form::Graph => model::program(&args.model, shell).map(|model| graphs(&model, args.dot)),
        Form::Woven => woven(args, shell).map(|(_, system)| system::print::system(&system)),
        Form::Simplified => {
            simplified(args, shell).map(|(_, system)| system::print::system(&system))
        }
        Form::Smv => {
            smv(args, shell).map(|(model, system)| nusmv::emit(&system, &model.sources).text)
        }
        Form::Aiger => simplified(args, shell)
            .and_then(|(_, system)| proofs::aiger(&system, aiger::Kind::Text, shell))
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    };
    match text {
        Ok(text) => {
            shell.print(&text);
            shell.done()
        }
        Err(exit) => exit,
    }
}

/// A form of a single text, which need not be a right model.
fn written(
    args: &Dump,
    shell: &mut Shell,
    print: impl Fn(&Module, &Sources) -> String,
) -> Result<String, Exit> {
    let mut sources = Sources::new();
    let loaded = model::load(&args.model.file, &mut sources).map_err(|failure| {
        shell.fail("read", &failure);
        Exit::BadInput
    })?;
    let diagnostics = loaded.all_diagnostics();
    shell.report(&diagnostics, &sources);
    let is_text = !diagnostics.iter().any(|d| d.code == problem::NOT_UTF8);
    let text = if is_text {
        print(&loaded.main, &sources)
    } else {
        String::new()
    };
    if diagnostics.iter().any(|d| d.is_error()) {
        // A tree with holes may still help to see what went wrong.
        shell.print(&text);
        return Err(Exit::BadInput);
    }
    Ok(text)
}

fn graphs(model: &Model, dot: bool) -> String {
    let graphs = graph::lower(&model.program);
    if dot {
        graph::print::dot(&model.program, &graphs)
    } else {
        graph::print::text(&model.program, &graphs, &model.sources)
    }
}

fn woven(args: &Dump, shell: &mut Shell) -> Result<(Model, System), Exit> {
    let model = model::program(&args.model, shell)?;
    let system = model::system(&args.model.options, &model.program, shell)?;
    Ok((model, system))
}

/// What the engines read: the woven System, made smaller unless the arguments forbid it.
fn simplified(args: &Dump, shell: &mut Shell) -> Result<(Model, System), Exit> {
    let (model, system) = woven(args, shell)?;
    let options = &args.model.options;
    let simplified = model::simplified(options, &system, Rules::default(), &|| false);
    Ok((model, simplified.system))
}
