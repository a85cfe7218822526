//! Recovers the traces of programs that are killed at random moments. No record is torn or
//! duplicated. No published record is missing unless it is reported as lost.
//!
//! `RINGTRACE_KILL_ROUNDS` is the number of rounds for each policy.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests"
)]

mod ledger;

use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use ringtrace_tracefile::recover::{ArenaFile, Process, Recovered, find_arenas, gather};
use ringtrace_wire::arena::{bank, word};
use ringtrace_wire::simpletrace::Record;
use ringtrace_wire::simpletrace::metadata::Cause;
use rustix::process::{Pid, Signal, kill_process};

use ledger::{Thread, assert_contiguous, read};

fn rounds() -> u64 {
    std::env::var("RINGTRACE_KILL_ROUNDS").map_or(7, |rounds| rounds.parse().unwrap())
}

const RING_BYTES: u64 = 1 << 17;
const LONGEST_BYTES: u64 = 256;

fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().unwrap().with_file_name("examples").join("killed");
    assert!(path.exists(), "{} is missing: run `cargo build -p ringtrace --examples`", path.display());
    path
}

/// Run one test at a time, because parallel tests would compete for processors.
static TURN: Mutex<()> = Mutex::new(());

struct Running {
    folder: tempfile::TempDir,
    child: Child,
}

