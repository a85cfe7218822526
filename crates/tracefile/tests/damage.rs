//! Reads damaged files with `keep_going`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

use std::io::{Cursor, Read};

use proptest::prelude::*;
use ringtrace_events::SourceFile;
use ringtrace_tracefile::{Anomaly, Entry, Flow, Input, Options, Reader};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

const RECORDS: u64 = 200;
const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

/// Returns a trace in which the first argument of a record is its number, and the offset of each
/// record.
fn trace() -> (Vec<u8>, Vec<usize>) {
    let mut bytes = Vec::new();
    ENCODER.header(0, 0, &mut bytes);
    ENCODER.mapping(0, b"ints", &mut bytes);
    ENCODER.mapping(1, b"text", &mut bytes);
    let mut begins = Vec::new();
    for n in 0..RECORDS {
        begins.push(bytes.len());
        let text = vec![b'a' + (n % 26) as u8; (n % 40) as usize];
        let values = [Value::Integer(n), if n % 3 == 0 { Value::Str(&text) } else { Value::Integer(n * n) }];
        ENCODER.record(u64::from(n % 3 == 0), 1000 + n, 42, &values, &mut bytes).unwrap();
    }
    (bytes, begins)
}

fn read(bytes: Vec<u8>) -> (Vec<u64>, u64) {
    read_from(Box::new(Cursor::new(bytes)))
}

/// Returns the numbers of the records that are read, and how often damage was skipped.
fn read_from(bytes: Box<dyn Read + Send>) -> (Vec<u64>, u64) {
    let options = Options {
        sources: vec![SourceFile::new(
            "events",
            "ints(int n, int m) \"\"\ntext(int n, const char *s) \"\"\n",
        )],
        keep_going: true,
        ..Options::default()
    };
    let input = Input::from_reader(bytes);
    let mut reader = Reader::new("trace", input, &options).unwrap();
    let mut numbers = Vec::new();
    let visit = |entry: &Entry<'_>| {
        if let Some(ringtrace_tracefile::Value::Integer(n)) = entry.value(0) {
            numbers.push(n);
        }
        Flow::Continue
    };
    reader.for_each(visit).unwrap();
    let damage = reader.anomalies().iter().find(|(anomaly, ..)| *anomaly == Anomaly::Damage);
    (numbers, damage.map_or(0, |(_, count, _)| count))
}

proptest! {
    #[test]
    fn all_but_the_damaged_records_are_read(
        at in 0.05..0.9_f64,
        junk in proptest::collection::vec(any::<u8>(), 1..200),
    ) {
        let (mut bytes, begins) = trace();
        let from = begins[0] + (at * (bytes.len() - begins[0]) as f64) as usize;
        let to = (from + junk.len()).min(bytes.len());
        bytes[from..to].copy_from_slice(&junk[..to - from]);
        let hit = |n: u64| {
            let begin = begins[n as usize];
            let end = begins.get(n as usize + 1).copied().unwrap_or(bytes.len());
            begin < to && from < end
        };
        let (numbers, _) = read(bytes.clone());
        for n in (0..RECORDS).filter(|&n| !hit(n)) {
            prop_assert!(numbers.contains(&n), "record {} is missing; damage at {}..{}", n, from, to);
        }
    }
}

#[test]
fn damage_is_reported() {
    let (mut bytes, begins) = trace();
    bytes[begins[50] + 8..begins[50] + 16].fill(0xee);
    let (numbers, damage) = read(bytes);
    assert_eq!(damage, 1);
    let expected: Vec<u64> = (0..RECORDS).filter(|&n| n != 50).collect();
    assert_eq!(numbers, expected);
}

#[test]
fn an_intact_file_has_no_anomalies() {
    let (numbers, damage) = read(trace().0);
    assert_eq!((numbers.len() as u64, damage), (RECORDS, 0));
}

/// A reader that returns one byte per read, so that the smallest possible part of the stream is
/// examined.
struct Bytewise(Cursor<Vec<u8>>);

impl Read for Bytewise {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let one = buffer.len().min(1);
        self.0.read(&mut buffer[..one])
    }
}

/// Damage longer than the examined window can end at the start of the next window.
#[test]
fn damage_of_any_length_ends_with_the_next_record() {
    let (bytes, begins) = trace();
    for length in (1..=4).flat_map(|step| [step * 65536 - 1, step * 65536, step * 65536 + 1]) {
        let (before, after) = bytes.split_at(begins[7]);
        // The rest of the stream must be at least as long as the examined window.
        let damaged = [before, &vec![0xff; length], after, &vec![0xff; 1 << 18]].concat();
        let (numbers, damage) = read_from(Box::new(Bytewise(Cursor::new(damaged))));
        assert_eq!((numbers.len() as u64, damage), (RECORDS, 2), "{length} bytes of damage");
    }
}
