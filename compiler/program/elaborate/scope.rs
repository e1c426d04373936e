//! Names inside a body, an `init` or a formula: blocks, shadowing and what a name stands for.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Checker;
use super::definitions::FrameId;
use crate::program::problem::NameProblem;
use crate::program::range::Interval;
use crate::program::{Expr, SpecKind, Value, VariableId};
use crate::source::Span;
use crate::syntax::ast;
use crate::vocabulary::{ChannelId, ProcessId};

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
    /// A channel.
    Channel(ChannelId),
    /// An array of channels.
    Channels(Rc<[ChannelId]>),
    /// A process.
    Process(ProcessId),
    /// Something faulty that has been reported.
    Broken,
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
    /// After `for`; its value differs between iterations.
    Loop,
    /// A `const` in a loop whose value differs between iterations.
    Varying,
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
    /// Whether its value differs between the iterations of an unrolled loop.
    pub fn varies(&self) -> bool {
        matches!(self.role, Role::Loop | Role::Varying)
    }
}

/// What an expression is part of, which decides what may stand in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A constant, a type, an argument of an entry.
    Constant,
    /// A process.
    Process,
    /// A specification.
    Spec(SpecKind),
}

/// Whether a messaging expression may stand here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Messages {
    Allowed,
    /// To the right of this operator.
    RightOf(ast::BinaryOp),
    /// In this construct.
    ForbiddenIn(&'static str),
}

/// The names visible at some point, and what that point is.
pub struct Scope<'a> {
    pub frame: FrameId,
    pub place: Place,
    /// Whether this is a specification, also in its constants.
    pub specification: bool,
    pub messages: Messages,
    /// Whether temporal operators may stand here.
    pub temporal: bool,
    /// Whether this is an operand of `==` or `!=`.
    pub comparing: bool,
    names: FxHashMap<&'a str, Vec<Local>>,
    trail: Vec<&'a str>,
    blocks: Vec<usize>,
}

impl<'a> Scope<'a> {
    /// No local names yet.
    pub fn new(frame: FrameId, place: Place) -> Self {
        Scope {
            frame,
            place,
            specification: matches!(place, Place::Spec(_)),
            messages: Messages::Allowed,
            temporal: matches!(
                place,
                Place::Spec(SpecKind::Ltl | SpecKind::Ctl | SpecKind::Assume)
            ),
            comparing: false,
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
}

impl<'a> Checker<'a> {
    /// Declares a local name, with all that can be wrong about that.
    pub fn declare(
        &mut self,
        scope: &mut Scope<'a>,
        name: &'a ast::Name,
        binding: Binding,
        role: Role,
        what: &'static str,
    ) {
        if name.text == "_" && role == Role::Loop {
            return;
        }
        self.check_name(name, matches!(role, Role::Variable | Role::Parameter));
        if let Some(first) = scope.bind(&name.text, binding, role, name.span) {
            self.report(NameProblem::Duplicate {
                name: name.text.clone(),
                what,
                span: name.span,
                first,
            });
        }
    }

    /// Complains about names that belong to the language. (`__x` is refused by the lexer.)
    pub fn check_name(&mut self, name: &ast::Name, variable: bool) {
        let why = if name.text == "_" {
            "`_` stands for a field that is not needed"
        } else if variable && matches!(name.text.as_str(), "done" | "crashed" | "failed") {
            "specifications use it for the state of the process"
        } else {
            return;
        };
        self.report(NameProblem::Reserved {
            name: name.text.clone(),
            span: name.span,
            why,
        });
    }

    /// What a name that is no constructor stands for: a local name, a parameter or constant of the module,
    /// or a constant of the top level. Counts as a use.
    pub fn lookup(&mut self, scope: &Scope<'a>, name: &str) -> Option<Local> {
        let found = self.find(scope, name);
        if let Some(local) = &found {
            self.uses.read.insert(local.span);
        }
        found
    }

    /// As [`Self::lookup`], without counting as a use.
    pub fn find(&self, scope: &Scope<'a>, name: &str) -> Option<Local> {
        if let Some(local) = scope.local(name) {
            return Some(local.clone());
        }
        let frame = &self.frames[scope.frame.0];
        if let Some(local) = frame.parameters.get(name) {
            return Some(local.clone());
        }
        self.constant_of(scope.frame, name).or_else(|| {
            if scope.frame.0 == 0 {
                None
            } else {
                self.constant_of(FrameId(0), name)
            }
        })
    }

    fn constant_of(&self, frame: FrameId, name: &str) -> Option<Local> {
        let frame = &self.frames[frame.0];
        let index = *self.definitions.scopes[frame.scope]
            .constant_ids
            .get(name)?;
        let span = self.definitions.scopes[frame.scope].constants[index]
            .name
            .span;
        let binding = match frame.constants.get(name) {
            Some(Some(value)) => Binding::Value(value.clone()),
            _ => Binding::Broken,
        };
        let module = self.definitions.scopes[frame.scope].module;
        let role = match module {
            Some(module) if !module.params.is_empty() => Role::Given,
            _ => Role::Constant,
        };
        Some(Local {
            binding,
            role,
            span,
            depth: 0,
        })
    }

    /// Every visible name of a value, for suggestions.
    pub fn visible(&self, scope: &Scope<'a>) -> Vec<&'a str> {
        let mut names: Vec<&'a str> = scope.locals().map(|(name, _)| name).collect();
        let frame = &self.frames[scope.frame.0];
        names.extend(frame.parameters.keys());
        names.extend(self.definitions.scopes[frame.scope].constant_ids.keys());
        names.extend(self.definitions.scopes[0].constant_ids.keys());
        names.extend(self.definitions.constructors.keys());
        names
    }
}
