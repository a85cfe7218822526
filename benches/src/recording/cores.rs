//! Selects the core that a thread runs on.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Returns the cores that this process may use.
pub fn usable() -> Vec<usize> {
    let set = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect()
}

/// Pins the calling thread, and the threads that it starts later, to a core.
///
/// # Errors
/// Fails if the kernel rejects the core.
pub fn stay_on(core: usize) -> Result<(), String> {
    let mut set = CpuSet::new();
    set.set(core);
    sched_setaffinity(None, &set).map_err(|error| format!("core {core}: {error}"))
}
