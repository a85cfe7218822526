//! A storage engine with a simulated disk: gets and puts, a cache, a journal, a device with a
//! queue. It serves random requests until it gets a signal, and can be watched and controlled while
//! it runs.
//!
//! ```text
//! cargo run --release -p ringtrace-examples --bin engine -- --monitor unix:engine.sock --trace 'blk_*,file=engine.trace'
//! ```
//!
//! Runs with the same number of threads and the same seed have the same requests.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod blk;
mod probe_statistics;
mod random;
mod rate;
mod slowdown;
mod store;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use probe_statistics::ProbeStatistics;
use rate::RateLimiter;
use signal_hook::consts::{SIGINT, SIGTERM};
use slowdown::Slowdown;
use store::Shard;

/// Interval at which the program checks whether to end.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A toy storage engine that can be traced while it runs
#[derive(Parser)]
#[command(name = "engine")]
struct Arguments {
    /// Number of threads that serve requests
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = threads)]
    threads: u32,

    /// Requests per second and thread; 0: as many as possible
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number::<u32>)]
    rate: u32,

    /// End after N seconds (default: at SIGTERM or SIGINT)
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    seconds: Option<u64>,

    /// End when each thread has served N requests
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    requests: Option<u64>,

    /// After the last request, keep serving clients of the monitor until SIGTERM or SIGINT
    #[arg(long)]
    stay: bool,

    /// Seed of the random requests
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>)]
    seed: u64,

    /// Slow down one kind of request: get, put, delete, or the device's read, write, flush
    #[arg(long, value_name = "KIND=+N%", value_parser = Slowdown::parse)]
    slow: Option<Slowdown>,

    /// At the end, write the number of calls of each probe, and a histogram of their durations
    #[arg(long, value_name = "FILE")]
    account: Option<PathBuf>,

    /// Allow clients of the monitor to end the program
    #[arg(long)]
    allow_quit: bool,

    #[command(flatten)]
    trace: ringtrace::clap::TraceArgs,

    #[command(flatten)]
    monitor: ringtrace::clap::MonitorArgs,
}

/// Parses a number. The standard library's errors do not describe the expected values.
fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a number".to_owned())
}

fn threads(text: &str) -> Result<u32, String> {
    let threads = number(text).ok().filter(|threads| (1..=1024).contains(threads));
    threads.ok_or_else(|| "expected a number from 1 to 1024".to_owned())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT] {
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }

    // The monitor's command `quit` sends the program SIGTERM.
    let tracing = arguments.trace.clone().with_monitor(arguments.monitor.clone()).options()?;
    let _tracing = tracing.start_with(|monitor| monitor.name("engine").allow_quit(arguments.allow_quit))?;

    let (requests, account) = serve(&arguments, &stop)?;
    stop.store(false, Ordering::Relaxed);
    if let Some(path) = &arguments.account {
        account.write(path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    println!("engine: {requests} requests in {} threads", arguments.threads);
    while arguments.stay && !stop.load(Ordering::Relaxed) {
        thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}

/// Serves requests until the end. Returns the number of requests, and the statistics of the probes.
fn serve(arguments: &Arguments, stop: &AtomicBool) -> Result<(u64, ProbeStatistics), Box<dyn Error>> {
    let deadline = arguments.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    thread::scope(|scope| {
        let spawn = |worker| {
            let name = format!("worker-{worker}");
            thread::Builder::new().name(name).spawn_scoped(scope, move || work(worker, arguments, stop))
        };
        let workers: Vec<_> =
            (0..arguments.threads).map(spawn).collect::<Result<_, _>>().inspect_err(|_| {
                stop.store(true, Ordering::Relaxed);
            })?;
        while !stop.load(Ordering::Relaxed) && !workers.iter().all(thread::ScopedJoinHandle::is_finished) {
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                stop.store(true, Ordering::Relaxed);
            }
            thread::sleep(POLL_INTERVAL);
        }
        let (mut requests, mut account) = (0, ProbeStatistics::default());
        for worker in workers {
            let (served, statistics) = worker.join().map_err(|_| "a worker panicked")?;
            requests += served;
            account.add(&statistics.unwrap_or_default());
        }
        Ok((requests, account))
    })
}

/// Serves requests in one thread.
fn work(worker: u32, arguments: &Arguments, stop: &AtomicBool) -> (u64, Option<ProbeStatistics>) {
    let mut shard = Shard::open(worker, arguments.threads, arguments.seed, arguments.account.is_some());
    shard.slow_down(arguments.slow.unwrap_or_default());
    let mut limiter = RateLimiter::new(arguments.rate, worker, arguments.threads);
    let mut left = arguments.requests.unwrap_or(u64::MAX);
    while left > 0 && !stop.load(Ordering::Relaxed) {
        limiter.wait(stop);
        shard.request();
        left -= 1;
    }
    shard.close()
}
