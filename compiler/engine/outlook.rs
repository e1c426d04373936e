//! How large a search will be, from how it has grown so far.
//!
//! The levels of a search first grow by a factor that gets smaller from level to level, and then shrink likewise: their sizes make a
//! bell. So the last levels, put together in a few parts of equal length, tell how fast the growth declines, and that is
//! taken to go on. It is a guess: it may decide which search is tried first, never what is found.

/// How far a search has come, and how far it may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outlook {
    /// States found.
    pub states: u64,
    /// About how many there may be in the end; none if it grows faster and faster, or it is too early to tell.
    pub total: Option<u64>,
}

/// So many parts at the end are looked at.
const PARTS: usize = 4;

/// With fewer levels it is too early to tell.
const FEWEST: usize = 3 * PARTS;

/// Growth that declines by less than this may never end.
const LEAST_DECLINE: f64 = 1e-3;

impl Outlook {
    /// That of a search with levels of these sizes.
    pub fn new(sizes: &[u64]) -> Outlook {
        let states = sizes.iter().sum();
        Outlook {
            states,
            total: more(sizes).map(|more| states + more),
        }
    }
}

/// About how many states are to come.
fn more(sizes: &[u64]) -> Option<u64> {
    if sizes.len() < FEWEST {
        return None;
    }
    // The last third is late enough, and long enough to even out.
    let length = (sizes.len() / FEWEST).max(1);
    let last = &sizes[sizes.len() - PARTS * length..];
    let sum = |part: &[u64]| part.iter().sum::<u64>() as f64;
    let logs: Vec<f64> = last.chunks(length).map(|part| sum(part).ln()).collect();
    let growth: Vec<f64> = logs.windows(2).map(|two| two[1] - two[0]).collect();
    let decline = (growth[0] - growth[2]) / 2.0;
    if decline < LEAST_DECLINE {
        return None;
    }
    let (mut size, mut growth, mut more) = (logs[3], growth[2], 0.0);
    loop {
        growth -= decline;
        size += growth;
        if size < 0.0 {
            return Some(more as u64);
        }
        more += size.exp();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The levels of a bell with its middle at a level.
    fn bell(middle: f64, width: f64, levels: usize) -> Vec<u64> {
        let size = |level: usize| {
            let x = (level as f64 - middle) / width;
            (1e6 * (-x * x / 2.0).exp()) as u64 + 1
        };
        (0..levels).map(size).collect()
    }

    #[test]
    fn a_bell_is_foreseen() {
        let all: u64 = bell(40.0, 10.0, 90).iter().sum();
        for levels in [25, 30, 40, 50] {
            let seen = Outlook::new(&bell(40.0, 10.0, levels));
            let total = seen.total.expect("it declines");
            assert!(
                total > all / 2 && total < 2 * all,
                "{levels}: {total} of {all}"
            );
            assert!(seen.states <= total);
        }
    }

    #[test]
    fn what_grows_and_grows_has_no_end_in_sight() {
        let sizes: Vec<u64> = (0..30).map(|level| 1 << level).collect();
        let outlook = Outlook::new(&sizes);
        assert_eq!(outlook.total, None);
        assert_eq!(outlook.states, (1 << 30) - 1);
        assert_eq!(Outlook::new(&[1, 2, 3]).total, None);
        assert_eq!(Outlook::new(&[]), Outlook::default());
    }
}
