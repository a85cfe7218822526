//! Spans nested in other spans. For example, a get that waits for a read takes at least as long as
//! the read.

use ringtrace_tracefile::statistics::Sketch;

/// Number of ended spans that are remembered for each thread.
const REMEMBERED: usize = 32;
const THREADS: usize = 64;

/// The time spent in each pair's spans, with and without nested spans of other pairs.
#[derive(Debug)]
pub(super) struct Nesting {
    threads: Vec<Thread>,
    pub(super) pairs: Vec<OwnTime>,
}

/// The time spent in a pair's spans, excluding the longest inner span of another pair in each of
/// them.
#[derive(Debug)]
pub(super) struct OwnTime {
    pub(super) latencies: Sketch,
    /// Nanoseconds spent in spans of each other pair.
    pub(super) inner_ns: Vec<f64>,
}

#[derive(Debug, Clone)]
struct Thread {
    thread: u32,
    ended: [EndedSpan; REMEMBERED],
    next: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct EndedSpan {
    pair: usize,
    begin_ns: u64,
    end_ns: u64,
}

impl Nesting {
    pub(super) fn new(pairs: usize) -> Nesting {
        let own = || OwnTime { latencies: Sketch::default(), inner_ns: vec![0.0; pairs] };
        let thread = Thread { thread: 0, ended: [EndedSpan::default(); REMEMBERED], next: 0 };
        // With only one pair, there are no inner spans of another pair.
        let threads = if pairs > 1 { vec![thread; THREADS] } else { Vec::new() };
        Nesting { threads, pairs: (0..pairs).map(|_| own()).collect() }
    }

    pub(super) fn end(&mut self, thread: u32, pair: usize, begin_ns: u64, end_ns: u64) {
        let threads = self.threads.len();
        let Some(of_thread) = self.threads.get_mut(thread as usize % threads.max(1)) else { return };
        if of_thread.thread != thread {
            *of_thread = Thread { thread, ended: [EndedSpan::default(); REMEMBERED], next: 0 };
        }
        let within =
            |inner: &&EndedSpan| inner.pair != pair && inner.begin_ns >= begin_ns && inner.end_ns <= end_ns;
        let longest = of_thread.ended.iter().filter(within).max_by_key(|inner| inner.end_ns - inner.begin_ns);
        let own = &mut self.pairs[pair];
        let inner_ns = longest.map_or(0, |inner| inner.end_ns - inner.begin_ns);
        own.latencies.add(end_ns - begin_ns - inner_ns);
        if let Some(inner) = longest {
            own.inner_ns[inner.pair] += inner_ns as f64;
        }
        of_thread.ended[of_thread.next] = EndedSpan { pair, begin_ns, end_ns };
        of_thread.next = (of_thread.next + 1) % REMEMBERED;
    }
}
