//! Compiles generated source code and runs it.
//!
//! `testdata/tracetool/stubs` replaces QEMU.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod c;
mod dtrace;
mod lttng;
mod matrix;
mod qemu_rust;
mod sources;
mod stap_record;
mod stap_script;
mod stap_text;
mod systemtap;
mod tcg;
