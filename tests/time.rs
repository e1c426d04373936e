//! The laws of time, on random models with timers, deadlines, sleep, delays and faults:
//!
//! - a tick counts down every timer by one, and changes nothing else: no timer skips a value;
//! - time passes exactly when nobody that it waits for can move without a fault, and something is to be counted down;
//! - `time` is violated exactly if a state is reached from which no step but faults leads to where time passes or nobody has to move;
//! - with and without simplification, reduction and symmetry the answers are the same, and so are NuSMV's.

mod support;

use sandalc::diagnostic::Severity;
use sandalc::source::Sources;
use sandalc::system::{Event, Owner, PropertyKind, System, VarId, state};
use sandalc::verdict::Move;
use sandalc::weave::Options;
use sandalc::{build, program, syntax};

use support::verdicts;

/// More states are not looked at.
const MOST: usize = 1500;

#[test]
fn laws_hold_on_random_models() {
    let looked_at = (0..60).filter(|seed| laws(*seed, seed % 12 == 0)).count();
    assert!(looked_at >= 30, "{looked_at}");
}

#[test]
#[ignore = "takes minutes"]
fn laws_hold_on_many_random_models() {
    let looked_at = (1000..3000)
        .filter(|seed| laws(*seed, seed % 4 == 0))
        .count();
    assert!(looked_at >= 1200, "{looked_at}");
}

