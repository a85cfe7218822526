//! Compares exports, as read by profile viewers, with the traces, as read by our own reader.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "failing tests panic")]

mod exported;
mod firefox;
mod many_threads;
mod speedscope;
