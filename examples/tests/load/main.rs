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

mod chance;
mod client;
mod hostile;
mod ledger;
mod place;
mod report;
mod requests;

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use client::{Deeds, License};
use ledger::{Account, Files, Told, sum};
use place::Place;
use report::Report;
use ringtrace_peers::monitored::{Monitored, Usage, wait_until};
use ringtrace_peers::talk::Talk;
use serde_json::json;

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
    license: License,
}

/// Events that nobody switches are accounted for one by one: `blk_*`, `cache_*`, `journal_*` and more.
const TOGGLED: &[&str] = &["get_*", "put_*", "queue_*", "key_delete", "checkpoint_begin"];

const LOADS: &[Load] = &[
    Load {
        name: "discard",
        trace: "*,policy=discard,buffer=256K",
        license: License { toggled: TOGGLED, sets_files: true, pauses: false },
    },
    Load {
        name: "block",
        trace: "*,policy=block,buffer=256K",
        license: License { toggled: TOGGLED, sets_files: true, pauses: false },
    },
    Load {
        name: "overwrite",
        trace: "*,policy=overwrite,buffer=1M",
        // A flight recorder knows only the sum of all events: what is switched here happens before and after the load.
        license: License {
            toggled: &["blk_open", "store_open", "worker_begin"],
            sets_files: false,
            pauses: false,
        },
    },
    Load {
        name: "block, with pauses",
        trace: "*,policy=block,buffer=256K",
        license: License { toggled: &["get_*", "cache_*", "blk_complete"], sets_files: true, pauses: true },
    },
];

#[test]
fn sixteen_clients_under_full_load() {
    let _alone = alone_in_this_process();
    let seconds = std::env::var("RINGTRACE_LOAD_SECONDS").map_or(SECONDS, |text| text.parse().unwrap());
    let time = Duration::from_secs_f64(seconds / LOADS.len() as f64);
    for load in LOADS {
        let mut report = Report::new(load.name, time);
        if !load.license.pauses {
            report.stalls("no clients", &alone(load, time / 3, None));
            report.stalls("clients of another program", &alone(load, time / 3, Some(load.license)));
        }
        bothered(load, time, &mut report);
    }
}

/// Starts the engine in `place`, as fast as it can, on both cores.
fn engine(place: &Place, load: &Load) -> Monitored {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
    let trace = format!("{},file={}", load.trace, place.first_trace().display());
    engine.args(["--threads", "2", "--rate", "0", "--account", "account", "--stay", "--trace", &trace]);
    // Should we be killed, it does not fill the disk for ever.
    engine.args(["--seconds", "900"]);
    Monitored::start(engine, place.folder(), "auto")
}

/// Waits until the engine's threads have begun: what they do only then is not switched by anybody.
fn ready(engine: &Monitored) {
    wait_until("the engine records", || told(engine).totals.iter().sum::<u64>() > 10_000);
}

/// Keeps other tests of this program from running at the same time: they would show in the times of this one.
fn alone_in_this_process() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the engine's requests; what it has called is then written.
fn account(engine: &Monitored, place: &Place) -> Account {
    engine.tell_to_end();
    wait_until("the requests end", || engine.said().contains(" requests in "));
    Account::read(&place.folder().join("account"))
}

/// What probes take of time while nobody is connected. With a license, clients have it for another program, which does nothing.
fn alone(load: &Load, time: Duration, license: Option<License>) -> Account {
    let (place, elsewhere) = (Place::new(), Place::new());
    let stop = AtomicBool::new(false);
    let bystander = license.map(|license| {
        let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
        engine.args(["--rate", "1", "--threads", "1", "--trace", load.trace]);
        let engine = Monitored::start(engine, elsewhere.folder(), "auto");
        (engine, license)
    });
    let engine = engine(&place, load);
    thread::scope(|scope| {
        if let Some((other, license)) = &bystander {
            for seed in 0..CLIENTS {
                let (stop, elsewhere) = (&stop, &elsewhere);
                scope.spawn(move || client::run(other.socket(), elsewhere, *license, seed, stop));
            }
        }
        thread::sleep(time);
        stop.store(true, Ordering::Relaxed);
    });
    account(&engine, &place)
}

