//! A trace that is being recorded: from start to stop.

use std::io;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ringtrace_wire::arena::{FullPolicy, Header, MAX_SLOTS, PAGE_BYTES, StampUnit};

use crate::arena::{self, Arena};
use crate::doorbell::{Doorbell, Requests};
use crate::settings::{Policy, Settings};
use crate::signal::BlockedSignals;
use crate::sink::{REMOVED, Sink};
use crate::snapshot::Snapshots;
use crate::{announcement, clock, consumer, fork, opening, wait, writer};

mod facts;
mod guard;
mod log_file;
mod pauses;
mod standby;
mod start_error;
mod state;
mod trace_file;
#[cfg(feature = "monitor")]
mod waited;

pub(crate) use facts::{Facts, facts, lock_for_fork};
pub use guard::Guard;
pub use log_file::set_log_file;
#[cfg(feature = "monitor")]
pub(crate) use log_file::set_log_file_within;
pub(crate) use pauses::Pauses;
#[cfg(feature = "monitor")]
pub(crate) use standby::{Standby, standby};
pub use start_error::StartError;
use state::Origin;
pub(crate) use state::{State, start_in_child, state, stop_at_exit, switch_backends_by};
pub use state::{start, switch_backends};
pub(crate) use trace_file::is_of_trace;
pub use trace_file::{is_recording, set_recording, set_trace_file, trace_file};
#[cfg(feature = "monitor")]
pub(crate) use trace_file::{is_undecided, set_trace_file_within};
#[cfg(feature = "monitor")]
pub(crate) use waited::{flush_within, stop_recording_within};

/// The most arenas that a session has: 64 threads each.
const MAX_ARENAS: usize = 64;

/// A trace that is being recorded. Lives as long as the process, because threads may still hold slots of it.
#[derive(Debug)]
pub(crate) struct Session {
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
    flushes: Requests,
    snapshots: Snapshots,
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

static CURRENT: AtomicPtr<Session> = AtomicPtr::new(ptr::null_mut());
static LAST_ID: AtomicU64 = AtomicU64::new(0);
static LAST_FAILURE: AtomicU64 = AtomicU64::new(0);
/// The trace that this process records.
#[inline]
pub(crate) fn current() -> Option<&'static Session> {
    started().filter(|session| fork::is_own(session.id))
}

/// The trace that was being recorded when this process was forked, when it has none of its own.
pub(crate) fn inherited() -> Option<&'static Session> {
    started().filter(|session| !fork::is_own(session.id))
}

/// Whether there is a trace, be it that another one is just about to follow it.
pub(crate) fn is_any() -> bool {
    started().is_some()
}

fn started() -> Option<&'static Session> {
    // SAFETY: null, or a session that was leaked when it started.
    unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
}

