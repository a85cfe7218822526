//! The function from ticks to nanoseconds, which follows CLOCK_MONOTONIC.
//!
//! Only the writer thread converts ticks to times, after it has collected them. So the function
//! need not predict the future: each time the writer thread has collected ticks, it *decides* the
//! function up to now, and by then it knows the true time. A decided part never changes. So the
//! same ticks always have the same time, and later ticks never have an earlier time. This holds
//! however long a thread was preempted between reading the counter and publishing its record.
//!
//! At each *turn* (soon after the start, then every second) the function is bent. From its decided
//! end, a straight piece leads to the true time, and another piece continues at the best known
//! rate. The first piece lasts half a second. So a correction by nanoseconds does not visibly
//! change the time between two events.
//!
//! Each decision checks whether a clock has jumped. After a jump, times either jump forward or
//! advance slowly, but never decrease:
//!
//! * The counter jumped, forward or back. Possible reasons: it was reset, the guest was moved, or
//!   the counter continued while the system slept, which CLOCK_MONOTONIC does not count. The
//!   function continues from the last decided time, which is assigned to the corresponding ticks
//!   after the jump. Records from before the jump that were not collected yet, usually those of a
//!   tenth of a second, get that time.
//! * The true time is far ahead, because the counter has stopped for a while: times jump to it.
//! * The true time is far behind, which should never occur: times advance at half the normal rate
//!   until the true time has caught up.

use std::collections::VecDeque;

use ringtrace_wire::ticks::{Piece, Rate, piece_at};

use super::calibration::{Calibration, SHORTEST_NS};
use super::sample::{Sample, TimeSource};

/// The time until the first turn. Until then the rate comes from a very short measurement.
const FIRST_TURN_NS: u64 = SHORTEST_NS;
/// The time between the first and the second turn. Each period is twice as long as the previous
/// one.
const FIRST_PERIOD_NS: u64 = 100_000_000;
/// The maximum time between two turns.
const PERIOD_NS: u64 = 1_000_000_000;

/// Smaller errors are not corrected, because the measurement is hardly more accurate than this.
const TOLERANCE_NS: u64 = 10;

/// An error of this size or more causes a turn at once.
const LARGE_NS: u64 = 1_000_000;

/// An error of this size or more is a jump, because slewing is never that fast.
const JUMP_NS: u64 = 100_000_000;

/// The maximum number of retained pieces. They cover several hours at least, because records may
/// stay in a ring that long.
const KEPT: usize = 4096;

/// The function from ticks to nanoseconds: its decided part, and a provisional continuation.
#[derive(Debug)]
pub(super) struct Timeline {
    calibration: Calibration,
    /// The pieces, oldest first. A piece may start in the future.
    pieces: VecDeque<Piece>,
    /// The number of pieces so far, including dropped ones.
    piece_count: u64,
    decided_ticks: u64,
    decided_ns: u64,
    period_ns: u64,
    due_ns: u64,
    jumps: u64,
}

impl Timeline {
    /// Creates a function that starts at the moment of `sample`, for a counter with the given rate.
    pub(super) fn new(rate: Rate, sample: Sample) -> Timeline {
        // Allocate the maximum now, because the writer thread does not allocate while it writes.
        let mut pieces = VecDeque::with_capacity(KEPT + 1);
        pieces.push_back(Piece { first_ticks: sample.ticks, first_ns: sample.ns, rate });
        Timeline {
            calibration: Calibration::new(rate, sample),
            pieces,
            piece_count: 1,
            decided_ticks: sample.ticks,
            decided_ns: sample.ns,
            period_ns: FIRST_PERIOD_NS,
            due_ns: sample.ns + FIRST_TURN_NS,
            jumps: 0,
        }
    }

    pub(super) fn decide(&mut self, source: &impl TimeSource) {
        let mut sample = Sample::quick(source);
        if sample.ns >= self.due_ns || self.error_ns(&sample) >= LARGE_NS {
            // Take a better sample, because the first may have been interrupted.
            sample = Sample::best(source);
            let error_ns = self.error_ns(&sample);
            let is_off = error_ns >= LARGE_NS;
            let is_due = sample.ns >= self.due_ns;
            let is_early = sample.ns < self.calibration.last.ns + SHORTEST_NS;
            let is_blurred = self.calibration.rate.ns(sample.width_ticks) >= LARGE_NS;
            if is_blurred && is_off {
                return; // try again with the next call
            }
            if !is_blurred && (is_due || error_ns >= JUMP_NS || is_off && !is_early) {
                self.turn(sample);
            }
        }
        if self.is_after_decided(sample.ticks) {
            self.decided_ns = self.undecided_ns(sample.ticks).max(self.decided_ns);
            self.decided_ticks = sample.ticks;
        }
    }

    /// Returns the time at `ticks`. Ticks after the decided part get its last time.
    pub(super) fn ns_at(&self, ticks: u64) -> u64 {
        if self.is_after_decided(ticks) { self.decided_ns } else { self.undecided_ns(ticks) }
    }

    /// Returns the piece for `ticks`, and the length of its valid and decided part in ticks.
    pub(super) fn piece_at(&self, ticks: u64) -> Option<(Piece, u64)> {
        let index = self.pieces.iter().rposition(|piece| piece.elapsed(ticks).is_some())?;
        let piece = self.pieces[index];
        let decided = self.decided_ticks.wrapping_sub(piece.first_ticks).wrapping_add(1);
        let later = self.pieces.range(index + 1..);
        let ends = later.filter_map(|later| piece.elapsed(later.first_ticks));
        Some((piece, ends.fold(decided, u64::min)))
    }