impl Running {
    fn start(policy: &str, pause: Duration) -> Running {
        // Use tmpfs, because rings are usually in tmpfs.
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("counts"), [0; 4096]).unwrap();
        // Shells start background jobs with SIGQUIT ignored.
        let child = Command::new("env")
            .arg("--default-signal")
            .arg(program())
            .arg(policy)
            .args([folder.path().to_path_buf(), path("trace"), path("counts")])
            .arg(pause.as_micros().to_string())
            .spawn()
            .unwrap();
        Running { folder, child }
    }

    fn kill(&mut self) {
        self.end(Signal::KILL);
    }

    /// Ends the program with a signal. Rust's standard library handles the first SIGSEGV or SIGBUS:
    /// it checks for a stack overflow, restores the default action, and expects the same fault
    /// again.
    fn end(&mut self, signal: Signal) {
        for _ in 0..20_000 {
            kill_process(Pid::from_child(&self.child), signal).unwrap();
            if let Some(status) = self.child.try_wait().unwrap() {
                assert_eq!(status.signal(), Some(signal.as_raw()));
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("{signal:?} does not end the program");
    }

    fn counts(&self) -> [u64; 3] {
        let bytes = std::fs::read(self.folder.path().join("counts")).unwrap();
        [0, 8, 16].map(|at| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the process whose arenas are in `directory`, or `None` if the process was killed before
/// its first arena was complete.
fn process_in(directory: &Path) -> Option<Process> {
    let mut arenas = Vec::new();
    for path in find_arenas(directory).unwrap() {
        match ArenaFile::open(&path) {
            Ok(arena) => arenas.push(arena),
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    let mut processes = gather(arenas).unwrap();
    assert!(processes.len() <= 1);
    processes.pop()
}

fn recover(process: &Process) -> (Vec<u8>, Recovered) {
    let (trace, recovered) = ledger::recover(process);
    (trace, recovered.unwrap())
}

fn check(record: &Record<'_>) {
    let word = |at: usize| u64::from_le_bytes(record.payload[at..at + 8].try_into().unwrap());
    let check = word(0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    assert_eq!(word(8), check, "the record is torn");
    if let Some(text) = record.payload.get(20..) {
        assert_eq!(text.len() as u64, check % 200, "the record is torn");
        assert!(text.iter().all(|&byte| byte == b'x'), "the record is torn");
    }
}

fn worker(threads: &[Thread], at: usize) -> Option<&Thread> {
    threads.iter().find(|thread| thread.name == Some(format!("worker {at}")))
}

/// Asserts that every missing number is reported as lost at its point in the trace. Returns the
/// next number.
fn assert_all_reported(thread: &Thread) -> u64 {
    // Threads other than workers may have started when all rings were in use. The events that they
    // dropped may be counted for thread 0.
    let is_worker = thread.name.as_ref().is_some_and(|name| name.starts_with("worker"));
    let lost_first = thread.lost.iter().filter(|(_, before)| *before == 0).map(|(lost, _)| lost.count);
    let first = thread.numbers.first().copied().unwrap_or(0).saturating_sub(lost_first.sum());
    let first = if is_worker { 0 } else { first };
    let (mut next, mut lost) = (first, thread.lost.iter().peekable());
    for (at, &number) in thread.numbers.iter().enumerate() {
        while let Some((lost, _)) = lost.next_if(|(_, before)| *before <= at) {
            next += lost.count;
        }
        assert_eq!(
            number,
            next,
            "after {at} records: {:?}",
            thread.lost.iter().filter(|(_, before)| before.abs_diff(at) < 300).collect::<Vec<_>>()
        );
        next += 1;
    }
    next + lost.map(|(lost, _)| lost.count).sum::<u64>()
}

/// Asserts that all of a worker's records are accounted for. The worker may have published one
/// record that it has not counted.
fn assert_is_all(next: u64, count: u64) {
    assert!(next == count || next == count + 1, "{count} records were issued, {next} are accounted for");
}

fn assert_times_grow(thread: &Thread) {
    assert!(thread.times_ns.is_sorted());
}

/// Kills programs and passes the recovered traces to `examine`.
fn kill_rounds(policy: &str, examine: impl Fn(&[Thread], [u64; 3])) {
    end_rounds(policy, &[Signal::KILL], examine);
}

/// Ends programs with these signals in turn, and passes the recovered traces to `examine`.
fn end_rounds(policy: &str, signals: &[Signal], examine: impl Fn(&[Thread], [u64; 3])) {
    let mut random = 0x5eed_u64 ^ policy.len() as u64;
    let mut seen = 0;
    for round in 0..rounds() {
        // Every third program pauses regularly, so that rings are not always full.
        let pause = if round % 3 == 2 { Duration::from_micros(500) } else { Duration::ZERO };
        let mut running = Running::start(policy, pause);
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_micros((random >> 32) % 250_000));
        running.end(signals[round as usize % signals.len()]);
        let counts = running.counts();
        let Some(process) = process_in(running.folder.path()) else {
            assert_eq!(counts, [0; 3], "round {round}: no arena");
            continue;
        };
        assert!(!process.is_alive());
        let (trace, recovered) = recover(&process);
        assert!(!recovered.is_doubtful, "round {round}: {recovered:?}");
        assert_eq!(recovered.damaged_bytes, 0, "round {round}: {recovered:?}");
        let threads = read(&trace, check);
        let records: usize = threads.iter().map(|thread| thread.numbers.len()).sum();
        assert_eq!(recovered.file_records + recovered.ring_records, records as u64);
        let causes = threads.iter().flat_map(|thread| &thread.lost).map(|(lost, _)| lost.count);
        let lost = recovered.file_lost + recovered.lost.iter().map(|(_, count)| count).sum::<u64>();
        assert_eq!(causes.sum::<u64>(), lost);
        examine(&threads, counts);
        seen += usize::from(records > 0);
    }
    assert!(seen as u64 >= rounds() / 3, "{seen} of {} rounds recorded anything", rounds());
}

#[test]
fn discard() {
    let _turn = TURN.lock();
    kill_rounds("discard", |threads, counts| {
        for (at, count) in counts.into_iter().enumerate() {
            let Some(thread) = worker(threads, at) else {
                assert!(count <= 1, "worker {at} issued {count} records");
                continue;
            };
            assert_is_all(assert_all_reported(thread), count);
        }
        for thread in threads.iter() {
            assert_all_reported(thread);
            assert_times_grow(thread);
        }
    });
}

/// Asserts that no record of a program with `policy=block` is missing.
fn assert_none_lost(threads: &[Thread], counts: [u64; 3]) {
    for (at, count) in counts.into_iter().enumerate() {
        let Some(thread) = worker(threads, at) else {
            assert_eq!(count, 0, "worker {at}");
            continue;
        };
        assert_eq!(thread.lost, []);
        assert_is_all(assert_all_reported(thread), count);
    }
    for thread in threads {
        assert_contiguous(&thread.numbers);
        assert_times_grow(thread);
    }
}

#[test]
fn block() {
    let _turn = TURN.lock();
    kill_rounds("block", assert_none_lost);
}

/// Returns the size of the trace according to the newest commit that all arenas of a process
/// contain. A process that is killed while it commits has stored the next one in some of them.
fn committed_bytes(process: &Process) -> u64 {
    let commits: Vec<[(u64, u64); 2]> = process.segments().iter().map(commits).collect();
    let newest = |pair: &[(u64, u64); 2]| pair[0].0.max(pair[1].0);
    // An arena that was just created has no commit yet.
    let common = commits.iter().map(newest).filter(|&sequence| sequence != 0).min().unwrap_or(0);
    commits.iter().flatten().find(|commit| commit.0 == common).unwrap().1
}

/// Returns the number of each commit in an arena, and the size of the trace according to it.
fn commits(arena: &ArenaFile) -> [(u64, u64); 2] {
    let file = std::fs::File::open(arena.path()).unwrap();
    bank::AT.map(|at| {
        let mut words = [0; bank::SLOTS];
        file.read_exact_at(&mut words, at as u64).unwrap();
        (word(&words, bank::SEQUENCE), word(&words, bank::FILE_BYTES))
    })
}

#[test]
fn block_compact() {
    let _turn = TURN.lock();
    kill_rounds("block:compact", assert_none_lost);
}

#[test]
fn block_zstd() {
    let _turn = TURN.lock();
    kill_rounds("block:zstd", assert_none_lost);
}

/// The commits of a compact trace refer to whole blocks, and the rings contain everything else.
#[test]
fn commits_of_compact_traces() {
    check_commits("block:compact");
}

#[test]
fn commits_of_compressed_traces() {
    check_commits("block:zstd");
}

fn check_commits(policy: &str) {
    let _turn = TURN.lock();
    let mut in_file = 0;
    for round in 0..rounds() {
        let mut running = Running::start(policy, Duration::from_micros(300 * (round % 3)));
        std::thread::sleep(Duration::from_micros(round * 7_919 % 250_000));
        running.kill();
        let counts = running.counts();
        let Some(process) = process_in(running.folder.path()) else { continue };
        let path = running.folder.path().join("trace");
        let trace = std::fs::read(&path).unwrap();
        let committed = committed_bytes(&process) as usize;
        assert!(committed <= trace.len(), "{committed} bytes are committed, {} written", trace.len());
        let written = if committed == 0 { Vec::new() } else { read(&trace[..committed], check) };
        // Without the file, only the contents of the rings are recovered.
        std::fs::remove_file(&path).unwrap();
        let rest = read(&recover(&process).0, check);
        for (at, count) in counts.into_iter().enumerate() {
            let both = [&written, &rest].map(|threads| worker(threads, at));
            let numbers: Vec<u64> =
                both.into_iter().flatten().flat_map(|thread| &thread.numbers).copied().collect();
            assert_contiguous(&numbers);
            assert_eq!(numbers.first().copied().unwrap_or(0), 0, "worker {at}");
            assert_is_all(numbers.len() as u64, count);
            in_file += both[0].map_or(0, |thread| thread.numbers.len());
        }
    }
    assert!(in_file > 0, "no file contains records");
}

/// Kills programs while they continue in another file. The complete files, and the last one with
/// the events from memory, contain each event once and in order.
fn kill_during_rotation(policy: &str) {
    let rounds = rounds().max(10);
    let (mut files_seen, mut interrupted, mut random) = (0, 0, 0x00dd_ba11_u64);
    for round in 0..rounds {
        let mut running = Running::start(policy, Duration::from_micros(300 * (round % 3)));
        let traces = running.folder.path().join("trace");
        let names = || {
            let names =
                std::fs::read_dir(&traces).into_iter().flatten().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
            names.sort_unstable();
            names
        };
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The program creates the next file at the start of a rotation.
        let wanted = 2 + (random >> 40) as usize % 30;
        let deadline = Instant::now() + Duration::from_secs(60);
        while names().len() < wanted {
            assert!(Instant::now() < deadline, "{wanted} files: {:?}", names());
        }
        let begins = || traces.join(".unfinished").exists();
        while begins() {}
        while !begins() {}
        // Do not sleep, because a rotation takes less time than the shortest sleep.
        let (begun, delay) = (Instant::now(), Duration::from_micros((random >> 32) % 300));
        while begun.elapsed() < delay {}
        running.kill();
        let counts = running.counts();
        let process = process_in(running.folder.path()).unwrap();
        let current = process.trace_path().unwrap().to_path_buf();
        let current = current.file_name().unwrap().to_str().unwrap().to_owned();
        let names = names();
        let files: Vec<&String> = names.iter().filter(|name| name.ends_with(".trace")).collect();
        assert!(files.contains(&&current), "{current} is not in {names:?}");
        let (mut next, mut newer) = ([0; 3], 0);
        for name in &files {
            let bytes = match (*name).cmp(&current) {
                std::cmp::Ordering::Less => std::fs::read(traces.join(name)).unwrap(),
                std::cmp::Ordering::Equal => {
                    let (trace, recovered) = recover(&process);
                    assert!(!recovered.is_doubtful, "round {round}: {recovered:?}");
                    assert_eq!(recovered.damaged_bytes, 0, "round {round}: {recovered:?}");
                    trace
                }
                std::cmp::Ordering::Greater => {
                    // The process was killed before it had changed to this file.
                    newer += 1;
                    let bytes = std::fs::read(traces.join(name)).unwrap();
                    assert!(read(&bytes, check).is_empty(), "round {round}: {name} contains threads");
                    continue;
                }
            };
            let threads = read(&bytes, check);
            let is_complete = **name < current;
            for thread in &threads {
                assert_times_grow(thread);
                assert_eq!(thread.lost, []);
                if is_complete {
                    thread.assert_balanced();
                }
                let name = thread.name.as_deref().unwrap_or_default();
                if let Some(at) = name.strip_prefix("worker ") {
                    let next = &mut next[at.parse::<usize>().unwrap()];
                    *next = thread.follow(*next);
                }
            }
        }
        assert!(newer <= 1, "{names:?}");
        for (next, count) in next.into_iter().zip(counts) {
            assert_is_all(next, count);
        }
        let length = std::fs::metadata(traces.join(&current)).unwrap().len();
        let is_longer = length > committed_bytes(&process);
        files_seen += files.len();
        interrupted += usize::from(newer > 0 || is_longer || names.iter().any(|name| name == ".unfinished"));
    }
    println!("{policy}: {rounds} rounds, {files_seen} files, {interrupted} rotations or writes interrupted");
    assert!(files_seen as u64 > rounds, "there were no rotations");
}

#[test]
fn rotation() {
    let _turn = TURN.lock();
    kill_during_rotation("block:rotate");
}

#[test]
fn compact_rotation() {
    let _turn = TURN.lock();
    kill_during_rotation("block:compact:rotate");
}

#[test]
fn zstd_rotation() {
    let _turn = TURN.lock();
    kill_during_rotation("block:zstd:rotate");
}

/// Programs that crash or are ended by other signals: `abort`, invalid memory accesses, limits on
/// processor time, and termination requests.
#[test]
fn crashes() {
    let _turn = TURN.lock();
    let signals = [Signal::ABORT, Signal::SEGV, Signal::BUS, Signal::XCPU, Signal::TERM, Signal::QUIT];
    end_rounds("block", &signals, assert_none_lost);
}

#[test]
fn overwrite() {
    let _turn = TURN.lock();
    kill_rounds("overwrite", |threads, counts| {
        for (at, count) in counts.into_iter().enumerate() {
            let Some(thread) = worker(threads, at) else {
                assert_eq!(count, 0, "worker {at}");
                continue;
            };
            // The newest records have no gap, and at most one page of them is missing.
            assert_contiguous(&thread.numbers);
            assert_is_all(assert_all_reported(thread), count);
            let kept = (RING_BYTES - 2 * RING_BYTES / 16) / LONGEST_BYTES;
            assert!(thread.numbers.len() as u64 >= count.min(kept), "{} of {count}", thread.numbers.len());
            assert_eq!(thread.lost(Cause::Overwritten), thread.numbers[0]);
        }
        for thread in threads.iter() {
            assert_contiguous(&thread.numbers);
            assert_times_grow(thread);
        }
    });
}

/// A process that continues while its rings are read.
#[test]
fn alive() {
    let _turn = TURN.lock();
    for policy in ["discard", "block", "overwrite"] {
        let running = Running::start(policy, Duration::from_millis(5));
        let begun = || running.counts().iter().all(|&count| count > 2_000);
        while !begun() {
            std::thread::sleep(Duration::from_millis(5));
        }
        for _ in 0..rounds() {
            let before = running.counts();
            let process = process_in(running.folder.path()).unwrap();
            assert!(process.is_alive());
            let (trace, recovered) = recover(&process);
            assert!(!recovered.is_doubtful, "{policy}: {recovered:?}");
            let threads = read(&trace, check);
            for (at, count) in before.into_iter().enumerate() {
                let thread = worker(&threads, at).unwrap();
                // All earlier records are in the trace or reported as lost.
                let next = assert_all_reported(thread);
                assert!(
                    next >= count,
                    "{policy}: worker {at} issued {count} records, {next} are accounted for"
                );
                assert_times_grow(thread);
            }
        }
    }
}

/// If the trace file is missing, truncated, or replaced by another file, the contents of the rings
/// are recovered, and all other records are reported as lost.
#[test]
fn without_the_trace_file() {
    use ringtrace_tracefile::recover::TraceFile;
    let _turn = TURN.lock();
    let mut running = Running::start("block", Duration::ZERO);
    while running.counts()[0] < 10_000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    running.kill();
    let process = process_in(running.folder.path()).unwrap();
    let file = running.folder.path().join("trace");
    let (whole, recovered) = recover(&process);
    assert_eq!(recovered.file, TraceFile::Whole);
    let records =
        |trace: &[u8]| -> usize { read(trace, check).iter().map(|thread| thread.numbers.len()).sum() };

    let length = std::fs::metadata(&file).unwrap().len();
    std::fs::File::options().write(true).open(&file).unwrap().set_len(length / 2).unwrap();
    let (cut, recovered) = recover(&process);
    assert!(matches!(recovered.file, TraceFile::Short { .. }), "{recovered:?}");
    assert!(records(&cut) < records(&whole));

    let trace = std::fs::File::options().read(true).write(true).open(&file).unwrap();
    let mut start = vec![0; 4096];
    trace.read_exact_at(&mut start, 0).unwrap();
    let at = start.windows(7).position(|window| window == b"anchor=").unwrap();
    let other_digit = if start[at + 7] == b'9' { b"8" } else { b"9" };
    trace.write_all_at(other_digit, at as u64 + 7).unwrap();
    let (rest, recovered) = recover(&process);
    assert_eq!(recovered.file, TraceFile::Replaced);
    assert_eq!(records(&rest) as u64, recovered.ring_records);

    std::fs::remove_file(&file).unwrap();
    let (rest, recovered) = recover(&process);
    assert!(matches!(recovered.file, TraceFile::Missing(_)), "{recovered:?}");
    assert_eq!(records(&rest) as u64, recovered.ring_records);
    assert!(recovered.ring_records > 0);
}

/// The next program that starts tracing prints nothing about a killed program, and does not change
/// its arenas. `ringtrace list` reports killed programs.
#[test]
fn the_next_program_is_silent_about_a_killed_one() {
    let _turn = TURN.lock();
    let mut running = Running::start("overwrite", Duration::from_millis(5));
    while running.counts()[0] == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let folder = running.folder.path().to_path_buf();
    let next = || {
        let mut next = Command::new(program().with_file_name("traced"));
        next.args(["--trace", "blk_read,file=next"]).current_dir(&folder).env("RINGTRACE_DIR", &folder);
        String::from_utf8(next.output().unwrap().stderr).unwrap()
    };
    assert_eq!(next(), "", "the other program is still running");
    let pid = running.child.id();
    running.kill();
    let state = || {
        let process = process_in(&folder).unwrap();
        let arena = std::fs::metadata(process.segments()[0].path()).unwrap();
        assert_eq!((process.pid(), process.is_alive()), (pid, false));
        (arena.permissions(), arena.modified().unwrap(), recover(&process).0)
    };
    let before = state();
    assert_eq!(next(), "");
    assert_eq!(state(), before);
}
