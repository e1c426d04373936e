//! Tests of elaboration on texts. What is wrong with a model is tested by the fixtures.

use super::*;
use crate::source::Sources;
use crate::syntax::parse;

/// Parses and checks a text that has no syntax errors.
fn checked_with(text: &str, defines: &[(&str, &str)]) -> Checked {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    let parsed = parse(&sources, file);
    assert_eq!(parsed.diagnostics, [], "no syntax errors");
    let defines: Vec<Define> = defines
        .iter()
        .map(|(name, value)| Define {
            name: (*name).into(),
            value: (*value).into(),
        })
        .collect();
    check(&parsed.file, &[], &defines, &crate::weave::FAULTS)
}

/// The codes of all errors, in order.
fn errors(text: &str) -> Vec<&'static str> {
    checked_with(text, &[])
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| d.code.0)
        .collect()
}

/// The program of a text without errors.
fn program(text: &str) -> Program {
    let checked = checked_with(text, &[]);
    let errors: Vec<_> = checked
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    checked.program.expect("a program without errors")
}

/// The elaborated form of a process, without its variables.
fn body(text: &str, process: &str) -> String {
    let dump = dump(&program(text));
    let start = dump.find(&format!("\n{process}: ")).map_or_else(
        || {
            assert!(dump.starts_with(process), "{dump}");
            0
        },
        |at| at + 1,
    );
    dump[start..]
        .lines()
        .skip(1)
        .take_while(|line| *line != "}")
        .filter(|line| !line.trim_start().starts_with("var "))
        .map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line)))
        .collect()
}

#[test]
fn the_examples_have_nothing_to_complain_about() {
    for entry in std::fs::read_dir("examples").expect("the examples") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "sdl") {
            let text = std::fs::read_to_string(&path).expect("a readable example");
            assert_eq!(
                checked_with(&text, &[]).diagnostics,
                [],
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn loops_are_unrolled_and_each_iteration_has_its_own_labels() {
    let text = "
        proc P(all []channel { bool }) {
            for c in all {
                var x bool
                again: recv(c, x)
                if x { goto again }
                if !x { continue }
                break
            }
        }
        init { a: channel { bool }, b: channel { bool }, p: P([a, b]) }";
    let expected = "\
unrolled #0 {
    iteration #1 {
        x = false
        again:
        recv(a, x)
        if x {
            goto again
        }
        if !x {
            continue #1
        }
        break #0
    }
    iteration #2 {
        x = false
        again'1:
        recv(b, x)
        if x {
            goto again'1
        }
        if !x {
            continue #2
        }
        break #0
    }
}
";
    assert_eq!(body(text, "p"), expected);
    let program = program(text);
    assert_eq!(program.variables.len(), 1, "a declaration is one variable");
    assert_eq!(program.processes[0].labels.len(), 1);
}

#[test]
fn value_parameters_and_constants_become_values() {
    let text = "
        const N = 2
        const TABLE = [3, 1 + N, -N]
        proc P(n 0..9) {
            const K = n * 2
            var x -20..20 = K
            x = TABLE[2] + K * N
            x += TABLE[n - 3]
            if n == 3 && x > 0 { skip }
        }
        init { p: P(3) }";
    let expected = "\
x = 6
x = 10
x = x + 3
if true && (x > 0) {
    skip
}
";
    assert_eq!(body(text, "p"), expected);
}

#[test]
fn variables_start_with_constant_initialisers_or_zero() {
    let program = program(
        "
        data D { A, B }
        const C = 2
        proc P(n 0..9) {
            durable var d D = B
            var a 0..9 = n + C
            var b 3..9
            var c 0..9 = a
            var e 0..9 = any
            var f [2]D = [B, A]
            for i in range 1 to 3 {
                var g 0..9 = i
                var h 0..9 = 4
            }
        }
        init { p: P(1) }",
    );
    let initial: Vec<String> = program
        .variables
        .iter()
        .map(|v| format!("{}={}", v.name, v.initial.show(&program.data)))
        .collect();
    assert_eq!(
        initial,
        ["d=B", "a=3", "b=3", "c=0", "e=0", "f=[B, A]", "g=0", "h=4"]
    );
    assert!(program.variables[0].durable);
}

