//! The clock on this machine.

use std::time::{Duration, Instant};

use super::*;

/// Far more than an error of ours, far less than a wrong formula: the machine may be busy.
const GENEROUS_NS: u64 = 500_000_000;

/// Tests change the process's one clock.
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Reads the clock for a second, and turns it to times as the writer thread does: near the kernel's, and never going back.
fn run_for_a_second(clock: Clock) {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    start(clock).unwrap();
    eprintln!("{clock:?}: {}", description());
    let mut times = Times::new();
    let end = Instant::now() + Duration::from_secs(1);
    let mut last_ns = 0;
    while Instant::now() < end {
        let read = || (monotonic_ns(), stamp(), monotonic_ns());
        let readings: Vec<_> = std::iter::repeat_with(read).take(1000).collect();
        times.renew();
        for (before_ns, stamp, after_ns) in readings {
            let ns = times.ns(stamp);
            assert!(ns >= last_ns, "{ns} after {last_ns}");
            assert!(
                ns + GENEROUS_NS >= before_ns && ns <= after_ns + GENEROUS_NS,
                "{before_ns} {ns} {after_ns}"
            );
            last_ns = ns;
        }
    }
    stop();
    assert!(!stamps_are_ticks());
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
