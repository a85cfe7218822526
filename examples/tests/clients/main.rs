//! Controls a program with external clients: QEMU's Python library, QEMU's shell, and socat.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod qemu_qmp;
mod qmp_shell;
mod socat;

use std::path::Path;
use std::process::Command;

use ringtrace_peers::monitored::Monitored;

/// Starts the engine with all events disabled, and with its trace and monitor in `folder`.
fn engine(folder: &Path, mode: &str, words: &[&str]) -> Monitored {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
    engine.args(["--trace", &format!("file={}", folder.join("first.trace").display())]).args(words);
    Monitored::start(engine, folder, mode)
}

/// Ends the program, which must succeed.
fn end(engine: Monitored) {
    let ended = engine.end();
    assert!(ended.status.success(), "{ended:?}");
}
