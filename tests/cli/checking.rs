//! `sandalc check`: verdicts, exit codes, limits.

use std::fs;

use super::run::{Output, command, finish, sandalc, sandalc_in};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Enough states for minutes.
const BIG: &str = "\
proc P() {
    var a 0..255
    var b 0..255
    for {
        a = any
        b = any
    }
}

init {
    p: P(),
    q: P(),
}

invariant never { p.a < 256 || q.b < 256 }
";

/// Without NuSMV, whatever is installed.
fn check(args: &[&str]) -> Output {
    sandalc(&[&["check", "--engine", "embedded"], args].concat())
}

#[test]
fn all_that_holds_is_0_and_a_violation_is_1() {
    let output = check(&["examples/two_phase.sdl"]).expect(0);
    assert!(output.out.contains("holds     deadlock"), "{}", output.out);
    assert!(!output.out.contains("violated"), "{}", output.out);
    assert_eq!(output.err, "");
    let output = check(&["examples/two_phase_drop.sdl"]).expect(1);
    assert!(output.out.contains("violated  deadlock"), "{}", output.out);
    assert!(output.out.contains("FAULT"), "{}", output.out);
    let without = check(&["examples/two_phase_drop.sdl", "--no-faults"]).expect(0);
    assert!(!without.out.contains("FAULT"), "{}", without.out);
}

#[test]
fn the_same_input_gives_the_same_output() {
    let first = check(&["examples/two_phase_all.sdl"]).expect(1);
    let second = check(&["examples/two_phase_all.sdl"]).expect(1);
    assert_eq!(first.out, second.out);
}

#[test]
fn limits_make_it_undecided_and_a_violation_wins() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("big.sdl"), BIG).expect("a file");
    let limited = |limit: &[&str]| {
        let args = ["check", "--engine", "embedded", "big.sdl"];
        sandalc_in(folder.path(), &[&args, limit].concat())
    };
    for limit in [
        &["--max-states", "20"][..],
        &["--max-memory", "100K"],
        &["--timeout", "0.2"],
    ] {
        let output = limited(limit).expect(3);
        assert!(output.out.contains("unknown"), "{limit:?}: {}", output.out);
    }
    // The assertion fails soon; nobody knows about the rest.
    let text = "\
proc Wrong() {
    var x 0..1
    x = 1
    assert(x == 0)
}

proc Counter() {
    var n 0..255
    for {
        n = (n + 1) % 256
    }
}

init {
    wrong: Wrong(),
    a: Counter(),
    b: Counter(),
}

invariant counts { a.n < 255 || b.n < 255 }
";
    fs::write(folder.path().join("big.sdl"), text).expect("a file");
    let output = limited(&["--max-states", "1000"]).expect(1);
    assert!(output.out.contains("unknown   counts"), "{}", output.out);
    assert!(output.out.contains("violated  assert"), "{}", output.out);
}

#[test]
fn single_properties_can_be_chosen_and_listed() {
    let model = "examples/two_phase_drop.sdl";
    let list = check(&[model, "--list"]).expect(0).out;
    assert_eq!(list.lines().count(), 7, "{list}");
    assert!(list.contains("agreement"), "{list}");
    let one = check(&[model, "--property", "agreement"]).expect(0).out;
    assert!(one.contains("holds     agreement"), "{one}");
    assert!(!one.contains("deadlock"), "{one}");
    let wrong = check(&[model, "--property", "agreemant"]).expect(2);
    assert!(wrong.err.contains("write `agreement`"), "{}", wrong.err);
    let json = check(&[model, "--list", "--format", "json"]).expect(0).out;
    for line in json.lines() {
        let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(json["name"].is_string());
    }
}

#[test]
fn faults_can_be_chosen() {
    let model = "examples/two_phase_drop.sdl";
    check(&[model, "--faults", "order1@drop"]).expect(1);
    let wrong = check(&[model, "--faults", "order1@dorp"]).expect(2);
    assert!(wrong.err.contains("write `order1@drop`"), "{}", wrong.err);
    check(&[model, "--faults", "order1@drop", "--no-faults"]).expect(2);
}

