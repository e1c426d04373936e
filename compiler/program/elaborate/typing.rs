//! Types as written become types.

use super::Checker;
use super::constants::names_in_type;
use super::scope::Scope;
use crate::program::problem::{Lint, NameProblem, SizeProblem, TypeProblem};
use crate::program::range::Interval;
use crate::program::{Type, limits};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::TypeKind;

/// The type of a channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelType {
    pub capacity: Capacity,
    pub fields: Vec<Type>,
}

/// How many messages a channel holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capacity {
    Rendezvous,
    /// A parameter that takes any buffered channel.
    Any,
    Buffered(u32),
}

/// What a parameter takes, as far as its syntax tells.
pub enum ParameterKind<'a> {
    Value,
    Channel(&'a ast::Type),
    /// The array's type and its elements'.
    Channels(&'a ast::Type, &'a ast::Type),
    Process,
}

impl<'a> ParameterKind<'a> {
    /// Tells channels and processes from values without looking at names.
    pub fn of(ty: &'a ast::Type) -> ParameterKind<'a> {
        match &ty.kind {
            TypeKind::Channel(..) => ParameterKind::Channel(ty),
            TypeKind::Process => ParameterKind::Process,
            TypeKind::Array(_, element) if matches!(element.kind, TypeKind::Channel(..)) => {
                ParameterKind::Channels(ty, element)
            }
            _ => ParameterKind::Value,
        }
    }
}

impl<'a> Checker<'a> {
    /// The type of a value.
    pub fn value_type(&mut self, scope: &mut Scope<'a>, ty: &'a ast::Type) -> Option<Type> {
        let resolved = self.value_type_inner(scope, ty)?;
        let scalars = resolved.scalars();
        if scalars > limits::SCALARS {
            self.report(SizeProblem::Scalars {
                count: scalars,
                span: ty.span,
            });
            return None;
        }
        Some(resolved)
    }

    fn value_type_inner(&mut self, scope: &mut Scope<'a>, ty: &'a ast::Type) -> Option<Type> {
        match &ty.kind {
            TypeKind::Bool => Some(Type::Bool),
            TypeKind::Int => {
                self.report(Lint::BareInt { span: ty.span });
                Some(Type::Int { lo: 0, hi: 8 })
            }
            TypeKind::Bit => Some(Type::Int { lo: 0, hi: 1 }),
            TypeKind::Range(lo, hi) => {
                let lo = self.constant_int(scope, lo, "the bound of a range");
                let hi = self.constant_int(scope, hi, "the bound of a range");
                let (lo, hi) = (lo?, hi?);
                if lo > hi {
                    self.report_value(TypeProblem::EmptyRange {
                        lo,
                        hi,
                        span: ty.span,
                    });
                    if !self.sampling && self.dead == 0 {
                        return None;
                    }
                }
                Some(Type::int(Interval::new(lo, hi)))
            }
            TypeKind::Named(name) => match self.definitions.data.get(name.text.as_str()) {
                Some(id) => Some(Type::Data(*id)),
                None => {
                    let known = self.definitions.data.keys().copied();
                    let suggestion = match name.text.as_str() {
                        "boolean" => Some("bool".to_owned()),
                        other => self.near(other, known.chain(["bool", "bit"])),
                    };
                    let problem = NameProblem::UnknownType {
                        name: name.text.clone(),
                        span: name.span,
                        suggestion,
                    };
                    self.report_unknown(self.lost.declarations, problem);
                    None
                }
            },
            TypeKind::Array(length, element) => {
                let length = match length {
                    Some(length) => self.array_length(scope, length),
                    None => {
                        self.misplaced_type(
                            "an array of values needs a length",
                            ty.span,
                            Some("write it between the brackets, as in `[3]bool`"),
                        );
                        None
                    }
                };
                let element = self.value_type_inner(scope, element)?;
                Some(Type::Array(Box::new(element), length?))
            }
            TypeKind::Channel(..) => {
                self.misplaced_type(
                    "a channel cannot be stored in a variable or sent",
                    ty.span,
                    Some("make it a parameter, and create the channel in `init`"),
                );
                None
            }
            TypeKind::Process => {
                self.misplaced_type(
                    "`process` is the type of a parameter only",
                    ty.span,
                    Some("make it a parameter, and pass the name of an instance in `init`"),
                );
                None
            }
            TypeKind::Error => {
                self.incomplete = true;
                None
            }
        }
    }

    fn misplaced_type(&mut self, text: &'static str, span: Span, hint: Option<&'static str>) {
        self.report(TypeProblem::MisplacedType { text, span, hint });
    }

