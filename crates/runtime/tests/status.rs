//! The status of recording. For each event, the number of issued events always equals the number of
//! records in the files plus the number of dropped events.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod scenario;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ringtrace::probe::{emit, emit_seen};
use ringtrace::session::{self, start};
use ringtrace::status::{self, Status};
use ringtrace::{Argument, ArgumentKind, Declaration, Event, Guard, Pattern, Policy, Settings, ffi};
use ringtrace_tracefile::{Entry, Flow, Input, Options, Reader};
use scenario::{fork, run, wait};

const N: Argument = Argument { name: "n", ctype: "uint64_t", kind: ArgumentKind::Integer };

macro_rules! event {
    ($name:literal, $format:literal, $types:literal, $arguments:expr) => {
        Event::new(Declaration {
            name: $name,
            group: "counted",
            arguments: $arguments,
            format: Some($format),
            text: concat!($name, $types, " ", $format),
            traceable: true,
        })
    };
}

static OFTEN: Event = event!("often", "\"n=%\" PRIu64", "(uint64_t n)", &[N]);
static SELDOM: Event = event!("seldom", "\"0x%\" PRIx64", "(uint64_t n)", &[N]);
static LONG: Event = event!(
    "long",
    "\"%\" PRId64 \" %s\"",
    "(uint64_t n, const char *text)",
    &[N, Argument { name: "text", ctype: "const char *", kind: ArgumentKind::Str }]
);
static NEVER: Event = event!("never", "\"\"", "(uint64_t n)", &[N]);

ringtrace::group! { name: "counted", events: [&OFTEN, &SELDOM, &LONG, &NEVER] }

#[derive(Debug, Default)]
struct Issued {
    often: AtomicU64,
    seldom: AtomicU64,
    long: AtomicU64,
}

