//! Generates traces, which are the same in every run.

mod threads;

use std::io::{self, Write};

use ringtrace_events::SourceFile;
use ringtrace_events::parse::{Dialect, parse};
use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;
use ringtrace_wire::simpletrace::encode::{Encoder, Value};

use threads::Threads;

/// The kind of records in a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Each record has two u64.
    Two,
    /// One record in five, at random, has a string of 32 bytes and a u64.
    Mixed,
    /// Begin and end events with a key. Other records may come between a begin event and its end
    /// event.
    Pairs,
    /// Each record has two u64. Four threads write in batches of 1024 records, so time goes
    /// backwards at the start of every batch.
    Late,
    /// Like [`Shape::Mixed`], in a self-describing trace of forty threads that start and exit.
    /// Consecutive records are mostly from different threads.
    Many,
    /// Like [`Shape::Many`], but from one thread.
    Alone,
}

/// The declarations of all generated events, in the order of their ids.
pub const DECLARATIONS: &str = "\
perf_two(uint64_t a, uint64_t b) \"a 0x%\" PRIx64 \" b 0x%\" PRIx64
perf_str(const char *s, uint64_t a) \"s %s a 0x%\" PRIx64
perf_begin(uint64_t key, uint64_t size) \"key 0x%\" PRIx64 \" size %\" PRIu64
perf_end(uint64_t key, uint64_t result) \"key 0x%\" PRIx64 \" result %\" PRIu64
";

const NAMES: [&str; 4] = ["perf_two", "perf_str", "perf_begin", "perf_end"];
const TWO: u64 = 0;
const STR: u64 = 1;
const BEGIN: u64 = 2;
const END: u64 = 3;

const STRING: &[u8] = b"0123456789abcdef0123456789abcdef";
const FIRST_NS: u64 = 1_234_567_890_123;
const PID: u32 = 4242;

const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };

/// Buffer size for writing.
const WRITE_BYTES: usize = 1 << 16;

/// Writes a trace of `records` records of `shape`.
///
/// # Errors
/// Fails if `out` cannot be written.
pub fn trace(shape: Shape, records: u64, out: &mut impl Write) -> io::Result<()> {
    let is_own = matches!(shape, Shape::Many | Shape::Alone);
    let mut bytes = head(if is_own { &[] } else { &NAMES });
    let mut threads = is_own.then(|| Threads::new(shape == Shape::Alone, records, ENCODER, &mut bytes));
    let mut random = Random::default();
    let mut open = Open::default();
    let mut timestamp_ns = FIRST_NS;
    for number in 0..records {
        let word = random.next();
        timestamp_ns += 100 + word % 4000;
        let (id, values) = match shape {
            Shape::Two | Shape::Late => (TWO, [Value::Integer(word), Value::Integer(number & 0xffff)]),
            Shape::Mixed | Shape::Many | Shape::Alone if (word >> 32).is_multiple_of(5) => {
                (STR, [Value::Str(STRING), Value::Integer(word)])
            }
            Shape::Mixed | Shape::Many | Shape::Alone => {
                (TWO, [Value::Integer(word), Value::Integer(number & 0xffff)])
            }
            Shape::Pairs => open.next(word),
        };
        let timestamp_ns = if shape == Shape::Late { late_ns(number) } else { timestamp_ns };
        let id = match &mut threads {
            Some(threads) => threads.id(id, NAMES[id as usize], number, word, &mut bytes),
            None => id,
        };
        // Encoding does not fail, because v4 supports every value.
        let _ = ENCODER.record(id, timestamp_ns, PID, &values, &mut bytes);
        if bytes.len() >= WRITE_BYTES {
            out.write_all(&bytes)?;
            bytes.clear();
        }
    }
    out.write_all(&bytes)
}

/// Writes a trace without records, with a mapping for every declared event. QEMU writes such a
/// trace if no event is enabled.
///
/// # Errors
/// Fails if `out` cannot be written.
pub fn empty(declarations: &[u8], out: &mut impl Write) -> io::Result<()> {
    let parsed = parse(vec![SourceFile::from_bytes("declarations", declarations)], Dialect::Read);
    let names: Vec<&str> = parsed.declarations.events.iter().map(|event| &*event.name).collect();
    out.write_all(&head(&names))
}

