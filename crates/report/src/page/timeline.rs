//! The timeline: a static drawing, and the data that the script needs to make it interactive.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use ringtrace_tracefile::Pause;
use serde::Serialize;

use super::context::Context;
use super::events;
use super::packed::{self, folded_series};
use super::svg;
use crate::collect::{Counts, DrawnSpan, MAX_DRAWN, PairSpans};
use crate::html::{shorten, text};
use ringtrace_display::quantity;

const EVENT_BYTES: usize = 450 << 10;

const THREAD_BYTES: usize = 120 << 10;
const COUNTER_BYTES: usize = 60 << 10;

/// A series may take this many bytes even if its fair share is smaller, but then at most 1/16 of
/// the remaining space.
const SERIES_BYTES: usize = 4 << 10;

/// Maximum number of spans without an end that are drawn.
const MAX_OPEN: usize = 500;

const MAX_PAUSES: usize = 1000;

const MAX_TRACKS: usize = 300;

/// Maximum number of threads, and of events, in the static drawing.
const STATIC_ROWS: usize = 8;

const STATIC_COLUMNS: usize = 200;

const MAX_CHARACTERS: usize = 300;

/// Number of characters at the end of a name that remain visible if the name is too wide.
const TAIL_CHARACTERS: usize = 20;

pub(super) fn render(page: &Context<'_>) -> String {
    if !page.has_times() {
        return String::new();
    }
    let mut out = String::from("<div id=lanes class=timeline>\n");
    let bands = pauses(page);
    let all = svg::fold(&all_events(page), STATIC_COLUMNS);
    let folded = |buckets: &[u32]| svg::fold(page.buckets(buckets), STATIC_COLUMNS);
    push_row("All events", page.collector.event_count(), &all, "", &bands, &mut out);
    let losses = &page.collector.losses;
    if losses.dropped.records > 0 {
        push_row(
            "Lost events",
            losses.dropped.events,
            &svg::fold(page.buckets(&losses.buckets), STATIC_COLUMNS),
            "lost",
            &bands,
            &mut out,
        );
    }
    for (thread, count) in threads(page).into_iter().take(STATIC_ROWS) {
        push_row(&thread, count.count, &folded(&count.buckets), "", &bands, &mut out);
    }
    for at in events::order(page).into_iter().take(STATIC_ROWS) {
        let (name, count) = &page.collector.events[at];
        push_row(name, count.count, &folded(&count.buckets), "", &bands, &mut out);
    }
    let _ = write!(out, "<p class=hint>From 0 s to {}.</p>\n</div>\n", page.moment(page.span.largest_ns));
    out
}

fn push_row(name: &str, count: u64, values: &[u64], class: &str, bands: &[(f64, f64)], out: &mut String) {
    let name = shorten(name, MAX_CHARACTERS);
    let (head, tail) = parts(&name);
    let _ = writeln!(
        out,
        "<div class=\"lane {class}\"><div class=name title=\"{}\"><span><i>{}</i><i>{}</i></span><b>{}</b></div><div class=plot>{}</div></div>",
        text(&name),
        text(head),
        text(tail),
        quantity::count(count),
        svg::area(values, 24, bands)
    );
}

/// Splits a name. If it is too wide, the end of the first part is cut. Neither part begins or ends
/// with a space at the split, because a browser would not show it.
fn parts(name: &str) -> (&str, &str) {
    let count = name.chars().count();
    let place = count - TAIL_CHARACTERS.min(count / 2);
    let at = name.char_indices().nth(place).map_or(name.len(), |(at, _)| at);
    let is_space = |c: Option<char>| c.is_some_and(char::is_whitespace);
    let inside =
        |at: &usize| !is_space(name[..*at].chars().next_back()) && !is_space(name[*at..].chars().next());
    let mut places = name.char_indices().map(|(at, _)| at).rev().filter(|place| *place <= at);
    name.split_at(places.find(inside).unwrap_or(0))
}

/// Returns the pauses as fractions of the time range of all buckets.
fn pauses(page: &Context<'_>) -> Vec<(f64, f64)> {
    let grid = &page.collector.grid;
    let (begin_ns, long_ns) = (grid.begin_ns(0), grid.width_ns() as f64 * page.used_buckets() as f64);
    let part = |ns: u64| (ns.saturating_sub(begin_ns) as f64 / long_ns.max(1.0)).min(1.0);
    let of = |pause: &Pause| (pause.from_ns.map_or(0.0, part), pause.to_ns.map_or(1.0, part));
    page.pauses.iter().take(MAX_PAUSES).map(of).filter(|(from, to)| from < to).collect()
}

