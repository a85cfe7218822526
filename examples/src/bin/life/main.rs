//! A signal handler, forked processes and a thousand short-lived threads all record events. The
//! program then compares the traces with its own counts.
//!
//! ```text
//! cargo run -p ringtrace-examples --bin life [FOLDER]
//! ```
//!
//! Each forked child has a trace of its own. A handler's event is lost if it interrupts a probe, or
//! if its thread would have to wait; the trace counts such events.

#![deny(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use ringtrace::{Options, Policy};
use ringtrace_tracefile::metadata::Metadata;
use ringtrace_tracefile::{self as tracefile, Entry, Flow, Input, Reader};

ringtrace::include_trace!("life");

const THREADS: u32 = 1000;
/// Number of threads that run at the same time.
const BATCH: u32 = 50;
const STEPS_OF_THREAD: u32 = 10;
const CHILDREN: u32 = 5;
const STEPS_OF_CHILD: u32 = 100;

/// Number of calls of the handler.
static SIGNALS: AtomicU64 = AtomicU64::new(0);

extern "C" fn handler(signal: i32) {
    trace::life_signal(signal);
    SIGNALS.fetch_add(1, Ordering::Relaxed);
}

const HELP: &str = "\
usage: life [FOLDER]

Records events in a signal handler, in forked processes and in a thousand short-lived threads, and
compares the traces in FOLDER with its own counts. By default, FOLDER is a new temporary folder.";

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let folder = match std::env::args_os().nth(1) {
        Some(word) if word.as_encoded_bytes().starts_with(b"-") => {
            println!("{HELP}");
            let is_help = word == "--help" || word == "-h";
            return Ok(if is_help { ExitCode::SUCCESS } else { ExitCode::from(2) });
        }
        Some(folder) => PathBuf::from(folder),
        None => std::env::temp_dir().join(format!("ringtrace-life-{}", std::process::id())),
    };
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("life.trace");
    let children = record(&file)?;
    println!("{:<20} {:>8} {:>8} {:>9} {:>9}", "file", "threads", "events", "recorded", "lost");
    let threads = u64::from(THREADS * STEPS_OF_THREAD);
    let mut agrees = check(&file, threads + SIGNALS.load(Ordering::Relaxed))?;
    for child in children {
        agrees &= check(&folder.join(format!("life.trace.{child}")), u64::from(STEPS_OF_CHILD))?;
    }
    println!(
        "{}",
        if agrees { "all events are accounted for" } else { "the traces do not match the program" }
    );
    println!("the traces are in {}", folder.display());
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Records the events. Returns the process ids of the children.
fn record(file: &Path) -> Result<Vec<i32>, Box<dyn Error>> {
    // These options override those in the variable RINGTRACE.
    let options = Options::from_env()?.enable("life_*").file(file);
    let _guard = options.policy(Policy::Block { timeout: None }).start()?;
    signal_every(1000);
    let mut children = Vec::new();
    for batch in 0..THREADS / BATCH {
        let first = batch * BATCH;
        let threads: Vec<_> =
            (first..first + BATCH).map(|thread| std::thread::spawn(move || short_lived(thread))).collect();
        if batch % (THREADS / BATCH / CHILDREN) == 0 {
            children.push(fork(children.len() as u32)?);
        }
        for thread in threads {
            thread.join().map_err(|_| "a thread panicked")?;
        }
    }
    signal_every(0);
    for child in &children {
        wait_for(*child)?;
    }
    Ok(children)
}

fn short_lived(thread: u32) {
    for step in 0..STEPS_OF_THREAD {
        trace::life_thread(thread, step);
    }
}

/// Makes a timer call [`handler`] every `microseconds`, on any thread; 0 stops the timer.
#[expect(unsafe_code, reason = "installs a signal handler")]
fn signal_every(microseconds: i64) {
    let every = libc::timeval { tv_sec: 0, tv_usec: microseconds };
    let timer = libc::itimerval { it_interval: every, it_value: every };
    // SAFETY: the handler only records events and counts, which is async-signal-safe. Interrupted
    // system calls are restarted.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as extern "C" fn(i32) as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(libc::SIGALRM, &raw const action, std::ptr::null_mut());
        libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut());
    }
}

/// Forks a child that records events and exits. Tracing continues in the child automatically, but
/// the child does not inherit the timer.
#[expect(unsafe_code, reason = "forks")]
fn fork(child: u32) -> Result<i32, std::io::Error> {
    // SAFETY: after the fork, the child only records events, which is supported, and exits.
    match unsafe { libc::fork() } {
        -1 => Err(std::io::Error::last_os_error()),
        0 => {
            for step in 0..STEPS_OF_CHILD {
                trace::life_child(child, step);
            }
            std::process::exit(0);
        }
        pid => Ok(pid),
    }
}

#[expect(unsafe_code, reason = "waits for the child")]
fn wait_for(child: i32) -> Result<(), Box<dyn Error>> {
    let mut status = 0;
    // SAFETY: `status` is valid for writes during the call.
    if unsafe { libc::waitpid(child, &raw mut status, 0) } != child || status != 0 {
        return Err(format!("child {child} ended with status {status:#x}").into());
    }
    Ok(())
}

/// Reads a trace and prints a line about it. Returns whether the trace accounts for `events`
/// events, including lost ones.
fn check(file: &Path, events: u64) -> Result<bool, Box<dyn Error>> {
    let name = file.display().to_string();
    let refused = |complaint| format!("{name}: {complaint:?}");
    let mut reader =
        Reader::new(&name, Input::open(file)?, &tracefile::Options::default()).map_err(refused)?;
    let (mut recorded, mut lost) = (0, 0);
    let count = |entry: &Entry<'_>| {
        match entry.dropped() {
            Some(count) => lost += count,
            None => recorded += 1,
        }
        Flow::Continue
    };
    reader.for_each(count).map_err(refused)?;
    let totals = reader.metadata().iter().filter(|piece| matches!(piece, Metadata::Total(_)));
    let threads = totals.count();
    let file = file.file_name().unwrap_or_default().to_string_lossy();
    println!("{file:<20} {threads:>8} {events:>8} {recorded:>9} {lost:>9}");
    Ok(recorded + lost == events)
}
