//! The parts of a compact trace that were found missing, and the copies of the blocks in them.

use std::collections::VecDeque;
use std::ops::Range;

use memchr::memmem;
use ringtrace_wire::compact::{BlockHeader, HEADER_BYTES, Kind, MAGIC, MAX_EXPANDED_BYTES};

use super::index::Totals;
use crate::input::Input;

/// The number of bytes after damage in which copies are searched.
pub(super) const COPY_SEARCH_BYTES: usize = MAX_EXPANDED_BYTES;

/// Parts of the v4 trace that were found missing, and whose copies were not decoded yet.
#[derive(Debug, Default)]
pub(super) struct Missing {
    parts: Vec<Range<u64>>,
    start_was_missing: bool,
    /// The offsets in the file and the headers of copies. Their bodies may be damaged.
    copies: VecDeque<(u64, BlockHeader)>,
    /// The end of the part of the file that was searched for copies.
    searched_to: u64,
}

impl Missing {
    /// Adds a block that cannot be decoded.
    pub(super) fn add_block(&mut self, header: &BlockHeader) {
        self.add(Totals::before(header).bytes..Totals::after(header).bytes);
    }

    pub(super) fn add(&mut self, part: Range<u64>) {
        if !part.is_empty() {
            self.start_was_missing |= part.start == 0;
            self.parts.push(part);
        }
    }

    /// Forgets the missing parts, because their copies cannot be found.
    pub(super) fn clear(&mut self) {
        self.parts.clear();
    }

    /// Forgets everything but whether the start was missing, because reading continues elsewhere.
    pub(super) fn restart(&mut self) {
        *self = Missing { start_was_missing: self.start_was_missing, ..Missing::default() };
    }

    /// Forgets a missing block, and those before it, after its copy has been decoded.
    pub(super) fn pass(&mut self, copy: &BlockHeader) {
        // Copies are in the order of the blocks.
        self.parts.retain_mut(|part| {
            part.start = part.start.max(copy.expanded_before + 1);
            !part.is_empty()
        });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns whether the start of the trace was ever missing.
    pub(super) fn start_was_missing(&self) -> bool {
        self.start_was_missing
    }

    /// Returns whether this is the header of a copy of a missing block.
    pub(super) fn contains(&self, header: &BlockHeader) -> bool {
        Missing::is_copy(header) && self.parts.iter().any(|part| part.contains(&header.expanded_before))
    }

    /// Returns whether this is the header of a copy that can be true.
    pub(super) fn is_copy(header: &BlockHeader) -> bool {
        (header.kind, header.records) == (Kind::Copy, 0) && Totals::are_possible(header)
    }

    /// Returns whether copies in the next bytes after the offset `at` in the file are not known yet.
    pub(super) fn needs_search(&self, at: u64) -> bool {
        // Several searches in the same bytes would take quadratic time.
        self.searched_to < at + COPY_SEARCH_BYTES as u64 / 2
    }

    /// Searches `bytes`, which start at the offset `at` in the file, for copies. If `states_offset` is set, they must
    /// state their own offset.
    pub(super) fn search(&mut self, bytes: &[u8], at: u64, states_offset: bool) {
        let skipped = self.searched_to.saturating_sub(at).min(bytes.len() as u64) as usize;
        let rest = bytes.get(skipped..).unwrap_or_default();
        for start in memmem::find_iter(rest, &MAGIC) {
            let header = rest.get(start..).and_then(|block| BlockHeader::parse(block).ok());
            let found = at + (skipped + start) as u64;
            let is_copy = |it: &BlockHeader| it.kind == Kind::Copy && (!states_offset || it.at == found);
            self.copies.extend(header.filter(is_copy).map(|header| (found, header)));
        }
        // A header can extend beyond the end.
        let end = at + bytes.len() as u64;
        self.searched_to = self.searched_to.max(end.saturating_sub(HEADER_BYTES as u64));
    }

    /// Returns the offset in `bytes`, which start at the offset `at` in the file, and the header of the next copy of a
    /// missing block.
    pub(super) fn next_copy(&mut self, bytes: &[u8], at: u64) -> Option<(usize, BlockHeader)> {
        self.copies.retain(|(copy_at, _)| *copy_at >= at);
        loop {
            let found = self.copies.iter().position(|(_, header)| self.contains(header))?;
            let &(copy_at, header) = self.copies.get(found)?;
            let start = (copy_at - at) as usize;
            let body = bytes.get(start..).and_then(|block| header.body(block));
            if body.is_some_and(|body| header.is_intact(body)) {
                return Some((start, header));
            }
            // No other copy is in the body. Its bytes are not verified again.
            let end = copy_at + header.block_bytes() as u64;
            self.copies.retain(|(other, _)| !(copy_at..end).contains(other));
        }
    }
}

/// Returns `header`, which is at the start of `source`, or else the next header that is in the sequence of blocks,
/// if only whole blocks precede it.
pub(super) fn next_in_sequence(source: &mut Input, mut header: BlockHeader) -> Option<BlockHeader> {
    let mut at = 0;
    while !header.is_in_sequence() && !source.is_growing() {
        at += header.block_bytes();
        if at > MAX_EXPANDED_BYTES {
            return None;
        }
        source.grow(at + HEADER_BYTES).ok()?;
        header = BlockHeader::parse(source.window().get(at..)?).ok()?;
    }
    header.is_in_sequence().then_some(header)
}
