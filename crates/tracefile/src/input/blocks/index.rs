//! The blocks of a trace, according to their headers.

use ringtrace_wire::compact::{BlockHeader, EventSet, FileTotals};

use crate::block::BlockDefect;

/// Numbers of bytes of v4 data and of records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) bytes: u64,
    pub(super) records: u64,
}

/// The limit for the totals in headers, so that sums of them and sizes cannot overflow.
pub(super) const MAX_TOTAL: u64 = 1 << 60;

impl Totals {
    /// Returns whether the totals in `header` are so small that they can be true.
    pub(super) fn are_possible(header: &BlockHeader) -> bool {
        header.expanded_before.max(header.records_before) <= MAX_TOTAL
    }

    pub(super) fn before(header: &BlockHeader) -> Totals {
        Totals { bytes: header.expanded_before, records: header.records_before }
    }

    pub(super) fn after(header: &BlockHeader) -> Totals {
        Totals {
            bytes: header.expanded_before + u64::from(header.expanded_bytes),
            records: header.records_before + u64::from(header.records),
        }
    }

    pub(super) fn max(self, other: Totals) -> Totals {
        Totals { bytes: self.bytes.max(other.bytes), records: self.records.max(other.records) }
    }

    pub(super) fn since(self, earlier: Totals) -> Totals {
        Totals {
            bytes: self.bytes.saturating_sub(earlier.bytes),
            records: self.records.saturating_sub(earlier.records),
        }
    }
}

/// Returns a sentence about the missing records, or about missing v4 data without records.
pub(super) fn are_missing(missing: Totals) -> String {
    let Totals { records, bytes } = missing;
    match records {
        0 => format!("{bytes} bytes of v4 data without records are missing"),
        1 => format!("1 record ({bytes} bytes as v4) is missing"),
        _ => format!("{records} records ({bytes} bytes as v4) are missing"),
    }
}

/// A condition on blocks. Other blocks are decoded only if they contain mapping records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Selection {
    pub(crate) since_ns: u64,
    pub(crate) until_ns: u64,
    pub(crate) events: EventSet,
    /// Whether the selected blocks may be searched without visiting all headers. Damage in other blocks
    /// is then not found.
    pub(crate) may_search: bool,
}

impl Selection {
    /// Selects all blocks.
    pub(crate) const ALL: Selection =
        Selection { since_ns: 0, until_ns: u64::MAX, events: EventSet::ALL, may_search: false };

    /// Selects no block, so that only blocks with mapping records are decoded.
    pub(crate) const NONE: Selection = Selection { events: EventSet([0; 2]), ..Selection::ALL };

    /// Returns whether the selected blocks can be found without visiting all headers.
    pub(super) fn is_searchable(&self) -> bool {
        let restricts_times = self.since_ns > 0 || self.until_ns < u64::MAX;
        self.may_search && (restricts_times || self.events == Selection::NONE.events)
    }

    pub(super) fn selects(&self, header: &BlockHeader) -> bool {
        header.mappings > 0
            || header.may_contain_time(self.since_ns, self.until_ns)
                && header.events.may_intersect(&self.events)
    }
}

/// The blocks of a file up to the first defect, from their headers.
#[derive(Debug)]
pub(super) struct BlockIndex {
    pub(super) blocks: Vec<BlockPlace>,
    /// The defect, if there is one.
    pub(super) defect: Option<BlockDefect>,
}

/// Facts about all whole blocks of a file, from their headers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct BlockTotals {
    pub(crate) blocks: u64,
    /// The number of blocks with mapping records.
    pub(crate) mapping_blocks: u64,
    pub(crate) bytes: u64,
    pub(crate) records: u64,
    /// The smallest and the largest time, if there are records.
    pub(crate) time_range_ns: Option<(u64, u64)>,
    /// The number of lost events according to the dropped records.
    pub(crate) lost: u64,
}

impl BlockTotals {
    /// Creates the totals of a file whose v4 trace ends at `end`.
    pub(super) fn new(totals: &FileTotals, mapping_blocks: u64, end: Totals, latest_ns: u64) -> BlockTotals {
        let &FileTotals { blocks, earliest_ns, lost, .. } = totals;
        BlockTotals {
            blocks,
            mapping_blocks,
            bytes: end.bytes,
            records: end.records,
            time_range_ns: (earliest_ns <= latest_ns).then_some((earliest_ns, latest_ns)),
            lost,
        }
    }
}

impl BlockIndex {
    /// Returns whether there is no defect.
    pub(super) fn is_complete(&self) -> bool {
        self.defect.is_none()
    }

    /// Returns the totals after the last block, if there are blocks.
    pub(super) fn end(&self) -> Option<Totals> {
        self.blocks.last().map(|last| Totals::after(&last.header))
    }

    /// Returns the selected blocks with v4 data from `offset` on.
    pub(super) fn places(&self, selection: Option<Selection>, offset: u64) -> Vec<BlockPlace> {
        let mut places = Vec::new();
        let mut next_record = None;
        for &place in &self.blocks {
            let (before, after) = (Totals::before(&place.header), Totals::after(&place.header));
            // Records before `offset` are not missed.
            let next = next_record.unwrap_or(before.records);
            if after.bytes <= offset {
                next_record = Some(after.records);
            } else if selection.is_none_or(|selection| selection.selects(&place.header)) {
                let missed_records =
                    if before.bytes < offset { 0 } else { before.records.saturating_sub(next) };
                places.push(BlockPlace { missed_records, ..place });
                next_record = Some(after.records);
            } else {
                next_record = Some(next);
            }
        }
        places
    }

    /// Returns the totals, unless a defect hides a header.
    pub(super) fn totals(&self) -> Option<BlockTotals> {
        if !matches!(self.defect, None | Some(BlockDefect::Truncated)) {
            return None;
        }
        let (mut totals, mut latest_ns, mut mapping_blocks) = (FileTotals::NONE, 0, 0);
        for BlockPlace { header, .. } in &self.blocks {
            mapping_blocks += u64::from(header.mappings > 0);
            totals.add(header, latest_ns);
            latest_ns = header.latest_ns.max(latest_ns);
        }
        let end = self.end().unwrap_or_default();
        Some(BlockTotals::new(&totals, mapping_blocks, end, latest_ns))
    }
}

/// A whole block in a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockPlace {
    /// The offset of the header in the file.
    pub(crate) at: usize,
    pub(crate) header: BlockHeader,
    /// The number of records between the previous place and this one.
    pub(crate) missed_records: u64,
}
