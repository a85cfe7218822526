//! Loads shared libraries with their own copies of the runtime into a program that traces. This
//! test program exports the symbol that connects the copies, because its package has probes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod library;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use library::Library;
use ringtrace::status::{event_counts, status};
use ringtrace::{Clock, EventState, Pattern, Policy, Settings};
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader, Value};

ringtrace::include_trace!("life");

/// Returns the names and first values of each thread's events, in order.
fn read(file: &Path) -> BTreeMap<u32, Vec<(String, u64)>> {
    let input = Input::open(file).unwrap();
    let mut reader = Reader::new("trace", input, &Options::default()).unwrap_or_else(|c| panic!("{c:?}"));
    let mut threads: BTreeMap<u32, Vec<(String, u64)>> = BTreeMap::new();
    let flow = reader.for_each(|entry: &Entry<'_>| {
        assert!(!entry.is_dropped());
        let value = entry.values().find_map(|value| match value {
            Value::Integer(integer) => Some(integer),
            _ => None,
        });
        let name = entry.schema.name.to_string();
        threads.entry(entry.tid().unwrap()).or_default().push((name, value.unwrap()));
        Flow::Continue
    });
    flow.unwrap_or_else(|complaint| panic!("{complaint:?}"));
    assert!(reader.anomalies().is_empty(), "{:?}", reader.anomalies());
    threads
}

fn alternate(library: &Library, rounds: u32) {
    for round in 0..rounds {
        trace::life_child(1, round);
        library.work(u64::from(round) * 10 + 1, 5);
    }
}

fn expected(rounds: u32) -> Vec<(String, u64)> {
    let round = |round: u32| {
        let steps = (0..5).map(move |n| ("library_step".to_owned(), u64::from(round) * 10 + 1 + n));
        std::iter::once(("life_child".to_owned(), 1)).chain(steps)
    };
    (0..rounds).flat_map(round).collect()
}

#[test]
fn libraries_share_the_runtime_of_the_executable() {
    let folder = tempfile::tempdir().unwrap();
    for clock in [Clock::Exact, Clock::Coarse, Clock::Gettime] {
        let file = folder.path().join(format!("{clock:?}"));
        let policy = Policy::Block { timeout: None };
        let settings = Settings { file: Some(file.clone()), policy, clock, ..Settings::default() };
        let guard = ringtrace::session::start(settings).unwrap();
        // The library's events are known only after it is loaded.
        assert!(ringtrace::set_enabled("library_*", true).is_unknown());
        let library = Library::load();
        assert_eq!(ringtrace::set_enabled("library_*", true).changed, 2);
        ringtrace::set_enabled("life_*", true);
        alternate(&library, 2000);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| alternate(&library, 2000));
            }
        });
        ringtrace::set_enabled("library_step", false);
        library.work(1, 5);
        // The library's records may still be in rings when it is unloaded.
        library.work(10, 1);
        drop(library);
        assert!(ringtrace::set_enabled("library_*", true).is_unknown());
        trace::life_child(2, 0);
        drop(guard);
        let threads = read(&file);
        assert_eq!(threads.len(), 4, "{clock:?}");
        let longest = threads.values().map(Vec::len).max().unwrap();
        for events in threads.values() {
            let mut expected = expected(2000);
            if events.len() == longest {
                expected.push(("library_named".to_owned(), 10));
                expected.push(("life_child".to_owned(), 2));
            }
            assert!(*events == expected, "{clock:?}");
        }
    }
    libraries_are_loaded_and_unloaded(&folder.path().join("many"));
    losses_in_libraries_are_counted(&folder.path().join("counted"));
}

/// Returns the counts of recorded and dropped events in the status.
fn counts(name: &str) -> [u64; 2] {
    let counts = &event_counts(&Pattern::of_monitor(name))[0];
    [counts.recorded.unwrap(), counts.dropped]
}

/// Threads record more events in a library and in the program than their rings can hold. The counts
/// continue when the library is loaded again.
fn losses_in_libraries_are_counted(file: &Path) {
    let settings = Settings { file: Some(file.into()), buffer_bytes: 1 << 17, ..Settings::default() };
    let guard = ringtrace::session::start(settings).unwrap();
    let mut library = Library::load();
    ringtrace::set_enabled("library_step", true);
    ringtrace::set_enabled("life_child", true);
    let mut issued = 0;
    for times in 1..=3 {
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    library.work(0, 20_000);
                    trace::life_child(1, 0);
                });
            }
        });
        issued += 3 * 20_000;
        assert!(ringtrace::flush());
        assert_eq!(counts("library_step").iter().sum::<u64>(), issued);
        assert_eq!(counts("life_child").iter().sum::<u64>(), 3 * times);
        let before = event_counts(&Pattern::of_monitor("library_step"));
        drop(library);
        assert!(event_counts(&Pattern::of_monitor("library_step")).is_empty());
        assert_eq!(
            (before[0].name.as_str(), before[0].state),
            ("library_step", EventState::Enabled),
            "a copy"
        );
        let status = status();
        assert_eq!(
            status.recorded + status.dropped,
            issued + 3 * times,
            "counts of an unloaded library remain"
        );
        library = Library::load();
        ringtrace::set_enabled("library_step", true);
    }
    let [recorded, dropped] = counts("library_step");
    assert!(dropped > 0, "{recorded} were recorded");
    let in_program = counts("life_child");
    drop(guard);
    let input = Input::open(file).unwrap();
    let mut reader = Reader::new("trace", input, &Options::default()).unwrap_or_else(|c| panic!("{c:?}"));
    let summary = reader.summarize(false);
    assert_eq!(summary.records - summary.dropped.records, recorded + in_program[0]);
    assert_eq!(summary.dropped.events, dropped + in_program[1]);
}

/// Libraries are loaded and unloaded while threads that share their rings exit.
fn libraries_are_loaded_and_unloaded(file: &Path) {
    let policy = Policy::Block { timeout: None };
    let settings = Settings { file: Some(file.into()), policy, ..Settings::default() };
    let guard = ringtrace::session::start(settings).unwrap();
    ringtrace::set_enabled("life_*", true);
    static STOP: AtomicBool = AtomicBool::new(false);
    let threads = std::thread::spawn(|| {
        let mut threads = 0;
        while !STOP.load(Ordering::Relaxed) {
            std::thread::spawn(|| trace::life_thread(0, 0)).join().unwrap();
            threads += 1;
        }
        threads
    });
    for round in 0..50 {
        let library = Library::load();
        ringtrace::set_enabled("library_step", true);
        library.work(round * 100, 100);
        std::thread::scope(|scope| {
            scope.spawn(|| library.work(round * 100, 100));
        });
    }
    STOP.store(true, Ordering::Relaxed);
    let threads = threads.join().unwrap();
    drop(guard);
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (name, _) in read(file).into_values().flatten() {
        *counts.entry(name).or_default() += 1;
    }
    assert_eq!(counts["library_step"], 50 * 200);
    assert_eq!(counts["life_thread"], threads);
}
