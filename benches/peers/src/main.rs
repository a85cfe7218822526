//! Measures the cost of an event with two u64 values in other libraries, for the thread that emits
//! it. These measurements alternate with measurements of the handwritten code that ringtrace is
//! compared with.
//!
//! The libraries do different work; the table describes what each call does. Each library has a
//! sink that counts and discards events, and has enough time between bursts to catch up.

#![allow(macro_expanded_macro_exports_accessed_by_absolute_paths, reason = "ticklog's macros need it")]

mod fastrace_spans;
mod lttng;
mod ringtrace_probe;
mod ticklog_lines;
mod tracing_events;

use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ringtrace_benches::recording::by_hand::stores;
use ringtrace_benches::recording::turns::{BURST, Round, Side, WARM_UP, events_a_round, median, round};
use ringtrace_probe::Session;

/// The result for one library.
pub struct Measured {
    /// Times in ns: one event of the library, one event of our probe, one handwritten record.
    pub ns: [f64; 3],
    /// Time of one event divided by the time of our probe, and by the time of a handwritten record.
    pub ratios: [f64; 2],
    /// A remark on lost events.
    pub note: String,
}

type Measure = fn(usize, &Session) -> Result<Measured, String>;

/// Each library's name, a description of what a call does, and the function that measures it.
const PEERS: &[(&str, &str, Measure)] = &[
    (
        "ringtrace",
        "writes a record into the thread's ring; another thread writes the file",
        ringtrace_probe::measure,
    ),
    (
        "ticklog",
        "encodes a record into the thread's ring; another thread adds the time and formats it",
        ticklog_lines::measure,
    ),
    ("fastrace", "begins and ends a span without properties, in a local tree", fastrace_spans::measure),
    ("tracing, no-op", "calls a subscriber that does nothing", tracing_events::measure_nothing),
    (
        "tracing, empty layer",
        "calls a layer with a filter, under `registry`; both do nothing",
        tracing_events::measure_empty_layer,
    ),
    (
        "tracing, ringtrace",
        "like ringtrace, through `ringtrace_tracing::init`",
        ringtrace_probe::measure_subscriber,
    ),
    (
        "tracing, ringtrace layer",
        "like ringtrace, through `ringtrace_tracing::layer`",
        ringtrace_probe::measure_layer,
    ),
    (
        "tracing, ringtrace layer in a span",
        "the same, while the thread is in a span",
        ringtrace_probe::measure_layer_in_a_span,
    ),
    ("tracing, ringtrace off", "nothing: the event is off", ringtrace_probe::measure_off),
    (
        "tracing, ringtrace span",
        "a span with two fields: begin, enter, exit and end",
        ringtrace_probe::measure_span,
    ),
    (
        "tracing, ringtrace layer, span",
        "the same, through `ringtrace_tracing::layer`",
        ringtrace_probe::measure_layer_span,
    ),
    ("tracing, fmt", "formats a line and writes it to /dev/null", tracing_events::measure_null),
    (
        "tracing, tracing-appender",
        "formats a line and sends it to a writer thread",
        tracing_events::measure_lines,
    ),
    ("log, ringtrace", "formats the message into the thread's ring", ringtrace_probe::measure_log),
    ("LTTng-UST", "writes a record into the core's ring; a daemon writes a file", lttng::measure),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let rounds = match arguments.next().map(|rounds| rounds.parse()) {
        None => 11,
        Some(Ok(rounds)) if rounds > 0 => rounds,
        _ => {
            eprintln!("usage: cargo xtask bench --peers [ROUNDS] [PEER]");
            return ExitCode::from(2);
        }
    };
    let wanted = arguments.next();
    if arguments.next().as_deref() != Some(CHILD) {
        return run_all(rounds, wanted.as_deref());
    }
    if let Err(error) = stores::provide() {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    let session = match Session::start() {
        Ok(session) => session,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    for (name, does, measure) in PEERS.iter().filter(|(name, ..)| wanted.as_deref() == Some(name)) {
        match measure(rounds, &session) {
            Ok(Measured { ns: [theirs, ours, by_hand], ratios: [of_ours, of_hand], note }) => {
                println!(
                    "| {name} | {theirs:.1} | {ours:.1} | {of_ours:.2} | {by_hand:.1} | {of_hand:.2} | {does} | {note} |"
                );
            }
            Err(why) => println!("| {name} | | | | | | {does} | not measured: {why} |"),
        }
    }
    ExitCode::SUCCESS
}

/// The argument of a process that measures one library.
const CHILD: &str = "child";

/// Measures each library, or only `wanted`, in a process of its own, because a process has only one
/// default subscriber and one logger.
fn run_all(rounds: usize, wanted: Option<&str>) -> ExitCode {
    println!(
        "| peer | ns | our probe | ratio | by hand | ratio | what a call does | what happened to the events |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |");
    let Ok(program) = std::env::current_exe() else { return ExitCode::FAILURE };
    for (name, ..) in PEERS.iter().filter(|(name, ..)| wanted.is_none_or(|wanted| wanted == *name)) {
        let child = Command::new(&program).args([&rounds.to_string(), *name, CHILD]).status();
        if !child.is_ok_and(|status| status.success()) {
            return ExitCode::FAILURE;
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
    let mut settle = || {
        issued += BURST + WARM_UP;
        settle(issued);
    };
    let (mut with_ours, mut with_hand) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        with_hand.push(round(
            &mut Side { emit: &mut emit, settle: &mut settle },
            &mut Side { emit: &mut stores::clock_and_stores, settle: &mut || {} },
        ));
        with_ours.push(round(
            &mut Side { emit: &mut emit, settle: &mut settle },
            &mut Side { emit: &mut ringtrace_probe::own, settle: &mut || _ = ringtrace::flush() },
        ));
    }
    let of = |rounds: &[Round], value: fn(&Round) -> f64| median(rounds.iter().map(value).collect());
    let theirs = |round: &Round| round.theirs_ns;
    Measured {
        ns: [of(&with_hand, |round| round.ours_ns), of(&with_ours, theirs), of(&with_hand, theirs)],
        ratios: [of(&with_ours, |round| round.ratio), of(&with_hand, |round| round.ratio)],
        note: note(2 * rounds as u64 * events_a_round()),
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
