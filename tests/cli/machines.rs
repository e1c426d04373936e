//! Several processes on this machine find what one finds, and whoever is lost is missed soon.

#![cfg(feature = "machines")]

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use super::run::{Output, command, finish, sandalc};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Longer than anything here takes, on a busy machine too.
const LONGEST: Duration = Duration::from_secs(240);

/// A file with so many hosts, all of them this one.
struct Hosts(tempfile::TempDir);

impl Hosts {
    fn new(count: usize) -> Hosts {
        let folder = tempfile::tempdir().expect("a folder");
        let bind = |_| TcpListener::bind("127.0.0.1:0").expect("a free port");
        let free: Vec<TcpListener> = (0..count).map(bind).collect();
        let lines = free.iter().map(|free| {
            let address = free.local_addr().expect("its address");
            format!("{address}\n")
        });
        fs::write(folder.path().join("hosts"), lines.collect::<String>()).expect("a file");
        Hosts(folder)
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("hosts")
    }

    /// The command of a process.
    fn command(&self, process: usize, args: &[&str]) -> Command {
        let file = self.file();
        let process = process.to_string();
        let hosts = [
            "--hosts",
            file.to_str().expect("a path"),
            "--process",
            &process,
        ];
        let fixed = ["--connect-timeout", "120", "--engine", "embedded"];
        command(ROOT.as_ref(), &[&["check"], args, &fixed, &hosts].concat())
    }

    /// Runs so many processes to their end.
    fn run(&self, count: usize, args: &[&str]) -> Vec<Output> {
        let threads = (0..count).map(|process| {
            let command = self.command(process, args);
            thread::spawn(|| finish(command))
        });
        let threads: Vec<_> = threads.collect();
        threads
            .into_iter()
            .map(|one| one.join().expect("it ends"))
            .collect()
    }
}

/// What one process says.
fn alone(args: &[&str]) -> Output {
    sandalc(&[&["check"], args, &["--engine", "embedded"]].concat())
}

#[track_caller]
fn same_as_one(count: usize, args: &[&str]) {
    let wanted = alone(args);
    let all = Hosts::new(count).run(count, args);
    let told = |out: &str| -> Vec<String> {
        let lines = out.lines().filter(|line| {
            // What is said about properties that are not shared; time and memory differ.
            let other = ["note: ", "memory ", "time ", "processes "];
            !other.iter().any(|start| line.starts_with(start))
        });
        lines.map(str::to_owned).collect()
    };
    for one in &all {
        assert!(!one.err.contains("panicked"), "{}", one.err);
        assert_eq!(one.code, wanted.code, "{args:?}\n{}\n{}", one.out, one.err);
    }
    assert_eq!(told(&all[0].out), told(&wanted.out), "{args:?}");
    for other in &all[1..] {
        assert_eq!(other.out, "");
        let done = "is done; process 0 tells the answers";
        assert!(other.err.contains(done), "{}", other.err);
    }
}

#[test]
fn several_processes_say_what_one_says() {
    same_as_one(2, &["examples/two_phase.sdl"]);
    same_as_one(4, &["examples/two_phase_drop.sdl", "--stats"]);
    same_as_one(2, &["examples/philosophers.sdl", "--stats"]);
    same_as_one(1, &["examples/server.sdl"]);
    same_as_one(4, &["examples/backoff.sdl", "--stats"]);
    // With levels of tolerance, and knowledge, which nobody shares.
    same_as_one(2, &["examples/muddy_children.sdl"]);
}

#[test]
#[ignore = "takes minutes"]
fn several_processes_say_what_one_says_about_all_examples() {
    let examples = fs::read_dir(Path::new(ROOT).join("examples")).expect("a folder");
    let mut paths: Vec<PathBuf> = examples
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "sdl"));
    paths.sort();
    assert!(paths.len() > 30);
    for (index, path) in paths.iter().enumerate() {
        let path = path.to_str().expect("a path");
        same_as_one(2 + 2 * (index % 2), &[path, "--minimise", "1000"]);
    }
}

/// A model of so many processes that count up, which interleave in all ways.
fn counters(count: usize, most: usize) -> String {
    let mut text = format!(
        "proc Counter() {{ var n int[0..{most}] = 0; for n < {most} {{ n = n + 1 }} }}\ninit {{\n"
    );
    for index in 0..count {
        text += &format!("    c{index}: Counter(),\n");
    }
    text + "}\n"
}

