//! The cases. Each is a function that measures and prints the results.

use std::ffi::CStr;
use std::hint::black_box;

use ringtrace::{Clock, Policy};
use ringtrace_benches::recording::by_hand::{stores, wrap};
use ringtrace_benches::recording::cores;
use ringtrace_benches::recording::in_c::{self, Unmeasured};
use ringtrace_benches::recording::turns::{Round, Side, events_a_round, round};
use ringtrace_benches::recording::work::Chain;

use crate::control::{self, Program};
use crate::recorder::{Recorder, RecorderOptions, STRING_BYTES, TWO_BYTES, flush};
use crate::sustained::{Measure, Output};
use crate::{original, policies, probes, start, sustained, threads};

/// A name, and a function that measures the given number of rounds.
type Case = (&'static str, fn(usize) -> Result<(), String>);

pub const CASES: &[Case] = &[
    ("off", |rounds| unrecorded(rounds, probes::off, stores::nothing, Figure::AddedNs)),
    ("off-eight", |rounds| {
        unrecorded(rounds, probes::eight_times_off, stores::eight_times_nothing, Figure::AddedNsOfEight)
    }),
    ("two", |rounds| alone(rounds, Clock::Exact, &mut probes::two, &mut stores::clock_and_stores, TWO_BYTES)),
    ("two-writer", writer_runs),
    ("coarse", |rounds| alone(rounds, Clock::Coarse, &mut probes::two, &mut stores::stores, TWO_BYTES)),
    ("gettime", |rounds| {
        alone(rounds, Clock::Gettime, &mut probes::two, &mut stores::clock_and_stores, TWO_BYTES)
    }),
    ("string", |rounds| {
        alone(
            rounds,
            Clock::Exact,
            // As in a real program, the length is not known at compile time.
            &mut |n| probes::string(n, black_box(TEXT.to_bytes())),
            &mut |n| {
                stores::clock_and_string(n, black_box(TEXT.to_bytes()));
            },
            STRING_BYTES + TEXT.to_bytes().len() as u64,
        )
    }),
    ("work", |rounds| beside_work(rounds, Clock::Exact, stores::work)),
    ("work-coarse", |rounds| beside_work(rounds, Clock::Coarse, stores::work)),
    ("work-clock", |rounds| beside_work(rounds, Clock::Exact, stores::work_and_clock)),
    ("clock-by-hand", |rounds| beside_work_by_hand(rounds, stores::work_and_clock)),
    ("work-by-hand", |rounds| beside_work_by_hand(rounds, stores::work_and_stores)),
    ("threads", threads::turns),
    ("block", |rounds| policies::turns(rounds, "block")),
    ("overwrite", |rounds| policies::turns(rounds, "overwrite")),
    ("sustain-null", |rounds| sustained::turns(rounds, Output::Null, Measure::Time)),
    ("sustain-file", |rounds| sustained::turns(rounds, Output::File, Measure::Time)),
    ("sustain-compact", |rounds| sustained::turns(rounds, Output::Compact, Measure::Time)),
    ("sustain-zstd", |rounds| sustained::turns(rounds, Output::Compressed, Measure::Time)),
    ("cpu-null", |rounds| sustained::turns(rounds, Output::Null, Measure::Cpu)),
    ("cpu-file", |rounds| sustained::turns(rounds, Output::File, Measure::Cpu)),
    ("cpu-compact", |rounds| sustained::turns(rounds, Output::Compact, Measure::Cpu)),
    ("cpu-zstd", |rounds| sustained::turns(rounds, Output::Compressed, Measure::Cpu)),
    ("skip", |rounds| {
        wrap::provide().map_err(|error| error.to_string())?;
        unrecorded(rounds, wrap::skipping, wrap::twice, Figure::Ratio)
    }),
    ("in-c-off", |rounds| unrecorded(rounds, in_c::off, probes::off, Figure::AddedNs)),
    ("in-c-two", |rounds| side_by_side(rounds, &mut in_c::two, &mut probes::two, TWO_BYTES)),
    ("in-c-string", |rounds| {
        let bytes = STRING_BYTES + TEXT.to_bytes().len() as u64;
        side_by_side(
            rounds,
            &mut |n| in_c::string(n, TEXT),
            &mut |n| probes::c_string(n, Unmeasured::new(TEXT)),
            bytes,
        )
    }),
    ("control-switch", |rounds| control::switch(rounds, Program::Rust)),
    ("control-text", |rounds| control::switch(rounds, Program::Text)),
    ("control-c", |rounds| control::switch(rounds, Program::C)),
    ("control-status", control::ask),
    ("start", |rounds| start::turns(rounds, false)),
    ("start-many", |rounds| start::turns(rounds, true)),
    ("c-two", |rounds| original::limit(rounds, 1, "two", stores::clock_and_stores)),
    ("c-coarse", |rounds| original::limit(rounds, 0, "two", stores::stores)),
    ("c-string", |rounds| {
        original::limit(rounds, 1, "str", |n| stores::clock_and_string(n, TEXT.to_bytes()))
    }),
    ("c-sustain", original::sustain),
];

/// The recorded string: 32 bytes.
const TEXT: &CStr = c"0123456789abcdef0123456789abcdef";

/// Duration of the work between two events.
const WORK_NS: f64 = 40.0;

/// Which figure to print.
#[derive(Clone, Copy)]
enum Figure {
    Ratio,
    AddedNs,
    /// The added time per event, if each iteration emits eight events.
    AddedNsOfEight,
}

impl Figure {
    fn print(self, round: Round) {
        let Round { ours_ns, theirs_ns, ratio, added_ns } = round;
        let (ours, theirs, figure) = match self {
            Figure::Ratio => (ours_ns, theirs_ns, ratio),
            Figure::AddedNs => (ours_ns, theirs_ns, added_ns),
            Figure::AddedNsOfEight => (ours_ns / 8.0, theirs_ns / 8.0, added_ns / 8.0),
        };
        println!("round {ours:.4} {theirs:.4} {figure:.4}");
    }
}

/// Gives this thread a buffer for the handwritten code, and pins the thread to a core.
fn prepare(cores: &[usize]) -> Result<(), String> {
    stores::provide().map_err(|error| error.to_string())?;
    cores.first().map_or(Ok(()), |&core| cores::stay_on(core))
}

fn unrecorded(rounds: usize, ours: fn(u64), theirs: fn(u64), figure: Figure) -> Result<(), String> {
    prepare(&cores::usable())?;
    for _ in 0..rounds {
        figure.print(round(
            &mut Side { emit: &mut { ours }, settle: &mut || {} },
            &mut Side { emit: &mut { theirs }, settle: &mut || {} },
        ));
    }
    Ok(())
}

/// Measures recording while the writer thread sleeps. The writer thread runs on the same core, and
/// only between bursts, when it empties the ring.
fn alone(
    rounds: usize,
    clock: Clock,
    ours: &mut dyn FnMut(u64),
    theirs: &mut dyn FnMut(u64),
    record_bytes: u64,
) -> Result<(), String> {
    prepare(&cores::usable())?;
    let mut recorder = Recorder::start(&RecorderOptions { clock, ..RecorderOptions::default() })?;
    ours(1);
    recorder.start_counting()?;
    for _ in 0..rounds {
        Figure::Ratio.print(round(
            &mut Side { emit: ours, settle: &mut flush },
            &mut Side { emit: theirs, settle: &mut || {} },
        ));
    }
    recorder.all_recorded(rounds as u64 * events_a_round(), record_bytes)
}

/// Like [`alone`], but the other side records events, too.
fn side_by_side(
    rounds: usize,
    ours: &mut dyn FnMut(u64),
    theirs: &mut dyn FnMut(u64),
    record_bytes: u64,
) -> Result<(), String> {
    prepare(&cores::usable())?;
    in_c::register();
    let mut recorder = Recorder::start(&RecorderOptions::default())?;
    ours(1);
    theirs(1);
    recorder.start_counting()?;
    for _ in 0..rounds {
        Figure::Ratio.print(round(
            &mut Side { emit: ours, settle: &mut flush },
            &mut Side { emit: theirs, settle: &mut flush },
        ));
    }
    recorder.all_recorded(2 * rounds as u64 * events_a_round(), record_bytes)
}

/// Measures recording while the writer thread runs on another core.
fn writer_runs(rounds: usize) -> Result<(), String> {
    let cores = cores::usable();
    if cores.len() < 2 {
        println!("skipped there is only one core");
        return Ok(());
    }
    stores::provide().map_err(|error| error.to_string())?;
    // The writer thread inherits the core of the thread that starts it.
    cores::stay_on(cores[1])?;
    // With this policy, a slow writer thread shows as waiting time. Dropped events would show as
    // less work.
    let policy = Policy::Block { timeout: None };
    let mut recorder =
        Recorder::start(&RecorderOptions { policy, buffer_bytes: 1 << 20, ..RecorderOptions::default() })?;
    cores::stay_on(cores[0])?;
    probes::two(1);
    recorder.start_counting()?;
    for _ in 0..rounds {
        Figure::Ratio.print(round(
            // No flush is needed: the ring wakes the writer thread, which keeps up.
            &mut Side { emit: &mut probes::two, settle: &mut || {} },
            &mut Side { emit: &mut stores::clock_and_stores, settle: &mut || {} },
        ));
    }
    recorder.all_recorded(rounds as u64 * events_a_round(), TWO_BYTES)
}

/// The work of one iteration, which may emit an event.
type Work = fn(u64, Chain);

fn beside_work(rounds: usize, clock: Clock, against: Work) -> Result<(), String> {
    prepare(&cores::usable())?;
    let mut recorder = Recorder::start(&RecorderOptions { clock, ..RecorderOptions::default() })?;
    probes::two(1);
    recorder.start_counting()?;
    added(rounds, probes::work_and_two, against, &mut flush);
    recorder.all_recorded(rounds as u64 * events_a_round(), TWO_BYTES)
}

fn beside_work_by_hand(rounds: usize, ours: Work) -> Result<(), String> {
    prepare(&cores::usable())?;
    added(rounds, ours, stores::work, &mut || {});
    Ok(())
}

/// Measures how much longer `ours` takes than `theirs`.
fn added(rounds: usize, ours: Work, theirs: Work, settle: &mut dyn FnMut()) {
    let chain = Chain::of_ns(WORK_NS);
    for _ in 0..rounds {
        Figure::AddedNs.print(round(
            &mut Side { emit: &mut |events| ours(events, chain), settle },
            &mut Side { emit: &mut |events| theirs(events, chain), settle: &mut || {} },
        ));
    }
}
