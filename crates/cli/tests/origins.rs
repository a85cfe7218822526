//! Tests that the output for several traces tells their processes and threads apart.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod recorded;
mod running;

use std::fs;

use recorded::{ANONYMOUS, PROGRAM, Program, Recorded, SECOND, TWO};
use ringtrace_wire::simpletrace::metadata::{COMMAND, Metadata};
use running::Place;

const ONE: Program = PROGRAM;

/// Two machines with the same process and thread, whose thread has another name on each.
fn two_workers() -> Place {
    let begin = |program: Program, name: &str, ns| Recorded::new(program).thread(1, name).begin(ns, 1);
    Place::of(&[
        ("one", begin(ONE, "worker", 5 * SECOND).end(7 * SECOND, 1)),
        ("two", begin(TWO, "reader", 16 * SECOND).end(18 * SECOND, 1)),
        ("qemu", Recorded::new(ANONYMOUS).begin(17 * SECOND, 5)),
    ])
}

/// Checks the output of `command` with the traces `one` and `two` in both orders.
fn expect(place: &Place, command: &[&str], words: &[&str], expected: &str) {
    for names in [["one", "two"], ["two", "one"]] {
        let words = [command, &names, words].concat();
        assert_eq!(place.output(&words), expected, "{words:?}");
    }
}

#[test]
fn lines_begin_with_the_origin() {
    let place = two_workers();
    for (words, expected) in [
        (
            &["--style", "log", "--by", "host"][..],
            "one: begin key=1\ntwo: begin key=1\none: end key=1\ntwo: end key=1\n",
        ),
        (
            &["--by", "trace"],
            "one: begin 0.000 pid=7 tid=1 key=0x1\ntwo: begin 1000000.000 pid=7 tid=1 key=0x1\n\
             one: end 1000000.000 pid=7 tid=1 key=0x1\ntwo: end 1000000.000 pid=7 tid=1 key=0x1\n",
        ),
        (
            &["--style", "log-time", "--by", "host,trace", "--head", "1"],
            "one: one: 2026-11-18T11:06:45.000000Z begin key=1\n",
        ),
        (
            &["--style", "jsonl", "--by", "host", "--by", "trace", "--tail", "1"],
            "{\"event\":\"end\",\"time_ns\":18000000000,\"time\":\"2026-11-18T11:06:48.000000000Z\",\"pid\":7,\"tid\":1,\
             \"thread\":\"reader\",\"host\":\"two\",\"trace\":\"two\",\"args\":{\"key\":1}}\n",
        ),
    ] {
        expect(&place, &["print"], words, expected);
        expect(&place, &["print", "--sort"], words, expected);
    }
    // A single trace has an origin too. An unknown machine is marked.
    for threads in ["1", "2"] {
        let words = ["print", "--style", "log", "--by", "trace,host", "--threads", threads];
        let out = place.output(&[&words[..], &["two"]].concat());
        assert_eq!(out, "two: two: begin key=1\ntwo: two: end key=1\n");
        assert_eq!(place.output(&[&words[..], &["qemu"]].concat()), "qemu: ?: begin key=5\n");
    }
    let out = place.output(&["print", "--style", "jsonl", "--by", "host,trace", "qemu"]);
    assert!(out.ends_with("\"tid\":1,\"trace\":\"qemu\",\"args\":{\"key\":5}}\n"), "{out}");
}

/// The files of one trace have one name.
#[test]
fn groups_of_hosts_and_traces() {
    let place = two_workers();
    fs::write(place.path("more"), Recorded::new(ONE).begin(9 * SECOND, 2).bytes).unwrap();
    let groups = |words: &[&str], by: &str| {
        let out = place.output(&[&["stat", "--json", "--by", by], words].concat());
        let stat: serde_json::Value = serde_json::from_str(&out).unwrap();
        let row =
            |row: &serde_json::Value| (row[by].as_str().unwrap().to_owned(), row["count"].as_u64().unwrap());
        let rows: Vec<_> = stat["groups"].as_array().unwrap().iter().map(row).collect();
        (rows, stat["events_without"].as_u64().unwrap())
    };
    let row = |name: &str, count: u64| (name.to_owned(), count);
    for words in [["one", "two", "more"], ["one", "more", "two"], ["two", "one", "more"]] {
        assert_eq!(groups(&words, "trace"), (vec![row("one", 3), row("two", 2)], 0));
        assert_eq!(groups(&words, "host"), (vec![row("one", 3), row("two", 2)], 0));
    }
    // Two traces of one machine, and a trace of an unknown machine.
    let other = Program { trace: "00000000000000dd", ..PROGRAM };
    fs::write(place.path("other"), Recorded::new(other).begin(9 * SECOND, 2).bytes).unwrap();
    for words in [["one", "other", "qemu"], ["qemu", "other", "one"]] {
        assert_eq!(groups(&words, "host"), (vec![row("one", 3)], 1));
        assert_eq!(groups(&words, "trace").0[0], row("one", 2));
    }
    assert_eq!(groups(&["two"], "host"), (vec![row("two", 2)], 0));
    assert_eq!(groups(&["two"], "trace"), (vec![row("two", 2)], 0));
    let (out, _, code) = place.run(&["stat", "--by", "host", "one", "qemu"]);
    assert!(out.contains("  HOST\n") && out.contains("1 event has no machine: their traces do not"), "{out}");
    assert_eq!(code, 0);
    let (out, ..) = place.run(&["stat", "--by", "trace", "one", "two", "--pair", "begin:end"]);
    assert!(out.contains("  TRACE\n      1  2.00 s"), "{out}");
}

