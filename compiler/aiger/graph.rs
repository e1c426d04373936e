//! And-inverter graphs: conjunctions of two, and negations. Equal conjunctions are one.

use rustc_hash::FxHashMap;

/// Truth of a node or of its negation, as AIGER counts them: twice the number of the node, plus one if negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

/// Never.
pub const NO: Lit = Lit(0);
/// Always.
pub const YES: Lit = Lit(1);

impl Lit {
    /// The constant.
    pub fn of(truth: bool) -> Lit {
        if truth { YES } else { NO }
    }

    /// The number of its node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negation of its node.
    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    /// The same node, negated if the condition holds.
    pub fn flip_if(self, condition: bool) -> Lit {
        Lit(self.0 ^ u32::from(condition))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// Never true; the first node.
    Constant,
    /// The input with this number.
    Input(u32),
    /// The latch with this number.
    Latch(u32),
    /// Both.
    And(Lit, Lit),
}

/// A graph that grows. Operands come before what is made of them.
#[derive(Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    known: FxHashMap<(Lit, Lit), Lit>,
    /// The most nodes that it may have.
    most: usize,
    full: bool,
}

impl Graph {
    /// One with the constant only, that may have so many nodes.
    pub fn new(most: usize) -> Graph {
        Graph {
            nodes: vec![Node::Constant],
            known: FxHashMap::default(),
            most: most.min(u32::MAX as usize / 2 - 1),
            full: false,
        }
    }

    /// Whether it would have had more nodes than it may; then it means nothing.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Says that it means nothing.
    pub fn give_up(&mut self) {
        self.full = true;
    }

    /// The nodes, operands first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Adds a node.
    fn push(&mut self, node: Node) -> Lit {
        if self.full || self.nodes.len() >= self.most {
            self.full = true;
            return NO;
        }
        self.nodes.push(node);
        Lit((self.nodes.len() as u32 - 1) << 1)
    }

    /// The input with this number, which is new.
    pub fn input(&mut self, number: usize) -> Lit {
        self.push(Node::Input(number as u32))
    }

    /// The latch with this number, which is new.
    pub fn latch(&mut self, number: usize) -> Lit {
        self.push(Node::Latch(number as u32))
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        if a == NO || a == !b {
            return NO;
        }
        if a == YES || a == b {
            return b;
        }
        if let Some(known) = self.known.get(&(a, b)) {
            return *known;
        }
        if let Some(simple) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
            return simple;
        }
        let lit = self.push(Node::And(a, b));
        if !self.full {
            self.known.insert((a, b), lit);
        }
        lit
    }

    /// `a && (a && c)` is `a && c`, `a && (!a && c)` is false, `a && !(!a && c)` is `a`.
    fn absorbed(&self, a: Lit, b: Lit) -> Option<Lit> {
        let Node::And(x, y) = self.nodes[b.node()] else {
            return None;
        };
        match (b.is_negated(), x == a || y == a, x == !a || y == !a) {
            (false, true, _) => Some(b),
            (false, _, true) => Some(NO),
            (true, _, true) => Some(a),
            _ => None,
        }
    }

    /// One of them.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// All of them.
    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut row: Vec<Lit> = lits.into_iter().collect();
        // In pairs, so that the graph does not get deep.
        while row.len() > 1 {
            row = (row.chunks(2))
                .map(|pair| self.and(pair[0], *pair.last().unwrap_or(&pair[0])))
                .collect();
        }
        row.pop().unwrap_or(YES)
    }

    /// Some of them.
    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let none: Vec<Lit> = lits.into_iter().map(|lit| !lit).collect();
        !self.all(none)
    }

    /// Whether they differ.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (left, right) = (self.and(a, !b), self.and(!a, b));
        self.or(left, right)
    }

    /// `a` where the condition holds, else `b`.
    pub fn choose(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if a == b {
            return a;
        }
        let (yes, no) = (self.and(condition, a), self.and(!condition, b));
        self.or(yes, no)
    }

    /// The truth of every node, given that of inputs and latches.
    #[cfg(test)]
    pub fn values(&self, inputs: &[bool], latches: &[bool]) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let of = |lit: Lit| values[lit.node()] != lit.is_negated();
            let value = match *node {
                Node::Constant => false,
                Node::Input(i) => inputs[i as usize],
                Node::Latch(l) => latches[l as usize],
                Node::And(a, b) => of(a) && of(b),
            };
            values.push(value);
        }
        values
    }
}
