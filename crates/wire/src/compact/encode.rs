//! Encoding of blocks.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;

use super::copy::{Copies, append_copy};
use super::definition::{Definition, OTHER, WITH_TEXT};
use super::header::{BlockHeader, FileTotals, HEADER_BYTES, lost};
use super::item::{FEW, FEW_BYTES, FEW_WITH_TEXT, Index, Item, Text, put_words};
use super::recent::Recent;
use super::zstd::Compressor;
use super::{
    BLOCKS_PER_TOTALS, DEFINITION, Field, FieldKind, MAX_DEFINITIONS, MAX_EXPANDED_BYTES, MAX_FIELDS, RAW,
    TYPICAL_EXPANDED_BYTES, zigzag,
};
use crate::ring::{Words, last_words};
use crate::simpletrace::header::{Detected, detect};
use crate::simpletrace::metadata::FIRST_ID;
use crate::simpletrace::v4::{EVENT_TYPE, PAYLOAD_AT, V4};
use crate::simpletrace::{
    ArgumentKind, DROPPED_ID, DROPPED_KINDS, Layout, Mapping, Record, Step, Version, context,
};
use crate::{ByteOrder, Little};

/// An event in a block, as returned by [`BlockEncoder::event`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The number of the block, from 1.
    block: NonZeroU32,
    definition: u16,
}

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
    /// The current block up to `end`, or the last one if the current one is empty and it is not
    /// compressed. The header is filled in when the block is finished. The rest is scratch space.
    block: Vec<u8>,
    /// The end of the current block; [`HEADER_BYTES`] if it is empty.
    end: usize,
    /// The number of the current block, from 1.
    number: NonZeroU32,
    /// The size in the file of the last finished block, and of the block of totals and the copies that
    /// may follow it.
    last_bytes: usize,
    definitions: Vec<Definition>,
    /// The definitions by id, process id, and whether the payload is a single field.
    by_key: HashMap<(u64, u32, bool), Event>,
    /// Some of the events in the current block, for [`BlockEncoder::push`].
    recent: Recent,
    /// The fields of definitions whose shape is [`OTHER`].
    fields: Vec<Field>,
    last_ns: u64,
    threads: HashSet<u32>,
    /// The header of the current block. Its totals include only previous blocks.
    header: BlockHeader,
    /// The end in the body of the last mapping record, or 0.
    mapping_end: usize,
    copies: Copies,
    compressor: Option<Compressor>,
    /// The last finished block, if `is_packed` is set.
    packed: Vec<u8>,
    /// Whether the last finished block is compressed.
    is_packed: bool,
    /// The totals of all finished blocks.
    totals: FileTotals,
    /// The offset in the file of the last block of totals.
    totals_at: Option<u64>,
}

/// The number of bytes by which a record in the body can be larger than the v4 record: a definition
/// for each of two attempts, a long index, and the codes of 255 fields.
const OVERHEAD: usize = 512;

impl Default for BlockEncoder {
    fn default() -> BlockEncoder {
        BlockEncoder {
            block: vec![0; HEADER_BYTES],
            end: HEADER_BYTES,
            number: NonZeroU32::MIN,
            last_bytes: 0,
            definitions: Vec::new(),
            by_key: HashMap::new(),
            recent: Recent::default(),
            fields: Vec::new(),
            last_ns: 0,
            threads: HashSet::new(),
            header: BlockHeader::NEW,
            mapping_end: 0,
            copies: Copies::default(),
            compressor: None,
            packed: Vec::new(),
            is_packed: false,
            totals: FileTotals::NONE,
            totals_at: None,
        }
    }
}

impl BlockEncoder {
    /// Creates an encoder that compresses the bodies of blocks, unless that would hardly make them
    /// smaller. Returns `None` if [`CAN_COMPRESS`](super::CAN_COMPRESS) is false, or if there is not
    /// enough memory.
    pub fn compressed() -> Option<BlockEncoder> {
        Some(BlockEncoder { compressor: Some(Compressor::new()?), ..BlockEncoder::default() })
    }