impl Issued {
    fn issue(&self, round: u64) {
        emit(&OFTEN, (round,));
        self.often.fetch_add(1, Ordering::Relaxed);
        if round.is_multiple_of(7) {
            emit(&SELDOM, (round,));
            self.seldom.fetch_add(1, Ordering::Relaxed);
        }
        if round.is_multiple_of(3) {
            emit(&LONG, (round, &b"some text that makes the ring full sooner, for any reader at all"[..]));
            self.long.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn counts(&self) -> Counts {
        let issued = [("often", &self.often), ("seldom", &self.seldom), ("long", &self.long)];
        issued.into_iter().map(|(name, count)| (name.to_owned(), count.load(Ordering::Relaxed))).collect()
    }
}

/// Counts by event name, without zeros.
type Counts = BTreeMap<String, u64>;

/// Returns the recorded and dropped events, according to the status.
fn reported() -> [Counts; 2] {
    let mut reported = [Counts::new(), Counts::new()];
    for counts in status::event_counts(&Pattern::of_monitor("*")) {
        for (reported, count) in reported.iter_mut().zip([counts.recorded.unwrap_or(0), counts.dropped]) {
            if count > 0 {
                reported.insert(counts.name.clone(), count);
            }
        }
    }
    reported
}

fn sum(parts: &[Counts]) -> Counts {
    let mut sum = Counts::new();
    for (name, count) in parts.iter().flatten() {
        *sum.entry(name.clone()).or_default() += count;
    }
    sum
}

/// Returns the records in a file, and the number of records that it reports as dropped.
fn read(file: &Path) -> (Counts, u64) {
    let input = Input::open(file).unwrap();
    let mut reader = Reader::new("trace", input, &Options::default()).unwrap_or_else(|c| panic!("{c:?}"));
    let (mut counts, mut dropped) = (Counts::new(), 0);
    let flow = reader.for_each(|entry: &Entry<'_>| {
        match entry.dropped() {
            Some(count) => dropped += count,
            None => *counts.entry(entry.schema.name.to_string()).or_default() += 1,
        }
        Flow::Continue
    });
    flow.unwrap_or_else(|complaint| panic!("{complaint:?}"));
    (counts, dropped)
}

/// One trace at a time.
static TURN: Mutex<()> = Mutex::new(());

fn begin(file: &Path, policy: Policy) -> Guard {
    let settings = Settings {
        file: Some(file.to_path_buf()),
        directory: Some(file.parent().unwrap().to_path_buf()),
        policy,
        buffer_bytes: 1 << 17,
        threads: 4,
        ..Settings::default()
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    guard
}

fn wait_until(what: &str, is_so: impl Fn(&Status) -> bool) -> Status {
    let give_up = Instant::now() + Duration::from_secs(30);
    loop {
        let status = status::status();
        if is_so(&status) {
            return status;
        }
        assert!(Instant::now() < give_up, "timed out waiting for {what}: {status:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

const POLICIES: [Policy; 4] = [
    Policy::Discard,
    Policy::Block { timeout: None },
    Policy::Block { timeout: Some(Duration::from_micros(1)) },
    Policy::Overwrite,
];

#[test]
fn events_after_the_end_are_not_losses() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let guard = begin(&folder.path().join("trace"), Policy::Discard);
    emit(&OFTEN, (1_u64,));
    let seen = OFTEN.see();
    drop(guard);
    // This simulates a thread that read the event's state just before tracing ended.
    emit_seen(&OFTEN, seen, (2_u64,));
    let status = status::status();
    assert_eq!((status.recorded, status.dropped), (1, 0));
}

#[test]
fn issued_events_are_recorded_or_dropped() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    for policy in POLICIES {
        let file = folder.path().join("trace");
        let guard = begin(&file, policy);
        let issued = Issued::default();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let issued = &issued;
                scope.spawn(move || (0..30_000 * thread + 10).for_each(|round| issued.issue(round)));
            }
            // The counts must never exceed the number of issued events.
            for _ in 0..20 {
                let [recorded, dropped] = reported();
                let issued = issued.counts();
                let slack = 4;
                for (name, count) in sum(&[recorded, dropped]) {
                    assert!(count <= issued[&name] + slack, "{name} {policy:?}");
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let issued = issued.counts();
        assert!(ringtrace::flush());
        let live = status::status();
        let [recorded, dropped] = reported();
        let total: u64 = issued.values().sum();
        assert_eq!(live.recorded + live.dropped + live.overwritten, total, "{policy:?}");
        assert_eq!(live.dropped, dropped.values().sum::<u64>(), "{policy:?}");
        if policy == Policy::Overwrite {
            assert!(live.overwritten > 0 && recorded.is_empty(), "{live:?}");
        } else {
            assert_eq!(sum(&[recorded.clone(), dropped.clone()]), issued, "{policy:?}");
            // After the records, the totals of exited threads may still be written.
            wait_until("all of the file", |status| {
                status.written_bytes == std::fs::metadata(&file).unwrap().len()
            });
        }
        drop(guard);
        let (in_file, lost) = read(&file);
        if policy == Policy::Overwrite {
            assert_eq!(lost, live.dropped + live.overwritten);
            assert_eq!(in_file.values().sum::<u64>(), live.recorded);
        } else {
            assert_eq!(in_file, recorded, "{policy:?}");
            assert_eq!(lost, live.dropped, "{policy:?}");
        }
        assert!(!in_file.contains_key("never"));
        let is_known = |name| status::event_counts(&Pattern::of_monitor(name))[0].recorded.is_some();
        assert_eq!(is_known("often"), policy != Policy::Overwrite, "the same as before tracing ended");
        let after = status::status();
        assert_eq!((after.file, after.recording), (None, false), "no recording has been started");
    }
}

/// A reserved record, which keeps this thread inside a probe until it is published.
struct Inside(ffi::Reservation);

impl Inside {
    fn of(event: &'static Event) -> Option<Inside> {
        /// The zeroed dummy producer to which a thread's pointer refers before the runtime sets it.
        static NOBODY: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];
        let word: &'static mut *mut () = Box::leak(Box::new(std::ptr::from_ref(&NOBODY).cast_mut().cast()));
        // SAFETY: the word belongs to this thread, is never freed, and points to zeros.
        let cell = unsafe { ffi::ThreadCell::new(word) };
        ffi::reserve(cell, event.id(), 8).map(Inside)
    }

    fn publish(self, event: &Event) {
        // SAFETY: this thread reserved this number of bytes. They are initialized, because rings
        // are filled with zeros at the start.
        unsafe { ffi::publish(self.0, event.id(), 8) };
    }
}

#[test]
fn refused_events_count_as_dropped() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    for policy in POLICIES {
        let guard = begin(&file, policy);
        std::thread::spawn(|| {
            emit(&OFTEN, (0_u64,));
            let inside = Inside::of(&SELDOM).unwrap();
            // This simulates a signal handler that interrupts the probe.
            emit(&OFTEN, (1_u64,));
            emit(&OFTEN, (2_u64,));
            assert!(Inside::of(&LONG).is_none(), "the functions for C reject it, too");
            inside.publish(&SELDOM);
        })
        .join()
        .unwrap();
        assert!(ringtrace::flush());
        let [recorded, dropped] = reported();
        assert_eq!(dropped, Counts::from([("long".to_owned(), 1), ("often".to_owned(), 2)]), "{policy:?}");
        if policy != Policy::Overwrite {
            assert_eq!(recorded, Counts::from([("often".to_owned(), 1), ("seldom".to_owned(), 1)]));
        }
        assert_eq!(status::status().recorded, 2, "{policy:?}");
        drop(guard);
        assert_eq!(read(&file).1, 3, "{policy:?}");
    }
}

#[test]
fn events_without_a_ring_are_counted() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let rings = folder.path().join("rings");
    std::fs::create_dir(&rings).unwrap();
    let settings = Settings {
        file: Some(folder.path().join("trace")),
        directory: Some(rings.clone()),
        threads: 1,
        ..Settings::default()
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| {
            emit(&OFTEN, (0_u64,));
            while !done.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let status = wait_until("the first thread's ring", |status| status.rings.len() == 1);
        assert_eq!(status.rings[0].size_bytes, 1 << 20);
        // No more rings can be created.
        wait_until("the rings' folder to be removed", |_| std::fs::remove_dir_all(&rings).is_ok());
        for _ in 0..5 {
            scope.spawn(|| emit(&SELDOM, (1_u64,))).join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
        first.join().unwrap();
    });
    assert!(ringtrace::flush());
    let [recorded, dropped] = reported();
    // The writer thread may have created a second arena before the folder was removed.
    assert_eq!(
        sum(&[recorded, dropped.clone()]),
        Counts::from([("often".to_owned(), 1), ("seldom".to_owned(), 5)])
    );
    drop(guard);
    let (_, lost) = read(&folder.path().join("trace"));
    assert_eq!(lost, dropped.values().sum::<u64>());
}

#[test]
fn rings_fill_up_while_the_file_has_an_error() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings {
        file: Some("/dev/full".into()),
        directory: Some(folder.path().to_path_buf()),
        buffer_bytes: 1 << 17,
        ..Settings::default()
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    let issued = Issued::default();
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("full".to_owned());
        let worker = worker.spawn_scoped(scope, || {
            (0..20_000).for_each(|round| issued.issue(round));
            let status = wait_until("the error", |status| status.file_error.is_some());
            let ring = status.rings.iter().find(|ring| ring.name == "full").unwrap();
            assert!(ring.used_bytes > ring.size_bytes / 2 && ring.used_bytes < ring.size_bytes, "{ring:?}");
            assert_eq!(ring.dropped, status.dropped);
            assert_eq!((status.recorded, status.written_bytes), (0, 0));
        });
        worker.unwrap().join().unwrap();
    });
    let observed = status::observe();
    let error = observed.file_error.clone().unwrap();
    assert_eq!((error.file, error.error.as_str()), (PathBuf::from("/dev/full"), "No space left on device"));
    assert!(observed.dropped > 0);
    assert_eq!(status::observe(), observed, "the error is still the same one");
    assert!(!ringtrace::flush());
    drop(guard);
    let [recorded, dropped] = reported();
    assert!(recorded.is_empty(), "{recorded:?}");
    let all: u64 = issued.counts().values().sum();
    assert!(dropped.values().sum::<u64>() < all, "the rings still contain some events");
}

