//! Random models, as tokens that are then laid out at random.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

type Tokens = Vec<String>;

/// Where a semicolon or a line end must stand.
const END: &str = "\u{1}";
/// Where a comma or a line end must stand, in `init`.
const ENTRY: &str = "\u{2}";

fn words(text: &str) -> Tokens {
    text.split_whitespace().map(str::to_owned).collect()
}

fn one(choices: &'static [&'static str]) -> impl Strategy<Value = Tokens> + Clone {
    select(choices).prop_map(words)
}

/// Fills `%` in a template, one part after the other.
fn fill(template: &str, parts: &[&Tokens]) -> Tokens {
    let mut parts = parts.iter();
    let mut tokens = Vec::new();
    for word in template.split_whitespace() {
        match word {
            "%" => tokens.extend(
                parts
                    .next()
                    .into_iter()
                    .flat_map(|part| part.iter().cloned()),
            ),
            word => tokens.push(word.to_owned()),
        }
    }
    tokens
}

fn list(items: Vec<Tokens>, separator: &str) -> Tokens {
    let mut tokens = Vec::new();
    for item in items {
        if !tokens.is_empty() {
            tokens.push(separator.to_owned());
        }
        tokens.extend(item);
    }
    tokens
}

/// Expressions without temporal operators.
fn expr() -> impl Strategy<Value = Tokens> + Clone {
    let leaf = one(&[
        "x",
        "y",
        "limit",
        "max",
        "timeout",
        "_",
        "0",
        "42",
        "true",
        "false",
        "p . x",
        "p . x # 2",
        "a [ 0 ]",
        "p @ l",
        "D . F",
        "any",
        "F",
        "U",
    ]);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let op = one(&[
            "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=",
            "&&", "||", "->", "<->",
        ]);
        prop_oneof![
            (inner.clone(), op, inner.clone()).prop_map(|(a, op, b)| fill("% % %", &[&a, &op, &b])),
            (one(&["!", "-"]), inner.clone()).prop_map(|(op, a)| fill("% ( % )", &[&op, &a])),
            inner.clone().prop_map(|a| fill("- x * ( % )", &[&a])),
            inner.clone().prop_map(|a| fill("( % )", &[&a])),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| fill("[ % , % ]", &[&a, &b])),
            (
                one(&["len", "timeout_recv", "nonblock_send", "rcv"]),
                vec(inner.clone(), 0..3)
            )
                .prop_map(|(f, args)| fill("% ( % )", &[&f, &list(args, ",")])),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| fill("( % ) [ % ] . y", &[&a, &b])),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| fill("forall i in range % to % { % }", &[&a, &b, &c])),
            (one(&["0", "n + 1", "- 2 * n", "( n - 1 )"]), inner)
                .prop_map(|(a, b)| fill("any ( % .. % )", &[&a, &b])),
        ]
    })
}

/// LTL formulas as tokens.
fn temporal() -> impl Strategy<Value = Tokens> + Clone {
    let leaf =
        expr().prop_map(|tokens| fill("( % )", &[&tokens.into_iter().map(rename).collect()]));
    leaf.prop_recursive(4, 16, 2, |inner| {
        prop_oneof![
            (
                inner.clone(),
                one(&["&&", "||", "->", "<->", "U", "V", "S", "T"]),
                inner.clone()
            )
                .prop_map(|(a, op, b)| fill("% % %", &[&a, &op, &b])),
            (
                one(&["G", "F", "X", "! G", "! ! Y", "Z", "H", "O", "!"]),
                inner.clone()
            )
                .prop_map(|(op, a)| fill("% %", &[&op, &a])),
            inner.prop_map(|a| fill("( % )", &[&a])),
        ]
    })
}

/// Letters that are operators in a formula are no names there.
fn rename(token: String) -> String {
    match token.as_str() {
        "F" | "U" => token.to_lowercase(),
        _ => token,
    }
}

/// A formula on one line.
pub fn formula() -> impl Strategy<Value = String> {
    temporal().prop_map(|tokens| tokens.join(" "))
}

fn ty() -> impl Strategy<Value = Tokens> + Clone {
    one(&[
        "int",
        "bool",
        "D",
        "0 .. 3",
        "- 2 .. n - 1",
        "( n + 1 ) * 2 .. 9",
        "[ 3 ] int",
        "[ n ] [ 2 ] 0 .. 1",
        "channel { int }",
        "channel [ ] { int , bool }",
        "[ ] channel [ 4 ] { [ 2 ] bit }",
    ])
}

fn block(stmts: Vec<Tokens>) -> Tokens {
    fill("{ % }", &[&list(stmts, END)])
}

