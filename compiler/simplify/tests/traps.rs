//! What must not be simplified away: a small model for each trap.

use super::corpus::{compile, outcomes};
use crate::simplify::{Rules, simplify};
use crate::system::{Expr, Formula, Leaf, Op, Property, PropertyKind, System, VarId, state};

/// Checks that a model answers as expected with and without simplification: each property with whether it holds.
fn expect(text: &str, expected: &[(&str, bool)]) {
    let system = compile(text).expect("it compiles");
    expect_system(&system, expected);
}

fn expect_system(system: &System, expected: &[(&str, bool)]) {
    let simplified = simplify(system, &Rules::default());
    for (name, holds) in expected {
        let word = if *holds { "holds" } else { "violated" };
        for system in [system, &simplified.system] {
            let (_, found) = outcomes(system)
                .into_iter()
                .find(|(found, _)| found == name)
                .expect("it is asked");
            assert_eq!(found, word, "{name}");
        }
    }
    super::corpus::compare("", system, &simplified);
}

/// How many locations and stored variables simplification leaves.
fn sizes(text: &str) -> (usize, usize) {
    let system = compile(text).expect("it compiles");
    let system = simplify(&system, &Rules::default()).system;
    (
        system.processes.iter().map(|p| p.locations.len()).sum(),
        system.vars.iter().filter(|v| v.derived.is_none()).count(),
    )
}

#[test]
fn a_choice_commits_to_a_blocked_send() {
    expect(
        "proc S(a channel [1] { bool }, b channel [1] { bool }) {
            send(b, true)
            choice { send(a, true) }, { send(b, true) }
        }
        init { a: channel [1] { bool }, b: channel [1] { bool }, s: S(a, b) }
        ltl ends { F s.done }",
        &[("deadlock", false), ("ends", false)],
    );
}

#[test]
fn any_commits_to_a_blocked_send() {
    expect(
        "proc S(cs []channel [1] { bool }) {
            var i bit
            send(cs[1], true)
            i = any
            send(cs[i], true)
        }
        init { cs: [2]channel [1] { bool }, s: S(cs) }
        ltl ends { F s.done }",
        &[("deadlock", false), ("ends", false)],
    );
}

#[test]
fn a_crash_between_two_steps() {
    expect(
        "proc P() { durable var x bit
            durable var y bit
            x = 1
            y = 1
        }
        init { p: P() @shutdown }
        invariant together { p.crashed -> p.x == p.y }",
        &[("together", false)],
    );
    // What survives a crash is not lost with the step that made it, though nobody reads it meanwhile.
    expect(
        "proc P(c channel [2] { bit }) {
            durable var tried bit
            if tried == 1 { send(c, 1) }
            tried = 1
            recv(c, _)
        }
        init { c: channel [2] { bit }, p: P(c) @restart(max = 1) }
        reachable sent { len(c) == 1 }
        ltl waits { F G p.crashed || G !p.crashed || F p.done }",
        &[("sent", true)],
    );
}

#[test]
fn a_label_that_a_property_reads() {
    let model = |property: &str| {
        format!(
            "proc P() {{ var x bit
                x = 1
                L: x = 0
                x = 1
            }}
            init {{ p: P() }}
            {property}"
        )
    };
    expect(
        &model("reachable there { p@L }\nltl passes { F p@L }"),
        &[("there", true), ("passes", true)],
    );
    // Nobody asks: all is one step, and then not even that.
    assert_eq!(sizes(&model("")), (3, 0));
}

#[test]
fn a_loop_keeps_its_only_step() {
    expect(
        "proc P() { for { skip
            skip } }
        proc Q(c channel [1] { bit }) { recv(c, _) }
        init { c: channel [1] { bit }, p: P(), q: Q(c) }
        ltl never { F q.done }",
        // As long as one moves there is no deadlock.
        &[("deadlock", true), ("never", false)],
    );
}

