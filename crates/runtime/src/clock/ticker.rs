//! The ticker thread of coarse time. It writes the time into one word while any event is enabled.

use std::io;
use std::sync::Mutex;
use std::time::Duration;

use super::monotonic_ns;
use crate::os::signal::BlockedSignals;
use crate::os::sync::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use crate::os::thread::{self, Thread};
use crate::os::wait;

/// The greatest age of coarse time. A tick and its wake-up take several microseconds. In a virtual
/// machine, the ticker uses up to 1 % of a processor. The kernel's own coarse clock needs no
/// thread, but is up to four milliseconds old, and reading it requires a call.
pub(super) const PERIOD: Duration = Duration::from_millis(1);

/// How long the thread sleeps while no event is enabled. A wake-up ends the sleep early.
const IDLE: Duration = Duration::from_secs(60);

/// The number of enabled events. The registry updates it before it calls
/// [`events_are_on`](super::events_are_on).
pub(crate) static ENABLED_EVENTS: AtomicUsize = AtomicUsize::new(0);

pub(super) static NOW_NS: Word = Word(AtomicU64::new(0));

/// A word whose value never decreases, so that a thread never reads a smaller value later. Nothing
/// else depends on it, so all accesses are relaxed.
#[repr(align(64))]
pub(super) struct Word(AtomicU64);

impl Word {
    #[inline(always)]
    pub(super) fn load(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn tick(&self) {
        self.0.fetch_max(monotonic_ns(), Ordering::Relaxed);
    }
}

/// The ticker's generation. A ticker ends when it finds that this number has changed.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// The word on which the ticker sleeps. It changes when the ticker must check its state.
static CHANGES: AtomicU32 = AtomicU32::new(0);

/// The ticker. Use only `try_lock`. It can only fail in a child whose parent was starting or
/// stopping a clock when it forked, because clocks are never started or stopped concurrently.
static TICKER: Mutex<Option<Thread>> = Mutex::new(None);

pub(super) fn start() -> io::Result<()> {
    let generation = GENERATION.load(Ordering::Relaxed);
    NOW_NS.tick();
    let run = move || {
        loop {
            // Load this first, so that later changes end the sleep.
            let seen = CHANGES.load(Ordering::Acquire);
            if GENERATION.load(Ordering::Relaxed) != generation {
                return;
            }
            let period = if ENABLED_EVENTS.load(Ordering::Relaxed) > 0 { PERIOD } else { IDLE };
            wait::sleep(&CHANGES, seen, period);
            NOW_NS.tick();
        }
    };
    let _blocked = BlockedSignals::all();
    let handle = thread::spawn(c"ringtrace-clock", run)?;
    if let Ok(mut ticker) = TICKER.try_lock() {
        *ticker = Some(handle);
    }
    Ok(())
}

pub(super) fn stop() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    let handle = TICKER.try_lock().ok().and_then(|mut ticker| ticker.take());
    if let Some(handle) = handle {
        wake();
        handle.join();
    }
}

/// Updates the time, and makes the ticker check whether events are enabled.
pub(super) fn wake() {
    NOW_NS.tick();
    CHANGES.fetch_add(1, Ordering::Release);
    wait::wake(&CHANGES);
}

/// Discards the thread's handle in a forked child, where the thread does not exist.
pub(super) fn reset_after_fork() {
    let _ = TICKER.try_lock().ok().and_then(|mut ticker| ticker.take());
}
