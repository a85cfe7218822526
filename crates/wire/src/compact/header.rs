//! The header of a block.
//!
//! | offset | size | contents |
//! |---|---|---|
//! | 0 | 8 | [`MAGIC`] |
//! | 8 | 4 | u32: CRC32C of the header from offset 12 |
//! | 12 | 2 | u16: kind |
//! | 14 | 2 | u16: compression of the body: 0 none, 1 zstd |
//! | 16 | 4 | u32: size of the body in the file |
//! | 20 | 4 | u32: CRC32C of the body in the file |
//! | 24 | 4 | u32: size of the body without compression |
//! | 28 | 4 | u32: size of the v4 data |
//! | 32 | 4 | u32: number of records |
//! | 36 | 4 | u32: number of mapping records that later blocks may need |
//! | 40 | 8 | u64: size of the v4 data of all previous blocks |
//! | 48 | 8 | u64: number of records in all previous blocks |
//! | 56 | 8 | u64: earliest time |
//! | 64 | 8 | u64: latest time |
//! | 72 | 8 | u64: number of lost events |
//! | 80 | 4 | u32: number of different threads |
//! | 84 | 4 | u32: distance to the previous block of totals, or 0 |
//! | 88 | 16 | set of the events |
//! | 104 | 8 | u64: latest time in this and all previous blocks |
//! | 112 | 8 | u64: offset of the previous block with mapping records, or all ones |
//! | 120 | 8 | u64: offset of this block in the file |
//!
//! A block of totals has no body. Some of its fields refer to all previous blocks; see [`FileTotals`].
//! A copy states the numbers at offsets 36, 40 and 48 of the copied block, and at offset 112 where that
//! block is.

use std::fmt;

use super::MAX_EXPANDED_BYTES;
use super::zstd::decompress;
use crate::ByteOrder::Little;
use crate::order::{u32_at, u64_at};
use crate::simpletrace::DROPPED_ID;

/// The first bytes of each block.
pub const MAGIC: [u8; 8] = *b"\x89rtb\r\n\x1a\n";

/// The size of a block's header, in bytes.
pub const HEADER_BYTES: usize = 128;

const CHECKED_AT: usize = 12;

/// A kind of block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Records.
    Records,
    /// No records, but totals of all previous blocks; see [`BlockHeader::totals`].
    Totals,
    /// The file header and the mapping records of an earlier block, for readers that find it damaged.
    Copy,
    /// A kind that is unknown to this version.
    Other(u16),
}

/// The header of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockHeader {
    /// The kind.
    pub kind: Kind,
    /// Whether the body is compressed with zstd.
    pub is_zstd: bool,
    /// The size of the body in the file, in bytes.
    pub body_bytes: u32,
    /// The CRC32C of the body in the file.
    pub body_crc: u32,
    /// The size of the body without compression, in bytes.
    pub plain_bytes: u32,
    /// The size of the v4 data, in bytes.
    pub expanded_bytes: u32,
    /// The number of records, without mapping records.
    pub records: u32,
    /// The number of mapping records that later blocks may need.
    pub mappings: u32,
    /// The size of the v4 data of all previous blocks, in bytes.
    pub expanded_before: u64,
    /// The number of records in all previous blocks.
    pub records_before: u64,
    /// The earliest time of a record, in nanoseconds. Greater than `latest_ns` if there are no
    /// records.
    pub earliest_ns: u64,
    /// The latest time of a record, in nanoseconds.
    pub latest_ns: u64,
    /// The number of lost events that the dropped records report.
    pub lost: u64,
    /// The number of different threads that recorded events.
    pub threads: u32,
    /// The distance to the nearest previous block of totals, in bytes. 0 if there is none, or if it
    /// is too far away.
    pub totals_distance: u32,
    /// The events of the records.
    pub events: EventSet,
    /// The latest time in this block and all previous ones, in nanoseconds.
    pub latest_so_far_ns: u64,
    /// The offset in the file of the previous block with mapping records that later blocks may
    /// need. `u64::MAX` if there is none.
    pub previous_mappings_at: u64,
    /// The offset of this block in the file. A reader that searches for a block after damage uses
    /// it to recognize blocks of other traces that are contained in strings.
    pub at: u64,
}

