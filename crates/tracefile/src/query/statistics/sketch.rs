//! Percentiles of many values without storing them.
//!
//! Values are counted in buckets. Each octave (from one power of two to the next) has the same
//! number of buckets, all of equal width. A bucket is therefore never wider than 1/64 of the values
//! in it, which bounds the error of every percentile.

use std::ops::RangeInclusive;

/// The number of buckets in an octave, as a power of two.
pub(super) const BUCKET_BITS: u32 = 6;
const BUCKETS: usize = 1 << BUCKET_BITS;

/// Octave 0 contains the values below 64, with one bucket for each value. The other octaves start
/// at the powers of two from 64 to 2^63.
const OCTAVES: usize = (u64::BITS - BUCKET_BITS + 1) as usize;

/// Counts of `u64` values in buckets. A sketch uses 256 bytes for every octave that occurs, and at
/// most 15 KiB. Adding a value takes a few instructions. [Merging](Sketch::merge) two sketches has
/// the same result as adding all values to one sketch.
#[derive(Debug, Clone)]
pub struct Sketch {
    /// For each octave: 1 + the index of its block, or 0 if it has no values.
    block_of: [u8; OCTAVES],
    blocks: Vec<[u32; BUCKETS]>,
    /// Indices of buckets that overflowed `u32`, once for each overflow. Almost always empty.
    carries: Vec<u16>,
    sum: u128,
    min: u64,
    max: u64,
}

impl Default for Sketch {
    fn default() -> Sketch {
        Sketch {
            block_of: [0; OCTAVES],
            blocks: Vec::new(),
            carries: Vec::new(),
            sum: 0,
            min: u64::MAX,
            max: 0,
        }
    }
}

impl Sketch {
    /// The largest relative error of a percentile: half a bucket.
    pub const RELATIVE_ERROR: f64 = 0.5 / BUCKETS as f64;

    /// Counts `value`.
    #[inline]
    pub fn add(&mut self, value: u64) {
        self.sum += u128::from(value);
        if value < self.min {
            std::hint::cold_path();
            self.min = value;
        }
        if value > self.max {
            std::hint::cold_path();
            self.max = value;
        }
        let (octave, bucket) = place(value);
        let block = usize::from(self.block_of[octave]).wrapping_sub(1);
        let Some(block) = self.blocks.get_mut(block) else { return self.add_first(octave, bucket) };
        block[bucket] = block[bucket].wrapping_add(1);
        if block[bucket] == 0 {
            self.carry(octave, bucket);
        }
    }

    #[cold]
    #[inline(never)]
    fn add_first(&mut self, octave: usize, bucket: usize) {
        let block = self.new_block(octave);
        self.blocks[block][bucket] = 1;
    }

    #[cold]
    #[inline(never)]
    fn carry(&mut self, octave: usize, bucket: usize) {
        self.carries.push((octave * BUCKETS + bucket) as u16);
    }

    /// Removes all values, but keeps the memory.
    pub(crate) fn clear(&mut self) {
        let mut blocks = std::mem::take(&mut self.blocks);
        blocks.clear();
        *self = Sketch { blocks, ..Sketch::default() };
    }

    #[cold]
    fn new_block(&mut self, octave: usize) -> usize {
        // Grow by only one block, because there can be many sketches with few blocks each.
        self.blocks.reserve_exact(1);
        self.blocks.push([0; BUCKETS]);
        self.block_of[octave] = self.blocks.len() as u8;
        self.blocks.len() - 1
    }

    /// Adds the values of `other`.
    pub fn merge(&mut self, other: &Sketch) {
        self.sum += other.sum;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        for octave in 0..OCTAVES {
            let Some(added) = other.block(octave) else { continue };
            let block = match self.block_of[octave] {
                0 => self.new_block(octave),
                number => usize::from(number) - 1,
            };
            let mut overflows = false;
            for (sum, times) in self.blocks[block].iter_mut().zip(added) {
                *sum = sum.wrapping_add(*times);
                overflows |= *sum < *times;
            }
            if overflows {
                std::hint::cold_path();
                let buckets = self.blocks[block].iter().zip(added).enumerate();
                let over = buckets.filter(|(_, (sum, times))| sum < times);
                self.carries.extend(over.map(|(bucket, _)| (octave * BUCKETS + bucket) as u16));
            }
        }
        self.carries.extend_from_slice(&other.carries);
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        let counts = self.blocks.iter().flatten().map(|&times| u64::from(times));
        counts.sum::<u64>() + ((self.carries.len() as u64) << 32)
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.min > self.max
    }

    /// Returns the exact minimum.
    pub fn min(&self) -> Option<u64> {
        (!self.is_empty()).then_some(self.min)
    }

    /// Returns the exact maximum.
    pub fn max(&self) -> Option<u64> {
        (!self.is_empty()).then_some(self.max)
    }

    /// Returns the exact mean, rounded down.
    pub fn mean(&self) -> Option<u64> {
        // The cast cannot truncate: the mean is at most the maximum.
        let count = self.count();
        (count != 0).then(|| (self.sum / u128::from(count)) as u64)
    }

    /// Returns the exact sum of all values.
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// Returns a percentile by nearest rank. `hundredths` is the percentile in hundredths of a
    /// percent: 5000 is the median, 9990 is p99.9. The result is within [`Sketch::RELATIVE_ERROR`]
    /// of the true value. Returns `None` if there are no values.
    pub fn percentile(&self, hundredths: u32) -> Option<u64> {
        self.at_rank(rank_of(self.count(), hundredths))
    }

