//! The files that ABC writes.

use crate::aiger::proof::{Cube, Proof};
use crate::aiger::walk::Frame;
use crate::aiger::write::Written;
use crate::verdict::Run;

/// What ABC has found out about a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Nothing bad can happen.
    Holds(Proof),
    /// A run on which something bad happens.
    Bad(Run),
    /// It does not know; why.
    Unknown(String),
}

/// The inputs of each step in a counterexample: a line for how the latches start, then one for each step. Nothing if that is not what it
/// is.
pub fn frames(text: &str, written: &Written, inputs: usize) -> Option<Vec<Frame>> {
    let (text, _) = text.split_once("# DONE")?;
    let mut lines = text.split('\n');
    let start = lines.next()?;
    if start.trim_end().len() != written.latches.len() || start.contains('1') {
        return None;
    }
    let frames: Option<Vec<Frame>> = lines
        .map(|line| {
            let bits = line.trim_end().as_bytes();
            if bits.len() != written.inputs.len() {
                return None;
            }
            let mut frame = vec![false; inputs];
            for (input, bit) in written.inputs.iter().zip(bits) {
                frame[*input] = match bit {
                    b'0' => false,
                    b'1' => true,
                    _ => return None,
                };
            }
            Some(frame)
        })
        .collect();
    frames.filter(|frames| !frames.is_empty())
}

/// The conditions of an invariant, each as what is never all so at once: latches by their numbers in the model. Nothing if that is not what
/// it is.
pub fn proof(text: &str, written: &Written) -> Option<Vec<Cube>> {
    let mut names: Option<Vec<usize>> = None;
    let mut count = 0;
    let mut announced = None;
    let mut ended = false;
    let mut cubes = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            _ if line.is_empty() || line.starts_with('#') => {}
            ".i" => count = rest.trim().parse().ok()?,
            ".p" => announced = Some(rest.trim().parse::<usize>().ok()?),
            ".o" if rest.trim() == "1" => {}
            ".ob" => {}
            ".ilb" => {
                let latches = rest.split_whitespace().map(|name| {
                    let number: usize = name.strip_prefix("lo")?.parse().ok()?;
                    written.latches.get(number).copied()
                });
                names = Some(latches.collect::<Option<Vec<usize>>>()?);
            }
            ".e" => ended = true,
            _ if ended => return None,
            bits => {
                let names = names.as_ref().filter(|names| names.len() == count)?;
                if rest.trim() != "1" || bits.len() != count {
                    return None;
                }
                let mut cube = Cube::new();
                for (latch, bit) in names.iter().zip(bits.bytes()) {
                    match bit {
                        b'0' => cube.push((*latch, false)),
                        b'1' => cube.push((*latch, true)),
                        b'-' => {}
                        _ => return None,
                    }
                }
                // All latches start with 0.
                if !cube.iter().any(|(_, value)| *value) {
                    return None;
                }
                cubes.push(cube);
            }
        }
    }
    let sound = ended && announced == Some(cubes.len());
    sound.then_some(cubes)
}
