//! The encoding of columns, which depends on their first values.
//!
//! Measurements for 64-bit values on one core, with the writer of the crate `parquet`:
//!
//! | values | dictionary | deltas, packed | plain |
//! | --- | --- | --- | --- |
//! | times | 37 ns, 10 bytes | 4.4 ns, 1.5 bytes | 1.6 ns, 8 bytes |
//! | pointers to a million addresses | 41 ns, 9.6 bytes | 5.7 ns, 3.2 bytes | 1.8 ns, 8 bytes |
//! | one of four pointers | 5.4 ns, 0.3 bytes | 5.6 ns, 6 bytes | 1.8 ns, 8 bytes |
//! | numbers up to 5000 | 6.7 ns, 1.9 bytes | 5.4 ns, 1.8 bytes | 1.8 ns, 8 bytes |
//! | random bits | 37 ns, 10 bytes | 4.9 ns, 8.1 bytes | 1.6 ns, 8 bytes |
//!
//! Compression of packed values costs 1 ns (LZ4) to 2 ns (zstd) and saves nothing, so only strings
//! are compressed. Splitting integers by bytes, which Parquet has supported since 2024, would be as
//! fast with LZ4, but not all engines read it.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnEncoding {
    /// Stores each distinct value once, and references to it. For strings, and for integers with
    /// few distinct values.
    Dictionary,
    Deltas,
    Plain,
}

/// Number of values at the start of a column that are examined.
pub(super) const SAMPLE: usize = 1024;

/// Differences with more bits do not save enough space.
const MAX_DELTA_BITS: u32 = 48;

impl ColumnEncoding {
    pub(super) fn for_integers(sample: &mut [u64]) -> ColumnEncoding {
        let is_wide = |pair: &[u64]| {
            let delta = pair[1].wrapping_sub(pair[0]).cast_signed();
            64 - delta.unsigned_abs().leading_zeros() > MAX_DELTA_BITS
        };
        let wide = sample.windows(2).filter(|pair| is_wide(pair)).count();
        let count = sample.len();
        sample.sort_unstable();
        let different = sample.chunk_by(|a, b| a == b).count();
        if different * 8 <= count {
            ColumnEncoding::Dictionary
        } else if wide * 8 <= count {
            ColumnEncoding::Deltas
        } else {
            ColumnEncoding::Plain
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_values_determine_the_encoding() {
        let choice = |of: &dyn Fn(u64) -> u64| {
            let mut sample: Vec<u64> = (0..SAMPLE as u64).map(of).collect();
            ColumnEncoding::for_integers(&mut sample)
        };
        let random = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        assert_eq!(choice(&|_| 7), ColumnEncoding::Dictionary);
        assert_eq!(
            choice(&|number| [0x7f12_0000_1000, 3, u64::MAX][number as usize % 3]),
            ColumnEncoding::Dictionary
        );
        assert_eq!(choice(&|number| 1_234_567_890_123 + 4000 * number), ColumnEncoding::Deltas);
        assert_eq!(choice(&|number| 0x7f12_0000_0000 + random(number) % 1_000_000), ColumnEncoding::Deltas);
        assert_eq!(choice(&random), ColumnEncoding::Plain);
        assert_eq!(ColumnEncoding::for_integers(&mut []), ColumnEncoding::Dictionary);
        assert_eq!(ColumnEncoding::for_integers(&mut [5]), ColumnEncoding::Deltas);
    }
}
