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
//! declare          generate             emit              buffer            drain             file         read            tell
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export, sql
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, query]
//!                              you are here ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//! ```

#![cfg_attr(not(feature = "runtime"), no_std)]

#[cfg(feature = "runtime")]
pub mod announcement;
#[cfg(feature = "runtime")]
mod arena;
#[cfg(feature = "runtime")]
mod backend;
#[cfg(feature = "runtime")]
mod backends;
#[cfg(feature = "runtime")]
mod buffered;
#[cfg(feature = "clap")]
pub mod clap;
#[cfg(feature = "runtime")]
mod clock;
#[cfg(feature = "runtime")]
mod consumer;
#[cfg(feature = "runtime")]
mod counts;
#[cfg(feature = "runtime")]
mod current;
#[cfg(feature = "runtime")]
mod doorbell;
#[cfg(feature = "runtime")]
mod emit;
mod event;
#[cfg(feature = "runtime")]
mod exit;
#[cfg(feature = "runtime")]
mod flight;
#[cfg(feature = "runtime")]
mod fork;
#[cfg(feature = "runtime")]
mod free;
#[cfg(feature = "runtime")]
mod full;
#[cfg(feature = "runtime")]
#[doc(hidden)]
pub mod lent;
mod macros;
#[cfg(feature = "runtime")]
mod merge;
#[cfg(feature = "runtime")]
mod mirror;
#[cfg(feature = "monitor")]
pub mod monitor;
#[cfg(feature = "runtime")]
mod opening;
#[cfg(feature = "runtime")]
pub mod options;
#[cfg(feature = "runtime")]
mod pattern;
mod payload;
pub mod probe;
#[cfg(feature = "runtime")]
mod producer;
#[cfg(feature = "runtime")]
pub mod registry;
#[cfg(feature = "runtime")]
pub mod session;
#[cfg(feature = "runtime")]
mod settings;
#[cfg(feature = "runtime")]
mod settle;
#[cfg(feature = "runtime")]
mod shared;
#[cfg(feature = "runtime")]
mod signal;
#[cfg(feature = "runtime")]
mod sink;
#[cfg(feature = "runtime")]
mod slow;
#[cfg(feature = "runtime")]
mod snapshot;
#[cfg(feature = "runtime")]
pub mod status;
#[cfg(feature = "runtime")]
mod sync;
#[cfg(feature = "runtime")]
mod tally;
#[cfg(feature = "runtime")]
mod tenancy;
mod usdt;
mod ust;
#[cfg(feature = "runtime")]
mod wait;
#[cfg(feature = "runtime")]
mod within;
#[cfg(feature = "runtime")]
mod writer;

#[cfg(feature = "runtime")]
pub use backend::{OpenError, TextCounts, text_counts, text_refused};
#[cfg(feature = "runtime")]
pub use backends::{BACKENDS, Backend, Backends, UnknownBackend};
pub use event::{Argument, Declaration, Event, Group, Kind, State};
#[cfg(feature = "runtime")]
pub use options::{Options, OptionsError};
#[cfg(feature = "runtime")]
pub use pattern::{Pattern, Switch};
#[cfg(feature = "runtime")]
pub use registry::{Switched, backends, event, events, set_enabled};
#[cfg(feature = "runtime")]
pub use session::{Guard, StartError, flush, switch_backends};
#[cfg(feature = "runtime")]
pub use settings::{Clock, LogLine, Policy, Settings};
#[cfg(feature = "runtime")]
pub use snapshot::snapshot;
#[cfg(feature = "runtime")]
pub use wait::{NeverBlock, never_block};
