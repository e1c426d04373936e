//! Some bytes from one process to another, as timely sees them.

use std::io::Write;

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

/// Bytes on their way.
#[derive(Clone, Default, Debug)]
pub struct Parcel {
    /// Who has sent them.
    pub from: usize,
    /// Who is to get them.
    pub to: usize,
    /// The bytes, at least one; none if this is no parcel.
    pub bytes: Vec<u8>,
}

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        i64::from(!self.bytes.is_empty())
    }
}

/// Sender and length come first, then the bytes, filled up to a multiple of eight.
const HEAD: usize = 16;

impl ContainerBytes for Parcel {
    fn from_bytes(bytes: Bytes) -> Parcel {
        let number = |at: usize| {
            let part = bytes.get(at..at + 8).and_then(|part| part.try_into().ok());
            u64::from_le_bytes(part.unwrap_or_default()) as usize
        };
        let content = bytes.get(HEAD..HEAD.saturating_add(number(8)));
        Parcel {
            from: number(0),
            to: 0,
            bytes: content.unwrap_or_default().to_vec(),
        }
    }

    fn length_in_bytes(&self) -> usize {
        HEAD + self.bytes.len().next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let fill = self.bytes.len().next_multiple_of(8) - self.bytes.len();
        let parts = [
            &(self.from as u64).to_le_bytes(),
            &(self.bytes.len() as u64).to_le_bytes(),
            self.bytes.as_slice(),
            &[0; 8][..fill],
        ];
        for part in parts {
            // The room was reserved.
            let _ = writer.write_all(part);
        }
    }
}

/// Hands each parcel to its receiver at once.
pub struct Post;

impl Distributor<Parcel> for Post {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        time: &T,
        to: &mut [P],
    ) {
        if let Some(receiver) = to.get_mut(parcel.to) {
            Message::push_at(parcel, time.clone(), receiver);
        }
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &T, _: &mut [P]) {}
}
