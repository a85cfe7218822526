//! JSON as QEMU's monitors take and write it.
//!
//! Not what a library for JSON in general does: a stream is cut in messages wherever they end, strings may stand between single
//! quotes, what is wrong is said in the words that QEMU's clients know, and what is written has their spacing. Nothing is copied
//! before it is needed, and a message costs no more memory than a small multiple of its size.

mod frame;
mod parse;
mod write;

pub(crate) use frame::{Framed, Framer, MAX_DEPTH, MAX_MESSAGE_BYTES};
pub(crate) use parse::parse;
pub(crate) use write::Writer;

use std::borrow::Cow;

/// A value, as it was written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'m> {
    /// `null`
    Null,
    /// `true` or `false`
    Flag(bool),
    /// A number, as its digits: whoever wants it says what it must fit into.
    Number(&'m str),
    /// A string.
    Text(Cow<'m, str>),
    /// An array.
    List(Vec<Value<'m>>),
    /// An object: its members in their order, no name twice.
    Object(Vec<(Cow<'m, str>, Value<'m>)>),
}
