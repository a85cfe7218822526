//! Reads a trace by thread. The parser is strict: the test fails unless it understands every byte
//! of the file.

#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]
#![allow(dead_code, reason = "not every test uses all functions")]

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use ringtrace::FileFormat;
use ringtrace_tracefile::recover::{Process, Recovered};
use ringtrace_wire::compact::{BlockDecoder, BlockHeader, MAGIC};
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::metadata::{Cause, Lost, Metadata, Total};
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{ByLength, DROPPED_ID, Layout, Record, Step, detect, header::Detected};
use ringtrace_wire::{ByteOrder, Little};

#[derive(Debug, Default)]
pub struct Thread {
    pub tid: u32,
    pub name: Option<String>,
    /// The first argument of each record, in the order of the file.
    pub numbers: Vec<u64>,
    pub times_ns: Vec<u64>,
    /// The lost records, each with the number of this thread's records that precede it.
    pub lost: Vec<(Lost, usize)>,
    pub total: Option<Total>,
}

impl Thread {
    pub fn lost(&self, cause: Cause) -> u64 {
        self.lost.iter().filter(|(lost, _)| lost.cause == cause).map(|(lost, _)| lost.count).sum()
    }

    /// Asserts that the totals agree with the records in the file.
    pub fn assert_balanced(&self) {
        let total = self.total.expect("a total");
        assert_eq!(total.recorded, self.numbers.len() as u64, "{total:?}");
        assert_eq!(total.dropped, self.lost(Cause::Dropped), "{total:?} {:?}", self.lost);
        assert_eq!(total.overwritten, self.lost(Cause::Overwritten), "{total:?} {:?}", self.lost);
        assert_eq!(total.refused, self.lost(Cause::Refused), "{total:?} {:?}", self.lost);
        let sum = total.recorded + total.dropped + total.overwritten + total.refused;
        assert_eq!(total.issued, sum, "{total:?}");
    }
}

impl Thread {
    /// Asserts that the thread issued the numbers from `next`, and that each of them is in the file
    /// or reported as lost at its position. Returns the number after the last one.
    pub fn follow(&self, mut next: u64) -> u64 {
        let mut losses = self.lost.iter().peekable();
        for at in 0..=self.numbers.len() {
            while let Some((lost, _)) = losses.next_if(|(_, before)| *before == at) {
                next += lost.count;
            }
            if let Some(&number) = self.numbers.get(at) {
                assert_eq!(number, next, "record {at} of {:?}; {:?}", self.name, self.lost);
                next += 1;
            }
        }
        assert!(self.times_ns.is_sorted(), "the times of {:?} decrease", self.name);
        next
    }

    /// Asserts that the thread issued the numbers from 0 to `issued`, and that each of them is in
    /// the file or reported as lost at its position.
    pub fn assert_accounted(&self, issued: u64) {
        self.assert_balanced();
        assert_eq!(self.follow(0), issued, "{:?}", self.name);
        assert_eq!(self.total.map(|total| total.issued), Some(issued));
    }
}

/// Recovers a process's trace, as a file's bytes.
pub fn recover(process: &Process) -> (Vec<u8>, io::Result<Recovered>) {
    let mut trace = Vec::new();
    let recovered = process.recover(|bytes| {
        trace.extend_from_slice(bytes);
        Ok(())
    });
    (trace, recovered)
}

pub const FORMATS: [FileFormat; 3] = FileFormat::ALL;

/// Returns the v4 file that a compact trace contains. Other files are returned as they are.
pub fn to_v4(file: &[u8]) -> Cow<'_, [u8]> {
    if !file.starts_with(&MAGIC) {
        return Cow::Borrowed(file);
    }
    let (mut v4, mut rest) = (Vec::new(), file);
    let (mut decoder, mut plain, mut records) = (BlockDecoder::default(), Vec::new(), 0);
    while !rest.is_empty() {
        let at = file.len() - rest.len();
        let header = BlockHeader::parse(rest).unwrap_or_else(|error| panic!("{at:#x}: {error}"));
        let body = header.body(rest).unwrap_or_else(|| panic!("{at:#x}: the block is incomplete"));
        assert!(header.is_intact(body), "{at:#x}: wrong CRC of the body");
        rest = &rest[header.block_bytes()..];
        if !header.is_in_sequence() {
            continue;
        }
        assert_eq!((header.expanded_before, header.records_before), (v4.len() as u64, records), "{at:#x}");
        let body =
            header.plain_body(body, &mut plain).unwrap_or_else(|| panic!("{at:#x}: the frame is damaged"));
        v4.extend_from_slice(
            decoder.decode(&header, body).unwrap_or_else(|error| panic!("{at:#x}: {error}")),
        );
        records += u64::from(header.records);
    }
    Cow::Owned(v4)
}

