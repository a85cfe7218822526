//! What is measured: the counter and the kernel's clock at the same moment. And rates, which is what follows of two.

/// Where ticks and the true time come from: the machine, or a test's own world.
pub(super) trait Source {
    /// The counter's ticks; a tick is less than a nanosecond.
    fn ticks(&self) -> u64;
    /// CLOCK_MONOTONIC.
    fn monotonic_ns(&self) -> u64;
}

/// How fast the counter is: nanoseconds for each tick, times 2^64.
///
/// Less than a nanosecond for a tick, so that the upper half of a product is the result, without a shift. An hour's
/// ticks times the last bit of it are less than a millionth of a nanosecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rate(pub(super) u64);

impl Rate {
    /// The slowest counter that we use ticks 1.05 times a nanosecond: so there is room to correct upwards.
    pub(super) const SLOWEST: Rate = Rate((u64::MAX / 105) * 100);

    /// The rate of a counter that needs `ticks` for `ns`.
    pub(super) fn of(ns: u64, ticks: u64) -> Rate {
        let rate = (u128::from(ns) << 64) / u128::from(ticks.max(1));
        Rate(u64::try_from(rate).unwrap_or(u64::MAX).max(1))
    }

    /// What `ticks` last, in nanoseconds, rounded down.
    #[inline(always)]
    pub(super) fn ns(self, ticks: u64) -> u64 {
        ((u128::from(ticks) * u128::from(self.0)) >> 64) as u64
    }

    /// How many ticks `ns` are.
    pub(super) fn ticks(self, ns: u64) -> u64 {
        u64::try_from((u128::from(ns) << 64) / u128::from(self.0)).unwrap_or(u64::MAX)
    }

    /// Ticks in a second.
    pub(super) fn hertz(self) -> u64 {
        self.ticks(1_000_000_000)
    }
}

/// The counter and the kernel's clock at the same moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub(super) ticks: u64,
    pub(super) ns: u64,
    /// The moment is known to this many ticks.
    pub(super) width_ticks: u64,
}

impl Sample {
    /// The best of some tries: the one that was interrupted least.
    pub(super) fn take(source: &impl Source) -> Sample {
        let once = || {
            let before = source.ticks();
            let ns = source.monotonic_ns();
            let width_ticks = source.ticks().wrapping_sub(before);
            Sample { ticks: before.wrapping_add(width_ticks / 2), ns, width_ticks }
        };
        let mut best = once();
        for _ in 0..7 {
            let other = once();
            if other.width_ticks < best.width_ticks {
                best = other;
            }
        }
        best
    }

    /// The rate from `earlier` to this one; `None` where either clock did not move forward.
    pub(super) fn rate_since(&self, earlier: &Sample) -> Option<Rate> {
        let ticks = self.ticks.wrapping_sub(earlier.ticks);
        let ns = self.ns.checked_sub(earlier.ns).filter(|&ns| ns > 0)?;
        (ticks.cast_signed() > 0).then(|| Rate::of(ns, ticks))
    }

    /// The true time at `ticks`, before or after this sample, if the counter keeps `rate`.
    pub(super) fn ns_at(&self, ticks: u64, rate: Rate) -> u64 {
        let since = ticks.wrapping_sub(self.ticks).cast_signed();
        let ns = rate.ns(since.unsigned_abs());
        if since < 0 { self.ns.saturating_sub(ns) } else { self.ns.saturating_add(ns) }
    }
}
