//! Tracing for native programs: what an instrumented program links.
//!
//! ```text
//! declare          generate             emit              buffer            drain             file         read            tell
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export, sql
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, query]
//!                              you are here ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//! ```

#![cfg_attr(not(feature = "runtime"), no_std)]

#[cfg(feature = "runtime")]
mod arena;
#[cfg(feature = "runtime")]
mod backend;
#[cfg(feature = "runtime")]
mod backends;
#[cfg(feature = "clap")]
pub mod clap;
#[cfg(feature = "runtime")]
mod clock;
#[cfg(feature = "runtime")]
mod consumer;
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
mod macros;
#[cfg(feature = "runtime")]
mod merge;
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
mod sync;
#[cfg(feature = "runtime")]
mod tally;
#[cfg(feature = "runtime")]
mod tenancy;
#[cfg(feature = "runtime")]
mod wait;
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
