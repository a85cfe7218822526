//! The writer of packets.

use std::fs::File;
use std::io;

use super::field::{event, packet, trace};
use super::interned::InternedStrings;
use super::protobuf::Message;
use crate::shared::block_writer::BlockWriter;
use crate::shared::varint::push_varint;

pub(super) type Uuid = u64;

/// The id of the only packet sequence. Interned strings are valid in all its packets.
pub(super) const SEQUENCE: u64 = 1;

pub(super) const LAST_NS: u64 = i64::MAX as u64;

pub(super) struct Packets {
    pub(super) sink: BlockWriter,
    pub(super) names: InternedStrings,
    packet: Message,
    error: Option<io::Error>,
}

/// A type of event, as encoded in a `TrackEvent`.
#[derive(Debug, Clone, Copy)]
pub(super) enum EventType {
    SliceBegin = 1,
    SliceEnd = 2,
    Instant = 3,
    Counter = 4,
}

impl Packets {
    pub(super) fn new(file: File) -> Packets {
        Packets {
            sink: BlockWriter::new(file),
            names: InternedStrings::default(),
            packet: Message::default(),
            error: None,
        }
    }

    /// Writes a packet whose contents `encode` fills in. [`Packets::check`] reports write errors.
    pub(super) fn write(&mut self, encode: impl FnOnce(&mut Message, &mut InternedStrings)) {
        self.packet.clear();
        self.packet.uint(packet::SEQUENCE, SEQUENCE);
        encode(&mut self.packet, &mut self.names);
        let out = self.sink.bytes();
        push_varint(u64::from(trace::PACKET) << 3 | 2, out);
        push_varint(self.packet.as_bytes().len() as u64, out);
        out.extend_from_slice(self.packet.as_bytes());
        if let Err(error) = self.sink.settle() {
            self.error.get_or_insert(error);
        }
    }

    /// Writes an event on `track`, with the fields that `encode` encodes. Times beyond [`LAST_NS`]
    /// are written as [`LAST_NS`].
    pub(super) fn write_event(
        &mut self,
        event_type: EventType,
        timestamp_ns: u64,
        track: Uuid,
        encode: impl FnOnce(&mut Message, &mut InternedStrings),
    ) {
        self.write(|packet, names| {
            packet.uint(packet::SEQUENCE_FLAGS, packet::STATE_NEEDED);
            packet.uint(packet::TIMESTAMP, timestamp_ns.min(LAST_NS));
            packet.message(packet::TRACK_EVENT, |message| {
                message.uint(event::TYPE, event_type as u64);
                message.uint(event::TRACK, track);
                encode(message, names);
            });
            names.write_new(packet);
        });
    }

    /// Writes the description of a track, with the fields that `encode` encodes.
    pub(super) fn write_track(&mut self, encode: impl FnOnce(&mut Message)) {
        self.write(|packet, _| packet.message(packet::TRACK_DESCRIPTOR, encode));
    }

    /// Returns the first error since the last check.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }
}
