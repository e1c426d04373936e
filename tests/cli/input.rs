//! Whatever a user feeds it: a message and exit code 2, never a panic, an overflow or a hang.

use std::path::Path;
use std::time::{Duration, Instant};

use super::run::{Output, command, finish, sandalc, sandalc_in, sandalc_with};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The commands that read a model.
const READERS: &[&[&str]] = &[
    &[],
    &["dump", "tokens"],
    &["dump", "ast"],
    &["dump", "program"],
    &["fmt", "--check"],
];

/// Nothing takes longer, even in an unoptimised build on a busy machine.
const LONGEST: Duration = Duration::from_secs(120);

/// Feeds bytes to a command in a file, and returns how it ended.
fn feed(bytes: &[u8], reader: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("model.sdl"), bytes).expect("a file");
    let start = Instant::now();
    let output = sandalc_in(folder.path(), &[reader, &["model.sdl"]].concat());
    assert!(
        start.elapsed() < LONGEST,
        "{reader:?}: {:?}",
        start.elapsed()
    );
    assert!(!output.err.contains("panicked"), "{}", output.err);
    output
}

/// Feeds bytes to the compiler, which refuses them with a message.
#[track_caller]
fn refused(bytes: &[u8]) -> Output {
    for reader in READERS {
        let output = feed(bytes, reader);
        assert!([0, 1, 2].contains(&output.code), "{reader:?}: {output:?}");
    }
    let output = feed(bytes, &[]).expect(2);
    assert_eq!(output.out, "");
    assert!(output.err.contains("error"), "{}", output.err);
    assert!(output.err.len() < 1_000_000, "{} bytes", output.err.len());
    output
}

#[test]
fn an_empty_file_is_no_model() {
    refused(b"");
    refused(b"\n");
    refused(b"\xef\xbb\xbf");
    refused(b"// only a comment");
}

#[test]
fn bytes_that_are_no_text_are_named_with_their_place() {
    let output = refused(b"const a = 1\nconst b = \xff\xfe\n");
    assert!(output.err.contains("model.sdl:2:11"), "{}", output.err);
    assert!(output.err.contains("0xff"), "{}", output.err);
    assert!(!output.err.contains("unknown character"), "{}", output.err);
    // Cut in the middle of a character, and UTF-16.
    refused(b"// caf\xc3");
    refused(b"\xff\xfei\x00n\x00i\x00t\x00");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let output = refused(b"const a = \x00\x1b[31m\x07 1\ninit { }\n");
    let odd = |c: char| c.is_control() && c != '\n';
    assert!(!output.err.contains(odd), "{:?}", output.err);
}

#[test]
fn random_bytes_and_random_tokens_are_refused() {
    let mut random = Random(0x5eed);
    for round in 0..40 {
        let bytes: Vec<u8> = (0..round * 37 + 1)
            .map(|_| random.below(256) as u8)
            .collect();
        refused(&bytes);
    }
    const TOKENS: &[&str] = &[
        "proc", "init", "{", "}", "(", ")", "[", "]", "channel", "x", "Y", "1", "..", "@", "drop",
        "ltl", "G", "F", "U", "if", "else", "for", "in", "range", "choice", "select", "case", ",",
        ":", "=", "==", "&&", "||", "!", "-", "\n", ";", "send", "recv", "var", "data", "const",
        "limit", "max", "\"", "/*", "*/", "//", "#", "import", "any", ".", "module", "durable",
    ];
    for round in 0..60 {
        let words: Vec<&str> = (0..round * 5 + 1)
            .map(|_| TOKENS[random.below(TOKENS.len())])
            .collect();
        refused(words.join(" ").as_bytes());
    }
}

#[test]
fn megabytes_of_anything_end_soon() {
    for unit in ["(", "!", "a"] {
        let bytes = unit.repeat(10_000_000);
        let output = feed(bytes.as_bytes(), &[]).expect(2);
        assert!(
            output.err.len() < 1_000_000,
            "{unit}: {} bytes",
            output.err.len()
        );
    }
    const UNITS: &[&str] = &[
        "[", "{", "\0", "\n", "1", "\"", "/*", "if ", "G ", "é", "//\n", "x\n", "}", "ltl { G ",
    ];
    for unit in UNITS {
        let bytes = unit.repeat(300_000 / unit.len());
        for reader in READERS {
            let output = feed(bytes.as_bytes(), reader);
            assert!(
                [0, 1, 2].contains(&output.code),
                "{unit} {reader:?}: {}",
                output.code
            );
            assert!(
                output.err.len() < 1_000_000,
                "{unit}: {} bytes",
                output.err.len()
            );
        }
    }
}

