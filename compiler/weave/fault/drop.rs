//! `@drop`: a send may skip.
//!
//! ```text
//! before   s0 --offer--> (inside) --complete--> s1
//! after    ... and s0 --drop--> s1
//! ```
//!
//! No guard of the channel: a message can be lost while the channel is busy or full. A drop evaluates
//! nothing, so it makes no check; a dropped `timeout_send` or `nonblock_send` yields true.

use super::send;
use crate::system::event::Word;
use crate::vocabulary::{ChannelId, FaultId};
use crate::weave::channel::sends_on;
use crate::weave::draft::{Draft, act_on};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, channel: ChannelId) {
    draft.alternative(|edge, to| {
        let Some(message) = sends_on(edge, channel) else {
            return Vec::new();
        };
        let drops = act_on(
            "drops",
            [
                Word::Channel(channel),
                Word::Plain("drops"),
                Word::Message(message.clone()),
            ],
            channel,
            message,
            false,
        );
        vec![send::lost(edge, to, fault, drops)]
    });
}
