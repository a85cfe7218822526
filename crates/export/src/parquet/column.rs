//! What columns there are, and where their values come from.

use std::collections::HashSet;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::schema::types::{Type, TypePtr};

use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::{Entry, Schema};
use ringtrace_wire::simpletrace::Version;

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
            // Marked as UTC, DuckDB would cut it to microseconds, and Python would want another package to show it.
            Source::Date(_) => (PhysicalType::INT64, Some(LogicalType::timestamp(false, TimeUnit::NANOS))),
            Source::Cell(..) | Source::Time(_) | Source::Pid | Source::Tid => (PhysicalType::INT64, None),
        };
        Type::primitive_type_builder(&self.name, physical)
            .with_logical_type(logical)
            .with_repetition(if self.is_required() { Repetition::REQUIRED } else { Repetition::OPTIONAL })
            .build()
    }

    /// Which cell it is made of.
    pub(super) fn cell(&self) -> Option<usize> {
        match self.source {
            Source::Cell(cell, _) | Source::Time(cell) | Source::Date(cell) => Some(cell),
            Source::Pid | Source::Tid | Source::Thread => None,
        }
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

/// Whose a row is.
pub(super) fn whose() -> Vec<Column> {
    let columns = [("pid", Source::Pid), ("tid", Source::Tid), ("thread", Source::Thread)];
    columns.map(|(name, source)| Column::new(name, source)).into()
}

/// The date of the time in `cell`, where it is known.
pub(super) fn date(anchor: Option<Anchor>, cell: usize) -> Vec<Column> {
    anchor.map(|_| Column::new("time", Source::Date(cell))).into_iter().collect()
}

/// Names that arguments cannot have: those of columns of ours, in this version or a later one.
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

/// The columns of the table of an event. Its cells are the time, the arguments, and for a file of the 2011 RFC what is beyond them.
pub(super) fn of_event(entry: &Entry<'_>, anchor: Option<Anchor>) -> Vec<Column> {
    let mut columns = vec![Column::new("time_ns", Source::Time(0))];
    columns.extend(date(anchor, 0));
    columns.extend(whose());
    let Schema { arguments, kinds, .. } = entry.schema;
    // Engines do not tell capital letters from small ones.
    let mut names: HashSet<String> = RESERVED.iter().map(|&name| name.to_owned()).collect();
    for (index, (argument, kind)) in arguments.iter().zip(kinds).enumerate() {
        let mut name = argument.name.to_string();
        while !names.insert(name.to_lowercase()) {
            name = format!("arg_{name}");
        }
        columns.push(Column::new(name, Source::Cell(index + 1, Kind::of(argument.ctype, *kind))));
    }
    if entry.version == Version::Rfc2011 {
        columns.push(Column::new("surplus", Source::Cell(arguments.len() + 1, Kind::Text)));
    }
    columns
}
