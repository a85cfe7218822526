//! The parts of a compact trace that were found missing, and the copies of the blocks in them.

use std::ops::Range;

use memchr::memmem;
use ringtrace_wire::compact::{BlockHeader, HEADER_BYTES, Kind, MAGIC, MAX_EXPANDED_BYTES};

use super::index::Totals;
use crate::input::Input;

/// Parts of the v4 trace that were found missing, and whose copies were not found yet.
#[derive(Debug, Default)]
pub(super) struct Missing {
    parts: Vec<Range<u64>>,
    includes_start: bool,
}

impl Missing {
    pub(super) fn add(&mut self, part: Range<u64>) {
        self.includes_start |= part.start == 0;
        self.parts.push(part);
    }

    pub(super) fn clear(&mut self) {
        self.parts.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns whether the start of the trace was ever found missing.
    pub(super) fn includes_start(&self) -> bool {
        self.includes_start
    }

    /// Returns whether this is the header of a copy of a missing block.
    pub(super) fn contains(&self, header: &BlockHeader) -> bool {
        header.kind == Kind::Copy
            && Totals::are_possible(header)
            && self.parts.iter().any(|part| part.contains(&header.expanded_before))
    }

    /// Finds the next copy of a missing block in `bytes`. Returns its offset there and its header. The copy must
    /// state its offset in the file, where `bytes` start at `stated_at`, unless that is `None`. Without a copy,
    /// forgets the missing parts.
    pub(super) fn take_copy(&mut self, bytes: &[u8], stated_at: Option<u64>) -> Option<(usize, BlockHeader)> {
        let found = memmem::find_iter(bytes, &MAGIC).find_map(|at| {
            let rest = bytes.get(at..)?;
            let header = BlockHeader::parse(rest).ok().filter(|header| self.contains(header))?;
            let is_here = stated_at.is_none_or(|start| header.at == start + at as u64);
            (is_here && header.is_intact(header.body(rest)?)).then_some((at, header))
        });
        let Some((_, header)) = &found else {
            self.clear();
            return None;
        };
        // Copies are in the order of the blocks.
        self.parts.retain_mut(|part| {
            part.start = part.start.max(header.expanded_before + 1);
            !part.is_empty()
        });
        found
    }
}

/// Returns `header`, which is at the start of `source`, or else the next header that is in the sequence of blocks,
/// if only whole blocks precede it.
pub(super) fn in_sequence(source: &mut Input, mut header: BlockHeader) -> Option<BlockHeader> {
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
