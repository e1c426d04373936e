//! A layout in layers, after Sugiyama, Tagawa and Toda (1981): arrows that lead back are turned round, every box gets a layer
//! below those that lead to it, arrows over several layers get a place in each, layers are ordered so that few arrows cross,
//! and then everything is moved as near to its neighbours as it can be without touching.
//!
//! Everything is counted and ordered by index, so the same graph always looks the same.

/// How large something is, in pixels.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Size {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

/// A place.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// An arrow to be laid out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Line {
    /// From this box.
    pub from: usize,
    /// To this one, another one.
    pub to: usize,
    /// How large what it says is.
    pub label: Option<Size>,
}

/// Where everything is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Placed {
    /// The middle of each box.
    pub boxes: Vec<Point>,
    /// The way of each arrow, from box to box.
    pub lines: Vec<Vec<Point>>,
    /// The middle of what each arrow says.
    pub labels: Vec<Option<Point>>,
    /// The whole.
    pub size: Size,
}

/// Between two boxes of one layer.
const BESIDE: f64 = 18.0;
/// Between two layers; from left to right, where words are longer than high, more.
const BELOW: f64 = 20.0;
const BELOW_SIDEWAYS: f64 = 34.0;
/// How often the layers are put in order, and how often they are moved.
const ROUNDS: usize = 12;

/// Lays out boxes and arrows, from top to bottom, or from left to right.
pub fn place(boxes: &[Size], lines: &[Line], sideways: bool) -> Placed {
    let turn = |size: Size| match sideways {
        true => Size {
            width: size.height,
            height: size.width,
        },
        false => size,
    };
    let sizes: Vec<Size> = boxes.iter().map(|size| turn(*size)).collect();
    let lines: Vec<Line> = lines
        .iter()
        .map(|line| Line {
            label: line.label.map(turn),
            ..*line
        })
        .collect();
    let gap = if sideways { BELOW_SIDEWAYS } else { BELOW };
    let mut placed = Layers::new(sizes, &lines, gap).place(boxes.len());
    if sideways {
        let back = |point: &mut Point| std::mem::swap(&mut point.x, &mut point.y);
        placed.boxes.iter_mut().for_each(back);
        placed.lines.iter_mut().flatten().for_each(back);
        placed.labels.iter_mut().flatten().for_each(back);
        placed.size = turn(placed.size);
    }
    placed
}

/// The way of an arrow: through these of the places, which are one in each layer; then `back` if it was turned round.
struct Way {
    places: Vec<usize>,
    label: Option<usize>,
    back: bool,
}

struct Layers {
    /// Boxes, then what arrows say, then the places where they only pass through.
    sizes: Vec<Size>,
    layer: Vec<usize>,
    ways: Vec<Way>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// The places of each layer, in order.
    order: Vec<Vec<usize>>,
    x: Vec<f64>,
    real: usize,
    /// Between two layers.
    gap: f64,
}

impl Layers {
    fn new(sizes: Vec<Size>, lines: &[Line], gap: f64) -> Layers {
        let real = sizes.len();
        let back = backwards(real, lines);
        let mut all = Layers {
            layer: Vec::new(),
            ways: Vec::new(),
            above: Vec::new(),
            below: Vec::new(),
            order: Vec::new(),
            x: Vec::new(),
            real,
            gap,
            sizes,
        };
        // Every arrow leads down, by way of what it says.
        let mut steps: Vec<(usize, usize)> = Vec::new();
        for (line, back) in lines.iter().zip(back) {
            let (top, bottom) = if back {
                (line.to, line.from)
            } else {
                (line.from, line.to)
            };
            let label = line.label.map(|size| {
                all.sizes.push(size);
                all.sizes.len() - 1
            });
            match label {
                Some(label) => steps.extend([(top, label), (label, bottom)]),
                None => steps.push((top, bottom)),
            }
            all.ways.push(Way {
                places: [Some(top), label, Some(bottom)]
                    .into_iter()
                    .flatten()
                    .collect(),
                label,
                back,
            });
        }
        all.layer = layers(all.sizes.len(), &steps);
        all.pass_through();
        all.arrange();
        all
    }

