//! A walk over the blocks of a compact trace, which reads their headers.

use std::io;
use std::sync::{Arc, OnceLock};

use memchr::memmem;
use ringtrace_wire::compact::{
    BlockHeader, HEADER_BYTES, HeaderFault, Kind, MAGIC, MAX_EXPANDED_BYTES, find,
};

use super::index::{BlockIndex, BlockPlace, Selection, Totals, are_missing};
use super::missing::{COPY_SEARCH_BYTES, Missing, next_in_sequence};
use super::search::{FileEnd, SelectedBlocks};
use crate::block::{BlockDefect, BlockError};
use crate::error::TRUNCATED;
use crate::input::Input;

/// The number of bytes that are searched for a header at a time.
const SEARCH_BYTES: usize = 1 << 16;

/// Finds the blocks that are to be decoded, one after the other.
pub(super) struct BlockWalk {
    source: Box<Input>,
    /// The totals in the next header, if nothing is missing.
    expected: Totals,
    /// The number of records in skipped and missing blocks that [`BlockWalk::take_missed`] has not
    /// returned yet.
    missed_records: u64,
    /// The size in the file of all blocks that were decoded, and of those without records.
    decoded_bytes: u64,
    /// The number of bytes by which compression has made the decoded blocks smaller.
    saved_bytes: u64,
    /// The offset in the v4 trace to which the walk was moved. No blocks before it are returned.
    seek_to: u64,
    selection: Option<Selection>,
    /// The selected blocks, once they are needed, if they were found without visiting all headers.
    selected: OnceLock<Option<SelectedBlocks>>,
    /// The blocks of a mapped file, once they are known. Walks over the same file share them.
    index: Arc<OnceLock<BlockIndex>>,
    /// The end of a mapped file, once it is needed. Walks over the same file share it.
    end: Arc<OnceLock<Option<FileEnd>>>,
    /// The parts of the v4 trace that were found missing, whose copies are to be decoded.
    missing: Missing,
    /// The distance from the start of the source to the copy that is to be decoded; 0 for other blocks.
    copy_at: usize,
    /// Whether the source must be searched for a header.
    searches: bool,
    /// Whether no header after damage states its own offset, because bytes were removed or added.
    is_shifted: bool,
    ended: bool,
}

impl BlockWalk {
    /// Creates a walk from the start of `source`, which starts with a block.
    pub(super) fn new(mut source: Input) -> BlockWalk {
        // A block takes longer to decode than to populate, and the next one may be far away.
        source.read_ahead(1);
        BlockWalk {
            source: Box::new(source),
            expected: Totals::default(),
            missed_records: 0,
            decoded_bytes: 0,
            saved_bytes: 0,
            seek_to: 0,
            selection: None,
            selected: OnceLock::new(),
            index: Arc::default(),
            end: Arc::default(),
            missing: Missing::default(),
            copy_at: 0,
            searches: false,
            is_shifted: false,
            ended: false,
        }
    }

    /// Ends the source, of which the rest cannot be read, after the decoded blocks.
    pub(super) fn end_source(&mut self) {
        self.source.end();
        self.ended = true;
    }

    pub(super) fn source(&self) -> &Input {
        &self.source
    }

    /// Returns a walk from the start of the same trace. `None` if the source cannot be read again.
    pub(super) fn again(&self) -> Option<BlockWalk> {
        let mut again = BlockWalk::new(self.source.again(0)?);
        again.index = Arc::clone(&self.index);
        again.end = Arc::clone(&self.end);
        Some(again)
    }

