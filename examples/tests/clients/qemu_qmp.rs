//! QEMU's client library: each scenario of `qmp.py` with a program of its own.

use std::process::Stdio;

use ringtrace_peers::monitored::{Monitored, ProgramResult};
use ringtrace_peers::python;
use tempfile::TempDir;

use crate::engine;

/// A ring that is soon full: what is recorded as fast as this program can does not fit.
const DROPS: &[&str] = &["--rate", "0", "--threads", "8", "--trace", "buffer=128K"];

/// Plays `scenario` with a program that is started in `mode` with `words`; `ended` waits for its end.
fn play(scenario: &str, mode: &str, words: &[&str], ended: fn(Monitored) -> ProgramResult) {
    let folder = TempDir::new().unwrap();
    let Some(mut script) = python::with("qemu.qmp", folder.path()) else { return };
    let engine = engine(folder.path(), mode, words);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/qmp.py");
    let output = script.args([path, scenario]).arg(engine.socket()).stdin(Stdio::null()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{scenario}: {}{}", String::from_utf8_lossy(&said), engine.said());
    let ended = ended(engine);
    assert!(ended.status.success(), "{ended:?}");
}

#[test]
fn a_script_steers_a_program() {
    for mode in ["auto", "qmp"] {
        play("steer", mode, &[], Monitored::end);
    }
}

#[test]
fn mistakes_are_raised_as_those_of_qemu_are() {
    play("errors", "auto", &[], Monitored::end);
}

#[test]
fn a_script_is_told_that_events_are_dropped() {
    play("drops", "auto", DROPS, Monitored::end);
}

#[test]
fn a_script_comes_and_goes() {
    play("reconnect", "auto", &[], Monitored::end);
}

#[test]
fn descriptors_that_come_along_are_not_kept() {
    play("descriptors", "auto", &[], Monitored::end);
}

#[test]
fn many_scripts_ask_at_once() {
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