    /// Gives every way a place in each layer between its ends.
    fn pass_through(&mut self) {
        for way in &mut self.ways {
            let mut places = vec![way.places[0]];
            for end in &way.places[1..] {
                let (from, to) = (self.layer[places[places.len() - 1]], self.layer[*end]);
                for layer in from + 1..to {
                    places.push(self.sizes.len());
                    self.sizes.push(Size {
                        width: 4.0,
                        height: 0.0,
                    });
                    self.layer.push(layer);
                }
                places.push(*end);
            }
            way.places = places;
        }
        self.above = vec![Vec::new(); self.sizes.len()];
        self.below = vec![Vec::new(); self.sizes.len()];
        for way in &self.ways {
            for pair in way.places.windows(2) {
                self.below[pair[0]].push(pair[1]);
                self.above[pair[1]].push(pair[0]);
            }
        }
    }

    /// Orders the layers.
    fn arrange(&mut self) {
        let count = self.layer.iter().max().map_or(0, |last| last + 1);
        self.order = vec![Vec::new(); count];
        for place in self.depth_first() {
            self.order[self.layer[place]].push(place);
        }
        let mut best = (self.crossings(), self.order.clone());
        for round in 0..ROUNDS {
            let downwards = round % 2 == 0;
            let layers: Vec<usize> = match downwards {
                true => (1..count).collect(),
                false => (0..count.saturating_sub(1)).rev().collect(),
            };
            for layer in layers {
                let fixed = if downwards { layer - 1 } else { layer + 1 };
                let mut position = vec![0.0; self.sizes.len()];
                for (index, place) in self.order[fixed].iter().enumerate() {
                    position[*place] = index as f64;
                }
                let near = if downwards { &self.above } else { &self.below };
                let mut wanted: Vec<(f64, usize)> = Vec::new();
                for (index, place) in self.order[layer].iter().enumerate() {
                    let near = &near[*place];
                    let sum: f64 = near.iter().map(|other| position[*other]).sum();
                    let middle = match near.len() {
                        0 => index as f64,
                        count => sum / count as f64,
                    };
                    wanted.push((middle, *place));
                }
                wanted.sort_by(|a, b| a.0.total_cmp(&b.0));
                self.order[layer] = wanted.into_iter().map(|(_, place)| place).collect();
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.order.clone());
            }
            if crossings == 0 {
                break;
            }
        }
        self.order = best.1;
    }

    /// All places, each followed by what it leads to: neighbours stand together from the start.
    fn depth_first(&self) -> Vec<usize> {
        let mut seen = vec![false; self.sizes.len()];
        let mut found = Vec::new();
        for root in 0..self.sizes.len() {
            if !self.above[root].is_empty() {
                continue;
            }
            let mut left = vec![root];
            while let Some(place) = left.pop() {
                if !std::mem::replace(&mut seen[place], true) {
                    found.push(place);
                    left.extend(self.below[place].iter().rev());
                }
            }
        }
        found
    }

    fn crossings(&self) -> usize {
        let mut position = vec![0; self.sizes.len()];
        for layer in &self.order {
            for (index, place) in layer.iter().enumerate() {
                position[*place] = index;
            }
        }
        let mut count = 0;
        for layer in &self.order {
            let mut ends: Vec<(usize, usize)> = Vec::new();
            for place in layer {
                ends.extend(
                    self.below[*place]
                        .iter()
                        .map(|to| (position[*place], position[*to])),
                );
            }
            // Of a very wide layer a part tells enough.
            ends.truncate(400);
            for (index, a) in ends.iter().enumerate() {
                let crosses =
                    |b: &&(usize, usize)| (a.0 < b.0 && a.1 > b.1) || (a.0 > b.0 && a.1 < b.1);
                count += ends[index + 1..].iter().filter(crosses).count();
            }
        }
        count
    }

    /// Moves every layer as near to its neighbours as it can be.
    fn spread(&mut self) {
        self.x = vec![0.0; self.sizes.len()];
        for layer in &self.order {
            let mut at = 0.0;
            for place in layer {
                self.x[*place] = at + self.sizes[*place].width / 2.0;
                at += self.sizes[*place].width + BESIDE;
            }
        }
        let count = self.order.len();
        for round in 0..ROUNDS {
            let layers: Vec<usize> = match round % 2 {
                0 => (0..count).collect(),
                _ => (0..count).rev().collect(),
            };
            for layer in layers {
                let places = &self.order[layer];
                let wanted: Vec<(f64, f64)> = places
                    .iter()
                    .map(|place| {
                        let (above, below) = (&self.above[*place], &self.below[*place]);
                        // The last rounds look both ways.
                        let near: Vec<usize> = match round {
                            _ if round + 3 >= ROUNDS => {
                                above.iter().chain(below).copied().collect()
                            }
                            _ if round % 2 == 0 => above.clone(),
                            _ => below.clone(),
                        };
                        let straight = if *place >= self.real { 4.0 } else { 1.0 };
                        match near.len() {
                            0 => (self.x[*place], 0.1),
                            count => {
                                let sum: f64 = near.iter().map(|other| self.x[*other]).sum();
                                (sum / count as f64, straight)
                            }
                        }
                    })
                    .collect();
                let widths: Vec<f64> = places
                    .iter()
                    .map(|place| self.sizes[*place].width)
                    .collect();
                for (place, x) in places.iter().zip(apart(&wanted, &widths)) {
                    self.x[*place] = x;
                }
            }
        }
        self.close_up();
        let left = |place: usize| self.x[place] - self.sizes[place].width / 2.0;
        let least = (0..self.sizes.len())
            .map(left)
            .fold(f64::INFINITY, f64::min);
        for x in &mut self.x {
            *x = ((*x - least) * 10.0).round() / 10.0;
        }
    }

    /// Moves parts that nothing ties together as near to each other as they can be, from left to right.
    fn close_up(&mut self) {
        let mut part = vec![usize::MAX; self.sizes.len()];
        let mut parts = 0;
        for root in 0..part.len() {
            let mut left = vec![root];
            if part[root] != usize::MAX {
                continue;
            }
            while let Some(place) = left.pop() {
                if std::mem::replace(&mut part[place], parts) != parts {
                    left.extend(self.above[place].iter().chain(&self.below[place]));
                }
            }
            parts += 1;
        }
        if parts < 2 {
            return;
        }
        let half = |place: usize| self.sizes[place].width / 2.0;
        let x = self.x.clone();
        let edge = |of: usize| {
            let places = (0..part.len()).filter(|place| part[*place] == of);
            places
                .map(|place| x[place] - half(place))
                .fold(f64::INFINITY, f64::min)
        };
        let mut order: Vec<(f64, usize)> = (0..parts).map(|of| (edge(of), of)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let first = order[0].0;
        for (edge, of) in order {
            // At most to the left edge, and never past what is to the left in a layer.
            let mut room = edge - first;
            for layer in &self.order {
                for pair in layer.windows(2) {
                    if part[pair[1]] == of && part[pair[0]] != of {
                        let right = self.x[pair[0]] + half(pair[0]) + BESIDE;
                        room = room.min(self.x[pair[1]] - half(pair[1]) - right);
                    }
                }
            }
            for place in (0..part.len()).filter(|place| part[*place] == of) {
                self.x[place] -= room.max(0.0);
            }
        }
    }

    fn place(mut self, boxes: usize) -> Placed {
        if self.sizes.is_empty() {
            return Placed::default();
        }
        self.spread();
        let mut middle = Vec::new();
        let mut top = 0.0;
        for layer in &self.order {
            let heights = layer.iter().map(|place| self.sizes[*place].height);
            let height = heights.fold(0.0, f64::max);
            middle.push(top + height / 2.0);
            top += height + self.gap;
        }
        let point = |place: usize| Point {
            x: self.x[place],
            y: middle[self.layer[place]],
        };
        let lines = self.ways.iter().map(|way| {
            let mut points: Vec<Point> = way.places.iter().map(|place| point(*place)).collect();
            let last = points.len() - 1;
            // From border to border; several arrows of one box do not all leave at one point.
            points[0].x += self.port(&self.below, way.places[0], way.places[1]);
            points[0].y += self.sizes[way.places[0]].height / 2.0;
            points[last].x += self.port(&self.above, way.places[last], way.places[last - 1]);
            points[last].y -= self.sizes[way.places[last]].height / 2.0;
            if way.back {
                points.reverse();
            }
            points
        });
        let right = |place: usize| self.x[place] + self.sizes[place].width / 2.0;
        Placed {
            lines: lines.collect(),
            boxes: (0..boxes).map(point).collect(),
            labels: self.ways.iter().map(|way| way.label.map(point)).collect(),
            size: Size {
                width: (0..self.sizes.len()).map(right).fold(0.0, f64::max),
                height: top - self.gap,
            },
        }
    }

    /// How far from the middle of a box an arrow leaves it, by where it goes.
    fn port(&self, near: &[Vec<usize>], place: usize, other: usize) -> f64 {
        let mut others: Vec<usize> = near[place].clone();
        if others.len() < 2 {
            return 0.0;
        }
        others.sort_by(|a, b| self.x[*a].total_cmp(&self.x[*b]));
        let index = others.iter().position(|o| *o == other).unwrap_or(0) as f64;
        let room = self.sizes[place].width * 0.6;
        room * (index / (others.len() - 1) as f64 - 0.5)
    }
}