fn stmt() -> impl Strategy<Value = Tokens> + Clone {
    let leaf = prop_oneof![
        one(&[
            "skip",
            "break",
            "continue",
            "return",
            "goto l",
            "l : m : skip",
            "send ( c , x )",
            "recv ( c , _ )",
            "const k = 3"
        ]),
        (ty(), expr()).prop_map(|(ty, e)| fill("var v % = %", &[&ty, &e])),
        ty().prop_map(|ty| fill("durable var v %", &[&ty])),
        (one(&["=", "+=", "<<=", "&="]), expr())
            .prop_map(|(op, e)| fill("a [ i ] % %", &[&op, &e])),
        expr().prop_map(|e| fill("assert ( % )", &[&e])),
        expr(),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let body = vec(inner.clone(), 0..4).prop_map(block);
        prop_oneof![
            body.clone(),
            (expr(), body.clone()).prop_map(|(c, a)| fill("if % %", &[&c, &a])),
            (expr(), body.clone(), body.clone())
                .prop_map(|(c, a, b)| fill("if % % else %", &[&c, &a, &b])),
            (expr(), body.clone(), body.clone())
                .prop_map(|(c, a, b)| fill("if % % else if y % else { }", &[&c, &a, &b])),
            (expr(), body.clone()).prop_map(|(c, a)| fill("for % %", &[&c, &a])),
            (expr(), body.clone()).prop_map(|(c, a)| fill("for e in % %", &[&c, &a])),
            (expr(), body.clone()).prop_map(|(c, a)| fill("for i in range 0 to % %", &[&c, &a])),
            (body.clone(), body.clone()).prop_map(|(a, b)| fill("choice % , %", &[&a, &b])),
            (expr(), body.clone(), body.clone()).prop_map(|(c, a, b)| fill(
                "select { case recv ( c , x ) if % % case timeout % default { } }",
                &[&c, &a, &b]
            )),
            (inner, Just(())).prop_map(|(a, ())| fill("again : %", &[&a])),
        ]
    })
}

fn entry() -> impl Strategy<Value = Tokens> + Clone {
    let markers = one(&["", "@ drop", "@ drop ( max = n - 1 ) @ corrupt"]);
    let leaf = prop_oneof![
        (vec(expr(), 0..3), markers.clone())
            .prop_map(|(args, m)| fill("p : P ( % ) %", &[&list(args, ","), &m])),
        (expr(), markers.clone()).prop_map(|(i, m)| fill("w [ % ] : W ( ) %", &[&i, &m])),
        (
            one(&["channel { int }", "[ 3 ] channel [ 2 ] { D , 0 .. 3 }"]),
            markers
        )
            .prop_map(|(ty, m)| fill("c : % %", &[&ty, &m])),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        vec(inner, 0..3)
            .prop_map(|entries| fill("for i in range 0 to n { % }", &[&list(entries, ENTRY)]))
    })
}

fn decl() -> impl Strategy<Value = Tokens> + Clone {
    let leaf = prop_oneof![
        one(&[
            "import \"a/b.sdl\"",
            "data D { A , B }",
            "data E { F , }",
            "limit n { p @ drop , m . w [ 0 ] @ shutdown ( max = 1 ) }"
        ]),
        (ty(), expr()).prop_map(|(ty, e)| fill("const k % = %", &[&ty, &e])),
        expr().prop_map(|e| fill("const k = %", &[&e])),
        (
            vec(prop_oneof![ty(), one(&["process"])], 0..3),
            vec(stmt(), 0..4)
        )
            .prop_map(|(params, body)| {
                let params = params.into_iter().map(|ty| fill("q %", &[&ty])).collect();
                fill("proc P ( % ) %", &[&list(params, ","), &block(body)])
            }),
        vec(entry(), 0..4).prop_map(|entries| fill("init { % }", &[&list(entries, ENTRY)])),
        expr().prop_map(|e| fill("invariant i { % }", &[&e])),
        temporal().prop_map(|f| fill("ltl { % }", &[&f])),
        temporal().prop_map(|f| fill("assume F { % }", &[&f])),
        one(&["ctl c { AG ( x -> EF y ) && A ( x U y ) && ! E ( true U F . x ) }"]),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        vec(inner, 0..3).prop_map(|decls| fill("module M ( n int ) { % }", &[&list(decls, END)]))
    })
}

/// A model, laid out at random, with comments wherever they can stand.
pub fn model() -> impl Strategy<Value = String> {
    (vec(decl(), 0..4), vec(any::<u8>(), 64))
        .prop_map(|(decls, choices)| layout(&list(decls, END), &choices))
}

