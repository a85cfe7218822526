//! Generated source, as others' compilers see it, and what arrives where it leads.
//!
//! What it names of QEMU is in `testdata/tracetool/stubs`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may; clippy knows only functions marked as tests"
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
