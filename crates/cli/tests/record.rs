//! Tests `ringtrace record`: conversations in `testdata/record`, and tests of signals, exits and
//! the terminal.
//!
//! The recorded programs are the project's examples, and shells.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod console;
mod running;

use std::fs;
use std::io::{BufRead, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use console::{Shell, root};
use ringtrace_peers::program;
use running::{Place, Run, TOOL, engine, example, wait_for, wait_for_bytes};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

/// Masks the varying parts of the output: times, rates, process ids, and column widths.
const MASKED: &str = r#"#!/bin/sh
exec sed -E \
    -e 's/[0-9][0-9.,]* (ns|µs|ms|s)([ ,.:]|$)/TIME\2/g' \
    -e 's/, [0-9.]+( [kMG])? per$/, RATE per/; s/, [0-9.]+( [kMG])? per second/, RATE per second/' \
    -e 's/^ *([0-9,]+) +([0-9.]+) +[0-9.]+( [kMG])? +([0-9.]+ [KMG]?i?B) +([0-9]+ B) +(.*)$/\1 \2 RATE \4 \5 \6/' \
    -e 's/^ *COUNT.*EVENT$/COUNT % PER S BYTES EACH EVENT/' \
    -e 's/trace([-.])[0-9]+/trace\1PID/g' \
    -e 's/^ *PROCESS  /PROCESS  /; s/^ *[0-9]+ (.*)  [0-9.]+ KiB  ([a-z]*.trace)/PID \1 SIZE \2/' \
    -e 's/, [0-9.]+ (KiB|B)(: `|\.$)/, SIZE\2/'
"#;

#[test]
fn conversations() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("source"), vec![7; 100 << 10]).unwrap();
    for name in ["folder", "away"] {
        fs::create_dir(path(name)).unwrap();
    }
    for (name, text) in
        [("masked", MASKED), ("no-interpreter", "#!/no/such/interpreter\n"), ("script", "#!/bin/sh\n")]
    {
        program::create_script(&path(name), text);
    }
    let copier = example("copier");
    let masked = path("masked");
    let programs = [("ringtrace", Path::new(TOOL)), ("copier", &copier), ("masked", &masked)];
    Shell::with(folder.path(), programs).hold_all(&root().join("testdata/record"));
}

#[test]
fn signals_are_passed_on() {
    let place = Place::new();
    for (name, signal) in [
        ("HUP", Signal::HUP),
        ("INT", Signal::INT),
        ("QUIT", Signal::QUIT),
        ("TERM", Signal::TERM),
        ("USR1", Signal::USR1),
        ("USR2", Signal::USR2),
        ("ALRM", Signal::ALARM),
    ] {
        let script = format!("trap 'echo {name}; exit 7' {name}; echo ready; while :; do sleep 0.01; done");
        let mut run = place.record(&["-q", "--", "sh", "-c", &script]);
        assert_eq!(run.line(), "ready\n");
        run.send(signal);
        let (out, _, status) = run.end();
        assert_eq!((out, status.code()), (format!("{name}\n"), Some(7)), "{status}");
    }
    place.expect_nothing_left();
}

#[test]
fn a_signal_that_ends_the_program_ends_the_tool() {
    let place = Place::new();
    for signal in [Signal::HUP, Signal::KILL, Signal::TERM, Signal::ABORT, Signal::SEGV, Signal::PIPE] {
        let script = format!("kill -{} $$", signal.as_raw());
        let (_, _, status) = place.record(&["-q", "--", "sh", "-c", &script]).end();
        assert_eq!(status.signal(), Some(signal.as_raw()), "{status}");
        assert!(!status.core_dumped());
    }
    place.expect_nothing_left();
}

