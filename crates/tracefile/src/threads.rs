//! The names of threads.

use std::sync::Arc;

use crate::key::KeyMap;

/// What threads are called, as far as a trace has said it. A thread can change its name: the last one counts.
#[derive(Debug, Clone, Default)]
pub struct Threads {
    names: KeyMap<u32, Arc<str>>,
    changes: u64,
}

impl Threads {
    /// The name of thread `tid`.
    pub fn name(&self, tid: u32) -> Option<&str> {
        self.names.get(&tid).map(|name| &**name)
    }

    /// A number that grows whenever a thread gets a name, or another one.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// From here on thread `tid` is called `name`.
    pub(crate) fn call(&mut self, tid: u32, name: &str) {
        if self.name(tid) != Some(name) {
            self.names.insert(tid, name.into());
            self.changes += 1;
        }
    }
}
