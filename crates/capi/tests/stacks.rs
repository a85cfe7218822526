//! Call stacks and CPUs of events in C programs.

#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod program;

use std::path::PathBuf;
use std::sync::OnceLock;

use program::{Bench, Trace};
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};

fn own() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let flags = ["-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"];
        program::compile("stacks", "cc", "stacks.c", &flags)
    })
}

#[derive(Debug)]
struct Found {
    name: String,
    cpu: Option<u32>,
    /// The distances of the first addresses from the starts of `inner`, `middle` and `outer`.
    distances: Vec<u64>,
    frames: usize,
    /// Whether the module of each of these addresses is the program.
    is_own: bool,
}

/// Runs the program with an option. Returns its events.
fn run(options: &[&str]) -> Vec<Found> {
    let bench = Bench::new();
    let mut arguments = vec!["--trace", "file=t"];
    arguments.extend(options.iter().flat_map(|option| ["--trace", option]));
    let output = bench.run(own(), &arguments);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let functions: Vec<u64> = String::from_utf8(output.stdout)
        .unwrap()
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    let mut reader = Reader::new("t", Input::open(&bench.path("t")).unwrap(), &Options::default()).unwrap();
    let mut events = Vec::new();
    let own = own().canonicalize().unwrap();
    let flow = reader.for_each(|entry: &Entry<'_>| {
        let frames: Vec<_> = entry.stack().collect();
        let both = frames.iter().zip(&functions);
        events.push(Found {
            name: entry.schema.name.to_string(),
            cpu: entry.context.cpu(),
            distances: both.map(|(frame, function)| frame.address.wrapping_sub(*function)).collect(),
            frames: frames.len(),
            is_own: frames.iter().take(3).all(|frame| {
                frame.module.is_some_and(|module| module.path == own.as_os_str().as_encoded_bytes())
            }),
        });
        Flow::Continue
    });
    flow.unwrap();
    let Trace { lines, dropped, .. } = bench.trace("t");
    assert_eq!((lines.len(), dropped), (6, 0));
    assert_eq!(lines[..2], ["demo_two 0 2", "demo_named 0 \"inner\""]);
    assert_eq!(lines[4..], ["demo_two 2 2", "demo_named 2 \"inner\""]);
    events
}

/// The functions are short.
const FUNCTION_BYTES: u64 = 1024;

fn assert_has_stack(event: &Found) {
    // The program's functions, main, and one or two of the C library.
    assert!(event.frames >= 4 && event.is_own, "{event:?}");
    assert_eq!(event.distances.len(), 3);
    for distance in &event.distances {
        assert!((1..FUNCTION_BYTES).contains(distance), "{event:?}");
    }
}

#[test]
fn chosen_events_have_the_stack_of_their_callers() {
    let events = run(&["demo_*", "demo_two,stack"]);
    for event in &events {
        assert_eq!(event.cpu, None);
        match event.name.as_str() {
            "demo_two" => assert_has_stack(event),
            _ => assert_eq!(event.frames, 0, "{event:?}"),
        }
    }
}

#[test]
fn a_context_can_be_on_before_its_event() {
    let events = run(&["-demo_two", "demo_named,stack,cpu", "demo_two"]);
    for event in &events {
        match event.name.as_str() {
            "demo_named" => assert_has_stack(event),
            _ => assert_eq!(event.frames, 0, "{event:?}"),
        }
        assert_eq!(event.cpu.is_some(), event.name == "demo_named");
    }
}

#[test]
fn all_backends_get_the_event_once() {
    let bench = Bench::new();
    let option = "demo_two,stack,backend=simple+log,logfile=log,file=t";
    bench.run(own(), &["--trace", option]);
    assert_eq!(bench.trace("t").lines.len(), 3);
    let log = std::fs::read_to_string(bench.path("log")).unwrap();
    assert_eq!(log, "demo_two a 0 b 2\ndemo_two a 1 b 2\ndemo_two a 2 b 2\n");
}