/// Scripts rely on the exit status: success means that a trace exists.
#[test]
fn a_program_that_succeeds_without_a_trace_is_an_error() {
    let place = Place::new();
    let run = |words: &[&str]| {
        let (_, said, status) = place.record(words).end();
        (status.code(), said)
    };
    for quiet in ["-q", "--color=never"] {
        let (status, said) = run(&[quiet, "--", "sh", "-c", "exit 0"]);
        assert_eq!(status, Some(1), "{said}");
        assert!(said.starts_with("error: there is no trace: sh did not start one\n  help: "), "{said}");
    }
    // If the program fails, the tool returns the program's status and keeps an old trace.
    fs::write(place.path("old"), "old").unwrap();
    let (status, said) = run(&["-o", "old", "--", "sh", "-c", "exit 7"]);
    assert_eq!(status, Some(7), "{said}");
    assert!(said.starts_with("error: there is no trace: sh did not start one\n"), "{said}");
    assert_eq!(fs::read_to_string(place.path("old")).unwrap(), "old");
    // No trace is expected from text backends.
    assert_eq!(run(&["--trace", "backend=log", "--", "sh", "-c", "exit 0"]), (Some(0), String::new()));
    place.expect_nothing_left();
}

/// Runs the tool on a terminal created by `script`, and returns the terminal's output. Each of
/// `signs` is a string to wait for, and a file to create when the string appears. The program waits
/// for the file. The tool must end with `expected`.
fn at_a_terminal(place: &Place, words: &str, signs: &[(&str, &str)], expected: i32) -> String {
    let command = format!("stty cols 80 rows 24; exec {TOOL} record {words}");
    let words = ["--quiet", "--return", "--command", &command, "/dev/null"];
    let mut script = place.command(Path::new("script"), &words);
    let mut run = Run::of(script.env("TERM", "xterm").env_remove("NO_COLOR").env_remove("COLUMNS"));
    let (mut seen, mut looked) = (String::new(), 0);
    for (sign, file) in signs {
        let found = loop {
            if let Some(found) = seen[looked..].find(sign) {
                break found;
            }
            let more = run.said.fill_buf().unwrap();
            assert!(!more.is_empty(), "the tool ended before `{sign}` was seen: {seen}");
            let bytes = more.len();
            seen.push_str(std::str::from_utf8(more).unwrap());
            run.said.consume(bytes);
        };
        looked += found + sign.len();
        fs::write(place.path(file), "go").unwrap();
    }
    let (rest, said, status) = run.end();
    seen.push_str(&rest);
    assert_eq!(status.code(), Some(expected), "{seen}{said}");
    seen
}

/// Returns a shell command that waits for a file.
fn until(file: &str) -> String {
    format!("until test -s {file}; do sleep 0.01; done")
}

/// Interprets `text` as a terminal would, limited to the sequences used here. Ignores colours.
fn screen(text: &str) -> Vec<String> {
    let (mut lines, mut row, mut column): (Vec<Vec<char>>, usize, usize) = (vec![vec![]], 0, 0);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let mut taken = next.len_utf8();
        match next {
            '\r' => column = 0,
            '\n' => row += 1,
            '\x1b' => {
                let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap();
                taken = end + 1;
                match &rest[..taken] {
                    "\x1b[A" => row -= 1,
                    "\x1b[K" => lines[row].truncate(column),
                    other => assert!(other.ends_with('m'), "{other:?}"),
                }
            }
            _ => {
                if column == 80 {
                    (row, column) = (row + 1, 0);
                }
                lines.resize(lines.len().max(row + 1), vec![]);
                let width = lines[row].len().max(column + 1);
                lines[row].resize(width, ' ');
                lines[row][column] = next;
                column += 1;
            }
        }
        lines.resize(lines.len().max(row + 1), vec![]);
        rest = &rest[taken..];
    }
    lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned()).collect()
}

#[test]
fn progress_is_shown_while_the_program_is_quiet_and_taken_away() {
    let place = Place::new();
    let script = format!("{} --seconds 600 >/dev/null & {}; kill $!; wait", engine(), until("go"));
    let words = format!("-o x.trace -- sh -c '{script}'");
    let seen = at_a_terminal(&place, &words, &[(" events, ", "go")], 0);
    let screen = screen(&seen);
    assert!(screen[0].starts_with("sh ended after "), "{screen:#?}");
    assert!(!screen.iter().any(|line| line.starts_with("recording for")), "{screen:#?}");
    place.expect_nothing_left();
}

