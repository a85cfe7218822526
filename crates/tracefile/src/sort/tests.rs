//! Compares the sorter with a sort in memory.

use std::io::Write;

use proptest::prelude::*;
use ringtrace_events::SourceFile as Declarations;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

use super::*;
use crate::input::Input;
use crate::read::options::Options;
use crate::traces::{Needs, Traces};

const DECLARATIONS: &str = "alpha(uint64_t x)\nbeta(const char *s)\ngamma(void)\n";

#[derive(Debug, Clone)]
enum Made {
    Record {
        id: u64,
        time_ns: u64,
        text: Vec<u8>,
    },
    Dropped {
        time_ns: u64,
    },
    /// From here on, records with `id` belong to `event`.
    Map {
        id: u64,
        event: usize,
    },
}

/// Creates a v4 file from `steps`. Payloads match the event that their id has at that point.
fn trace(steps: &[Made], order: ByteOrder) -> Vec<u8> {
    let encoder = Encoder { version: Version::V4, order };
    let mut out = Vec::new();
    encoder.header(0, 0, &mut out);
    let mut meanings = [0, 1, 2];
    for (id, event) in (0..).zip(meanings) {
        encoder.mapping(id, NAMES[event].as_bytes(), &mut out);
    }
    for step in steps {
        match step {
            Made::Record { id, time_ns, text } => {
                let values = match meanings[*id as usize] {
                    0 => vec![Value::Integer(*time_ns)],
                    1 => vec![Value::Str(text)],
                    _ => vec![],
                };
                encoder.record(*id, *time_ns, 7, &values, &mut out).unwrap();
            }
            Made::Dropped { time_ns } => encoder.dropped(5, *time_ns, 7, &mut out),
            Made::Map { id, event } => {
                meanings[*id as usize] = *event;
                encoder.mapping(*id, NAMES[*event].as_bytes(), &mut out);
            }
        }
    }
    out
}

const NAMES: [&str; 3] = ["alpha", "beta", "gamma"];

fn options() -> Options {
    Options { sources: vec![Declarations::new("declarations", DECLARATIONS)], ..Options::default() }
}

fn mapped(bytes: &[u8]) -> Reader {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    Reader::new("trace", Input::from_file(file).unwrap(), &options()).unwrap()
}

/// All properties of an entry that sorting must preserve.
type Seen = (u64, u64, u64, String, Vec<String>);

fn seen(entry: &Entry<'_>) -> Seen {
    let values = entry.values().map(|value| format!("{value:?}")).collect();
    (entry.number, entry.offset, entry.timestamp_ns, entry.schema.name.to_string(), values)
}

fn in_file_order(mut reader: Reader) -> (Vec<Seen>, Option<Error>) {
    let mut all = Vec::new();
    let ended = reader.for_each(|entry: &Entry<'_>| {
        all.push(seen(entry));
        Flow::Continue
    });
    (all, ended.err())
}

/// Sorts as documented: by time, with dropped records without a time placed after the entry that
/// precedes them.
fn naive(mut all: Vec<Seen>) -> Vec<Seen> {
    let mut last_ns = 0;
    let mut keys = std::collections::HashMap::new();
    for entry in &all {
        if entry.2 != 0 || entry.3 != "Dropped_Event" {
            last_ns = entry.2;
        }
        keys.insert(entry.0, last_ns);
    }
    all.sort_by_key(|entry| keys[&entry.0]);
    all
}

fn sorted(reader: &Reader, limits: Limits) -> (Vec<Seen>, Option<Error>) {
    let survey = Survey::new(reader, &limits).unwrap();
    let mut source = Sorted::new(survey, limits).unwrap();
    let mut all = Vec::new();
    loop {
        match source.peek_ns() {
            Ok(Some(_)) => all.push(seen(&source.entry().unwrap())),
            Ok(None) => return (all, None),
            Err(error) => return (all, Some(error)),
        }
        source.advance();
    }
}

fn limits() -> impl Strategy<Value = Limits> {
    (1..9_u32, 2..40_usize, 1..50_usize, 1..5_usize, 2..4_usize, 0..20_usize).prop_map(
        |(block_records, blocks, entries, read_entries, joined_runs, epochs)| Limits {
            block_records,
            blocks,
            entries,
            read_entries,
            joined_runs,
            epochs,
        },
    )
}

fn record(times: std::ops::Range<u64>) -> impl Strategy<Value = Made> {
    (0..3_u64, times, proptest::collection::vec(any::<u8>(), 0..20))
        .prop_map(|(id, time_ns, text)| Made::Record { id, time_ns, text })
}

