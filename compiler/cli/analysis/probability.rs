//! `--probability FILE`: how likely each fault is.
//!
//! ```text
//! // a comment
//! worker1@shutdown = 0.001
//! @drop = 1e-4          // all faults of a kind
//! ```

use std::path::Path;

use crate::cli::Exit;
use crate::cli::files;
use crate::cli::shell::{Shell, describe};
use crate::diagnostic::did_you_mean;
use crate::report::analysis::Subject;

/// Reads the probability of every fault; what is wrong is said.
pub fn read(path: &Path, subject: &Subject<'_>, shell: &mut Shell) -> Result<Vec<f64>, Exit> {
    let name = files::display(path);
    let text = std::fs::read_to_string(path).map_err(|error| {
        let message = format!("cannot read `{name}`: {}", describe(&error));
        shell.complain(&message, Some(&name), None);
        Exit::BadInput
    })?;
    parse(&text, subject).map_err(|(line, what, hint)| {
        let place = line.map_or_else(|| name.clone(), |line| format!("{name}:{line}"));
        shell.complain(&format!("{place}: {what}"), Some(&name), Some(&hint));
        Exit::BadInput
    })
}

/// A line, what is wrong with it, and what to do.
type Wrong = (Option<usize>, String, String);

fn parse(text: &str, subject: &Subject<'_>) -> Result<Vec<f64>, Wrong> {
    let mut known: Vec<Option<f64>> = vec![None; subject.faults.len()];
    let names = || (0..subject.faults.len()).map(|fault| subject.fault(fault));
    for (index, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap_or_default();
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let at = Some(index + 1);
        let some = names().next().unwrap_or("name");
        let example = || format!("write a line such as `{some} = 0.001`");
        let Some((name, value)) = line.rsplit_once('=') else {
            return Err((at, "there is no `=`".to_owned(), example()));
        };
        let (name, value) = (name.trim(), value.trim());
        let number = value.parse().ok().filter(|p| (0.0..=1.0).contains(p));
        let Some(number) = number else {
            let what = format!("`{value}` is no probability");
            return Err((at, what, "write a number from 0 to 1".to_owned()));
        };
        let mut found = false;
        for (fault, known) in known.iter_mut().enumerate() {
            let full = subject.fault(fault);
            let kind = full.find('@').map_or(full, |at| &full[at..]);
            if full == name {
                *known = Some(number);
                found = true;
            } else if kind == name && name.starts_with('@') {
                // One that is named itself says more.
                known.get_or_insert(number);
                found = true;
            }
        }
        if !found {
            let hint = match did_you_mean(name, names()) {
                Some(near) => format!("write `{near}`"),
                None => format!("choose from {}", names().collect::<Vec<_>>().join(", ")),
            };
            return Err((at, format!("the model marks no fault `{name}`"), hint));
        }
    }
    let complete: Option<Vec<f64>> = known.iter().copied().collect();
    complete.ok_or_else(|| {
        let missing = known.iter().position(Option::is_none).unwrap_or(0);
        let name = subject.fault(missing);
        let what = format!("the fault `{name}` has no probability");
        (None, what, format!("add a line such as `{name} = 0.001`"))
    })
}