fn all_events(page: &Context<'_>) -> Vec<u32> {
    let mut sum = page.buckets(&page.collector.other.buckets).to_vec();
    for (_, count) in &page.collector.events {
        for (sum, count) in sum.iter_mut().zip(page.buckets(&count.buckets)) {
            *sum = sum.saturating_add(*count);
        }
    }
    sum
}

/// Returns the threads by descending count. Empty if there is only one thread, because its row
/// would equal the row of all events.
fn threads<'p>(page: &'p Context<'_>) -> Vec<(String, &'p Counts)> {
    let mut threads: Vec<_> = page.collector.threads.iter().collect();
    if threads.len() < 2 {
        return Vec::new();
    }
    threads.sort_by_key(|(thread, count)| (Reverse(count.count), *thread));
    threads.into_iter().map(|(thread, count)| (page.thread_label(thread), count)).collect()
}

/// The data for the script. Times are nanoseconds from the first record; series are packed.
#[derive(Serialize)]
struct Data {
    ns: u64,
    /// Start of the first bucket, which is never later than the first record.
    first: i64,
    width: u64,
    buckets: usize,
    all: String,
    events: Vec<(usize, String)>,
    threads: Vec<(String, u64, usize, String)>,
    thread_title: &'static str,
    pairs: Vec<String>,
    tracks: Vec<Track>,
    counters: Vec<Counter>,
    lost: String,
    pauses: Vec<(Option<u64>, Option<u64>)>,
}

#[derive(Serialize)]
struct Track {
    name: String,
    pair: usize,
    /// Number of spans in the trace.
    count: u64,
    /// Number of spans that are drawn.
    drawn: usize,
    /// For each span: the nanoseconds since the previous span's start, then twice the span's length
    /// in nanoseconds, plus 1 if the span never ended.
    spans: String,
}

#[derive(Serialize)]
struct Counter {
    name: String,
    count: u64,
    /// The number to add to all levels. It is a string because it can exceed 64 bits.
    smallest: String,
    largest: String,
    /// For each non-empty bucket: the number of empty buckets before it, the largest value, and the
    /// last value.
    levels: String,
}

pub(super) fn data(page: &Context<'_>) -> String {
    let collector = page.collector;
    let grid = &collector.grid;
    let start_ns = page.span.smallest_ns;
    let from_start = |ns: u64| ns.saturating_sub(start_ns);
    let events: Vec<&[u32]> =
        events::order(page).into_iter().map(|at| page.buckets(&collector.events[at].1.buckets)).collect();
    let threads = threads(page);
    let of_threads: Vec<&[u32]> = threads.iter().map(|(_, count)| page.buckets(&count.buckets)).collect();
    let of_threads = within(&of_threads, THREAD_BYTES);
    let data = Data {
        ns: page.span.duration_ns(),
        first: -i64::try_from(start_ns.saturating_sub(grid.begin_ns(0))).unwrap_or(0),
        width: grid.width_ns(),
        buckets: page.used_buckets(),
        all: folded_series(&all_events(page), usize::MAX).1,
        events: within(&events, EVENT_BYTES),
        threads: threads
            .into_iter()
            .zip(of_threads)
            .map(|((name, count), (each, series))| (name, count.count, each, series))
            .collect(),
        thread_title: page.thread_headings().1,
        pairs: collector.tracker().description().pairs.iter().map(|pair| pair.name.clone()).collect(),
        tracks: tracks(page),
        counters: counters(page),
        lost: packed::series(page.buckets(&collector.losses.buckets)),
        pauses: page
            .pauses
            .iter()
            .take(MAX_PAUSES)
            .map(|pause| (pause.from_ns.map(from_start), pause.to_ns.map(from_start)))
            .collect(),
    };
    serde_json::to_string(&data).unwrap_or_else(|_| "null".to_owned())
}

/// Packs all `series` into about `max_bytes`. If the space is too small, the first ones get a
/// higher resolution than the others.
fn within(series: &[&[u32]], max_bytes: usize) -> Vec<(usize, String)> {
    let mut left = max_bytes;
    let mut packed = Vec::with_capacity(series.len());
    for (place, counts) in series.iter().enumerate() {
        let fair = left / (series.len() - place);
        let (each, text) = folded_series(counts, fair.max(SERIES_BYTES.min(left / 16)));
        left = left.saturating_sub(text.len());
        packed.push((each, text));
    }
    packed
}

struct OnTrack {
    pair: usize,
    /// Number of spans that never ended.
    open: u64,
    spans: Vec<(DrawnSpan, bool)>,
}

