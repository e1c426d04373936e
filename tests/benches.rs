//! The programs of `benches/compare` work, on the smallest sizes: everybody who is installed gives the same answers.

// Each of them is needed by some of the others, not by this test.
#[path = "../benches/compare/competitor.rs"]
#[allow(dead_code)]
mod competitor;
#[path = "../benches/compare/family.rs"]
#[allow(dead_code)]
mod family;
#[path = "../benches/compare/goals.rs"]
#[allow(dead_code)]
mod goals;
#[path = "../benches/compare/largest.rs"]
#[allow(dead_code)]
mod largest;
#[path = "../benches/compare/measurement.rs"]
#[allow(dead_code)]
mod measurement;
#[path = "../benches/compare/nusmv.rs"]
#[allow(dead_code)]
mod nusmv;
#[path = "../benches/compare/ours.rs"]
#[allow(dead_code)]
mod ours;
#[path = "../benches/compare/plot.rs"]
#[allow(dead_code)]
mod plot;
#[path = "../benches/compare/process.rs"]
#[allow(dead_code)]
mod process;
#[path = "../benches/compare/spin.rs"]
#[allow(dead_code)]
mod spin;
#[path = "../benches/compare/sweep.rs"]
#[allow(dead_code)]
mod sweep;
#[path = "../benches/compare/table.rs"]
#[allow(dead_code)]
mod table;

use std::path::Path;

use competitor::{Competitor, Field, Kind};
use measurement::Answer;
use process::Limits;

#[test]
fn everybody_agrees_on_the_smallest_models() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let installed = |who: &Competitor| match who.kind {
        Kind::Spin { reduction } => reduction && spin::find().is_ok(),
        Kind::Nusmv => nusmv::find(root).is_ok(),
        Kind::Ours(_) => true,
    };
    let mut competitors = competitor::all(2);
    competitors.retain(installed);
    let limits = Limits {
        seconds: 60.0,
        memory: 4 << 30,
    };
    let mut field = Field::new(root.to_path_buf(), &competitors, (limits, limits), 1, 2)
        .expect("all are there");
    let mut rows = Vec::new();
    for (family, variant) in sweep::families(&[]).expect("all families") {
        // Of each family one variant by everybody is enough; the others by what everybody gets, and by NuSMV.
        let first = std::ptr::eq(variant, &family.variants[0]);
        let some: Vec<Competitor> = (competitors.iter())
            .filter(|who| first || who.name == "sandalc" || who.kind == Kind::Nusmv)
            .cloned()
            .collect();
        let (smallest, ..) = variant.sizes;
        let found = sweep::grow(&mut field, &some, (smallest, smallest, 1), family, variant);
        rows.extend(found.expect("they agree"));
    }
    for row in &rows {
        assert_eq!(row.measured.answer, Answer::Holds, "{}", table::text(row));
    }
    let lines = table::csv(&rows);
    assert_eq!(lines.lines().count(), rows.len() + 1);
    let columns = |line: &str| line.split(',').count();
    let head = lines.lines().next().map(columns);
    assert!(lines.lines().all(|line| Some(columns(line)) == head));
    let drawing = plot::svg(&rows);
    let drawing = roxmltree::Document::parse(&drawing).expect("an SVG is XML");
    let titles = drawing
        .descendants()
        .filter(|node| node.attribute("class") == Some("title"));
    assert_eq!(titles.count(), sweep::families(&[]).expect("all").len());
    assert!(largest::text(&rows).contains(">="), "nobody hits a limit");
}

#[test]
fn names_that_do_not_exist_are_refused() {
    let unknown = sweep::families(&["two_fase".to_string()]);
    let message = unknown.err().expect("there is no such family");
    assert!(message.contains("two_phase/drop"), "{message}");
    let two = sweep::families(&["ring".to_string(), "raft/none".to_string()]).expect("there are");
    assert_eq!(two.len(), 3);
    let all = || competitor::all(2);
    assert!(sweep::competitors(all(), &["nuspin".to_string()]).is_err());
    let spins = sweep::competitors(all(), &["spin*".to_string()]).expect("there are");
    assert_eq!(spins.len(), 2);
}
