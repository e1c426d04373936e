//! Operators on bits have the values that they have on numbers.

use super::super::bits::Bits;
use super::super::graph::Graph;
use super::super::word::Word;
use crate::system::Op;
use crate::testing::random::Random;

const OPS: [Op; 11] = [
    Op::Eq,
    Op::Ne,
    Op::Lt,
    Op::Le,
    Op::Gt,
    Op::Ge,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Div,
    Op::Rem,
];

/// The value of a word, given those of the graph's nodes.
fn read(word: &Word, values: &[bool]) -> i64 {
    let bit = |index: usize| values[word.bits[index].node()] != word.bits[index].is_negated();
    let sign = word.bits.len() - 1;
    let start = if bit(sign) { -1 } else { 0 };
    (0..sign)
        .rev()
        .fold(start, |value, index| value << 1 | i64::from(bit(index)))
}

#[test]
fn operators_have_their_values() {
    let mut random = Random::new(1);
    let mut compared = 0;
    for _ in 0..300 {
        let mut graph = Graph::new(1 << 20);
        let mut range = || {
            let lo = random.between(-20, 20);
            (lo, lo + random.between(0, 12))
        };
        let (first, second) = (range(), range());
        let mut count = 0;
        let mut fresh = || {
            count += 1;
            count - 1
        };
        let (a, b) = (Bits::of(first, &mut fresh), Bits::of(second, &mut fresh));
        let inputs: Vec<_> = (0..count).map(|i| graph.input(i)).collect();
        let (x, y) = (a.word(|i| inputs[i]), b.word(|i| inputs[i]));
        let sound = [a.is_value(&mut graph, &x), b.is_value(&mut graph, &y)];
        let minus = graph.negative(&x);
        let results = OPS.map(|op| graph.apply(op, &x, &y));
        for _ in 0..20 {
            let (m, n) = (
                random.between(first.0, first.1),
                random.between(second.0, second.1),
            );
            let mut frame = vec![false; count];
            for (bits, value) in [(&a, m), (&b, n)] {
                for (index, part) in bits.parts.iter().enumerate() {
                    if let super::super::bits::Part::Free(input) = part {
                        frame[*input] = value >> index & 1 != 0;
                    }
                }
            }
            assert_eq!((a.value(|i| frame[i]), b.value(|i| frame[i])), (m, n));
            let values = graph.values(&frame, &[]);
            assert!(
                sound
                    .iter()
                    .all(|lit| values[lit.node()] != lit.is_negated())
            );
            assert_eq!(read(&minus, &values), -m);
            for (op, word) in OPS.iter().zip(&results) {
                assert_eq!(
                    read(word, &values),
                    op.apply(m, n),
                    "{m} {} {n}",
                    op.as_str()
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 10_000);
}

#[test]
fn what_is_no_value_is_told() {
    for (lo, hi) in [(0, 4), (-3, 2), (5, 6), (-9, -3), (0, 7), (1, 1), (-1, 0)] {
        let mut graph = Graph::new(1 << 20);
        let mut count = 0;
        let bits = Bits::of((lo, hi), || {
            count += 1;
            count - 1
        });
        let inputs: Vec<_> = (0..count).map(|i| graph.input(i)).collect();
        let word = bits.word(|i| inputs[i]);
        let sound = bits.is_value(&mut graph, &word);
        let mut seen = Vec::new();
        for code in 0..1usize << count {
            let frame: Vec<bool> = (0..count).map(|i| code >> i & 1 != 0).collect();
            let values = graph.values(&frame, &[]);
            let value = bits.value(|i| frame[i]);
            let told = values[sound.node()] != sound.is_negated();
            assert_eq!(told, lo <= value && value <= hi, "{value} in {lo}..{hi}");
            seen.extend(told.then_some(value));
        }
        seen.sort_unstable();
        assert_eq!(seen, (lo..=hi).collect::<Vec<_>>());
    }
}

#[test]
fn a_graph_that_is_full_ends() {
    let mut graph = Graph::new(20);
    let inputs: Vec<_> = (0..8).map(|i| graph.input(i)).collect();
    let word = Word {
        bits: inputs,
        bounds: (-128, 127),
    };
    graph.apply(Op::Mul, &word, &word);
    assert!(graph.is_full());
    assert!(graph.nodes().len() <= 20);
}
