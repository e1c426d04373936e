//! The `sandalc` command.

fn main() -> std::process::ExitCode {
    sandalc::cli::main()
}
