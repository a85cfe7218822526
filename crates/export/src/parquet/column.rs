//! What columns there are, and where their values come from.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::schema::types::{Type, TypePtr};

use crate::value::Kind;

/// One column of a table.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) source: Source,
}

/// Where a column's values come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The cell of this index, which is such a value.
    Cell(usize, Kind),
    /// The cell of this index, which is a time that every row has.
    Time(usize),
    /// The date of the time in the cell of this index.
    Date(usize),
    /// Whose row it is: the process.
    Pid,
    /// The thread.
    Tid,
    /// The thread's name.
    Thread,
}

impl Column {
    pub(super) fn new(name: impl Into<String>, source: Source) -> Column {
        Column { name: name.into(), source }
    }

    fn parquet_type(&self) -> Result<Type, ParquetError> {
        let (physical, logical) = match self.source {
            // What does not fit in a signed integer of 64 bits. Pointers are such numbers, too.
            Source::Cell(_, Kind::Unsigned(8) | Kind::Pointer) => {
                (PhysicalType::INT64, Some(LogicalType::integer(64, false)))
            }
            Source::Cell(_, Kind::Bool) => (PhysicalType::BOOLEAN, None),
            Source::Cell(_, Kind::Text) | Source::Thread => {
                (PhysicalType::BYTE_ARRAY, Some(LogicalType::String))
            }
            Source::Date(_) => (PhysicalType::INT64, Some(LogicalType::timestamp(true, TimeUnit::NANOS))),
            Source::Cell(..) | Source::Time(_) | Source::Pid | Source::Tid => (PhysicalType::INT64, None),
        };
        Type::primitive_type_builder(&self.name, physical)
            .with_logical_type(logical)
            .with_repetition(if self.is_required() { Repetition::REQUIRED } else { Repetition::OPTIONAL })
            .build()
    }

    /// Whether every row has a value.
    pub(super) fn is_required(&self) -> bool {
        matches!(self.source, Source::Time(_) | Source::Date(_))
    }
}

/// The schema of a table of these columns.
pub(super) fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let fields =
        columns.iter().map(|column| column.parquet_type().map(Arc::new)).collect::<Result<_, _>>()?;
    Ok(Arc::new(Type::group_type_builder("ringtrace").with_fields(fields).build()?))
}
