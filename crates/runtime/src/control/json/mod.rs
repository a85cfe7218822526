//! JSON as QEMU's monitors read and write it.
//!
//! A general JSON library does not fit: the parser must split a stream wherever a message ends,
//! accept strings in single quotes, and report errors in the words that QEMU's clients know. The
//! writer must use QEMU's spacing. Strings are copied only if necessary, and a message uses memory
//! of at most a small multiple of its size.

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
    /// The digits of a number. The command that uses it decides which range is valid.
    Number(&'m str),
    Text(Cow<'m, str>),
    List(Vec<Value<'m>>),
    /// An object: its members in order, with unique names.
    Object(Vec<(Cow<'m, str>, Value<'m>)>),
}
