//! What a process outside of all units allows, depending on where it is.
//!
//! Exchanging units `i` and `j` *takes* location `l` to location `m` if it maps the edges out of `l` onto the edges out of
//! `m`, and takes the targets of the former to the targets of the latter. This is the largest such relation:
//! begin with all pairs whose edges do the same, and drop those whose targets are dropped. An arbiter that has talked to
//! some workers for the last time stays where it is (`l = m`) when they are exchanged; a server that
//! has taken a request from client 1 and is about to answer is taken to where it is about to answer client 2.
//! Variables of units that are functions of its location (derived ones, such as whether it offers something on a
//! channel) have to be taken along: what it shows to unit `i` at `l` it shows to unit `j` at `m`.
//! Where two locations cannot be told apart even without exchanging anything the first stands for both.

use rustc_hash::FxHashMap;

use super::TooMuch;
use super::classes::{self, Graph, Partition, Steps};
use super::terms::{Term, Terms, value_at};
use crate::system::LocId;

/// As many rounds are spent on finding out which locations are the same.
const MOST_ROUNDS: usize = 200;

/// What a process shows to units at a location, zeros left out: the unit, the slot of the variable, its value.
type Shown = Vec<(u8, u32, i64)>;

/// A process to be looked at.
struct Outside {
    /// The edges out of those locations that stand for themselves, their targets among these too.
    steps: Vec<Steps>,
    /// For each location the first that cannot be told from it.
    first: Vec<u32>,
    shown: Vec<Shown>,
    /// For each location a number, not the same if no exchange whatever takes one to the other.
    alike: Vec<u32>,
}

/// What a process allows.
pub struct Moves {
    /// For each location the first that cannot be told from it.
    pub first: Vec<u32>,
    /// For each location, if it is such a first one, the units whose exchange leaves it where it is.
    pub kept: Vec<Partition>,
    /// For each location, if it is such a first one, the exchanges that take it elsewhere, and where to.
    pub moved: Vec<Vec<(u8, u8, u32)>>,
    /// For each location, if it is such a first one, the units whose exchange keeps its edges, whatever comes later.
    pub local: Vec<Partition>,
    /// For each location, if it is such a first one, the edges out of it between such.
    pub steps: Vec<Steps>,
}

impl Moves {
    /// What process number `process` allows of the exchanges in `partition`.
    pub fn new(
        process: usize,
        graph: &Graph,
        partition: &Partition,
        terms: &mut Terms<'_>,
    ) -> Result<Moves, TooMuch> {
        let outside = Outside::new(process, graph, terms);
        let count = outside.first.len();
        let alone: Partition = (0..partition.len() as u8).collect();
        let mut moves = Moves {
            kept: vec![alone.clone(); count],
            local: vec![alone; count],
            moved: vec![Vec::new(); count],
            first: outside.first.clone(),
            steps: Vec::new(),
        };
        let mentioned = mentions(process, graph, terms);
        for j in 0..partition.len() as u8 {
            for i in (0..j).filter(|i| partition[*i as usize] == partition[j as usize]) {
                if mentioned & (1 << i | 1 << j) == 0 {
                    join(&mut moves.local, i, j, 0..count);
                    join(&mut moves.kept, i, j, 0..count);
                    continue;
                }
                let (local, images) = outside.images(terms, i, j)?;
                join(&mut moves.local, i, j, local);
                let images = || images.iter().enumerate();
                let kept = images().filter(|(l, m)| m.is_some_and(|m| m as usize == *l));
                join(&mut moves.kept, i, j, kept.map(|(l, _)| l));
                for (l, m) in images() {
                    if let Some(m) = m.filter(|m| *m as usize != l) {
                        moves.moved[l].push((i, j, m));
                    }
                }
            }
        }
        moves.steps = outside.steps;
        Ok(moves)
    }

