//! A session that continues in one file after another. It keeps its rings, and no event is lost
//! between two files.
//!
//! `RINGTRACE_STRESS=N` changes the file N times as often.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "tests"
)]

mod ledger;
mod numbered;
mod scenario;
mod small_disk;
mod stress;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ringtrace::session::{set_trace_file, start, trace_file};
use ringtrace::status::status;
use ringtrace::{FileFormat, Options, Policy, Settings};

use ledger::{read, to_v4};
use numbered::{check, record};
use scenario::{fork, run, wait};
use small_disk::SmallDisk;
use stress::scale;

const BLOCK: Policy = Policy::Block { timeout: None };

/// The number of threads that record.
const WORKERS: usize = 4;

fn settings(file: &str, format: FileFormat, policy: Policy) -> Settings {
    Settings {
        file: Some(file.into()),
        format,
        policy,
        directory: Some("arenas".into()),
        buffer_bytes: 1 << 17,
        threads: 8,
        ..Settings::default()
    }
}

/// Threads that record numbered events.
struct Workers {
    is_over: Arc<AtomicBool>,
    /// How many events each thread may issue.
    allowed: Arc<AtomicU64>,
    threads: Vec<JoinHandle<u64>>,
    /// The longest time for one event, in nanoseconds, since the last reset.
    longest_ns: Arc<AtomicU64>,
}