#[test]
fn faults_of_a_kind_can_be_chosen() {
    let model = "examples/two_phase_all.sdl";
    let states = |faults: &str| {
        let output = check(&[model, "--faults", faults, "--format", "json", "--stats"]).expect(1);
        let json: serde_json::Value = serde_json::from_str(&output.out).expect("JSON");
        json["stats"]["states"]
            .as_u64()
            .expect("a number of states")
    };
    let each = "order1@drop,order2@drop,vote1@drop,vote2@drop";
    assert_eq!(states("@drop"), states(each));
    assert!(states("@drop,@shutdown") > states("@drop"));
    let wrong = check(&[model, "--faults", "@dorp"]).expect(2);
    assert!(wrong.err.contains("write `@drop`"), "{}", wrong.err);
    let unmarked = check(&[model, "--faults", "@reorder"]).expect(2);
    let message = "the model marks no fault `@reorder`";
    assert!(unmarked.err.contains(message), "{}", unmarked.err);
}

#[test]
fn constants_can_be_given_other_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "\
const N = 3

proc P() {
    var x 0..9 = N
    assert(x < 5)
}

init {
    p: P(),
}
";
    fs::write(folder.path().join("model.sdl"), text).expect("a file");
    let check = |define: &[&str]| {
        let args = [&["check", "--engine", "embedded", "model.sdl"], define].concat();
        sandalc_in(folder.path(), &args)
    };
    check(&[]).expect(0);
    check(&["-D", "N=4"]).expect(0);
    check(&["-DN=7"]).expect(1);
    for wrong in ["N=10", "N=true", "M=1", "N", "=1", "N=", "N=1x"] {
        let output = check(&["-D", wrong]).expect(2);
        assert!(!output.err.is_empty(), "{wrong}");
    }
}

#[test]
fn the_result_is_one_json_object() {
    let output = check(&["examples/two_phase_drop.sdl", "--format", "json"]).expect(1);
    let json: serde_json::Value = serde_json::from_str(&output.out).expect("JSON");
    assert_eq!(json["file"], "examples/two_phase_drop.sdl");
    assert_eq!(json["engine"], "embedded");
    let properties = json["properties"].as_array().expect("an array");
    assert_eq!(properties.len(), 7);
    assert_eq!(properties[0]["name"], "deadlock");
    assert_eq!(properties[0]["verdict"], "violated");
    assert!(properties[0]["trace"]["steps"].is_array());
}

#[test]
fn without_nusmv_the_embedded_engine_answers_and_says_so() {
    let mut alone = command(ROOT.as_ref(), &["check", "examples/ping.sdl"]);
    alone.env_remove("SANDAL_NUSMV").env("PATH", "");
    let output = finish(alone).expect(0);
    assert!(output.out.contains("NuSMV not found"), "{}", output.out);

    let mut asked = command(
        ROOT.as_ref(),
        &["check", "examples/ping.sdl", "--engine", "nusmv"],
    );
    asked.env_remove("SANDAL_NUSMV").env("PATH", "");
    let output = finish(asked).expect(3);
    assert!(output.err.contains("not installed"), "{}", output.err);
    assert_eq!(output.out, "");

    let mut doctor = command(ROOT.as_ref(), &["doctor"]);
    doctor.env_remove("SANDAL_NUSMV").env("PATH", "");
    let output = finish(doctor).expect(3);
    assert!(output.out.contains("embedded engine"), "{}", output.out);
    assert!(output.out.contains("install NuSMV"), "{}", output.out);
}

#[test]
fn with_nusmv_the_answers_are_confirmed() {
    let Some(nusmv) = crate::nusmv::installed("cli: with_nusmv_the_answers_are_confirmed") else {
        return;
    };
    let nusmv = nusmv.display().to_string();
    let args = |rest: &'static [&'static str]| {
        let mut words = vec!["check", "--nusmv"];
        words.push(&nusmv);
        words.extend(rest);
        sandalc(&words)
    };
    let output = args(&["examples/two_phase_drop.sdl"]).expect(1);
    assert!(
        output.out.contains(" agrees ("),
        "{}\n{}",
        output.out,
        output.err
    );
    let output = args(&["examples/two_phase_drop.sdl", "--engine", "nusmv"]).expect(1);
    assert!(output.out.contains("violated  deadlock"), "{}", output.out);
    // Where the embedded engine gives up NuSMV answers.
    let output = args(&["examples/two_phase.sdl", "--max-states", "20"]).expect(0);
    assert!(!output.out.contains("unknown"), "{}", output.out);
    sandalc(&["check", "examples/ping.sdl", "--nusmv", "no/such/nusmv"]).expect(3);
    let output = sandalc(&["doctor", "--nusmv", &nusmv]).expect(0);
    assert!(output.out.contains("NuSMV 2.6"), "{}", output.out);
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_tells_what_it_knows() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("model.sdl"), BIG).expect("a file");
    let mut command = command(
        folder.path(),
        &[
            "check",
            "--engine",
            "embedded",
            "--max-memory",
            "2G",
            "model.sdl",
        ],
    );
    command.stdout(std::process::Stdio::piped());
    let child = command.spawn().expect("the binary starts");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.contains("unknown"), "{out}");
}

