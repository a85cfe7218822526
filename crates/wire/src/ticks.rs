//! Conversion of ticks to nanoseconds. The stamps of records in a ring can be ticks.
//!
//! Time is a piecewise linear function of ticks. Each piece applies from its first tick to the
//! first tick of the next piece. The writer thread calculates the pieces and stores them in the
//! crash image, so that recovered records have the same times.

/// The period of the counter: nanoseconds per tick, times 2^54.
///
/// Counters of 1 MHz or more can be represented. The rounding error is less than a thousandth of a
/// nanosecond per hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(pub u64);

impl Rate {
    const SHIFT: u32 = 54;

    /// The rate of a counter of nanoseconds.
    pub const NANOSECONDS: Rate = Rate(1 << Rate::SHIFT);

    /// Returns the rate of a counter that counts `ticks` ticks in `ns` nanoseconds.
    pub fn of(ns: u64, ticks: u64) -> Rate {
        let rate = (u128::from(ns) << Rate::SHIFT) / u128::from(ticks.max(1));
        Rate(u64::try_from(rate).unwrap_or(u64::MAX).max(1))
    }

    /// Returns the duration of `ticks` in nanoseconds, rounded down and truncated to 64 bits.
    #[inline(always)]
    pub fn ns(self, ticks: u64) -> u64 {
        ((u128::from(ticks) * u128::from(self.0)) >> Rate::SHIFT) as u64
    }

    /// The limit of [`Rate::short_ns`].
    pub const SHORT_TICKS: u64 = 1 << Rate::SHIFT;

    /// Returns the same as [`Rate::ns`] for fewer than [`Rate::SHORT_TICKS`] ticks, and is faster.
    #[inline(always)]
    pub fn short_ns(self, ticks: u64) -> u64 {
        debug_assert!(ticks < Rate::SHORT_TICKS, "{ticks}");
        // The result is the upper half of the product.
        const UP: u32 = u64::BITS - Rate::SHIFT;
        ((u128::from(ticks << UP) * u128::from(self.0)) >> u64::BITS) as u64
    }

    /// Returns the number of ticks in `ns` nanoseconds; `u64::MAX` if they do not fit.
    pub fn ticks(self, ns: u64) -> u64 {
        let ticks = (u128::from(ns) << Rate::SHIFT) / u128::from(self.0.max(1));
        u64::try_from(ticks).unwrap_or(u64::MAX)
    }

    /// Returns the frequency of the counter, in ticks per second.
    pub fn hertz(self) -> u64 {
        self.ticks(1_000_000_000)
    }
}

/// A linear piece of the function from ticks to nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The tick at which the piece starts.
    pub first_ticks: u64,
    /// The time at the first tick, in nanoseconds.
    pub first_ns: u64,
    /// The slope: nanoseconds per tick.
    pub rate: Rate,
}

impl Piece {
    /// Returns the number of ticks from the start of the piece to `ticks`, or `None` if the piece
    /// starts later. The counter may wrap around.
    #[inline(always)]
    pub fn elapsed(&self, ticks: u64) -> Option<u64> {
        let elapsed = ticks.wrapping_sub(self.first_ticks);
        (elapsed.cast_signed() >= 0).then_some(elapsed)
    }

    /// Returns the time at `ticks`, in nanoseconds. Extrapolates if the piece starts later.
    pub fn ns_at(&self, ticks: u64) -> u64 {
        let elapsed = ticks.wrapping_sub(self.first_ticks).cast_signed();
        let ns = self.rate.ns(elapsed.unsigned_abs());
        if elapsed < 0 { self.first_ns.saturating_sub(ns) } else { self.first_ns.saturating_add(ns) }
    }
}

/// Returns the newest piece that starts at or before `ticks`, or the oldest piece if all start
/// later. `pieces` are ordered from the newest to the oldest.
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
    fn conversion_to_ticks_and_back_loses_at_most_a_tick() {
        for hertz in [1_000_000, 24_000_000, 999_999_999, 1_000_000_000, 2_100_000_000, 5_999_999_999] {
            let rate = Rate::of(1_000_000_000, hertz);
            assert!(rate.hertz().abs_diff(hertz) <= 1, "{hertz}");
            for ticks in [0, 1, hertz, (1 << 53) + 12_345, Rate::SHORT_TICKS - 1] {
                assert_eq!(rate.short_ns(ticks), rate.ns(ticks), "{hertz} {ticks}");
            }
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
