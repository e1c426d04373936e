//! `sandalc FILE -o OUT`: a model as NuSMV modules, or its safety properties as AIGER.

use super::args::{Compile, ModelArgs};
use super::shell::Shell;
use super::{Exit, files, model, proofs};
use crate::aiger::Kind;
use crate::nusmv;
use crate::simplify::Rules;

/// Compiles a model. Nothing is written if anything is wrong with it.
pub fn run(args: Compile, shell: &mut Shell) -> Exit {
    let output = args.output;
    let args = ModelArgs {
        file: args
            .file
            .expect("a file is required if there is no command"),
        options: args.options,
    };
    let woven = model::program(&args, shell).and_then(|model| {
        let woven = model::resolved(&args.options, &model.program, shell)?;
        Ok((
            model,
            model::simplified(&args.options, &woven, Rules::default(), &|| false).system,
        ))
    });
    let (model, system) = match woven {
        Ok(woven) => woven,
        Err(exit) => return exit,
    };
    let output = output.filter(|path| !files::is_standard(path));
    let ending = output.as_ref().and_then(|path| path.extension());
    let kind = match ending.and_then(|ending| ending.to_str()) {
        Some("aig") => Some(Kind::Binary),
        Some("aag") => Some(Kind::Text),
        _ => None,
    };
    let bytes = match kind {
        Some(kind) => match proofs::aiger(&system, kind, shell) {
            Ok(bytes) => bytes,
            Err(exit) => return exit,
        },
        None => nusmv::emit(&system, &model.sources).text.into_bytes(),
    };
    let Some(output) = output else {
        shell.print(&String::from_utf8_lossy(&bytes));
        return shell.done();
    };
    let inputs = model
        .loaded
        .modules()
        .filter_map(|module| module.path.as_ref());
    for input in inputs {
        if files::same(input, &output) {
            let path = files::display(&output);
            shell.complain(
                &format!("`{path}` is a part of the model: it would be overwritten"),
                Some(&path),
                Some("name another file after `-o`"),
            );
            return Exit::BadInput;
        }
    }
    match files::write(&output, &bytes) {
        Ok(()) => Exit::Ok,
        Err(failure) => {
            shell.fail("write", &failure);
            Exit::BadInput
        }
    }
}
