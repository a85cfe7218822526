//! The C library: QEMU's tracing interface, over the runtime's rings.
//!
//! ```text
//! declare          generate             emit              buffer            drain             file         read            tell
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export, sql
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, query]
//!                                           ^^^^^^^^^ you are here, for C
//! ```
//!
//! C sees the headers in `include`; what they say is not repeated here. What can only be said in C stands in `src/c`: a thread-local symbol, streams.
//!
//! * A group of generated C describes itself by a constructor and is registered by `trace_event_register_group`: `groups.rs` makes events of the runtime
//!   of it, which live on the heap, and whose state the runtime mirrors in C's own words.
//! * A record is written inline by `trace/simple.h`, in the thread's ring, whose place the runtime lends to C's thread-local pointer.
//!   What is not done there comes to `record.rs`.
//! * Control, and when what begins: `control.rs`, `start.rs`; what `ringtrace.h` has beyond QEMU's functions: `extensions.rs`, `monitor.rs`.
//! * Lines that C has formatted go to the runtime's log and to the kernel by `text.rs`.
//!
//! In a library that is loaded beside a copy of the runtime that others share, events are that copy's, and so is all that decides where they
//! go: here they are only switched.
//!
//! Forks wait for what holds a lock here: `fork.rs`.
//!
//! No function here lets a panic into C: `extern "C"` functions end the process then.

mod control;
mod declared;
mod draft;
mod extensions;
mod fork;
mod globals;
mod groups;
mod ids;
mod interop;
mod monitor;
mod record;
mod start;
mod state;
mod text;
