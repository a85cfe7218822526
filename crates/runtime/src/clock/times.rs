//! The writer thread's conversion of stamps to times.

use std::sync::atomic::Ordering;

use ringtrace_wire::ticks::{Piece, Rate};

use super::sample::Sample;
use super::timeline::Timeline;
use super::{Machine, RATE, stamps_are_ticks};

/// A stamp this far ahead of the last clock reading (16 seconds at 4 GHz) cannot belong to a new
/// record, because the writer thread reads the rings soon after the clock.
const FUTURE_TICKS: u64 = 1 << 36;

#[derive(Debug)]
pub(crate) struct Times {
    /// `None` if stamps are already times.
    timeline: Option<Timeline>,
    /// The piece used last, and the number of ticks for which it is valid.
    piece: Piece,
    span_ticks: u64,
    /// The number of the last piece that [`Times::pieces`] has reported.
    given: u64,
}

/// The conversion of some stamps of one piece, for loops that keep it in registers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conversion {
    piece: Piece,
    span_ticks: u64,
}

impl Conversion {
    /// Returns the same as [`Times::ns`], or `None` for stamps outside its range.
    #[inline(always)]
    pub(crate) fn ns(&self, stamp: u64) -> Option<u64> {
        let elapsed = stamp.wrapping_sub(self.piece.first_ticks);
        (elapsed < self.span_ticks).then(|| self.piece.first_ns + self.piece.rate.short_ns(elapsed))
    }
}

impl Times {
    pub(crate) fn new() -> Times {
        let rate = Rate(RATE.load(Ordering::Relaxed));
        let timeline = stamps_are_ticks().then(|| Timeline::new(rate, Sample::best(&Machine)));
        Times { timeline, piece: Piece { first_ticks: 0, first_ns: 0, rate }, span_ticks: 0, given: 0 }
    }

    /// Creates the conversion for a clock whose stamps are times.
    #[cfg(test)]
    pub(crate) fn for_nanoseconds() -> Times {
        let piece = Piece { first_ticks: 0, first_ns: 0, rate: Rate::NANOSECONDS };
        Times { timeline: None, piece, span_ticks: 0, given: 0 }
    }

    /// Decides the times of the collected stamps. Call it after collecting stamps, at least every
    /// second or so.
    pub(crate) fn renew(&mut self) {
        if let Some(timeline) = &mut self.timeline {
            timeline.decide(&Machine);
            self.span_ticks = 0;
        }
    }

    /// Returns the time of a stamp read before [`Times::renew`]. Later stamps never have earlier
    /// times.
    #[inline]
    pub(crate) fn ns(&mut self, stamp: u64) -> u64 {
        let Some(timeline) = &self.timeline else { return stamp };
        let elapsed = stamp.wrapping_sub(self.piece.first_ticks);
        if elapsed < self.span_ticks {
            return self.piece.first_ns + self.piece.rate.ns(elapsed);
        }
        std::hint::cold_path();
        if let Some((piece, span_ticks)) = timeline.piece_at(stamp) {
            (self.piece, self.span_ticks) = (piece, span_ticks);
        }
        timeline.ns_at(stamp)
    }

    /// Returns the conversion of stamps up to `until` that are near `stamp`, which was just converted.
    pub(crate) fn conversion(&self, stamp: u64, until: u64) -> Conversion {
        let (piece, span_ticks) = match self.timeline {
            Some(_) => (self.piece, self.span_ticks),
            None => (Piece { first_ticks: stamp, first_ns: stamp, rate: Rate::NANOSECONDS }, u64::MAX),
        };
        let until_ticks = until.checked_sub(piece.first_ticks).map_or(0, |last| last.saturating_add(1));
        Conversion { piece, span_ticks: span_ticks.min(until_ticks).min(Rate::SHORT_TICKS) }
    }

    /// Returns whether `stamp`, which seems to be later than `now`, is from before the counter was
    /// set back.
    pub(crate) fn is_stale(&self, stamp: u64, now: u64) -> bool {
        self.timeline.is_some() && stamp.saturating_sub(now) > FUTURE_TICKS
    }

    /// Calls `f` with the number (from 1) and the contents of each piece added since the last call.
    pub(crate) fn pieces(&mut self, f: impl FnMut(u64, &Piece)) {
        if let Some(timeline) = &self.timeline {
            self.given = timeline.pieces_since(self.given, f);
        }
    }

    pub(crate) fn jumps(&self) -> u64 {
        self.timeline.as_ref().map_or(0, Timeline::jumps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_have_a_range() {
        let conversion = Times::for_nanoseconds().conversion(100, u64::MAX);
        assert_eq!(
            (conversion.ns(99), conversion.ns(100), conversion.ns(1 << 50)),
            (None, Some(100), Some(1 << 50))
        );
        assert_eq!(conversion.ns(100 + Rate::SHORT_TICKS), None);
        assert_eq!(Times::for_nanoseconds().conversion(100, 99).ns(100), None);
    }

    #[test]
    fn a_conversion_ends_with_its_piece() {
        let rate = Rate::NANOSECONDS;
        let timeline = Some(Timeline::new(rate, Sample::best(&Machine)));
        let piece = Piece { first_ticks: 1000, first_ns: 5000, rate };
        let conversion = Times { timeline, piece, span_ticks: 10, given: 0 }.conversion(1000, u64::MAX);
        assert_eq!(
            [999, 1000, 1009, 1010].map(|stamp| conversion.ns(stamp)),
            [None, Some(5000), Some(5009), None]
        );
    }
}
