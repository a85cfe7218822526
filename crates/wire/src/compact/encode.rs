//! Encoding of blocks.

use std::collections::{HashMap, HashSet};

use super::header::{BlockHeader, EventSet, HEADER_BYTES, Kind};
use super::item::{Item, data_bytes};
use super::{
    DEFINITION, Field, FieldKind, LONG_INDEX, MAX_DEFINITIONS, MAX_EXPANDED_BYTES, MAX_FIELDS, RAW,
    TYPICAL_EXPANDED_BYTES, zigzag,
};
use crate::ring::Words;
use crate::simpletrace::header::{Detected, detect};
use crate::simpletrace::metadata::FIRST_ID;
use crate::simpletrace::v4::{EVENT_TYPE, PAYLOAD_AT, V4};
use crate::simpletrace::{ArgumentKind, DROPPED_ID, DROPPED_KINDS, Layout, Mapping, Step, Version, context};
use crate::{ByteOrder, Little};

/// An event in the current block, as returned by [`BlockEncoder::event`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event(u16);

/// The error for bytes that an encoder does not accept as v4 data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotRecords {
    /// The offset of the first bytes that are not a record.
    pub at: usize,
}

/// Encodes little-endian v4 data as blocks.
///
/// Append the records of a block, and finish it with [`BlockEncoder::finish`]. The next record then
/// starts a new block.
#[derive(Debug)]
pub struct BlockEncoder {
    /// The current block up to `end`, or the last one if the current one is empty. The header is
    /// filled in when the block is finished. The rest is scratch space.
    block: Vec<u8>,
    /// The end of the current block; [`HEADER_BYTES`] if it is empty.
    end: usize,
    /// The number of finished blocks.
    blocks: u32,
    /// The size of the last finished block.
    last_bytes: usize,
    definitions: Vec<Definition>,
    /// The definitions by id, process id, and whether the payload is a single field.
    by_key: HashMap<(u64, u32, bool), Event>,
    fields: Vec<Field>,
    last_ns: u64,
    threads: HashSet<u32>,
    /// The header of the current block. Its totals include only previous blocks.
    header: BlockHeader,
    /// The end in the body of the last mapping record, or 0.
    mapping_end: usize,
}

#[derive(Debug, Clone, Copy)]
struct Definition {
    id: u64,
    /// The index of the first field.
    first: usize,
    fields: usize,
    /// Whether all fields are integers.
    is_integers: bool,
    /// The number of fields if records are encoded by [`BlockEncoder::records`], else [`OTHER`].
    shape: u8,
}

/// The shape of definitions that do not consist of a few integers, and of dropped records.
const OTHER: u8 = u8::MAX;

/// Records of at most this number of integers have their own encoding function.
const FEW: usize = 4;

/// More than the size of a record of [`FEW`] integers, with scratch space behind it.
const FEW_BYTES: usize = 64;

/// The number of bytes by which a record in the body can be larger than the v4 record: a definition
/// for each of two attempts, a long index, and the codes of 255 fields.
const OVERHEAD: usize = 512;

const NEW: BlockHeader = BlockHeader {
    kind: Kind::Records,
    is_zstd: false,
    body_bytes: 0,
    body_crc: 0,
    plain_bytes: 0,
    expanded_bytes: 0,
    records: 0,
    mappings: 0,
    expanded_before: 0,
    records_before: 0,
    earliest_ns: u64::MAX,
    latest_ns: 0,
    lost: 0,
    threads: 0,
    events: EventSet([0; 2]),
    latest_so_far_ns: 0,
    previous_mappings_at: u64::MAX,
    at: 0,
};

impl Default for BlockEncoder {
    fn default() -> BlockEncoder {
        BlockEncoder {
            block: vec![0; HEADER_BYTES],
            end: HEADER_BYTES,
            blocks: 0,
            last_bytes: 0,
            definitions: Vec::new(),
            by_key: HashMap::new(),
            fields: Vec::new(),
            last_ns: 0,
            threads: HashSet::new(),
            header: NEW,
            mapping_end: 0,
        }
    }
}

