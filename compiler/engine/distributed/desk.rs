//! What a process does while a level is built: it expands states, sends successors to their owners, and takes in what comes.

use serde::{Deserialize, Serialize};

use super::mesh::{Broken, Mesh};
use super::owner;
use crate::engine::code::Scratch;
use crate::engine::expand::{BATCH, POLL, Standing, note_expanded, note_new};
use crate::engine::model::{CompiledSystem, EdgeCode, Select};
use crate::engine::recent::Recent;
use crate::engine::safety::Question;
use crate::engine::shortcuts::{ShortcutScratch, Shortcuts};
use crate::engine::space::Exhausted;
use crate::engine::store::{Batch, Store, hash};

/// States for another process are sent when they are so many bytes.
pub const PARCEL: usize = 1 << 15;

/// Why somebody could not go on.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub enum Reason {
    /// Too many states.
    States,
    /// Too little memory.
    Memory,
    /// Somebody said so.
    Stopped,
}

/// What a process works with while a level is built.
pub struct Desk<'d, const W: usize> {
    /// The System.
    pub model: &'d CompiledSystem,
    /// The states that are its own.
    pub store: &'d mut Store<W>,
    /// What it has lately come across.
    pub recent: &'d mut Recent<W>,
    /// What is asked.
    pub questions: &'d [Question],
    /// The others.
    pub mesh: &'d mut dyn Mesh,
    /// Asked whether to go on.
    pub go_on: &'d mut dyn FnMut(Standing) -> bool,
    /// Room for running code.
    pub scratch: Scratch,
    /// For each question, whether its goal was met.
    pub met: Vec<bool>,
    /// States that are to be looked up here.
    pub batch: Batch<W>,
    /// States for each other process.
    pub out: Vec<Vec<u8>>,
    /// How many states others have.
    pub others: u64,
    /// How many states had been found here before.
    pub begun: u64,
    /// How many are to be expanded.
    pub left: u64,
    /// How many have been taken.
    pub transitions: u64,
    /// How much has been done.
    pub work: u64,
    /// Why it cannot go on.
    pub ended: Option<Reason>,
}

