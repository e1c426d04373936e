//! Commands that have no limits of their own: they, too, end soon when somebody wants them to, and before they take all memory
//! that there is.

use super::check::watch::{Limit, Watch};
use super::shell::Shell;
use super::{Exit, interrupt};

/// Does the work of such a command.
pub fn guarded(shell: &mut Shell, work: impl FnOnce(&mut Shell) -> Exit) -> Exit {
    let watch = Watch::within(None, None);
    let mut other = shell.clone();
    let too_late = |limit: Limit| {
        let hint = (limit == Limit::Memory).then_some("make the model smaller");
        other.complain(limit.as_str(), None, hint);
        Exit::Undecided
    };
    interrupt::or(watch.over(too_late, || work(shell)))
}
