//! Byte orders, as values and as types.

use std::fmt;

/// The byte order of a file's integers. It depends on the machine that wrote the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// Least significant byte first (x86, ARM, RISC-V).
    Little,
    /// Most significant byte first (s390x, older POWER).
    Big,
}

impl fmt::Display for ByteOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ByteOrder::Little => "little-endian",
            ByteOrder::Big => "big-endian",
        })
    }
}

impl ByteOrder {
    /// The byte order of the machine that runs this code.
    pub const NATIVE: ByteOrder =
        if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };

    /// Decodes a u32.
    pub fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            ByteOrder::Little => u32::from_le_bytes(bytes),
            ByteOrder::Big => u32::from_be_bytes(bytes),
        }
    }

    /// Decodes a u64.
    pub fn u64(self, bytes: [u8; 8]) -> u64 {
        match self {
            ByteOrder::Little => u64::from_le_bytes(bytes),
            ByteOrder::Big => u64::from_be_bytes(bytes),
        }
    }

    /// Encodes a u32.
    pub fn put_u32(self, value: u32) -> [u8; 4] {
        match self {
            ByteOrder::Little => value.to_le_bytes(),
            ByteOrder::Big => value.to_be_bytes(),
        }
    }

    /// Encodes a u64.
    pub fn put_u64(self, value: u64) -> [u8; 8] {
        match self {
            ByteOrder::Little => value.to_le_bytes(),
            ByteOrder::Big => value.to_be_bytes(),
        }
    }
}

/// A byte order as a type, so that a decoding loop can be compiled for it without branches.
pub trait Order: Copy + Send + Sync + 'static {
    /// The byte order as a value.
    const ORDER: ByteOrder;
}

/// [`ByteOrder::Little`] as a type.
#[derive(Debug, Clone, Copy)]
pub struct Little;

/// [`ByteOrder::Big`] as a type.
#[derive(Debug, Clone, Copy)]
pub struct Big;

impl Order for Little {
    const ORDER: ByteOrder = ByteOrder::Little;
}

impl Order for Big {
    const ORDER: ByteOrder = ByteOrder::Big;
}

/// Returns the u32 at offset `at`, or `None` if it extends beyond the end of `bytes`.
#[inline(always)]
pub fn u32_at(bytes: &[u8], at: usize, order: ByteOrder) -> Option<u32> {
    Some(order.u32(*bytes.get(at..)?.first_chunk()?))
}

/// Returns the u64 at offset `at`, or `None` if it extends beyond the end of `bytes`.
#[inline(always)]
pub fn u64_at(bytes: &[u8], at: usize, order: ByteOrder) -> Option<u64> {
    Some(order.u64(*bytes.get(at..)?.first_chunk()?))
}
