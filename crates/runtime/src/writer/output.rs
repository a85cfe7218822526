//! The data to be appended to the trace file.

use std::io;

use ringtrace_wire::compact::{
    BlockDecoder, BlockEncoder, BlockHeader, Event, HEADER_BYTES, NotRecords, TYPICAL_EXPANDED_BYTES,
};
use ringtrace_wire::ring::{self, RingRecord, Words};

use super::preamble::Preamble;
use super::reader::Reader;
use super::sink::Sink;
use crate::options::FileFormat;

/// Data that was gathered but is not in the file yet.
#[derive(Debug)]
pub(super) struct Output {
    /// Before the first attempt to write, the length of the preamble, which comes first.
    preamble_bytes: usize,
    /// The length of the preamble at the start of the data below, which could not be written yet.
    unwritten_preamble_bytes: usize,
    /// v4 data. With the compact format, it follows the data in `compact`.
    pub(super) v4: Vec<u8>,
    pub(super) compact: Option<Compact>,
}

/// The part of the data that is encoded in the compact format.
#[derive(Debug, Default)]
pub(super) struct Compact {
    encoder: BlockEncoder,
    /// Finished blocks, except the last one if `is_in_place` is set.
    blocks: Vec<u8>,
    /// Set if the last finished block is only in the encoder, and nothing was added since.
    is_in_place: bool,
    /// The size of the v4 data in the file.
    written_bytes: u64,
    /// v4 data that the encoder has refused, because a record or a declaration is too large for a
    /// block, and all data after it. While it is not empty, nothing is written. The rings keep the
    /// records since the last commit, where recovery finds them.
    refused: Vec<u8>,
}

/// The definitions of one thread's events in their latest blocks, by event number.
#[derive(Debug, Default)]
pub(super) struct KnownEvents(Vec<Option<Event>>);

/// A destination for records in one format.
pub(super) trait Destination {
    /// Returns the buffer for v4 data, which follows the data that was gathered before.
    fn v4(&mut self) -> &mut Vec<u8>;

    /// Appends an event's record, preceded by its mapping if it is the first one.
    fn put(&mut self, record: &RingRecord<'_>, reader: &mut Reader, preamble: &Preamble, ns: u64);

    /// Returns the destination for further records of an event for which [`Destination::put`] was just
    /// called, with `N` words of payload. Returns `None` if all of them must be passed to
    /// [`Destination::put`].
    fn batches<const N: usize>(&mut self, event: u32, reader: &Reader) -> Option<impl Batches<N>>;
}

/// A destination for records of one event with `N` words of payload.
pub(super) trait Batches<const N: usize> {
    /// Appends records of `WORDS` words in the ring. There are as many times as records. Returns the
    /// number of appended records. May stop before the last one.
    fn put<const WORDS: usize>(&mut self, times_ns: &[u64], records: &[Words<WORDS>]) -> usize;
}

impl Destination for Vec<u8> {
    #[inline(always)]
    fn v4(&mut self) -> &mut Vec<u8> {
        self
    }

    #[inline(always)]
    fn put(&mut self, record: &RingRecord<'_>, reader: &mut Reader, _: &Preamble, ns: u64) {
        reader.map(record.event, self);
        ring::append(record, reader.tid, reader.pid, ns, self);
    }

    #[inline(always)]
    fn batches<const N: usize>(&mut self, event: u32, reader: &Reader) -> Option<impl Batches<N>> {
        Some(V4Batches { id: u64::from(reader.tid) << 32 | u64::from(event), pid: reader.pid, out: self })
    }
}

struct V4Batches<'o> {
    id: u64,
    pid: u32,
    out: &'o mut Vec<u8>,
}

impl<const N: usize> Batches<N> for V4Batches<'_> {
    #[inline(always)]
    fn put<const WORDS: usize>(&mut self, times_ns: &[u64], records: &[Words<WORDS>]) -> usize {
        ring::append_all::<N, WORDS>(self.id, self.pid, times_ns, records, self.out);
        times_ns.len()
    }
}

/// The destination of compact records.
pub(super) struct CompactDestination<'o> {
    v4: &'o mut Vec<u8>,
    compact: &'o mut Compact,
}