impl BlockEncoder {
    /// Returns the size of the current block's v4 data, in bytes.
    #[inline]
    pub fn expanded_bytes(&self) -> usize {
        self.header.expanded_bytes as usize
    }

    /// Returns the size of the v4 data of all blocks, including the current one, in bytes.
    #[inline]
    pub fn total_expanded_bytes(&self) -> u64 {
        self.header.expanded_before + u64::from(self.header.expanded_bytes)
    }

    /// Returns the number of finished blocks. The results of [`BlockEncoder::event`] are valid as
    /// long as it does not change.
    #[inline]
    pub fn finished_blocks(&self) -> u32 {
        self.blocks
    }

    /// Returns whether the current block contains nothing.
    pub fn is_empty(&self) -> bool {
        self.end == HEADER_BYTES
    }

    /// Returns whether the current block must be finished before another record is appended, whose
    /// size as a v4 record is `bytes`.
    #[inline]
    pub fn is_full(&self, bytes: usize) -> bool {
        // A record may need two definitions.
        self.definitions.len() + 2 > MAX_DEFINITIONS
            || self.end.max(self.expanded_bytes()) + bytes + OVERHEAD > MAX_EXPANDED_BYTES
    }

    /// Returns the event with this id and process id in the current block. `kinds` are its
    /// arguments. If they are `None`, the payload can contain anything.
    pub fn event(&mut self, id: u64, pid: u32, kinds: Option<&[ArgumentKind]>) -> Event {
        let kinds = kinds.filter(|kinds| kinds.len() <= MAX_FIELDS);
        let key = (id, pid, kinds.is_none());
        if let Some(event) = self.by_key.get(&key) {
            return *event;
        }
        let first = self.fields.len();
        match kinds {
            Some(kinds) => self.fields.extend(kinds.iter().map(|kind| match kind {
                ArgumentKind::Integer { .. } => Field::new(FieldKind::Integer),
                ArgumentKind::Str => Field::new(FieldKind::Str),
            })),
            None => self.fields.push(Field::new(FieldKind::Rest)),
        }
        let fields = &self.fields[first..];
        let mut item = vec![DEFINITION];
        item.extend(id.to_le_bytes());
        item.extend(pid.to_le_bytes());
        item.push(fields.len() as u8);
        for four in fields.chunks(4) {
            item.push(four.iter().rev().fold(0, |bits, field| bits << 2 | field.kind as u8));
        }
        let is_integers = fields.iter().all(|field| field.kind == FieldKind::Integer);
        let is_few = is_integers && fields.len() <= FEW && id != DROPPED_ID;
        let shape = if is_few { fields.len() as u8 } else { OTHER };
        let event = Event(self.definitions.len() as u16);
        self.definitions.push(Definition { id, first, fields: fields.len(), is_integers, shape });
        self.append(&item);
        self.by_key.insert(key, event);
        self.add_id(id);
        event
    }

    fn add_id(&mut self, id: u64) {
        self.header.events.insert(id);
        if id != DROPPED_ID {
            self.threads.insert((id >> 32) as u32);
        }
    }

    /// Appends a record. Returns `false` if `payload` does not consist of the event's arguments.
    #[inline]
    pub fn record(&mut self, event: Event, timestamp_ns: u64, payload: &[u8]) -> bool {
        match self.definitions.get(usize::from(event.0)).map_or(OTHER, |definition| definition.shape) {
            0 => self.words::<0>(event, timestamp_ns, payload),
            1 => self.words::<1>(event, timestamp_ns, payload),
            2 => self.words::<2>(event, timestamp_ns, payload),
            3 => self.words::<3>(event, timestamp_ns, payload),
            4 => self.words::<FEW>(event, timestamp_ns, payload),
            _ => self.any_record(event, timestamp_ns, payload),
        }
    }

