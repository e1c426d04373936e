//! Running the binary.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// How a run ended.
#[derive(Debug)]
pub struct Output {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Output {
    /// The run ended with this code, and not in a panic.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert!(!self.err.contains("panicked"), "{}", self.err);
        assert_eq!(self.code, code, "\n{}\n{}", self.out, self.err);
        self
    }

    /// The lines of standard error as JSON objects.
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        let lines = self.err.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}")))
            .collect()
    }
}

/// The binary with arguments, in a folder, without the caller's settings of colours.
pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sandalc"));
    command
        .args(args)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("CLICOLOR")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the binary in the package's folder.
pub fn sandalc(args: &[&str]) -> Output {
    finish(command(Path::new(env!("CARGO_MANIFEST_DIR")), args))
}

/// Runs the binary in a folder.
pub fn sandalc_in(folder: &Path, args: &[&str]) -> Output {
    finish(command(folder, args))
}

/// Runs the binary with a text on standard input.
pub fn sandalc_with(input: &[u8], args: &[&str]) -> Output {
    let mut command = command(Path::new(env!("CARGO_MANIFEST_DIR")), args);
    command.stdin(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // It may end without reading everything.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer ends");
    convert(&output)
}

/// Runs a prepared command.
pub fn finish(mut command: Command) -> Output {
    convert(&command.output().expect("the binary runs"))
}

fn convert(output: &std::process::Output) -> Output {
    Output {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs the binary in a terminal of its own; what it wrote there, and the exit code. `typed` is what somebody types at once.
#[cfg(unix)]
pub fn in_terminal(folder: &Path, args: &[&str], typed: &[u8]) -> (String, Option<i32>) {
    use std::io::Read;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("it is ours");
    unlockpt(&master).expect("it is ours");
    let name = ptsname(&master, Vec::new()).expect("its name");
    let open = || {
        let name = name.to_str().expect("a path");
        let file = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .open(name);
        Stdio::from(file.expect("the other end"))
    };
    let mut prepared = command(folder, args);
    prepared.stdin(open()).stdout(open()).stderr(open());
    prepared.env("TERM", "xterm-256color");
    let mut child = prepared.spawn().expect("it starts");
    // The other ends are closed here, so that the end of the process is the end of what can be read.
    drop(prepared);
    let mut terminal = std::fs::File::from(master);
    terminal.write_all(typed).expect("typed");
    let mut bytes = Vec::new();
    // At its end a terminal is an error.
    let _ = terminal.read_to_end(&mut bytes);
    let code = child.wait().expect("it ends").code();
    (String::from_utf8_lossy(&bytes).into_owned(), code)
}
