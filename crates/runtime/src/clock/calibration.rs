//! Calibration: the rate of the counter relative to CLOCK_MONOTONIC, measured from samples. The
//! first rate comes from two samples at the start.
//!
//! Later rates are measured over a baseline in which all samples are on a straight line. The longer
//! the baseline, the better. If a sample is off the line because NTP has changed the kernel's
//! clock, a new line starts at the previous sample. If it is so far off that a clock must have
//! jumped, a new line starts at this sample, and the rate stays unchanged. The new rate is used
//! only if the next sample confirms it.

use ringtrace_wire::ticks::Rate;

use super::sample::{Sample, TimeSource};

/// The shortest baseline. Over a shorter one, the uncertainty of the samples would make the rate
/// too inaccurate.
pub(super) const SHORTEST_NS: u64 = 10_000_000;

/// A sample that is off the line by less than this counts as on the line.
const TOLERANCE_NS: u64 = 25;

/// A rate change of one part in this number or more needs confirmation. NTP slews by at most one
/// part in 2000.
const DOUBT: u64 = 512;

/// The baseline of the first rate. The rate is then accurate to a few parts in 10,000, which is
/// enough until the timeline's first turn.
pub(super) const FIRST_BASELINE_NS: u64 = 200_000;

/// Measures the counter since the sample `before`. Returns `None` if it does not advance.
pub(super) fn first_rate(source: &impl TimeSource, before: &Sample) -> Option<Rate> {
    while source.monotonic_ns() < before.ns + FIRST_BASELINE_NS {
        std::hint::spin_loop();
    }
    Sample::best(source).rate_since(before)
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Calibration {
    pub(super) rate: Rate,
    reference: Sample,
    pub(super) last: Sample,
    /// Set if the last sample was off the line: a clock has jumped, or the rate has changed.
    pub(super) is_doubted: bool,
}

impl Calibration {
    pub(super) fn new(rate: Rate, sample: Sample) -> Calibration {
        Calibration { rate, reference: sample, last: sample, is_doubted: false }
    }

    pub(super) fn add_sample(&mut self, sample: Sample) {
        let long_enough = sample.ns.saturating_sub(self.last.ns) >= SHORTEST_NS;
        let lately = sample.rate_since(&self.last).filter(|_| long_enough);
        let is_near = lately.is_some_and(|rate| rate.0.abs_diff(self.rate.0) < self.rate.0 / DOUBT);
        if lately.is_some() && (is_near || self.is_doubted) {
            self.is_doubted = false;
            let off_ns = sample.ns.abs_diff(self.last.ns_at(sample.ticks, self.rate));
            let blur_ns = self.rate.ns(sample.width_ticks.saturating_add(self.last.width_ticks));
            if !is_near || off_ns > blur_ns.saturating_add(TOLERANCE_NS) {
                self.reference = self.last;
            }
            self.rate = sample.rate_since(&self.reference).unwrap_or(self.rate);
        } else {
            self.reference = sample;
            self.is_doubted = true;
        }
        self.last = sample;
    }
}
