//! Packets on their way to the file.

use std::fs::File;
use std::io;

use super::field::{event, packet, trace};
use super::names::Names;
use super::protobuf::{Message, push_varint};
use super::tracks::{Tell, Uuid};
use crate::sink::Sink;

/// All packets are of one sequence: what is interned counts for all.
pub(super) const SEQUENCE: u64 = 1;

/// Perfetto's times have a sign.
pub(super) const LAST_NS: u64 = i64::MAX as u64;

/// Where packets go.
pub(super) struct Packets {
    pub(super) sink: Sink,
    packet: Message,
    failed: Option<io::Error>,
}

/// What happens on a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Happening {
    SliceBegin,
    SliceEnd,
    Instant,
    Counter,
}

impl Happening {
    pub(super) fn number(self) -> u64 {
        match self {
            Happening::SliceBegin => event::SLICE_BEGIN,
            Happening::SliceEnd => event::SLICE_END,
            Happening::Instant => event::INSTANT,
            Happening::Counter => event::COUNTER,
        }
    }
}

impl Packets {
    pub(super) fn new(file: File) -> Packets {
        Packets { sink: Sink::new(file), packet: Message::default(), failed: None }
    }

    /// Writes the packet that `encode` encodes. What goes wrong is told by [`Packets::check`].
    pub(super) fn write(&mut self, encode: impl FnOnce(&mut Message)) {
        self.packet.clear();
        self.packet.uint(packet::SEQUENCE, SEQUENCE);
        encode(&mut self.packet);
        let out = self.sink.bytes();
        push_varint(u64::from(trace::PACKET) << 3 | 2, out);
        push_varint(self.packet.as_bytes().len() as u64, out);
        out.extend_from_slice(self.packet.as_bytes());
        if let Err(error) = self.sink.settle() {
            self.failed.get_or_insert(error);
        }
    }

    /// Writes what happens on `track`, with the fields that `encode` encodes. Beyond [`LAST_NS`] all is at that time.
    pub(super) fn write_event(
        &mut self,
        happening: Happening,
        timestamp_ns: u64,
        track: Uuid,
        names: &mut Names,
        encode: impl FnOnce(&mut Message, &mut Names),
    ) {
        self.write(|packet| {
            packet.uint(packet::SEQUENCE_FLAGS, packet::STATE_NEEDED);
            packet.uint(packet::TIMESTAMP, timestamp_ns.min(LAST_NS));
            packet.message(packet::TRACK_EVENT, |message| {
                message.uint(event::TYPE, happening.number());
                message.uint(event::TRACK, track);
                encode(message, names);
            });
            names.tell(packet);
        });
    }

    /// Says what went wrong since it was asked last.
    pub(super) fn check(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }
}

impl Tell for Packets {
    fn tell(&mut self, encode: impl FnOnce(&mut Message)) {
        self.write(|packet| packet.message(packet::TRACK_DESCRIPTOR, encode));
    }
}