    /// Moves to the block with `offset` of the v4 trace. Returns `false` if the source is a stream that
    /// has been read.
    pub(super) fn seek(&mut self, offset: u64) -> bool {
        if self.source.offset() > 0 {
            if self.source.mapped().is_none() {
                return false;
            }
            self.source.seek(0);
        }
        (self.seek_to, self.expected) = (offset, Totals::default());
        (self.missed_records, self.searches, self.ended) = (0, false, false);
        self.missing.restart();
        self.copy_at = 0;
        let selected = self.selected.get().and_then(Option::as_ref).map(|selected| &selected.index);
        if let Some(index) = selected.or(self.index.get().filter(|index| index.is_complete())) {
            let next = index.blocks.partition_point(|block| Totals::after(&block.header).bytes <= offset);
            if let Some(previous) = next.checked_sub(1).and_then(|previous| index.blocks.get(previous)) {
                self.expected = Totals::after(&previous.header);
                self.source.seek((previous.at + previous.header.block_bytes()) as u64);
            }
        }
        true
    }

    /// Returns the blocks of a mapped file. The first call reads all headers.
    pub(super) fn index(&self) -> Option<&BlockIndex> {
        let file_bytes = self.source.mapped()?.bytes().len();
        if let Some(index) = self.index.get() {
            return Some(index);
        }
        let mut all = BlockWalk::new(self.source.again(0)?);
        let mut blocks = Vec::new();
        let defect = loop {
            let header = match all.next_header() {
                Ok(Some(header)) => header,
                Ok(None) => break None,
                // An error of the system does not depend on the file.
                Err(error) => {
                    break BlockError::of(&error).map(|error| error.defect).or(Some(BlockDefect::Damaged));
                }
            };
            let at = all.source.offset() as usize;
            if at + header.block_bytes() > file_bytes || all.skip(header.block_bytes()).is_err() {
                break Some(BlockDefect::Truncated);
            }
            all.expected = Totals::after(&header);
            blocks.push(BlockPlace { at, header, missed_records: 0 });
        };
        Some(self.index.get_or_init(|| BlockIndex { blocks, defect }))
    }

    /// Returns the facts that the last blocks of a mapped file state.
    pub(super) fn end(&self) -> Option<&FileEnd> {
        let map = self.source.mapped()?;
        self.end.get_or_init(|| FileEnd::find(map)).as_ref()
    }

    /// Finds the blocks that `selection` selects without visiting all headers, if that is possible.
    pub(super) fn find_selected(&self, selection: &Selection) -> Option<SelectedBlocks> {
        // If all headers were visited, searching takes longer than using the index.
        if !selection.is_searchable() || self.index.get().is_some() {
            return None;
        }
        SelectedBlocks::find(self.source.mapped()?, self.end()?, selection)
    }

    /// Returns the selected blocks, if they can be found without visiting all headers.
    fn selected(&self) -> Option<&SelectedBlocks> {
        let selection = self.selection.as_ref()?;
        self.selected.get_or_init(|| self.find_selected(selection)).as_ref()
    }

    /// From the next block on, decodes only blocks that `selection` selects.
    pub(super) fn select(&mut self, selection: Option<Selection>) {
        self.selection = selection;
        self.selected = OnceLock::new();
    }

    /// Returns whether all blocks are decoded.
    pub(super) fn selects_all(&self) -> bool {
        self.selection.is_none()
    }

    /// Returns the number of records before the window that were not in any window, and resets it.
    pub(super) fn take_missed(&mut self) -> u64 {
        std::mem::take(&mut self.missed_records)
    }

    /// Returns the number that [`BlockWalk::take_missed`] will return.
    pub(super) fn missed(&self) -> u64 {
        self.missed_records
    }

    pub(super) fn decoded_bytes(&self) -> u64 {
        self.decoded_bytes
    }

    /// Returns the number of bytes by which compression has made the blocks smaller: all blocks if the
    /// index or the end is known, else those that were decoded.
    pub(super) fn saved_bytes(&self) -> u64 {
        match (self.index.get(), self.end.get()) {
            (Some(index), _) => index.blocks.iter().map(|block| block.header.saved_bytes()).sum(),
            (None, Some(Some(end))) => end.totals.saved_bytes,
            (None, _) => self.saved_bytes,
        }
    }

