//! The columns of a file.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor, Type, TypePtr};
use ringtrace_tracefile::columns::{DataType, Table, TableKind};

/// The columns of a file, in order.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) root: TypePtr,
    pub(super) columns: SchemaDescPtr,
    /// Where the values of each column come from.
    pub(super) sources: Vec<Source>,
}

/// The source of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The column of the batch with this index.
    Column(usize),
    /// The time of the row, from the column of the batch with this index. No row lacks it.
    RowTime(usize),
    /// Another time in nanoseconds, from the column of the batch with this index. Most times increase.
    Time(usize),
    /// The date, in microseconds, of the time in the column of the batch with this index.
    Date(usize),
    /// There are only nulls.
    Nulls,
}

/// The column of dates in nanoseconds. Tables do not have it if the trace's clock is not known, but
/// files do.
pub(super) const WALL: &str = "wall_ns";

/// Returns the column after which the dates are.
fn before_dates(table: &Table) -> &'static str {
    match table.kind {
        TableKind::Pauses => "",
        TableKind::Spans(_) => "latency_ns",
        _ => "time_ns",
    }
}

impl Schema {
    /// Returns the columns of files with rows of `table`, except the column `without`.
    pub(super) fn new(table: &Table, without: Option<&str>) -> Result<Schema, ParquetError> {
        let (mut fields, mut sources) = (Vec::new(), Vec::new());
        for (index, field) in table.fields.iter().enumerate() {
            if Some(field.name.as_str()) == without {
                continue;
            }
            let (physical, logical) = match field.data_type {
                DataType::Bool => (PhysicalType::BOOLEAN, None),
                DataType::Float64 => (PhysicalType::DOUBLE, None),
                DataType::Utf8 | DataType::Dictionary => {
                    (PhysicalType::BYTE_ARRAY, Some(LogicalType::String))
                }
                // Values that may not fit into a signed integer, including pointers.
                DataType::UInt64 => (PhysicalType::INT64, Some(LogicalType::integer(64, false))),
                _ => (PhysicalType::INT64, None),
            };
            let mut push = |name: &str, physical, logical, source| {
                let is_required = !field.nullable && matches!(source, Source::Column(_) | Source::RowTime(_));
                let nullable = if is_required { Repetition::REQUIRED } else { Repetition::OPTIONAL };
                let column = Type::primitive_type_builder(name, physical)
                    .with_logical_type(logical)
                    .with_repetition(nullable)
                    .build()?;
                fields.push(Arc::new(column));
                sources.push(source);
                Ok::<(), ParquetError>(())
            };
            let source = match field.name.as_str() {
                "time_ns" | "begin_ns" if !field.nullable => Source::RowTime(index),
                WALL | "end_ns" => Source::Time(index),
                _ => Source::Column(index),
            };
            push(&field.name, physical, logical, source)?;
            // Spark reads neither nanoseconds nor, as a timestamp without a time zone, dates that are
            // adjusted to UTC.
            let date = Some(LogicalType::timestamp(false, TimeUnit::MICROS));
            if field.name == WALL {
                push("time", PhysicalType::INT64, date, Source::Date(index))?;
            } else if field.name == before_dates(table) && table.field(WALL).is_none() {
                push(WALL, PhysicalType::INT64, None, Source::Nulls)?;
                push("time", PhysicalType::INT64, date, Source::Nulls)?;
            }
        }
        let root = Arc::new(Type::group_type_builder("ringtrace").with_fields(fields).build()?);
        let columns = Arc::new(SchemaDescriptor::new(Arc::clone(&root)));
        Ok(Schema { root, columns, sources })
    }
}