/// Whether a model was small enough to look at.
fn laws(seed: u64, second: bool) -> bool {
    let text = Random(seed).model();
    let (system, sources) = model(&text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
    let Some(states) = state::walk(&system, MOST) else {
        return false;
    };
    let mut graph: Vec<(bool, Vec<usize>)> = Vec::new();
    for now in &states {
        let (passes, forced) = ticks(&system, now, &|why| panic!("seed {seed}: {why}\n{text}"));
        let next = forced.iter().map(|next| states.get_index_of(next));
        graph.push((passes, next.map(|index| index.expect("walked")).collect()));
    }
    let goes_on = goes_on(&graph);
    let Some(time) = (system.properties.iter()).position(|p| p.kind == PropertyKind::Time) else {
        return false;
    };
    let mut engines = vec!["embedded"];
    engines.extend((second && verdicts::is_there("nusmv")).then_some("nusmv"));
    let mut answers: Vec<_> = engines
        .into_iter()
        .map(|engine| verdicts::ask(engine, &system, &sources))
        .collect();
    answers.push(verdicts::simplified(&system));
    answers.push(verdicts::shortened(&system));
    answers.push(verdicts::by_every_way(&system));
    let mut first = None;
    for answer in answers {
        let answer = answer.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        if let Some(verdict) = answer.verdicts[time] {
            assert_eq!(
                verdict == "holds",
                goes_on,
                "seed {seed}: time, says {}\n{text}",
                answer.engine
            );
        }
        if let Some(count) = answer.states {
            assert_eq!(
                count as usize,
                states.len(),
                "seed {seed}: {}\n{text}",
                answer.engine
            );
        }
        let first = first.get_or_insert_with(|| answer.verdicts.clone());
        for (one, other) in first.iter_mut().zip(&answer.verdicts) {
            if let (Some(one), Some(other)) = (&one, other) {
                assert_eq!(one, other, "seed {seed}: {}\n{text}", answer.engine);
            }
            *one = one.or(*other);
        }
    }
    true
}

/// Whether a state is one in which time passes or nobody has to move, and where steps lead that are no faults.
fn ticks(system: &System, now: &state::State, wrong: &dyn Fn(String)) -> (bool, Vec<state::State>) {
    let timers = system.timers();
    let code = |state: &state::State, v: &VarId| state.values[v.0 as usize];
    let left = timers.iter().any(|v| code(now, v) > 0);
    let (mut ticked, mut awaited, mut forced) = (false, false, Vec::new());
    for (step, next) in state::successors(system, now) {
        let Move::Step { process, edge, .. } = step else {
            continue;
        };
        let p = system.process(process);
        let edge = &p.edges[edge];
        let is_tick = edge.events.contains(&Event::Ticked);
        for v in &timers {
            let (was, is) = (code(now, v), code(&next, v));
            let own = match system.var(*v).owner {
                Owner::Process(owner) => {
                    owner == process || !p.edges.iter().all(|e| e.kind.is_forced())
                }
                _ => true,
            };
            if is_tick && is != (was - 1).max(0) || !is_tick && !own && was != is {
                wrong(format!("{} goes from {was} to {is}", system.var_name(*v)));
            }
        }
        if is_tick {
            let counted = |v: &VarId| timers.contains(v) || system.var(*v).name == "ticked";
            let all = (0..system.vars.len() as u32).map(VarId);
            let others = all
                .filter(|v| !counted(v))
                .any(|v| code(now, &v) != code(&next, &v));
            if others || now.locations != next.locations {
                wrong("a tick changes something else".to_owned());
            }
        }
        ticked |= is_tick;
        let books = matches!(p.proc_name.as_str(), "clock" | "rest" | "transient");
        awaited |= edge.kind.is_forced() && !books;
        if edge.kind.is_forced() {
            forced.push(next);
        }
    }
    if ticked != (left && !awaited) {
        wrong(format!(
            "ticked: {ticked}, left: {left}, awaited: {awaited}"
        ));
    }
    (ticked || forced.is_empty(), forced)
}

/// Whether from everywhere a state is reached in which time passes.
fn goes_on(graph: &[(bool, Vec<usize>)]) -> bool {
    let mut reaches: Vec<bool> = graph.iter().map(|(passes, _)| *passes).collect();
    loop {
        let known = reaches.iter().filter(|r| **r).count();
        for (state, (_, next)) in graph.iter().enumerate() {
            reaches[state] = reaches[state] || next.iter().any(|n| reaches[*n]);
        }
        if reaches.iter().filter(|r| **r).count() == known {
            return reaches.iter().all(|r| *r);
        }
    }
}

fn model(text: &str) -> Result<(System, Sources), String> {
    let mut sources = Sources::new();
    let id = sources.add("random.sdl", text);
    let parsed = syntax::parse(&sources, id);
    let checked = program::check(&parsed.file, &[], &[], &sandalc::weave::FAULTS);
    let all = parsed.diagnostics.iter().chain(&checked.diagnostics);
    let errors: Vec<&str> = all
        .filter(|d| d.severity == Severity::Error)
        .map(|d| d.message.as_str())
        .collect();
    let program = checked.program.filter(|_| errors.is_empty());
    let program = program.ok_or_else(|| errors.join("\n"))?;
    Ok((build(&program, &Options::default()), sources))
}

/// Random models: two or three processes, two channels, faults here and there.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % count
    }

    fn model(&mut self) -> String {
        let mut text = String::new();
        let count = 2 + self.below(2);
        for p in 0..count {
            let body = match self.below(3) {
                0 => format!("    for {{\n{}    }}\n", self.block(2, 2)),
                _ => self.block(1, 3),
            };
            text += &format!(
                "proc P{p}(a channel [1] {{ bit }}, b channel [2] {{ bit }}) {{\n    durable var t timer = {}\n    \
                 durable var x bit\n    if t > 9 {{ recv(a, x); recv(b, x); send(a, x); send(b, x); t = x }}\n{body}}}\n",
                self.below(3)
            );
        }
        let delay = |r: &mut Self| match r.below(3) {
            0 => " @delay(0..1)",
            1 => " @delay(1..2)",
            _ => "",
        };
        let fault =
            |r: &mut Self| ["", "", " @drop(max = 1)", " @duplicate(max = 1)"][r.below(4) as usize];
        let (a, b) = (fault(self), fault(self));
        let (slow, bag) = (delay(self), if self.below(4) == 0 { "bag " } else { "" });
        text += &format!(
            "init {{\n    a: channel [1] {{ bit }}{a}{},\n    b: channel {bag}[2] {{ bit }}{b}{slow},\n",
            delay(self)
        );
        for p in 0..count {
            let marks = [
                "",
                "",
                "",
                " @shutdown",
                " @restart(max = 1)",
                " @flip(x, once)",
            ];
            let mark = marks[self.below(6) as usize];
            text += &format!("    p{p}: P{p}(a, b){mark},\n");
        }
        text += "}\n";
        if self.below(2) == 0 {
            text += "reachable passes { clock.ticked && p1.waiting }\n";
        }
        text + "reachable zero { p0.t == 0 && p0.done }\nltl ends { F (p0.done || p0.crashed) }\n"
    }

    fn block(&mut self, depth: usize, most: u64) -> String {
        let count = 1 + self.below(most);
        (0..count).map(|_| self.stmt(depth)).collect()
    }

    fn stmt(&mut self, depth: usize) -> String {
        let pad = "    ".repeat(depth);
        let channel = ["a", "b"][self.below(2) as usize];
        let ticks = self.below(3);
        let line = match self.below(if depth < 3 { 12 } else { 8 }) {
            0 => "skip".to_owned(),
            1 => format!("t = {ticks}"),
            2 => "t = x".to_owned(),
            3 => format!("sleep({ticks})"),
            4 => format!("sleep(any(0..{ticks}))"),
            5 => format!("send({channel}, x)"),
            6 => format!("nonblock_send({channel}, 1)"),
            7 => "x = 1 - x".to_owned(),
            8 => format!("if x == 0 {{\n{}{pad}}}", self.block(depth + 1, 2)),
            _ => {
                let deadline = ["t".to_owned(), ticks.to_string()][self.below(2) as usize].clone();
                let other = match self.below(3) {
                    0 => format!("{pad}    case send({channel}, 0) {{}}\n"),
                    1 => format!("{pad}    case after {} {{}}\n", self.below(3)),
                    _ => String::new(),
                };
                format!(
                    "select {{\n{pad}    case recv({channel}, x) {{\n{}{pad}    }}\n{other}{pad}    case after {deadline} {{}}\n{pad}}}",
                    self.block(depth + 2, 1)
                )
            }
        };
        format!("{pad}{line}\n")
    }
}
