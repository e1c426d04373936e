//! Models with mistakes get an answer: no abort, no hang, no more memory than allowed, an exit code that
//! `docs/command_line.md` knows.
//!
//! `SANDAL_MUTANTS_COUNT` says how many, `SANDAL_MUTANTS_SEED` where to start: `cargo xtask soak` sets them. Of each kind of
//! trouble one model is shrunk and printed.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use wait4::Wait4;

use super::mutate::{Texts, models_in};
use super::{binary, number, shrink};

/// How many an ordinary test run looks at.
const COUNT: u64 = 2_000;

/// What a run may cost: processor time and memory. The limits it is told are lower, for what it does when they are reached.
const SECONDS: f64 = 5.0;
const MEMORY: u64 = 1 << 30;
const TOLD: &[&str] = &["--timeout", "3", "--max-memory", "700M"];

/// Whoever takes so long, and no processor time, waits for ever; the machine may be busy.
const FOR_EVER: Duration = Duration::from_secs(120);

/// What is done with a model. States are few: what comes before the search is what a mutant is about.
const COMMANDS: &[&[&str]] = &[
    &["check", "--max-states", "2000"],
    &["check", "--max-states", "2000", "--format", "json"],
    &["check", "--max-states", "300", "--no-simplify"],
    &["check", "--max-states", "2000", "--no-faults", "--timely"],
    &["fmt", "--check"],
    &["simulate", "--seed", "7", "--runs", "3", "--steps", "300"],
    &["tolerance", "--max-states", "300"],
];

#[test]
fn mutated_models_get_an_answer() {
    let count = number("SANDAL_MUTANTS_COUNT", COUNT);
    let first = number("SANDAL_MUTANTS_SEED", 0);
    let texts = Texts::read(Path::new(env!("CARGO_MANIFEST_DIR")));
    let next = AtomicU64::new(first);
    let codes: Mutex<BTreeMap<i32, u64>> = Mutex::default();
    let wrong: Mutex<BTreeMap<String, Vec<u64>>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let folder = tempfile::tempdir().expect("a folder");
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        break;
                    }
                    match run(folder.path(), &texts.mutant(seed), command(seed)) {
                        Ok(code) => {
                            *codes.lock().expect("no panic").entry(code).or_default() += 1;
                        }
                        Err(kind) => {
                            let mut wrong = wrong.lock().expect("no panic");
                            wrong.entry(kind).or_default().push(seed);
                        }
                    }
                }
            });
        }
    });
    let codes = codes.into_inner().expect("no panic");
    let wrong = wrong.into_inner().expect("no panic");
    println!("{count} mutants from seed {first}, by exit code: {codes:?}");
    assert!(wrong.is_empty(), "{}", explain(&texts, &wrong));
    // A mutant that the parser refuses says nothing about what comes after it.
    let checked: u64 = [0, 1, 3].iter().filter_map(|code| codes.get(code)).sum();
    assert!(
        checked * 5 >= count,
        "only {checked} of {count} mutants are models: {codes:?}"
    );
}

/// Or nothing would be tested but how bad options are refused.
#[test]
fn examples_get_an_answer_to_every_command() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    for path in models_in(&root.join("examples")) {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        for command in COMMANDS {
            let code = run(folder.path(), &text, command);
            let place = format!("sandalc {} {}", command.join(" "), path.display());
            assert!(matches!(code, Ok(0 | 1 | 3)), "{place}: {code:?}");
        }
    }
}

fn command(seed: u64) -> &'static [&'static str] {
    COMMANDS[seed as usize % COMMANDS.len()]
}

/// Runs the binary on a text: its exit code, or what kind of thing is wrong.
fn run(folder: &Path, text: &str, command: &[&str]) -> Result<i32, String> {
    std::fs::write(folder.join("mutant.sdl"), text).expect("a file can be written");
    let told = if command[0] == "fmt" { &[] } else { TOLD };
    // No file in the way, and no pipe that fills up.
    let errors = std::fs::File::create(folder.join("errors")).expect("a file can be written");
    let mut child = Command::new(binary())
        .args(command)
        .args(told)
        .arg("mutant.sdl")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn()
        .expect("the binary starts");
    let used = wait(&mut child)?;
    let mut said = Vec::new();
    let errors = std::fs::File::open(folder.join("errors")).expect("a file can be read");
    let begin = errors.take(1 << 20).read_to_end(&mut said);
    begin.expect("a file can be read");
    let said = String::from_utf8_lossy(&said);
    if said.contains("panicked") || said.contains("RUST_BACKTRACE") {
        let place = said.lines().find(|l| l.contains("panicked"));
        return Err(format!("panic: {}", place.unwrap_or_default()));
    }
    match used.status.code() {
        Some(code @ 0..=3) => {
            let rusage = used.rusage;
            let seconds = (rusage.utime + rusage.stime).as_secs_f64();
            if seconds > SECONDS {
                return Err(format!("{} takes too much time", command.join(" ")));
            }
            if rusage.maxrss > MEMORY {
                return Err(format!("{} takes too much memory", command.join(" ")));
            }
            if code == 2 && !said.contains("error") && !command.contains(&"json") {
                return Err("exit code 2 without an error".into());
            }
            Ok(code)
        }
        _ => Err(format!("{} ends with {}", command.join(" "), used.status)),
    }
}

/// Waits for the end; whoever is far beyond the limits is killed.
fn wait(child: &mut Child) -> Result<wait4::ResUse, String> {
    let start = Instant::now();
    loop {
        if let Some(used) = child.try_wait4().expect("a child can be waited for") {
            return Ok(used);
        }
        let killed = if resident(child.id()).is_some_and(|bytes| bytes > 2 * MEMORY) {
            "takes far too much memory"
        } else if start.elapsed() > FOR_EVER {
            "does not end"
        } else {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        };
        child.kill().expect("a child can be killed");
        child.wait().expect("a child can be waited for");
        return Err(killed.into());
    }
}

/// The memory that a process has, from `/proc`, where there is one.
fn resident(id: u32) -> Option<u64> {
    let statm = std::fs::read_to_string(format!("/proc/{id}/statm")).ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// One shrunk model for each kind of trouble.
fn explain(texts: &Texts, wrong: &BTreeMap<String, Vec<u64>>) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = String::new();
    for (kind, seeds) in wrong {
        let seed = seeds[0];
        let fails =
            |text: &str| run(folder.path(), text, command(seed)).is_err_and(|other| other == *kind);
        let model = shrink::shrink(&texts.mutant(seed), &fails);
        text += &format!(
            "\n== {kind} (seeds {seeds:?})\nsandalc {} {}\n\n{model}",
            command(seed).join(" "),
            TOLD.join(" ")
        );
    }
    text
}
