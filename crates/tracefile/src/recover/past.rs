//! The part of a trace that is already in the trace file, and the metadata at its start.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use ringtrace_wire::assembly::Assembly;
use ringtrace_wire::compact::{BlockHeader, HEADER_BYTES};
use ringtrace_wire::ring::ORDER;
use ringtrace_wire::simpletrace::header::Detected;
use ringtrace_wire::simpletrace::metadata::{self, Anchor, Metadata, Module};
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{
    ByLength, DROPPED_ID, Layout, MAX_RECORD_BYTES, Mapping, Record, Step, Version,
};
use ringtrace_wire::simpletrace::{detect, header};
use ringtrace_wire::{Big, ByteOrder, Little};
use rustix::fs::OFlags;

use crate::block::BlockError;
use crate::compressed::{Compression, CompressionError};
use crate::input::Input;
use crate::read::listing::compressed_names;

const STEP_BYTES: usize = 1 << 18;

/// The part of a compressed file that is decompressed to find its first anchor. It contains the first block
/// of a compact trace.
const START_BYTES: u64 = 16 << 20;

/// The state of a killed process's trace file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TraceFile {
    /// The file contains the whole committed part.
    Whole,
    /// The process had not committed anything yet.
    NotYet,
    /// The file's path is unknown, or the file does not exist or is not a regular file. The string
    /// contains the reason.
    Missing(String),
    /// Another trace has replaced the file.
    Replaced,
    /// The file ends, or is damaged, within the committed part.
    Short {
        /// The size of the committed part.
        committed_bytes: u64,
        /// The size of the readable part.
        found_bytes: u64,
    },
}

#[derive(Debug, Default)]
pub(super) struct ArenaMetadata {
    pub(super) events: HashMap<u32, Vec<u8>>,
    pub(super) declarations: Vec<String>,
    /// The source locations of events, as in metadata records.
    pub(super) sites: Vec<Vec<u8>>,
    pub(super) modules: Vec<Module>,
    /// The clocks at the start of the trace. They distinguish runs of the program.
    pub(super) anchor: Option<Anchor>,
    pub(super) command: Option<Vec<u8>>,
}

