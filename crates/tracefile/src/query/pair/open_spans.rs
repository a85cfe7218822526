//! Open spans with their tracks and lanes, and the changes that one record makes to them.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;

use super::binding::KeyPart;
use super::open::Open;
use super::pairing::SpanSink;
use super::plain::PlainRecord;
use super::span_event::{SpanEvent, SpanId};
use super::tracks::{Track, TrackSet, Tracks};
use crate::RecordContext;
use crate::entry::key::KeyMap;
use crate::entry::{Entry, Modules, Schema, Threads, Value};

/// The limit for the stored values of the begin records of all open spans, in bytes. Further begin
/// records are stored without values.
pub const MAX_BEGIN_BYTES: usize = 64 << 20;

/// The limits for the memory of ended spans that is used again: their number, and the size of the values of
/// each.
const MAX_SPARE: usize = 1024;
const MAX_SPARE_BYTES: usize = 512;

/// An open span.
///
/// It is a pointer, because an open span is moved several times until it has ended.
#[derive(Debug)]
pub struct OpenSpan(Box<Span>);

#[derive(Debug, Default)]
struct Span {
    number: u64,
    track: u32,
    lane: u32,
    /// The number of the parent, or 0.
    parent: u64,
    /// The number that the program gave the span, if it is drawn as a tree.
    own: Option<u64>,
    id: u64,
    pid: u32,
    /// The number of the trace.
    trace: u32,
    schema_index: u32,
    threaded: bool,
    /// The default if begin records are not stored.
    record: KeptRecord,
}

#[derive(Debug)]
struct KeptRecord {
    number: u64,
    offset: u64,
    record_bytes: usize,
    version: Version,
    order: ByteOrder,
    scope: u32,
    date_shift_ns: i64,
    payload: Vec<u8>,
}

impl Default for KeptRecord {
    fn default() -> KeptRecord {
        KeptRecord {
            number: 0,
            offset: 0,
            record_bytes: 0,
            version: Version::V4,
            order: ByteOrder::Little,
            scope: 0,
            date_shift_ns: 0,
            payload: Vec::new(),
        }
    }
}

impl KeptRecord {
    /// Stores `payload`, unless it exceeds the limit together with all other payloads, which are `all_bytes`
    /// long. Returns the number of stored bytes.
    #[inline(always)]
    fn keep(&mut self, payload: &[u8], all_bytes: usize) -> usize {
        let payload = if all_bytes + payload.len() <= MAX_BEGIN_BYTES { payload } else { &[] };
        self.payload.clear();
        self.payload.extend_from_slice(payload);
        payload.len()
    }
}

#[derive(Debug)]
pub(super) enum SpanChange {
    Begin(SpanId),
    End(SpanId, Open<OpenSpan>),
    Restarted(SpanId, Open<OpenSpan>),
    Step(SpanId),
    Counter { counter: usize, track: u32, value: i128 },
}

/// Keeps track of open spans, and collects the changes that the current record makes.
#[derive(Debug, Default)]
pub(super) struct OpenSpans {
    pub(super) tracks: Tracks,
    pub(super) track_sets: Vec<TrackSet>,
    /// By pair, then by schema index: the positions, in a begin record, of the values that
    /// distinguish tracks.
    pub(super) track_parts: Vec<Vec<Box<[KeyPart]>>>,
    /// By pair, then by schema index: the positions, in a begin record, of the numbers of the span
    /// and its parent, if the pair is drawn as a tree.
    pub(super) tree_parts: Vec<Vec<Option<[usize; 2]>>>,
    /// The numbers of open spans that are drawn as a tree, by process (see [`process`]) and by the
    /// number that the program gave them.
    tree: KeyMap<[u64; 2], u64>,
    /// The schemas of begin records, by schema index.
    schemas: Vec<Option<Box<Schema>>>,
    pub(super) changes: Vec<SpanChange>,
    pub(super) keeps_begins: bool,
    kept_bytes: usize,
    /// Ended spans. Their memory is reused, because an allocation would cost as much as all other work
    /// for a record.
    spare: Vec<OpenSpan>,
    spans: u64,
    no_threads: Threads,
    no_modules: Modules,
}

impl OpenSpans {
    pub(super) fn new(track_sets: Vec<TrackSet>) -> OpenSpans {
        let track_parts = vec![Vec::new(); track_sets.len()];
        let tree_parts = vec![Vec::new(); track_sets.len()];
        OpenSpans { track_sets, track_parts, tree_parts, ..OpenSpans::default() }
    }

    pub(super) fn keep_schema(&mut self, index: u32, schema: &Schema) {
        let index = index as usize;
        if self.schemas.len() <= index {
            self.schemas.resize(index + 1, None);
        }
        self.schemas[index] = Some(Box::new(schema.clone()));
    }