/// Reads the threads of a trace, which may be compact. A thread id can occur several times, because the system reuses
/// ids. `check` is called for every record.
pub fn read(file: &[u8], mut check: impl FnMut(&Record<'_>)) -> Vec<Thread> {
    assert_eq!(ORDER, ByteOrder::Little, "the test is written for little-endian machines");
    let bytes = &*to_v4(file);
    let Detected::Header(header) = detect(bytes) else { panic!("no trace: {} bytes", bytes.len()) };
    let mut rest = &bytes[header.size..];
    let mut threads = Threads::default();
    let mut names: HashMap<u64, Vec<u8>> = HashMap::new();
    let mut numbers = std::collections::HashSet::new();
    let mut last_lost: Option<Lost> = None;
    while !rest.is_empty() {
        let at = bytes.len() - rest.len();
        match V4::<Little>::step(rest, &ByLength) {
            Step::Record(record) if record.id == DROPPED_ID => {
                let lost =
                    last_lost.take().unwrap_or_else(|| panic!("{at:#x}: a loss does not name a thread"));
                assert_eq!(record.payload, lost.count.to_le_bytes(), "{at:#x}");
                let thread = threads.of(lost.tid);
                thread.lost.push((lost, thread.numbers.len()));
                rest = &rest[record.size..];
            }
            Step::Record(record) => {
                assert!(names.contains_key(&record.id), "{at:#x}: {:#x} has no name", record.id);
                check(&record);
                let thread = threads.of((record.id >> 32) as u32);
                thread.numbers.push(u64::from_le_bytes(record.payload[..8].try_into().unwrap()));
                thread.times_ns.push(record.timestamp_ns);
                rest = &rest[record.size..];
            }
            Step::Mapping(mapping) => {
                let name = std::str::from_utf8(mapping.name).expect("UTF-8");
                if let Some(metadata) = Metadata::parse(mapping.id, name) {
                    assert!(numbers.insert(mapping.id), "{at:#x}: the id of {name} was used before");
                    match metadata.expect(name) {
                        Metadata::Lost(lost) => last_lost = Some(lost),
                        Metadata::Total(total) => {
                            let thread = threads.of(total.tid);
                            assert_eq!(thread.total.replace(total), None, "two totals for one thread");
                        }
                        Metadata::Thread(tid, name) => threads.begin(tid).name = Some(name),
                        _ => {}
                    }
                } else {
                    names.insert(mapping.id, mapping.name.to_vec());
                }
                rest = &rest[mapping.size..];
            }
            step => panic!("{at:#x}: {step:?}"),
        }
    }
    threads.all
}

#[derive(Default)]
struct Threads {
    all: Vec<Thread>,
    newest: HashMap<u32, usize>,
}

impl Threads {
    fn begin(&mut self, tid: u32) -> &mut Thread {
        self.newest.insert(tid, self.all.len());
        self.all.push(Thread { tid, ..Thread::default() });
        self.all.last_mut().unwrap()
    }

    fn of(&mut self, tid: u32) -> &mut Thread {
        match self.newest.get(&tid) {
            Some(&at) => &mut self.all[at],
            None => self.begin(tid),
        }
    }
}

/// Asserts that each number is the previous one plus 1.
pub fn assert_contiguous(numbers: &[u64]) {
    for pair in numbers.windows(2) {
        assert_eq!(pair[0] + 1, pair[1], "between {} and {}", pair[0], pair[1]);
    }
}
