//! The cost of a policy relative to `discard`, while no thread has to wait. Each of the two costs
//! is itself measured relative to four stores.

use ringtrace::Policy;
use ringtrace_benches::recording::by_hand::stores;
use ringtrace_benches::recording::cores;
use ringtrace_benches::recording::turns::{Side, events_a_round, round};

use ringtrace_tracefile::{Input, Options, Reader};

use crate::probes;
use crate::recorder::{Recorder, RecorderOptions, flush, memory_folder};
use crate::turn;

const DISCARD: &str = "discard";

/// Measures `policy` and `discard` alternately.
///
/// # Errors
/// Fails if one of them cannot be measured.
pub fn turns(rounds: usize, policy: &str) -> Result<(), String> {
    for number in 0..rounds {
        let of = |policy| turn::numbers::<2>(&["policy", policy]);
        let ([our_ns, our_ratio], [their_ns, their_ratio]) = if number % 2 == 0 {
            let ours = of(policy)?;
            (ours, of(DISCARD)?)
        } else {
            let theirs = of(DISCARD)?;
            (of(policy)?, theirs)
        };
        println!("round {our_ns:.4} {their_ns:.4} {:.4}", our_ratio / their_ratio);
    }
    println!("note {} events in each run, all recorded or overwritten", events_a_round());
    Ok(())
}

/// Measures one policy, in a process of its own.
///
/// # Errors
/// Fails if the policy lost events that it should have kept.
pub fn turn(policy: &str) -> Result<(), String> {
    let policy = match policy {
        DISCARD => Policy::Discard,
        "block" => Policy::Block { timeout: None },
        "overwrite" => Policy::Overwrite,
        _ => return Err(format!("unknown policy `{policy}`")),
    };
    stores::provide().map_err(|error| error.to_string())?;
    cores::usable().first().map_or(Ok(()), |&core| cores::stay_on(core))?;
    // A flight recorder writes its file at the end, so the events are counted in the file.
    let folder = tempfile::Builder::new().prefix("ringtrace-bench-").tempdir_in(memory_folder());
    let file = folder.as_ref().map_err(ToString::to_string)?.path().join("trace");
    let recorder =
        Recorder::start(&RecorderOptions { file: file.clone(), policy, ..RecorderOptions::default() })?;
    let round = round(
        &mut Side { emit: &mut probes::two, settle: &mut flush },
        &mut Side { emit: &mut stores::clock_and_stores, settle: &mut || {} },
    );
    recorder.stop();
    let input = Input::open(&file).map_err(|error| error.to_string())?;
    let mut reader = Reader::new("trace", input, &Options::default()).map_err(|error| error.to_string())?;
    let summary = reader.summarize(false);
    let (recorded, overwritten) =
        (summary.records - summary.dropped.records, summary.dropped.causes.overwritten);
    let lost = summary.dropped.events - overwritten;
    let kept = overwritten == 0 || policy == Policy::Overwrite;
    if recorded + overwritten != events_a_round() || lost > 0 || !kept {
        return Err(format!(
            "{} events were emitted: {recorded} recorded, {overwritten} overwritten, {lost} lost in other ways",
            events_a_round()
        ));
    }
    println!("{} {}", round.ours_ns, round.ratio);
    Ok(())
}
