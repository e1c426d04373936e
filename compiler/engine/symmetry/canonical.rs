//! Rearranging the units of a packed state.

use super::plan::{Plan, Plans};
use super::units::Units;
use crate::engine::layout::{Field, Layout};

/// Bits of a unit that lie together in the same way in all units of a family.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    word: u16,
    shift: u8,
    /// As many ones as it has bits.
    ones: u64,
    /// Its place in the key: which word, and its lowest bit there.
    key: u16,
    at: u8,
}

impl Chunk {
    #[inline]
    fn get(self, words: &[u64]) -> u64 {
        ((words[self.word as usize] >> self.shift) & self.ones) << self.at
    }

    #[inline]
    fn set(self, words: &mut [u64], key: u64) {
        let word = &mut words[self.word as usize];
        *word = *word & !(self.ones << self.shift) | ((key >> self.at) & self.ones) << self.shift;
    }
}

/// What a unit holds, as words that are compared.
#[derive(Clone, Debug)]
struct Contents {
    chunks: Vec<Chunk>,
    /// How many words its key has.
    width: usize,
}

/// A process whose location says which plan to use.
#[derive(Clone, Debug)]
struct Located {
    field: Field,
    digits: Vec<u32>,
}

/// A plan, ready to be carried out.
#[derive(Clone, Debug, Default)]
struct Ready {
    groups: Vec<ReadyGroup>,
    sorts_only: bool,
    /// Words, the bits to be cleared and the bits to be set.
    locations: Vec<(u16, u64, u64)>,
    idle: bool,
}

#[derive(Clone, Debug)]
struct ReadyGroup {
    positions: Vec<u8>,
    sources: Vec<u8>,
    width: usize,
}

/// How to rearrange states.
#[derive(Clone, Debug)]
pub struct Arranger {
    located: Vec<Located>,
    plans: Vec<Ready>,
    units: Vec<Contents>,
}

/// Room for rearranging states.
#[derive(Clone, Debug, Default)]
pub struct Room {
    keys: Vec<u64>,
    order: Vec<u16>,
    sorted: Vec<u64>,
}

impl Arranger {
    /// Carries out plans for the processes with these numbers; none if there is nothing to do anywhere.
    pub fn new(
        units: &Units,
        processes: &[usize],
        plans: &Plans,
        layout: &Layout,
    ) -> Option<Arranger> {
        if plans.plans.iter().all(Plan::is_idle) {
            return None;
        }
        let contents: Vec<Contents> = units
            .families
            .iter()
            .map(|family| contents(units, family.clone(), layout))
            .collect::<Option<Vec<_>>>()?
            .concat();
        let mut located = Vec::new();
        for (process, digits) in processes.iter().zip(&plans.digits) {
            // A process that is always at its only location has one mode.
            if digits.iter().any(|d| *d != digits[0]) {
                located.push(Located {
                    field: layout.locations[*process]?,
                    digits: digits.clone(),
                });
            }
        }
        let ready = plans.plans.iter().map(|plan| {
            let locations = plan.locations.iter().filter_map(|(process, to)| {
                let field = layout.locations[processes[*process]]?;
                Some((field.word, field.mask(), field.placed(i64::from(*to))))
            });
            Ready {
                locations: locations.collect(),
                sorts_only: plan.sorts_only(),
                idle: plan.is_idle(),
                groups: plan
                    .groups
                    .iter()
                    .map(|group| ReadyGroup {
                        width: contents[group.positions[0] as usize].width,
                        positions: group.positions.clone(),
                        sources: group.sources.clone(),
                    })
                    .collect(),
            }
        });
        Some(Arranger {
            located,
            plans: ready.collect(),
            units: contents,
        })
    }

    /// Replaces a state by the one that stands for it.
    #[inline]
    pub fn arrange<const W: usize>(&self, words: &mut [u64; W], room: &mut Room) {
        let number = self.located.iter().fold(0, |sum, process| {
            sum + process.digits[process.field.code(words) as usize]
        });
        let plan = &self.plans[number as usize];
        if plan.idle {
            return;
        }
        if plan.sorts_only {
            for group in &plan.groups {
                self.sort(group, words, room);
            }
        } else {
            self.rearrange(plan, words, room);
        }
    }

    fn key(&self, unit: u8, words: &[u64]) -> u64 {
        let chunks = &self.units[unit as usize].chunks;
        chunks.iter().fold(0, |key, chunk| key | chunk.get(words))
    }

    fn write(&self, unit: u8, key: &[u64], words: &mut [u64]) {
        for chunk in &self.units[unit as usize].chunks {
            chunk.set(words, key[chunk.key as usize]);
        }
    }