    /// Returns the size of the v4 trace according to the last header, unless the source is a stream.
    pub(super) fn total_bytes(&self) -> Option<u64> {
        let bytes = self.source.mapped()?.bytes();
        let end = &bytes[bytes.len().saturating_sub(HEADER_BYTES + MAX_EXPANDED_BYTES)..];
        memmem::rfind_iter(end, &MAGIC).find_map(|at| {
            let header = BlockHeader::parse(&end[at..]).ok()?;
            let is_possible = header.kind == Kind::Records && Totals::are_possible(&header);
            is_possible.then(|| Totals::after(&header).bytes)
        })
    }

    /// Moves the source to the next whole block that is to be decoded, and extends its window to
    /// this block. A copy of a missing block precedes the blocks after the missing one.
    pub(super) fn next_block(&mut self) -> io::Result<Option<BlockHeader>> {
        if let Some(copy) = self.next_copy()? {
            return Ok(Some(copy));
        }
        let Some(header) = self.next_header()? else { return Ok(None) };
        match self.source.grow(header.block_bytes())? {
            true => Ok(Some(header)),
            false => Err(self.cut_block(&header)),
        }
    }

    /// Finds the copy of a block that was just found missing. If the source is a growing file, copies are
    /// found when it reaches them, because waiting for them would delay the events before them.
    fn next_copy(&mut self) -> io::Result<Option<BlockHeader>> {
        self.copy_at = 0;
        if self.missing.is_empty() || self.source.is_growing() {
            return Ok(None);
        }
        if self.searches {
            self.search()?;
        }
        let at = self.source.offset();
        if self.missing.needs_search(at) {
            self.source.grow(COPY_SEARCH_BYTES)?;
            self.missing.search(self.source.window(), at, !self.is_shifted);
        }
        let found = self.missing.next_copy(self.source.window(), at);
        match found {
            Some((start, _)) => self.copy_at = start,
            None => self.missing.clear(),
        }
        Ok(found.map(|(_, header)| header))
    }

    /// Returns the block that is to be decoded, and the bytes after it.
    pub(super) fn block(&self) -> &[u8] {
        self.source.window().get(self.copy_at..).unwrap_or_default()
    }

    /// Returns whether the walk was moved to an offset within the v4 data of the block.
    pub(super) fn is_within(&self, header: &BlockHeader) -> bool {
        self.seek_to > header.expanded_before
    }

    /// Moves over the block at the start of the source, which was decoded. Returns the number of bytes
    /// of its v4 data that precede the offset to which the walk was moved.
    pub(super) fn accept(&mut self, header: &BlockHeader) -> usize {
        if header.kind == Kind::Copy {
            self.pass_copy(header);
        } else {
            self.expected = Totals::after(header).max(self.expected);
            self.source.consume(header.block_bytes());
            self.decoded_bytes += header.block_bytes() as u64;
            self.saved_bytes += header.saved_bytes();
        }
        let skipped = std::mem::take(&mut self.seek_to).saturating_sub(header.expanded_before);
        usize::try_from(skipped).unwrap_or(usize::MAX)
    }

    /// Moves over a copy, unless blocks before it have not been read yet.
    fn pass_copy(&mut self, header: &BlockHeader) {
        self.missing.pass(header);
        if std::mem::take(&mut self.copy_at) == 0 {
            self.source.consume(header.block_bytes());
            self.decoded_bytes += header.block_bytes() as u64;
        }
    }

