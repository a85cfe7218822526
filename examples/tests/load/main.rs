//! A program under full load with sixteen clients of its monitor. Every event is accounted for,
//! probes do not take longer than without clients, and no resources leak.
//!
//! For a longer test: `RINGTRACE_LOAD_SECONDS=60 cargo test --release -p ringtrace-examples --test
//! load -- --nocapture`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "allowed in tests, but clippy also checks their helpers"
)]

mod client;
mod counts;
mod hostile;
mod random;
mod report;
mod requests;
mod trace_folder;

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use client::{ActionCounts, Permissions};
use counts::{Files, MonitorStatus, ProbeStatistics, sum};
use report::Report;
use ringtrace_peers::monitor_client::MonitorClient;
use ringtrace_peers::monitored::{Monitored, Usage, wait_until};
use serde_json::json;
use trace_folder::TraceFolder;

/// The default duration of all loads together, in seconds.
const SECONDS: f64 = 6.0;
const CLIENTS: u64 = 16;
/// How often all clients connect and disconnect. Rounds after the first must not leak.
const ROUNDS: u32 = 4;
/// The allowed growth of memory from the first round to the last, due to fragmentation.
const GROWTH_BYTES: u64 = 2 << 20;
/// The memory that the program retains for each trace file: a page for each thread, and a few
/// words.
const GROWTH_OF_A_TRACE_BYTES: u64 = 16 << 10;

/// A configuration of the program and its clients.
struct Load {
    name: &'static str,
    /// Options of `--trace`.
    trace: &'static str,
    permissions: Permissions,
}

/// The events that clients enable and disable. All others are counted exactly.
const TOGGLED: &[&str] = &["get_*", "put_*", "queue_*", "key_delete", "checkpoint_begin"];

const LOADS: &[Load] = &[
    Load {
        name: "discard",
        trace: "*,policy=discard,buffer=256K",
        permissions: Permissions { toggled: TOGGLED, sets_files: true, pauses: false },
    },
    Load {
        name: "block",
        trace: "*,policy=block,buffer=256K",
        permissions: Permissions { toggled: TOGGLED, sets_files: true, pauses: false },
    },
    Load {
        name: "overwrite",
        trace: "*,policy=overwrite,buffer=1M",
        // A flight recorder counts only totals, so clients may toggle only events that do not occur
        // during the load.
        permissions: Permissions {
            toggled: &["blk_open", "store_open", "worker_begin"],
            sets_files: false,
            pauses: false,
        },
    },
    Load {
        name: "block, with pauses",
        trace: "*,policy=block,buffer=256K",
        permissions: Permissions {
            toggled: &["get_*", "cache_*", "blk_complete"],
            sets_files: true,
            pauses: true,
        },
    },
];

#[test]
fn sixteen_clients_under_full_load() {
    let _alone = exclusive();
    let seconds = std::env::var("RINGTRACE_LOAD_SECONDS").map_or(SECONDS, |text| text.parse().unwrap());
    let time = Duration::from_secs_f64(seconds / LOADS.len() as f64);
    for load in LOADS {
        let mut report = Report::new(load.name, time);
        if !load.permissions.pauses {
            report.stalls("no clients", &baseline(load, time / 3, None));
            report.stalls("clients of another program", &baseline(load, time / 3, Some(load.permissions)));
        }
        under_load(load, time, &mut report);
    }
}

/// Starts the engine in `folder` with two threads and no rate limit.
fn engine(folder: &TraceFolder, load: &Load) -> Monitored {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
    let trace = format!("{},file={}", load.trace, folder.first_trace().display());
    engine.args(["--threads", "2", "--rate", "0", "--account", "account", "--stay", "--trace", &trace]);
    // If this test is killed, the engine must not fill the disk.
    engine.args(["--seconds", "900"]);
    Monitored::start(engine, folder.folder(), "auto")
}

/// Waits until the engine's threads have started. Events that they record while starting are not
/// counted exactly.
fn ready(engine: &Monitored) {
    wait_until("the engine records", || status(engine).totals.iter().sum::<u64>() > 10_000);
}

/// Prevents other tests from running at the same time, which would distort the times.
fn exclusive() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the engine's requests, and returns the statistics of its probes.
fn finish_requests(engine: &Monitored, folder: &TraceFolder) -> ProbeStatistics {
    engine.terminate();
    wait_until("the requests end", || engine.output().contains(" requests in "));
    ProbeStatistics::read(&folder.folder().join("account"))
}

/// Measures probes without clients. If `permissions` is given, clients connect to another program,
/// which is idle.
fn baseline(load: &Load, time: Duration, permissions: Option<Permissions>) -> ProbeStatistics {
    let (folder, elsewhere) = (TraceFolder::new(), TraceFolder::new());
    let stop = AtomicBool::new(false);
    let bystander = permissions.map(|permissions| {
        let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
        engine.args(["--rate", "1", "--threads", "1", "--trace", load.trace]);
        let engine = Monitored::start(engine, elsewhere.folder(), "auto");
        (engine, permissions)
    });
    let engine = engine(&folder, load);
    thread::scope(|scope| {
        if let Some((other, permissions)) = &bystander {
            for seed in 0..CLIENTS {
                let (stop, elsewhere) = (&stop, &elsewhere);
                scope.spawn(move || client::run(other.socket(), elsewhere, *permissions, seed, stop));
            }
        }
        thread::sleep(time);
        stop.store(true, Ordering::Relaxed);
    });
    finish_requests(&engine, &folder)
}

