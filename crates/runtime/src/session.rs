//! A trace that is being recorded: from start to stop.

use std::io;
use std::path::PathBuf;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ringtrace_wire::arena::{Full, Header, MAX_SLOTS, PAGE_BYTES, Stamps};

use crate::arena::{self, Arena};
use crate::settings::{Policy, Settings};
use crate::sink::Sink;
use crate::{Backends, OpenError, OptionsError, backend, clock, opening, registry, slow, wait, writer};

/// The most arenas that a session has: 64 threads each.
const MAX_ARENAS: usize = 64;

/// Why tracing cannot start.
///
/// Its `Debug` is its text, too, since that is what a `main` that returns it prints.
pub enum StartError {
    /// The options contradict each other.
    Options(OptionsError),
    /// Tracing was started already.
    Running,
    /// Tracing was not started.
    NotRunning,
    /// The trace file cannot be made.
    File(PathBuf, io::Error),
    /// There is no memory for rings.
    Rings(io::Error),
    /// A backend other than the trace file cannot take events.
    Backend(OpenError),
    /// The writer thread cannot be started.
    Writer(io::Error),
    /// The thread behind coarse time cannot be started.
    Clock(io::Error),
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StartError::Options(error) => error.fmt(f),
            StartError::Running => f.write_str("tracing was started already"),
            StartError::NotRunning => f.write_str("tracing was not started"),
            StartError::Backend(error) => error.fmt(f),
            StartError::File(path, error) => write!(f, "trace file {}: {error}", path.display()),
            StartError::Rings(error) => write!(f, "no memory for the rings of threads: {error}"),
            StartError::Writer(error) => write!(f, "the writer thread cannot be started: {error}"),
            StartError::Clock(error) => write!(f, "the thread for coarse time cannot be started: {error}"),
        }
    }
}

impl std::fmt::Debug for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl From<OptionsError> for StartError {
    fn from(error: OptionsError) -> StartError {
        StartError::Options(error)
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StartError::Options(_)
            | StartError::Running
            | StartError::NotRunning
            | StartError::Backend(_) => None,
            StartError::File(_, error)
            | StartError::Rings(error)
            | StartError::Writer(error)
            | StartError::Clock(error) => Some(error),
        }
    }
}

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
    /// Changes when the writer thread is wanted; it waits on it.
    wanted: AtomicU32,
    /// Whether the writer thread waits, so that waking it is worth a system call.
    asleep: AtomicU32,
    /// Flushes that were asked for.
    asked: AtomicU64,
    /// Flushes that were done; threads wait on the lower half beside it.
    done: AtomicU64,
    done_count: AtomicU32,
    stopping: AtomicBool,
    gone: AtomicBool,
}

static CURRENT: AtomicPtr<Session> = AtomicPtr::new(ptr::null_mut());
static LAST_ID: AtomicU64 = AtomicU64::new(0);
static STATE: Mutex<State> =
    Mutex::new(State { settings: None, starts: 0, ready: Backends::NONE, writer: None });

/// What starting, switching and stopping change, one at a time.
struct State {
    /// What was started with, while it runs.
    settings: Option<Settings>,
    /// How often something was started: a guard stops what it was given for.
    starts: u64,
    /// The backends that are ready since then. One that is switched off stays so, and goes on where it was.
    ready: Backends,
    /// The writer thread, while there is a trace.
    writer: Option<JoinHandle<()>>,
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The trace that is being recorded.
#[inline]
pub(crate) fn current() -> Option<&'static Session> {
    // SAFETY: null, or a session that was leaked when it started.
    unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
}

/// Stops tracing when it is dropped.
#[derive(Debug)]
#[must_use = "tracing ends when this is dropped"]
pub struct Guard {
    /// Which start it is for.
    start: Option<u64>,
}

impl Guard {
    /// There is nothing to stop: nothing was asked for.
    pub(crate) fn of_nothing() -> Guard {
        Guard { start: None }
    }

