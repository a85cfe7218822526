//! Nanoseconds of CLOCK_MONOTONIC, at the price that the session has chosen.
//!
//! * `exact`: the processor's counter, turned to nanoseconds by a multiplication. [`timebase`] says how threads agree on the time,
//!   [`steering`] how it follows CLOCK_MONOTONIC. Where the counter cannot be trusted ([`counter`]), it is `gettime`.
//! * `coarse`: a word that a thread of ours writes each millisecond ([`ticker`]).
//! * `gettime`: the kernel is asked.
//!
//! In every mode a thread's times never decrease.

mod counter;
mod sample;
mod steering;
mod ticker;
mod timebase;

#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use sample::{Rate, Sample, Source};
use steering::Steering;
use timebase::{Piece, SEGMENTS, Segment, Timebase};

use crate::settings::Clock;

static RING: [Segment; SEGMENTS] = [const { Segment::empty() }; SEGMENTS];

/// What every reading of the clock looks at, in a cache line of its own.
#[repr(C, align(64))]
struct Hot {
    /// The coarse time; or [`EXACT`] or [`GETTIME`], which no time is. So a coarse reading is one load.
    coarse_ns: AtomicI64,
    timebase: Timebase,
}

const EXACT: i64 = 0;
const GETTIME: i64 = -1;

static HOT: Hot = Hot { coarse_ns: AtomicI64::new(GETTIME), timebase: Timebase::new(&RING) };

/// Whether exact time was asked for and is not to be had.
static FELL_BACK: AtomicBool = AtomicBool::new(false);

/// The counter and the clock of this machine.
struct Machine;

impl Source for Machine {
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
#[inline(always)]
pub(crate) fn stamp() -> u64 {
    let coarse_ns = HOT.coarse_ns.load(Ordering::Relaxed);
    if coarse_ns == EXACT {
        return counter::read();
    }
    std::hint::cold_path();
    if coarse_ns > 0 { coarse_ns.cast_unsigned() } else { monotonic_ns() }
}

/// [`stamp`] while [`stamps_are_ticks`].
#[inline(always)]
pub(crate) fn ticks() -> u64 {
    counter::read()
}

/// [`stamp`] with coarse time.
#[inline(always)]
pub(crate) fn coarse_ns() -> u64 {
    HOT.coarse_ns.load(Ordering::Relaxed).cast_unsigned()
}

/// In the state of an event that goes to the binary trace: time is coarse. So a probe needs no test of its own for the clock.
pub(crate) const COARSE: u8 = 0x10;
/// In the state of an event that goes to the binary trace: the kernel is asked for the time.
pub(crate) const GETTIME_STATE: u8 = 0x20;

/// What the clock adds to the state of an event that goes to the binary trace.
pub(crate) fn state() -> u8 {
    match HOT.coarse_ns.load(Ordering::Relaxed) {
        EXACT => 0,
        GETTIME => GETTIME_STATE,
        _ => COARSE,
    }
}

/// Whether stamps are ticks.
pub(crate) fn stamps_are_ticks() -> bool {
    HOT.coarse_ns.load(Ordering::Relaxed) == EXACT
}

/// Turns stamps to times.
#[derive(Debug)]
pub(crate) struct Times {
    ticks: bool,
    piece: Piece,
    /// The last piece that [`Times::pieces`] gave.
    given: Option<usize>,
}

/// A piece of the function from ticks to nanoseconds, for the crash image.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Straight {
    /// Where it begins.
    pub(crate) first_ticks: u64,
    /// The time there.
    pub(crate) first_ns: u64,
    /// Nanoseconds for 2^64 ticks.
    pub(crate) rate: u64,
}

impl Times {
    /// For stamps of the clock that runs.
    pub(crate) fn new() -> Times {
        Times { ticks: stamps_are_ticks(), piece: HOT.timebase.piece_at(counter::read()), given: None }
    }

    /// To be called after stamps were collected: makes sure that the function is known up to now.
    pub(crate) fn renew(&mut self) {
        if self.ticks {
            let _ = HOT.timebase.now_ns(&Machine);
        }
    }

    /// The time that `stamp` means. For growing stamps, times never decrease.
    #[inline]
    pub(crate) fn ns(&mut self, stamp: u64) -> u64 {
        if !self.ticks {
            return stamp;
        }
        let elapsed = stamp.wrapping_sub(self.piece.first_ticks);
        if elapsed >= self.piece.span_ticks {
            std::hint::cold_path();
            self.piece = HOT.timebase.piece_at(stamp);
            let elapsed = stamp.wrapping_sub(self.piece.first_ticks).cast_signed();
            let away_ns = self.piece.rate.ns(elapsed.unsigned_abs());
            return if elapsed < 0 {
                self.piece.first_ns.saturating_sub(away_ns)
            } else {
                self.piece.first_ns.saturating_add(away_ns)
            };
        }
        self.piece.first_ns.wrapping_add(self.piece.rate.ns(elapsed))
    }

