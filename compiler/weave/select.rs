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
        for (index, fault) in program.faults.iter().enumerate() {
            let marked = program.marked_names(fault);
            let marked = marked.iter().filter_map(|name| name.split_once('@'));
            let called = marked.flat_map(|(entry, marker)| {
                let arguments = marker.find('(').map_or("", |open| &marker[open..]);
                let names = fault.kind.names();
                names.map(move |kind| format!("{entry}@{kind}{arguments}"))
            });
            let is_meant = |name: &str| {
                let plain = name.split('(').next().unwrap_or_default();
                name == item
                    || plain == item
                    || array_name(name) == item
                    || array_name(plain) == item
                    || kind_name(plain) == item
            };
            let named = fault.name == item || name_of_array(&fault.name) == item;
            if named || called.into_iter().any(|name| is_meant(&name)) {
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

/// Splits a list at its commas, but for those in the parentheses of a marker.
pub fn split_faults(list: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth) = (Vec::new(), 0, 0u32);
    for (place, character) in list.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
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
