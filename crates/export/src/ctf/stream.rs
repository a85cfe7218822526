//! The bytes of a CTF stream: packets of records, little-endian, nothing aligned.
//!
//! | bytes | packet | | bytes | record |
//! |---|---|---|---|---|
//! | 4 | magic | | 4 | event id |
//! | 16 | UUID of the trace | | 8 | time |
//! | 4 | stream id | | 4 | process, where the [`StreamKind`] has one |
//! | 8 | time of its first record | | 4 | thread, where it has one |
//! | 8 | time of its last record | | | the thread's name and a zero byte, where it has one |
//! | 8 | its bits | | | values |
//! | 8 | the same: packets are not padded | | | |
//! | 8 | events lost in the stream so far | | | |
//! | 8 | number of the packet in the stream | | | |
//!
//! [`Metadata`](super::metadata::Metadata) says the same to readers.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::shared::text::push_without_zeros;
use crate::shared::value::ValueKind;

const MAGIC: u32 = 0xc1fc_1fc1;

/// Where a packet's times, sizes and counts begin.
const CONTEXT_AT: usize = 24;
const RECORDS_AT: usize = CONTEXT_AT + 6 * 8;

/// A packet is written when it has so many bytes: few enough for readers that take the whole of it, enough for large writes.
const PACKET_BYTES: usize = 256 << 10;

/// What is known of where a record comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamKind {
    /// Nothing, as in v0 and v2.
    Unknown,
    Process,
    Thread,
    /// Its process, its thread, and the name of that.
    NamedThread,
    /// It is no record: it tells of the trace itself.
    Trace,
}

impl StreamKind {
    pub(super) const COUNT: usize = 5;

    /// All, each with the name of its stream's file, in the order of their numbers.
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

    pub(super) fn has_thread(self) -> bool {
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

    /// Appends what stands before a record's values.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        if self.kind.has_process() {
            out.extend_from_slice(&self.pid.to_le_bytes());
        }
        if self.kind.has_thread() {
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
    /// The times of the packet's first and last record.
    span_ns: Option<(u64, u64)>,
    last_ns: u64,
    limit_ns: u64,
    lost_events: u64,
    written: u64,
}

impl Packets {
    /// Begins the stream of `kind`, of the trace `uuid`. What is later than `limit_ns` is written as if it were of that time.
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

    /// Begins a record; its values follow.
    pub(super) fn begin(&mut self, id: u32, time_ns: u64, owner: &Owner<'_>) -> io::Result<Values<'_>> {
        let time_ns = time_ns.min(self.limit_ns);
        if time_ns < self.last_ns {
            let last_ns = self.last_ns;
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "CTF wants records in order of time, but {time_ns} ns comes after {last_ns} ns; sort them first"
                ),
            ));
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

    /// The place of a record of `time_ns`, for who encodes it himself and [notes](Packets::note) it then. `None`: [begin](Packets::begin) it.
    #[inline(always)]
    pub(super) fn fast_path(&mut self, time_ns: u64) -> Option<&mut Vec<u8>> {
        let room = self.span_ns.is_some()
            && self.packet.len() < PACKET_BYTES
            && (self.last_ns..=self.limit_ns).contains(&time_ns);
        room.then_some(&mut self.packet)
    }

    /// Notes that a record of `time_ns` was appended.
    #[inline(always)]
    pub(super) fn note(&mut self, time_ns: u64) {
        self.span_ns = Some((self.span_ns.map_or(time_ns, |(first_ns, _)| first_ns), time_ns));
        self.last_ns = time_ns;
    }

    /// Events were lost before the record of `time_ns` that comes next.
    ///
    /// Readers compare the counts of two packets: so what came before stands in packets of its own, with the count as it was. The first
    /// packet has none to be compared with: without records before, there is one without any.
    pub(super) fn lose(&mut self, events: u64, time_ns: u64) -> io::Result<()> {
        if self.span_ns.is_none() && self.written == 0 {
            let time_ns = time_ns.min(self.limit_ns);
            self.span_ns = Some((time_ns, time_ns));
        }
        self.write_packet()?;
        self.lost_events = self.lost_events.saturating_add(events);
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
    /// Appends an integer of `kind`: as many of its lower bytes as its type has.
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
