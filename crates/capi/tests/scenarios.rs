//! C programs with threads, forks, signals and full rings, and their traces.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "tests")]

mod program;

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use program::{Bench, Trace};
use ringtrace_tracefile::recover::{ArenaFile, find_arenas, gather};

/// The program that all tests use. Each test runs it in its own folder.
static PROGRAM: LazyLock<PathBuf> =
    LazyLock::new(|| program::compile("scenarios", "cc", "scenarios.c", &["-rdynamic"]));

/// Runs a scenario. Returns its standard output and its folder.
fn run(scenario: &str, options: &str) -> (String, Bench) {
    let bench = Bench::new();
    let output = bench.run(&PROGRAM, &[scenario, options]);
    (String::from_utf8(output.stdout).unwrap(), bench)
}

/// Groups the second values of `demo_two` by the first value.
fn numbers(trace: &Trace) -> BTreeMap<u64, Vec<u64>> {
    let mut numbers: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for line in &trace.lines {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["demo_two", a, b] = words[..] {
            let number = |word| u64::from_str_radix(word, 16).unwrap();
            numbers.entry(number(a)).or_default().push(number(b));
        }
    }
    numbers
}

fn issued(trace: &Trace) -> u64 {
    trace.totals.iter().map(|total| total.issued).sum()
}

#[test]
fn threads_lose_nothing_with_block() {
    for scenario in ["threads", "short_lived"] {
        let (_, bench) = run(scenario, "demo_*,file=t,policy=block");
        let trace = bench.trace("t");
        let (threads, each) = if scenario == "threads" { (8, 5000) } else { (200, 100) };
        let numbers = numbers(&trace);
        assert_eq!(numbers.len(), threads, "{scenario}");
        assert!(numbers.values().all(|numbers| numbers.iter().copied().eq(0..each)), "{scenario}");
        assert_eq!(issued(&trace), each * threads as u64);
    }
}

#[test]
fn full_rings_are_counted() {
    for policy in ["discard", "overwrite", "block"] {
        let (output, bench) = run("many", &format!("demo_*,file=t,buffer=128K,policy={policy}"));
        let trace = bench.trace("t");
        let numbers = numbers(&trace);
        assert_eq!(issued(&trace), output.trim().parse::<u64>().unwrap(), "{policy}");
        assert!(numbers[&1].is_sorted(), "{policy}");
        assert_eq!(trace.totals[0].recorded, numbers[&1].len() as u64, "{policy}");
        if policy != "discard" {
            assert_eq!(numbers[&1].last(), Some(&99_999), "{policy}");
        }
        if policy == "overwrite" {
            assert!(trace.totals[0].overwritten > 50_000);
        }
    }
}

#[test]
fn other_clocks_and_backends_record_the_same() {
    for options in ["clock=coarse", "clock=gettime", "backend=simple+log,logfile=l"] {
        let (_, bench) = run("extremes", &format!("demo_*,file=t,{options}"));
        assert_eq!(bench.trace("t").lines, EXTREMES, "{options}");
        if options.contains("log") {
            let text = std::fs::read_to_string(bench.path("l")).unwrap();
            assert_eq!(text.lines().collect::<Vec<_>>(), EXTREMES_AS_TEXT);
        }
    }
    let (_, bench) = run("extremes", "demo_*,backend=log,file=l");
    let text = std::fs::read_to_string(bench.path("l")).unwrap();
    assert_eq!(text.lines().collect::<Vec<_>>(), EXTREMES_AS_TEXT);
}

const EXTREMES: [&str; 3] = [
    "demo_wide ffffffffffffff80 0 ffffffffffff8000 0 ffffffff80000000 0 8000000000000000 0 0 0",
    "demo_wide 7f ff 7fff ffff 7fffffff ffffffff 7fffffffffffffff ffffffffffffffff 1 ffffffffffffffff",
    "demo_wide ffffffffffffffff 1 ffffffffffffffff 1 ffffffffffffffff 1 ffffffffffffffff 1 1 1",
];

const EXTREMES_AS_TEXT: [&str; 3] = [
    "demo_wide -128 0 -32768 0 -2147483648 0 -9223372036854775808 0 0 (nil)",
    "demo_wide 127 255 32767 65535 2147483647 4294967295 9223372036854775807 18446744073709551615 1 0xffffffffffffffff",
    "demo_wide -1 1 -1 1 -1 1 -1 1 1 0x1",
];

#[test]
fn integers_of_every_type_are_recorded_whole() {
    let (_, bench) = run("extremes", "demo_*,file=t");
    assert_eq!(bench.trace("t").lines, EXTREMES);
}

#[test]
fn strings_are_recorded_up_to_512_bytes() {
    let (_, bench) = run("strings", "demo_*,file=t");
    let long = "x".repeat(512);
    let expected = [
        "demo_named 1 \"\"".to_owned(),
        "demo_named 2 \"\"".to_owned(),
        format!("demo_named 3 \"{long}\""),
        format!("demo_named 4 \"{long}\""),
        "demo_named 5 \"\\xff\\xfe caf\\xc3\\xa9\\n\"".to_owned(),
    ];
    assert_eq!(bench.trace("t").lines, expected);
}

