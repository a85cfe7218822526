//! A program under full load, which sixteen clients steer and bother meanwhile: no event is unaccounted for, probes do not wait longer
//! than without clients, and nothing stays behind.
//!
//! `RINGTRACE_LOAD_SECONDS=60 cargo test --release -p ringtrace-examples --test load -- --nocapture` is a minute of clients.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests may; clippy knows only functions marked as tests"
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

/// How long clients are there, in all loads together, if nobody says otherwise.
const SECONDS: f64 = 10.0;
const CLIENTS: u64 = 16;
/// Clients come and go so many times: what the first round leaves behind, the later ones must not add to.
const ROUNDS: u32 = 4;
/// What a program may grow by from the first round to the last: its allocator's pages are not handed out in the same order twice.
const GROWTH_BYTES: u64 = 2 << 20;
/// What stays of each trace that it has written: a page of each thread, which may come back to it at any time, and some words.
const GROWTH_OF_A_TRACE_BYTES: u64 = 16 << 10;

/// What is recorded how, and what clients may do to it.
struct Load {
    name: &'static str,
    /// Options of `--trace`.
    trace: &'static str,
    permissions: Permissions,
}

/// Events that nobody switches are accounted for one by one: `blk_*`, `cache_*`, `journal_*` and more.
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
        // A flight recorder knows only the sum of all events: what is switched here happens before and after the load.
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
    let _alone = alone_in_this_process();
    let seconds = std::env::var("RINGTRACE_LOAD_SECONDS").map_or(SECONDS, |text| text.parse().unwrap());
    let time = Duration::from_secs_f64(seconds / LOADS.len() as f64);
    for load in LOADS {
        let mut report = Report::new(load.name, time);
        if !load.permissions.pauses {
            report.stalls("no clients", &alone(load, time / 3, None));
            report.stalls("clients of another program", &alone(load, time / 3, Some(load.permissions)));
        }
        under_load(load, time, &mut report);
    }
}

/// Starts the engine in `folder`, as fast as it can, on both cores.
fn engine(folder: &TraceFolder, load: &Load) -> Monitored {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
    let trace = format!("{},file={}", load.trace, folder.first_trace().display());
    engine.args(["--threads", "2", "--rate", "0", "--account", "account", "--stay", "--trace", &trace]);
    // Should we be killed, it does not fill the disk for ever.
    engine.args(["--seconds", "900"]);
    Monitored::start(engine, folder.folder(), "auto")
}

/// Waits until the engine's threads have begun: what they do only then is not switched by anybody.
fn ready(engine: &Monitored) {
    wait_until("the engine records", || status(engine).totals.iter().sum::<u64>() > 10_000);
}

/// Keeps other tests of this program from running at the same time: they would show in the times of this one.
fn alone_in_this_process() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the engine's requests; what it has called is then written.
fn account(engine: &Monitored, folder: &TraceFolder) -> ProbeStatistics {
    engine.terminate();
    wait_until("the requests end", || engine.said().contains(" requests in "));
    ProbeStatistics::read(&folder.folder().join("account"))
}

/// What probes take of time while nobody is connected. With a permissions, clients have it for another program, which does nothing.
fn alone(load: &Load, time: Duration, permissions: Option<Permissions>) -> ProbeStatistics {
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
    account(&engine, &folder)
}

