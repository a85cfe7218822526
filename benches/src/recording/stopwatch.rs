//! Measures durations of a few microseconds, and processor time.

#![allow(unsafe_code, reason = "reads the counter of x86-64 processors")]

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Returns the time that `work` takes, in ns.
///
/// Uses the processor's counter if possible, because `Instant` costs as much as some of the events.
pub fn time_ns(work: impl FnOnce()) -> f64 {
    let per_ns = ticks_per_ns();
    let start = ticks();
    work();
    (ticks() - start) as f64 / per_ns
}

/// Reads the counter after all earlier instructions have finished, and before any later one has
/// started.
#[cfg(target_arch = "x86_64")]
fn ticks() -> u64 {
    use std::arch::x86_64::{_mm_lfence, _rdtsc};
    // SAFETY: every x86-64 processor has both instructions.
    unsafe {
        _mm_lfence();
        let now = _rdtsc();
        _mm_lfence();
        now
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn ticks() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

fn ticks_per_ns() -> f64 {
    const CALIBRATE_FOR: Duration = Duration::from_millis(30);
    static PER_NS: OnceLock<f64> = OnceLock::new();
    *PER_NS.get_or_init(|| {
        let (start, first) = (Instant::now(), ticks());
        let elapsed = loop {
            let elapsed = start.elapsed();
            if elapsed >= CALIBRATE_FOR {
                break elapsed;
            }
        };
        (ticks() - first) as f64 / elapsed.as_nanos() as f64
    })
}

/// Returns the processor time that all threads of this process have used, in ns.
pub fn process_cpu_ns() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}
