//! Encodes the columns of a batch as the column chunks of a row group.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::Page;
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use ringtrace_tracefile::columns::{Batch, Bitmap, Column, Strings, Values};

use super::Metadata;
use super::encoding::{ColumnEncoding, SAMPLE};
use super::keyed::{Keyed, Keys};
use super::numbers;
use super::pages::{Memory, nulls};
use super::part::SpanNs;
use super::schema::{Schema, Source};

/// A column chunk, and its description for the row group.
pub(super) struct Chunk {
    /// A page only because that contains bytes in the type that the row group takes.
    bytes: Page,
    close: ColumnCloseResult,
}

impl Chunk {
    pub(super) fn new(bytes: Vec<u8>, close: ColumnCloseResult) -> Chunk {
        let encoding = Encoding::PLAIN;
        let bytes = Page::DictionaryPage { buf: bytes.into(), num_values: 0, encoding, is_sorted: false };
        Chunk { bytes, close }
    }

    /// Writes the chunk to a row group. Returns its memory.
    pub(super) fn append<W: Write + Send>(
        self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<Vec<u8>, ParquetError> {
        group.append_column(self.bytes.buffer(), self.close)?;
        match self.bytes {
            Page::DictionaryPage { buf, .. } => Ok(buf.into()),
            _ => Ok(Vec::new()),
        }
    }
}

/// Encodes columns. The fields are memory that is used again, and settings.
pub(super) struct Encoder {
    integers: Vec<i64>,
    levels: Vec<i16>,
    /// The levels of a column without nulls.
    ones: Vec<i16>,
    memory: Memory,
    keys: Keys,
    plain: WriterPropertiesPtr,
    dictionary: WriterPropertiesPtr,
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoder").finish_non_exhaustive()
    }
}

/// Returns the settings of a file with `metadata`.
pub(super) fn properties(metadata: &Metadata) -> WriterPropertiesPtr {
    let created_by = concat!("ringtrace ", env!("CARGO_PKG_VERSION")).to_owned();
    let builder = WriterProperties::builder().set_created_by(created_by);
    Arc::new(builder.set_key_value_metadata(Some(metadata.clone())).build())
}

/// Returns the settings of a column. Engines skip row groups by their statistics. Statistics of the
/// pages within a row group would take time and space, and few engines use them.
pub(super) fn settings(encoding: ColumnEncoding) -> WriterPropertiesPtr {
    let builder = WriterProperties::builder()
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true);
    let builder = match encoding {
        ColumnEncoding::Plain => builder.set_dictionary_enabled(false),
        ColumnEncoding::Deltas => {
            builder.set_dictionary_enabled(false).set_encoding(Encoding::DELTA_BINARY_PACKED)
        }
        ColumnEncoding::Dictionary => builder.set_compression(Compression::ZSTD(ZstdLevel::default())),
    };
    Arc::new(builder.build())
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder {
            integers: Vec::new(),
            levels: Vec::new(),
            ones: Vec::new(),
            memory: Memory::default(),
            keys: Keys::default(),
            plain: settings(ColumnEncoding::Plain),
            dictionary: settings(ColumnEncoding::Dictionary),
        }
    }
}

