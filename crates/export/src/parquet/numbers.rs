//! Column chunks of integers: as differences, packed, or as they are.
//!
//! The format of differences is `DELTA_BINARY_PACKED` of the specification of Parquet's encodings
//! (<https://github.com/apache/parquet-format/blob/master/Encodings.md>). They are stored in blocks: the
//! smallest difference; for each 32 values, the number of bits that the other differences need beyond it;
//! and these bits.

use parquet::basic::{Encoding, SortOrder};
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescPtr;
use ringtrace_tracefile::columns::Bitmap;

use super::chunk::Chunk;
use super::encoding::ColumnEncoding;
use super::pages::{Extremes, Memory, Pages, push_levels};
use crate::shared::varint::push_varint;

/// Encodes the values of a column chunk that are not null, as differences or as they are.
pub(super) fn encode(
    column: &ColumnDescPtr,
    encoding: ColumnEncoding,
    values: &[i64],
    rows: usize,
    validity: Option<&Bitmap>,
    memory: &mut Memory,
) -> Result<Chunk, ParquetError> {
    let mut page = memory.page();
    push_levels(column, rows, validity, &mut page);
    let (encoding, is_increasing) = match encoding {
        ColumnEncoding::Deltas => (Encoding::DELTA_BINARY_PACKED, push_deltas(values, &mut page)),
        ColumnEncoding::Plain | ColumnEncoding::Dictionary => {
            push_plain(values, &mut page);
            (Encoding::PLAIN, false)
        }
    };
    let extremes = match values {
        // Most times increase. Signed and unsigned numbers with the same sign have the same order.
        [first, .., last] if is_increasing && first ^ last >= 0 => Extremes::Integers(Some((*first, *last))),
        _ => extremes(column, values),
    };
    let statistics = extremes.with_nulls(rows - values.len());
    Pages { dictionary: None, page, encoding, rows }.chunk(column, statistics, memory)
}

/// Returns the smallest and the largest value.
pub(super) fn extremes(column: &ColumnDescPtr, values: &[i64]) -> Extremes {
    let Some(&first) = values.first() else { return Extremes::Integers(None) };
    // Unsigned numbers are in the order of signed numbers whose highest bit is inverted.
    let flip = if column.sort_order() == SortOrder::UNSIGNED { i64::MIN } else { 0 };
    let first = first ^ flip;
    let both = values.iter().fold((first, first), |(min, max), value| {
        let value = value ^ flip;
        (min.min(value), max.max(value))
    });
    Extremes::Integers(Some((both.0 ^ flip, both.1 ^ flip)))
}

/// Appends `values` as they are.
pub(super) fn push_plain(values: &[i64], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + size_of_val(values), 0);
    let (places, _) = out[start..].as_chunks_mut();
    for (place, value) in places.iter_mut().zip(values) {
        *place = value.to_le_bytes();
    }
}

/// The number of differences in a block.
const BLOCK: usize = 128;

/// The number of differences that are stored with the same number of bits.
const MINIBLOCK: usize = 32;

/// Differences of at most this number of bits, of fewer than 2^[`ROW_BITS`] rows, do not overflow when they
/// are added.
const SUM_BITS: u32 = 40;
const ROW_BITS: u32 = u64::BITS - 2 - SUM_BITS;

/// Appends `values` as differences. Returns true if the values never decrease; false can be wrong.
fn push_deltas(values: &[i64], out: &mut Vec<u8>) -> bool {
    push_varint(BLOCK as u64, out);
    push_varint((BLOCK / MINIBLOCK) as u64, out);
    push_varint(values.len() as u64, out);
    push_zigzag(values.first().copied().unwrap_or(0), out);
    let mut deltas = [0; BLOCK];
    let (mut rest, mut all) = (values, 0);
    while rest.len() > 1 {
        let count = (rest.len() - 1).min(BLOCK);
        for ((delta, value), next) in deltas.iter_mut().zip(&rest[..count]).zip(&rest[1..=count]) {
            *delta = next.wrapping_sub(*value);
            all |= *delta;
        }
        rest = &rest[count..];
        let min = deltas[..count].iter().copied().fold(i64::MAX, i64::min);
        // Places without a value must not need bits.
        deltas[count..].fill(min);
        push_block(&deltas, min, count.div_ceil(MINIBLOCK), out);
    }
    // The sum of the differences is too small to wrap twice.
    all >> SUM_BITS == 0 && values.len() >> ROW_BITS == 0 && values.first() <= values.last()
}

