//! Counting records without creating entries.

use ringtrace_wire::compact::{FewEvent, TakeFew};

use super::{Counts, GroupBy, GroupIndex, Grouping, KnownEvent, Label, Statistics};
use crate::entry::Threads;
use crate::read::table::Table;
use crate::read::visitor::{BlockRecords, ByDefinition, OrdinaryRecords};

impl Statistics {
    /// Counts the records at the start of `records`, and skips them. Stops at the first record that must
    /// be passed to [`Statistics::count`], or whose schema index `stops` accepts.
    #[inline]
    pub fn count_records(&mut self, records: &mut OrdinaryRecords<'_>, mut stops: impl FnMut(u32) -> bool) {
        if !self.counts_records() {
            return;
        }
        let (schemas, threads, is_threaded) = (records.schemas(), records.threads(), records.is_threaded());
        let Statistics { grouping, counts, known, .. } = self;
        records.skip_while(|record, schema_index| {
            let Some(Some(event)) = known.get(schema_index as usize) else { return false };
            let fits = match event.integer_bytes {
                Some(bytes) => record.payload.len() == bytes,
                None => schemas.get(schema_index).fits(record.payload),
            };
            if !fits || stops(schema_index) {
                return false;
            }
            let tid = (record.id >> 32) as u32;
            let tid = (is_threaded && tid != 0 && tid >> 31 == 0).then_some(tid);
            let Some(index) = group_of(grouping, event, schema_index, (record.pid, tid), Some(threads))
            else {
                return false;
            };
            counts.all.add(record.timestamp_ns);
            counts.group(index, grouping.labels()).add(record.timestamp_ns);
            true
        });
    }

    /// Counts records of a compact trace while they are decoded.
    pub(crate) fn count_block(&mut self, records: &mut BlockRecords<'_, '_>) {
        if !self.counts_records() {
            return;
        }
        let table = records.table();
        let Statistics { grouping, counts, known, .. } = self;
        let mut taken =
            BlockCounts { grouping, counts, known, table, groups: ByDefinition::default(), records: 0 };
        records.take_while(&mut taken, |taken| taken.records);
    }

    /// Returns whether records can be counted without their entries.
    fn counts_records(&self) -> bool {
        self.measured.is_empty()
            && matches!(self.by(), GroupBy::Event | GroupBy::Pid | GroupBy::Tid | GroupBy::Thread)
    }
}

/// Returns the group of a record, if it does not need its entry. `threads` are the names of threads, if known.
#[inline(always)]
fn group_of(
    grouping: &mut Grouping,
    event: &KnownEvent,
    schema_index: u32,
    (pid, tid): (u32, Option<u32>),
    threads: Option<&Threads>,
) -> Option<usize> {
    let index = match grouping.by() {
        GroupBy::Event => grouping.group_of_event(schema_index, &event.name),
        GroupBy::Pid => grouping.group_with(&Label::Pid { trace: 0, pid }),
        GroupBy::Tid => grouping.group_with(&Label::Tid { trace: 0, tid: tid? }),
        GroupBy::Thread => grouping.group_of_thread(tid?, threads?)?,
        _ => return None,
    };
    match index {
        GroupIndex::At(index) => Some(index),
        GroupIndex::Other | GroupIndex::Without => None,
    }
}

/// Counts the records of a block.
struct BlockCounts<'s> {
    grouping: &'s mut Grouping,
    counts: &'s mut Counts,
    known: &'s [Option<KnownEvent>],
    table: &'s Table,
    /// The groups of the block's definitions, and the number of arguments.
    groups: ByDefinition<(usize, usize)>,
    records: u64,
}

impl BlockCounts<'_> {
    /// Finds the group of the records of a definition with these ids.
    #[cold]
    #[inline(never)]
    fn find(&mut self, definition: usize, (id, pid): (u64, u32)) -> Option<(usize, usize)> {
        let schema_index = self.table.schema(id)?;
        let known = self.known.get(schema_index as usize)?.as_ref()?;
        let arguments = known.integer_bytes? / 8;
        let index = group_of(self.grouping, known, schema_index, (pid, self.table.thread(id)), None)?;
        self.counts.group(index, self.grouping.labels());
        self.groups.insert(definition, (index, arguments));
        Some((index, arguments))
    }
}

impl TakeFew for BlockCounts<'_> {
    #[inline(always)]
    fn take<const N: usize>(&mut self, event: FewEvent<'_>, timestamp_ns: u64, _: &[u64; N]) -> bool {
        let found = match self.groups.get(event.definition) {
            Some(&found) => Some(found),
            None => self.find(event.definition, event.ids()),
        };
        // The declaration can have another number of arguments than the record.
        let Some((index, _)) = found.filter(|&(_, arguments)| arguments == N) else { return false };
        self.counts.all.add(timestamp_ns);
        self.counts.groups[index].add(timestamp_ns);
        self.records += 1;
        true
    }
}
