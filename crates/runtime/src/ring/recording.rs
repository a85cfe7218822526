//! The rings of one trace, and what their threads share with the writer thread.
//!
//! A recording lives from the start of a trace file to its end. Memory of it stays: threads may still hold slots of it.

#![expect(unsafe_code, reason = "recordings live for ever and are found by a pointer")]

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use ringtrace_wire::arena::{FullPolicy, Header, MAX_SLOTS};

use super::arena::Arena;
use super::consumer;
use super::doorbell::{Doorbell, Requests};
use super::pauses::Pauses;
use super::snapshot_requests::SnapshotRequests;
use crate::os::signal::{self, BlockedSignals};
use crate::os::{error_text, fork, lock, wait};

/// The most arenas that a session has: 64 threads each.
const MAX_ARENAS: usize = 64;

/// A trace that is being recorded. Lives as long as the process, because threads may still hold slots of it.
#[derive(Debug)]
pub(crate) struct Recording {
    /// Another one for each.
    pub(crate) id: u64,
    pub(crate) pid: u32,
    /// The trace file.
    path: PathBuf,
    pub(crate) full: FullPolicy,
    pub(crate) block_timeout: Option<Duration>,
    header: Header,
    directory: PathBuf,
    arenas: [AtomicPtr<Arena>; MAX_ARENAS],
    arena_count: AtomicUsize,
    doorbell: Doorbell,
    pub(crate) flushes: Requests,
    snapshots: SnapshotRequests,
    pauses: Pauses,
    /// Threads that wait for a slot, and what they wait on.
    slots_wanted: AtomicU32,
    slots_freed: AtomicU32,
    stopping: AtomicBool,
    /// How much of the trace file there is.
    written_bytes: AtomicU64,
    /// The trace file takes nothing now.
    failing: AtomicBool,
    /// Why, and which failure of the process it is.
    failure: Mutex<Option<(u64, String)>>,
    /// The trace file was removed; which failure of the process that is.
    removal: OnceLock<u64>,
    gone: AtomicBool,
}

static CURRENT: AtomicPtr<Recording> = AtomicPtr::new(ptr::null_mut());
static LAST_ID: AtomicU64 = AtomicU64::new(0);
static LAST_FAILURE: AtomicU64 = AtomicU64::new(0);

/// The text of a failure: the trace file has no name any more.
pub(crate) const REMOVED: &str =
    "was removed; what is written to it from here on is lost when the program ends";

/// The trace that this process records.
#[inline]
pub(crate) fn current() -> Option<&'static Recording> {
    started().filter(|recording| fork::is_own(recording.id))
}

/// The trace that was being recorded when this process was forked, when it has none of its own.
pub(crate) fn inherited() -> Option<&'static Recording> {
    started().filter(|recording| !fork::is_own(recording.id))
}

/// Whether there is a trace, be it that another one is just about to follow it.
pub(crate) fn is_any() -> bool {
    started().is_some()
}

fn started() -> Option<&'static Recording> {
    // SAFETY: null, or a session that was leaked when it started.
    unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
}

/// Makes `recording` the current one; `None`: nothing is recorded.
pub(crate) fn set_current(recording: Option<&'static Recording>) {
    let recording = recording.map_or(ptr::null_mut(), |recording| ptr::from_ref(recording).cast_mut());
    CURRENT.store(recording, Ordering::Release);
}

/// Starts a recording in the child of a fork: the session's, which has the settings.
static START_IN_CHILD: OnceLock<fn() -> Option<&'static Recording>> = OnceLock::new();

/// Sets what [`of_child`] calls. Once, when the first session starts.
pub(crate) fn set_start_in_child(start: fn() -> Option<&'static Recording>) {
    START_IN_CHILD.get_or_init(|| start);
}

thread_local! {
    /// Set while the thread starts a session, so that nothing that it calls starts another one.
    static STARTING: Cell<bool> = const { Cell::new(false) };
}

/// In a child of a process that records: a session of its own, which is started if there is none.
///
/// `None`: nothing was recorded when the process forked, it cannot be started, or not here, because this is a signal handler.
pub(crate) fn of_child() -> Option<&'static Recording> {
    inherited()?;
    if STARTING.replace(true) {
        return None;
    }
    let recording = if signal::in_handler() {
        // Memory is needed, and its lock may be held by what was interrupted.
        None
    } else {
        let _blocked = BlockedSignals::all();
        START_IN_CHILD.get().and_then(|start| start())
    };
    STARTING.set(false);
    recording
}

