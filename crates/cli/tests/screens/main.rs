//! Tests interactive commands in a tmux terminal. Compares screens with golden files in
//! `testdata/screens`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod ctl;
#[path = "../engine/mod.rs"]
mod engine;
mod many;
mod play;
mod screen;
mod top;
