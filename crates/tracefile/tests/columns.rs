//! Columns contain the same rows and values as the entries that a visitor receives.

#![allow(clippy::unwrap_used, clippy::panic, reason = "failing tests panic")]

mod columns_of_entries;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use columns_of_entries::{Found, expected};
use ringtrace_events::SourceFile;
use ringtrace_tracefile::columns::{Batch, Column, Request, TableKind, Tables, Values, read};
use ringtrace_tracefile::pair::{Description, SpanTracker, parse};
use ringtrace_tracefile::{Entry, Filter, FilterOptions, Flow, Input, Needs, Options, Reader, Traces};
use ringtrace_wire::simpletrace::{Version, encode};

const TESTDATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");

fn traces(trace: &str, events: Option<&str>) -> Traces {
    let at = |name: &str| Path::new(TESTDATA).join(name);
    let sources = events.map(|name| SourceFile::from_bytes("events", &fs::read(at(name)).unwrap()));
    let options = Options { sources: sources.into_iter().collect(), ..Options::default() };
    let reader = Reader::new("trace", Input::open(&at(trace)).unwrap(), &options).unwrap();
    Traces::new(vec![reader], Needs { anchor: true, ..Needs::default() }).unwrap()
}

fn tracker(description: &Description) -> SpanTracker {
    SpanTracker::new(description.clone()).keep_begins(true)
}

fn cell(column: &Column, row: usize) -> String {
    assert!(column.validity().is_none_or(|validity| validity.len() == column.len()));
    if column.is_null(row) {
        return "null".to_owned();
    }
    match column.values() {
        Values::Bool(bits) => bits.get(row).to_string(),
        Values::Int8(values) => values[row].to_string(),
        Values::Int16(values) => values[row].to_string(),
        Values::Int32(values) => values[row].to_string(),
        Values::Int64(values) => values[row].to_string(),
        Values::UInt8(values) => values[row].to_string(),
        Values::UInt16(values) => values[row].to_string(),
        Values::UInt32(values) => values[row].to_string(),
        Values::UInt64(values) => values[row].to_string(),
        Values::Float64(values) => values[row].to_bits().to_string(),
        Values::Utf8(_) | Values::Dictionary(..) => format!("{:?}", column.text(row).unwrap()),
    }
}

fn found(mut traces: Traces, description: &Description, mut request: Request) -> Found {
    request.anchor = traces.times().anchor;
    let mut found = Found::new();
    let mut sink = |batch: &mut Batch| -> Result<(), String> {
        assert!(batch.rows > 0 && batch.columns.len() == batch.table.fields.len());
        let name = match batch.table.kind {
            TableKind::Event(_) => format!("event {}", batch.table.name),
            TableKind::Spans(_) => format!("spans of {}", batch.table.name),
            _ => batch.table.name.clone(),
        };
        for (column, field) in batch.columns.iter().zip(&batch.table.fields) {
            assert_eq!(column.len(), batch.rows, "{name} {}", field.name);
            assert!(field.nullable || column.null_count() == 0, "{name} {}", field.name);
        }
        for row in 0..batch.rows {
            let cells = batch.columns.iter().zip(&batch.table.fields);
            let cells: Vec<String> = cells
                .map(|(column, field)| (field, cell(column, row)))
                .filter(|(_, cell)| cell != "null")
                .map(|(field, cell)| format!("{}={cell}", field.name))
                .collect();
            found.entry(name.clone()).or_default().push(cells.join(" "));
        }
        // Half of the time, keep the memory of the batch.
        if found.len().is_multiple_of(2) {
            drop(std::mem::take(&mut batch.columns));
        }
        Ok(())
    };
    let read = read(&mut traces, &mut tracker(description), request, &mut sink).unwrap();
    assert!(read.read_errors.is_empty());
    found
}

fn everything() -> Description {
    let pairs = fs::read_to_string(Path::new(TESTDATA).join("export/everything.pairs")).unwrap();
    parse(&SourceFile::new("pairs", pairs)).0
}

/// Compares the tables, except those that need the state of the tracker after the last record.
fn compare(trace: &str, events: Option<&str>, description: &Description, filter: &FilterOptions) -> Found {
    let expected = expected(traces(trace, events), description, filter.clone());
    for batch_rows in [1, 7, 1 << 16] {
        let filter = filter.clone();
        let request = Request { tables: Tables::ALL, filter, batch_rows, ..Request::default() };
        let found = found(traces(trace, events), description, request);
        for (table, rows) in &expected {
            let others = found.get(table).unwrap_or_else(|| panic!("{trace}: no {table}"));
            assert_same_rows(others, rows, &format!("{trace}: {table}"));
        }
    }
    expected
}

