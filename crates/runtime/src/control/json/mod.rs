//! JSON as QEMU's monitors read and write it.
//!
//! A general JSON library does not fit: the parser must find the ends of messages in a stream,
//! accept strings in single quotes, and report errors with the messages that QEMU's clients know.
//! The writer must use QEMU's spacing. Strings are copied only if necessary. The memory for parsing
//! a message is at most a small multiple of the message's size.

mod frame;
mod parse;
mod write;

pub(crate) use frame::{Framed, Framer, MAX_DEPTH, MAX_MESSAGE_BYTES};
pub(crate) use parse::parse;
pub(crate) use write::Writer;

use std::borrow::Cow;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'m> {
    Null,
    Flag(bool),
    /// The text of a number. Each command checks whether the number is in its valid range.
    Number(&'m str),
    Text(Cow<'m, str>),
    List(Vec<Value<'m>>),
    /// An object: its members in order, with unique names.
    Object(Vec<(Cow<'m, str>, Value<'m>)>),
}
