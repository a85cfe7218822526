//! The bytes of trace files: decode and encode on slices, no I/O.
//!
//! ```text
//! declare          generate             emit              buffer            drain             file         read            tell
//! trace-events --> tracetool / build.rs --> trace_foo(..) --> per-thread ring --> writer thread --> trace-PID --> tracefile --> print, stat, export, sql
//!   [events]        [tracetool]            [runtime]        [runtime]         [runtime]        [wire]      [tracefile]   [cli, export, query]
//!                                                                              you are here ^^^^^^
//! ```

#![forbid(unsafe_code)]