#[test]
fn an_end_label_is_no_deadlock_and_its_neighbour_is() {
    let model = |label: &str| {
        format!(
            "proc P(c channel [1] {{ bit }}) {{ skip
                {label} recv(c, _)
            }}
            init {{ c: channel [1] {{ bit }}, p: P(c) }}"
        )
    };
    expect(&model(""), &[("deadlock", false)]);
    expect(&model("end:"), &[("deadlock", true)]);
}

#[test]
fn what_another_process_may_change_is_read_when_it_was_read() {
    // p sees c's message before it waits for room in d; the two are never there together.
    expect(
        "proc P(c channel [1] { bit }, d channel [1] { bit }) {
            peek(c, _)
            send(d, 1)
        }
        proc Q(c channel [1] { bit }, d channel [1] { bit }, e channel [1] { bit }) {
            send(d, 0)
            send(c, 1)
            recv(e, _)
            recv(d, _)
        }
        proc R(c channel [1] { bit }, e channel [1] { bit }) {
            recv(c, _)
            send(e, 1)
        }
        init {
            c: channel [1] { bit }, d: channel [1] { bit }, e: channel [1] { bit },
            p: P(c, d), q: Q(c, d, e), r: R(c, e),
        }
        invariant hidden { !(p.done && q.done && len(c) == 0 && len(d) == 1) }
        ltl ends { F p.done }",
        &[("hidden", false)],
    );
    expect(
        "proc P(q process, c channel [1] { bit }) {
            var up bool
            up = !q.crashed
            send(c, 1)
            assert(up)
        }
        proc Q(c channel [1] { bit }) {
            send(c, 0)
            recv(c, _)
        }
        init { c: channel [1] { bit }, q: Q(c) @shutdown, p: P(q, c) }",
        &[("assert", false)],
    );
}

#[test]
fn a_failing_check_keeps_failing() {
    expect(
        "proc P(c channel { 0..3 }) {
            var x 0..3
            recv(c, x)
            x = x + 1
            x = x + 1
        }
        proc Q(c channel { 0..3 }) { send(c, 2) }
        init { c: channel { 0..3 }, p: P(c), q: Q(c) }
        ltl fails { F p.failed }",
        &[("range", false), ("fails", true), ("assert", true)],
    );
}

#[test]
fn properties_that_count_steps_or_branches_are_not_merged() {
    let model = |property: &str| {
        format!(
            "proc P() {{ skip
                skip
                skip
            }}
            init {{ p: P() }}
            {property}"
        )
    };
    expect(&model("ltl three { X X X p.done }"), &[("three", true)]);
    expect(&model("ltl two { !X X p.done }"), &[("two", true)]);
    expect(&model("ctl two { !EX EX p.done }"), &[("two", true)]);
    expect(
        &model("assume two { X X p.done }\nltl never { F p.done }"),
        &[],
    );
    assert_eq!(sizes(&model("ltl ends { F p.done }")), (3, 0));
    assert_eq!(sizes(&model("ltl three { X X X p.done }")), (5, 0));
}

#[test]
fn a_copy_is_no_function_of_what_changes_afterwards() {
    expect(
        "proc P() { var a bit = any
            var b bit
            b = a
            a = 0
            skip
        }
        init { p: P() }
        reachable kept { p.b == 1 && p.a == 0 && p.done }
        invariant same { !p.done || p.b == p.a }",
        &[("kept", true), ("same", false)],
    );
}

#[test]
fn what_changes_together_is_read_before() {
    // One edge: a := 1 - a, b := a.
    let mut system = compile(
        "proc P() { durable var a bit
            durable var b bit
            a = any
            a = 1 - a
        }
        init { p: P() }
        invariant swapped { !p.done || p.b != p.a }",
    )
    .expect("it compiles");
    let read = Expr::Leaf(Leaf::Var(VarId(0)));
    let edges = &mut system.processes[0].edges;
    let edge = edges.iter_mut().find(|e| e.picks.is_empty());
    edge.expect("a = 1 - a").updates.push((VarId(1), read));
    expect_system(&system, &[("swapped", true)]);
}

