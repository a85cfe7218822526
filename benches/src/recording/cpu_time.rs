//! The processor time that this process has used.

use rustix::time::{ClockId, clock_gettime};

/// By all its threads, in ns.
pub fn of_process_ns() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}
