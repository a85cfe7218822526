//! Numbers for the owners of records (processes and threads), so that rows need not repeat them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::buffer::Strings;
use super::names::Names;
use crate::align::Origin;
use crate::entry::Entry;
use crate::entry::key::KeyMap;
use crate::query::FilterOptions;
use crate::read::visitor::BlockRecords;

/// The owner of a record. The name of the thread is a key of the names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Owner {
    pub(super) pid: Option<u32>,
    pub(super) tid: Option<u32>,
    pub(super) thread: Option<u32>,
    /// [`Entry::date_shift_ns`], which is that of the owner's trace.
    pub(super) date_shift_ns: i64,
    /// The number of the owner's trace.
    trace: u32,
    pub(super) origin: OriginKeys,
}

/// The keys of a trace and of its machine, if they are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct OriginKeys {
    pub(super) trace: Option<u32>,
    pub(super) host: Option<u32>,
}

impl Owner {
    fn is_of_trace(&self, entry: &Entry<'_>) -> bool {
        (self.trace, self.date_shift_ns) == (entry.trace, entry.date_shift_ns)
    }
}

/// The upper half of a record's id, which is the thread id in traces that contain threads.
const THREAD_MASK: u64 = 0xffff_ffff << 32;

/// An odd number, which distributes the keys of traces.
const TRACE_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

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
    /// The names of the owners' threads, by number.
    thread_names: Vec<Option<Box<str>>>,
    /// Threads without a name.
    unnamed: HashSet<u32>,
    traces: Names,
    hosts: Names,
    /// By [`Entry::trace`].
    origins: Vec<OriginKeys>,
    /// [`Threads::changes`](crate::Threads::changes) when names were last checked.
    changes: u64,
    thread_mask: u64,
    /// Whether the dates of an owner's records are shifted.
    pub(super) has_shifts: bool,
}

impl Owners {
    pub(super) fn new(origins: Option<&[Origin]>) -> Owners {
        let (mut traces, mut hosts) = (Names::default(), Names::default());
        let origins = origins.unwrap_or_default().iter().map(|origin| OriginKeys {
            trace: Some(traces.key(origin.id_or_name())),
            host: origin.host.as_deref().map(|host| hosts.key(host)),
        });
        Owners { origins: origins.collect(), traces, hosts, ..Owners::default() }
    }

    /// Creates an empty list of owners with the same keys of names.
    pub(super) fn sibling(&self) -> Owners {
        let Owners { names, traces, hosts, origins, .. } = self;
        let (names, traces, hosts) = (names.clone(), traces.clone(), hosts.clone());
        Owners { names, traces, hosts, origins: origins.clone(), ..Owners::default() }
    }

    /// Prepares for another part of the trace, with other names of threads.
    pub(super) fn restart(&mut self) {
        self.by_key.clear();
        self.last = None;
        self.unnamed.clear();
    }

    /// Returns the threads since [`Owners::restart`] that had no name.
    pub(super) fn unnamed(&mut self) -> HashSet<u32> {
        std::mem::take(&mut self.unnamed)
    }

    pub(super) fn of(&mut self, entry: &Entry<'_>, filter: &FilterOptions) -> u32 {
        let key = u64::from(entry.pid) | u64::from(entry.tid().unwrap_or(0)) << 32;
        // On the fast path, there is only one trace.
        let key = key ^ u64::from(entry.trace).wrapping_mul(TRACE_FACTOR);
        match self.by_key(key) {
            // Names are compared because a thread can be renamed, and merged traces can contain
            // threads with the same id.
            Some(number)
                if self.name(number) == entry.thread_name()
                    && self.all[number as usize].is_of_trace(entry) =>
            {
                number
            }
            _ => self.add(key, entry, filter),
        }
    }

    fn name(&self, number: u32) -> Option<&str> {
        self.thread_names[number as usize].as_deref()
    }

    /// Returns the owner of a record on the fast path, if it is known.
    #[inline(always)]
    pub(super) fn of_id(&mut self, id: u64, pid: u32) -> Option<u32> {
        self.by_key(u64::from(pid) | id & self.thread_mask)
    }

    #[inline(always)]
    fn by_key(&mut self, key: u64) -> Option<u32> {
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

    /// Returns whether the names of threads are those in the context of `records`.
    pub(super) fn match_context(&self, records: &BlockRecords<'_, '_>) -> bool {
        self.changes == records.thread_changes() && (self.thread_mask != 0) == records.is_threaded()
    }

    #[cold]
    fn add(&mut self, key: u64, entry: &Entry<'_>, filter: &FilterOptions) -> u32 {
        let name = entry.thread_name();
        self.unnamed.extend(entry.tid().filter(|_| name.is_none()));
        let owner = Owner {
            pid: entry.version.info().has_pid.then_some(entry.pid),
            tid: entry.tid(),
            thread: name.map(|name| self.names.key(name)),
            date_shift_ns: entry.date_shift_ns,
            trace: entry.trace,
            origin: self.origin(entry.trace),
        };
        self.has_shifts |= entry.date_shift_ns != 0;
        let is_one = |list: &[u32], id: Option<u32>| id.is_some_and(|id| list.contains(&id));
        let is_selected = (filter.pids.is_empty() || filter.pids.contains(&entry.pid))
            && (filter.tids.is_empty() || is_one(&filter.tids, owner.tid));
        let number = self.number(owner, name, is_selected);
        self.by_key.insert(key, number);
        self.last = Some((key, number));
        number
    }

    fn number(&mut self, owner: Owner, name: Option<&str>, is_selected: bool) -> u32 {
        let next = self.all.len() as u32;
        *self.numbers.entry(owner).or_insert_with(|| {
            self.all.push(owner);
            self.thread_names.push(name.map(Into::into));
            self.selected.push(is_selected);
            next
        })
    }

    /// Returns the number of the owner of rows that belong to a whole trace.
    pub(super) fn of_trace(&mut self, trace: u32) -> u32 {
        let origin = self.origin(trace);
        let owner = Owner { pid: None, tid: None, thread: None, date_shift_ns: 0, trace, origin };
        self.number(owner, None, true)
    }

    fn origin(&self, trace: u32) -> OriginKeys {
        self.origins.get(trace as usize).copied().unwrap_or_default()
    }

    pub(super) fn get(&self, number: u32) -> Owner {
        self.all[number as usize]
    }

    /// Returns whether the request selects records of this owner, by process and thread.
    #[inline(always)]
    pub(super) fn is_selected(&self, number: u32) -> bool {
        self.selected[number as usize]
    }

    pub(super) fn traces(&self) -> Arc<Strings> {
        self.traces.strings()
    }

    pub(super) fn hosts(&self) -> Arc<Strings> {
        self.hosts.strings()
    }

    pub(super) fn names(&self) -> Arc<Strings> {
        self.names.strings()
    }
}
