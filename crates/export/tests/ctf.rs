//! CTF as babeltrace2 reads it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests may; clippy knows only functions marked as tests"
)]

use std::path::Path;
use std::process::Command;

use ringtrace_events::Source;
use ringtrace_export::{Place, Setting, format, run};
use ringtrace_tracefile::pair::Meanings;
use ringtrace_tracefile::{Input, Needs, Options, Reader, Traces};

fn open(trace: &Path, events: &Path) -> Reader {
    let source = Source::new("events", std::fs::read_to_string(events).unwrap());
    let options = Options { sources: vec![source], ..Options::default() };
    Reader::new("trace", Input::open(trace).unwrap(), &options).unwrap()
}

#[test]
fn a_boot() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let reader = open(&root.join("boot-small.bin"), &root.join("boot-small.events"));
    let mut traces = Traces::sorted(vec![reader], Needs::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Folder(folder.path().to_owned());
    let exporter = (format("ctf").unwrap().begin)(place, &Setting::default()).unwrap();
    run(&mut traces, &mut Meanings::default(), exporter).unwrap();
    let printed = Command::new("babeltrace2").arg(folder.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&printed.stderr), "");
    assert_eq!(printed.stdout.iter().filter(|byte| **byte == b'\n').count(), 17361);
}
