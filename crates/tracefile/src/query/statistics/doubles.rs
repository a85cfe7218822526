//! Statistics of floating-point values.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::Integers;
use super::exact::Exact;
use super::sketch::{BUCKET_BITS, rank_of};

/// The number of low bits of a `double` that its bucket ignores. The others are the exponent and
/// [`BUCKET_BITS`] bits of the fraction, so buckets are as wide as those of [`Sketch`](super::Sketch).
const IGNORED_BITS: u32 = f64::MANTISSA_DIGITS - 1 - BUCKET_BITS;

/// Statistics of floating-point values. Count, minimum and maximum are exact. Percentiles are exact
/// if there are few different values, and otherwise as in [`Sketch`](super::Sketch). Values closer
/// to zero than [`f64::MIN_POSITIVE`] are treated as 0.
///
/// NaN and infinite values are only counted; they are not part of the statistics.
#[derive(Debug, Clone, Default)]
pub struct Doubles {
    count: u64,
    nan: u64,
    infinite: u64,
    /// The sum, and the sum of the rounding errors of its additions (Neumaier's algorithm).
    sum: f64,
    lost: f64,
    min: f64,
    max: f64,
    exact: Exact<Finite>,
    /// Non-empty buckets and their counts, by [`bucket_of`].
    buckets: BTreeMap<i32, u64>,
}

/// A value that is not NaN, and therefore has an order.
#[derive(Debug, Clone, Copy)]
struct Finite(f64);

