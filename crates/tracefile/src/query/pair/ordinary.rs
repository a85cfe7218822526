//! Following ordinary records, most of which simply begin or end a span.

use ringtrace_wire::simpletrace::Record;

use super::open::Open;
use super::open_spans::OpenSpan;
use super::plain::{PlainEvent, PlainRecord, SchemaRole};
use super::span_event::SpanId;
use super::tracker::SpanTracker;
use crate::entry::Entry;
use crate::read::visitor::OrdinaryRecords;

/// A span that an ordinary record has ended.
#[derive(Debug)]
pub struct EndedSpan<'e, 'w> {
    /// The span.
    pub span: SpanId,
    /// The time of the begin record, in nanoseconds of the trace's clock.
    pub begin_ns: u64,
    /// The time of the end record, which can be earlier.
    pub end_ns: u64,
    open: &'e Open<OpenSpan>,
    tracker: &'e SpanTracker,
    records: &'e OrdinaryRecords<'w>,
    end: (&'e Record<'w>, u32),
}

impl<'w> EndedSpan<'_, 'w> {
    /// Passes the begin record, as [`SpanEvent::End`](super::SpanEvent::End) contains it, and the end record to
    /// `visit`.
    pub fn visit_records(&self, visit: impl FnOnce(Entry<'_>, &Entry<'_>)) {
        let (record, schema_index) = self.end;
        let end = self.records.entry(record, schema_index);
        if let Some((begin, _)) = self.tracker.begin_of(self.open, &end) {
            visit(begin, &end);
        }
    }
}

impl SpanTracker {
    /// Does the same as [`SpanTracker::follow`] for `record`, the next one of `records`, if it does nothing but begin
    /// or end one span. Passes the span that ended to `ended`. Otherwise, changes nothing and returns false: the
    /// entry of the record must then be passed to [`SpanTracker::follow`].
    #[inline(always)]
    pub fn follow_ordinary<'w>(
        &mut self,
        records: &OrdinaryRecords<'w>,
        record: &Record<'w>,
        schema_index: u32,
        ended: impl FnOnce(&EndedSpan<'_, 'w>),
    ) -> bool {
        let SchemaRole::Plain(role) = self.role(schema_index) else { return false };
        if !records.schemas().get(schema_index).fits(record.payload) {
            return false;
        }
        match self.follow_plain(role, PlainRecord::next(records, record, schema_index)) {
            None => false,
            Some(PlainEvent::Began) => true,
            Some(PlainEvent::Ended(pair, open)) => {
                let span = open.kept.id(pair);
                let end = (record, schema_index);
                let (begin_ns, end_ns) = (open.begin_ns, record.timestamp_ns);
                ended(&EndedSpan { span, begin_ns, end_ns, open: &open, tracker: self, records, end });
                self.recycle(open);
                true
            }
        }
    }
}