    /// Returns an encoder for the start of another file, which compresses if this one does, and uses
    /// its memory.
    #[must_use]
    pub fn restart(self) -> BlockEncoder {
        let BlockEncoder { block, compressor, packed, .. } = self;
        BlockEncoder { block, compressor, packed, ..BlockEncoder::default() }
    }

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

    /// Returns the number of bytes by which compression has made the finished blocks smaller.
    pub fn saved_bytes(&self) -> u64 {
        self.totals.saved_bytes
    }

    /// Returns whether the current block contains nothing.
    pub fn is_empty(&self) -> bool {
        self.end == HEADER_BYTES
    }

    /// Returns whether the current block has no room for another record, whose size as a v4 record is
    /// `bytes`.
    #[inline(always)]
    fn is_full(&self, bytes: usize) -> bool {
        self.end.max(self.expanded_bytes()) + bytes + OVERHEAD > MAX_EXPANDED_BYTES
    }

    /// Returns the event with this id and process id in the current block, which must not be finished
    /// before the event's records are appended. `kinds` are its arguments. If they are `None`, the
    /// payload can contain anything. Returns `None` if the block has no room for another event.
    pub fn event(&mut self, id: u64, pid: u32, kinds: Option<&[ArgumentKind]>) -> Option<Event> {
        let kinds = kinds.filter(|kinds| kinds.len() <= MAX_FIELDS);
        let key = (id, pid, kinds.is_none());
        if let Some(event) = self.by_key.get(&key) {
            return Some(*event);
        }
        if self.definitions.len() == MAX_DEFINITIONS || self.is_full(0) {
            return None;
        }
        let field = |kind: &ArgumentKind| match kind {
            ArgumentKind::Integer { .. } => FieldKind::Integer,
            ArgumentKind::Str => FieldKind::Str,
        };
        let kinds: Vec<FieldKind> = match kinds {
            Some(kinds) => kinds.iter().map(field).collect(),
            None => vec![FieldKind::Rest],
        };
        let mut item = vec![DEFINITION];
        item.extend(id.to_le_bytes());
        item.extend(pid.to_le_bytes());
        item.push(kinds.len() as u8);
        for four in kinds.chunks(4) {
            item.push(four.iter().rev().fold(0, |bits, kind| bits << 2 | *kind as u8));
        }
        let number = self.definitions.len() as u16;
        let mut definition = Definition {
            id,
            index: Index::new(number),
            shape: OTHER,
            previous: [0; FEW],
            text: Text::default(),
            first: self.fields.len(),
            fields: kinds.len(),
            is_integers: kinds.iter().all(|kind| *kind == FieldKind::Integer),
        };
        let mut texts = (0..kinds.len()).filter(|at| kinds[*at] != FieldKind::Integer);
        match texts.next() {
            _ if texts.next().is_some() || id == DROPPED_ID => {}
            None if kinds.len() <= FEW => definition.shape = kinds.len() as u8,
            Some(field) if kinds[field] == FieldKind::Str && kinds.len() - 1 <= FEW_WITH_TEXT => {
                definition.shape = WITH_TEXT + (kinds.len() - 1) as u8;
                definition.text.field = field;
            }
            _ => {}
        }
        if definition.shape == OTHER {
            self.fields.extend(kinds.into_iter().map(Field::new));
        }
        self.definitions.push(definition);
        self.append(&item);
        let event = Event { block: self.number, definition: number };
        self.by_key.insert(key, event);
        self.add_id(id);
        Some(event)
    }

    fn add_id(&mut self, id: u64) {
        self.header.events.insert(id);
        if id != DROPPED_ID {
            self.threads.insert((id >> 32) as u32);
        }
    }