#[test]
fn output_of_the_program_on_the_terminal_stays_intact() {
    let place = Place::new();
    let script = format!("{}; echo one; printf two; {}; echo three", until("first"), until("second"));
    let signs = [("running for ", "first"), ("two", "nobody waits for this"), ("running for ", "second")];
    let seen = at_a_terminal(&place, &format!("-- sh -c '{script}'"), &signs, 1);
    let screen = screen(&seen);
    let told = |line: &str| line.starts_with("running for ");
    assert!(told(&screen[0]), "{screen:#?}");
    let own: Vec<&str> = screen.iter().map(String::as_str).filter(|line| !told(line)).collect();
    // A partial line continues below the status line.
    assert_eq!(own[..3], ["one", "two", "three"], "{screen:#?}");
    assert!(own[3].starts_with("error: there is no trace"), "{screen:#?}");
}

/// A status line shown by mistake would appear within two seconds, unless the machine is very busy.
#[test]
fn a_raw_terminal_gets_no_status_line() {
    let place = Place::new();
    let words = "-- sh -c 'stty -echo -icanon; sleep 2; echo done; stty sane'";
    let seen = at_a_terminal(&place, words, &[], 1);
    assert!(seen.starts_with("done"), "{seen}");
    let seen = at_a_terminal(&place, "--quiet -- sh -c 'sleep 2; echo done'", &[], 1);
    assert!(seen.starts_with("done"), "{seen}");
}

/// The shell ends while the kernel is still releasing the memory of the killed program.
#[test]
fn a_program_that_is_killed_last_is_recovered() {
    let place = Place::new();
    // When the file is this large, it contains more than the header, so the program has already
    // registered the trace.
    let has_events = "test \"$(stat -c %s x.trace 2>/dev/null || echo 0)\" -gt 8192";
    let script =
        format!("\"$0\" --rate 2000 >/dev/null & until {has_events}; do sleep 0.01; done; kill -KILL $!");
    for round in 0..10 {
        let words = ["-o", "x.trace", "--", "sh", "-c", &script, &engine()];
        let (_, said, _) = place.record(&words).end();
        assert!(said.contains("recovered from memory"), "round {round}: {said}");
        fs::remove_file(place.path("x.trace")).unwrap();
    }
    place.expect_nothing_left();
}

/// `nohup` starts programs with SIGHUP ignored.
#[test]
fn ignored_signals_stay_ignored() {
    let place = Place::new();
    let script = "trap '' HUP; exec \"$0\" record -q -- sh -c 'echo ready; read word; echo $word; exit 5'";
    let mut run = Run::of(&mut place.command(Path::new("sh"), &["-c", script, TOOL]));
    assert_eq!(run.line(), "ready\n");
    kill_process(run.program(), Signal::HUP).unwrap();
    run.send(Signal::HUP);
    run.tool.stdin.take().unwrap().write_all(b"alive\n").unwrap();
    let (out, _, status) = run.end();
    assert_eq!((out.as_str(), status.code()), ("alive\n", Some(5)));
}

#[test]
fn events_in_memory_of_a_killed_program_are_added_to_its_trace() {
    let place = Place::new();
    let run = place.record(&["-o", "engine.trace", "--", &engine(), "--rate", "2000"]);
    wait_for_bytes(&place.path("engine.trace"), 200_000);
    kill_process(run.program(), Signal::KILL).unwrap();
    let (_, said, status) = run.end();
    assert_eq!(status.signal(), Some(Signal::KILL.as_raw()), "{status}");
    assert!(said.starts_with("engine was ended by SIGKILL after "), "{said}");
    assert!(said.contains(" recovered from memory."), "{said}");
    let mode = fs::metadata(place.path("engine.trace")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "the same mode as the runtime's files");
    let info = place.info("engine.trace");
    assert_eq!(info["damaged"], false);
    assert!(info["metadata"]["recovered"].is_array(), "{info}");
    place.expect_nothing_left();
}

