//! `sandalc completions` and `sandalc man`.

use clap::CommandFactory;

use super::Exit;
use super::args::{Arguments, Completions, Man};
use super::shell::Shell;
use crate::diagnostic::did_you_mean;

/// Prints a completion script.
pub fn completions(args: &Completions, shell: &mut Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut Arguments::command(),
        "sandalc",
        &mut script,
    );
    shell.print(&String::from_utf8_lossy(&script));
    shell.done()
}

/// Prints the manual page of the program or of one command.
pub fn man(args: &Man, shell: &mut Shell) -> Exit {
    let mut program = Arguments::command();
    program.build();
    let page = match &args.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let names = program.get_subcommands().map(|command| command.get_name());
                let hint = did_you_mean(name, names).map(|near| format!("write `{near}`"));
                shell.complain(
                    &format!("there is no command `{name}`"),
                    None,
                    hint.as_deref(),
                );
                return Exit::BadInput;
            }
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut text)
        .expect("a vector can be written to");
    shell.print(&String::from_utf8_lossy(&text));
    shell.done()
}
