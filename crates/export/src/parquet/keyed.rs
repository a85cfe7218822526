//! Column chunks of values that often occur again: a dictionary, and for each row a key.
//!
//! Parquet stores keys, and the levels that mark nulls, as runs and as packed numbers. Rows of the same
//! thread are mostly consecutive, so columns of owners take next to no time and space. The writer of
//! the crate `parquet` looks up every value in a hash table instead; here, there is one look-up for
//! each run.

use std::collections::HashMap;

use parquet::basic::{Encoding, Type as PhysicalType};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescPtr;
use ringtrace_tracefile::columns::{Bitmap, Strings};

use super::chunk::Chunk;
use super::numbers::{extremes, push_plain};
use super::pages::{Extremes, Memory, Pages, Run, push_hybrid, push_levels};

/// The values of a column that are not null.
pub(super) enum Keyed<'v> {
    /// Integers, or the bits of floating-point numbers.
    Integers(&'v [i64]),
    /// Indices of strings.
    Strings(&'v [u32], &'v Strings),
}

/// The limit for the number of different integers in a dictionary.
const MAX_INTEGERS: usize = 1 << 12;

/// The longest strings that are the minimum or the maximum in the statistics. Longer ones would be
/// truncated, which not all engines understand.
const MAX_STATISTICS_BYTES: usize = 64;

/// Encodes columns as keys. The fields are memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Keys {
    runs: Vec<Run>,
    /// The keys of strings, by their index in the batch's dictionary, plus 1.
    known: Vec<u32>,
    integers: IntegerKeys,
}

impl Keys {
    /// Encodes a column chunk. Returns `None` if there are too many different integers.
    pub(super) fn encode(
        &mut self,
        column: &ColumnDescPtr,
        values: &Keyed<'_>,
        rows: usize,
        validity: Option<&Bitmap>,
        memory: &mut Memory,
    ) -> Result<Option<Chunk>, ParquetError> {
        let Keys { runs, known, integers } = self;
        runs.clear();
        let (dictionary, count, statistics) = match values {
            Keyed::Integers(values) => {
                integers.clear();
                if !push_runs(values, |value| integers.key(value), runs) {
                    return Ok(None);
                }
                let all = &integers.values;
                let mut plain = Vec::new();
                push_plain(all, &mut plain);
                // The bits of floating-point numbers are not in the order of the numbers.
                let extremes = match column.physical_type() {
                    PhysicalType::DOUBLE => Extremes::Doubles(None),
                    _ => extremes(column, all),
                };
                (plain, all.len(), extremes)
            }
            Keyed::Strings(keys, strings) => {
                known.clear();
                known.resize(strings.len(), 0);
                let mut used = Vec::new();
                let key = |index: u32| {
                    let known = known.get_mut(index as usize)?;
                    if *known == 0 {
                        used.push(index);
                        *known = used.len() as u32;
                    }
                    Some(*known - 1)
                };
                if !push_runs(keys, key, runs) {
                    return Err(ParquetError::General("a string is not in its dictionary".to_owned()));
                }
                let used: Vec<&str> = used.into_iter().map(|index| strings.get(index as usize)).collect();
                (plain_strings(&used), used.len(), string_statistics(&used))
            }
        };
        let mut page = memory.page();
        push_levels(column, rows, validity, &mut page);
        let width = u32::BITS - (count as u32).saturating_sub(1).leading_zeros();
        page.push(width as u8);
        push_hybrid(runs, width, &mut page);
        let nulls = validity.map_or(0, Bitmap::count_zeros);
        let encoding = Encoding::RLE_DICTIONARY;
        let pages = Pages { dictionary: Some((dictionary, count)), page, encoding, rows };
        pages.chunk(column, statistics.with_nulls(nulls), memory).map(Some)
    }
}

fn string_statistics(strings: &[&str]) -> Extremes {
    let both = strings.iter().min().zip(strings.iter().max());
    let both = both.filter(|(min, max)| min.len().max(max.len()) <= MAX_STATISTICS_BYTES);
    Extremes::Strings(both.map(|(min, max)| (ByteArray::from(*min), ByteArray::from(*max))))
}

fn plain_strings(strings: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for string in strings {
        bytes.extend_from_slice(&(string.len() as u32).to_le_bytes());
        bytes.extend_from_slice(string.as_bytes());
    }
    bytes
}

/// Keys for integers, in the order in which they first occur.
#[derive(Debug)]
struct IntegerKeys {
    values: Vec<i64>,
    keys: HashMap<i64, u32>,
    /// Recently used keys, plus 1, by a part of the integer's hash.
    recent: Box<[(i64, u32); 1 << RECENT_BITS]>,
}

const RECENT_BITS: u32 = 8;

impl Default for IntegerKeys {
    fn default() -> IntegerKeys {
        IntegerKeys { values: Vec::new(), keys: HashMap::new(), recent: Box::new([(0, 0); 1 << RECENT_BITS]) }
    }
}

impl IntegerKeys {
    fn clear(&mut self) {
        self.values.clear();
        self.keys.clear();
        self.recent.fill((0, 0));
    }

