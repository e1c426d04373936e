//! Expressions that the user watches while a run is taken.
//!
//! Any expression of a specification about single states can be watched. It joins the model as one more specification,
//! `(e) == (e)`, so that it means what it means there and whatever it needs is woven in; its value is one side of that.

use crate::cli::args::ModelArgs;
use crate::cli::files::FileError;
use crate::cli::model::{self, Model};
use crate::source::Sources;
use crate::syntax;
use crate::system::print::expr as print_expr;
use crate::system::state::State;
use crate::system::{Domain, Expr, Leaf, Op, PropertyKind, Scalar, System};

/// The name of the specification in which an expression is watched.
fn name(number: usize) -> String {
    format!("watched_expression_{number}")
}

/// A model with expressions that are watched.
pub struct Watching {
    /// The model.
    pub model: Model,
    /// Its System, without the specifications that are only there to watch.
    pub system: System,
    /// What is watched: as written, and its values.
    pub watched: Vec<(String, Vec<Expr>)>,
}

/// Why there is no such model.
pub enum Wrong {
    /// A file cannot be read.
    Unreadable(FileError),
    /// The model has errors.
    Model(Sources, Vec<crate::diagnostic::Diagnostic>),
    /// The arguments do not fit the model.
    Options(crate::weave::UnknownFault),
    /// An expression is wrong: what is.
    Expression(String),
}

/// Reads a model and adds what is to be watched.
pub fn watching(args: &ModelArgs, texts: &[String]) -> Result<Watching, Wrong> {
    let mut sources = Sources::new();
    let mut loaded = model::load(&args.file, &mut sources).map_err(Wrong::Unreadable)?;
    model::add_scenarios(&mut loaded, &args.options, &mut sources).map_err(Wrong::Unreadable)?;
    for (number, text) in texts.iter().enumerate() {
        let written = format!("invariant {} {{ ({text}) == ({text}) }}\n", name(number));
        let file = sources.add("<watched>", written);
        let parsed = syntax::parse(&sources, file);
        if let Some(problem) = parsed.diagnostics.first() {
            return Err(Wrong::Expression(problem.message.clone()));
        }
        let [_] = parsed.file.decls.as_slice() else {
            return Err(Wrong::Expression("this is no single expression".to_owned()));
        };
        loaded.main.parsed.file.decls.extend(parsed.file.decls);
    }
    let checked = model::check_loaded(loaded, &args.options);
    let Some(program) = checked.program else {
        let watched = |d: &&crate::diagnostic::Diagnostic| {
            sources.file(d.primary.span.file).path == "<watched>"
        };
        let errors = checked.diagnostics.iter().filter(|d| d.is_error());
        return Err(match errors.clone().find(watched) {
            Some(problem) => Wrong::Expression(match &problem.hint {
                Some(hint) => format!("{}; {hint}", problem.message),
                None => problem.message.clone(),
            }),
            None => Wrong::Model(sources, checked.diagnostics),
        });
    };
    let options = model::options(&args.options, &program).map_err(Wrong::Options)?;
    let mut system = crate::build(&program, &options);
    let mut watched = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let property = (system.properties.iter()).position(|p| p.name == name(number));
        let kind = property.map(|property| system.properties.remove(property).kind);
        match kind {
            Some(PropertyKind::Invariant(e)) => watched.push((text.clone(), values(&e))),
            _ => watched.push((text.clone(), Vec::new())),
        }
    }
    Ok(Watching {
        model: Model {
            sources,
            program,
            loaded: checked.loaded,
        },
        system,
        watched,
    })
}

/// The values that are compared with themselves.
fn values(e: &Expr) -> Vec<Expr> {
    match e {
        Expr::And(parts) => parts.iter().flat_map(values).collect(),
        Expr::Binary(Op::Eq, a, b) if a == b => vec![Expr::clone(a)],
        _ => Vec::new(),
    }
}

/// What is watched, as the user writes values.
pub fn show(system: &System, state: &State, values: &[Expr]) -> String {
    let shown: Vec<String> = values
        .iter()
        .map(|e| {
            let code = state.eval(e);
            let scalar = match domain(system, e) {
                Some(domain) => domain.scalar(code),
                None => Scalar::Int(code),
            };
            print_expr(system, &Expr::Const(scalar))
        })
        .collect();
    match shown.as_slice() {
        [] => "always the same".to_owned(),
        [one] => one.clone(),
        all => format!("[{}]", all.join(", ")),
    }
}

/// Which values an expression has.
fn domain(system: &System, e: &Expr) -> Option<Domain> {
    match e {
        Expr::Const(Scalar::Bool(_)) | Expr::Not(_) | Expr::And(_) | Expr::Or(_) => {
            Some(Domain::Bool)
        }
        Expr::Const(Scalar::Data(data, _)) => {
            let count = system.data[data.0 as usize].constructors.len() as u32;
            Some(Domain::Data { data: *data, count })
        }
        Expr::Const(Scalar::Int(_)) | Expr::Neg(_) => None,
        Expr::Leaf(Leaf::Var(var)) => Some(system.var(*var).domain),
        Expr::Leaf(Leaf::At(..)) => Some(Domain::Bool),
        Expr::Leaf(_) => None,
        Expr::Binary(op, ..) => op.is_comparison().then_some(Domain::Bool),
        Expr::If(_, then, _) => domain(system, then),
        Expr::Select(_, items) => items.iter().next().and_then(|item| domain(system, item)),
    }
}
