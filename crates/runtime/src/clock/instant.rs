//! [`Instant`]s as nanoseconds of CLOCK_MONOTONIC.
//!
//! The standard library takes an `Instant` from CLOCK_MONOTONIC, but does not reveal its value. So
//! both are read at nearly the same time once, and all other instants are compared with that one.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::monotonic_ns;

/// An instant and its value, which is correct within some tens of nanoseconds.
#[derive(Debug, Clone, Copy)]
struct Base {
    instant: Instant,
    ns: u64,
}

static BASE: OnceLock<Base> = OnceLock::new();

/// Number of attempts. The thread may be interrupted in one of them.
const ATTEMPTS: usize = 4;

impl Base {
    fn measure() -> Base {
        let attempt = || {
            let before = monotonic_ns();
            let instant = Instant::now();
            let width_ns = monotonic_ns() - before;
            (width_ns, Base { instant, ns: before + width_ns / 2 })
        };
        let mut best = attempt();
        for _ in 1..ATTEMPTS {
            let next = attempt();
            if next.0 < best.0 {
                best = next;
            }
        }
        best.1
    }
}

/// Returns `instant` in nanoseconds of CLOCK_MONOTONIC; 0 if it is earlier than that clock.
///
/// This waits for nobody, because it may run in a signal handler. Only the first caller sets
/// [`BASE`]. Callers that interrupt it, or run at the same time, measure a base of their own.
pub(crate) fn ns(instant: Instant) -> u64 {
    /// Relaxed: it only chooses the caller. `OnceLock` synchronizes the base itself.
    static IS_SET: AtomicBool = AtomicBool::new(false);
    let base = BASE.get().copied().unwrap_or_else(|| {
        let base = Base::measure();
        if !IS_SET.swap(true, Ordering::Relaxed) {
            // This cannot fail, because there is no other caller.
            let _ = BASE.set(base);
        }
        base
    });
    let ns = |duration: std::time::Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    match instant.checked_duration_since(base.instant) {
        Some(later) => base.ns.saturating_add(ns(later)),
        None => base.ns.saturating_sub(ns(base.instant.duration_since(instant))),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn instants_are_times_of_the_clock_of_traces() {
        // An error of the base is far below the tolerance, which covers an interrupted test.
        let tolerance_ns = 1_000_000_000;
        let check = |instant: Instant| {
            let before = monotonic_ns() - tolerance_ns;
            assert!((before..before + 2 * tolerance_ns).contains(&ns(instant)));
        };
        check(Instant::now());
        check(Instant::now());
        let now = Instant::now();
        let times = [now - Duration::from_nanos(7), now, now + Duration::from_secs(3)].map(ns);
        assert_eq!([times[1] - times[0], times[2] - times[1]], [7, 3_000_000_000]);
        if let Some(early) = now.checked_sub(Duration::from_secs(u64::from(u32::MAX))) {
            assert_eq!(ns(early), 0);
        }
    }
}
