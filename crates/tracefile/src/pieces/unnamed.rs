//! The threads whose name a piece needs.

use std::collections::HashSet;

use crate::entry::Entry;

/// The threads of a piece whose name was needed but unknown.
#[derive(Debug, Clone)]
pub(crate) struct UnnamedThreads(Option<HashSet<u32>>);

impl UnnamedThreads {
    /// Creates an empty set. If the results do not depend on `thread_names`, it remains empty.
    pub(crate) fn new(thread_names: bool) -> UnnamedThreads {
        UnnamedThreads(thread_names.then(HashSet::new))
    }

    /// Adds the thread of `entry`, if it has no name.
    #[inline]
    pub(crate) fn note(&mut self, entry: &Entry<'_>) {
        if let Some(threads) = &mut self.0
            && let Some(tid) = entry.tid()
            && entry.thread_name().is_none()
        {
            threads.insert(tid);
        }
    }

    /// Returns the threads, and removes them.
    pub(crate) fn take(&mut self) -> HashSet<u32> {
        self.0.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
