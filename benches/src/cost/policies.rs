//! What a policy costs while nobody has to wait: against `discard`, both in units of four stores by hand.

use ringtrace::Policy;
use ringtrace_benches::recording::by_hand::stores;
use ringtrace_benches::recording::cores;
use ringtrace_benches::recording::turns::{Side, events_a_round, round};

use crate::probes;
use crate::recorder::{Manner, Recorder, flush};
use crate::turn;

const DISCARD: &str = "discard";

/// Turns of `policy` and of `discard`.
///
/// # Errors
/// When one of them cannot be measured.
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
    println!("said {} events in each turn, all recorded", events_a_round());
    Ok(())
}

/// One turn.
///
/// # Errors
/// When something was lost that the policy does not lose.
pub fn turn(policy: &str) -> Result<(), String> {
    let policy = match policy {
        DISCARD => Policy::Discard,
        "block" => Policy::Block { timeout: None },
        "overwrite" => Policy::Overwrite,
        _ => return Err(format!("there is no policy `{policy}`")),
    };
    stores::provide().map_err(|error| error.to_string())?;
    cores::usable().first().map_or(Ok(()), |&core| cores::stay_on(core))?;
    let recorder = Recorder::start(&Manner { policy, ..Manner::default() })?;
    let round = round(
        &mut Side { emit: &mut probes::two, settle: &mut flush },
        &mut Side { emit: &mut stores::clock_and_stores, settle: &mut || {} },
    );
    let counts = recorder.counts()?;
    recorder.stop();
    let kept = counts.overwritten == 0 || policy == Policy::Overwrite;
    if counts.recorded != events_a_round() || counts.dropped > 0 || !kept {
        return Err(format!("{} events were emitted, and the rings say {counts:?}", events_a_round()));
    }
    println!("{} {}", round.ours_ns, round.ratio);
    Ok(())
}
