//! A service that is killed and started again with the same trace file, as by a supervisor.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod running;

use std::fs;

use running::{Place, Run, example, wait_for_bytes};
use rustix::process::Signal;

/// Starts an engine that records to the file `t`.
fn start(place: &Place, more: &[&str]) -> Run {
    let words = ["--threads", "1", "--rate", "2000", "--trace", "*,file=t,buffer=128K,threads=2"];
    Run::of(&mut place.command(&example("engine"), &[&words, more].concat()))
}

/// Kills an engine after it has recorded something. Returns its process id.
fn crash(place: &Place) -> u32 {
    let run = start(place, &[]);
    wait_for_bytes(&place.path("t"), 100_000);
    let pid = run.tool.id();
    run.send(Signal::KILL);
    run.end();
    pid
}

/// Runs an engine to its end. Returns its messages.
fn run(place: &Place) -> String {
    let (_, said, status) = start(place, &["--requests", "10"]).end();
    assert!(status.success(), "{said}");
    said
}

#[test]
fn the_trace_of_a_crash_is_kept_once() {
    let place = Place::new();
    let pid = crash(&place);
    let crashed = fs::read(place.path("t")).unwrap();
    let said = run(&place);
    let kept = format!(
        "ringtrace: trace file t: process {pid} did not finish this trace; it is now t.old: `ringtrace recover {pid}` \
         adds its last events\n"
    );
    assert_eq!(said, kept);
    assert_eq!(fs::read(place.path("t.old")).unwrap(), crashed);

    // Each command knows which of the two files belongs to the killed process.
    assert_eq!(place.run(&["print", "t"]).1, "");
    let (_, said, _) = place.run(&["print", "t.old"]);
    assert!(said.contains(&format!("process {pid} was killed")), "{said}");
    let (recovered, said, code) = place.run(&["recover", &pid.to_string(), "-o", "whole"]);
    assert_eq!((said.as_str(), code), ("", 0));
    assert!(!recovered.contains("From file   0 events"), "{recovered}");
    assert!(recovered.contains("Lost        no events\n"), "{recovered}");

    // The file of a run that has ended is replaced, although the arena is still there.
    assert_eq!(run(&place), "");
    assert_eq!(fs::read(place.path("t.old")).unwrap(), crashed);

    // Crash after crash must not fill the disk.
    let second = crash(&place);
    let said = run(&place);
    let start =
        format!("ringtrace: trace file t: process {second} did not finish this trace; it is replaced, ");
    assert!(said.starts_with(&start), "{said}");
    assert_eq!(fs::read(place.path("t.old")).unwrap(), crashed);

    // After a recovery, nothing refers to the old trace.
    place.run(&["recover", "--remove"]);
    fs::remove_file(place.path("t.old")).unwrap();
    assert_eq!(run(&place), "");
    assert!(!place.path("t.old").exists());
}
