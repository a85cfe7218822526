//! The names of threads.

use std::sync::Arc;

use crate::entry::key::KeyMap;

/// What threads are called, as far as a trace has said it. A thread can change its name: the last one counts.
#[derive(Debug, Clone, Default)]
pub struct Threads {
    names: KeyMap<u32, Arc<str>>,
    changes: u64,
    renamings: u64,
}

impl Threads {
    /// The name of thread `tid`.
    pub fn name(&self, tid: u32) -> Option<&str> {
        self.names.get(&tid).map(|name| &**name)
    }

    /// All names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<&str> = self.names.values().map(|name| &**name).collect();
        names.sort_unstable();
        names.into_iter()
    }

    /// A number that grows whenever a thread gets a name, or another one.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// A number that grows whenever a thread that had a name gets another one.
    pub(crate) fn renamings(&self) -> u64 {
        self.renamings
    }

    /// How many threads have a name.
    pub(crate) fn count(&self) -> usize {
        self.names.len()
    }

    /// From here on thread `tid` is called `name`.
    pub(crate) fn call(&mut self, tid: u32, name: &str) {
        if self.name(tid) != Some(name) {
            let before = self.names.insert(tid, name.into());
            self.changes += 1;
            self.renamings += u64::from(before.is_some());
        }
    }
}