/// Which arrows lead back to a box that leads to them.
fn backwards(boxes: usize, lines: &[Line]) -> Vec<bool> {
    let mut out = vec![Vec::new(); boxes];
    for (index, line) in lines.iter().enumerate() {
        out[line.from].push(index);
    }
    let mut back = vec![false; lines.len()];
    // 0: not seen, 1: on the way, 2: left behind.
    let mut state = vec![0_u8; boxes];
    for root in 0..boxes {
        let mut path = Vec::new();
        if state[root] == 0 {
            state[root] = 1;
            path.push((root, 0));
        }
        while let Some((here, next)) = path.pop() {
            let Some(line) = out[here].get(next) else {
                state[here] = 2;
                continue;
            };
            path.push((here, next + 1));
            let to = lines[*line].to;
            match state[to] {
                0 => {
                    state[to] = 1;
                    path.push((to, 0));
                }
                1 => back[*line] = true,
                _ => {}
            }
        }
    }
    back
}

/// A layer for each place: below all that lead to it, and not farther from what it leads to than need be.
fn layers(places: usize, steps: &[(usize, usize)]) -> Vec<usize> {
    let mut out = vec![Vec::new(); places];
    let mut waits = vec![0_usize; places];
    for (from, to) in steps {
        out[*from].push(*to);
        waits[*to] += 1;
    }
    let mut layer = vec![0_usize; places];
    let mut order: Vec<usize> = (0..places).filter(|place| waits[*place] == 0).collect();
    let mut next = 0;
    while next < order.len() {
        let place = order[next];
        next += 1;
        for to in &out[place] {
            layer[*to] = layer[*to].max(layer[place] + 1);
            waits[*to] -= 1;
            if waits[*to] == 0 {
                order.push(*to);
            }
        }
    }
    debug_assert_eq!(order.len(), places, "there is no circle any more");
    // What nothing leads to stands just above what it leads to.
    let mut led = vec![false; places];
    for (_, to) in steps {
        led[*to] = true;
    }
    for place in 0..places {
        if !led[place]
            && let Some(first) = out[place].iter().map(|to| layer[*to]).min()
        {
            layer[place] = first - 1;
        }
    }
    layer
}

/// Places in a row, as near to where each is wanted as they can be without touching: pooled where they would.
fn apart(wanted: &[(f64, f64)], widths: &[f64]) -> Vec<f64> {
    // Where each would be if all before it stood side by side.
    let mut offsets = Vec::new();
    let mut at = 0.0;
    for (index, width) in widths.iter().enumerate() {
        if index > 0 {
            at += widths[index - 1] / 2.0 + BESIDE + width / 2.0;
        }
        offsets.push(at);
    }
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for ((want, weight), offset) in wanted.iter().zip(&offsets) {
        let mut pool = (want - offset, *weight, 1);
        while let Some(last) = pools.last().filter(|last| last.0 > pool.0) {
            let weight = last.1 + pool.1;
            pool = (
                (last.0 * last.1 + pool.0 * pool.1) / weight,
                weight,
                last.2 + pool.2,
            );
            pools.pop();
        }
        pools.push(pool);
    }
    let pooled = pools
        .iter()
        .flat_map(|(at, _, count)| std::iter::repeat_n(*at, *count));
    pooled
        .zip(&offsets)
        .map(|(at, offset)| at + offset)
        .collect()
}
