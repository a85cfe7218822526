//! Samples for tests: a made-up engine, second by second.

use std::time::Duration;

use super::action::Action;
use super::app::{Look, Step};
use super::history::{Minute, Pieces, Whole};
use super::order::{Filter, Sort};
use super::sample::{EventSample, Recording, Ring, Sample, State};
use super::sampler::News;

/// A second.
pub const SECOND_NS: u64 = 1_000_000_000;

/// The events of the engine: name, state, records a second, events lost a second.
pub const EVENTS: &[(&str, State, u64, u64)] = &[
    ("blk_submit", State::Enabled, 12_400, 0),
    ("blk_complete", State::Enabled, 12_390, 3),
    ("cache_hit", State::Enabled, 3_200, 0),
    ("cache_miss", State::Enabled, 812, 0),
    ("journal_append", State::Enabled, 45, 0),
    ("blk_retry", State::Enabled, 0, 0),
    ("checkpoint_begin", State::Disabled, 0, 0),
    ("checkpoint_end", State::Disabled, 0, 0),
    ("journal_debug_dump_of_every_single_block_that_is_replayed", State::Disabled, 0, 0),
    ("store_open", State::Unavailable, 0, 0),
];

/// What the engine tells after so many seconds.
pub fn engine(second: u64) -> Sample {
    let of = |per_s: u64| per_s * second;
    Sample {
        time_ns: (1000 + second) * SECOND_NS,
        program: "engine".to_owned(),
        pid: Some(4711),
        state: Recording::On,
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
                curves: None,
            })
            .collect(),
        complete: true,
        ..Sample::default()
    }
}

/// What a trace of so many seconds tells, in which two events take turns.
pub fn trace(seconds: u64, state: Recording) -> Sample {
    let mut pieces = Pieces::new(0);
    while pieces.at(seconds * SECOND_NS).is_none() {
        pieces.double();
    }
    let event = |name: &str, happens: fn(u64) -> u64| {
        let (mut minute, mut whole, mut recorded) = (Minute::default(), Whole::default(), 0);
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
            curves: Some(Box::new((minute, whole))),
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

/// Somebody who looks at what `samples` tell, one a second.
pub fn look_at(samples: impl IntoIterator<Item = Sample>) -> Look {
    let mut look = Look::new(
        "engine.sock".to_owned(),
        Duration::from_secs(1),
        Sort::default(),
        Filter::default(),
        false,
    );
    look.fit(17);
    for (second, sample) in samples.into_iter().enumerate() {
        look.tick(Duration::from_secs(second as u64));
        look.take(News::Sample(Box::new(sample)));
    }
    look
}

/// Does all of `actions`, and gives what is to be done outside after the last one.
pub fn act(look: &mut Look, actions: impl IntoIterator<Item = Action>) -> Step {
    actions.into_iter().map(|action| look.act(action)).last().unwrap_or(Step::Stay)
}