    /// Sorts units in place.
    fn sort<const W: usize>(&self, group: &ReadyGroup, words: &mut [u64; W], room: &mut Room) {
        if group.width != 1 {
            room.keys.clear();
            self.gather(group, words, room);
            self.sort_wide(group, 0, room);
            self.scatter(group, 0, words, room);
            return;
        }
        let keys = &mut room.keys;
        keys.clear();
        let mut last = 0;
        let mut is_sorted = true;
        for unit in &group.positions {
            let key = self.key(*unit, words);
            is_sorted &= last <= key;
            last = key;
            keys.push(key);
        }
        if !is_sorted {
            keys.sort_unstable();
            for (unit, key) in group.positions.iter().zip(&*keys) {
                self.write(*unit, std::slice::from_ref(key), words);
            }
        }
    }

    /// Moves units and processes, and sorts.
    #[inline(never)]
    fn rearrange<const W: usize>(&self, plan: &Ready, words: &mut [u64; W], room: &mut Room) {
        room.keys.clear();
        // Where the contents come from may be where others go: everything is read first.
        for group in &plan.groups {
            self.gather(group, words, room);
        }
        let mut start = 0;
        for group in &plan.groups {
            let end = start + group.width * group.positions.len();
            if group.width == 1 {
                room.keys[start..end].sort_unstable();
            } else {
                self.sort_wide(group, start, room);
            }
            self.scatter(group, start, words, room);
            start = end;
        }
        for (word, clear, set) in &plan.locations {
            let word = &mut words[*word as usize];
            *word = *word & !clear | set;
        }
    }

    fn gather(&self, group: &ReadyGroup, words: &[u64], room: &mut Room) {
        for unit in &group.sources {
            let start = room.keys.len();
            room.keys.resize(start + group.width, 0);
            for chunk in &self.units[*unit as usize].chunks {
                room.keys[start + chunk.key as usize] |= chunk.get(words);
            }
        }
    }

    fn scatter(&self, group: &ReadyGroup, start: usize, words: &mut [u64], room: &Room) {
        for (k, unit) in group.positions.iter().enumerate() {
            let at = start + k * group.width;
            self.write(*unit, &room.keys[at..at + group.width], words);
        }
    }

    /// Sorts keys of several words each.
    fn sort_wide(&self, group: &ReadyGroup, start: usize, room: &mut Room) {
        let Room {
            keys,
            order,
            sorted,
        } = room;
        let width = group.width;
        let keys = &mut keys[start..start + width * group.positions.len()];
        let key = |k: u16| &keys[k as usize * width..][..width];
        order.clear();
        order.extend(0..group.positions.len() as u16);
        order.sort_unstable_by(|a, b| key(*a).cmp(key(*b)));
        sorted.clear();
        for k in &*order {
            sorted.extend_from_slice(key(*k));
        }
        keys.copy_from_slice(sorted);
    }
}

/// The contents of the units of a family, their fields joined where they lie together in all of them; none if they
/// are not stored alike.
fn contents(units: &Units, family: std::ops::Range<u8>, layout: &Layout) -> Option<Vec<Contents>> {
    let fields: Vec<Vec<Field>> = family
        .map(|unit| {
            let unit = unit as usize;
            let processes = units.processes[unit].iter();
            let locations = processes.map(|p| layout.locations[p.0 as usize]);
            let vars = units.vars[unit].iter().map(|v| layout.vars[v.0 as usize]);
            locations.chain(vars).flatten().collect()
        })
        .collect();
    let count = fields[0].len();
    let alike = |other: &Vec<Field>| {
        other.len() == count
            && other
                .iter()
                .zip(&fields[0])
                .all(|(a, b)| (a.bits, a.lo) == (b.bits, b.lo))
    };
    if !fields.iter().all(alike) {
        return None;
    }
    let mut contents = vec![
        Contents {
            chunks: Vec::new(),
            width: 1,
        };
        fields.len()
    ];
    let follows = |slot: usize| {
        fields.iter().all(|unit| {
            let (a, b) = (unit[slot - 1], unit[slot]);
            a.word == b.word && a.shift + a.bits == b.shift
        })
    };
    let (mut key, mut at) = (0u16, 0u8);
    let mut slot = 0;
    while slot < count {
        let mut bits = fields[0][slot].bits;
        let mut end = slot + 1;
        while end < count && follows(end) {
            bits += fields[0][end].bits;
            end += 1;
        }
        if at + bits > 64 {
            key += 1;
            at = 0;
        }
        for (contents, unit) in contents.iter_mut().zip(&fields) {
            contents.chunks.push(Chunk {
                word: unit[slot].word,
                shift: unit[slot].shift,
                ones: u64::MAX >> (64 - bits),
                key,
                at,
            });
            contents.width = key as usize + 1;
        }
        at += bits;
        slot = end;
    }
    Some(contents)
}
