//! Parquet: columns for SQL engines. `docs/tables.md` describes the tables.
//!
//! Rows are collected as [columns](ringtrace_tracefile::columns) until there are enough for a row
//! group, which a thread then encodes and writes. Each event has a table in `events/event=NAME/`, and
//! each pair in `spans/pair=NAME/`. Each of their files covers a range of time. Only the file that is
//! being written is open.

mod chunk;
pub(crate) mod dataset;
mod encoding;
mod files;
mod keyed;
mod numbers;
mod pages;
mod part;
mod schema;
mod writer;

use std::io;

use parquet::file::metadata::KeyValue;
use ringtrace_tracefile::columns::{Batch, Collector, ReadError, Request, Tables};
use ringtrace_tracefile::metadata::Anchor;
use ringtrace_tracefile::pair::{SpanEvent, SpanTracker, Track};
use ringtrace_tracefile::{BlockRecords, Entry, OrdinaryRecords};

use crate::exporter::{ExportTarget, Exporter, TraceEnd, TraceInfo};
use crate::run::Error;
use files::Files;
use writer::Writer;

const SCHEMA_VERSION: u32 = 2;

/// Maximum number of rows in a row group, as in DuckDB. Engines distribute row groups over
/// processors.
const MAX_ROWS: usize = 1 << 17;

/// Maximum size of the strings in a row group. The last row may exceed it.
const MAX_TEXT_BYTES: usize = 16 << 20;

#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Rows that do not fill a row group yet, in bytes.
    bytes: usize,
    /// Row groups in unfinished files. Their metadata stays in memory until the file is finished.
    row_groups: usize,
}

const LIMITS: Limits = Limits { bytes: 100 << 20, row_groups: 1 << 12 };

type Metadata = Vec<KeyValue>;

#[derive(Debug)]
struct ParquetFolder {
    collector: Collector,
    writer: Writer,
}

pub(crate) fn start(target: ExportTarget, info: &TraceInfo) -> io::Result<Box<dyn Exporter>> {
    start_within(LIMITS, target, info)
}

fn start_within(limits: Limits, target: ExportTarget, info: &TraceInfo) -> io::Result<Box<dyn Exporter>> {
    let request = request(limits, info.anchor);
    let writer = Writer::start(Files::new(target.into_folder()?, metadata(info), limits))?;
    Ok(Box::new(ParquetFolder::new(request, info, writer)?))
}

fn request(limits: Limits, anchor: Option<Anchor>) -> Request {
    let mut without = vec!["record".to_owned()];
    if anchor.is_none() {
        without.push(schema::WALL.to_owned());
    }
    Request {
        tables: Tables { events: false, ..Tables::ALL },
        without,
        batch_rows: MAX_ROWS,
        batch_text_bytes: MAX_TEXT_BYTES,
        memory_bytes: limits.bytes,
        anchor,
        ..Request::default()
    }
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
    fn new(request: Request, info: &TraceInfo, mut writer: Writer) -> io::Result<ParquetFolder> {
        let mut collector = Collector::new(request, info.description.clone());
        for schemas in &info.schemas {
            collector.bind(schemas);
        }
        collector.extra_tables().try_for_each(|table| writer.add(table))?;
        Ok(ParquetFolder { collector, writer })
    }
}

impl Exporter for ParquetFolder {
    fn event(&mut self, entry: &Entry<'_>, spans: &[SpanEvent<'_>], tracks: &[Track]) -> io::Result<()> {
        let Self { collector, writer } = self;
        let mut sink = |batch: &mut Batch| writer.write(batch);
        collector.entry(entry, &mut sink)?;
        if spans.is_empty() { Ok(()) } else { collector.spans(entry, spans, tracks, &mut sink) }
    }

    fn dropped(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let Self { collector, writer } = self;
        collector.entry(entry, &mut |batch: &mut Batch| writer.write(batch))
    }

    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> io::Result<()> {
        let Self { collector, writer } = self;
        collector.fast_path(records, &mut |batch: &mut Batch| writer.write(batch))
    }

    fn takes_blocks(&self) -> bool {
        self.collector.takes_blocks()
    }

    fn take_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        self.collector.take_block(records);
    }

    fn end_block(&mut self, is_valid: bool) -> io::Result<()> {
        let Self { collector, writer } = self;
        collector.end_block(is_valid, &mut |batch: &mut Batch| writer.write(batch))
    }

    fn fast_path_with_spans(
        &mut self,
        records: &mut OrdinaryRecords<'_>,
        tracker: &mut SpanTracker,
    ) -> Option<Result<(), Error>> {
        let Self { collector, writer } = self;
        let sink = &mut |batch: &mut Batch| writer.write(batch);
        let result = collector.fast_path_with_spans(records, tracker, sink);
        Some(result.map_err(|error| match error {
            ReadError::Sink(error) => Error::Write(error),
            ReadError::Pair(error) => Error::Pair(error),
        }))
    }

    fn finish(self: Box<Self>, end: &TraceEnd<'_>) -> io::Result<()> {
        let Self { mut collector, mut writer } = *self;
        collector.finish(end.tracker, end.pauses, &mut |batch: &mut Batch| writer.write(batch))?;
        collector.span_tables().try_for_each(|table| writer.add(table))?;
        writer.finish()
    }
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
        crate::run(&mut traces, &mut SpanTracker::default(), exporter, 1).unwrap();

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
        crate::run(&mut traces, &mut SpanTracker::default(), exporter, 1).unwrap();
        let file = fs::read_dir(out.join("events/event=changed")).unwrap().next().unwrap().unwrap().path();
        let reader = SerializedFileReader::new(fs::File::open(file).unwrap()).unwrap();
        let rows: Vec<String> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        let row = |values| {
            format!(
                "{{time_ns: 1000, wall_ns: null, time: null, pid: 7, tid: null, thread: null, cpu: null, {values}}}"
            )
        };
        let expected = ["to: \"BUSY\", seconds: 0.1, share: 0.5", "to: \"9\", seconds: inf, share: 0.5"];
        assert_eq!(rows, expected.map(row));
    }
}
