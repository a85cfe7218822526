//! Parquet exports of unusual traces: with thousands of events, with events that have the same name
//! in two traces, and with arguments named like columns.

#![allow(clippy::unwrap_used, clippy::panic, reason = "failing tests panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use ringtrace_events::SourceFile;
use ringtrace_export::{ExportTarget, TraceInfo, format, run};
use ringtrace_tracefile::pair::SpanTracker;
use ringtrace_tracefile::{Input, Needs, Options, Reader, Traces};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use tempfile::TempDir;

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

/// Returns a v4 trace with `records` records, which cycle through `events` and contain `values`.
fn trace(events: &[String], records: usize, values: impl Fn(usize) -> Vec<Value<'static>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    ENCODER.header(0, 0, &mut bytes);
    for (id, name) in (0..).zip(events) {
        ENCODER.mapping(id, name.as_bytes(), &mut bytes);
    }
    for number in 0..records {
        let (id, time_ns) = ((number % events.len()) as u64, 1000 + number as u64);
        ENCODER.record(id, time_ns, 7, &values(number), &mut bytes).unwrap();
    }
    bytes
}

/// Exports traces, each with its declarations, to Parquet.
fn export(traces: &[(Vec<u8>, String)]) -> TempDir {
    let readers = traces.iter().map(|(bytes, declarations)| {
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, bytes).unwrap();
        std::io::Seek::rewind(&mut file).unwrap();
        let sources = vec![SourceFile::new("events", declarations.clone())];
        let options = Options { sources, ..Options::default() };
        Reader::new("trace", Input::from_file(file).unwrap(), &options).unwrap()
    });
    let mut traces = Traces::new(readers.collect(), Needs::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = ExportTarget::Folder(folder.path().to_owned());
    let exporter = (format("parquet").unwrap().start)(place, &TraceInfo::default()).unwrap();
    run(&mut traces, &mut SpanTracker::default(), exporter, 1).unwrap();
    folder
}

/// Opens the files of a folder, in order.
fn files(folder: &Path) -> Vec<SerializedFileReader<fs::File>> {
    let names: BTreeSet<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.iter().map(|name| SerializedFileReader::new(fs::File::open(name).unwrap()).unwrap()).collect()
}

/// Returns the values of a column of the files as text.
fn column(files: &[SerializedFileReader<fs::File>], name: &str) -> Vec<String> {
    let rows = files.iter().flat_map(|file| file.get_row_iter(None).unwrap());
    let text = |field: &Field| format!("{field}");
    rows.map(|row| {
        let row = row.unwrap();
        let found = row.get_column_iter().find(|(column, _)| *column == name);
        text(found.unwrap_or_else(|| panic!("no column {name}")).1)
    })
    .collect()
}

/// Returns the number of files that this process has open.
fn open_files() -> usize {
    fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

#[test]
fn thousands_of_events_need_few_open_files() {
    let events: Vec<String> = (0..2000).map(|number| format!("event_{number}")).collect();
    let declarations =
        events.iter().map(|name| format!("{name}(uint64_t a, const char *s) \"\"\n")).collect();
    let values = |number: usize| vec![Value::Integer(number as u64), Value::Str(b"text")];
    let before = open_files();
    let folder = export(&[(trace(&events, 4000, values), declarations)]);
    assert!(open_files() < before + 50);
    let events = folder.path().join("events");
    assert_eq!(fs::read_dir(&events).unwrap().count(), 2000);
    let files = files(&events.join("event=event_17"));
    assert_eq!(column(&files, "a"), ["17", "2017"]);
    assert_eq!(column(&files, "time_ns"), ["1017", "3017"]);
}

#[test]
fn long_traces_are_in_row_groups_and_files_of_bounded_size() {
    let events = ["tick".to_owned()];
    let count = (1 << 17) + 5;
    let values = |number: usize| vec![Value::Integer(number as u64), Value::Integer(u64::MAX)];
    let trace = trace(&events, count, values);
    let folder = export(&[(trace, "tick(int64_t a, uint64_t b) \"\"\n".to_owned())]);
    let files = files(&folder.path().join("events/event=tick"));
    let groups: Vec<i64> =
        files.iter().flat_map(|file| file.metadata().row_groups()).map(RowGroupMetaData::num_rows).collect();
    assert_eq!(groups, [1 << 17, 5]);
    let expected: Vec<String> = (0..count).map(|number| number.to_string()).collect();
    assert!(column(&files, "a") == expected);
    assert!(column(&files, "b").iter().all(|value| *value == u64::MAX.to_string()));
}

#[test]
fn events_of_one_name_in_two_traces_share_a_folder() {
    let events = ["same".to_owned()];
    let one = trace(&events, 2, |number| vec![Value::Integer(number as u64)]);
    let other = trace(&events, 3, |_| vec![Value::Str(b"word")]);
    let declared = |argument: &str| format!("same({argument}) \"\"\n");
    let folder = export(&[(one, declared("int number")), (other, declared("const char *text"))]);
    let files = files(&folder.path().join("events/event=same"));
    assert_eq!(files.len(), 2);
    assert_eq!(column(&files[..1], "number"), ["0", "1"]);
    assert_eq!(column(&files[1..], "text"), ["\"word\"", "\"word\"", "\"word\""]);
}

#[test]
fn arguments_are_renamed_if_columns_have_their_names() {
    let events = ["odd".to_owned()];
    let trace = trace(&events, 1, |_| (1..=6).map(Value::Integer).collect());
    let declared = "odd(int pid, int arg_pid, int Time_ns, int x, int X, int arg_X) \"\"\n".to_owned();
    let folder = export(&[(trace, declared)]);
    let files = files(&folder.path().join("events/event=odd"));
    let names: Vec<String> = files[0]
        .metadata()
        .file_metadata()
        .schema()
        .get_fields()
        .iter()
        .map(|field| field.name().to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "time_ns",
            "wall_ns",
            "time",
            "pid",
            "tid",
            "thread",
            "cpu",
            "arg_pid",
            "arg_arg_pid",
            "arg_Time_ns",
            "x",
            "arg_X",
            "arg_arg_X"
        ]
    );
}