/// What becomes of the engine while clients do to it what they may.
fn under_load(load: &Load, time: Duration, report: &mut Report) {
    let folder = TraceFolder::new();
    let engine = engine(&folder, load);
    ready(&engine);
    let before = engine.usage_without_clients();
    let ended = AtomicBool::new(false);
    let socket = engine.socket().to_owned();
    let (mut files, snapshots) = thread::scope(|scope| {
        let reader = scope.spawn(|| folder.read(&socket, &ended));
        // When something fails here, too.
        let end_of_reading = SetAtEnd(&ended);
        for round in 0..ROUNDS {
            report.did(&crowd(&engine, &folder, load.permissions, round, time / ROUNDS));
            report.usage(without_clients(&engine, &before));
        }
        let account = account(&engine, &folder);
        let status = status(&engine);
        let finished = engine.end();
        assert!(finished.status.success(), "{finished:?}");
        drop(end_of_reading);
        let (files, snapshots) = reader.join().unwrap();
        report.stalls("clients", &account);
        report.balance(&account, &status, &files, &snapshots);
        eprintln!("{report}");
        balance(load, &account, &status, &files);
        (files, snapshots)
    });
    assert_eq!(snapshots.count, report.actions(&["hmp trace-snapshot", "qmp trace-snapshot"]), "snapshots");
    let switched = report.actions(&["hmp trace-file set", "qmp trace-file-set"]);
    // What is switched to while nothing is written is not begun.
    assert!(
        files.count == switched + 1 || load.permissions.pauses,
        "{} files of {}",
        files.count,
        switched + 1
    );
    if load.permissions.pauses {
        let missing = std::mem::take(&mut files.requests).missing();
        eprintln!(
            "{} requests are missing in {} places, recording was off for {} ms\n",
            missing.requests,
            missing.gaps,
            missing.paused_ns / 1_000_000,
        );
        assert!(missing.gaps > 0 && missing.unexplained.is_empty(), "{:?}", missing.unexplained);
    }
    let growth = report.growth_bytes();
    assert!(
        growth <= GROWTH_BYTES + switched * GROWTH_OF_A_TRACE_BYTES,
        "memory grows with clients, by {growth} bytes"
    );
}

/// Sets a flag when it is dropped.
struct SetAtEnd<'a>(&'a AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// A round of all clients.
fn crowd(
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

/// What the engine has of the system when its clients are gone and all they asked is done: nothing but memory may be more.
fn without_clients(engine: &Monitored, before: &Usage) -> Usage {
    let of = |usage: &Usage| (usage.descriptors, usage.threads);
    let mut usage = engine.usage_without_clients();
    wait_until("what clients left behind is gone", || {
        usage = engine.usage_without_clients();
        of(&usage) == of(before)
    });
    usage
}

/// What the monitor says when all is written that was recorded.
fn status(engine: &Monitored) -> MonitorStatus {
    let mut client = MonitorClient::qmp(engine.socket()).unwrap();
    client.execute("trace-file-flush", &json!({})).unwrap().unwrap();
    MonitorStatus::new(&client.execute("query-trace-status", &json!({})).unwrap().unwrap())
}

/// No event is unaccounted for.
fn balance(load: &Load, account: &ProbeStatistics, status: &MonitorStatus, files: &Files) {
    let [recorded, dropped, overwritten] = status.totals;
    assert_eq!(sum(&status.dropped), dropped, "{status:?}");
    let Some(by_event) = &status.recorded else {
        assert_eq!(sum(&account.calls), recorded + dropped + overwritten, "{account:?} {status:?}");
        assert_eq!(sum(&files.recorded), recorded, "{status:?}");
        return;
    };
    assert_eq!(sum(by_event), recorded, "{status:?}");
    for (event, calls) in &account.calls {
        let known = by_event[event];
        assert_eq!(files.recorded.get(event).copied().unwrap_or_default(), known, "{event} in the files");
        let issued = known + status.dropped[event];
        if load.permissions.pauses || load.permissions.toggled.iter().any(|pattern| is_meant(pattern, event))
        {
            assert!(issued <= *calls, "{event}: {issued} of {calls}");
        } else {
            assert_eq!(issued, *calls, "{event}");
        }
    }
    assert_eq!(sum(&files.recorded), recorded, "{files:?} {status:?}");
    assert_eq!(files.dropped, dropped);
}

/// Whether `pattern`, a name that may end in `*`, means the event.
fn is_meant(pattern: &str, event: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == event, |beginning| event.starts_with(beginning))
}
