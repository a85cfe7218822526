//! A trace that is being recorded: from start to stop.

use std::io;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ringtrace_wire::arena::{Full, Header, MAX_SLOTS, PAGE_BYTES, Stamps};

use crate::arena::{self, Arena};
use crate::doorbell::{Doorbell, Requests};
use crate::settings::{Policy, Settings};
use crate::signal::BlockedSignals;
use crate::sink::Sink;
use crate::snapshot::Snapshots;
mod facts;
mod start_error;
mod trace_file;

pub(crate) use facts::{Facts, facts, lock_for_fork};
pub use start_error::StartError;
pub use trace_file::{is_recording, set_recording, set_trace_file, trace_file};

#[cfg(feature = "monitor")]
use crate::monitor::Serving;
use crate::{
    Backends, announcement, backend, clock, consumer, exit, fork, opening, registry, snapshot, wait, writer,
};

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
    pub(crate) full: Full,
    pub(crate) block_timeout: Option<Duration>,
    header: Header,
    directory: PathBuf,
    arenas: [AtomicPtr<Arena>; MAX_ARENAS],
    arena_count: AtomicUsize,
    doorbell: Doorbell,
    flushes: Requests,
    snapshots: Snapshots,
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
    gone: AtomicBool,
}

static CURRENT: AtomicPtr<Session> = AtomicPtr::new(ptr::null_mut());
static LAST_ID: AtomicU64 = AtomicU64::new(0);
static LAST_FAILURE: AtomicU64 = AtomicU64::new(0);
static STATE: Mutex<State> =
    Mutex::new(State { settings: None, origin: None, starts: 0, ready: Backends::NONE, writer: None });

/// What starting, switching, stopping and forking change, one at a time.
#[derive(Debug)]
pub(crate) struct State {
    /// What was started with, while it runs.
    settings: Option<Settings>,
    /// Who started it, and where. Another process than this one: this is a child of a fork.
    origin: Option<Origin>,
    /// How often something was started: a guard stops what it was given for.
    starts: u64,
    /// The backends that are ready since then. One that is switched off stays so, and goes on where it was.
    ready: Backends,
    /// The writer thread, while there is a trace.
    writer: Option<JoinHandle<()>>,
}

/// Where something was started.
#[derive(Debug)]
struct Origin {
    pid: u32,
    /// The trace file, if there is one.
    trace: PathBuf,
}

impl State {
    /// Whether this process started what runs, and was not forked from the one that did.
    fn is_origin(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.pid == std::process::id())
    }

    fn forget_if_inherited(&mut self) {
        if !self.is_origin() {
            self.forget_writer();
        }
    }

    /// Forgets the writer thread without waiting for it: it is one of the process that this one was forked from.
    pub(crate) fn forget_writer(&mut self) {
        std::mem::forget(self.writer.take());
    }
}

/// Takes the lock under which all of that changes.
pub(crate) fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The trace that this process records.
#[inline]
pub(crate) fn current() -> Option<&'static Session> {
    started().filter(|session| fork::is_own(session.id))
}

/// The trace that was being recorded when this process was forked, when it has none of its own.
pub(crate) fn inherited() -> Option<&'static Session> {
    started().filter(|session| !fork::is_own(session.id))
}

fn started() -> Option<&'static Session> {
    // SAFETY: null, or a session that was leaked when it started.
    unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
}

/// Stops tracing when it is dropped.
///
/// A process that exits without dropping it, by `std::process::exit` for one, stops tracing as well; one that is killed, or
/// calls `_exit`, leaves what it has recorded to `ringtrace recover`. In a child of a fork it stops the child's
/// tracing, and the parent's goes on.
#[derive(Debug)]
#[must_use = "tracing ends when this is dropped"]
pub struct Guard {
    /// Which start it is for.
    start: Option<u64>,
    /// What is served meanwhile.
    #[cfg(feature = "monitor")]
    pub(crate) monitors: Vec<Serving>,
}

