//! Statistics of the values of an argument, which are integers or floating-point values.

use std::cmp::Ordering;

use super::{Doubles, Integers};

/// A value of an argument, or a result of its statistics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer from `i64::MIN` to `u64::MAX`, or a sum of such integers.
    Integer(i128),
    /// A floating-point value.
    Double(f64),
}

impl Number {
    /// Returns the number as a floating-point value.
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Integer(number) => number as f64,
            Number::Double(number) => number,
        }
    }

    /// Compares two numbers, for sorting.
    pub fn total_cmp(self, other: Number) -> Ordering {
        match (self, other) {
            (Number::Integer(left), Number::Integer(right)) => left.cmp(&right),
            (left, right) => left.as_f64().total_cmp(&right.as_f64()),
        }
    }
}

/// Statistics of numbers. All are integers until the first floating-point value occurs.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "the large variant, integers, is the common one")]
pub enum Numbers {
    /// All values are integers.
    Integers(Integers),
    /// At least one value is a floating-point value.
    Doubles(Doubles),
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers::Integers(Integers::default())
    }
}

impl Numbers {
    /// Counts `value`.
    #[inline]
    pub fn add(&mut self, value: Number) {
        match (&mut *self, value) {
            (Numbers::Integers(integers), Number::Integer(value)) => integers.add(value),
            (Numbers::Doubles(doubles), value) => doubles.add(value.as_f64()),
            (Numbers::Integers(integers), Number::Double(value)) => {
                let mut doubles = Doubles::from(&*integers);
                doubles.add(value);
                *self = Numbers::Doubles(doubles);
            }
        }
    }

    /// Returns the number of values, excluding [NaN](Numbers::nan) and
    /// [infinite](Numbers::infinite) values. No other result includes these.
    pub fn count(&self) -> u64 {
        self.of(Integers::count, Doubles::count)
    }

    /// Returns the number of values that are NaN.
    pub fn nan(&self) -> u64 {
        self.of(|_| 0, Doubles::nan)
    }

    /// Returns the number of infinite values.
    pub fn infinite(&self) -> u64 {
        self.of(|_| 0, Doubles::infinite)
    }

    /// Returns the sum.
    pub fn sum(&self) -> Number {
        self.of(|integers| Number::Integer(integers.sum()), |doubles| Number::Double(doubles.sum()))
    }

    /// Returns the smallest value.
    pub fn min(&self) -> Option<Number> {
        self.of(|integers| integers.min().map(Number::Integer), |doubles| doubles.min().map(Number::Double))
    }

    /// Returns the largest value.
    pub fn max(&self) -> Option<Number> {
        self.of(|integers| integers.max().map(Number::Integer), |doubles| doubles.max().map(Number::Double))
    }

    /// Returns the mean.
    pub fn mean(&self) -> Option<f64> {
        self.of(Integers::mean, Doubles::mean)
    }

    /// Returns a percentile by nearest rank. `hundredths` is the percentile in hundredths of a
    /// percent: 9950 is p99.5. Returns `None` if there are no values.
    pub fn percentile(&self, hundredths: u32) -> Option<Number> {
        self.of(
            |integers| integers.percentile(hundredths).map(Number::Integer),
            |doubles| doubles.percentile(hundredths).map(Number::Double),
        )
    }

    /// Returns whether percentiles and buckets are exact.
    pub fn is_exact(&self) -> bool {
        self.of(Integers::is_exact, Doubles::is_exact)
    }

    /// Returns the non-empty buckets in ascending order: the smallest and the largest value that a
    /// bucket can contain, and the number of values in it.
    pub fn buckets(&self) -> Vec<(Number, Number, u64)> {
        match self {
            Numbers::Integers(integers) => integers
                .buckets()
                .into_iter()
                .map(|(values, count)| {
                    (Number::Integer(*values.start()), Number::Integer(*values.end()), count)
                })
                .collect(),
            Numbers::Doubles(doubles) => doubles
                .buckets()
                .into_iter()
                .map(|(values, count)| {
                    (Number::Double(*values.start()), Number::Double(*values.end()), count)
                })
                .collect(),
        }
    }

    fn of<T>(&self, integers: impl Fn(&Integers) -> T, doubles: impl Fn(&Doubles) -> T) -> T {
        match self {
            Numbers::Integers(of) => integers(of),
            Numbers::Doubles(of) => doubles(of),
        }
    }
}
