//! Start of a recording: arenas, trace file and writer thread.

use std::io;
use std::sync::{Arc, mpsc};
use std::time::{SystemTime, UNIX_EPOCH};

use ringtrace_wire::arena::{FullPolicy, Header, MAX_SLOTS, PAGE_BYTES, StampUnit};

use super::space::Rings;
use super::{StartError, announcement};
use crate::clock;
use crate::event::registry;
use crate::options::{Policy, Settings};
use crate::os::sanitizer::ThreadSanitizer;
use crate::os::signal::BlockedSignals;
use crate::os::thread::{self, Thread};
use crate::os::{fork, sync};
use crate::ring::arena;
use crate::ring::arena_file::is_full;
use crate::ring::directory::Directory;
use crate::ring::recording::{self, Recording};
use crate::writer::Writer;
use crate::writer::change::{SinkRequest, SinkRequests};
use crate::writer::preamble::{Facts, Preamble};
use crate::writer::sink::Sink;

/// The space in an arena for declarations of events that are registered later. It is enough for
/// tens of thousands of events. The memory is allocated when it is used.
const METADATA_BYTES: usize = 16 << 20;

/// A running writer thread.
#[derive(Debug)]
pub(super) struct RunningWriter {
    thread: Thread,
    requests: Arc<SinkRequests>,
}

impl RunningWriter {
    pub(super) fn join(self) {
        self.thread.join();
    }

    /// Continues in the file of `sink`. Everything published so far is in the previous file, which
    /// is complete.
    ///
    /// # Errors
    /// Fails if neither the previous file nor the new one can be written, or if the writer thread
    /// has ended. The trace then continues in the previous file.
    pub(super) fn change_sink(&self, recording: &Recording, sink: Sink) -> io::Result<()> {
        let (answer, answered) = mpsc::sync_channel(1);
        self.requests.request(SinkRequest { sink, answer });
        recording.want_writer();
        // The writer thread wakes at intervals even if it misses the doorbell. If it ends, it drops
        // the request.
        answered.recv().unwrap_or_else(|_| Err(io::Error::other("the writer thread has ended")))
    }
}

pub(super) fn start_recording(
    settings: &Settings,
    sink: Sink,
    facts: Facts,
) -> Result<RunningWriter, StartError> {
    let pid = std::process::id();
    let path = sink.path().to_path_buf();
    let (full, block_timeout) = match settings.policy {
        Policy::Discard => (FullPolicy::Discard, None),
        Policy::Block { timeout } => (FullPolicy::Block, timeout),
        Policy::Overwrite => (FullPolicy::Overwrite, None),
    };
    let wanted = Rings::of(settings);
    let header = wanted.header(Header {
        pid,
        full,
        segment: 0,
        slots: 1,
        ring_bytes: 0,
        metadata_capacity: (Preamble::estimate() + METADATA_BYTES).next_multiple_of(PAGE_BYTES) as u64,
        stamps: if clock::stamps_are_ticks() { StampUnit::Ticks } else { StampUnit::Ns },
        started_ns: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64),
    });
    arena::has_memory(wanted.count, wanted.bytes).map_err(StartError::Rings)?;
    let directory = Directory::open(settings.directory.as_deref()).map_err(StartError::Rings)?;
    let rings = wanted.fit_into(&directory, header).map_err(StartError::Rings)?;
    directory.use_private_memory(rings.is_private);
    let recording = Recording::new(path, block_timeout, rings.header(header));
    let give_up = || {
        for arena in recording.arenas() {
            arena.remove();
            arena.disconnect();
        }
    };
    let first = match recording.add_first_arena(&directory) {
        // The space was taken in the meantime, or there is a quota.
        Err(error) if is_full(&error) && !rings.is_private => {
            directory.use_private_memory(true);
            Rings { is_private: true, ..rings }.report(wanted, &directory);
            recording.add_first_arena(&directory)
        }
        added => {
            rings.report(wanted, &directory);
            added
        }
    };
    let first = first.map_err(StartError::Rings)?;
    for _ in 1..rings.count.div_ceil(MAX_SLOTS) {
        match recording.add_arena() {
            // Threads without a ring drop and count their events.
            Err(error) if is_full(&error) => break,
            added => added.inspect_err(|_| give_up()).map_err(StartError::Rings)?,
        };
    }
    let preamble = Preamble::new(facts, first);
    recording.note_declared(preamble.declared());
    first.set_trace_path(0, std::os::unix::ffi::OsStrExt::as_bytes(sink.path().as_os_str()));
    sync::prepare_fences();
    let requests = Arc::new(SinkRequests::default());
    let writer = Writer::new(recording, Arc::clone(&requests), sink, preamble, settings.format);
    let sanitizer = ThreadSanitizer::find();
    let spawned = {
        let _blocked = BlockedSignals::all();
        thread::spawn(c"ringtrace", move || {
            let _ignored = sanitizer.ignore_this_thread();
            writer.run();
        })
    };
    let thread = spawned.map_err(|error| {
        give_up();
        StartError::Writer(error)
    })?;
    announce(settings, recording);
    fork::set_own(recording.id);
    // Threads that declare an event do so in the current recording, under the same lock. So each
    // event is declared either here or by its thread.
    registry::each_declared(
        |event, remark| recording.declare(event.id(), event.name(), event.declaration().text, remark),
        || recording::set_current(Some(recording)),
    );
    #[cfg(feature = "monitor")]
    recording::note_monitor();
    Ok(RunningWriter { thread, requests })
}

/// Announces the current trace file, if this was requested.
pub(super) fn announce(settings: &Settings, recording: &Recording) {
    if let Some(list) = &settings.announce
        && let Some(first) = recording.arenas().next()
    {
        announcement::append(list, recording.pid, first.path(), &recording.trace_path());
    }
}
