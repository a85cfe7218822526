//! A storage engine whose disk is not there: gets and puts, a cache, a journal, a device with a queue. It serves made-up requests until it
//! is told to end, and can be watched and steered meanwhile.
//!
//! ```text
//! cargo run --release -p ringtrace-examples --bin engine -- --monitor unix:engine.sock --trace 'blk_*,file=engine.trace'
//! ```
//!
//! The requests are the same each time, for a number of threads and a seed.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "a program for a person at a terminal prints")]

mod probe_statistics;
mod blk;
mod random;
mod rate;
mod slowdown;
mod store;

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use probe_statistics::ProbeStatistics;
use clap::Parser;
use rate::RateLimiter;
use signal_hook::consts::{SIGINT, SIGTERM};
use slowdown::Slowdown;
use store::Shard;

/// How soon it is seen that something has ended, or is to end.
const NAP: Duration = Duration::from_millis(10);

/// A toy storage engine that can be traced while it runs
#[derive(Parser)]
#[command(name = "engine")]
struct Arguments {
    /// How many threads serve requests
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,

    /// How many requests a second each thread serves; 0: as many as it can
    #[arg(long, value_name = "N", default_value_t = 1000)]
    rate: u32,

    /// End after so many seconds; without it, at SIGTERM or SIGINT
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,

    /// End when each thread has served so many requests
    #[arg(long, value_name = "N")]
    requests: Option<u64>,

    /// When the requests are at an end, stay for the monitor's clients until the next SIGTERM or SIGINT
    #[arg(long)]
    stay: bool,

    /// Another seed, other requests
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Have one kind of request take longer, for others to find: get, put, delete, or the device's read, write, flush
    #[arg(long, value_name = "KIND=+N%", value_parser = Slowdown::parse)]
    slow: Option<Slowdown>,

    /// At the end, write how often each probe was called, and how long that took
    #[arg(long, value_name = "FILE")]
    account: Option<PathBuf>,

    /// Clients of the monitor may end the program
    #[arg(long)]
    allow_quit: bool,

    #[command(flatten)]
    trace: ringtrace::clap::TraceArgs,

    #[command(flatten)]
    monitor: ringtrace::clap::MonitorArgs,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let told_to_end = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT] {
        signal_hook::flag::register(signal, Arc::clone(&told_to_end))?;
    }

    // `quit` of a client is a SIGTERM.
    let tracing = arguments.trace.clone().with_monitor(arguments.monitor.clone()).options()?;
    let _tracing = tracing.start_with(|monitor| monitor.name("engine").allow_quit(arguments.allow_quit))?;

    let (requests, account) = serve(&arguments, &told_to_end)?;
    told_to_end.store(false, Ordering::Relaxed);
    if let Some(path) = &arguments.account {
        account.write(path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    println!("engine: {requests} requests in {} threads", arguments.threads);
    while arguments.stay && !told_to_end.load(Ordering::Relaxed) {
        thread::sleep(NAP);
    }
    Ok(())
}

/// Serves until it is time to stop. Says how many requests there were, and how often each probe was called.
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
            thread::sleep(NAP);
        }
        let (mut requests, mut account) = (0, ProbeStatistics::default());
        for worker in workers {
            let (served, called) = worker.join().map_err(|_| "a worker panicked")?;
            requests += served;
            account.add(&called.unwrap_or_default());
        }
        Ok((requests, account))
    })
}

/// What a thread does.
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
