//! Names inside a body, an `init` or a formula: blocks, shadowing and what a name stands for.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::init::FrameId;
use super::log::Log;
use crate::program::problem::NameProblem;
use crate::program::range::Interval;
use crate::program::{ChannelRef, Expr, ExprKind, LocalId, Place, Step, Type, Value, VariableId};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::{ChannelId, DetectorId, ProcessId};

/// What a local name stands for.
#[derive(Clone)]
pub enum Binding {
    /// A constant, a value parameter or the variable of an unrolled loop.
    Value(Rc<Value>),
    /// A variable.
    Variable(VariableId),
    /// The variable of a `range` loop that is not unrolled, and the values it has there.
    Counter(VariableId, Interval),
    /// The element that a `for x in xs` is at.
    Element(Rc<Expr>),
    /// A parameter or variable of a pure function, and its type.
    Local(LocalId, Rc<Type>),
    /// A channel.
    Channel(ChannelId),
    /// One of several channels, by an index that is computed where it is used.
    Chosen(Rc<ChannelRef>),
    /// An array of channels.
    Channels(Rc<[ChannelId]>),
    /// A process.
    Process(ProcessId),
    /// An array of processes.
    Processes(Rc<[ProcessId]>),
    /// A failure detector.
    Detector(DetectorId),
    /// An array of failure detectors.
    Detectors(Rc<[DetectorId]>),
    /// The `any` given for a value parameter, before it is a variable of its process.
    Free(Rc<Free>),
    /// Something faulty that has been reported.
    Broken,
}

impl Binding {
    /// As part of a sentence, if it is no value: `an array of channels`.
    pub fn what(&self) -> Option<&'static str> {
        Some(match self {
            Binding::Channel(_) | Binding::Chosen(_) => "a channel",
            Binding::Channels(_) => "an array of channels",
            Binding::Process(_) => "a process",
            Binding::Processes(_) => "an array of processes",
            Binding::Detector(_) => "a detector",
            Binding::Detectors(_) => "an array of detectors",
            _ => return None,
        })
    }

    /// What each element of an array of such things stands for.
    pub fn elements(&self) -> Option<Vec<Binding>> {
        Some(match self {
            Binding::Channels(all) => all.iter().map(|id| Binding::Channel(*id)).collect(),
            Binding::Processes(all) => all.iter().map(|id| Binding::Process(*id)).collect(),
            Binding::Detectors(all) => all.iter().map(|id| Binding::Detector(*id)).collect(),
            _ => return None,
        })
    }
}

/// What `any` as an argument stands for: one initial state per value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Free {
    /// The type of the parameter.
    pub ty: Type,
    /// The values, of an array those of each element.
    pub values: Vec<Value>,
    /// The argument.
    pub span: Span,
}

/// How a local name came to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `var`
    Variable,
    /// `const`
    Constant,
    /// A `const` whose value may differ between instances.
    Given,
    /// In parentheses after the name of a proc or module.
    Parameter,
    /// In parentheses after the name of a function; its value differs between calls.
    Argument,
    /// After `for`; its value differs between iterations.
    Loop,
    /// A `const` in a loop whose value differs between iterations.
    Varying,
    /// In a case of `switch`, for a field of the message.
    Field,
}

/// A local name.
#[derive(Clone)]
pub struct Local {
    pub binding: Binding,
    pub role: Role,
    /// Where it is declared.
    pub span: Span,
    /// The depth of its block.
    pub depth: u32,
}

impl Local {
    /// A parameter.
    pub fn parameter(name: &ast::Name, binding: Binding) -> Self {
        Local {
            binding,
            role: Role::Parameter,
            span: name.span,
            depth: 0,
        }
    }

    /// Whether its value differs between the iterations of an unrolled loop.
    pub fn varies(&self) -> bool {
        matches!(self.role, Role::Loop | Role::Varying | Role::Argument)
    }
}

/// The local names visible at some point.
pub struct Scope<'a> {
    pub frame: FrameId,
    /// Whether a statement of this body was lost in a syntax error: it may have declared any name.
    pub lost: bool,
    /// What must not change, because names stand for its fields.
    pub fixed: Vec<Fixed>,
    names: FxHashMap<&'a str, Vec<Local>>,
    trail: Vec<&'a str>,
    blocks: Vec<usize>,
}