#[test]
fn faults_have_their_aliases_on_the_command_line_and_in_limits() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.sdl");
    let model = "\
proc P(n 0..1) { assert(n == 0) }
init {
    p: P(0) @reboot,
    for i in range 0 to 2 { w[i]: P(0) @unstable }
}
limit 1 { p @reboot, w[0] @unstable }
";
    std::fs::write(&path, model).expect("a file");
    let path = path.to_str().expect("a path of letters");
    let states = |faults: &str| {
        let output = check(&[path, "--faults", faults, "--format", "json"]).expect(0);
        let json: serde_json::Value = serde_json::from_str(&output.out).expect("JSON");
        json["states"].as_u64().expect("a number of states")
    };
    for (alias, name) in [
        ("p@reboot", "p@restart"),
        ("w@unstable", "w@shutdown"),
        ("w[1]@unstable", "w[1]@shutdown"),
        ("@unstable", "@shutdown"),
    ] {
        assert_eq!(states(alias), states(name), "{alias}");
    }
    assert_ne!(states("w[1]@unstable"), states("@unstable"));
    let unmarked = check(&[path, "--faults", "p@unstable"]).expect(2);
    assert!(unmarked.err.contains("p@restart"), "{}", unmarked.err);
}

/// A worker that may crash, and an assumption.
fn with_assumption(assumption: &str) -> String {
    format!(
        "\
proc Worker() {{
    var ready bool
    var rounds 0..3
    for {{
        rounds = (rounds + 1) % 4
        ready = rounds == 0
    }}
}}

init {{
    w: Worker() @shutdown,
}}

assume a {{ {assumption} }}

ltl again {{ G F w.ready }}
"
    )
}

#[test]
fn a_property_that_says_nothing_about_faults_gets_a_note() {
    let folder = tempfile::tempdir().expect("a folder");
    let note = "no run with a fault satisfies the assumptions, so this says nothing about faults";
    let path = folder.path().join("model.sdl");
    let args = ["check", "--engine", "embedded", "model.sdl"];
    fs::write(&path, with_assumption("G !w.crashed")).expect("a file");
    let told = sandalc_in(folder.path(), &args).expect(0).out;
    assert!(told.contains(&format!("note: {note}")), "{told}");
    let json = sandalc_in(folder.path(), &[&args[..], &["--format", "json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json.expect(0).out).expect("JSON");
    let properties = json["properties"].as_array().expect("a list");
    let again = properties.iter().find(|p| p["name"] == "again");
    assert_eq!(again.expect("it is there")["notes"][0], note);
    // A worker may crash when it is ready: then it stays so.
    fs::write(&path, with_assumption("G F w.ready")).expect("a file");
    let told = sandalc_in(folder.path(), &args).expect(0).out;
    assert!(!told.contains("note"), "{told}");
    // Here a crash may happen at any time, and without faults there is nothing to be said about them.
    fs::write(&path, with_assumption("G F (w.ready || w.crashed)")).expect("a file");
    let told = sandalc_in(folder.path(), &args).expect(1).out;
    assert!(!told.contains("note"), "{told}");
    let calm = with_assumption("G !w.crashed").replace(" @shutdown", "");
    fs::write(&path, calm.replace("G !w.crashed", "G F true")).expect("a file");
    let told = sandalc_in(folder.path(), &args).expect(0).out;
    assert!(!told.contains("note"), "{told}");
}
