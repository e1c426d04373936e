//! The faults: one file each, and one table with a row for each. A fault adds edges; nothing else in the compiler
//! names it or has a case for it. (`anytime`, `send` and `write` are what several have in common; `own` weaves those that a model
//! defines.)
//!
//! To mark processes, channels and variables with faults, and to have every combination of them tried, is the idea of K. Suzuki
//! and T. Watanabe, "A Language Support for Exhaustive Fault-Injection in Message-Passing System Models", 2014.

mod anytime;
mod byzantine;
mod corrupt;
mod drop;
mod duplicate;
mod flip;
mod invert;
mod own;
mod partition;
mod random;
mod reorder;
mod replace;
mod restart;
mod scramble;
mod send;
mod shutdown;
mod stuck;
mod write;
mod wrong;

use super::draft::Draft;
use crate::graph::{Expr, constants};
use crate::program::fault::{AboutVariable, Alias, FaultKind, Happens, Manner, Marks, Takes};
use crate::program::{Fault, FaultTarget, FaultVariable, Type};
use crate::system::VarId;
use crate::vocabulary::{ChannelId, DetectorId, FaultId, ProcessId};

/// All there is to know about a kind of fault: what the front end checks and what weaving adds.
struct Row {
    kind: FaultKind,
    weave: Weave,
}

/// What weaves a fault of a process, of a channel, of a variable, or of a failure detector.
enum Weave {
    Process(fn(&mut Draft, FaultId, ProcessId)),
    Channel(fn(&mut Draft, FaultId, ChannelId)),
    Variable(fn(&mut Draft, FaultId, &Slot)),
    Detector(fn(&mut Draft, FaultId, DetectorId)),
}

/// What a fault of a variable happens to, and with which values.
struct Slot {
    process: ProcessId,
    /// The type of the variable, or of the part of it.
    ty: Type,
    /// Its scalars.
    scalars: Vec<VarId>,
    /// The values in the marker, each with its scalars.
    values: Vec<Vec<Expr>>,
    /// `at = v`
    at: Option<Vec<Expr>>,
}

/// What those may not expect who write `@reboot`.
const RESET: &str = "a restarted process begins again with all variables but the durable ones at their initial values";

/// The faults there are, in the order in which they are listed.
const TABLE: &[Row] =
    &[
        Row {
            kind: FaultKind::new("shutdown", Marks::Process, Happens::AtStatements)
                .does("it crashes before a statement, for ever")
                .meant_by(&[
                    "crash", "crashes", "crashed", "fail", "failure", "failstop", "stop", "kill",
                    "halt", "die",
                ])
                .aliases(&[Alias {
                    name: "unstable",
                    warning: None,
                }])
                .crashing(),
            weave: Weave::Process(shutdown::weave),
        },
        Row {
            kind: FaultKind::new("restart", Marks::Process, Happens::AtStatements)
                .does("it crashes before a statement or when it is done, and may start again with all variables but the durable ones as at the beginning")
                .meant_by(&[
                    "recover",
                    "recovers",
                    "recovery",
                    "crash_recovery",
                    "reset",
                    "amnesia",
                ])
                .aliases(&[Alias {
                    name: "reboot",
                    warning: Some(RESET),
                }])
                .takes(Takes::Losses)
                .includes(&["shutdown"])
                .crashing(),
            weave: Weave::Process(restart::weave),
        },
        Row {
            kind: FaultKind::new("drop", Marks::Channel, Happens::AtSends)
                .does("a send loses its message and goes on as if it had sent, also while the channel is busy or full")
                .meant_by(&[
                    "loss",
                    "lossy",
                    "lose",
                    "loses",
                    "lost",
                    "omit",
                    "omission",
                    "unreliable",
                ])
                .manner(Manner::REPLACES),
            weave: Weave::Channel(drop::weave),
        },
        Row {
            kind: FaultKind::new("duplicate", Marks::Channel, Happens::AtReceives)
                .does("a receive copies the message and leaves it there (buffered), or copies one that has been taken and whose sender has not gone on yet")
                .meant_by(&["dup", "double", "repeat", "copy", "replay"]),
            weave: Weave::Channel(duplicate::weave),
        },
        Row {
            kind: FaultKind::new("reorder", Marks::OrderedChannel, Happens::AtReceives)
                .does("a receive takes a message behind the first one")
                .meant_by(&["shuffle", "swap", "overtake", "unordered"]),
            weave: Weave::Channel(reorder::weave),
        },
        Row {
            kind: FaultKind::new("corrupt", Marks::Channel, Happens::AtSends)
                .does("a send stores any other message of the channel's type")
                .meant_by(&["garble", "mangle", "change"])
                .with_any_value()
                .manner(Manner::REPLACES),
            weave: Weave::Channel(corrupt::weave),
        },
        Row {
            kind: FaultKind::new("stuck", Marks::Process, Happens::AtWrites)
                .does("a write to the variable is lost; with `at = v` only while it is v")
                .meant_by(&["stuck_at", "freeze", "frozen", "stale"])
                .takes(Takes::Variable(AboutVariable {
                    at: true,
                    ..AboutVariable::WHOLE
                }))
                .manner(Manner::REPLACES),
            weave: Weave::Variable(stuck::weave),
        },
        Row {
            kind: FaultKind::new("invert", Marks::Process, Happens::AtWrites)
                .does("a write to the variable, a `bool` or `bit`, stores the opposite")
                .meant_by(&["negate", "opposite"])
                .takes(Takes::Variable(AboutVariable {
                    boolean: true,
                    ..AboutVariable::SINGLE
                }))
                .manner(Manner::REPLACES),
            weave: Weave::Variable(invert::weave),
        },
        Row {
            kind: FaultKind::new("replace", Marks::Process, Happens::AtWrites)
                .does("`(x, w)`: a write to x stores w; `(x, v, w)`: a write of v does")
                .meant_by(&["substitute", "override"])
                .takes(Takes::Variable(AboutVariable {
                    values: (1, 2),
                    ..AboutVariable::SINGLE
                }))
                .manner(Manner::REPLACES),
            weave: Weave::Variable(replace::weave),
        },
        Row {
            kind: FaultKind::new("random", Marks::Process, Happens::AtWrites)
                .does("a write to the variable stores any value of its type")
                .meant_by(&["arbitrary", "noise", "noisy"])
                .takes(Takes::Variable(AboutVariable::WHOLE))
                .with_any_value()
                .manner(Manner::REPLACES),
            weave: Weave::Variable(random::weave),
        },
        Row {
            kind: FaultKind::new("flip", Marks::Process, Happens::AtStatements)
                .does("the variable, a `bool` or `bit`, changes to its opposite at any time")
                .meant_by(&["bitflip", "upset", "toggle"])
                .takes(Takes::Variable(AboutVariable {
                    boolean: true,
                    ..AboutVariable::SINGLE
                })),
            weave: Weave::Variable(flip::weave),
        },
        Row {
            kind: FaultKind::new("scramble", Marks::Process, Happens::AtStatements)
                .does("the variable takes any other value of its type at any time")
                .meant_by(&["memory", "overwrite"])
                .takes(Takes::Variable(AboutVariable::WHOLE))
                .with_any_value(),
            weave: Weave::Variable(scramble::weave),
        },
        Row {
            kind: FaultKind::new("byzantine", Marks::Process, Happens::AtSends)
                .does("it sends any message of the channel's type instead of its own, or none")
                .meant_by(&["traitor", "malicious", "liar", "lie"])
                .with_any_value()
                .manner(Manner::REPLACES),
            weave: Weave::Process(byzantine::weave),
        },
        Row {
            kind: FaultKind::new("partition", Marks::Channel, Happens::AtSends)
                .does("while it lasts every message is lost; it begins at some moment, or never, and ends at some moment, or never")
                .meant_by(&["split", "cut", "disconnect", "outage"])
                .manner(Manner::LASTING),
            weave: Weave::Channel(partition::weave),
        },
        Row {
            kind: FaultKind::new("wrong", Marks::Detector, Happens::AtStatements)
                .does("it suspects a process that has not crashed, and then stops to").meant_by(&[
                "mistaken",
                "imperfect",
                "unsure",
                "suspicious",
            ]),
            weave: Weave::Detector(wrong::weave),
        },
    ];

