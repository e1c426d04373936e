//! The faults of the library, written as definitions, are woven to the same System as the markers of the language they are called after.

use super::random::{definitions, model};
use crate::system::print;
use crate::testing::model::program;
use crate::testing::random::Random;
use crate::weave::Options;

/// What is marked, a marker with its arguments, and the one of the library; whether they can be `always`.
const PAIRS: [(&str, [&str; 2], [&str; 2], bool); 12] = [
    ("c", ["drop", ""], ["drop", ""], true),
    ("b", ["drop", ""], ["drop", ""], true),
    ("p", ["shutdown", ""], ["shutdown", ""], false),
    ("q", ["shutdown", ""], ["shutdown", ""], false),
    ("p", ["invert", "y"], ["invert", "y"], true),
    ("q", ["invert", "y"], ["invert", "y"], true),
    ("p", ["random", "x"], ["random", "x"], true),
    ("q", ["random", "y"], ["random", "y"], true),
    ("p", ["flip", "y"], ["flip", "y"], false),
    ("p", ["stuck", "x, at = 1"], ["stuck_at", "x, 1"], true),
    (
        "q",
        ["stuck", "y, at = false"],
        ["stuck_at", "y, false"],
        true,
    ),
    ("q", ["replace", "x, 2"], ["replace_by", "x, 2"], true),
];

#[test]
fn faults_of_the_library_are_woven_as_the_markers_of_the_language() {
    let mut systems = 0;
    for (on, marker, own, always) in PAIRS {
        for (index, timing) in ["", "max = 2", "from = any, until = any", "fair", "always"]
            .into_iter()
            .enumerate()
        {
            if matches!(timing, "always" | "fair") && !always {
                continue;
            }
            for seed in 0..12 {
                let seed = seed * 5 + index as u64;
                let woven = |name: &str, arguments: &str| {
                    let all = [arguments, timing].map(str::to_owned).into_iter();
                    let all: Vec<String> = all.filter(|part| !part.is_empty()).collect();
                    let text = marked(seed, on, &format!("@{name}({}) as it", all.join(", ")));
                    print::system(&crate::build(&program(&text), &Options::default()))
                };
                let of_language = woven(marker[0], marker[1]);
                let of_library = woven(&format!("own_{}", own[0]), own[1]);
                assert!(
                    of_language == of_library,
                    "@{marker:?} {timing}, seed {seed}:\n{of_language}\n{of_library}"
                );
                systems += 1;
            }
        }
    }
    assert!(systems > 500, "{systems}");
}

/// A random model with a marker.
fn marked(seed: u64, on: &str, marker: &str) -> String {
    let model = model(&mut Random::new(seed), &[]);
    let entry = match on {
        "c" => "c: channel { bit }",
        "b" => "b: channel [2] { 0..2, bool }",
        "p" => "p: P(c, b)",
        _ => "q: Q(c, b)",
    };
    assert!(model.contains(entry));
    format!(
        "{}\n{}",
        definitions(),
        model.replace(entry, &format!("{entry} {marker}"))
    )
}
