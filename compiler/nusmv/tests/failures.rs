//! What happens when NuSMV is missing, old, slow, killed or talks nonsense: never a verdict.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::super::run::WANTED;
use super::super::{Emitted, Error, Limits, Tool, Version, check, count_states, emit, probe};
use super::tool;
use crate::source::Sources;
use crate::system::{Expr, Formula, Property, PropertyKind, System};
use crate::testing::system::{random_system, span};
use crate::tool;
use crate::verdict::Outcome;
use crate::vocabulary::TemporalOp;

/// A System with one invariant that NuSMV has to look at.
fn system() -> System {
    let moves = |s: &System| emit(s, &Sources::new()).names.pcs[0].as_deref() == Some("p0.pc");
    let mut system = (7..).map(random_system).find(moves).unwrap();
    let never = system.processes[0].done;
    let here = system.at(crate::vocabulary::ProcessId(0), |l| l != never);
    system.properties = vec![
        property("first", PropertyKind::Invariant(here.clone())),
        property("second", PropertyKind::Reachable(here)),
    ];
    system
}

fn property(name: &str, kind: PropertyKind) -> Property {
    Property {
        form: None,
        name: name.into(),
        kind,
        tolerant: None,
        span: Some(span()),
    }
}

/// A program that says it is NuSMV 2.6.0 and then does something else.
pub fn fake(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("NuSMV");
    let text =
        format!("#!/bin/sh\necho '*** This is NuSMV 2.6.0 (compiled on Monday)'\n{script}\n");
    fs::write(&path, text).unwrap();
    executable(&path);
    path
}

fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

pub fn ask(tool: &Tool, limits: Limits<'_>) -> Result<Vec<Outcome>, Error> {
    let system = system();
    let emitted = emit(&system, &Sources::new());
    let report = check(tool, &system, &emitted, &[0, 1], limits, &mut |_| {})?;
    Ok(report.verdicts.into_iter().map(|v| v.outcome).collect())
}

/// What comes of asking a program that does `script` when it is asked about a model.
pub fn ask_fake(script: &str) -> Result<Vec<Outcome>, Error> {
    let folder = tempfile::tempdir().unwrap();
    // It behaves while it is probed.
    let script = format!("case \"$*\" in *probe*) exit 0;; esac\n{script}");
    let tool = probe(&fake(folder.path(), &script), Limits::default()).unwrap();
    let limits = Limits {
        time: Some(Duration::from_secs(20)),
        ..Limits::default()
    };
    ask(&tool, limits)
}

#[test]
fn a_missing_program_is_said_to_be_missing() {
    let nothing = tempfile::tempdir().unwrap();
    let path = Some(nothing.path().as_os_str());
    let Err(tool::Error::Missing(tried)) = tool::look_up(WANTED, None, None, path) else {
        panic!("found a NuSMV in an empty folder");
    };
    assert_eq!(tried, ["`SANDAL_NUSMV`", "`NuSMV`", "`nusmv`", "`nuXmv`"]);
    let gone = nothing.path().join("gone");
    for (asked, variable) in [
        (Some(gone.as_path()), None),
        (None, Some(gone.as_os_str())),
        (Some(Path::new("gone")), None),
    ] {
        let found = tool::look_up(WANTED, asked, variable, path);
        let probed = found
            .map_err(Error::Tool)
            .and_then(|found| probe(&found, Limits::default()));
        let error = probed.unwrap_err();
        assert!(
            matches!(error, Error::Tool(tool::Error::Missing(_))),
            "{error}"
        );
        assert!(error.hint().is_some() && !error.is_internal());
    }
}

#[test]
fn the_one_asked_for_comes_first() {
    let [asked, variable, on_path] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let asked_path = fake(asked.path(), "");
    let variable_path = fake(variable.path(), "");
    let found_path = fake(on_path.path(), "");
    let path = Some(on_path.path().as_os_str());
    let found = |asked: Option<&Path>, variable: Option<&Path>| {
        let variable = variable.map(Path::as_os_str);
        tool::look_up(WANTED, asked, variable, path).unwrap()
    };
    assert_eq!(found(Some(&asked_path), Some(&variable_path)), asked_path);
    assert_eq!(found(None, Some(&variable_path)), variable_path);
    assert_eq!(found(None, None), found_path);
    assert_eq!(found(Some(Path::new("NuSMV")), None), found_path);
}

#[test]
fn an_old_or_strange_program_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("NuSMV");
    let says = |text: &str| {
        fs::write(&path, format!("#!/bin/sh\necho '{text}'\n")).unwrap();
        executable(&path);
        probe(&path, Limits::default())
    };
    let error = says("*** This is NuSMV 2.5.4 (compiled on Monday)").unwrap_err();
    assert!(
        matches!(&error, Error::TooOld(_, v) if v == "NuSMV 2.5.4"),
        "{error}"
    );
    let error = says("Hello, world").unwrap_err();
    assert!(
        matches!(error, Error::Tool(tool::Error::Nonsense(_))),
        "{error}"
    );
    let version = says("*** This is nuXmv 2.0.0 (compiled on Monday)")
        .unwrap()
        .version;
    assert_eq!(
        version,
        Version {
            name: "nuXmv".into(),
            numbers: vec![2, 0, 0]
        }
    );
    fs::write(&path, "no program").unwrap();
    let error = probe(&path, Limits::default()).unwrap_err();
    assert!(
        matches!(error, Error::Tool(tool::Error::CannotStart(..))),
        "{error}"
    );
}