    /// The trace file; `None` when nothing is recorded.
    pub fn path(&self) -> Option<&std::path::Path> {
        self.start.and_then(|_| current()).map(|session| session.path.as_path())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
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
    if state.settings.is_some() {
        return Err(StartError::Running);
    }
    ready(&settings, settings.backends, &mut state.writer)?;
    registry::set_backends(settings.backends);
    state.ready = settings.backends;
    state.starts += 1;
    state.settings = Some(settings);
    Ok(Guard { start: Some(state.starts) })
}

/// Sends events to these backends from now on, and answers where they went before. Those that are new are made ready first, as
/// the settings say that tracing was started with; a trace or a log that was off goes on in the same file.
///
/// # Errors
/// When a backend cannot be made ready, or nothing was started. Nothing is changed then.
pub fn switch_backends(backends: Backends) -> Result<Backends, StartError> {
    let mut state = state();
    let state = &mut *state;
    let settings = state.settings.as_ref().ok_or(StartError::NotRunning)?;
    ready(settings, backends.without(state.ready), &mut state.writer)?;
    state.ready |= backends;
    Ok(registry::set_backends(backends))
}

/// Makes `backends` ready.
fn ready(
    settings: &Settings,
    backends: Backends,
    writer: &mut Option<JoinHandle<()>>,
) -> Result<(), StartError> {
    backend::open(backends, settings).map_err(StartError::Backend)?;
    if backends.contains(Backends::SIMPLE) {
        clock::start(settings.clock).map_err(StartError::Clock)?;
        begin(settings, writer).inspect_err(|_| clock::stop())?;
    }
    Ok(())
}

/// Makes file, rings and writer thread.
fn begin(settings: &Settings, writer: &mut Option<JoinHandle<()>>) -> Result<(), StartError> {
    exit_key();
    let pid = std::process::id();
    let sink = Sink::create(settings.file.as_deref(), pid)?;
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
        wanted: AtomicU32::new(0),
        asleep: AtomicU32::new(0),
        asked: AtomicU64::new(0),
        done: AtomicU64::new(0),
        done_count: AtomicU32::new(0),
        stopping: AtomicBool::new(false),
        gone: AtomicBool::new(false),
    }));
    let first = session.add_arena().map_err(StartError::Rings)?;
    for _ in 1..settings.threads.div_ceil(MAX_SLOTS) {
        session.add_arena().map_err(StartError::Rings)?;
    }
    first.append_metadata(opening.bytes());
    first.set_trace_path(std::os::unix::ffi::OsStrExt::as_bytes(sink.path().as_os_str()));
    let thread = writer::Writer::new(session, sink, opening);
    let spawned = {
        let _blocked = BlockedSignals::all();
        std::thread::Builder::new().name("ringtrace".to_owned()).spawn(move || thread.run())
    };
    match spawned {
        Ok(handle) => *writer = Some(handle),
        Err(error) => {
            first.remove();
            return Err(StartError::Writer(error));
        }
    }
    CURRENT.store(ptr::from_ref(session).cast_mut(), Ordering::Release);
    Ok(())
}

/// All signals are blocked in this thread, and in those that it starts, until this is dropped.
pub(crate) struct BlockedSignals(libc::sigset_t);

impl BlockedSignals {
    pub(crate) fn all() -> BlockedSignals {
        // SAFETY: both sets are plain memory that the calls fill.
        unsafe {
            let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
            BlockedSignals(before)
        }
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        // SAFETY: the set was filled by the call above.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, ptr::null_mut()) };
    }
}

fn stop(start: u64) {
    let mut state = state();
    if state.starts != start || state.settings.take().is_none() {
        return;
    }
    registry::set_backends(Backends::NONE);
    let Some(session) = current().filter(|session| session.pid == std::process::id()) else { return };
    CURRENT.store(ptr::null_mut(), Ordering::Release);
    session.stopping.store(true, Ordering::Release);
    session.want_writer();
    if let Some(handle) = state.writer.take() {
        let _ = handle.join();
    }
    clock::stop();
}

