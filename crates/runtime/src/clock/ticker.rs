//! The ticker thread of coarse time, which writes the time into one word while any event is on.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::monotonic_ns;
use crate::os::signal::BlockedSignals;
use crate::os::wait;

/// The greatest age of coarse time. A tick with its wake-up takes some microseconds, up to a
/// hundredth of a processor in a virtual machine. The kernel's own coarse clock is free, but as old
/// as four milliseconds, and a call.
pub(super) const PERIOD: Duration = Duration::from_millis(1);

/// The thread's sleep while no event is on, unless it is woken.
const IDLE: Duration = Duration::from_secs(60);

/// The number of enabled events. The registry writes it, before it calls
/// [`events_are_on`](super::events_are_on).
pub(crate) static ENABLED_EVENTS: AtomicUsize = AtomicUsize::new(0);

pub(super) static NOW_NS: Word = Word(AtomicU64::new(0));

/// A word that only grows, so that a thread never reads a smaller value later. Nothing else depends
/// on it: all accesses are relaxed.
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

/// Changes with each new ticker, and to end one.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Changes when the ticker must look for work; it sleeps on this word.
static CHANGES: AtomicU32 = AtomicU32::new(0);

/// The ticker. Use only `try_lock`: clocks are started and stopped one after the other, so it is
/// locked only in a child whose parent was starting or stopping one when it forked.
static TICKER: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);

pub(super) fn start() -> io::Result<()> {
    let generation = GENERATION.load(Ordering::Relaxed);
    NOW_NS.tick();
    let run = move || {
        loop {
            // Load this first: later changes end the sleep.
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
    let handle = std::thread::Builder::new().name("ringtrace-clock".to_owned()).spawn(run)?;
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
        let _ = handle.join();
    }
}

/// Updates the time, and makes the thread look whether events are on.
pub(super) fn wake() {
    NOW_NS.tick();
    CHANGES.fetch_add(1, Ordering::Release);
    wait::wake(&CHANGES);
}

/// Forgets the thread in a forked child, where it does not exist.
pub(super) fn reset_after_fork() {
    std::mem::forget(TICKER.try_lock().ok().and_then(|mut ticker| ticker.take()));
}