impl Destination for CompactDestination<'_> {
    #[inline(always)]
    fn v4(&mut self) -> &mut Vec<u8> {
        self.v4
    }

    /// Encodes a record directly if its event is already defined in the block. Other records are
    /// encoded from v4.
    #[inline(always)]
    fn put(&mut self, record: &RingRecord<'_>, reader: &mut Reader, preamble: &Preamble, ns: u64) {
        let encoder = &mut self.compact.encoder;
        if let Some(event) = reader.known.get(record.event)
            && self.v4.is_empty()
            && record.context.is_empty()
            && encoder.record(event, ns, record.payload)
        {
            return;
        }
        self.append_v4(record, reader, preamble, ns);
    }

    #[inline(always)]
    fn batches<const N: usize>(&mut self, event: u32, reader: &Reader) -> Option<impl Batches<N>> {
        let encoder = &mut self.compact.encoder;
        let event = reader.known.get(event)?;
        // The payload can also be a string, for example.
        let takes = self.v4.is_empty() && encoder.takes_records(event, N);
        if takes { Some(CompactBatches { event, encoder }) } else { None }
    }
}

struct CompactBatches<'o> {
    event: Event,
    encoder: &'o mut BlockEncoder,
}

impl<const N: usize> Batches<N> for CompactBatches<'_> {
    #[inline(always)]
    fn put<const WORDS: usize>(&mut self, times_ns: &[u64], records: &[Words<WORDS>]) -> usize {
        self.encoder.records::<N, WORDS>(self.event, times_ns, records)
    }
}

impl<'o> CompactDestination<'o> {
    /// Creates the destination for at most a few hundred KiB of records.
    pub(super) fn new(v4: &'o mut Vec<u8>, compact: &'o mut Compact) -> CompactDestination<'o> {
        if compact.encoder.expanded_bytes() >= TYPICAL_EXPANDED_BYTES {
            compact.encoder.finish(&mut compact.blocks);
        }
        CompactDestination { v4, compact }
    }

    #[cold]
    fn append_v4(&mut self, record: &RingRecord<'_>, reader: &mut Reader, preamble: &Preamble, ns: u64) {
        self.v4.put(record, reader, preamble, ns);
        self.compact.push(self.v4, preamble);
        self.v4.clear();
        let (tid, event) = (reader.tid, record.event);
        let arguments = preamble.arguments(event);
        let encoder = &mut self.compact.encoder;
        let defined = encoder.event(u64::from(tid) << 32 | u64::from(event), reader.pid, arguments);
        // The numbers of declared events are small.
        if let Some(defined) = defined.filter(|_| arguments.is_some()) {
            reader.known.set(event, defined);
        }
    }
}

impl KnownEvents {
    #[inline(always)]
    fn get(&self, event: u32) -> Option<Event> {
        *self.0.get(event as usize)?
    }

    fn set(&mut self, event: u32, known: Event) {
        let at = event as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        self.0[at] = Some(known);
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl Output {
    /// Creates the data of a file, which begins with the preamble.
    pub(super) fn new(format: FileFormat, preamble: &Preamble) -> Output {
        let compact = match format {
            FileFormat::V4 => None,
            FileFormat::Compact => Some(Compact::default()),
            // Without memory for compression, blocks are written as they are.
            FileFormat::CompactZstd => Some(Compact {
                encoder: BlockEncoder::compressed().unwrap_or_default(),
                ..Compact::default()
            }),
        };
        Output { preamble_bytes: preamble.len(), unwritten_preamble_bytes: 0, v4: Vec::new(), compact }
    }

    /// Returns the number of bytes by which compression has made the file smaller.
    pub(super) fn saved_bytes(&self) -> u64 {
        self.compact.as_ref().map_or(0, |compact| compact.encoder.saved_bytes())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes() == 0
    }

    /// Returns the size of the data as v4, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.preamble_bytes + self.v4.len() + self.compact.as_ref().map_or(0, Compact::bytes)
    }

    /// Appends the data to the file, and removes it here if that succeeds.
    ///
    /// # Errors
    /// Fails if the data cannot be written. The next call writes the same bytes again, followed by
    /// the data that was added in the meantime.
    pub(super) fn write(
        &mut self,
        sink: &mut Sink,
        preamble: &Preamble,
        is_ending: impl Fn() -> bool,
    ) -> io::Result<()> {
        let parts = preamble.start(std::mem::take(&mut self.preamble_bytes));
        for (index, part) in parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            match &mut self.compact {
                // The preamble can be large, so it is copied only if it cannot be written.
                None => sink.append(part, &is_ending).inspect_err(|_| {
                    let unwritten = parts[index..].concat();
                    self.unwritten_preamble_bytes = unwritten.len();
                    self.v4.splice(..0, unwritten);
                })?,
                Some(compact) => {
                    compact.push(part, preamble);
                    self.unwritten_preamble_bytes += part.len();
                }
            }
        }
        match &mut self.compact {
            None if self.v4.is_empty() => {}
            None => sink.append(&self.v4, is_ending)?,
            Some(compact) => {
                compact.push(&self.v4, preamble);
                self.v4.clear();
                compact.write(sink, is_ending)?;
            }
        }
        self.v4.clear();
        self.unwritten_preamble_bytes = 0;
        Ok(())
    }

