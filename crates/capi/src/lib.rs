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

#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "functions that C calls, with its strings and iterators")]
mod control;
mod declared;
#[expect(unsafe_code, reason = "C writes drafts, which are read as slices")]
mod draft;
#[expect(unsafe_code, reason = "functions that C calls, with its strings and arguments")]
mod extensions;
#[expect(unsafe_code, reason = "fork handlers, and the locks they hold")]
mod fork;
#[expect(unsafe_code, reason = "variables that C shares")]
mod globals;
#[expect(unsafe_code, reason = "arrays, strings and event words that generated C defines")]
mod groups;
#[expect(unsafe_code, reason = "probes find events through pointers, without a lock")]
mod ids;
#[expect(unsafe_code, reason = "C's strings and the arguments of main()")]
mod interop;
#[expect(unsafe_code, reason = "functions that C calls, with its strings and arguments")]
mod monitor;
#[expect(unsafe_code, reason = "C's thread-local pointer, and the records that C writes there")]
mod record;
#[expect(unsafe_code, reason = "functions that C calls, with its strings")]
mod start;
#[expect(unsafe_code, reason = "openlog() is a C function")]
mod state;
#[expect(unsafe_code, reason = "lines that C formatted")]
mod text;
