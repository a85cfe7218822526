//! Checks the request numbers, which are consecutive in each thread. Requests may be missing from
//! the traces only at times when recording was off, according to the traces.

use std::collections::BTreeMap;

use ringtrace_tracefile::metadata::Metadata;
use ringtrace_tracefile::{Entry, Value};

/// The difference between consecutive request numbers in one thread: two threads take alternate
/// numbers.
const STRIDE: u64 = 2;

/// A request in a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Request {
    time_ns: u64,
    number: u64,
}

/// The first and the last request of a range.
type Span = (Request, Request);

/// The requests in the traces so far.
#[derive(Debug, Default)]
pub struct Requests {
    /// Pairs of requests between which other requests are missing.
    gaps: Vec<Span>,
    /// The first and last request of each thread in the current file.
    open: BTreeMap<u32, Span>,
    /// The first and last request of each thread in earlier files.
    closed: BTreeMap<u32, Vec<Span>>,
    /// Times at which recording was switched on (`true`) or off.
    switched: Vec<(u64, bool)>,
}

/// The missing requests.
#[derive(Debug)]
pub struct Missing {
    /// Number of missing requests.
    pub requests: u64,
    pub gaps: usize,
    /// Total time that recording was off, according to the traces.
    pub paused_ns: u64,
    /// Gaps in requests while recording was on, according to the traces.
    pub unexplained: Vec<String>,
}

impl Requests {
    pub fn add(&mut self, entry: &Entry<'_>) {
        if !["blk_submit", "blk_flush_begin"].contains(&&*entry.schema.name) {
            return;
        }
        let (Some(Value::Integer(number)), Some(tid)) = (entry.value(0), entry.tid()) else {
            panic!("a request without a number or a thread");
        };
        let request = Request { time_ns: entry.timestamp_ns, number };
        let (_, last) = self.open.entry(tid).or_insert((request, request));
        if request.number > last.number + STRIDE {
            self.gaps.push((*last, request));
        }
        *last = request;
    }

    /// Marks the end of a file, and adds the pauses that its metadata contains.
    pub fn end_file(&mut self, metadata: &[Metadata]) {
        for (tid, span) in std::mem::take(&mut self.open) {
            self.closed.entry(tid).or_default().push(span);
        }
        self.switched.extend(metadata.iter().filter_map(|piece| match piece {
            Metadata::Paused(time_ns) => Some((*time_ns, false)),
            Metadata::Resumed(time_ns) => Some((*time_ns, true)),
            _ => None,
        }));
    }

    /// Returns the missing requests of all files.
    pub fn missing(mut self) -> Missing {
        for spans in self.closed.values_mut() {
            spans.sort();
            let between = spans.windows(2).map(|pair| (pair[0].1, pair[1].0));
            self.gaps.extend(between.filter(|(last, next)| next.number != last.number + STRIDE));
        }
        self.switched.sort();
        self.switched.dedup();
        let mut pauses: Vec<(u64, u64)> = Vec::new();
        let mut off_since = None;
        for (time_ns, is_on) in self.switched {
            match (is_on, off_since) {
                (false, None) => off_since = Some(time_ns),
                (true, Some(since)) => {
                    pauses.push((since, time_ns));
                    off_since = None;
                }
                _ => {}
            }
        }
        // If recording was still off at the end, the pause explains all gaps up to the last
        // request.
        let last_ns = self.closed.values().flatten().map(|(_, last)| last.time_ns).max().unwrap_or(0);
        pauses.extend(off_since.map(|since| (since, last_ns)));
        let is_explained = |(before, behind): &Span| {
            pauses.iter().any(|(from, to)| *from <= behind.time_ns && before.time_ns <= *to)
        };
        Missing {
            requests: self
                .gaps
                .iter()
                .map(|(before, behind)| (behind.number.wrapping_sub(before.number) / STRIDE).wrapping_sub(1))
                .sum(),
            gaps: self.gaps.len(),
            paused_ns: pauses.iter().map(|(from, to)| to.saturating_sub(*from)).sum(),
            unexplained: self
                .gaps
                .iter()
                .filter(|gap| !is_explained(gap))
                .map(|gap| format!("{gap:?}"))
                .collect(),
        }
    }
}
