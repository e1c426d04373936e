//! `sandalc FILE -o OUT`: a model as NuSMV modules.

use super::args::Compile;
use super::shell::Shell;
use super::{Exit, files, model};
use crate::nusmv;

/// Compiles a model. Nothing is written if anything is wrong with it.
pub fn run(args: &Compile, shell: &mut Shell) -> Exit {
    let model = match model::program(&args.model, shell) {
        Ok(model) => model,
        Err(exit) => return exit,
    };
    let system = match model::system(&args.model, &model.program, shell) {
        Ok(system) => system,
        Err(exit) => return exit,
    };
    let text = nusmv::emit(&system, &model.sources).text;
    let Some(output) = args
        .output
        .as_ref()
        .filter(|path| !files::is_standard(path))
    else {
        shell.print(&text);
        return shell.done();
    };
    let inputs = model
        .loaded
        .modules()
        .filter_map(|module| module.path.as_ref());
    for input in inputs {
        if files::same(input, output) {
            let path = files::display(output);
            shell.complain(
                &format!("`{path}` is a part of the model: it would be overwritten"),
                Some(&path),
                Some("name another file after `-o`"),
            );
            return Exit::BadInput;
        }
    }
    match files::write(output, text.as_bytes()) {
        Ok(()) => Exit::Ok,
        Err(failure) => {
            shell.fail("write", &failure);
            Exit::BadInput
        }
    }
}
