//! Tables: their columns, and the request that selects them.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ringtrace_events::CType;
use ringtrace_wire::simpletrace::{ArgumentKind, Version};

use super::batch::DataType;
use crate::align::Origin;
use crate::entry::{Schema, SchemaArgument};
use crate::metadata::Anchor;
use crate::query::FilterOptions;

/// The tables of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tables {
    /// A table for each event, with its arguments.
    pub each_event: bool,
    /// The table `events`, with all events.
    pub events: bool,
    /// The table `dropped`.
    pub dropped: bool,
    /// The table `pauses`.
    pub pauses: bool,
    /// A table for each pair.
    pub spans: bool,
    /// The table `steps`.
    pub steps: bool,
    /// The table `counters`.
    pub counters: bool,
}

impl Tables {
    /// All tables.
    pub const ALL: Tables = Tables {
        each_event: true,
        events: true,
        dropped: true,
        pauses: true,
        spans: true,
        steps: true,
        counters: true,
    };
}

/// The tables, rows and columns to read.
#[derive(Debug, Clone)]
pub struct Request {
    /// The tables.
    pub tables: Tables,
    /// The records: by event, process, thread, time and condition.
    pub filter: FilterOptions,
    /// The names of the columns, in any order. Tables keep their own order, and names that a table
    /// does not have are ignored. `None` selects all columns.
    pub columns: Option<Vec<String>>,
    /// The names of columns to leave out.
    pub without: Vec<String>,
    /// The largest number of rows in a batch.
    pub batch_rows: usize,
    /// The limit for the strings of a batch, in bytes. The last row may exceed it.
    pub batch_text_bytes: usize,
    /// The limit for the memory of unfinished batches, in bytes. Beyond it, the largest ones are
    /// passed to the sink early.
    pub memory_bytes: usize,
    /// The relation of the trace's clock to the wall clock. Without it, `wall_ns` is null.
    pub anchor: Option<Anchor>,
    /// The origins of the traces, which [`Traces::aligned`](crate::Traces::aligned) contains after
    /// [`align`](crate::align::align()). With them, every table has the columns `trace` (the trace's id,
    /// or its name if it has no id) and `host` (the machine's name, or null).
    pub origins: Option<Arc<[Origin]>>,
    /// The number of threads that decode a trace, if it is a large file of little-endian v4 records, or a
    /// compact one, and there are no pairs and counters. The rows of a table are the same, in the same
    /// order, but the batches can differ.
    pub threads: usize,
    /// Ends the reading early after another thread has set it. The rows up to then are passed to the
    /// sink.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for Request {
    /// Requests a table for each event, with all records and columns.
    fn default() -> Request {
        Request {
            tables: Tables { each_event: true, ..Tables::default() },
            filter: FilterOptions::default(),
            columns: None,
            without: Vec::new(),
            batch_rows: 1 << 14,
            batch_text_bytes: 16 << 20,
            memory_bytes: 128 << 20,
            anchor: None,
            origins: None,
            threads: 1,
            stop: None,
        }
    }
}

impl Request {
    /// Returns the table of an event, as in batches of traces of this version.
    pub fn event_table(&self, schema: &Schema, index: u32, version: Version) -> Table {
        event_layout(schema, index, version, self).table
    }

    /// Returns the table `events`, as in batches.
    pub fn events_table(&self) -> Table {
        events_layout(self).table
    }

    /// Returns whether tables have the columns `trace` and `host`.
    pub(super) fn has_origins(&self) -> bool {
        self.origins.is_some()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { rows: self.batch_rows, text_bytes: self.batch_text_bytes }
    }

    pub(super) fn wants(&self, column: &str) -> bool {
        let is_listed = |names: &Vec<String>| names.iter().any(|name| name == column);
        self.columns.as_ref().is_none_or(is_listed) && !is_listed(&self.without)
    }
}

/// The limits of a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) rows: usize,
    pub(super) text_bytes: usize,
}

