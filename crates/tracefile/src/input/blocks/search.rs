//! Finds blocks of a mapped file without visiting all headers.
//!
//! The first block of a time range is found by bisection, because the latest time so far, which each
//! header states, never decreases. A block of totals near the end of the file states by how much the
//! times of blocks overlap, so the end of the range is known, too. Blocks with mapping records are
//! linked.
//!
//! A header counts only if it states its own offset and agrees with its neighbours, because strings
//! can contain the bytes of headers. If there is any contradiction or damage on the way, or the file
//! has no block of totals, nothing is found. The caller then visits all headers.

use memchr::memmem;
use ringtrace_wire::compact::{
    BlockHeader, FileTotals, HEADER_BYTES, HeaderFault, Kind, MAGIC, MAX_EXPANDED_BYTES,
};

use super::index::{BlockIndex, BlockPlace, MAX_TOTAL, Selection, Totals};
use crate::block::BlockDefect;
use crate::input::map::MappedFile;

/// The number of bytes that are searched for a header at a time.
const SEARCH_BYTES: u64 = 1 << 15;

/// The size of a range in which all headers are visited.
const LINEAR_BYTES: u64 = 1 << 12;

/// The facts about a file that its last blocks state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileEnd {
    /// The offset in the file of the end of the last whole block.
    pub(super) at: u64,
    /// Whether an incomplete block follows.
    pub(super) is_truncated: bool,
    /// The size of the v4 trace, and its number of records.
    pub(super) end: Totals,
    pub(super) totals: FileTotals,
    pub(super) latest_ns: u64,
    /// The offset in the file of the last block with mapping records; `u64::MAX` if there is none.
    mappings_at: u64,
}

/// Some of the blocks of a file, which include all selected ones and the first one.
#[derive(Debug)]
pub(super) struct SelectedBlocks {
    pub(super) index: BlockIndex,
    pub(super) end: FileEnd,
}

/// The bytes at the offset where a block ends.
enum Next {
    Block(BlockHeader),
    /// The start of a block whose end is missing.
    Truncated,
    End,
}

impl FileEnd {
    /// Reads the headers from the last block of totals on. Returns `None` if there is none, or if one
    /// of these headers is damaged or contradicts the others.
    pub(super) fn find(map: &MappedFile) -> Option<FileEnd> {
        let last = last_header(map)?;
        let totals_at = match (last.kind, last.totals_distance) {
            (Kind::Totals, _) => last.at,
            (_, 0) => return None,
            (_, distance) => last.at.checked_sub(u64::from(distance))?,
        };
        let header = block_at(map, totals_at)?;
        let totals = header.totals()?;
        if totals.blocks > totals_at / HEADER_BYTES as u64 || totals.saved_bytes > MAX_TOTAL {
            return None;
        }
        let mut end = FileEnd {
            at: totals_at + header.block_bytes() as u64,
            is_truncated: false,
            end: Totals::before(&header),
            totals,
            latest_ns: header.latest_so_far_ns,
            mappings_at: header.previous_mappings_at,
        };
        loop {
            match next(map, end.at)? {
                Next::Block(header) => end.add(&header)?,
                Next::Truncated => return Some(FileEnd { is_truncated: true, ..end }),
                Next::End => return Some(end),
            }
        }
    }

    /// Adds the next block. Returns `None` if its header contradicts those of previous blocks.
    fn add(&mut self, header: &BlockHeader) -> Option<()> {
        let agrees = match header.kind {
            Kind::Records => {
                self.totals.add(header, self.latest_ns);
                self.latest_ns = self.latest_ns.max(header.latest_ns);
                Totals::before(header) == self.end
                    && header.latest_so_far_ns == self.latest_ns
                    && header.previous_mappings_at == self.mappings_at
            }
            Kind::Totals => header.totals() == Some(self.totals),
            Kind::Copy | Kind::Other(_) => true,
        };
        if header.kind == Kind::Records {
            self.end = Totals::after(header);
            if header.mappings > 0 {
                self.mappings_at = header.at;
            }
        }
        self.at += header.block_bytes() as u64;
        agrees.then_some(())
    }
}

