//! The cheapest run: the fewest fault injections in prefix and loop together, then the fewest steps.
//!
//! A run is known. What can be part of a cheaper one is stored ([`Ball`]); from each of its states, the closest first,
//! loops are searched in order of their cost. A loop is a way back to the same state that has all marks and that the
//! automata accept when it is gone round again and again ([`Rounds`]); so it is as short as the state space allows, even if
//! an automaton needs several rounds to come back to where it was. All this may take too long, for a loop through many marks
//! is a tour through many places: then the best run found so far is not said to be the cheapest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::Stop;
use super::ball::{Ball, Bound, Cost, Spot, Way};
use super::lasso::Lasso;
use super::marks::join;
use super::product::Product;
use super::rounds::{Rounds, TooMany};
use crate::engine::space::{Space, StateId};

/// How much work the search for a cheaper run may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Most nodes of the product that are stored.
    pub nodes: usize,
    /// Most places of loops that are looked at.
    pub places: usize,
}

impl Effort {
    /// None: the run stays as it is.
    pub const NONE: Effort = Effort {
        nodes: 0,
        places: 0,
    };

    /// A second or so.
    pub const SOME: Effort = Effort {
        nodes: 200_000,
        places: 1_000_000,
    };
}

/// A run that costs the least, and whether that is certain. `fewest_faults` says that no run needs fewer faults than the
/// known one.
pub fn shortest<S: Space + ?Sized>(
    product: &mut Product<S>,
    known: Lasso,
    fewest_faults: bool,
    effort: Effort,
    memory: usize,
) -> Result<(Lasso, bool), Stop> {
    let best = known.cost();
    if fewest_faults && best.steps() == 1 {
        return Ok((known, true));
    }
    let bound = Bound {
        best,
        fewest_faults,
    };
    let Some(ball) = Ball::explore(product, bound, effort.nodes, memory)? else {
        return Ok((known, false));
    };
    let Some(rounds) = Rounds::new(product, &ball.states) else {
        return Ok((known, false));
    };
    let mut sources: Vec<Vec<(Spot, Cost)>> = vec![Vec::new(); ball.states.len()];
    for (from, ways) in ball.ways.iter().enumerate() {
        for way in ways {
            sources[way.to as usize].push((from as Spot, way.cost));
        }
    }
    // The marks of the automata are not collected here, see `Rounds`.
    let mut sets = ball.sets.clone();
    let nothing = sets.insert_full(product.marks.automata_only().into()).0 as u32;
    let letters = ball.states.iter().map(|s| product.letter(*s)).collect();
    let mut search = Loops {
        product,
        ball: &ball,
        letters,
        sources,
        rounds,
        sets,
        nothing,
        joined: FxHashMap::default(),
        bound,
        places: effort.places,
        found: None,
    };
    let mut complete = true;
    for spot in 0..ball.states.len() as Spot {
        if search.from(spot).is_err() {
            complete = false;
            break;
        }
    }
    let Some((spot, config, round)) = search.found else {
        return Ok((known, complete));
    };
    let mut moves = ball.way(product, spot, config);
    let loop_start = moves.len();
    moves.extend(round);
    let mut lasso = Lasso {
        states: Vec::new(),
        transitions: Vec::new(),
        loop_start,
    };
    let mut out = Vec::new();
    for (state, transition) in moves {
        (product.space.successors(state, &mut out)).map_err(Stop::Exhausted)?;
        lasso.states.push(state);
        lasso.transitions.push(out[transition as usize]);
    }
    Ok((lasso, complete))
}

/// More work than was allowed.
struct TooMuch;

/// States, and the transition taken in each.
type Moves = Vec<(StateId, u32)>;

/// A place on the way round: a state, what the automata may have done, and the marks seen, as numbers.
type Place = (Spot, u32, u32);

struct Loops<'a, 'b, S: Space + ?Sized> {
    product: &'a Product<'b, S>,
    ball: &'a Ball,
    letters: Vec<u32>,
    /// Where the steps into each state come from.
    sources: Vec<Vec<(Spot, Cost)>>,
    rounds: Rounds,
    /// Sets of marks that have been seen.
    sets: indexmap::IndexSet<Box<[u64]>>,
    joined: FxHashMap<(u32, u32), u32>,
    /// The set before the first step.
    nothing: u32,
    bound: Bound,
    /// How many places may still be looked at.
    places: usize,
    /// The best loop: its state, the configuration there, and its steps.
    found: Option<(Spot, u32, Moves)>,
}