    /// Moves over the block at the start of the source, which cannot be decoded for this reason.
    #[cold]
    pub(super) fn reject(&mut self, header: &BlockHeader, reason: &str) -> io::Error {
        let at = self.source.offset() + self.copy_at as u64;
        if header.kind == Kind::Copy {
            self.pass_copy(header);
            let message =
                format!("{reason}; it is a copy of declarations, so the events of its block have no names");
            return BlockError::io(at, BlockDefect::Damaged, message);
        }
        self.missing.add_block(header);
        self.expected = Totals::after(header).max(self.expected);
        let missing = Totals::after(header).since(Totals::before(header));
        self.missed_records += missing.records;
        // If a part of the block is missing, the next one starts earlier.
        if let Err(error) = self.source.grow(header.block_bytes() + MAGIC.len()) {
            return error;
        }
        let next = self.source.window().get(header.block_bytes()..).unwrap_or_default();
        self.searches = !next.is_empty() && BlockHeader::parse(next) == Err(HeaderFault::Magic);
        self.source.consume(if self.searches { 1 } else { header.block_bytes() });
        let message = format!("{reason}; {}", are_missing(missing));
        BlockError::io(at, BlockDefect::Damaged, message)
    }

    /// Moves the source to the next block that is to be decoded, and returns its header.
    fn next_header(&mut self) -> io::Result<Option<BlockHeader>> {
        while !self.ended {
            if self.searches {
                self.search()?;
            }
            let mut start = [0; HEADER_BYTES];
            let have = self.peek(&mut start)?;
            let start = &start[..have];
            if start.is_empty() {
                self.ended = true;
                break;
            }
            let header = match BlockHeader::parse(start) {
                Ok(header) if header.kind == Kind::Records && !Totals::are_possible(&header) => {
                    self.damage("the totals in a block's header are impossible")?;
                    continue;
                }
                Ok(header) => header,
                Err(fault @ HeaderFault::NeedMore(_)) => {
                    self.ended = true;
                    return Err(self.truncated(&format!("{fault}: {have} of {HEADER_BYTES} bytes remain")));
                }
                Err(fault @ HeaderFault::Newer(_)) => {
                    self.ended = true;
                    return Err(BlockError::io(self.source.offset(), BlockDefect::Newer, fault.to_string()));
                }
                Err(fault) => {
                    self.damage(&fault.to_string())?;
                    continue;
                }
            };
            // Without damage, a copied block precedes its copy.
            let is_ahead = header.expanded_before >= self.expected.bytes.max(self.seek_to);
            if self.missing.contains(&header) || is_ahead && Missing::is_copy(&header) {
                return Ok(Some(header));
            }
            if header.kind != Kind::Records {
                self.decoded_bytes += header.block_bytes() as u64;
                self.skip(header.block_bytes())?;
                continue;
            }
            let (before, after) = (Totals::before(&header), Totals::after(&header));
            // A block from before this offset that follows later blocks is reported below.
            let is_before = after.bytes <= self.seek_to && self.expected.bytes < self.seek_to;
            if is_before && header.expanded_bytes > 0 {
                self.miss(after);
                self.skip(header.block_bytes())?;
                continue;
            }
            if before.bytes < self.expected.bytes {
                let at = self.source.offset();
                let (stated, found) = (before.bytes, self.expected.bytes);
                self.skip(header.block_bytes())?;
                let message = format!(
                    "a block belongs at offset {stated:#x} of the v4 trace, but the blocks before it contain \
                     {found:#x} bytes; it was skipped"
                );
                return Err(BlockError::io(at, BlockDefect::Damaged, message));
            }
            if before.bytes > self.expected.bytes.max(self.seek_to) {
                let missing = before.since(self.expected);
                self.missing.add(self.expected.bytes..before.bytes);
                self.miss(before);
                let message = format!("blocks are missing before this one; {}", are_missing(missing));
                return Err(BlockError::io(self.source.offset(), BlockDefect::Damaged, message));
            }
            self.miss(before);
            if self.selection.is_none_or(|selection| selection.selects(&header)) {
                return Ok(Some(header));
            }
            self.miss(after);
            if !self.skip_unselected() {
                self.skip(header.block_bytes())?;
            }
        }
        Ok(None)
    }

