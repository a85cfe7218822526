//! Tests reading of running programs' traces, above all `ringtrace print --follow`, through the monitors
//! of the programs and with their files.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod running;

use std::fs;
use std::path::Path;

use running::{Place, Run, TOOL, example, wait_for, wait_for_bytes};
use rustix::process::{Pid, Signal, kill_process};

/// Starts an engine with the tracing options `trace`, and its monitor at `socket`.
fn start(place: &Place, trace: &str, more: &[&str]) -> Run {
    let words = ["--threads", "1", "--rate", "200", "--trace", trace, "--monitor", "unix:socket"];
    let run = Run::of(&mut place.command(&example("engine"), &[&words, more].concat()));
    wait_for("the monitor's socket", || place.path("socket").exists().then_some(()));
    run
}

/// Starts `ringtrace print --follow` with `words`.
fn follow(place: &Place, words: &[&str]) -> Run {
    Run::of(&mut place.command(Path::new(TOOL), &[&["print", "--follow"], words].concat()))
}

/// Returns the output of `ringtrace ctl` with `words`.
fn ctl(place: &Place, words: &[&str]) -> String {
    let output = place.command(Path::new(TOOL), &[&["ctl", "socket"], words].concat()).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the request number in a line of `blk_submit`, `get_begin` and similar events.
fn request(line: &str) -> u64 {
    let word = line.split_whitespace().skip_while(|word| !["req", "op"].contains(word)).nth(1);
    word.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no request in `{line}`"))
}

fn requests(text: &str) -> Vec<u64> {
    text.lines().map(request).collect()
}

#[test]
fn new_events_are_printed_until_the_program_ends() {
    let place = Place::new();
    let engine = start(&place, "blk_submit,file=first.trace", &[]);
    wait_for_bytes(&place.path("first.trace"), 10_000);
    let mut run = follow(&place, &["socket", "--style", "log"]);
    let mut seen = vec![request(&run.line())];
    assert!(seen[0] > 50, "an old event was printed: {seen:?}");
    // Switching to another file loses no event.
    ctl(&place, &["trace-file", "set", "second.trace"]);
    seen.push(request(&run.line()));
    wait_for_bytes(&place.path("second.trace"), 10_000);
    engine.send(Signal::TERM);
    engine.end();
    let (out, said, status) = run.end();
    seen.extend(requests(&out));
    assert_eq!(status.code(), Some(0), "{said}");
    let (first, last) = (seen[0], *seen.last().unwrap());
    assert_eq!(seen, (first..=last).collect::<Vec<u64>>());
    let words = ["print", "--style", "log", "--tail", "1", "second.trace"];
    let (second, _, _) = Run::of(&mut place.command(Path::new(TOOL), &words)).end();
    assert_eq!(last, request(&second), "the end of the second file was not seen");
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines[0].starts_with("note: following ") && lines[0].contains("/first.trace of process "),
        "{said}"
    );
    assert!(lines[1].contains("/second.trace of process "), "{said}");
    assert!(
        lines[2].ends_with(&format!("has ended; {} records printed, no event was dropped", seen.len())),
        "{said}"
    );
}

