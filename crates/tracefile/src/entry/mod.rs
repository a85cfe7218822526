//! Decoded records. Their arguments are decoded on access.

mod dropped;
pub mod key;
pub(crate) mod modules;
mod pauses;
#[cfg(test)]
pub(crate) mod sample;
pub(crate) mod schema;
pub(crate) mod threads;

use ringtrace_wire::ByteOrder;
use ringtrace_wire::order::u64_at;
use ringtrace_wire::simpletrace::context::RecordContext;
use ringtrace_wire::simpletrace::rfc2011::{self, Undeclared};
use ringtrace_wire::simpletrace::{ArgumentKind, DROPPED_ID, Layout, LayoutVisitor, Version, with_layout};

use crate::metadata::Lost;

pub(crate) use dropped::is_possible;
pub use dropped::{Causes, Dropped};
pub use modules::{Frame, Modules};
pub use pauses::{Pause, pauses};
pub use ringtrace_events::format::Value;
pub use schema::{Schema, SchemaArgument, Schemas};
pub use threads::Threads;

/// A record of a trace. It borrows from the input.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The number of the record in the file, from 1; mapping records are not counted.
    pub number: u64,
    /// The offset of the record in the file, in bytes.
    pub offset: u64,
    /// The time, in nanoseconds of the recording machine's clock.
    pub timestamp_ns: u64,
    /// The event id of the record.
    pub id: u64,
    /// The process id; 0 if the file's version does not store it.
    pub pid: u32,
    /// The schema of the event.
    pub schema: &'a Schema,
    /// The index of the schema in the reader's [`Schemas`].
    pub schema_index: u32,
    /// The encoded arguments.
    pub payload: &'a [u8],
    /// The size of the record in the file, in bytes. The payload is at its end.
    pub record_bytes: usize,
    /// The version of the file.
    pub version: Version,
    /// The byte order of the file.
    pub order: ByteOrder,
    /// Whether ids contain the thread (`thread << 32 | event`), as in ringtrace's own traces.
    pub threaded: bool,
    /// For a dropped record, the thread and the cause of the loss, if the trace contains them.
    pub lost: Option<Lost>,
    /// The names of threads.
    pub threads: &'a Threads,
    /// The CPU and the stack, as far as they were recorded.
    pub context: RecordContext<'a>,
    /// The executable segments in the memory of the program.
    pub modules: &'a Modules,
    /// The number of the trace among several traces, from 0. Files of one trace have the same number.
    pub trace: u32,
    /// The number of the scope of pairs. Pairs begin and end in the same scope, which is usually the
    /// trace.
    pub scope: u32,
    /// The difference of the wall-clock time and the one that follows from the anchor of all traces.
    pub date_shift_ns: i64,
}

impl<'a> Entry<'a> {
    /// Returns the time that the anchor of all traces converts to the wall-clock time of the entry's
    /// own trace. It is negative if the wall clock was set back by more than the machine had been up.
    #[inline]
    pub fn dated_ns(&self) -> i128 {
        i128::from(self.timestamp_ns) + i128::from(self.date_shift_ns)
    }

    /// Returns whether this is a dropped record.
    pub fn is_dropped(&self) -> bool {
        self.schema_index == Schema::DROPPED
    }

    /// Returns the count of a dropped record, or `None` for an event.
    pub fn dropped(&self) -> Option<u64> {
        match self.values().next() {
            Some(Value::Integer(count)) if self.is_dropped() => Some(count),
            _ => None,
        }
    }

    /// Returns the thread id, if the trace contains it.
    pub fn tid(&self) -> Option<u32> {
        if self.id == DROPPED_ID {
            return self.lost.map(|lost| lost.tid).filter(|&tid| tid != 0);
        }
        let high = (self.id >> 32) as u32;
        (self.threaded && high != 0).then_some(high)
    }

    /// Returns the thread's name, if the trace contains it.
    pub fn thread_name(&self) -> Option<&'a str> {
        self.threads.name(self.tid()?)
    }

    /// Returns the frames of the thread's stack, innermost first. Without a recorded stack, there are
    /// none.
    pub fn stack(&self) -> impl Iterator<Item = Frame<'a>> + use<'a> {
        let modules = self.modules;
        self.context.stack().enumerate().map(move |(index, address)| {
            // The first address is that of the probe.
            Frame { address, is_return: index > 0, module: modules.find(address) }
        })
    }

    /// Returns the recorded values, in the order of the schema's arguments.
    pub fn values(&self) -> Values<'a> {
        Values { kinds: &self.schema.kinds, rest: self.payload, version: self.version, order: self.order }
    }

    /// Returns the values after the declared arguments. They have no name or type. Only records in
    /// the 2011 RFC's format contain their number of arguments; in other versions there are no such
    /// values.
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

    /// Returns the number of arguments: in the 2011 RFC's format, the number in the record; in
    /// other versions, the declared number.
    pub fn argument_count(&self) -> usize {
        match self.version {
            Version::Rfc2011 => self.values().count() + self.surplus().count(),
            _ => self.schema.kinds.len(),
        }
    }

    /// Returns the value of argument `index`.
    #[inline]
    pub fn value(&self, index: usize) -> Option<Value<'a>> {
        let is_words = self.version == Version::V4
            && self.order == ByteOrder::Little
            && self.schema.integer_bytes.is_some();
        if is_words {
            self.schema.kinds.get(index)?;
            return u64_at(self.payload, 8 * index, ByteOrder::Little).map(Value::Integer);
        }
        self.values().nth(index)
    }
}

/// Iterator over the recorded values of an [`Entry`].
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

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::sample::{Made, Sample};

    proptest! {
        /// Words are read directly in the most frequent format.
        #[test]
        fn values_are_the_same_one_by_one(
            payload in vec(any::<u8>(), 0..40),
            name in prop::sample::select(vec!["words", "text", "none"]),
            format in prop::sample::select(vec![
                (super::Version::V4, super::ByteOrder::Little),
                (super::Version::V4, super::ByteOrder::Big),
                (super::Version::V2, super::ByteOrder::Little),
                (super::Version::Rfc2011, super::ByteOrder::Little),
            ]),
        ) {
            let sample = Sample::new(
                "words(uint64_t one, int two, void *three) \"\"\n\
                 text(int one, const char *two, int three) \"\"\n\
                 none(void) \"\"\n",
            );
            let made = Made { name, payload, ..Made::default() };
            let mut entry = sample.entry(&made);
            (entry.version, entry.order) = format;
            for index in 0..5 {
                prop_assert_eq!(entry.value(index), entry.values().nth(index), "value {}", index);
            }
        }
    }
}
