//! Random traces for tests: with ids that change their meaning, strings that resemble records, losses
//! and damage.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use ringtrace_events::SourceFile;
use ringtrace_wire::ByteOrder;
use ringtrace_wire::compact::{BlockEncoder, BlockHeader, HEADER_BYTES};
use ringtrace_wire::simpletrace::context::{self, RecordContext};
use ringtrace_wire::simpletrace::encode::{Encoder, Value};
use ringtrace_wire::simpletrace::{ArgumentKind, Step, Version, step_by_length};

use crate::input::Input;
use crate::metadata::{CAUSES, FIRST_ID, Lost, Metadata, Module};
use crate::read::options::Options;
use crate::read::reader::Reader;

const DECLARATIONS: &str = "none(void) \"nothing\"\none(uint64_t a) \"a %\" PRIu64\n\
    str(const char *s, int n) \"%s %d\"\nlate(int x) \"%d\"\n";

#[derive(Debug, Clone)]
pub(crate) enum Part {
    None,
    One(u64),
    /// A string, which can resemble records.
    Str(Vec<u8>),
    Dropped(u64),
    /// Maps id 7 to another event.
    Remap(usize),
    /// A record with id 7, whose event depends on the previous mappings.
    Seven(u64),
    /// Declares an event in the trace only.
    Declare(usize),
    /// A record of an event that is declared in the trace only, if it was declared before.
    Own(usize, u64),
    /// Declares that ids contain the thread.
    Threads,
    /// A record of the event `one` with a thread.
    InThread(u64),
    /// A record with one of several threads, after the mapping and the thread's name.
    Worker(u64, usize),
    Rename(u64),
    /// A loss of events: the thread's index, the cause and the number of events.
    Lost(u64, usize, u64),
    /// A context, which belongs to the next part if that is a record.
    Context(Option<u32>, Vec<u64>),
    /// An executable segment, at an address of contexts.
    Module(u64),
    Raw(Vec<u8>),
}

pub(crate) fn part(damaged: bool) -> impl Strategy<Value = Part> {
    // Records of the event `one` in a string. They can make the reader guess a wrong start.
    let mut decoy = Vec::new();
    for n in 0..12 {
        ENCODER.record(1, 1_000 + n, 3, &[Value::Integer(n)], &mut decoy).unwrap();
    }
    let raw_bytes = if damaged { 1..30 } else { 0..1 };
    prop_oneof![
        4 => Just(Part::None),
        8 => any::<u64>().prop_map(Part::One),
        4 => proptest::collection::vec(any::<u8>(), 0..40).prop_map(Part::Str),
        1 => Just(Part::Str(decoy)),
        1 => any::<u64>().prop_map(Part::Dropped),
        1 => (0..4_usize).prop_map(Part::Remap),
        2 => any::<u64>().prop_map(Part::Seven),
        1 => (0..OWN.len()).prop_map(Part::Declare),
        4 => (0..OWN.len(), any::<u64>()).prop_map(|(event, a)| Part::Own(event, a)),
        1 => Just(Part::Threads),
        2 => any::<u64>().prop_map(Part::InThread),
        8 => (0..WORKERS, 0..2_usize).prop_map(|(worker, event)| Part::Worker(worker, event)),
        1 => (0..WORKERS).prop_map(Part::Rename),
        2 => (0..WORKERS, 0..3_usize, 1..100_u64).prop_map(|(worker, cause, count)| Part::Lost(worker, cause, count)),
        4 => (any::<Option<u32>>(), proptest::collection::vec(0..100_u64, 0..5))
            .prop_map(|(cpu, stack)| Part::Context(cpu, stack)),
        1 => (0..100_u64).prop_map(Part::Module),
        1 => proptest::collection::vec(any::<u8>(), raw_bytes).prop_map(Part::Raw),
    ]
}

pub(crate) const ENCODER: Encoder = Encoder { version: Version::V4, order: ByteOrder::Little };
const NAMES: [&str; 4] = ["none", "one", "str", "late"];
/// Events that the trace itself declares.
const OWN: [(&str, &str); 3] =
    [("a", "a(void) \"a\""), ("b", "b(int x) \"b %d\""), ("c", "c(int y, int z) \"c %d %d\"")];
const FIRST_OWN: u64 = 20;
/// The id of `one` with a thread.
const IN_THREAD: u64 = 9 << 32 | 1;

pub(crate) const WORKERS: u64 = 5;
const FIRST_WORKER: u64 = 100;

