//! A value of an event, and the string that is none.

/// The string that is none: empty, and known by its address.
#[inline(always)]
pub(crate) fn no_string() -> &'static [u8] {
    static PLACE: [u8; 2] = [0; 2];
    &PLACE[1..1]
}

/// Whether `string` is [`no_string`]. An empty one that stands elsewhere has another address, also at the end of what stands before the
/// place: this is in its middle.
#[inline(always)]
pub(crate) fn is_no_string(string: &[u8]) -> bool {
    string.is_empty() && core::ptr::eq(string.as_ptr(), no_string().as_ptr())
}

/// A value as backends that render text take it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Value<'a> {
    /// An integer or an address.
    Integer(u64),
    /// A string.
    Str(&'a [u8]),
    /// A string that is none.
    NoStr,
}