    fn words<const N: usize>(&mut self, event: Event, timestamp_ns: u64, payload: &[u8]) -> bool {
        let (words, rest) = payload.as_chunks();
        let Ok(words): Result<&[_; N], _> = words.try_into() else { return false };
        let mut record = rest.is_empty().then_some((timestamp_ns, words));
        if self.block.len() - self.end < FEW_BYTES {
            self.grow(FEW_BYTES);
        }
        self.records(event, || record.take()) > 0
    }

    /// Appends records with `N` integers until `next` returns `None` or the buffer is full, and
    /// returns their number. `next` returns a record's time and payload. Appends nothing if the event
    /// does not have `N` integers, or `N` is greater than 4.
    #[inline(always)]
    pub fn records<'p, const N: usize>(
        &mut self,
        event: Event,
        mut next: impl FnMut() -> Option<(u64, &'p Words<N>)>,
    ) -> u32 {
        let Some(definition) = self.definitions.get(usize::from(event.0)) else { return 0 };
        let fields = self.fields.get_mut(definition.first..).and_then(|fields| fields.first_chunk_mut::<N>());
        let Some(fields) = fields.filter(|_| usize::from(definition.shape) == N) else { return 0 };
        let (index, index_bytes) = match event.0.checked_sub(u16::from(LONG_INDEX)) {
            None => (u64::from(event.0), 1),
            Some(long) => (u64::from(LONG_INDEX) + u64::from(long >> 8) + (u64::from(long & 255) << 8), 2),
        };
        // Keep the state in registers.
        let header = &mut self.header;
        let (mut end, mut last_ns, mut records) = (self.end, self.last_ns, 0);
        let mut previous = fields.map(|field| field.previous);
        let mut is_first = true;
        while let Some(out) = self.block.get_mut(end..).and_then(|block| block.first_chunk_mut::<FEW_BYTES>())
            && let Some((timestamp_ns, words)) = next()
        {
            // While times increase, only the first can be the earliest, and the last is the latest.
            // So update both limits only when a time decreases, and after the loop.
            if timestamp_ns < last_ns || is_first {
                header.earliest_ns = header.earliest_ns.min(timestamp_ns);
                header.latest_ns = header.latest_ns.max(last_ns);
                is_first = false;
            }
            let time = zigzag(timestamp_ns.wrapping_sub(last_ns));
            last_ns = timestamp_ns;
            let mut values = [0; N];
            let mut codes = data_bytes(time) as u64;
            for at in 0..N {
                let value = u64::from_le_bytes(words[at]);
                values[at] = zigzag(value.wrapping_sub(previous[at]));
                previous[at] = value;
                codes |= (data_bytes(values[at]) as u64) << (4 * (at + 1));
            }
            // The index and the codes fit in eight bytes. The data then overwrites the rest of them.
            let mut at = index_bytes + (N + 2) / 2;
            out[..8].copy_from_slice(&(index | codes << (8 * index_bytes)).to_le_bytes());
            out[at..at + 8].copy_from_slice(&time.to_le_bytes());
            at += data_bytes(time);
            for value in values {
                out[at..at + 8].copy_from_slice(&value.to_le_bytes());
                at += data_bytes(value);
            }
            end += at;
            records += 1;
        }
        header.records += records;
        header.expanded_bytes += records * (PAYLOAD_AT + 8 * N) as u32;
        header.latest_ns = header.latest_ns.max(last_ns);
        (self.end, self.last_ns) = (end, last_ns);
        for (field, previous) in fields.iter_mut().zip(previous) {
            field.previous = previous;
        }
        records
    }

