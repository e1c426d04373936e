//! Other programs and signals: nothing is lost, nothing is left behind.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::run::{command, finish};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Probed, it says that it is NuSMV.
const POLITE: &str = "case \"$*\" in *probe*) exit 0;; esac\n";

/// Longer than anything here takes.
const LONGEST: Duration = Duration::from_secs(60);

/// A folder with a fake NuSMV that does `script`, and with an empty folder for temporary files.
struct Scene(tempfile::TempDir);

impl Scene {
    fn new(script: &str) -> Self {
        let scene = Scene(tempfile::tempdir().expect("a folder"));
        let banner = "echo '*** This is NuSMV 2.6.0 (compiled on Monday)'";
        let text = format!("#!/bin/sh\n{banner}\n{script}\n");
        fs::write(scene.nusmv(), text).expect("a file");
        fs::set_permissions(scene.nusmv(), fs::Permissions::from_mode(0o755)).expect("permissions");
        fs::create_dir(scene.temporary()).expect("a folder");
        scene
    }

    fn nusmv(&self) -> PathBuf {
        self.0.path().join("NuSMV")
    }

    fn temporary(&self) -> PathBuf {
        self.0.path().join("tmp")
    }

    /// Where the fake writes the numbers of its processes, each on a line.
    fn told(&self) -> PathBuf {
        self.0.path().join("told")
    }

    fn check(&self, args: &[&str]) -> Command {
        let mut check = command(ROOT.as_ref(), &[&["check"], args].concat());
        check.env("SANDAL_NUSMV", self.nusmv());
        check.env("TMPDIR", self.temporary());
        check.env("TOLD", self.told());
        check
    }

    /// Starts checking, and returns once the fake has told about so many processes.
    fn start(&self, args: &[&str], processes: usize) -> Child {
        let child = self.check(args).spawn().expect("the binary starts");
        let start = Instant::now();
        let told = || fs::read_to_string(self.told()).unwrap_or_default();
        while told().lines().count() < processes {
            assert!(start.elapsed() < LONGEST, "NuSMV has not been started");
            std::thread::sleep(Duration::from_millis(5));
        }
        child
    }

    /// No process of the fake runs, and there is no temporary file.
    #[track_caller]
    fn assert_clean(&self) {
        for process in fs::read_to_string(self.told()).unwrap_or_default().lines() {
            wait_for(|| is_gone(process), &format!("process {process} to end"));
        }
        wait_for(
            || names(&self.temporary()).is_empty(),
            "the temporary files to go",
        );
    }
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("it").path()).collect()
}