    /// The length of an array.
    pub fn array_length(&mut self, scope: &mut Scope<'a>, length: &'a ast::Expr) -> Option<u32> {
        self.length(scope, length, "an array", "the length of an array")
    }

    fn length(
        &mut self,
        scope: &mut Scope<'a>,
        length: &'a ast::Expr,
        of: &'static str,
        what: &'static str,
    ) -> Option<u32> {
        let value = self.constant_int(scope, length, what)?;
        if value < 1 {
            self.report_value(TypeProblem::BadLength {
                of,
                length: value,
                span: length.span,
            });
            return (self.sampling || self.dead > 0).then_some(1);
        }
        if value as u64 > limits::SCALARS {
            self.report(SizeProblem::Scalars {
                count: value as u64,
                span: length.span,
            });
            return None;
        }
        Some(value as u32)
    }

    /// The type of a channel; `ty` is written `channel ..`.
    pub fn channel_type(
        &mut self,
        scope: &mut Scope<'a>,
        ty: &'a ast::Type,
        parameter: bool,
    ) -> Option<ChannelType> {
        let TypeKind::Channel(capacity, fields) = &ty.kind else {
            if matches!(ty.kind, TypeKind::Error) {
                self.incomplete = true;
            } else {
                self.misplaced_type("only channels can stand here", ty.span, None);
            }
            return None;
        };
        let capacity = match capacity {
            ast::Capacity::Rendezvous => Some(Capacity::Rendezvous),
            ast::Capacity::Any if parameter => Some(Capacity::Any),
            ast::Capacity::Any => {
                self.misplaced_type(
                    "a channel needs a capacity here",
                    ty.span,
                    Some("write a number between the brackets, as in `channel [2] { .. }`"),
                );
                None
            }
            ast::Capacity::Buffered(capacity) => {
                let what = "the capacity of a channel";
                self.length(scope, capacity, "a buffer", what)
                    .map(Capacity::Buffered)
            }
        };
        let fields: Vec<Option<Type>> = fields
            .iter()
            .map(|field| self.value_type(scope, field))
            .collect();
        let (capacity, fields) = (capacity?, fields.into_iter().collect::<Option<Vec<_>>>()?);
        let slots = match capacity {
            Capacity::Buffered(n) => u64::from(n),
            _ => 1,
        };
        let scalars = fields
            .iter()
            .map(Type::scalars)
            .sum::<u64>()
            .saturating_mul(slots);
        if scalars > limits::SCALARS {
            self.report(SizeProblem::Scalars {
                count: scalars,
                span: ty.span,
            });
            return None;
        }
        Some(ChannelType { capacity, fields })
    }

    /// Complains if a variable's type mentions the variable of an unrolled loop.
    pub fn fixed_type(&mut self, scope: &Scope<'a>, ty: &'a ast::Type) -> bool {
        let mut culprit = None;
        names_in_type(ty, &mut |name, span| {
            if culprit.is_none() && scope.local(name).is_some_and(|local| local.varies()) {
                culprit = Some((name, span));
            }
        });
        match culprit {
            None => true,
            Some((name, span)) => {
                self.report(TypeProblem::VaryingType {
                    name: name.to_owned(),
                    span,
                });
                false
            }
        }
    }

    /// A type as part of a sentence: `an integer`.
    pub fn describe(&self, ty: &Type) -> String {
        match ty {
            Type::Int { .. } => "an integer".into(),
            Type::Array(..) => {
                let element = match ty.scalar() {
                    Type::Int { .. } => "integers".to_owned(),
                    scalar => format!("`{}`", scalar.show(&self.program.data)),
                };
                let mut lengths = Vec::new();
                let mut inner = ty;
                while let Type::Array(element, n) = inner {
                    lengths.push(n.to_string());
                    inner = element;
                }
                format!("an array of {} {element}", lengths.join(" x "))
            }
            _ => {
                let name = ty.show(&self.program.data);
                let article = match name.chars().next() {
                    Some('A' | 'E' | 'I' | 'O' | 'a' | 'e' | 'i' | 'o') => "an",
                    _ => "a",
                };
                format!("{article} `{name}`")
            }
        }
    }

    /// The type of a channel as a model writes it.
    pub fn show_channel(&self, ty: &ChannelType) -> String {
        let fields: Vec<_> = ty
            .fields
            .iter()
            .map(|field| field.show(&self.program.data))
            .collect();
        let capacity = match ty.capacity {
            Capacity::Rendezvous => String::new(),
            Capacity::Any => "[] ".into(),
            Capacity::Buffered(n) => format!("[{n}] "),
        };
        format!("channel {capacity}{{ {} }}", fields.join(", "))
    }
}