/// The files are changed more often than the monitor is asked.
#[test]
fn all_files_of_a_rotated_trace_are_followed() {
    let place = Place::new();
    let engine = Run::of(&mut place.command(
        &example("engine"),
        &[
            "--threads",
            "1",
            "--rate",
            "0",
            "--seconds",
            "30",
            "--trace",
            "*,file=rotated,rotate=1M,policy=block",
            "--monitor",
            "unix:socket",
        ],
    ));
    let files = || fs::read_dir(place.path("rotated")).map_or(0, Iterator::count);
    wait_for("the first file", || (files() > 3).then_some(()));
    // Other commands find the program by the folder.
    let (status, said, code) = place.run(&["ctl", "rotated", "trace-file"]);
    assert!(status.contains("rotated/0") && code == 0, "{status}{said}");
    let (top, said, code) = place.run(&["top", "--once", "rotated"]);
    assert!(top.starts_with("engine ") && code == 0, "{top}{said}");
    let run = follow(&place, &["socket", "--since", "0", "-o", "out"]);
    let first = files();
    wait_for("more files", || (files() > first + 4).then_some(()));
    engine.send(Signal::TERM);
    engine.end();
    let (_, said, status) = run.end();
    assert_eq!(status.code(), Some(0), "{said}");
    let (count, _, _) = place.run(&["print", "rotated", "--count"]);
    let lines = fs::read_to_string(place.path("out")).unwrap().lines().count();
    assert_eq!(lines.to_string(), count.trim(), "{said}");
    assert!(said.starts_with("note: following ") && said.contains("/rotated of process "), "{said}");
    assert!(said.contains("no event was dropped") && !said.contains("did not finish"), "{said}");
}

/// Files of an earlier run in the folder do not belong to the program, and no event is printed twice.
#[test]
fn a_folder_is_left_and_selected_again() {
    let place = Place::new();
    let earlier =
        ["--threads", "1", "--requests", "50", "--rate", "0", "--trace", "blk_submit,file=a,rotate=1h"];
    Run::of(&mut place.command(&example("engine"), &earlier)).end();
    let engine = start(&place, "blk_submit,file=a,rotate=1h", &[]);
    let mut run = follow(&place, &["socket", "--since", "0", "--style", "log"]);
    let mut seen = vec![request(&run.line())];
    for folder in ["b", "a"] {
        ctl(&place, &["trace-file", "set", folder]);
        // The first event of the next folder is printed only after the previous folder was left.
        let before = seen.len();
        while seen.len() < before + 200 {
            seen.push(request(&run.line()));
        }
        assert!(place.path(folder).is_dir(), "{folder}");
    }
    engine.send(Signal::TERM);
    engine.end();
    let (out, said, status) = run.end();
    seen.extend(requests(&out));
    assert_eq!(status.code(), Some(0), "{said}");
    assert_eq!(seen, (seen[0]..=*seen.last().unwrap()).collect::<Vec<u64>>(), "{said}");
    for folder in ["a", "b"] {
        assert!(said.contains(&format!("/{folder} of process ")), "{said}");
    }
}

/// The reader is far behind the program when it is interrupted.
#[test]
fn an_interrupt_in_a_folder_is_no_damage() {
    let place = Place::new();
    let words = [
        "--threads",
        "1",
        "--rate",
        "0",
        "--requests",
        "30000",
        "--trace",
        "*,file=a,rotate=1M,policy=block",
    ];
    Run::of(&mut place.command(&example("engine"), &words)).end();
    let mut run = follow(&place, &["a", "--style", "log"]);
    run.line();
    run.send(Signal::INT);
    let (_, said, status) = run.end();
    assert_eq!((status.code(), said.contains("warning")), (Some(0), false), "{said}");
}

#[test]
fn filters_and_limits_apply_and_since_goes_back() {
    let place = Place::new();
    let engine = start(&place, "*_begin,file=x.trace", &[]);
    wait_for_bytes(&place.path("x.trace"), 10_000);
    let words = ["--style", "log", "--since", "0", "--event", "put_*", "--where", "op < 100", "--head", "5"];
    let (out, said, status) = follow(&place, &[words.as_slice(), &["socket"]].concat()).end();
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(out.lines().all(|line| line.starts_with("put_begin ")) && out.lines().count() == 5, "{out}");
    assert!(requests(&out)[0] < 20, "{out}");
    assert!(said.ends_with("note: 5 records printed, no event was dropped\n"), "{said}");
    engine.send(Signal::TERM);
    engine.end();
}

