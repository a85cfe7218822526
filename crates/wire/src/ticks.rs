//! From ticks of the processor's counter, which records in a ring may have for times, to nanoseconds.
//!
//! Time is a function of ticks in straight pieces, and each piece holds from its first tick on until the next one's. The writer thread decides
//! pieces, and keeps them in the crash image, so that who reads rings there gives records the same times.

/// How fast the counter is: nanoseconds for each tick, times 2^54.
///
/// Counters of a megahertz and more fit; and an hour's ticks, times the last bit of it, are less than a thousandth of a nanosecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(pub u64);

impl Rate {
    const SHIFT: u32 = 54;

    /// The rate of a counter that needs `ticks` for `ns`.
    pub fn of(ns: u64, ticks: u64) -> Rate {
        let rate = (u128::from(ns) << Rate::SHIFT) / u128::from(ticks.max(1));
        Rate(u64::try_from(rate).unwrap_or(u64::MAX).max(1))
    }

    /// What `ticks` last, in nanoseconds, rounded down; what is behind 64 bits is cut.
    #[inline(always)]
    pub fn ns(self, ticks: u64) -> u64 {
        ((u128::from(ticks) * u128::from(self.0)) >> Rate::SHIFT) as u64
    }

    /// How many ticks `ns` are.
    pub fn ticks(self, ns: u64) -> u64 {
        let ticks = (u128::from(ns) << Rate::SHIFT) / u128::from(self.0.max(1));
        u64::try_from(ticks).unwrap_or(u64::MAX)
    }

    /// Ticks in a second.
    pub fn hertz(self) -> u64 {
        self.ticks(1_000_000_000)
    }
}

/// A straight piece of the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins.
    pub first_ticks: u64,
    /// The time there.
    pub first_ns: u64,
    /// Nanoseconds for ticks.
    pub rate: Rate,
}

impl Piece {
    /// How many ticks before `ticks` it begins; `None`: it begins later. Counters may wrap.
    #[inline(always)]
    pub fn elapsed(&self, ticks: u64) -> Option<u64> {
        let elapsed = ticks.wrapping_sub(self.first_ticks);
        (elapsed.cast_signed() >= 0).then_some(elapsed)
    }

    /// The time at `ticks`, by this piece alone, and also before it begins.
    pub fn ns_at(&self, ticks: u64) -> u64 {
        let elapsed = ticks.wrapping_sub(self.first_ticks).cast_signed();
        let ns = self.rate.ns(elapsed.unsigned_abs());
        if elapsed < 0 { self.first_ns.saturating_sub(ns) } else { self.first_ns.saturating_add(ns) }
    }
}

/// The piece that holds at `ticks`, of `pieces` from the newest to the oldest: the newest that begins before. Before all of them, it is the oldest.
pub fn piece_at<'a>(pieces: impl IntoIterator<Item = &'a Piece>, ticks: u64) -> Option<&'a Piece> {
    let mut oldest = None;
    for piece in pieces {
        oldest = Some(piece);
        if piece.elapsed(ticks).is_some() {
            break;
        }
    }
    oldest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_is_the_same() {
        for hertz in [1_000_000, 24_000_000, 999_999_999, 1_000_000_000, 2_100_000_000, 5_999_999_999] {
            let rate = Rate::of(1_000_000_000, hertz);
            assert!(rate.hertz().abs_diff(hertz) <= 1, "{hertz}");
            for ns in [0, 1, 999, 1_000_000_007, 86_400_000_000_000, 1 << 60] {
                let tick_ns = rate.ns(1) + 1;
                let back_ns = rate.ns(rate.ticks(ns));
                assert!(
                    rate.ticks(ns) == u64::MAX || back_ns.abs_diff(ns) <= tick_ns,
                    "{hertz} {ns} {back_ns}"
                );
            }
        }
    }
}