impl SelectedBlocks {
    /// Finds the blocks that `selection` selects, which must restrict the times or select no events.
    /// `None` as in [`FileEnd::find`].
    pub(super) fn find(map: &MappedFile, end: &FileEnd, selection: &Selection) -> Option<SelectedBlocks> {
        let mut blocks = vec![place(block_at(map, 0)?)];
        let mut at = end.mappings_at;
        while at != u64::MAX {
            let header =
                block_at(map, at).filter(|header| header.kind == Kind::Records && header.mappings > 0)?;
            blocks.push(place(header));
            at = header.previous_mappings_at;
            if at != u64::MAX && at >= header.at {
                return None;
            }
        }
        if selection.events != Selection::NONE.events {
            let first = first_block(map, end, selection.since_ns)?;
            add_range(map, end, first, selection, &mut blocks)?;
        }
        blocks.sort_unstable_by_key(|block| block.at);
        blocks.dedup_by_key(|block| block.at);
        let defect = end.is_truncated.then_some(BlockDefect::Truncated);
        Some(SelectedBlocks { index: BlockIndex { blocks, defect }, end: *end })
    }

    /// Returns the number of blocks with mapping records.
    pub(super) fn mapping_blocks(&self) -> u64 {
        self.index.blocks.iter().filter(|block| block.header.mappings > 0).count() as u64
    }
}

fn place(header: BlockHeader) -> BlockPlace {
    BlockPlace { at: header.at as usize, header, missed_records: 0 }
}

/// Returns the bytes at `at`, where a block must end. `None` if no block or an impossible one follows.
fn next(map: &MappedFile, at: u64) -> Option<Next> {
    let mut start = [0; HEADER_BYTES];
    let have = map.read_at(&mut start, at).ok()?;
    if have == 0 {
        return Some(Next::End);
    }
    let header = match BlockHeader::parse(&start[..have]) {
        Ok(header) => header,
        Err(HeaderFault::NeedMore(_)) => return Some(Next::Truncated),
        Err(_) => return None,
    };
    if header.is_in_sequence() && (header.at != at || !Totals::are_possible(&header)) {
        return None;
    }
    let is_whole = at + header.block_bytes() as u64 <= map.bytes().len() as u64;
    Some(if is_whole { Next::Block(header) } else { Next::Truncated })
}

/// Returns the header of the whole block at `at`, if it is in the sequence of blocks.
fn block_at(map: &MappedFile, at: u64) -> Option<BlockHeader> {
    match next(map, at)? {
        Next::Block(header) if header.is_in_sequence() => Some(header),
        _ => None,
    }
}

/// Returns the header at the start of `bytes`, which are at `at`, if it states this offset.
fn stated(bytes: &[u8], at: u64) -> Option<BlockHeader> {
    let header = BlockHeader::parse(bytes).ok()?;
    (header.at == at && header.is_in_sequence()).then_some(header)
}

/// Reads the bytes in `from..to`, and the rest of a header that starts there.
fn read(map: &MappedFile, from: u64, to: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; (to - from) as usize + HEADER_BYTES - 1];
    let have = map.read_at(&mut bytes, from).ok()?;
    bytes.truncate(have);
    Some(bytes)
}

/// Returns the last header in the file, if it is in the size of a block.
fn last_header(map: &MappedFile) -> Option<BlockHeader> {
    let mut end = map.bytes().len() as u64;
    let least = end.saturating_sub((MAX_EXPANDED_BYTES + 2 * HEADER_BYTES) as u64);
    while end > least {
        let start = end.saturating_sub(SEARCH_BYTES).max(least);
        let bytes = read(map, start, end)?;
        let found = memmem::rfind_iter(&bytes, &MAGIC).find_map(|at| stated(&bytes[at..], start + at as u64));
        if found.is_some() {
            return found;
        }
        end = start;
    }
    None
}

