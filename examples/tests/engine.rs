//! The engine counts what it calls, and its traces tell the same; and it is steered by its monitor while it runs.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ringtrace_peers::hand::Hand;
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that starts the engine in `folder`.
fn engine(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
    command
        .current_dir(folder)
        .env_remove("RINGTRACE")
        .env_remove("RINGTRACE_MONITOR")
        .env("RINGTRACE_DIR", folder)
        .stdout(Stdio::piped());
    command
}

fn run(folder: &Path, arguments: &[&str]) {
    let output = engine(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The account that the engine wrote: how often it called each probe. The times, which have a `-` in their names, are not in it.
fn account(path: &Path) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| line.split_once(' ').unwrap());
    lines
        .filter(|(name, _)| !name.contains('-'))
        .map(|(name, calls)| (name.to_owned(), calls.parse().unwrap()))
        .collect()
}

/// What a trace has of each event, and how many were dropped.
fn recorded(path: &Path) -> (BTreeMap<String, u64>, u64) {
    let name = path.display().to_string();
    let mut reader = Reader::new(&name, Input::open(path).unwrap(), &Options::default()).unwrap();
    let (mut events, mut dropped) = (BTreeMap::new(), 0);
    let count = |entry: &Entry<'_>| {
        match entry.dropped() {
            Some(count) => dropped += count,
            None => *events.entry(entry.schema.name.to_string()).or_default() += 1,
        }
        Flow::Continue
    };
    reader.for_each(count).unwrap();
    (events, dropped)
}

#[test]
fn nothing_is_lost_where_threads_wait() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--threads", "3", "--rate", "0", "--requests", "20000", "--account", "account"];
    run(folder.path(), &[&arguments[..], &["--trace", "*,file=trace,buffer=128K,policy=block"]].concat());
    let mut issued = account(&folder.path().join("account"));
    // It is declared with `disable`: a call is nothing.
    assert_eq!(issued.remove("queue_poll"), Some(60_000));
    assert_eq!(recorded(&folder.path().join("trace")), (issued, 0));
}

#[test]
fn what_is_dropped_is_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--rate", "0", "--requests", "40000", "--account", "account"];
    run(folder.path(), &[&arguments[..], &["--trace", "*,file=trace,buffer=128K"]].concat());
    let mut issued = account(&folder.path().join("account"));
    issued.remove("queue_poll");
    let (events, dropped) = recorded(&folder.path().join("trace"));
    assert!(events.iter().all(|(event, count)| *count <= issued[event]), "{events:?} of {issued:?}");
    assert_eq!(events.values().sum::<u64>() + dropped, issued.values().sum::<u64>());
}

#[test]
fn the_same_seed_brings_the_same_requests() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, seed: &str| {
        run(folder.path(), &["--rate", "0", "--requests", "5000", "--seed", seed, "--account", name]);
        account(&folder.path().join(name))
    };
    let one = of("one", "7");
    assert!(one.len() > 20, "{one:?}");
    assert_eq!(one, of("again", "7"));
    assert_ne!(one, of("other", "8"));
}

/// The monitor of the engine that runs in `folder`.
fn hand_at(running: &mut Child, folder: &Path) -> Hand {
    let gone = || running.try_wait().unwrap().map(|status| format!("the engine has ended, {status}"));
    Hand::connect(&folder.join("monitor"), gone)
}

#[test]
fn a_monitor_steers_what_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = engine(folder.path())
        .args(["--monitor", "unix:monitor,mode=hmp", "--trace", "store_*,file=trace", "--allow-quit"])
        .spawn()
        .unwrap();
    let mut hand = hand_at(&mut running, folder.path());
    assert_eq!(hand.say("info trace-events blk_submit"), "blk_submit : state 0\n");
    assert_eq!(hand.say("trace-event blk_* on"), "");
    assert_eq!(hand.say("info trace-events blk_submit"), "blk_submit : state 1\n");
    assert_eq!(hand.say("trace-event queue_poll on"), "");
    assert_eq!(hand.say("info trace-events queue_poll"), "queue_poll : state 0\n");
    let deadline = Instant::now() + PATIENCE;
    while !recorded_while_running(&mut hand, &folder.path().join("trace")).contains_key("blk_complete") {
        assert!(Instant::now() < deadline, "no request was recorded");
    }
    hand.tell("quit");
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("engine: ") && said.ends_with(" requests in 4 threads\n"), "{said}");
    assert!(!folder.path().join("monitor").exists());
    let (events, _) = recorded(&folder.path().join("trace"));
    assert_eq!((events["store_open"], events["store_close"]), (4, 4));
    assert!(!events.contains_key("get_begin"), "{events:?}");
}

/// What is in the file by now.
fn recorded_while_running(hand: &mut Hand, trace: &Path) -> BTreeMap<String, u64> {
    assert_eq!(hand.say("trace-file flush"), "");
    recorded(trace).0
}

#[test]
fn a_client_has_the_recording_begin_where_nothing_was_asked() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = engine(folder.path()).args(["--monitor", "unix:monitor,mode=hmp"]).spawn().unwrap();
    let mut hand = hand_at(&mut running, folder.path());
    let name = format!("trace-{}", running.id());
    assert_eq!(hand.say("trace-file"), format!("Trace file \"{name}\" off.\n"));
    assert_eq!(hand.say("trace-event cache_* on"), "");
    assert_eq!(hand.say("trace-file on"), "");
    let deadline = Instant::now() + PATIENCE;
    while !recorded_while_running(&mut hand, &folder.path().join(&name)).contains_key("cache_miss") {
        assert!(Instant::now() < deadline, "nothing was recorded");
    }
    assert_eq!(hand.say("trace-file set second"), "");
    assert_eq!(hand.say("trace-event * on"), "");
    while !recorded_while_running(&mut hand, &folder.path().join("second")).contains_key("get_end") {
        assert!(Instant::now() < deadline, "nothing was recorded in the second file");
    }
    terminate(&mut running);
    let (events, dropped) = recorded(&folder.path().join("second"));
    assert_eq!((events["worker_end"], dropped), (4, 0));
}

fn terminate(running: &mut Child) {
    let pid = i32::try_from(running.id()).unwrap();
    // SAFETY: a child that is still waited for.
    assert_eq!(unsafe { libc::kill(pid, libc::SIGTERM) }, 0);
    assert!(running.wait().unwrap().success());
}

#[test]
fn quit_is_refused_where_it_was_not_allowed_and_a_signal_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut running =
        engine(folder.path()).env("RINGTRACE_MONITOR", "unix:monitor,mode=hmp").spawn().unwrap();
    let mut hand = hand_at(&mut running, folder.path());
    assert!(hand.say("quit").contains("does not allow"));
    terminate(&mut running);
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "something was left behind");
}