impl Encoder {
    /// Writes the columns of `batch` to a row group. Returns the times that it covers.
    pub(super) fn row_group<W: Write + Send>(
        &mut self,
        schema: &Schema,
        batch: &Batch,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<SpanNs, ParquetError> {
        let mut span_ns = None;
        for (column, source) in schema.columns.columns().iter().zip(&schema.sources) {
            let chunk = self.column(column, *source, batch)?;
            if let Source::RowTime(index) = source {
                span_ns = times(&chunk, batch.columns.get(*index));
            }
            self.memory.keep_chunk(chunk.append(group)?);
        }
        Ok(span_ns)
    }

    fn column(
        &mut self,
        descriptor: &ColumnDescPtr,
        source: Source,
        batch: &Batch,
    ) -> Result<Chunk, ParquetError> {
        let column = match source {
            Source::Nulls => return nulls(descriptor, batch.rows, &mut self.memory),
            Source::Column(index) | Source::RowTime(index) | Source::Time(index) | Source::Date(index) => {
                batch.columns.get(index)
            }
        };
        let Some(column) = column else { return Err(ParquetError::General("no column".to_owned())) };
        if column.null_count() == batch.rows {
            return nulls(descriptor, batch.rows, &mut self.memory);
        }
        self.integers.clear();
        if ready(source, column).is_none() {
            extend(column.values(), column.validity(), &mut self.integers);
        }
        let mut encoding = match (source, column.values()) {
            (Source::RowTime(_) | Source::Time(_) | Source::Date(_), _) => ColumnEncoding::Deltas,
            (_, Values::Utf8(_) | Values::Dictionary(..)) => ColumnEncoding::Dictionary,
            (_, Values::Bool(_)) => ColumnEncoding::Plain,
            _ => {
                let values = ready(source, column).unwrap_or(&self.integers);
                let sample = values.iter().take(SAMPLE).map(|value| value.cast_unsigned());
                ColumnEncoding::for_integers(&mut sample.collect::<Vec<_>>())
            }
        };
        if encoding == ColumnEncoding::Dictionary && !matches!(column.values(), Values::Utf8(_)) {
            match self.by_keys(descriptor, source, column)? {
                Some(chunk) => return Ok(chunk),
                None => encoding = ColumnEncoding::Deltas,
            }
        }
        let Encoder { integers, memory, .. } = self;
        let is_integers = !matches!(column.values(), Values::Bool(_) | Values::Float64(_) | Values::Utf8(_));
        if is_integers {
            if matches!(source, Source::Date(_)) {
                integers.iter_mut().for_each(|ns| *ns = ns.div_euclid(1000));
            }
            let values = ready(source, column).unwrap_or(integers);
            return numbers::encode(descriptor, encoding, values, batch.rows, column.validity(), memory);
        }
        self.levels.clear();
        match column.validity() {
            None => self.ones.resize(batch.rows.max(self.ones.len()), 1),
            Some(validity) => self.levels.extend(validity.iter().map(i16::from)),
        }
        let settings = match column.values() {
            Values::Utf8(_) => &self.dictionary,
            _ => &self.plain,
        };
        let settings = Arc::clone(settings);
        let mut sink = TrackedWrite::new(self.memory.chunk());
        let pages = Box::new(SerializedPageWriter::new(&mut sink));
        let mut writer = get_column_writer(Arc::clone(descriptor), settings, pages);
        let is_optional = descriptor.max_def_level() > 0;
        self.write(&mut writer, column, is_optional)?;
        let close = writer.close()?;
        Ok(Chunk::new(sink.into_inner()?, close))
    }

    /// Encodes a column of strings from a dictionary, or of integers. Returns `None` if there are too
    /// many different integers.
    fn by_keys(
        &mut self,
        descriptor: &ColumnDescPtr,
        source: Source,
        column: &Column,
    ) -> Result<Option<Chunk>, ParquetError> {
        let Encoder { integers, keys, memory, .. } = self;
        let validity = column.validity();
        let filtered: Vec<u32>;
        let values = match column.values() {
            Values::Dictionary(all, strings) => match validity {
                None => Keyed::Strings(all, strings),
                Some(validity) => {
                    filtered = valid(all, validity).collect();
                    Keyed::Strings(&filtered, strings)
                }
            },
            _ => Keyed::Integers(ready(source, column).unwrap_or(integers)),
        };
        keys.encode(descriptor, &values, column.len(), validity, memory)
    }

    fn write(
        &mut self,
        writer: &mut ColumnWriter<'_>,
        column: &Column,
        is_optional: bool,
    ) -> Result<(), ParquetError> {
        let Encoder { levels, ones, .. } = self;
        let validity = column.validity();
        let levels = match validity {
            _ if !is_optional => None,
            None => Some(&ones[..column.len()]),
            Some(_) => Some(levels.as_slice()),
        };
        match writer {
            ColumnWriter::DoubleColumnWriter(writer) => {
                let Values::Float64(values) = column.values() else { return Ok(()) };
                match validity {
                    None => writer.write_batch(values, levels, None)?,
                    Some(validity) => {
                        writer.write_batch(&valid(values, validity).collect::<Vec<_>>(), levels, None)?
                    }
                };
            }
            ColumnWriter::BoolColumnWriter(writer) => {
                let Values::Bool(bits) = column.values() else { return Ok(()) };
                let is_valid = |(index, _): &(usize, bool)| !column.is_null(*index);
                let values: Vec<bool> =
                    bits.iter().enumerate().filter(is_valid).map(|(_, bit)| bit).collect();
                writer.write_batch(&values, levels, None)?;
            }
            ColumnWriter::ByteArrayColumnWriter(writer) => {
                let Values::Utf8(strings) = column.values() else { return Ok(()) };
                for start in (0..column.len()).step_by(STRINGS) {
                    let rows = start..column.len().min(start + STRINGS);
                    let levels = levels.map(|levels| &levels[rows.clone()]);
                    writer.write_batch(&byte_arrays(strings, column, rows), levels, None)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the earliest and the latest time in `column`, of which `chunk` was made.
fn times(chunk: &Chunk, column: Option<&Column>) -> SpanNs {
    if let Some(Statistics::Int64(statistics)) = chunk.close.metadata.statistics()
        && let (Some(&min), Some(&max)) = (statistics.min_opt(), statistics.max_opt())
        && min >= 0
    {
        return Some((min.cast_unsigned(), max.cast_unsigned()));
    }
    // Times beyond 2^63 are negative.
    let Values::Int64(times) = column?.values() else { return None };
    let times = times.iter().map(|time| time.cast_unsigned());
    Some((times.clone().min()?, times.max()?))
}

/// Returns the values of a column that the writer takes as they are, if there are no nulls.
fn ready(source: Source, column: &Column) -> Option<&[i64]> {
    match column.values() {
        Values::Int64(values) if column.validity().is_none() && !matches!(source, Source::Date(_)) => {
            Some(values)
        }
        _ => None,
    }
}

/// Appends integers, or the bits of floating-point numbers, that are not null.
fn extend(values: &Values, validity: Option<&Bitmap>, to: &mut Vec<i64>) {
    macro_rules! extend {
        ($values:expr, $convert:expr) => {
            match validity {
                None => to.extend($values.iter().map(|&value| $convert(value))),
                Some(validity) => to.extend(valid($values, validity).map($convert)),
            }
        };
    }
    match values {
        Values::Int8(values) => extend!(values, i64::from),
        Values::Int16(values) => extend!(values, i64::from),
        Values::Int32(values) => extend!(values, i64::from),
        Values::Int64(values) => extend!(values, i64::from),
        Values::UInt8(values) => extend!(values, i64::from),
        Values::UInt16(values) => extend!(values, i64::from),
        Values::UInt32(values) => extend!(values, i64::from),
        Values::UInt64(values) => extend!(values, u64::cast_signed),
        Values::Float64(values) => extend!(values, |value: f64| value.to_bits().cast_signed()),
        Values::Bool(_) | Values::Utf8(_) | Values::Dictionary(..) => {}
    }
}

/// Returns the values that are not null.
pub(super) fn valid<T: Copy>(values: &[T], validity: &Bitmap) -> impl Iterator<Item = T> {
    values.iter().zip(validity.iter()).filter(|(_, is_valid)| *is_valid).map(|(value, _)| *value)
}

/// The number of strings that are passed to the writer at once. They are copied.
const STRINGS: usize = 1 << 12;

/// Returns the strings of `rows` that are not null. They share their bytes.
fn byte_arrays(strings: &Strings, column: &Column, rows: Range<usize>) -> Vec<ByteArray> {
    let offset = |row: usize| strings.offsets()[row] as usize;
    let first = offset(rows.start);
    let all = ByteArray::from(&strings.as_bytes()[first..offset(rows.end)]);
    let valid = rows.filter(|row| !column.is_null(*row));
    valid.map(|row| all.slice(offset(row) - first, offset(row + 1) - offset(row))).collect()
}
