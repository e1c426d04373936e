//! What stands in the parentheses of a marker, but for the events of its timing.

use super::loses::is_losses;
use crate::program::elaborate::expr::{Expressions, unparenthesised};
use crate::program::elaborate::spec::Named;
use crate::program::fault::{AboutVariable, FaultKind, Takes};
use crate::program::problem::{EntryProblem, NameProblem};
use crate::program::{FaultTarget, FaultVariable, Join, Stmt, Type, Value, Within};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as Ast};
use crate::vocabulary::ProcessId;

/// What the arguments of a marker say.
#[derive(Default)]
pub struct Arguments {
    /// `max = k`, `once`
    pub max: Option<u32>,
    /// `fair`
    pub fair: Option<Span>,
    /// `always`, `permanent`
    pub always: bool,
    /// The variable of each target.
    pub variables: Vec<FaultVariable>,
    pub values: Vec<Value>,
    /// `at = v`
    pub at: Option<Value>,
    /// `p = 0.001`, as written.
    pub probability: Option<String>,
    /// What a fault does that the model defines.
    pub joins: Vec<Join>,
    /// The positional arguments, as they are shown.
    pub shown: Vec<String>,
    /// The same, as they are written.
    pub written: Vec<String>,
}

/// The words that say when a fault happens, whatever marker they stand in, and whether a value follows each.
pub const TIMING: [(&str, bool); 8] = [
    ("max", true),
    ("once", false),
    ("always", false),
    ("from", true),
    ("until", true),
    ("permanent", false),
    ("transient", false),
    ("fair", false),
];

/// The words that do not go together, besides each with itself.
const CLASHES: [(&str, &str); 10] = [
    ("max", "once"),
    ("permanent", "from"),
    ("permanent", "always"),
    ("transient", "until"),
    ("always", "max"),
    ("always", "once"),
    ("permanent", "max"),
    ("permanent", "once"),
    ("fair", "always"),
    ("fair", "permanent"),
];