/// Appends a block, of which the first `used` parts contain values.
fn push_block(deltas: &[i64; BLOCK], min: i64, used: usize, out: &mut Vec<u8>) {
    push_zigzag(min, out);
    let (parts, _) = deltas.as_chunks::<MINIBLOCK>();
    let parts: [[u64; MINIBLOCK]; BLOCK / MINIBLOCK] =
        std::array::from_fn(|part| parts[part].map(|delta| delta.wrapping_sub(min).cast_unsigned()));
    let widths = parts.map(|part| u64::BITS - part.iter().fold(0, |all, bits| all | bits).leading_zeros());
    out.extend(widths.map(|width| width as u8));
    for (part, width) in parts.iter().zip(widths).take(used) {
        push_packed(part, width, out);
    }
}

/// Appends the lowest `width` bits of each value. The other bits are zero.
fn push_packed(values: &[u64; MINIBLOCK], width: u32, out: &mut Vec<u8>) {
    // Two or four neighbours are joined first. The compiler makes vectors of that, unlike of the rest.
    match width {
        0 => {}
        1..=16 => push_joined::<8>(&join(&join::<32, 16>(values, width), 2 * width), 4 * width, out),
        17..=32 => push_joined::<16>(&join(values, width), 2 * width, out),
        _ => push_joined(values, width, out),
    }
}

/// Joins pairs of values of `width` bits, which is at most 32.
#[inline]
fn join<const N: usize, const M: usize>(values: &[u64; N], width: u32) -> [u64; M] {
    let (pairs, _) = values.as_chunks::<2>();
    std::array::from_fn(|index| pairs[index][0] | pairs[index][1] << width)
}

/// Appends the lowest `width` bits of each value. The number of all bits is a multiple of 32.
#[inline]
fn push_joined<const N: usize>(values: &[u64; N], width: u32, out: &mut Vec<u8>) {
    let mut bytes = [[0; size_of::<u64>()]; MINIBLOCK];
    let mut places = bytes.iter_mut();
    let (mut bits, mut filled) = (0, 0);
    for value in values {
        bits |= value << filled;
        filled += width;
        if filled >= u64::BITS {
            if let Some(place) = places.next() {
                *place = bits.to_le_bytes();
            }
            filled -= u64::BITS;
            bits = value.checked_shr(width - filled).unwrap_or(0);
        }
    }
    if let Some(place) = places.next() {
        *place = bits.to_le_bytes();
    }
    out.extend_from_slice(&bytes.as_flattened()[..N * width as usize / u8::BITS as usize]);
}

/// Appends a signed number, so that those near zero take few bytes.
fn push_zigzag(value: i64, out: &mut Vec<u8>) {
    push_varint((value << 1 ^ value >> (i64::BITS - 1)).cast_unsigned(), out);
}

#[cfg(test)]
mod tests {
    use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
    use parquet::file::statistics::Statistics;
    use parquet::record::Field;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::parquet::pages::tests::{bitmap, file, file_of, read};

    /// Returns numbers whose differences need up to 64 bits, often the same number of bits for many.
    fn numbers() -> impl Strategy<Value = Vec<i64>> {
        let bits = |width: u32| any::<i64>().prop_map(move |bits| bits.checked_shr(width).unwrap_or(0));
        let part = (0..=64_u32, 0..300_usize).prop_flat_map(move |(width, count)| vec(bits(width), count));
        let sums = |differences: &Vec<i64>| {
            let add = |sum: &mut i64, difference: &i64| {
                *sum = sum.wrapping_add(*difference);
                Some(*sum)
            };
            differences.iter().scan(0, add).collect()
        };
        vec(part, 0..4).prop_map(|parts| parts.concat()).prop_map(move |differences| sums(&differences))
    }