fn layout(tokens: &[String], choices: &[u8]) -> String {
    let mut text = String::new();
    let mut turn = choices.iter().cycle();
    let mut choose = |count: u8| turn.next().map_or(0, |choice| choice % count);
    for (i, token) in tokens.iter().enumerate() {
        let before = i.checked_sub(1).map(|before| tokens[before].as_str());
        match token.as_str() {
            END => text.push_str(
                [
                    ";",
                    "\n",
                    " ;\n\n\n",
                    " // end\n",
                    ";// end\n",
                    " /* end\n of */",
                    ";;",
                    "\n\n// own\n\n",
                ][choose(8) as usize],
            ),
            ENTRY => text.push_str(
                [
                    ",",
                    "\n",
                    " ,\n\n",
                    ", // end\n",
                    "// end\n , ",
                    " /* c */,",
                    " // e\n",
                    ",",
                ][choose(8) as usize],
            ),
            token => {
                let free = before.is_none_or(|before| !ends_line(before))
                    || matches!(token, ")" | "]" | "}" | "," | "else" | "case" | "default");
                let gaps: &[&str] = if free {
                    &[
                        " ",
                        " ",
                        " ",
                        "\n",
                        " // free\n",
                        "\n // own\n\n // too\n",
                        " /* block */ ",
                        "\n\n\n",
                        " /* a\n b */",
                    ]
                } else {
                    &[" ", " ", " ", "  ", " /* c */ ", "\t"]
                };
                text.push_str(gaps[usize::from(choose(gaps.len() as u8))]);
                text.push_str(token);
            }
        }
    }
    text
}

fn ends_line(token: &str) -> bool {
    matches!(
        token,
        ")" | "]" | "}" | "true" | "false" | "break" | "continue" | "return" | "skip" | "any"
    ) || token.starts_with(|c: char| c.is_ascii_digit() || c == '"')
        || (token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !is_reserved(token))
}

/// Words that do not end a line: keywords, and the temporal letters (a line end after one may be none).
fn is_reserved(token: &str) -> bool {
    const WORDS: &str = "data const module proc process var durable if else for in range to goto choice select case default \
        send recv peek timeout_send nonblock_send timeout_recv timeout_peek nonblock_recv nonblock_peek assert init channel \
        ltl ctl invariant reachable assume forall exists import";
    WORDS.split_whitespace().any(|word| word == token)
}

/// A real model with a few pieces cut out, put in and moved.
pub fn mutated() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0usize..12, select(PIECES));
    vec(edit, 1..12).prop_map(|edits| {
        let mut text = include_str!("../models/constructs.sdl").to_owned();
        for (place, length, piece) in edits {
            let start = place.index(text.len());
            let end = (start + length).min(text.len());
            if text.is_char_boundary(start) && text.is_char_boundary(end) {
                text.replace_range(start..end, piece);
            }
        }
        text
    })
}

/// Tokens in no order.
pub fn noise() -> impl Strategy<Value = String> {
    vec(select(PIECES), 0..200).prop_map(|pieces| pieces.concat())
}

const PIECES: &[&str] = &[
    "",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    ".",
    "..",
    "@",
    "#",
    "=",
    "+=",
    "<<=",
    "<->",
    "->",
    "||",
    "&&",
    "==",
    "!=",
    "<",
    "<=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    ":=",
    "++",
    "--",
    "=>",
    "===",
    "?",
    "~",
    "$",
    "\0",
    "é",
    "\u{FEFF}",
    "“",
    "x",
    "y ",
    " F ",
    " U ",
    "3",
    "3x",
    "1.5",
    "0x",
    "99999999999999999999",
    "\"",
    "\"a\"",
    "//",
    "// c\n",
    "/*",
    "*/",
    " data ",
    " const ",
    " module ",
    "\nproc P(",
    " process ",
    " var ",
    " durable ",
    " if ",
    " else ",
    " for ",
    " in ",
    " range ",
    " to ",
    " break ",
    " goto ",
    " return ",
    " skip ",
    " choice ",
    " select ",
    " case ",
    " timeout ",
    " default ",
    " send(",
    " recv(",
    " timeout_recv(",
    " assert(",
    "\ninit {",
    " channel ",
    " true ",
    " any",
    "\nltl {",
    "\nctl {",
    " invariant ",
    " reachable ",
    " assume ",
    " forall ",
    " exists ",
    " import ",
    " limit ",
    " max ",
    " while ",
    " func ",
    "__a",
    "L: ",
];