/// Starts processes, and ends one of them after a while; how the others end.
fn with_one_lost(hosts: &Hosts, lost: usize, after: Duration, args: &[&str]) -> Vec<Output> {
    let start = |process| hosts.command(process, args).spawn().expect("it starts");
    let mut children: Vec<Child> = (0..3).map(start).collect();
    thread::sleep(after);
    let mut victim = children.remove(lost);
    victim.kill().expect("it can be killed");
    let _ = victim.wait();
    let killed = Instant::now();
    let ends = children.into_iter().map(|child| {
        let output = child.wait_with_output().expect("it ends");
        Output {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    });
    let ends: Vec<Output> = ends.collect();
    assert!(killed.elapsed() < LONGEST);
    ends
}

#[test]
fn a_lost_process_is_missed_and_the_search_goes_on_later() {
    let hosts = Hosts::new(3);
    let model = hosts.0.path().join("model.sdl");
    fs::write(&model, counters(5, 11)).expect("a file");
    let model = model.to_str().expect("a path");
    let folder = hosts.0.path().join("levels");
    let folder = folder.to_str().expect("a path");
    let plain = [
        "--no-reduction",
        "--no-symmetry",
        "--no-simplify",
        "--stats",
        "--max-states",
        "100000000",
    ];
    let args = [&[model, "--checkpoint", folder], plain.as_slice()].concat();
    let mut lost = 0;
    for (round, after) in [(1, 700), (2, 1500), (0, 2500)] {
        let resumed = [args.as_slice(), &["--resume"]].concat();
        let args = if lost == 0 { &args } else { &resumed };
        let ends = with_one_lost(&hosts, round, Duration::from_millis(after), args);
        let missed = ends.iter().all(|end| end.code == 3);
        for end in ends.iter().filter(|_| missed) {
            assert!(!end.err.contains("panicked"), "{}", end.err);
            assert!(
                end.err.contains("was lost") || end.err.contains("have not come"),
                "{}",
                end.err
            );
        }
        lost += usize::from(missed);
    }
    let wanted = alone(&[&[model], plain.as_slice()].concat());
    let resumed = [args.as_slice(), &["--resume"]].concat();
    let all = hosts.run(3, &resumed);
    let figure = |out: &str, name: &str| {
        let line = out.lines().find(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("{name} in {out}")).to_owned()
    };
    for name in ["states", "transitions", "depth", "deadlock"] {
        assert_eq!(figure(&all[0].out, name), figure(&wanted.out, name));
    }
    assert!(all.iter().all(|one| one.code == wanted.code));
    // Everything is there now: nothing is sent but what all say to each other at the end of a level.
    let again = hosts.run(3, &resumed);
    assert_eq!(
        figure(&again[0].out, "states"),
        figure(&wanted.out, "states")
    );
}

#[test]
fn what_is_wrong_is_said() {
    let model = "examples/ping.sdl";
    let hosts = Hosts::new(2);
    let file = hosts.file();
    let file = file.to_str().expect("a path");
    let check = |args: &[&str]| sandalc(&[&["check", model], args].concat());
    check(&["--hosts", file]).expect(2);
    check(&["--process", "0"]).expect(2);
    check(&["--resume"]).expect(2);
    let output = check(&["--hosts", file, "--process", "2"]).expect(2);
    assert!(
        output.err.contains("there is no process 2"),
        "{}",
        output.err
    );
    assert!(output.err.contains("from 0 to 1"), "{}", output.err);
    let output = check(&["--hosts", "nowhere", "--process", "0"]).expect(2);
    assert!(
        output.err.contains("cannot read `nowhere`"),
        "{}",
        output.err
    );
    let output = check(&["--hosts", "README.md", "--process", "0"]).expect(2);
    assert!(output.err.contains("line 1: "), "{}", output.err);
    let nusmv = ["--hosts", file, "--process", "0", "--engine", "nusmv"];
    check(&nusmv).expect(2);
    let several = ["check", model, model, "--hosts", file, "--process", "0"];
    sandalc(&several).expect(2);
    // Nobody comes.
    let output = check(&[
        "--hosts",
        file,
        "--process",
        "0",
        "--connect-timeout",
        "0.3",
    ])
    .expect(3);
    assert!(
        output.err.contains("process 1 (`127.0.0.1:"),
        "{}",
        output.err
    );
    assert!(
        output.err.contains("has not come within 0.3 s"),
        "{}",
        output.err
    );
    let output = check(&["--hosts", file, "--process", "1", "--timeout", "0.5"]).expect(3);
    assert!(
        output.err.contains("the time is up before all processes"),
        "{}",
        output.err
    );
    // Somebody else is there.
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let line = taken.local_addr().expect("its address").to_string();
    let other = hosts.0.path().join("taken");
    fs::write(&other, line).expect("a file");
    let other = other.to_str().expect("a path");
    let output = check(&["--hosts", other, "--process", "0"]).expect(2);
    assert!(
        output.err.contains("cannot listen on `127.0.0.1:"),
        "{}",
        output.err
    );
}

#[test]
fn all_have_to_do_the_same() {
    for (other, what) in [
        (["examples/server.sdl", "--stats"], "differ in the model"),
        (
            ["examples/ping.sdl", "--no-reduction"],
            "differ in the options",
        ),
    ] {
        let hosts = Hosts::new(3);
        let run = |process, args: &[&str]| {
            let command = hosts.command(process, args);
            thread::spawn(|| finish(command))
        };
        let same = ["examples/ping.sdl", "--stats"];
        let all = [run(0, &same), run(1, &other), run(2, &same)];
        for one in all {
            let output = one.join().expect("it ends").expect(2);
            assert!(
                output.err.contains("process 1 (`127.0.0.1:"),
                "{}",
                output.err
            );
            assert!(output.err.contains(what), "{}", output.err);
        }
    }
}

#[test]
fn limits_end_all() {
    let hosts = Hosts::new(2);
    let model = hosts.0.path().join("model.sdl");
    fs::write(&model, counters(6, 30)).expect("a file");
    let model = model.to_str().expect("a path");
    let plain = [model, "--no-reduction", "--no-symmetry", "--no-simplify"];
    for limit in [["--timeout", "3"], ["--max-states", "5000"]] {
        for output in hosts.run(2, &[plain.as_slice(), &limit].concat()) {
            output.expect(3);
        }
    }
}
