//! Threads that are stopped while the trace file changes or tracing ends. In every round, the
//! number of issued events equals the number of records plus the number of dropped events, summed
//! over all files.
//!
//! The tests start this test program again. Its worker constantly issues numbered events, and
//! counts them in memory that it shares with the test. The test stops the worker at a random
//! instruction when its ring is nearly full, and then requests the hand-over from another thread of
//! the program.
//!
//! `RINGTRACE_STRESS=N` multiplies the number of rounds by N. With more than 1, threads stop for up
//! to three seconds, and some writes take 700 ms.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

mod ledger;
mod numbered;
mod slow_disk;
mod stress;

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ringtrace::session::{self, set_trace_file, start};
use ringtrace::{Policy, Settings};
use ringtrace_tracefile::recover::{ArenaFile, find_arenas, gather};

use ledger::{Thread, read, recover};
use numbered::{check, record};
use ringtrace_wire::simpletrace::metadata::Cause;
use stress::scale;

const VARIABLE: &str = "RINGTRACE_TEST_STOPPED";

/// Run one test at a time, because the programs compete for processors.
static TURN: Mutex<()> = Mutex::new(());

/// Memory that the program and the test share.
#[derive(Debug, Default)]
#[repr(C)]
struct Shared {
    /// The number of events that the worker has begun to issue, and the number that it has issued.
    begun: AtomicU64,
    issued: AtomicU64,
    worker: AtomicU64,
    /// The number of hand-overs that the test has requested, and the number that have completed.
    requested: AtomicU64,
    done: AtomicU64,
    /// Set when the program should end.
    is_over: AtomicU64,
    /// The counts that the runtime reports at the end.
    recorded: AtomicU64,
    dropped: AtomicU64,
    /// How many short-lived threads, forked children and snapshots there were.
    threads: AtomicU64,
    children: AtomicU64,
    snapshots: AtomicU64,
}

impl Shared {
    fn map(file: &Path) -> &'static Shared {
        use rustix::mm::{MapFlags, ProtFlags, mmap};
        let file = std::fs::File::options().read(true).write(true).open(file).unwrap();
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: this creates a shared mapping of a one-page file, which is never unmapped. The
        // words are accessed only as atomics.
        unsafe {
            let page = mmap(std::ptr::null_mut(), 4096, protection, MapFlags::SHARED, &file, 0).unwrap();
            &*page.cast()
        }
    }
}

/// The program's other activity during the hand-overs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Company {
    Nobody,
    /// Threads that record ten events and exit.
    Threads,
    /// Children that record ten events and exit.
    Forks,
    Snapshots,
}

const COMPANIES: [Company; 4] = [Company::Nobody, Company::Threads, Company::Forks, Company::Snapshots];

#[derive(Debug, Clone, Copy)]
struct Setup {
    policy: Policy,
    buffer_bytes: usize,
    /// How long each write to a trace file takes.
    write_ms: u64,
    company: Company,
}

impl Setup {
    fn to_text(self) -> String {
        let policy = matches!(self.policy, Policy::Block { .. });
        let company = COMPANIES.iter().position(|company| *company == self.company).unwrap();
        format!("{} {} {} {company}", u8::from(policy), self.buffer_bytes, self.write_ms)
    }

    fn from_text(text: &str) -> Setup {
        let words: Vec<u64> = text.split(' ').map(|word| word.parse().unwrap()).collect();
        let policy = if words[0] == 1 { BLOCK } else { Policy::Discard };
        let company = COMPANIES[words[3] as usize];
        Setup { policy, buffer_bytes: words[1] as usize, write_ms: words[2], company }
    }
}

const BLOCK: Policy = Policy::Block { timeout: None };

