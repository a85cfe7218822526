//! A program that is steered by the clients of others: QEMU's library for scripts and its shell, and a pipe.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests may; clippy knows only functions marked as tests"
)]

mod qemu_qmp;
mod qmp_shell;
mod socat;

use std::path::Path;
use std::process::Command;

use ringtrace_peers::monitored::Monitored;

/// The example, with all events off and its trace in `folder`, where it listens in `mode`.
fn engine(folder: &Path, mode: &str, words: &[&str]) -> Monitored {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
    engine.args(["--trace", &format!("file={}", folder.join("first.trace").display())]).args(words);
    Monitored::start(engine, folder, mode)
}

/// Ends the program, which must have nothing to complain of.
fn end(engine: Monitored) {
    let ended = engine.end();
    assert!(ended.status.success(), "{ended:?}");
}