#[test]
fn nonsense_is_no_verdict() {
    for script in [
        "exit 0",
        "echo 'invariant is true'; exit 0",
        "for k in 0 1; do echo '<a>' > answer_$k.xml; done",
        "for k in 0 1; do echo '<properties><property><name>other</name><status>TRUE</status>\
         </property></properties>' > answer_$k.xml; done",
        "echo oops >&2; exit 1",
    ] {
        let error = ask_fake(script).unwrap_err();
        assert!(
            matches!(error, Error::Tool(tool::Error::Nonsense(_))),
            "{script}: {error}"
        );
        assert!(!error.is_internal());
    }
}

#[test]
fn a_violation_without_a_trace_is_nonsense() {
    let answer = "<properties><property><name>first</name><status>FALSE</status><trace>1</trace>\
                  </property></properties>";
    let error = ask_fake(&format!("echo '{answer}' > answer_0.xml")).unwrap_err();
    assert!(
        matches!(error, Error::Tool(tool::Error::Nonsense(_))),
        "{error}"
    );
    // One that is no run of the model is a mistake of ours.
    let trace = "<counter-example id=\"1\"><node><state><value variable=\"p0.pc\">nowhere</value>\
                 </state></node><loops></loops></counter-example>";
    let error = ask_fake(&format!(
        "echo '{answer}' > answer_0.xml; echo '{trace}' > trace_0.xml"
    ))
    .unwrap_err();
    assert_eq!(error, Error::NotARun("first".into()));
    assert!(error.is_internal());
}

#[test]
fn endings_are_told_apart() {
    let error = ask_fake("kill -9 $$").unwrap_err();
    assert_eq!(error, Error::Tool(tool::Error::Killed(9)));
    let error = ask_fake("kill -11 $$").unwrap_err();
    assert_eq!(error, Error::Tool(tool::Error::Killed(11)));
    let error =
        ask_fake("echo '### Out of memory allocating 40920 bytes' >&2; exit 1").unwrap_err();
    assert_eq!(error, Error::Tool(tool::Error::OutOfMemory));
    let error = ask_fake("echo 'file model.smv: line 3: at token \"A\": syntax error'; exit 255");
    let error = error.unwrap_err();
    assert!(
        matches!(error, Error::Rejected(_)) && error.is_internal(),
        "{error}"
    );
    for warning in [
        "Fair states set of the finite state machine is empty.",
        "The transition relation is not total. A state without",
    ] {
        let error = ask_fake(&format!("echo '{warning}' >&2; echo @@PROP 0")).unwrap_err();
        assert!(matches!(error, Error::Vacuous(_)), "{error}");
    }
}

#[test]
fn answers_before_the_time_limit_count() {
    let folder = tempfile::tempdir().unwrap();
    let answer = "<properties><property><name>first</name><status>TRUE</status><trace>0</trace>\
                  </property></properties>";
    let script = format!(
        "case \"$*\" in *probe*) exit 0;; esac\n\
         echo @@PROP 0; echo '{answer}' > answer_0.xml; echo @@DONE 0; echo @@PROP 1; sleep 60 & wait"
    );
    let tool = probe(&fake(folder.path(), &script), Limits::default()).unwrap();
    let limits = Limits {
        time: Some(Duration::from_millis(500)),
        ..Limits::default()
    };
    let started = Instant::now();
    let outcomes = ask(&tool, limits).unwrap();
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_eq!(outcomes[0], Outcome::Holds);
    assert!(matches!(outcomes[1], Outcome::Unknown(_)));
}

#[test]
fn a_memory_limit_is_kept() {
    let Some(tool) = tool() else { return };
    let limits = Limits {
        memory: Some(52 << 20),
        ..Limits::default()
    };
    let error = ask(&tool, limits).unwrap_err();
    assert_eq!(error, Error::Tool(tool::Error::OutOfMemory));
}

#[test]
fn a_model_that_nusmv_refuses_is_our_mistake() {
    let Some(tool) = tool() else { return };
    let emitted = Emitted {
        text: "MODULE main\nVAR A : boolean;\n".into(),
        ..emit(&system(), &Sources::new())
    };
    let error = count_states(&tool, &emitted, Limits::default()).unwrap_err();
    assert!(matches!(error, Error::Rejected(_)), "{error}");
    let emitted = Emitted {
        text: "MODULE main\nVAR a : boolean;\nTRANS FALSE;\n".into(),
        ..emitted
    };
    let error = count_states(&tool, &emitted, Limits::default()).unwrap_err();
    assert!(matches!(error, Error::Vacuous(_)), "{error}");
}

#[test]
fn assumptions_that_no_run_satisfies_are_the_users_mistake() {
    let Some(tool) = tool() else { return };
    let mut system = system();
    let always = |e: Expr| Formula::Unary(TemporalOp::G, Box::new(Formula::Atom(e)));
    let PropertyKind::Invariant(here) = system.properties[0].kind.clone() else {
        unreachable!("made above");
    };
    let later = Formula::Unary(TemporalOp::F, Box::new(Formula::Atom(here.clone())));
    system
        .properties
        .push(property("third", PropertyKind::Ltl(later)));
    super::odd::assume(&mut system, vec![always(here.clone()), always(here.not())]);
    let emitted = emit(&system, &Sources::new());
    let ask = |wanted: &[usize]| {
        check(
            &tool,
            &system,
            &emitted,
            wanted,
            Limits::default(),
            &mut |_| {},
        )
    };
    assert_eq!(ask(&[0, 1, 2]).unwrap().possible, Some(false));
    // They do not matter to properties of states.
    assert_eq!(ask(&[0, 1]).unwrap().possible, None);
}
