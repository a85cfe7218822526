//! Runs external programs for tests, and clients of monitors.
//!
//! If a program is missing, functions print `SKIPPED: reason`, which `cargo xtask check` counts,
//! and return `None`. `docs/peers.md` lists the packages that contain these programs.

#![forbid(unsafe_code)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::missing_panics_doc,
    reason = "parts of tests"
)]

pub mod babeltrace;
pub mod chromium;
pub mod firefox;
pub mod hmp_client;
pub mod monitor_client;
pub mod monitored;
pub mod node;
pub mod perfetto;
pub mod program;
pub mod python;
pub mod rsyslog;
pub mod systemtap;
pub mod trace_cmd;
pub mod tracefs;
