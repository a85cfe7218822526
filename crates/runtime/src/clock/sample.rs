//! Samples, which are readings of the counter and the kernel's clock at the same moment.

use ringtrace_wire::ticks::Rate;

/// A source of ticks and of the true time: the machine, or a test's simulation.
pub(super) trait TimeSource {
    fn ticks(&self) -> u64;
    fn monotonic_ns(&self) -> u64;
}

/// A reading of the counter and the kernel's clock at the same moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub(super) ticks: u64,
    pub(super) ns: u64,
    /// The uncertainty of the moment, in ticks.
    pub(super) width_ticks: u64,
}

impl Sample {
    pub(super) fn quick(source: &impl TimeSource) -> Sample {
        let before = source.ticks();
        let ns = source.monotonic_ns();
        let width_ticks = source.ticks().wrapping_sub(before);
        Sample { ticks: before.wrapping_add(width_ticks / 2), ns, width_ticks }
    }

    /// Takes several samples, and returns the one with the smallest uncertainty.
    pub(super) fn best(source: &impl TimeSource) -> Sample {
        let mut best = Sample::quick(source);
        for _ in 0..7 {
            let other = Sample::quick(source);
            if other.width_ticks < best.width_ticks {
                best = other;
            }
        }
        best
    }

    /// Returns the rate between `earlier` and this sample, or `None` if either clock did not
    /// advance.
    pub(super) fn rate_since(&self, earlier: &Sample) -> Option<Rate> {
        let ticks = self.ticks.wrapping_sub(earlier.ticks);
        let ns = self.ns.checked_sub(earlier.ns).filter(|&ns| ns > 0)?;
        (ticks.cast_signed() > 0).then(|| Rate::of(ns, ticks))
    }

    /// Returns the true time at `ticks`, before or after this sample, if the counter continues at
    /// `rate`.
    pub(super) fn ns_at(&self, ticks: u64, rate: Rate) -> u64 {
        let since = ticks.wrapping_sub(self.ticks).cast_signed();
        let ns = rate.ns(since.unsigned_abs());
        if since < 0 { self.ns.saturating_sub(ns) } else { self.ns.saturating_add(ns) }
    }
}
