//! Compact traces: v4 records in compressed blocks that can be read independently.
//!
//! `docs/formats/compact.md` describes the format. A file is a sequence of blocks. Each block is a
//! [`BlockHeader`] and a body, from which a [`BlockDecoder`] restores the bytes of v4 records. So
//! everything that reads v4 can read compact traces, and a compact trace can contain everything
//! that a v4 file can. A [`BlockEncoder`] creates the blocks.

mod decode;
mod encode;
mod header;
mod item;

pub use decode::{BlockDecoder, BodyFault};
pub use encode::{BlockEncoder, Event, NotRecords};
pub use header::{BlockHeader, EventSet, HEADER_BYTES, HeaderFault, Kind, MAGIC, find};

/// The maximum size of the v4 records in a block, in bytes. Readers reject larger blocks, so that a
/// damaged header cannot make them allocate memory out of proportion.
pub const MAX_EXPANDED_BYTES: usize = 16 << 20;

/// The size of the v4 records in a block at which encoders should finish it, in bytes.
pub const TYPICAL_EXPANDED_BYTES: usize = 1 << 20;

/// The maximum number of definitions in a block.
const MAX_DEFINITIONS: usize = LONG_INDEX as usize + (DEFINITION - LONG_INDEX) as usize * 256;

/// The first of the bytes that start a record with a long index. A smaller first byte is the index.
const LONG_INDEX: u8 = 240;

/// The first byte of a definition.
const DEFINITION: u8 = 254;

/// The first byte of v4 records that are stored as they are.
const RAW: u8 = 255;

/// The maximum number of fields of a definition.
const MAX_FIELDS: usize = 255;

/// The code of a string that equals the previous string of its field.
const SAME: u8 = 15;

/// The encoding of a field in the payload of a v4 record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldKind {
    /// Eight bytes.
    Integer = 0,
    /// A u32 with the length, and that many bytes.
    Str = 1,
    /// All remaining bytes of the payload.
    Rest = 2,
}

/// Maps small negative and positive differences to small numbers.
#[inline(always)]
fn zigzag(difference: u64) -> u64 {
    difference << 1 ^ (difference.cast_signed() >> 63).cast_unsigned()
}

#[inline(always)]
fn from_zigzag(code: u64) -> u64 {
    code >> 1 ^ (code & 1).wrapping_neg()
}

#[cfg(test)]
mod tests;
