//! `--faults worker1@shutdown,req@drop`: which of the marked faults are woven.

use crate::diagnostic::did_you_mean;
use crate::program::{FaultTarget, Program};
use crate::vocabulary::FaultId;

/// Why a list of faults cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFault {
    /// What was asked for.
    pub asked: String,
    /// What was probably meant.
    pub meant: Option<String>,
    /// All faults there are.
    pub marked: Vec<String>,
}

/// The faults a list names. An array's name means all its elements, `worker@shutdown` those of
/// `worker[0]`, `worker[1]` and so on; a kind alone, `@drop`, all faults of that kind. Aliases mean the same
/// here as in a model.
///
/// # Errors
/// If an item names no marked fault.
pub fn select_faults<'a>(
    program: &Program,
    list: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<FaultId>, UnknownFault> {
    let names: Vec<String> = (0..program.faults.len() as u32)
        .map(|i| fault_name(program, FaultId(i)))
        .collect();
    let mut selected = Vec::new();
    for item in list
        .into_iter()
        .map(str::trim)
        .filter(|item| !item.is_empty())
    {
        let before = selected.len();
        for (index, name) in names.iter().enumerate() {
            let mut called = program.faults[index].kind.names().map(|kind| {
                let target = name.split('@').next().unwrap_or_default();
                format!("{target}@{kind}")
            });
            let is_meant = |name: String| {
                name == item || array_name(&name) == item || kind_name(&name) == item
            };
            if called.any(is_meant) {
                selected.push(FaultId(index as u32));
            }
        }
        if selected.len() == before {
            let meant = meant(item, &names);
            return Err(UnknownFault {
                asked: item.to_string(),
                meant,
                marked: names,
            });
        }
    }
    selected.sort();
    selected.dedup();
    Ok(selected)
}

/// The fault, or of a kind alone the kind, whose name is most alike.
fn meant(item: &str, names: &[String]) -> Option<String> {
    let alike = match item.starts_with('@') {
        true => did_you_mean(item, names.iter().map(|name| kind_name(name))),
        false => did_you_mean(item, names.iter().map(String::as_str)),
    };
    alike.map(str::to_string)
}

/// `worker1@shutdown`
pub(super) fn fault_name(program: &Program, id: FaultId) -> String {
    let fault = &program.faults[id.0 as usize];
    let target = match fault.target {
        FaultTarget::Process(p) => &program.processes[p.0 as usize].name,
        FaultTarget::Channel(c) => &program.channels[c.0 as usize].name,
    };
    format!("{target}@{}", fault.kind.name)
}

/// `@shutdown` of `worker1@shutdown`.
fn kind_name(name: &str) -> &str {
    name.find('@').map_or(name, |at| &name[at..])
}

/// `worker[1]@shutdown` without the index.
fn array_name(name: &str) -> String {
    match (name.rfind('['), name.find("]@")) {
        (Some(open), Some(close)) if open < close => {
            format!("{}{}", &name[..open], &name[close + 1..])
        }
        _ => name.to_string(),
    }
}
