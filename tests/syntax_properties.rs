//! Laws of the parser and the formatter on random models: what is printed parses to the same tree, formatting
//! is stable and keeps comments, and no text makes anything panic.

#[path = "../fuzz/exercise.rs"]
mod exercise;
#[path = "support/soup.rs"]
mod soup;

use proptest::prelude::*;
use sandalc::source::Sources;
use sandalc::syntax::{self, dump, print};

use exercise::exercise;
use soup::{model, mutated, noise};

fn sources(text: &str) -> (Sources, sandalc::source::FileId) {
    let mut sources = Sources::new();
    let file = sources.add("test.sdl", text);
    (sources, file)
}

/// Shape and comments of a text that parses.
fn contents(text: &str) -> (String, Vec<String>) {
    let (sources, file) = sources(text);
    let parsed = syntax::parse(&sources, file);
    assert_eq!(parsed.diagnostics, vec![], "{text}");
    let lines = |comment: &str| {
        comment
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let comments = parsed
        .comments
        .iter()
        .map(|comment| lines(sources.slice(comment.span)))
        .collect();
    (dump::shape(&parsed.file), comments)
}

fn format(text: &str) -> String {
    let (sources, file) = sources(text);
    syntax::format(&sources, file).unwrap_or_else(|diagnostics| panic!("{text}\n{diagnostics:#?}"))
}

/// `PROPTEST_CASES` for a long run.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(100)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    /// A random model, laid out at random with comments in between, keeps its shape and its comments, and is
    /// formatted once and for all.
    #[test]
    fn formatting_keeps_shape_and_comments(text in model()) {
        let formatted = format(&text);
        prop_assert_eq!(contents(&text), contents(&formatted), "{}\n---\n{}", text, formatted);
        prop_assert_eq!(&formatted, &format(&formatted), "not stable: {}", text);
        for line in formatted.lines() {
            prop_assert_eq!(line.trim_end(), line);
        }
    }

    /// An expression that was parsed is printed so that it parses to the same expression.
    #[test]
    fn printed_expressions_parse(text in soup::formula()) {
        let model = format!("ltl x {{ {text} }}");
        let (sources, file) = sources(&model);
        let parsed = syntax::parse(&sources, file);
        prop_assert_eq!(&parsed.diagnostics, &vec![], "{}", model);
        let syntax::ast::DeclKind::Spec(spec) = &parsed.file.decls[0].kind else { panic!("{model}") };
        let printed = print::expr(&spec.lines[0]);
        let again = format!("ltl x {{ {printed} }}\n");
        prop_assert_eq!(contents(&model).0, contents(&again).0, "{}", printed);
        prop_assert_eq!(&format(&again), &again);
        // Parentheses that are needed are put in, also if the tree has lost its own.
        let bare = without_parentheses(&spec.lines[0]);
        let printed = print::expr(&bare);
        let again = format!("ltl x {{ {printed} }}\n");
        let (sources, file) = self::sources(&again);
        let parsed = syntax::parse(&sources, file);
        prop_assert_eq!(&parsed.diagnostics, &vec![], "{}", again);
        let syntax::ast::DeclKind::Spec(spec) = &parsed.file.decls[0].kind else { panic!("{again}") };
        prop_assert_eq!(dump::expr(&without_parentheses(&spec.lines[0])), dump::expr(&bare), "{}", printed);
    }

    #[test]
    fn mutated_models_never_panic(text in mutated()) {
        exercise(&text);
    }

    #[test]
    fn noise_never_panics(text in noise()) {
        exercise(&text);
    }

    #[test]
    fn bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        exercise(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_text_never_panics(text in any::<String>()) {
        exercise(&text);
    }
}

/// The same expression without the parentheses that were written.
fn without_parentheses(expr: &syntax::ast::Expr) -> syntax::ast::Expr {
    use syntax::ast::{Expr, ExprKind};
    let inner = |expr: &Expr| Box::new(without_parentheses(expr));
    let kind = match &expr.kind {
        ExprKind::Paren(inside) => return without_parentheses(inside),
        ExprKind::Field(base, name, number) => ExprKind::Field(inner(base), name.clone(), *number),
        ExprKind::Index(base, index) => ExprKind::Index(inner(base), inner(index)),
        ExprKind::At(base, label) => ExprKind::At(inner(base), label.clone()),
        ExprKind::Unary(op, operand) => ExprKind::Unary(*op, inner(operand)),
        ExprKind::Binary(op, left, right) => ExprKind::Binary(*op, inner(left), inner(right)),
        ExprKind::Temporal(op, operand) => ExprKind::Temporal(*op, inner(operand)),
        ExprKind::Path(op, inside) => ExprKind::Path(*op, inner(inside)),
        other => other.clone(),
    };
    Expr {
        kind,
        ..expr.clone()
    }
}
