//! What is written, and where: compiled models, formatted files.

use std::fs;
use std::path::Path;

use super::run::{command, finish, sandalc_in, sandalc_with};

const MODEL: &str = "\
proc P() {
    skip
}

init {
    p: P(),
}
";

/// The same, not formatted.
const UNTIDY: &str = "proc P( ) {\n  skip\n}\n\ninit {\n  p : P()\n}\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("model.sdl"), MODEL).expect("a file");
    fs::write(folder.path().join("untidy.sdl"), UNTIDY).expect("a file");
    folder
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("a text")
}

#[test]
fn a_model_is_compiled_to_a_file_or_to_standard_output() {
    let folder = folder();
    let folder = folder.path();
    let silent = sandalc_in(folder, &["model.sdl", "-o", "model.smv"]).expect(0);
    assert_eq!(silent.out + &silent.err, "");
    let text = read(folder, "model.smv");
    assert!(text.contains("MODULE main"), "{text}");
    assert_eq!(sandalc_in(folder, &["model.sdl"]).expect(0).out, text);
    assert_eq!(
        sandalc_in(folder, &["model.sdl", "-o", "-"]).expect(0).out,
        text
    );
    assert_eq!(
        sandalc_in(folder, &["dump", "smv", "model.sdl"])
            .expect(0)
            .out,
        text
    );
    // And over an older one.
    fs::write(folder.join("model.smv"), "old".repeat(10_000)).expect("a file");
    sandalc_in(folder, &["model.sdl", "-o", "model.smv"]).expect(0);
    assert_eq!(read(folder, "model.smv"), text);
}

#[test]
fn nothing_is_written_for_a_wrong_model() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("wrong.sdl"), "init { p: Q() }").expect("a file");
    fs::write(folder.join("old.smv"), "old").expect("a file");
    sandalc_in(folder, &["wrong.sdl", "-o", "old.smv"]).expect(2);
    sandalc_in(folder, &["wrong.sdl", "-o", "new.smv"]).expect(2);
    assert_eq!(read(folder, "old.smv"), "old");
    assert!(!folder.join("new.smv").exists());
}

#[test]
fn a_model_is_never_overwritten_by_its_translation() {
    let folder = folder();
    let folder = folder.path();
    fs::write(
        folder.join("main.sdl"),
        format!("import \"part.sdl\"\n{MODEL}"),
    )
    .expect("a file");
    fs::write(folder.join("part.sdl"), "const N = 1\n").expect("a file");
    #[cfg(unix)]
    std::os::unix::fs::symlink("main.sdl", folder.join("link.sdl")).expect("a link");
    fs::hard_link(folder.join("main.sdl"), folder.join("hard.sdl")).expect("a link");
    for output in ["main.sdl", "./main.sdl", "part.sdl", "link.sdl", "hard.sdl"] {
        if folder.join(output).exists() {
            let refused = sandalc_in(folder, &["main.sdl", "-o", output]).expect(2);
            assert!(refused.err.contains("overwritten"), "{}", refused.err);
        }
    }
    assert_eq!(read(folder, "part.sdl"), "const N = 1\n");
    assert!(read(folder, "main.sdl").starts_with("import"));
}

#[test]
fn a_file_that_cannot_be_written_is_said_so() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir(folder.join("taken")).expect("a folder");
    for output in ["no/such/folder.smv", "taken"] {
        let refused = sandalc_in(folder, &["model.sdl", "-o", output]).expect(2);
        assert!(
            refused.err.contains("cannot write"),
            "{output}: {}",
            refused.err
        );
    }
    // Nothing is left behind.
    let mut left: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["model.sdl", "taken", "untidy.sdl"]);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_to() {
    let folder = folder();
    let folder = folder.path();
    sandalc_in(folder, &["model.sdl", "-o", "/dev/null"]).expect(0);
    let full = sandalc_in(folder, &["model.sdl", "-o", "/dev/full"]).expect(2);
    assert!(full.err.contains("no space left"), "{}", full.err);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_survive() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let folder = folder.path();
    let mode = |name: &str| {
        let file = fs::metadata(folder.join(name)).expect("a file");
        file.permissions().mode() & 0o777
    };
    fs::set_permissions(folder.join("untidy.sdl"), fs::Permissions::from_mode(0o640))
        .expect("permissions");
    std::os::unix::fs::symlink("untidy.sdl", folder.join("link.sdl")).expect("a link");
    sandalc_in(folder, &["fmt", "link.sdl"]).expect(0);
    assert!(
        fs::symlink_metadata(folder.join("link.sdl"))
            .expect("it")
            .is_symlink()
    );
    assert_eq!(read(folder, "untidy.sdl"), MODEL);
    assert_eq!(mode("untidy.sdl"), 0o640);
    // A new file is as readable as any other.
    fs::write(folder.join("plain"), "").expect("a file");
    sandalc_in(folder, &["model.sdl", "-o", "model.smv"]).expect(0);
    assert_eq!(mode("model.smv"), mode("plain"));
}

