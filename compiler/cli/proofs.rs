//! A model's safety properties as AIGER.

use super::Exit;
use super::shell::Shell;
use crate::aiger;
use crate::aiger::{Kind, Named, Owner, Section};
use crate::system::System;

/// The file, with names for everything in it. A System without safety properties has none.
pub fn aiger(system: &System, kind: Kind, shell: &mut Shell) -> Result<Vec<u8>, Exit> {
    let all: Vec<usize> = (0..system.properties.len()).collect();
    let model = aiger::model(system, &all, &|| false).map_err(|_| {
        let message = "the model is too large to be written as bits";
        let hint = "give its constants smaller values with `-D`";
        shell.complain(message, None, Some(hint));
        Exit::Undecided
    })?;
    let names = |named: Named| match named {
        Named::Input(_) => None,
        Named::Latch(latch) => {
            let latch = &model.latches[latch];
            let name = match latch.of {
                Owner::Var(var) => system.var_name(var),
                Owner::Location(process) => format!("{} at", system.process(process).name),
                Owner::Started => return Some("started".to_owned()),
            };
            let sign = if latch.flipped { "!" } else { "" };
            Some(format!("{sign}{name}:{}", latch.bit))
        }
        Named::Property(property) => Some(system.properties[property].name.clone()),
    };
    let written = model.write(&model.bad, kind, Section::Bad, Some(&names));
    Ok(written.bytes)
}