impl Guard {
    /// There is nothing to stop: nothing was asked for.
    pub(crate) fn of_nothing() -> Guard {
        Guard::of(None)
    }

    fn of(start: Option<u64>) -> Guard {
        Guard {
            start,
            #[cfg(feature = "monitor")]
            monitors: Vec::new(),
        }
    }

    /// The trace file; `None` when nothing is recorded.
    pub fn path(&self) -> Option<&Path> {
        #[cfg(feature = "monitor")]
        let serves = !self.monitors.is_empty();
        #[cfg(not(feature = "monitor"))]
        let serves = false;
        // A client may have had the recording begin.
        current().filter(|_| serves || self.start.is_some()).map(|session| session.path.as_path())
    }

    /// The sockets of the monitors that are served.
    #[cfg(feature = "monitor")]
    pub fn sockets(&self) -> impl Iterator<Item = &Path> {
        self.monitors.iter().map(Serving::path)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // No client starts anew what ends.
        #[cfg(feature = "monitor")]
        self.monitors.clear();
        if let Some(start) = self.start {
            stop(start);
        }
    }
}

/// Starts tracing: makes every backend of `settings` ready and sends it the events that are enabled.
///
/// # Errors
/// When a backend cannot be made ready, or something was started already. Nothing is changed then.
pub fn start(settings: Settings) -> Result<Guard, StartError> {
    let mut state = state();
    // What a child of a fork has inherited is not running in it, unless something was recorded.
    if state.settings.is_some() && (state.is_origin() || current().is_some()) {
        return Err(StartError::Running);
    }
    state.forget_if_inherited();
    fork::prepare().and_then(|()| exit::prepare()).map_err(StartError::Rings)?;
    let pid = std::process::id();
    let trace = settings.file.clone().unwrap_or_else(|| PathBuf::from(format!("trace-{pid}")));
    let trace = std::path::absolute(&trace).unwrap_or(trace);
    state.origin = Some(Origin { pid, trace });
    registry::count_events().map_err(StartError::Rings)?;
    state.make_ready(&settings, settings.backends)?;
    registry::set_backends(settings.backends);
    state.ready = settings.backends;
    state.starts += 1;
    state.settings = Some(settings);
    state.tell();
    Ok(Guard::of(Some(state.starts)))
}

/// Sends events to these backends from now on, and answers where they went before. Those that are new are made ready first, as
/// the settings say that tracing was started with; a trace or a log that was off goes on in the same file.
///
/// # Errors
/// When a backend cannot be made ready, or nothing was started. Nothing is changed then.
pub fn switch_backends(backends: Backends) -> Result<Backends, StartError> {
    let mut state = state();
    let settings = state.settings.take().ok_or(StartError::NotRunning)?;
    let new = backends.without(state.ready);
    let ready = state.make_ready(&settings, new);
    state.settings = Some(settings);
    state.tell();
    ready?;
    state.ready |= backends;
    Ok(registry::set_backends(backends))
}

/// In a child of a fork, when it first records something: starts a session with the parent's settings and a file of its own. It
/// cannot be started: says so once, and the child records nothing.
pub(crate) fn start_in_child() -> Option<&'static Session> {
    let mut state = state();
    if inherited().is_none() {
        // Another thread of the child was first.
        return current();
    }
    state.forget_writer();
    let settings = state.settings.take()?;
    let begun = clock::start_in_child(settings.clock).map_err(StartError::Clock);
    let begun = begun.and_then(|()| state.begin(&settings));
    state.settings = Some(settings);
    if let Err(error) = begun {
        CURRENT.store(ptr::null_mut(), Ordering::Release);
        state.ready = state.ready.without(Backends::SIMPLE);
        registry::set_backends(registry::backends().without(Backends::SIMPLE));
        let pid = std::process::id();
        let text = format!(
            "ringtrace: process {pid}, a child of one that is traced: {error}; nothing is recorded of it\n"
        );
        let _ = rustix::io::write(rustix::stdio::stderr(), text.as_bytes());
    }
    state.tell();
    current()
}