    /// Drops the changes of the previous record, and recycles its memory.
    #[inline]
    pub(super) fn recycle(&mut self) {
        if self.changes.is_empty() {
            return;
        }
        for change in self.changes.drain(..) {
            if let SpanChange::End(_, Open { kept, .. }) | SpanChange::Restarted(_, Open { kept, .. }) =
                change
            {
                kept.recycle(&mut self.kept_bytes, &mut self.spare);
            }
        }
    }

    /// Keeps the memory of a span that has ended.
    #[inline]
    pub(super) fn recycle_one(&mut self, open: Open<OpenSpan>) {
        open.kept.recycle(&mut self.kept_bytes, &mut self.spare);
    }

    /// Returns the span that `entry` begins.
    #[inline]
    fn open(&mut self, pair: usize, entry: &Entry<'_>) -> OpenSpan {
        let parts = self.track_parts[pair].get(entry.schema_index as usize).map_or(&[][..], |parts| parts);
        let track = self.tracks.find(&mut self.track_sets[pair], parts, entry);
        let mut open = self.open_plain(track, PlainRecord::of(entry));
        let (own, parent) = self.add_to_tree(pair, entry);
        let span = &mut *open.0;
        span.parent = parent;
        span.own = own;
        span.trace = entry.trace;
        if self.keeps_begins {
            let record = &mut span.record;
            record.version = entry.version;
            record.order = entry.order;
            record.scope = entry.scope;
            record.date_shift_ns = entry.date_shift_ns;
        }
        open
    }

    /// Returns the span that `record` begins on `track`.
    #[inline(always)]
    pub(super) fn open_plain(&mut self, track: u32, record: PlainRecord<'_>) -> OpenSpan {
        self.spans += 1;
        let mut open = self.spare.pop().unwrap_or_else(|| OpenSpan(Box::default()));
        let span = &mut *open.0;
        span.number = self.spans;
        span.parent = 0;
        span.own = None;
        span.track = track;
        span.lane = self.tracks.lanes(track).take();
        span.id = record.id;
        span.pid = record.pid;
        span.trace = 0;
        span.schema_index = record.schema_index;
        span.threaded = record.threaded;
        if self.keeps_begins {
            let kept = &mut span.record;
            kept.number = record.number;
            kept.offset = record.offset;
            kept.record_bytes = record.record_bytes;
            kept.version = Version::V4;
            kept.order = ByteOrder::Little;
            kept.scope = 0;
            kept.date_shift_ns = 0;
            self.kept_bytes += kept.keep(record.payload, self.kept_bytes);
        }
        open
    }

    #[inline(always)]
    pub(super) fn free_lane(&mut self, begun: &Open<OpenSpan>) {
        self.tracks.lanes(begun.kept.0.track).release(begun.kept.0.lane);
    }

    #[inline]
    fn leave(&mut self, pair: usize, begun: &Open<OpenSpan>) -> SpanId {
        let span = begun.kept.id(pair);
        self.free_lane(begun);
        if let Some(own) = begun.kept.0.own {
            let key = [process(begun.kept.0.trace, begun.kept.0.pid), own];
            // A restarted span may have been replaced already.
            if self.tree.get(&key) == Some(&span.number) {
                self.tree.remove(&key);
            }
        }
        span
    }

    /// Returns the number that the program gave the span that `entry` begins, and the parent's
    /// number. Adds the span to the tree.
    #[inline]
    fn add_to_tree(&mut self, pair: usize, entry: &Entry<'_>) -> (Option<u64>, u64) {
        let parts = self.tree_parts[pair].get(entry.schema_index as usize).copied().flatten();
        let Some([own, parent]) = parts else { return (None, 0) };
        let (Some(Value::Integer(own)), Some(Value::Integer(parent))) =
            (entry.value(own), entry.value(parent))
        else {
            return (None, 0);
        };
        let process = process(entry.trace, entry.pid);
        let parent = self.tree.get(&[process, parent]).copied().unwrap_or(0);
        self.tree.insert([process, own], self.spans);
        (Some(own), parent)
    }

    /// Returns the record that began `open`, without the parts that were not stored. Thread names
    /// are those of `later`, if it is a record of the same trace.
    #[inline]
    pub(super) fn begin_of<'m>(
        &'m self,
        open: &'m Open<OpenSpan>,
        later: Option<&Entry<'m>>,
    ) -> Option<Entry<'m>> {
        let kept = &*open.kept.0;
        let record = &kept.record;
        let schema = self.schemas.get(kept.schema_index as usize)?.as_deref()?;
        Some(Entry {
            number: record.number,
            offset: record.offset,
            timestamp_ns: open.begin_ns,
            id: kept.id,
            pid: kept.pid,
            schema,
            schema_index: kept.schema_index,
            payload: &record.payload,
            record_bytes: record.record_bytes,
            version: record.version,
            order: record.order,
            threaded: kept.threaded,
            lost: None,
            threads: later
                .filter(|later| later.trace == kept.trace)
                .map_or(&self.no_threads, |later| later.threads),
            context: RecordContext::default(),
            modules: &self.no_modules,
            trace: kept.trace,
            scope: record.scope,
            date_shift_ns: record.date_shift_ns,
        })
    }
}