impl Workers {
    fn start() -> Workers {
        let (is_over, allowed) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let longest_ns = Arc::new(AtomicU64::new(0));
        let worker = |at| {
            let (is_over, allowed) = (Arc::clone(&is_over), Arc::clone(&allowed));
            let longest_ns = Arc::clone(&longest_ns);
            let work = move || {
                let mut number = 0;
                while !is_over.load(Ordering::Relaxed) {
                    let allowed = allowed.load(Ordering::Relaxed);
                    // Many events at once do not fit into the ring.
                    let records = if allowed - number > 1_000 { allowed - number } else { 10 };
                    for _ in 0..records.min(allowed - number) {
                        let begun = Instant::now();
                        record(number);
                        longest_ns.fetch_max(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
                        number += 1;
                    }
                    std::thread::sleep(Duration::from_micros(20));
                }
                number
            };
            std::thread::Builder::new().name(format!("worker {at}")).spawn(work).unwrap()
        };
        let threads = (0..WORKERS).map(worker).collect();
        Workers { is_over, allowed, threads, longest_ns }
    }

    /// Stops the threads, and returns how many events each has issued.
    fn stop(self) -> Vec<u64> {
        self.is_over.store(true, Ordering::Relaxed);
        self.threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    }
}

/// Checks complete files, one after another.
#[derive(Default)]
struct Checker {
    /// The number of events of each worker in the files so far, including reported losses.
    next: [u64; WORKERS],
    lost: u64,
    records: u64,
}

impl Checker {
    /// Checks that the file has an end, and that the events of each worker continue from the
    /// previous file.
    fn check(&mut self, path: &Path) {
        let bytes = std::fs::read(path).unwrap();
        let v4 = to_v4(&bytes);
        let end = &v4[v4.len().saturating_sub(32)..];
        assert!(
            end.windows(5).any(|word| word == b"ended"),
            "{}: no end: {}",
            path.display(),
            String::from_utf8_lossy(end)
        );
        // Several threads can have the same name, one after another, and a later one can have a smaller id.
        let mut threads = read(&v4, check);
        threads.sort_by_key(|thread| thread.numbers.first().copied());
        for thread in threads {
            let Some(at) = thread.name.as_ref().and_then(|name| name.strip_prefix("worker ")) else {
                panic!("{}: unknown thread {:?}", path.display(), thread.name);
            };
            thread.assert_balanced();
            let next = &mut self.next[at.parse::<usize>().unwrap()];
            *next = thread.follow(*next);
            self.lost += thread.lost.iter().map(|(lost, _)| lost.count).sum::<u64>();
            self.records += thread.numbers.len() as u64;
        }
    }
}

/// What a process uses.
#[derive(Debug, Clone, Copy)]
#[allow(dead_code, reason = "some fields are only printed")]
struct Usage {
    descriptors: usize,
    mappings: usize,
    address_space_kib: u64,
    resident_kib: u64,
    arenas: usize,
    arena_kib: u64,
}

impl Usage {
    fn now() -> Usage {
        use std::os::unix::fs::MetadataExt;
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
        let pages: Vec<u64> = pages.split_whitespace().map(|pages| pages.parse().unwrap()).collect();
        let arenas: Vec<_> = std::fs::read_dir("arenas").unwrap().map(Result::unwrap).collect();
        Usage {
            descriptors: std::fs::read_dir("/proc/self/fd").unwrap().count(),
            mappings: std::fs::read_to_string("/proc/self/maps").unwrap().lines().count(),
            address_space_kib: pages[0] * 4,
            resident_kib: pages[1] * 4,
            arenas: arenas.len(),
            arena_kib: arenas.iter().map(|arena| arena.metadata().unwrap().blocks() / 2).sum(),
        }
    }
}

fn median(values: &mut [Duration]) -> (Duration, Duration) {
    values.sort_unstable();
    (values[values.len() / 2], values[values.len() - 1])
}

/// Changes the file many times while four threads record.
fn change_under_load(format: FileFormat, policy: Policy) {
    let guard = start(settings("0.trace", format, policy)).unwrap();
    ringtrace::set_enabled("numbered", true);
    let workers = Workers::start();
    let mut checker = Checker::default();
    let (mut before, mut changes, mut waits) = (None, Vec::new(), Vec::new());
    let count = 2_000 * scale();
    for number in 1..=count {
        let records = if number % 100 == 0 { 6_000 } else { 60 };
        workers.allowed.fetch_add(records, Ordering::Relaxed);
        std::thread::sleep(Duration::from_micros(100 + number % 7 * 50));
        let next = PathBuf::from(format!("{number}.trace"));
        workers.longest_ns.store(0, Ordering::Relaxed);
        let begun = Instant::now();
        set_trace_file(Some(&next)).unwrap();
        changes.push(begun.elapsed());
        waits.push(Duration::from_nanos(workers.longest_ns.load(Ordering::Relaxed)));
        assert_eq!(guard.path(), Some(std::path::absolute(&next).unwrap()));
        // The previous file is complete.
        let previous = PathBuf::from(format!("{}.trace", number - 1));
        checker.check(&previous);
        std::fs::remove_file(previous).unwrap();
        if number == 200 {
            before = Some(Usage::now());
        }
    }
    let (before, after) = (before.unwrap(), Usage::now());
    let issued = workers.stop();
    drop(guard);
    checker.check(&PathBuf::from(format!("{count}.trace")));
    assert_eq!(checker.next, *issued, "{} events were lost", checker.lost);
    assert_eq!(checker.records + checker.lost, issued.iter().sum::<u64>());
    if policy == BLOCK {
        assert_eq!(checker.lost, 0);
    }
    let (change, wait) = (median(&mut changes), median(&mut waits));
    println!("{format:?} {policy:?}: {count} files, {} records, {} lost", checker.records, checker.lost);
    println!("  before {before:?}\n  after  {after:?}");
    println!("  change: median {:?}, longest {:?}", change.0, change.1);
    println!("  longest event during a change: median {:?}, longest {:?}", wait.0, wait.1);
    assert_eq!(after.descriptors, before.descriptors);
    assert_eq!((after.arenas, before.arenas), (1, 1));
    // The C library may map memory for the threads of this test.
    assert!(after.mappings <= before.mappings + 8, "{before:?} {after:?}");
    assert!(after.resident_kib <= before.resident_kib + (8 << 10), "{before:?} {after:?}");
}

#[test]
fn many_files_with_block() {
    let ran = run("many_files_with_block", || change_under_load(FileFormat::V4, BLOCK));
    println!("{}", String::from_utf8_lossy(&ran.output.stdout));
}

#[test]
fn many_files_with_discard() {
    let ran = run("many_files_with_discard", || change_under_load(FileFormat::V4, Policy::Discard));
    println!("{}", String::from_utf8_lossy(&ran.output.stdout));
}

#[test]
fn many_compact_files_with_block() {
    let ran = run("many_compact_files_with_block", || change_under_load(FileFormat::Compact, BLOCK));
    println!("{}", String::from_utf8_lossy(&ran.output.stdout));
}

#[test]
fn many_compressed_files_with_block() {
    let ran = run("many_compressed_files_with_block", || change_under_load(FileFormat::CompactZstd, BLOCK));
    println!("{}", String::from_utf8_lossy(&ran.output.stdout));
}

#[test]
fn many_compact_files_with_discard() {
    let ran = run("many_compact_files_with_discard", || {
        change_under_load(FileFormat::Compact, Policy::Discard);
    });
    println!("{}", String::from_utf8_lossy(&ran.output.stdout));
}

/// The settings of options, with the rings in the usual folder.
fn of_options(options: &str) -> Settings {
    let settings = Options::parse(options).unwrap().settings().unwrap();
    Settings { directory: Some("arenas".into()), ..settings }
}

/// The trace files in a folder, in order.
fn files(folder: &str) -> Vec<PathBuf> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        names.filter(|path| path.extension().is_some_and(|end| end == "trace")).collect();
    files.sort_unstable();
    files
}

