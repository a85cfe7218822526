//! One record, decoded as far as it is looked at.

mod dropped;
pub mod key;
mod pauses;
#[cfg(test)]
pub(crate) mod sample;
pub(crate) mod schema;
pub(crate) mod threads;

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::rfc2011::{self, Undeclared};
use ringtrace_wire::simpletrace::{ArgumentKind, DROPPED_ID, Layout, LayoutVisitor, Version, with_layout};

use crate::metadata::Lost;

pub(crate) use dropped::is_possible;
pub use dropped::{Causes, Dropped};
pub use pauses::{Pause, pauses};
pub use ringtrace_events::format::Value;
pub use schema::{Schema, SchemaArgument, Schemas};
pub use threads::Threads;

/// One record of a trace. It borrows from the input.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Number in the file, from 1; mapping records are not counted.
    pub number: u64,
    /// Bytes from the start of the file to the record.
    pub offset: u64,
    /// Nanoseconds of the recording machine's clock.
    pub timestamp_ns: u64,
    /// The id in the record.
    pub id: u64,
    /// The process, 0 where the version has none.
    pub pid: u32,
    /// What kind of event.
    pub schema: &'a Schema,
    /// The schema's index among the reader's [`Schemas`].
    pub schema_index: u32,
    /// The arguments' bytes.
    pub payload: &'a [u8],
    /// Bytes of the whole record in the file; the payload stands at its end.
    pub record_bytes: usize,
    /// The version of the file.
    pub version: Version,
    /// The byte order of the file.
    pub order: ByteOrder,
    /// Whether ids carry the thread (`thread << 32 | event`): ringtrace's own traces say so.
    pub threaded: bool,
    /// Of a dropped record: whose events were lost and why, where the trace says it.
    pub lost: Option<Lost>,
    /// The names of threads.
    pub threads: &'a Threads,
}

impl<'a> Entry<'a> {
    /// Whether it tells that events were lost, rather than of an event.
    pub fn is_dropped(&self) -> bool {
        self.schema_index == Schema::DROPPED
    }

    /// How many events were lost here, if it tells of that.
    pub fn dropped(&self) -> Option<u64> {
        match self.values().next() {
            Some(Value::Integer(count)) if self.is_dropped() => Some(count),
            _ => None,
        }
    }

    /// The thread, where the trace tells it.
    pub fn tid(&self) -> Option<u32> {
        if self.id == DROPPED_ID {
            return self.lost.map(|lost| lost.tid).filter(|&tid| tid != 0);
        }
        let high = (self.id >> 32) as u32;
        (self.threaded && high != 0).then_some(high)
    }

    /// The name of the thread, where the trace tells it.
    pub fn thread_name(&self) -> Option<&'a str> {
        self.threads.name(self.tid()?)
    }

    /// The recorded values, in the order of the schema's arguments. Ends early where the record does.
    pub fn values(&self) -> Values<'a> {
        Values { kinds: &self.schema.kinds, rest: self.payload, version: self.version, order: self.order }
    }

    /// The values behind those of the schema's arguments. Only records of the 2011 RFC tell where such begin and end; they
    /// have neither name nor type.
    pub fn surplus(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let mut rest: &[u8] = &[];
        if self.version == Version::Rfc2011 {
            let mut values = self.values();
            values.by_ref().for_each(drop);
            rest = values.rest;
        }
        let order = self.order;
        std::iter::from_fn(move || {
            Some(match rfc2011::undeclared(&mut rest, order)? {
                Undeclared::Integer(value) => Value::Integer(value),
                Undeclared::Str(bytes) => Value::Str(bytes),
            })
        })
    }

    /// How many arguments the record has: as many as its schema, but for the 2011 RFC, whose records tell themselves.
    pub fn argument_count(&self) -> usize {
        match self.version {
            Version::Rfc2011 => self.values().count() + self.surplus().count(),
            _ => self.schema.kinds.len(),
        }
    }

    /// The value of argument `index`.
    pub fn value(&self, index: usize) -> Option<Value<'a>> {
        self.values().nth(index)
    }
}

/// Iterates over the recorded values of an [`Entry`].
#[derive(Debug, Clone)]
pub struct Values<'a> {
    kinds: &'a [ArgumentKind],
    rest: &'a [u8],
    version: Version,
    order: ByteOrder,
}

impl<'a> Iterator for Values<'a> {
    type Item = Value<'a>;

    #[inline]
    fn next(&mut self) -> Option<Value<'a>> {
        struct Take<'v, 'a> {
            kind: ArgumentKind,
            rest: &'v mut &'a [u8],
        }
        impl<'a> LayoutVisitor for Take<'_, 'a> {
            type Output = Option<Value<'a>>;
            #[inline(always)]
            fn visit<L: Layout>(self) -> Option<Value<'a>> {
                match self.kind {
                    ArgumentKind::Integer { signed } => L::integer(self.rest, signed).map(Value::Integer),
                    ArgumentKind::Str => L::string(self.rest).map(|string| Value::Str(string.bytes)),
                }
            }
        }
        let (&kind, kinds) = self.kinds.split_first()?;
        self.kinds = kinds;
        with_layout(self.version, self.order, Take { kind, rest: &mut self.rest })
    }
}
