//! Lanes, which are tracks of spans that do not overlap.
//!
//! The slices of a track must be nested by time. The span tracker's own lanes guarantee this only
//! if the times of a trace never decrease. The lanes here always guarantee it.

use std::collections::BTreeSet;

use ringtrace_tracefile::key::KeyMap;
use ringtrace_tracefile::pair::SpanId;

use crate::shared::record_types::slot;

#[derive(Default)]
pub(super) struct Lanes {
    tracks: Vec<Track>,
    open: KeyMap<u64, OpenSpan>,
}

#[derive(Default)]
struct Track {
    /// The time from which each lane is free, or `None` while a span is open in it.
    free_from_ns: Vec<Option<u64>>,
    /// The lanes without an open span. There may be few of them among a million lanes.
    closed: BTreeSet<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenSpan {
    pub(super) lane: usize,
    pub(super) begin_ns: u64,
}

impl Lanes {
    /// Assigns a lane to `span`, which begins at `begin_ns`.
    pub(super) fn begin(&mut self, span: &SpanId, begin_ns: u64) -> usize {
        let Track { free_from_ns, closed } = slot(&mut self.tracks, span.track as usize);
        let fits =
            |lane: usize| free_from_ns.get(lane).copied().flatten().is_some_and(|from| from <= begin_ns);
        let proposed = Some(span.lane as usize).filter(|&lane| fits(lane));
        let lane = proposed.or_else(|| closed.iter().copied().find(|&lane| fits(lane)));
        let lane = lane.unwrap_or(free_from_ns.len());
        closed.remove(&lane);
        *slot(free_from_ns, lane) = None;
        self.open.insert(span.number, OpenSpan { lane, begin_ns });
        lane
    }

    pub(super) fn of(&self, span: &SpanId) -> Option<usize> {
        self.open.get(&span.number).map(|open| open.lane)
    }

    /// Ends `span` at `end_ns`, or at its start if that is later. Returns `None` if the span is not
    /// open.
    pub(super) fn end(&mut self, span: &SpanId, end_ns: u64) -> Option<OpenSpan> {
        let open = self.open.remove(&span.number)?;
        let track = &mut self.tracks[span.track as usize];
        track.free_from_ns[open.lane] = Some(end_ns.max(open.begin_ns));
        track.closed.insert(open.lane);
        Some(open)
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;
    use ringtrace_tracefile::pair::SpanId;

    fn span(number: u64, lane: u32) -> SpanId {
        SpanId { pair: 0, number, track: 0, lane, parent: 0 }
    }

    #[test]
    fn a_lane_is_reused_after_its_span_has_ended() {
        let mut lanes = Lanes::default();
        assert_eq!(lanes.begin(&span(1, 0), 10), 0);
        assert_eq!(lanes.begin(&span(2, 1), 20), 1);
        assert_eq!(lanes.end(&span(1, 0), 30).map(|open| (open.lane, open.begin_ns)), Some((0, 10)));
        assert_eq!(lanes.begin(&span(3, 0), 30), 0);
        assert_eq!(lanes.end(&span(7, 0), 30), None);
    }

    #[test]
    fn a_span_that_begins_before_the_last_end_gets_another_lane() {
        let mut lanes = Lanes::default();
        assert_eq!(lanes.begin(&span(1, 0), 100), 0);
        assert!(lanes.end(&span(1, 0), 200).is_some());
        assert_eq!(lanes.begin(&span(2, 0), 150), 1, "it would overlap the first");
        assert_eq!(lanes.begin(&span(3, 1), 200), 0);
        assert_eq!((lanes.of(&span(2, 0)), lanes.of(&span(3, 1))), (Some(1), Some(0)));
    }

    #[test]
    fn a_span_ends_no_earlier_than_it_begins() {
        let mut lanes = Lanes::default();
        lanes.begin(&span(1, 0), 100);
        assert!(lanes.end(&span(1, 0), 50).is_some());
        assert_eq!(lanes.begin(&span(2, 0), 99), 1);
        assert_eq!(lanes.begin(&span(3, 0), 100), 0);
    }
}
