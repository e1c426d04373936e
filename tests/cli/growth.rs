//! Models that are large, or grow large: what comes before a search takes time and memory in proportion, and the limits hold.

use std::fs;
use std::time::Duration;

use super::limits::{large, run};

/// A process with some variables and statements.
pub fn one(variables: &str, body: &str) -> String {
    format!("proc P() {{\n{variables}\n{body}\n}}\n\ninit {{\n    p: P(),\n}}\n")
}

/// Checks a model within a time and memory that only growth far beyond its size would need.
#[track_caller]
fn is_light(text: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("model.sdl"), text).expect("a file");
    let args = ["model.sdl", "--timeout", "40", "--max-memory", "300M"];
    let ended = run(folder.path(), &args, &mut |_, _| {});
    assert_eq!(ended.code, Some(0), "{}{}", ended.out, ended.err);
}

#[test]
fn merging_unrolled_rounds_stops_when_it_does_not_pay() {
    is_light(
        "\
proc P() {
    var x 0..1
    for i in range 0 to 600 {
        if x == 1 { x = 0 } else { x = 1 }
    }
}

init {
    p: P(),
}
",
    );
}

#[test]
fn many_variables_are_no_table_of_locations_and_variables() {
    let variables: String = (0..2000).map(|i| format!("var b{i} bool\n")).collect();
    is_light(&format!(
        "proc P() {{\n{variables}}}\n\ninit {{\n    p: P(),\n}}\n"
    ));
}

#[test]
fn many_invariants_are_answered_one_by_one() {
    let invariants: String = (0..2000)
        .map(|i| format!("invariant i{i} {{ p.x < {} }}\n", 8 + i))
        .collect();
    is_light(&format!(
        "proc P() {{\n    var x 0..7\n    for {{ x = (x + 1) % 8 }}\n}}\n\ninit {{\n    p: P(),\n}}\n\n{invariants}"
    ));
}

#[test]
fn simplifying_a_small_model_is_quick() {
    is_light(
        "\
proc P() {
    var a [40]0..39
    var i 0..39
    for {
        a[a[i]] = i
        i = (i + 1) % 40
    }
}

init {
    p: P(),
}
",
    );
}

/// A table of 65,536 constants is looked at once, not in every step that reads it.
#[test]
fn bit_operators_in_many_steps_are_simplified_quickly() {
    let steps = "y = y ^ z\n".repeat(400);
    is_light(&one("var y 0..255\nvar z 0..255\nz = any", &steps));
}

/// Inputs that once took gigabytes or minutes: whatever becomes of each, the limits hold.
#[test]
fn what_was_too_much_keeps_to_the_limits() {
    let buffer = "\
proc S(c channel [10000] { 0..1 }) {
    for i in range 0 to 20 { send(c, 1) }
}

proc R(c channel [10000] { 0..1 }) {
    var x 0..1
    for { recv(c, x) }
}

init {
    c: channel [10000] { 0..1 } @reorder,
    s: S(c),
    r: R(c),
}
";
    let name = "a".repeat(300_000);
    let booleans: String = (0..10_000).map(|i| format!("var b{i} bool\n")).collect();
    let invariants: String = (0..8_000)
        .map(|i| format!("invariant i{i} {{ p.x < {} }}\n", 8 + i))
        .collect();
    let many = |count: usize| {
        format!(
            "proc P() {{\n    var x bool\n    x = true\n}}\n\ninit {{\n    for i in range 0 to {count} {{ p[i]: P(), }}\n}}\n"
        )
    };
    let toggle = "for i in range 0 to 2000 { if x == 1 { x = 0 } else { x = 1 } }";
    let raft = include_str!("../../examples/raft.sdl").replace("const N = 3", "const N = 40");
    let inputs = [
        ("toggles", one("var x 0..1", toggle)),
        ("computed elements", large(20_000)),
        (
            "sums of elements",
            one(
                "var a [4096]0..3\nvar i 0..4095",
                "for { a[i] += 1; i = a[i] + i }",
            ),
        ),
        ("booleans", one(&booleans, "skip")),
        ("reordering", buffer.to_owned()),
        (
            "bit operators",
            one(
                "var y 0..255\nvar z 0..255\nz = any",
                &"y = y ^ z\n".repeat(5_000),
            ),
        ),
        (
            "empty loops",
            many(1).replace(
                "init {",
                "init {\n    for i in range 0 to 2147483647 { for j in range 0 to 2147483647 {} }",
            ),
        ),
        (
            "a long name",
            one(&format!("var {name} 0..1"), &format!("{} = 1", &name[1..])),
        ),
        ("raft", raft),
        (
            "statements",
            one("var y 0..255", &"y = (y + 1) % 256\n".repeat(100_000)),
        ),
        ("processes", many(65_536)),
        (
            "invariants",
            one("var x 0..7", "for { x = (x + 1) % 8 }") + &invariants,
        ),
        (
            "rounds",
            one(
                "var x 0..3",
                "for i in range 0 to 40000 { x = (x + 1) % 4 }",
            ),
        ),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (what, text) in inputs {
        fs::write(folder.path().join("model.sdl"), text).expect("a file");
        let limits = [
            "--timeout",
            "2",
            "--max-memory",
            "200M",
            "--quiet",
            "--trace",
            "none",
        ];
        let ended = run(
            folder.path(),
            &[&["model.sdl"][..], &limits].concat(),
            &mut |_, _| {},
        );
        let said: String = (ended.out + &ended.err).chars().take(2_000).collect();
        assert!(
            matches!(ended.code, Some(0..=3)),
            "{what}: {:?} {said}",
            ended.code
        );
        // A second, and what a busy machine takes to get it going: where others compute, too, what counts is what it computes.
        assert!(
            ended.time.min(ended.computing) < Duration::from_secs(5),
            "{what}: {:?}, computing {:?}",
            ended.time,
            ended.computing
        );
        assert!(ended.memory < 260 << 20, "{what}: {}", ended.memory);
    }
}
