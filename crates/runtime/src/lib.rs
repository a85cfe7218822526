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
mod emit;
mod event;
mod macros;
mod payload;
pub mod probe;
#[cfg(feature = "runtime")]
pub mod registry;

pub use event::{Argument, Declaration, Event, Group, Kind};