#[test]
fn strings_of_every_length_are_recorded_whole() {
    for clock in ["exact", "coarse"] {
        let (_, bench) = run("string_lengths", &format!("demo_*,file=t,clock={clock}"));
        let expected = (0..=600).map(|length: usize| {
            let text = (0..length.min(512)).map(|at| (b'a' + ((length + at) % 26) as u8) as char);
            format!("demo_named {length:x} \"{}\"", text.collect::<String>())
        });
        assert_eq!(bench.trace("t").lines, expected.collect::<Vec<_>>(), "{clock}");
    }
}

#[test]
fn a_child_has_a_trace_of_its_own() {
    let (_, bench) = run("forks", "demo_*,file=t");
    assert_eq!(numbers(&bench.trace("t")), BTreeMap::from([(1, vec![1, 2])]));
    let names = std::fs::read_dir(bench.path(".")).unwrap().map(|entry| entry.unwrap().file_name());
    let child = names.map(|name| name.into_string().unwrap()).find(|name| name.starts_with("t.")).unwrap();
    assert_eq!(numbers(&bench.trace(&child)), BTreeMap::from([(2, vec![1, 2])]));
}

#[test]
fn a_child_can_control_tracing_after_any_fork() {
    let (output, _) = run("forks_in_control", "demo_two,file=t");
    assert_eq!(output, "");
}

#[test]
fn events_of_an_interrupting_handler_are_dropped_and_counted() {
    let (output, bench) = run("signals", "demo_*,file=t,policy=block");
    let trace = bench.trace("t");
    assert_eq!(issued(&trace), output.trim().parse::<u64>().unwrap());
    assert!(numbers(&trace)[&1].is_sorted());
}

#[test]
fn no_probe_allocates() {
    let (output, _) = run("no_allocation", "demo_*,file=t,policy=block");
    assert_eq!(output, "0\n0\n");
}

#[test]
fn the_functions_are_symbols_too() {
    let (output, bench) = run("exported", "demo_*,file=t");
    assert_eq!(output, "1 1\n");
    assert_eq!(bench.trace("t").lines, ["demo_named 5 \"abc\""]);
}

#[test]
fn the_trace_file_is_switched_while_the_program_runs() {
    let (output, bench) = run("files", "demo_two,file=t");
    let lines = [
        "100 Trace file \"t\" on.",
        "Trace file \"second\" on.",
        "Trace file \"/nowhere/third\" off.",
        "0",
        "0",
        "Trace file \"fourth\" on.",
    ];
    assert_eq!(output.lines().collect::<Vec<_>>(), lines);
    for (file, expected) in [("t", vec![1, 3]), ("second", vec![4]), ("fourth", vec![6])] {
        assert_eq!(numbers(&bench.trace(file)), BTreeMap::from([(1, expected)]), "{file}");
    }
}

#[test]
fn published_records_of_a_killed_program_are_recovered() {
    for round in 0..5 {
        let bench = Bench::new();
        let mut child = bench.command(&PROGRAM).args(["until_killed", "demo_*,file=t"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(30 + 20 * round));
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9));
        let count = std::fs::read(bench.path("count")).unwrap_or_default();
        let count = count.first_chunk().map_or(0, |count| u64::from_ne_bytes(*count));
        let arenas = find_arenas(&bench.path("rings")).unwrap();
        let arenas = arenas.iter().filter_map(|path| ArenaFile::open(path).ok()).collect();
        let Some(process) = gather(arenas).unwrap().pop() else {
            assert_eq!(count, 0);
            continue;
        };
        let mut bytes = Vec::new();
        let recovered = process.recover(|more| {
            bytes.extend_from_slice(more);
            Ok(())
        });
        assert_eq!(recovered.unwrap().damaged_bytes, 0);
        std::fs::write(bench.path("recovered"), bytes).unwrap();
        let trace = Trace::read(&bench.path("recovered"));
        let numbers = numbers(&trace).remove(&7).unwrap_or_default();
        assert!(numbers.is_sorted());
        // One more record may have been published just before the process was killed.
        let all = numbers.len() as u64 + trace.dropped;
        assert!(all == count || all == count + 1, "{count} were emitted, {all} are in the trace");
    }
}

#[test]
fn events_are_found_walked_and_switched() {
    let bench = Bench::new();
    let output = bench.command(&PROGRAM).arg("control").output().unwrap();
    let expected = "\
early 0
demo_two:10 demo_named:10 demo_wide:11 demo_off:00 = 1
= 1
demo_two:10 = 1
demo_named:11 = 1
demo_two:11 demo_named:10 demo_wide:10 demo_off:00 = 1
1 0 1
1 0 0
1 0 0
demo_two
demo_named
demo_wide
demo_off
";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    let complaints = "\
ringtrace-capi-scenarios: warning: trace event 'demo_off' is not traceable
ringtrace-capi-scenarios: warning: trace event 'demo_nothing' does not exist
ringtrace-capi-scenarios: trace event 'demo_off' is declared with `disable`, so it cannot be enabled or disabled
";
    assert_eq!(String::from_utf8_lossy(&output.stderr), complaints);
    assert_eq!(output.status.signal(), Some(6));
}
