//! `@partition`: while it lasts every message is lost. It is `@drop` with a time of its own.
//!
//! ```text
//! before   s0 --offer--> (inside) --complete--> s1
//! after    s0 --the network is whole, offer--> (inside) .., s0 --it is split, lose--> s1
//! ```

use crate::vocabulary::{ChannelId, FaultId};
use crate::weave::draft::Draft;

pub(super) fn weave(draft: &mut Draft, fault: FaultId, channel: ChannelId) {
    super::drop::weave(draft, fault, channel);
}