#[test]
fn deep_nesting_is_refused_with_words() {
    let cases = [
        format!(
            "const a = {}1{}\ninit {{ }}",
            "(".repeat(100_000),
            ")".repeat(100_000)
        ),
        format!("const a = {}1\ninit {{ }}", "-".repeat(1_000_000)),
        format!("const a = {}true\ninit {{ }}", "!".repeat(1_000_000)),
        format!("const a = 1{}\ninit {{ }}", " + 1".repeat(300_000)),
        format!("proc P() {{ {} }}\ninit {{ }}", "if true {".repeat(50_000)),
        format!("ltl {{ {} true }}", "G ".repeat(500_000)),
        format!("const a = x{}", "[0]".repeat(500_000)),
        format!("const a = x{}", ".x".repeat(500_000)),
    ];
    for text in cases {
        feed(text.as_bytes(), &[]).expect(2);
        feed(text.as_bytes(), &["fmt", "--check"]).expect(2);
    }
}

#[test]
fn a_model_cut_anywhere_is_no_catastrophe() {
    let path = Path::new(ROOT).join("examples/two_phase_all.sdl");
    let text = std::fs::read(path).expect("the example");
    for end in (0..text.len()).step_by(23) {
        for reader in READERS {
            let output = feed(&text[..end], reader);
            assert!([0, 1, 2].contains(&output.code), "{end}: {output:?}");
        }
    }
}

#[test]
fn line_ends_and_byte_order_marks_do_not_matter() {
    let path = Path::new(ROOT).join("examples/ping.sdl");
    let text = std::fs::read_to_string(path).expect("the example");
    let plain = feed(text.as_bytes(), &["dump", "program"]).expect(0);
    let crlf = feed(text.replace('\n', "\r\n").as_bytes(), &["dump", "program"]).expect(0);
    let mark = feed(format!("\u{feff}{text}").as_bytes(), &["dump", "program"]).expect(0);
    assert_eq!(crlf.err, plain.err);
    assert_eq!(mark.out, plain.out);
}

#[test]
fn what_is_no_file_is_said_so() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("model.sdl"), "init { }").expect("a file");
    let folder = folder.path();
    for reader in READERS {
        let with = |path| sandalc_in(folder, &[*reader, &[path]].concat());
        let missing = with("modle.sdl").expect(2);
        assert!(
            missing.err.contains("`modle.sdl`: no such file"),
            "{}",
            missing.err
        );
        assert!(missing.err.contains("`model.sdl`"), "{}", missing.err);
        with("").expect(2);
        with("no/such/folder.sdl").expect(2);
        with("model.sdl/inside").expect(2);
    }
    let directory = sandalc_in(folder, &["."]).expect(2);
    assert!(directory.err.contains("directory"), "{}", directory.err);
}

#[cfg(unix)]
#[test]
fn unreadable_files_and_pipes() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("secret.sdl");
    std::fs::write(&path, "init { }").expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("permissions");
    // The superuser may read everything.
    if std::fs::read(&path).is_err() {
        let output = sandalc_in(folder.path(), &["secret.sdl"]).expect(2);
        assert!(output.err.contains("permission denied"), "{}", output.err);
    }
    let mut command = command(folder.path(), &["/dev/stdin"]);
    command.stdin(std::process::Stdio::null());
    finish(command).expect(2);
    // It never ends, so it is not read to its end.
    let output = sandalc(&["/dev/zero"]).expect(2);
    assert!(output.err.contains("MiB"), "{}", output.err);
}

#[test]
fn standard_input_is_a_model_too() {
    let text = std::fs::read(Path::new(ROOT).join("examples/ping.sdl")).expect("the example");
    let output = sandalc_with(&text, &["dump", "program", "-"]).expect(0);
    assert!(!output.out.is_empty());
    let output = sandalc_with(b"const = 1", &["-"]).expect(2);
    assert!(output.err.contains("<stdin>:1:7"), "{}", output.err);
}

#[test]
fn json_lines_have_places() {
    let output = sandalc_with(b"const = 1\n", &["dump", "ast", "-", "--format", "json"]);
    let output = output.expect(2);
    let lines = output.json_lines();
    assert_eq!(lines[0]["severity"], "error", "{}", output.err);
    assert_eq!(lines[0]["path"], "<stdin>");
    assert_eq!(lines[0]["line"], 1);
    assert_eq!(lines[0]["column"], 7);
    assert_eq!(lines[0]["start"], 6);
}

/// A generator that gives the same on every machine (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}
