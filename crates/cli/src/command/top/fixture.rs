//! Test samples of a fictitious engine, one for each second.

use std::time::Duration;

use super::action::Action;
use super::app::{App, Step};
use super::history::{LastMinute, TimeBuckets, WholeTrace};
use super::order::{Filter, SortOrder};
use super::sample::{EventSample, EventState, Ring, Sample, TraceState};
use super::sampler::Update;

pub const SECOND_NS: u64 = 1_000_000_000;

/// The events of the engine: name, state, records per second, events lost per second.
pub const EVENTS: &[(&str, EventState, u64, u64)] = &[
    ("blk_submit", EventState::Enabled, 12_400, 0),
    ("blk_complete", EventState::Enabled, 12_390, 3),
    ("cache_hit", EventState::Enabled, 3_200, 0),
    ("cache_miss", EventState::Enabled, 812, 0),
    ("journal_append", EventState::Enabled, 45, 0),
    ("blk_retry", EventState::Enabled, 0, 0),
    ("checkpoint_begin", EventState::Disabled, 0, 0),
    ("checkpoint_end", EventState::Disabled, 0, 0),
    ("journal_debug_dump_of_every_single_block_that_is_replayed", EventState::Disabled, 0, 0),
    ("store_open", EventState::Unavailable, 0, 0),
];

/// Returns the engine's sample after `second` seconds.
pub fn engine(second: u64) -> Sample {
    let of = |per_s: u64| per_s * second;
    Sample {
        time_ns: (1000 + second) * SECOND_NS,
        program: "engine".to_owned(),
        pid: Some(4711),
        state: TraceState::On,
        backends: vec!["simple".to_owned()],
        policy: Some("discard".to_owned()),
        file: Some("/var/tmp/engine/traces/engine.trace".to_owned()),
        file_bytes: 4096 + of(1_300_000),
        recorded: EVENTS.iter().map(|event| of(event.2)).sum(),
        dropped: EVENTS.iter().map(|event| of(event.3)).sum(),
        rings: [("worker-1", 640 << 10), ("worker-2", 90 << 10), ("main", 0)]
            .into_iter()
            .enumerate()
            .map(|(index, (name, used_bytes))| Ring {
                tid: 4712 + index as u32,
                name: name.to_owned(),
                used_bytes,
                size_bytes: 1 << 20,
            })
            .collect(),
        events: EVENTS
            .iter()
            .map(|&(name, state, recorded, dropped)| EventSample {
                name: name.to_owned(),
                group: name.split('_').next().unwrap_or_default().to_owned(),
                state: Some(state),
                recorded: Some(of(recorded)),
                dropped: Some(of(dropped)),
                histories: None,
            })
            .collect(),
        complete: true,
        ..Sample::default()
    }
}

/// Returns a sample of a trace of `seconds`, with one event whose rate rises and one whose rate
/// falls.
pub fn trace(seconds: u64, state: TraceState) -> Sample {
    let mut pieces = TimeBuckets::new(0);
    while pieces.at(seconds * SECOND_NS).is_none() {
        pieces.double();
    }
    let event = |name: &str, happens: fn(u64) -> u64| {
        let (mut minute, mut whole, mut recorded) = (LastMinute::default(), WholeTrace::default(), 0);
        for tick in 0..seconds * 10 {
            for _ in 0..happens(tick) {
                let time_ns = tick * SECOND_NS / 10;
                minute.count(time_ns);
                whole.count(pieces.at(time_ns).unwrap());
                recorded += 1;
            }
        }
        EventSample {
            name: name.to_owned(),
            recorded: Some(recorded),
            histories: Some(Box::new((minute, whole))),
            ..EventSample::default()
        }
    };
    let events =
        vec![event("rises", |tick| tick / 20), event("falls", |tick| 50_u64.saturating_sub(tick / 20))];
    Sample {
        time_ns: seconds * SECOND_NS,
        program: "engine".to_owned(),
        pid: Some(4711),
        state,
        file: Some("engine.trace".to_owned()),
        file_bytes: seconds << 20,
        recorded: events.iter().filter_map(|event| event.recorded).sum(),
        events,
        complete: true,
        span_ns: Some(seconds * SECOND_NS),
        ..Sample::default()
    }
}

/// Returns an app that has received `samples`, one per second.
pub fn app_after(samples: impl IntoIterator<Item = Sample>) -> App {
    let mut app = App::new(
        "engine.sock".to_owned(),
        Duration::from_secs(1),
        SortOrder::default(),
        Filter::default(),
        false,
    );
    app.fit(17);
    for (second, sample) in samples.into_iter().enumerate() {
        app.tick(Duration::from_secs(second as u64));
        app.take(Update::Sample(Box::new(sample)));
    }
    app
}

/// Executes `actions` and returns the last step.
pub fn act(app: &mut App, actions: impl IntoIterator<Item = Action>) -> Step {
    actions.into_iter().map(|action| app.act(action)).last().unwrap_or(Step::Stay)
}