#[test]
fn an_interrupt_ends_it_with_the_totals() {
    let place = Place::new();
    let engine = start(&place, "blk_submit,file=x.trace", &[]);
    let mut run = follow(&place, &["socket"]);
    run.line();
    run.send(Signal::INT);
    let (out, said, status) = run.end();
    assert_eq!(status.code(), Some(0), "{said}");
    let printed = out.lines().count() + 1;
    assert!(said.contains(&format!("note: {printed} record")), "{said}");
    engine.send(Signal::TERM);
    engine.end();
}

#[test]
fn follow_reports_that_recording_is_off_and_waits() {
    let place = Place::new();
    let words = ["--threads", "1", "--rate", "200", "--monitor", "unix:socket"];
    let engine = Run::of(&mut place.command(&example("engine"), &words));
    wait_for("the monitor's socket", || place.path("socket").exists().then_some(()));
    let mut run = follow(&place, &["socket", "--style", "log"]);
    ctl(&place, &["trace-event", "blk_submit", "on"]);
    ctl(&place, &["trace-file", "on"]);
    let first = request(&run.line());
    ctl(&place, &["trace-file", "off"]);
    ctl(&place, &["trace-file", "on"]);
    let now = first + 100;
    while request(&run.line()) < now {}
    engine.send(Signal::TERM);
    engine.end();
    let (_, said, status) = run.end();
    assert_eq!(status.code(), Some(0), "{said}");
    let told = "note: no trace file yet; `ringtrace ctl socket trace-file on` starts recording ";
    // The tool may have started only after recording was enabled.
    assert!(said.starts_with(told) || said.starts_with("note: following "), "{said}");
}

/// A client has selected a folder that exists, and recording is still off.
#[test]
fn follow_waits_for_recording_in_an_existing_folder() {
    let place = Place::new();
    let engine = start(&place, "blk_submit,file=a,rotate=1h", &[]);
    wait_for("the first file", || place.path("a").is_dir().then_some(()));
    ctl(&place, &["trace-file", "off"]);
    fs::create_dir(place.path("b")).unwrap();
    ctl(&place, &["trace-file", "set", "b"]);
    let mut command = place.command(Path::new(TOOL), &["print", "--follow", "socket", "--style", "log"]);
    let said = place.path("said");
    let mut run = Run::of(command.stderr(fs::File::create(&said).unwrap()));
    let said = || fs::read_to_string(&said).unwrap();
    wait_for("the note", || said().contains("note: recording is off").then_some(()));
    ctl(&place, &["trace-file", "on"]);
    let first = request(&run.line());
    assert_eq!(request(&run.line()), first + 1, "{}", said());
    engine.send(Signal::TERM);
    engine.end();
    let (_, _, status) = run.end();
    assert_eq!(status.code(), Some(0), "{}", said());
}

#[test]
fn targets_that_cannot_be_followed_are_reported() {
    let place = Place::new();
    let flight = start(&place, "*,policy=overwrite,file=x.trace", &[]);
    let (_, said, status) = follow(&place, &["socket"]).end();
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("is a flight recorder: it writes its trace when it ends"), "{said}");
    assert!(said.contains("`ringtrace ctl socket trace-snapshot FILE`"), "{said}");
    let words = ["print", "socket"];
    let (_, said, status) = Run::of(&mut place.command(Path::new(TOOL), &words)).end();
    assert_eq!(status.code(), Some(2), "{said}");
    assert!(said.contains("to print the events of a program as they occur, add --follow"), "{said}");
    flight.send(Signal::KILL);
    flight.end();
    let (_, said, status) = follow(&place, &["socket"]).end();
    assert_eq!(status.code(), Some(4), "{said}");
    assert!(said.contains("no program is listening on this socket"), "{said}");
}