/// Compares rows. Open spans, which must be the last ones, are not among the expected rows.
fn assert_same_rows(found: &[String], expected: &[String], table: &str) {
    let is_open = |row: &String| row.contains("outcome=\"open\"");
    let (found, open) = found.split_at(found.iter().position(is_open).unwrap_or(found.len()));
    for (row, other) in expected.iter().zip(found) {
        assert_eq!(sorted(other), sorted(row), "{table}");
    }
    assert_eq!(found.len(), expected.len(), "{table}");
    assert!(open.iter().all(is_open), "{table}");
}

/// Returns the cells of a row in alphabetical order. Strings with blanks are divided.
fn sorted(row: &str) -> Vec<&str> {
    let mut cells: Vec<&str> = row.split(' ').collect();
    cells.sort_unstable();
    cells
}

#[test]
fn every_value_is_in_the_columns() {
    let everything = everything();
    let tables = compare("export/everything.trace", None, &everything, &FilterOptions::default());
    assert!(tables.keys().any(|name| name.starts_with("spans of ")), "{:?}", tables.keys());
    assert_eq!((tables["dropped"].len(), tables["pauses"].len()), (5, 2));
    for trace in ["export/far.trace", "export/empty.trace"] {
        compare(trace, None, &everything, &FilterOptions::default());
    }
    let boot = ("boot-small.bin", Some("boot-small.events"));
    let tables = compare(boot.0, boot.1, &Description::default(), &FilterOptions::default());
    assert_eq!(tables["events"].len(), 17_361);
}

#[test]
fn requests_select_rows_and_columns() {
    let boot = ("boot-small.bin", Some("boot-small.events"));
    let all = expected(traces(boot.0, boot.1), &Description::default(), FilterOptions::default());
    let time = |row: &String| {
        let text = row.split(' ').find_map(|cell| cell.strip_prefix("time_ns=")).unwrap();
        text.parse::<u64>().unwrap()
    };
    let middle = time(&all["events"][8000]);
    for filter in [
        FilterOptions { include: vec!["virtio_*".to_owned()], ..FilterOptions::default() },
        FilterOptions {
            since_ns: Some(middle),
            until_ns: Some(middle + 1_000_000),
            ..FilterOptions::default()
        },
        FilterOptions {
            exclude: vec!["apic*".to_owned()],
            since_ns: Some(middle),
            ..FilterOptions::default()
        },
        FilterOptions { pids: vec![1], ..FilterOptions::default() },
    ] {
        let rows = compare(boot.0, boot.1, &Description::default(), &filter);
        assert!(rows.get("events").map_or(0, Vec::len) < 17_361);
    }
    let request = Request {
        columns: Some(vec!["time_ns".to_owned(), "val".to_owned()]),
        filter: FilterOptions { include: vec!["apic_register_write".to_owned()], ..FilterOptions::default() },
        ..Request::default()
    };
    let found = found(traces(boot.0, boot.1), &Description::default(), request);
    let rows = &found["event apic_register_write"];
    assert_eq!((found.len(), rows.len()), (1, 5913));
    assert!(rows.iter().all(|row| row.starts_with("time_ns=") && row.split(' ').count() <= 2), "{}", rows[0]);
}

#[test]
fn tables_are_known_before_the_trace_is_read() {
    let boot = || traces("boot-small.bin", Some("boot-small.events"));
    let declared = boot().single().unwrap().all_declared().unwrap();
    for columns in [None, Some(vec!["time_ns".to_owned(), "val".to_owned()])] {
        let tables = Tables { each_event: true, events: true, ..Tables::default() };
        let request = Request { tables, columns, ..Request::default() };
        let mut batches = 0;
        let known = request.clone();
        let sink = |batch: &mut Batch| -> Result<(), String> {
            let expected = match batch.table.kind {
                TableKind::Event(index) => known.event_table(declared.get(index), index, Version::V4),
                _ => known.events_table(),
            };
            assert_eq!(*batch.table, expected);
            batches += 1;
            Ok(())
        };
        read(&mut boot(), &mut SpanTracker::default(), request, sink).unwrap();
        assert!(batches > 50, "{batches}");
    }
}