/// Waits until everything that was recorded before is in the file. `false`: nothing is being recorded, or the writer thread is gone.
pub fn flush() -> bool {
    let Some(session) = current() else { return false };
    let mine = session.asked.fetch_add(1, Ordering::AcqRel) + 1;
    loop {
        let seen = session.done_count.load(Ordering::Acquire);
        if session.done.load(Ordering::Acquire) >= mine {
            return true;
        }
        if !session.has_writer() {
            return false;
        }
        session.want_writer();
        wait::sleep(&session.done_count, seen, Duration::from_millis(100));
    }
}

/// What a probe does in the child of a fork, where its thread's memory is wiped.
pub(crate) fn in_child() -> bool {
    crate::producer::clear_current();
    false
}

impl Session {
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

    /// Takes a slot.
    pub(crate) fn take_slot(&self) -> Option<(&'static Arena, usize)> {
        let found = self.arenas().find_map(|arena| Some((arena, arena.take()?)));
        if self.is_short_of_slots() {
            self.wake_writer();
        }
        found
    }

    /// Whether so few slots are free that another arena is wanted.
    pub(crate) fn is_short_of_slots(&self) -> bool {
        self.arenas().map(Arena::free_slots).sum::<u32>() < 4
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
        if self.asleep.load(Ordering::Relaxed) != 0 {
            self.want_writer();
        }
    }

    fn want_writer(&self) {
        self.wanted.fetch_add(1, Ordering::Release);
        if self.asleep.swap(0, Ordering::AcqRel) != 0 {
            wait::wake(&self.wanted);
        }
    }

    /// Whether there is a writer thread that will make room.
    pub(crate) fn has_writer(&self) -> bool {
        !self.gone.load(Ordering::Acquire)
    }

    /// For the writer thread: waits until it is wanted, at most `timeout`.
    pub(crate) fn rest(&self, seen: u32, timeout: Duration) {
        self.asleep.store(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        wait::sleep(&self.wanted, seen, timeout);
        self.asleep.store(0, Ordering::Relaxed);
    }

    /// For the writer thread: what [`Session::rest`] compares with.
    pub(crate) fn wanted(&self) -> u32 {
        self.wanted.load(Ordering::Acquire)
    }

    /// For the writer thread: how many flushes were asked for.
    pub(crate) fn flushes_asked(&self) -> u64 {
        self.asked.load(Ordering::Acquire)
    }

    /// For the writer thread: `flushes` are done.
    pub(crate) fn flushed(&self, flushes: u64) {
        if self.done.swap(flushes, Ordering::AcqRel) != flushes {
            self.done_count.fetch_add(1, Ordering::Release);
            wait::wake(&self.done_count);
        }
    }

    /// For the writer thread: whether the trace is to end.
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// For the writer thread: it ends.
    pub(crate) fn writer_gone(&self) {
        self.gone.store(true, Ordering::Release);
        self.done_count.fetch_add(1, Ordering::Release);
        wait::wake(&self.done_count);
    }
}

static NOBODY: AtomicU64 = AtomicU64::new(0);

static EXIT_KEY: OnceLock<libc::pthread_key_t> = OnceLock::new();

/// Makes the key by which the system tells that a thread exits.
fn exit_key() {
    extern "C" fn exits(_: *mut libc::c_void) {
        slow::detach();
    }
    EXIT_KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the call fills `key`; `exits` may be called on any thread.
        unsafe { libc::pthread_key_create(&raw mut key, Some(exits)) };
        key
    });
}

/// Makes the system call [`slow::detach`] when this thread exits. The first 32 keys of a process need no allocation.
pub(crate) fn call_at_thread_exit() {
    if let Some(&key) = EXIT_KEY.get() {
        // SAFETY: the key was made; its value is never dereferenced.
        unsafe { libc::pthread_setspecific(key, ptr::dangling()) };
    }
}
