//! Goes through the models that are asked for, size by size.

use crate::competitor::{Competitor, Field};
use crate::family::{FAMILIES, Family, Instance, Variant};
use crate::table::{self, Row};

/// Measures all competitors on a model that grows from a size to another, each until it hits a limit.
///
/// # Errors
/// If two disagree, or one fails.
pub fn grow(
    field: &mut Field,
    competitors: &[Competitor],
    (first, last, step): (u32, u32, u32),
    family: &'static Family,
    variant: &'static Variant,
) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = Vec::new();
    let mut running: Vec<&Competitor> = competitors.iter().collect();
    for size in (first..=last).step_by(step as usize) {
        let instance = Instance {
            family,
            variant,
            size,
        };
        let mut answer = None;
        let mut still = Vec::new();
        for who in running {
            let measured = field.measure(who, instance)?;
            let row = Row {
                instance,
                who: who.clone(),
                measured,
            };
            println!("{}", table::text(&row));
            let found = row.measured.answer;
            if !found.is_over() {
                still.push(who);
                if *answer.get_or_insert(found) != found {
                    return Err(format!(
                        "{} disagrees about {}",
                        who.name,
                        table::name(instance)
                    ));
                }
            }
            rows.push(row);
        }
        running = still;
        if running.is_empty() {
            break;
        }
    }
    Ok(rows)
}

/// The variants that are asked for: all, or those named `two_phase` or `two_phase/drop`.
///
/// # Errors
/// If there is none of that name.
pub fn families(names: &[String]) -> Result<Vec<(&'static Family, &'static Variant)>, String> {
    let all = FAMILIES
        .iter()
        .flat_map(|family| family.variants.iter().map(move |variant| (family, variant)));
    let matches = |name: &str, family: &Family, variant: &Variant| match name.split_once('/') {
        Some((first, second)) => family.name == first && variant.name == second,
        None => family.name == name,
    };
    for name in names {
        if !all.clone().any(|(f, v)| matches(name, f, v)) {
            let known: Vec<String> = all.map(|(f, v)| format!("{}/{}", f.name, v.name)).collect();
            return Err(format!(
                "no family `{name}`; choose from {}",
                known.join(", ")
            ));
        }
    }
    Ok(all
        .filter(|(f, v)| names.is_empty() || names.iter().any(|name| matches(name, f, v)))
        .collect())
}

/// The competitors that are asked for: all, or those named `spin` or `spin*`.
///
/// # Errors
/// If there is none of that name.
pub fn competitors(all: Vec<Competitor>, names: &[String]) -> Result<Vec<Competitor>, String> {
    let matches = |name: &str, who: &Competitor| match name.strip_suffix('*') {
        Some(beginning) => who.name.starts_with(beginning),
        None => who.name == name,
    };
    for name in names {
        if !all.iter().any(|who| matches(name, who)) {
            let known: Vec<&str> = all.iter().map(|who| who.name.as_str()).collect();
            return Err(format!(
                "no competitor `{name}`; choose from {}",
                known.join(", ")
            ));
        }
    }
    Ok(all
        .into_iter()
        .filter(|who| names.is_empty() || names.iter().any(|name| matches(name, who)))
        .collect())
}
