//! Numbers for the owners of records (processes and threads), so that rows need not repeat them.

use std::collections::HashMap;

use parquet::data_type::ByteArray;
use ringtrace_tracefile::Entry;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Owner {
    pub(super) pid: Option<u32>,
    pub(super) tid: Option<u32>,
    pub(super) thread: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct Owners {
    all: Vec<KnownOwner>,
    numbers: HashMap<Owner, u32>,
    /// Numbers by process, with the thread in the upper half of the key.
    by_key: HashMap<u64, u32>,
    last: Option<(u64, u32)>,
    /// [`Threads::changes`](ringtrace_tracefile::Threads::changes) when names were last checked.
    changes: u64,
}

#[derive(Debug)]
struct KnownOwner {
    owner: Owner,
    thread: Option<ByteArray>,
}

impl Owners {
    pub(super) fn of(&mut self, entry: &Entry<'_>) -> u32 {
        let key = u64::from(entry.pid) | u64::from(entry.tid().unwrap_or(0)) << 32;
        match self.by_key(key) {
            // Names are compared because a thread can be renamed, and merged traces can contain
            // threads with the same id.
            Some(number) if self.get(number).thread.as_deref() == entry.thread_name() => number,
            _ => self.add(key, entry),
        }
    }

    #[inline(always)]
    pub(super) fn by_key(&mut self, key: u64) -> Option<u32> {
        match self.last {
            Some((last, number)) if last == key => Some(number),
            _ => self.look_up(key),
        }
    }

    #[inline(never)]
    fn look_up(&mut self, key: u64) -> Option<u32> {
        let number = *self.by_key.get(&key)?;
        self.last = Some((key, number));
        Some(number)
    }

    /// Forgets the numbers of all keys if any thread was renamed since the last call.
    pub(super) fn renew(&mut self, entry: &Entry<'_>) {
        if self.changes != entry.threads.changes() {
            self.changes = entry.threads.changes();
            self.by_key.clear();
            self.last = None;
        }
    }

    #[cold]
    fn add(&mut self, key: u64, entry: &Entry<'_>) -> u32 {
        let owner = Owner {
            pid: entry.version.info().has_pid.then_some(entry.pid),
            tid: entry.tid(),
            thread: entry.thread_name().map(str::to_owned),
        };
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(owner).or_insert_with_key(|owner| {
            self.all.push(KnownOwner {
                owner: owner.clone(),
                thread: owner.thread.as_deref().map(ByteArray::from),
            });
            next
        });
        self.by_key.insert(key, number);
        self.last = Some((key, number));
        number
    }

    pub(super) fn get(&self, number: u32) -> &Owner {
        &self.all[number as usize].owner
    }

    pub(super) fn name(&self, number: u32) -> Option<&ByteArray> {
        self.all[number as usize].thread.as_ref()
    }
}
