//! How messages look, whatever the source text contains.

use sandalc::diagnostic::render::{bare_json_line, bare_text, json_line, summary, text};
use sandalc::diagnostic::{Code, Diagnostic};
use sandalc::source::{FileId, Sources, Span};

const CODE: Code = Code("S0301");

/// The sources of one file, and the span of `place` in it.
fn model(text: &str, place: &str) -> (Sources, Span) {
    let mut sources = Sources::new();
    let file = sources.add("model.sdl", text);
    let start = text.find(place).expect("the place is in the text");
    (sources, Span::new(file, start, start + place.len()))
}

fn span(file: FileId, text: &str, place: &str) -> Span {
    let start = text.find(place).expect("the place is in the text");
    Span::new(file, start, start + place.len())
}

fn show(diagnostic: &Diagnostic, sources: &Sources) -> String {
    text(diagnostic, sources, false)
}

#[test]
fn a_message_has_a_headline_a_label_a_second_label_and_a_hint() {
    let source = "proc P(ch channel { bool }) {\n    send(ch2, true)\n}\n";
    let (sources, place) = model(source, "ch2");
    let diagnostic = Diagnostic::error(CODE, "unknown channel `ch2`", place)
        .label("not declared")
        .also(
            span(place.file, source, "ch "),
            "a near name is declared here",
        )
        .note("Channels are parameters.")
        .hint("write `ch`");
    assert_eq!(
        show(&diagnostic, &sources),
        "\
error[S0301]: unknown channel `ch2`
  ┌─ model.sdl:2:10
  │
1 │ proc P(ch channel { bool }) {
  │        --- a near name is declared here
2 │     send(ch2, true)
  │          ^^^ not declared
  │
  = note: Channels are parameters.
  = hint: write `ch`

"
    );
}

#[test]
fn tabs_and_wide_characters_keep_carets_under_their_place() {
    let (sources, place) = model("\tsend(ch, 世界 + x)\n", "x");
    let shown = show(
        &Diagnostic::error(CODE, "unknown name `x`", place),
        &sources,
    );
    assert_eq!(
        shown,
        "\
error[S0301]: unknown name `x`
  ┌─ model.sdl:1:16
  │
1 │     send(ch, 世界 + x)
  │                     ^

"
    );
}

#[test]
fn an_empty_file_and_the_end_of_a_file_can_be_pointed_at() {
    for (text, line) in [("", 1), ("\n", 2), ("init {", 1), ("init {\n", 2)] {
        let mut sources = Sources::new();
        let file = sources.add("model.sdl", text);
        let place = Span::new(file, text.len(), text.len());
        let shown = show(
            &Diagnostic::error(CODE, "the model has no `init`", place),
            &sources,
        );
        assert!(shown.contains(&format!("model.sdl:{line}:")), "{shown}");
        assert!(shown.contains('^'), "{shown}");
    }
}

#[test]
fn crlf_line_ends_leave_no_trace() {
    let (sources, place) = model("init {\r\n  p: P()\r\n}\r\n", "P");
    let shown = show(
        &Diagnostic::error(CODE, "unknown proc `P`", place),
        &sources,
    );
    assert!(!shown.contains('\r') && !shown.contains('␍'), "{shown}");
    assert!(shown.contains("2 │   p: P()\n  │      ^\n"), "{shown}");
}

#[test]
fn a_span_past_a_line_end_is_shown_on_its_line() {
    let (sources, place) = model("const a = 1\nconst b = 2\n", "a = 1\n");
    let shown = show(&Diagnostic::error(CODE, "message", place), &sources);
    assert!(
        shown.contains("1 │ const a = 1\n  │       ^^^^^\n"),
        "{shown}"
    );
}

#[test]
fn a_long_line_is_clipped_around_its_place() {
    let text = format!("{}x{}", "(".repeat(3_000_000), ")".repeat(3_000_000));
    let (sources, place) = model(&text, "x");
    let shown = show(
        &Diagnostic::error(CODE, "nested too deeply", place),
        &sources,
    );
    assert!(shown.len() < 1_000, "{} bytes", shown.len());
    assert!(shown.contains("model.sdl:1:3000001"), "{shown}");
    assert!(shown.contains("1 │ …("), "{shown}");
    let mut lines = shown.lines().skip(3);
    let source: Vec<char> = lines.next().expect("a source line").chars().collect();
    let carets: Vec<char> = lines.next().expect("a caret line").chars().collect();
    let caret = carets.iter().position(|c| *c == '^').expect("a caret");
    assert_eq!(source[caret], 'x');
}

#[test]
fn a_long_span_shows_its_ends() {
    let text = format!("init {{\n{}}}\n", "// line\n".repeat(100_000));
    let (sources, place) = model(&text, &text);
    let shown = show(
        &Diagnostic::error(CODE, "message", place).label("all of it"),
        &sources,
    );
    assert!(shown.lines().count() < 20, "{shown}");
    assert!(shown.contains("all of it"), "{shown}");
}

#[test]
fn nothing_in_a_model_reaches_the_terminal_as_an_escape_sequence() {
    let (sources, place) = model("\x1b[31mred\0\u{202e}x\n", "x");
    let diagnostic = Diagnostic::error(CODE, "unknown `\x1b[2J`", place)
        .label("\x07")
        .note("\u{9b}1m")
        .hint("write `\x1b`\n\x1b");
    let shown = show(&diagnostic, &sources);
    assert!(shown.contains("1 │ ␛[31mred␀�x"), "{shown}");
    assert!(
        shown.chars().all(|c| c == '\n' || !c.is_control()),
        "{shown:?}"
    );
}

#[test]
fn labels_may_stand_in_two_files() {
    let mut sources = Sources::new();
    let main = sources.add("main.sdl", "import \"lib.sdl\"\ndata D { A }\n");
    let lib = sources.add("lib.sdl", "data D { B }\n");
    let diagnostic = Diagnostic::error(CODE, "`D` is declared twice", Span::new(main, 22, 23))
        .also(Span::new(lib, 5, 6), "first declared here");
    assert_eq!(
        show(&diagnostic, &sources),
        "\
error[S0301]: `D` is declared twice
  ┌─ main.sdl:2:6
  │
2 │ data D { A }
  │      ^
  │
  ┌─ lib.sdl:1:6
  │
1 │ data D { B }
  │      - first declared here

"
    );
}

#[test]
fn colour_only_adds_escape_sequences() {
    let (sources, place) = model("const a = b\n", "b");
    let diagnostic = Diagnostic::warning(CODE, "unknown name `b`", place).hint("declare `b`");
    let coloured = text(&diagnostic, &sources, true);
    assert!(
        coloured.contains("\x1b[1m\x1b[93mwarning[S0301]"),
        "{coloured:?}"
    );
    let stripped = anstream::adapter::strip_str(&coloured).to_string();
    let trimmed: String = stripped
        .lines()
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect();
    assert_eq!(trimmed, show(&diagnostic, &sources));
}

#[test]
fn json_has_places_in_lines_columns_and_bytes() {
    let source = "// äö\nconst ä = bb\n";
    let (sources, place) = model(source, "bb");
    let diagnostic = Diagnostic::error(CODE, "unknown name `bb`", place)
        .label("not declared")
        .also(span(place.file, source, "const"), "in this constant")
        .hint("declare `bb`");
    let line = json_line(&diagnostic, &sources);
    assert!(!line.contains('\n'));
    let json: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(
        json,
        serde_json::json!({
            "severity": "error", "code": "S0301", "message": "unknown name `bb`",
            "path": "model.sdl", "line": 2, "column": 11, "end_line": 2, "end_column": 13,
            "start": 19, "end": 21, "label": "not declared",
            "related": [{
                "path": "model.sdl", "line": 2, "column": 1, "end_line": 2, "end_column": 6,
                "start": 8, "end": 13, "message": "in this constant",
            }],
            "note": null, "hint": "declare `bb`",
        })
    );
}

#[test]
fn an_error_without_a_place_has_the_same_shape() {
    assert_eq!(
        bare_text(
            "cannot read `a`: it is a directory",
            Some("name a file"),
            false
        ),
        "error: cannot read `a`: it is a directory\n = hint: name a file\n\n"
    );
    let line = bare_json_line("cannot read `a`", Some("a"), None);
    let json: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(json["severity"], "error");
    assert_eq!(json["path"], "a");
    assert_eq!(json["line"], serde_json::Value::Null);
}

#[test]
fn the_summary_counts() {
    let mut sources = Sources::new();
    let place = Span::new(sources.add("model.sdl", "x"), 0, 1);
    let error = Diagnostic::error(CODE, "message", place);
    let warning = Diagnostic::warning(CODE, "message", place);
    assert_eq!(summary(&[]), None);
    assert_eq!(summary(&[&error]).as_deref(), Some("1 error"));
    assert_eq!(
        summary(&[&error, &warning, &error]).as_deref(),
        Some("2 errors, 1 warning")
    );
}
