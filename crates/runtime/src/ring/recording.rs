//! The rings of one trace, and the state that their threads share with the writer thread.

#![expect(unsafe_code, reason = "recordings are never freed and are found through a pointer")]

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use ringtrace_wire::arena::{FullPolicy, Header, MAX_SEGMENTS, MAX_SLOTS};

use super::arena::Arena;
use super::arena_file::{fit_slots, free_bytes, is_full};
use super::consumer;
use super::declarations::ArenaDeclarations;
use super::directory::Directory;
use super::doorbell::{Doorbell, Requests};
use super::pauses::Pauses;
use super::quiesce;
use super::slot_wait::SlotWait;
use super::snapshot_requests::SnapshotRequests;
use super::without_slot::{self, Entry, WithoutSlot};
use crate::event::id_set::IdSet;
#[cfg(feature = "monitor")]
use crate::os::services;
use crate::os::signal::{self, BlockedSignals};
use crate::os::sync::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use crate::os::wait::{self, MayWait};
use crate::os::{error_text, fork, lock};

/// The maximum number of threads without a slot whose dropped records are counted separately.
const MAX_WITHOUT_SLOT: usize = 1024;

/// If fewer slots are free, another arena is added. It has at least this number of slots.
const FEW_SLOTS: u32 = 4;

/// Unused entries of an earlier recording, for the next one. Use only `try_lock`: if another
/// thread held the lock during a fork, it is never released in the child. New entries can then be
/// used instead.
static SPARE_ENTRIES: Mutex<Option<&'static [Entry]>> = Mutex::new(None);

/// The longest wait for a slot in code that may be a signal handler. The handler may have
/// interrupted code on which the writer thread depends.
const SLOT_TIMEOUT_IN_HANDLER: Duration = Duration::from_millis(100);

/// A trace that is being recorded, from the start of its first file to the end of its last one. It
/// is never freed, because threads may still hold slots of it.
#[derive(Debug)]
pub(crate) struct Recording {
    /// Unique in the process.
    pub(crate) id: u64,
    pub(crate) pid: u32,
    /// The trace file. The writer thread changes it when the trace continues in another file.
    path: Mutex<PathBuf>,
    pub(crate) full: FullPolicy,
    pub(crate) block_timeout: Option<Duration>,
    header: Header,
    arenas: [AtomicPtr<Arena>; MAX_SEGMENTS],
    arena_count: AtomicUsize,
    doorbell: Doorbell,
    pub(crate) flushes: Requests,
    snapshots: SnapshotRequests,
    declarations: ArenaDeclarations,
    pauses: Pauses,
    slot_wait: SlotWait,
    without_slot: WithoutSlot,
    /// The first thread whose ring could not be allocated; 0 if there is none.
    thread_without_memory: AtomicU32,
    stopping: AtomicBool,
    written_bytes: AtomicU64,
    uncompressed_bytes: AtomicU64,
    failing: AtomicBool,
    /// The number of the failure, unique in the process, and its message.
    failure: Mutex<Option<(u64, String)>>,
    /// The number and description of a condition of the trace file that does not prevent writing, such
    /// as its removal.
    condition: Mutex<Option<(u64, String)>>,
    gone: AtomicBool,
    /// The recording before this one.
    previous: AtomicPtr<Recording>,
}

/// The newest recording. Only leak checkers follow the list that starts here.
static NEWEST: AtomicPtr<Recording> = AtomicPtr::new(ptr::null_mut());

static CURRENT: AtomicPtr<Recording> = AtomicPtr::new(ptr::null_mut());
static LAST_ID: AtomicU64 = AtomicU64::new(0);
static LAST_FAILURE: AtomicU64 = AtomicU64::new(0);

/// The message for a trace file that was removed.
pub(crate) const REMOVED: &str =
    "was removed; events written to it from now on are lost when the program ends";

#[inline]
pub(crate) fn current() -> Option<&'static Recording> {
    started().filter(|recording| fork::is_own(recording.id))
}