/// Totals of all blocks before a block of totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileTotals {
    /// The number of blocks with records or mapping records.
    pub blocks: u64,
    /// The earliest time of a record, in nanoseconds. `u64::MAX` if there are no records.
    pub earliest_ns: u64,
    /// The maximum by which the earliest time of a block is lower than the latest time in all blocks
    /// before it, in nanoseconds.
    pub overlap_ns: u64,
    /// The number of lost events that the dropped records report.
    pub lost: u64,
    /// The number of bytes by which compression has made the bodies smaller.
    pub saved_bytes: u64,
}

impl FileTotals {
    /// The totals of a file without blocks.
    pub const NONE: FileTotals =
        FileTotals { blocks: 0, earliest_ns: u64::MAX, overlap_ns: 0, lost: 0, saved_bytes: 0 };

    /// Adds a block of records. `latest_before_ns` is the latest time in all previous blocks.
    pub fn add(&mut self, header: &BlockHeader, latest_before_ns: u64) {
        self.blocks = self.blocks.saturating_add(1);
        self.earliest_ns = self.earliest_ns.min(header.earliest_ns);
        self.overlap_ns = self.overlap_ns.max(latest_before_ns.saturating_sub(header.earliest_ns));
        self.lost = self.lost.wrapping_add(header.lost);
        self.saved_bytes = self.saved_bytes.wrapping_add(header.saved_bytes());
    }
}

/// A small set of events, which may contain further events that have the same hash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EventSet(pub [u64; 2]);

impl EventSet {
    /// The set of all events.
    pub const ALL: EventSet = EventSet([u64::MAX; 2]);

    /// Adds the event with the id `id`. Ids that differ only in the thread are the same event.
    #[inline]
    pub fn insert(&mut self, id: u64) {
        let bit = EventSet::bit(id);
        self.0[(bit >> 6) as usize] |= 1 << (bit & 63);
    }

    /// Returns whether the event with the id `id` may be in the set.
    #[inline]
    pub fn may_contain(&self, id: u64) -> bool {
        let bit = EventSet::bit(id);
        self.0[(bit >> 6) as usize] >> (bit & 63) & 1 == 1
    }

    /// Returns whether the sets may have an event in common.
    pub fn may_intersect(&self, other: &EventSet) -> bool {
        self.0[0] & other.0[0] != 0 || self.0[1] & other.0[1] != 0
    }

    #[inline]
    fn bit(id: u64) -> u32 {
        (id as u32).wrapping_mul(0x9e37_79b1) >> 25
    }
}

/// The error for bytes that are not a valid header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderFault {
    /// There are too few bytes. The number is the minimum.
    NeedMore(usize),
    /// The bytes do not start with [`MAGIC`].
    Magic,
    /// The checksum is wrong.
    Checksum,
    /// The block was written by a newer version and must not be skipped.
    Newer(u16),
    /// The body has an unknown compression.
    Compression(u16),
    /// A size exceeds the limit.
    TooLarge,
}

impl fmt::Display for HeaderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeaderFault::NeedMore(_) => f.write_str("the file ends within the header of a block"),
            HeaderFault::Magic => f.write_str("expected the start of a block, found other bytes"),
            HeaderFault::Checksum => f.write_str("the checksum of a block's header is wrong"),
            HeaderFault::Newer(kind) => {
                write!(f, "a newer version of ringtrace wrote a block of kind {kind:#x}")
            }
            HeaderFault::Compression(number) => write!(f, "a block has the unknown compression {number}"),
            HeaderFault::TooLarge => {
                write!(f, "a block is larger than {} MiB", MAX_EXPANDED_BYTES >> 20)
            }
        }
    }
}

impl BlockHeader {
    /// The header of the first block of a file, while it is empty.
    pub(super) const NEW: BlockHeader = BlockHeader {
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
        totals_distance: 0,
        events: EventSet([0; 2]),
        latest_so_far_ns: 0,
        previous_mappings_at: u64::MAX,
        at: 0,
    };