#[test]
fn a_child_of_a_fork_counts_from_zero() {
    run("a_child_of_a_fork_counts_from_zero", || {
        let _guard = begin(&std::env::current_dir().unwrap().join("trace"), Policy::Block { timeout: None });
        (0..10).for_each(|round| emit(&OFTEN, (round,)));
        Inside::of(&SELDOM).unwrap().publish(&SELDOM);
        assert!(ringtrace::flush());
        let before = reported();
        let child = fork(|| {
            assert_eq!(reported(), [Counts::new(), Counts::new()], "the child has recorded nothing");
            assert_eq!(status::observe().dropped, 0);
            (0..3).for_each(|round| emit(&LONG, (round, &b"of the child"[..])));
            assert!(ringtrace::flush());
            let [recorded, dropped] = reported();
            assert_eq!((recorded, dropped), (Counts::from([("long".to_owned(), 3)]), Counts::new()));
            let status = status::status();
            assert_eq!(status.rings.len(), 1);
            assert!(
                status.file.unwrap().to_str().unwrap().ends_with(&format!("trace.{}", std::process::id()))
            );
        });
        wait(child);
        assert_eq!(reported(), before, "the child's events are not counted here");
    });
}

#[test]
fn counts_continue_from_file_to_file() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let file = |number: u32| folder.path().join(format!("trace-{number}"));
    let guard = begin(&file(0), Policy::Discard);
    let issued = Issued::default();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                (0..).take_while(|_| !is_over.load(Ordering::Relaxed)).for_each(|round| issued.issue(round));
            });
        }
        for number in 1..=5 {
            let before = status::status().recorded;
            wait_until("a record in the file", |status| status.recorded > before);
            session::set_trace_file(Some(&file(number))).unwrap();
            let status = status::status();
            assert_eq!(status.file, Some(file(number)));
            assert!(status.recorded >= before);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert!(ringtrace::flush());
    let [recorded, dropped] = reported();
    assert_eq!(sum(&[recorded.clone(), dropped.clone()]), issued.counts());
    drop(guard);
    let (files, lost): (Vec<Counts>, Vec<u64>) = (0..=5).map(|number| read(&file(number))).unzip();
    assert_eq!(sum(&files), recorded);
    assert_eq!(lost.iter().sum::<u64>(), dropped.values().sum::<u64>());
}

