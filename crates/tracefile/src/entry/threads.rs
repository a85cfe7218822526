//! The names of threads.

use std::sync::Arc;

use crate::entry::key::KeyMap;

/// The names of threads. If a thread has had several names, the last one applies.
#[derive(Debug, Clone, Default)]
pub struct Threads {
    names: KeyMap<u32, Arc<str>>,
    changes: u64,
    renamings: u64,
}

impl Threads {
    /// Returns the name of thread `tid`.
    pub fn name(&self, tid: u32) -> Option<&str> {
        self.names.get(&tid).map(|name| &**name)
    }

    /// Returns all names in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<&str> = self.names.values().map(|name| &**name).collect();
        names.sort_unstable();
        names.into_iter()
    }

    /// Returns a number that increases whenever a thread gets a name or changes it.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns a number that increases whenever a thread changes its name.
    pub(crate) fn renamings(&self) -> u64 {
        self.renamings
    }

    pub(crate) fn count(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn set_name(&mut self, tid: u32, name: &str) {
        if self.name(tid) != Some(name) {
            let before = self.names.insert(tid, name.into());
            self.changes += 1;
            self.renamings += u64::from(before.is_some());
        }
    }
}