    /// Calls `f` with the number (from 1) and the contents of each piece after piece `given`.
    /// Returns the newest number.
    pub(super) fn pieces_since(&self, given: u64, mut f: impl FnMut(u64, &Piece)) -> u64 {
        let first = self.piece_count - self.pieces.len() as u64 + 1;
        let known = (given + 1).saturating_sub(first);
        for (number, piece) in (first..).zip(&self.pieces).skip(known as usize) {
            f(number, piece);
        }
        self.piece_count
    }

    /// The number of the newest piece, for [`Timeline::pieces_from`].
    #[cfg(test)]
    pub(super) fn newest(&self) -> u64 {
        self.piece_count
    }

    /// Returns the piece that applied until piece `number + 1` started, and all later pieces.
    #[cfg(test)]
    pub(super) fn pieces_from(&self, number: u64) -> Vec<Piece> {
        let mut pieces = Vec::new();
        self.pieces_since(number, |_, piece| pieces.push(*piece));
        if let Some(first) = pieces.first() {
            let before = self.pieces.len() - pieces.len();
            let held = piece_at(self.pieces.range(..before).rev(), first.first_ticks).copied();
            pieces.splice(0..0, held);
        }
        pieces
    }

    pub(super) fn jumps(&self) -> u64 {
        self.jumps
    }

    fn is_after_decided(&self, ticks: u64) -> bool {
        ticks.wrapping_sub(self.decided_ticks).cast_signed() > 0
    }

    /// Returns the time at `ticks` according to the pieces, even if it is not decided yet.
    fn undecided_ns(&self, ticks: u64) -> u64 {
        piece_at(self.pieces.iter().rev(), ticks).map_or(0, |piece| piece.ns_at(ticks))
    }

    fn is_set_back(&self, sample: &Sample) -> bool {
        let back = self.decided_ticks.wrapping_sub(sample.ticks).cast_signed();
        // The counters of two processors may differ by a few ticks.
        back > 0 && self.calibration.rate.ns(back.unsigned_abs()) >= LARGE_NS
    }

    /// Returns the function's error at the moment of `sample` or, during a correction, at the end
    /// of the correction.
    fn error_ns(&self, sample: &Sample) -> u64 {
        match self.pieces.back() {
            Some(newest) if !self.is_set_back(sample) => {
                let has_begun = newest.elapsed(sample.ticks).is_some();
                let ticks = if has_begun { sample.ticks } else { newest.first_ticks };
                newest.ns_at(ticks).abs_diff(sample.ns_at(ticks, self.calibration.rate))
            }
            _ => u64::MAX,
        }
    }

    /// Updates the calibration with a sample, and bends the function towards it.
    fn turn(&mut self, sample: Sample) {
        self.calibration.add_sample(sample);
        if self.calibration.is_doubted {
            self.period_ns = FIRST_PERIOD_NS;
        }
        let second_ticks = self.calibration.rate.hertz();
        let drift_ns =
            self.pieces.back().map_or(0, |newest| newest.rate.ns(second_ticks).abs_diff(1_000_000_000));
        if self.error_ns(&sample) > TOLERANCE_NS || drift_ns > TOLERANCE_NS {
            self.bend(&sample);
        }
        self.due_ns = sample.ns + self.period_ns;
        self.period_ns = (2 * self.period_ns).min(PERIOD_NS);
    }

    /// Adds a piece from the decided end to the true time of `sample`, and one that continues from
    /// there.
    fn bend(&mut self, sample: &Sample) {
        let rate = self.calibration.rate;
        let (mut first_ticks, mut first_ns) = (self.decided_ticks, self.decided_ns);
        let true_ns = sample.ns_at(first_ticks, rate);
        let is_set_back = self.is_set_back(sample);
        if is_set_back || true_ns.abs_diff(first_ns) >= JUMP_NS {
            // If the sample is not in doubt, this jump has already been counted: times are still
            // advancing slowly after it.
            self.jumps += u64::from(self.calibration.is_doubted);
            if !is_set_back && true_ns >= first_ns {
                first_ns = true_ns;
            } else if is_set_back || sample.ns >= first_ns {
                // Uncollected records from before the jump get the last decided time. Find the
                // ticks after the jump that correspond to this time.
                self.push(Piece { first_ticks, first_ns, rate: Rate(0) });
                first_ticks = sample.ticks.wrapping_sub(rate.ticks(sample.ns.saturating_sub(first_ns)));
                self.decided_ticks = first_ticks;
            }
        }
        let ahead_ns = first_ns.saturating_sub(sample.ns_at(first_ticks, rate));
        let span_ticks = rate.ticks((self.period_ns / 2).max(2 * ahead_ns));
        let end_ticks = first_ticks.wrapping_add(span_ticks);
        let span_ns = sample.ns_at(end_ticks, rate).saturating_sub(first_ns);
        let bent = Piece { first_ticks, first_ns, rate: Rate::of(span_ns, span_ticks) };
        self.push(bent);
        self.push(Piece { first_ticks: end_ticks, first_ns: bent.ns_at(end_ticks), rate });
    }

    fn push(&mut self, piece: Piece) {
        if self.pieces.len() == KEPT {
            self.pieces.pop_front();
        }
        self.pieces.push_back(piece);
        self.piece_count += 1;
    }
}