#[test]
fn truncated_records_count_as_dropped() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let guard = begin(&file, Policy::Discard);
    let issued = Issued::default();
    (0..50).for_each(|round| issued.issue(round));
    assert!(ringtrace::flush());
    std::fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(0).unwrap();
    (50..60).for_each(|round| issued.issue(round));
    assert!(ringtrace::flush());
    let [recorded, dropped] = reported();
    assert_eq!(recorded["often"], 10);
    assert_eq!(dropped["often"], 50);
    assert_eq!(sum(&[recorded.clone(), dropped]), issued.counts());
    drop(guard);
    assert_eq!(read(&file).0, recorded);
}

/// Removes the thread and the time from lines. Checks that each line contains them.
fn without_prefix(lines: &[String]) -> Vec<&str> {
    lines
        .iter()
        .map(|line| {
            let (prefix, rest) = line.split_once(':').unwrap();
            let (tid, time) = prefix.split_once('@').unwrap();
            let (seconds, microseconds) = time.split_once('.').unwrap();
            assert!(tid.parse::<u32>().is_ok() && seconds.parse::<u64>().unwrap() > 1_700_000_000, "{line}");
            assert_eq!(microseconds.len(), 6, "{line}");
            rest
        })
        .collect()
}

#[test]
fn the_contents_of_rings_can_be_read() {
    let _turn = TURN.lock();
    assert_eq!(status::buffered(10).unwrap(), status::Buffered::default(), "nothing is recorded");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    for policy in [Policy::Overwrite, Policy::Discard] {
        let guard = begin(&file, policy);
        if policy == Policy::Discard {
            session::set_trace_file(Some(Path::new("/dev/full"))).unwrap();
            // From now on, no records leave the rings.
            wait_until("the error", |status| status.file_error.is_some());
        }
        emit(&OFTEN, (7_u64,));
        emit(&LONG, (u64::MAX, &b"a\x1b[31m\nb"[..]));
        emit(&SELDOM, (0_u64,));
        let all = status::buffered(10).unwrap();
        assert_eq!(
            without_prefix(&all.lines),
            ["often n=7", "long -1 a\\x1b[31m\\nb", "seldom 0x0"],
            "{policy:?}"
        );
        assert_eq!(all.more, 0);
        let newest = status::buffered(1).unwrap();
        assert_eq!((without_prefix(&newest.lines), newest.more), (vec!["seldom 0x0"], 2));
        assert_eq!(status::buffered(0).unwrap(), status::Buffered { lines: Vec::new(), more: 3 });
        assert_eq!(status::buffered(10).unwrap(), all, "reading does not change the rings");
        drop(guard);
    }
}