    /// For each location the first that is taken for it, directly or by way of others.
    pub fn related(&self) -> Vec<u32> {
        let mut related: Vec<u32> = self.first.clone();
        // Both ends of a pair get the lesser number, until nothing changes.
        let mut changed = true;
        while changed {
            changed = false;
            for (l, moved) in self.moved.iter().enumerate() {
                let others = moved.iter().map(|(_, _, m)| *m as usize);
                for m in others.chain([self.first[l] as usize]) {
                    let least = related[l].min(related[m]);
                    changed |= related[l] != least || related[m] != least;
                    related[l] = least;
                    related[m] = least;
                }
            }
        }
        related
    }
}

/// Notes that two units, the lesser first, can be exchanged at some locations.
fn join(partitions: &mut [Partition], i: u8, j: u8, locations: impl IntoIterator<Item = usize>) {
    for l in locations {
        let class = &mut partitions[l][j as usize];
        *class = (*class).min(i);
    }
}

/// The units that a process mentions or shows something to, a bit each.
pub fn mentions(process: usize, graph: &Graph, terms: &Terms<'_>) -> u64 {
    let shown = terms.shown(process).map(|(place, _)| place.mentions());
    shown.fold(graph.mentions[process], |a, b| a | b)
}

impl Outside {
    fn new(process: usize, graph: &Graph, terms: &mut Terms<'_>) -> Outside {
        let edges = &graph.steps[process];
        let visible = visible(terms, process, edges.len());
        let mut shown = vec![Shown::new(); edges.len()];
        let mut work = 0;
        for (place, definition) in terms.shown(process) {
            work += edges.len();
            for (l, shown) in (0..).map(LocId).zip(&mut shown) {
                let value = value_at(definition, l);
                if value != 0 {
                    shown.push((place.unit, place.slot, value));
                }
            }
        }
        terms.work += work;
        shown.iter_mut().for_each(|s| s.sort_unstable());
        let first = same_locations(edges, &visible, &shown);
        let steps = edges.iter().enumerate().map(|(l, steps)| {
            if first[l] as usize == l {
                through(&first, steps)
            } else {
                Steps::new()
            }
        });
        let steps: Vec<Steps> = steps.collect();
        Outside {
            alike: alike(&steps, &visible, &shown, terms),
            steps,
            first,
            shown,
        }
    }

    /// The locations whose edges stay the same when two units are exchanged, and for each location where that takes it.
    fn images(
        &self,
        terms: &mut Terms<'_>,
        i: u8,
        j: u8,
    ) -> Result<(Vec<usize>, Vec<Option<u32>>), TooMuch> {
        let count = self.steps.len();
        let firsts = || (0..count).filter(|l| self.first[*l] as usize == *l);
        let mut exchanged = vec![Steps::new(); count];
        for l in firsts() {
            exchanged[l] = classes::swapped(terms, &self.steps[l], i, j);
        }
        let mut alike: FxHashMap<_, Vec<u32>> = FxHashMap::default();
        for l in firsts() {
            let key = (
                self.alike[l],
                self.shown[l].clone(),
                actions(&self.steps[l]),
            );
            alike.entry(key).or_default().push(l as u32);
        }
        let mut taken: Vec<Vec<u32>> = vec![Vec::new(); count];
        for l in firsts() {
            let mut shown = self.shown[l].clone();
            for (unit, _, _) in &mut shown {
                *unit = match *unit {
                    u if u == i => j,
                    u if u == j => i,
                    u => u,
                };
            }
            shown.sort_unstable();
            let key = (self.alike[l], shown, actions(&exchanged[l]));
            taken[l] = alike.get(&key).cloned().unwrap_or_default();
        }
        let same = |l: &usize| exchanged[*l] == self.steps[*l] && taken[*l].contains(&(*l as u32));
        let local: Vec<usize> = firsts().filter(same).collect();
        // Most edges lead onwards, so what is dropped is noticed soon when looking from the end.
        let mut changed = true;
        while changed {
            changed = false;
            for l in (0..count).rev() {
                let fits = |m: &u32| matches(&exchanged[l], &self.steps[*m as usize], &taken);
                let candidates: Vec<u32> = taken[l].iter().copied().filter(fits).collect();
                terms.work += taken[l].len();
                changed |= candidates.len() < taken[l].len();
                taken[l] = candidates;
            }
            TooMuch::check(terms.work)?;
        }
        let image = |(l, candidates): (u32, Vec<u32>)| match candidates.contains(&l) {
            true => Some(l),
            false => candidates.first().copied(),
        };
        Ok((local, (0..).zip(taken).map(image).collect()))
    }
}

