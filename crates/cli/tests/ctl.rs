//! Tests `ringtrace ctl` without a terminal, with the example `engine`. The conversations are in
//! `testdata/ctl`. `tests/screens` tests the shell.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;
mod engine;

use std::fs;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Command, Stdio};

use console::{Shell, expect, root};
use ringtrace_peers::monitored::{Monitored, wait_until};
use tempfile::TempDir;

/// Checks a conversation in `folder`.
fn hold(name: &str, folder: &Path) {
    let file = root().join("testdata/ctl").join(name);
    let accepted = fs::read_to_string(&file).unwrap();
    let differing = expect(&file, &accepted, &Shell::new(folder).held_now(&accepted));
    assert_eq!(differing, None, "RINGTRACE_ACCEPT=1 accepts");
}

/// Checks a conversation in the folder of an engine whose monitor is in `mode`.
fn hold_with_engine(name: &str, mode: &str, options: &[&str]) -> (Monitored, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine::start(folder.path(), mode, &[&["--trace", "blk_*,file=x.trace"], options].concat());
    hold(name, folder.path());
    (engine, folder)
}

#[test]
fn words() {
    let (engine, folder) = hold_with_engine("words.console", "auto", &[]);
    assert!(engine.end().status.success());
    assert!(folder.path().join("with \"blanks\" in it.trace").exists());
}

#[test]
fn words_in_qmp_mode() {
    // The output does not depend on the protocol.
    hold_with_engine("words.console", "qmp", &[]);
}

/// On a terminal, if a command prints nothing, the new state is printed after it.
#[test]
fn terminal() {
    hold_with_engine("terminal.console", "auto", &[]);
}

#[test]
fn json() {
    hold_with_engine("json.console", "qmp", &[]);
}

#[test]
fn lines() {
    hold_with_engine("lines.console", "auto", &[]);
}

#[test]
fn hmp() {
    hold_with_engine("hmp.console", "hmp", &[]);
}

#[test]
fn quit() {
    for mode in ["auto", "hmp"] {
        let (engine, _folder) = hold_with_engine("quit.console", mode, &["--allow-quit"]);
        assert!(engine.wait().status.success());
    }
}

/// Tests other kinds of files where a socket is expected.
#[test]
fn mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.trace"), "").unwrap();
    drop(UnixListener::bind(at("dead")).unwrap());
    let _silent = UnixListener::bind(at("silent")).unwrap();
    let engine = engine::start(folder.path(), "auto", &["--trace", "file=x.trace"]);
    // Connect as many clients as a monitor accepts. It closes the next connection.
    let clients: Vec<UnixStream> = (0..64).map(|_| UnixStream::connect(engine.socket()).unwrap()).collect();
    hold("mistakes.console", folder.path());
    drop(clients);
    let trace_file = || {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_ringtrace"));
        tool.arg("ctl").arg(engine.socket()).arg("trace-file").stdout(Stdio::null()).stderr(Stdio::null());
        tool.status().unwrap().success()
    };
    wait_until("there is room for another client", trace_file);
}