    /// Removes the data and returns it as v4, without the preamble. The next data will be at the
    /// start of a file, which begins with `preamble`.
    pub(super) fn restart(&mut self, preamble: &Preamble) -> Vec<u8> {
        let data = self.decode_v4();
        self.preamble_bytes = 0;
        self.v4.clear();
        self.v4.extend(preamble.start(preamble.len()).concat());
        self.unwritten_preamble_bytes = preamble.len();
        self.compact = self
            .compact
            .take()
            .map(|before| Compact { encoder: before.encoder.restart(), ..Compact::default() });
        data
    }

    /// Returns the data as v4, without the preamble.
    pub(super) fn decode_v4(&mut self) -> Vec<u8> {
        let mut data = match &mut self.compact {
            None => self.v4.clone(),
            Some(compact) => [&compact.decode_v4(), &self.v4[..]].concat(),
        };
        data.drain(..self.unwritten_preamble_bytes.min(data.len()));
        data
    }
}

impl Compact {
    /// Returns the size of the data as v4, in bytes.
    #[inline(always)]
    fn bytes(&self) -> usize {
        (self.encoder.total_expanded_bytes() - self.written_bytes) as usize + self.refused.len()
    }

    /// Appends v4 data.
    pub(super) fn push(&mut self, v4: &[u8], preamble: &Preamble) {
        if v4.is_empty() {
            return;
        }
        self.keep();
        if !self.refused.is_empty() {
            self.refused.extend_from_slice(v4);
        } else if let Err(NotRecords { at }) =
            self.encoder.push(v4, |id| preamble.arguments(id as u32), &mut self.blocks)
        {
            self.refused.extend_from_slice(&v4[at..]);
        }
    }

    /// Copies the last finished block from the encoder to `blocks`, if it is only in the encoder,
    /// so that more records can be encoded.
    pub(super) fn keep(&mut self) {
        if std::mem::take(&mut self.is_in_place) {
            self.blocks.extend_from_slice(self.encoder.last_block());
        }
    }

    /// Finishes the current block, and writes all blocks. After an error, the next call writes the
    /// same bytes first.
    pub(super) fn write(&mut self, sink: &mut Sink, is_ending: impl Fn() -> bool) -> io::Result<()> {
        if !self.refused.is_empty() {
            let at = self.encoder.total_expanded_bytes();
            let bytes = self.refused.len();
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "its v4 data from offset {at} on ({bytes} bytes) is not a record of at most 16 MiB; the \
                     name or the declaration of an event may be too long"
                ),
            ));
        }
        if self.blocks.is_empty() && !self.is_in_place {
            // Write the only block from the encoder, without copying it.
            self.is_in_place = !self.encoder.finish_in_place().is_empty();
        } else {
            self.keep();
            self.encoder.finish(&mut self.blocks);
        }
        let bytes = if self.is_in_place { self.encoder.last_block() } else { &self.blocks };
        sink.append(bytes, is_ending)?;
        self.blocks.clear();
        self.is_in_place = false;
        self.written_bytes = self.encoder.total_expanded_bytes();
        Ok(())
    }

    /// Returns the data as v4.
    fn decode_v4(&mut self) -> Vec<u8> {
        self.keep();
        self.encoder.finish(&mut self.blocks);
        let (mut v4, mut rest) = (Vec::new(), &*self.blocks);
        let (mut decoder, mut plain) = (BlockDecoder::default(), Vec::new());
        while let Ok(header) = BlockHeader::parse(rest)
            && let Some((block, after)) = rest.split_at_checked(header.block_bytes())
        {
            rest = after;
            if !header.is_in_sequence() {
                continue;
            }
            // The encoder has created the block.
            let body = header.plain_body(&block[HEADER_BYTES..], &mut plain).unwrap_or_default();
            let decoded = decoder.decode(&header, body);
            debug_assert!(decoded.is_ok(), "{decoded:?}");
            v4.extend_from_slice(decoder.decoded());
        }
        v4.extend_from_slice(&self.refused);
        v4
    }
}