#[test]
fn another_thread_can_stop_the_reading() {
    let mut boot = traces("boot-small.bin", Some("boot-small.events"));
    let stop = Arc::new(AtomicBool::new(false));
    let request = Request { batch_rows: 1, stop: Some(Arc::clone(&stop)), ..Request::default() };
    let mut rows = 0;
    // The flag is checked between calls of the fast path, which new events interrupt.
    let stopped =
        read(&mut boot, &mut SpanTracker::default(), request, |batch: &mut Batch| -> Result<(), String> {
            rows += batch.rows;
            stop.store(true, Ordering::Relaxed);
            Ok(())
        });
    assert!(stopped.unwrap().read_errors.is_empty());
    assert!(rows < 17_361, "{rows}");
}

#[test]
fn the_sink_can_stop_and_memory_is_bounded() {
    let boot = || traces("boot-small.bin", Some("boot-small.events"));
    let mut batches = 0;
    let request = Request { batch_rows: 100, ..Request::default() };
    let stopped = read(&mut boot(), &mut SpanTracker::default(), request, |_: &mut Batch| {
        batches += 1;
        if batches < 3 { Ok(()) } else { Err("enough") }
    });
    assert_eq!(stopped.unwrap_err().to_string(), "enough");
    assert_eq!(batches, 3);
    let (mut rows, mut largest) = (0, 0);
    let request = Request { memory_bytes: 20_000, ..Request::default() };
    read(&mut boot(), &mut SpanTracker::default(), request, |batch: &mut Batch| -> Result<(), String> {
        rows += batch.rows;
        largest = largest.max(batch.rows);
        Ok(())
    })
    .unwrap();
    assert_eq!(rows, 17_361);
    // A chunk of the fast path can exceed the limit.
    assert!(largest <= 1 << 11, "{largest}");
    // The limit also applies if the sink takes the columns.
    let (mut batches, mut taken) = (0, 0);
    let request = Request { memory_bytes: 20_000, ..Request::default() };
    let mut take = |batch: &mut Batch| -> Result<(), String> {
        batches += usize::from(!std::mem::take(&mut batch.columns).is_empty());
        Ok(())
    };
    read(&mut boot(), &mut SpanTracker::default(), request.clone(), &mut take).unwrap();
    let keep = |_: &mut Batch| -> Result<(), String> {
        taken += 1;
        Ok(())
    };
    read(&mut boot(), &mut SpanTracker::default(), request, keep).unwrap();
    assert_eq!(batches, taken);
}

/// Returns a reader of a v4 trace in which `records` occur: the index of the event, the time, and the
/// argument.
fn made(declarations: &str, records: &[(u64, u64, u64)]) -> Reader {
    let record = |&(id, time_ns, value)| (id, time_ns, 1, vec![encode::Value::Integer(value)]);
    made_of(declarations, records.iter().map(record))
}

/// Returns a reader of a v4 trace in which `records` occur: the index of the event, the time, the process,
/// and the arguments.
fn made_of<'v>(
    declarations: &str,
    records: impl Iterator<Item = (u64, u64, u32, Vec<encode::Value<'v>>)>,
) -> Reader {
    use ringtrace_wire::ByteOrder;
    let encoder = encode::Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut bytes = Vec::new();
    encoder.header(0, 0, &mut bytes);
    for (id, line) in (0..).zip(declarations.lines()) {
        encoder.mapping(id, line.split('(').next().unwrap().as_bytes(), &mut bytes);
    }
    for (id, time_ns, pid, values) in records {
        encoder.record(id, time_ns, pid, &values, &mut bytes).unwrap();
    }
    let sources = vec![SourceFile::new("events", declarations)];
    let options = Options { sources, ..Options::default() };
    Reader::new("made", Input::from_reader(Box::new(std::io::Cursor::new(bytes))), &options).unwrap()
}

/// A merge numbers events in the order in which they occur, unlike each of its traces.
#[test]
fn spans_of_merged_traces_have_the_arguments_of_their_events() {
    let one = "opened(int x) \"\"\nstarted(int y) \"\"\nclosed(int z) \"\"\n";
    let other = "unrelated(int u) \"\"\n";
    let readers = vec![
        made(one, &[(1, 1000, 7), (0, 1010, 8), (2, 1020, 7), (2, 1030, 8)]),
        made(other, &[(0, 1005, 1)]),
    ];
    let text = "pair use\n  begin opened x\n  begin started y\n  end closed z\n";
    let description = parse(&SourceFile::new("pairs", text)).0;
    let traces = Traces::new(readers, Needs::default()).unwrap();
    let request = Request { tables: Tables::ALL, ..Request::default() };
    let found = found(traces, &description, request);
    let arguments = |row: &String| {
        let cells = row.split(' ').filter(|cell| {
            ["begin_event=", "begin_x=", "begin_y="].iter().any(|name| cell.starts_with(name))
        });
        cells.collect::<Vec<_>>().join(" ")
    };
    let rows: Vec<String> = found["spans of use"].iter().map(arguments).collect();
    assert_eq!(rows, ["begin_event=\"started\" begin_y=7", "begin_event=\"opened\" begin_x=8"]);
}