#[test]
fn a_range_with_other_bounds_counts_in_hidden_variables() {
    let text = "
        proc P(c channel { 2..5 }) {
            var n 2..5
            recv(c, n)
            for i in range 1 to n { send(c, n) }
        }
        init { c: channel { 2..5 }, p: P(c) }";
    let program = program(text);
    let hidden: Vec<_> = program.variables.iter().filter(|v| v.counter).collect();
    assert_eq!(hidden.len(), 2);
    assert_eq!(hidden[0].ty, Type::Int { lo: 1, hi: 4 });
    assert_eq!(hidden[0].initial, Value::Int(1));
    assert_eq!(hidden[1].ty, Type::Int { lo: 2, hi: 5 });
    assert!(body(text, "p").contains("for #0 loop1.i in range 1 to n {"));
}

#[test]
fn elements_of_an_array_are_read_when_they_are_used() {
    let text = "
        proc P() {
            var a [2]0..3
            for x in a { a[0] = x }
            for y in [1, a[1]] { a[1] = y }
        }
        init { p: P() }";
    let expected = "\
a = [0, 0]
unrolled #0 {
    iteration #1 {
        a[0] = a[0]
    }
    iteration #2 {
        a[0] = a[1]
    }
}
unrolled #3 {
    iteration #4 {
        a[1] = 1
    }
    iteration #5 {
        a[1] = a[1]
    }
}
";
    assert_eq!(body(text, "p"), expected);
}

#[test]
fn channels_are_chosen_by_constant_or_computed_indices() {
    let text = "
        proc P(all []channel { 0..1 }, n 0..1) {
            var x 0..1
            recv(all[n], x)
            send(all[x], x)
            if n > 3 { send(all[n + 4], x) }
        }
        init { c: [2]channel { 0..1 }, p: P(c, 1) }";
    let expected = "\
x = 0
recv(c[1], x)
send([c[0], c[1]][x], x)
if false {
    send([c[0], c[1]][5], x)
}
";
    assert_eq!(body(text, "p"), expected);
}

#[test]
fn modules_and_replicated_entries_have_full_names() {
    let program = program(
        "
        module Pair(n 1..9, c channel { bool }, watch process) {
            const M = n + 1
            proc Inner(d channel [M] { bool }, e channel { bool }, k 0..9) {
                send(e, k == n)
                send(d, watch.done)
            }
            init {
                d: channel [M] { bool } @drop(max = n),
                for k in range 0 to n { w[k]: Inner(d, c, k + M) @shutdown }
            }
        }
        proc P(q process) { for !q.crashed { skip } }
        init {
            p: P(m[1].w[0]),
            for i in range 0 to 2 { m[i]: Pair(i + 1, c, p) }
            c: channel { bool },
        }
        limit 2 { m[1].w @shutdown, m[0].d @drop }
        invariant i { m[1].w[1].k == 4 && !m[0].w[0].done && empty(m[1].d) }",
    );
    let channels: Vec<_> = program.channels.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(channels, ["m[0].d", "m[1].d", "c"]);
    let processes: Vec<_> = program.processes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(processes, ["p", "m[0].w[0]", "m[1].w[0]", "m[1].w[1]"]);
    let text = dump(&program);
    assert!(text.contains("fault m[1].d @drop(max = 2)"), "{text}");
    assert!(
        text.contains("limit 2 { m[1].w[0] @shutdown, m[1].w[1] @shutdown, m[0].d @drop }"),
        "{text}"
    );
    assert!(text.contains("for #0 !m[1].w[0].crashed {"), "{text}");
    assert!(text.contains("send(m[1].d, p.done)"), "{text}");
    assert!(
        text.contains("invariant i { (true && !m[0].w[0].done) && empty(m[1].d) }"),
        "{text}"
    );
}

#[test]
fn the_type_of_a_shared_constructor_is_found_from_context() {
    let text = "
        data Request { Read, Stop }
        data Reply { Stop, Value }
        proc P(c channel { Reply, Request }, d Reply) {
            var r Request = Stop
            var a [2]Reply = [Stop, d]
            r = any(Stop, Read)
            send(c, Stop, Stop)
            if r == Stop && Stop == a[0] && [Stop, Value] == a { r = Request.Stop }
        }
        init { c: channel { Reply, Request }, p: P(c, Stop) }
        invariant i { p.r == Stop || p.a[0] != Stop || p.d == Stop }";
    let program = program(text);
    let stores: Vec<_> = program
        .variables
        .iter()
        .map(|v| v.initial.clone())
        .collect();
    assert_eq!(stores[0], Value::Data(DataId(0), 1));
    assert_eq!(
        stores[1],
        Value::Array(vec![Value::Data(DataId(1), 0), Value::Data(DataId(1), 0)])
    );
}

