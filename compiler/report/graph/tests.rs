//! Layouts keep their promises on graphs that nobody drew by hand; pictures of real models are well-formed.

use super::layered::{Line, Placed, Size, place};
use super::{dot, machine, mermaid, svg, topology};
use crate::source::Sources;
use crate::system::System;
use crate::testing::random::Random;
use crate::vocabulary::ProcessId;

fn random(seed: u64) -> (Vec<Size>, Vec<Line>) {
    let mut random = Random::new(seed);
    let count = 1 + random.below(24);
    let sizes = (0..count).map(|_| Size {
        width: 20.0 + random.below(100) as f64,
        height: 10.0 + random.below(40) as f64,
    });
    let sizes: Vec<Size> = sizes.collect();
    let mut lines = Vec::new();
    for _ in 0..random.below(2 * count + 1) {
        let (from, to) = (random.below(count), random.below(count));
        let label = random.chance(1, 2).then_some(Size {
            width: 40.0,
            height: 16.0,
        });
        if from != to {
            lines.push(Line { from, to, label });
        }
    }
    (sizes, lines)
}

#[test]
fn boxes_do_not_touch_and_arrows_end_at_them() {
    for seed in 0..300 {
        let (sizes, lines) = random(seed);
        for sideways in [false, true] {
            let placed = place(&sizes, &lines, sideways);
            check(&sizes, &lines, &placed);
            assert_eq!(placed, place(&sizes, &lines, sideways), "seed {seed}");
        }
    }
}

fn check(sizes: &[Size], lines: &[Line], placed: &Placed) {
    let labels = lines.iter().zip(&placed.labels);
    let labels = labels.filter_map(|(line, at)| Some((line.label?, (*at)?)));
    let all: Vec<_> = sizes
        .iter()
        .copied()
        .zip(placed.boxes.iter().copied())
        .chain(labels)
        .collect();
    for (index, (size, at)) in all.iter().enumerate() {
        assert!(at.x - size.width / 2.0 >= -0.2 && at.y - size.height / 2.0 >= -0.2);
        assert!(at.x + size.width / 2.0 <= placed.size.width + 0.2);
        assert!(at.y + size.height / 2.0 <= placed.size.height + 0.2);
        for (other, place) in &all[index + 1..] {
            let beside = (at.x - place.x).abs() + 0.2 >= (size.width + other.width) / 2.0;
            let below = (at.y - place.y).abs() + 0.2 >= (size.height + other.height) / 2.0;
            assert!(beside || below, "{at:?} and {place:?}");
        }
    }
    for (line, points) in lines.iter().zip(&placed.lines) {
        let ends = [(line.from, points[0]), (line.to, points[points.len() - 1])];
        for (place, end) in ends {
            let (at, size) = (placed.boxes[place], sizes[place]);
            assert!((end.x - at.x).abs() <= size.width / 2.0 + 0.2);
            assert!((end.y - at.y).abs() <= size.height / 2.0 + 0.2);
        }
    }
}

fn woven(text: &str) -> (System, Sources) {
    let mut sources = Sources::new();
    let file = sources.add("model.sdl", text);
    let parsed = crate::syntax::parse(&sources, file);
    let checked = crate::program::check(&parsed.file, &[], &[], &crate::weave::FAULTS);
    let program = checked.program.expect("a right model");
    (
        crate::build(&program, &crate::weave::Options::default()),
        sources,
    )
}

/// A statement whose text would be markup, code or a command somewhere.
const HOSTILE: &str = "
    proc P(c channel [2] { 0..3 }) {
        var x 0..3
        loop: for x < 3 /* <script>alert(1)</script> \"]; evil [x=\\\"y --> ]]> &amp; \u{1b}[31m \u{202e} %%{init: {}}%% */ {
            x += 1
            send(c, x)
            if x == 2 /* </text><image href='http://x'/> */ { goto loop }
            recv(c, _)
        }
    }
    init { c: channel [2] { 0..3 } @drop @reorder, p: P(c) @restart }
";

#[test]
fn pictures_are_well_formed_whatever_the_model_says() {
    let (system, sources) = woven(HOSTILE);
    let (graph, boxes) = machine(&system, &sources, ProcessId(0), true);
    assert_eq!(graph.nodes.len(), boxes.len());
    for graph in [graph, topology(&system)] {
        let picture = svg::write(&graph);
        let document = roxmltree::Document::parse(&picture).expect("XML");
        let allowed = [
            "svg", "title", "style", "rect", "path", "text", "g", "circle",
        ];
        for node in document.descendants().filter(roxmltree::Node::is_element) {
            assert!(allowed.contains(&node.tag_name().name()), "{node:?}");
            let links = |name: &str| name.contains("href") || name.starts_with("on");
            assert!(!node.attributes().any(|a| links(a.name())));
        }
        // In DOT a string that ends where it should is enough.
        let dot = dot::write(&graph);
        assert!(!dot.contains(['\u{1b}', '\u{202e}']), "{dot}");
        for line in dot.lines() {
            let quotes = line.replace("\\\\", "").replace("\\\"", "");
            assert!(quotes.matches('"').count().is_multiple_of(2), "{line}");
        }
        for text in [picture, mermaid::write(&graph)] {
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
            assert!(
                !text.contains("<script") && !text.contains("<image"),
                "{text}"
            );
            assert!(!text.contains("%%{"), "{text}");
        }
    }
}

#[test]
fn crashes_are_drawn_once_and_loops_lead_back() {
    let (system, sources) = woven(HOSTILE);
    let (graph, _) = machine(&system, &sources, ProcessId(0), true);
    let crashes = graph.edges.iter().filter(|edge| edge.lines == ["crashes"]);
    assert_eq!(crashes.count(), 1);
    let says = |words: &str| {
        graph
            .nodes
            .iter()
            .any(|node| node.lines.iter().any(|l| l == words))
    };
    assert!(says("loop:") && says("crashed") && says("at any statement") && says("done"));
    let starts = graph.nodes.iter().filter(|node| node.start);
    assert_eq!(starts.count(), 1);
}
