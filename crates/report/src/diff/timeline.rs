//! The time of a recording in a fixed number of blocks.

/// Number of blocks. When they do not cover the recording, neighbouring blocks are joined.
pub(super) const BLOCKS: usize = 256;

const FIRST_SHIFT: u32 = 10;

#[derive(Debug, Clone, Copy)]
pub(super) struct Timeline {
    origin_ns: Option<u64>,
    shift: u32,
}

impl Default for Timeline {
    fn default() -> Timeline {
        Timeline { origin_ns: None, shift: FIRST_SHIFT }
    }
}

impl Timeline {
    /// Creates a timeline whose first block starts at `origin_ns`. A block is 2^`shift` ns long.
    pub(super) fn starting_at(origin_ns: u64, shift: u32) -> Timeline {
        Timeline { origin_ns: Some(origin_ns), shift }
    }

    /// Returns the logarithm of a block's length in nanoseconds.
    pub(super) fn shift(&self) -> u32 {
        self.shift
    }

    /// Returns the block of a time. Earlier times belong to the first block. For a time after the
    /// last block, returns `Err(n)`: the blocks must be [widened](Timeline::widen) `n` times.
    #[inline]
    pub(super) fn block(&mut self, ns: u64) -> Result<usize, u32> {
        let origin_ns = *self.origin_ns.get_or_insert(ns);
        let block = ns.saturating_sub(origin_ns) >> self.shift;
        if block < BLOCKS as u64 { Ok(block as usize) } else { Err((block / BLOCKS as u64).ilog2() + 1) }
    }

    pub(super) fn widen(&mut self, doublings: u32) {
        self.shift += doublings;
    }

    /// Returns the start and the end of a block, in nanoseconds of the trace's clock.
    pub(super) fn times_ns(&self, block: usize) -> (u64, u64) {
        let from_ns = self.origin_ns.unwrap_or(0).saturating_add((block as u64) << self.shift);
        (from_ns, from_ns.saturating_add(1 << self.shift))
    }
}

/// Joins neighbouring blocks `doublings` times.
pub(super) fn fold<T: Default>(blocks: &mut [T], doublings: u32, mut add: impl FnMut(&mut T, T)) {
    let step = 1_usize << doublings.min(usize::BITS - 1);
    for index in 0..blocks.len() {
        let block = std::mem::take(&mut blocks[index]);
        let place = if doublings >= usize::BITS { 0 } else { index / step };
        add(&mut blocks[place], block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_widen_with_the_time() {
        let mut timeline = Timeline::default();
        assert_eq!(timeline.block(5000), Ok(0));
        assert_eq!(timeline.block(4000), Ok(0), "before the first");
        assert_eq!(timeline.block(5000 + 255 * 1024), Ok(255));
        assert_eq!(timeline.block(5000 + 256 * 1024), Err(1));
        assert_eq!(timeline.block(5000 + 511 * 1024), Err(1));
        assert_eq!(timeline.block(5000 + 512 * 1024), Err(2));
        timeline.widen(2);
        assert_eq!(timeline.block(5000 + 512 * 1024), Ok(128));
        assert_eq!(timeline.times_ns(1), (5000 + 4096, 5000 + 8192));
        let doublings = timeline.block(u64::MAX).unwrap_err();
        timeline.widen(doublings);
        assert!(timeline.block(u64::MAX).is_ok());
    }

    #[test]
    fn neighbours_are_joined() {
        let mut blocks = [1, 2, 3, 4, 5, 6, 7, 8];
        fold(&mut blocks, 1, |sum, block| *sum += block);
        assert_eq!(blocks, [3, 7, 11, 15, 0, 0, 0, 0]);
        fold(&mut blocks, 2, |sum, block| *sum += block);
        assert_eq!(blocks, [36, 0, 0, 0, 0, 0, 0, 0]);
    }
}