#[test]
fn quantifiers_become_balanced_trees() {
    let program = program(
        "
        proc P() { var x 0..9 }
        init { for i in range 0 to 4 { w[i]: P() } }
        ltl l { forall i in range 0 to 4 { F w[i].x == i } }
        invariant none { exists i in range 3 to 3 { w[i].x == 9 } }
        invariant some { forall i in range 0 to 4 { i < 3 -> w[i + 1].x >= 0 } }",
    );
    let text = dump(&program);
    assert!(
        text.contains(
            "ltl l { ((F (w[0].x == 0)) && (F (w[1].x == 1))) && \
             ((F (w[2].x == 2)) && (F (w[3].x == 3))) }"
        ),
        "{text}"
    );
    assert!(text.contains("invariant none { false }"), "{text}");
    assert!(text.contains("w[3].x >= 0"), "{text}");
}

#[test]
fn defines_override_constants_and_what_depends_on_them() {
    let text = "
        data D { A, B }
        const N 0..9 = 1
        const TWICE = N * 2
        const WHO = A
        const TABLE = [1, 2]
        proc P() {
            var x 0..20 = TWICE + TABLE[2]
            var d D = WHO
            x = 1
            d = A
        }
        init { p: P() }";
    let checked = checked_with(
        text,
        &[
            ("N", "3"),
            ("WHO", "D.B"),
            ("TABLE", "[4, 5, 6]"),
            ("N", "4"),
        ],
    );
    let program = checked.program.expect("no errors");
    assert_eq!(program.variables[0].initial, Value::Int(14));
    assert_eq!(program.variables[1].initial, Value::Data(DataId(0), 1));
    for (name, value) in [
        ("N", "10"),
        ("N", "true"),
        ("M", "1"),
        ("WHO", "C"),
        ("N", ""),
    ] {
        let checked = checked_with(text, &[(name, value)]);
        assert!(checked.program.is_none(), "-D {name}={value}");
    }
}

#[test]
fn imported_files_share_the_top_level_but_have_no_init() {
    let mut sources = Sources::new();
    let main = sources.add("main.sdl", "init { w: Worker(N) }");
    let lib = sources.add(
        "lib.sdl",
        "const N = 2\nproc Worker(n 0..3) { var x 0..3 = n }\nproc Unused() { skip }",
    );
    let bad = sources.add("bad.sdl", "init { w: Worker(1) }\nltl { F w.done }");
    let files: Vec<_> = [main, lib, bad]
        .iter()
        .map(|file| parse(&sources, *file).file)
        .collect();
    let good = check(&files[0], &files[1..2], &[], &crate::weave::FAULTS);
    assert!(good.program.is_some(), "{:?}", good.diagnostics);
    let wrong = check(&files[0], &files[1..], &[], &crate::weave::FAULTS);
    let codes: Vec<_> = wrong
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| d.code.0)
        .collect();
    assert_eq!(codes, ["S0521", "S0521"]);
}

#[test]
fn procs_without_instances_are_checked_without_regard_to_values() {
    assert_eq!(
        errors(
            "
            proc Idle(n 1..9, all []channel { 0..3 }, q process) {
                var x 1..n = 1
                var a [n - 1]bool
                const K = 10 / (n - 1)
                send(all[7], x)
                if q.done { a[K] = true }
                x = unknown
            }
            module M(n 0..9, c channel { bool }) {
                proc Inner(k 0..9) { send(c, k == m) }
                init { for i in range 0 to n { w[i]: Inner(9 / n) } }
            }
            proc P() { skip }
            init { p: P() }"
        ),
        ["S0301", "S0301"]
    );
}

#[test]
fn dead_code_is_not_blamed_for_its_values() {
    program(
        "
        const N = 3
        proc P(all []channel { 0..9 }, me 0..9) {
            var a [N]bool
            for i in range 0 to N {
                if i + 1 < N { a[i] = a[i + 1] }
                if i > 0 { send(all[i - 1], i) }
                if i == me || a[i - 1 + 1] { skip }
            }
            for i in range N to N { send(all[i + 9], i) }
            if me > 0 { var left 0..9 = me - 1 }
        }
        init { c: [3]channel { 0..9 }, p: P(c, 0) }",
    );
}

