//! Rearranging the units of a packed state.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::blocked::Blocking;
use super::classes::Partition;
use super::contents::{Contents, contents};
use super::plan::{Group, Plan, Plans, groups};
use super::units::Units;
use crate::engine::layout::{Field, Layout};

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
    /// Whether more may be allowed where needs fail for ever.
    may_gain: bool,
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
    blocking: Option<Blocked>,
    /// Tells it from all others.
    id: u64,
}

/// What depends on more than locations.
#[derive(Clone, Debug)]
struct Blocked {
    blocking: Blocking,
    /// The location of each process outside, and what it adds to the number of a combination per location.
    locations: Vec<(Field, u64)>,
    /// Plans that have been made: rooms come and go.
    found: Arc<Mutex<ReadyPlans>>,
}

/// Plans by locations and the needs that fail.
type ReadyPlans = FxHashMap<(u64, u64), Arc<Ready>>;

/// Scratch memory for rearranging states.
#[derive(Clone, Debug, Default)]
pub struct ArrangeScratch {
    sorting: Sorting,
    /// Plans for needs that fail, made when first asked for.
    found: ReadyPlans,
    /// Whose they are.
    id: u64,
}

#[cfg(test)]
impl ArrangeScratch {
    /// How many plans for needs that fail it has.
    pub fn found(&self) -> usize {
        self.found.len()
    }
}

/// As many such plans are kept at most.
const MOST_FOUND: usize = 1 << 16;

/// Room for sorting.
#[derive(Clone, Debug, Default)]
struct Sorting {
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
        (partition, blocking): (&Partition, Option<Blocking>),
        layout: &Layout,
    ) -> Option<Arranger> {
        if blocking.is_none() && plans.plans.iter().all(Plan::is_idle) {
            return None;
        }
        let everything = groups(partition, &in_place(partition));
        let blocking = blocking.and_then(|blocking| Blocked::new(blocking, processes, layout));
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
                may_gain: blocking.is_some() && plan.groups != everything,
                groups: ready(&contents, &plan.groups),
            }
        });
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Some(Arranger {
            located,
            plans: ready.collect(),
            units: contents,
            blocking,
            id: NEXT.fetch_add(1, Relaxed),
        })
    }

    /// Replaces a state by the one that stands for it.
    #[inline]
    pub fn arrange<const W: usize>(&self, words: &mut [u64; W], room: &mut ArrangeScratch) {
        let number = self.located.iter().fold(0, |sum, process| {
            sum + process.digits[process.field.code(words) as usize]
        });
        let plan = &self.plans[number as usize];
        if plan.may_gain
            && let Some(blocked) = &self.blocking
        {
            let failed = blocked.blocking.failed(words);
            if failed != 0 {
                let number = blocked.number(words);
                if room.id != self.id || !room.found.contains_key(&(number, failed)) {
                    self.prepare(plan, blocked, failed, words, room);
                }
                let plan = &room.found[&(number, failed)];
                return self.carry_out(plan, words, &mut room.sorting);
            }
        }
        self.carry_out(plan, words, &mut room.sorting);
    }

    #[inline]
    fn carry_out<const W: usize>(&self, plan: &Ready, words: &mut [u64; W], room: &mut Sorting) {
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

    /// Puts the plan for a state in which needs fail into the room.
    #[inline(never)]
    fn prepare(
        &self,
        usual: &Ready,
        blocked: &Blocked,
        failed: u64,
        words: &[u64],
        room: &mut ArrangeScratch,
    ) {
        if room.id != self.id || room.found.len() >= MOST_FOUND {
            room.found.clear();
            room.id = self.id;
        }
        let key = (blocked.number(words), failed);
        let mut found = blocked.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() >= MOST_FOUND {
            found.clear();
        }
        let plan = found.entry(key).or_insert_with(|| {
            let locations = blocked.locations.iter();
            let locations: Vec<u32> = locations.map(|(f, _)| f.code(words) as u32).collect();
            let allowed = blocked.blocking.allowed(&locations, failed);
            let groups = ready(&self.units, &groups(&allowed, &in_place(&allowed)));
            Arc::new(Ready {
                sorts_only: usual.locations.is_empty(),
                idle: usual.locations.is_empty() && groups.is_empty(),
                locations: usual.locations.clone(),
                may_gain: false,
                groups,
            })
        });
        room.found.insert(key, Arc::clone(plan));
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
    fn sort<const W: usize>(&self, group: &ReadyGroup, words: &mut [u64; W], room: &mut Sorting) {
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
    fn rearrange<const W: usize>(&self, plan: &Ready, words: &mut [u64; W], room: &mut Sorting) {
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

    fn gather(&self, group: &ReadyGroup, words: &[u64], room: &mut Sorting) {
        for unit in &group.sources {
            let start = room.keys.len();
            room.keys.resize(start + group.width, 0);
            for chunk in &self.units[*unit as usize].chunks {
                room.keys[start + chunk.key as usize] |= chunk.get(words);
            }
        }
    }

    fn scatter(&self, group: &ReadyGroup, start: usize, words: &mut [u64], room: &Sorting) {
        for (k, unit) in group.positions.iter().enumerate() {
            let at = start + k * group.width;
            self.write(*unit, &room.keys[at..at + group.width], words);
        }
    }

    /// Sorts keys of several words each.
    fn sort_wide(&self, group: &ReadyGroup, start: usize, room: &mut Sorting) {
        let Sorting {
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

impl Blocked {
    /// None if there are too many combinations of locations.
    fn new(blocking: Blocking, processes: &[usize], layout: &Layout) -> Option<Blocked> {
        let mut per = 1u64;
        let mut locations = Vec::new();
        for process in processes {
            // A process with a single location needs no field; its number is always 0.
            let field = layout.locations[*process].unwrap_or(Field {
                word: 0,
                shift: 0,
                bits: 0,
                lo: 0,
            });
            locations.push((field, per));
            per = per.checked_mul(field.ones() + 1)?;
        }
        Some(Blocked {
            blocking,
            locations,
            found: Arc::default(),
        })
    }

    /// The number of a combination of locations.
    #[inline]
    fn number(&self, words: &[u64]) -> u64 {
        let locations = self.locations.iter();
        locations.fold(0, |sum, (field, per)| sum + field.code(words) * per)
    }
}

/// Every unit keeps what it has.
fn in_place(partition: &Partition) -> Vec<u8> {
    (0..partition.len() as u8).collect()
}

fn ready(contents: &[Contents], groups: &[Group]) -> Vec<ReadyGroup> {
    groups
        .iter()
        .map(|group| ReadyGroup {
            width: contents[group.positions[0] as usize].width,
            positions: group.positions.clone(),
            sources: group.sources.clone(),
        })
        .collect()
}