/// What a killed process leaves behind goes a moment after it.
#[track_caller]
fn wait_for(done: impl Fn() -> bool, what: &str) {
    let start = Instant::now();
    while !done() {
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "waiting for {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process has ended; one that nobody has waited for is a zombie.
fn is_gone(process: &str) -> bool {
    match fs::read_to_string(format!("/proc/{process}/stat")) {
        Ok(stat) => stat.contains(") Z "),
        Err(_) => true,
    }
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let kill = Command::new("kill").args([name, &id]).status();
    assert!(kill.expect("kill runs").success());
}

/// It and a process of its own go on for ever, whatever signal comes.
const STUBBORN: &str = "trap '' TERM INT HUP\n\
    (while :; do sleep 1; done) &\n\
    echo $$ >> \"$TOLD\"; echo $! >> \"$TOLD\"; while :; do sleep 1; done";

const HOLDS: &str = "examples/ping.sdl";
const VIOLATED: &str = "examples/philosophers.sdl";

#[test]
fn signals_end_everything_with_what_is_known() {
    for (name, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let scene = Scene::new(&format!("{POLITE}{STUBBORN}"));
        let child = scene.start(&[VIOLATED], 2);
        signal(&child, name);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(out.contains("violated  deadlock"), "{out}");
        assert!(out.contains("sends true on fork[0]"), "{out}");
        assert!(out.contains("interrupted"), "{out}");
        scene.assert_clean();
    }
}

#[test]
fn signals_as_fast_as_they_come_leave_nothing_behind() {
    for pause in [0, 3, 600] {
        let scene = Scene::new(&format!("{POLITE}{STUBBORN}"));
        let mut child = scene.start(&[HOLDS], 2);
        // Also after it has ended: nobody has waited for it, so its number is its own.
        for round in 0..8 {
            let name = ["-INT", "-TERM"][round % 2];
            signal(&child, name);
            std::thread::sleep(Duration::from_millis(pause));
            if pause == 600 && round == 1 {
                break;
            }
        }
        let status = child.wait().expect("it ends");
        assert!(
            [Some(130), Some(143)].contains(&status.code()),
            "{status:?}"
        );
        scene.assert_clean();
    }
}

#[test]
fn killed_it_leaves_nothing_behind_either() {
    // While NuSMV is probed, and while it works.
    for script in [STUBBORN.to_owned(), format!("{POLITE}{STUBBORN}")] {
        let scene = Scene::new(&script);
        let mut child = scene.start(&[HOLDS], 2);
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        scene.assert_clean();
    }
}

#[test]
fn the_probe_keeps_to_the_time_limit() {
    let scene = Scene::new(STUBBORN);
    let start = Instant::now();
    let output = finish(scene.check(&[VIOLATED, "--timeout", "1"])).expect(1);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(output.out.contains("not cross-checked"), "{}", output.out);
    assert!(output.out.contains("sends true on fork[0]"));
    scene.assert_clean();
}

#[test]
fn trouble_with_nusmv_takes_nothing_away() {
    let scene = Scene::new(POLITE);
    let no_folder = scene.0.path().join("no/such/folder");
    let run = |model: &str, json: bool, asked: bool| {
        let mut args = vec![model];
        if json {
            args.extend(["--format", "json"]);
        }
        if asked {
            args.extend(["--nusmv", "/nonexistent"]);
        }
        let mut check = scene.check(&args);
        if !asked {
            check.env("TMPDIR", &no_folder);
        }
        finish(check)
    };
    for asked in [true, false] {
        let output = run(VIOLATED, false, asked).expect(1);
        assert!(output.out.contains("violated  deadlock"), "{}", output.out);
        assert!(output.out.contains("fork[0]"), "{}", output.out);
        assert!(output.out.contains("2 violated"), "{}", output.out);
        assert!(output.out.contains("not cross-checked"), "{}", output.out);
        let output = run(VIOLATED, true, asked).expect(1);
        let json: serde_json::Value = serde_json::from_str(&output.out).expect("JSON");
        assert_eq!(json["confirmation"]["outcome"], "failed", "{json}");
        assert!(json["properties"][0]["trace"]["steps"].is_array(), "{json}");
        // What holds has not been confirmed, which matters to whoever has asked for it.
        let code = if asked { 3 } else { 0 };
        let output = run(HOLDS, false, asked).expect(code);
        assert!(output.out.contains("holds     deadlock"), "{}", output.out);
        assert!(output.out.contains("not cross-checked"), "{}", output.out);
        run(HOLDS, true, asked).expect(code);
    }
    // Nor if NuSMV is asked about what the embedded engine does not know.
    let args = ["--max-states", "3", "--nusmv", "/nonexistent"];
    let output = finish(scene.check(&[&[HOLDS][..], &args].concat())).expect(3);
    assert!(
        output.out.contains("unknown   deadlock"),
        "{}\n{}",
        output.out,
        output.err
    );
    let silent = Scene::new(&format!("{POLITE}exit 7"));
    let output = finish(silent.check(&[HOLDS, "--max-states", "3"])).expect(3);
    assert!(output.out.contains("unknown   deadlock"), "{}", output.out);
    assert!(output.out.contains("not cross-checked"), "{}", output.out);
}

#[test]
fn a_nusmv_that_disagrees_about_assumptions_is_a_bug() {
    let model = "\
proc P() {
    var x 0..1
    for {
        x = any
    }
}

init {
    p: P(),
}

assume { G F (p.x == 1) }
ltl often { G F (p.x == 1) }
";
    let scene = Scene::new(&format!(
        "{POLITE}\
         name=$(sed -n 's/.*check_property -P //p' run.cmd | head -1)\n\
         echo \"<properties><property><name>$name</name><status>TRUE</status><trace>0</trace>\
         </property></properties>\" > answer_assumptions.xml"
    ));
    let path = scene.0.path().join("model.sdl");
    fs::write(&path, model).expect("a file");
    let path = path.display().to_string();
    let output = finish(scene.check(&[&path])).expect(4);
    let words = "the embedded engine says that some run satisfies all the assumptions";
    assert!(output.err.contains(words), "{}", output.err);
}

#[test]
fn an_unknown_name_is_not_run_from_the_current_folder() {
    let scene = Scene::new("touch \"$TOLD\"; exit 0");
    let mut check = scene.check(&[&Path::new(ROOT).join(HOLDS).display().to_string()]);
    check
        .current_dir(scene.0.path())
        .env("SANDAL_NUSMV", "NuSMV")
        .env("PATH", ":.:/nonexistent");
    let output = finish(check).expect(0);
    assert!(output.out.contains("NuSMV not found"), "{}", output.out);
    assert!(!scene.told().exists(), "it was run");
}

#[test]
fn without_threads_there_is_no_panic() {
    // The superuser may start as many as they like.
    let user = Command::new("setpriv")
        .args(["--reuid=54321", "--clear-groups", "--bounding-set=-all"])
        .args(["--inh-caps=-all", "--no-new-privs", "true"])
        .stderr(Stdio::null())
        .status();
    let superuser = user.is_ok_and(|status| status.success());
    let folder = tempfile::tempdir().expect("a folder");
    let (binary, model) = (folder.path().join("sandalc"), folder.path().join("m.sdl"));
    fs::copy(env!("CARGO_BIN_EXE_sandalc"), &binary).expect("a copy");
    fs::copy(Path::new(ROOT).join(VIOLATED), &model).expect("a copy");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("permissions");
    for most in 1..8 {
        let script = format!("ulimit -u {most} && exec ./sandalc check m.sdl --threads 2");
        let mut limited = if superuser {
            let mut limited = Command::new("setpriv");
            limited
                .args(["--reuid=54321", "--clear-groups", "--bounding-set=-all"])
                .args(["--inh-caps=-all", "--no-new-privs", "sh"]);
            limited
        } else {
            Command::new("sh")
        };
        limited
            .args(["-c", &script])
            .current_dir(folder.path())
            .env("TMPDIR", folder.path())
            .stdin(Stdio::null());
        let output = limited.output().expect("a shell");
        let text = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        let code = output.status.code();
        // 2: not even one thread for the work.
        assert!(
            [Some(1), Some(2)].contains(&code),
            "{most}: {code:?}\n{text}"
        );
        assert!(!text.contains("internal error"), "{most}: {text}");
    }
}

/// What a NuSMV says about itself or complains of is text, in whatever is written.
#[test]
fn a_hostile_nusmv_gets_nothing_through() {
    let evil = "</script><script>window.evil = 1</script><img src=x onerror=alert(1)>";
    let marks = "\\033]0;evil\\007\\033[31m\\342\\200\\256";
    for script in [
        // An answer that nobody asked for, an error, a name and a version of its own.
        format!("{POLITE}printf '-- specification {evil}{marks} is false\\n'; exit 0"),
        format!("{POLITE}printf '{evil}{marks}\\n' >&2; exit 1"),
        format!("printf '*** This is NuSMV {evil}{marks} (compiled on {evil})\\n'; exit 1"),
        format!(
            "{POLITE}printf '<?xml version=\"1.0\"?><counter-example desc=\"{evil}{marks}\"><node><state id=\"1\"><value variable=\"{marks}\">x</value></state></node></counter-example>\\n'"
        ),
    ] {
        let scene = Scene::new(&script);
        let file = |name: &str| scene.0.path().join(name);
        let mut check = scene.check(&[VIOLATED, "--trace", "both"]);
        for (option, name) in [
            ("--html", "a.html"),
            ("--junit", "a.xml"),
            ("--sarif", "a.sarif"),
            ("--mermaid", "a.md"),
            ("--itf", "a.itf.json"),
        ] {
            check.arg(option).arg(file(name));
        }
        let output = finish(check);
        assert!(output.code <= 3, "{}", output.err);
        let page = fs::read_to_string(file("a.html")).expect("the report");
        assert!(!page.contains("<script>window.evil"), "{script}");
        assert!(!page.contains("<img"), "{script}");
        let others = ["a.html", "a.xml", "a.sarif", "a.md", "a.itf.json"];
        let texts = others.map(|name| fs::read_to_string(file(name)).expect("a report"));
        for text in texts.iter().chain([&output.out, &output.err]) {
            assert!(
                !text.contains(['\u{1b}', '\u{7}', '\u{202e}']),
                "{script}\n{text}"
            );
        }
        scene.assert_clean();
    }
}