/// Returns the spans to draw, by track: the longest ones of each pair, and those that never ended.
fn tracks(page: &Context<'_>) -> Vec<Track> {
    let collector = page.collector;
    let drawable: Vec<usize> = collector.spans.iter().map(PairSpans::drawable).collect();
    let mut by_track: BTreeMap<u32, OnTrack> = BTreeMap::new();
    let none = |pair| OnTrack { pair, open: 0, spans: Vec::new() };
    for (pair, (spans, share)) in collector.spans.iter().zip(fair_shares(&drawable, MAX_DRAWN)).enumerate() {
        for span in spans.drawn(share) {
            by_track.entry(span.track).or_insert_with(|| none(pair)).spans.push((span, false));
        }
    }
    for (place, (span, begin)) in collector.tracker().open().enumerate() {
        let on_track = by_track.entry(span.track).or_insert_with(|| none(span.pair));
        on_track.open += 1;
        if place < MAX_OPEN {
            let (begin_ns, end_ns) = (begin.timestamp_ns, page.span.largest_ns.max(begin.timestamp_ns));
            on_track.spans.push((DrawnSpan { begin_ns, end_ns, track: span.track }, true));
        }
    }
    by_track.retain(|_, on_track| !on_track.spans.is_empty());
    let mut tracks: Vec<Track> = by_track
        .into_iter()
        .map(|(number, OnTrack { pair, open, mut spans })| {
            spans.sort_by_key(|(span, _)| (span.begin_ns, span.end_ns));
            let name = collector.tracks().get(number as usize).map_or("", |track| &*track.name);
            let ended = collector.ended.get(number as usize).copied().unwrap_or(0);
            Track {
                name: shorten(name, MAX_CHARACTERS).into_owned(),
                pair,
                count: ended + open,
                drawn: spans.len(),
                spans: packed_spans(&spans, page.span.smallest_ns),
            }
        })
        .collect();
    tracks.sort_by_key(|track| Reverse(track.drawn));
    tracks.truncate(MAX_TRACKS);
    tracks
}

/// Divides `total` among pairs that have `counts` spans. Pairs with few spans get all of them, and the
/// others get equal shares of the rest.
fn fair_shares(counts: &[usize], total: usize) -> Vec<usize> {
    let mut shares = vec![0; counts.len()];
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&pair| counts[pair]);
    let mut left = total;
    for (place, &pair) in order.iter().enumerate() {
        shares[pair] = counts[pair].min(left / (order.len() - place));
        left -= shares[pair];
    }
    shares
}

fn packed_spans(spans: &[(DrawnSpan, bool)], start_ns: u64) -> String {
    let mut packed = String::new();
    let mut previous_ns = start_ns;
    for (span, is_open) in spans {
        packed::push(span.begin_ns.saturating_sub(previous_ns), &mut packed);
        packed::push((span.end_ns - span.begin_ns).saturating_mul(2) | u64::from(*is_open), &mut packed);
        previous_ns = span.begin_ns.max(previous_ns);
    }
    packed
}

fn counters(page: &Context<'_>) -> Vec<Counter> {
    let collector = page.collector;
    let mut counters = Vec::new();
    let mut left = COUNTER_BYTES;
    for (track, values) in collector.counters.iter() {
        let from_smallest = |value: i128| u64::try_from(value - values.smallest).unwrap_or(u64::MAX);
        let mut levels = String::new();
        let mut zeros = 0;
        for level in values.buckets.iter().take(page.used_buckets()) {
            if level.count == 0 {
                zeros += 1;
                continue;
            }
            packed::push(zeros, &mut levels);
            packed::push(from_smallest(level.largest), &mut levels);
            packed::push(from_smallest(level.last), &mut levels);
            zeros = 0;
        }
        let name = collector.tracks().get(track as usize).map_or("", |track| &*track.name);
        let name = shorten(name, MAX_CHARACTERS).into_owned();
        if name.len() + levels.len() > left {
            break;
        }
        left -= name.len() + levels.len();
        counters.push(Counter {
            name,
            count: values.count,
            smallest: values.smallest.to_string(),
            largest: values.largest.to_string(),
            levels,
        });
    }
    counters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_ends() {
        assert_eq!(
            parts("virtio-blk request pid=7751 vdev=0x55c5e829d200"),
            ("virtio-blk request pid=775", "1 vdev=0x55c5e829d200")
        );
        assert_eq!(parts("k0"), ("k", "0"));
        assert_eq!(parts(""), ("", ""));
    }

    #[test]
    fn pairs_share_the_drawn_spans() {
        assert_eq!(fair_shares(&[3800], 5000), [3800]);
        assert_eq!(fair_shares(&[1700, 0, 400, 1700], 5000), [1700, 0, 400, 1700]);
        assert_eq!(fair_shares(&[9000, 100, 9000], 5000), [2450, 100, 2450]);
        assert_eq!(fair_shares(&[1, 1, 1], 2), [0, 1, 1]);
        assert!(fair_shares(&[], 5).is_empty());
    }
}
