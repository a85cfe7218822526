//! Plain roles: records that do nothing but begin or end a span, whose key is one integer.
//!
//! Most records of pairs have such a role. They are matched without the cases that others need.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::order::u64_at;
use ringtrace_wire::simpletrace::{ArgumentKind, Record};

use super::binding::KeyPart;
use super::open::Open;
use super::open_spans::OpenSpan;
use super::pairing::Action;
use crate::entry::{Entry, Schema};
use crate::read::visitor::OrdinaryRecords;

/// The fields of an [`Entry`] that a span keeps of its begin record, and that matching needs.
///
/// Only a record of a little-endian v4 trace that contains exactly the arguments of its schema can be matched
/// by a [`PlainRole`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainRecord<'r> {
    pub(crate) number: u64,
    pub(crate) offset: u64,
    pub(crate) timestamp_ns: u64,
    pub(crate) id: u64,
    pub(crate) pid: u32,
    pub(crate) schema_index: u32,
    pub(crate) payload: &'r [u8],
    pub(crate) record_bytes: usize,
    pub(crate) threaded: bool,
}

impl<'r> PlainRecord<'r> {
    /// Returns the fields of `record`, which is the next one of `records`.
    #[inline(always)]
    pub(crate) fn next(
        records: &OrdinaryRecords<'r>,
        record: &Record<'r>,
        schema_index: u32,
    ) -> PlainRecord<'r> {
        PlainRecord {
            number: records.number(),
            offset: records.offset(),
            timestamp_ns: record.timestamp_ns,
            id: record.id,
            pid: record.pid,
            schema_index,
            payload: record.payload,
            record_bytes: record.size,
            threaded: records.is_threaded(),
        }
    }

    #[inline(always)]
    pub(super) fn of(entry: &Entry<'r>) -> PlainRecord<'r> {
        PlainRecord {
            number: entry.number,
            offset: entry.offset,
            timestamp_ns: entry.timestamp_ns,
            id: entry.id,
            pid: entry.pid,
            schema_index: entry.schema_index,
            payload: entry.payload,
            record_bytes: entry.record_bytes,
            threaded: entry.threaded,
        }
    }
}

/// The role of a schema's records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemaRole {
    /// No record was followed yet.
    Unknown,
    /// They cause no span events.
    Irrelevant,
    Relevant,
    Plain(PlainRole),
}

/// The only role of a schema's records: they begin or end a span of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlainRole {
    pub(super) pair: u32,
    pub(super) is_begin: bool,
    pub(super) key: PlainKey,
    /// The value that distinguishes the tracks of the pair, if there is one.
    track: Option<PlainKey>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlainKey {
    /// The integer with this index in the payload.
    Argument(u16),
    Pid,
    Tid,
}

impl PlainKey {
    fn new(part: KeyPart, schema: &Schema) -> Option<PlainKey> {
        let is_integer = |kind: &ArgumentKind| matches!(kind, ArgumentKind::Integer { .. });
        match part {
            KeyPart::Argument { index, .. } => {
                let are_integers = schema.kinds.get(..=index)?.iter().all(is_integer);
                are_integers.then_some(PlainKey::Argument(index.try_into().ok()?))
            }
            KeyPart::Pid => Some(PlainKey::Pid),
            KeyPart::Tid => Some(PlainKey::Tid),
        }
    }

    #[inline(always)]
    fn of(self, record: &PlainRecord<'_>) -> Option<u64> {
        match self {
            PlainKey::Argument(index) => u64_at(record.payload, 8 * usize::from(index), ByteOrder::Little),
            PlainKey::Pid => Some(record.pid.into()),
            PlainKey::Tid => Some(record.id >> 32).filter(|&tid| record.threaded && tid != 0),
        }
    }
}

impl PlainRole {
    /// Returns the role of the records of `schema` whose only action has this key. `track` are the values
    /// that distinguish the tracks of the pair, for a begin event.
    pub(super) fn new(
        pair: usize,
        action: Action,
        key: &[KeyPart],
        track: &[KeyPart],
        schema: &Schema,
    ) -> Option<PlainRole> {
        let &[key] = key else { return None };
        let track = match *track {
            [] => None,
            [part] => Some(PlainKey::new(part, schema)?),
            _ => return None,
        };
        let key = PlainKey::new(key, schema)?;
        let pair = pair.try_into().ok()?;
        (action != Action::Step).then_some(PlainRole { pair, is_begin: action == Action::Begin, key, track })
    }

    #[inline(always)]
    pub(super) fn key(self, record: &PlainRecord<'_>) -> Option<u64> {
        self.key.of(record)
    }

    /// Returns the value that distinguishes the track of `record`; the inner `None` if there is a single
    /// track.
    #[inline(always)]
    pub(super) fn track(self, record: &PlainRecord<'_>) -> Option<Option<u64>> {
        match self.track {
            None => Some(None),
            Some(track) => track.of(record).map(Some),
        }
    }
}

/// The effect of a record with a plain role.
#[derive(Debug)]
pub(crate) enum PlainEvent {
    Began,
    /// The span of a pair ended. Pass it to [`SpanTracker::recycle`](super::SpanTracker::recycle)
    /// afterwards.
    Ended(usize, Open<OpenSpan>),
}
