//! How likely each fault is: `p = 0.001` in its marker, or a line of `--probability FILE`, which says more.
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
use crate::program::Program;
use crate::report::analysis::Subject;
use crate::weave;

/// What the markers say about the probability of every fault; nothing if they say nothing, or not about all.
pub fn marked(subject: &Subject<'_>, program: &Program, shell: &mut Shell) -> Option<Vec<f64>> {
    let known = in_markers(subject, program);
    let missing = known.iter().position(Option::is_none);
    if let Some(fault) = missing.filter(|_| known.iter().any(Option::is_some)) {
        shell.note(&format!(
            "there is no probability of the whole: the fault `{}` has none (`p = 0.001` in its marker)",
            subject.fault(fault)
        ));
    }
    known.into_iter().collect()
}

fn in_markers(subject: &Subject<'_>, program: &Program) -> Vec<Option<f64>> {
    let faults = subject.faults.iter();
    let written = faults.map(|id| program.faults[id.0 as usize].probability.as_ref());
    written.map(|text| text?.parse().ok()).collect()
}

/// Reads the probability of every fault; what is wrong is said.
pub fn read(
    path: &Path,
    subject: &Subject<'_>,
    program: &Program,
    shell: &mut Shell,
) -> Result<Vec<f64>, Exit> {
    let name = files::display(path);
    let text = std::fs::read_to_string(path).map_err(|error| {
        let message = format!("cannot read `{name}`: {}", describe(&error));
        shell.complain(&message, Some(&name), None);
        Exit::BadInput
    })?;
    parse(&text, subject, program).map_err(|(line, what, hint)| {
        let place = line.map_or_else(|| name.clone(), |line| format!("{name}:{line}"));
        shell.complain(&format!("{place}: {what}"), Some(&name), Some(&hint));
        Exit::BadInput
    })
}

/// A line, what is wrong with it, and what to do.
type Wrong = (Option<usize>, String, String);

fn parse(text: &str, subject: &Subject<'_>, program: &Program) -> Result<Vec<f64>, Wrong> {
    let none = || vec![None; subject.faults.len()];
    // A fault that is named itself, one of a kind or an array that is, and one of which only its marker tells.
    let (mut own, mut wider): (Vec<Option<f64>>, Vec<Option<f64>>) = (none(), none());
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
        let Ok(meant) = weave::select_faults(program, [name]) else {
            let hint = match did_you_mean(name, names()) {
                Some(near) => format!("write `{near}`"),
                None => format!("choose from {}", names().collect::<Vec<_>>().join(", ")),
            };
            return Err((at, format!("the model marks no fault `{name}`"), hint));
        };
        for (position, id) in subject.faults.iter().enumerate() {
            let fault = &program.faults[id.0 as usize];
            let itself = fault.name == name || program.marked_names(fault) == [name];
            match meant.contains(id) {
                true if itself => own[position] = Some(number),
                true => wider[position] = Some(number),
                false => {}
            }
        }
    }
    let marked = in_markers(subject, program);
    let known = own.into_iter().zip(wider).zip(marked);
    let known: Vec<Option<f64>> = known.map(|((own, wider), m)| own.or(wider).or(m)).collect();
    let complete: Option<Vec<f64>> = known.iter().copied().collect();
    complete.ok_or_else(|| {
        let missing = known.iter().position(Option::is_none).unwrap_or(0);
        let name = subject.fault(missing);
        let what = format!("the fault `{name}` has no probability");
        (None, what, format!("add a line such as `{name} = 0.001`"))
    })
}