/// The kinds of faults there are, for those who read or write markers.
pub static FAULTS: [&FaultKind; TABLE.len()] = {
    let mut kinds = [&TABLE[0].kind; TABLE.len()];
    let mut index = 0;
    while index < TABLE.len() {
        kinds[index] = &TABLE[index].kind;
        index += 1;
    }
    kinds
};

/// Weaves one fault.
pub(super) fn weave(draft: &mut Draft, id: FaultId, fault: &Fault) {
    if fault.kind.takes == Takes::Arguments {
        own::weave(draft, id);
        return;
    }
    let row = TABLE.iter().find(|row| row.kind == *fault.kind);
    for (index, target) in fault.targets.iter().enumerate() {
        match (row.map(|row| &row.weave), *target) {
            (Some(Weave::Variable(weave)), FaultTarget::Process(process)) => {
                let slot = Slot {
                    values: fault.values.iter().map(constants).collect(),
                    at: fault.at.as_ref().map(constants),
                    ..Slot::of(draft, process, &fault.variables[index])
                };
                weave(draft, id, &slot);
            }
            (Some(Weave::Process(weave)), FaultTarget::Process(p)) => weave(draft, id, p),
            (Some(Weave::Channel(weave)), FaultTarget::Channel(c)) => weave(draft, id, c),
            (Some(Weave::Detector(weave)), FaultTarget::Detector(d)) => weave(draft, id, d),
            (_, target) => unreachable!("@{} does not go with {target:?}", fault.kind.name),
        }
    }
}

impl Slot {
    /// What a fault of a variable happens to, without values.
    fn of(draft: &Draft, process: ProcessId, variable: &FaultVariable) -> Slot {
        let (scalars, ty) = draft.layout.part(variable);
        Slot {
            process,
            ty: ty.clone(),
            scalars: scalars.to_vec(),
            values: Vec::new(),
            at: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_weave_what_they_mark_and_names_are_unique() {
        let mut names: Vec<&str> = Vec::new();
        for kind in FAULTS {
            names.extend(kind.names().chain(kind.meant_by.iter().copied()));
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for row in TABLE {
            let process = matches!(row.weave, Weave::Process(_) | Weave::Variable(_));
            assert_eq!(row.kind.marks.process(), process, "@{}", row.kind.name);
            for included in row.kind.includes {
                assert!(FAULTS.iter().any(|kind| kind.name == *included));
            }
        }
    }
}
