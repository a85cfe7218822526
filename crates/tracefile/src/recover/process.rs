//! A process with its segments, and the recovery of a trace from them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use ringtrace_wire::arena::{ClockTable, FullPolicy, RING_PAGES};
use ringtrace_wire::assembly::{Assembly, Output, Ring};
use ringtrace_wire::simpletrace::metadata::{self, CAUSES, Cause, Metadata};

use super::ArenaFile;
use super::commit::Commit;
use super::past::{self, ArenaMetadata, FilePart, TraceFile};
use super::rings::RingCopy;
use crate::read::listing::compressed_names;

/// A traced process, according to its arenas.
#[derive(Debug)]
pub struct Process {
    segments: Vec<ArenaFile>,
    trace_path: Option<PathBuf>,
    events_on: u32,
    is_unwritten: bool,
    monitor: Option<PathBuf>,
    metadata: ArenaMetadata,
}

/// What has become of a traced process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessState {
    /// The process is running, and may have ended tracing.
    Running,
    /// The process has ended tracing, but could not write its last events to its trace file, for example
    /// because the disk was full.
    Unwritten,
    /// The process ended before it ended tracing.
    Killed,
}

/// The result of a recovery.
#[derive(Debug, Clone)]
pub struct Recovered {
    /// The state of the trace file.
    pub file: TraceFile,
    /// The number of records from the trace file.
    pub file_records: u64,
    /// The number of lost records reported in the trace file.
    pub file_lost: u64,
    /// The number of records from rings.
    pub ring_records: u64,
    /// The number of threads that recorded them.
    pub ring_threads: usize,
    /// Records that were lost after the part from the trace file, by cause.
    pub lost: Vec<(Cause, u64)>,
    /// The number of bytes in rings that should be records but are not.
    pub damaged_bytes: u64,
    /// The number of missing segments.
    pub missing_segments: usize,
    /// Whether further rings were in private memory, which does not outlive the process.
    pub has_private_rings: bool,
    /// Whether there is no commit that all segments contain.
    pub is_doubtful: bool,
}

impl Recovered {
    /// Describes the missing events whose number is unknown.
    pub fn missing(&self) -> Vec<&'static str> {
        missing(&self.file, self.has_private_rings)
    }
}

fn missing(file: &TraceFile, has_private_rings: bool) -> Vec<&'static str> {
    let of_file = match file {
        TraceFile::Missing(_) | TraceFile::Replaced => Some("all events that only the trace file contained"),
        TraceFile::Short { .. } => Some("all events in the unreadable part of the trace file"),
        TraceFile::Whole | TraceFile::NotYet => None,
    };
    of_file.into_iter().chain(has_private_rings.then_some("all events in private memory")).collect()
}

/// Groups `arenas` by process, oldest first.
///
/// # Errors
/// Returns an error if an arena cannot be read.
pub fn gather(arenas: Vec<ArenaFile>) -> io::Result<Vec<Process>> {
    let mut processes: BTreeMap<(u64, u32), Vec<ArenaFile>> = BTreeMap::new();
    for arena in arenas {
        let header = arena.header();
        processes.entry((header.started_ns, header.pid)).or_default().push(arena);
    }
    processes.into_values().map(Process::new).collect()
}

impl Process {
    fn new(mut segments: Vec<ArenaFile>) -> io::Result<Process> {
        segments.sort_by_key(|segment| segment.header().segment);
        // A file can have two names.
        segments.dedup_by_key(|segment| segment.header().segment);
        let mut metadata = ArenaMetadata::default();
        let (mut events_on, mut is_unwritten, mut monitor) = (0, false, None);
        for segment in &segments {
            let start = segment.start()?;
            monitor = monitor.or_else(|| path_of(start.monitor));
            events_on = events_on.max(start.events_on);
            is_unwritten |= start.is_unwritten;
            past::walk(segment.metadata()?, &mut metadata, |_| Ok(()))?;
        }
        let (_, trace_path) = commit_and_path(&segments)?;
        Ok(Process { segments, trace_path, events_on, is_unwritten, monitor, metadata })
    }

    /// Returns the process id.
    pub fn pid(&self) -> u32 {
        self.segments.first().map_or(0, |first| first.header().pid)
    }

    /// Returns the start of tracing, in nanoseconds since 1970.
    pub fn started_ns(&self) -> u64 {
        self.segments.first().map_or(0, |first| first.header().started_ns)
    }