impl<'a> Scope<'a> {
    /// No local names yet.
    pub fn new(frame: FrameId) -> Self {
        Scope {
            frame,
            lost: false,
            fixed: Vec::new(),
            names: FxHashMap::default(),
            trail: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Begins a block.
    pub fn enter(&mut self) {
        self.blocks.push(self.trail.len());
    }

    /// Ends the innermost block: its names vanish.
    pub fn leave(&mut self) {
        let start = self.blocks.pop().expect("`leave` follows `enter`");
        for name in self.trail.drain(start..) {
            if let Some(stack) = self.names.get_mut(name) {
                stack.pop();
            }
        }
    }

    /// What a local name stands for.
    pub fn local(&self, name: &str) -> Option<&Local> {
        self.names.get(name).and_then(|stack| stack.last())
    }

    /// Adds a name to the innermost block. Returns the place of an older one in the same block.
    pub fn bind(
        &mut self,
        name: &'a str,
        binding: Binding,
        role: Role,
        span: Span,
    ) -> Option<Span> {
        let depth = self.blocks.len() as u32;
        let stack = self.names.entry(name).or_default();
        let first = stack
            .last()
            .filter(|local| local.depth == depth)
            .map(|local| local.span);
        stack.push(Local {
            binding,
            role,
            span,
            depth,
        });
        self.trail.push(name);
        first.filter(|first| *first != span)
    }

    /// All local names, in no particular order.
    pub fn locals(&self) -> impl Iterator<Item = (&'a str, &Local)> {
        self.names
            .iter()
            .filter_map(|(name, stack)| stack.last().map(|local| (*name, local)))
    }

    /// Declares a local name, with all that can be wrong about that.
    pub fn declare(&mut self, log: &mut Log, name: &'a ast::Name, binding: Binding, role: Role) {
        if name.text == "_" && role == Role::Loop {
            return;
        }
        log.legal_name(name, matches!(role, Role::Variable | Role::Parameter));
        if let Some(first) = self.bind(&name.text, binding, role, name.span) {
            log.report(NameProblem::Duplicate {
                name: name.text.clone(),
                what: match role {
                    Role::Variable | Role::Loop => "variable in this block",
                    _ => "definition in this block",
                },
                span: name.span,
                first,
            });
        }
    }
}

impl Log {
    /// Complains about names that belong to the language.
    pub fn legal_name(&mut self, name: &ast::Name, variable: bool) {
        let why = if name.text == "_" {
            "`_` stands for a field that is not needed"
        } else if variable && matches!(name.text.as_str(), "done" | "crashed" | "failed") {
            "specifications use it for the state of the process"
        } else if name.text.starts_with("__") {
            "names that begin with `__` are kept for what the compiler adds"
        } else {
            return;
        };
        self.report(NameProblem::Reserved {
            name: name.text.clone(),
            span: name.span,
            why,
        });
    }
}

/// A variable, or a part of one, whose fields have names for a while.
pub struct Fixed {
    /// `None` for a constant, and in a pure function.
    pub variable: Option<VariableId>,
    /// The parameter or variable of a pure function.
    pub local: Option<LocalId>,
    path: Vec<FixedStep>,
    /// Where that is said.
    pub span: Span,
}

#[derive(PartialEq, Eq)]
enum FixedStep {
    Index(i64),
    Field(u32),
}

impl Fixed {
    /// What an expression stands for, unless that may change with a computed index.
    pub fn of(subject: &Expr, span: Span) -> Option<Fixed> {
        let mut path = Vec::new();
        let mut at = subject;
        let (variable, local) = loop {
            match &at.kind {
                ExprKind::Const(_) => break (None, None),
                ExprKind::Variable(id) => break (Some(*id), None),
                ExprKind::Local(id) => break (None, Some(*id)),
                ExprKind::Index(base, index) => {
                    path.push(FixedStep::Index(index.as_int()?));
                    at = base;
                }
                ExprKind::Field(base, field) if matches!(base.ty, Type::Record(_)) => {
                    path.push(FixedStep::Field(*field));
                    at = base;
                }
                _ => return None,
            }
        };
        path.reverse();
        Some(Fixed {
            variable,
            local,
            path,
            span,
        })
    }

    /// Whether storing something in a place may change it.
    pub fn is_hit(&self, place: &Place) -> bool {
        let apart = self.path.iter().zip(&place.path).any(|pair| match pair {
            (FixedStep::Index(at), Step::Index(index)) => {
                index.as_int().is_some_and(|other| other != *at)
            }
            (FixedStep::Field(at), Step::Field(other)) => at != other,
            _ => false,
        });
        self.variable == Some(place.variable) && !apart
    }
}
