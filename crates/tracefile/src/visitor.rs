//! Who looks at entries.

use crate::entry::Entry;
use crate::ordinary::OrdinaryRecords;

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

    /// Looks at bare records before entries are made of them, as long as it likes: the one it stops at and has not
    /// skipped becomes an entry. Whoever skips a record has checked that its payload is what the schema says.
    #[inline(always)]
    fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
        let _ = records;
        Flow::Continue
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
