//! Parquet: columns for SQL engines. `docs/tables.md` describes the tables.
//!
//! Each event has a table in `events/event=NAME/`. Each of its files covers a range of time. Rows
//! stay in memory until there are enough for a row group. If all tables together take too much
//! memory, the largest is written early. Only the file that is being written is open.

mod column;
mod encoding;
mod extra_tables;
mod owners;
mod part;
mod table;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use parquet::file::metadata::KeyValue;
use ringtrace_tracefile::pair::{Description, SpanEvent, Track};
use ringtrace_tracefile::{Entry, OrdinaryRecords, Value};

use crate::exporter::{ExportTarget, Exporter, TraceEnd, TraceInfo};
use crate::shared::record_types::slot;
use crate::shared::span_rows;
use crate::shared::text::utf8;
use crate::shared::value::{TypedValue, named_values};
use extra_tables::ExtraTables;
use table::{Shared, Table, TableLocation};

const SCHEMA_VERSION: u32 = 1;

#[derive(Debug, Clone, Copy)]
struct Limits {
    bytes: usize,
    /// Row groups in unfinished files. Their metadata stays in memory until the file is finished.
    row_groups: usize,
}

const LIMITS: Limits = Limits { bytes: 128 << 20, row_groups: 1 << 12 };

/// The upper half of a record's id, which is the thread id in traces that contain threads.
const THREAD_MASK: u64 = 0xffff_ffff << 32;

/// Maximum length of an event's name in a folder name. Folder names are limited to 255 bytes.
const MAX_NAME_BYTES: usize = 200;

type Metadata = Vec<KeyValue>;

#[derive(Debug)]
struct ParquetFolder {
    folder: PathBuf,
    metadata: Metadata,
    /// The events' tables, by schema index.
    events: Vec<Option<Box<Table>>>,
    extra_tables: ExtraTables,
    description: Arc<Description>,
    shared: Shared,
    limits: Limits,
    bytes: usize,
    row_groups: usize,
    thread_mask: u64,
    /// Whether threads may have been renamed since the last entry.
    unsure: bool,
}

pub(crate) fn start(target: ExportTarget, info: &TraceInfo) -> io::Result<Box<dyn Exporter>> {
    start_within(LIMITS, target, info)
}

fn start_within(limits: Limits, target: ExportTarget, info: &TraceInfo) -> io::Result<Box<dyn Exporter>> {
    let folder = target.into_folder()?;
    let metadata = metadata(info);
    Ok(Box::new(ParquetFolder {
        extra_tables: ExtraTables::new(&folder, info, &metadata)?,
        description: Arc::new(info.description.clone()),
        shared: Shared::new(info.anchor),
        folder,
        metadata,
        limits,
        events: Vec::new(),
        bytes: 0,
        row_groups: 0,
        thread_mask: 0,
        unsure: true,
    }))
}

fn metadata(info: &TraceInfo) -> Metadata {
    let mut metadata = vec![KeyValue::new("ringtrace.schema_version".to_owned(), SCHEMA_VERSION.to_string())];
    for trace in &info.traces {
        metadata.push(KeyValue::new("ringtrace.trace".to_owned(), trace.clone()));
    }
    if let Some(anchor) = info.anchor {
        let text = format!("{} {}", anchor.monotonic_ns, anchor.realtime_ns);
        metadata.push(KeyValue::new("ringtrace.anchor".to_owned(), text));
    }
    metadata
}

impl ParquetFolder {
    fn event_table(&mut self, entry: &Entry<'_>) -> io::Result<&mut Table> {
        let index = entry.schema_index as usize;
        let table = slot(&mut self.events, index);
        if table.is_none() {
            let name = &entry.schema.name;
            let folder = self.folder.join("events").join(format!("event={}", folder_name(name, index)));
            let columns = column::of_event(entry, self.shared.anchor);
            let mut metadata = self.metadata.clone();
            metadata.push(KeyValue::new("ringtrace.event".to_owned(), name.to_string()));
            *table = Some(Box::new(Table::new(TableLocation::Folder(folder), columns, metadata)?));
        }
        table.as_deref_mut().ok_or_else(|| io::Error::other("no table"))
    }
}

/// Returns the folder name for an event. As in Hive, all characters except letters, digits, `_`,
/// `-` and `.` are escaped as `%XX`. A name that is too long is truncated and gets the schema's
/// index as a suffix; the files contain the whole name.
fn folder_name(event: &str, index: usize) -> String {
    let mut name = String::new();
    for byte in event.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => name.push(char::from(byte)),
            _ => name.push_str(&format!("%{byte:02X}")),
        }
        if name.len() > MAX_NAME_BYTES {
            name.push_str(&format!("-{index}"));
            break;
        }
    }
    name
}