/// What becomes of the engine while clients do to it what they may.
fn bothered(load: &Load, time: Duration, report: &mut Report) {
    let place = Place::new();
    let engine = engine(&place, load);
    ready(&engine);
    let before = engine.usage_without_clients();
    let ended = AtomicBool::new(false);
    let socket = engine.socket().to_owned();
    let (mut files, snapshots) = thread::scope(|scope| {
        let reader = scope.spawn(|| place.read(&socket, &ended));
        // When something fails here, too.
        let end_of_reading = SetAtEnd(&ended);
        for round in 0..ROUNDS {
            report.did(&crowd(&engine, &place, load.license, round, time / ROUNDS));
            report.usage(without_clients(&engine, &before));
        }
        let account = account(&engine, &place);
        let told = told(&engine);
        let finished = engine.end();
        assert!(finished.status.success(), "{finished:?}");
        drop(end_of_reading);
        let (files, snapshots) = reader.join().unwrap();
        report.stalls("clients", &account);
        report.balance(&account, &told, &files, &snapshots);
        eprintln!("{report}");
        balance(load, &account, &told, &files);
        (files, snapshots)
    });
    assert_eq!(snapshots.count, report.deeds(&["hmp trace-snapshot", "qmp trace-snapshot"]), "snapshots");
    let switched = report.deeds(&["hmp trace-file set", "qmp trace-file-set"]);
    // What is switched to while nothing is written is not begun.
    assert!(files.count == switched + 1 || load.license.pauses, "{} files of {}", files.count, switched + 1);
    if load.license.pauses {
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
fn crowd(engine: &Monitored, place: &Place, license: License, round: u32, time: Duration) -> Vec<Deeds> {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let seeds = (0..CLIENTS).map(|client| u64::from(round) * CLIENTS + client);
        let clients = seeds.map(|seed| {
            let stop = &stop;
            scope.spawn(move || client::run(engine.socket(), place, license, seed, stop))
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
fn told(engine: &Monitored) -> Told {
    let mut talk = Talk::qmp(engine.socket()).unwrap();
    talk.execute("trace-file-flush", &json!({})).unwrap().unwrap();
    Told::new(&talk.execute("query-trace-status", &json!({})).unwrap().unwrap())
}

/// No event is unaccounted for.
fn balance(load: &Load, account: &Account, told: &Told, files: &Files) {
    let [recorded, dropped, overwritten] = told.totals;
    assert_eq!(sum(&told.dropped), dropped, "{told:?}");
    let Some(by_event) = &told.recorded else {
        assert_eq!(sum(&account.calls), recorded + dropped + overwritten, "{account:?} {told:?}");
        assert_eq!(sum(&files.recorded), recorded, "{told:?}");
        return;
    };
    assert_eq!(sum(by_event), recorded, "{told:?}");
    for (event, calls) in &account.calls {
        let known = by_event[event];
        assert_eq!(files.recorded.get(event).copied().unwrap_or_default(), known, "{event} in the files");
        let issued = known + told.dropped[event];
        if load.license.pauses || load.license.toggled.iter().any(|pattern| is_meant(pattern, event)) {
            assert!(issued <= *calls, "{event}: {issued} of {calls}");
        } else {
            assert_eq!(issued, *calls, "{event}");
        }
    }
    assert_eq!(sum(&files.recorded), recorded, "{files:?} {told:?}");
    assert_eq!(files.dropped, dropped);
}

/// Whether `pattern`, a name that may end in `*`, means the event.
fn is_meant(pattern: &str, event: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == event, |beginning| event.starts_with(beginning))
}
