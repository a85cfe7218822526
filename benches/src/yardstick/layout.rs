//! Offsets in a simpletrace v4 file. They are duplicated here on purpose: a loop with the tool's
//! own decoder would compare the tool with itself.

/// Size of the file's header.
pub const HEADER_BYTES: usize = 24;

/// Size of a mapping record without its name: type 0, id, and length of the name.
pub const MAPPING_BYTES: usize = 20;
pub const MAPPING_ID_AT: usize = 8;
pub const MAPPING_LENGTH_AT: usize = 16;

/// Size of an event without its arguments: type 1, id, time, length and pid. The length does not
/// include the type.
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
