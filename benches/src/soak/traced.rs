//! The traced program: threads that come and go, and record events.

use std::error::Error;
use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use std::{process, thread};

ringtrace::include_trace!("soak");

/// Number of threads that run at the same time.
const THREADS: usize = 8;
const PAUSE: Duration = Duration::from_millis(1);
const EVENTS_BEFORE_PAUSE: u64 = 8;
/// Every so many workers, one records without pauses.
const BURST_EVERY: u64 = 16;

/// Records until standard input ends, and then writes the number of workers to standard output.
///
/// # Errors
/// Fails if tracing cannot start.
pub fn run() -> Result<(), Box<dyn Error>> {
    let guard = ringtrace::Options::from_env_and_args()?.with_monitor()?.start()?;
    let (ends, workers) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while !ends.load(Ordering::Relaxed) {
                    let worker = workers.fetch_add(1, Ordering::Relaxed);
                    // Each worker is a thread of its own.
                    if thread::spawn(move || work(worker)).join().is_err() {
                        process::abort();
                    }
                }
            });
        }
        let _ = std::io::stdin().read(&mut [0]);
        ends.store(true, Ordering::Relaxed);
    });
    drop(guard);
    println!("{}", workers.into_inner());
    Ok(())
}

/// Records the steps of a worker, and how many there were.
fn work(worker: u64) {
    let is_burst = worker.is_multiple_of(BURST_EVERY);
    let steps = if is_burst { 20_000 } else { 100 + worker * 7919 % 1000 };
    for number in 0..steps {
        match number % 4 {
            3 => trace::soak_text(worker, number, "some text of a usual length"),
            _ => trace::soak_step(worker, number),
        }
        trace::soak_switched(worker);
        if !is_burst && number % EVENTS_BEFORE_PAUSE == 0 {
            thread::sleep(PAUSE);
        }
    }
    trace::soak_end(worker, steps);
}
