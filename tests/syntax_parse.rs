//! The parser accepts every construct of the language, reads it as the reference says, and explains what it
//! does not accept. (The exact messages are in the fixtures; here are their hints and second labels.)

use sandalc::source::Sources;
use sandalc::syntax::{self, MAX_ERRORS, Parsed, dump};

fn parse(text: &str) -> Parsed {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    syntax::parse(&sources, file)
}

/// The tree of a text without errors.
fn shape(text: &str) -> String {
    let parsed = parse(text);
    assert_eq!(parsed.diagnostics, vec![], "{text}");
    dump::shape(&parsed.file)
}

/// A formula in prefix form.
fn formula(kind: &str, text: &str) -> String {
    let shape = shape(&format!("{kind} f {{ {text} }}"));
    let line = shape.lines().nth(1).unwrap_or_default();
    line.trim().to_owned()
}

/// The statements of a proc's body, one per line.
fn body(text: &str) -> String {
    let shape = shape(&format!("proc P() {{ {text} }}"));
    let lines = shape
        .lines()
        .skip(2)
        .map(|line| line[4..].to_owned() + "\n");
    lines.collect()
}

/// `line:column code headline (hint) [second label]` of each message.
fn messages(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    let parsed = syntax::parse(&sources, file);
    let describe = |d: &sandalc::diagnostic::Diagnostic| {
        let place = sources.position(d.primary.span);
        let hint = d.hint.as_deref().map(|hint| format!(" ({hint})"));
        let others = d.secondary.iter().map(|label| {
            let place = sources.position(label.span);
            format!(" [{}:{} {}]", place.line, place.column, label.message)
        });
        let others: String = others.collect();
        format!(
            "{}:{} {} {}{}{others}",
            place.line,
            place.column,
            d.code,
            d.message,
            hint.unwrap_or_default()
        )
    };
    parsed.diagnostics.iter().map(describe).collect()
}

#[test]
fn every_construct_parses() {
    let parsed = parse(include_str!("models/constructs.sdl"));
    assert_eq!(parsed.diagnostics, vec![]);
    assert_eq!(parsed.comments.len(), 2);
    let shape = dump::shape(&parsed.file);
    assert!(!shape.contains("error"), "{shape}");
}

#[test]
fn operators_bind_as_the_reference_says() {
    for (text, expected) in [
        ("a -> b -> c", "(-> a (-> b c))"),
        ("a <-> b <-> c", "(<-> (<-> a b) c)"),
        ("a || b && c", "(|| a (&& b c))"),
        ("a U b U c", "(U a (U b c))"),
        ("a && b U c || d", "(|| (&& a (U b c)) d)"),
        ("G x == 1", "(G (== x 1))"),
        ("!G p", "(! (G p))"),
        ("!p && q", "(&& (! p) q)"),
        ("G a U b", "(U (G a) b)"),
        ("G F a -> b", "(-> (G (F a)) b)"),
        ("!x == y", "(== (! x) y)"),
        ("a + b * c - d", "(- (+ a (* b c)) d)"),
        ("a | b & c ^ d << e", "(^ (| a (& b c)) (<< d e))"),
        ("-a * -b", "(* (neg a) (neg b))"),
        ("a < b == c", "(== (< a b) c)"),
        (
            "p.x#2 == q[i].y && p@l",
            "(&& (== (.x#2 p) (.y (index q i))) (@l p))",
        ),
        ("F.x == D.F", "(== (.x F) (.F D))"),
        ("G@G", "(@G G)"),
        ("len(c) == 0", "(== (len c) 0)"),
        (
            "forall i in range 0 to n { exists j in range 0 to i { G p } }",
            "(forall i 0 n (exists j 0 i (G p)))",
        ),
    ] {
        assert_eq!(formula("ltl", text), expected, "{text}");
        assert_eq!(formula("assume", text), expected, "{text}");
    }
    let ctl = "AG (a -> EF b) && A (a U b) || !E (true U F)";
    let expected = "(|| (&& (AG (paren (-> a (EF b)))) (A (U a b))) (! (E (U true F))))";
    assert_eq!(formula("ctl", ctl), expected);
}

