//! The faults: one file each, and one table with a row for each. A fault adds edges; nothing else in the compiler
//! names it or has a case for it.

mod corrupt;
mod drop;
mod duplicate;
mod reorder;
mod restart;
mod shutdown;

use super::draft::Draft;
use crate::program::fault::{Alias, FaultKind, Happens, Marks, Takes};
use crate::program::{Fault, FaultTarget};
use crate::vocabulary::{ChannelId, FaultId, ProcessId};

/// All there is to know about a kind of fault: what the front end checks and what weaving adds.
struct Row {
    kind: FaultKind,
    weave: Weave,
}

/// What weaves a fault of a process, or of a channel.
enum Weave {
    Process(fn(&mut Draft, FaultId, ProcessId)),
    Channel(fn(&mut Draft, FaultId, ChannelId)),
}

/// The faults there are, in the order in which they are listed.
const TABLE: &[Row] = &[
    Row {
        kind: FaultKind {
            name: "shutdown",
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
            any_message: false,
        },
        weave: Weave::Process(shutdown::weave),
    },
    Row {
        kind: FaultKind {
            name: "restart",
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
            any_message: false,
        },
        weave: Weave::Process(restart::weave),
    },
    Row {
        kind: FaultKind {
            name: "drop",
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
            any_message: false,
        },
        weave: Weave::Channel(drop::weave),
    },
    Row {
        kind: FaultKind {
            name: "duplicate",
            aliases: &[],
            meant_by: &["dup", "double", "repeat", "copy", "replay"],
            marks: Marks::Channel,
            takes: Takes::Nothing,
            happens: Happens::AtReceives,
            includes: &[],
            any_message: false,
        },
        weave: Weave::Channel(duplicate::weave),
    },
    Row {
        kind: FaultKind {
            name: "reorder",
            aliases: &[],
            meant_by: &["shuffle", "swap", "overtake", "unordered"],
            marks: Marks::OrderedChannel,
            takes: Takes::Nothing,
            happens: Happens::AtReceives,
            includes: &[],
            any_message: false,
        },
        weave: Weave::Channel(reorder::weave),
    },
    Row {
        kind: FaultKind {
            name: "corrupt",
            aliases: &[],
            meant_by: &["garble", "mangle", "flip", "bitflip", "byzantine", "change"],
            marks: Marks::Channel,
            takes: Takes::Nothing,
            happens: Happens::AtSends,
            includes: &[],
            any_message: true,
        },
        weave: Weave::Channel(corrupt::weave),
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
    let row = TABLE.iter().find(|row| row.kind == *fault.kind);
    for target in &fault.targets {
        match (row.map(|row| &row.weave), *target) {
            (Some(Weave::Process(weave)), FaultTarget::Process(p)) => weave(draft, id, p),
            (Some(Weave::Channel(weave)), FaultTarget::Channel(c)) => weave(draft, id, c),
            (_, target) => unreachable!("@{} does not go with {target:?}", fault.kind.name),
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
            let process = matches!(row.weave, Weave::Process(_));
            assert_eq!(row.kind.marks.process(), process, "@{}", row.kind.name);
            for included in row.kind.includes {
                assert!(FAULTS.iter().any(|kind| kind.name == *included));
            }
        }
    }
}
