//! Tests of the clock on this machine.

use std::time::{Duration, Instant};

use super::*;
use crate::{Declaration, Event, Group, registry};

/// The tolerance. It is much larger than real errors, because the machine may be busy, and much
/// smaller than the error of a wrong formula.
const GENEROUS_NS: u64 = 500_000_000;

/// Serializes tests that change the clock, which is the same for the whole process. Starting a
/// session also changes it.
pub(crate) static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Reads the clock for a second, and converts stamps as the writer thread does. Times must be near
/// the kernel's, and never decrease.
fn run_for_a_second(clock: Clock) {
    let _one = crate::os::lock(&ONE_AT_A_TIME);
    start(clock, || ()).unwrap();
    eprintln!("{clock:?}: {}", description());
    let mut times = Times::new();
    let end = Instant::now() + Duration::from_secs(1);
    let mut last_ns = 0;
    while Instant::now() < end {
        let read = || (monotonic_ns(), stamp(), monotonic_ns());
        let readings: Vec<_> = std::iter::repeat_with(read).take(1000).collect();
        times.renew();
        let first = readings[0].1;
        times.ns(first);
        let conversion = times.conversion(first, u64::MAX);
        for (before_ns, stamp, after_ns) in readings {
            let ns = times.ns(stamp);
            assert!(conversion.ns(stamp).is_none_or(|converted| converted == ns), "{stamp}");
            let until = times.conversion(stamp, stamp);
            assert_eq!((until.ns(stamp), until.ns(stamp + 1)), (Some(ns), None));
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

/// Coarse time does not advance while no event is enabled, so that the ticker thread sleeps.
#[test]
fn coarse_time_is_near_the_kernels_while_an_event_is_on() {
    static EVENT: Event = Event::new(Declaration {
        name: "clock_test",
        group: "clock_test",
        arguments: &[],
        format: None,
        text: "clock_test()",
        traceable: true,
    });
    static GROUP: Group = Group::new("clock_test", &[&EVENT]);
    let one = crate::os::lock(&ONE_AT_A_TIME);
    assert_eq!(registry::enabled_events(), 0);
    registry::register(&GROUP);
    start(Clock::Coarse, || ()).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    let resting_ns = stamp();
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(stamp(), resting_ns);
    let before_ns = monotonic_ns();
    registry::set_enabled("clock_test", true);
    assert!(stamp() >= before_ns, "the time is current as soon as an event is on");
    drop(one);
    run_for_a_second(Clock::Coarse);
    registry::unregister(&GROUP);
    assert_eq!(registry::enabled_events(), 0);
}
