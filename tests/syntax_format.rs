//! The formatter keeps meaning and comments, and formatting twice is formatting once.

use sandalc::source::Sources;
use sandalc::syntax::{self, dump};

fn format(text: &str) -> String {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    match syntax::format(&sources, file) {
        Ok(formatted) => formatted,
        Err(diagnostics) => panic!("{text}\n{diagnostics:#?}"),
    }
}

/// Meaning and comments of a text.
fn contents(text: &str) -> (String, Vec<String>) {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    let parsed = syntax::parse(&sources, file);
    assert_eq!(parsed.diagnostics, vec![], "{text}");
    let comments = parsed
        .comments
        .iter()
        .map(|comment| sources.slice(comment.span));
    let comments = comments.map(|comment| {
        comment
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    });
    (dump::shape(&parsed.file), comments.collect())
}

/// Formats, and checks what must hold of every file.
fn checked(text: &str) -> String {
    let formatted = format(text);
    assert_eq!(
        contents(text),
        contents(&formatted),
        "{text}\n---\n{formatted}"
    );
    let again = format(&formatted);
    assert_eq!(formatted, again, "not stable:\n{text}");
    formatted
}

#[test]
fn every_construct() {
    checked(include_str!("models/constructs.sdl"));
}

#[test]
fn comments_stay_where_they_belong() {
    let text = "\
// head\r
\r
\r
data D{A,B} // after data
/* before proc */ proc P( c channel{int} /* the channel */,  n int ){ // opens
  // first
  x=1// at one
  y  =  22   // at two


  // own line
  if x==1{ // then
    skip
  } // after then
  // before else
  else{
    // only a comment
  }
  select{
    // before case
    case recv(c,x){skip} // after case
    // between
    default{ /* nothing */ }
    // last in select
  }
  send(c, // channel
    x /* value */ ,
    y)
  z = a + // one
    // two
    b
  {
  }
  // end of body
}
init{
  // first entry
  a:P(c,1) // no comma
  // second
  b:channel{int} // last
  // after last
}
// tail
";
    let expected = "\
// head

data D { A, B } // after data
/* before proc */ proc P(c channel { int } /* the channel */, n int) { // opens
    // first
    x = 1  // at one
    y = 22 // at two

    // own line
    if x == 1 { // then
        skip
    } // after then
    // before else
    else {
        // only a comment
    }
    select {
        // before case
        case recv(c, x) { skip } // after case
        // between
        default { /* nothing */ }
        // last in select
    }
    send(c, // channel
        x /* value */,
        y)
    z = a + // one
        // two
        b
    {}
    // end of body
}
init {
    // first entry
    a: P(c, 1), // no comma
    // second
    b: channel { int }, // last
    // after last
}
// tail
";
    let formatted = checked(text);
    assert_eq!(formatted, expected, "\n{formatted}");
}

#[test]
fn one_line_stays_one_line() {
    for line in [
        "choice { send(rep, Ready) }, { send(rep, NotReady) }",
        "if c { send(a, x) } else { send(b, x) }",
        "if c { x = 1; y = 2 }",
        "for i in range 0 to n - 1 { a[i] = 0 }",
        "L: x = -1",
        "var x -n..2*n-1 = -(n + 1)",
        "x = any(0..n-1)",
        "x = a - -b",
        "x = !(a && !b)",
    ] {
        let text = format!("proc P() {{ {line} }}\n");
        assert_eq!(checked(&text), text);
        let text = format!("proc P() {{\n    {line}\n}}\n");
        assert_eq!(checked(&text), text);
    }
}

#[test]
fn several_lines_stay_several_lines() {
    let text = "\
proc P(
    a int,
    b int,
) {
    x = a &&
        b &&
        (c ||
            d)
    f(
        a,
        b,
    )
    if a &&
        b {
        skip
    }
    var t [2]int = [
        1,
        2,
    ]
    choice {
        skip
    }, {
        skip
    }
    L:
    skip
}

data D {
    A, B,
    C,
}

ltl x {
    G a &&
    F b
}

init {
    for i in range 0 to 3 {
        w[i]: W(c[i],
            i) @drop @shutdown(max = 2),
    }
    a: A(),
}
";
    let formatted = checked(text);
    assert_eq!(formatted, text, "\n{formatted}");
}

#[test]
fn separators_and_empty_lines() {
    let text = "\n\n;;data A{X};data B{Y,};;\n\n\n\nproc P(a int,){;;x=1;;y=2;\n\n\n\nz=3;\n\n}\ninit{a:P(1),;b:P(2)}\ninit{\n\na:P(1);\n\n\nb:P(2),c:P(3)}\nlimit 1{a@drop,\nb @drop(max=1)}";
    let expected = "\
data A { X }
data B { Y }

proc P(a int) {
    x = 1
    y = 2

    z = 3
}
init { a: P(1), b: P(2) }
init {
    a: P(1),

    b: P(2),
    c: P(3),
}
limit 1 {
    a @drop,
    b @drop(max = 1),
}
";
    let formatted = checked(text);
    assert_eq!(formatted, expected, "\n{formatted}");
}

#[test]
fn nothing_becomes_nothing() {
    assert_eq!(checked(""), "");
    assert_eq!(checked("\u{FEFF}\n\n \n"), "");
    assert_eq!(checked("// only this"), "// only this\n");
    assert_eq!(
        checked("  /* a */ /* b */\n\n\n/* c */"),
        "/* a */ /* b */\n\n/* c */\n"
    );
}

#[test]
fn errors_are_refused() {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", "proc P( {\n");
    assert!(syntax::format(&sources, file).is_err());
}

#[test]
fn continued_lines_keep_their_indentation() {
    // What is laid out already stays as it is.
    let laid_out = "\
proc P(c channel { bool },
       d channel { bool }) {
    if a &&
       b {
        x = first +
            second *
                third
    }
    send(c, f(a,
              b), [
        1, 2,
    ])
    send(
            c,
            // the value
            x
            )
}

ltl l {
    G (p.x == 1 ->
         F (p.x == 2 ||
            p.x == 3)) &&
    forall i in range 0 to 3 {
        a[i] ||
          b[i]
    } &&
      q
}
";
    let formatted = checked(laid_out);
    assert_eq!(formatted, laid_out, "\n{formatted}");
    // Relative to where their first line goes; but one level is a level, and elements of lists are no
    // continued lines.
    let text = "\
data D {
 A,
   B }
proc P() {
  x = a +
    b +
       c
      y = f(1,
            2)
\tz = a +
\t\tb
  w = a +
b
if x { send(c,
            true) }
}
";
    let expected = "\
data D {
    A,
    B,
}
proc P() {
    x = a +
        b +
         c
    y = f(1,
          2)
    z = a +
        b
    w = a +
        b
    if x {
        send(c,
             true)
    }
}
";
    let formatted = checked(text);
    assert_eq!(formatted, expected, "\n{formatted}");
    checked("\u{FEFF}proc P(a int,\n       b int) {\n}\n");
}