    /// Copies the next bytes of the source to `start`. Returns their number, which is smaller than
    /// `start` only at the end of the source.
    fn peek(&mut self, start: &mut [u8; HEADER_BYTES]) -> io::Result<usize> {
        if self.source.window().len() < HEADER_BYTES {
            // A page fault for each header takes longer, and maps neighbouring pages.
            if let Some(map) = self.source.mapped() {
                return map.read_at(start, self.source.offset());
            }
            self.source.grow(HEADER_BYTES)?;
        }
        let window = self.source.window();
        let have = window.len().min(HEADER_BYTES);
        start[..have].copy_from_slice(&window[..have]);
        Ok(have)
    }

    /// Moves from the block at the start of the source to the next block that is selected, if it is
    /// known. Returns `false` otherwise.
    fn skip_unselected(&mut self) -> bool {
        let Some(selection) = self.selection else { return false };
        let at = self.source.offset() as usize;
        let next = |index: &BlockIndex| {
            let later = index.blocks.partition_point(|block| block.at <= at);
            let next = index.blocks.iter().skip(later).find(|block| selection.selects(&block.header));
            next.map(|next| (Totals::before(&next.header), next.at as u64))
        };
        let (next, end) = match (self.selected(), self.index.get()) {
            (Some(SelectedBlocks { index, end }), _) => match next(index) {
                // The incomplete block must be reported.
                None if end.is_truncated => (Some((end.end, end.at)), None),
                next => (next, Some(end.end)),
            },
            (None, Some(index)) => (next(index), index.end().filter(|_| index.is_complete())),
            (None, None) => return false,
        };
        if let Some((before, at)) = next {
            self.miss(before);
            self.source.seek(at);
        } else if let Some(end) = end {
            self.miss(end);
            self.ended = true;
        }
        next.is_some() || end.is_some()
    }

    /// Sets the totals at the next block to `before`. Counts the records between the previous block
    /// and the next one as missed.
    fn miss(&mut self, before: Totals) {
        let missed = before.since(self.expected);
        if missed.bytes > 0 && self.expected.bytes >= self.seek_to {
            self.missed_records += missed.records;
        }
        self.expected = before.max(self.expected);
    }

    /// Skips `bytes` bytes of the source, without reading them if it is a mapped file.
    fn skip(&mut self, bytes: usize) -> io::Result<()> {
        let cut = |left: u64| format!("a block needs {bytes} bytes, but {left} of them are missing");
        if let Some(map) = self.source.mapped() {
            let end = self.source.offset().saturating_add(bytes as u64);
            let missing = end.saturating_sub(map.bytes().len() as u64);
            self.source.seek(end);
            return if missing == 0 { Ok(()) } else { Err(self.truncated(&cut(missing))) };
        }
        let mut left = bytes;
        loop {
            let step = left.min(self.source.window().len());
            self.source.consume(step);
            left -= step;
            if left == 0 {
                return Ok(());
            }
            if !self.source.grow(1)? {
                return Err(self.truncated(&cut(left as u64)));
            }
        }
    }

    /// Creates the error for a block whose end is missing.
    #[cold]
    fn cut_block(&mut self, header: &BlockHeader) -> io::Error {
        let bytes = self.source.window();
        let missing = Totals::after(header).since(Totals::before(header));
        let message = format!(
            "a block needs {} bytes, but only {} bytes remain; {}",
            header.block_bytes(),
            bytes.len(),
            are_missing(missing)
        );
        let rest = bytes.get(1..).unwrap_or_default();
        if find(rest).is_none_or(|at| at + HEADER_BYTES > rest.len()) {
            self.ended = true;
            return self.truncated(&message);
        }
        // A part of the block is missing, because another block follows.
        let at = self.source.offset();
        self.missing.add_block(header);
        self.miss(Totals::after(header));
        self.source.consume(1);
        self.searches = true;
        BlockError::io(at, BlockDefect::Damaged, message)
    }

    fn truncated(&self, message: &str) -> io::Error {
        let message = format!("{TRUNCATED}: {message}");
        BlockError::io(self.source.offset(), BlockDefect::Truncated, message)
    }

