//! `--engine abc`, proofs beside a search, and AIGER files.

use std::fs;
use std::path::Path;

use super::run::{command, finish, sandalc};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A ring that no search gets to the end of.
const RING: [&str; 6] = [
    "check",
    "benches/models/ring.sdl",
    "-D",
    "N=30",
    "--property",
    "largest",
];

fn abc(what: &str) -> Option<String> {
    let path = super::abc::installed(&format!("cli: {what}"))?;
    Some(path.display().to_string())
}

#[test]
fn abc_proves_refutes_and_says_what_it_cannot() {
    let Some(abc) = abc("abc_proves_refutes_and_says_what_it_cannot") else {
        return;
    };
    let model = "examples/philosophers.sdl";
    let output = sandalc(&["check", model, "--engine", "abc", "--abc", &abc]).expect(1);
    let out = &output.out;
    assert!(out.contains("deadlock is violated:"), "{out}");
    // The run is made small as every other.
    assert!(out.contains("in 6 steps, without any fault"), "{out}");
    assert!(out.contains("proof by ABC "), "{out}");
    assert!(out.contains("fork[0].len"), "{out}");
    assert!(out.contains("not what a whole run"), "{out}");
    let output = sandalc(&[
        "check", model, "--engine", "abc", "--abc", &abc, "--format", "json",
    ])
    .expect(1);
    let report: serde_json::Value = serde_json::from_str(&output.out).expect("JSON");
    assert_eq!(report["engine"], "abc");
    let properties = report["properties"].as_array().expect("a list");
    let of = |name: &str| properties.iter().find(|p| p["name"] == name).expect(name);
    let proof = &of("neighbours")["proof"];
    assert!(
        proof["engine"]
            .as_str()
            .expect("a name")
            .starts_with("ABC ")
    );
    assert!(!proof["conditions"].as_array().expect("a list").is_empty());
    assert!(of("deadlock")["proof"].is_null());
    assert!(of("deadlock")["trace"].is_object());
}

#[test]
fn a_search_that_takes_long_ends_with_a_proof() {
    let Some(abc) = abc("a_search_that_takes_long_ends_with_a_proof") else {
        return;
    };
    let mut args = RING.to_vec();
    args.extend(["--prove-after", "0", "--abc", &abc, "--timeout", "300"]);
    let output = sandalc(&args).expect(0);
    assert!(output.out.contains("holds     largest"), "{}", output.out);
    assert!(output.out.contains("proof by ABC "), "{}", output.out);
    // Only if it is wanted.
    let mut args = RING.to_vec();
    args.extend(["--prove-after", "0", "--abc", &abc, "--max-states", "1000"]);
    args.extend(["--engine", "embedded"]);
    let output = sandalc(&args).expect(3);
    assert!(!output.out.contains("ABC"), "{}", output.out);
}

#[test]
fn without_abc_it_is_said_how_to_get_it() {
    let model = "examples/ping.sdl";
    let mut asked = command(ROOT.as_ref(), &["check", model, "--engine", "abc"]);
    asked.env_remove("SANDAL_ABC").env("PATH", "");
    let output = finish(asked).expect(3);
    assert!(
        output.err.contains("ABC is not installed"),
        "{}",
        output.err
    );
    assert!(output.err.contains("berkeley-abc"), "{}", output.err);
    let mut doctor = command(ROOT.as_ref(), &["doctor"]);
    doctor.env_remove("SANDAL_ABC").env("PATH", "");
    let output = finish(doctor).expect(3);
    assert!(output.out.contains("missing  ABC"), "{}", output.out);
    assert!(output.out.contains("SANDAL_ABC"), "{}", output.out);
}

#[test]
fn safety_properties_can_be_had_as_aiger() {
    let output = sandalc(&["dump", "aiger", "examples/philosophers.sdl"]).expect(0);
    let mut lines = output.out.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(' ').collect();
    assert_eq!((header[0], header.len()), ("aag", 7), "{header:?}");
    let count = |field: usize| header[field].parse::<usize>().expect("a number");
    // Inputs, latches, bad states and conjunctions, then names.
    let numbers = count(2) + count(3) + count(5) + count(6);
    assert_eq!(count(1), count(2) + count(3) + count(5));
    let names: Vec<&str> = lines.skip(numbers).collect();
    assert!(names.contains(&"b0 deadlock"), "{names:?}");
    assert!(
        names
            .iter()
            .any(|name| name.starts_with('l') && name.contains("fork[0].len:0"))
    );
    let folder = tempfile::tempdir().expect("a folder");
    let model = Path::new(ROOT).join("examples/philosophers.sdl");
    let model = model.display().to_string();
    for (file, magic) in [("x.aig", "aig "), ("x.aag", "aag "), ("x.smv", "")] {
        let path = folder.path().join(file).display().to_string();
        sandalc(&[&model, "-o", &path]).expect(0);
        let bytes = fs::read(path).expect("it is written");
        assert!(bytes.starts_with(magic.as_bytes()), "{file}");
    }
    let text = fs::read_to_string(folder.path().join("x.aag")).expect("text");
    assert_eq!(text, output.out);
}