fn numbers(files: &[PathBuf]) -> Vec<u64> {
    let number = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap()[..8].parse().unwrap();
    files.iter().map(number).collect()
}

/// Records events in a thread named as in [`Workers`], and returns how many.
fn work(range: std::ops::Range<u64>) {
    let worker = std::thread::Builder::new().name("worker 0".to_owned());
    worker.spawn(move || range.for_each(record)).unwrap().join().unwrap();
}

#[test]
fn files_have_a_maximum_size_and_old_ones_are_removed() {
    run("files_have_a_maximum_size_and_old_ones_are_removed", || {
        for (format, compress, events, least) in [
            ("v4", "none", 150_000, 7),
            ("compact", "none", 150_000, 2),
            // Most of these events take one or two bytes, and less if the writer thread is slow and
            // makes large blocks.
            ("compact", "zstd", 4_000_000, 2),
        ] {
            let folder = &*format!("{format}-{compress}");
            let options = format!("rotate=1M,file={folder},policy=block,format={format},compress={compress}");
            let settings = of_options(&options);
            let guard = start(settings.clone()).unwrap();
            ringtrace::set_enabled("numbered", true);
            work(0..events);
            drop(guard);
            let found = files(folder);
            assert_eq!(numbers(&found), (1..=found.len() as u64).collect::<Vec<_>>());
            assert!(found.len() >= least, "{found:?}");
            let mut checker = Checker::default();
            for file in &found {
                let bytes = std::fs::metadata(file).unwrap().len();
                assert!(bytes <= 1 << 20, "{}: {bytes} bytes", file.display());
                checker.check(file);
            }
            assert_eq!((checker.next[0], checker.lost), (events, 0));
            // Another run continues with the next number, and removes old files of this run.
            let more = start(Settings {
                rotation: ringtrace::Rotation { keep: Some(2), ..settings.rotation },
                ..settings
            });
            let more = more.unwrap();
            ringtrace::flush();
            assert_eq!(trace_file().unwrap().parent(), Some(Path::new(folder)));
            assert_eq!(status().file, more.path());
            assert_eq!(status().file.and_then(|file| file.file_name().map(ToOwned::to_owned)), {
                trace_file().unwrap().file_name().map(ToOwned::to_owned)
            });
            drop(more);
            let last = found.len() as u64 + 1;
            assert_eq!(numbers(&files(folder)), [last - 1, last]);
        }
    });
}

