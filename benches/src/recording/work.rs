//! Work beside which events happen: a chain in which each step needs the one before it.

use crate::recording::burst::opaque;
use crate::recording::stopwatch::time_ns;

/// Multiplications and additions, one after the other, also from one event to the next.
#[derive(Debug, Clone)]
pub struct Chain {
    value: u64,
    steps: u32,
}

impl Chain {
    /// One whose every turn takes `ns` here.
    pub fn of_ns(ns: f64) -> Chain {
        const TRIED: u32 = 10_000;
        let steps_a_ns = (0..21).map(|_| {
            let mut tried = Chain { value: 1, steps: TRIED };
            f64::from(TRIED) / time_ns(|| tried.go_on())
        });
        // The fastest: nothing else happened meanwhile.
        let steps = (steps_a_ns.fold(0.0, f64::max) * ns).round() as u32;
        Chain { value: 1, steps }
    }

    /// The work between two events.
    #[inline(always)]
    pub fn go_on(&mut self) {
        for step in 0..self.steps {
            let next = self.value.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(step));
            self.value = opaque(next);
        }
    }

    /// What came of it.
    #[inline(always)]
    pub fn value(&self) -> u64 {
        self.value
    }
}
