//! The rows must depend neither on the number of threads nor on whether records are taken while blocks are
//! decoded.

use std::collections::BTreeMap;

use proptest::prelude::*;
use ringtrace_wire::simpletrace::encode::Value;

use super::*;
use crate::columns::{Batch, TableKind, Tables};
use crate::metadata::Metadata;
use crate::pieces::samples::{
    ENCODER, Part, compact, damage, encode, open, open_stream, open_with, part, recording, recordings,
    replace,
};
use crate::query::FilterOptions;
use crate::traces::Needs;

/// The result of reading a trace: the rows of each table, and everything that is reported.
#[derive(Debug, PartialEq)]
struct Outcome {
    rows: BTreeMap<TableKind, Vec<String>>,
    read_errors: Vec<Error>,
    dropped: Dropped,
    records: u64,
    anomalies: Vec<(u64, Vec<Error>)>,
    metadata: Vec<Metadata>,
}

fn outcome(reader: Reader, request: &Request, threads: usize, piece_bytes: usize) -> Outcome {
    let mut traces = Traces::new(vec![reader], Needs::default()).unwrap();
    let request = Request { threads, ..request.clone() };
    let most = request.batch_rows;
    let mut rows = BTreeMap::<TableKind, Vec<String>>::new();
    let mut sink = |batch: &mut Batch| -> Result<(), String> {
        assert!(batch.rows > 0 && batch.rows <= most);
        let lines = rows.entry(batch.table.kind).or_default();
        for row in 0..batch.rows {
            let cells: Vec<String> = batch.columns.iter().map(|column| column.cell(row)).collect();
            lines.push(format!("{} {}", batch.table.name, cells.join(" ")));
        }
        for (column, field) in batch.columns.iter().zip(&batch.table.fields) {
            assert_eq!(column.len(), batch.rows, "{}", field.name);
            assert!(field.nullable || column.null_count() == 0, "{}", field.name);
        }
        // Sometimes, keep the memory of the batch.
        if lines.len().is_multiple_of(3) {
            drop(std::mem::take(&mut batch.columns));
        }
        Ok(())
    };
    let mut tracker = SpanTracker::default();
    let read =
        read_with(&mut traces, &mut tracker, request, &mut sink, piece_bytes, pieces::is_supported).unwrap();
    let reader = traces.single().unwrap();
    Outcome {
        rows,
        read_errors: read.read_errors,
        dropped: read.dropped,
        records: reader.records(),
        anomalies: reader.anomalies().iter().map(|(_, count, kept)| (count, kept.to_vec())).collect(),
        metadata: reader.metadata().to_vec(),
    }
}

/// Checks that one thread and several read the same as one that takes no records while blocks are decoded.
fn check(open: impl Fn() -> Reader, request: &Request, threads: usize, piece_bytes: usize) {
    // No records are taken if another thread decodes blocks.
    let mut reader = open();
    reader.decode_ahead(true);
    let expected = outcome(reader, request, 1, piece_bytes);
    for threads in [1, threads] {
        let found = outcome(open(), request, threads, piece_bytes);
        for (table, rows) in &expected.rows {
            let others = found.rows.get(table).map_or(&[][..], Vec::as_slice);
            for (number, (row, other)) in rows.iter().zip(others).enumerate() {
                assert_eq!(row, other, "row {number} of {table:?}, {threads} threads");
            }
        }
        assert_eq!(expected, found, "{threads} threads");
    }
}