#[test]
fn fmt_rewrites_what_is_not_formatted_and_names_it() {
    let folder = folder();
    let folder = folder.path();
    let output = sandalc_in(folder, &["fmt", "model.sdl", "untidy.sdl"]).expect(0);
    assert_eq!(output.out, "untidy.sdl\n");
    assert_eq!(output.err, "");
    assert_eq!(read(folder, "untidy.sdl"), MODEL);
    let again = sandalc_in(folder, &["fmt", "."]).expect(0);
    assert_eq!(again.out, "");
}

#[test]
fn fmt_check_changes_nothing_and_ends_with_1() {
    let folder = folder();
    let folder = folder.path();
    let output = sandalc_in(folder, &["fmt", "--check", "."]).expect(1);
    assert!(
        output.out.contains("untidy.sdl is not formatted"),
        "{}",
        output.out
    );
    assert!(
        output.out.contains("\n-proc P( ) {\n") && output.out.contains("\n+proc P() {\n"),
        "{}",
        output.out
    );
    assert!(!output.out.contains("model.sdl"), "{}", output.out);
    assert_eq!(read(folder, "untidy.sdl"), UNTIDY);
    sandalc_in(folder, &["fmt", "--check", "model.sdl"]).expect(0);
    let json = sandalc_in(folder, &["fmt", "--check", "--format", "json", "."]).expect(1);
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["formatted"], false);
    // Line ends and byte order marks are not formatted either.
    fs::write(folder.join("dos.sdl"), MODEL.replace('\n', "\r\n")).expect("a file");
    sandalc_in(folder, &["fmt", "--check", "dos.sdl"]).expect(1);
    sandalc_in(folder, &["fmt", "dos.sdl"]).expect(0);
    assert_eq!(read(folder, "dos.sdl"), MODEL);
}

#[test]
fn what_we_ship_is_formatted() {
    let output = super::run::sandalc(&["fmt", "--check", "examples", "stdlib", "benches/models"]);
    assert_eq!(output.out, "");
    output.expect(0);
}

#[test]
fn fmt_goes_on_after_a_file_that_is_wrong() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("a.sdl"), "proc {").expect("a file");
    let output = sandalc_in(folder, &["fmt", "a.sdl", "missing.sdl", "untidy.sdl"]).expect(2);
    assert_eq!(output.out, "untidy.sdl\n");
    assert!(output.err.contains("a.sdl:1:6"), "{}", output.err);
    assert!(
        output.err.contains("`missing.sdl`: no such file"),
        "{}",
        output.err
    );
    assert_eq!(read(folder, "a.sdl"), "proc {");
    fs::create_dir(folder.join("empty")).expect("a folder");
    let empty = sandalc_in(folder, &["fmt", "empty"]).expect(2);
    assert!(empty.err.contains("no `.sdl` file"), "{}", empty.err);
    sandalc_in(folder, &["fmt"]).expect(2);
}

#[test]
fn fmt_formats_standard_input() {
    assert_eq!(
        sandalc_with(UNTIDY.as_bytes(), &["fmt", "-"]).expect(0).out,
        MODEL
    );
    sandalc_with(UNTIDY.as_bytes(), &["fmt", "--check", "-"]).expect(1);
    sandalc_with(MODEL.as_bytes(), &["fmt", "--check", "-"]).expect(0);
    let wrong = sandalc_with(b"proc {", &["fmt", "-"]).expect(2);
    assert_eq!(wrong.out, "");
}