#[test]
fn the_log_s_file_can_be_changed() {
    let ran = run("the_log_s_file_can_be_changed", || {
        assert!(matches!(session::set_log_file(None), Err(ringtrace::StartError::NotRunning)));
        let settings = Settings { backends: ringtrace::Backends::LOG, ..Settings::default() };
        let _guard = start(settings).unwrap();
        ringtrace::set_enabled("*", true);
        emit(&OFTEN, (1_u64,));
        let change = |file: &str| session::set_log_file(Some(Path::new(file)));
        change("log-%d").unwrap();
        emit(&OFTEN, (2_u64,));
        change(&format!("./log-{}", std::process::id())).unwrap();
        emit(&OFTEN, (3_u64,));
        let error = change("a%s").unwrap_err().to_string();
        assert!(error.starts_with("backend log: `a%s`: not a valid file name for a log"), "{error}");
        let error = change("nowhere/log").unwrap_err().to_string();
        assert_eq!(error, "backend log: `nowhere/log`: No such file or directory");
        emit(&OFTEN, (4_u64,));
        ringtrace::switch_backends(ringtrace::Backends::NONE).unwrap();
        emit(&OFTEN, (5_u64,));
        change("second").unwrap();
        ringtrace::switch_backends(ringtrace::Backends::LOG).unwrap();
        emit(&OFTEN, (6_u64,));
        session::set_log_file(None).unwrap();
        emit(&OFTEN, (7_u64,));
        std::fs::rename(format!("log-{}", std::process::id()), "first").unwrap();
    });
    assert_eq!(ran.stderr(), "often n=1\noften n=7\n");
    let text = |file: &str| std::fs::read_to_string(ran.folder().join(file)).unwrap();
    assert_eq!(
        (text("first"), text("second")),
        ("often n=2\noften n=3\noften n=4\n".into(), "often n=6\n".into())
    );
}

#[test]
fn a_removed_folder_is_reported() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    let settings = Settings {
        file: Some(inner.join("trace")),
        directory: Some(folder.path().to_path_buf()),
        ..Settings::default()
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("*", true);
    emit(&OFTEN, (1_u64,));
    assert!(ringtrace::flush());
    assert_eq!(status::observe().file_error, None);
    std::fs::remove_dir_all(&inner).unwrap();
    emit(&OFTEN, (2_u64,));
    assert!(ringtrace::flush());
    let error = status::observe().file_error.unwrap();
    assert_eq!(
        error.error,
        "it was removed; events written to it from now on are lost when the program ends"
    );
    assert_eq!(error.file, inner.join("trace"));
    assert!(session::set_trace_file(Some(&inner.join("other"))).is_err());
    assert!(!status::status().recording);
    session::set_trace_file(Some(&folder.path().join("other"))).unwrap();
    session::set_recording(true).unwrap();
    assert_eq!(status::observe().file_error, None, "the other file has no error");
    drop(guard);
}
