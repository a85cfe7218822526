//! The row of a trace in the table `traces`.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

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