/// The arena belongs to the last file. The first one is complete, and is not replaced.
#[test]
fn a_program_that_continues_in_another_file_and_is_killed_is_recovered() {
    let place = Place::new();
    let run = place.record(&["-o", "1.trace", "--", &engine(), "--rate", "2000", "--monitor", "unix:m"]);
    wait_for_bytes(&place.path("1.trace"), 200_000);
    let set = ["ctl", "m", "trace-file", "set", "2.trace"];
    assert!(place.command(Path::new(TOOL), &set).status().unwrap().success());
    wait_for_bytes(&place.path("2.trace"), 100_000);
    kill_process(run.program(), Signal::KILL).unwrap();
    let (_, said, _) = run.end();
    assert!(said.contains(" recovered from memory."), "{said}");
    for (file, is_recovered) in [("1.trace", false), ("2.trace", true)] {
        let info = place.info(file);
        assert_eq!(info["damaged"], false);
        assert_eq!(info["metadata"]["recovered"].is_array(), is_recovered, "{file}: {info}");
    }
    place.expect_nothing_left();
}

/// `stat` and `info` agree on how a trace ended, also if it contains no records.
#[test]
fn the_end_of_a_trace_is_reported_by_stat_and_info() {
    let place = Place::new();
    let said = |words: &[&str]| {
        let output = place.command(Path::new(TOOL), words).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (finished, unfinished) = (
        ("No event was dropped.\n", "by the program\n"),
        (
            "No event was dropped up to the end of the trace, but the program did not finish\n  the trace.\n",
            "not by the program, which may still be running or was killed\n",
        ),
    );
    let agree = |trace: &str, (stat, info): (&str, &str)| {
        assert!(said(&["stat", trace]).contains(stat), "{}", said(&["stat", trace]));
        assert!(
            said(&["info", trace]).contains(&format!("  Ended       {info}")),
            "{}",
            said(&["info", trace])
        );
    };
    for options in ["file=a.trace", "blk_*,file=a.trace"] {
        let start = |seconds| {
            place.command(Path::new(&engine()), &["--seconds", seconds, "--trace", options]).spawn().unwrap()
        };
        assert!(start("1").wait().unwrap().success());
        agree("a.trace", finished);
        let mut engine = start("100");
        wait_for("the program to write its trace", || {
            let is_empty = !options.contains("blk");
            let stat = said(&["stat", "a.trace"]);
            (stat.contains("still running") && stat.contains("No events.") == is_empty).then_some(())
        });
        engine.kill().unwrap();
        engine.wait().unwrap();
        fs::remove_dir_all(place.path("arenas")).unwrap();
        agree("a.trace", unfinished);
    }
}

#[test]
fn only_a_trace_named_zst_is_compressed() {
    let place = Place::new();
    for (option, trace, is_compressed) in
        [("file=b.trace.zst", "b.trace.zst", true), ("file=b.trace", "b.trace", false)]
    {
        // The program's own option wins.
        let words = ["-q", "-o", "a.trace.zst", "--", &engine(), "--seconds", "1", "--trace", option];
        let (_, said, status) = place.record(&words).end();
        assert!(status.success(), "{said}");
        let file = fs::read(place.path(trace)).unwrap();
        assert_eq!(file.starts_with(b"\x28\xb5\x2f\xfd"), is_compressed, "{trace}");
    }
    place.expect_nothing_left();
}

#[test]
fn traces_are_compressed_when_the_program_has_ended() {
    let place = Place::new();
    let run = place.record(&["-o", "engine.trace.zst", "--", &engine(), "--rate", "2000"]);
    wait_for_bytes(&place.path("engine.trace.zst"), 200_000);
    kill_process(run.program(), Signal::KILL).unwrap();
    let (_, said, _) = run.end();
    assert!(said.contains(" recovered from memory."), "{said}");
    assert!(said.contains("\nengine.trace.zst, "), "{said}");
    let file = fs::read(place.path("engine.trace.zst")).unwrap();
    assert!(file.starts_with(b"\x28\xb5\x2f\xfd"), "{:?}", &file[..8]);
    let mode = fs::metadata(place.path("engine.trace.zst")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "the same mode as the runtime's files");
    let info = place.info("engine.trace.zst");
    assert_eq!((&info["damaged"], &info["compression"]), (&false.into(), &"zstd".into()));
    assert!(info["read_bytes"].as_u64().unwrap() > 2 * file.len() as u64, "{info}");
    place.expect_nothing_left();
}

#[test]
fn events_in_memory_of_a_killed_flight_recorder_become_its_trace() {
    let place = Place::new();
    let words = ["-o", "x.trace", "--trace", "policy=overwrite", "--trace", "buffer=128K"];
    let flight = example("flight");
    let mut run = place.record(&[words.as_slice(), &["--", flight.to_str().unwrap(), "broker"]].concat());
    for _ in 0..1000 {
        assert!(!run.line().is_empty(), "the broker ended");
    }
    kill_process(run.program(), Signal::KILL).unwrap();
    let (_, said, _) = run.end();
    assert!(said.contains(" recovered from memory."), "{said}");
    assert!(place.info("x.trace")["records"].as_u64().unwrap() > 1000);
    place.expect_nothing_left();
}

#[test]
fn a_program_goes_on_when_the_tool_is_killed() {
    let place = Place::new();
    let run = place.record(&["-o", "engine.trace", "--", &engine()]);
    wait_for_bytes(&place.path("engine.trace"), 10_000);
    let program = run.program();
    run.send(Signal::KILL);
    let before = fs::metadata(place.path("engine.trace")).unwrap().len();
    wait_for_bytes(&place.path("engine.trace"), before + 10_000);
    kill_process(program, Signal::TERM).unwrap();
    let (out, _, _) = run.end();
    assert!(out.starts_with("engine: "), "{out}");
    assert_eq!(place.info("engine.trace")["ended"], true);
    assert_eq!(place.names("arenas"), [""; 0]);
}

#[test]
fn forked_children_are_counted_and_named() {
    let place = Place::new();
    let life = example("life");
    let (out, said, status) = place.record(&["--", life.to_str().unwrap(), "."]).end();
    assert!(status.success(), "{out}{said}");
    // The program has 1,000 threads with ten events each, and five children with a hundred each.
    assert!(said.contains("life_thread") && said.contains("life_child"), "{said}");
    let rows = said.lines().filter(|line| line.contains("  life.trace")).count();
    assert_eq!(rows, 6, "{said}");
    place.expect_nothing_left();
}

#[test]
fn a_running_child_is_named() {
    let place = Place::new();
    // Redirect standard output, because the test waits for the end of its own pipe.
    let script = "\"$0\" --seconds 600 >/dev/null 2>&1 </dev/null & \
         until test -s engine.trace; do sleep 0.01; done; echo $!";
    let mut run = place.record(&["-o", "engine.trace", "--", "sh", "-c", script, &engine()]);
    let pid: i32 = run.line().trim().parse().unwrap();
    let (_, said, status) = run.end();
    let child = Pid::from_raw(pid).unwrap();
    let lives = test_kill_process(child).is_ok();
    kill_process(child, Signal::TERM).unwrap();
    assert!(lives && status.success(), "{said}");
    assert!(said.contains(&format!("(process {pid} is still running and writing to it)")), "{said}");
    wait_for("the engine to end", || test_kill_process(child).is_err().then_some(()));
}

#[test]
fn the_demo_records_a_program_and_shows_its_trace() {
    let place = Place::new();
    let words = ["demo", "--dir", "demo dir", "--megabytes", "1"];
    let (out, said, status) = Run::of(&mut place.command(Path::new(TOOL), &words)).end();
    assert!(status.success(), "{said}");
    for expected in [
        "1048576 bytes in 16 blocks, checksum ",
        "0.000000000 run_begin ",
        "COUNT ",
        "16 block_begin: 16 matched.",
        "The trace is demo dir/trace.",
    ] {
        assert!(out.contains(expected), "{expected}: {out}");
    }
    assert_eq!(place.names("demo dir"), ["trace"]);
    assert_eq!(place.info("demo dir/trace")["ended"], true);
}
