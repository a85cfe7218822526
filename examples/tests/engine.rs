//! The engine counts the calls of its probes, and its traces match these counts. Its monitor
//! controls it while it runs.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use ringtrace_peers::hmp_client::HmpClient;
use ringtrace_peers::monitored::{Monitored, ProgramResult, wait_until};
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};

/// Returns a command that starts the engine in `folder`.
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

/// Reads the number of calls of each probe. Skips the durations, which have a `-` in their names.
fn account(path: &Path) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| line.split_once(' ').unwrap());
    lines
        .filter(|(name, _)| !name.contains('-'))
        .map(|(name, calls)| (name.to_owned(), calls.parse().unwrap()))
        .collect()
}

/// Returns the number of records of each event in a trace, and the number of dropped events.
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
fn policy_block_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--threads", "3", "--rate", "0", "--requests", "20000", "--account", "account"];
    run(folder.path(), &[&arguments[..], &["--trace", "*,file=trace,buffer=128K,policy=block"]].concat());
    let mut issued = account(&folder.path().join("account"));
    // The declaration of this event has `disable`, so it has no probe.
    assert_eq!(issued.remove("queue_poll"), Some(60_000));
    assert_eq!(recorded(&folder.path().join("trace")), (issued, 0));
}

#[test]
fn recorded_and_dropped_events_are_all_events() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--rate", "0", "--requests", "40000", "--account", "account"];
    run(folder.path(), &[&arguments[..], &["--trace", "*,file=trace,buffer=128K"]].concat());
    let mut issued = account(&folder.path().join("account"));
    issued.remove("queue_poll");
    let (events, dropped) = recorded(&folder.path().join("trace"));
    assert!(
        events.iter().all(|(event, count)| *count <= issued[event]),
        "recorded {events:?}, issued {issued:?}"
    );
    assert_eq!(events.values().sum::<u64>() + dropped, issued.values().sum::<u64>());
}

#[test]
fn the_same_seed_gives_the_same_requests() {
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

/// Returns the current number of records of each event.
fn recorded_by_now(client: &mut HmpClient, trace: &Path) -> BTreeMap<String, u64> {
    assert_eq!(client.run("trace-file flush"), "");
    recorded(trace).0
}

#[test]
fn a_monitor_controls_a_running_program() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let mut command = engine(folder.path());
    command.args(["--trace", "store_*,file=trace", "--allow-quit"]);
    let running = Monitored::start(command, folder.path(), "hmp");
    let mut client = HmpClient::connect(running.socket());
    assert_eq!(client.run("info trace-events blk_submit"), "blk_submit : state 0\n");
    assert_eq!(client.run("trace-event blk_* on"), "");
    assert_eq!(client.run("info trace-events blk_submit"), "blk_submit : state 1\n");
    assert_eq!(client.run("trace-event queue_poll on"), "");
    assert_eq!(client.run("info trace-events queue_poll"), "queue_poll : state 0\n");
    wait_until("a request is recorded", || recorded_by_now(&mut client, &trace).contains_key("blk_complete"));
    client.send("quit");
    let socket = running.socket().to_owned();
    let ProgramResult { status, output } = running.wait();
    assert!(status.success(), "{status}: {output}");
    assert!(output.starts_with("engine: ") && output.ends_with(" requests in 4 threads\n"), "{output}");
    assert!(!socket.exists());
    let (events, _) = recorded(&trace);
    assert_eq!((events["store_open"], events["store_close"]), (4, 4));
    assert!(!events.contains_key("get_begin"), "{events:?}");
}

#[test]
fn a_client_starts_recording() {
    let folder = tempfile::tempdir().unwrap();
    let running = Monitored::start(engine(folder.path()), folder.path(), "hmp");
    let mut client = HmpClient::connect(running.socket());
    let name = format!("trace-{}", running.id());
    let [first, second] = [name.as_str(), "second"].map(|name| folder.path().join(name));
    assert_eq!(client.run("trace-file"), format!("Trace file \"{name}\" off.\n"));
    assert_eq!(client.run("trace-event cache_* on"), "");
    assert_eq!(client.run("trace-file on"), "");
    wait_until("a miss is recorded", || recorded_by_now(&mut client, &first).contains_key("cache_miss"));
    assert_eq!(client.run("trace-file set second"), "");
    assert_eq!(client.run("trace-event * on"), "");
    wait_until("a get is recorded", || recorded_by_now(&mut client, &second).contains_key("get_end"));
    let ProgramResult { status, output } = running.end();
    assert!(status.success(), "{status}: {output}");
    let (events, dropped) = recorded(&second);
    assert_eq!((events["worker_end"], dropped), (4, 0));
}

#[test]
fn quit_is_refused_by_default() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = engine(folder.path());
    running.args(["--requests", "3000"]).env("RINGTRACE_MONITOR", "unix:monitor,mode=hmp");
    let running = running.spawn().unwrap();
    assert!(HmpClient::connect(&folder.path().join("monitor")).run("quit").contains("does not allow"));
    assert!(running.wait_with_output().unwrap().status.success());
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "files remain");
}
