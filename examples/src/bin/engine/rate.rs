//! Limits the rate of requests.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The longest sleep. It is short so that a thread soon notices a request to stop.
const MAX_SLEEP: Duration = Duration::from_millis(20);

/// A thread that is delayed by more than this does not catch up.
const MAX_DELAY: Duration = Duration::from_millis(200);

#[derive(Debug)]
pub struct RateLimiter {
    /// Time between steps; `None` without a limit.
    step: Option<Duration>,
    next: Instant,
}

impl RateLimiter {
    /// Creates a limit of `rate` steps per second; 0 means no limit. The steps of different threads
    /// are spread evenly.
    pub fn new(rate: u32, thread: u32, threads: u32) -> RateLimiter {
        let step = Duration::from_secs(1).checked_div(rate);
        RateLimiter { step, next: Instant::now() + step.unwrap_or_default() * thread / threads }
    }

    /// Waits until the next step is due, or `stop` is set.
    pub fn wait(&mut self, stop: &AtomicBool) {
        let Some(step) = self.step else { return };
        loop {
            let now = Instant::now();
            if self.next + MAX_DELAY < now {
                self.next = now;
            }
            if self.next <= now || stop.load(Ordering::Relaxed) {
                break;
            }
            thread::sleep((self.next - now).min(MAX_SLEEP));
        }
        self.next += step;
    }
}