impl Ord for Finite {
    fn cmp(&self, other: &Finite) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Finite {
    fn partial_cmp(&self, other: &Finite) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Finite {}

impl PartialEq for Finite {
    fn eq(&self, other: &Finite) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Doubles {
    /// Counts `value`.
    pub fn add(&mut self, value: f64) {
        if value.is_nan() {
            self.nan += 1;
        } else if value.is_infinite() {
            self.infinite += 1;
        } else {
            self.add_to_sum(value);
            self.add_to_buckets(value, 1);
        }
    }

    fn add_to_sum(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost +=
            if self.sum.abs() >= value.abs() { (self.sum - sum) + value } else { (value - sum) + self.sum };
        self.sum = sum;
    }

    fn add_to_buckets(&mut self, value: f64, times: u64) {
        let value = if value.abs() < f64::MIN_POSITIVE { 0.0 } else { value };
        (self.min, self.max) = match self.count {
            0 => (value, value),
            _ => (self.min.min(value), self.max.max(value)),
        };
        self.count += times;
        self.exact.add(Finite(value), times);
        *self.buckets.entry(bucket_of(value)).or_default() += times;
    }

    /// Returns the number of finite values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the number of values that are NaN.
    pub fn nan(&self) -> u64 {
        self.nan
    }

    /// Returns the number of infinite values.
    pub fn infinite(&self) -> u64 {
        self.infinite
    }

    /// Returns the sum of the finite values. It is infinite if it is out of range.
    pub fn sum(&self) -> f64 {
        if self.sum.is_finite() { self.sum + self.lost } else { self.sum }
    }

    /// Returns the smallest finite value.
    pub fn min(&self) -> Option<f64> {
        (self.count > 0).then_some(self.min)
    }

    /// Returns the largest finite value.
    pub fn max(&self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }

    /// Returns the mean of the finite values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum() / self.count as f64)
    }

    /// Returns a percentile of the finite values by nearest rank. `hundredths` is the percentile in
    /// hundredths of a percent: 9950 is p99.5. Returns `None` if there are no finite values.
    pub fn percentile(&self, hundredths: u32) -> Option<f64> {
        let rank = rank_of(self.count, hundredths);
        if self.is_exact() {
            return self.exact.at_rank(rank).map(|value| value.0);
        }
        if rank >= self.count {
            return self.max();
        }
        let mut below = 0;
        let (&bucket, _) = self.buckets.iter().find(|(_, count)| {
            below += *count;
            below >= rank
        })?;
        let values = values(bucket);
        // Divide first: the sum of the largest values is out of range.
        Some((values.start() / 2.0 + values.end() / 2.0).clamp(self.min, self.max))
    }

    /// Returns whether percentiles and buckets are exact.
    pub fn is_exact(&self) -> bool {
        self.exact.values().is_some()
    }

    /// Returns the non-empty buckets in ascending order, each as a range of values and the number
    /// of values in it. If [`Doubles::is_exact`], each bucket has one value.
    pub fn buckets(&self) -> Vec<(RangeInclusive<f64>, u64)> {
        match self.exact.values() {
            Some(exact) => exact.iter().map(|&(Finite(value), count)| (value..=value, count)).collect(),
            None => self.buckets.iter().map(|(&bucket, &count)| (values(bucket), count)).collect(),
        }
    }
}

impl From<&Integers> for Doubles {
    /// Continues statistics of integers with floating-point values.
    fn from(integers: &Integers) -> Doubles {
        let mut doubles = Doubles::default();
        for (values, count) in integers.buckets() {
            let middle = values.start() + (values.end() - values.start()) / 2;
            doubles.add_to_buckets(middle as f64, count);
        }
        if let Some((min, max)) = integers.min().zip(integers.max()) {
            (doubles.min, doubles.max) = (min as f64, max as f64);
        }
        if !integers.is_exact() {
            doubles.exact.give_up();
        }
        doubles.sum = integers.sum() as f64;
        doubles
    }
}

/// Returns the bucket of a finite value. Buckets are in the order of their values. A bucket of
/// positive values includes its lower limit, and so does one of negative values.
fn bucket_of(value: f64) -> i32 {
    // The cast cannot truncate: 18 bits are left.
    let bucket = |bits: u64| (bits >> IGNORED_BITS) as i32;
    if value < 0.0 { !bucket(value.abs().to_bits() - 1) } else { bucket(value.abs().to_bits()) }
}

/// Returns the values for which [`bucket_of`] returns `bucket`.
fn values(bucket: i32) -> RangeInclusive<f64> {
    if bucket == 0 {
        return 0.0..=0.0;
    }
    let bits = |bucket: i32| u64::from(bucket.unsigned_abs()) << IGNORED_BITS;
    if bucket < 0 {
        let from = -f64::from_bits(bits(!bucket + 1));
        from.max(f64::MIN)..=-f64::from_bits(bits(!bucket) + 1)
    } else {
        f64::from_bits(bits(bucket))..=f64::from_bits(bits(bucket + 1) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Sketch;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn doubles_of(values: &[f64]) -> Doubles {
        let mut doubles = Doubles::default();
        values.iter().for_each(|&value| doubles.add(value));
        doubles
    }

    #[test]
    fn only_finite_values_are_measured() {
        let doubles = doubles_of(&[f64::NAN, 0.5, f64::INFINITY, -1.5, f64::NEG_INFINITY, -0.0, -f64::NAN]);
        assert_eq!((doubles.count(), doubles.nan(), doubles.infinite()), (3, 2, 2));
        assert_eq!((doubles.sum(), doubles.min(), doubles.max()), (-1.0, Some(-1.5), Some(0.5)));
        assert_eq!([0, 5000, 10_000].map(|at| doubles.percentile(at).unwrap()), [-1.5, 0.0, 0.5]);
        let none = doubles_of(&[f64::NAN]);
        assert_eq!((none.mean(), none.min(), none.percentile(5000)), (None, None, None));
    }

    #[test]
    fn sums_are_compensated() {
        let tenths = doubles_of(&[0.1; 10]);
        assert_eq!(
            (tenths.sum(), tenths.mean()),
            (1.0, Some(0.1)),
            "0.9999999999999999 without compensation"
        );
        assert_eq!(doubles_of(&[1e100, 1.0, -1e100]).sum(), 1.0);
        assert_eq!(doubles_of(&[f64::MAX, f64::MAX]).sum(), f64::INFINITY);
    }

    #[test]
    fn limits_of_buckets() {
        for value in [f64::MIN_POSITIVE, 0.75, 1.0, 4.0, 1e300, f64::MAX] {
            for value in [value, -value] {
                let values = values(bucket_of(value));
                assert!(values.contains(&value), "{value} in {values:?}");
                assert_eq!([*values.start(), *values.end()].map(bucket_of), [bucket_of(value); 2], "{value}");
            }
        }
        assert_eq!(bucket_of(-4.0), bucket_of(-3.99), "the lower limit is in the bucket");
        assert_eq!(bucket_of(4.0), bucket_of(4.01));
        assert_eq!(bucket_of(5e-324_f64.abs() * 0.0), 0);
    }

    #[test]
    fn integers_are_continued() {
        let mut integers = Integers::default();
        (0..1000).for_each(|value| integers.add(value));
        let mut doubles = Doubles::from(&integers);
        doubles.add(-0.5);
        assert_eq!((doubles.count(), doubles.sum(), doubles.is_exact()), (1001, 499_499.5, false));
        assert_eq!((doubles.min(), doubles.max()), (Some(-0.5), Some(999.0)));
        let error = doubles.percentile(9000).unwrap() - 899.0;
        assert!(error.abs() <= 899.0 * Sketch::RELATIVE_ERROR, "{error}");
    }

    fn value() -> impl Strategy<Value = f64> {
        (any::<f64>(), -40_i32..40, any::<bool>()).prop_map(|(value, power, is_scaled)| {
            // Half of the values are of magnitudes that occur in practice.
            let fraction = if value.is_finite() { value.fract() } else { 0.5 };
            if is_scaled { (fraction + 0.25) * 2_f64.powi(power) } else { value }
        })
    }

    proptest! {
        #[test]
        fn percentiles_are_within_the_error(all in vec(value(), 1..300), hundredths in 0_u32..=10_000) {
            let doubles = doubles_of(&all);
            let mut finite: Vec<f64> = all.iter().copied().filter(|value| value.is_finite()).collect();
            finite.sort_by(f64::total_cmp);
            prop_assert_eq!(doubles.count() + doubles.nan() + doubles.infinite(), all.len() as u64);
            prop_assume!(!finite.is_empty());
            let rank = (finite.len() * hundredths as usize).div_ceil(10_000).max(1);
            let exact = finite[rank - 1];
            let error = (doubles.percentile(hundredths).unwrap() - exact).abs();
            prop_assert!(error <= exact.abs() * Sketch::RELATIVE_ERROR + f64::MIN_POSITIVE, "{exact}");
            let buckets = doubles.buckets();
            prop_assert!(buckets.windows(2).all(|two| two[0].0.end() < two[1].0.start()));
            for (values, count) in buckets {
                let inside = |value: f64| values.contains(&if value.abs() < f64::MIN_POSITIVE { 0.0 } else { value });
                prop_assert_eq!(finite.iter().filter(|value| inside(**value)).count() as u64, count);
            }
        }
    }
}