/// With `threads_first`, the trace declares at its start that ids contain the thread.
pub(crate) fn encode(parts: &[Part], times: &[u64], threads_first: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    ENCODER.header(0, 0, &mut bytes);
    if threads_first {
        Metadata::Version(1).encode(0, ENCODER.order, &mut bytes);
    }
    for (id, name) in (0..).zip(NAMES) {
        ENCODER.mapping(id, name.as_bytes(), &mut bytes);
    }
    ENCODER.mapping(7, b"one", &mut bytes);
    ENCODER.mapping(IN_THREAD, b"one", &mut bytes);
    for (id, (name, _)) in (FIRST_OWN..).zip(OWN) {
        ENCODER.mapping(id, name.as_bytes(), &mut bytes);
    }
    let mut declared = [false; OWN.len()];
    let mut seven = 1;
    let mut known = HashSet::new();
    for (part, &time) in parts.iter().zip(times) {
        let pid = (time % 3) as u32;
        let out = &mut bytes;
        match part {
            Part::None => ENCODER.record(0, time, pid, &[], out).unwrap(),
            Part::One(a) => ENCODER.record(1, time, pid, &[Value::Integer(*a)], out).unwrap(),
            Part::Str(s) => {
                ENCODER.record(2, time, pid, &[Value::Str(s), Value::Integer(time)], out).unwrap();
            }
            Part::Dropped(count) => ENCODER.dropped(*count, time, pid, out),
            Part::Remap(to) => {
                seven = *to;
                ENCODER.mapping(7, NAMES[*to].as_bytes(), out);
            }
            Part::Seven(a) => {
                let values: &[Value<'_>] = match seven {
                    0 => &[],
                    2 => &[Value::Str(b"seven"), Value::Integer(*a)],
                    _ => &[Value::Integer(*a)],
                };
                ENCODER.record(7, time, pid, values, out).unwrap();
            }
            Part::Declare(event) => {
                let metadata = Metadata::Declaration(OWN[*event].1.to_owned());
                declared[*event] = true;
                ENCODER.mapping(FIRST_ID, metadata.to_name().as_bytes(), out);
            }
            Part::Own(event, a) if declared[*event] => {
                let values = &[Value::Integer(*a), Value::Integer(time)][..*event];
                ENCODER.record(FIRST_OWN + *event as u64, time, pid, values, out).unwrap();
            }
            Part::Own(..) => {}
            Part::Threads => ENCODER.mapping(FIRST_ID, Metadata::Version(1).to_name().as_bytes(), out),
            Part::InThread(a) => ENCODER.record(IN_THREAD, time, pid, &[Value::Integer(*a)], out).unwrap(),
            Part::Worker(worker, event) => {
                let tid = FIRST_WORKER + worker;
                if known.insert((tid, None)) {
                    Metadata::Thread(tid as u32, format!("worker {worker}")).encode(1, ENCODER.order, out);
                }
                let id = tid << 32 | *event as u64;
                if known.insert((tid, Some(*event))) {
                    ENCODER.mapping(id, NAMES[*event].as_bytes(), out);
                }
                let values = &[Value::Integer(time)][..*event];
                ENCODER.record(id, time, pid, values, out).unwrap();
            }
            Part::Rename(worker) => {
                Metadata::Thread((FIRST_WORKER + worker) as u32, format!("at {time}")).encode(
                    1,
                    ENCODER.order,
                    out,
                );
            }
            Part::Lost(worker, cause, count) => {
                let (tid, cause) = ((FIRST_WORKER + worker) as u32, CAUSES[*cause]);
                Metadata::Lost(Lost { tid, cause, count: *count }).encode(2, ENCODER.order, out);
                ENCODER.dropped(*count, time, pid, out);
            }
            Part::Context(cpu, stack) => context::encode(*cpu, stack.iter().copied(), ENCODER.order, out),
            Part::Module(start) => {
                let path = format!("/lib/{time}").into_bytes();
                let (end, build_id) = (start + time % 30, vec![1; (time % 3) as usize]);
                let module = Module { start: *start, end, address: 0x1000, build_id, path };
                Metadata::Module(module).encode(3, ENCODER.order, out);
            }
            Part::Raw(raw) => out.extend_from_slice(raw),
        }
    }
    bytes
}

pub(crate) fn open(bytes: &[u8]) -> Reader {
    open_with(bytes, false)
}