    /// Returns the value at `rank`, counted from 1 in ascending order. See [`Sketch::percentile`].
    pub(super) fn at_rank(&self, rank: u64) -> Option<u64> {
        if rank >= self.count() {
            return self.max();
        }
        let mut below = 0;
        for (values, count) in self.buckets() {
            below += count;
            if below >= rank {
                let middle = values.start() + (values.end() - values.start()) / 2;
                return Some(middle.clamp(self.min, self.max));
            }
        }
        self.max()
    }

    /// Returns the non-empty buckets in ascending order, each as a range of values and the number
    /// of values in it.
    pub fn buckets(&self) -> impl Iterator<Item = (RangeInclusive<u64>, u64)> {
        (0..OCTAVES).flat_map(move |octave| {
            let block = self.block(octave).map_or(&[][..], |block| block);
            block.iter().enumerate().filter_map(move |(bucket, &low)| {
                let index = (octave * BUCKETS + bucket) as u16;
                let carried = self.carries.iter().filter(|&&carry| carry == index).count() as u64;
                let count = (carried << 32) + u64::from(low);
                (count != 0).then(|| (values(octave, bucket), count))
            })
        })
    }

    fn block(&self, octave: usize) -> Option<&[u32; BUCKETS]> {
        self.blocks.get(usize::from(self.block_of[octave]).checked_sub(1)?)
    }
}

/// Returns the rank, from 1, of a percentile of `count` values.
pub(super) fn rank_of(count: u64, hundredths: u32) -> u64 {
    let rank = (u128::from(count) * u128::from(hundredths)).div_ceil(10_000).max(1);
    u64::try_from(rank).unwrap_or(u64::MAX)
}

/// Returns the octave of `value`, and the index of its bucket in the octave.
#[inline(always)]
fn place(value: u64) -> (usize, usize) {
    let octave = u64::BITS - BUCKET_BITS - (value | (BUCKETS as u64 - 1)).leading_zeros();
    let bucket = (value >> octave.saturating_sub(1)) as usize % BUCKETS;
    (octave as usize, bucket)
}

/// Returns the values for which [`place`] returns `octave` and `bucket`.
fn values(octave: usize, bucket: usize) -> RangeInclusive<u64> {
    if octave == 0 {
        return bucket as u64..=bucket as u64;
    }
    let shift = octave - 1;
    let first = ((BUCKETS + bucket) as u64) << shift;
    first..=first + ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn sketch_of(values: &[u64]) -> Sketch {
        let mut sketch = Sketch::default();
        values.iter().for_each(|&value| sketch.add(value));
        sketch
    }

    /// Values of all magnitudes with equal probability.
    fn value() -> impl Strategy<Value = u64> {
        (any::<u64>(), 0_u32..64).prop_map(|(value, shift)| value >> shift)
    }

    #[test]
    fn nothing_has_no_percentiles() {
        let sketch = Sketch::default();
        assert_eq!((sketch.count(), sketch.min(), sketch.max()), (0, None, None));
        assert_eq!((sketch.mean(), sketch.percentile(5000)), (None, None));
    }

    #[test]
    fn small_values_are_exact() {
        let sketch = sketch_of(&(0..=127).collect::<Vec<_>>());
        for hundredths in [0, 78, 79, 5000, 9900, 10_000] {
            let rank = (128 * u64::from(hundredths)).div_ceil(10_000).max(1);
            assert_eq!(sketch.percentile(hundredths), Some(rank - 1));
        }
    }

    #[test]
    fn buckets_meet_without_gap_or_overlap() {
        let mut next = Some(0);
        for octave in 0..OCTAVES {
            for bucket in 0..BUCKETS {
                let values = values(octave, bucket);
                assert_eq!(Some(*values.start()), next);
                assert_eq!(place(*values.start()), (octave, bucket));
                assert_eq!(place(*values.end()), (octave, bucket));
                next = values.end().checked_add(1);
            }
        }
        assert_eq!(next, None, "the last bucket ends with u64::MAX");
    }

    #[test]
    fn counts_go_over_32_bits() {
        let mut sketch = sketch_of(&[7, 1000]);
        for _ in 0..40 {
            sketch.merge(&sketch.clone());
        }
        assert_eq!(sketch.count(), 1 << 41);
        assert_eq!(sketch.buckets().map(|(_, count)| count).collect::<Vec<_>>(), [1 << 40, 1 << 40]);
        assert_eq!((sketch.percentile(5000), sketch.percentile(5001)), (Some(7), Some(1000)));
    }

    proptest! {
        #[test]
        fn percentiles_are_within_the_error(mut all in vec(value(), 1..300), hundredths in 0_u32..=10_000) {
            let sketch = sketch_of(&all);
            all.sort_unstable();
            let rank = (all.len() * hundredths as usize).div_ceil(10_000).max(1);
            let exact = all[rank - 1];
            let reported = sketch.percentile(hundredths).unwrap();
            let error = reported.abs_diff(exact) as f64;
            prop_assert!(error <= exact as f64 * Sketch::RELATIVE_ERROR, "{reported} for {exact}");
            prop_assert_eq!((sketch.min(), sketch.max()), (all.first().copied(), all.last().copied()));
            let sum: u128 = all.iter().map(|&value| u128::from(value)).sum();
            prop_assert_eq!(sketch.mean().map(u128::from), Some(sum / all.len() as u128));
        }

        #[test]
        fn merging_equals_adding_all_values(a in vec(value(), 0..100), b in vec(value(), 0..100)) {
            let mut merged = sketch_of(&a);
            merged.merge(&sketch_of(&b));
            let one = sketch_of(&[a, b].concat());
            prop_assert_eq!(merged.buckets().collect::<Vec<_>>(), one.buckets().collect::<Vec<_>>());
            prop_assert_eq!((merged.count(), merged.sum()), (one.count(), one.sum()));
            prop_assert_eq!((merged.min(), merged.max()), (one.min(), one.max()));
        }
    }
}
