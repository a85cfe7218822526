//! Two things in turns, burst by burst: what disturbs the machine disturbs both.

use crate::recording::stopwatch::time_ns;

/// How many events a burst has.
pub const BURST: u64 = 1000;
/// How many of each are emitted before a burst, untimed: what ran between two bursts has left the processor's caches in its own manner.
pub const WARM_UP: u64 = 100;
/// How many bursts of each make a round.
const BURSTS_A_ROUND: usize = 200;

/// One of two that are compared.
#[expect(missing_debug_implementations, reason = "closures have none")]
pub struct Side<'s> {
    /// Emits as many events as it is told.
    pub emit: &'s mut dyn FnMut(u64),
    /// Makes room again. Called after each burst, untimed.
    pub settle: &'s mut dyn FnMut(),
}

/// What one round came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Round {
    /// For an event of ours.
    pub ours_ns: f64,
    /// For an event of what it is compared with.
    pub theirs_ns: f64,
    /// Ours in units of theirs: the median of the bursts' own ratios, because the processor's speed changes within a round.
    pub ratio: f64,
    /// Ours without theirs: the median of the bursts' own differences.
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

/// How many events a side emits in a round.
pub const fn events_a_round() -> u64 {
    BURSTS_A_ROUND as u64 * (BURST + WARM_UP)
}

/// One round of bursts, in turns; which goes first changes.
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

/// The middle one of `values`, of which there is one at least.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_emit_what_is_said_and_settle_after_each_burst() {
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
