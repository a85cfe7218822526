//! Compares two pieces of code in alternating bursts, so that a disturbance affects both.

use crate::recording::stopwatch::time_ns;

/// Number of events in a burst.
pub const BURST: u64 = 1000;
/// Number of events emitted before each burst, untimed, to fill the caches.
pub const WARM_UP: u64 = 100;
/// Number of bursts of each side in a round.
const BURSTS_A_ROUND: usize = 200;

/// One of the two sides of a comparison.
#[expect(missing_debug_implementations, reason = "closures do not implement it")]
pub struct Side<'s> {
    /// Emits the given number of events.
    pub emit: &'s mut dyn FnMut(u64),
    /// Empties the buffers. Called after each burst, untimed.
    pub settle: &'s mut dyn FnMut(),
}

/// The result of a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Round {
    /// Our side's time per event.
    pub ours_ns: f64,
    /// The other side's time per event.
    pub theirs_ns: f64,
    /// Our time divided by the other side's. It is the median over pairs of bursts, because the
    /// processor's speed may change during a round.
    pub ratio: f64,
    /// Our time minus the other side's: the median over pairs of bursts.
    pub added_ns: f64,
}

impl Side<'_> {
    fn burst_ns(&mut self) -> f64 {
        (self.emit)(WARM_UP);
        let ns = time_ns(|| (self.emit)(BURST)) / BURST as f64;
        (self.settle)();
        ns
    }
}

/// Returns the number of events that a side emits in a round.
pub const fn events_a_round() -> u64 {
    BURSTS_A_ROUND as u64 * (BURST + WARM_UP)
}

/// Measures one round of alternating bursts. Which side goes first also alternates.
pub fn round(ours: &mut Side<'_>, theirs: &mut Side<'_>) -> Round {
    let pairs: Vec<(f64, f64)> = (0..BURSTS_A_ROUND)
        .map(|number| {
            if number % 2 == 0 {
                let our_ns = ours.burst_ns();
                (our_ns, theirs.burst_ns())
            } else {
                let their_ns = theirs.burst_ns();
                (ours.burst_ns(), their_ns)
            }
        })
        .collect();
    let of = |value: fn(&(f64, f64)) -> f64| median(pairs.iter().map(value).collect());
    Round {
        ours_ns: of(|pair| pair.0),
        theirs_ns: of(|pair| pair.1),
        ratio: of(|pair| pair.0 / pair.1),
        added_ns: of(|pair| pair.0 - pair.1),
    }
}

/// Returns the median of `values`, which must not be empty.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_emit_all_events_and_settle_after_each_burst() {
        let (mut ours, mut theirs, mut settled) = (0, 0, 0);
        let round = round(
            &mut Side { emit: &mut |events| ours += events, settle: &mut || settled += 1 },
            &mut Side { emit: &mut |events| theirs += events, settle: &mut || {} },
        );
        assert_eq!((ours, theirs, settled), (events_a_round(), events_a_round(), BURSTS_A_ROUND));
        assert!(round.ours_ns >= 0.0 && round.theirs_ns >= 0.0);
    }

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median(vec![9.0, 1.0, 5.0]), 5.0);
    }
}
