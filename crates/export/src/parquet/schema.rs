//! The columns of a file.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor, Type, TypePtr};
use ringtrace_tracefile::columns::{DataType, Table};

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
    /// A time in nanoseconds, from the column of the batch with this index. Most times increase.
    Time(usize),
    /// The date, in microseconds, of the time in the column of the batch with this index.
    Date(usize),
}

impl Schema {
    pub(super) fn new(table: &Table) -> Result<Schema, ParquetError> {
        let (mut fields, mut sources) = (Vec::new(), Vec::new());
        for (index, field) in table.fields.iter().enumerate() {
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
            let nullable = if field.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
            let mut push = |name: &str, physical, logical, source| {
                let column = Type::primitive_type_builder(name, physical)
                    .with_logical_type(logical)
                    .with_repetition(nullable)
                    .build()?;
                fields.push(Arc::new(column));
                sources.push(source);
                Ok::<(), ParquetError>(())
            };
            let is_time = matches!(field.name.as_str(), "time_ns" | "wall_ns" | "begin_ns" | "end_ns");
            push(
                &field.name,
                physical,
                logical,
                if is_time { Source::Time(index) } else { Source::Column(index) },
            )?;
            if field.name == "wall_ns" {
                // Spark reads neither nanoseconds nor, as a timestamp without a time zone, dates that
                // are adjusted to UTC.
                let date = LogicalType::timestamp(false, TimeUnit::MICROS);
                push("time", PhysicalType::INT64, Some(date), Source::Date(index))?;
            }
        }
        let root = Arc::new(Type::group_type_builder("ringtrace").with_fields(fields).build()?);
        let columns = Arc::new(SchemaDescriptor::new(Arc::clone(&root)));
        Ok(Schema { root, columns, sources })
    }
}