/// Returns a number that identifies a process. Processes of different traces can have the same id.
fn process(trace: u32, pid: u32) -> u64 {
    u64::from(trace) << 32 | u64::from(pid)
}

impl OpenSpan {
    /// Returns the number of the span.
    #[inline(always)]
    pub(crate) fn number(&self) -> u64 {
        self.0.number
    }

    #[inline(always)]
    pub(crate) fn track(&self) -> u32 {
        self.0.track
    }

    /// Returns the id, the process and the schema index of the begin record. The upper half of the id is that
    /// of a thread, or 0.
    #[inline(always)]
    pub(crate) fn source(&self) -> (u64, u32, u32) {
        let Span { id, pid, schema_index, threaded, .. } = *self.0;
        (if threaded { id } else { id & u64::from(u32::MAX) }, pid, schema_index)
    }

    /// Returns the payload of the begin record, if it was stored.
    #[inline(always)]
    pub(crate) fn payload(&self) -> &[u8] {
        &self.0.record.payload
    }

    pub(crate) fn id(&self, pair: usize) -> SpanId {
        let Span { number, track, lane, parent, .. } = *self.0;
        SpanId { pair, number, track, lane, parent }
    }

    #[inline]
    fn recycle(self, kept_bytes: &mut usize, spare: &mut Vec<OpenSpan>) {
        let payload = &self.0.record.payload;
        *kept_bytes -= payload.len();
        if spare.len() < MAX_SPARE && payload.capacity() <= MAX_SPARE_BYTES {
            spare.push(self);
        }
    }
}

impl SpanSink for OpenSpans {
    type Kept = OpenSpan;

    fn begin(&mut self, pair: usize, entry: &Entry<'_>, restarted: Option<Open<OpenSpan>>) -> OpenSpan {
        if let Some(begun) = restarted {
            let span = self.leave(pair, &begun);
            self.changes.push(SpanChange::Restarted(span, begun));
        }
        let open = self.open(pair, entry);
        self.changes.push(SpanChange::Begin(open.id(pair)));
        open
    }

    fn end(&mut self, pair: usize, begun: Open<OpenSpan>, _: &Entry<'_>) {
        let span = self.leave(pair, &begun);
        self.changes.push(SpanChange::End(span, begun));
    }

    fn step(&mut self, pair: usize, begun: &mut Open<OpenSpan>, _: &Entry<'_>) {
        self.changes.push(SpanChange::Step(begun.kept.id(pair)));
    }
}

/// Passes the events of spans to `visit` until it fails, instead of collecting them.
pub(super) struct Visiting<'s, V, E> {
    pub(super) spans: &'s mut OpenSpans,
    pub(super) visit: V,
    pub(super) result: Result<(), E>,
}

impl<V: FnMut(&SpanEvent<'_>, &[Track]) -> Result<(), E>, E> Visiting<'_, V, E> {
    /// Passes the event for a span that is no longer open.
    #[inline]
    fn ended<'m>(
        &mut self,
        begun: Open<OpenSpan>,
        entry: &Entry<'m>,
        event: impl FnOnce(Entry<'_>) -> SpanEvent<'_>,
    ) {
        if self.result.is_ok()
            && let Some(begin) = self.spans.begin_of(&begun, Some(entry))
        {
            self.result = (self.visit)(&event(begin), self.spans.tracks.list());
        }
        self.spans.recycle_one(begun);
    }

    #[inline]
    fn pass(&mut self, event: &SpanEvent<'_>) {
        if self.result.is_ok() {
            self.result = (self.visit)(event, self.spans.tracks.list());
        }
    }
}

impl<V: FnMut(&SpanEvent<'_>, &[Track]) -> Result<(), E>, E> SpanSink for Visiting<'_, V, E> {
    type Kept = OpenSpan;

    #[inline]
    fn begin(&mut self, pair: usize, entry: &Entry<'_>, restarted: Option<Open<OpenSpan>>) -> OpenSpan {
        if let Some(begun) = restarted {
            let span = self.spans.leave(pair, &begun);
            self.ended(begun, entry, |begin| SpanEvent::Restarted { span, begin });
        }
        let open = self.spans.open(pair, entry);
        self.pass(&SpanEvent::Begin(open.id(pair)));
        open
    }

    #[inline]
    fn end(&mut self, pair: usize, begun: Open<OpenSpan>, entry: &Entry<'_>) {
        let span = self.spans.leave(pair, &begun);
        self.ended(begun, entry, |begin| SpanEvent::End { span, begin });
    }

    fn step(&mut self, pair: usize, begun: &mut Open<OpenSpan>, _: &Entry<'_>) {
        self.pass(&SpanEvent::Step(begun.kept.id(pair)));
    }
}