/// The contents of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(missing_docs, reason = "see `columns`")]
pub enum TableKind {
    /// The records of the event with this schema index.
    Event(u32),
    #[default]
    Events,
    Dropped,
    Pauses,
    /// The spans of the pair with this index.
    Spans(usize),
    Steps,
    Counters,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name, which no other column of the table has, even in another case.
    pub name: String,
    /// The type of the values.
    pub data_type: DataType,
    /// Whether values can be null.
    pub nullable: bool,
}

/// A table and its columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// The name of the event or pair; for other tables, the table's name.
    pub name: String,
    /// The contents.
    pub kind: TableKind,
    /// The columns.
    pub fields: Vec<Field>,
}

/// The source of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Record,
    Time,
    Wall,
    Event,
    Trace,
    Host,
    Pid,
    Tid,
    Thread,
    Cpu,
    /// The argument with this index.
    Argument(usize),
    /// The values beyond the declared arguments, as JSON.
    Surplus,
    /// The cell with this index, in tables other than those of events.
    Cell(usize),
}

/// A table with the sources of its columns.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    pub(super) table: Table,
    pub(super) sources: Vec<Source>,
}

impl Layout {
    pub(super) fn new(name: &str, kind: TableKind) -> Layout {
        let table = Table { name: name.to_owned(), kind, fields: Vec::new() };
        Layout { table, sources: Vec::new() }
    }

    pub(super) fn push(&mut self, source: Source, name: &str, data_type: DataType, nullable: bool) {
        self.table.fields.push(Field { name: name.to_owned(), data_type, nullable });
        self.sources.push(source);
    }

    pub(super) fn push_origin(&mut self, request: &Request) {
        if request.has_origins() {
            self.push(Source::Trace, "trace", DataType::Dictionary, true);
            self.push(Source::Host, "host", DataType::Dictionary, true);
        }
    }

    pub(super) fn push_owner(&mut self, request: &Request) {
        self.push_origin(request);
        self.push(Source::Pid, "pid", DataType::UInt32, true);
        self.push(Source::Tid, "tid", DataType::UInt32, true);
        self.push(Source::Thread, "thread", DataType::Dictionary, true);
    }

    /// Removes the columns that `request` does not select.
    pub(super) fn select(mut self, request: &Request) -> Layout {
        let keeps: Vec<bool> = self.table.fields.iter().map(|field| request.wants(&field.name)).collect();
        let (mut fields, mut sources) = (keeps.iter(), keeps.iter());
        self.table.fields.retain(|_| fields.next() == Some(&true));
        self.sources.retain(|_| sources.next() == Some(&true));
        self
    }
}

/// Names of common columns of any table, in this version or a later one. Columns of arguments cannot
/// have these names.
const RESERVED: [&str; 24] = [
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
    "host",
    "pair",
    "span",
    "track",
    "latency_ns",
    "record",
    "wall_ns",
    "cpu",
    "outcome",
    "begin_ns",
    "end_ns",
    "begin_event",
    "end_event",
    "date",
];

impl DataType {
    /// Returns the type of the column of `argument`, which is recorded as `kind`. Old versions
    /// recorded only the addresses of strings.
    pub fn of(argument: &SchemaArgument, kind: ArgumentKind) -> DataType {
        match (kind, argument.ctype) {
            _ if argument.enumeration.is_some() => DataType::Dictionary,
            (ArgumentKind::Str, _) => DataType::Utf8,
            (_, CType::Integer { bytes: 1, signed: true }) => DataType::Int8,
            (_, CType::Integer { bytes: 2, signed: true }) => DataType::Int16,
            (_, CType::Integer { bytes: 4, signed: true }) => DataType::Int32,
            (_, CType::Integer { signed: true, .. }) => DataType::Int64,
            (_, CType::Integer { bytes: 1, signed: false }) => DataType::UInt8,
            (_, CType::Integer { bytes: 2, signed: false }) => DataType::UInt16,
            (_, CType::Integer { bytes: 4, signed: false }) => DataType::UInt32,
            (_, CType::Bool) => DataType::Bool,
            (_, CType::Double) => DataType::Float64,
            _ => DataType::UInt64,
        }
    }
}