#[test]
fn every_form_of_a_model_can_be_seen() {
    let folder = folder();
    let folder = folder.path();
    for form in [
        "tokens",
        "ast",
        "program",
        "graph",
        "woven",
        "simplified",
        "smv",
    ] {
        let output = sandalc_in(folder, &["dump", form, "model.sdl"]).expect(0);
        assert!(!output.out.is_empty(), "{form}");
        assert_eq!(output.err, "", "{form}");
        let again = sandalc_in(folder, &["dump", form, "model.sdl"]).expect(0);
        assert_eq!(again.out, output.out, "{form}");
    }
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let ping = |words: &[&str]| {
        let words = [&["dump"], words, &["ping.sdl"]].concat();
        sandalc_in(examples.as_ref(), &words).expect(0).out
    };
    let woven = ping(&["woven"]);
    assert!(ping(&["simplified"]).len() < woven.len());
    assert_eq!(ping(&["simplified", "--no-simplify"]), woven);
    let dot = sandalc_in(folder, &["dump", "graph", "--dot", "model.sdl"]).expect(0);
    assert!(dot.out.starts_with("digraph"), "{}", dot.out);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = folder();
    for args in [
        &["model.sdl"][..],
        &["dump", "ast", "model.sdl"],
        &["check", "model.sdl"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = command(folder.path(), args);
        command.stdout(writer);
        let output = finish(command).expect(0);
        assert_eq!(output.err, "");
    }
}

/// Characters that a terminal must not get: escape, bell, C1 control, directions, invisible ones, a tag.
const UNPRINTABLE: &str =
    "\x1b[31m\x07\u{9b}\u{61c}\u{180e}\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}";

/// Whether a text has a character of [`UNPRINTABLE`] or another control character.
fn is_dirty(text: &str) -> bool {
    let odd = |c: char| c.is_control() && c != '\n' || UNPRINTABLE[5..].contains(c);
    text.contains(odd)
}

#[cfg(unix)]
#[test]
fn nothing_unprintable_reaches_the_terminal() {
    let folder = folder();
    let folder = folder.path();
    // A comment, and a name with a line of its own.
    let name = format!("a\nholds     safety  built in\n{UNPRINTABLE}.sdl");
    let text = "const  N = 1\n".to_owned()
        + "proc P() { // "
        + UNPRINTABLE
        + "\nvar x 0..1\nx = 1\nassert(x == 0)\n}\ninit { p: P(), }\ninvariant i { p.x < N }\n";
    fs::write(folder.join(&name), &text).expect("a file");
    for args in [
        &["check", "--engine", "embedded"][..],
        &["check", "--engine", "embedded", "--list"],
        &[
            "check",
            "--engine",
            "embedded",
            "--no-faults",
            "--property",
            "nonsense",
        ],
        &["fmt", "--check"],
        &["dump", "tokens"],
        &["dump", "ast"],
        &["dump", "graph"],
        &["dump", "woven"],
        &["dump", "smv"],
        &[],
    ] {
        for format in ["text", "json"] {
            let more = ["--format", format, &name];
            let output = sandalc_in(folder, &[args, &more].concat());
            assert!(!is_dirty(&output.out), "{args:?}: {:?}", output.out);
            assert!(!is_dirty(&output.err), "{args:?}: {:?}", output.err);
            let faked = |line: &str| line.starts_with("holds     safety");
            assert!(!output.out.lines().any(faked), "{}", output.out);
        }
    }
    let json = sandalc_in(folder, &["check", "--format", "json", &name]).expect(1);
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["file"], name);
    // In a pipe a formatted text is what it is.
    let formatted = sandalc_with(text.as_bytes(), &["fmt", "-"]).expect(0);
    assert!(formatted.out.contains(UNPRINTABLE), "{}", formatted.out);
    let named = sandalc_in(folder, &["fmt", &name]).expect(0);
    assert_eq!(named.out.lines().count(), 1, "{}", named.out);
}

#[cfg(unix)]
#[test]
fn fmt_keeps_owner_mode_and_other_names() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let folder = folder();
    let folder = folder.path();
    let untidy = folder.join("untidy.sdl");
    fs::hard_link(&untidy, folder.join("other.sdl")).expect("a link");
    sandalc_in(folder, &["fmt", "untidy.sdl"]).expect(0);
    assert_eq!(read(folder, "other.sdl"), MODEL);
    assert_eq!(fs::metadata(&untidy).expect("it").nlink(), 2);
    fs::remove_file(folder.join("other.sdl")).expect("it goes");
    fs::write(&untidy, UNTIDY).expect("a file");
    fs::set_permissions(&untidy, fs::Permissions::from_mode(0o604)).expect("permissions");
    // Only the superuser may give files away.
    let owner = chown(&untidy, Some(54_321), Some(54_322)).is_ok();
    sandalc_in(folder, &["fmt", "untidy.sdl"]).expect(0);
    let after = fs::metadata(&untidy).expect("it");
    assert_eq!(read(folder, "untidy.sdl"), MODEL);
    assert_eq!(after.permissions().mode() & 0o777, 0o604);
    if owner {
        assert_eq!((after.uid(), after.gid()), (54_321, 54_322));
    }
}

