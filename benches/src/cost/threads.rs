//! Two threads that emit at the same time, compared with each thread alone.

use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use ringtrace_benches::recording::cores;
use ringtrace_benches::recording::stopwatch::time_ns;
use ringtrace_benches::recording::turns::{BURST, WARM_UP, median};

use crate::probes;
use crate::recorder::{Recorder, RecorderOptions, TWO_BYTES, flush};

const BURSTS_A_ROUND: usize = 100;

/// The threads that take part in a burst.
#[derive(Clone, Copy)]
enum Turn {
    First,
    Second,
    Both,
}

const TURNS: [Turn; 3] = [Turn::First, Turn::Second, Turn::Both];

/// Measures bursts of one thread, of the other thread, and of both.
///
/// # Errors
/// Fails if an event was lost.
pub fn turns(rounds: usize) -> Result<(), String> {
    let cores = cores::usable();
    let [first, second, ..] = cores[..] else {
        println!("skipped there is only one core");
        return Ok(());
    };
    cores::stay_on(first)?;
    let mut recorder = Recorder::start(&RecorderOptions::default())?;
    probes::two(1);
    let (barrier, second_ns) = (Barrier::new(2), AtomicU64::new(0));
    let bursts = rounds * BURSTS_A_ROUND;
    let counts = thread::scope(|scope| {
        let other = scope.spawn(|| {
            let stays = cores::stay_on(second);
            probes::two(1);
            barrier.wait();
            for turn in (0..bursts).flat_map(|_| TURNS) {
                barrier.wait();
                if !matches!(turn, Turn::First) {
                    second_ns.store(burst_ns().to_bits(), Ordering::Release);
                }
                barrier.wait();
            }
            barrier.wait();
            stays
        });
        barrier.wait();
        let started = recorder.start_counting();
        for _ in 0..rounds {
            round(&barrier, &second_ns);
        }
        // Count before the thread exits, because it writes metadata on exit.
        let counts = recorder.counts();
        barrier.wait();
        let stayed = other.join().unwrap_or_else(|_| Err("the second thread panicked".to_owned()));
        started.and(stayed)?;
        counts
    })?;
    recorder.stop();
    let issued = bursts as u64 * 4 * (BURST + WARM_UP);
    counts.are_all(issued, TWO_BYTES)?;
    println!("note {issued} events, all recorded");
    Ok(())
}

/// Measures one round, and prints the times of the slower thread.
fn round(barrier: &Barrier, second_ns: &AtomicU64) {
    let mut alone_ns = Vec::new();
    let mut both_ns = Vec::new();
    let mut ratios = Vec::new();
    for _ in 0..BURSTS_A_ROUND {
        let [[first, _], [_, second], [first_of_both, second_of_both]] = TURNS.map(|turn| {
            barrier.wait();
            let mine = if matches!(turn, Turn::Second) { 0.0 } else { burst_ns() };
            barrier.wait();
            flush();
            [mine, f64::from_bits(second_ns.load(Ordering::Acquire))]
        });
        alone_ns.push(first.max(second));
        both_ns.push(first_of_both.max(second_of_both));
        ratios.push((first_of_both / first).max(second_of_both / second));
    }
    println!("round {:.4} {:.4} {:.4}", median(both_ns), median(alone_ns), median(ratios));
}

fn burst_ns() -> f64 {
    probes::two(WARM_UP);
    time_ns(|| probes::two(BURST)) / BURST as f64
}