    /// Returns the policy of the process for full rings.
    pub fn full(&self) -> FullPolicy {
        self.segments.first().map_or(FullPolicy::Discard, |first| first.header().full)
    }

    /// Returns whether the process is running.
    pub fn is_alive(&self) -> bool {
        self.segments.iter().any(ArenaFile::is_alive)
    }

    /// Returns what has become of the process.
    pub fn state(&self) -> ProcessState {
        match self.is_unwritten {
            _ if self.is_alive() => ProcessState::Running,
            true => ProcessState::Unwritten,
            false => ProcessState::Killed,
        }
    }

    /// Returns the command line: the arguments, separated by zero bytes.
    pub fn command(&self) -> Option<&[u8]> {
        self.metadata.command.as_deref()
    }

    /// Returns the path of the trace file, as given by the process. A running process may continue
    /// in another file.
    pub fn trace_path(&self) -> Option<&Path> {
        self.trace_path.as_deref()
    }

    /// Returns whether the process has written the file at `path`, which contains no symbolic links. Its
    /// trace file may have been moved aside, and another trace may have replaced it. A file in which the
    /// process has not written anything yet has only its name.
    pub fn has_written(&self, path: &Path) -> bool {
        let Ok((commit, Some(trace))) = commit_and_path(&self.segments) else { return false };
        // If the file was moved aside, only its folder exists.
        let moved = || Some(trace.parent()?.canonicalize().ok()?.join(trace.file_name()?));
        let trace = trace.canonicalize().ok().or_else(moved).unwrap_or(trace);
        if commit.file_bytes == 0 {
            return trace == path;
        }
        let mut others = compressed_names(&trace).chain(past::old_names(&trace));
        let is_candidate = trace == path || others.any(|other| other == path);
        is_candidate && past::is_trace_since(path, self.anchor_ns(&commit))
    }

    /// Returns whether the process has written anything to its trace file.
    pub fn has_committed(&self) -> bool {
        commit_and_path(&self.segments).is_ok_and(|(commit, _)| commit.file_bytes > 0)
    }

    /// Returns the number of enabled events, as last stored by the process.
    pub fn events_on(&self) -> u32 {
        self.events_on
    }

    /// Returns the path of the socket of the process's monitor.
    pub fn monitor(&self) -> Option<&Path> {
        self.monitor.as_deref()
    }

    /// Returns the size in bytes of the events that are in the rings but not in the trace file.
    /// This reads only positions, so a damaged arena can contain fewer events.
    ///
    /// # Errors
    /// Returns an error if an arena cannot be read.
    pub fn unwritten_bytes(&self) -> io::Result<u64> {
        let commit = Commit::read(&self.segments)?;
        let mut bytes: u64 = 0;
        for (segment, bank) in self.segments.iter().zip(&commit.banks) {
            let header = segment.header();
            for slot in 0..header.slots as usize {
                let words = segment.slot(slot)?;
                let [position, ..] = bank.slots.get(slot).copied().unwrap_or_default();
                let found = match header.full {
                    _ if words.owner_number == 0 => 0,
                    FullPolicy::Overwrite => {
                        let pages = (0..RING_PAGES).filter_map(|index| words.ring_page(header, index));
                        pages.map(|(_, bytes)| bytes).sum()
                    }
                    _ => words.readable_bytes(header, position.max(words.consumed)),
                };
                bytes = bytes.saturating_add(found as u64);
            }
        }
        Ok(bytes)
    }

    /// Returns the arenas of the process.
    pub fn segments(&self) -> &[ArenaFile] {
        &self.segments
    }