impl<const W: usize> Desk<'_, W> {
    /// Whether this process has nothing more to do in this level.
    pub fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    /// Finds the successors of a state.
    pub fn expand(
        &mut self,
        number: u32,
        select: Select,
        shortcuts: &Shortcuts,
        scratch: &mut Scratch,
        room: &mut ShortcutScratch<W>,
    ) -> Result<(), Broken> {
        let words = self.store.load(number);
        let model = self.model;
        let (mut forced, mut failed, mut count) = (false, 0, 0);
        let mut sent = Ok(());
        let each = |edge: &EdgeCode, _: u32, next: [u64; W]| {
            forced |= edge.forced;
            failed |= edge.fails;
            count += 1;
            let hash = hash(&next);
            if !self.recent.has(&next, hash) {
                sent = self.deliver(next, hash);
            }
            self.work += 1;
            // Very many successors of one state must not pile up.
            if self.work.is_multiple_of(POLL) && sent.is_ok() {
                sent = self.poll();
            }
            sent.is_ok() && !self.is_over()
        };
        match select {
            Select::Shortcuts | Select::ShortcutSteps | Select::ShortcutFaults => {
                shortcuts.successors(model, &words, select, scratch, room, each);
            }
            Select::Steps | Select::Faults => model.successors(&words, select, scratch, each),
        }
        sent?;
        self.transitions += count;
        // Of a state that is not expanded to the end nobody knows whether it can be left.
        if !self.is_over() {
            let Desk { met, scratch, .. } = self;
            let (at, found) = ((&words, select), (forced, failed));
            note_expanded(model, self.questions, met, scratch, at, found);
        }
        Ok(())
    }

    /// Gives a state to its owner.
    fn deliver(&mut self, words: [u64; W], hash: u64) -> Result<(), Broken> {
        let to = owner(hash, self.out.len());
        if to == self.mesh.index() {
            self.batch.push_hashed(words, hash);
            if self.batch.len() >= BATCH {
                self.look_up();
            }
            return Ok(());
        }
        pack(&mut self.out[to], &words, self.model.layout.bytes);
        match self.out[to].len() >= PARCEL {
            true => {
                let room = Vec::with_capacity(PARCEL + self.model.layout.bytes);
                let parcel = std::mem::replace(&mut self.out[to], room);
                self.mesh.send(to, parcel)
            }
            false => Ok(()),
        }
    }

    /// Looks up the states of the batch, and looks at the new ones.
    fn look_up(&mut self) {
        let Desk {
            model,
            questions,
            met,
            scratch,
            ..
        } = self;
        if self.ended.is_none() {
            let added = self.store.add_all(&mut self.batch, |_, words| {
                note_new(model, questions, met, scratch, words);
            });
            self.ended = added.err().map(Reason::from);
        }
        self.batch.clear();
    }

    /// Takes in what has come, and asks whether to go on.
    fn poll(&mut self) -> Result<(), Broken> {
        while let Some((_, parcel)) = self.mesh.receive()? {
            for words in unpack(&parcel, self.model.layout.bytes) {
                self.batch.push_hashed(words, hash(&words));
                if self.batch.len() >= BATCH {
                    self.look_up();
                }
            }
        }
        if self.mesh.is_halted() {
            self.ended = self.ended.or(Some(Reason::Stopped));
        }
        if self.ended.is_none() {
            let states = self.store.len() as u64;
            let standing = Standing {
                states: states + self.others,
                queue: states - self.begun + self.left,
                transitions: self.transitions,
                memory: self.store.memory(),
            };
            if !(self.go_on)(standing) {
                self.ended = Some(Reason::Stopped);
                // Who does not lead has reached a limit of its own.
                return self.mesh.halt(self.mesh.index() > 0);
            }
        }
        match self.ended {
            Some(_) if !self.mesh.is_halted() => self.mesh.halt(false),
            _ => Ok(()),
        }
    }

    /// Sends what is left, and takes in what others find until all are done.
    pub fn finish(&mut self) -> Result<(), Broken> {
        for to in 0..self.out.len() {
            let parcel = std::mem::take(&mut self.out[to]);
            if !parcel.is_empty() && !self.is_over() {
                self.mesh.send(to, parcel)?;
            }
        }
        loop {
            self.poll()?;
            self.look_up();
            if self.mesh.close()? {
                return Ok(());
            }
        }
    }
}

/// Adds a state to some bytes.
#[inline]
pub fn pack<const W: usize>(bytes: &mut Vec<u8>, words: &[u64; W], size: usize) {
    let whole = size / 8;
    for word in &words[..whole] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    if size > whole * 8 {
        bytes.extend_from_slice(&words[whole].to_le_bytes()[..size - whole * 8]);
    }
}

/// The states in some bytes.
pub fn unpack<const W: usize>(bytes: &[u8], size: usize) -> impl Iterator<Item = [u64; W]> {
    bytes.chunks_exact(size).map(|bytes| {
        let mut words = [0; W];
        for (word, part) in words.iter_mut().zip(bytes.chunks(8)) {
            let mut all = [0; 8];
            all[..part.len()].copy_from_slice(part);
            *word = u64::from_le_bytes(all);
        }
        words
    })
}

impl From<Exhausted> for Reason {
    fn from(why: Exhausted) -> Reason {
        match why {
            Exhausted::States => Reason::States,
            Exhausted::Memory | Exhausted::Disk => Reason::Memory,
            Exhausted::Faults | Exhausted::Stopped => Reason::Stopped,
        }
    }
}

impl From<Reason> for Exhausted {
    fn from(why: Reason) -> Exhausted {
        match why {
            Reason::States => Exhausted::States,
            Reason::Memory => Exhausted::Memory,
            Reason::Stopped => Exhausted::Stopped,
        }
    }
}