#[test]
fn letters_are_names_outside_of_their_blocks() {
    assert_eq!(formula("invariant", "F == G && U"), "(&& (== F G) U)");
    assert_eq!(formula("ltl", "AG && A && E"), "(&& (&& AG A) E)");
    assert_eq!(formula("ctl", "G && F && X"), "(&& (&& G F) X)");
    assert_eq!(body("F = G + X"), "F = (+ G X)\n");
    let both = "ltl F { F x }\nctl G { AG x }\ndata D { F, G }\nltl { (x) }\nconst F = 1";
    assert_eq!(
        shape(both),
        "ltl F\n  (F x)\nctl G\n  (AG x)\ndata D\n  F\n  G\nltl\n  (paren x)\nconst F = 1\n"
    );
}

#[test]
fn words_are_keywords_only_where_they_must_be() {
    assert_eq!(
        body("limit = max; timeout = len(limit); timeout: skip"),
        "limit = max\ntimeout = (len limit)\nlabel timeout\n  skip\n"
    );
    assert_eq!(
        shape("const limit = 1\nlimit limit { a @max(max = 2) }\nconst max = 2"),
        "const limit = 1\nlimit limit\n  a @max(max = 2)\nconst max = 2\n"
    );
    let select = "select { case timeout { skip } case recv(timeout, x) if timeout { } }";
    assert_eq!(
        body(select),
        "select\n  case timeout\n    block\n      skip\n  case (recv timeout x) if timeout\n    block\n"
    );
}

