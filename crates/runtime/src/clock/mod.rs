//! Nanoseconds of CLOCK_MONOTONIC, at the price that the session has chosen.
//!
//! * `exact`: a record has the processor's counter for a time, and the writer thread turns that to nanoseconds. [`timeline`] says how
//!   that follows CLOCK_MONOTONIC. Where the counter cannot be trusted ([`counter`]), it is `gettime`.
//! * `coarse`: a record has the word that a thread of ours writes each millisecond while any event is on ([`ticker`]).
//! * `gettime`: the kernel is asked for each record.
//!
//! In every mode a thread's times never decrease.

mod calibration;
mod counter;
mod sample;
mod ticker;
mod timeline;
mod times;

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use tests::ONE_AT_A_TIME;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use ringtrace_wire::ticks::Rate;

use sample::{Sample, TimeSource};

use crate::options::Clock;

pub(crate) use ticker::ENABLED_EVENTS;
pub(crate) use times::Times;

/// A mode of the clock.
const EXACT: u8 = 0;
const COARSE_MODE: u8 = 1;
const GETTIME: u8 = 2;

/// The clock's mode.
static MODE: AtomicU8 = AtomicU8::new(GETTIME);

/// The counter's [`Rate`], as it was measured at the start.
static RATE: AtomicU64 = AtomicU64::new(0);

/// Whether exact time was asked for and is not to be had.
static FELL_BACK: AtomicBool = AtomicBool::new(false);

/// The counter and the clock of this machine.
struct Machine;

impl TimeSource for Machine {
    #[inline(always)]
    fn ticks(&self) -> u64 {
        counter::read()
    }

    #[inline]
    fn monotonic_ns(&self) -> u64 {
        monotonic_ns()
    }
}

/// What a record has for a time: ticks with exact time, else nanoseconds. [`Times`] turns it to a time.
///
/// Later readings of a thread are never smaller.
#[inline]
pub(crate) fn stamp() -> u64 {
    match MODE.load(Ordering::Acquire) {
        EXACT => ticks(),
        COARSE_MODE => coarse_ns(),
        _ => monotonic_ns(),
    }
}

/// [`stamp`] while [`stamps_are_ticks`].
#[inline(always)]
pub(crate) fn ticks() -> u64 {
    counter::read()
}

/// [`stamp`] with coarse time. When there is no coarse time any more, the last one that there was.
#[inline(always)]
pub(crate) fn coarse_ns() -> u64 {
    ticker::NOW_NS.load()
}

/// In the state of an event that goes to the binary trace: time is coarse. So a probe needs no test of its own for the clock.
pub(crate) const COARSE: u8 = 0x10;
/// In the state of an event that goes to the binary trace: the kernel is asked for the time.
const GETTIME_STATE: u8 = 0x20;

/// What of this the clock is.
pub(crate) fn state() -> u8 {
    match MODE.load(Ordering::Relaxed) {
        EXACT => 0,
        COARSE_MODE => COARSE,
        _ => GETTIME_STATE,
    }
}

/// Whether stamps are ticks.
pub(crate) fn stamps_are_ticks() -> bool {
    MODE.load(Ordering::Relaxed) == EXACT
}

/// The true time: CLOCK_MONOTONIC, by the kernel.
pub(crate) fn monotonic_ns() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

/// Makes `clock` what [`stamp`] reads, and measures the counter if need be: some milliseconds.
///
/// # Errors
///
/// The ticker's thread cannot be started.
pub(crate) fn start(clock: Clock) -> io::Result<()> {
    stop();
    let mode = match clock {
        Clock::Exact if counter::check().is_ok() && calibrate() => EXACT,
        Clock::Exact => {
            FELL_BACK.store(true, Ordering::Relaxed);
            GETTIME
        }
        Clock::Coarse => {
            ticker::start()?;
            COARSE_MODE
        }
        Clock::Gettime => GETTIME,
    };
    MODE.store(mode, Ordering::Release);
    Ok(())
}

/// Measures the counter, well enough for the first tenth of a second. `false`: it does not count.
fn calibrate() -> bool {
    const SHORTLY: Duration = Duration::from_millis(2);
    let before = Sample::best(&Machine);
    std::thread::sleep(SHORTLY);
    let rate = Sample::best(&Machine).rate_since(&before);
    if let Some(rate) = rate {
        RATE.store(rate.0, Ordering::Relaxed);
    }
    rate.is_some()
}

/// Ends what [`start`] has begun; times come from the kernel then.
pub(crate) fn stop() {
    MODE.store(GETTIME, Ordering::Release);
    FELL_BACK.store(false, Ordering::Relaxed);
    ticker::stop();
}

/// To be called when the first event is counted as enabled, before it is: coarse time stands still while none is.
pub(crate) fn events_are_on() {
    if MODE.load(Ordering::Acquire) == COARSE_MODE {
        ticker::wake();
    }
}

/// In a child after `fork`: makes it possible to [`start`] again. Until then coarse time stands still, and exact time stays what it is.
pub(crate) fn reset_after_fork() {
    ticker::reset_after_fork();
}

/// In a child after [`reset_after_fork`]: goes on with `clock`. Exact time needs nothing for that.
///
/// # Errors
///
/// The ticker's thread cannot be started.
pub(crate) fn start_in_child(clock: Clock) -> io::Result<()> {
    if clock == Clock::Coarse { ticker::start() } else { Ok(()) }
}

/// The clock in words, for metadata: `exact tsc 2400.012 MHz`.
pub(crate) fn description() -> String {
    match MODE.load(Ordering::Acquire) {
        EXACT => {
            let kilohertz = Rate(RATE.load(Ordering::Relaxed)).hertz() / 1000;
            format!("exact {} {}.{:03} MHz", counter::NAME, kilohertz / 1000, kilohertz % 1000)
        }
        COARSE_MODE => format!("coarse {} ms", ticker::PERIOD.as_millis()),
        _ => {
            let fell_back = FELL_BACK.load(Ordering::Relaxed);
            match fell_back.then(counter::check) {
                Some(Err(why)) => format!("gettime ({why})"),
                Some(Ok(())) => "gettime (the counter does not count)".to_owned(),
                None => "gettime".to_owned(),
            }
        }
    }
}
