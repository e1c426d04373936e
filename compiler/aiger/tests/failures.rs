//! An ABC that is missing, strange, slow or garbled: never a verdict, and nothing of it is left.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::super::run::{WANTED, frames, proof};
use super::super::write::Written;
use super::super::{Error, Limits, check, probe};
use crate::system::{PropertyKind, System};
use crate::testing::system::random_system;
use crate::tool;
use crate::verdict::Outcome;

/// A program that says it is ABC 1.01 and then does something else.
fn fake(folder: &Path, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("berkeley-abc");
    let version = "UC Berkeley, ABC 1.01 (compiled Monday)";
    let text =
        format!("#!/bin/sh\ncase \"$*\" in *version*) echo '{version}'; exit 0;; esac\n{script}\n");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A System with one invariant that ABC has to look at.
fn system() -> System {
    let mut system = random_system(7);
    let never = system.processes[0].done;
    let here = system.at(crate::vocabulary::ProcessId(0), |l| l == never);
    system.properties.truncate(1);
    system.properties[0].kind = PropertyKind::Invariant(here.not());
    system
}

fn ask(script: &str, limits: Limits<'_>) -> Result<Outcome, Error> {
    let folder = tempfile::tempdir().unwrap();
    let tool = probe(&fake(folder.path(), script), Limits::default()).unwrap();
    let replies = check(&tool, &system(), &[0], limits, &mut |_| {})?;
    Ok(replies[0].verdict.outcome.clone())
}

#[test]
fn a_missing_program_is_said_to_be_missing() {
    let nothing = tempfile::tempdir().unwrap();
    let path = Some(nothing.path().as_os_str());
    let Err(tool::Error::Missing(tried)) = tool::look_up(WANTED, None, None, path) else {
        panic!("found an ABC in an empty folder");
    };
    assert_eq!(
        tried,
        ["`SANDAL_ABC`", "`berkeley-abc`", "`yosys-abc`", "`abc`"]
    );
    let gone = nothing.path().join("gone");
    let error = probe(&gone, Limits::default()).unwrap_err();
    assert!(
        matches!(error, Error::Tool(tool::Error::Missing(_))),
        "{error}"
    );
    assert!(error.hint().is_some() && !error.is_internal());
    let here = fake(nothing.path(), "");
    assert_eq!(tool::look_up(WANTED, None, None, path).unwrap(), here);
}

#[test]
fn what_is_not_abc_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = fake(folder.path(), "");
    fs::write(&path, "#!/bin/sh\necho 'I am a teapot'\n").unwrap();
    let error = probe(&path, Limits::default()).unwrap_err();
    assert!(
        matches!(error, Error::Tool(tool::Error::Nonsense(_))),
        "{error}"
    );
    fs::write(&path, "#!/bin/sh\nexec sleep 60\n").unwrap();
    let limits = Limits {
        time: Some(Duration::from_millis(200)),
        ..Limits::default()
    };
    let error = probe(&path, limits).unwrap_err();
    assert!(
        matches!(error, Error::Tool(tool::Error::Silent(_))),
        "{error}"
    );
}

#[test]
fn garbled_answers_are_no_answers() {
    let proved = "echo 'Status = 1  Frames = 1'";
    let refuted = "echo 'Status = 0  Frames = 1'";
    let row = |count: usize| "0".repeat(count);
    let nonsense = [
        String::new(),
        "echo hello".to_owned(),
        "echo 'Status = 7'".to_owned(),
        proved.to_owned(),
        format!("{proved}; echo 'Status' > proof.pla"),
        format!(
            "{proved}; printf '.i 1\\n.o 1\\n.p 1\\n.ilb lo9999\\n.ob inv\\n1 1\\n.e\\n' > proof.pla"
        ),
        format!(
            "{proved}; printf '.i 1\\n.o 1\\n.p 1\\n.ilb lo0\\n.ob inv\\n0 1\\n.e\\n' > proof.pla"
        ),
        format!(
            "{proved}; printf '.i 1\\n.o 1\\n.p 3\\n.ilb lo0\\n.ob inv\\n1 1\\n.e\\n' > proof.pla"
        ),
        format!("{proved}; printf '.i 1\\n.o 1\\n.p 1\\n.ilb lo0\\n.ob inv\\n1 1\\n' > proof.pla"),
        format!("{proved}; mkfifo proof.pla"),
        refuted.to_owned(),
        format!("{refuted}; printf '{}\\n1\\n' > run.txt", row(3)),
        format!("{refuted}; printf '{}\\nxyz\\n# DONE\\n' > run.txt", row(3)),
        format!("{refuted}; head -c 100000 /dev/zero > run.txt"),
    ];
    for script in nonsense {
        let error = ask(&script, Limits::default()).unwrap_err();
        assert!(
            matches!(error, Error::Tool(tool::Error::Nonsense(_))),
            "{script}: {error}"
        );
        assert!(!error.is_internal());
    }
    let killed = ask("kill -9 $$", Limits::default()).unwrap_err();
    assert_eq!(killed, Error::Tool(tool::Error::Killed(9)));
    let full = ask("echo 'terminate: std::bad_alloc'", Limits::default()).unwrap_err();
    assert_eq!(full, Error::Tool(tool::Error::OutOfMemory));
    let open = ask("echo 'Status = -1  Frames = 3'", Limits::default()).unwrap();
    assert!(matches!(open, Outcome::Unknown(_)));
}

#[test]
fn limits_and_interrupts_end_it() {
    let limits = Limits {
        time: Some(Duration::from_millis(400)),
        ..Limits::default()
    };
    let late = ask("exec sleep 60", limits).unwrap();
    assert_eq!(late, Outcome::Unknown("ABC ran out of time".into()));
    let folder = tempfile::tempdir().unwrap();
    let begun = folder.path().join("begun");
    let cancel = AtomicBool::new(false);
    let script = format!("echo > '{}'; exec sleep 60", begun.display());
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !begun.exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            cancel.store(true, Ordering::Relaxed);
        });
        let limits = Limits {
            cancel: Some(&cancel),
            ..Limits::default()
        };
        ask(&script, limits).unwrap()
    });
    assert_eq!(outcome, Outcome::Unknown("interrupted".into()));
}

#[test]
fn files_that_abc_writes_are_understood() {
    let written = Written {
        bytes: Vec::new(),
        inputs: vec![2, 0],
        latches: vec![4, 7],
    };
    let run = frames("00\n10\n01\n# DONE\n", &written, 3);
    let expected = [vec![false, false, true], vec![true, false, false]];
    // The last line may end with the mark.
    assert_eq!(
        frames("00\n10\n01# DONE\n", &written, 3),
        Some(expected.to_vec())
    );
    assert_eq!(run, None, "an empty line is no step");
    assert_eq!(frames("10\n10\n# DONE\n", &written, 3), None);
    let text = "# made by\n.i 2\n.o 1\n.p 2\n.ilb lo1 lo0\n.ob inv\n1- 1\n01 1\n.e\n";
    let expected = vec![vec![(7, true)], vec![(7, false), (4, true)]];
    assert_eq!(proof(text, &written), Some(expected));
    let nothing = ".i 0\n.o 1\n.p 0\n.ilb\n.ob inv\n.e\n";
    assert_eq!(proof(nothing, &written), Some(Vec::new()));
    assert_eq!(proof("", &written), None);
}
