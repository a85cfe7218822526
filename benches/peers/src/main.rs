//! Measures what an event with two u64 costs the emitting thread in other libraries. The
//! measurements alternate with those of the handwritten code that ringtrace is compared with.
//!
//! The libraries do different work; the table describes what each call does. Each has a sink that
//! counts and discards events, and enough time between bursts to catch up.

#![allow(macro_expanded_macro_exports_accessed_by_absolute_paths, reason = "ticklog's macros need it")]

mod fastrace_spans;
mod lttng;
mod ringtrace_probe;
mod ticklog_lines;
mod tracing_events;

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ringtrace_benches::recording::by_hand::stores;
use ringtrace_benches::recording::turns::{BURST, Round, Side, WARM_UP, events_a_round, median, round};

/// The result for one library.
pub struct Measured {
    /// The time that one event takes, and the time that one handwritten record takes.
    pub ns: (f64, f64),
    pub ratio: f64,
    /// A remark on lost events.
    pub note: String,
}

type Measure = fn(usize) -> Result<Measured, String>;

/// Each library's name, a description of what a call does, and the function that measures it.
const PEERS: &[(&str, &str, Measure)] = &[
    ("ringtrace", "writes a record into the thread's ring; another thread writes the file", ringtrace_probe::measure),
    (
        "ticklog",
        "encodes a record into the thread's ring; another thread adds the time and formats it",
        ticklog_lines::measure,
    ),
    ("fastrace", "begins and ends a span without properties, in a local tree", fastrace_spans::measure),
    ("tracing, no-op", "calls a subscriber that does nothing", tracing_events::measure_nothing),
    ("tracing, fmt", "formats a line and sends it to a thread that writes it", tracing_events::measure_lines),
    ("LTTng-UST", "writes a record into the core's ring; a daemon writes the file", lttng::measure),
];

fn main() -> ExitCode {
    let rounds = match std::env::args().nth(1).map(|rounds| rounds.parse()) {
        None => 11,
        Some(Ok(rounds)) if rounds > 0 => rounds,
        _ => {
            eprintln!("usage: cargo xtask bench --peers [ROUNDS]");
            return ExitCode::from(2);
        }
    };
    if let Err(error) = stores::provide() {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    println!("| peer | ns | by hand | ratio | what a call does | became of the events |");
    println!("| --- | ---: | ---: | ---: | --- | --- |");
    for (name, does, measure) in PEERS {
        match measure(rounds) {
            Ok(Measured { ns: (theirs, by_hand), ratio, note }) => {
                println!("| {name} | {theirs:.1} | {by_hand:.1} | {ratio:.2} | {does} | {note} |");
            }
            Err(why) => println!("| {name} | | | | {does} | not measured: {why} |"),
        }
    }
    ExitCode::SUCCESS
}

/// Measures bursts of `emit`. Calls `settle` between them, with the number of events so far.
fn measure(
    rounds: usize,
    mut emit: impl FnMut(u64),
    mut settle: impl FnMut(u64),
    note: impl FnOnce(u64) -> String,
) -> Measured {
    let mut issued = 0;
    let rounds: Vec<Round> = (0..rounds)
        .map(|_| {
            round(
                &mut Side {
                    emit: &mut emit,
                    settle: &mut || {
                        issued += BURST + WARM_UP;
                        settle(issued);
                    },
                },
                &mut Side { emit: &mut stores::clock_and_stores, settle: &mut || {} },
            )
        })
        .collect();
    let of = |value: fn(&Round) -> f64| median(rounds.iter().map(value).collect());
    Measured {
        ns: (of(|round| round.ours_ns), of(|round| round.theirs_ns)),
        ratio: of(|round| round.ratio),
        note: note(rounds.len() as u64 * events_a_round()),
    }
}

/// Counts the events that reached a sink.
#[derive(Default)]
struct Received(AtomicU64);

impl Received {
    const fn none() -> Received {
        Received(AtomicU64::new(0))
    }

    fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    /// Waits until `count` events have arrived, or no more arrive.
    fn wait_for(&self, count: u64) {
        const TIMEOUT: Duration = Duration::from_millis(20);
        let (mut since, mut seen) = (Instant::now(), 0);
        while seen < count && since.elapsed() < TIMEOUT {
            std::thread::yield_now();
            let now = self.0.load(Ordering::Relaxed);
            if now != seen {
                (since, seen) = (Instant::now(), now);
            }
        }
    }

    fn describe(&self, issued: u64) -> String {
        std::thread::sleep(Duration::from_millis(200));
        let received = self.0.load(Ordering::Relaxed);
        if received == issued {
            "all received".to_owned()
        } else {
            format!("{received} of {issued} received")
        }
    }
}