pub(crate) fn open_with(bytes: &[u8], keep_going: bool) -> Reader {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    reader(Input::from_file(file).unwrap(), keep_going)
}

pub(crate) fn open_stream(bytes: &[u8]) -> Reader {
    reader(Input::from_reader(Box::new(io::Cursor::new(bytes.to_vec()))), false)
}

fn reader(input: Input, keep_going: bool) -> Reader {
    let sources = vec![SourceFile::new("events", DECLARATIONS)];
    Reader::new("trace", input, &Options { sources, keep_going, ..Options::default() }).unwrap()
}

/// Returns the arguments of most ids, which can differ from those in the records.
fn kinds(id: u64) -> Option<&'static [ArgumentKind]> {
    const INTEGER: ArgumentKind = ArgumentKind::Integer { signed: false };
    match id as u32 {
        0 | 20 => Some(&[]),
        1 | 7 | 21 => Some(&[INTEGER]),
        2 => Some(&[ArgumentKind::Str, INTEGER]),
        22 => Some(&[INTEGER; 2]),
        _ => None,
    }
}

/// Converts the whole records at the start of a v4 trace to blocks of about `most` bytes. Returns
/// their size in the v4 trace, too.
pub(crate) fn compact(v4: &[u8], most: usize) -> (usize, Vec<u8>) {
    let (mut encoder, mut file, mut at) = (BlockEncoder::default(), Vec::new(), 0);
    let mut size = 24;
    while let Some(record) = v4.get(at..at + size) {
        encoder.push(record, kinds, &mut file).unwrap();
        at += size;
        let mut is_context = false;
        size = match step_by_length(Version::V4, ByteOrder::Little, &v4[at..]) {
            Step::Record(record) => record.size,
            Step::Mapping(mapping) => {
                is_context = RecordContext::of(&mapping).is_some();
                mapping.size
            }
            _ => break,
        };
        // Blocks are independent only if contexts are in the blocks of their records, but the text
        // never depends on them.
        if encoder.expanded_bytes() >= most && (!is_context || at % 2 == 0) {
            encoder.finish(&mut file);
        }
    }
    encoder.finish(&mut file);
    (at, file)
}

/// Replaces a byte in the body of one of the blocks in `file` after the first one. With `has_right_checksums`,
/// corrects the checksums.
pub(crate) fn damage(file: &mut [u8], at: prop::sample::Index, byte: u8, has_right_checksums: bool) {
    let start = BlockHeader::parse(file).unwrap().block_bytes();
    replace(file, start + at.index(file.len() - start + 1), byte, has_right_checksums);
}

/// Replaces the byte at offset `at` of `file`, if it is in the body of a block. With `has_right_checksums`, corrects
/// the checksums.
pub(crate) fn replace(file: &mut [u8], at: usize, byte: u8, has_right_checksums: bool) {
    let mut start = 0;
    while let Ok(header) = BlockHeader::parse(&file[start..]) {
        let body = start + HEADER_BYTES..start + header.block_bytes();
        if body.contains(&at) {
            file[at] = byte;
            if !has_right_checksums {
                return;
            }
            let crc = crc32c::crc32c(&file[body]);
            file[start + 20..start + 24].copy_from_slice(&crc.to_le_bytes());
            let crc = crc32c::crc32c(&file[start + 12..start + HEADER_BYTES]);
            file[start + 8..start + 12].copy_from_slice(&crc.to_le_bytes());
            return;
        }
        start += header.block_bytes();
    }
}

/// Returns all files in `folder` and in the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Opens a recording, if it is one that several threads can read. Its declarations, if it needs any, are
/// in a file with the same name.
pub(crate) fn recording(path: &Path, bytes: &[u8]) -> Option<Reader> {
    let sources: Vec<SourceFile> = fs::read(path.with_extension("events"))
        .map(|bytes| SourceFile::from_bytes("events", &bytes))
        .into_iter()
        .collect();
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let options = Options { sources, names_suffice: true, ..Options::default() };
    let reader = Reader::new("trace", Input::from_file(file).ok()?, &options).ok()?;
    super::is_supported(&reader).then_some(reader)
}

/// Returns the paths and the contents of the recordings in `testdata` that several threads can read.
pub(crate) fn recordings() -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let contents = |path: PathBuf| (fs::read(&path).unwrap(), path);
    let all = files(&testdata).into_iter().map(contents);
    all.filter(|(bytes, path)| recording(path, bytes).is_some()).map(|(bytes, path)| (path, bytes))
}
