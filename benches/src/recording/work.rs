//! Simulated work between events: a chain of operations, each of which needs the result of the
//! previous one.

use crate::recording::burst::opaque;
use crate::recording::stopwatch::time_ns;

/// A chain of multiplications and additions that continues from one event to the next.
#[derive(Debug, Clone, Copy)]
pub struct Chain {
    value: u64,
    steps: u32,
}

impl Chain {
    /// Returns a chain in which the work between two events takes `ns` on this machine.
    pub fn of_ns(ns: f64) -> Chain {
        const TRIED: u32 = 10_000;
        let steps_a_ns = (0..21).map(|_| {
            let mut tried = Chain { value: 1, steps: TRIED };
            f64::from(TRIED) / time_ns(|| tried.go_on())
        });
        // The fastest attempt was disturbed least.
        let steps = (steps_a_ns.fold(0.0, f64::max) * ns).round() as u32;
        Chain { value: 1, steps }
    }

    /// Does the work between two events.
    #[inline(always)]
    pub fn go_on(&mut self) {
        for step in 0..self.steps {
            let next = self.value.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(step));
            self.value = opaque(next);
        }
    }

    /// Returns the current value.
    #[inline(always)]
    pub fn value(&self) -> u64 {
        self.value
    }
}
