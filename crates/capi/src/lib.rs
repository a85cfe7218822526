//! The C library: QEMU's tracing interface on top of ringtrace's runtime.
//!
//! The headers in `include` document the functions. `src/c` contains what cannot be written in
//! Rust: a thread-local symbol, streams, and variadic functions.
//!
//! * Constructors describe groups of generated C, and `trace_event_register_group` registers them.
//!   `groups.rs` creates events of the runtime for them on the heap. The runtime mirrors their
//!   states in C's variables.
//! * `trace/simple.h` writes records inline to the thread's ring, through a thread-local pointer
//!   that the runtime maintains. `record.rs` handles all other cases.
//! * `control.rs` and `start.rs` contain QEMU's functions for control and start-up. `extensions.rs`
//!   and `monitor.rs` contain the other functions of `ringtrace.h`.
//! * `host.rs` calls functions of QEMU, if the program defines them.
//! * `text.rs` passes lines that C has formatted to the runtime's log and to the kernel.
//!
//! If a library with a copy of the runtime is loaded into a program with another copy, all events
//! belong to the program's copy, which decides where they go. The library's copy then only enables
//! and disables them.
//!
//! `fork.rs` makes forks wait for the locks held here.
//!
//! A panic does not reach C: in `extern "C"` functions it ends the process.

#![deny(unsafe_code)]

#[expect(unsafe_code, reason = "functions that C calls with strings and iterators")]
mod control;
mod declared;
#[expect(unsafe_code, reason = "C writes drafts, which are read as slices")]
mod draft;
#[expect(unsafe_code, reason = "functions that C calls with strings and arguments")]
mod extensions;
#[expect(unsafe_code, reason = "fork handlers, and the locks they hold")]
mod fork;
#[expect(unsafe_code, reason = "variables shared with C")]
mod globals;
#[expect(unsafe_code, reason = "arrays, strings and event words that generated C defines")]
mod groups;
#[expect(unsafe_code, reason = "functions written in C")]
mod host;
#[expect(unsafe_code, reason = "probes find events through pointers, without a lock")]
mod ids;
#[expect(unsafe_code, reason = "C's strings and the arguments of main()")]
mod interop;
#[expect(unsafe_code, reason = "functions that C calls with strings and arguments")]
mod monitor;
#[expect(unsafe_code, reason = "C's thread-local pointer, and the records that C writes through it")]
mod record;
#[expect(unsafe_code, reason = "functions that C calls with strings")]
mod start;
#[expect(unsafe_code, reason = "openlog() is a C function")]
mod state;
#[expect(unsafe_code, reason = "lines that C formatted")]
mod text;