#[test]
fn a_moved_file_is_reported() {
    let place = Place::new();
    let engine = start(&place, "blk_submit,file=x.trace", &[]);
    wait_for_bytes(&place.path("x.trace"), 100);
    fs::rename(place.path("x.trace"), place.path("y.trace")).unwrap();
    let (_, said, status) = follow(&place, &["socket"]).end();
    assert_eq!(status.code(), Some(4), "{said}");
    assert!(said.contains("x.trace of the program: No such file or directory"), "{said}");
    engine.send(Signal::TERM);
    engine.end();
}

#[test]
fn a_program_that_is_killed_has_more_in_memory() {
    let place = Place::new();
    let engine = start(&place, "blk_submit,file=x.trace", &[]);
    let pid = Pid::from_child(&engine.tool);
    let mut run = follow(&place, &["socket"]);
    run.line();
    kill_process(pid, Signal::KILL).unwrap();
    engine.end();
    let (_, said, _) = run.end();
    assert!(said.contains("warning: the program did not finish the trace"), "{said}");
    assert!(said.contains(&format!("`ringtrace recover {pid}`")), "{said}");
}

/// Following also works through a monitor that speaks only HMP, like QEMU's `-monitor`.
#[test]
fn a_monitor_with_hmp_only_can_be_followed() {
    let place = Place::new();
    let words = ["--threads", "1", "--rate", "200", "--trace", "blk_submit,file=x.trace"];
    let words = [words.as_slice(), &["--monitor", "unix:socket,mode=hmp"]].concat();
    let engine = Run::of(&mut place.command(&example("engine"), &words));
    wait_for("the monitor's socket", || place.path("socket").exists().then_some(()));
    let mut run = follow(&place, &["socket", "--style", "log"]);
    let first = request(&run.line());
    engine.send(Signal::TERM);
    engine.end();
    let (out, said, status) = run.end();
    assert_eq!(status.code(), Some(0), "{said}");
    let last = requests(&out).into_iter().next_back().unwrap_or(first);
    assert!(said.starts_with("note: following x.trace\n"), "{said}");
    assert!(last >= first, "{said}");
}

#[test]
fn a_trace_is_followed_until_its_program_ends() {
    let place = Place::new();
    let engine = start(&place, "blk_submit,file=x.trace", &[]);
    wait_for_bytes(&place.path("x.trace"), 100);
    let mut run = follow(&place, &["x.trace", "--style", "log"]);
    assert_eq!(request(&run.line()), 0, "the first record of the file is printed");
    engine.send(Signal::TERM);
    engine.end();
    let (out, said, status) = run.end();
    assert_eq!(status.code(), Some(0), "{said}");
    // A complete trace is printed without waiting.
    let (again, said, _) = follow(&place, &["x.trace", "--style", "log"]).end();
    assert_eq!(again.lines().skip(1).collect::<Vec<_>>(), out.lines().collect::<Vec<_>>(), "{said}");
    assert!(said.starts_with("note: ") && said.contains(" records read, no event was dropped"), "{said}");
}

#[test]
fn a_trace_of_a_running_and_of_a_killed_program_has_not_ended() {
    let place = Place::new();
    // None of the enabled events occurs, so the trace has no record.
    let engine = start(&place, "none_such,file=x.trace", &[]);
    wait_for_bytes(&place.path("x.trace"), 100);
    let pid = Pid::from_child(&engine.tool);
    let ran = |words: &[&str]| {
        let (out, said, status) = Run::of(&mut place.command(Path::new(TOOL), words)).end();
        assert_eq!(status.code(), Some(0), "{words:?}: {said}");
        out + &said
    };
    let running = format!("note: x.trace: process {pid} is still running ");
    assert!(ran(&["info", "x.trace"]).contains(&format!("not yet: process {pid} is running")));
    assert!(ran(&["print", "x.trace"]).contains(&running));
    let stat = ran(&["stat", "x.trace"]);
    assert!(stat.contains(&running) && stat.contains("No events have been dropped so far"), "{stat}");
    kill_process(pid, Signal::KILL).unwrap();
    engine.end();
    // No event was enabled.
    let empty =
        format!("note: x.trace: process {pid} did not finish the trace, but left no events in memory");
    let info = ran(&["info", "x.trace"]);
    assert!(info.contains(&format!("Ended       not by the program: process {pid} left no")), "{info}");
    for words in [&["print", "x.trace"][..], &["stat", "x.trace"], &["report", "x.trace", "-o", "x.html"]] {
        let said = ran(words);
        assert!(said.contains(&empty), "{said}");
    }
}