fn step() -> impl Strategy<Value = Made> {
    prop_oneof![
        20 => record(0..1000),
        // Many equal times.
        10 => record(500..503),
        1 => (0..2_u64).prop_map(|time_ns| Made::Dropped { time_ns }),
        1 => (0..3_u64, 0..3_usize).prop_map(|(id, event)| Made::Map { id, event }),
    ]
}

/// Interleaved sorted runs, as written by a program with several writers.
fn saw() -> impl Strategy<Value = Vec<Made>> {
    (1..40_u64, 1..400_u64).prop_map(|(teeth, records)| {
        let time = |at: u64| at * teeth % records.max(1);
        (0..records).map(|at| Made::Record { id: at % 3, time_ns: time(at), text: vec![b'x'] }).collect()
    })
}

fn steps() -> impl Strategy<Value = Vec<Made>> {
    prop_oneof![
        proptest::collection::vec(step(), 0..300),
        saw(),
        // Descending times.
        (0..300_u64).prop_map(|count| {
            (0..count).rev().map(|time_ns| Made::Record { id: 0, time_ns, text: Vec::new() }).collect()
        }),
    ]
}

proptest! {
    #[test]
    fn equals_a_sort_in_memory(steps in steps(), limits in limits(), cut in 0..60_usize, big: bool) {
        let order = if big { ByteOrder::Big } else { ByteOrder::Little };
        let mut bytes = trace(&steps, order);
        // Sometimes truncate the end.
        if cut < 40 && bytes.len() > 120 {
            bytes.truncate(bytes.len() - cut);
        }
        let (all, failed) = in_file_order(mapped(&bytes));
        let (got, got_failed) = sorted(&mapped(&bytes), limits);
        prop_assert_eq!(got, naive(all));
        prop_assert_eq!(got_failed, failed);
    }

    #[test]
    fn anomalies_equal_those_of_file_order(steps in steps(), limits in limits(), cut in 1..30_usize) {
        let mut bytes = trace(&steps, ByteOrder::Little);
        bytes.truncate(bytes.len().saturating_sub(cut).max(120));
        let mut plain = mapped(&bytes);
        let _ = plain.for_each(|_: &Entry<'_>| Flow::Continue);
        let survey = Survey::new(&mapped(&bytes), &limits).unwrap();
        let reported = |reader: &Reader| format!("{:?}", reader.anomalies());
        prop_assert_eq!(reported(survey.reader()), reported(&plain));
    }
}

fn v0_with_timeless_drops() -> Vec<u8> {
    let encoder = Encoder { version: Version::V0, order: ByteOrder::Little };
    let mut out = Vec::new();
    encoder.header(0, 0, &mut out);
    for time_ns in [50, 20, 0, 70, 0, 10] {
        match time_ns {
            0 => encoder.dropped(3, 0, 0, &mut out),
            _ => encoder.record(0, time_ns, 0, &[Value::Integer(1)], &mut out).unwrap(),
        }
    }
    out
}

#[test]
fn a_dropped_record_without_a_time_stays_after_the_one_before_it() {
    let (got, _) = sorted(&mapped(&v0_with_timeless_drops()), Limits::of_one_in(1));
    let numbers: Vec<(u64, u64)> = got.iter().map(|entry| (entry.0, entry.2)).collect();
    assert_eq!(numbers, [(6, 10), (2, 20), (3, 0), (1, 50), (4, 70), (5, 0)]);
}

#[test]
fn many_overlapping_blocks_go_to_a_temporary_file() {
    // Every block covers the whole time range.
    let steps: Vec<Made> = (0..20_000_u64)
        .map(|at| Made::Record { id: 0, time_ns: at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40, text: vec![] })
        .collect();
    let reader = mapped(&trace(&steps, ByteOrder::Little));
    let limits =
        Limits { entries: 500, read_entries: 8, joined_runs: 3, block_records: 50, ..Limits::of_one_in(1) };
    let survey = Survey::new(&reader, &limits).unwrap();
    let mut source = Sorted::new(survey, limits).unwrap();
    let (mut count, mut last_ns, mut most) = (0, 0, 0);
    while let Some(time_ns) = source.peek_ns().unwrap() {
        assert!(time_ns >= last_ns);
        most = most.max(source.lanes.in_memory());
        (count, last_ns) = (count + 1, time_ns);
        source.advance();
    }
    assert_eq!(count, 20_000);
    assert!(most <= 500, "{most} entries in memory");
}

#[test]
fn ids_may_change_often() {
    let steps: Vec<Made> = (0..1000)
        .flat_map(|at| {
            let time_ns = (at as u64 * 7919) % 1000;
            [Made::Map { id: 0, event: at % 2 * 2 }, Made::Record { id: 0, time_ns, text: Vec::new() }]
        })
        .collect();
    let bytes = trace(&steps, ByteOrder::Little);
    let limits = Limits { block_records: 1, entries: 40, epochs: 10, ..Limits::of_one_in(1) };
    assert_eq!(sorted(&mapped(&bytes), limits).0, naive(in_file_order(mapped(&bytes)).0));
}

#[test]
fn skipped_damage_equals_that_of_file_order() {
    let steps: Vec<Made> = (0..500)
        .map(|at| Made::Record { id: u64::from(at % 40 != 0), time_ns: at * 7919 % 500, text: vec![b'z'; 9] })
        .collect();
    let mut bytes = trace(&steps, ByteOrder::Little);
    for at in (3000..bytes.len()).step_by(2500) {
        bytes[at..at + 60].fill(0xee);
    }
    // The id is used long before it is mapped.
    let late = bytes.iter().position(|&byte| byte == b'a').unwrap() - 20;
    let mapping: Vec<u8> = bytes.splice(late..late + 25, []).collect();
    bytes.extend(mapping);
    let reader = || {
        let options = Options { keep_going: true, ..options() };
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        Reader::new("trace", Input::from_file(file).unwrap(), &options).unwrap()
    };
    let (all, failed) = in_file_order(reader());
    let limits = Limits { block_records: 10, entries: 100, ..Limits::of_one_in(1) };
    assert!(all.len() > 100 && failed.is_none(), "{} entries, {failed:?}", all.len());
    assert_eq!(sorted(&reader(), limits).0, naive(all));
}

/// Returns time, name and schema index of each entry of `traces`.
fn merged(mut traces: Traces) -> (Vec<(u64, String, u32)>, Vec<Error>) {
    let mut all = Vec::new();
    let failed = traces.for_each(&mut |entry: &Entry<'_>| {
        all.push((entry.timestamp_ns, entry.schema.name.to_string(), entry.schema_index));
        Flow::Continue
    });
    (all, failed.err().unwrap_or_default())
}

