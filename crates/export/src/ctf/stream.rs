//! The bytes of a CTF stream: packets of records, little-endian, without alignment.
//!
//! | bytes | packet | | bytes | record |
//! |---|---|---|---|---|
//! | 4 | magic | | 4 | event id |
//! | 16 | UUID of the trace | | 8 | time |
//! | 4 | stream id | | 4 | process, if the [`StreamKind`] has one |
//! | 8 | time of its first record | | 4 | thread, if it has one |
//! | 8 | time of its last record | | | the thread's name and a zero byte, if it has one |
//! | 8 | content size in bits | | | values |
//! | 8 | packet size in bits, the same because packets are not padded | | | |
//! | 8 | events lost in the stream so far | | | |
//! | 8 | number of the packet in the stream | | | |
//!
//! [`Metadata`](super::metadata::Metadata) describes this layout to readers.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::shared::out_of_order;
use crate::shared::text::push_without_zeros;
use crate::shared::value::ValueKind;

const MAGIC: u32 = 0xc1fc_1fc1;
const CONTEXT_AT: usize = 24;
const RECORDS_AT: usize = CONTEXT_AT + 6 * 8;

/// Size at which a packet is written: small enough for readers that load whole packets, and large
/// enough for efficient writes.
const PACKET_BYTES: usize = 256 << 10;

/// The greatest number of lost events. babeltrace2 aborts at `u64::MAX`, which it uses for "unknown".
const MAX_LOST: u64 = u64::MAX - 1;

/// The information about its origin that every record in a stream contains: process, thread and
/// thread name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamKind {
    /// No information, as in v0 and v2.
    Unknown,
    Process,
    Thread,
    NamedThread,
    /// For data about the trace itself.
    Trace,
}

impl StreamKind {
    pub(super) const COUNT: usize = 5;

    /// All kinds, in the order of their numbers, with the file names of their streams.
    pub(super) const ALL: [(StreamKind, &str); StreamKind::COUNT] = [
        (StreamKind::Unknown, "records"),
        (StreamKind::Process, "records-of-processes"),
        (StreamKind::Thread, "records-of-threads"),
        (StreamKind::NamedThread, "records-of-named-threads"),
        (StreamKind::Trace, "about-the-trace"),
    ];

    pub(super) fn has_process(self) -> bool {
        matches!(self, StreamKind::Process | StreamKind::Thread | StreamKind::NamedThread)
    }

    pub(super) fn encodes_on_thread(self) -> bool {
        matches!(self, StreamKind::Thread | StreamKind::NamedThread)
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Owner<'e> {
    pub(super) kind: StreamKind,
    pub(super) pid: u32,
    pub(super) tid: u32,
    pub(super) name: &'e str,
}

impl Owner<'_> {
    pub(super) const TRACE: Owner<'static> = Owner { kind: StreamKind::Trace, pid: 0, tid: 0, name: "" };

    /// Appends the context, which precedes a record's values.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        if self.kind.has_process() {
            out.extend_from_slice(&self.pid.to_le_bytes());
        }
        if self.kind.encodes_on_thread() {
            out.extend_from_slice(&self.tid.to_le_bytes());
        }
        if self.kind == StreamKind::NamedThread {
            push_without_zeros(self.name.as_bytes(), out);
            out.push(0);
        }
    }
}

#[derive(Debug)]
pub(super) struct Packets {
    file: File,
    packet: Vec<u8>,
    span_ns: Option<(u64, u64)>,
    last_ns: u64,
    limit_ns: u64,
    lost_events: u64,
    written: u64,
}

impl Packets {
    /// Creates the stream of `kind` for the trace `uuid`. Times beyond `limit_ns` are written as
    /// `limit_ns`.
    pub(super) fn create(
        folder: &Path,
        kind: StreamKind,
        uuid: [u8; 16],
        limit_ns: u64,
    ) -> io::Result<Packets> {
        let mut packet = Vec::with_capacity(PACKET_BYTES + PACKET_BYTES / 4);
        packet.extend_from_slice(&MAGIC.to_le_bytes());
        packet.extend_from_slice(&uuid);
        packet.extend_from_slice(&(kind as u32).to_le_bytes());
        packet.resize(RECORDS_AT, 0);
        let (_, name) = StreamKind::ALL[kind as usize];
        let file = File::create_new(folder.join(name))?;
        Ok(Packets { file, packet, span_ns: None, last_ns: 0, limit_ns, lost_events: 0, written: 0 })
    }