    /// Returns the total size of the arenas in bytes.
    pub fn bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.header().file_bytes() as u64).sum()
    }

    /// Recovers the trace and passes it to `write` in pieces. If the process is running, the trace
    /// is a snapshot: the arenas are not changed, and records that are written in the meantime may
    /// be missing.
    ///
    /// # Errors
    /// Returns an error if an arena cannot be read, or the first error of `write`.
    pub fn recover(&self, mut write: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<Recovered> {
        // Copy the rings first. The commit then covers the records that leave a ring in the
        // meantime.
        let mut copies = Vec::new();
        for segment in &self.segments {
            let slots = 0..segment.header().slots as usize;
            let found: Vec<_> = slots.map(|slot| RingCopy::of(segment, slot)).collect::<io::Result<_>>()?;
            copies.push(found.into_iter().flatten().collect::<Vec<_>>());
        }
        let (commit, path) = commit_and_path(&self.segments)?;
        let event_name = |event: u32| self.metadata.events.get(&event).cloned();
        let mut assembly = Assembly::new(self.pid(), 0, event_name);
        let mut part = FilePart {
            assembly: &mut assembly,
            declared: HashSet::new(),
            sites: HashSet::new(),
            modules: HashSet::new(),
            records: 0,
            lost: 0,
        };
        let file = self.copy_file(&commit, path.as_deref(), &mut part, &mut write)?;
        let FilePart { declared, sites, modules, records: file_records, lost: file_lost, .. } = part;
        let mut out = Vec::new();
        // Add declarations of events that were registered later.
        for text in self.metadata.declarations.iter().filter(|text| !declared.contains(*text)) {
            assembly.push_metadata(&Metadata::Declaration(text.clone()), &mut out);
        }
        for site in self.metadata.sites.iter().filter(|site| !sites.contains(*site)) {
            assembly.push_metadata(&Metadata::Other(metadata::SITE.to_owned(), site.clone()), &mut out);
        }
        for module in self.metadata.modules.iter().filter(|module| !modules.contains(*module)) {
            assembly.push_metadata(&Metadata::Module(module.clone()), &mut out);
        }

        let mut losses = Losses::default();
        for (copies, bank) in copies.iter_mut().zip(&commit.banks) {
            for copy in copies {
                let [position, dropped_reported, refused_reported] =
                    bank.slots.get(copy.slot).copied().unwrap_or_default();
                copy.leave_out(position);
                assembly.name_thread(copy.words.tid, &copy.words.name);
                losses.add(copy, dropped_reported, refused_reported, self.full() == FullPolicy::Overwrite);
            }
        }
        let mut has_private_rings = false;
        for segment in &self.segments {
            let start = segment.start()?;
            losses.after.push((0, Cause::Dropped, start.unattached));
            has_private_rings |= start.has_private_rings;
        }
        for &(tid, cause, count) in &losses.before {
            assembly.add_loss(tid, cause, count);
        }
        let rings: Vec<Ring<'_>> = copies.iter().flatten().map(RingCopy::ring).collect();
        let table =
            self.segments.first().map_or_else(|| Ok(ClockTable::default()), ArenaFile::clock_table)?;
        let mut pieces = Pieces { table, write: &mut write };
        assembly.merge(&rings, &mut pieces, &mut out)?;
        for &(tid, cause, count) in &losses.after {
            assembly.add_loss(tid, cause, count);
        }
        assembly.finish(&mut out);
        let missing = missing(&file, has_private_rings);
        let mut by = b"by ringtrace recover".to_vec();
        if !missing.is_empty() {
            by.extend_from_slice(metadata::MISSING.as_bytes());
            by.extend_from_slice(missing.join(", ").as_bytes());
        }
        assembly.push_metadata(&Metadata::Other(metadata::RECOVERED.to_owned(), by), &mut out);
        write(&out)?;
        Ok(Recovered {
            file,
            file_records,
            file_lost,
            ring_records: assembly.recorded().values().sum(),
            ring_threads: assembly.recorded().len(),
            lost: losses.by_cause(),
            damaged_bytes: copies.iter().flatten().map(|copy| copy.damaged_bytes as u64).sum(),
            missing_segments: self.missing_segments(),
            has_private_rings,
            is_doubtful: commit.is_doubtful,
        })
    }

    /// Copies the committed part of the trace file. If that is not possible, copies the first bytes
    /// from the arenas instead.
    fn copy_file(
        &self,
        commit: &Commit,
        path: Option<&Path>,
        part: &mut FilePart<'_, '_>,
        write: &mut impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<TraceFile> {
        let committed_bytes = commit.file_bytes;
        let opened = match path {
            _ if committed_bytes == 0 => Err(TraceFile::NotYet),
            None => Err(TraceFile::Missing("the arena does not contain the path".to_owned())),
            Some(path) => past::open(path, self.anchor_ns(commit))?,
        };
        let without = match opened {
            Ok(file) => {
                let found_bytes = past::walk_file(&file, committed_bytes, part, &mut *write)?;
                let short = TraceFile::Short { committed_bytes, found_bytes };
                if found_bytes > 0 {
                    return Ok(if found_bytes == committed_bytes { TraceFile::Whole } else { short });
                }
                short
            }
            Err(without) => without,
        };
        let mut written = 0;
        for segment in &self.segments {
            written += past::walk(segment.metadata()?, part, &mut *write)?;
        }
        if written == 0 {
            write(&past::bare_header())?;
        }
        Ok(without)
    }

    /// Returns the monotonic time of the first anchor in the current trace file.
    fn anchor_ns(&self, commit: &Commit) -> Option<u64> {
        let first_ns = self.metadata.anchor.map(|anchor| anchor.monotonic_ns);
        Some(commit.anchor_ns).filter(|&anchor_ns| anchor_ns != 0).or(first_ns)
    }

    fn missing_segments(&self) -> usize {
        let last = self.segments.last().map_or(0, |last| last.header().segment as usize);
        (last + 1).saturating_sub(self.segments.len())
    }
}

fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    (!bytes.is_empty()).then(|| PathBuf::from(OsString::from_vec(bytes)))
}

