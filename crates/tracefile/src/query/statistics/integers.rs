//! Statistics of integers, which can be negative.

use std::ops::RangeInclusive;

use super::Sketch;
use super::exact::Exact;
use super::sketch::rank_of;

/// Statistics of integers from `i64::MIN` to `u64::MAX`. Count, sum, minimum and maximum are exact.
/// Percentiles are exact if there are few different values, and otherwise as in [`Sketch`].
#[derive(Debug, Clone, Default)]
pub struct Integers {
    sum: i128,
    exact: Exact<i128>,
    /// The complements of the negative values: 0 is -1, 1 is -2.
    negative: Sketch,
    positive: Sketch,
}

impl Integers {
    /// Counts `value`.
    #[inline]
    pub fn add(&mut self, value: i128) {
        self.sum += value;
        if value < 0 {
            self.negative.add(!value as u64);
        } else {
            self.positive.add(value as u64);
        }
        self.exact.add(value, 1);
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.negative.count() + self.positive.count()
    }

    /// Returns the sum of all values.
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// Returns the smallest value.
    pub fn min(&self) -> Option<i128> {
        self.negative.max().map(negative).or_else(|| self.positive.min().map(i128::from))
    }

    /// Returns the largest value.
    pub fn max(&self) -> Option<i128> {
        self.positive.max().map(i128::from).or_else(|| self.negative.min().map(negative))
    }

    /// Returns the mean.
    pub fn mean(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.sum as f64 / self.count() as f64)
    }

    /// Returns the mean as the nearest integer, which [`Integers::mean`] may not represent.
    pub fn rounded_mean(&self) -> Option<i128> {
        let count = i128::from(self.count());
        (count > 0).then(|| (self.sum + count.div_euclid(2)).div_euclid(count))
    }

    /// Returns a percentile by nearest rank. `hundredths` is the percentile in hundredths of a
    /// percent: 9950 is p99.5. Returns `None` if there are no values.
    pub fn percentile(&self, hundredths: u32) -> Option<i128> {
        if self.count() == 0 {
            return None;
        }
        let rank = rank_of(self.count(), hundredths);
        if self.is_exact() {
            return self.exact.at_rank(rank);
        }
        match rank.checked_sub(self.negative.count()) {
            Some(rank) if rank > 0 => self.positive.at_rank(rank).map(i128::from),
            // The order of the complements is the reverse of the order of the values.
            _ => self.negative.at_rank(self.negative.count() - rank + 1).map(negative),
        }
    }

    /// Returns whether percentiles and buckets are exact.
    pub fn is_exact(&self) -> bool {
        self.exact.values().is_some()
    }

    /// Returns the non-empty buckets in ascending order, each as a range of values and the number
    /// of values in it. If [`Integers::is_exact`], each bucket has one value.
    pub fn buckets(&self) -> Vec<(RangeInclusive<i128>, u64)> {
        if let Some(exact) = self.exact.values() {
            return exact.iter().map(|&(value, count)| (value..=value, count)).collect();
        }
        let mut buckets: Vec<_> = self
            .negative
            .buckets()
            .map(|(values, count)| (negative(*values.end())..=negative(*values.start()), count))
            .collect();
        buckets.reverse();
        let positive = self.positive.buckets();
        buckets.extend(
            positive.map(|(values, count)| (i128::from(*values.start())..=i128::from(*values.end()), count)),
        );
        buckets
    }
}

fn negative(complement: u64) -> i128 {
    !i128::from(complement)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn integers_of(values: &[i128]) -> Integers {
        let mut integers = Integers::default();
        values.iter().for_each(|&value| integers.add(value));
        integers
    }

    #[test]
    fn nothing_has_no_percentiles() {
        let integers = Integers::default();
        assert_eq!((integers.count(), integers.sum(), integers.min(), integers.max()), (0, 0, None, None));
        assert_eq!((integers.mean(), integers.percentile(5000)), (None, None));
    }

    #[test]
    fn few_values_are_exact() {
        let integers = integers_of(&[65_536, -5, 65_536, 4096, i128::from(u64::MAX)]);
        assert_eq!(
            [0, 2000, 4000, 8000, 10_000].map(|at| integers.percentile(at).unwrap()),
            [-5, -5, 4096, 65_536, i128::from(u64::MAX)]
        );
        assert_eq!(integers.buckets()[2], (65_536..=65_536, 2));
        assert_eq!(integers.rounded_mean(), Some((131_072 + 4091 + i128::from(u64::MAX) + 2) / 5));
        assert_eq!(integers_of(&[-7, -8, -9, -9]).rounded_mean(), Some(-8));
        assert_eq!(integers.mean(), Some((131_072 + 4091 + i128::from(u64::MAX)) as f64 / 5.0));
    }

    fn value() -> impl Strategy<Value = i128> {
        (any::<u64>(), 0_u32..64, any::<bool>()).prop_map(|(value, shift, is_negative)| {
            let value = i128::from(value >> shift);
            if is_negative { -(value >> 1) } else { value }
        })
    }

    proptest! {
        #[test]
        fn percentiles_are_within_the_error(mut all in vec(value(), 1..300), hundredths in 0_u32..=10_000) {
            let integers = integers_of(&all);
            all.sort_unstable();
            let rank = (all.len() * hundredths as usize).div_ceil(10_000).max(1);
            let exact = all[rank - 1];
            let error = (integers.percentile(hundredths).unwrap() - exact).unsigned_abs() as f64;
            prop_assert!(error <= exact.unsigned_abs() as f64 * Sketch::RELATIVE_ERROR);
            prop_assert_eq!((integers.min(), integers.max()), (all.first().copied(), all.last().copied()));
            prop_assert_eq!((integers.count(), integers.sum()), (all.len() as u64, all.iter().sum()));
            let buckets = integers.buckets();
            prop_assert_eq!(buckets.iter().map(|(_, count)| count).sum::<u64>(), all.len() as u64);
            prop_assert!(buckets.windows(2).all(|two| two[0].0.end() < two[1].0.start()));
            for (values, count) in buckets {
                prop_assert_eq!(all.iter().filter(|value| values.contains(value)).count() as u64, count);
            }
        }
    }
}
