//! Timestamps: nanoseconds of CLOCK_MONOTONIC, obtained in the mode chosen for the session.
//!
//! * `exact`: a record's stamp is the processor's counter, and the writer thread converts it to
//!   nanoseconds. [`timeline`] explains how the result follows CLOCK_MONOTONIC. If the counter is
//!   not reliable ([`counter`]), the mode is `gettime`.
//! * `coarse`: a record's stamp is read from a word that the ticker thread updates each millisecond
//!   while any event is enabled ([`ticker`]).
//! * `gettime`: a record's stamp is the kernel's time.
//!
//! In every mode, a thread's times never decrease.

mod calibration;
mod counter;
pub(crate) mod instant;
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

use ringtrace_wire::ticks::Rate;

use sample::{Sample, TimeSource};

use crate::options::Clock;

pub(crate) use ticker::ENABLED_EVENTS;
pub(crate) use times::{Conversion, Times};

const EXACT: u8 = 0;
const COARSE_MODE: u8 = 1;
const GETTIME: u8 = 2;

static MODE: AtomicU8 = AtomicU8::new(GETTIME);

/// The counter's [`Rate`], measured when the session starts.
static RATE: AtomicU64 = AtomicU64::new(0);

/// Set if exact time was requested but is not available.
static FELL_BACK: AtomicBool = AtomicBool::new(false);

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

/// Returns the stamp of a record: ticks in the mode `exact`, otherwise nanoseconds. [`Times`]
/// converts it to a time.
///
/// A thread's stamps never decrease.
#[inline]
pub(crate) fn stamp() -> u64 {
    match MODE.load(Ordering::Acquire) {
        EXACT => ticks(),
        COARSE_MODE => coarse_ns(),
        _ => monotonic_ns(),
    }
}

/// Returns the same value as [`stamp`], if [`stamps_are_ticks`] is true.
#[inline(always)]
pub(crate) fn ticks() -> u64 {
    counter::read()
}

/// Returns the same value as [`stamp`], if time is coarse. After coarse time has been stopped, the
/// value no longer changes.
#[inline(always)]
pub(crate) fn coarse_ns() -> u64 {
    ticker::NOW_NS.load()
}

/// A bit of an event's state, set while the binary trace is active and time is coarse. It saves
/// probes a separate test.
pub(crate) const COARSE: u8 = 0x10;
/// A bit of an event's state, set while the binary trace is active and stamps are the kernel's
/// time.
const GETTIME_STATE: u8 = 0x20;

pub(crate) fn state() -> u8 {
    match MODE.load(Ordering::Relaxed) {
        EXACT => 0,
        COARSE_MODE => COARSE,
        _ => GETTIME_STATE,
    }
}

pub(crate) fn stamps_are_ticks() -> bool {
    MODE.load(Ordering::Relaxed) == EXACT
}

pub(crate) fn monotonic_ns() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

/// Makes `clock` the source of [`stamp`]. Calls `meanwhile` while the counter's rate is measured, and returns its
/// result.
///
/// # Errors
///
/// Fails if the ticker thread cannot be started.
pub(crate) fn start<R>(clock: Clock, meanwhile: impl FnOnce() -> R) -> io::Result<R> {
    stop();
    let before = Sample::best(&Machine);
    let result = meanwhile();
    let mode = match clock {
        Clock::Exact => match counter::check().ok().and_then(|()| calibration::first_rate(&Machine, &before))
        {
            Some(rate) => {
                RATE.store(rate.0, Ordering::Relaxed);
                EXACT
            }
            None => {
                FELL_BACK.store(true, Ordering::Relaxed);
                GETTIME
            }
        },
        Clock::Coarse => {
            ticker::start()?;
            COARSE_MODE
        }
        Clock::Gettime => GETTIME,
    };
    MODE.store(mode, Ordering::Release);
    Ok(result)
}

/// Undoes [`start`]. Afterwards, stamps are the kernel's time.
pub(crate) fn stop() {
    MODE.store(GETTIME, Ordering::Release);
    FELL_BACK.store(false, Ordering::Relaxed);
    ticker::stop();
}

/// Wakes the ticker. Must be called before the first enabled event is counted, because coarse time
/// does not advance while no event is enabled.
pub(crate) fn events_are_on() {
    if MODE.load(Ordering::Acquire) == COARSE_MODE {
        ticker::wake();
    }
}

/// Allows another [`start`] in a forked child. Until then coarse time does not advance, but exact
/// time does.
pub(crate) fn reset_after_fork() {
    ticker::reset_after_fork();
}

/// Continues with `clock` in a child after [`reset_after_fork`]. Does nothing for exact time.
///
/// # Errors
///
/// Fails if the ticker thread cannot be started.
pub(crate) fn start_in_child(clock: Clock) -> io::Result<()> {
    if clock == Clock::Coarse { ticker::start() } else { Ok(()) }
}

/// Returns the description of the clock for metadata, such as `exact tsc 2400 MHz`.
pub(crate) fn description() -> String {
    match MODE.load(Ordering::Acquire) {
        EXACT => {
            let hertz = Rate(RATE.load(Ordering::Relaxed)).hertz();
            format!("exact {} {} MHz", counter::NAME, (hertz + 500_000) / 1_000_000)
        }
        COARSE_MODE => format!("coarse {} ms", ticker::PERIOD.as_millis()),
        _ => {
            let fell_back = FELL_BACK.load(Ordering::Relaxed);
            match fell_back.then(counter::check) {
                Some(Err(why)) => format!("gettime ({why})"),
                Some(Ok(())) => "gettime (the counter does not advance)".to_owned(),
                None => "gettime".to_owned(),
            }
        }
    }
}