impl<'a> Expressions<'_, 'a> {
    /// The arguments of a marker; `None` if something is wrong with them.
    pub fn marker_arguments(
        &mut self,
        marker: &'a ast::Marker,
        kind: &FaultKind,
        targets: &[FaultTarget],
        bodies: &[Vec<Stmt>],
    ) -> Option<Arguments> {
        let mut arguments = Arguments {
            always: kind.manner.lasting,
            ..Arguments::default()
        };
        let mut sound = true;
        let mut seen: Vec<(&str, Span)> = Vec::new();
        let mut positional = Vec::new();
        let mut at = None;
        for arg in marker.args.iter().filter(|arg| !is_losses(arg)) {
            let word = word(arg).unwrap_or_default();
            let timing = TIMING.iter().find(|(timing, _)| *timing == word);
            match (timing, &arg.name) {
                (Some((_, valued)), name) if name.is_some() == *valued => {}
                (None, Some(_)) if word == "at" && takes_at(kind) => at = Some(&arg.value),
                (None, Some(_)) if word == "p" => {}
                (None, None) => {
                    positional.push(arg);
                    continue;
                }
                _ => {
                    sound &= self.wrong_argument(marker, arg);
                    continue;
                }
            }
            let clash = seen.iter().find(|(other, _)| clash(word, other));
            if let Some((other, first)) = clash {
                self.log.report(EntryProblem::ArgumentsClash {
                    one: word.to_owned(),
                    other: (*other).to_owned(),
                    span: arg.span,
                    first: *first,
                });
                sound = false;
                continue;
            }
            seen.push((word, arg.span));
            match word {
                "max" => match self.budget_number(&arg.value) {
                    Some(max) => arguments.max = Some(max),
                    None => sound = false,
                },
                "once" => arguments.max = Some(1),
                "always" | "permanent" => arguments.always = true,
                "fair" => arguments.fair = Some(arg.span),
                "p" => match probability(&arg.value) {
                    Some(written) => arguments.probability = Some(written),
                    None => {
                        let span = arg.value.span;
                        self.log.report(EntryProblem::Probability { span });
                        sound = false;
                    }
                },
                _ => {}
            }
        }
        if arguments.always && !kind.manner.can_always {
            let word = seen
                .iter()
                .find(|(w, _)| matches!(*w, "always" | "permanent"));
            let span = word.map_or(marker.span, |(_, span)| *span);
            self.log.report(EntryProblem::NeverAlways {
                marker: kind.name.to_string(),
                span,
            });
            sound = false;
        }
        if kind.manner.lasting
            && let Some((word, span)) =
                (seen.iter()).find(|(w, _)| matches!(*w, "max" | "once" | "fair"))
        {
            self.log.report(EntryProblem::ArgumentsClash {
                one: (*word).to_owned(),
                other: format!("@{}", kind.name),
                span: *span,
                first: marker.name.span,
            });
            sound = false;
        }
        let written = positional
            .iter()
            .map(|arg| crate::syntax::print::expr(&arg.value));
        arguments.written = written.collect();
        if let Some(own) = self.decls.definitions.get(&*kind.name) {
            match self.own_joins(own, marker, &positional, targets, bodies) {
                Some((joins, shown)) => (arguments.joins, arguments.shown) = (joins, shown),
                None => sound = false,
            }
            return sound.then_some(arguments);
        }
        sound &= self.positional(marker, kind, targets, &positional, at, &mut arguments);
        sound.then_some(arguments)
    }

    /// The arguments without a name: the variable that a fault happens to, and values.
    fn positional(
        &mut self,
        marker: &'a ast::Marker,
        kind: &FaultKind,
        targets: &[FaultTarget],
        args: &[&'a ast::MarkerArg],
        at: Option<&'a ast::Expr>,
        arguments: &mut Arguments,
    ) -> bool {
        let Takes::Variable(about) = kind.takes else {
            for arg in args {
                self.wrong_argument(marker, arg);
            }
            return args.is_empty();
        };
        let Some((first, rest)) = args.split_first() else {
            self.log.report(EntryProblem::NeedsVariable {
                marker: kind.name.to_string(),
                span: marker.span,
            });
            return false;
        };
        if rest.len() < about.values.0 || rest.len() > about.values.1 {
            self.log.report(EntryProblem::ValueCount {
                marker: kind.name.to_string(),
                least: about.values.0,
                most: about.values.1,
                found: rest.len(),
                span: marker.span,
            });
            return false;
        }
        for target in targets {
            let FaultTarget::Process(process) = *target else {
                return false;
            };
            let Some((variable, ty, shown)) = self.fault_variable(process, &first.value) else {
                return false;
            };
            if !self.variable_fits(&kind.name, about, (&ty, &shown), first.span) {
                return false;
            }
            let because = (first.span, format!("because of `{shown}`"));
            let scalar = ty.scalar().clone();
            let values: Option<Vec<Value>> = (rest.iter())
                .map(|arg| self.constant_of_type(&arg.value, &scalar, because.clone()))
                .collect();
            let at = at.map(|at| self.constant_of_type(at, &scalar, because.clone()));
            let (Some(values), false) = (values, at == Some(None)) else {
                return false;
            };
            if let Type::Data(data) = &scalar {
                self.log.uses.arbitrary.insert(*data);
            }
            arguments.variables.push(variable);
            arguments.shown = std::iter::once(shown)
                .chain(values.iter().map(|v| v.show(&self.decls.data)))
                .collect();
            arguments.values = values;
            arguments.at = at.flatten();
        }
        true
    }

    /// The variable `x`, `x#1`, or a part of it as `a[2]` and `e.term`, of a process, its type, and how it is shown.
    pub fn fault_variable(
        &mut self,
        process: ProcessId,
        expr: &'a ast::Expr,
    ) -> Option<(FaultVariable, Type, String)> {
        match &unparenthesised(expr).kind {
            Ast::Name(name) => {
                let (name, number) = match name.split_once('#') {
                    Some((name, number)) => (name, number.parse().ok()),
                    None => (name.as_str(), None),
                };
                let owner = self.made.processes[process.0 as usize].name.clone();
                match self.find_variable(process, name, number) {
                    Named::Variable(variable, declared) => {
                        self.log.uses.read.insert(declared);
                        let found = self.variables.get(variable);
                        let (ty, shown) = (found.ty.clone(), found.name.clone());
                        let path = Vec::new();
                        Some((FaultVariable { variable, path }, ty, shown))
                    }
                    Named::Several(declared) => {
                        self.log.report(NameProblem::AmbiguousVariable {
                            process: owner,
                            name: name.to_owned(),
                            span: expr.span,
                            declared,
                        });
                        None
                    }
                    Named::Faulty => None,
                    Named::Value(..) | Named::NoValue(..) | Named::TooFew(_) | Named::Nothing => {
                        let outline = &self.made.instances[process.0 as usize].proc.outline;
                        let known = outline.variables.keys().copied();
                        let suggestion = self.log.near(name, known);
                        let lost = outline.lost;
                        let problem = NameProblem::UnknownVariable {
                            process: owner,
                            name: name.to_owned(),
                            span: expr.span,
                            suggestion,
                        };
                        self.log.report_unknown(lost, problem);
                        None
                    }
                }
            }
            Ast::Index(base, index) => {
                let (mut variable, ty, shown) = self.fault_variable(process, base)?;
                let at = self.constant_int(index, "the index of an element")?;
                let Type::Array(element, length) = ty else {
                    let what = self.decls.describe(&ty);
                    self.log
                        .misplaced(format!("{what} has no elements"), base.span, None);
                    return None;
                };
                let inside = u32::try_from(at).ok().filter(|at| *at < length);
                let Some(at) = inside else {
                    self.log.report(EntryProblem::IndexOutOfBounds {
                        index: at,
                        length: length as usize,
                        span: index.span,
                    });
                    return None;
                };
                variable.path.push(Within::Element(at));
                Some((variable, *element, format!("{shown}[{at}]")))
            }
            Ast::Field(base, name, None) => {
                let (mut variable, ty, shown) = self.fault_variable(process, base)?;
                let Type::Record(record) = &ty else {
                    let what = self.decls.describe(&ty);
                    self.log.misplaced(
                        format!("{what} has no fields that a fault could happen to"),
                        base.span,
                        None,
                    );
                    return None;
                };
                let Some(field) = record.position(&name.text) else {
                    self.unknown_field(record, name);
                    return None;
                };
                variable.path.push(Within::Field(field));
                let ty = record.fields[field as usize].ty.clone();
                Some((variable, ty, format!("{shown}.{}", name.text)))
            }
            _ => {
                let text = "a fault happens to a variable of the process";
                let hint = Some("write its name, or a part of it as in `a[2]` or `e.term`");
                self.log.misplaced(text, expr.span, hint);
                None
            }
        }
    }

    fn variable_fits(
        &mut self,
        marker: &str,
        about: AboutVariable,
        (ty, shown): (&Type, &str),
        span: Span,
    ) -> bool {
        let boolean = |ty: &Type| matches!(ty, Type::Bool | Type::Int { lo: 0, hi: 1 });
        let single = |ty: &Type| !about.single || !matches!(ty, Type::Array(..));
        let fits = |ty: &Type| single(ty) && (!about.boolean || boolean(ty));
        if fits(ty) {
            return true;
        }
        let wanted = match about.boolean {
            true => "a `bool` or a `bit`",
            false => "a single value",
        };
        self.log.report(EntryProblem::WrongVariable {
            marker: marker.to_owned(),
            wanted,
            found: self.decls.describe(ty),
            span,
            part: part(ty, shown, &fits),
        });
        false
    }

    fn wrong_argument(&mut self, marker: &ast::Marker, arg: &ast::MarkerArg) -> bool {
        let argument = match (&arg.name, word(arg)) {
            (Some(name), _) => name.text.clone(),
            (None, Some(word)) => word.to_owned(),
            (None, None) => crate::syntax::print::expr(&arg.value),
        };
        let words = TIMING.iter().map(|(word, _)| *word);
        let near = self.log.near(&argument, words);
        let form = |word: &str| match word {
            "max" => format!("write `max`, as in `@{}(max = 2)`", marker.name.text),
            "from" | "until" => format!("write when, as in `{word} = any`"),
            word => format!("write `{word}`"),
        };
        let hint = match (near.as_deref(), argument.as_str()) {
            (Some(word), _) => form(word),
            (None, "max" | "maximum" | "count" | "limit") => form("max"),
            (None, _) => "remove it".to_owned(),
        };
        self.log.report(EntryProblem::MarkerArgument {
            marker: marker.name.text.clone(),
            argument,
            span: arg.name.as_ref().map_or(arg.span, |name| name.span),
            hint,
        });
        false
    }
}

