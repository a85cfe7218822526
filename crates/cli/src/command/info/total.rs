//! Totals of several traces.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use ringtrace_tracefile::Causes;
use ringtrace_tracefile::summary::{Count, EventCount, EventName, Span, Summary};

/// The sums over several traces.
#[derive(Debug, Default)]
pub struct Totals {
    pub traces: u64,
    pub damaged: u64,
    /// The number of traces whose events were not counted.
    pub uncounted: u64,
    pub records: u64,
    pub read_bytes: u64,
    pub dropped_records: u64,
    pub dropped_events: u64,
    pub causes: Causes,
    /// Records whose event ids were not counted separately, because there were too many ids.
    pub other_ids: Count,
    pub span: Option<Span>,
    events: BTreeMap<EventName, (Count, bool)>,
}

impl Totals {
    pub fn add(&mut self, summary: &Summary) {
        self.traces += 1;
        self.damaged += u64::from(summary.is_damaged());
        self.uncounted += u64::from(summary.unread.is_some());
        self.records += summary.records;
        self.read_bytes += summary.read_bytes;
        self.dropped_records += summary.dropped.records;
        self.dropped_events = self.dropped_events.saturating_add(summary.dropped.events);
        self.causes += summary.dropped.causes;
        self.other_ids += summary.other_ids;
        self.span = match (self.span, summary.span) {
            (Some(a), Some(b)) => Some(Span {
                smallest_ns: a.smallest_ns.min(b.smallest_ns),
                largest_ns: a.largest_ns.max(b.largest_ns),
            }),
            (a, b) => a.or(b),
        };
        for event in summary.occurred() {
            let (count, declared) = self.events.entry(event.name.clone()).or_default();
            *count += event.count;
            *declared |= event.declared;
        }
    }

    /// Returns all events, those with the most records first.
    pub fn events(&self) -> Vec<EventCount> {
        let event = |(name, (count, declared)): (&EventName, &(Count, bool))| EventCount {
            name: name.clone(),
            count: *count,
            declared: *declared,
        };
        let mut events: Vec<EventCount> = self.events.iter().map(event).collect();
        events.sort_by_key(|event| Reverse(event.count.records));
        events
    }
}
