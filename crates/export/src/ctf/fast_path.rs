//! The fast path for ordinary records. The first record of each event determines a plan for it.

use std::array;

use ringtrace_tracefile::Entry;
use ringtrace_wire::simpletrace::v4::V4;
use ringtrace_wire::simpletrace::{Layout, Record, Version};
use ringtrace_wire::{ByteOrder, Little};

use super::events::{Empty, texts};
use super::stream::{Owner, Packets, StreamKind};
use crate::shared::record_types::{RecordType, slot};
use crate::shared::value::ValueKind;

const MAX_TEXTS: usize = 4;

/// Number of threads whose context is remembered. Threads that map to the same index replace each
/// other.
const CONTEXTS: usize = 256;

#[derive(Debug)]
pub(super) struct FastPath {
    plans: Vec<Option<EventPlan>>,
    threaded: bool,
    contexts: Box<[Context; CONTEXTS]>,
    /// The number of thread renames when the contexts were created.
    changes: u64,
}

#[derive(Debug, Clone)]
struct EventPlan {
    kinds: Box<[ValueKind]>,
    texts: usize,
    /// Size of the values, if they are written exactly as they are recorded.
    plain_bytes: Option<usize>,
    /// The event's ids, by stream and by the set of empty strings.
    ids: Box<[Option<u32>]>,
}

/// The encoded context of a thread's records, which precedes their values.
#[derive(Debug, Clone, Default)]
struct Context {
    /// The thread in the upper half, and the process in the lower. 0 if the context is unused.
    owner: u64,
    kind: Option<StreamKind>,
    bytes: Vec<u8>,
}

fn context_index(owner: u64) -> usize {
    (owner ^ owner >> 32) as usize % CONTEXTS
}

impl FastPath {
    pub(super) fn new() -> FastPath {
        FastPath {
            plans: Vec::new(),
            threaded: false,
            contexts: Box::new(array::from_fn(|_| Context::default())),
            changes: 0,
        }
    }

    /// Creates a plan from `entry`, whose owner is `owner` and which was written as event `id` of
    /// type `record_type`.
    pub(super) fn learn(
        &mut self,
        entry: &Entry<'_>,
        owner: &Owner<'_>,
        record_type: &RecordType,
        id: u32,
        empty: Empty,
    ) {
        let ordinary = entry.version == Version::V4 && entry.order == ByteOrder::Little;
        if !ordinary || entry.is_dropped() || record_type.fields.len() != entry.schema.kinds.len() {
            return;
        }
        self.threaded = entry.threaded;
        self.notice(entry.threads.changes());
        if owner.kind.encodes_on_thread() {
            let key = u64::from(owner.tid) << 32 | u64::from(owner.pid);
            let context = &mut self.contexts[context_index(key)];
            if context.owner != key {
                (context.owner, context.kind) = (key, Some(owner.kind));
                context.bytes.clear();
                owner.encode(&mut context.bytes);
            }
        }
        let plan = slot(&mut self.plans, entry.schema_index as usize)
            .get_or_insert_with(|| EventPlan::new(record_type));
        let number = plan.number(owner.kind, empty);
        if let Some(slot) = plan.ids.get_mut(number) {
            *slot = Some(id);
        }
    }

    pub(super) fn notice(&mut self, changes: u64) {
        if changes != self.changes {
            self.changes = changes;
            self.contexts.iter_mut().for_each(|context| context.owner = 0);
        }
    }