impl State {
    /// Makes `backends` ready.
    fn make_ready(&mut self, settings: &Settings, backends: Backends) -> Result<(), StartError> {
        backend::open(backends, settings).map_err(StartError::Backend)?;
        if backends.contains(Backends::SIMPLE) && current().is_none() {
            clock::start(settings.clock).map_err(StartError::Clock)?;
            self.begin(settings).inspect_err(|_| clock::stop())?;
        }
        Ok(())
    }

    /// Makes file, rings and writer thread.
    fn begin(&mut self, settings: &Settings) -> Result<(), StartError> {
        let pid = std::process::id();
        let sink = match &self.origin {
            Some(origin) if !self.is_origin() => {
                Sink::create_beside(&origin.trace, settings.file.is_some(), pid)?
            }
            _ => Sink::create(settings.file.as_deref(), settings.keeps_existing, pid)?,
        };
        // In a child of a fork it is handled already.
        if let Some(signal) = settings.snapshot_signal.filter(|_| self.is_origin()) {
            snapshot::listen_to(signal).map_err(|error| StartError::Signal(signal, error))?;
        }
        self.writer = Some(begin(settings, sink).inspect_err(|_| snapshot::stop_listening())?);
        Ok(())
    }
}

/// Makes rings and a writer thread for `sink`.
fn begin(settings: &Settings, sink: Sink) -> Result<JoinHandle<()>, StartError> {
    let pid = std::process::id();
    let path = sink.path().to_path_buf();
    let opening = opening::Opening::new(settings);
    let (full, block_timeout) = match settings.policy {
        Policy::Discard => (Full::Discard, None),
        Policy::Block { timeout } => (Full::Block, timeout),
        Policy::Overwrite => (Full::Overwrite, None),
    };
    let (least, most) = (*Settings::BUFFER_BYTES.start(), *Settings::BUFFER_BYTES.end());
    let header = Header {
        pid,
        full,
        segment: 0,
        slots: settings.threads.clamp(1, MAX_SLOTS) as u32,
        ring_bytes: settings.buffer_bytes.clamp(least, most).next_power_of_two() as u64,
        metadata_capacity: (opening.bytes().len() + (256 << 10)).next_multiple_of(PAGE_BYTES) as u64,
        stamps: if clock::stamps_are_ticks() { Stamps::Ticks } else { Stamps::Ns },
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
        slots_wanted: AtomicU32::new(0),
        slots_freed: AtomicU32::new(0),
        stopping: AtomicBool::new(false),
        written_bytes: AtomicU64::new(0),
        failing: AtomicBool::new(false),
        failure: Mutex::new(None),
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

fn stop(start: u64) {
    let mut state = state();
    if state.starts == start {
        state.stop();
    }
}

/// Stops tracing, because the process exits.
pub(crate) fn stop_at_exit() {
    state().stop();
}

impl State {
    fn stop(&mut self) {
        if self.settings.take().is_none() {
            return;
        }
        registry::set_backends(Backends::NONE);
        backend::conclude();
        self.end_trace();
        self.tell();
    }
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
        if self.full != Full::Block || !self.has_writer() || !wait::may_block() {
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

    /// For the writer thread: it ends.
    pub(crate) fn writer_gone(&self) {
        self.gone.store(true, Ordering::Release);
        self.wake_waiting();
    }

    /// For the writer thread: why the trace file takes nothing now, if it does not. Nobody waits for it then.
    pub(crate) fn set_failure(&self, error: Option<&io::Error>) {
        let failing = error.is_some();
        if self.failing.swap(failing, Ordering::AcqRel) == failing {
            return;
        }
        let text = error.map(|error| (LAST_FAILURE.fetch_add(1, Ordering::Relaxed) + 1, text_of(error)));
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = text;
        self.wake_waiting();
    }

    /// Why the trace file takes nothing now, and which failure of the process that is.
    pub(crate) fn failure(&self) -> Option<(u64, String)> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
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

/// What is wrong, without the number that people would have to look up.
pub(crate) fn text_of(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