    /// Gives the pieces that were decided since to `f`.
    pub(crate) fn pieces(&mut self, mut f: impl FnMut(Straight)) {
        if self.ticks {
            let given = HOT.timebase.pieces_since(self.given, |piece| {
                f(Straight { first_ticks: piece.first_ticks, first_ns: piece.first_ns, rate: piece.rate.0 });
            });
            self.given = Some(given);
        }
    }
}

/// The time by the session's clock: nanoseconds of CLOCK_MONOTONIC, never less than this thread was given before.
#[inline(always)]
pub(crate) fn now_ns() -> u64 {
    let coarse_ns = HOT.coarse_ns.load(Ordering::Acquire);
    if coarse_ns > 0 {
        return coarse_ns.cast_unsigned();
    }
    if coarse_ns == EXACT
        && let Some(ns) = HOT.timebase.ns_at(counter::read())
    {
        return ns;
    }
    std::hint::cold_path();
    now_ns_slowly()
}

#[cold]
#[inline(never)]
fn now_ns_slowly() -> u64 {
    match HOT.coarse_ns.load(Ordering::Acquire) {
        EXACT => HOT.timebase.read_slowly(&Machine),
        coarse_ns if coarse_ns > 0 => coarse_ns.cast_unsigned(),
        _ => monotonic_ns(),
    }
}

/// The true time: CLOCK_MONOTONIC, by the kernel.
pub(crate) fn monotonic_ns() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

/// Makes `clock` what [`now_ns`] reads, and measures the counter if need be: some milliseconds.
///
/// # Errors
///
/// The ticker's thread cannot be started.
pub(crate) fn start(clock: Clock) -> io::Result<()> {
    stop();
    match clock {
        Clock::Exact => {
            let exact = calibrate();
            FELL_BACK.store(!exact, Ordering::Relaxed);
            HOT.coarse_ns.store(if exact { EXACT } else { GETTIME }, Ordering::Release);
        }
        Clock::Coarse => ticker::start(&HOT.coarse_ns)?,
        Clock::Gettime => {}
    }
    Ok(())
}

/// Measures the counter and begins the function. `false`: there is none to trust.
fn calibrate() -> bool {
    const SHORTLY: Duration = Duration::from_millis(2);
    if counter::trust().is_err() {
        return false;
    }
    let before = Sample::take(&Machine);
    std::thread::sleep(SHORTLY);
    let now = Sample::take(&Machine);
    let Some(rate) = now.rate_since(&before).filter(|&rate| rate <= Rate::SLOWEST) else { return false };
    Steering::new(rate, now).start(&HOT.timebase);
    true
}

/// Keeps exact time near CLOCK_MONOTONIC. The writer thread calls it whenever it is awake, at least every second or so; most calls
/// only look whether there is something to do.
pub(crate) fn discipline() {
    thread_local! {
        static STEERING: Cell<Option<Steering>> = const { Cell::new(None) };
    }
    if HOT.coarse_ns.load(Ordering::Acquire) == EXACT {
        let mut steering =
            STEERING.get().unwrap_or_else(|| Steering::new(HOT.timebase.rate(), Sample::take(&Machine)));
        steering.turn(&HOT.timebase, &Machine);
        STEERING.set(Some(steering));
    }
}

/// Ends what [`start`] has begun; times come from the kernel then.
pub(crate) fn stop() {
    let last_ns = now_ns();
    HOT.coarse_ns.store(GETTIME, Ordering::Release);
    FELL_BACK.store(false, Ordering::Relaxed);
    ticker::stop();
    // Exact time may have been ahead, mostly by nanoseconds.
    let ahead_ns = last_ns.saturating_sub(monotonic_ns());
    if ahead_ns > 0 {
        std::thread::sleep(Duration::from_nanos(ahead_ns).min(Duration::from_millis(100)));
    }
}

/// In a child after `fork`: makes it possible to [`start`] again. Until then coarse time is the kernel's, and exact time stays what it is.
pub(crate) fn reset_after_fork() {
    HOT.timebase.reset_after_fork();
    ticker::reset_after_fork();
    if HOT.coarse_ns.load(Ordering::Acquire) > 0 {
        HOT.coarse_ns.store(GETTIME, Ordering::Release);
    }
}

/// The clock in words, for metadata: `exact tsc 2400.012 MHz`.
pub(crate) fn description() -> String {
    match HOT.coarse_ns.load(Ordering::Acquire) {
        EXACT => {
            let kilohertz = (HOT.timebase.rate().hertz() >> counter::TICK_SHIFT) / 1000;
            format!("exact {} {}.{:03} MHz", counter::NAME, kilohertz / 1000, kilohertz % 1000)
        }
        GETTIME => {
            let fell_back = FELL_BACK.load(Ordering::Relaxed);
            match fell_back.then(counter::trust) {
                Some(Err(why)) => format!("gettime ({why})"),
                Some(Ok(())) => format!("gettime ({})", counter::Distrust::Slow),
                None => "gettime".to_owned(),
            }
        }
        _ => format!("coarse {} ms", ticker::PERIOD.as_millis()),
    }
}