#[test]
fn lines_end_statements_as_in_go() {
    let expected = "x = 1\nif a\n  block\n  else\n    block\n      skip\n(send c x y)\n";
    for text in [
        "x = 1; if a { } else { skip }; send(c, x, y)",
        "\nx = 1\nif a {\n}\nelse {\nskip\n}\nsend(\nc,\nx,\ny,\n)\n",
        "x = // one\n1 // two\nif a { } /* a\n b */ else { skip /* c */ } /* d\n */ send(c, x\n, y\n)",
        ";;x = 1;\n;;if a {}\n\nelse {;skip;};send(c,\nx, y);",
        "x =\r\n1\r\nif a {}\r\nelse { skip }\r\nsend(c, x, y)\r\n",
    ] {
        assert_eq!(body(text), expected, "{text}");
    }
    let entries = "p: (P 1)\nq: (Q) @drop\nc: channel { int }\n";
    for text in [
        "p: P(1), q: Q() @drop, c: channel { int }",
        "p: P(1)\nq: Q() @drop\nc: channel { int }\n",
        "\np: P(1),\n\nq: Q() @drop\n\nc: channel { int },\n",
    ] {
        let shape = shape(&format!("init {{ {text} }}"));
        assert_eq!(
            shape.replace("  ", ""),
            format!("init\n{entries}"),
            "{text}"
        );
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    assert_eq!(shape("\u{FEFF}const N = 1"), "const N = 1\n");
    assert_eq!(messages("const N = 1\n\u{FEFF}").len(), 1);
}

#[test]
fn types() {
    for (text, expected) in [
        ("-2..2", "-2..2"),
        ("0 .. n-1", "0..n-1"),
        ("(n + 1) * 2..-m", "(n+1)*2..-m"),
        ("[3][n + 1]bit", "[3][n + 1]bit"),
        ("[] channel { int,bool, }", "[]channel { int, bool }"),
        ("channel[]{ D }", "channel [] { D }"),
        ("channel [2*n] { }", "channel [2 * n] {}"),
        ("process", "process"),
    ] {
        let shape = shape(&format!("proc P(a {text}) {{ }}"));
        assert_eq!(
            shape.lines().nth(1),
            Some(format!("  param a {expected}").as_str())
        );
    }
}

#[test]
fn hints_are_edits_and_second_labels_show_the_other_half() {
    for (text, expected) in [
        (
            "proc P() { f(a b) }",
            "1:16 S0201 expected `,` or `)`, found `b` [1:13 opened here]",
        ),
        (
            "proc P() {\n  send(c, x\n  skip\n}",
            "2:12 S0202 expected `)` before the end of the line (close the bracket with `)`) [2:7 this `(` is not closed]",
        ),
        (
            "proc P() {\n  if x {\n}\nproc Q() { }",
            "4:1 S0202 expected `}` before `proc` (close the bracket with `}`) [1:10 this `{` is not closed]",
        ),
        (
            "proc P() { x = y\n  && z }",
            "2:3 S0209 a line cannot begin with `&&` (move the `&&` to the end of the line before) [1:17 the line before ends here, and with it the statement]",
        ),
        (
            "proc P() { if x\n { skip } }",
            "1:16 S0201 expected a block in braces, found the end of the line (move the `{` to the end of the line before)",
        ),
        (
            "proc P() { var x = 1 }",
            "1:18 S0208 the variable `x` has no type (write its type, as in `var x bool = ..` or `var x 0..3 = ..`) [1:16 its type belongs after the name]",
        ),
        (
            "proc P() { retrun 1 }",
            "1:19 S0201 expected the end of the statement, found `1` (write `return` instead of `retrun`)",
        ),
        (
            "prco P() { }",
            "1:1 S0201 expected a declaration, found `prco` (write `proc` instead of `prco`)",
        ),
        (
            "proc P() { choice { } { } }",
            "1:23 S0201 expected the end of the statement, found `{` (separate the blocks of a `choice` with commas)",
        ),
        (
            "init { a: P(),, b: P() }",
            "1:15 S0201 expected an entry of the form `name: ..`, found `,` (remove the `,`)",
        ),
        (
            "proc P { }",
            "1:8 S0201 expected `(`, found `{` (write `()` after the name)",
        ),
        (
            "proc P() { c <- x + 1 }",
            "1:12 S0207 there is no operator `<-` for channels (write `send(c, x + 1)`)",
        ),
        (
            "proc P() { c[i]!A }",
            "1:12 S0207 there is no operator `!` for channels (write `send(c[i], A)`)",
        ),
        (
            "proc P() { x = <-c[1] }",
            "1:12 S0207 there is no operator `<-` for channels (write `recv(c[1], x)`)",
        ),
        (
            "proc P() {\n  skip\n  <-c\n}",
            "3:3 S0207 there is no operator `<-` for channels (write `recv(c, _)`)",
        ),
        (
            "proc P() { msg := <-c }",
            "1:12 S0207 there is no operator `<-` for channels (write `recv(c, msg)`)",
        ),
        (
            "proc P() { var x bool = <-c }",
            "1:12 S0207 there is no operator `<-` for channels (declare `x`, then write `recv(c, x)`)",
        ),
        (
            "proc P() { if <-c { skip } }",
            "1:12 S0207 there is no operator `<-` for channels (write `recv(c, x)` as a statement of its own)",
        ),
        (
            "proc P() { for i in 0..n - 1 { skip } }",
            "1:21 S0207 a loop cannot go over `0..n - 1` (write `range 0 to n - 1`, which stops before n - 1)",
        ),
        (
            "init { for i in 0..=3 { a[i]: P() } }",
            "1:17 S0207 a loop cannot go over `0..=3` (write `range 0 to 3 + 1`: it stops before its end)",
        ),
        (
            "invariant i { forall k in 0..3 { p[k].done } }",
            "1:27 S0207 a loop cannot go over `0..3` (write `range 0 to 3`, which stops before 3)",
        ),
        (
            "ltl l { <> p.done }",
            "1:9 S0207 there is no `<>` in this language (write `F`)",
        ),
        (
            "ltl l { G (p -> []!q) }",
            "1:17 S0207 there is no `[]` in this language (write `G`)",
        ),
        (
            "ctl l { [] p.done }",
            "1:9 S0207 there is no `[]` in this language (write `AG`)",
        ),
        (
            "ltl l { G (x == S) }",
            "1:17 S0201 expected an expression, found `S` (`S` is an operator here: rename what is called so; a constructor can be written with its type, as in `D.S`)",
        ),
        (
            "ltl l { G == x }",
            "1:11 S0201 expected an expression, found `==` (`G` is an operator here: rename what is called so; a constructor can be written with its type, as in `D.G`)",
        ),
        (
            "ltl l { F x == G }",
            "1:16 S0201 expected an expression, found `G` (`G` is an operator here: rename what is called so; a constructor can be written with its type, as in `D.G`)",
        ),
        (
            "const N = 0x1F",
            "1:11 S0102 `0x1F` is not a decimal number (write `31`)",
        ),
    ] {
        assert_eq!(messages(text), [expected], "{text}");
    }
}

#[test]
fn every_independent_error_is_reported() {
    let text = "\
data D { A B }
proc P(a: int, b int) {
    x = = 1
    if x = 2 { y = } else { z = ) }
    for i in range 0 3 { send(c, 1 2) }
    select { case foo { } case recv(c, x) { x y } }
    ok = 1
    goto
}
module M() {
    proc Q() { x + }
    init { a P(), b: Q() @, c: 3 }
    const
}
ltl { G }
";
    let places: Vec<String> = messages(text)
        .iter()
        .map(|message| message.split(' ').next().unwrap_or_default().to_owned())
        .collect();
    let expected = [
        "1:12", "2:9", "3:9", "4:10", "4:20", "4:33", "5:22", "5:36", "6:23", "6:47", "8:9",
        "11:20", "12:14", "12:27", "12:32", "13:10", "15:9",
    ];
    assert_eq!(places, expected, "{:#?}", messages(text));
}