/// Reads the newest commit and the path of its trace file. A running process may continue in another
/// file in the meantime.
fn commit_and_path(segments: &[ArenaFile]) -> io::Result<(Commit, Option<PathBuf>)> {
    let mut commit = Commit::read(segments)?;
    loop {
        let mut path = None;
        for segment in segments {
            let [even, odd] = segment.start()?.paths;
            path = path.or_else(|| path_of(if commit.file.is_multiple_of(2) { even } else { odd }));
        }
        // The process replaces a path only after it has committed another file.
        let file = commit.file;
        commit = Commit::read(segments)?;
        if commit.file == file {
            return Ok((commit, path));
        }
    }
}

#[derive(Debug, Default)]
struct Losses {
    /// Losses before a thread's first record.
    before: Vec<(u32, Cause, u64)>,
    /// Losses after a thread's last record.
    after: Vec<(u32, Cause, u64)>,
    /// Losses reported by dropped records in the rings.
    within: u64,
}

impl Losses {
    fn add(&mut self, copy: &RingCopy, dropped_reported: u64, refused_reported: u64, overwrites: bool) {
        let words = &copy.words;
        let within: u64 =
            copy.ring().records().filter_map(|found| found.dropped()).fold(0, u64::saturating_add);
        self.within = self.within.saturating_add(within);
        let unreported = words.dropped.saturating_sub(dropped_reported).saturating_sub(within);
        let refused = words.refused.saturating_sub(refused_reported).min(unreported);
        if !overwrites {
            self.add_after(words.tid, refused, unreported);
            return;
        }
        // The file does not report any losses of the slot's threads yet. The slot's state
        // distinguishes the losses of its last thread from those of earlier threads.
        let [before, dropped_before, refused_before] = words.before;
        let found = |own: bool| {
            let ring = copy.ring();
            ring.records().filter(|found| (found.tid == words.tid) == own).count() as u64
        };
        let issued = copy.issued.max(before);
        self.before.push((words.tid, Cause::Overwritten, (issued - before).saturating_sub(found(true))));
        self.before.push((0, Cause::Overwritten, before.saturating_sub(found(false))));
        let (refused_before, dropped_before) = (refused_before.min(refused), dropped_before.min(unreported));
        self.add_after(0, refused_before, dropped_before);
        self.add_after(words.tid, refused - refused_before, unreported - dropped_before);
    }

    /// Adds losses after a thread's last record. `dropped` includes the refused records.
    fn add_after(&mut self, tid: u32, refused: u64, dropped: u64) {
        self.after.push((tid, Cause::Refused, refused));
        self.after.push((tid, Cause::Dropped, dropped.saturating_sub(refused)));
    }

    fn by_cause(&self) -> Vec<(Cause, u64)> {
        let mut counts: HashMap<Cause, u64> = HashMap::from([(Cause::Dropped, self.within)]);
        for &(_, cause, count) in self.before.iter().chain(&self.after) {
            let sum = counts.entry(cause).or_default();
            *sum = sum.saturating_add(count);
        }
        let count = |cause| counts.get(&cause).copied().unwrap_or(0);
        CAUSES.into_iter().map(|cause| (cause, count(cause))).filter(|&(_, count)| count > 0).collect()
    }
}

struct Pieces<'w, W> {
    table: ClockTable,
    write: &'w mut W,
}

const WRITE_BYTES: usize = 1 << 18;

impl<W: FnMut(&[u8]) -> io::Result<()>> Output for Pieces<'_, W> {
    type Error = io::Error;

    fn time_ns(&mut self, stamp: u64) -> u64 {
        self.table.time_ns(stamp)
    }

    fn take(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        if bytes.len() >= WRITE_BYTES {
            (self.write)(bytes)?;
            bytes.clear();
        }
        Ok(())
    }
}