#[cfg(unix)]
#[test]
fn fmt_stays_in_its_folder_and_away_from_pipes() {
    let folder = folder();
    let folder = folder.path();
    let inner = folder.join("inner");
    fs::create_dir(&inner).expect("a folder");
    fs::write(inner.join("mine.sdl"), UNTIDY).expect("a file");
    std::os::unix::fs::symlink("../untidy.sdl", inner.join("link.sdl")).expect("a link");
    std::os::unix::fs::symlink("..", inner.join("up")).expect("a link");
    let pipe = std::process::Command::new("mkfifo")
        .arg(inner.join("pipe.sdl"))
        .status();
    assert!(pipe.expect("mkfifo").success());
    let output = sandalc_in(folder, &["fmt", "inner"]).expect(0);
    assert_eq!(output.out, "inner/mine.sdl\n");
    assert_eq!(read(folder, "untidy.sdl"), UNTIDY);
    let named = sandalc_in(folder, &["fmt", "inner/pipe.sdl"]).expect(2);
    assert!(named.err.contains("not a regular file"), "{}", named.err);
    fs::write(
        inner.join("main.sdl"),
        format!("import \"pipe.sdl\"\n{MODEL}"),
    )
    .expect("a file");
    let imported = sandalc_in(folder, &["inner/main.sdl"]).expect(2);
    assert!(imported.err.contains("error[S0002]"), "{}", imported.err);
    assert!(
        imported.err.contains("not a regular file"),
        "{}",
        imported.err
    );
}

#[cfg(target_os = "linux")]
#[test]
fn fmt_ended_at_any_moment_loses_nothing() {
    let folder = folder();
    let folder = folder.path();
    for round in 0..60 {
        fs::write(folder.join("untidy.sdl"), UNTIDY).expect("a file");
        let mut child = command(folder, &["fmt", "untidy.sdl"])
            .spawn()
            .expect("it starts");
        std::thread::sleep(std::time::Duration::from_micros(300 * round));
        if round % 2 == 0 {
            child.kill().expect("it can be killed");
        } else {
            let id = child.id().to_string();
            let _ = std::process::Command::new("kill")
                .args(["-TERM", &id])
                .status();
        }
        child.wait().expect("it ends");
        let text = read(folder, "untidy.sdl");
        assert!(text == UNTIDY || text == MODEL, "{text}");
        let entries = fs::read_dir(folder).expect("a folder");
        let left: Vec<_> = entries
            .map(|entry| entry.expect("it").file_name())
            .filter(|name| name.as_encoded_bytes().starts_with(b"."))
            .collect();
        // SIGKILL can strike in the moment between naming the new file and putting it in place: then it is complete.
        // Any other end leaves nothing.
        assert!(left.is_empty() || round % 2 == 0, "{left:?}");
        for name in left {
            assert_eq!(read(folder, &name.to_string_lossy()), MODEL);
            fs::remove_file(folder.join(name)).expect("it goes");
        }
    }
}

/// A model with a run that has steps without effect, a warning, and a condition that is reached.
const NOISY: &str = "proc P(c channel [2] { bit }) {\n    var unread bit\n    var n bit\n    n = 0\n    send(c, 1)\n    n = 1\n    recv(c, unread)\n}\n\
    init {\n    c: channel [2] { bit }\n    p: P(c)\n}\ninvariant low { p.n == 0 }\nreachable full_house { len(c) == 1 }\n";

#[test]
fn runs_are_folded_witnesses_asked_for_and_quiet_is_quiet() {
    let folder = folder();
    fs::write(folder.path().join("noisy.sdl"), NOISY).expect("a file");
    let check = |options: &[&str]| {
        let args = [&["check", "noisy.sdl", "--engine", "embedded"], options].concat();
        sandalc_in(folder.path(), &args).expect(1)
    };
    let folded = check(&[]).out;
    assert!(folded.contains("c = [1]"), "{folded}");
    assert!(folded.contains("left out; --full-trace shows"), "{folded}");
    assert!(!folded.contains("(no change)"), "{folded}");
    assert!(!folded.contains("full_house is reachable:"), "{folded}");
    let full = check(&["--full-trace"]).out;
    assert!(full.contains("p assigns n (no change)"), "{full}");
    assert!(full.contains("c.len = 1"), "{full}");
    let witness = check(&["--witness"]).out;
    assert!(witness.contains("full_house is reachable:"), "{witness}");
    let quiet = check(&["--quiet"]);
    assert_eq!(quiet.err, "");
    assert_eq!(quiet.out.lines().count(), 3, "{}", quiet.out);
    assert!(quiet.out.starts_with("violated  low"), "{}", quiet.out);
}