    /// Appends a record. Returns `false` and appends nothing if `payload` does not consist of the
    /// event's arguments, the event belongs to a previous block, or the block has no room.
    // Inlined into callers that are compiled for other instructions.
    #[inline(always)]
    pub fn record(&mut self, event: Event, timestamp_ns: u64, payload: &[u8]) -> bool {
        if event.block != self.number || self.is_full(PAYLOAD_AT + payload.len()) {
            return false;
        }
        let most = FEW_BYTES + payload.len();
        if self.block.len() - self.end < most {
            grow(&mut self.block, self.end + most);
        }
        let Some(definition) = self.definitions.get_mut(usize::from(event.definition)) else { return false };
        let Some((before, out)) = self.block.split_at_mut_checked(self.end) else { return false };
        let time = zigzag(timestamp_ns.wrapping_sub(self.last_ns));
        let bytes = match definition.shape {
            0 => definition.put_words::<0>(time, payload, out),
            1 => definition.put_words::<1>(time, payload, out),
            2 => definition.put_words::<2>(time, payload, out),
            3 => definition.put_words::<3>(time, payload, out),
            4 => definition.put_words::<4>(time, payload, out),
            5 => definition.put_words::<5>(time, payload, out),
            6 => definition.put_words::<6>(time, payload, out),
            7 => definition.put_words::<7>(time, payload, out),
            8 => definition.put_words::<FEW>(time, payload, out),
            9 => definition.put_words_and_text::<0>(time, payload, before, out),
            10 => definition.put_words_and_text::<1>(time, payload, before, out),
            11 => definition.put_words_and_text::<2>(time, payload, before, out),
            12 => definition.put_words_and_text::<3>(time, payload, before, out),
            13 => definition.put_words_and_text::<FEW_WITH_TEXT>(time, payload, before, out),
            _ => return self.any_record(usize::from(event.definition), timestamp_ns, payload),
        };
        let Some(bytes) = bytes else { return false };
        self.count(bytes, timestamp_ns, payload.len());
        true
    }

    /// Returns whether [`BlockEncoder::records`] appends records with `integers` integers.
    #[inline]
    pub fn takes_records(&self, event: Event, integers: usize) -> bool {
        let definition = self.definitions.get(usize::from(event.definition));
        event.block == self.number && definition.is_some_and(|definition| definition.has_integers(integers))
    }

    /// Appends records with `N` integers, which are the last words of each element of `records`. Stops
    /// when more memory is needed, and at a record that is earlier than the previous one, or centuries
    /// later. Returns the number of appended records.
    ///
    /// Appends nothing if the event does not have `N` integers, `N` is greater than 8, the event belongs
    /// to a previous block, or the block has no room. Appends nothing to a block without records.
    #[inline(always)]
    pub fn records<const N: usize, const WORDS: usize>(
        &mut self,
        event: Event,
        times_ns: &[u64],
        records: &[Words<WORDS>],
    ) -> usize {
        let header = &mut self.header;
        // A record in the body is smaller than the v4 record.
        let used = self.end.max(header.expanded_bytes as usize) + OVERHEAD;
        let most = MAX_EXPANDED_BYTES.saturating_sub(used) / (PAYLOAD_AT + 8 * N);
        let definition = self.definitions.get_mut(usize::from(event.definition));
        let Some(definition) = definition.filter(|definition| definition.has_integers(N)) else { return 0 };
        let Some(kept) = definition.previous.first_chunk_mut::<N>() else { return 0 };
        let Some(mut out) = self.block.get_mut(self.end..).filter(|_| event.block == self.number) else {
            return 0;
        };
        if header.earliest_ns > self.last_ns {
            return 0;
        }
        // Keep the state in registers.
        let (index, mut last_ns, mut previous, mut count) = (definition.index, self.last_ns, *kept, 0);
        for (&timestamp_ns, record) in times_ns[..most.min(times_ns.len())].iter().zip(records) {
            let Some(start) = out.first_chunk_mut() else { break };
            let elapsed_ns = timestamp_ns.wrapping_sub(last_ns);
            if timestamp_ns < last_ns || elapsed_ns.cast_signed() < 0 {
                break;
            }
            last_ns = timestamp_ns;
            // This is the zigzag code of a positive number.
            let bytes =
                put_words(index, elapsed_ns << 1, last_words::<N, WORDS>(record), &mut previous, start);
            out = &mut std::mem::take(&mut out)[bytes..];
            count += 1;
        }
        let free = out.len();
        header.records += count as u32;
        header.expanded_bytes += (count * (PAYLOAD_AT + 8 * N)) as u32;
        self.end = self.block.len() - free;
        (self.last_ns, *kept) = (last_ns, previous);
        count
    }