/// Returns the first header in `from..to`. The inner value is `None` if there is none.
fn find(map: &MappedFile, mut from: u64, to: u64) -> Option<Option<BlockHeader>> {
    while from < to {
        let end = to.min(from + SEARCH_BYTES);
        let bytes = read(map, from, end)?;
        let found = memmem::find_iter(&bytes, &MAGIC)
            .find_map(|at| stated(&bytes[at..], from + at as u64))
            .filter(|header| header.at < to);
        if found.is_some() {
            return Some(found);
        }
        from = end;
    }
    Some(None)
}

/// Checks a block that was found by its first bytes: its body, and whether another block follows.
fn check(map: &MappedFile, end: &FileEnd, header: &BlockHeader) -> Option<()> {
    let end_at = header.at + header.block_bytes() as u64;
    if end_at > end.at {
        return None;
    }
    let mut body = vec![0; header.body_bytes as usize];
    map.read_at(&mut body, header.at + HEADER_BYTES as u64).ok()?;
    let follows = match next(map, end_at)? {
        Next::Block(next) if !next.is_in_sequence() => true,
        Next::Block(next) => {
            Totals::before(&next) == Totals::after(header) && next.latest_so_far_ns >= header.latest_so_far_ns
        }
        Next::Truncated | Next::End => end_at == end.at,
    };
    (header.is_intact(&body) && follows).then_some(())
}

/// Returns the offset of the first block whose latest time so far is at least `since_ns`, or the end of
/// the last block.
fn first_block(map: &MappedFile, end: &FileEnd, since_ns: u64) -> Option<u64> {
    // All blocks before `low` are too early. The block at `high` is not. None starts in between from
    // `unknown_to` on.
    let (mut low, mut high, mut unknown_to) = (0, end.at, end.at);
    let (mut low_ns, mut high_ns) = (0, end.latest_ns);
    // A block can extend beyond `unknown_to`, so `low` can be greater.
    while unknown_to.saturating_sub(low) > LINEAR_BYTES {
        let middle = low + (unknown_to - low) / 2;
        let Some(header) = find(map, middle, unknown_to)? else {
            unknown_to = middle;
            continue;
        };
        check(map, end, &header)?;
        let latest_ns = header.latest_so_far_ns;
        if !(low_ns..=high_ns).contains(&latest_ns) {
            return None;
        }
        if latest_ns < since_ns {
            (low, low_ns) = (header.at + header.block_bytes() as u64, latest_ns);
        } else {
            (high, unknown_to, high_ns) = (header.at, middle, latest_ns);
        }
    }
    while low < high {
        let Next::Block(header) = next(map, low)? else { return None };
        if header.kind == Kind::Records && header.latest_so_far_ns >= since_ns {
            return Some(low);
        }
        low += header.block_bytes() as u64;
    }
    (low == high).then_some(low)
}

/// Adds the selected blocks from the offset `at` on.
fn add_range(
    map: &MappedFile,
    end: &FileEnd,
    mut at: u64,
    selection: &Selection,
    blocks: &mut Vec<BlockPlace>,
) -> Option<()> {
    let mut expected = None;
    while at < end.at {
        let Next::Block(header) = next(map, at)? else { return None };
        if header.kind == Kind::Records {
            if expected.is_some_and(|expected| expected != Totals::before(&header)) {
                return None;
            }
            expected = Some(Totals::after(&header));
            if selection.selects(&header) {
                blocks.push(place(header));
            }
            // All following records are later than this.
            if header.latest_so_far_ns.saturating_sub(end.totals.overlap_ns) > selection.until_ns {
                break;
            }
        }
        at += header.block_bytes() as u64;
    }
    Some(())
}