/// Spans are followed in chunks. They can begin in one chunk and end in another, and events that belong to
/// no pair are between them.
#[test]
fn spans_of_many_chunks_are_those_of_the_entries() {
    let declarations = "opened(int x) \"\"\nclosed(int z) \"\"\nother(int u) \"\"\nlevel(int bytes) \"\"\n";
    let records: Vec<(u64, u64, u64)> =
        (0..20_000).map(|n: u64| ((n * n + n / 7) % 4, 1000 + n, (n * 31 / 4) % 500)).collect();
    let text =
        "pair use\n  begin opened x\n  end closed z\n  step other u\ncounter filled\n  value level bytes\n";
    let description = parse(&SourceFile::new("pairs", text)).0;
    assert_eq!((description.pairs.len(), description.counters.len()), (1, 1));
    let traces = || Traces::new(vec![made(declarations, &records)], Needs::default()).unwrap();
    for filter in [
        FilterOptions::default(),
        FilterOptions { since_ns: Some(3000), until_ns: Some(17_000), ..FilterOptions::default() },
        FilterOptions { exclude: vec!["closed".to_owned()], ..FilterOptions::default() },
    ] {
        let expected = expected(traces(), &description, filter.clone());
        for tables in [Tables::ALL, Tables { spans: true, steps: true, counters: true, ..Tables::default() }]
        {
            let request = Request { tables, filter: filter.clone(), batch_rows: 3000, ..Request::default() };
            let found = found(traces(), &description, request);
            for (table, rows) in expected.iter().filter(|(table, _)| found.contains_key(*table)) {
                assert!(rows.len() > 100, "{table}");
                assert_same_rows(&found[table], rows, table);
            }
            assert!(found["counters"].len() > 100 && found.contains_key("spans of use"));
        }
    }
}

