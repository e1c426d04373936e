//! NuSMV on our modules and on those of the 2014 compiler, in turn, in one run:
//! `cargo bench --bench nusmv -- --baseline DIR [--largest N]`.
//!
//! `DIR` holds the old modules (`two_phase_commit.smv` and its `_timeout`, `_drop`, `_shutdown` kin); without
//! it only ours are measured. Default options of NuSMV on both. Then two-phase commit with every fault grows
//! from 2 to `N` workers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sandalc::program::Define;
use sandalc::simplify::{Rules, simplify};
use sandalc::source::Sources;
use sandalc::{build, nusmv, program, syntax, weave};

const VARIANTS: [(&str, &str); 4] = [
    ("two_phase", "two_phase_commit"),
    ("two_phase_timeout", "two_phase_commit_timeout"),
    ("two_phase_drop", "two_phase_commit_drop"),
    ("two_phase_shutdown", "two_phase_commit_shutdown"),
];

/// Longer than this nobody waits.
const PATIENCE: Duration = Duration::from_secs(120);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|a| a == name)?;
        arguments.get(at + 1).cloned()
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let baseline = option("--baseline").map(PathBuf::from);
    let largest: u32 = option("--largest")
        .and_then(|n| n.parse().ok())
        .unwrap_or(6);
    let Some(tool) = find_nusmv(root) else {
        println!("NuSMV is not installed: run `cargo xtask nusmv` first");
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!(
        "{:<20} {:>10} {:>10} {:>8}",
        "two workers", "2014", "sandalc", "ratio"
    );
    for (example, old) in VARIANTS {
        let text = modules(
            &root.join(format!("examples/{example}.sdl")),
            &[],
            Some("decided"),
        );
        let ours = folder.path().join("ours.smv");
        std::fs::write(&ours, text).expect("a temporary file");
        let old = baseline.as_ref().map(|dir| dir.join(format!("{old}.smv")));
        // In turn, and the best of three: the machine is never quiet.
        let (mut best_old, mut best_ours) = (None, None);
        for _ in 0..3 {
            if let Some(old) = &old {
                best_old = least(best_old, time(&tool, old));
            }
            best_ours = least(best_ours, time(&tool, &ours));
        }
        let ratio = match (best_old, best_ours) {
            (Some(old), Some(ours)) => format!("{:.0}x", old.as_secs_f64() / ours.as_secs_f64()),
            _ => "-".to_string(),
        };
        println!(
            "{example:<20} {:>10} {:>10} {ratio:>8}",
            seconds(best_old),
            seconds(best_ours)
        );
    }
    println!("\n{:<20} {:>10}", "all faults, workers", "sandalc");
    for workers in 2..=largest {
        let define = Define {
            name: "N".to_string(),
            value: workers.to_string(),
        };
        let text = modules(
            &root.join("benches/models/two_phase_timeout.sdl"),
            &[define],
            None,
        );
        let ours = folder.path().join("ours.smv");
        std::fs::write(&ours, text).expect("a temporary file");
        let taken = time(&tool, &ours);
        println!("{workers:<20} {:>10}", seconds(taken));
        if taken.is_none() {
            break;
        }
    }
}

/// The modules of a model; of one property only, if it is named.
fn modules(path: &Path, defines: &[Define], property: Option<&str>) -> String {
    let text = std::fs::read_to_string(path).expect("the model is there");
    let mut sources = Sources::new();
    let file = sources.add(path.display().to_string(), text);
    let parsed = syntax::parse(&sources, file);
    let checked = program::check(&parsed.file, &[], defines);
    let program = checked.program.expect("the model is correct");
    let mut system = build(&program, &weave::Options::default());
    if let Some(name) = property {
        // The old modules have the authors' formula and nothing else.
        system.properties.retain(|p| p.name == name);
        assert_eq!(
            system.properties.len(),
            1,
            "{name} is a property of {}",
            path.display()
        );
    }
    let system = simplify(&system, &Rules::default()).system;
    nusmv::emit(&system, &sources).text
}

/// How long NuSMV takes for a file; none if it takes too long.
fn time(tool: &Path, model: &Path) -> Option<Duration> {
    let start = Instant::now();
    let mut child = Command::new(tool)
        .arg(model)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("NuSMV starts");
    loop {
        if let Some(status) = child.try_wait().expect("NuSMV can be waited for") {
            assert!(status.success(), "NuSMV accepts {}", model.display());
            return Some(start.elapsed());
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn least(a: Option<Duration>, b: Option<Duration>) -> Option<Duration> {
    a.into_iter().chain(b).min()
}

fn seconds(time: Option<Duration>) -> String {
    match time {
        Some(time) => format!("{:.3} s", time.as_secs_f64()),
        None => "-".to_string(),
    }
}

fn find_nusmv(root: &Path) -> Option<PathBuf> {
    let installed = root.join("target/nusmv/NuSMV");
    match installed.exists() {
        true => Some(installed),
        false => nusmv::find(None).ok().map(|tool| tool.path),
    }
}
