//! Models as users write them.

use super::Reduced;
use crate::simplify::{Rules, simplify};
use crate::system::System;
use crate::testing::model::program;
use crate::weave::Options;

fn system(text: &str, rules: &Rules) -> System {
    let woven = crate::build(&program(text), &Options::default());
    simplify(&woven, rules).system
}

/// The numbers of states without and with symmetry.
fn sizes(text: &str) -> (usize, usize) {
    for rules in [Rules::NONE, Rules::EVERY_STEP] {
        let system = system(text, &rules);
        Reduced::for_all(&system).check(3_000, "unsimplified");
    }
    let system = system(text, &Rules::default());
    let mut reduced = Reduced::for_all(&system);
    reduced.check(20_000, "simplified").expect("it is small")
}

fn two_phase(workers: usize, arbiter: &str, worker: &str) -> String {
    include_str!("../../../../benches/models/two_phase.sdl")
        .replace("const N = 2", &format!("const N = {workers}"))
        .replace(
            "Arbiter(rep, req) @shutdown",
            &format!("Arbiter(rep, req) {arbiter}"),
        )
        .replace(
            "Worker(req[i], rep[i]) @shutdown",
            &format!("Worker(req[i], rep[i]) {worker}"),
        )
        .replace("@drop", "")
}

#[test]
fn two_phase_commit() {
    for n in [2, 3] {
        for (arbiter, worker) in [
            ("", ""),
            ("@shutdown", ""),
            ("", "@shutdown"),
            ("@shutdown", "@shutdown"),
        ] {
            let (full, reduced) = sizes(&two_phase(n, arbiter, worker));
            println!("{n} {arbiter} {worker}: {full} {reduced}");
            assert!(reduced < full || arbiter.is_empty());
        }
    }
}

#[test]
fn many_workers_are_not_given_up() {
    let system = system(&two_phase(20, "@shutdown", "@shutdown"), &Rules::default());
    assert!(Reduced::for_all(&system).symmetry.is_some());
}

/// A server that takes a request of any client and answers the same client.
const SERVER: &str = "
    proc Client(request channel { bool }, reply channel { bool }) {
        var granted bool
        send(request, true)
        recv(reply, granted)
        holds: send(request, false)
        granted = false
    }

    proc Server(requests []channel { bool }, replies []channel { bool }) {
        var wants bool
        for {
            end: select {
                case recv(requests[0], wants) { if wants { send(replies[0], true); recv(requests[0], _) } }
                case recv(requests[1], wants) { if wants { send(replies[1], true); recv(requests[1], _) } }
                case recv(requests[2], wants) { if wants { send(replies[2], true); recv(requests[2], _) } }
            }
        }
    }

    init {
        request: [3]channel { bool },
        reply: [3]channel { bool },
        server: Server(request, reply),
        for i in range 0 to 3 { client[i]: Client(request[i], reply[i]), }
    }

    invariant exclusive {
        forall i in range 0 to 3 { forall j in range 0 to i { !(client[i]@holds && client[j]@holds) } }
    }
";

#[test]
fn a_server_that_answers_whom_it_heard() {
    let (full, reduced) = sizes(SERVER);
    println!("server: {full} {reduced}");
    assert!(reduced * 4 < full, "{reduced} of {full}");
}

#[test]
fn a_property_that_names_one_keeps_it_apart() {
    let named = format!("{SERVER}\nreachable first {{ client[0].granted }}");
    let (full, reduced) = sizes(&named);
    let (_, least) = sizes(SERVER);
    println!("named: {full} {reduced}");
    assert!(least < reduced && reduced < full);
    let all = format!("{named}\nreachable second {{ client[1].granted }}");
    let (full, reduced) = sizes(&all);
    assert_eq!(full, reduced);
}

#[test]
fn asymmetric_wiring_has_no_symmetry() {
    let text = "
        proc Node(left channel [1] { bit }, right channel [1] { bit }) {
            for { var x bit = any; send(right, x); recv(left, x) }
        }
        init {
            link: [3]channel [1] { bit },
            a: Node(link[0], link[1]),
            b: Node(link[1], link[2]),
            c: Node(link[2], link[0]),
        }
    ";
    let system = system(text, &Rules::default());
    assert!(Reduced::for_all(&system).symmetry.is_none());
}

#[test]
fn a_pool_behind_one_queue() {
    let text = include_str!("../../../../examples/worker_pool.sdl")
        .replace("const N = 2", "const N = 3")
        .replace("const JOBS = 3", "const JOBS = 2");
    let (start, _) = text.split_once("reachable").expect("it has properties");
    let (full, reduced) = sizes(start);
    println!("pool: {full} {reduced}");
    assert!(reduced * 2 < full, "{reduced} of {full}");
}

#[test]
fn replicas_that_answer_on_one_channel() {
    let text = include_str!("../../../../examples/quorum.sdl");
    let (full, reduced) = sizes(text);
    println!("quorum: {full} {reduced}");
    assert!(reduced < full);
}

#[test]
fn units_of_several_processes() {
    let text = "
        proc Sensor(out channel { bit }) { for { var x bit = any; send(out, x) } }
        proc Filter(from channel { bit }, out channel [2] { bit }) {
            for { var x bit; recv(from, x); if x == 1 { send(out, x) } }
        }
        proc Sink(from channel [2] { bit }) { for { recv(from, _) } }
        init {
            raw: [3]channel { bit },
            all: channel [2] { bit },
            for i in range 0 to 3 {
                sensor[i]: Sensor(raw[i]),
                filter[i]: Filter(raw[i], all) @shutdown,
            }
            sink: Sink(all),
        }
        reachable both { filter[0].crashed && filter[1].crashed && filter[2].crashed }
    ";
    let (full, reduced) = sizes(text);
    println!("pairs: {full} {reduced}");
    assert!(reduced * 4 < full, "{reduced} of {full}");
}

#[test]
fn processes_that_exclude_each_other() {
    let text = "
        proc Worker(me process, a process, b process, token channel [1] { bit }) {
            if !a.crashed && !b.crashed {
                send(token, 1)
                recv(token, _)
            }
        }
        init {
            token: channel [1] { bit },
            w0: Worker(w0, w1, w2, token) @shutdown,
            w1: Worker(w1, w2, w0, token) @shutdown,
            w2: Worker(w2, w0, w1, token) @shutdown,
        }
    ";
    let (full, reduced) = sizes(text);
    println!("exclusive: {full} {reduced}");
    assert!(reduced * 3 < full, "{reduced} of {full}");
}

#[test]
fn ten_thousand_processes_are_soon_given_up() {
    let text = "
        const N = 10000
        proc Node(left channel [1] { bit }, right channel [1] { bit }) {
            for { var x bit = any; send(right, x); recv(left, x) }
        }
        init {
            link: [N]channel [1] { bit },
            for i in range 0 to N { node[i]: Node(link[i], link[(i + 1) % N]), }
        }
    ";
    let woven = crate::build(&program(text), &Options::default());
    let layout = crate::engine::layout::Layout::new(&woven);
    let start = std::time::Instant::now();
    assert!(super::Symmetry::find(&woven, &[], &layout).is_none());
    assert!(start.elapsed().as_secs() < 5);
}