    /// Writes `record`. Returns false, and writes nothing, if it needs the slow path.
    #[inline(always)]
    pub(super) fn write(
        &self,
        record: &Record<'_>,
        schema_index: u32,
        streams: &mut [Option<Packets>; StreamKind::COUNT],
    ) -> bool {
        let Some(Some(plan)) = self.plans.get(schema_index as usize) else { return false };
        let tid = record.id >> 32;
        let (kind, context) = if self.threaded && tid != 0 {
            let owner = tid << 32 | u64::from(record.pid);
            let context = &self.contexts[context_index(owner)];
            match context.kind {
                Some(kind) if context.owner == owner => (kind, Some(&*context.bytes)),
                _ => return false,
            }
        } else {
            (StreamKind::Process, None)
        };
        let Some(stream) = &mut streams[kind as usize] else { return false };
        let Some(out) = stream.fast_path(record.timestamp_ns) else { return false };
        if let Some(bytes) = plan.plain_bytes {
            let Some(id) = plan.ids[kind as usize].filter(|_| record.payload.len() == bytes) else {
                return false;
            };
            push_header(id, record, context, out);
            // Copy single words: there are only a few.
            for word in record.payload.as_chunks::<8>().0 {
                out.extend_from_slice(word);
            }
            stream.note(record.timestamp_ns);
            return true;
        }
        let begin = out.len();
        let written = plan.write(record, kind, context, out);
        match written {
            true => stream.note(record.timestamp_ns),
            false => out.truncate(begin),
        }
        written
    }
}

#[inline(always)]
fn push_header(id: u32, record: &Record<'_>, context: Option<&[u8]>, out: &mut Vec<u8>) {
    let mut head = [0; 16];
    head[..4].copy_from_slice(&id.to_le_bytes());
    head[4..12].copy_from_slice(&record.timestamp_ns.to_le_bytes());
    head[12..].copy_from_slice(&record.pid.to_le_bytes());
    match context {
        None => out.extend_from_slice(&head),
        Some(context) => {
            out.extend_from_slice(&head[..12]);
            out.extend_from_slice(context);
        }
    }
}

impl EventPlan {
    fn new(record_type: &RecordType) -> EventPlan {
        let kinds: Box<[ValueKind]> = record_type.fields.iter().map(|field| field.kind).collect();
        let is_plain = |kind: &ValueKind| {
            matches!(
                kind,
                ValueKind::Signed(8) | ValueKind::Unsigned(8) | ValueKind::Pointer | ValueKind::Double
            )
        };
        let texts = texts(record_type);
        let variants = if texts <= MAX_TEXTS { StreamKind::COUNT << texts } else { 0 };
        EventPlan {
            plain_bytes: kinds.iter().all(is_plain).then_some(8 * kinds.len()),
            kinds,
            texts,
            ids: vec![None; variants].into(),
        }
    }

    #[inline(always)]
    fn number(&self, kind: StreamKind, empty: Empty) -> usize {
        (kind as usize) << self.texts | empty.index()
    }

    /// Appends `record`. Returns false if it does not match its schema or has no event yet. In that
    /// case `out` may contain a part of the record.
    fn write(
        &self,
        record: &Record<'_>,
        kind: StreamKind,
        context: Option<&[u8]>,
        out: &mut Vec<u8>,
    ) -> bool {
        let begin = out.len();
        push_header(0, record, context, out);
        let (mut rest, mut empty, mut texts) = (record.payload, Empty::default(), 0);
        for kind in &self.kinds {
            if *kind == ValueKind::Text {
                let Some(string) = V4::<Little>::string(&mut rest) else { return false };
                // Strings with zero bytes need the slow path.
                if string.length != string.bytes.len() as u64 || string.bytes.contains(&0) {
                    return false;
                }
                if string.bytes.is_empty() {
                    empty.note(texts);
                }
                texts += 1;
                out.extend_from_slice(string.bytes);
                out.push(0);
                continue;
            }
            let Some((bytes, tail)) = rest.split_first_chunk::<8>() else { return false };
            rest = tail;
            match kind {
                ValueKind::Signed(1) | ValueKind::Unsigned(1) => out.push(bytes[0]),
                ValueKind::Signed(2) | ValueKind::Unsigned(2) => out.extend_from_slice(&bytes[..2]),
                ValueKind::Signed(4) | ValueKind::Unsigned(4) => out.extend_from_slice(&bytes[..4]),
                ValueKind::Bool => out.push(u8::from(*bytes != [0; 8])),
                _ => out.extend_from_slice(bytes),
            }
        }
        let Some(Some(id)) = self.ids.get(self.number(kind, empty)) else { return false };
        out[begin..begin + 4].copy_from_slice(&id.to_le_bytes());
        rest.is_empty()
    }
}
