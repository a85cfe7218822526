//! Keeps the function of [`Timebase`] near CLOCK_MONOTONIC, without a step as long as nothing jumps.
//!
//! A turn measures both clocks, learns the counter's rate, and joins two pieces to the function: a *correction*, at the end of which the
//! function will be where the true time is then, and a *cruise* behind it, at the rate of the true time. Should the
//! next turn come late (a sink that stalls), the function still runs at the best rate that was known.
//!
//! The rate is taken over a baseline as long as the clocks are a straight line to one another: the longer, the better the rate.
//! Where a sample does not lie on the line (NTP has changed the kernel's clock, or the counter jumped), the line begins anew at
//! the sample before.

use super::sample::{Rate, Sample, Source};
use super::timebase::{Change, EXTENSION_NS, Piece, Timebase};

/// From the first turn to the second. Each period is twice as long as the one before...
const FIRST_PERIOD_NS: u64 = 100_000_000;
/// ... up to this.
const PERIOD_NS: u64 = 1_000_000_000;

/// The longest baseline that rates are taken over: it is between half of it and this.
const BASELINE_NS: u64 = 16_000_000_000;

/// An error that is left as it is: the measurement is not better.
const TOLERANCE_NS: u64 = 25;

/// An error that is a jump: no clock that is slewed gets so far off between two turns.
const STEP_NS: u64 = 10_000_000;

/// What is known of both clocks, from turn to turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steering {
    rate: Rate,
    /// Where the baseline begins.
    reference: Sample,
    /// Where it will begin when it becomes too long.
    middle: Sample,
    previous: Sample,
    period_ns: u64,
    due_ns: u64,
}

impl Steering {
    /// For a counter that has `rate`, at the moment of `sample`.
    pub(super) fn new(rate: Rate, sample: Sample) -> Steering {
        Steering {
            rate,
            reference: sample,
            middle: sample,
            previous: sample,
            period_ns: FIRST_PERIOD_NS,
            due_ns: sample.ns + FIRST_PERIOD_NS,
        }
    }

    /// Begins the function at the moment of its sample: never before a time that was given already.
    pub(super) fn start(&self, timebase: &Timebase) {
        timebase.change(|change| self.restart(&change));
    }

    /// Takes a sample and corrects the function when it is time to do so, or when something jumped. To be called as often as is
    /// convenient; what it does not do, it does not do quickly.
    pub(super) fn turn(&mut self, timebase: &Timebase, source: &impl Source) {
        let now_ns = source.monotonic_ns();
        if now_ns < self.due_ns && timebase.now_ns(source).abs_diff(now_ns) < STEP_NS {
            return;
        }
        let sample = Sample::take(source);
        self.learn(sample);
        self.due_ns = sample.ns + self.period_ns;
        self.period_ns = (2 * self.period_ns).min(PERIOD_NS);
        timebase.change(|change| self.correct(timebase, source, &change));
    }

    /// Takes the rate from one more sample.
    fn learn(&mut self, sample: Sample) {
        let expected_ns = self.previous.ns_at(sample.ticks, self.rate);
        let off_ns = sample.ns.abs_diff(expected_ns);
        let jumped = off_ns >= STEP_NS;
        if jumped || off_ns > self.rate.ns(sample.width_ticks + self.previous.width_ticks) + TOLERANCE_NS {
            self.reference = self.previous;
            self.middle = sample;
        }
        if let Some(rate) = sample.rate_since(&self.reference)
            && !jumped
        {
            self.rate = rate;
        }
        if jumped {
            self.reference = sample;
        }
        if sample.ns.saturating_sub(self.middle.ns) >= BASELINE_NS / 2 {
            self.reference = self.middle;
            self.middle = sample;
        }
        self.previous = sample;
    }

    fn correct(&self, timebase: &Timebase, source: &impl Source, change: &Change<'_>) {
        let sample = &self.previous;
        let given_ns = timebase.now_ns(source);
        let true_ns = source.monotonic_ns();
        if given_ns.abs_diff(true_ns) >= STEP_NS {
            change.count_step();
            return self.restart(change);
        }
        loop {
            let (newest, reached) = change.newest();
            if !reached {
                return; // a correction is under way
            }
            let Some(by_function_ns) = newest.ns_at(sample.ticks) else { return };
            let drift_ns = self.rate.hertz().min(newest.rate.hertz());
            let drift_ns = self.rate.ns(drift_ns).abs_diff(newest.rate.ns(drift_ns));
            if by_function_ns.abs_diff(sample.ns) <= TOLERANCE_NS && drift_ns <= TOLERANCE_NS {
                return;
            }
            let correction = self.toward_truth(newest.end_ticks(), newest.end_ns());
            if change.join(&newest, &correction, &self.cruise(&correction)) {
                return;
            }
        }
    }

    fn restart(&self, change: &Change<'_>) {
        loop {
            let (newest, _) = change.newest();
            let first_ns = self.previous.ns.max(newest.end_ns());
            let correction = self.toward_truth(self.previous.ticks, first_ns);
            if change.restart(&newest, &correction, &self.cruise(&correction)) {
                return;
            }
        }
    }

    /// A piece that begins like this, and ends on the true time.
    fn toward_truth(&self, first_ticks: u64, first_ns: u64) -> Piece {
        let true_ns = self.previous.ns_at(first_ticks, self.rate);
        let ahead_ns = first_ns.saturating_sub(true_ns);
        // At half of the rate at least: so time never stands still.
        let span_ns = (self.period_ns / 2).max(2 * ahead_ns);
        let span_ticks = self.rate.ticks(span_ns) & !1;
        let last_ns = true_ns + self.rate.ns(span_ticks);
        Piece {
            first_ticks,
            first_ns,
            rate: Rate::of(last_ns.saturating_sub(first_ns), span_ticks),
            span_ticks,
        }
    }

    /// What follows `correction`.
    fn cruise(&self, correction: &Piece) -> Piece {
        Piece {
            first_ticks: correction.end_ticks(),
            first_ns: correction.end_ns(),
            rate: self.rate,
            span_ticks: self.rate.ticks(EXTENSION_NS) & !1,
        }
    }
}