fn actions(steps: &Steps) -> Vec<Term> {
    let mut actions: Vec<Term> = steps.iter().map(|(action, _)| *action).collect();
    actions.dedup();
    actions
}

/// The edges with their targets replaced by the first of the same.
fn through(first: &[u32], steps: &Steps) -> Steps {
    let mut steps: Steps = steps
        .iter()
        .map(|(action, to)| (*action, first[*to as usize]))
        .collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}

/// A number for each location: the same if no expression tells them apart.
fn visible(terms: &Terms<'_>, process: usize, count: usize) -> Vec<u32> {
    let mut classes = vec![0; count];
    let mut next = 1;
    for set in terms.location_sets(process) {
        let mut split: FxHashMap<u32, u32> = FxHashMap::default();
        for LocId(l) in set {
            let class = &mut classes[*l as usize];
            *class = *split.entry(*class).or_insert_with(|| {
                next += 1;
                next - 1
            });
        }
    }
    classes
}

/// For each location the first that cannot be told from it: the coarsest partition that visibility and edges allow.
fn same_locations(steps: &[Steps], visible: &[u32], shown: &[Shown]) -> Vec<u32> {
    let mut classes = number(visible.iter().zip(shown));
    for _ in 0..MOST_ROUNDS {
        let before = classes.iter().max().copied();
        let keys = steps
            .iter()
            .enumerate()
            .map(|(l, steps)| (classes[l], through(&classes, steps)));
        let finer = number(keys.collect::<Vec<_>>());
        let is_stable = finer.iter().max().copied() == before;
        classes = finer;
        if is_stable {
            let mut firsts: FxHashMap<u32, u32> = FxHashMap::default();
            let firsts = (0u32..)
                .zip(&classes)
                .map(|(l, class)| *firsts.entry(*class).or_insert(l));
            return firsts.collect();
        }
    }
    (0..steps.len() as u32).collect()
}

/// Numbers for locations that tell apart what no exchange takes to each other, as far as that is seen without asking who is
/// who: a location is known by what it shows and does to anybody, and by where that leads.
fn alike(steps: &[Steps], visible: &[u32], shown: &[Shown], terms: &Terms<'_>) -> Vec<u32> {
    let keys = visible.iter().zip(shown).map(|(visible, shown)| {
        let mut shown: Vec<_> = shown.iter().map(|(_, slot, value)| (slot, value)).collect();
        shown.sort_unstable();
        (visible, shown)
    });
    let mut classes = number(keys);
    for _ in 0..MOST_ROUNDS {
        let before = classes.iter().max().copied();
        let keys = steps.iter().enumerate().map(|(l, steps)| {
            let mut steps: Vec<(u64, u32)> = steps
                .iter()
                .map(|(action, to)| (terms.anonymous(*action), classes[*to as usize]))
                .collect();
            steps.sort_unstable();
            (classes[l], steps)
        });
        classes = number(keys.collect::<Vec<_>>());
        if classes.iter().max().copied() == before {
            break;
        }
    }
    classes
}

/// Consecutive numbers for keys in the order of their first appearance.
fn number<K: std::hash::Hash + Eq>(keys: impl IntoIterator<Item = K>) -> Vec<u32> {
    let mut numbers: FxHashMap<K, u32> = FxHashMap::default();
    let mut all = Vec::new();
    for key in keys {
        let next = numbers.len() as u32;
        all.push(*numbers.entry(key).or_insert(next));
    }
    all
}

/// Whether each edge of either side has one on the other that does the same and leads to where its target is taken.
fn matches(exchanged: &Steps, steps: &Steps, taken: &[Vec<u32>]) -> bool {
    let fits = |(a, to): &(Term, u32), (b, target): &(Term, u32)| {
        a == b && taken[*to as usize].contains(target)
    };
    exchanged.iter().all(|e| steps.iter().any(|s| fits(e, s)))
        && steps.iter().all(|s| exchanged.iter().any(|e| fits(e, s)))
}
