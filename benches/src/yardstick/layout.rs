//! Where things stand in a simpletrace v4 file, written down a second time and on purpose: a yardstick that used
//! the tool's own decoder would measure it against itself.

/// The file's header.
pub const HEADER_BYTES: usize = 24;

/// A mapping record: type 0, id, length of the name; then the name.
pub const MAPPING_BYTES: usize = 20;
pub const MAPPING_ID_AT: usize = 8;
pub const MAPPING_LENGTH_AT: usize = 16;

/// An event: type 1, id, time, length, pid; then the arguments. Its length does not count the type.
pub const EVENT_BYTES: usize = 32;
pub const EVENT_ID_AT: usize = 8;
pub const EVENT_TIME_AT: usize = 16;
pub const EVENT_LENGTH_AT: usize = 24;
pub const EVENT_PID_AT: usize = 28;
pub const TYPE_BYTES: usize = 8;

#[inline(always)]
pub fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[inline(always)]
pub fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