/// Returns a header, and a mapping for each of `names`.
fn head(names: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 * WRITE_BYTES);
    ENCODER.header(0, 0, &mut bytes);
    for (id, name) in (0..).zip(names) {
        ENCODER.mapping(id, name.as_bytes(), &mut bytes);
    }
    bytes
}

const THREADS: u64 = 4;
const BATCH: u64 = 1024;
const THREAD_STEP_NS: u64 = 8000;

/// Returns the time of record `number` if [`THREADS`] threads each record an event every
/// [`THREAD_STEP_NS`] and write batches of [`BATCH`] records.
fn late_ns(number: u64) -> u64 {
    let (batch, within) = (number / BATCH, number % BATCH);
    let (round, thread) = (batch / THREADS, batch % THREADS);
    FIRST_NS + (round * BATCH + within) * THREAD_STEP_NS + thread * (THREAD_STEP_NS / THREADS)
}

/// The begin events that have no end yet.
#[derive(Default)]
struct Open {
    keys: Vec<u64>,
    last_key: u64,
}

/// The maximum number of begin events without an end.
const MAX_OPEN: usize = 64;

impl Open {
    /// Returns the next event: a begin event or an end event.
    fn next(&mut self, word: u64) -> (u64, [Value<'static>; 2]) {
        let begin = self.keys.is_empty() || (self.keys.len() < MAX_OPEN && word & 1 == 0);
        let key = if begin {
            self.last_key += 1;
            self.keys.push(self.last_key);
            self.last_key
        } else {
            let index = (word >> 8) as usize % self.keys.len();
            self.keys.swap_remove(index)
        };
        (if begin { BEGIN } else { END }, [Value::Integer(key), Value::Integer(word >> 48)])
    }
}

/// A generator of pseudo-random numbers.
pub struct Random(u64);

impl Default for Random {
    fn default() -> Random {
        Random(0x9e37_79b9_7f4a_7c15)
    }
}

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns the next number below `bound`, which must not be zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 16) % bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringtrace_wire::Little;
    use ringtrace_wire::simpletrace::header::HEADER_BYTES;
    use ringtrace_wire::simpletrace::v4::V4;
    use ringtrace_wire::simpletrace::{ByLength, Layout, Step};

    /// Returns the ids and times of a generated trace.
    fn records(shape: Shape, count: u64) -> Vec<(u64, u64)> {
        let mut bytes = Vec::new();
        trace(shape, count, &mut bytes).unwrap();
        let mut at = HEADER_BYTES;
        let mut records = Vec::new();
        loop {
            match V4::<Little>::step(&bytes[at..], &ByLength) {
                Step::Mapping(mapping) => at += mapping.size,
                Step::Record(record) => {
                    records.push((record.id, record.timestamp_ns));
                    at += record.size;
                }
                _ => {
                    assert_eq!(at, bytes.len());
                    return records;
                }
            }
        }
    }

    #[test]
    fn one_mixed_record_in_five_has_a_string() {
        let strings = records(Shape::Mixed, 10_000).iter().filter(|(id, _)| *id == STR).count();
        assert!((1800..2200).contains(&strings), "{strings}");
    }

    #[test]
    fn many_threads_start_and_exit() {
        let records = records(Shape::Many, 10_000);
        let tids: Vec<u64> = records.iter().map(|(id, _)| id >> 32).collect();
        let same = tids.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert!(same < 500, "{same}");
        let mut all = tids.clone();
        all.sort_unstable();
        all.dedup();
        assert!((900..1100).contains(&all.len()), "{}", all.len());
    }

    #[test]
    fn ends_follow_begins() {
        let mut open = 0_usize;
        for (id, _) in records(Shape::Pairs, 10_000) {
            open = if id == BEGIN { open + 1 } else { open.checked_sub(1).unwrap() };
            assert!(open <= MAX_OPEN);
        }
    }

    #[test]
    fn late_records_have_different_times() {
        let mut times: Vec<u64> =
            records(Shape::Late, 3 * THREADS * BATCH).iter().map(|(_, ns)| *ns).collect();
        assert!(!times.is_sorted());
        times.sort_unstable();
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] == THREAD_STEP_NS / THREADS));
    }
}