impl Table {
    /// Returns the size of a row, without strings.
    pub(super) fn row_bytes(&self) -> usize {
        self.fields.iter().map(|field| field.data_type.bytes()).sum()
    }

    /// Returns whether `other` is the same table, with the same columns.
    pub(super) fn is_same(self: &Arc<Table>, other: &Arc<Table>) -> bool {
        Arc::ptr_eq(self, other) || self == other
    }

    /// Returns the index of the column `name`.
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// Returns the table of an event, in a trace of `version`, with the columns that `request`
    /// selects.
    pub fn of_event(schema: &Schema, schema_index: u32, version: Version, request: &Request) -> Table {
        event_layout(schema, schema_index, version, request).table
    }
}

fn common_layout(name: &str, kind: TableKind, request: &Request) -> Layout {
    let mut layout = Layout::new(name, kind);
    layout.push(Source::Record, "record", DataType::UInt64, false);
    layout.push(Source::Time, "time_ns", DataType::Int64, false);
    layout.push(Source::Wall, "wall_ns", DataType::Int64, true);
    if kind == TableKind::Events {
        layout.push(Source::Event, "event", DataType::Dictionary, false);
    }
    layout.push_owner(request);
    layout.push(Source::Cpu, "cpu", DataType::UInt32, true);
    layout
}

pub(super) fn events_layout(request: &Request) -> Layout {
    common_layout("events", TableKind::Events, request).select(request)
}

pub(super) fn event_layout(schema: &Schema, index: u32, version: Version, request: &Request) -> Layout {
    let mut layout = common_layout(&schema.name, TableKind::Event(index), request);
    // Engines do not distinguish upper case and lower case.
    let mut names: HashSet<String> = RESERVED.iter().map(|&name| name.to_owned()).collect();
    for (position, (argument, kind)) in schema.arguments.iter().zip(&schema.kinds).enumerate() {
        let mut name = argument.name.to_string();
        while !names.insert(name.to_lowercase()) {
            name = format!("arg_{name}");
        }
        layout.push(Source::Argument(position), &name, DataType::of(argument, *kind), true);
    }
    if version == Version::Rfc2011 {
        layout.push(Source::Surplus, "surplus", DataType::Utf8, true);
    }
    layout.select(request)
}

/// Returns a table with the columns of all `tables`, and for each of them, its columns by the
/// columns of the result. A column whose name has another type in an earlier table is called
/// `NAME__TYPE`. Only columns that all tables have are not nullable.
pub fn union(name: &str, kind: TableKind, tables: &[Arc<Table>]) -> (Table, Vec<Vec<Option<usize>>>) {
    let mut fields: Vec<Field> = Vec::new();
    let mut maps: Vec<Vec<Option<usize>>> = Vec::new();
    for table in tables {
        let mut map = vec![None; fields.len()];
        for (index, field) in table.fields.iter().enumerate() {
            let place = add_field(&mut fields, field);
            map.resize(fields.len().max(map.len()), None);
            map[place] = Some(index);
        }
        maps.push(map);
    }
    for map in &mut maps {
        map.resize(fields.len(), None);
        for (field, index) in fields.iter_mut().zip(map) {
            field.nullable |= index.is_none();
        }
    }
    (Table { name: name.to_owned(), kind, fields }, maps)
}

/// Returns the index of a column like `field`, which is added if it is new.
pub(super) fn add_field(fields: &mut Vec<Field>, field: &Field) -> usize {
    let mut name = field.name.clone();
    loop {
        let same = fields.iter().position(|known| known.name.eq_ignore_ascii_case(&name));
        match same {
            Some(known) if fields[known].data_type == field.data_type && fields[known].name == name => {
                fields[known].nullable |= field.nullable;
                return known;
            }
            Some(_) => name = format!("{name}__{}", field.data_type.name()),
            None => {
                fields.push(Field { name, ..field.clone() });
                return fields.len() - 1;
            }
        }
    }
}