/// Runs the program. It changes the trace file whenever the test requests a hand-over. The last
/// hand-over ends tracing.
fn program(setup: Setup) {
    let shared = Shared::map(Path::new("shared"));
    slow_disk::DELAY_MS.store(setup.write_ms, Ordering::SeqCst);
    let settings = Settings {
        file: Some("0.trace".into()),
        directory: Some("arenas".into()),
        policy: setup.policy,
        buffer_bytes: setup.buffer_bytes,
        threads: 16,
        ..Settings::default()
    };
    let guard = start(settings).unwrap();
    ringtrace::set_enabled("numbered", true);
    let work = move || {
        shared.worker.store(rustix::thread::gettid().as_raw_nonzero().get() as u64, Ordering::SeqCst);
        let mut number = 0;
        while shared.is_over.load(Ordering::Relaxed) == 0 {
            shared.begun.store(number + 1, Ordering::Relaxed);
            record(number);
            number += 1;
            shared.issued.store(number, Ordering::Relaxed);
        }
    };
    let worker = std::thread::Builder::new().name("worker".to_owned()).spawn(work).unwrap();
    let company = std::thread::spawn(move || accompany(setup.company, shared));
    loop {
        let (requested, done) = (shared.requested.load(Ordering::SeqCst), shared.done.load(Ordering::SeqCst));
        if requested == u64::MAX {
            break;
        }
        if requested > done {
            set_trace_file(Some(Path::new(&format!("{requested}.trace")))).unwrap();
            shared.done.store(requested, Ordering::SeqCst);
        } else if shared.is_over.load(Ordering::SeqCst) != 0 {
            break;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    if shared.is_over.load(Ordering::SeqCst) == 0 {
        drop(guard);
        shared.done.store(u64::MAX, Ordering::SeqCst);
        worker.join().unwrap();
    } else {
        worker.join().unwrap();
        company.join().unwrap();
        drop(guard);
    }
    let status = session::status::status();
    shared.recorded.store(status.recorded, Ordering::SeqCst);
    shared.dropped.store(status.dropped, Ordering::SeqCst);
    std::process::exit(0);
}

fn accompany(company: Company, shared: &'static Shared) {
    while shared.is_over.load(Ordering::SeqCst) == 0 {
        match company {
            Company::Nobody => return,
            Company::Threads => {
                let short = std::thread::Builder::new().name("short".to_owned());
                short.spawn(|| (0..10).for_each(record)).unwrap().join().unwrap();
                shared.threads.fetch_add(1, Ordering::SeqCst);
            }
            Company::Forks => {
                // SAFETY: the child only uses what the C library and Rust's standard library
                // support after a fork.
                match unsafe { libc::fork() } {
                    -1 => panic!("{}", std::io::Error::last_os_error()),
                    0 => {
                        (0..10).for_each(record);
                        std::process::exit(0);
                    }
                    child => {
                        let mut status = 0;
                        // SAFETY: the call initializes `status`.
                        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
                        assert_eq!(status, 0);
                    }
                }
                shared.children.fetch_add(1, Ordering::SeqCst);
            }
            Company::Snapshots => {
                let number = shared.snapshots.fetch_add(1, Ordering::SeqCst);
                ringtrace::snapshot(format!("{number}.snapshot")).unwrap();
            }
        }
        // Rings of exited threads are reused only after a write, which may take a while.
        std::thread::sleep(Duration::from_millis(if company == Company::Threads { 40 } else { 1 }));
    }
}

/// A deterministic source of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A running program, with its worker attached to the test as its debugger.
struct Running {
    folder: tempfile::TempDir,
    child: Child,
    shared: &'static Shared,
}

impl Running {
    fn start(setup: Setup) -> Running {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("arenas")).unwrap();
        std::fs::write(folder.path().join("shared"), [0; 4096]).unwrap();
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["the_program", "--exact", "--nocapture", "--test-threads=1"])
            .env(VARIABLE, setup.to_text())
            .current_dir(folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let shared = Shared::map(&folder.path().join("shared"));
        let running = Running { folder, child, shared };
        running.wait_for(|shared| shared.issued.load(Ordering::SeqCst) > 0);
        running
    }

    fn wait_for(&self, is_so: impl Fn(&Shared) -> bool) {
        let give_up = Instant::now() + Duration::from_mins(10);
        while !is_so(self.shared) {
            assert!(Instant::now() < give_up, "the program hangs: {:?}", self.shared);
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    fn worker(&self) -> i32 {
        self.shared.worker.load(Ordering::SeqCst) as i32
    }

    fn ptrace(&self, request: libc::c_uint) -> std::io::Result<()> {
        // SAFETY: these requests take no address.
        let answer = unsafe { libc::ptrace(request, self.worker(), std::ptr::null_mut::<u8>(), 0) };
        if answer == -1 { Err(std::io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Detaches from the stopped worker and lets it continue. If a debugger were still attached,
    /// the worker would remain as a zombie after its exit.
    fn continue_worker(&self) {
        self.ptrace(libc::PTRACE_DETACH).unwrap();
    }

    /// Waits until the worker is stopped.
    fn await_stop(&self) {
        let mut status = 0;
        // SAFETY: the call initializes `status`.
        let answer = unsafe { libc::waitpid(self.worker(), &raw mut status, libc::__WALL) };
        assert_eq!(answer, self.worker());
        assert!(libc::WIFSTOPPED(status), "{status:#x}");
    }

    /// Stops the worker when its ring, or the current quarter of its ring, is nearly full. Then
    /// lets it execute a random number of further instructions.
    fn stop_worker(&self, setup: Setup, random: &mut Random) {
        let quarter = setup.buffer_bytes as u64 / 4 / 32;
        let quarters = 1 + random.below(6);
        let from = self.shared.issued.load(Ordering::SeqCst);
        let target = (from / quarter + quarters) * quarter - random.below(8);
        let give_up = Instant::now() + Duration::from_millis(30 + setup.write_ms);
        while self.shared.issued.load(Ordering::Relaxed) < target && Instant::now() < give_up {
            std::hint::spin_loop();
        }
        self.ptrace(libc::PTRACE_SEIZE).unwrap();
        self.ptrace(libc::PTRACE_INTERRUPT).unwrap();
        self.await_stop();
        for _ in 0..random.below(2_000) {
            self.ptrace(libc::PTRACE_SINGLESTEP).unwrap();
            self.await_stop();
        }
    }

    /// Ends the program. Returns the threads of each file, by the file's number.
    fn finish(&mut self) -> Vec<Vec<Thread>> {
        self.shared.is_over.store(1, Ordering::SeqCst);
        self.wait_for(|shared| shared.recorded.load(Ordering::SeqCst) > 0);
        assert!(self.child.wait().unwrap().success());
        assert!(find_arenas(&self.folder.path().join("arenas")).unwrap().is_empty());
        let files =
            (0..).map(|number| self.path(&format!("{number}.trace"))).take_while(|path| path.exists());
        files.map(|path| read(&std::fs::read(path).unwrap(), check)).collect()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        // A worker that is still stopped remains a zombie until its debugger has waited for it.
        // SAFETY: a null status pointer is allowed.
        unsafe { libc::waitpid(self.worker(), std::ptr::null_mut(), libc::__WALL) };
        let _ = self.child.wait();
    }
}

/// The program that the other tests start.
#[test]
fn the_program() {
    if let Some(setup) = std::env::var_os(VARIABLE) {
        program(Setup::from_text(setup.to_str().unwrap()));
    }
}

/// Checks that the files account for all events of the worker. Returns the number of its events,
/// and the number of dropped events.
fn account(files: &[Vec<Thread>]) -> [u64; 2] {
    let (mut next, mut dropped) = (0, 0);
    // Events of threads that found no free ring are counted with id 0, which has no total.
    for thread in files.iter().flatten().filter(|thread| thread.tid != 0) {
        thread.assert_balanced();
        if thread.name.as_deref() == Some("worker") {
            next = thread.follow(next);
            dropped += thread.total.unwrap().dropped;
        }
    }
    [next, dropped]
}

/// Checks that the runtime's own counts agree with the files.
fn assert_counts_agree(shared: &Shared, files: &[Vec<Thread>]) {
    let records: usize = files.iter().flatten().map(|thread| thread.numbers.len()).sum();
    let lost: u64 = files.iter().flatten().flat_map(|thread| &thread.lost).map(|(lost, _)| lost.count).sum();
    assert_eq!(shared.recorded.load(Ordering::SeqCst), records as u64);
    assert_eq!(shared.dropped.load(Ordering::SeqCst), lost);
}

/// The longest stop: three seconds under stress.
fn longest_stop_ms() -> u64 {
    if scale() > 1 { 3000 } else { 200 }
}

fn setups(company: Company) -> impl Iterator<Item = Setup> {
    let delays_of_small = if scale() > 1 { &[0, 20, 150, 700][..] } else { &[0, 20, 150] };
    let sizes = [(128 << 10, delays_of_small), (1 << 20, &[0, 20]), (4 << 20, &[0, 5])];
    sizes.into_iter().flat_map(move |(buffer_bytes, delays)| {
        delays.iter().flat_map(move |&write_ms| {
            [BLOCK, Policy::Discard].map(|policy| Setup { policy, buffer_bytes, write_ms, company })
        })
    })
}

/// Whether this test may attach to its children as a debugger.
fn may_trace(running: &Running) -> bool {
    if running.ptrace(libc::PTRACE_SEIZE).is_err() {
        eprintln!("SKIPPED: ptrace is not permitted");
        return false;
    }
    running.ptrace(libc::PTRACE_INTERRUPT).unwrap();
    running.await_stop();
    running.continue_worker();
    true
}

/// The maximum number of a stopped thread's events that a hand-over drops. It drops only the event
/// that the thread is writing.
const MOST_PER_HAND_OVER: u64 = 1;

fn files_change_while_a_thread_is_stopped(company: Company, rounds: u64) {
    let _turn = TURN.lock();
    let mut random = Random(0x5eed ^ company as u64);
    let (mut all, mut cut_off) = (0, 0);
    for setup in setups(company) {
        let mut running = Running::start(setup);
        if !may_trace(&running) {
            return;
        }
        for round in 1..=rounds {
            running.stop_worker(setup, &mut random);
            running.shared.requested.store(round, Ordering::SeqCst);
            if random.below(4) == 0 {
                std::thread::sleep(Duration::from_millis(random.below(longest_stop_ms())));
            } else {
                running.wait_for(|shared| shared.done.load(Ordering::SeqCst) == round);
            }
            running.continue_worker();
            running.wait_for(|shared| shared.done.load(Ordering::SeqCst) == round);
            let issued = running.shared.issued.load(Ordering::SeqCst);
            running.wait_for(|shared| shared.issued.load(Ordering::SeqCst) > issued + 100);
        }
        let files = running.finish();
        assert_eq!(files.len() as u64, rounds + 1);
        let [accounted, dropped] = account(&files);
        let issued = running.shared.issued.load(Ordering::SeqCst);
        assert_eq!(accounted, issued, "{setup:?}: {issued} events were issued");
        if setup.policy == BLOCK {
            assert!(dropped <= rounds * MOST_PER_HAND_OVER, "{setup:?}: {dropped}");
            cut_off += dropped;
        }
        check_company(&running, &files);
        all += rounds;
    }
    eprintln!(
        "{all} hand-overs with {company:?}; with policy=block, {cut_off} events were dropped and counted"
    );
}

fn check_company(running: &Running, files: &[Vec<Thread>]) {
    let shared = running.shared;
    let short = files.iter().flatten().filter(|thread| thread.name.as_deref() == Some("short"));
    let without_ring = files.iter().flatten().filter(|thread| thread.tid == 0);
    let events = short.map(|thread| thread.total.unwrap().issued).sum::<u64>()
        + without_ring.map(|thread| thread.lost(Cause::Dropped)).sum::<u64>();
    assert_eq!(events, 10 * shared.threads.load(Ordering::SeqCst));
    if shared.children.load(Ordering::SeqCst) == 0 {
        assert_counts_agree(shared, files);
    }
    let (mut children, mut of_children) = (0, 0);
    for file in std::fs::read_dir(running.folder.path()).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.contains(".trace.") {
            let threads = read(&std::fs::read(&path).unwrap(), check);
            children += 1;
            of_children += threads.iter().map(|thread| thread.numbers.len()).sum::<usize>();
        } else if name.ends_with(".snapshot") {
            // A snapshot contains losses at its end, so only the order is checked.
            for thread in read(&std::fs::read(&path).unwrap(), check) {
                assert!(thread.numbers.is_sorted_by(|one, next| one < next));
            }
        }
    }
    assert_eq!(children, shared.children.load(Ordering::SeqCst));
    assert_eq!(of_children as u64, 10 * children);
}

#[test]
fn the_file_changes_while_a_thread_is_stopped() {
    files_change_while_a_thread_is_stopped(Company::Nobody, 3 * scale());
}

#[test]
fn the_file_changes_while_threads_exit_and_one_is_stopped() {
    files_change_while_a_thread_is_stopped(Company::Threads, 2 * scale());
}

#[test]
fn the_file_changes_while_the_program_forks_and_a_thread_is_stopped() {
    files_change_while_a_thread_is_stopped(Company::Forks, 2 * scale());
}

#[test]
fn the_file_changes_while_snapshots_are_taken_and_a_thread_is_stopped() {
    files_change_while_a_thread_is_stopped(Company::Snapshots, 2 * scale());
}

#[test]
fn tracing_ends_while_a_thread_is_stopped() {
    let _turn = TURN.lock();
    let mut random = Random(0xe4d);
    for _ in 0..scale() {
        for setup in setups(Company::Nobody) {
            let mut running = Running::start(setup);
            if !may_trace(&running) {
                return;
            }
            running.stop_worker(setup, &mut random);
            let issued = running.shared.issued.load(Ordering::SeqCst);
            let begun = running.shared.begun.load(Ordering::SeqCst);
            running.shared.requested.store(u64::MAX, Ordering::SeqCst);
            running.wait_for(|shared| shared.done.load(Ordering::SeqCst) == u64::MAX);
            running.continue_worker();
            let files = running.finish();
            let [accounted, dropped] = account(&files);
            // The event that the thread was issuing may be before or after the end.
            assert!(
                (issued..=begun).contains(&accounted),
                "{setup:?}: {issued} events were issued, and {accounted} are accounted for"
            );
            if setup.policy == BLOCK {
                assert!(dropped <= MOST_PER_HAND_OVER, "{setup:?}: {dropped}");
            }
            assert_counts_agree(running.shared, &files);
        }
    }
}

/// The whole program is stopped by a signal, at a random moment of a hand-over.
#[test]
fn the_file_changes_while_the_program_is_stopped() {
    let _turn = TURN.lock();
    let mut random = Random(0x5709);
    for setup in setups(Company::Nobody) {
        let mut running = Running::start(setup);
        let pid = running.child.id().cast_signed();
        let send = |signal| {
            // SAFETY: the process is a child of this test and still running.
            assert_eq!(unsafe { libc::kill(pid, signal) }, 0);
        };
        let rounds = 2 * scale();
        for round in 1..=rounds {
            std::thread::sleep(Duration::from_millis(random.below(20)));
            running.shared.requested.store(round, Ordering::SeqCst);
            std::thread::sleep(Duration::from_micros(random.below(20_000)));
            send(libc::SIGSTOP);
            std::thread::sleep(Duration::from_millis(50 + random.below(longest_stop_ms())));
            send(libc::SIGCONT);
            running.wait_for(|shared| shared.done.load(Ordering::SeqCst) == round);
        }
        let files = running.finish();
        let [accounted, dropped] = account(&files);
        assert_eq!(accounted, running.shared.issued.load(Ordering::SeqCst), "{setup:?}");
        assert!(setup.policy != BLOCK || dropped == 0, "{setup:?}: {dropped}");
        assert_counts_agree(running.shared, &files);
    }
}

/// `recover PID` works while the program changes its file and a thread is stopped.
#[test]
fn the_file_changes_while_the_rings_are_read_from_outside() {
    let _turn = TURN.lock();
    let mut random = Random(0x9ec0);
    for setup in setups(Company::Nobody) {
        let mut running = Running::start(setup);
        if !may_trace(&running) {
            return;
        }
        let rounds = 2 * scale();
        for round in 1..=rounds {
            running.stop_worker(setup, &mut random);
            let issued = running.shared.issued.load(Ordering::SeqCst);
            running.shared.requested.store(round, Ordering::SeqCst);
            while running.shared.done.load(Ordering::SeqCst) < round {
                assert_recovered_to(issued, &running, round);
            }
            running.continue_worker();
            // Let the worker record to the new file.
            let issued = running.shared.issued.load(Ordering::SeqCst);
            running.wait_for(|shared| shared.issued.load(Ordering::SeqCst) > issued + 100);
        }
        let files = running.finish();
        assert_eq!(account(&files)[0], running.shared.issued.load(Ordering::SeqCst), "{setup:?}");
    }
}

/// Reads the program's arenas. The recovered trace contains the first `issued` events, unless the
/// hand-over ends in the meantime.
fn assert_recovered_to(issued: u64, running: &Running, round: u64) {
    let arenas = find_arenas(&running.path("arenas")).unwrap();
    let arenas: Vec<ArenaFile> = arenas.iter().filter_map(|path| ArenaFile::open(path).ok()).collect();
    let processes = gather(arenas).unwrap();
    let (mut newest, is_changing) = (None, processes.len() > 1);
    for process in processes {
        let (trace, recovered) = recover(&process);
        if running.shared.done.load(Ordering::SeqCst) == round {
            return;
        }
        assert!(!recovered.unwrap().is_doubtful);
        for thread in read(&trace, check) {
            // The new rings can contain a loss of the stopped worker, but none of its events.
            if let Some(first) = thread.numbers.first()
                && thread.name.as_deref() == Some("worker")
            {
                let lost_before = thread.lost.iter().take_while(|(_, before)| *before == 0);
                let lost_before: u64 = lost_before.map(|(lost, _)| lost.count).sum();
                let first = first - lost_before;
                newest = newest.max(Some(thread.follow(first)));
            }
        }
    }
    // If only one process was found, the old rings may have been removed already.
    if running.shared.done.load(Ordering::SeqCst) < round && (is_changing || newest.is_some()) {
        assert!(
            newest.is_some_and(|newest| newest >= issued),
            "recovered up to {newest:?} of {issued} events"
        );
    }
}