fn times_of(times: &[u64], id: u64) -> Vec<u8> {
    let steps: Vec<Made> =
        times.iter().map(|&time_ns| Made::Record { id, time_ns, text: b"t".to_vec() }).collect();
    trace(&steps, ByteOrder::Little)
}

#[test]
fn several_traces_are_sorted_and_merged() {
    let readers = vec![
        mapped(&times_of(&[30, 10, 20, 20], 0)),
        mapped(&times_of(&[5, 20, 40], 1)),
        mapped(&times_of(&[60, 20, 1], 2)),
    ];
    let traces = Traces::sorted(readers, Needs { origin: true, anchor: true }).unwrap();
    assert_eq!(traces.times().origin_ns, Some(1));
    let (all, failed) = merged(traces);
    let expected = [(1, 2), (5, 1), (10, 0), (20, 0), (20, 0), (20, 1), (20, 2), (30, 0), (40, 1), (60, 2)];
    let names: Vec<(u64, &str)> = all.iter().map(|(time_ns, name, _)| (*time_ns, name.as_str())).collect();
    assert_eq!(names, expected.map(|(time_ns, event)| (time_ns, NAMES[event])));
    assert!(failed.is_empty());
}

#[test]
fn a_sorted_trace_is_not_sorted_again() {
    let mut traces = Traces::sorted(vec![mapped(&times_of(&[1, 2, 2, 3], 0))], Needs::default()).unwrap();
    assert!(traces.single().is_some());
    let mut traces = Traces::sorted(vec![mapped(&times_of(&[1, 3, 2], 0))], Needs::default()).unwrap();
    assert!(traces.single().is_none());
}

#[test]
fn a_stream_is_spooled_on_request_and_otherwise_refused() {
    let bytes = times_of(&[3, 1, 2], 0);
    let stream = || Input::from_reader(Box::new(std::io::Cursor::new(times_of(&[3, 1, 2], 0))));
    let spooled = Reader::new("pipe", stream(), &Options { spool: true, ..options() }).unwrap();
    let (got, _) = sorted(&spooled, Limits::of_one_in(1));
    assert_eq!(got, sorted(&mapped(&bytes), Limits::of_one_in(1)).0);

    let unspooled = Reader::new("pipe", stream(), &options()).unwrap();
    let error = Traces::sorted(vec![unspooled], Needs::default()).unwrap_err();
    assert_eq!(error.to_string(), "pipe: a stream can be read only once and cannot be sorted");
}
