//! Parquet: columns for SQL engines. `docs/tables.md` tells users which tables there are.
//!
//! Each event has a table, `events/event=NAME/`, of files that cover a range of time each. Rows wait in memory until they are worth a row group;
//! when all tables together take too much, the largest is written early. No file is open but the one that is being written.

mod column;
mod encoding;
mod part;
mod table;
mod whose;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io;
use std::path::PathBuf;

use parquet::file::metadata::KeyValue;
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::{Meaning, Track};
use ringtrace_tracefile::{Entry, OrdinaryRecords, Schema, Value};

use crate::exporter::{End, Exporter, Format, Place, Setting, Shape};
use crate::text::utf8;
use crate::value::Kind;
use column::{Column, Source};
use table::{Cell, Shared, Table};

/// The line in [`EXPORTERS`](crate::EXPORTERS).
pub const FORMAT: Format = Format {
    name: "parquet",
    about: "columns for SQL: DuckDB, ClickHouse, Spark, pandas (a folder)",
    endings: &[".parquet"],
    shape: Shape::Folder,
    needs_order: false,
    begin,
};

/// The version of the tables that `docs/tables.md` describes.
const SCHEMA_VERSION: u32 = 1;

/// All rows that wait take no more memory.
const MAX_BYTES: usize = 128 << 20;

/// In traces that carry threads, the upper half of an id.
const THREAD_MASK: u64 = 0xffff_ffff << 32;

/// Names of columns that arguments cannot have.
const RESERVED: [&str; 5] = ["event", "time_ns", "time", "pid", "tid"];

/// What each file says of itself.
type Metadata = Vec<KeyValue>;

/// Writes a folder of tables.
#[derive(Debug)]
struct ParquetFolder {
    folder: PathBuf,
    metadata: Metadata,
    /// By schema index.
    events: Vec<Option<Box<Table>>>,
    dropped: Table,
    pauses: Table,
    shared: Shared,
    /// What rows that wait take.
    bytes: usize,
    /// The bits of ids that are the thread's.
    thread_mask: u64,
    /// Names of threads may have changed since the last entry.
    unsure: bool,
}

fn begin(place: Place, setting: &Setting) -> io::Result<Box<dyn Exporter>> {
    let Place::Folder(folder) = place else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "Parquet is written to a folder"));
    };
    let metadata = metadata(setting);
    let anchor = setting.anchor;
    let mut dropped = head(anchor);
    dropped.push(Column::new("cause", Source::Cell(1, Kind::Text)));
    dropped.push(Column::new("dropped", Source::Cell(2, Kind::Unsigned(8))));
    let pauses = ["from_ns", "to_ns", "duration_ns"];
    let pauses = pauses
        .iter()
        .enumerate()
        .map(|(cell, name)| Column::new(*name, Source::Cell(cell, Kind::Signed(8))))
        .collect();
    let file = |name| table::Place::File(folder.join(name));
    Ok(Box::new(ParquetFolder {
        dropped: Table::new(file("dropped.parquet"), dropped, 3, &metadata)?,
        pauses: Table::new(file("pauses.parquet"), pauses, 3, &metadata)?,
        folder,
        metadata,
        events: Vec::new(),
        shared: Shared { anchor, ..Shared::default() },
        bytes: 0,
        thread_mask: 0,
        unsure: true,
    }))
}

/// The columns that all events have.
fn head(anchor: Option<Anchor>) -> Vec<Column> {
    let mut columns = vec![Column::new("time_ns", Source::Time(0))];
    columns.extend(anchor.map(|_| Column::new("time", Source::Date(0))));
    columns.push(Column::new("pid", Source::Pid));
    columns.push(Column::new("tid", Source::Tid));
    columns.push(Column::new("thread", Source::Thread));
    columns
}

fn metadata(setting: &Setting) -> Metadata {
    let mut metadata = vec![KeyValue::new("ringtrace.schema_version".to_owned(), SCHEMA_VERSION.to_string())];
    for trace in &setting.traces {
        metadata.push(KeyValue::new("ringtrace.trace".to_owned(), trace.clone()));
    }
    if let Some(anchor) = setting.anchor {
        let text = format!("{} {}", anchor.monotonic_ns, anchor.realtime_ns);
        metadata.push(KeyValue::new("ringtrace.anchor".to_owned(), text));
    }
    metadata
}

impl ParquetFolder {
    fn event_table(&mut self, entry: &Entry<'_>) -> io::Result<&mut Table> {
        let index = entry.schema_index as usize;
        if self.events.len() <= index {
            self.events.resize_with(index + 1, || None);
        }
        if self.events[index].is_none() {
            let schema = entry.schema;
            let place = self.folder.join("events").join(format!("event={}", schema.name));
            let columns = event_columns(schema, self.shared.anchor);
            let place = table::Place::Folder { path: place, parts: 0 };
            let table = Table::new(place, columns, 1 + schema.arguments.len(), &self.metadata)?;
            self.events[index] = Some(Box::new(table));
        }
        self.events[index].as_deref_mut().ok_or_else(|| io::Error::other("no table"))
    }
}