#[test]
fn parsing_stops_after_a_hundred_errors() {
    let text = format!("proc P() {{\n{}}}\n", "x = )\n".repeat(1000));
    let found = messages(&text);
    assert_eq!(found.len(), MAX_ERRORS + 1);
    assert!(found[MAX_ERRORS].contains("S0206 more than 100 errors"));
}

#[test]
fn limits_are_as_documented() {
    let brackets = |n: usize| format!("const N = {}1{}", "(".repeat(n), ")".repeat(n));
    assert_eq!(messages(&brackets(256)), Vec::<String>::new());
    assert!(messages(&brackets(257))[0].contains("S0204"));
    let sum = |n: usize| format!("const N = {}1", "1 + ".repeat(n));
    assert_eq!(messages(&sum(499)), Vec::<String>::new());
    assert!(messages(&sum(500))[0].contains("S0205"));
    let chain = |n: usize| format!("proc P() {{ {} {{}} }}", "if x {} else ".repeat(n));
    assert_eq!(messages(&chain(501)), Vec::<String>::new());
    assert!(messages(&chain(502))[0].contains("S0205"));
    let labels = |n: usize| format!("proc P() {{ {} skip }}", "L: ".repeat(n));
    assert_eq!(messages(&labels(500)), Vec::<String>::new());
    assert!(messages(&labels(501))[0].contains("S0205"));
}

#[test]
fn dumps_show_places() {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", "const N = 1 + x\ninit {\n}\n");
    assert_eq!(
        dump::tokens(&sources, file),
        "1:1-1:6  const\n1:7-1:8  name N\n1:9-1:10  =\n1:11-1:12  number 1\n1:13-1:14  +\n1:15-1:16  name x\n\
         1:16-1:16  ; (line end)\n2:1-2:5  init\n2:6-2:7  {\n3:1-3:2  }\n"
    );
    let parsed = syntax::parse(&sources, file);
    assert_eq!(
        dump::ast(&parsed.file, &sources),
        "const N = (+ 1 x)  1:1-1:16\ninit  2:1-3:2\n"
    );
}
