//! Models of the monitor: slow calls between its poll thread and its worker thread.

use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;

use crate::calls::{Calls, WakeUp};
use crate::os::{lock, unpoisoned};

/// An eventfd, and a `poll` of it without a timeout.
#[derive(Debug)]
struct Eventfd {
    count: Mutex<u64>,
    changed: Condvar,
}

impl Eventfd {
    fn new() -> Eventfd {
        Eventfd { count: Mutex::new(0), changed: Condvar::new() }
    }

    /// Waits until the eventfd is readable.
    fn poll(&self) {
        let mut count = lock(&self.count);
        while *count == 0 {
            count = unpoisoned(self.changed.wait(count));
        }
    }
}

impl WakeUp for Eventfd {
    fn ring(&self) {
        *lock(&self.count) += 1;
        self.changed.notify_all();
    }

    fn reset(&self) {
        *lock(&self.count) = 0;
    }
}

/// Each of `clients` makes `calls` slow calls, one after the other. The poll thread, which has
/// nothing else to wait for, receives all outcomes. Then the worker thread ends.
fn all_are_answered(clients: u64, calls: u64) {
    let queue = Arc::new(Calls::new());
    let wake = Arc::new(Eventfd::new());
    let worker = thread::spawn({
        let (queue, wake) = (Arc::clone(&queue), Arc::clone(&wake));
        move || {
            while let Some((number, call)) = queue.next() {
                queue.finish(number, call, &*wake);
            }
        }
    });
    let mut answered = vec![0; clients as usize];
    (0..clients).for_each(|number| queue.push(number, 0));
    while answered.iter().any(|&count| count < calls) {
        wake.poll();
        for (number, call) in queue.take_done(&*wake) {
            let count = &mut answered[number as usize];
            assert_eq!(call, *count, "the outcome of another call");
            *count += 1;
            if *count < calls {
                queue.push(number, *count);
            }
        }
    }
    queue.stop();
    worker.join().unwrap();
}

/// The poll thread ends while the worker thread runs a call or waits for one.
fn end_with_a_call() {
    let queue = Arc::new(Calls::new());
    let wake = Arc::new(Eventfd::new());
    let worker = thread::spawn({
        let (queue, wake) = (Arc::clone(&queue), Arc::clone(&wake));
        move || {
            while let Some((number, ())) = queue.next() {
                queue.finish(number, (), &*wake);
            }
        }
    });
    queue.push(0, ());
    queue.stop();
    worker.join().unwrap();
}

#[test]
fn slow_calls() {
    crate::model::explore(|| all_are_answered(1, 2), 3);
    crate::model::explore(|| all_are_answered(2, 1), 3);
}

#[test]
fn slow_calls_at_the_end() {
    crate::model::explore(end_with_a_call, 3);
}
