//! The thread behind coarse time: it writes the time into one word, again and again.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::monotonic_ns;
use crate::session::BlockedSignals;
use crate::wait;

/// How old coarse time gets. A tick is a wake-up.
pub(super) const PERIOD: Duration = Duration::from_millis(1);

/// Changes when the ticker is to look whether it is still wanted.
static STOPPED: AtomicU32 = AtomicU32::new(0);

/// The ticker. Only tried, never waited for: whoever starts and stops clocks does so one after the other, so it is locked only in
/// a child whose parent was starting or stopping when it forked.
static TICKER: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);

/// Starts the thread, which writes to `coarse_ns` as long as nobody else does.
pub(super) fn start(coarse_ns: &'static AtomicI64) -> io::Result<()> {
    let stopped = STOPPED.load(Ordering::Relaxed);
    let mut last_ns = now_ns();
    coarse_ns.store(last_ns, Ordering::Release);
    let run = move || {
        loop {
            wait::sleep(&STOPPED, stopped, PERIOD);
            let next_ns = now_ns().max(last_ns);
            // Other than `last_ns`: the mode was changed.
            if coarse_ns.compare_exchange(last_ns, next_ns, Ordering::Release, Ordering::Relaxed).is_err() {
                return;
            }
            last_ns = next_ns;
        }
    };
    let _blocked = BlockedSignals::all();
    let handle = std::thread::Builder::new().name("ringtrace-clock".to_owned()).spawn(run)?;
    if let Ok(mut ticker) = TICKER.try_lock() {
        *ticker = Some(handle);
    }
    Ok(())
}

/// Waits until the thread is gone. It goes when somebody else has written to its word.
pub(super) fn stop() {
    let handle = TICKER.try_lock().ok().and_then(|mut ticker| ticker.take());
    if let Some(handle) = handle {
        STOPPED.fetch_add(1, Ordering::Relaxed);
        wait::wake(&STOPPED);
        let _ = handle.join();
    }
}

/// In a child after `fork`, where the thread does not exist: forgets it.
pub(super) fn reset_after_fork() {
    std::mem::forget(TICKER.try_lock().ok().and_then(|mut ticker| ticker.take()));
}

fn now_ns() -> i64 {
    monotonic_ns().cast_signed().max(1)
}
