//! The thread behind coarse time: it writes the time into one word, again and again, as long as any event is on.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::monotonic_ns;
use crate::os::signal::BlockedSignals;
use crate::os::wait;

/// How old coarse time gets. A tick with its wake-up takes some microseconds: up to a hundredth of a processor, in a virtual machine.
/// The kernel's own coarse clock takes none of that, but is as old as four milliseconds, and a call.
pub(super) const PERIOD: Duration = Duration::from_millis(1);

/// How long the thread sleeps while no event is on, unless it is woken.
const IDLE: Duration = Duration::from_secs(60);

/// How many events are enabled. The registry writes it, before it calls [`events_are_on`](super::events_are_on).
pub(crate) static ENABLED_EVENTS: AtomicUsize = AtomicUsize::new(0);

/// The coarse time, in a cache line of its own.
pub(super) static NOW_NS: Word = Word(AtomicU64::new(0));

/// A word that only grows, so a thread that reads it again never sees less. Nothing else depends on it: all is relaxed.
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

/// Changes with each new ticker, and when one is to end.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Changes when the ticker is to look what it is to do; it sleeps on it.
static CHANGES: AtomicU32 = AtomicU32::new(0);

/// The ticker. Only tried, never waited for: whoever starts and stops clocks does so one after the other, so it is locked only in
/// a child whose parent was starting or stopping when it forked.
static TICKER: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);

/// Starts the thread.
pub(super) fn start() -> io::Result<()> {
    let generation = GENERATION.load(Ordering::Relaxed);
    NOW_NS.tick();
    let run = move || {
        loop {
            // First: what changes after it ends the sleep.
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

/// Waits until the thread is gone.
pub(super) fn stop() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
    let handle = TICKER.try_lock().ok().and_then(|mut ticker| ticker.take());
    if let Some(handle) = handle {
        wake();
        let _ = handle.join();
    }
}

/// Makes the time right, and the thread look whether events are on.
pub(super) fn wake() {
    NOW_NS.tick();
    CHANGES.fetch_add(1, Ordering::Release);
    wait::wake(&CHANGES);
}

/// In a child after `fork`, where the thread does not exist: forgets it.
pub(super) fn reset_after_fork() {
    std::mem::forget(TICKER.try_lock().ok().and_then(|mut ticker| ticker.take()));
}