    fn check(rows: &[Option<i64>], is_plain: bool) {
        let values: Vec<i64> = rows.iter().copied().flatten().collect();
        let validity = bitmap(rows);
        let encoding = if is_plain { ColumnEncoding::Plain } else { ColumnEncoding::Deltas };
        let file = file(PhysicalType::INT64, |column| {
            // The memory of an earlier chunk must not matter.
            let mut memory = Memory::default();
            encode(column, encoding, &[1, 2, 300], 3, None, &mut memory).unwrap();
            encode(column, encoding, &values, rows.len(), validity.as_ref(), &mut memory).unwrap()
        });
        let (found, statistics) = read(file);
        let expected: Vec<Field> = rows.iter().map(|row| row.map_or(Field::Null, Field::Long)).collect();
        assert_eq!(found, expected);
        let Statistics::Int64(statistics) = statistics else { panic!("{statistics:?}") };
        assert_eq!(statistics.min_opt(), values.iter().min());
        assert_eq!(statistics.max_opt(), values.iter().max());
        assert_eq!(statistics.null_count_opt(), Some((rows.len() - values.len()) as u64));
    }

    proptest! {
        #[test]
        fn numbers_round_trip(numbers in numbers(), is_plain: bool) {
            check(&numbers.into_iter().map(Some).collect::<Vec<_>>(), is_plain);
        }

        #[test]
        fn nulls_round_trip(rows in vec(any::<Option<i64>>(), 1..400), is_plain: bool) {
            check(&rows, is_plain);
        }
    }

    #[test]
    fn blocks_of_every_length_round_trip() {
        for count in (0..4).chain(30..36).chain(126..132).chain(254..260) {
            check(&(0..count).map(|number| Some(number * number * 1000)).collect::<Vec<_>>(), false);
        }
    }

    #[test]
    fn all_widths_round_trip() {
        for width in 0..=64 {
            let largest = u64::MAX.checked_shr(64 - width).unwrap_or(0).cast_signed();
            check(
                &(0..200).map(|row| Some(if row % 3 == 0 { largest } else { 0 })).collect::<Vec<_>>(),
                false,
            );
        }
    }

    /// A column that has no levels, and whose numbers are unsigned.
    #[test]
    fn extremes_are_in_the_order_of_the_column() {
        let unsigned = |values: &[i64], encoding: ColumnEncoding| {
            let file = file_of(Repetition::REQUIRED, Some(LogicalType::integer(64, false)), |column| {
                encode(column, encoding, values, values.len(), None, &mut Memory::default()).unwrap()
            });
            let (found, Statistics::Int64(statistics)) = read(file) else { panic!("no integers") };
            let expected: Vec<Field> =
                values.iter().map(|value| Field::ULong(value.cast_unsigned())).collect();
            assert_eq!(found, expected);
            statistics.min_opt().copied().zip(statistics.max_opt().copied())
        };
        for encoding in [ColumnEncoding::Plain, ColumnEncoding::Deltas] {
            assert_eq!(unsigned(&[1, i64::MIN, 5], encoding), Some((1, i64::MIN)));
            assert_eq!(unsigned(&[-1, 0, 1], encoding), Some((0, -1)));
            assert_eq!(unsigned(&[2, 3, 9], encoding), Some((2, 9)));
        }
    }

    #[test]
    fn numbers_that_wrap_decrease() {
        for values in [&[i64::MAX, i64::MIN][..], &[-1, 0, 1], &[1, 0], &[0, 1 << 40], &[0, i64::MIN, 0]] {
            check(&values.iter().copied().map(Some).collect::<Vec<_>>(), false);
        }
        assert!(!push_deltas(&[i64::MAX, i64::MIN], &mut Vec::new()));
        assert!(!push_deltas(&[3, 2], &mut Vec::new()));
        assert!(push_deltas(&[-1, 0, 0, 1_000_000_000], &mut Vec::new()));
    }

    #[test]
    fn regular_numbers_take_next_to_no_space() {
        let mut bytes = Vec::new();
        push_deltas(&(0..100_000).map(|number| 4_000 * number).collect::<Vec<_>>(), &mut bytes);
        // Each block has a difference of two bytes and four widths.
        assert_eq!(bytes.len(), 2 + 1 + 3 + 1 + 100_000_usize.div_ceil(BLOCK) * 6);
    }
}
