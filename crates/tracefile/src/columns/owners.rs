//! Numbers for the owners of records (processes and threads), so that rows need not repeat them.

use std::collections::HashMap;
use std::sync::Arc;

use super::buffer::Strings;
use super::names::Names;
use crate::entry::Entry;
use crate::entry::key::KeyMap;
use crate::query::FilterOptions;

/// The owner of a record. The name of the thread is a key of the names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Owner {
    pub(super) pid: Option<u32>,
    pub(super) tid: Option<u32>,
    pub(super) thread: Option<u32>,
    /// [`Entry::date_shift_ns`], which is that of the owner's trace.
    pub(super) date_shift_ns: i64,
}

/// The upper half of a record's id, which is the thread id in traces that contain threads.
const THREAD_MASK: u64 = 0xffff_ffff << 32;

#[derive(Debug, Default)]
pub(super) struct Owners {
    all: Vec<Owner>,
    /// Whether the request selects records of an owner, by number.
    selected: Vec<bool>,
    numbers: HashMap<Owner, u32>,
    /// Numbers by process, with the thread in the upper half of the key.
    by_key: KeyMap<u64, u32>,
    last: Option<(u64, u32)>,
    names: Names,
    /// [`Threads::changes`](crate::Threads::changes) when names were last checked.
    changes: u64,
    pub(super) thread_mask: u64,
    /// Whether the dates of an owner's records are shifted.
    pub(super) has_shifts: bool,
}

impl Owners {
    pub(super) fn of(&mut self, entry: &Entry<'_>, filter: &FilterOptions) -> u32 {
        let key = u64::from(entry.pid) | u64::from(entry.tid().unwrap_or(0)) << 32;
        match self.by_key(key) {
            // Names are compared because a thread can be renamed, and merged traces can contain
            // threads with the same id.
            Some(number)
                if self.name(number) == entry.thread_name()
                    && self.all[number as usize].date_shift_ns == entry.date_shift_ns =>
            {
                number
            }
            _ => self.add(key, entry, filter),
        }
    }

    fn name(&self, number: u32) -> Option<&str> {
        self.all[number as usize].thread.map(|key| self.names.strings().get(key as usize))
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

    /// Prepares for records like `entry`. Forgets the numbers of all keys if any thread was renamed
    /// since the last call.
    pub(super) fn renew(&mut self, entry: &Entry<'_>) {
        self.thread_mask = if entry.threaded { THREAD_MASK } else { 0 };
        if self.changes != entry.threads.changes() {
            self.changes = entry.threads.changes();
            self.by_key.clear();
            self.last = None;
        }
    }

    #[cold]
    fn add(&mut self, key: u64, entry: &Entry<'_>, filter: &FilterOptions) -> u32 {
        let owner = Owner {
            pid: entry.version.info().has_pid.then_some(entry.pid),
            tid: entry.tid(),
            thread: entry.thread_name().map(|name| self.names.key(name)),
            date_shift_ns: entry.date_shift_ns,
        };
        self.has_shifts |= entry.date_shift_ns != 0;
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(owner).or_insert_with(|| {
            self.all.push(owner);
            let is_one = |list: &[u32], id: Option<u32>| id.is_some_and(|id| list.contains(&id));
            self.selected.push(
                (filter.pids.is_empty() || filter.pids.contains(&entry.pid))
                    && (filter.tids.is_empty() || is_one(&filter.tids, owner.tid)),
            );
            next
        });
        self.by_key.insert(key, number);
        self.last = Some((key, number));
        number
    }

    pub(super) fn get(&self, number: u32) -> Owner {
        self.all[number as usize]
    }

    /// Returns whether the request selects records of this owner, by process and thread.
    #[inline(always)]
    pub(super) fn is_selected(&self, number: u32) -> bool {
        self.selected[number as usize]
    }

    pub(super) fn names(&self) -> &Arc<Strings> {
        self.names.strings()
    }
}
