//! Lanes, which are tracks of spans that do not overlap.
//!
//! The slices of a track must be nested by time. The span tracker's own lanes guarantee this only
//! if the times of a trace never decrease. The lanes here always guarantee it.

use std::collections::HashMap;

use ringtrace_tracefile::pair::SpanId;

use crate::shared::record_types::slot;

#[derive(Default)]
pub(super) struct Lanes {
    tracks: Vec<Vec<Lane>>,
    open: HashMap<u64, OpenSpan>,
}

struct Lane {
    is_open: bool,
    free_from_ns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenSpan {
    pub(super) lane: usize,
    pub(super) begin_ns: u64,
}

impl Lanes {
    /// Assigns a lane to `span`, which begins at `begin_ns`.
    pub(super) fn begin(&mut self, span: &SpanId, begin_ns: u64) -> usize {
        let lanes = slot(&mut self.tracks, span.track as usize);
        let fits = |lane: &Lane| !lane.is_open && lane.free_from_ns <= begin_ns;
        let proposed = span.lane as usize;
        let lane = if lanes.get(proposed).is_some_and(fits) {
            proposed
        } else {
            lanes.iter().position(fits).unwrap_or_else(|| {
                lanes.push(Lane { is_open: false, free_from_ns: 0 });
                lanes.len() - 1
            })
        };
        lanes[lane].is_open = true;
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
        let lane = &mut self.tracks[span.track as usize][open.lane];
        lane.is_open = false;
        lane.free_from_ns = end_ns.max(open.begin_ns);
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
