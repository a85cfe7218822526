//! The function from ticks to nanoseconds, which follows CLOCK_MONOTONIC.
//!
//! Only the writer thread turns ticks to times, after it has collected them. So the function need not be foretold: each time
//! the writer thread has collected ticks, it *decides* the function up to now, and knows by then what the true time is. What is decided
//! never changes. So the same ticks always mean the same time, and later ticks never an earlier one, however long a
//! thread was preempted between reading the counter and publishing its record.
//!
//! Now and then (a *turn*: soon after the start, then each second) the function is bent: from where it is decided, a straight piece leads to the
//! true time, and from there another one on at the best known rate. The first takes half a second, so that a correction by
//! nanoseconds does not show in the time between two events.
//!
//! When a clock jumps, which each decision looks for, times jump forward or, at most, go slowly. Never back:
//!
//! * The counter jumped, either way (it was reset, or was running while the system slept, which CLOCK_MONOTONIC does not count; a
//!   guest was moved): the function goes on from the time that was decided last, with the ticks that mean this time now. Records from
//!   before the jump that were not collected yet, a tenth of a second mostly, get that time.
//! * The true time is far ahead (the counter has stood still): times jump there.
//! * The true time is far behind, which no clock should do: time goes at half of its rate until that has caught up.

use std::collections::VecDeque;

use ringtrace_wire::ticks::{Piece, Rate, piece_at};

use super::calibration::{Calibration, SHORTEST_NS};
use super::sample::{Sample, TimeSource};

/// From the first turn to the second. Each period is twice as long as the one before...
const FIRST_PERIOD_NS: u64 = 100_000_000;
/// ... up to this.
const PERIOD_NS: u64 = 1_000_000_000;

/// An error that is left as it is: the measurement is not much better.
const TOLERANCE_NS: u64 = 10;

/// An error that makes the next turn come at once.
const LARGE_NS: u64 = 1_000_000;

/// A decision that is wrong by more than this means a jump: slewing is not that fast.
const JUMP_NS: u64 = 100_000_000;

/// How many pieces are kept: those of some hours at least, for records that stay in a ring for so long.
const KEPT: usize = 4096;

/// The function, as far as it is decided, and what it will be if nobody decides otherwise.
#[derive(Debug)]
pub(super) struct Timeline {
    calibration: Calibration,
    /// The newest is the last one. A piece may begin in the future.
    pieces: VecDeque<Piece>,
    /// How many pieces there ever were.
    piece_count: u64,
    decided_ticks: u64,
    decided_ns: u64,
    period_ns: u64,
    due_ns: u64,
    jumps: u64,
}

impl Timeline {
    /// For a counter that has `rate`, from the moment of `sample` on.
    pub(super) fn new(rate: Rate, sample: Sample) -> Timeline {
        // All of it at once: the writer thread does not allocate while it writes.
        let mut pieces = VecDeque::with_capacity(KEPT + 1);
        pieces.push_back(Piece { first_ticks: sample.ticks, first_ns: sample.ns, rate });
        Timeline {
            calibration: Calibration::new(rate, sample),
            pieces,
            piece_count: 1,
            decided_ticks: sample.ticks,
            decided_ns: sample.ns,
            period_ns: FIRST_PERIOD_NS,
            due_ns: sample.ns + FIRST_PERIOD_NS,
            jumps: 0,
        }
    }

    /// Decides the function up to now.
    pub(super) fn decide(&mut self, source: &impl TimeSource) {
        let mut sample = Sample::quick(source);
        if sample.ns >= self.due_ns || self.error_ns(&sample) >= LARGE_NS {
            // Again, and well: the first may have been interrupted.
            sample = Sample::best(source);
            let error_ns = self.error_ns(&sample);
            let is_off = error_ns >= LARGE_NS;
            let is_due = sample.ns >= self.due_ns;
            let is_early = sample.ns < self.calibration.last.ns + SHORTEST_NS;
            let is_blurred = self.calibration.rate.ns(sample.width_ticks) >= LARGE_NS;
            if is_blurred && is_off {
                return; // with the next call, then
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

    /// The time at `ticks`. What is not decided yet is now.
    pub(super) fn ns_at(&self, ticks: u64) -> u64 {
        if self.is_after_decided(ticks) { self.decided_ns } else { self.undecided_ns(ticks) }
    }

    /// The piece that holds at `ticks`, and for how many ticks from its first on it holds and is decided.
    pub(super) fn piece_at(&self, ticks: u64) -> Option<(Piece, u64)> {
        let index = self.pieces.iter().rposition(|piece| piece.elapsed(ticks).is_some())?;
        let piece = self.pieces[index];
        let decided = self.decided_ticks.wrapping_sub(piece.first_ticks).wrapping_add(1);
        let later = self.pieces.range(index + 1..);
        let ends = later.filter_map(|later| piece.elapsed(later.first_ticks));
        Some((piece, ends.fold(decided, u64::min)))
    }

    /// Gives `f` each piece that is newer than the piece number `given`, with its number; pieces are numbered from 1 on.
    pub(super) fn pieces_since(&self, given: u64, mut f: impl FnMut(u64, &Piece)) -> u64 {
        let first = self.piece_count - self.pieces.len() as u64 + 1;
        let known = (given + 1).saturating_sub(first);
        for (number, piece) in (first..).zip(&self.pieces).skip(known as usize) {
            f(number, piece);
        }
        self.piece_count
    }

    /// The newest piece, for [`Timeline::pieces_from`].
    #[cfg(test)]
    pub(super) fn newest(&self) -> u64 {
        self.piece_count
    }

    /// The piece that held where the piece after number `number` begins, and all from there on.
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

    /// How often a clock jumped.
    pub(super) fn jumps(&self) -> u64 {
        self.jumps
    }

    fn is_after_decided(&self, ticks: u64) -> bool {
        ticks.wrapping_sub(self.decided_ticks).cast_signed() > 0
    }

    /// What the time at `ticks` will be.
    fn undecided_ns(&self, ticks: u64) -> u64 {
        piece_at(self.pieces.iter().rev(), ticks).map_or(0, |piece| piece.ns_at(ticks))
    }

    /// Whether the counter was set back.
    fn is_set_back(&self, sample: &Sample) -> bool {
        let back = self.decided_ticks.wrapping_sub(sample.ticks).cast_signed();
        // Counters of two processors may be some ticks apart.
        back > 0 && self.calibration.rate.ns(back.unsigned_abs()) >= LARGE_NS
    }

    /// How wrong the time at the moment of `sample` is; or how wrong it will be after the correction that is under way.
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

    /// Learns from a sample, and makes the function follow it.
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

    /// Leads from where the function is decided to the true time of `sample`, and on.
    fn bend(&mut self, sample: &Sample) {
        let rate = self.calibration.rate;
        let (mut first_ticks, mut first_ns) = (self.decided_ticks, self.decided_ns);
        let true_ns = sample.ns_at(first_ticks, rate);
        let is_set_back = self.is_set_back(sample);
        if is_set_back || true_ns.abs_diff(first_ns) >= JUMP_NS {
            // Else it has been seen before, and time is going slowly.
            self.jumps += u64::from(self.calibration.is_doubted);
            if !is_set_back && true_ns >= first_ns {
                first_ns = true_ns;
            } else if is_set_back || sample.ns >= first_ns {
                // What was recorded before the jump, and not yet collected, is as old as what was decided last. From when on it is
                // after the jump: that many ticks ago.
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
