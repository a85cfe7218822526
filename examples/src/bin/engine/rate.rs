//! So many a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The longest sleep, so that who is told to end does so soon.
const NAP: Duration = Duration::from_millis(20);

/// Who is later than this, because the machine was busy or asleep, does not make up for it.
const LATE: Duration = Duration::from_millis(200);

/// Keeps a rate.
#[derive(Debug)]
pub struct RateLimiter {
    /// `None`: as fast as it can.
    step: Option<Duration>,
    next: Instant,
}

impl RateLimiter {
    /// So many steps a second; 0: as fast as it can. Threads do not step together.
    pub fn new(rate: u32, thread: u32, threads: u32) -> RateLimiter {
        let step = Duration::from_secs(1).checked_div(rate);
        RateLimiter { step, next: Instant::now() + step.unwrap_or_default() * thread / threads }
    }

    /// Waits for the time of the next step, or until `stop`.
    pub fn wait(&mut self, stop: &AtomicBool) {
        let Some(step) = self.step else { return };
        loop {
            let now = Instant::now();
            if self.next + LATE < now {
                self.next = now;
            }
            if self.next <= now || stop.load(Ordering::Relaxed) {
                break;
            }
            thread::sleep((self.next - now).min(NAP));
        }
        self.next += step;
    }
}