#[test]
fn the_deepest_legal_model_fits_on_a_small_stack() {
    let height = crate::syntax::MAX_HEIGHT - 20;
    let sum = format!("{}1{}", "-(".repeat(100), ")".repeat(100));
    let not = format!("{}x", "!".repeat(height));
    let chain = vec!["x"; height].join(" == ");
    let blocks = format!("{}skip{}", "{".repeat(240), "}".repeat(240));
    let ifs = "if x { skip } else ".repeat(height);
    let text = format!(
        "proc P() {{
            var x bool
            var n -1..1
            n = {sum}
            x = {not}
            x = {chain}
            {blocks}
            {ifs} {{ skip }}
        }}
        init {{ p: P() }}
        ltl l {{ {} p.x }}",
        "G !".repeat(height / 2)
    );
    // Without optimisation the frames are several times as large.
    let size = if cfg!(debug_assertions) { 6 } else { 2 };
    std::thread::Builder::new()
        .stack_size(size << 20)
        .spawn(move || {
            program(&text);
        })
        .expect("a thread")
        .join()
        .expect("no overflow");
}

#[test]
fn what_is_too_large_is_an_error_and_not_a_crash() {
    let last = "module M70() { proc Q() { skip }; init { q: Q() } }";
    let modules: String = (0..70)
        .map(|k| format!("module M{k}() {{ init {{ m: M{}() }} }}\n", k + 1))
        .collect();
    let deep = format!("proc P() {{ skip }}\n{modules}{last}\ninit {{ p: P(), m: M0() }}");
    assert_eq!(errors(&deep), ["S0902"]);

    let fors: String = (0..240)
        .map(|k| format!("for i{k} in range 0 to 1 {{ "))
        .collect();
    let nested = |entry: &str| format!("init {{ {fors} {entry} {} }}", "}".repeat(240));
    let deep = format!(
        "proc P() {{ skip }}\nmodule M() {{ {} }}\n{}",
        nested("p[0]: P()"),
        nested("m[0]: M()")
    );
    assert_eq!(errors(&deep), ["S0902"]);

    let idle = "proc P() { skip }
        init {
            p: P(),
            for i in range 0 to 2147483647 { for j in range 0 to 2147483647 { } }
        }";
    assert_eq!(errors(idle), ["S0902"]);

    let table = vec!["1"; 50_000].join(", ");
    let copies = format!(
        "const T = [{table}]
        proc P() {{
            var x 0..7
            for i in range 0 to 100000 {{ x = T[x] }}
        }}
        init {{ p: P() }}"
    );
    assert_eq!(errors(&copies), ["S0901"]);
}

#[test]
fn damaged_models_never_panic_and_have_a_program_or_an_error() {
    // Expressions may be high, and the command has a large stack for them.
    let work = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(damaged_models);
    work.expect("a thread").join().expect("no panic");
}

fn damaged_models() {
    let mut texts = Vec::new();
    for folder in ["examples", "tests/fixtures/diagnostics", "tests/models"] {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            // What is too large is only slow here.
            if !path.to_string_lossy().contains("S09") {
                texts.extend(std::fs::read_to_string(path));
            }
        }
    }
    texts.sort();
    let rounds = std::env::var("ROUNDS").map_or(400, |n| n.parse().expect("a number"));
    let mut seed = 12345u64;
    let mut random = |n: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n.max(1)
    };
    for round in 0..rounds {
        let text = &texts[random(texts.len())];
        let words: Vec<&str> = text
            .split_inclusive([' ', '\n', '(', ')', ',', '.'])
            .collect();
        let other = &texts[random(texts.len())];
        let others: Vec<&str> = other.split_inclusive([' ', '\n', '(', ')', ',']).collect();
        let mut changed = words.clone();
        for _ in 0..=random(3) {
            let at = random(changed.len());
            match random(3) {
                0 => {
                    changed.remove(at);
                }
                1 => changed.insert(at, others[random(others.len())]),
                _ => changed[at] = words[random(words.len())],
            }
        }
        let text = changed.concat();
        let mut sources = Sources::new();
        let file = sources.add("damaged.sdl", text.as_str());
        let parsed = parse(&sources, file);
        let checked = check(&parsed.file, &[], &[], &crate::weave::FAULTS);
        if parsed.diagnostics.is_empty() {
            assert_eq!(
                checked.program.is_none(),
                checked.diagnostics.iter().any(Diagnostic::is_error),
                "round {round}:\n{text}\n{:#?}",
                checked.diagnostics
            );
        }
        if let Some(program) = checked.program {
            assert_eq!(verify(&program), Ok(()), "round {round}:\n{text}");
            dump(&program);
        }
    }
}
