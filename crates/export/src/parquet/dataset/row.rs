//! The row of a trace in the table `traces`.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::{Field, Row};
use parquet::schema::types::Type;

use super::footer;
use super::staging::at;
use crate::parquet::Metadata;
use crate::parquet::chunk::properties;
use crate::parquet::part::io_error;

/// A value of the row.
#[derive(Debug)]
pub(super) enum Cell {
    Text(Option<String>),
    Integer(Option<i64>),
    /// Microseconds since 1970.
    Time(Option<i64>),
}

/// Writes a file with one row.
pub(super) fn write(path: &Path, cells: Vec<(&str, Cell)>, metadata: &Metadata) -> io::Result<()> {
    let file = File::create(path)?;
    write_row(file, cells, metadata).map_err(io_error)
}

fn write_row(file: File, cells: Vec<(&str, Cell)>, metadata: &Metadata) -> Result<(), ParquetError> {
    let column = |(name, cell): &(&str, Cell)| {
        let (physical, logical) = match cell {
            Cell::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            Cell::Integer(_) => (PhysicalType::INT64, None),
            Cell::Time(_) => (PhysicalType::INT64, Some(LogicalType::timestamp(false, TimeUnit::MICROS))),
        };
        let column = Type::primitive_type_builder(name, physical).with_logical_type(logical);
        column.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    };
    let fields = cells.iter().map(column).collect::<Result<_, _>>()?;
    let root = Arc::new(Type::group_type_builder("ringtrace").with_fields(fields).build()?);
    let mut writer = SerializedFileWriter::new(file, root, properties(metadata))?;
    let mut group = writer.next_row_group()?;
    for (_, cell) in cells {
        let Some(mut column) = group.next_column()? else { break };
        match cell {
            Cell::Text(text) => {
                let value = text.map(|text| ByteArray::from(text.into_bytes()));
                let (values, level) = (value.as_slice(), i16::from(value.is_some()));
                column.typed::<ByteArrayType>().write_batch(values, Some(&[level]), None)?;
            }
            Cell::Integer(value) | Cell::Time(value) => {
                let level = i16::from(value.is_some());
                column.typed::<Int64Type>().write_batch(value.as_slice(), Some(&[level]), None)?;
            }
        }
        column.close()?;
    }
    group.close()?;
    writer.close().map(|_| ())
}

/// The row of a trace that is in the dataset.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    pub(super) files: Vec<String>,
    /// The times of the first and the last record.
    pub(super) range_ns: Option<(u64, u64)>,
    pub(super) records: u64,
    /// Nanoseconds since 1970 at time 0 of the trace's clock.
    pub(super) wall_shift_ns: Option<i128>,
    /// The errors of a damaged trace.
    pub(super) damage: Option<String>,
}

/// Reads the row in the file at `path`, if there is one.
pub(super) fn read(path: &Path) -> io::Result<Option<Earlier>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(at(path))?,
    };
    let read = || {
        let bytes = file.metadata()?.len();
        let reader = SerializedFileReader::new(file)?;
        footer::check(reader.metadata(), bytes)?;
        let row = reader.get_row_iter(None)?.next().transpose()?;
        let mut earlier = Earlier::default();
        let (mut first, mut last) = (None, None);
        let (mut anchor, mut anchor_wall) = (None, None);
        for (name, value) in row.iter().flat_map(Row::get_column_iter) {
            match (name.as_str(), value) {
                ("files", Field::Str(files)) => earlier.files = files.lines().map(str::to_owned).collect(),
                ("first_ns", Field::Long(ns)) => first = Some(ns.cast_unsigned()),
                ("last_ns", Field::Long(ns)) => last = Some(ns.cast_unsigned()),
                ("anchor_ns", Field::Long(ns)) => anchor = Some(i128::from(ns.cast_unsigned())),
                ("anchor_wall_ns", Field::Long(ns)) => anchor_wall = Some(i128::from(*ns)),
                ("damage", Field::Str(damage)) => earlier.damage = Some(damage.clone()),
                ("records", Field::Long(records)) => earlier.records = records.cast_unsigned(),
                _ => {}
            }
        }
        earlier.range_ns = first.zip(last);
        earlier.wall_shift_ns = anchor_wall.zip(anchor).map(|(wall, own)| wall - own);
        Ok::<_, ParquetError>(earlier)
    };
    read().map(Some).map_err(io_error).map_err(at(path))
}