/// The columns of an event's table.
fn event_columns(schema: &Schema, anchor: Option<Anchor>) -> Vec<Column> {
    let mut columns = head(anchor);
    let mut names: HashSet<String> = RESERVED.iter().map(|&name| name.to_owned()).collect();
    for (index, (argument, kind)) in schema.arguments.iter().zip(&schema.kinds).enumerate() {
        let kind = Kind::of(argument.ctype, *kind);
        let mut name = argument.name.to_string();
        while !names.insert(name.to_lowercase()) {
            name = format!("arg_{name}");
        }
        columns.push(Column::new(name, Source::Cell(index + 1, kind)));
    }
    columns
}

impl Exporter for ParquetFolder {
    fn event(&mut self, entry: &Entry<'_>, _: &[Meaning<'_>], _: &[Track]) -> io::Result<()> {
        if self.unsure {
            self.unsure = false;
            self.thread_mask = if entry.threaded { THREAD_MASK } else { 0 };
            self.shared.whose.renew(entry);
        }
        let who = self.shared.whose.of(entry);
        let table = self.event_table(entry)?;
        let before = table.bytes();
        table.push_entry(who, entry);
        let grown = table.bytes() - before;
        let is_full = table.is_full();
        self.bytes += grown;
        if is_full {
            self.flush(entry.schema_index as usize)?;
        }
        self.keep_small()
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let who = self.shared.whose.of(entry);
        let cause = entry.lost.map_or(Cell::Missing, |lost| Cell::Text(lost.cause.word().as_bytes()));
        let count = entry.dropped().map_or(Cell::Missing, Cell::Bits);
        let cells = [Cell::Bits(entry.timestamp_ns), cause, count];
        self.dropped.push(who, cells.into_iter());
        if self.dropped.is_full() {
            self.dropped.flush(&mut self.shared)?;
        }
        Ok(())
    }

    fn quick(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        if self.unsure {
            return Ok(());
        }
        let mut left = records.clone();
        loop {
            let Some((record, schema_index)) = left.peek() else {
                // What comes now can give threads other names.
                self.unsure = true;
                break;
            };
            let index = schema_index as usize;
            let Some(Some(table)) = self.events.get_mut(index) else { break };
            if !table.has_room() {
                self.make_room(index)?;
                continue;
            }
            let key = u64::from(record.pid) | record.id & self.thread_mask;
            let Some(who) = self.shared.whose.by_key(key) else { break };
            if !table.push_integers(who, record.timestamp_ns, record.payload) {
                break;
            }
            left.skip(&record);
        }
        *records = left;
        Ok(())
    }

    fn finish(mut self: Box<Self>, end: &End<'_>) -> io::Result<()> {
        for table in self.events.iter_mut().flatten() {
            table.finish(&mut self.shared)?;
        }
        self.dropped.finish(&mut self.shared)?;
        for pause in end.pauses {
            let cell = |ns: Option<u64>| ns.map_or(Cell::Missing, Cell::Bits);
            let duration = pause.from_ns.and(pause.to_ns).map(|_| pause.duration_ns());
            let cells = [cell(pause.from_ns), cell(pause.to_ns), cell(duration)];
            self.pauses.push(0, cells.into_iter());
        }
        self.pauses.finish(&mut self.shared)
    }
}

impl ParquetFolder {
    fn flush(&mut self, index: usize) -> io::Result<()> {
        let Some(Some(table)) = self.events.get_mut(index) else { return Ok(()) };
        let before = table.bytes();
        table.flush(&mut self.shared)?;
        self.bytes = self.bytes + table.bytes() - before;
        Ok(())
    }

    /// Makes room for more rows of a table.
    #[cold]
    fn make_room(&mut self, index: usize) -> io::Result<()> {
        let Some(Some(table)) = self.events.get_mut(index) else { return Ok(()) };
        if table.is_full() {
            return self.flush(index);
        }
        let before = table.bytes();
        table.grow();
        self.bytes += table.bytes() - before;
        self.keep_small()
    }

    /// Writes the largest tables, and gives their memory back, until the rest is small enough.
    fn keep_small(&mut self) -> io::Result<()> {
        while self.bytes > MAX_BYTES {
            let sizes = self.events.iter().map(|table| table.as_ref().map_or(0, |table| table.bytes()));
            let Some((_, index)) = sizes.zip(0..).max() else { return Ok(()) };
            self.flush(index)?;
            let Some(Some(table)) = self.events.get_mut(index) else { return Ok(()) };
            let before = table.bytes();
            table.shrink();
            self.bytes = self.bytes + table.bytes() - before;
        }
        Ok(())
    }
}

impl Table {
    fn push_entry(&mut self, who: u32, entry: &Entry<'_>) {
        let time = Cell::Bits(entry.timestamp_ns);
        let mut texts = Vec::new();
        for value in entry.values() {
            texts.push(match value {
                Value::Integer(_) => Cow::Borrowed(""),
                Value::Str(bytes) => utf8(bytes),
            });
        }
        let values = entry.values().zip(&texts).map(|(value, text)| match value {
            Value::Integer(bits) => Cell::Bits(bits),
            Value::Str(_) => Cell::Text(text.as_bytes()),
        });
        self.push(who, [time].into_iter().chain(values));
    }
}