    /// Appends a record with any fields.
    fn any_record(&mut self, number: usize, timestamp_ns: u64, payload: &[u8]) -> bool {
        let Some(definition) = self.definitions.get(number) else { return false };
        let &Definition { id, index, first, fields, is_integers, .. } = definition;
        let most = 2 + (fields + 2) / 2 + 8 * (fields + 2) + payload.len();
        if self.block.len() - self.end < most {
            grow(&mut self.block, self.end + most);
        }
        let (before, out) = self.block.split_at_mut(self.end);
        let Some(fields) = self.fields.get_mut(first..first + fields) else { return false };
        let mut item = Item::new(index, fields.len(), out);
        item.put(0, zigzag(timestamp_ns.wrapping_sub(self.last_ns)));
        let is_put = match is_integers {
            true => item.put_integers(fields, payload),
            false => item.put_fields(fields, before, payload),
        };
        if !is_put {
            return false;
        }
        let bytes = item.at;
        self.count(bytes, timestamp_ns, payload.len());
        self.header.lost = self.header.lost.wrapping_add(lost(id, payload));
        true
    }

    /// Counts a record, which is encoded in `bytes` bytes.
    #[inline(always)]
    fn count(&mut self, bytes: usize, timestamp_ns: u64, payload_bytes: usize) {
        let header = &mut self.header;
        self.end += bytes;
        header.records += 1;
        header.expanded_bytes += (PAYLOAD_AT + payload_bytes) as u32;
        if timestamp_ns < self.last_ns || timestamp_ns < header.earliest_ns {
            header.count_unordered(timestamp_ns, self.last_ns);
        }
        self.last_ns = timestamp_ns;
    }

    /// Appends bytes to the block.
    fn append(&mut self, bytes: &[u8]) {
        if self.block.len() - self.end < bytes.len() {
            grow(&mut self.block, self.end + bytes.len());
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
            // A record may need two definitions.
            let has_definitions = self.definitions.len() + 2 <= MAX_DEFINITIONS;
            let is_typical = self.expanded_bytes() >= TYPICAL_EXPANDED_BYTES;
            if is_typical && may_finish || self.is_full(size) || !has_definitions {
                self.finish(file);
            }
            let is_encoded = match &step {
                Step::Record(record) if record.record_type == EVENT_TYPE => self.push_event(record, &kinds),
                _ => false,
            };
            if !is_encoded {
                self.push_raw(&rest[..size], &step);
            }
            at += size;
        }
        Ok(())
    }

