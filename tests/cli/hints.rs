//! What people bring along from elsewhere gets the edit that mends it. (Hints of the syntax are in
//! `syntax_parse`.)

use super::run::sandalc_in;

/// The hints about a model.
fn hints(model: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("model.sdl"), model).expect("a file");
    let output = sandalc_in(folder.path(), &["model.sdl"]).expect(2);
    let hints = output
        .err
        .lines()
        .filter_map(|line| line.split("= hint: ").nth(1));
    hints.map(str::to_owned).collect()
}

#[test]
fn statements() {
    for (statement, hint) in [
        (
            "x = recv(c)",
            "write `recv(c, x)`: the variable is an argument",
        ),
        (
            "var y 0..3 = peek(c)",
            "write `peek(c, y)`: the variable is an argument",
        ),
        ("select { case rcv(c, x) { skip } }", "did you mean `recv`?"),
        ("Q(1)", "start it in `init`, as in `p: Q(..)`"),
        ("var __x bool", "write `x`, or choose another name"),
        ("var __ bool", "choose another name"),
    ] {
        let model = format!(
            "proc P(c channel {{ 0..3 }}) {{\n var x 0..3\n {statement}\n send(c, x)\n}}\n\
             proc Q(n 0..3) {{ assert(n > 0) }}\n\
             init {{ c: channel {{ 0..3 }}, p: P(c), q: Q(1) }}\n"
        );
        assert_eq!(hints(&model), [hint], "{statement}");
    }
}

#[test]
fn parameters_and_faults() {
    let model = |parameter: &str, marker: &str| {
        format!(
            "proc P(c channel {{ bool }}) {{ send(c, true) }}\n\
             proc Q({parameter}) {{ skip }}\n\
             init {{ c: channel {{ bool }} {marker}, p: P(c) }}\n"
        )
    };
    let one = "write one array and compute the index, as in `cs[i * n + j]`";
    assert_eq!(hints(&model("cs [][]channel { bool }", "")), [one]);
    assert_eq!(hints(&model("cs [2][3]channel { bool }", "")), [one]);
    for (marker, meant) in [
        ("@crash", "shutdown"),
        ("@loss", "drop"),
        ("@lossy", "drop"),
        ("@recover", "restart"),
        ("@Byzantine", "byzantine"),
        ("@garble", "corrupt"),
    ] {
        let hint = format!("did you mean `@{meant}`?");
        assert_eq!(hints(&model("n 0..1", marker)), [hint], "{marker}");
    }
}