impl Exporter for ParquetFolder {
    fn event(&mut self, entry: &Entry<'_>, spans: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        if self.unsure {
            self.unsure = false;
            self.thread_mask = if entry.threaded { THREAD_MASK } else { 0 };
            self.shared.owners.renew(entry);
        }
        let owner = self.shared.owners.of(entry);
        let table = self.event_table(entry)?;
        let before = table.bytes();
        table.push_entry(owner, entry);
        let grown = table.bytes() - before;
        let is_full = table.is_full();
        self.bytes += grown;
        if is_full {
            self.flush(entry.schema_index as usize)?;
        }
        self.keep_small()?;
        if spans.is_empty() {
            return Ok(());
        }
        let Self { description, extra_tables, shared, .. } = self;
        span_rows::rows(description, entry, spans, tracks)
            .try_for_each(|row| extra_tables.row(&row, entry, shared))
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        self.extra_tables.drop(entry, &mut self.shared)
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        if self.unsure {
            return Ok(());
        }
        let mut left = records.clone();
        loop {
            let Some((record, schema_index)) = left.peek() else {
                // The next entry can rename threads.
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
            let Some(owner) = self.shared.owners.by_key(key) else { break };
            if !table.push_integers(owner, record.timestamp_ns, record.payload) {
                break;
            }
            left.skip(&record);
        }
        *records = left;
        Ok(())
    }

    fn finish(mut self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        for table in self.events.iter_mut().flatten() {
            table.finish(&mut self.shared)?;
        }
        let Self { extra_tables, shared, .. } = &mut *self;
        span_rows::each_open(end.tracker, |span| extra_tables.span(span, shared))?;
        end.pauses.iter().try_for_each(|pause| extra_tables.pause(pause, shared))?;
        extra_tables.finish(shared)
    }
}

impl ParquetFolder {
    fn flush(&mut self, index: usize) -> io::Result<()> {
        let Some(Some(table)) = self.events.get_mut(index) else { return Ok(()) };
        let before = (table.bytes(), table.row_groups());
        table.flush(&mut self.shared)?;
        self.bytes = self.bytes + table.bytes() - before.0;
        self.row_groups = self.row_groups + table.row_groups() - before.1;
        self.end_parts()
    }

    /// Finishes the files with the most row groups, until the rest is within the limit.
    fn end_parts(&mut self) -> io::Result<()> {
        while self.row_groups > self.limits.row_groups {
            let most = self.events.iter_mut().flatten().max_by_key(|table| table.row_groups());
            let Some(table) = most else { return Ok(()) };
            self.row_groups -= table.row_groups();
            table.end_part()?;
        }
        Ok(())
    }

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