/// Compares the rows of pairs whose records have one key, which are matched without the general case, with
/// those of the entries. Some keys are open already, some ends are earlier than their begins, and some spans
/// have strings.
#[test]
fn spans_of_all_kinds_are_those_of_the_entries() {
    let declarations = "read(int disk, void *req) \"\"\nwrite(int disk, void *req, int bytes) \"\"\n\
        named(const char *why, void *req, int disk) \"\"\ndone(void *req, int8_t ret) \"\"\n\
        failed(void *req) \"\"\nalone(int disk, void *req) \"\"\nover(void *req, uint64_t bytes) \"\"\n\
        run(int cpu) \"\"\nstop(int cpu) \"\"\n";
    let texts = [
        "pair plain\n  begin alone req\n  end over req\n",
        "pair tracked\n  begin alone req\n  end over req\n  track disk\n",
        "pair mixed\n  begin read req\n  begin write req\n  begin named req\n  end done req\n  end failed req\n",
        "pair mixed\n  begin read req\n  begin write req\n  end done req\n  end failed req\n  track disk\n\
         pair process\n  begin run pid\n  end stop pid\n",
    ];
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let records: Vec<_> = (0..30_000)
        .map(|number| {
            let (id, req, disk) = (random(9), encode::Value::Integer(random(60)), random(3));
            let disk = encode::Value::Integer(disk);
            let other = encode::Value::Integer(random(300));
            let values = match id {
                0 | 5 => vec![disk, req],
                1 => vec![disk, req, other],
                2 => vec![encode::Value::Str(b"why"), req, disk],
                3 | 6 => vec![req, other],
                4 => vec![req],
                _ => vec![disk],
            };
            // The times of a hundred records decrease.
            let time_ns =
                1_000_000 + 100 * number - if number / 100 % 7 == 3 { 150 * (number % 100) } else { 0 };
            (id, time_ns, 1 + random(4) as u32, values)
        })
        .collect();
    let selections = [
        FilterOptions::default(),
        FilterOptions { pids: vec![2, 3], ..FilterOptions::default() },
        FilterOptions { since_ns: Some(1_500_000), until_ns: Some(3_500_000), ..FilterOptions::default() },
        FilterOptions { exclude: vec!["write".to_owned()], ..FilterOptions::default() },
    ];
    for (text, filter) in texts.iter().flat_map(|text| selections.iter().map(move |filter| (text, filter))) {
        let description = parse(&SourceFile::new("pairs", *text)).0;
        let traces =
            || Traces::new(vec![made_of(declarations, records.iter().cloned())], Needs::default()).unwrap();
        let expected = expected(traces(), &description, filter.clone());
        for (tables, batch_rows) in
            [(Tables::ALL, 1 << 16), (Tables { spans: true, ..Tables::default() }, 1000)]
        {
            let request = Request { tables, filter: filter.clone(), batch_rows, ..Request::default() };
            let found = found(traces(), &description, request);
            for (table, rows) in expected.iter().filter(|(table, _)| table.starts_with("spans")) {
                assert!(rows.len() > 300, "{table}: {}", rows.len());
                assert_same_rows(&found[table], rows, table);
            }
            assert!(expected.keys().any(|table| table.starts_with("spans")));
        }
        // A full table and values that are not kept do not change the counts either.
        for (max_open, keep) in [(40, false), (1 << 20, true)] {
            let tracker = || SpanTracker::with_max_open(description.clone(), max_open).keep_begins(keep);
            let counts = |tracker: &SpanTracker| {
                let pairs = tracker.pairs().iter();
                let counts =
                    pairs.map(|pair| (pair.statistics().clone(), pair.open_count(), pair.ends_alone()));
                let open = tracker.open().map(|(span, begin)| (span, begin.number, begin.payload.to_vec()));
                format!("{:?} {:?}", counts.collect::<Vec<_>>(), open.collect::<Vec<_>>())
            };
            let (mut columns, mut entries) = (tracker(), tracker());
            let tables = Tables { spans: true, ..Tables::default() };
            let request = Request { tables, filter: filter.clone(), ..Request::default() };
            read(&mut traces(), &mut columns, request, |_: &mut Batch| Ok::<_, String>(())).unwrap();
            let mut others = traces();
            others.set_filter(Filter::new(filter.clone()));
            let visit = |entry: &Entry<'_>| {
                entries.of(entry).unwrap();
                Flow::Continue
            };
            others.for_each(&mut { visit }).unwrap();
            assert!(counts(&columns).len() > 100);
            assert_eq!(counts(&columns), counts(&entries));
        }
    }
}

#[test]
fn an_argument_that_is_declared_twice_has_two_columns() {
    let declarations = "opened(uint64_t x, int a, int a) \"\"\nclosed(uint64_t x) \"\"\n";
    let record = |number: u64| {
        let (id, key) = (number % 2, encode::Value::Integer(number / 2));
        let [one, other] = [number, 1000 + number].map(encode::Value::Integer);
        (id, 100 * number, 1, if id == 0 { vec![key, one, other] } else { vec![key] })
    };
    let description = parse(&SourceFile::new("pairs", "pair use\n  begin opened x\n  end closed x\n")).0;
    let reader = made_of(declarations, (0..100).map(record));
    let request = Request { tables: Tables { spans: true, ..Tables::default() }, ..Request::default() };
    let found = found(Traces::new(vec![reader], Needs::default()).unwrap(), &description, request);
    let rows = &found["spans of use"];
    assert_eq!(rows.len(), 50);
    for (row, number) in rows.iter().zip((0..).step_by(2)) {
        let expected = format!(" begin_a={number} begin_arg_a={}", 1000 + number);
        assert!(row.contains(&expected), "{row}");
    }
}

