//! Tests reading several traces: of one run, of one machine, and of several machines.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod recorded;
mod running;

use std::fs;

use std::path::Path;

use recorded::{ANONYMOUS, PROGRAM, Program, Recorded, SECOND, TWO};
use running::{Place, Run, TOOL};

const ONE: Program = PROGRAM;

/// Another program on the first machine, whose wall clock was set back by an hour meanwhile.
const NEXT: Program = Program { trace: "00000000000000cc", zero_s: PROGRAM.zero_s - 3600, ..PROGRAM };

/// In both traces, a span with key 1 takes two seconds. They overlap in time.
fn two_hosts() -> Place {
    Place::of(&[
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
    let place = Place::of(&[
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
    let place = Place::of(&[
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
    let without = Recorded::new(Program { anchored_s: None, ..TWO }).begin(9 * SECOND, 3);
    fs::write(place.path("without"), without.bytes).unwrap();
    for names in [["one", "without"], ["without", "one"]] {
        let (out, said, code) = place.run(&["print", names[0], names[1]]);
        assert_eq!((out.as_str(), code), ("", 1));
        assert!(said.starts_with("error: without: the traces are of different machines or boots"), "{said}");
        assert!(said.contains("--unaligned") && said.contains("--epoch FILE=DATE"), "{said}");
    }
    assert_eq!(
        place.output(&["print", "--unaligned", "--style", "log", "one", "without"]).lines().count(),
        3
    );
    assert_eq!(place.output(&["print", "without"]).lines().count(), 1);
    // Another trace of the same boot has the wall-clock time of its clock.
    let other = Program { trace: "00000000000000dd", anchored_s: None, ..TWO };
    fs::write(place.path("other"), Recorded::new(other).begin(17 * SECOND, 3).bytes).unwrap();
    for names in [["one", "two", "other"], ["other", "two", "one"]] {
        let out = place.output(&[&["print", "--style", "log-time"][..], &names].concat());
        assert!(out.contains("2026-11-18T11:06:47.000000Z begin key=3\n"), "{out}");
    }
}

/// The traces of [`two_hosts`], as `print --style log-time` shows them.
const BY_DATE: &str = "\
2026-11-18T11:06:45.000000Z begin key=1
2026-11-18T11:06:46.000000Z begin key=1
2026-11-18T11:06:47.000000Z end key=1
2026-11-18T11:06:48.000000Z end key=1
";

/// Checks the output of `print --style log-time` with `words` and the traces `one` and `two`, in both
/// orders, sorted or not.
fn expect_dated(place: &Place, words: &[&str], expected: &str) {
    for names in [["one", "two"], ["two", "one"]] {
        for sort in [&[][..], &["--sort"]] {
            let words = [&["print", "--style", "log-time"], words, &names, sort].concat();
            assert_eq!(place.output(&words), expected, "{words:?}");
        }
    }
}

#[test]
fn epochs_of_single_traces() {
    let undated = Program { anchored_s: None, ..TWO };
    for (one, two, words) in [
        (ONE, undated, &["--epoch", "two=2026-11-18T11:06:30Z"][..]),
        // The other traces have the date without a file.
        (ONE, undated, &["--epoch", "two=2026-11-18T11:06:30", "--epoch", "1795000000"]),
        // Nothing is known about the clocks but what the options state.
        (
            ANONYMOUS,
            ANONYMOUS,
            &["--epoch", "two=2026-11-18T11:06:30Z", "--epoch", "one=2026-11-18T11:06:40Z"],
        ),
        (ONE, ANONYMOUS, &["--epoch", "two=2026-11-18T11:06:30Z"]),
        // The option takes precedence over the trace.
        (ONE, Program { zero_s: 0, ..TWO }, &["--epoch", "two=2026-11-18T11:06:30Z"]),
    ] {
        let place = Place::of(&[
            ("one", Recorded::new(one).begin(5 * SECOND, 1).end(7 * SECOND, 1)),
            ("two", Recorded::new(two).begin(16 * SECOND, 1).end(18 * SECOND, 1)),
        ]);
        expect_dated(&place, words, BY_DATE);
        // A trace that is read alone needs no other option.
        let words =
            ["print", "--style", "log-time", "--epoch", "two=2026-11-18T11:06:30Z", "two", "--head", "1"];
        assert_eq!(place.output(&words), "2026-11-18T11:06:46.000000Z begin key=1\n");
        let info = place.output(&["info", "one", "two", "--epoch", "two=2026-11-18T11:06:30Z"]);
        assert!(info.contains("2026-11-18T11:06:46.000000Z"), "{info}");
    }
}

#[test]
fn epochs_of_other_files_are_errors() {
    let place = two_hosts();
    for (words, expected) in [
        (
            &["--epoch", "tow=2026-11-18"][..],
            "error: --epoch: tow is not one of the traces\n  help: did you mean `two`?\n",
        ),
        (
            &["--epoch", "other.trace=2026-11-18"],
            "error: --epoch: other.trace is not one of the traces\n  help: the traces are: one, two\n",
        ),
        (
            &["--epoch", "two=2026-11-18", "--epoch", "two=0"],
            "error: --epoch: two has two dates\n  help: specify one date for each trace: --epoch FILE=DATE\n",
        ),
        (
            &["--epoch", "2026-11-18", "--epoch", "0"],
            "error: --epoch: all traces have two dates\n  help: specify one date for each trace: --epoch FILE=DATE\n",
        ),
    ] {
        for command in ["print", "info", "stat", "diff"] {
            let (out, said, code) = place.run(&[&[command, "one", "two"], words].concat());
            assert_eq!((out.as_str(), said.as_str(), code), ("", expected, 2), "{command}");
        }
    }
    let (_, said, code) = place.run(&["print", "one", "two", "--epoch", "two=soon"]);
    assert!(said.contains("expected a date") && code == 2, "{said}");
}

/// Without a common clock, each trace still has its own wall-clock times.
#[test]
fn unaligned_traces_have_their_own_dates() {
    let place = two_hosts();
    let expected = "2026-11-18T11:06:45.000000Z begin key=1\n2026-11-18T11:06:47.000000Z end key=1\n\
                    2026-11-18T11:06:46.000000Z begin key=1\n2026-11-18T11:06:48.000000Z end key=1\n";
    expect_dated(&place, &["--unaligned"], expected);
    // Dates are not invented for a trace that has none.
    let undated = Recorded::new(Program { anchored_s: None, ..TWO }).begin(16 * SECOND, 1);
    fs::write(place.path("two"), undated.bytes).unwrap();
    for names in [["one", "two"], ["two", "one"]] {
        let words = [&["print", "--unaligned"][..], &names].concat();
        let (out, said, code) = place.run(&[&words[..], &["--style", "log-time"]].concat());
        let error = "error: the wall-clock time of two is unknown\n  help: specify --epoch FILE=DATE, the date at which its \
                     clock was zero, or --time relative\n";
        assert_eq!((out.as_str(), said.as_str(), code), ("", error, 2));
        let (_, said, code) = place.run(&[&words[..], &["--since", "2026-11-18"]].concat());
        assert!(
            said.starts_with("error: --since and --until cannot be dates: the wall-clock time of two"),
            "{said}"
        );
        assert!(said.contains("--epoch FILE=DATE") && code == 2, "{said}");
        let out = place.output(&[&words[..], &["--style", "jsonl"]].concat());
        assert_eq!((out.matches("\"time\"").count(), out.lines().count()), (0, 3), "{out}");
    }
}

/// The wall clock was set back by an hour between two programs.
#[test]
fn dates_select_by_the_wall_clock_of_each_trace() {
    let place = Place::of(&[
        (
            "one",
            Recorded::new(Program { anchored_s: Some(1), ..ONE }).begin(5 * SECOND, 1).end(7 * SECOND, 1),
        ),
        (
            "two",
            Recorded::new(Program { anchored_s: Some(6), ..NEXT }).begin(6 * SECOND, 2).end(8 * SECOND, 2),
        ),
    ]);
    let (one, two) = (
        "2026-11-18T11:06:45.000000Z begin key=1\n2026-11-18T11:06:47.000000Z end key=1\n",
        "2026-11-18T10:06:46.000000Z begin key=2\n2026-11-18T10:06:48.000000Z end key=2\n",
    );
    let begins = "2026-11-18T11:06:45.000000Z begin key=1\n2026-11-18T10:06:46.000000Z begin key=2\n";
    for (words, expected) in [
        (&["--since", "2026-11-18T11:00:00Z"][..], one),
        (&["--until", "2026-11-18T11:00:00Z"], two),
        (
            &["--since", "2026-11-18T10:00:00Z", "--until", "2026-11-18T10:06:46Z"],
            two.split_inclusive('\n').next().unwrap(),
        ),
        // A date and a relative time can be combined.
        (&["--since", "2026-11-18T10:00:00Z", "--until", "1.5"], begins),
        (&["--since", "0.5", "--until", "2026-11-18T11:00:00Z"], two),
    ] {
        expect_dated(&place, words, expected);
    }
    let (out, said, code) = place.run(&["print", "one", "two", "--since", "2027-01-01"]);
    let note = "note: no event matches; the traces end 3.000000 s after the earliest event\n";
    assert_eq!((out.as_str(), said.as_str(), code), ("", note, 0));
    // The records that begin spans are dated like all others.
    for names in [["one", "two"], ["two", "one"]] {
        let words =
            ["export", "--to", "jsonl", "--pair", "begin:end", "-o", "/dev/stdout", names[0], names[1]];
        let out = place.output(&words);
        let spans: Vec<&str> = out.lines().filter(|line| line.starts_with("{\"row\":\"span\"")).collect();
        assert!(spans[0].contains("\"time\":\"2026-11-18T11:06:45.000000000Z\""), "{out}");
        assert!(spans[1].contains("\"time\":\"2026-11-18T10:06:46.000000000Z\""), "{out}");
    }
}

/// A trace without a boot id belongs to the boot of its machine, if only one is known.
#[test]
fn a_trace_without_a_boot_id() {
    // By their wall clocks, this program ran an hour earlier.
    let hostless = Program { boot: "", ..NEXT };
    let next = Recorded::new(hostless).begin(6 * SECOND, 2).end(8 * SECOND, 2);
    let place =
        Place::of(&[("one", Recorded::new(ONE).begin(5 * SECOND, 1).end(7 * SECOND, 1)), ("two", next)]);
    let by_clock = "begin key=1\nbegin key=2\nend key=1\nend key=2\n";
    for names in [["one", "two"], ["two", "one"]] {
        assert_eq!(place.output(&[&["print", "--style", "log"][..], &names].concat()), by_clock);
    }
    // Of two boots, it is unknown which one it belongs to. It is merged by the wall clock.
    let other = Program { boot: "b-9", trace: "00000000000000dd", zero_s: PROGRAM.zero_s + 60, ..PROGRAM };
    fs::write(place.path("other"), Recorded::new(other).begin(5 * SECOND, 9).bytes).unwrap();
    let by_date = "begin key=2\nend key=2\nbegin key=1\nend key=1\nbegin key=9\n";
    for names in [["one", "two", "other"], ["other", "two", "one"], ["two", "other", "one"]] {
        assert_eq!(place.output(&[&["print", "--style", "log"][..], &names].concat()), by_date);
    }
}

/// Pipes are identified like files.
#[test]
fn pipes_are_aligned() {
    let place = two_hosts();
    let sh = |script: &str| {
        let (out, said, status) = Run::of(&mut place.command(Path::new("sh"), &["-c", script, TOOL])).end();
        assert_eq!((said.as_str(), status.code()), ("", Some(0)), "{script}");
        out
    };
    for script in [
        "\"$0\" print --style log-time - two < one",
        "cat one | \"$0\" print --style log-time two -",
        "cat two | \"$0\" print --style log-time one -",
        "mkfifo f; cat two > f & \"$0\" print --style log-time f one",
        "mkfifo g h; cat two > g & cat one > h & \"$0\" print --style log-time g h",
        "cat two | \"$0\" print --style log-time one /dev/fd/0",
        "cat two | \"$0\" print --style log-time --sort one -",
        "cat two | \"$0\" print --style log-time one - --epoch -=2026-11-18T11:06:30Z",
    ] {
        assert_eq!(sh(script), BY_DATE, "{script}");
    }
    // Files of one trace are one trace.
    let recorded = [Recorded::new(ONE).begin(5 * SECOND, 1), Recorded::new(ONE).end(7 * SECOND, 1)];
    for (name, recorded) in ["first", "second"].iter().zip(recorded) {
        fs::write(place.path(name), recorded.bytes).unwrap();
    }
    for script in [
        "cat first | \"$0\" stat --json --pair begin:end second -",
        "cat second | \"$0\" stat --json --pair begin:end - first",
    ] {
        let stat: serde_json::Value = serde_json::from_str(&sh(script)).unwrap();
        assert_eq!(stat["pairs"][0]["matched"], 1, "{script}");
    }
}

/// Traces without ids, such as QEMU's, can be of one process.
#[test]
fn a_hint_advises_to_join_traces() {
    let place = Place::of(&[
        ("one", Recorded::new(ANONYMOUS).begin(5 * SECOND, 1).begin(6 * SECOND, 2)),
        ("two", Recorded::new(ANONYMOUS).end(7 * SECOND, 1).begin(8 * SECOND, 3)),
        // The key ends before it begins.
        ("before", Recorded::new(ANONYMOUS).end(4 * SECOND, 1)),
        ("known", Recorded::new(ONE).end(7 * SECOND, 1)),
    ]);
    let hint = "note: `begin:end:key`: begin events in one trace have the keys of end events in another; if one process \
                wrote these traces, --join-traces matches them\n";
    let stat = ["stat", "--pair", "begin:end"];
    for words in [
        &stat[..],
        &["stat", "--pair", "begin:end", "--slowest", "1"],
        &["stat", "--json", "--pair", "begin:end"],
        &["export", "--to", "csv", "-o", "/dev/stdout", "--pair", "begin:end"],
        &["report", "-o", "/dev/stdout", "--force", "--pair", "begin:end"],
    ] {
        for names in [["one", "two"], ["two", "one"]] {
            let words = [words, &names].concat();
            let (_, said, code) = place.run(&words);
            assert_eq!((said.as_str(), code), (hint, 0), "{words:?}");
            assert_eq!(place.run(&[&words[..], &["--join-traces"]].concat()).1, "", "{words:?}");
        }
        for others in
            [&["one", "before"][..], &["one", "known"], &["two", "before"], &["one"], &["one", "one"]]
        {
            assert_eq!(place.run(&[words, others].concat()).1, "", "{words:?} {others:?}");
        }
    }
    let (out, ..) = place.run(&[&stat[..], &["one", "two", "--join-traces"]].concat());
    assert!(out.contains("\n      1  2.00 s"), "{out}");
}

/// The converted trace has the anchor that the option specifies.
#[test]
fn convert_writes_the_epoch() {
    let place = two_hosts();
    let of = |words: &[&str]| {
        place.output(&[&["convert", "--force"], words, &["out"]].concat());
        place.output(&["print", "--style", "log-time", "out"])
    };
    let expected = "2026-11-18T11:06:56.000000Z begin key=1\n2026-11-18T11:06:58.000000Z end key=1\n";
    assert_eq!(of(&["--epoch", "2026-11-18T11:06:40Z", "two"]), expected);
    for names in [["one", "two"], ["two", "one"]] {
        assert_eq!(of(&[&["--epoch", "two=2026-11-18T11:06:30Z"][..], &names].concat()), BY_DATE);
    }
}

/// A thread's name precedes its records in a converted trace, too, and applies until it is renamed.
#[test]
fn converted_records_have_the_names_of_their_threads() {
    let place = Place::of(&[
        ("one", Recorded::new(ONE).begin(5 * SECOND, 1).thread(1, "first").begin(6 * SECOND, 2)),
        ("other", Recorded::new(TWO).thread(1, "reader").begin(16 * SECOND, 3).end(17 * SECOND, 3)),
    ]);
    let renamed =
        Recorded::new(ONE).thread(1, "first").begin(SECOND, 1).begin(2 * SECOND, 2).begin(3 * SECOND, 3);
    let renamed = renamed.thread(1, "second").begin(4 * SECOND, 4).begin(5 * SECOND, 5);
    fs::write(place.path("renamed"), renamed.bytes).unwrap();
    fs::create_dir(place.path("folder")).unwrap();
    for (number, name) in [(1, "renamed"), (2, "one")] {
        let file = place.path("folder").join(format!("0000000{number}-20261118T110640Z.trace"));
        fs::copy(place.path(name), file).unwrap();
    }
    let print = |words: &[&str]| place.output(&[&["print", "--style", "jsonl"], words].concat());
    for traces in [&["renamed"][..], &["folder"], &["one", "other"]] {
        for to in [&["--to", "v4"][..], &["--to", "compact"], &["--to", "v4", "--to-order", "big"]] {
            for options in [&[][..], &["--sort"], &["--event", "begin"], &["--thread", "1"]] {
                let all = [&["convert", "--force"][..], to, options, traces, &["out"]].concat();
                place.output(&all);
                assert_eq!(print(&["out"]), print(&[options, traces].concat()), "{all:?}");
            }
        }
    }
}

/// The last name of a thread is in the converted trace, too, if no record follows. Equal ids of threads of several
/// traces do not repeat their names for each record.
#[test]
fn converted_traces_have_the_last_names_of_threads() {
    let place = Place::of(&[(
        "renamed",
        Recorded::new(ONE).thread(1, "first").begin(SECOND, 1).thread(1, "second").total(1, 0),
    )]);
    place.output(&["convert", "--event", "begin", "renamed", "out"]);
    let names = |trace: &str| place.info(trace)["threads"].to_string();
    assert!(names("renamed").contains("second"), "{}", names("renamed"));
    assert!(names("out").contains("second"), "{}", names("out"));
    let many = |program, name, from| {
        (0..1000).fold(Recorded::new(program).thread(1, name), |recorded, n| recorded.begin(from + 2 * n, n))
    };
    fs::write(place.path("one"), many(ONE, "worker", SECOND).bytes).unwrap();
    fs::write(place.path("other"), many(TWO, "reader", SECOND + 1).bytes).unwrap();
    place.output(&["convert", "one", "other", "both", "--unaligned"]);
    let bytes = fs::metadata(place.path("both")).unwrap().len();
    assert!(bytes < 2 * fs::metadata(place.path("one")).unwrap().len(), "{bytes}");
}