    /// Writes the largest tables and frees their memory, until the rest is within the limit.
    fn keep_small(&mut self) -> io::Result<()> {
        while self.bytes > self.limits.bytes {
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
    fn push_entry(&mut self, owner: u32, entry: &Entry<'_>) {
        self.push_word(entry.timestamp_ns);
        for (value, argument) in entry.values().zip(&entry.schema.arguments) {
            match value {
                Value::Integer(_) if argument.enumeration.is_some() => {
                    self.push_text(Some(&argument.key(value).to_string()));
                }
                Value::Integer(bits) => self.push_word(bits),
                Value::Str(bytes) => self.push_text(Some(&utf8(bytes))),
            }
        }
        if entry.surplus().next().is_some() {
            self.push_text(Some(&surplus(entry)));
        }
        self.end_row(owner);
    }
}

fn surplus(entry: &Entry<'_>) -> String {
    let mut members = serde_json::Map::new();
    for (name, value) in named_values(entry).skip(entry.schema.arguments.len()) {
        let value = match value {
            TypedValue::Signed(number) => number.into(),
            TypedValue::Unsigned(number) | TypedValue::Pointer(number) => number.into(),
            TypedValue::Bool(value) => value.into(),
            TypedValue::Double(bits) => f64::from_bits(bits).into(),
            TypedValue::Text(bytes) => utf8(bytes).into_owned().into(),
        };
        members.insert(name.into_owned(), value);
    }
    serde_json::Value::Object(members).to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use parquet::file::reader::{FileReader, SerializedFileReader};
    use ringtrace_events::SourceFile;
    use ringtrace_tracefile::pair::SpanTracker;
    use ringtrace_tracefile::{Input, Needs, Options, Reader, Traces};
    use ringtrace_wire::ByteOrder;
    use ringtrace_wire::simpletrace::Version;
    use ringtrace_wire::simpletrace::encode::{self, Encoder};

    use super::*;

    /// Exports 100 events, with 40 alternating records each, within `limits`. Returns the largest
    /// number of files, and the largest number of row groups, of any event.
    fn most(limits: Limits) -> (usize, usize) {
        let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
        let (mut bytes, mut declarations) = (Vec::new(), String::new());
        encoder.header(0, 0, &mut bytes);
        for id in 0..100 {
            encoder.mapping(id, format!("event_{id}").as_bytes(), &mut bytes);
            declarations += &format!("event_{id}(uint64_t number) \"\"\n");
        }
        for number in 0..4000 {
            let values = [encode::Value::Integer(number)];
            encoder.record(number % 100, 1000 + number, 7, &values, &mut bytes).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("trace"), bytes).unwrap();
        let options =
            Options { sources: vec![SourceFile::new("events", declarations)], ..Options::default() };
        let input = Input::open(&folder.path().join("trace")).unwrap();
        let reader = Reader::new("trace", input, &options).unwrap();
        let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
        let out = folder.path().join("out");
        let exporter =
            start_within(limits, ExportTarget::Folder(out.clone()), &TraceInfo::default()).unwrap();
        crate::run(&mut traces, &mut SpanTracker::default(), exporter).unwrap();

        let mut most = (0, 0);
        for event in fs::read_dir(out.join("events")).unwrap() {
            let mut found = (0, 0);
            let mut rows = 0;
            for file in fs::read_dir(event.unwrap().path()).unwrap() {
                let file = fs::File::open(file.unwrap().path()).unwrap();
                let metadata = SerializedFileReader::new(file).unwrap().metadata().clone();
                found = (found.0 + 1, found.1 + metadata.num_row_groups());
                rows += metadata.file_metadata().num_rows();
            }
            assert_eq!(rows, 40);
            most = (most.0.max(found.0), most.1.max(found.1));
        }
        most
    }

    #[test]
    fn memory_is_bounded_and_no_row_is_lost() {
        assert_eq!(most(LIMITS), (1, 1));
        let (files, row_groups) = most(Limits { bytes: 20_000, ..LIMITS });
        assert!(files == 1 && row_groups > 1, "{files} files, {row_groups} row groups");
        let (files, row_groups) = most(Limits { bytes: 20_000, row_groups: 50 });
        assert!(files > 1 && row_groups > 1, "{files} files, {row_groups} row groups");
    }

    #[test]
    fn extended_types_have_columns_of_their_own() {
        let declarations = "enum state { IDLE, BUSY }\nchanged(state to, double seconds, float share) \"\"\n";
        let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
        let mut bytes = Vec::new();
        encoder.header(0, 0, &mut bytes);
        encoder.mapping(0, b"changed", &mut bytes);
        for (state, seconds) in [(1, 0.1_f64), (9, f64::INFINITY)] {
            let values = [state, seconds.to_bits(), 0.5_f64.to_bits()].map(encode::Value::Integer);
            encoder.record(0, 1000, 7, &values, &mut bytes).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let options =
            Options { sources: vec![SourceFile::new("events", declarations)], ..Options::default() };
        let input = Input::from_reader(Box::new(io::Cursor::new(bytes)));
        let reader = Reader::new("trace", input, &options).unwrap();
        let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
        let out = folder.path().join("out");
        let exporter =
            start_within(LIMITS, ExportTarget::Folder(out.clone()), &TraceInfo::default()).unwrap();
        crate::run(&mut traces, &mut SpanTracker::default(), exporter).unwrap();
        let file = fs::read_dir(out.join("events/event=changed")).unwrap().next().unwrap().unwrap().path();
        let reader = SerializedFileReader::new(fs::File::open(file).unwrap()).unwrap();
        let rows: Vec<String> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        let row = |values| format!("{{time_ns: 1000, pid: 7, tid: null, thread: null, {values}}}");
        let expected = ["to: \"BUSY\", seconds: 0.1, share: 0.5", "to: \"9\", seconds: inf, share: 0.5"];
        assert_eq!(rows, expected.map(row));
    }

    #[test]
    fn names_of_folders_are_escaped() {
        assert_eq!(folder_name("virtio_blk_req_complete", 7), "virtio_blk_req_complete");
        assert_eq!(folder_name("a/../b c=%\u{f6}", 7), "a%2F..%2Fb%20c%3D%25%C3%B6");
        assert_eq!(folder_name(&"x".repeat(300), 7), format!("{}-7", "x".repeat(201)));
    }
}
