//! How fast the rings fill, and so when the writer thread has to read them again.

use std::time::{Duration, Instant};

/// The part of a ring that should be filled at the end of a nap.
const FILLED: f64 = 3.0 / 8.0;

/// The longest nap. If filling the rings takes longer, the system call of a thread that wakes the
/// writer thread does not matter.
const LONGEST: Duration = Duration::from_millis(4);

/// If rings fill faster, which only small ones do, a nap could end too late.
const FASTEST: Duration = Duration::from_micros(100);

/// A shorter nap would take more processor time than it saves.
const SHORTEST: Duration = Duration::from_micros(10);

/// How much later than requested a nap can end, because the kernel combines timers.
const TIMER_SLACK: Duration = Duration::from_micros(50);

/// The rate at which the fullest ring has filled before the current pass over the rings.
#[derive(Debug, Default)]
pub(super) struct Pace {
    started: Option<Instant>,
    /// The time between the starts of the last two passes.
    between: Option<Duration>,
    /// The largest part of a ring that was readable in the current pass.
    fullest: f64,
}

impl Pace {
    pub(super) fn start_pass(&mut self, now: Instant) {
        self.between = self.started.map(|started| now - started);
        self.started = Some(now);
        self.fullest = 0.0;
    }

    /// Notes that `readable` bytes of a ring of `ring_bytes` bytes were readable.
    pub(super) fn note(&mut self, readable: usize, ring_bytes: u32) {
        self.fullest = self.fullest.max(readable as f64 / f64::from(ring_bytes));
    }

    /// Returns how long to nap so that [`FILLED`] of the fullest ring is filled afterwards. Returns
    /// `None` if that takes longer than [`LONGEST`] or less than [`FASTEST`].
    pub(super) fn nap(&self, now: Instant) -> Option<Duration> {
        let filling = self.between?.mul_f64(FILLED);
        if filling >= LONGEST.mul_f64(self.fullest) {
            return None;
        }
        let filling = filling.div_f64(self.fullest);
        if filling < FASTEST {
            return None;
        }
        Some(filling.saturating_sub(now - self.started? + TIMER_SLACK).max(SHORTEST))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const RING_BYTES: u32 = 1 << 20;

    /// Returns the nap after a pass that took `pass_us`, started `between_us` after the previous one,
    /// and found `readable` bytes.
    fn nap(between_us: u64, readable: usize, pass_us: u64) -> Option<Duration> {
        let start = Instant::now();
        let second = start + Duration::from_micros(between_us);
        let mut pace = Pace::default();
        pace.start_pass(start);
        pace.note(RING_BYTES as usize, RING_BYTES);
        pace.start_pass(second);
        pace.note(readable / 2, RING_BYTES);
        pace.note(readable, RING_BYTES);
        pace.nap(second + Duration::from_micros(pass_us))
    }

    #[test]
    fn a_nap_ends_when_three_eighths_are_filled() {
        assert_eq!(nap(200, 1 << 18, 100), Some(Duration::from_micros(300 - 100 - 50)));
        assert_eq!(nap(200, 1 << 18, 280), Some(SHORTEST));
        assert_eq!(nap(2000, 1 << 18, 0), Some(Duration::from_micros(3000 - 50)));
    }

    #[test]
    fn there_is_no_nap_if_rings_fill_slowly_or_very_fast() {
        assert_eq!(nap(60, 1 << 18, 0), None);
        assert_eq!(nap(3000, 1 << 18, 0), None);
        assert_eq!(nap(100, 1 << 10, 0), None);
        assert_eq!(nap(100, 0, 0), None);
        assert_eq!(nap(0, 0, 0), None);
        assert_eq!(Pace::default().nap(Instant::now()), None);
    }

    proptest! {
        #[test]
        fn a_nap_is_limited(between_us in 0u64..1 << 40, readable in 0usize..1 << 20, pass_us in 0u64..1 << 40) {
            if let Some(nap) = nap(between_us, readable, pass_us) {
                prop_assert!(nap <= LONGEST && nap >= SHORTEST);
                let filled = (pass_us as f64 + nap.as_micros() as f64) / between_us as f64 * readable as f64;
                prop_assert!(nap == SHORTEST || filled <= FILLED * f64::from(RING_BYTES));
            }
        }
    }
}
