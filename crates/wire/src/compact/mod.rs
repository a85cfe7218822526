//! Compact traces: v4 data in blocks that can be decoded independently.
//!
//! `docs/formats/compact.md` describes the format. A file is a sequence of blocks. Each block is a
//! [`BlockHeader`] and a body, from which a [`BlockDecoder`] restores v4 data. Therefore, all code
//! that reads v4 can read compact traces, and a compact trace can contain everything that a v4 file
//! can. A [`BlockEncoder`] creates the blocks.

mod copy;
mod decode;
mod definition;
mod encode;
mod header;
mod item;
mod recent;
mod zstd;

pub use decode::{BlockDecoder, BodyFault, Decoding, FewEvent, TakeFew, TakeNone};
pub use encode::{BlockEncoder, Event, NotRecords};
pub use header::{BlockHeader, EventSet, FileTotals, HEADER_BYTES, HeaderFault, Kind, MAGIC, find};

/// The maximum size of a block's v4 data, in bytes. Readers reject larger blocks, so that a damaged
/// header cannot make them allocate too much memory.
pub const MAX_EXPANDED_BYTES: usize = 16 << 20;

/// The size of a block's v4 data at which encoders should finish the block, in bytes.
pub const TYPICAL_EXPANDED_BYTES: usize = 1 << 20;

/// Whether [`BlockEncoder::compressed`] is available, because the feature `zstd` is enabled.
pub const CAN_COMPRESS: bool = cfg!(feature = "zstd");

/// The number of blocks after which encoders add a block of totals.
pub const BLOCKS_PER_TOTALS: u64 = 64;

/// The maximum number of definitions in a block.
const MAX_DEFINITIONS: usize = LONG_INDEX as usize + (DEFINITION - LONG_INDEX) as usize * 256;

/// The lowest first byte of a record with a long index. A lower first byte is the index itself.
const LONG_INDEX: u8 = 240;

/// The first byte of a definition.
const DEFINITION: u8 = 254;

/// The first byte of v4 data that is stored as it is.
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

/// A field of a definition, and its previous value.
#[derive(Debug, Clone, Copy)]
struct Field {
    kind: FieldKind,
    /// The previous value. For a string, the offset of the previous one in the body.
    previous: u64,
    /// The length of the previous string; `usize::MAX` if there was none.
    length: usize,
}

impl Field {
    fn new(kind: FieldKind) -> Field {
        Field { kind, previous: 0, length: usize::MAX }
    }
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