    /// Decodes the header at the start of `bytes`.
    ///
    /// # Errors
    /// Returns an error if `bytes` do not start with a valid header.
    pub fn parse(bytes: &[u8]) -> Result<BlockHeader, HeaderFault> {
        let start = bytes.get(..HEADER_BYTES).unwrap_or(bytes);
        let magic = start.len().min(MAGIC.len());
        if start[..magic] != MAGIC[..magic] {
            return Err(HeaderFault::Magic);
        }
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            return Err(HeaderFault::NeedMore(HEADER_BYTES));
        };
        let u16_at = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        // These cannot be out of bounds.
        let u32_at = |at| u32_at(header, at, Little).unwrap_or(0);
        let u64_at = |at| u64_at(header, at, Little).unwrap_or(0);
        if u32_at(8) != crc32c::crc32c(&header[CHECKED_AT..]) {
            return Err(HeaderFault::Checksum);
        }
        let kind = match u16_at(12) {
            1 => Kind::Records,
            2 => Kind::Totals,
            3 => Kind::Copy,
            skippable @ ..0x8000 => Kind::Other(skippable),
            kind => return Err(HeaderFault::Newer(kind)),
        };
        let has_body = matches!(kind, Kind::Records | Kind::Copy);
        let is_zstd = match u16_at(14) {
            0 => false,
            1 => true,
            // A block that is skipped may have any compression.
            _ if !has_body => false,
            number => return Err(HeaderFault::Compression(number)),
        };
        let found = BlockHeader {
            kind,
            is_zstd,
            body_bytes: u32_at(16),
            body_crc: u32_at(20),
            plain_bytes: u32_at(24),
            expanded_bytes: u32_at(28),
            records: u32_at(32),
            mappings: u32_at(36),
            expanded_before: u64_at(40),
            records_before: u64_at(48),
            earliest_ns: u64_at(56),
            latest_ns: u64_at(64),
            lost: u64_at(72),
            threads: u32_at(80),
            totals_distance: u32_at(84),
            events: EventSet([u64_at(88), u64_at(96)]),
            latest_so_far_ns: u64_at(104),
            previous_mappings_at: u64_at(112),
            at: u64_at(120),
        };
        let sizes = [found.body_bytes, found.plain_bytes, found.expanded_bytes];
        match has_body && sizes.iter().any(|&size| size as usize > MAX_EXPANDED_BYTES) {
            true => Err(HeaderFault::TooLarge),
            false => Ok(found),
        }
    }

    /// Returns the header of a block of totals at the place of `next`, which is the header of an empty
    /// block.
    pub(super) fn of_totals(totals: &FileTotals, next: &BlockHeader) -> BlockHeader {
        BlockHeader {
            kind: Kind::Totals,
            earliest_ns: totals.earliest_ns,
            latest_ns: totals.overlap_ns,
            lost: totals.lost,
            events: EventSet([totals.blocks, totals.saved_bytes]),
            ..*next
        }
    }

    /// Returns the header of a block at the place of `next`, which is the header of an empty block, that
    /// will contain a copy of a part of the block `of`.
    pub(super) fn of_copy(of: &BlockHeader, next: &BlockHeader) -> BlockHeader {
        BlockHeader {
            kind: Kind::Copy,
            mappings: of.mappings,
            expanded_before: of.expanded_before,
            records_before: of.records_before,
            previous_mappings_at: of.at,
            at: next.at,
            ..BlockHeader::NEW
        }
    }

    /// Returns whether the numbers about previous blocks refer to the place of this block in the file.
    pub fn is_in_sequence(&self) -> bool {
        matches!(self.kind, Kind::Records | Kind::Totals)
    }

    /// Returns the totals, if this is the header of a block of totals.
    pub fn totals(&self) -> Option<FileTotals> {
        let EventSet([blocks, saved_bytes]) = self.events;
        let (earliest_ns, overlap_ns, lost) = (self.earliest_ns, self.latest_ns, self.lost);
        (self.kind == Kind::Totals).then_some(FileTotals {
            blocks,
            earliest_ns,
            overlap_ns,
            lost,
            saved_bytes,
        })
    }

    /// Returns the size of the block in the file, in bytes.
    pub fn block_bytes(&self) -> usize {
        HEADER_BYTES + self.body_bytes as usize
    }

    /// Returns the number of bytes by which compression has made the body smaller.
    pub fn saved_bytes(&self) -> u64 {
        u64::from(self.plain_bytes.saturating_sub(self.body_bytes))
    }

    /// Returns the body of the block at the start of `bytes`. `None` if it is truncated.
    pub fn body<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        bytes.get(HEADER_BYTES..self.block_bytes())
    }

    /// Returns whether `body` is the body in the file, according to its checksum.
    pub fn is_intact(&self, body: &[u8]) -> bool {
        body.len() == self.body_bytes as usize && crc32c::crc32c(body) == self.body_crc
    }

    /// Returns the body without compression. `body` is the body in the file. If it is compressed, it is
    /// decompressed to `buffer`. Returns `None` if that is impossible, or if
    /// [`CAN_COMPRESS`](super::CAN_COMPRESS) is false.
    pub fn plain_body<'b>(&self, body: &'b [u8], buffer: &'b mut Vec<u8>) -> Option<&'b [u8]> {
        if !self.is_zstd {
            return Some(body);
        }
        let bytes = self.plain_bytes as usize;
        if buffer.len() < bytes {
            buffer.resize(bytes, 0);
        }
        let plain = buffer.get_mut(..bytes)?;
        decompress(body, plain)?;
        Some(plain)
    }

    /// Returns whether the block may contain a record between these times, both included.
    pub fn may_contain_time(&self, since_ns: u64, until_ns: u64) -> bool {
        self.earliest_ns <= until_ns && self.latest_ns >= since_ns
    }

    /// Counts the times of two consecutive records, the first of which is not later than the second.
    #[cold]
    pub(super) fn count_unordered(&mut self, timestamp_ns: u64, last_ns: u64) {
        // While times increase, only the first can be the earliest, and the last is the latest.
        self.earliest_ns = self.earliest_ns.min(timestamp_ns);
        self.latest_ns = self.latest_ns.max(last_ns);
    }

    pub(super) fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &MAGIC);
        let kind = match self.kind {
            Kind::Records => 1,
            Kind::Totals => 2,
            Kind::Copy => 3,
            Kind::Other(kind) => kind,
        };
        put(12, &kind.to_le_bytes());
        put(14, &u16::from(self.is_zstd).to_le_bytes());
        let [low, high] = self.events.0;
        let u32s = [self.body_bytes, self.body_crc, self.plain_bytes, self.expanded_bytes];
        for (index, value) in u32s.into_iter().chain([self.records, self.mappings]).enumerate() {
            put(16 + 4 * index, &value.to_le_bytes());
        }
        let u64s = [
            self.expanded_before,
            self.records_before,
            self.earliest_ns,
            self.latest_ns,
            self.lost,
            u64::from(self.totals_distance) << 32 | u64::from(self.threads),
            low,
            high,
            self.latest_so_far_ns,
            self.previous_mappings_at,
            self.at,
        ];
        for (index, value) in u64s.into_iter().enumerate() {
            put(40 + 8 * index, &value.to_le_bytes());
        }
        let crc = crc32c::crc32c(&bytes[CHECKED_AT..]);
        bytes[8..CHECKED_AT].copy_from_slice(&crc.to_le_bytes());
        bytes
    }
}

/// Returns the offset of the first valid header in `bytes`, or of the first bytes that could be the
/// start of one if `bytes` continued. `None` if there are neither.
pub fn find(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..)?;
        at += rest.iter().position(|&byte| byte == MAGIC[0])?;
        match BlockHeader::parse(bytes.get(at..)?) {
            Err(HeaderFault::Magic | HeaderFault::Checksum) => at += 1,
            _ => return Some(at),
        }
    }
}

/// Returns the number of lost events, if the record is a dropped record.
pub(super) fn lost(id: u64, payload: &[u8]) -> u64 {
    match id {
        DROPPED_ID => payload.first_chunk().map_or(0, |count| u64::from_le_bytes(*count)),
        _ => 0,
    }
}
