//! Programs of others, as tests meet them: started with files of the test's own, and ended with it. And a program of ours as they meet it.
//!
//! What cannot be used here is said as `cargo xtask check` counts it, `SKIPPED: why`, and answered with `None`. Which packages bring
//! them is in `docs/peers.md`.

#![forbid(unsafe_code)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::missing_panics_doc,
    reason = "parts of tests: they fail by panics, and say there what they cannot do"
)]

pub mod babeltrace;
pub mod chromium;
pub mod firefox;
pub mod hmp_client;
pub mod monitor_client;
pub mod monitored;
pub mod node;
pub mod perfetto;
pub mod python;
pub mod rsyslog;
pub mod systemtap;
pub mod trace_cmd;
pub mod tracefs;
