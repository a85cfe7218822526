//! Detection of a file's version and byte order from its header.
//!
//! | offset | size | v0 (64 bytes) | v2, v3, v4 (24 bytes) | RFC 2011 (32 bytes) |
//! |---|---|---|---|---|
//! | 0 | 8 | u64: [`HEADER_ID`] | u64: [`HEADER_ID`] | u64: 0xaa0011ff |
//! | 8 | 8 | u64: [`MAGIC`] | u64: [`MAGIC`] | u64: pid |
//! | 16 | 8 | u64: version, 0 | u64: version, 2 to 4 | u64: version |
//! | 24 | 8 | zeros, up to offset 64 | | u64: timestamp in nanoseconds |

use super::{HEADER_ID, Version, rfc2011, v0};
use crate::ByteOrder;
use crate::order::u64_at;

/// The second word of a v0 to v4 header, at offset 8.
pub const MAGIC: u64 = 0xf2b1_77cb_0aa4_29b4;

/// The size of a v2, v3 or v4 header, in bytes.
pub const HEADER_BYTES: usize = 24;

const MAGIC_AT: usize = 8;
/// The offset of the version field, in every version.
pub const VERSION_AT: usize = 16;

/// The decoded header of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The version.
    pub version: Version,
    /// The byte order of all integers in the file.
    pub order: ByteOrder,
    /// The size of the header: the offset of the first record.
    pub size: usize,
    /// The process id, if the header contains it (RFC 2011).
    pub pid: Option<u64>,
    /// The header's time in nanoseconds (RFC 2011).
    pub timestamp_ns: Option<u64>,
    /// The version field as written. RFC 2011 does not define its value.
    pub version_field: u64,
}

/// The result of [`detect`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detected {
    /// A simpletrace file with this header.
    Header(Header),
    /// A simpletrace header with an unknown version.
    UnknownVersion {
        /// The version field as written.
        version: u64,
        /// The known versions.
        expected: &'static str,
        /// The byte order of the header.
        order: ByteOrder,
    },
    /// An incomplete header. At least this many bytes are necessary to decode it.
    NeedMore(usize),
    /// Not a simpletrace header.
    Other,
}

/// Detects the format of a file that starts with `start`. 64 bytes are always enough.
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

pub(super) fn encode_numbered(version_field: u64, size: usize, order: ByteOrder, out: &mut Vec<u8>) {
    let start = out.len();
    for word in [HEADER_ID, MAGIC, version_field] {
        out.extend(order.put_u64(word));
    }
    out.resize(start + size, 0);
}
