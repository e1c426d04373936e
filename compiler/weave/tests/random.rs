//! Random models that together have every kind of edge.

use crate::testing::random::Random;

/// A fault that is marked.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    /// `p`, `q`, `d` (a detector of `p`), `c` (a rendezvous channel) or `b` (a buffered one).
    pub on: &'static str,
    pub name: &'static str,
    /// What else stands in its parentheses.
    pub arguments: &'static str,
    pub max: Option<u32>,
}

/// The faults of the library under names that the language does not have: `own_drop`.
pub fn definitions() -> String {
    let library = include_str!("../../../stdlib/faults.sdl");
    let lines = library
        .lines()
        .map(|line| match line.strip_prefix("fault ") {
            Some(rest) => format!("fault own_{rest}\n"),
            None => format!("{line}\n"),
        });
    lines.collect()
}

const PARAMS: &str = "c channel { bit }, b channel [2] { 0..2, bool }";

/// The text of a model of two processes, `p` and `q`, that share the channels `c` and `b`.
pub fn model(random: &mut Random, markers: &[Marker]) -> String {
    let marks = |on: &str| -> String {
        let of = markers.iter().filter(|marker| marker.on == on);
        of.map(|marker| {
            let mut arguments = marker.arguments.to_owned();
            if let Some(max) = marker.max {
                let comma = if arguments.is_empty() { "" } else { ", " };
                arguments.push_str(&format!("{comma}max = {max}"));
            }
            match arguments.as_str() {
                "" => format!(" @{}", marker.name),
                _ => format!(" @{}({arguments})", marker.name),
            }
        })
        .collect()
    };
    let own = markers.iter().any(|marker| marker.name.starts_with("own_"));
    let definitions = if own { definitions() } else { String::new() };
    // Each does everything once that a fault may need, and then anything.
    let [first, second] = [0, 1].map(|_| block(random, 2, 3));
    format!(
        "{definitions}
        proc P({PARAMS}) {{
            durable var y bool
            var x 0..2
            send(c, x % 2)
            send(b, x, y)
            {first}
        }}
        proc Q({PARAMS}) {{
            var x 0..2
            var y bool
            recv(c, x)
            recv(b, x, y)
            {second}
        }}
        init {{
            c: channel {{ bit }}{c},
            b: channel [2] {{ 0..2, bool }}{b},
            p: P(c, b){p},
            q: Q(c, b){q},
            d: detector(p){d},
        }}",
        c = marks("c"),
        b = marks("b"),
        p = marks("p"),
        q = marks("q"),
        d = marks("d"),
    )
}

fn block(random: &mut Random, depth: usize, most: usize) -> String {
    let count = 1 + random.below(most);
    let statements: Vec<String> = (0..count).map(|_| statement(random, depth)).collect();
    statements.join("\n")
}

fn statement(random: &mut Random, depth: usize) -> String {
    let simple = [
        "skip",
        "x = any",
        "x = (x + 1) % 3",
        "y = !y",
        "assert(x < 2)",
        "send(c, x % 2)",
        "send(b, x, y)",
        "recv(c, x)",
        "recv(b, x, y)",
        "peek(b, x, _)",
        "y = timeout_recv(c, x)",
        "y = nonblock_recv(b, x, _)",
        "y = timeout_send(c, 1)",
        "nonblock_send(b, 2 / (x + 1), true)",
    ];
    let kind = random.below(if depth == 0 { 1 } else { 3 });
    if kind == 0 || random.chance(1, 2) {
        return (*random.choose(&simple)).to_string();
    }
    let mut block = || block(random, depth - 1, 2);
    let (one, two) = (block(), block());
    match random.below(4) {
        0 => format!("if y {{ {one} }} else {{ {two} }}"),
        1 => format!("for x < 2 {{ {one} }}"),
        2 => format!("choice {{ {one} }}, {{ {two} }}"),
        _ => format!(
            "select {{
            case recv(c, x) {{ {one} }}
            case recv(b, _, y) if x > 0 {{ }}
            case timeout {{ {two} }}
            }}"
        ),
    }
}