    /// Appends an event's record. Returns `false` if the block has no room.
    fn push_event<'k>(
        &mut self,
        record: &Record<'_>,
        kinds: &impl Fn(u64) -> Option<&'k [ArgumentKind]>,
    ) -> bool {
        let (timestamp_ns, payload) = (record.timestamp_ns, record.payload);
        let recent = self.recent.get(record.id, record.pid);
        if recent.is_some_and(|event| self.record(event, timestamp_ns, payload)) {
            return true;
        }
        let kinds = if record.id == DROPPED_ID { Some(DROPPED_KINDS) } else { kinds(record.id) };
        let event = self.event(record.id, record.pid, kinds);
        if let Some(event) = event.filter(|event| self.record(*event, timestamp_ns, payload)) {
            self.recent.set(record.id, record.pid, event);
            return true;
        }
        let any = self.event(record.id, record.pid, None);
        any.is_some_and(|event| self.record(event, timestamp_ns, payload))
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

    /// Appends a whole mapping record, a whole file header, or a record that is not ordinary.
    fn push_raw(&mut self, bytes: &[u8], step: &Step<'_>) {
        match step {
            Step::Mapping(Mapping { id, .. }) => {
                let is_context = *id == FIRST_ID + u64::from(context::NUMBER);
                self.raw(bytes, u32::from(!is_context));
                self.mapping_end = self.end;
                if !is_context {
                    self.copies.add(bytes);
                }
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
            _ => {
                self.raw(bytes, 0);
                self.copies.add(bytes);
            }
        }
    }

    /// Finishes the current block and appends it to `file`, sometimes with totals and copies. Does
    /// nothing if it is empty. Do not call it between a context and its record, because they must be in
    /// the same block.
    pub fn finish(&mut self, file: &mut Vec<u8>) {
        file.extend_from_slice(self.finish_in_place());
    }

    /// Finishes the current block and returns it, sometimes with totals and copies. Returns nothing if
    /// it is empty.
    pub fn finish_in_place(&mut self) -> &[u8] {
        if self.is_empty() {
            return &[];
        }
        let plain = &self.block[HEADER_BYTES..self.end];
        let packed_end = self
            .compressor
            .as_mut()
            .and_then(|compressor| compressor.compress(plain, &mut self.packed, HEADER_BYTES));
        self.is_packed = packed_end.is_some();
        let header = &mut self.header;
        header.is_zstd = self.is_packed;
        header.plain_bytes = plain.len() as u32;
        self.last_bytes = packed_end.unwrap_or(self.end);
        let block = if self.is_packed { &mut self.packed } else { &mut self.block };
        let (start, body) = block[..self.last_bytes].split_at_mut(HEADER_BYTES);
        header.body_bytes = body.len() as u32;
        header.body_crc = crc32c::crc32c(body);
        header.threads = self.threads.len() as u32;
        header.latest_ns = header.latest_ns.max(self.last_ns);
        self.totals.add(header, header.latest_so_far_ns);
        header.latest_so_far_ns = header.latest_so_far_ns.max(header.latest_ns);
        start.copy_from_slice(&header.encode());
        let mut next = BlockHeader {
            expanded_before: header.expanded_before + u64::from(header.expanded_bytes),
            records_before: header.records_before + u64::from(header.records),
            latest_so_far_ns: header.latest_so_far_ns,
            previous_mappings_at: match header.mappings {
                0 => header.previous_mappings_at,
                _ => header.at,
            },
            at: header.at + header.block_bytes() as u64,
            ..BlockHeader::NEW
        };
        let distance = |next: &BlockHeader, at: Option<u64>| {
            at.and_then(|at| u32::try_from(next.at - at).ok()).unwrap_or(0)
        };
        next.totals_distance = distance(&next, self.totals_at);
        if self.totals.blocks.is_multiple_of(BLOCKS_PER_TOTALS) {
            let totals = BlockHeader::of_totals(&self.totals, &next).encode();
            block.resize(block.len().max(self.last_bytes + HEADER_BYTES), 0);
            block[self.last_bytes..self.last_bytes + HEADER_BYTES].copy_from_slice(&totals);
            self.last_bytes += HEADER_BYTES;
            self.totals_at = Some(next.at);
            next.at += HEADER_BYTES as u64;
            next.totals_distance = distance(&next, self.totals_at);
        }
        self.copies.finish(header);
        while let Some((of, body)) = self.copies.take_due(next.at) {
            block.truncate(self.last_bytes);
            append_copy(&BlockHeader::of_copy(&of, &next), &body, self.compressor.as_mut(), block);
            next.at += (block.len() - self.last_bytes) as u64;
            next.totals_distance = distance(&next, self.totals_at);
            self.last_bytes = block.len();
        }
        *header = next;
        self.mapping_end = 0;
        self.end = HEADER_BYTES;
        // Skip 0 after 2^32 blocks.
        self.number = self.number.checked_add(1).unwrap_or(NonZeroU32::MIN);
        self.last_ns = 0;
        self.definitions.clear();
        self.by_key.clear();
        self.fields.clear();
        self.threads.clear();
        self.last_block()
    }

    /// Returns the last finished block, as [`BlockEncoder::finish_in_place`] did, if nothing was added
    /// since.
    pub fn last_block(&self) -> &[u8] {
        let block = if self.is_packed { &self.packed } else { &self.block };
        &block[..self.last_bytes]
    }
}

/// Makes a block's buffer large enough for `bytes` bytes.
#[cold]
fn grow(block: &mut Vec<u8>, bytes: usize) {
    block.resize((2 * block.len()).max(bytes), 0);
}
