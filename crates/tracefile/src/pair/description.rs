//! Which events belong together: what `--pairs FILE` says, and the one description that every teller of a trace uses.

use super::spec::KeySource;

/// Pairs of events and counters, as a file or the command line describes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Description {
    /// What begins and ends.
    pub pairs: Vec<PairDescription>,
    /// Values that go up and down.
    pub counters: Vec<CounterDescription>,
}

/// Something that begins and ends: a request, a phase. What lies between one begin and its end is a *span*.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairDescription {
    /// What people call it: `virtio-blk request`.
    pub name: String,
    /// Any of these events begins a span.
    pub begins: Vec<EventKeys>,
    /// Any of these ends it.
    pub ends: Vec<EventKeys>,
    /// These happen within it.
    pub steps: Vec<EventKeys>,
    /// Spans with the same values of these stand on one track. They are those of the begin.
    pub track: Vec<KeySource>,
}

/// An event, and where its records have the values by which they belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventKeys {
    /// The event's name.
    pub event: String,
    /// In the same order for all events of a pair.
    pub keys: Vec<KeySource>,
}

/// An argument whose value is to be seen over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterDescription {
    /// What people call it.
    pub name: String,
    /// The event that tells the value.
    pub event: String,
    /// The argument that has it.
    pub argument: String,
    /// Records with the same values of these are about the same counter.
    pub track: Vec<KeySource>,
}
