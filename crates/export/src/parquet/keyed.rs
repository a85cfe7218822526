//! Column chunks of values that often occur again: a dictionary, and for each row a key.
//!
//! Parquet stores keys, and the levels that mark nulls, as runs and as packed numbers. Rows of the same
//! thread are mostly consecutive, so columns of owners take next to no time and space. The writer of
//! the crate `parquet` looks up every value in a hash table instead; here, there is one look-up for
//! each run.

use std::collections::HashMap;

use parquet::basic::{Compression, Encoding, Type as PhysicalType};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use ringtrace_tracefile::columns::{Bitmap, Strings};

use super::chunk::Chunk;
use crate::shared::varint::push_varint;

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

/// A number of consecutive rows with the same key.
type Run = (u32, usize);

/// Encodes columns as keys. The fields are memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Keys {
    runs: Vec<Run>,
    levels: Vec<Run>,
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
    ) -> Result<Option<Chunk>, ParquetError> {
        let Keys { runs, levels, known, integers } = self;
        runs.clear();
        let (dictionary, count, statistics) = match values {
            Keyed::Integers(values) => {
                integers.clear();
                if !push_runs(values, |value| integers.key(value), runs) {
                    return Ok(None);
                }
                let all = &integers.values;
                (plain_integers(all), all.len(), integer_statistics(column, all))
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
        let mut page = Vec::new();
        push_levels(column, rows, validity, levels, &mut page);
        let width = u32::BITS - (count as u32).saturating_sub(1).leading_zeros();
        page.push(width as u8);
        push_hybrid(runs, width, &mut page);
        let nulls = validity.map_or(0, Bitmap::count_zeros);
        let pages = Pages { dictionary: Some((dictionary, count)), page, rows };
        pages.chunk(column, statistics.with_nulls(nulls)).map(Some)
    }
}

/// Encodes a column chunk that contains only nulls.
pub(super) fn nulls(column: &ColumnDescPtr, rows: usize) -> Result<Chunk, ParquetError> {
    let mut page = Vec::new();
    push_with_length(&[(0, rows)], &mut page);
    let extremes = match column.physical_type() {
        PhysicalType::BOOLEAN => Extremes::Booleans,
        PhysicalType::DOUBLE => Extremes::Doubles(None),
        PhysicalType::BYTE_ARRAY => Extremes::Strings(None),
        _ => Extremes::Integers(None),
    };
    Pages { dictionary: None, page, rows }.chunk(column, extremes.with_nulls(rows))
}

/// The pages of a column chunk.
struct Pages {
    dictionary: Option<(Vec<u8>, usize)>,
    page: Vec<u8>,
    rows: usize,
}

impl Pages {
    fn chunk(self, column: &ColumnDescPtr, statistics: Statistics) -> Result<Chunk, ParquetError> {
        let mut sink = TrackedWrite::new(Vec::new());
        let mut pages = SerializedPageWriter::new(&mut sink);
        let mut dictionary_at = None;
        let mut uncompressed = 0;
        let mut encodings = vec![Encoding::PLAIN, Encoding::RLE];
        let mut encoding = Encoding::PLAIN;
        if let Some((bytes, count)) = self.dictionary {
            let size = bytes.len();
            let page = Page::DictionaryPage {
                buf: bytes.into(),
                num_values: count as u32,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            let written = pages.write_page(CompressedPage::new(page, size))?;
            dictionary_at = Some(written.offset as i64);
            uncompressed += written.uncompressed_size;
            encoding = Encoding::RLE_DICTIONARY;
            encodings.push(encoding);
        }
        let size = self.page.len();
        let page = Page::DataPage {
            buf: self.page.into(),
            num_values: self.rows as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let written = pages.write_page(CompressedPage::new(page, size))?;
        uncompressed += written.uncompressed_size;
        let bytes = sink.into_inner()?;
        let metadata = ColumnChunkMetaData::builder(column.clone())
            .set_compression(Compression::UNCOMPRESSED)
            .set_encodings(encodings)
            .set_num_values(self.rows as i64)
            .set_total_compressed_size(bytes.len() as i64)
            .set_total_uncompressed_size(uncompressed as i64)
            .set_dictionary_page_offset(dictionary_at)
            .set_data_page_offset(written.offset as i64)
            .set_statistics(statistics)
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: self.rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok(Chunk::new(bytes, close))
    }
}

/// The smallest and the largest value of a column chunk, if known.
enum Extremes {
    Booleans,
    Integers(Option<(i64, i64)>),
    Doubles(Option<(f64, f64)>),
    Strings(Option<(ByteArray, ByteArray)>),
}

impl Extremes {
    fn with_nulls(self, nulls: usize) -> Statistics {
        let nulls = Some(nulls as u64);
        match self {
            Extremes::Booleans => Statistics::boolean(None, None, None, nulls, false),
            Extremes::Integers(both) => {
                let (min, max) = both.unzip();
                Statistics::int64(min, max, None, nulls, false)
            }
            Extremes::Doubles(both) => {
                let (min, max) = both.unzip();
                Statistics::double(min, max, None, nulls, false)
            }
            Extremes::Strings(both) => {
                let (min, max) = both.unzip();
                Statistics::byte_array(min, max, None, nulls, false)
            }
        }
    }
}

fn integer_statistics(column: &ColumnDescPtr, values: &[i64]) -> Extremes {
    use parquet::basic::SortOrder;
    if column.physical_type() == PhysicalType::DOUBLE {
        // The bits are not in the order of the numbers.
        return Extremes::Doubles(None);
    }
    let values = values.iter().copied();
    Extremes::Integers(match column.sort_order() {
        SortOrder::UNSIGNED => {
            let (min, max) = (
                values.clone().min_by_key(|value| value.cast_unsigned()),
                values.max_by_key(|value| value.cast_unsigned()),
            );
            min.zip(max)
        }
        _ => values.clone().min().zip(values.max()),
    })
}

fn string_statistics(strings: &[&str]) -> Extremes {
    let both = strings.iter().min().zip(strings.iter().max());
    let both = both.filter(|(min, max)| min.len().max(max.len()) <= MAX_STATISTICS_BYTES);
    Extremes::Strings(both.map(|(min, max)| (ByteArray::from(*min), ByteArray::from(*max))))
}

fn plain_integers(values: &[i64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
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

/// Appends the levels that mark nulls, if the column can contain them.
fn push_levels(
    column: &ColumnDescPtr,
    rows: usize,
    validity: Option<&Bitmap>,
    levels: &mut Vec<Run>,
    page: &mut Vec<u8>,
) {
    if column.max_def_level() == 0 {
        return;
    }
    levels.clear();
    match validity {
        None => levels.push((1, rows)),
        Some(validity) => {
            for bit in validity.iter() {
                match levels.last_mut() {
                    Some((level, count)) if *level == u32::from(bit) => *count += 1,
                    _ => levels.push((bit.into(), 1)),
                }
            }
        }
    }
    push_with_length(levels, page);
}

/// Appends levels of one bit, after their length in bytes.
fn push_with_length(levels: &[Run], page: &mut Vec<u8>) {
    let start = page.len();
    page.extend_from_slice(&[0; 4]);
    push_hybrid(levels, 1, page);
    let length = (page.len() - start - 4) as u32;
    page[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// The number of values that are packed together.
const GROUP: usize = 8;

/// Appends runs in Parquet's hybrid encoding. Runs of at least [`GROUP`] values are stored as a count
/// and a value. Other values are packed in groups, with `width` bits each.
fn push_hybrid(runs: &[Run], width: u32, bytes: &mut Vec<u8>) {
    let mut packed: Vec<u32> = Vec::new();
    for &(value, mut count) in runs {
        let fill = (packed.len().next_multiple_of(GROUP) - packed.len()).min(count);
        packed.extend(std::iter::repeat_n(value, fill));
        count -= fill;
        if count < GROUP {
            packed.extend(std::iter::repeat_n(value, count));
            continue;
        }
        push_packed(&mut packed, width, bytes);
        push_varint((count as u64) << 1, bytes);
        bytes.extend_from_slice(&value.to_le_bytes()[..width.div_ceil(u8::BITS) as usize]);
    }
    push_packed(&mut packed, width, bytes);
}

/// Appends values, packed, and removes them. Values that are missing in the last group are zeros.
fn push_packed(values: &mut Vec<u32>, width: u32, bytes: &mut Vec<u8>) {
    if values.is_empty() {
        return;
    }
    values.resize(values.len().next_multiple_of(GROUP), 0);
    push_varint((values.len() / GROUP) as u64 * 2 + 1, bytes);
    let (mut bits, mut count) = (0_u64, 0);
    for value in values.drain(..) {
        bits |= u64::from(value) << count;
        count += width;
        if count >= u32::BITS {
            bytes.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= u32::BITS;
            count -= u32::BITS;
        }
    }
    bytes.extend_from_slice(&bits.to_le_bytes()[..count.div_ceil(u8::BITS) as usize]);
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write;
    use std::sync::Arc;

    use parquet::basic::{Repetition, Type as PhysicalType};
    use parquet::file::properties::WriterProperties;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::record::Field;
    use parquet::schema::types::Type;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Writes a file with one row group of one column.
    fn file(physical: PhysicalType, encode: impl FnOnce(&ColumnDescPtr) -> Chunk) -> File {
        let column = Type::primitive_type_builder("c", physical).with_repetition(Repetition::OPTIONAL);
        let fields = vec![Arc::new(column.build().unwrap())];
        let root = Arc::new(Type::group_type_builder("root").with_fields(fields).build().unwrap());
        let file = tempfile::tempfile().unwrap();
        let properties = Arc::new(WriterProperties::builder().build());
        let copy = file.try_clone().unwrap();
        let mut writer = SerializedFileWriter::new(copy, root, properties).unwrap();
        let columns = writer.schema_descr().columns().to_vec();
        let mut group = writer.next_row_group().unwrap();
        encode(&columns[0]).append(&mut group).unwrap();
        group.close().unwrap();
        writer.close().unwrap().file_metadata();
        (&file).flush().unwrap();
        file
    }

    fn read(file: File) -> (Vec<Field>, Statistics) {
        let reader = SerializedFileReader::new(file).unwrap();
        let statistics = reader.metadata().row_group(0).column(0).statistics().unwrap().clone();
        let rows = reader.get_row_iter(None).unwrap();
        (rows.map(|row| row.unwrap().into_columns().remove(0).1).collect(), statistics)
    }

    /// Returns values in runs of different lengths, and which of them are nulls.
    fn runs(values: impl Strategy<Value = i64>) -> impl Strategy<Value = Vec<Option<i64>>> {
        let length = prop_oneof![6 => 1_usize..4, 2 => 4_usize..40, 1 => 100_usize..2000];
        let value = prop_oneof![5 => values.prop_map(Some), 1 => Just(None)];
        vec((value, length), 1..60)
            .prop_map(|runs| runs.into_iter().flat_map(|(value, count)| vec![value; count]).collect())
    }

    fn bitmap(rows: &[Option<i64>]) -> Option<Bitmap> {
        let bits: Bitmap = rows.iter().map(Option::is_some).collect();
        (bits.count_zeros() > 0).then_some(bits)
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
                    return nulls(column, rows.len()).unwrap();
                }
                Keys::default().encode(column, &Keyed::Integers(&values), rows.len(), validity.as_ref()).unwrap().unwrap()
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
                    return nulls(column, rows.len()).unwrap();
                }
                Keys::default().encode(column, &Keyed::Strings(&keys, &all), rows.len(), validity.as_ref()).unwrap().unwrap()
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
            let mut keys = Keys::default();
            assert!(keys.encode(column, &Keyed::Integers(&more), more.len(), None).unwrap().is_none());
            keys.encode(column, &Keyed::Integers(&most), most.len(), None).unwrap().unwrap()
        });
        assert_eq!(read(column).0.len(), MAX_INTEGERS);
    }
}
