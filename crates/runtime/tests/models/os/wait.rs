//! Model version of futexes. Checking the word and going to sleep are one atomic step. No thread
//! wakes up by itself, so a lost wake-up is a deadlock, which loom finds.

use std::collections::HashMap;
use std::time::Duration;

use loom::sync::{Condvar, Mutex};

use crate::os::sync::{AtomicU32, Ordering};

#[derive(Debug)]
pub(crate) struct Deadline;

impl Deadline {
    pub(crate) fn after(_timeout: Duration) -> Deadline {
        Deadline
    }
}

/// The number of wake-ups for each word.
struct Bed {
    woken: Mutex<HashMap<usize, u64>>,
    changed: Condvar,
}

loom::lazy_static! {
    static ref BED: Bed = Bed { woken: Mutex::new(HashMap::new()), changed: Condvar::new() };
}

pub(crate) fn may_block() -> bool {
    true
}

pub(crate) fn sleep_briefly() {
    loom::thread::yield_now();
}

/// Waits for a change. With a deadline, times out at once. Without a deadline, waits forever.
pub(crate) fn for_change(word: &AtomicU32, seen: u32, deadline: Option<&Deadline>) -> bool {
    if deadline.is_some() {
        return false;
    }
    sleep(word, seen, Duration::MAX);
    true
}

pub(crate) fn sleep(word: &AtomicU32, seen: u32, _timeout: Duration) {
    let key = std::ptr::from_ref(word).addr();
    let mut woken = BED.woken.lock().unwrap();
    if word.load(Ordering::Relaxed) != seen {
        return;
    }
    let before = woken.get(&key).copied();
    while woken.get(&key).copied() == before {
        woken = BED.changed.wait(woken).unwrap();
    }
}

pub(crate) fn wake(word: &AtomicU32) {
    let key = std::ptr::from_ref(word).addr();
    *BED.woken.lock().unwrap().entry(key).or_default() += 1;
    BED.changed.notify_all();
}