/// The recording of the parent at the time of the fork, if this process has none of its own.
pub(crate) fn inherited() -> Option<&'static Recording> {
    started().filter(|recording| !fork::is_own(recording.id))
}

/// Returns whether there is a recording, including one that is about to be replaced by the next.
pub(crate) fn is_any() -> bool {
    started().is_some()
}

fn started() -> Option<&'static Recording> {
    // SAFETY: the pointer is null, or points to a recording that was leaked when it started.
    unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
}

pub(crate) fn set_current(recording: Option<&'static Recording>) {
    let recording = recording.map_or(ptr::null_mut(), |recording| ptr::from_ref(recording).cast_mut());
    CURRENT.store(recording, Ordering::Release);
}

/// The function that starts a recording in a forked child. The session sets it, because it has the
/// settings.
static START_IN_CHILD: OnceLock<fn() -> Option<&'static Recording>> = OnceLock::new();

/// Sets the function that [`of_child`] calls. This is called when the first session starts.
pub(crate) fn set_start_in_child(start: fn() -> Option<&'static Recording>) {
    START_IN_CHILD.get_or_init(|| start);
}

/// Stores the path of the monitor's socket in the current arena. Called whenever a monitor starts
/// or ends.
#[cfg(feature = "monitor")]
pub(crate) fn note_monitor() {
    let Some(arena) = current().and_then(|recording| recording.arenas().next()) else { return };
    // The lock prevents concurrent calls, so that the last one stores the last monitor.
    let services = services::lock_services();
    let socket = services.socket().map_or(&[][..], |socket| socket.as_os_str().as_encoded_bytes());
    arena.set_monitor(socket);
}

thread_local! {
    /// Set while this thread starts a session, so that nothing that it calls starts another
    /// session.
    static STARTING: Cell<bool> = const { Cell::new(false) };
}

/// Returns the recording of a forked child, and starts it if necessary.
///
/// Returns `None` if the parent recorded nothing, if the start fails, or if the caller is a signal
/// handler.
pub(crate) fn of_child() -> Option<&'static Recording> {
    inherited()?;
    if STARTING.replace(true) {
        return None;
    }
    let recording = if signal::in_handler() {
        // Starting allocates, and the interrupted code may hold the allocator's lock.
        None
    } else {
        let _blocked = BlockedSignals::all();
        START_IN_CHILD.get().and_then(|start| start())
    };
    STARTING.set(false);
    recording
}

