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

use std::borrow::Cow;

use super::draft::Draft;
use crate::graph::Expr;
use crate::program::fault::{AboutVariable, Alias, FaultKind, Happens, Manner, Marks, Takes};
use crate::program::{Fault, FaultTarget, FaultVariable, Value};
use crate::system::{Scalar, VarId};
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
    /// The scalars of the variable, or of the element of it.
    scalars: Vec<VarId>,
    /// The values in the marker.
    values: Vec<Expr>,
    /// `at = v`
    at: Option<Expr>,
}

/// The faults there are, in the order in which they are listed.
const TABLE: &[Row] = &[
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("shutdown"),
            aliases: &[Alias {
                name: "unstable",
                warning: None,
            }],
            meant_by: &[
                "crash", "crashes", "crashed", "fail", "failure", "failstop", "stop", "kill",
                "halt", "die",
            ],
            marks: Marks::Process,
            takes: Takes::Nothing,
            happens: Happens::AtStatements,
            includes: &[],
            any_value: false,
            crashes: true,
            manner: Manner::SOMETIMES,
        },
        weave: Weave::Process(shutdown::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("restart"),
            aliases: &[Alias {
                name: "reboot",
                warning: Some(
                    "a restarted process begins again with all variables but the durable ones at their initial values",
                ),
            }],
            meant_by: &[
                "recover",
                "recovers",
                "recovery",
                "crash_recovery",
                "reset",
                "amnesia",
            ],
            marks: Marks::Process,
            takes: Takes::Losses,
            happens: Happens::AtStatements,
            includes: &["shutdown"],
            any_value: false,
            crashes: true,
            manner: Manner::SOMETIMES,
        },
        weave: Weave::Process(restart::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("drop"),
            aliases: &[],
            meant_by: &[
                "loss",
                "lossy",
                "lose",
                "loses",
                "lost",
                "omit",
                "omission",
                "unreliable",
            ],
            marks: Marks::Channel,
            takes: Takes::Nothing,
            happens: Happens::AtSends,
            includes: &[],
            any_value: false,
            crashes: false,
            manner: Manner::REPLACES,
        },
        weave: Weave::Channel(drop::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("duplicate"),
            aliases: &[],
            meant_by: &["dup", "double", "repeat", "copy", "replay"],
            marks: Marks::Channel,
            takes: Takes::Nothing,
            happens: Happens::AtReceives,
            includes: &[],
            any_value: false,
            crashes: false,
            manner: Manner::SOMETIMES,
        },
        weave: Weave::Channel(duplicate::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("reorder"),
            aliases: &[],
            meant_by: &["shuffle", "swap", "overtake", "unordered"],
            marks: Marks::OrderedChannel,
            takes: Takes::Nothing,
            happens: Happens::AtReceives,
            includes: &[],
            any_value: false,
            crashes: false,
            manner: Manner::SOMETIMES,
        },
        weave: Weave::Channel(reorder::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("corrupt"),
            aliases: &[],
            meant_by: &["garble", "mangle", "change"],
            marks: Marks::Channel,
            takes: Takes::Nothing,
            happens: Happens::AtSends,
            includes: &[],
            any_value: true,
            crashes: false,
            manner: Manner::REPLACES,
        },
        weave: Weave::Channel(corrupt::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("stuck"),
            aliases: &[],
            meant_by: &["stuck_at", "freeze", "frozen", "stale"],
            marks: Marks::Process,
            takes: Takes::Variable(AboutVariable {
                boolean: false,
                single: false,
                values: (0, 0),
                at: true,
            }),
            happens: Happens::AtWrites,
            includes: &[],
            any_value: false,
            crashes: false,
            manner: Manner::REPLACES,
        },
        weave: Weave::Variable(stuck::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("invert"),
            aliases: &[],
            meant_by: &["negate", "opposite"],
            marks: Marks::Process,
            takes: Takes::Variable(AboutVariable {
                boolean: true,
                single: true,
                values: (0, 0),
                at: false,
            }),
            happens: Happens::AtWrites,
            includes: &[],
            any_value: false,
            crashes: false,
            manner: Manner::REPLACES,
        },
        weave: Weave::Variable(invert::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("replace"),
            aliases: &[],
            meant_by: &["substitute", "override"],
            marks: Marks::Process,
            takes: Takes::Variable(AboutVariable {
                boolean: false,
                single: true,
                values: (1, 2),
                at: false,
            }),
            happens: Happens::AtWrites,
            includes: &[],
            any_value: false,
            crashes: false,
            manner: Manner::REPLACES,
        },
        weave: Weave::Variable(replace::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("random"),
            aliases: &[],
            meant_by: &["arbitrary", "noise", "noisy"],
            marks: Marks::Process,
            takes: Takes::Variable(AboutVariable {
                boolean: false,
                single: false,
                values: (0, 0),
                at: false,
            }),
            happens: Happens::AtWrites,
            includes: &[],
            any_value: true,
            crashes: false,
            manner: Manner::REPLACES,
        },
        weave: Weave::Variable(random::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("flip"),
            aliases: &[],
            meant_by: &["bitflip", "upset", "toggle"],
            marks: Marks::Process,
            takes: Takes::Variable(AboutVariable {
                boolean: true,
                single: true,
                values: (0, 0),
                at: false,
            }),
            happens: Happens::AtStatements,
            includes: &[],
            any_value: false,
            crashes: false,
            manner: Manner::SOMETIMES,
        },
        weave: Weave::Variable(flip::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("scramble"),
            aliases: &[],
            meant_by: &["memory", "overwrite"],
            marks: Marks::Process,
            takes: Takes::Variable(AboutVariable {
                boolean: false,
                single: false,
                values: (0, 0),
                at: false,
            }),
            happens: Happens::AtStatements,
            includes: &[],
            any_value: true,
            crashes: false,
            manner: Manner::SOMETIMES,
        },
        weave: Weave::Variable(scramble::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("byzantine"),
            aliases: &[],
            meant_by: &["traitor", "malicious", "liar", "lie"],
            marks: Marks::Process,
            takes: Takes::Nothing,
            happens: Happens::AtSends,
            includes: &[],
            any_value: true,
            crashes: false,
            manner: Manner::REPLACES,
        },
        weave: Weave::Process(byzantine::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("partition"),
            aliases: &[],
            meant_by: &["split", "cut", "disconnect", "outage"],
            marks: Marks::Channel,
            takes: Takes::Nothing,
            happens: Happens::AtSends,
            includes: &[],
            any_value: false,
            crashes: false,
            manner: Manner::LASTING,
        },
        weave: Weave::Channel(partition::weave),
    },
    Row {
        kind: FaultKind {
            name: Cow::Borrowed("wrong"),
            aliases: &[],
            meant_by: &["mistaken", "imperfect", "unsure", "suspicious"],
            marks: Marks::Detector,
            takes: Takes::Nothing,
            happens: Happens::AtStatements,
            includes: &[],
            any_value: false,
            crashes: false,
            manner: Manner::SOMETIMES,
        },
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
                let slot = slot(draft, process, fault, &fault.variables[index]);
                weave(draft, id, &slot);
            }
            (Some(Weave::Process(weave)), FaultTarget::Process(p)) => weave(draft, id, p),
            (Some(Weave::Channel(weave)), FaultTarget::Channel(c)) => weave(draft, id, c),
            (Some(Weave::Detector(weave)), FaultTarget::Detector(d)) => weave(draft, id, d),
            (_, target) => unreachable!("@{} does not go with {target:?}", fault.kind.name),
        }
    }
}

/// What a fault of a variable happens to.
fn slot(draft: &Draft, process: ProcessId, fault: &Fault, variable: &FaultVariable) -> Slot {
    let scalar = |value: &Value| match value {
        Value::Bool(b) => Expr::bool(*b),
        Value::Int(i) => Expr::int(*i),
        Value::Data(data, index) => Expr::Const(Scalar::Data(*data, *index)),
        _ => unreachable!("values of markers are single ones"),
    };
    Slot {
        process,
        scalars: draft
            .layout
            .element(variable.variable, &variable.indices)
            .to_vec(),
        values: fault.values.iter().map(scalar).collect(),
        at: fault.at.as_ref().map(scalar),
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