impl<S: Space + ?Sized> Loops<'_, '_, S> {
    fn spend(&mut self) -> Result<(), TooMuch> {
        self.places = self.places.checked_sub(1).ok_or(TooMuch)?;
        Ok(())
    }

    /// What the cheapest way back to a state costs, from wherever a loop through it may lead.
    fn back(&mut self, start: Spot, before: Cost) -> Result<FxHashMap<Spot, Cost>, TooMuch> {
        let mut cost_of: FxHashMap<Spot, Cost> = FxHashMap::default();
        let mut heap = BinaryHeap::from([Reverse((Cost::default(), start))]);
        while let Some(Reverse((cost, spot))) = heap.pop() {
            if cost_of.contains_key(&spot) {
                continue;
            }
            cost_of.insert(spot, cost);
            self.spend()?;
            for (from, step) in &self.sources[spot as usize] {
                let longer = cost.and(*step);
                if self.bound.allows(before.and(longer)) && !cost_of.contains_key(from) {
                    heap.push(Reverse((longer, *from)));
                }
            }
        }
        Ok(cost_of)
    }

    /// Searches for a loop from a state that makes a cheaper run.
    fn from(&mut self, start: Spot) -> Result<(), TooMuch> {
        let nodes = &self.ball.nodes[start as usize];
        let Some(before) = nodes.iter().map(|(_, cost, ..)| *cost).min() else {
            return Ok(());
        };
        if !self.bound.allows(before.and(Cost::step(false))) {
            return Ok(());
        }
        let back = self.back(start, before)?;
        let first: Place = (start, 0, self.nothing);
        // How each place was reached: from which other one and by which transition.
        let mut reached: FxHashMap<Place, (Place, u32)> = FxHashMap::default();
        let mut heap = BinaryHeap::from([Reverse((Cost::default(), 0, first, first, 0))]);
        let mut order = 0;
        while let Some(Reverse((cost, _, place, from, via))) = heap.pop() {
            if reached.contains_key(&place) {
                continue;
            }
            reached.insert(place, (from, via));
            self.spend()?;
            let (spot, relation, seen) = place;
            let letter = self.letters[spot as usize];
            let Some(relation) = self
                .rounds
                .then(relation, letter)
                .map_err(|TooMany| TooMuch)?
            else {
                continue;
            };
            for way in &self.ball.ways[spot as usize] {
                let Some(rest) = back.get(&way.to) else {
                    continue;
                };
                let cost = cost.and(way.cost);
                if !self.bound.allows(before.and(cost).and(*rest)) {
                    continue;
                }
                let next: Place = (way.to, relation, self.seen(seen, way));
                if way.to == start
                    && let Some((config, total)) = self.closes(next, cost)
                {
                    self.bound.best = total;
                    let mut round = vec![(self.ball.states[spot as usize], way.transition)];
                    let mut at = place;
                    while at != first {
                        let (before, via) = reached[&at];
                        round.push((self.ball.states[before.0 as usize], via));
                        at = before;
                    }
                    round.reverse();
                    self.found = Some((start, config, round));
                }
                if !reached.contains_key(&next) {
                    order += 1;
                    heap.push(Reverse((cost, order, next, place, way.transition)));
                }
            }
        }
        Ok(())
    }

    /// The marks seen after one more step.
    fn seen(&mut self, seen: u32, way: &Way) -> u32 {
        if let Some(known) = self.joined.get(&(seen, way.marks)) {
            return *known;
        }
        let mut set = self.sets[seen as usize].clone();
        join(&mut set, &self.sets[way.marks as usize]);
        let id = self.sets.insert_full(set).0 as u32;
        self.joined.insert((seen, way.marks), id);
        id
    }

    /// The configuration with which a loop makes the cheapest run, if that is cheaper than the best one, and what the run
    /// costs.
    fn closes(&self, (start, relation, seen): Place, round: Cost) -> Option<(u32, Cost)> {
        if !self.product.marks.accept(&self.sets[seen as usize]) {
            return None;
        }
        let accepted = self.rounds.accepted(relation);
        (self.ball.nodes[start as usize].iter())
            .filter(|(config, ..)| accepted >> config & 1 == 1)
            .map(|(config, before, ..)| (*config, before.and(round)))
            .filter(|(_, total)| *total < self.bound.best)
            .min_by_key(|(config, total)| (*total, *config))
    }
}