/// A reader sees the last block of a compact trace while it is written. The program is stopped, so that
/// the block stays incomplete.
#[test]
fn the_incomplete_last_block_of_a_running_program_is_not_damage() {
    let trace = "trace";
    for rotate in ["", ",rotate=1s"] {
        let place = Place::new();
        let selected = format!("*,format=compact,file=trace{rotate}");
        let words = ["--threads", "1", "--rate", "20000", "--trace", &selected];
        let engine = Run::of(&mut place.command(&example("engine"), &words));
        let last = wait_for("blocks", || {
            let mut names = place.names(trace);
            names.retain(|name| name.ends_with(".trace"));
            let folder = place.path(trace).is_dir();
            let last = if folder { place.path(trace).join(names.iter().max()?) } else { place.path(trace) };
            let has_blocks = fs::metadata(&last).is_ok_and(|found| found.len() > 100_000);
            (has_blocks && (!folder || names.len() > 1)).then_some(last)
        });
        engine.send(Signal::STOP);
        let stat = format!("/proc/{}/stat", engine.tool.id());
        wait_for("the program to stop", || fs::read_to_string(&stat).unwrap().contains(") T ").then_some(()));
        let whole = fs::read(&last).unwrap();
        fs::write(&last, &whole[..whole.len() - 20]).unwrap();
        for words in [
            &["print", trace][..],
            &["print", "--strict", trace],
            &["print", "--sort", "--strict", trace],
            &["stat", "--strict", trace],
            &["info", trace],
            &["convert", "--to", "v4", "--strict", trace, "v4"],
        ] {
            let (out, said, code) = place.run(words);
            assert!(!said.contains("truncated") && !out.contains("truncated"), "{words:?}: {said}");
            assert!(said.lines().all(|line| line.starts_with("note: ")), "{words:?}: {said}");
            assert_eq!(code, 0, "{words:?}: {said}");
        }
        engine.send(Signal::KILL);
        engine.end();
        let (_, said, code) = place.run(&["print", trace]);
        assert!(said.contains("truncated") && code == 1, "{said}");
    }
}

/// A program was killed and started again with the same file. Its arena still names that file.
#[test]
fn a_running_program_is_not_taken_for_a_killed_one_with_the_same_file() {
    let place = Place::new();
    let words = ["--threads", "1", "--rate", "2000", "--trace", "*,file=t,buffer=128K,threads=2"];
    let start = || {
        let run = Run::of(&mut place.command(&example("engine"), &words));
        wait_for_bytes(&place.path("t"), 100_000);
        run
    };
    let killed = start();
    let killed_pid = killed.tool.id();
    killed.send(Signal::KILL);
    killed.end();
    // This is what `ringtrace record` does if there is a file `t.old`.
    fs::rename(place.path("t"), place.path("t.old-2")).unwrap();
    let engine = start();
    let (_, said, code) = place.run(&["print", "t"]);
    assert!(said.contains(&format!("process {} is still running", engine.tool.id())), "{said}");
    assert!(!said.contains("killed") && code == 0, "{said}");
    let (recovered, said, code) = place.run(&["recover", &killed_pid.to_string(), "-o", "whole"]);
    assert_eq!((said.as_str(), code), ("", 0));
    assert!(recovered.contains("From file") && !recovered.contains("From file   0 events"), "{recovered}");
    assert!(recovered.contains("Lost        no events\n"), "{recovered}");
    engine.send(Signal::TERM);
    engine.end();
}
