//! Tests of the monitor's answers without a socket: bytes in, bytes out.

#![cfg(feature = "monitor")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod client;
mod conversations;
mod declared;
mod limits;
mod pieces;
mod reference;
mod together;
mod transcripts;
mod worker;
