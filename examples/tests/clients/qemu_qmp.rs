//! QEMU's client library: runs each scenario of `qmp.py` with a new program.

use std::process::Stdio;

use ringtrace_peers::monitored::{Monitored, ProgramResult};
use ringtrace_peers::python;
use tempfile::TempDir;

use crate::engine;

/// Options that make the program drop events.
const DROPS: &[&str] = &["--rate", "0", "--threads", "8", "--trace", "buffer=128K"];

/// Runs `scenario` with a program that is started in `mode` with `words`. `ended` waits until the
/// program ends.
fn play(scenario: &str, mode: &str, words: &[&str], ended: fn(Monitored) -> ProgramResult) {
    let folder = TempDir::new().unwrap();
    let Some(mut script) = python::with("qemu.qmp", folder.path()) else { return };
    let engine = engine(folder.path(), mode, words);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/qmp.py");
    let output = script.args([path, scenario]).arg(engine.socket()).stdin(Stdio::null()).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{scenario}: {}{}", String::from_utf8_lossy(&text), engine.output());
    let ended = ended(engine);
    assert!(ended.status.success(), "{ended:?}");
}

#[test]
fn a_script_controls_a_program() {
    for mode in ["auto", "qmp"] {
        play("steer", mode, &[], Monitored::end);
    }
}

#[test]
fn errors_are_raised_like_those_of_qemu() {
    play("errors", "auto", &[], Monitored::end);
}

#[test]
fn a_script_is_notified_of_dropped_events() {
    play("drops", "auto", DROPS, Monitored::end);
}

#[test]
fn a_script_reconnects() {
    play("reconnect", "auto", &[], Monitored::end);
}

#[test]
fn passed_descriptors_are_closed() {
    play("descriptors", "auto", &[], Monitored::end);
}

#[test]
fn many_scripts_send_commands_at_once() {
    play("crowd", "auto", &["--rate", "0"], Monitored::end);
}

#[test]
fn scripts_that_wait_for_each_answer() {
    play("legacy", "auto", DROPS, Monitored::end);
}

#[test]
fn a_script_ends_a_program_that_allows_it() {
    play("end", "auto", &["--allow-quit"], Monitored::wait);
}