/// Processes and threads of different traces are different, even if they have the same ids.
#[test]
fn groups_of_processes_and_threads_are_separate() {
    let place = two_workers();
    for (by, one, two) in [
        ("pid", "7 (one)", "7 (two)"),
        ("tid", "1 worker (one)", "1 reader (two)"),
        ("thread", "worker (one)", "reader (two)"),
    ] {
        for words in [["one", "two"], ["two", "one"]] {
            let (out, said, code) =
                place.run(&[&["stat", "--by", by, "--order", "name"][..], &words].concat());
            assert_eq!((said.as_str(), code), ("", 0));
            let labels: Vec<&str> =
                out.lines().filter_map(|line| line.rsplit_once("  ")).map(|(_, label)| label).collect();
            assert!(labels.contains(&one) && labels.contains(&two), "{out}");
            let out =
                place.output(&[&["stat", "--json", "--by", by, "--pair", "begin:end"][..], &words].concat());
            let stat: serde_json::Value = serde_json::from_str(&out).unwrap();
            let groups = stat["pairs"][0]["groups"].as_array().unwrap();
            let mut traces: Vec<_> = groups.iter().map(|group| group["trace"].as_str().unwrap()).collect();
            traces.sort_unstable();
            assert_eq!(traces, ["one", "two"]);
        }
    }
    // The same name on two machines.
    let third = Recorded::new(TWO).thread(1, "worker").begin(16 * SECOND, 1);
    fs::write(place.path("two"), third.bytes).unwrap();
    for words in [["one", "two"], ["two", "one"]] {
        let (out, ..) = place.run(&[&["stat", "--by", "thread"][..], &words].concat());
        assert!(out.contains("  worker (one)\n") && out.contains("  worker (two)\n"), "{out}");
        assert!(out.contains("3 events from threads with 2 different names"), "{out}");
    }
    // A single trace is not named.
    let (out, ..) = place.run(&["stat", "--by", "tid", "one"]);
    assert!(out.contains("  1 worker\n"), "{out}");
}

#[test]
fn slow_spans_and_reports_name_the_threads_of_their_traces() {
    let place = two_workers();
    for words in [["one", "two"], ["two", "one"]] {
        let (out, ..) = place.run(&[&["stat", "--pair", "begin:end", "--slowest", "2"][..], &words].concat());
        assert!(out.contains("tid=1 (worker)") && out.contains("tid=1 (reader)"), "{out}");
        let page = place.output(&[&["report", "-o", "/dev/stdout", "--force"][..], &words].concat());
        assert!(page.contains("worker 1 (one)") && page.contains("reader 1 (two)"));
    }
    let page = place.output(&["report", "-o", "/dev/stdout", "--force", "two", "--pair", "begin:end"]);
    assert!(page.contains("reader 1") && !page.contains("reader 1 (two)"));
}

/// Events before a match can be of another trace than the match.
#[test]
fn events_around_a_match_have_their_own_threads() {
    let place = two_workers();
    let words = ["--event", "end", "-C", "1", "--style", "jsonl"];
    for names in [["one", "two"], ["two", "one"]] {
        let out = place.output(&[&["print"][..], &names, &words].concat());
        let threads: Vec<&str> =
            out.lines().map(|line| if line.contains("worker") { "worker" } else { "reader" }).collect();
        assert_eq!(threads, ["reader", "worker", "reader"], "{out}");
    }
}

