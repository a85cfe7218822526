//! Tests interactive commands in a tmux terminal. Compares screens with golden files in
//! `testdata/screens`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests may; clippy knows only functions marked as tests"
)]

mod ctl;
#[path = "../engine/mod.rs"]
mod engine;
mod many;
mod play;
mod screen;
mod top;
