//! A NuSMV that does not want to end, talks without end, or is in the way: it is gone when we are.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::super::run::WANTED;
use super::super::{Error, Limits, probe};
use super::failures::{ask, ask_fake, fake};
use crate::tool;
use crate::verdict::Outcome;

const HOLDS: &str = "<properties><property><name>first</name><status>TRUE</status><trace>0</trace>\
                     </property></properties>";

fn seconds(seconds: u64) -> Limits<'static> {
    Limits {
        time: Some(Duration::from_secs(seconds)),
        ..Limits::default()
    }
}

/// Whether a process has ended. One that has but was not waited for yet is a zombie.
fn is_gone(process: &str) -> bool {
    (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        match fs::read_to_string(format!("/proc/{process}/stat")) {
            Ok(stat) => stat.contains(") Z "),
            Err(_) => true,
        }
    })
}

#[test]
fn an_interrupt_leaves_nothing_behind_but_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("told");
    // Answers once, then tells where it runs and which process sleeps for it.
    let script = format!(
        "case \"$*\" in *probe*) exit 0;; esac\necho '{HOLDS}' > answer_0.xml\nsleep 60 &\n\
         echo \"$PWD $!\" > '{0}.new'; mv '{0}.new' '{0}'\nwait",
        told.display()
    );
    let tool = probe(&fake(folder.path(), &script), Limits::default()).unwrap();
    let cancel = AtomicBool::new(false);
    let outcomes = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !told.exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            cancel.store(true, Ordering::Relaxed);
        });
        let limits = Limits {
            cancel: Some(&cancel),
            ..Limits::default()
        };
        ask(&tool, limits).unwrap()
    });
    let interrupted = Outcome::Unknown("interrupted".into());
    assert_eq!(outcomes, [Outcome::Holds, interrupted]);
    let told = fs::read_to_string(&told).unwrap();
    let (place, sleeper) = told.trim().rsplit_once(' ').unwrap();
    assert!(!Path::new(place).exists(), "{place} is still there");
    assert!(is_gone(sleeper), "process {sleeper} still runs");
}

#[test]
fn whoever_it_leaves_behind_is_gone_too() {
    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("told");
    // It ends at once; a process of its own does not, and keeps its output open.
    let script = format!(
        "(trap '' TERM HUP; while :; do sleep 60; done) &\necho $! > '{}'",
        told.display()
    );
    let started = Instant::now();
    let tool = probe(&fake(folder.path(), &script), Limits::default()).unwrap();
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_eq!(tool.version.number(), "2.6.0");
    let left = fs::read_to_string(&told).unwrap();
    assert!(is_gone(left.trim()), "process {left} still runs");
}

#[test]
fn one_that_heeds_no_signal_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let script = "trap '' TERM INT HUP; while :; do sleep 1; done";
    let started = Instant::now();
    let error = probe(&fake(folder.path(), script), seconds(1)).unwrap_err();
    assert!(started.elapsed() < Duration::from_secs(10));
    assert!(
        matches!(error, Error::Tool(tool::Error::Silent(_))),
        "{error}"
    );
}

#[test]
fn the_probe_can_be_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = fake(folder.path(), "sleep 60");
    let cancel = AtomicBool::new(true);
    let limits = Limits {
        cancel: Some(&cancel),
        ..Limits::default()
    };
    let started = Instant::now();
    assert_eq!(
        probe(&path, limits).unwrap_err(),
        Error::Tool(tool::Error::Cancelled)
    );
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn output_without_end_is_survived() {
    let folder = tempfile::tempdir().unwrap();
    // With and without line ends.
    for endless in ["yes", "tr '\\000' x < /dev/zero"] {
        let script = format!("case \"$*\" in *probe*) exit 0;; esac\n{endless}");
        let tool = probe(&fake(folder.path(), &script), Limits::default()).unwrap();
        let before = memory();
        let outcomes = ask(&tool, seconds(2)).unwrap();
        assert!(
            outcomes.iter().all(|o| matches!(o, Outcome::Unknown(_))),
            "{outcomes:?}"
        );
        let used = memory().saturating_sub(before);
        assert!(used < 400 << 20, "{used} bytes more after `{endless}`");
    }
}

/// The most memory that this process has used so far, in bytes.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kib = peak.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

#[test]
fn what_is_no_file_is_no_answer() {
    let started = Instant::now();
    for script in [
        "mkfifo answer_0.xml",
        "ln -s /dev/zero answer_0.xml",
        "mkdir answer_0.xml",
        "truncate -s 3G answer_0.xml",
    ] {
        let error = ask_fake(script).unwrap_err();
        assert!(
            matches!(error, Error::Tool(tool::Error::Nonsense(_))),
            "{script}: {error}"
        );
    }
    assert!(started.elapsed() < Duration::from_secs(15));
}

#[test]
fn a_second_try_gets_the_time_that_is_left() {
    let violated = HOLDS.replace("TRUE", "FALSE").replace(">0<", ">1<");
    let nowhere = "<counter-example id=\"1\"><node><state><value variable=\"p0.pc\">nowhere</value>\
                   </state></node><loops></loops></counter-example>";
    // The first time it shows what is no run, the second time it takes for ever.
    let script = format!(
        "case \"$*\" in *probe*) exit 0;; *-coi*) ;; *) sleep 60;; esac\n\
         sleep 2; echo '{violated}' > answer_0.xml; echo '{nowhere}' > trace_0.xml"
    );
    let folder = tempfile::tempdir().unwrap();
    let tool = probe(&fake(folder.path(), &script), Limits::default()).unwrap();
    let started = Instant::now();
    let outcomes = ask(&tool, seconds(3)).unwrap();
    assert!(
        started.elapsed() < Duration::from_millis(4_500),
        "{:?}",
        started.elapsed()
    );
    assert!(matches!(outcomes[0], Outcome::Unknown(_)));
}

#[test]
fn a_bare_name_is_looked_up_on_the_path_only() {
    let here = std::env::current_dir().unwrap();
    // A program in the current folder that is on no path.
    let folder = tempfile::tempdir_in(&here).unwrap();
    let program = fake(folder.path(), "");
    let name = Path::new("sandalc-test-nusmv");
    let local = here.join(name);
    fs::copy(&program, &local).unwrap();
    let found = |asked: Option<&Path>, variable: Option<&Path>, path: &str| {
        tool::look_up(
            WANTED,
            asked,
            variable.map(Path::as_os_str),
            Some(path.as_ref()),
        )
    };
    let results: Vec<_> = ["", ".", ":/nonexistent", "/nonexistent:"]
        .iter()
        .flat_map(|path| [found(None, Some(name), path), found(Some(name), None, path)])
        .collect();
    let as_path = found(Some(&Path::new(".").join(name)), None, "");
    fs::remove_file(&local).unwrap();
    for result in results {
        assert!(matches!(result, Err(tool::Error::Missing(_))), "{result:?}");
    }
    assert_eq!(as_path.unwrap(), Path::new(".").join(name));
}
