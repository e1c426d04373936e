//! Other programs: how one is found, how it is run within limits, and that nothing of it outlives us.
//!
//! What they are asked and what they answer is others' business; this is the only code that starts them.

mod child;
mod error;
mod find;
mod workplace;

pub use child::{End, Ended, Limits, outcome, run};
pub use error::Error;
pub use find::{Introduction, Wanted, find, introduce, look_up};
pub use workplace::{Workplace, abandon_all};

use std::fs;
use std::path::Path;

/// No answer that is read from a file is longer, in bytes.
const LONGEST: u64 = 256 << 20;

/// What a program has written to a file, if there is one. Anything else in its place is not touched: a pipe would never end.
///
/// # Errors
/// If it cannot be read, or is too long.
pub fn written(folder: &Path, name: &str) -> Result<Option<String>, Error> {
    let path = folder.join(name);
    let Some(file) = fs::symlink_metadata(&path).ok().filter(|f| f.is_file()) else {
        return Ok(None);
    };
    if file.len() > LONGEST {
        let size = LONGEST >> 20;
        return Err(Error::Nonsense(format!(
            "an answer of more than {size} MiB"
        )));
    }
    let bytes = fs::read(&path).map_err(|e| Error::Io(e.to_string()))?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
