//! `--faults worker1@shutdown,req@drop`: which of the marked faults are woven.

use crate::diagnostic::did_you_mean;
use crate::program::Program;
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

/// The faults a list names: each by its name after `as` or by its entry and marker. An array's name means all its elements,
/// `worker@shutdown` those of `worker[0]`, `worker[1]` and so on; a marker without its arguments, whatever they are; a kind
/// alone, `@drop`, all faults of that kind. Aliases mean the same here as in a model.
///
/// # Errors
/// If an item names no marked fault.
pub fn select_faults<'a>(
    program: &Program,
    list: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<FaultId>, UnknownFault> {
    let names: Vec<String> = program.faults.iter().map(|f| f.name.clone()).collect();
    let mut selected = Vec::new();
    for item in list
        .into_iter()
        .map(str::trim)
        .filter(|item| !item.is_empty())
    {
        let before = selected.len();
        let (marked, arguments) = arguments(item);
        for (index, fault) in program.faults.iter().enumerate() {
            let entries = fault.targets.iter().map(|t| program.entry_name(*t));
            let mut called = entries.flat_map(|entry| {
                let names = fault.kind.names();
                names.map(move |kind| format!("{entry}@{kind}"))
            });
            let is_meant = |name: String| {
                name == marked || array_name(&name) == marked || kind_name(&name) == marked
            };
            let named = fault.name == item || name_of_array(&fault.name) == item;
            if named || (called.any(is_meant) && fault.takes_also(&arguments)) {
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

/// `worker@stuck` and `x` of `worker @stuck(x)`.
fn arguments(item: &str) -> (String, Vec<String>) {
    let open = item.find('(').filter(|_| item.ends_with(')'));
    let (marked, arguments) = match open {
        Some(open) => (&item[..open], split_faults(&item[open + 1..item.len() - 1])),
        None => (item, Vec::new()),
    };
    let arguments = arguments.into_iter().map(|one| one.trim().to_owned());
    (marked.split_whitespace().collect(), arguments.collect())
}

/// Splits a list at its commas, but for those in the parentheses of a marker, and in what stands there.
pub fn split_faults(list: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth) = (Vec::new(), 0, 0u32);
    for (place, character) in list.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                items.push(&list[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    items.push(&list[start..]);
    items
}

/// `lost[1]` without the index.
fn name_of_array(name: &str) -> &str {
    match name
        .strip_suffix(']')
        .and_then(|name| name.rsplit_once('['))
    {
        Some((array, _)) => array,
        None => name,
    }
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