    /// Moves from damage at the start of the source to the next header. Returns the error to
    /// report, unless the damage precedes the offset to which the window was moved.
    #[cold]
    fn damage(&mut self, message: &str) -> io::Result<()> {
        let at = self.source.offset();
        // The next byte may not be in the window yet.
        self.source.grow(1)?;
        self.source.consume(1);
        self.search()?;
        let skipped = self.source.offset() - at;
        let mut start = [0; HEADER_BYTES];
        let have = self.peek(&mut start)?;
        let next = BlockHeader::parse(&start[..have]).ok();
        let next = next.and_then(|next| next_in_sequence(&mut self.source, next));
        let lost = match next.filter(Totals::are_possible) {
            Some(next) => {
                let before = Totals::before(&next);
                if before.bytes <= self.seek_to && self.expected.bytes < self.seek_to {
                    return Ok(());
                }
                let missing = before.since(self.expected);
                self.missing.add(self.expected.bytes..before.bytes);
                // The offset to which the walk was moved can be that of the first record.
                self.missed_records += missing.records;
                self.expected = before.max(self.expected);
                are_missing(missing)
            }
            // If blocks follow later, those in between are then missing.
            None => "no block follows that shows how many records are missing".to_owned(),
        };
        let message = format!("{message}; {skipped} bytes were skipped; {lost}");
        Err(BlockError::io(at, BlockDefect::Damaged, message))
    }

    /// Moves the source to the next bytes that may be a header, or to its end. Prefers a header
    /// that states its own offset, because a string in a damaged block can contain the bytes of
    /// another trace. If bytes were removed from the file, no header in the size of a block may
    /// state its own offset; then uses the first header.
    fn search(&mut self) -> io::Result<()> {
        self.searches = false;
        let Some(first) = self.next_candidate()? else { return Ok(()) };
        let at = self.source.offset();
        if self.is_shifted || first.at == at {
            return Ok(());
        }
        self.source.grow(MAX_EXPANDED_BYTES)?;
        let bytes = self.source.window();
        let bytes = &bytes[..bytes.len().min(MAX_EXPANDED_BYTES)];
        let states_offset =
            |&start: &usize| BlockHeader::parse(&bytes[start..]).is_ok_and(|h| h.at == at + start as u64);
        let stated = memmem::find_iter(bytes, &MAGIC).find(states_offset);
        match stated {
            Some(start) => self.source.consume(start),
            None => self.is_shifted = true,
        }
        Ok(())
    }

    /// Moves the source to the next bytes that may be a header, or to its end. Returns the header if
    /// it is whole.
    fn next_candidate(&mut self) -> io::Result<Option<BlockHeader>> {
        loop {
            // The search may begin shortly before the end of a growing file, so it must not require
            // more than a header.
            let wanted = if self.source.mapped().is_some() { SEARCH_BYTES } else { HEADER_BYTES };
            let is_whole = !self.source.grow(wanted)?;
            let bytes = self.source.window();
            let bytes = &bytes[..bytes.len().min(SEARCH_BYTES)];
            let found = find(bytes);
            let is_certain = found.is_some_and(|at| at + HEADER_BYTES <= bytes.len());
            match found {
                Some(at) if is_certain || is_whole => {
                    let header = BlockHeader::parse(&bytes[at..]).ok();
                    self.source.consume(at);
                    return Ok(header);
                }
                // The bytes could be the start of a header: look at them again with those that
                // follow.
                Some(at) => self.source.consume(at),
                None => {
                    let end = bytes.len();
                    self.source.consume(end);
                    if is_whole && self.source.window().is_empty() {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Returns the blocks from `offset` of the v4 trace on that are to be decoded, up to a defect.
    /// `None` unless the source is a mapped file whose first block is not known to be damaged.
    pub(super) fn places(&self, offset: u64) -> Option<Vec<BlockPlace>> {
        if self.missing.start_was_missing() {
            return None;
        }
        let index = match self.selected() {
            Some(selected) => &selected.index,
            None => self.index()?,
        };
        Some(index.places(self.selection, offset))
    }
}
