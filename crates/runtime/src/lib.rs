//! Tracing for native programs: what an instrumented program links.
//!
//! A program declares its events in a `trace-events` file,
//!
//! ```text
//! blk_read(uint64_t req, uint64_t offset, int len) "req %" PRIu64 " offset %" PRIu64 " len %d"
//! ```
//!
//! a build script (`ringtrace_tracetool::Builder`) makes a function and a macro of each, and the program calls them:
//!
//! ```
//! # #[cfg(any())] // No build script has made probes here.
//! ringtrace::include_trace!("blk");
//! # mod trace { pub fn blk_read(_: u64, _: u64, _: i32) {} macro_rules! read { ($($a:expr),*) => { blk_read($($a),*) } } pub(crate) use read as blk_read; }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // What to record, where to and how: `--trace 'blk_*,file=blk.trace'`, and the variable RINGTRACE.
//!     // The trace ends with the guard. Nothing is asked: nothing starts.
//!     let _tracing = ringtrace::Options::from_env_and_args()?.start()?;
//!
//!     trace::blk_read(1, 4096, 512);                      // arguments are evaluated always
//!     # use trace::blk_read;
//!     trace::blk_read!(2, offset_of(2), 512);             // only while the event is on
//!     Ok(())
//! }
//! # fn offset_of(_: u64) -> u64 { 0 }
//! ```
//!
//! An event that is off costs a load, a test and a jump. One that is on is written into its thread's ring, with the time, without a lock, an
//! allocation or a system call; a writer thread brings rings to a file, which `ringtrace print`, `stat` and `info` read. Rings outlive a
//! process that is killed: `ringtrace recover` makes a trace of them.
//!
//! | to | see |
//! | --- | --- |
//! | start, from options, by clap or by calls | [`Options`], `clap::TraceArgs`, [`Settings`] and [`session::start`] |
//! | switch events and backends while the program runs | [`set_enabled`], [`switch_backends`], [`Event::is_enabled`] |
//! | close the trace file, or go on in another one | [`session::set_recording`], [`session::set_trace_file`]; the log's: [`session::set_log_file`] |
//! | be asked and told while it runs, by QEMU's HMP and QMP | `Options::with_monitor`, `monitor::Server` |
//! | decide what happens when a ring is full | [`Policy`]; [`never_block`] for threads that must not wait |
//! | have all in the file, or what the rings hold now in one of its own | [`flush`], [`snapshot`](fn@snapshot) |
//! | know how recording goes: events, rings, the file | [`status`], [`status::buffered`] |
//! | know which events there are | [`events`], [`event`](fn@event) |
//! | pass a value of a type of one's own to a probe | [`probe::ToBytes`], [`probe::ToAddress`] |
//!
//! A library that leaves it to programs whether it traces depends on this crate with `default-features = false`: without the feature `runtime` probes
//! are nothing, and the crate is `no_std`. The features `monitor`, which is a default one, and `clap` add the modules
//! of these names.
//!
//! ```text
//! trace-events --> tracetool --> probe --> ring --> writer --> trace file --> print, stat, ...
//!   [events]      [tracetool]   [------- runtime -------]       [wire]     [tracefile, cli, ..]
//!                               ^^^^^^^^^^^^^^^^^^^^^^^^^ you are here
//! ```

#![cfg_attr(not(feature = "runtime"), no_std)]
#![deny(unsafe_code)]

#[cfg(feature = "runtime")]
mod backend;
#[cfg(feature = "runtime")]
mod clock;
#[cfg(feature = "monitor")]
mod control;
mod event;
#[cfg(feature = "runtime")]
#[doc(hidden)]
pub mod ffi;
#[cfg(feature = "runtime")]
pub mod options;
#[cfg(feature = "runtime")]
mod os;
pub mod probe;
#[cfg(feature = "runtime")]
mod ring;
#[cfg(feature = "runtime")]
pub mod session;
#[cfg(feature = "runtime")]
pub mod start;
#[cfg(feature = "runtime")]
mod writer;

pub use event::{Argument, ArgumentKind, Declaration, Event, EventState, Group};
#[cfg(feature = "clap")]
pub use start::clap;
#[cfg(feature = "runtime")]
pub use {
    backend::{OpenError, TextCounts, text_counts, text_refused},
    event::registry::{self, Switched, backends, event, events, set_enabled},
    options::{
        BACKENDS, Backend, Backends, Clock, LogLine, Options, OptionsError, Pattern, Policy, Settings,
        Switch, UnknownBackend,
    },
    os::wait::{NeverBlock, never_block},
    session::{Guard, StartError, announcement, flush, snapshot::snapshot, status, switch_backends},
};

/// A socket by which the program is watched and controlled while it runs, in QEMU's two monitor languages.
#[cfg(feature = "monitor")]
pub mod monitor {
    pub use crate::control::*;
}