#[test]
fn what_several_change_is_seen_by_all() {
    // p sets a variable and takes it back; q changes it as well, and only a property reads it.
    let mut system = compile(
        "proc P() { durable var x bit
            x = 1
            x = 0
        }
        proc Q() { durable var y bit
            y = 0
        }
        init { p: P(), q: Q() }
        reachable up { p.x == 1 }",
    )
    .expect("it compiles");
    system.processes[1].edges[0].updates[0].0 = VarId(0);
    expect_system(&system, &[("up", true)]);
}

#[test]
fn channel_variables_of_a_single_sender_are_derived() {
    let model = |senders: &str| {
        format!(
            "proc S(c channel {{ 0..3 }}) {{ var x 0..3 = any
                send(c, x)
            }}
            proc R(c channel {{ 0..3 }}) {{ var y 0..3
                for {{ recv(c, y) }}
            }}
            init {{ c: channel {{ 0..3 }}, {senders} r: R(c) }}
            reachable three {{ r.y == 3 }}"
        )
    };
    let stored = |text: &str| {
        let system = compile(text).expect("it compiles");
        let system = simplify(&system, &Rules::default()).system;
        let stored = |name: &str| {
            let var = system.vars.iter().find(|v| v.name == name);
            var.expect("it is there").derived.is_none()
        };
        [stored("ready"), stored("value"), stored("received")]
    };
    let one = model("s: S(c),");
    assert_eq!(stored(&one), [false, false, true]);
    expect(&one, &[("three", true)]);
    let two = model("s: S(c), t: S(c),");
    assert_eq!(stored(&two), [true, true, true]);
    expect(&two, &[("three", true)]);
}

#[test]
fn dead_values_are_forgotten_and_durable_ones_are_not() {
    let model = |kind: &str| {
        format!(
            "proc P(c channel [1] {{ 0..3 }}) {{ {kind}
                if x == 3 {{ send(c, 3) }}
                x = any
                if x == 2 {{ send(c, 2) }}
                skip
                skip
            }}
            init {{ c: channel [1] {{ 0..3 }}, p: P(c) @restart(max = 1) }}
            reachable both {{ p.done && full(c) }}"
        )
    };
    expect(&model("durable var x 0..3"), &[("both", true)]);
    expect(&model("var x 0..3"), &[("both", true)]);
    let states = |text: &str| {
        let system = compile(text).expect("it compiles");
        let small = simplify(&system, &Rules::default()).system;
        let count = |s: &System| state::walk(s, 100_000).expect("small").len();
        (count(&system), count(&small))
    };
    let (before, after) = states(&model("var x 0..3"));
    assert!(after * 3 < before, "{before} -> {after}");
    let (_, durable) = states(&model("durable var x 0..3"));
    assert!(durable > after);
}

#[test]
fn an_assumption_is_read_like_a_property() {
    expect(
        "proc P() { durable var x bit
            durable var y bit
            for {
                choice {
                    x = 1
                    x = 0
                    y = 1
                    y = 0
                }, { skip }
            }
        }
        init { p: P() }
        assume again { G F p.x == 1 }
        ltl follows { G F p.y == 1 }
        ltl rests { F G p.y == 0 }",
        &[("follows", true), ("rests", false)],
    );
    let mut system = compile(
        "proc P() { durable var x bit
            x = 1
            x = 0
            skip
        }
        init { p: P() }",
    )
    .expect("it compiles");
    let up = Expr::binary(Op::Eq, Expr::Leaf(Leaf::Var(VarId(0))), Expr::int(1));
    system.properties.push(Property {
        tolerant: None,
        form: None,
        name: "never_up".into(),
        kind: PropertyKind::Ltl(Formula::Not(Box::new(Formula::Unary(
            crate::vocabulary::TemporalOp::F,
            Box::new(Formula::Atom(up)),
        )))),
        span: None,
    });
    expect_system(&system, &[("never_up", false)]);
}