    /// Appends a record with any fields.
    fn any_record(&mut self, event: Event, timestamp_ns: u64, payload: &[u8]) -> bool {
        let Some(&definition) = self.definitions.get(usize::from(event.0)) else { return false };
        let Definition { first, fields: count, is_integers, .. } = definition;
        let most = 2 + (count + 2) / 2 + 8 * (count + 2) + payload.len();
        if self.block.len() - self.end < most {
            self.grow(most);
        }
        let (before, out) = self.block.split_at_mut(self.end);
        let Some(fields) = self.fields.get_mut(first..first + count) else { return false };
        let mut item = Item::new(event.0, count, out);
        item.put(0, zigzag(timestamp_ns.wrapping_sub(self.last_ns)));
        if is_integers {
            let (words, rest) = payload.as_chunks();
            if words.len() != count || !rest.is_empty() {
                return false;
            }
            for (index, (field, word)) in fields.iter_mut().zip(words).enumerate() {
                let value = u64::from_le_bytes(*word);
                item.put(index + 1, zigzag(value.wrapping_sub(field.previous)));
                field.previous = value;
            }
        } else if !item.put_mixed(fields, before, payload) {
            return false;
        }
        let size = item.at;
        self.end += size;
        self.last_ns = timestamp_ns;
        self.count(definition.id, timestamp_ns, payload);
        true
    }

    #[cold]
    fn grow(&mut self, bytes: usize) {
        self.block.resize((2 * self.block.len()).max(self.end + bytes), 0);
    }

