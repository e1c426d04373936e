//! `@corrupt`: a send may store any other message of the channel's type.
//!
//! ```text
//! before   s0 --offer m--> (inside) --complete--> s1
//! after    ... and s0 --pick m' != m, offer m'--> (inside)
//! ```

use super::send;
use crate::graph::Expr;
use crate::system::Op;
use crate::system::event::Word;
use crate::vocabulary::{ChannelId, FaultId};
use crate::weave::channel::sends_on;
use crate::weave::draft::{Draft, act};

pub(super) fn weave(draft: &mut Draft, fault: FaultId, channel: ChannelId) {
    let layout = draft.layout.clone();
    draft.alternative(|edge, to| {
        let Some(message) = sends_on(edge, channel) else {
            return Vec::new();
        };
        let mut picks = edge.picks.clone();
        let wrong = layout.arbitrary_message(channel, &mut picks);
        let differs = Expr::or(
            message
                .iter()
                .zip(&wrong)
                .map(|(m, w)| Expr::binary(Op::Ne, w.clone(), m.clone())),
        );
        let corrupts = act(
            "corrupts",
            [
                Word::Channel(channel),
                Word::Plain("turns"),
                Word::Message(message.clone()),
                Word::Plain("from"),
                Word::Actor,
                Word::Plain("into"),
                Word::Message(wrong.clone()),
            ],
        );
        let mut other = send::instead(edge, to, fault, corrupts, (channel, wrong, picks));
        other.edge.guard = Expr::and([other.edge.guard.clone(), differs]);
        vec![other]
    });
}