/// Runs the engine with clients, and checks all counts.
fn under_load(load: &Load, time: Duration, report: &mut Report) {
    let folder = TraceFolder::new();
    let engine = engine(&folder, load);
    ready(&engine);
    let before = engine.usage_without_clients();
    let ended = AtomicBool::new(false);
    let socket = engine.socket().to_owned();
    let (mut files, snapshots) = thread::scope(|scope| {
        let reader = scope.spawn(|| folder.read(&socket, &ended));
        // If an assertion below fails, the reader thread must end, too.
        let end_of_reading = SetAtEnd(&ended);
        for round in 0..ROUNDS {
            report.add_actions(&run_clients(&engine, &folder, load.permissions, round, time / ROUNDS));
            report.usage(without_clients(&engine, &before));
        }
        let probes = finish_requests(&engine, &folder);
        let status = status(&engine);
        let finished = engine.end();
        assert!(finished.status.success(), "{finished:?}");
        drop(end_of_reading);
        let (files, snapshots) = reader.join().unwrap();
        report.stalls("clients", &probes);
        report.balance(&probes, &status, &files, &snapshots);
        eprintln!("{report}");
        check_counts(load, &probes, &status, &files);
        (files, snapshots)
    });
    assert_eq!(snapshots.count, report.actions(&["hmp trace-snapshot", "qmp trace-snapshot"]), "snapshots");
    let switched = report.actions(&["hmp trace-file set", "qmp trace-file-set"]);
    // If a file is set while recording is off, it must not be created.
    assert!(
        files.count == switched + 1 || load.permissions.pauses,
        "{} of {} files",
        files.count,
        switched + 1
    );
    if load.permissions.pauses {
        let missing = std::mem::take(&mut files.requests).missing();
        eprintln!(
            "{} requests are missing in {} gaps; recording was off for {} ms\n",
            missing.requests,
            missing.gaps,
            missing.paused_ns / 1_000_000,
        );
        assert!(missing.gaps > 0 && missing.unexplained.is_empty(), "{:?}", missing.unexplained);
    }
    let growth = report.growth_bytes();
    assert!(growth <= GROWTH_BYTES + switched * GROWTH_OF_A_TRACE_BYTES, "memory grows by {growth} bytes");
}

/// Sets a flag when it is dropped.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Runs all clients once.
fn run_clients(
    engine: &Monitored,
    folder: &TraceFolder,
    permissions: Permissions,
    round: u32,
    time: Duration,
) -> Vec<ActionCounts> {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let seeds = (0..CLIENTS).map(|client| u64::from(round) * CLIENTS + client);
        let clients = seeds.map(|seed| {
            let stop = &stop;
            scope.spawn(move || client::run(engine.socket(), folder, permissions, seed, stop))
        });
        let clients: Vec<_> = clients.collect();
        thread::sleep(time);
        stop.store(true, Ordering::Relaxed);
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    })
}

/// Returns the resources of the engine after its clients have disconnected. Only memory may have
/// grown.
fn without_clients(engine: &Monitored, before: &Usage) -> Usage {
    let of = |usage: &Usage| (usage.descriptors, usage.threads);
    let mut usage = engine.usage_without_clients();
    wait_until("resources of clients are released", || {
        usage = engine.usage_without_clients();
        of(&usage) == of(before)
    });
    usage
}

/// Returns the monitor's counts, after all recorded events are written.
fn status(engine: &Monitored) -> MonitorStatus {
    let mut client = MonitorClient::qmp(engine.socket()).unwrap();
    client.execute("trace-file-flush", &json!({})).unwrap().unwrap();
    MonitorStatus::new(&client.execute("query-trace-status", &json!({})).unwrap().unwrap())
}

/// Checks that every event is accounted for.
fn check_counts(load: &Load, probes: &ProbeStatistics, status: &MonitorStatus, files: &Files) {
    let [recorded, dropped, overwritten] = status.totals;
    assert_eq!(sum(&status.dropped), dropped, "{status:?}");
    let Some(by_event) = &status.recorded else {
        assert_eq!(sum(&probes.calls), recorded + dropped + overwritten, "{probes:?} {status:?}");
        assert_eq!(sum(&files.recorded), recorded, "{status:?}");
        return;
    };
    assert_eq!(sum(by_event), recorded, "{status:?}");
    for (event, calls) in &probes.calls {
        let known = by_event[event];
        assert_eq!(files.recorded.get(event).copied().unwrap_or_default(), known, "{event} in the files");
        let issued = known + status.dropped[event];
        if load.permissions.pauses || load.permissions.toggled.iter().any(|pattern| matches(pattern, event)) {
            assert!(issued <= *calls, "{event}: {issued} of {calls}");
        } else {
            assert_eq!(issued, *calls, "{event}");
        }
    }
    assert_eq!(sum(&files.recorded), recorded, "{files:?} {status:?}");
    assert_eq!(files.dropped, dropped);
}

/// Returns whether `pattern`, a name that may end with `*`, matches the event.
fn matches(pattern: &str, event: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == event, |beginning| event.starts_with(beginning))
}