    /// Appends bytes to the block.
    fn append(&mut self, bytes: &[u8]) {
        if self.block.len() - self.end < bytes.len() {
            self.grow(bytes.len());
        }
        self.block[self.end..self.end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Appends v4 data: whole records and mapping records, preceded by the file header at the start
    /// of the file. Whenever a block reaches [`TYPICAL_EXPANDED_BYTES`], appends it to `file`.
    /// `kinds` returns the arguments of an event id, if they are known; without them, events take
    /// more space.
    ///
    /// # Errors
    /// Returns an error if a part of `records` is not a record, or is too large for a block. All
    /// records before this part were appended.
    pub fn push<'k>(
        &mut self,
        records: &[u8],
        kinds: impl Fn(u64) -> Option<&'k [ArgumentKind]>,
        file: &mut Vec<u8>,
    ) -> Result<(), NotRecords> {
        let mut at = 0;
        let mut known = None;
        while let Some(rest) = records.get(at..).filter(|rest| !rest.is_empty()) {
            let is_start = self.header.expanded_before == 0 && self.is_empty();
            let header = match is_start.then(|| detect(rest)) {
                Some(Detected::Header(header))
                    if (header.version, header.order) == (Version::V4, ByteOrder::Little) =>
                {
                    Some(header.size)
                }
                _ => None,
            };
            let step = match header {
                None => V4::<Little>::step_by_length(rest, MAX_EXPANDED_BYTES),
                Some(_) => Step::NeedMore(0),
            };
            let size = match (&step, header) {
                (Step::Record(record), _) => record.size,
                (Step::Mapping(mapping), _) => mapping.size,
                (_, Some(size)) => size,
                _ => return Err(NotRecords { at }),
            };
            if size + OVERHEAD > MAX_EXPANDED_BYTES {
                return Err(NotRecords { at });
            }
            // Do not finish a block after a mapping record: it can be the context of the next
            // record.
            let may_finish = self.end != self.mapping_end;
            if self.expanded_bytes() >= TYPICAL_EXPANDED_BYTES && may_finish || self.is_full(size) {
                self.finish(file);
                known = None;
            }
            match &step {
                Step::Record(record) if record.record_type == EVENT_TYPE => {
                    let event = match known {
                        Some((id, pid, event)) if (id, pid) == (record.id, record.pid) => event,
                        _ => {
                            let kinds =
                                if record.id == DROPPED_ID { Some(DROPPED_KINDS) } else { kinds(record.id) };
                            self.event(record.id, record.pid, kinds)
                        }
                    };
                    known = Some((record.id, record.pid, event));
                    if !self.record(event, record.timestamp_ns, record.payload) {
                        let any = self.event(record.id, record.pid, None);
                        self.record(any, record.timestamp_ns, record.payload);
                    }
                }
                _ => self.push_raw(&rest[..size], &step),
            }
            at += size;
        }
        Ok(())
    }

    /// Appends v4 data as it is. `mappings` is the number of mapping records in it that later
    /// blocks may need.
    fn raw(&mut self, bytes: &[u8], mappings: u32) {
        self.append(&[RAW]);
        self.append(&(bytes.len() as u32).to_le_bytes());
        self.append(bytes);
        self.header.expanded_bytes += bytes.len() as u32;
        self.header.mappings += mappings;
    }

    #[inline(always)]
    fn count(&mut self, id: u64, timestamp_ns: u64, payload: &[u8]) {
        let header = &mut self.header;
        header.records += 1;
        header.expanded_bytes += (PAYLOAD_AT + payload.len()) as u32;
        header.earliest_ns = header.earliest_ns.min(timestamp_ns);
        header.latest_ns = header.latest_ns.max(timestamp_ns);
        header.lost = header.lost.wrapping_add(lost(id, payload));
    }

    /// Appends a whole mapping record, a whole file header, or a record that is not ordinary.
    fn push_raw(&mut self, bytes: &[u8], step: &Step<'_>) {
        match step {
            Step::Mapping(Mapping { id, .. }) => {
                let is_context = *id == FIRST_ID + u64::from(context::NUMBER);
                self.raw(bytes, u32::from(!is_context));
                self.mapping_end = self.end;
            }
            Step::Record(record) => {
                self.raw(bytes, 0);
                let header = &mut self.header;
                header.records += 1;
                header.earliest_ns = header.earliest_ns.min(record.timestamp_ns);
                header.latest_ns = header.latest_ns.max(record.timestamp_ns);
                header.lost = header.lost.wrapping_add(lost(record.id, record.payload));
                self.add_id(record.id);
            }
            _ => self.raw(bytes, 0),
        }
    }

    /// Finishes the current block and appends it to `file`. Does nothing if it is empty. Do not call
    /// it between a context and its record, because they must be in the same block.
    pub fn finish(&mut self, file: &mut Vec<u8>) {
        file.extend_from_slice(self.finish_in_place());
    }

    /// Finishes the current block and returns it. Returns nothing if it is empty.
    pub fn finish_in_place(&mut self) -> &[u8] {
        if self.is_empty() {
            return &[];
        }
        let (start, body) = self.block[..self.end].split_at_mut(HEADER_BYTES);
        let header = &mut self.header;
        header.body_bytes = body.len() as u32;
        header.plain_bytes = header.body_bytes;
        header.body_crc = crc32c::crc32c(body);
        header.threads = self.threads.len() as u32;
        header.latest_so_far_ns = header.latest_so_far_ns.max(header.latest_ns);
        start.copy_from_slice(&header.encode());
        let next = BlockHeader {
            expanded_before: header.expanded_before + u64::from(header.expanded_bytes),
            records_before: header.records_before + u64::from(header.records),
            latest_so_far_ns: header.latest_so_far_ns,
            previous_mappings_at: match header.mappings {
                0 => header.previous_mappings_at,
                _ => header.at,
            },
            at: header.at + header.block_bytes() as u64,
            ..NEW
        };
        *header = next;
        self.mapping_end = 0;
        self.last_bytes = std::mem::replace(&mut self.end, HEADER_BYTES);
        self.blocks = self.blocks.wrapping_add(1);
        self.last_ns = 0;
        self.definitions.clear();
        self.by_key.clear();
        self.fields.clear();
        self.threads.clear();
        self.last_block()
    }

    /// Returns the last finished block, if nothing was added since.
    pub fn last_block(&self) -> &[u8] {
        &self.block[..self.last_bytes]
    }
}

/// Returns the number of lost events, if the record is a dropped record.
#[inline(always)]
fn lost(id: u64, payload: &[u8]) -> u64 {
    match id {
        DROPPED_ID => payload.first_chunk().map_or(0, |count| u64::from_le_bytes(*count)),
        _ => 0,
    }
}
