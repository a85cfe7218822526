//! Who looks at entries.

use ringtrace_wire::simpletrace::Record;

use crate::entry::Entry;

/// What a visitor of entries wants next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// The next one.
    Continue,
    /// No more.
    Stop,
}

/// Something that looks at every entry. Closures do; a type of its own can say that it wants to be compiled into
/// the decoding loop.
pub trait Visitor {
    /// Looks at one.
    fn entry(&mut self, entry: &Entry<'_>) -> Flow;

    /// Looks at the bare record before an entry is made of it; `None`: make one. Whoever answers otherwise has
    /// checked that the payload is what the schema says.
    #[inline(always)]
    fn quick(&mut self, record: &Record<'_>, schema_index: u32) -> Option<Flow> {
        let _ = (record, schema_index);
        None
    }

    /// Nothing more can be decoded before more was read, which may take long: what is held back can be shown.
    fn idle(&mut self) {}
}

impl<F: FnMut(&Entry<'_>) -> Flow> Visitor for F {
    #[inline]
    fn entry(&mut self, entry: &Entry<'_>) -> Flow {
        self(entry)
    }
}