/// The first part of a value, as it is written, that fits: an element, a field, or one of theirs.
pub fn part(ty: &Type, shown: &str, fits: &dyn Fn(&Type) -> bool) -> Option<String> {
    let own = |ty: &Type, shown: String| match fits(ty) {
        true => Some(shown),
        false => part(ty, &shown, fits),
    };
    match ty {
        Type::Array(element, _) => own(element, format!("{shown}[0]")),
        Type::Record(record) => {
            let mut fields = record.fields.iter();
            fields.find_map(|field| own(&field.ty, format!("{shown}.{}", field.name)))
        }
        _ => None,
    }
}

fn takes_at(kind: &FaultKind) -> bool {
    matches!(kind.takes, Takes::Variable(AboutVariable { at: true, .. }))
}

/// The word that an argument begins with: the name before `=`, or a name alone.
pub fn word(arg: &ast::MarkerArg) -> Option<&str> {
    match (&arg.name, &unparenthesised(&arg.value).kind) {
        (Some(name), _) => Some(&name.text),
        (None, Ast::Name(name)) => Some(name),
        _ => None,
    }
}

/// A number from 0 to 1, as written.
fn probability(value: &ast::Expr) -> Option<String> {
    let text = match &value.kind {
        Ast::Name(text) => text.clone(),
        Ast::Int(number) => number.to_string(),
        _ => return None,
    };
    let number: Option<f64> = text.parse().ok();
    number.filter(|p| (0.0..=1.0).contains(p)).map(|_| text)
}

/// Whether two words do not go together.
fn clash(one: &str, other: &str) -> bool {
    one == other || CLASHES.contains(&(one, other)) || CLASHES.contains(&(other, one))
}