pub(super) trait RecordVisitor {
    fn mapping(&mut self, mapping: &Mapping<'_>);
    fn record(&mut self, record: &Record<'_>);
}

impl RecordVisitor for ArenaMetadata {
    fn mapping(&mut self, mapping: &Mapping<'_>) {
        if mapping.id < metadata::FIRST_ID {
            self.events.insert(mapping.id as u32, mapping.name.to_vec());
            return;
        }
        match std::str::from_utf8(mapping.name).ok().and_then(|name| Metadata::parse(mapping.id, name)) {
            Some(Ok(Metadata::Declaration(text))) => self.declarations.push(text),
            Some(Ok(Metadata::Module(module))) => self.modules.push(module),
            Some(Ok(Metadata::Anchor(anchor))) => self.anchor = self.anchor.or(Some(anchor)),
            Some(Ok(Metadata::Other(key, value))) if key == metadata::COMMAND => self.command = Some(value),
            Some(Ok(Metadata::Other(key, value))) if key == metadata::SITE => self.sites.push(value),
            _ => {}
        }
    }

    fn record(&mut self, _record: &Record<'_>) {}
}

/// A visitor of the trace file's records. It prepares the assembly for the recovered records, which
/// follow them.
#[derive(Debug)]
pub(super) struct FilePart<'a, 'n> {
    pub(super) assembly: &'a mut Assembly<'n>,
    pub(super) declared: HashSet<String>,
    pub(super) sites: HashSet<Vec<u8>>,
    pub(super) modules: HashSet<Module>,
    pub(super) records: u64,
    pub(super) lost: u64,
}

impl RecordVisitor for FilePart<'_, '_> {
    fn mapping(&mut self, mapping: &Mapping<'_>) {
        self.assembly.note_mapping(mapping.id);
        let Ok(name) = std::str::from_utf8(mapping.name) else { return };
        match Metadata::parse(mapping.id, name) {
            Some(Ok(Metadata::Thread(tid, _))) => self.assembly.note_thread(tid),
            Some(Ok(Metadata::Module(module))) => {
                self.modules.insert(module);
            }
            Some(Ok(Metadata::Declaration(text))) => {
                self.declared.insert(text);
            }
            Some(Ok(Metadata::Other(key, value))) if key == metadata::SITE => {
                self.sites.insert(value);
            }
            _ => {}
        }
    }

    fn record(&mut self, record: &Record<'_>) {
        if record.id == DROPPED_ID {
            let count = record.payload.first_chunk().map_or(0, |count| ORDER.u64(*count));
            self.lost = self.lost.saturating_add(count);
        } else {
            self.records += 1;
        }
    }
}

/// The bytes of a v4 trace in a trace file, which may be compact. Damaged blocks are skipped.
struct Contents {
    input: Input,
}

impl Contents {
    /// Reads the first `most` bytes of `file`, whose position must be 0.
    fn new(file: &File, most: u64) -> io::Result<Contents> {
        let input = Input::from_reader(Box::new(file.try_clone()?.take(most)));
        Ok(Contents { input: input.expand()? })
    }
}

impl Read for Contents {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(buffer) {
                // The next read continues after the defect.
                Err(error) if BlockError::of(&error).is_some() => {}
                result => return result,
            }
        }
    }
}

/// Passes the complete records in the first `most` bytes of `file` to `visitor`, and their bytes to
/// `write`. Returns the size of the readable part of the file.
pub(super) fn walk_file(
    file: &File,
    most: u64,
    visitor: &mut impl RecordVisitor,
    write: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    let mut contents = Contents::new(file, most)?;
    let walked = walk(&mut contents, visitor, write)?;
    Ok(match contents.input.decoded_compact_bytes() {
        Some(file_bytes) if walked > 0 => file_bytes,
        _ => walked,
    })
}

/// Passes complete records to `visitor`, and their bytes to `write`. Returns the number of bytes.
pub(super) fn walk(
    trace: impl Read,
    visitor: &mut impl RecordVisitor,
    write: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    match ORDER {
        ByteOrder::Little => walk_ordered::<V4<Little>>(trace, visitor, write),
        ByteOrder::Big => walk_ordered::<V4<Big>>(trace, visitor, write),
    }
}

fn walk_ordered<L: Layout>(
    mut trace: impl Read,
    visitor: &mut impl RecordVisitor,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    let (mut bytes, mut written, mut is_begun) = (Vec::new(), 0, false);
    loop {
        let before = bytes.len();
        trace.by_ref().take(STEP_BYTES as u64).read_to_end(&mut bytes)?;
        let is_end = bytes.len() == before;
        let mut whole = 0;
        if !is_begun {
            let Detected::Header(found) = detect(&bytes) else { return Ok(0) };
            if (found.version, found.order) != (Version::V4, ORDER) {
                return Ok(0);
            }
            (is_begun, whole) = (true, found.size);
        }
        let is_damaged = loop {
            match L::step(&bytes[whole..], &ByLength) {
                Step::Mapping(mapping) => {
                    visitor.mapping(&mapping);
                    whole += mapping.size;
                }
                Step::Record(record) => {
                    visitor.record(&record);
                    whole += record.size;
                }
                Step::NeedMore(bytes) => break bytes > MAX_RECORD_BYTES,
                Step::Fault(_) => break true,
            }
        };
        write(&bytes[..whole])?;
        written += whole as u64;
        bytes.drain(..whole);
        if is_end || is_damaged {
            return Ok(written);
        }
    }
}

/// The greatest number after `.old-` in the names of files that were moved aside.
const MOST_OLD_FILES: u32 = 99;

/// Returns the names under which an earlier trace file at `path` is kept, by `exists=rename` or by
/// `ringtrace record`: `path.old`, `path.old-2` and so on.
pub(super) fn old_names(path: &Path) -> impl Iterator<Item = PathBuf> {
    let numbers =
        std::iter::once(String::new()).chain((2..=MOST_OLD_FILES).map(|number| format!("-{number}")));
    numbers.map(move |number| {
        let mut old = path.as_os_str().to_owned();
        old.push(format!(".old{number}"));
        PathBuf::from(old)
    })
}

/// Opens the trace file at `path`, if `anchor_ns` is the monotonic time of its first anchor. If
/// another trace has replaced it, opens the file that was moved aside for that trace. A compressed file
/// is decompressed.
pub(super) fn open(path: &Path, anchor_ns: Option<u64>) -> io::Result<Result<File, TraceFile>> {
    let without = match open_one(path, anchor_ns, u64::MAX)? {
        Ok(file) => return Ok(Ok(file)),
        Err(without) => without,
    };
    if anchor_ns.is_none() {
        return Ok(Err(without));
    }
    let mut others = compressed_names(path).chain(old_names(path));
    match others.find(|other| is_trace_since(other, anchor_ns)) {
        Some(other) => open_one(&other, anchor_ns, u64::MAX),
        None => Ok(Err(without)),
    }
}

/// Returns whether the file at `path` is a trace whose first anchor has this monotonic time.
pub(super) fn is_trace_since(path: &Path, anchor_ns: Option<u64>) -> bool {
    matches!(open_one(path, anchor_ns, START_BYTES), Ok(Ok(_)))
}

/// Opens the trace file at `path`, if `anchor_ns` is the monotonic time of its first anchor. Of a compressed
/// file, at most the first `most` bytes are decompressed.
fn open_one(path: &Path, anchor_ns: Option<u64>, most: u64) -> io::Result<Result<File, TraceFile>> {
    // Check the type before opening the path: opening a device may have side effects.
    let flags = (OFlags::NONBLOCK | OFlags::CLOEXEC).bits().cast_signed();
    let opened = std::fs::metadata(path).and_then(|found| match found.is_file() {
        true => decompressed(File::options().read(true).custom_flags(flags).open(path)?, most),
        false => Err(io::Error::other("it is not a regular file")),
    });
    let file = match opened {
        Ok(file) => file,
        Err(error) => return Ok(Err(TraceFile::Missing(crate::error::reason(&error)))),
    };
    let mut first = ArenaMetadata::default();
    // The first block of a compact trace can be larger than `STEP_BYTES`.
    let mut start = [0; HEADER_BYTES];
    let block = file.read_at(&mut start, 0).ok().and_then(|have| BlockHeader::parse(&start[..have]).ok());
    let most = block.map_or(STEP_BYTES, |block| block.block_bytes().max(STEP_BYTES));
    walk_file(&file, most as u64, &mut first, |_| Ok(()))?;
    (&file).rewind()?;
    let is_same = anchor_ns.is_none() || first.anchor.map(|anchor| anchor.monotonic_ns) == anchor_ns;
    Ok(if is_same { Ok(file) } else { Err(TraceFile::Replaced) })
}

/// Returns `file`, or a copy of the first `most` bytes of its contents if it is compressed.
fn decompressed(file: File, most: u64) -> io::Result<File> {
    let mut start = [0; 8];
    let have = file.read_at(&mut start, 0)?;
    let Some(compression) = Compression::detect(&start[..have]) else { return Ok(file) };
    let mut copy = tempfile::tempfile()?;
    match io::copy(&mut compression.decode(Box::new(file)).take(most), &mut copy) {
        // The copy is reported as too short.
        Err(error) if CompressionError::of(&error).is_some() => {}
        copied => drop(copied?),
    }
    copy.rewind()?;
    Ok(copy)
}

/// Returns the header of a trace file, for use if no other bytes of the trace exist.
pub(super) fn bare_header() -> Vec<u8> {
    let mut bytes = Vec::with_capacity(header::HEADER_BYTES);
    ringtrace_wire::assembly::ENCODER.header(0, 0, &mut bytes);
    bytes
}