impl Recording {
    /// Creates a recording for the file at `path`. It has no arenas yet.
    pub(crate) fn new(path: PathBuf, block_timeout: Option<Duration>, header: Header) -> &'static Recording {
        let recording: &'static Recording = Box::leak(Box::new(Recording {
            id: LAST_ID.fetch_add(1, Ordering::Relaxed) + 1,
            pid: header.pid,
            path: Mutex::new(path),
            full: header.full,
            block_timeout,
            header,
            arenas: [const { AtomicPtr::new(ptr::null_mut()) }; MAX_SEGMENTS],
            arena_count: AtomicUsize::new(0),
            doorbell: Doorbell::new(),
            flushes: Requests::new(),
            snapshots: SnapshotRequests::default(),
            declarations: ArenaDeclarations::new(),
            pauses: Pauses::default(),
            slot_wait: SlotWait::new(),
            without_slot: WithoutSlot::new(entries()),
            thread_without_memory: AtomicU32::new(0),
            stopping: AtomicBool::new(false),
            written_bytes: AtomicU64::new(0),
            uncompressed_bytes: AtomicU64::new(0),
            failing: AtomicBool::new(false),
            failure: Mutex::new(None),
            condition: Mutex::new(None),
            gone: AtomicBool::new(false),
            previous: AtomicPtr::new(ptr::null_mut()),
        }));
        let previous = NEWEST.swap(ptr::from_ref(recording).cast_mut(), Ordering::Relaxed);
        recording.previous.store(previous, Ordering::Relaxed);
        recording
    }

    /// Requests the end of the trace: the writer thread writes the remaining records and ends.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        quiesce::revoke_own_room(self.id);
        self.want_writer();
    }

    pub(crate) fn pauses(&self) -> &Pauses {
        &self.pauses
    }

    pub(crate) fn snapshots(&self) -> &SnapshotRequests {
        &self.snapshots
    }

    pub(crate) fn trace_path(&self) -> PathBuf {
        lock(&self.path).clone()
    }

    /// Notes that the trace continues in the file at `path`. The failures of the previous file do
    /// not concern this one. Only the writer thread calls this.
    pub(crate) fn set_trace_path(&self, path: &Path) {
        path.clone_into(&mut lock(&self.path));
        *lock(&self.condition) = None;
        self.set_failure(None);
    }

    pub(crate) fn arenas(&self) -> impl Iterator<Item = &'static Arena> {
        let count = self.arena_count.load(Ordering::Acquire);
        // SAFETY: the first `count` pointers point to arenas that were leaked.
        self.arenas[..count].iter().map(|arena| unsafe { &*arena.load(Ordering::Relaxed) })
    }

    /// Adds an arena in the directory of the first arena. If the directory has no space for at least
    /// [`FEW_SLOTS`] rings, this arena and all later ones are in private memory. Only the code that
    /// starts the recording and the writer thread may call this.
    pub(crate) fn add_arena(&self) -> io::Result<&'static Arena> {
        let directory = self.arenas().next().and_then(Arena::directory);
        let directory = &directory.ok_or(io::ErrorKind::NotFound)?;
        let wanted = Header { slots: MAX_SLOTS as u32, metadata_capacity: 0, ..self.header };
        if !directory.is_private() {
            let added = self.fit(wanted, directory).map(|header| self.create_arena(directory, header));
            match added {
                None => {}
                // Another program has used the space in the meantime, or there is a quota.
                Some(Err(error)) if is_full(&error) => {}
                Some(added) => return added,
            }
            directory.use_private_memory(true);
        }
        self.create_arena(directory, wanted)
    }

    /// Reduces the slots of `wanted` to those that fit into the directory. Reserves the memory that
    /// the existing arenas have not allocated yet.
    fn fit(&self, wanted: Header, directory: &Directory) -> Option<Header> {
        // A sandbox may forbid this query.
        let Ok(Some(free)) = free_bytes(directory) else { return Some(wanted) };
        let reserved = self.arenas().map(Arena::unallocated_bytes).sum();
        fit_slots(wanted, FEW_SLOTS, free.saturating_sub(reserved))
    }

    /// Adds the first arena, in `directory`.
    pub(crate) fn add_first_arena(&self, directory: &Arc<Directory>) -> io::Result<&'static Arena> {
        self.create_arena(directory, self.header)
    }

    fn create_arena(&self, directory: &Arc<Directory>, header: Header) -> io::Result<&'static Arena> {
        let count = self.arena_count.load(Ordering::Relaxed);
        if count == MAX_SEGMENTS {
            return Err(io::Error::new(
                io::ErrorKind::OutOfMemory,
                "too many threads: at most 4096 can record at the same time",
            ));
        }
        let header = Header { segment: count as u32, ..header };
        let arena: &'static Arena = Box::leak(Box::new(Arena::create(directory, header)?));
        self.arenas[count].store(ptr::from_ref(arena).cast_mut(), Ordering::Relaxed);
        self.arena_count.store(count + 1, Ordering::Release);
        Ok(arena)
    }

    /// Takes a slot. If there is none and the policy is `block`, waits for one.
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
        if self.full != FullPolicy::Block || !self.has_writer() {
            return None;
        }
        let timeout = match wait::may_wait_for_slot() {
            MayWait::Never => return None,
            MayWait::Briefly => {
                Some(self.block_timeout.map_or(SLOT_TIMEOUT_IN_HANDLER, |t| t.min(SLOT_TIMEOUT_IN_HANDLER)))
            }
            MayWait::Always => self.block_timeout,
        };
        let give_up = timeout.map(wait::Deadline::after);
        self.slot_wait.wait(
            || {
                let found = self.take_free_slot();
                if found.is_none() {
                    self.want_writer();
                }
                found
            },
            || self.has_writer() && !self.is_stopping(),
            give_up.as_ref(),
        )
    }

    /// Notes that the first arena declares the events `ids`.
    pub(crate) fn note_declared(&self, ids: &IdSet) {
        self.declarations.note(ids);
    }

    /// Declares an event in the first arena. If the program is killed before the writer thread has
    /// declared the event in the trace file, recovery finds the declaration there.
    pub(crate) fn declare(&self, id: u32, name: &str, text: &str, remark: Option<&str>) {
        if let Some(first) = self.arenas().next()
            && self.declarations.declare(first, id, name, text, remark)
        {
            self.want_writer();
        }
    }

    /// Returns whether a declaration did not fit into the arena.
    pub(crate) fn lacks_declarations(&self) -> bool {
        self.declarations.is_full()
    }

    pub(crate) fn without_slot(&self) -> &WithoutSlot {
        &self.without_slot
    }

    /// Stops threads without a slot from claiming entries. Returns whether no thread has an entry.
    /// If so, another recording reuses the entries. Only the writer thread may call this, and only
    /// once.
    pub(crate) fn close_without_slot(&self) -> bool {
        let is_unused = self.without_slot.close();
        if is_unused && let Ok(mut spare) = SPARE_ENTRIES.try_lock() {
            *spare = Some(self.without_slot.entries());
        }
        is_unused
    }

    /// Notes that there was no memory for the ring of thread `tid`. The writer thread reports the
    /// first one.
    pub(crate) fn note_no_memory(&self, tid: u32) {
        if self.thread_without_memory.load(Ordering::Relaxed) == 0 {
            self.thread_without_memory.store(tid, Ordering::Relaxed);
            self.want_writer();
        }
    }

    /// Returns the first thread whose ring could not be allocated.
    pub(crate) fn thread_without_memory(&self) -> Option<u32> {
        Some(self.thread_without_memory.load(Ordering::Relaxed)).filter(|&tid| tid != 0)
    }

    /// The folder that contains the rings.
    pub(crate) fn directory(&self) -> &Path {
        self.arenas().next().and_then(|arena| arena.path().parent()).unwrap_or(Path::new(""))
    }

    /// Wakes threads that wait for a slot. The writer thread calls this after it has freed slots.
    pub(crate) fn announce_slots(&self) {
        self.slot_wait.announce();
    }

    /// Returns whether so few slots are free that another arena is needed.
    pub(crate) fn is_short_of_slots(&self) -> bool {
        self.free_slots() < FEW_SLOTS
    }

    /// Returns whether a thread's ring is in private memory, although the first arena is not.
    pub(crate) fn has_private_thread(&self) -> bool {
        let mut arenas = self.arenas();
        arenas.next().is_some_and(|first| !first.is_private())
            && arenas.any(|arena| arena.is_private() && arena.free().count() < arena.header.slots)
    }

    pub(crate) fn free_slots(&self) -> u32 {
        self.arenas().map(|arena| arena.free().count()).sum()
    }

    /// Wakes the writer thread if slots are scarce. Called after a thread has left its slot.
    pub(crate) fn slot_left(&self) {
        if self.is_short_of_slots() {
            self.wake_writer();
        }
    }

    pub(crate) fn unattached(&self) -> &AtomicU64 {
        // The default is never used: there is always a first arena.
        self.arenas().next().map_or(&UNATTACHED, Arena::unattached)
    }

    pub(crate) fn wake_writer(&self) {
        self.doorbell.ring_if_asleep();
    }

    /// Wakes the writer thread, unless it will soon wake by itself.
    pub(crate) fn remind_writer(&self) {
        self.doorbell.ring_unless_napping();
    }

    /// Wakes the writer thread, or keeps it from falling asleep.
    pub(crate) fn want_writer(&self) {
        self.doorbell.ring();
    }

    /// Returns whether there is a writer thread, even if writing to its file fails.
    pub(crate) fn has_writer_thread(&self) -> bool {
        !self.gone.load(Ordering::Acquire) && fork::is_own(self.id)
    }

    /// Returns whether there is a writer thread that can make room.
    pub(crate) fn has_writer(&self) -> bool {
        self.has_writer_thread() && !self.failing.load(Ordering::Acquire)
    }

    pub(crate) fn doorbell(&self) -> &Doorbell {
        &self.doorbell
    }

    pub(crate) fn flushes(&self) -> &Requests {
        &self.flushes
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Returns whether the trace continues in another session.
    pub(crate) fn is_followed(&self) -> bool {
        current().is_some_and(|now| now.id != self.id)
    }

    pub(crate) fn writer_gone(&self) {
        self.gone.store(true, Ordering::Release);
        self.wake_waiting();
    }

    /// Sets the reason why writing to the trace file fails, or clears it when writing works again.
    /// While writing fails, no thread waits for the writer thread. The callers are the writer
    /// thread and threads whose wait for it has timed out.
    pub(crate) fn set_failure(&self, error: Option<&io::Error>) {
        let failing = error.is_some();
        if self.failing.swap(failing, Ordering::AcqRel) == failing {
            return;
        }
        let text = error.map(|error| (next_failure(), error_text(error)));
        *lock(&self.failure) = text;
        self.wake_waiting();
    }

    /// Notes that the trace file was removed. Only the writer thread calls this.
    pub(crate) fn note_removal(&self) {
        self.note_condition(format!("it {REMOVED}"));
    }

    /// Notes a condition of the trace file that does not prevent writing. Only the writer thread
    /// calls this.
    pub(crate) fn note_condition(&self, text: String) {
        let mut condition = lock(&self.condition);
        let number = condition.as_ref().map_or_else(next_failure, |(number, _)| *number);
        *condition = Some((number, text));
    }

    /// Returns the number and the message of the trace file's current failure.
    pub(crate) fn failure(&self) -> Option<(u64, String)> {
        let failure = lock(&self.failure).clone();
        failure.or_else(|| lock(&self.condition).clone())
    }

    /// Sets the size of the trace file, and its size if it were not compressed.
    pub(crate) fn set_written_bytes(&self, bytes: u64, uncompressed_bytes: u64) {
        self.written_bytes.store(bytes, Ordering::Relaxed);
        self.uncompressed_bytes.store(uncompressed_bytes, Ordering::Relaxed);
    }

    pub(crate) fn uncompressed_bytes(&self) -> u64 {
        self.uncompressed_bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn written_bytes(&self) -> u64 {
        self.written_bytes.load(Ordering::Relaxed)
    }

    /// Makes threads that wait for the writer thread check whether it still runs.
    fn wake_waiting(&self) {
        self.flushes.announce();
        self.slot_wait.announce();
        // A thread that takes a slot later has a fence before it checks what has changed.
        fence(Ordering::SeqCst);
        for arena in self.arenas() {
            arena.free().taken().for_each(|index| consumer::wake_waiting(&arena.slot(index)));
        }
    }
}

static UNATTACHED: AtomicU64 = AtomicU64::new(0);

/// Returns entries for threads without a slot. No other recording uses these entries.
fn entries() -> &'static [Entry] {
    let spare = SPARE_ENTRIES.try_lock().ok().and_then(|mut spare| spare.take());
    spare.unwrap_or_else(|| Box::leak(without_slot::new_entries(MAX_WITHOUT_SLOT)))
}

fn next_failure() -> u64 {
    LAST_FAILURE.fetch_add(1, Ordering::Relaxed) + 1
}