impl Recording {
    /// A recording into the file at `path`, without arenas yet. Lives as long as the process.
    pub(crate) fn new(
        path: PathBuf,
        block_timeout: Option<Duration>,
        header: Header,
        directory: PathBuf,
    ) -> &'static Recording {
        Box::leak(Box::new(Recording {
            id: LAST_ID.fetch_add(1, Ordering::Relaxed) + 1,
            pid: header.pid,
            path,
            full: header.full,
            block_timeout,
            header,
            directory,
            arenas: [const { AtomicPtr::new(ptr::null_mut()) }; MAX_ARENAS],
            arena_count: AtomicUsize::new(0),
            doorbell: Doorbell::new(),
            flushes: Requests::new(),
            snapshots: SnapshotRequests::default(),
            pauses: Pauses::default(),
            slots_wanted: AtomicU32::new(0),
            slots_freed: AtomicU32::new(0),
            stopping: AtomicBool::new(false),
            written_bytes: AtomicU64::new(0),
            failing: AtomicBool::new(false),
            failure: Mutex::new(None),
            removal: OnceLock::new(),
            gone: AtomicBool::new(false),
        }))
    }

    /// The trace is to end: the writer thread writes what is in the rings, and stops.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        self.want_writer();
    }

    /// For the writer thread: when recording went off and on.
    pub(crate) fn pauses(&self) -> &Pauses {
        &self.pauses
    }

    /// Snapshots that are asked for.
    pub(crate) fn snapshots(&self) -> &SnapshotRequests {
        &self.snapshots
    }

    /// The trace file.
    pub(crate) fn trace_path(&self) -> &Path {
        &self.path
    }

    /// All arenas.
    pub(crate) fn arenas(&self) -> impl Iterator<Item = &'static Arena> {
        let count = self.arena_count.load(Ordering::Acquire);
        // SAFETY: the first `count` pointers are arenas that were leaked.
        self.arenas[..count].iter().map(|arena| unsafe { &*arena.load(Ordering::Relaxed) })
    }

    /// Adds an arena. Only at the start and by the writer thread.
    pub(crate) fn add_arena(&self) -> io::Result<&'static Arena> {
        let count = self.arena_count.load(Ordering::Relaxed);
        if count == MAX_ARENAS {
            return Err(io::Error::new(
                io::ErrorKind::OutOfMemory,
                "the process has 4096 threads that trace",
            ));
        }
        let mut header = Header { segment: count as u32, ..self.header };
        if count > 0 {
            header.slots = MAX_SLOTS as u32;
            header.metadata_capacity = 0;
        }
        let arena: &'static Arena = Box::leak(Box::new(Arena::create(&self.directory, header)?));
        self.arenas[count].store(ptr::from_ref(arena).cast_mut(), Ordering::Relaxed);
        self.arena_count.store(count + 1, Ordering::Release);
        Ok(arena)
    }

    /// Takes a slot. When threads wait for room, they also wait for a slot.
    pub(crate) fn take_slot(&self) -> Option<(&'static Arena, usize)> {
        self.take_free_slot().or_else(|| self.wait_for_slot())
    }

    fn take_free_slot(&self) -> Option<(&'static Arena, usize)> {
        let found = self.arenas().find_map(|arena| Some((arena, arena.free().take()?)));
        if self.is_short_of_slots() {
            self.wake_writer();
        }
        found
    }

    fn wait_for_slot(&self) -> Option<(&'static Arena, usize)> {
        if self.full != FullPolicy::Block || !self.has_writer() || !wait::may_block() {
            return None;
        }
        let give_up = self.block_timeout.map(wait::Deadline::after);
        self.slots_wanted.fetch_add(1, Ordering::Relaxed);
        // Pairs with the writer thread's between giving slots back and asking who wants one.
        fence(Ordering::SeqCst);
        let found = loop {
            let seen = self.slots_freed.load(Ordering::Acquire);
            if let Some(found) = self.take_free_slot() {
                break Some(found);
            }
            if !self.has_writer() || !wait::for_change(&self.slots_freed, seen, give_up.as_ref()) {
                break None;
            }
        };
        self.slots_wanted.fetch_sub(1, Ordering::Relaxed);
        found
    }

    /// For the writer thread: there may be free slots.
    pub(crate) fn announce_slots(&self) {
        // Between giving slots back and asking who waits, as the other side counts itself before it looks.
        fence(Ordering::SeqCst);
        if self.slots_wanted.load(Ordering::Relaxed) > 0 {
            self.slots_freed.fetch_add(1, Ordering::Release);
            wait::wake(&self.slots_freed);
        }
    }

    /// Whether so few slots are free that another arena is wanted.
    pub(crate) fn is_short_of_slots(&self) -> bool {
        self.arenas().map(|arena| arena.free().count()).sum::<u32>() < 4
    }

    /// A thread has left its slot.
    pub(crate) fn slot_left(&self) {
        if self.is_short_of_slots() {
            self.wake_writer();
        }
    }

    /// Records dropped because their thread got no slot.
    pub(crate) fn unattached(&self) -> &AtomicU64 {
        // There is always a first arena.
        self.arenas().next().map_or(&UNATTACHED, Arena::unattached)
    }

    /// Wakes the writer thread if it sleeps.
    pub(crate) fn wake_writer(&self) {
        self.doorbell.ring_if_asleep();
    }

    /// Wakes the writer thread, or keeps it from falling asleep.
    pub(crate) fn want_writer(&self) {
        self.doorbell.ring();
    }

    /// Whether there is a writer thread, even if its file takes nothing.
    pub(crate) fn has_writer_thread(&self) -> bool {
        !self.gone.load(Ordering::Acquire) && fork::is_own(self.id)
    }

    /// Whether there is a writer thread that will make room.
    pub(crate) fn has_writer(&self) -> bool {
        self.has_writer_thread() && !self.failing.load(Ordering::Acquire)
    }

    /// For the writer thread: what it sleeps at.
    pub(crate) fn doorbell(&self) -> &Doorbell {
        &self.doorbell
    }

    /// For the writer thread: the flushes that threads wait for.
    pub(crate) fn flushes(&self) -> &Requests {
        &self.flushes
    }

    /// For the writer thread: whether the trace is to end.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Whether the trace goes on in another session.
    pub(crate) fn is_followed(&self) -> bool {
        current().is_some_and(|now| now.id != self.id)
    }

    /// For the writer thread: it ends.
    pub(crate) fn writer_gone(&self) {
        self.gone.store(true, Ordering::Release);
        self.wake_waiting();
    }

    /// For the writer thread, and who has waited too long for it: why the trace file takes nothing now, if it does not. Nobody waits for it then.
    pub(crate) fn set_failure(&self, error: Option<&io::Error>) {
        let failing = error.is_some();
        if self.failing.swap(failing, Ordering::AcqRel) == failing {
            return;
        }
        let text = error.map(|error| (next_failure(), error_text(error)));
        *lock(&self.failure) = text;
        self.wake_waiting();
    }

    /// For the writer thread: somebody has removed the trace file.
    pub(crate) fn note_removal(&self) {
        self.removal.get_or_init(next_failure);
    }

    /// What is wrong with the trace file now, and which failure of the process that is.
    pub(crate) fn failure(&self) -> Option<(u64, String)> {
        let failure = lock(&self.failure).clone();
        failure.or_else(|| Some((*self.removal.get()?, format!("it {REMOVED}"))))
    }

    /// For the writer thread: so many bytes are in the trace file.
    pub(crate) fn set_written_bytes(&self, bytes: u64) {
        self.written_bytes.store(bytes, Ordering::Relaxed);
    }

    /// How many bytes are in the trace file.
    pub(crate) fn written_bytes(&self) -> u64 {
        self.written_bytes.load(Ordering::Relaxed)
    }

    /// Whoever waits for the writer thread looks whether it is there.
    fn wake_waiting(&self) {
        self.flushes.announce();
        for arena in self.arenas() {
            (0..arena.header.slots as usize).for_each(|index| consumer::wake_waiting(&arena.slot(index)));
        }
    }
}

static UNATTACHED: AtomicU64 = AtomicU64::new(0);

fn next_failure() -> u64 {
    LAST_FAILURE.fetch_add(1, Ordering::Relaxed) + 1
}