#[test]
fn tables_contain_the_origins_of_several_traces() {
    let place = two_workers();
    let words = ["--pair", "begin:end", "-o", "/dev/stdout"];
    let csv = "\
row,event,time_ns,time,pid,tid,thread,cause,host,trace,args,pair,span,track,outcome,begin_ns,end_ns,latency_ns,end_event,end_args,counter,value
event,begin,15000000000,2026-11-18T11:06:45.000000000Z,7,1,worker,,one,one,\"{\"\"key\"\":1}\",,,,,,,,,,,
event,begin,16000000000,2026-11-18T11:06:46.000000000Z,7,1,reader,,two,two,\"{\"\"key\"\":1}\",,,,,,,,,,,
event,end,17000000000,2026-11-18T11:06:47.000000000Z,7,1,worker,,one,one,\"{\"\"key\"\":1}\",,,,,,,,,,,
span,begin,15000000000,2026-11-18T11:06:45.000000000Z,7,1,worker,,one,one,\"{\"\"key\"\":1}\",begin:end:key,1,TRACK,ended,15000000000,17000000000,2000000000,end,\"{\"\"key\"\":1}\",,
event,end,18000000000,2026-11-18T11:06:48.000000000Z,7,1,reader,,two,two,\"{\"\"key\"\":1}\",,,,,,,,,,,
span,begin,16000000000,2026-11-18T11:06:46.000000000Z,7,1,reader,,two,two,\"{\"\"key\"\":1}\",begin:end:key,2,TRACK,ended,16000000000,18000000000,2000000000,end,\"{\"\"key\"\":1}\",,
";
    for names in [["one", "two"], ["two", "one"]] {
        let out = place.output(&[&["export", "--to", "csv"][..], &words, &names].concat());
        // The second of the arguments has a track with a number.
        let out = out
            .replace("begin:end:key (trace 2),ended", "TRACK,ended")
            .replace("begin:end:key,ended", "TRACK,ended");
        assert_eq!(out, csv, "{names:?}");
        let out = place.output(&[&["export", "--to", "jsonl"][..], &words, &names].concat());
        let lines: Vec<&str> = out.lines().skip(1).collect();
        for (line, name) in lines.iter().zip(["one", "two", "one", "one", "two", "two"]) {
            assert!(line.contains(&format!(",\"host\":\"{name}\",\"trace\":\"{name}\"")), "{line}");
        }
    }
    for format in ["csv", "jsonl"] {
        let out = place.output(&[&["export", "--to", format, "one"][..], &words].concat());
        assert!(!out.contains("host") && !out.contains("trace"), "{out}");
    }
}

/// Perfetto joins processes with the same id, so only one of them has an id there.
#[test]
fn perfetto_has_tracks_for_the_processes_of_each_trace() {
    let place = two_workers();
    let export = |words: &[&str]| {
        let words = [&["export", "--to", "perfetto", "-o", "out", "--force"][..], words].concat();
        place.output(&words);
        String::from_utf8_lossy(&fs::read(place.path("out")).unwrap()).into_owned()
    };
    // The first event is of the first trace.
    for names in [["one", "two"], ["two", "one"]] {
        let out = export(&names);
        for name in ["worker", "process 7 (two)", "events of thread 1 (reader)"] {
            assert_eq!(out.matches(name).count(), 1, "{names:?}: {name}");
        }
        assert!(!out.contains("(one)"));
    }
    let out = export(&["two"]);
    assert!(out.contains("reader") && !out.contains("events of thread") && !out.contains("process 7"));
    // Other ids need no names.
    let other = Recorded::new(Program { pid: 8, ..TWO }).thread(1, "reader").begin(16 * SECOND, 1);
    fs::write(place.path("two"), other.bytes).unwrap();
    assert!(!export(&["one", "two"]).contains("(two)"));
}

/// These formats identify a process by its number only, so that of the second one is not its id.
#[test]
fn other_formats_separate_the_processes_of_each_trace() {
    let place = two_workers();
    for names in [["one", "two"], ["two", "one"]] {
        for (format, expected) in [
            (
                "chrome",
                &[
                    "\"name\":\"process_name\",\"ts\":0.000,\"pid\":4194311,\"tid\":4194311,\"args\":{\"name\":\"process 7 (two)\"}",
                    "\"name\":\"thread_name\",\"ts\":0.000,\"pid\":7,\"tid\":1,\"args\":{\"name\":\"worker\"}",
                    "\"name\":\"thread_name\",\"ts\":0.000,\"pid\":4194311,\"tid\":1,\"args\":{\"name\":\"reader\"}",
                ][..],
            ),
            (
                "firefox",
                &[
                    "\"name\":\"worker\",\"processName\":\"process 7\",\"isMainThread\":true,\"pid\":\"7\",\"tid\":1,",
                    "\"name\":\"reader\",\"processName\":\"process 7 (two)\",\"isMainThread\":true,\"pid\":\"4194311\"",
                ],
            ),
            ("speedscope", &["process 7: worker (1), each event", "process 7 (two): reader (1), each event"]),
        ] {
            let words = ["export", "--to", format, "-o", "out", "--force", names[0], names[1]];
            place.output(&words);
            let out = String::from_utf8(fs::read(place.path("out")).unwrap()).unwrap();
            for part in expected {
                assert_eq!(out.matches(part).count(), 1, "{words:?}: {part}: {out}");
            }
        }
    }
}

/// Several files of a process do not define its name twice.
#[test]
fn processes_are_named_once_in_ctf() {
    let named = |program, ns| {
        let mut recorded = Recorded::new(program);
        recorded.say(&Metadata::Other(COMMAND.to_owned(), b"/bin/engine\0".to_vec()));
        recorded.begin(ns, 1)
    };
    let place = Place::of(&[("one", named(ONE, 5 * SECOND)), ("two", named(ONE, 6 * SECOND))]);
    for names in [["one", "two"], ["two", "one"]] {
        place.output(&[&["export", "--to", "ctf", "-o", "out", "--force"][..], &names].concat());
        let metadata = fs::read(place.path("out").join("metadata")).unwrap();
        let metadata = String::from_utf8_lossy(&metadata);
        assert_eq!(metadata.matches("process_7 = \"engine\"").count(), 1, "{metadata}");
    }
}
