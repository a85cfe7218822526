//! Tests reading several traces: of one run, of one machine, and of several machines.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod recorded;
mod running;

use std::fs;

use recorded::{PROGRAM, Program, Recorded, SECOND};
use running::Place;

const ONE: Program = PROGRAM;

/// A program on another machine, with the same process, thread and keys. Its machine was started ten
/// seconds earlier.
const TWO: Program =
    Program { host: "two", boot: "b-2", trace: "00000000000000bb", zero_s: PROGRAM.zero_s - 10, ..PROGRAM };

/// Another program on the first machine, whose wall clock was set back by an hour meanwhile.
const NEXT: Program = Program { trace: "00000000000000cc", zero_s: PROGRAM.zero_s - 3600, ..PROGRAM };

fn place(traces: &[(&str, Recorded)]) -> Place {
    let place = Place::new();
    for (name, recorded) in traces {
        fs::write(place.path(name), &recorded.bytes).unwrap();
    }
    place
}

/// In both traces, a span with key 1 takes two seconds. They overlap in time.
fn two_hosts() -> Place {
    place(&[
        ("one", Recorded::new(ONE).begin(5 * SECOND, 1).end(7 * SECOND, 1)),
        ("two", Recorded::new(TWO).begin(16 * SECOND, 1).end(18 * SECOND, 1)),
    ])
}

#[test]
fn each_record_has_the_wall_clock_time_of_its_own_trace() {
    let place = two_hosts();
    let date = ["print", "--style", "log-time"];
    let alone: Vec<String> = ["one", "two"].map(|name| place.output(&[&date[..], &[name]].concat())).into();
    let mut expected: Vec<&str> = alone.iter().flat_map(|text| text.lines()).collect();
    expected.sort_unstable();
    assert_eq!(expected.len(), 4);
    // The order of the arguments does not matter.
    for names in [["one", "two"], ["two", "one"]] {
        for sort in [&[][..], &["--sort"]] {
            let out = place.output(&[&date[..], &names, sort].concat());
            assert_eq!(out.lines().collect::<Vec<_>>(), expected, "{names:?} {sort:?}");
        }
        // Relative times refer to the earliest record of all traces.
        let out = place.output(&[&["print", "--style", "log", "--time", "relative"][..], &names].concat());
        let times: Vec<&str> = out.lines().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(times, ["0.000000000", "1.000000000", "2.000000000", "3.000000000"]);
        for format in ["csv", "jsonl"] {
            let words = ["export", "--to", format, "-o", "/dev/stdout", names[0], names[1]];
            let out = place.output(&words);
            let dates = expected.iter().map(|line| &line[..26]);
            assert!(dates.clone().all(|date| out.contains(date)), "{format}: {out}");
        }
    }
}

/// The programs share a clock, which orders their records, although the wall clock was changed.
#[test]
fn traces_of_one_boot_are_ordered_by_its_clock() {
    let place = place(&[
        ("one", Recorded::new(ONE).begin(5 * SECOND, 1).end(7 * SECOND, 1)),
        ("next", Recorded::new(NEXT).begin(6 * SECOND, 2).end(8 * SECOND, 2)),
    ]);
    for names in [["one", "next"], ["next", "one"]] {
        let out = place.output(&[&["print", "--style", "log-time"][..], &names].concat());
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(
            lines,
            [
                "2026-11-18T11:06:45.000000Z begin key=1",
                "2026-11-18T10:06:46.000000Z begin key=2",
                "2026-11-18T11:06:47.000000Z end key=1",
                "2026-11-18T10:06:48.000000Z end key=2",
            ],
            "{names:?}"
        );
    }
}

#[test]
fn pairs_are_not_joined_by_chance() {
    let place = two_hosts();
    let matched = |words: &[&str]| {
        let out = place.output(&[&["stat", "--json", "--pair", "begin:end", "one", "two"], words].concat());
        let stat: serde_json::Value = serde_json::from_str(&out).unwrap();
        let pair = &stat["pairs"][0];
        (pair["matched"].as_u64().unwrap(), pair["restarted"].as_u64().unwrap())
    };
    assert_eq!(matched(&[]), (2, 0));
    // Both spans have the same key, so one restarts the other.
    assert_eq!(matched(&["--join-traces"]), (1, 1));
    let words = ["export", "--to", "jsonl", "--pair", "begin:end", "-o", "/dev/stdout", "one", "two"];
    let out = place.output(&words);
    assert_eq!(out.matches("\"latency_ns\":2000000000").count(), 2, "{out}");
}

/// Several files of one run are one trace, in a folder or not.
#[test]
fn files_of_one_run_are_one_trace() {
    let place = place(&[
        ("first", Recorded::new(ONE).begin(5 * SECOND, 1)),
        ("second", Recorded::new(ONE).end(7 * SECOND, 1)),
    ]);
    for names in [["first", "second"], ["second", "first"]] {
        let out = place.output(&[&["stat", "--json", "--pair", "begin:end"][..], &names].concat());
        let stat: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(stat["pairs"][0]["matched"], 1, "{names:?}");
    }
}

#[test]
fn traces_without_a_wall_clock_time_are_not_merged_with_other_machines() {
    let place = two_hosts();
    let mut without = Recorded::new(TWO).begin(9 * SECOND, 3).bytes;
    // Another key is ignored.
    let at = without.windows(7).position(|window| window == b"anchor=").unwrap();
    without[at..at + 6].copy_from_slice(b"xxxxxx");
    fs::write(place.path("without"), without).unwrap();
    let (out, said, code) = place.run(&["print", "one", "without"]);
    assert_eq!((out.as_str(), code), ("", 1));
    assert!(said.starts_with("error: without: the traces are of different machines or boots"), "{said}");
    assert!(said.contains("--unaligned"), "{said}");
    assert_eq!(
        place.output(&["print", "--unaligned", "--style", "log", "one", "without"]).lines().count(),
        3
    );
    assert_eq!(place.output(&["print", "without"]).lines().count(), 1);
}
