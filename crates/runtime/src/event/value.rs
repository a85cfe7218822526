//! A value of an event, and the representation of a missing string.

/// A missing string: an empty slice with a special address.
#[inline(always)]
pub(crate) fn no_string() -> &'static [u8] {
    static PLACE: [u8; 2] = [0; 2];
    &PLACE[1..1]
}

/// Returns whether `string` is [`no_string`]. Other empty strings have other addresses: the address
/// is in the middle of its object, so that it is also not the end of the object before it.
#[inline(always)]
pub(crate) fn is_no_string(string: &[u8]) -> bool {
    string.is_empty() && core::ptr::eq(string.as_ptr(), no_string().as_ptr())
}

/// A value for backends that render text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Value<'a> {
    /// An integer or an address.
    Integer(u64),
    /// A string.
    Str(&'a [u8]),
    /// A missing string.
    NoStr,
}
