//! The clock on this machine.

use std::time::{Duration, Instant};

use super::*;

/// Far more than an error of ours, far less than a wrong formula: the machine may be busy.
const GENEROUS_NS: u64 = 500_000_000;

/// Tests change the process's one clock.
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Reads the clock for a second, while a writer thread's part is done now and then: it is near the kernel's, and never goes back.
fn run_for_a_second(clock: Clock) {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    start(clock).unwrap();
    eprintln!("{clock:?}: {}", description());
    let end = Instant::now() + Duration::from_secs(1);
    let mut last_ns = 0;
    while Instant::now() < end {
        for _ in 0..1000 {
            let before_ns = monotonic_ns();
            let ns = now_ns();
            let after_ns = monotonic_ns();
            assert!(ns >= last_ns, "{ns} after {last_ns}");
            assert!(
                ns + GENEROUS_NS >= before_ns && ns <= after_ns + GENEROUS_NS,
                "{before_ns} {ns} {after_ns}"
            );
            last_ns = ns;
        }
        discipline();
    }
    stop();
    assert!(now_ns() >= last_ns);
}

#[test]
fn exact_time_is_near_the_kernels() {
    run_for_a_second(Clock::Exact);
}

#[test]
fn gettime_is_the_kernels() {
    run_for_a_second(Clock::Gettime);
}

#[test]
fn coarse_time_is_near_the_kernels() {
    run_for_a_second(Clock::Coarse);
}
