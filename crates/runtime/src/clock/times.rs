//! From stamps to times: the writer thread's.

use std::sync::atomic::Ordering;

use ringtrace_wire::ticks::{Piece, Rate};

use super::sample::Sample;
use super::timeline::Timeline;
use super::{Machine, RATE, stamps_are_ticks};

/// Nobody reads the rings so much later than it has read the clock: 16 seconds at 4 GHz.
const FUTURE_TICKS: u64 = 1 << 36;

/// Turns stamps to times.
#[derive(Debug)]
pub(crate) struct Times {
    /// `None`: stamps are times.
    timeline: Option<Timeline>,
    /// The piece that was needed last, and for how many ticks it holds.
    piece: Piece,
    span_ticks: u64,
    /// The number of the last piece that [`Times::pieces`] gave.
    given: u64,
}

impl Times {
    /// For stamps of the clock that was started.
    pub(crate) fn new() -> Times {
        let rate = Rate(RATE.load(Ordering::Relaxed));
        let timeline = stamps_are_ticks().then(|| Timeline::new(rate, Sample::best(&Machine)));
        Times { timeline, piece: Piece { first_ticks: 0, first_ns: 0, rate }, span_ticks: 0, given: 0 }
    }

    /// To be called after stamps were collected, and at least every second or so: decides which times they mean.
    pub(crate) fn renew(&mut self) {
        if let Some(timeline) = &mut self.timeline {
            timeline.decide(&Machine);
            self.span_ticks = 0;
        }
    }

    /// The time that a stamp means that was read before [`Times::renew`]. For growing stamps, times never decrease.
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

    /// Whether a stamp that is later than `now`, a stamp itself, is no new one, but from before the counter was set back.
    pub(crate) fn is_stale(&self, stamp: u64, now: u64) -> bool {
        self.timeline.is_some() && stamp.saturating_sub(now) > FUTURE_TICKS
    }

    /// Gives the pieces that were added since to `f`, with their numbers, which begin at 1.
    pub(crate) fn pieces(&mut self, f: impl FnMut(u64, &Piece)) {
        if let Some(timeline) = &self.timeline {
            self.given = timeline.pieces_since(self.given, f);
        }
    }

    /// How often the counter or the clock jumped.
    pub(crate) fn jumps(&self) -> u64 {
        self.timeline.as_ref().map_or(0, Timeline::jumps)
    }
}
