//! Pseudo-random numbers.

/// A xorshift generator (Marsaglia).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Returns a generator with a different sequence for each thread.
    pub fn new(seed: u64, thread: u32) -> Random {
        // Similar seeds must not result in similar sequences, and the state must not be 0.
        Random((seed ^ u64::from(thread) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 16) % end
    }

    /// Returns a number below `end`. Small numbers are more frequent, like popular keys.
    pub fn skewed(&mut self, end: u64) -> u64 {
        let middle = self.below(end);
        let lower = self.below(middle + 1);
        self.below(lower + 1)
    }

    /// Returns `true` for one in `times` calls on average.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}
