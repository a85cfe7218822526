//! How fast the counter is against CLOCK_MONOTONIC: learnt from samples.
//!
//! The rate is taken over a baseline as long as the clocks are a straight line to one another: the longer, the better the rate.
//! Where a sample does not lie on the line (NTP has changed the kernel's clock), the line begins anew at the sample before. Where it lies so
//! far off that one of the clocks must have jumped, it begins at that sample, and the rate stays as it was; unless the next sample says the same.

use ringtrace_wire::ticks::Rate;

use super::sample::Sample;

/// The shortest baseline: rates over less are wrong by what samples are.
pub(super) const SHORTEST_NS: u64 = 10_000_000;

/// Less than this off the line is on it, as far as samples can tell.
const TOLERANCE_NS: u64 = 25;

/// A rate that differs by more than one part in this is not believed at first: NTP slews by one in 2000 at most.
const DOUBT: u64 = 512;

/// What is known of both clocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Calibration {
    pub(super) rate: Rate,
    /// Where the baseline begins.
    reference: Sample,
    pub(super) last: Sample,
    /// Whether the last sample was on another line than those before: a clock has jumped, or the rate is another one now.
    pub(super) is_doubted: bool,
}

impl Calibration {
    /// For a counter that had `rate` before `sample`.
    pub(super) fn new(rate: Rate, sample: Sample) -> Calibration {
        Calibration { rate, reference: sample, last: sample, is_doubted: false }
    }

    /// Takes the rate from one more sample.
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