    /// Returns the key of `value`, or `None` if there are too many different values.
    #[inline]
    fn key(&mut self, value: i64) -> Option<u32> {
        // Multiplicative hashing, by the golden ratio.
        let hash = value.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (hash >> (u64::BITS - RECENT_BITS)) as usize;
        match self.recent[slot] {
            (recent, key) if recent == value && key > 0 => Some(key - 1),
            _ => self.look_up(value, slot),
        }
    }

    #[inline(never)]
    fn look_up(&mut self, value: i64, slot: usize) -> Option<u32> {
        let next = self.values.len();
        let key = *self.keys.entry(value).or_insert(next as u32);
        if key as usize == next {
            if next == MAX_INTEGERS {
                return None;
            }
            self.values.push(value);
        }
        self.recent[slot] = (value, key + 1);
        Some(key)
    }
}

/// Appends the runs of equal values. Returns false if a value has no key.
fn push_runs<T: Copy + PartialEq>(
    values: &[T],
    mut key: impl FnMut(T) -> Option<u32>,
    runs: &mut Vec<Run>,
) -> bool {
    let mut rest = values;
    while let Some(&value) = rest.first() {
        let count = run_length(rest, value);
        let Some(key) = key(value) else { return false };
        runs.push((key, count));
        rest = &rest[count..];
    }
    true
}

/// Returns the number of values at the start that are `value`.
#[inline]
fn run_length<T: Copy + PartialEq>(values: &[T], value: T) -> usize {
    const BLOCK: usize = 16;
    if values.get(1) != Some(&value) {
        return 1;
    }
    let (blocks, _) = values.as_chunks::<BLOCK>();
    let same = |block: &&[T; BLOCK]| block.iter().fold(true, |all, &other| all & (other == value));
    let count = BLOCK * blocks.iter().take_while(same).count();
    count + values[count..].iter().take_while(|&&other| other == value).count()
}

#[cfg(test)]
mod tests {
    use parquet::file::statistics::Statistics;
    use parquet::record::Field;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::parquet::pages::{
        nulls,
        tests::{bitmap, file, read},
    };

    /// Returns values in runs of different lengths, and which of them are nulls.
    fn runs(values: impl Strategy<Value = i64>) -> impl Strategy<Value = Vec<Option<i64>>> {
        let length = prop_oneof![6 => 1_usize..4, 2 => 4_usize..40, 1 => 100_usize..2000];
        let value = prop_oneof![5 => values.prop_map(Some), 1 => Just(None)];
        vec((value, length), 1..60)
            .prop_map(|runs| runs.into_iter().flat_map(|(value, count)| vec![value; count]).collect())
    }

    proptest! {
        #[test]
        fn integers_round_trip(rows in prop_oneof![
            runs(any::<i64>()),
            runs(0..3_i64),
            runs(0..300_i64),
            runs(Just(7)),
        ]) {
            let values: Vec<i64> = rows.iter().copied().flatten().collect();
            let validity = bitmap(&rows);
            let file = file(PhysicalType::INT64, |column| {
                if values.is_empty() {
                    return nulls(column, rows.len(), &mut Memory::default()).unwrap();
                }
                let (values, validity) = (Keyed::Integers(&values), validity.as_ref());
                let memory = &mut Memory::default();
                Keys::default().encode(column, &values, rows.len(), validity, memory).unwrap().unwrap()
            });
            let (found, statistics) = read(file);
            let expected: Vec<Field> =
                rows.iter().map(|row| row.map_or(Field::Null, Field::Long)).collect();
            prop_assert_eq!(found, expected);
            let Statistics::Int64(statistics) = statistics else { panic!("{statistics:?}") };
            prop_assert_eq!(statistics.min_opt(), values.iter().min());
            prop_assert_eq!(statistics.max_opt(), values.iter().max());
            prop_assert_eq!(statistics.null_count_opt(), Some((rows.len() - values.len()) as u64));
        }

        #[test]
        fn strings_round_trip(rows in runs(0..40_i64)) {
            let all: Strings = (0..40).map(|number| format!("name {number}")).collect();
            let keys: Vec<u32> = rows.iter().copied().flatten().map(|key| key as u32).collect();
            let validity = bitmap(&rows);
            let file = file(PhysicalType::BYTE_ARRAY, |column| {
                if keys.is_empty() {
                    return nulls(column, rows.len(), &mut Memory::default()).unwrap();
                }
                let (values, validity) = (Keyed::Strings(&keys, &all), validity.as_ref());
                let memory = &mut Memory::default();
                Keys::default().encode(column, &values, rows.len(), validity, memory).unwrap().unwrap()
            });
            let (found, _) = read(file);
            let text = |key: i64| Field::Bytes(ByteArray::from(all.get(key as usize)));
            let expected: Vec<Field> = rows.iter().map(|row| row.map_or(Field::Null, text)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn many_integers_have_no_dictionary() {
        let column = file(PhysicalType::INT64, |column| {
            let most: Vec<i64> = (0..MAX_INTEGERS as i64).collect();
            let more: Vec<i64> = (0..=MAX_INTEGERS as i64).collect();
            let (mut keys, mut memory) = (Keys::default(), Memory::default());
            let mut encode = |values: &[i64]| {
                keys.encode(column, &Keyed::Integers(values), values.len(), None, &mut memory).unwrap()
            };
            assert!(encode(&more).is_none());
            encode(&most).unwrap()
        });
        assert_eq!(read(column).0.len(), MAX_INTEGERS);
    }
}
