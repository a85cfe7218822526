//! The columns of a table, and where their values come from.

use std::collections::HashSet;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::schema::types::{Type, TypePtr};

use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::{Entry, Schema};
use ringtrace_wire::simpletrace::Version;

use crate::shared::value::ValueKind;

#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) source: ColumnSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnSource {
    Cell(usize, ValueKind),
    /// A time, from the cell with this index. Every row has it.
    Time(usize),
    /// The date that corresponds to the time in the cell with this index.
    Date(usize),
    Pid,
    Tid,
    Thread,
}

impl Column {
    pub(super) fn new(name: impl Into<String>, source: ColumnSource) -> Column {
        Column { name: name.into(), source }
    }

    fn parquet_type(&self) -> Result<Type, ParquetError> {
        let (physical, logical) = match self.source {
            // Values that may not fit in a signed 64-bit integer, including pointers.
            ColumnSource::Cell(_, ValueKind::Unsigned(8) | ValueKind::Pointer) => {
                (PhysicalType::INT64, Some(LogicalType::integer(64, false)))
            }
            ColumnSource::Cell(_, ValueKind::Bool) => (PhysicalType::BOOLEAN, None),
            ColumnSource::Cell(_, ValueKind::Double) => (PhysicalType::DOUBLE, None),
            ColumnSource::Cell(_, ValueKind::Text) | ColumnSource::Thread => {
                (PhysicalType::BYTE_ARRAY, Some(LogicalType::String))
            }
            // If the column were marked as UTC, DuckDB would truncate it to microseconds, and
            // Python would need another package to show it.
            ColumnSource::Date(_) => {
                (PhysicalType::INT64, Some(LogicalType::timestamp(false, TimeUnit::NANOS)))
            }
            ColumnSource::Cell(..) | ColumnSource::Time(_) | ColumnSource::Pid | ColumnSource::Tid => {
                (PhysicalType::INT64, None)
            }
        };
        Type::primitive_type_builder(&self.name, physical)
            .with_logical_type(logical)
            .with_repetition(if self.is_required() { Repetition::REQUIRED } else { Repetition::OPTIONAL })
            .build()
    }

    pub(super) fn cell(&self) -> Option<usize> {
        match self.source {
            ColumnSource::Cell(cell, _) | ColumnSource::Time(cell) | ColumnSource::Date(cell) => Some(cell),
            ColumnSource::Pid | ColumnSource::Tid | ColumnSource::Thread => None,
        }
    }

    pub(super) fn is_required(&self) -> bool {
        matches!(self.source, ColumnSource::Time(_) | ColumnSource::Date(_))
    }
}

pub(super) fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let fields =
        columns.iter().map(|column| column.parquet_type().map(Arc::new)).collect::<Result<_, _>>()?;
    Ok(Arc::new(Type::group_type_builder("ringtrace").with_fields(fields).build()?))
}

pub(super) fn owner_columns() -> Vec<Column> {
    let columns = [("pid", ColumnSource::Pid), ("tid", ColumnSource::Tid), ("thread", ColumnSource::Thread)];
    columns.map(|(name, source)| Column::new(name, source)).into()
}

/// Returns the column with the dates of the times in `cell`, or no column if dates are not known.
pub(super) fn date(anchor: Option<Anchor>, cell: usize) -> Vec<Column> {
    anchor.map(|_| Column::new("time", ColumnSource::Date(cell))).into_iter().collect()
}

/// Names of the exporter's own columns in this version or a later one. Columns of arguments cannot
/// have these names.
const RESERVED: [&str; 14] = [
    "event",
    "time_ns",
    "time",
    "pid",
    "tid",
    "thread",
    "cause",
    "args",
    "surplus",
    "trace",
    "pair",
    "span",
    "track",
    "latency_ns",
];

/// Returns the columns of an event's table. Its cells are the time, the arguments, and, in files in
/// the 2011 RFC's format, the surplus values.
pub(super) fn of_event(entry: &Entry<'_>, anchor: Option<Anchor>) -> Vec<Column> {
    let mut columns = vec![Column::new("time_ns", ColumnSource::Time(0))];
    columns.extend(date(anchor, 0));
    columns.extend(owner_columns());
    let Schema { arguments, kinds, .. } = entry.schema;
    // Engines do not distinguish upper case and lower case.
    let mut names: HashSet<String> = RESERVED.iter().map(|&name| name.to_owned()).collect();
    for (index, (argument, kind)) in arguments.iter().zip(kinds).enumerate() {
        let mut name = argument.name.to_string();
        while !names.insert(name.to_lowercase()) {
            name = format!("arg_{name}");
        }
        // Values of an enumeration are their names.
        let kind = match argument.enumeration {
            Some(_) => ValueKind::Text,
            None => ValueKind::of(argument.ctype, *kind),
        };
        columns.push(Column::new(name, ColumnSource::Cell(index + 1, kind)));
    }
    if entry.version == Version::Rfc2011 {
        columns.push(Column::new("surplus", ColumnSource::Cell(arguments.len() + 1, ValueKind::Text)));
    }
    columns
}