/// Makes rings and a writer thread for `sink`.
fn begin(settings: &Settings, sink: Sink) -> Result<JoinHandle<()>, StartError> {
    let pid = std::process::id();
    let path = sink.path().to_path_buf();
    let opening = opening::Opening::new(settings);
    let (full, block_timeout) = match settings.policy {
        Policy::Discard => (FullPolicy::Discard, None),
        Policy::Block { timeout } => (FullPolicy::Block, timeout),
        Policy::Overwrite => (FullPolicy::Overwrite, None),
    };
    let (least, most) = (*Settings::BUFFER_BYTES.start(), *Settings::BUFFER_BYTES.end());
    let header = Header {
        pid,
        full,
        segment: 0,
        slots: settings.threads.clamp(1, MAX_SLOTS) as u32,
        ring_bytes: settings.buffer_bytes.clamp(least, most).next_power_of_two() as u64,
        metadata_capacity: (opening.bytes().len() + (256 << 10)).next_multiple_of(PAGE_BYTES) as u64,
        stamps: if clock::stamps_are_ticks() { StampUnit::Ticks } else { StampUnit::Ns },
        started_ns: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64),
    };
    arena::has_memory(settings.threads, header.ring_bytes).map_err(StartError::Rings)?;
    let directory = arena::directory(settings.directory.as_deref()).map_err(StartError::Rings)?;
    let session: &'static Session = Box::leak(Box::new(Session {
        id: LAST_ID.fetch_add(1, Ordering::Relaxed) + 1,
        pid,
        path,
        full,
        block_timeout,
        header,
        directory,
        arenas: [const { AtomicPtr::new(ptr::null_mut()) }; MAX_ARENAS],
        arena_count: AtomicUsize::new(0),
        doorbell: Doorbell::new(),
        flushes: Requests::new(),
        snapshots: Snapshots::default(),
        pauses: Pauses::default(),
        slots_wanted: AtomicU32::new(0),
        slots_freed: AtomicU32::new(0),
        stopping: AtomicBool::new(false),
        written_bytes: AtomicU64::new(0),
        failing: AtomicBool::new(false),
        failure: Mutex::new(None),
        removal: OnceLock::new(),
        gone: AtomicBool::new(false),
    }));
    let give_up = || {
        for arena in session.arenas() {
            arena.remove();
            arena.disconnect();
        }
    };
    let first = session.add_arena().map_err(StartError::Rings)?;
    for _ in 1..settings.threads.div_ceil(MAX_SLOTS) {
        session.add_arena().inspect_err(|_| give_up()).map_err(StartError::Rings)?;
    }
    first.append_metadata(opening.bytes());
    first.set_trace_path(std::os::unix::ffi::OsStrExt::as_bytes(sink.path().as_os_str()));
    let thread = writer::Writer::new(session, sink, opening);
    let spawned = {
        let _blocked = BlockedSignals::all();
        std::thread::Builder::new().name("ringtrace".to_owned()).spawn(move || thread.run())
    };
    let writer = spawned.map_err(|error| {
        give_up();
        StartError::Writer(error)
    })?;
    if let Some(list) = &settings.announce {
        announcement::append(list, pid, first.path(), &session.path);
    }
    fork::set_own(session.id);
    CURRENT.store(ptr::from_ref(session).cast_mut(), Ordering::Release);
    Ok(writer)
}

/// Waits until everything that was recorded before is in the file. `false`: nothing is being recorded, the file takes nothing,
/// or the writer thread is gone. With [`Policy::Overwrite`] records stay in their rings until the end, or a [`snapshot`](crate::snapshot()).
pub fn flush() -> bool {
    let Some(session) = current() else { return false };
    let mine = session.flushes.ask();
    session.flushes.wait(mine, || session.has_writer(), || session.want_writer())
}

/// What a probe does in the child of a fork, where its thread's memory is wiped: it tries again, as a thread without a slot.
pub(crate) fn in_child() -> bool {
    crate::producer::clear_current();
    true
}

impl Session {
    /// For the writer thread: when recording went off and on.
    pub(crate) fn pauses(&self) -> &Pauses {
        &self.pauses
    }

    /// Snapshots that are asked for.
    pub(crate) fn snapshots(&self) -> &Snapshots {
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
        self.arenas().next().map_or(&NOBODY, Arena::unattached)
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
        let text = error.map(|error| (next_failure(), text_of(error)));
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = text;
        self.wake_waiting();
    }

    /// For the writer thread: somebody has removed the trace file.
    pub(crate) fn note_removal(&self) {
        self.removal.get_or_init(next_failure);
    }

    /// What is wrong with the trace file now, and which failure of the process that is.
    pub(crate) fn failure(&self) -> Option<(u64, String)> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone();
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

static NOBODY: AtomicU64 = AtomicU64::new(0);

fn next_failure() -> u64 {
    LAST_FAILURE.fetch_add(1, Ordering::Relaxed) + 1
}

/// What is wrong, without the number that people would have to look up.
pub(crate) fn text_of(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
