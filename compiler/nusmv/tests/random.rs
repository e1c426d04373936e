//! Random Systems: NuSMV accepts what is emitted and agrees with the walker.

use super::super::{Count, Limits, count_states, emit};
use super::tool;
use crate::source::Sources;
use crate::testing::system::random_system;
use crate::weave::state::walk;

#[test]
fn emission_has_exactly_the_states_of_the_system() {
    let tool = tool();
    let sources = Sources::new();
    let mut compared = 0;
    for seed in 0..120 {
        let system = random_system(seed);
        let Some(states) = walk(&system, 20_000) else {
            continue;
        };
        let emitted = emit(&system, &sources);
        let count = count_states(&tool, &emitted, Limits::default())
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", emitted.text));
        assert_eq!(
            count,
            Count::Exact(states.len() as u64),
            "seed {seed}\n{}",
            emitted.text
        );
        compared += 1;
    }
    assert!(compared >= 100, "{compared}");
}