    pub(super) fn begin(&mut self, id: u32, time_ns: u64, owner: &Owner<'_>) -> io::Result<Values<'_>> {
        let time_ns = time_ns.min(self.limit_ns);
        if time_ns < self.last_ns {
            return Err(out_of_order("CTF", time_ns, self.last_ns));
        }
        if self.packet.len() >= PACKET_BYTES {
            self.write_packet()?;
        }
        self.note(time_ns);
        let out = &mut self.packet;
        out.extend_from_slice(&id.to_le_bytes());
        out.extend_from_slice(&time_ns.to_le_bytes());
        owner.encode(out);
        Ok(Values(out))
    }

    /// Returns the buffer for a record at `time_ns`. The caller encodes the record and then
    /// [registers](Packets::note) it. Returns `None` if the record needs [`Packets::begin`].
    #[inline(always)]
    pub(super) fn fast_path(&mut self, time_ns: u64) -> Option<&mut Vec<u8>> {
        let room = self.span_ns.is_some()
            && self.packet.len() < PACKET_BYTES
            && (self.last_ns..=self.limit_ns).contains(&time_ns);
        room.then_some(&mut self.packet)
    }

    #[inline(always)]
    pub(super) fn note(&mut self, time_ns: u64) {
        self.span_ns = Some((self.span_ns.map_or(time_ns, |(first_ns, _)| first_ns), time_ns));
        self.last_ns = time_ns;
    }

    /// Registers that events were lost before the next record, which is at `time_ns`.
    ///
    /// Readers compare the loss counts of consecutive packets. Earlier records are therefore in
    /// separate packets, with the previous count. If there are no earlier records, an empty packet
    /// is written first for the comparison.
    pub(super) fn lose(&mut self, events: u64, time_ns: u64) -> io::Result<()> {
        if self.span_ns.is_none() && self.written == 0 {
            let time_ns = time_ns.min(self.limit_ns);
            self.span_ns = Some((time_ns, time_ns));
        }
        self.write_packet()?;
        self.lost_events = self.lost_events.saturating_add(events).min(MAX_LOST);
        Ok(())
    }

    pub(super) fn write_packet(&mut self) -> io::Result<()> {
        let Some((first_ns, last_ns)) = self.span_ns.take() else { return Ok(()) };
        let bits = 8 * self.packet.len() as u64;
        let context = [first_ns, last_ns, bits, bits, self.lost_events, self.written];
        for (place, value) in self.packet[CONTEXT_AT..RECORDS_AT].chunks_exact_mut(8).zip(context) {
            place.copy_from_slice(&value.to_le_bytes());
        }
        self.file.write_all(&self.packet)?;
        self.written += 1;
        self.packet.truncate(RECORDS_AT);
        Ok(())
    }
}

pub(super) struct Values<'p>(&'p mut Vec<u8>);

impl Values<'_> {
    /// Appends the low bytes of an integer. `kind` determines their number.
    #[inline(always)]
    pub(super) fn integer(&mut self, kind: ValueKind, bits: u64) {
        let bytes = bits.to_le_bytes();
        match kind {
            ValueKind::Signed(1) | ValueKind::Unsigned(1) => self.0.extend_from_slice(&bytes[..1]),
            ValueKind::Signed(2) | ValueKind::Unsigned(2) => self.0.extend_from_slice(&bytes[..2]),
            ValueKind::Signed(4) | ValueKind::Unsigned(4) => self.0.extend_from_slice(&bytes[..4]),
            ValueKind::Bool => self.0.push(u8::from(bits != 0)),
            _ => self.0.extend_from_slice(&bytes),
        }
    }

    pub(super) fn text(&mut self, bytes: &[u8]) {
        push_without_zeros(bytes, self.0);
        self.0.push(0);
    }
}