/// Makes a trace with two records, a dropped record and a pause. `host` and `trace` are in its metadata,
/// unless they are empty. Its clock was zero at `realtime_ns`.
fn of_host(name: &str, host: &str, trace: &str, realtime_ns: i128) -> Reader {
    use ringtrace_wire::ByteOrder;
    use ringtrace_wire::simpletrace::encode::{Encoder, Value};
    use ringtrace_wire::simpletrace::metadata::{Anchor, BOOT, HOST, Metadata, TRACE};
    let encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
    let mut bytes = Vec::new();
    encoder.header(0, 0, &mut bytes);
    let mut metadata = vec![
        Metadata::Version(1),
        Metadata::Anchor(Anchor { monotonic_ns: 0, realtime_ns }),
        Metadata::Other(BOOT.to_owned(), "boot".into()),
    ];
    for (key, value) in [(HOST, host), (TRACE, trace)].into_iter().filter(|(_, value)| !value.is_empty()) {
        metadata.push(Metadata::Other(key.to_owned(), value.into()));
    }
    metadata.push(Metadata::Declaration("tick(int number, int host) \"\"".to_owned()));
    metadata.extend([Metadata::Paused(30), Metadata::Resumed(40)]);
    for (number, piece) in (0..).zip(metadata) {
        piece.encode(number, ByteOrder::Little, &mut bytes);
    }
    encoder.mapping(1, b"tick", &mut bytes);
    for time_ns in [10, 20] {
        let values = [Value::Integer(time_ns), Value::Integer(5)];
        encoder.record(1 << 32 | 1, time_ns, 7, &values, &mut bytes).unwrap();
    }
    encoder.dropped(3, 50, 7, &mut bytes);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    // The reader maps the file, which therefore stays readable.
    Reader::new(name, Input::open(&path).unwrap(), &Options::default()).unwrap()
}

fn aligned(mut readers: Vec<Reader>) -> Traces {
    use ringtrace_tracefile::align::{Alignment, align};
    let aligned = align(&mut readers, Alignment::default()).unwrap();
    let mut traces = Traces::new(readers, Needs::default()).unwrap();
    traces.set_aligned(aligned);
    traces
}

/// The wall clock was changed between two traces of one boot, so each has its own anchor.
#[test]
fn merged_traces_have_the_wall_clock_times_of_their_own_anchors() {
    let readers =
        [("aa", 1_000_000), ("bb", 500_000)].map(|(trace, zero)| of_host(trace, "host", trace, zero));
    let found = found(aligned(readers.into()), &Description::default(), Request::default());
    let wall = |row: &String| {
        let cell = row.split(' ').find_map(|cell| cell.strip_prefix("wall_ns=")).unwrap();
        cell.parse::<i64>().unwrap()
    };
    let mut walls: Vec<i64> = found["event tick"].iter().map(wall).collect();
    walls.sort_unstable();
    assert_eq!(walls, [500_010, 500_020, 1_000_010, 1_000_020]);
}

/// The processes and threads of both machines have the same ids. The third trace contains nothing about
/// its origin.
#[test]
fn rows_have_the_trace_and_the_host() {
    let readers = || {
        vec![
            of_host("first", "one", "aa", 1000),
            of_host("second", "two", "bb", 1001),
            of_host("third", "", "", 1002),
        ]
    };
    let description = parse(&SourceFile::new("pairs", "pair tick\n  begin tick number\n  end tick number\n"));
    let origins = |row: &String| {
        let cells = row.split(' ').filter(|cell| cell.starts_with("trace=") || cell.starts_with("host="));
        cells.collect::<Vec<_>>().join(" ")
    };
    let [one, two, third] = ["trace=\"aa\" host=\"one\"", "trace=\"bb\" host=\"two\"", "trace=\"third\""];
    for batch_rows in [1, 2, 100] {
        let traces = aligned(readers());
        let origins_of = Some(Arc::clone(&traces.aligned().origins));
        let request = Request { tables: Tables::ALL, origins: origins_of, batch_rows, ..Request::default() };
        let found = found(traces, &description.0, request);
        for table in ["event tick", "events"] {
            let rows: Vec<String> = found[table].iter().map(origins).collect();
            assert_eq!(rows, [one, two, third, one, two, third], "{table}");
        }
        for table in ["dropped", "pauses"] {
            let rows: Vec<String> = found[table].iter().map(origins).collect();
            assert_eq!(rows, [one, two, third], "{table}");
        }
        let mut spans: Vec<String> = found["spans of tick"].iter().map(origins).collect();
        spans.dedup();
        assert_eq!(spans, [one, two, third, one, two, third]);
        // An argument never has the name of a common column.
        assert!(found["event tick"].iter().all(|row| row.contains(" arg_host=5")), "{found:?}");
    }
    // Without the request, tables are as before.
    let found = found(aligned(readers()), &Description::default(), Request::default());
    assert!(found["event tick"].iter().all(|row| origins(row).is_empty()));
    // A single trace has an origin, too.
    let traces = aligned(vec![of_host("first", "one", "aa", 1000)]);
    let request = Request { origins: Some(Arc::clone(&traces.aligned().origins)), ..Request::default() };
    let known = request.event_table(traces.readers()[0].schemas().get(0), 0, Version::V4);
    assert_eq!(known.fields[3].name, "trace");
}