/// A file ends after its time, but only if it contains events.
#[test]
fn files_have_a_maximum_age() {
    run("files_have_a_maximum_age", || {
        let mut settings = of_options("rotate=1s,rotate=1G,file=traces,policy=block");
        settings.rotation.time = Some(Duration::from_millis(5));
        let guard = start(settings).unwrap();
        ringtrace::set_enabled("numbered", true);
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(numbers(&files("traces")), [1]);
        for at in 0..5 {
            // A file without events is not replaced.
            let before = guard.path();
            work(10 * at..10 * at + 10);
            while guard.path() == before {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        drop(guard);
        let found = files("traces");
        assert!(found.len() >= 6, "{found:?}");
        let mut checker = Checker::default();
        found.iter().for_each(|file| checker.check(file));
        assert_eq!(checker.next[0], 50);
    });
}

/// If the current file or the whole folder is removed, the trace soon continues in another file.
#[test]
fn a_removed_folder_is_created_again() {
    run("a_removed_folder_is_created_again", || {
        for (format, removes_all, ends) in
            [("v4", true, false), ("compact", true, false), ("v4", false, false), ("compact", true, true)]
        {
            let folder = &*format!("{format}-{removes_all}-{ends}");
            let guard = start(of_options(&format!("rotate=1G,file={folder},policy=block,format={format}")));
            let guard = guard.unwrap();
            ringtrace::set_enabled("numbered", true);
            work(0..100);
            assert!(ringtrace::flush());
            let removed = guard.path().unwrap();
            if removes_all {
                std::fs::remove_dir_all(folder).unwrap();
            } else {
                std::fs::remove_file(&removed).unwrap();
            }
            // The writer notices that when it writes, also at the end.
            work(100..200);
            if !ends {
                assert!(ringtrace::flush());
                assert_ne!(guard.path(), Some(removed));
                work(200..300);
            }
            assert_eq!(status().file_error, None);
            drop(guard);
            let found = files(folder);
            assert_eq!(numbers(&found), [2]);
            let threads = read(&to_v4(&std::fs::read(&found[0]).unwrap()), check);
            let numbers: Vec<u64> = threads.iter().flat_map(|thread| thread.numbers.clone()).collect();
            let end = if ends { 200 } else { 300 };
            assert!(numbers.iter().copied().eq(100..end), "{format} {removes_all} {ends}: {numbers:?}");
        }
    });
}

#[test]
fn a_folder_belongs_to_one_program() {
    run("a_folder_belongs_to_one_program", || {
        let settings = of_options("rotate=1h,file=traces");
        let _guard = start(settings.clone()).unwrap();
        ringtrace::set_enabled("numbered", true);
        record(0);
        let pid = std::process::id();
        wait(fork(|| {
            // A child has a folder of its own.
            record(1);
            assert!(ringtrace::flush());
            let child = std::process::id();
            assert_eq!(numbers(&files(&format!("traces.{child}"))), [1]);
        }));
        wait(fork(|| {
            let error = start(of_options("rotate=1h,file=traces")).unwrap_err().to_string();
            assert_eq!(
                error,
                format!(
                    "trace file traces: process {pid} writes to this folder; end it, or choose another folder with `file=`"
                )
            );
            let _guard = start(of_options("rotate=1h,file=traces,exists=keep")).unwrap();
            assert!(ringtrace::flush());
            assert_eq!(numbers(&files(&format!("traces.{}", std::process::id()))), [1]);
        }));
        std::fs::write("plain", "").unwrap();
        wait(fork(|| {
            let error = start(of_options("rotate=1h,file=plain")).unwrap_err().to_string();
            assert!(error.contains("it exists and is not a folder"), "{error}");
        }));
        // Another folder can be set while the program runs.
        set_trace_file(Some(Path::new("traces"))).unwrap();
        assert_eq!(numbers(&files("traces")), [1]);
        // Naming the current folder keeps its lock.
        wait(fork(|| {
            start(of_options("rotate=1h,file=traces")).unwrap_err();
        }));
        set_trace_file(Some(Path::new("others"))).unwrap();
        record(2);
        ringtrace::flush();
        assert_eq!(numbers(&files("others")), [1]);
        assert_eq!(files("traces").len(), 1);
    });
}

#[test]
fn a_full_disk_does_not_end_the_current_file() {
    run("a_full_disk_does_not_end_the_current_file", || {
        // The file system has room for its root, the folder, the lock and one file.
        let Some(_disk) = SmallDisk::mounted_at(Path::new("disk"), "size=64m,nr_inodes=4") else { return };
        let mut settings = of_options("rotate=1s,file=disk/traces,policy=block");
        settings.rotation.time = Some(Duration::from_millis(1));
        let guard = start(settings).unwrap();
        ringtrace::set_enabled("numbered", true);
        let mut next = 0;
        while status().file_error.is_none() {
            work(next..next + 100);
            next += 100;
            ringtrace::flush();
        }
        let error = status().file_error.unwrap();
        assert!(error.starts_with("cannot continue in another file: No space left on device"), "{error}");
        work(next..next + 10_000);
        next += 10_000;
        assert!(ringtrace::flush());
        assert_eq!(files("disk/traces").len(), 1);
        let remount =
            std::process::Command::new("mount").args(["-o", "remount,nr_inodes=100", "disk"]).status();
        assert!(remount.unwrap().success());
        while files("disk/traces").len() < 2 {
            std::thread::sleep(Duration::from_millis(10));
        }
        work(next..next + 10);
        next += 10;
        drop(guard);
        let mut checker = Checker::default();
        files("disk/traces").iter().for_each(|file| checker.check(file));
        assert_eq!((checker.next[0], checker.lost), (next, 0));
    });
}

#[test]
fn contradictions_are_errors() {
    for (options, expected) in [
        ("keep=3", "keep=3: the trace has a single file without `rotate`; add `rotate=1G` or `rotate=1h`"),
        ("rotate=1G,policy=overwrite", "rotate: a flight recorder (policy=overwrite) writes its events only"),
    ] {
        let error = Options::parse(options).unwrap().settings().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    for (text, size, time) in [
        ("1M", Some(1 << 20), None),
        ("3G", Some(3 << 30), None),
        ("2097152", Some(2 << 20), None),
        ("1m", None, Some(60)),
        ("90s", None, Some(90)),
        ("24h", None, Some(86_400)),
    ] {
        let rotation = of_options(&format!("rotate={text}")).rotation;
        assert_eq!((rotation.size_bytes, rotation.time), (size, time.map(Duration::from_secs)), "{text}");
    }
    for text in ["", "1K", "0s", "5", "1g", "-1h", "9000h", "1d", "500ms"] {
        let error = Options::parse(format!("rotate={text}")).unwrap_err().to_string();
        assert!(error.contains("expected a size from 1M"), "{text}: {error}");
    }
}
