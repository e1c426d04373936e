//! `@byzantine`: a process may send any message instead of what it means to send, or none.
//!
//! ```text
//! before   s0 --offer m--> (inside) --complete--> s1
//! after    ... and s0 --pick m', offer m'--> (inside), s0 --send nothing--> s1
//! ```
//!
//! It lies when its program sends, and to whom that sends. The traitors of L. Lamport, R. Shostak and M. Pease, "The Byzantine
//! Generals Problem", 1982, may do more: send at any time.

use super::send;
use crate::system::event::Word;
use crate::vocabulary::{FaultId, ProcessId};
use crate::weave::draft::{Draft, act, act_on};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, process: ProcessId) {
    let layout = draft.layout.clone();
    draft.alternative_of(process.0 as usize, |edge, to| {
        let Some((channel, message)) = send::sent(edge) else {
            return Vec::new();
        };
        let mut picks = edge.picks.clone();
        let wrong = layout.arbitrary_message(channel, &mut picks);
        let lies = act(
            "lies",
            [
                Word::Actor,
                Word::Plain("sends"),
                Word::Message(wrong.clone()),
                Word::Plain("instead of"),
                Word::Message(message.clone()),
                Word::Plain("on"),
                Word::Channel(channel),
            ],
        );
        let keeps = act_on(
            "withholds",
            [
                Word::Actor,
                Word::Plain("does not send"),
                Word::Message(message.clone()),
                Word::Plain("on"),
                Word::Channel(channel),
            ],
            channel,
            message,
            false,
        );
        vec![
            send::instead(edge, to, fault, lies, (channel, wrong, picks)),
            send::lost(edge, to, fault, keeps),
        ]
    });
}
