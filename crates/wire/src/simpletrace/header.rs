//! The first bytes of a file: which version and byte order.
//!
//! | offset | v0 (64 bytes) | v2, v3, v4 (24 bytes) | RFC 2011 (32 bytes) |
//! |---|---|---|---|
//! | 0 | u64 all ones | u64 all ones | u64 0xaa0011ff |
//! | 8 | u64 magic | u64 magic | u64 pid |
//! | 16 | u64 version 0 | u64 version | u64 version |
//! | 24 | 40 bytes nobody reads | | u64 timestamp |

use super::{HEADER_ID, Version, rfc2011, v0};
use crate::ByteOrder;
use crate::order::u64_at;

/// The second word of a header, after [`HEADER_ID`].
pub const MAGIC: u64 = 0xf2b1_77cb_0aa4_29b4;

/// Size of the header of v2, v3 and v4.
pub const HEADER_BYTES: usize = 24;

const MAGIC_AT: usize = 8;
/// Where the version stands in the header, in every version.
pub const VERSION_AT: usize = 16;

/// A file's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Which version.
    pub version: Version,
    /// The order of all integers in the file.
    pub order: ByteOrder,
    /// Bytes from the start of the file to the first record.
    pub size: usize,
    /// The pid of all records, where the header carries it (RFC 2011).
    pub pid: Option<u64>,
    /// The header's own time in nanoseconds (RFC 2011).
    pub timestamp_ns: Option<u64>,
    /// The version field as written: the RFC does not say which value it should have.
    pub version_field: u64,
}

/// What the start of a file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detected {
    /// A trace.
    Header(Header),
    /// A simpletrace header of a version that does not exist.
    UnknownVersion {
        /// As written.
        version: u64,
        /// Those that exist.
        expected: &'static str,
        /// The order of the header.
        order: ByteOrder,
    },
    /// It begins like a header, but more bytes are needed to tell.
    NeedMore(usize),
    /// No simpletrace header.
    Other,
}

/// Tells what a file that begins with `start` is. 64 bytes are enough for every answer but
/// [`Detected::NeedMore`].
pub fn detect(start: &[u8]) -> Detected {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let detected = match u64_at(start, 0, order) {
            Some(HEADER_ID) => detect_numbered(start, order),
            Some(rfc2011::HEADER_MAGIC) => rfc2011::header(start, order),
            _ => Detected::Other,
        };
        if detected != Detected::Other {
            return detected;
        }
    }
    let undecided = !start.is_empty()
        && start.len() < 8
        && [
            HEADER_ID.to_le_bytes(),
            rfc2011::HEADER_MAGIC.to_le_bytes(),
            rfc2011::HEADER_MAGIC.to_be_bytes(),
        ]
        .iter()
        .any(|magic| magic.starts_with(start));
    if undecided { Detected::NeedMore(HEADER_BYTES) } else { Detected::Other }
}

fn detect_numbered(start: &[u8], order: ByteOrder) -> Detected {
    let Some(magic) = u64_at(start, MAGIC_AT, order) else {
        let there = start.get(MAGIC_AT..).unwrap_or_default();
        let fits = order.put_u64(MAGIC).starts_with(there);
        return if fits { Detected::NeedMore(HEADER_BYTES) } else { Detected::Other };
    };
    if magic != MAGIC {
        return Detected::Other;
    }
    let Some(version) = u64_at(start, VERSION_AT, order) else { return Detected::NeedMore(HEADER_BYTES) };
    let (known, size) = match version {
        0 => (Version::V0, v0::RECORD_BYTES),
        2 => (Version::V2, HEADER_BYTES),
        3 => (Version::V3, HEADER_BYTES),
        4 => (Version::V4, HEADER_BYTES),
        _ => return Detected::UnknownVersion { version, expected: "0, 2, 3 or 4", order },
    };
    if start.len() < size {
        return Detected::NeedMore(size);
    }
    Detected::Header(Header {
        version: known,
        order,
        size,
        pid: None,
        timestamp_ns: None,
        version_field: version,
    })
}

/// Appends the header of a v0, v2, v3 or v4 file.
pub(super) fn encode_numbered(version_field: u64, size: usize, order: ByteOrder, out: &mut Vec<u8>) {
    let start = out.len();
    for word in [HEADER_ID, MAGIC, version_field] {
        out.extend(order.put_u64(word));
    }
    out.resize(start + size, 0);
}