/// Returns requests of all rows, of a few columns, and with several filters.
fn requests(batch_rows: usize) -> Vec<Request> {
    let tables = Tables { each_event: true, events: true, dropped: true, pauses: true, ..Tables::default() };
    let all = Request { tables, batch_rows, ..Request::default() };
    let filtered = |filter| Request { filter, ..all.clone() };
    let narrow = Tables { events: true, ..Tables::default() };
    // Records are taken while blocks are decoded only without the table of all events.
    let each = Request { tables: Tables { events: false, ..tables }, ..all.clone() };
    vec![
        Request { memory_bytes: 1000, ..each.clone() },
        Request {
            filter: FilterOptions { since_ns: Some(500), until_ns: Some(1500), ..Default::default() },
            without: vec!["record".to_owned()],
            ..each.clone()
        },
        Request { filter: FilterOptions { tids: vec![101], ..Default::default() }, ..each.clone() },
        each,
        Request { memory_bytes: 1000, ..all.clone() },
        Request { batch_text_bytes: 50, ..all.clone() },
        Request { tables: narrow, columns: Some(vec!["time_ns".to_owned()]), ..all.clone() },
        filtered(FilterOptions { include: vec!["one".into()], since_ns: Some(500), ..Default::default() }),
        filtered(FilterOptions { thread_names: vec!["*1".into()], ..Default::default() }),
        all,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn threads_do_not_change_the_rows(
        parts in prop_oneof![proptest::collection::vec(part(false), 0..200), proptest::collection::vec(part(true), 0..100)],
        times in proptest::collection::vec(prop_oneof![4 => 0..2_000_u64, 1 => any::<u64>()], 200),
        threads_first: bool,
        cut in 0..60_usize,
        threads in 2..4_usize,
        piece_bytes in 1..600_usize,
        batch_rows in 1..40_usize,
    ) {
        let mut bytes = encode(&parts, &times, threads_first);
        bytes.truncate(bytes.len() - cut.min(bytes.len() / 2));
        let most = if piece_bytes.is_multiple_of(2) { piece_bytes } else { 30 * piece_bytes };
        let (_, blocks) = compact(&bytes, most);
        for request in requests(batch_rows) {
            check(|| open(&bytes), &request, threads, piece_bytes);
            check(|| open(&blocks), &request, threads, piece_bytes);
        }
    }

    #[test]
    fn threads_do_not_change_the_rows_of_invalid_blocks(
        parts in proptest::collection::vec(part(false), 50..200),
        times in proptest::collection::vec(0..2_000_u64, 200),
        threads in 2..4_usize,
        most in 100..6000_usize,
        at: prop::sample::Index,
        byte: u8,
        has_right_checksums: bool,
    ) {
        let (_, mut file) = compact(&encode(&parts, &times, true), most);
        damage(&mut file, at, byte, has_right_checksums);
        for request in requests(20) {
            check(|| open(&file), &request, threads, 1);
        }
        // Whether a record that is not selected is checked depends on the thread and the block.
        check(|| open_with(&file, true), &Request::default(), threads, 1);
    }
}

/// Returns records of integers, of several threads.
fn integers(count: usize) -> (Vec<Part>, Vec<u64>) {
    let parts =
        (0..count).map(|n| if n % 3 == 0 { Part::Worker(n as u64 % 2, 1) } else { Part::One(n as u64) });
    (parts.collect(), (0..count as u64).map(|n| 20 * n).collect())
}

#[test]
fn an_invalid_block_has_no_rows() {
    let (parts, times) = integers(400);
    let (_, file) = compact(&encode(&parts, &times, true), 4000);
    let mut found = 0;
    for at in (file.len() / 2..file.len()).step_by(7) {
        let mut file = file.clone();
        replace(&mut file, at, 0xff, true);
        check(|| open(&file), &Request::default(), 2, 1);
        found += usize::from(!outcome(open(&file), &Request::default(), 1, 1).read_errors.is_empty());
    }
    assert!(found > 10, "{found} files have an invalid block");
}

#[test]
fn a_stream_has_the_rows_of_a_file() {
    let (parts, times) = integers(400);
    let (_, file) = compact(&encode(&parts, &times, true), 4000);
    for request in requests(50) {
        check(|| open(&file), &request, 2, 1);
        assert_eq!(outcome(open_stream(&file), &request, 1, 1), outcome(open(&file), &request, 1, 1));
    }
}

#[test]
fn threads_can_be_renamed_between_blocks() {
    let (mut parts, mut times) = integers(400);
    for n in 1..40 {
        parts.insert(10 * n, Part::Rename(n as u64 % 2));
        times.insert(10 * n, 7 * n as u64);
    }
    // Some of these blocks end with a name.
    for most in (3000..4000).step_by(20) {
        let (_, file) = compact(&encode(&parts, &times, true), most);
        check(|| open(&file), &Request::default(), 2, 1);
    }
}

#[test]
fn records_can_have_more_integers_than_are_declared() {
    let mut bytes = Vec::new();
    ENCODER.header(0, 0, &mut bytes);
    ENCODER.mapping(1, b"one", &mut bytes);
    // Records with this id are encoded with two integers.
    ENCODER.mapping(22, b"one", &mut bytes);
    for n in 0..400 {
        let values = [Value::Integer(n), Value::Integer(2 * n)];
        let (id, count) = if n % 3 == 0 { (22, 2) } else { (1, 1) };
        ENCODER.record(id, 20 * n, 1, &values[..count], &mut bytes).unwrap();
    }
    let (_, file) = compact(&bytes, 4000);
    check(|| open(&file), &Request::default(), 2, 1);
}

/// Each recording is read with each request, and each request with each kind of damage, but not all
/// three of them together, which would take long.
#[test]
fn threads_do_not_change_the_rows_of_recordings() {
    let mut compared = 0;
    for (path, bytes) in recordings() {
        let (_, blocks) = compact(&bytes, bytes.len() / 20 + 1);
        for whole in [bytes, blocks] {
            let truncated = whole[..whole.len() - whole.len() / 7].to_vec();
            let mut damaged = whole.clone();
            damaged[whole.len() / 2] ^= 0x55;
            let forms = [&whole, &truncated, &damaged];
            for (number, request) in requests(1000).into_iter().enumerate() {
                let bytes = forms[(number + compared) % forms.len()];
                if recording(&path, bytes).is_some() {
                    let open = || recording(&path, bytes).unwrap();
                    check(open, &request, 2 + number % 2, whole.len() / 20 + 1);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Encodes a trace with many records of one event.
fn many() -> Vec<u8> {
    let parts: Vec<Part> = (0..5000).map(Part::One).collect();
    let times: Vec<u64> = (0..5000).collect();
    encode(&parts, &times, false)
}

#[test]
fn the_sink_or_another_thread_can_stop_several_threads() {
    let bytes = many();
    let (_, blocks) = compact(&bytes, 2000);
    for file in [bytes, blocks] {
        let read = |request: Request, sink: &mut (dyn FnMut(&mut Batch) -> Result<(), String> + Send)| {
            let mut traces = Traces::new(vec![open(&file)], Needs::default()).unwrap();
            let mut tracker = SpanTracker::default();
            read_with(&mut traces, &mut tracker, request, sink, 1000, pieces::is_supported)
        };
        let request = Request { threads: 2, batch_rows: 100, ..Request::default() };
        let mut batches = 0;
        let result = read(request.clone(), &mut |_| {
            batches += 1;
            if batches < 3 { Ok(()) } else { Err("enough".to_owned()) }
        });
        assert_eq!((result.unwrap_err().to_string(), batches), ("enough".to_owned(), 3));
        let stop = Arc::new(AtomicBool::new(false));
        let mut rows = 0;
        let result = read(Request { stop: Some(Arc::clone(&stop)), ..request }, &mut |batch| {
            rows += batch.rows;
            stop.store(true, Ordering::Relaxed);
            Ok(())
        });
        assert!(result.unwrap().read_errors.is_empty());
        assert!(rows < 1000, "{rows}");
    }
}

/// Small parts of batches are joined, so that a batch is not as small as a piece.
#[test]
fn batches_are_large() {
    let bytes = many();
    let request = Request { threads: 3, batch_rows: 1000, ..Request::default() };
    let mut sizes = Vec::new();
    let mut traces = Traces::new(vec![open(&bytes)], Needs::default()).unwrap();
    let sink = |batch: &mut Batch| -> Result<(), String> {
        sizes.push(batch.rows);
        Ok(())
    };
    let mut tracker = SpanTracker::default();
    read_with(&mut traces, &mut tracker, request, sink, 500, pieces::is_supported).unwrap();
    assert_eq!(sizes.iter().sum::<usize>(), 5000);
    assert!(sizes.len() <= 7, "{sizes:?}");
}
