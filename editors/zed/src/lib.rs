//! Tells Zed how to start the language server: `sandalc lsp`, with the `sandalc` of the user's `PATH`.

use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Sandal;

impl zed::Extension for Sandal {
    fn new() -> Self {
        Sandal
    }

    fn language_server_command(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let missing = "sandalc is not on the PATH: install it with `cargo install --path .` in its repository";
        Ok(Command {
            command: worktree.which("sandalc").ok_or(missing)?,
            args: vec!["lsp".to_owned()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Sandal);
