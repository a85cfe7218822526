//! The pages of a column chunk, and the levels that mark nulls.

use parquet::basic::{Compression, Encoding, Type as PhysicalType};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use ringtrace_tracefile::columns::Bitmap;

use super::chunk::Chunk;
use crate::shared::varint::push_varint;

/// A number of consecutive rows with the same key.
pub(super) type Run = (u32, usize);

/// Encodes a column chunk that contains only nulls.
pub(super) fn nulls(column: &ColumnDescPtr, rows: usize, memory: &mut Memory) -> Result<Chunk, ParquetError> {
    let mut page = memory.page();
    push_with_length(&[(0, rows)], &mut page);
    let extremes = match column.physical_type() {
        PhysicalType::BOOLEAN => Extremes::Booleans,
        PhysicalType::DOUBLE => Extremes::Doubles(None),
        PhysicalType::BYTE_ARRAY => Extremes::Strings(None),
        _ => Extremes::Integers(None),
    };
    let pages = Pages { dictionary: None, page, encoding: Encoding::PLAIN, rows };
    pages.chunk(column, extremes.with_nulls(rows), memory)
}

/// Memory that is used again, because the system must clear the pages of new memory.
#[derive(Debug, Default)]
pub(super) struct Memory {
    page: Vec<u8>,
    chunk: Vec<u8>,
}

impl Memory {
    /// Returns an empty vector for the contents of a page.
    pub(super) fn page(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.page)
    }

    /// Returns an empty vector for a column chunk.
    pub(super) fn chunk(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.chunk)
    }

    fn keep_page(&mut self, mut page: Vec<u8>) {
        page.clear();
        self.page = page;
    }

    /// Takes the memory of a chunk that has been written.
    pub(super) fn keep_chunk(&mut self, mut chunk: Vec<u8>) {
        chunk.clear();
        self.chunk = chunk;
    }
}

/// The pages of a column chunk.
pub(super) struct Pages {
    /// The plain values of the dictionary, and their number.
    pub(super) dictionary: Option<(Vec<u8>, usize)>,
    /// The levels that mark nulls, and the values.
    pub(super) page: Vec<u8>,
    pub(super) encoding: Encoding,
    /// The number of rows, including those with nulls.
    pub(super) rows: usize,
}

impl Pages {
    pub(super) fn chunk(
        self,
        column: &ColumnDescPtr,
        statistics: Statistics,
        memory: &mut Memory,
    ) -> Result<Chunk, ParquetError> {
        let mut sink = TrackedWrite::new(memory.chunk());
        let mut pages = SerializedPageWriter::new(&mut sink);
        let mut dictionary_at = None;
        let mut uncompressed = 0;
        // The levels are stored as runs.
        let mut encodings = vec![Encoding::RLE, self.encoding];
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
            encodings.push(Encoding::PLAIN);
        }
        let size = self.page.len();
        let page = Page::DataPage {
            buf: self.page.into(),
            num_values: self.rows as u32,
            encoding: self.encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let contents = page.buffer().clone();
        let written = pages.write_page(CompressedPage::new(page, size))?;
        uncompressed += written.uncompressed_size;
        memory.keep_page(contents.into());
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
pub(super) enum Extremes {
    Booleans,
    Integers(Option<(i64, i64)>),
    Doubles(Option<(f64, f64)>),
    Strings(Option<(ByteArray, ByteArray)>),
}

impl Extremes {
    pub(super) fn with_nulls(self, nulls: usize) -> Statistics {
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

/// Appends the levels that mark nulls, if the column can contain them.
pub(super) fn push_levels(
    column: &ColumnDescPtr,
    rows: usize,
    validity: Option<&Bitmap>,
    page: &mut Vec<u8>,
) {
    if column.max_def_level() == 0 {
        return;
    }
    let levels = match validity {
        None => vec![(1, rows)],
        Some(validity) => {
            validity.runs().into_iter().map(|(bit, count)| (u32::from(bit), count)).collect::<Vec<Run>>()
        }
    };
    push_with_length(&levels, page);
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
pub(super) fn push_hybrid(runs: &[Run], width: u32, bytes: &mut Vec<u8>) {
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
pub(super) mod tests {
    use std::fs::File;
    use std::io::Write;
    use std::sync::Arc;

    use parquet::basic::{LogicalType, Repetition};
    use parquet::file::properties::WriterProperties;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::record::Field;
    use parquet::schema::types::{PrimitiveTypeBuilder, Type};

    use super::*;

    /// Writes a file with one row group of one column, which can contain nulls.
    pub(in crate::parquet) fn file(
        physical: PhysicalType,
        encode: impl FnOnce(&ColumnDescPtr) -> Chunk,
    ) -> File {
        written(Type::primitive_type_builder("c", physical).with_repetition(Repetition::OPTIONAL), encode)
    }

    /// Writes a file with one row group of one column of integers.
    pub(in crate::parquet) fn file_of(
        repetition: Repetition,
        logical: Option<LogicalType>,
        encode: impl FnOnce(&ColumnDescPtr) -> Chunk,
    ) -> File {
        let column = Type::primitive_type_builder("c", PhysicalType::INT64);
        written(column.with_repetition(repetition).with_logical_type(logical), encode)
    }

    fn written(column: PrimitiveTypeBuilder<'_>, encode: impl FnOnce(&ColumnDescPtr) -> Chunk) -> File {
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

    pub(in crate::parquet) fn read(file: File) -> (Vec<Field>, Statistics) {
        let reader = SerializedFileReader::new(file).unwrap();
        let statistics = reader.metadata().row_group(0).column(0).statistics().unwrap().clone();
        let rows = reader.get_row_iter(None).unwrap();
        (rows.map(|row| row.unwrap().into_columns().remove(0).1).collect(), statistics)
    }

    /// Returns which rows are not null, if there are nulls.
    pub(in crate::parquet) fn bitmap(rows: &[Option<i64>]) -> Option<Bitmap> {
        let bits: Bitmap = rows.iter().map(Option::is_some).collect();
        (bits.count_zeros() > 0).then_some(bits)
    }
}
