//! A window onto the v4 data of a compact trace.

mod ahead;
pub(crate) mod decode;
mod index;
mod missing;
mod search;
mod walk;

use std::io;
use std::sync::Arc;

use ringtrace_wire::compact::{BlockHeader, Decoding, Kind};
use ringtrace_wire::simpletrace::header::{Detected, detect};

use super::Input;
use super::map::MappedFile;
use ahead::{DecodeAhead, DecodeBuffers};
use decode::decode_block;
use index::BlockIndex;
pub(crate) use index::{BlockPlace, BlockTotals, Selection};
use walk::BlockWalk;

/// Decodes the blocks of a compact trace one after the other. The window contains the v4 data of
/// one block, or of several blocks if the reader needs more bytes.
pub(crate) struct BlockWindow {
    walk: BlockWalk,
    buffers: DecodeBuffers,
    /// Whether another thread decodes blocks.
    decodes_ahead: bool,
    /// The thread, once it is needed.
    ahead: Option<DecodeAhead>,
    /// The v4 data of several blocks. Empty if that of the last block suffices.
    joined: Vec<u8>,
    /// The window starts at this offset in `joined`, or else in the v4 data of the last block.
    at: usize,
    /// The offset of the window's start in the v4 trace.
    offset: u64,
    /// The number of bytes that have been in the window and now precede it.
    read_bytes: u64,
}

impl BlockWindow {
    /// Creates a window at the start of `source`, which starts with a block.
    pub(crate) fn new(source: Input) -> BlockWindow {
        BlockWindow::of(BlockWalk::new(source))
    }

    fn of(walk: BlockWalk) -> BlockWindow {
        BlockWindow {
            walk,
            buffers: DecodeBuffers::default(),
            decodes_ahead: false,
            ahead: None,
            joined: Vec::new(),
            at: 0,
            offset: 0,
            read_bytes: 0,
        }
    }

    /// Ends the source after the bytes in its window, if it is a stream.
    pub(crate) fn end(&mut self) {
        self.walk.end_source();
    }

    pub(crate) fn source(&self) -> &Input {
        self.walk.source()
    }

    /// Returns a window at `offset` of the same trace. `None` if the source cannot be read again.
    pub(crate) fn again(&self, offset: u64) -> Option<BlockWindow> {
        let mut again = BlockWindow::of(self.walk.again()?);
        again.seek(offset);
        Some(again)
    }

    pub(crate) fn window(&self) -> &[u8] {
        let records = if self.joined.is_empty() { self.buffers.decoder.decoded() } else { &self.joined };
        records.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    pub(crate) fn consume(&mut self, bytes: usize) {
        let bytes = bytes.min(self.window().len());
        self.at += bytes;
        self.offset += bytes as u64;
        self.read_bytes += bytes as u64;
    }

    /// Moves the window to `offset` of the v4 trace. Does nothing if the source is a stream.
    pub(crate) fn seek(&mut self, offset: u64) {
        if self.walk.seek(offset) {
            self.joined.clear();
            self.at = self.buffers.decoder.decoded().len();
            (self.offset, self.read_bytes) = (offset, offset);
        }
    }

    /// Returns the totals of all headers, unless a defect hides a header. `None` unless the source is a
    /// mapped file. With `may_search`, visits only some headers if possible.
    pub(crate) fn totals(&self, may_search: bool) -> Option<BlockTotals> {
        if let Some(found) = self.walk.find_selected(&Selection { may_search, ..Selection::NONE }) {
            let end = &found.end;
            return Some(BlockTotals::new(&end.totals, found.mapping_blocks(), end.end, end.latest_ns));
        }
        self.walk.index()?.totals()
    }

    /// Returns the smallest and the largest time, like [`BlockWindow::totals`].
    pub(crate) fn time_range_ns(&self, may_search: bool) -> Option<(u64, u64)> {
        match self.walk.end().filter(|_| may_search) {
            Some(end) => BlockTotals::new(&end.totals, 0, end.end, end.latest_ns).time_range_ns,
            None => self.walk.index()?.totals()?.time_range_ns,
        }
    }

    /// Returns whether the headers have no defect. `false` unless the source is a mapped file. With
    /// `may_search`, visits only some headers if possible.
    pub(crate) fn is_index_complete(&self, may_search: bool) -> bool {
        self.walk.end().is_some_and(|end| may_search && !end.is_truncated)
            || self.walk.index().is_some_and(BlockIndex::is_complete)
    }

    /// From the next block on, decodes only blocks that `selection` selects.
    pub(crate) fn select(&mut self, selection: Option<Selection>) {
        self.walk.select(selection);
    }

    /// Returns the number of records before the window that were not in any window, and resets it.
    pub(crate) fn take_missed(&mut self) -> u64 {
        self.walk.take_missed()
    }

    /// Returns the number of bytes before the window, except those in skipped and missing blocks.
    pub(crate) fn read_bytes(&self) -> u64 {
        self.read_bytes
    }

    pub(crate) fn decoded_bytes(&self) -> u64 {
        self.walk.decoded_bytes()
    }

    /// Returns the number of bytes by which compression has made the blocks smaller.
    pub(crate) fn saved_bytes(&self) -> u64 {
        self.walk.saved_bytes()
    }

    /// Returns the size of the v4 trace according to the last header, unless the source is a stream.
    pub(crate) fn total_bytes(&self) -> Option<u64> {
        self.walk.total_bytes()
    }

    /// Returns the blocks from `offset` of the v4 trace on that are to be decoded, up to a defect.
    /// `None` unless the source is a mapped file whose first block is not known to be damaged.
    pub(crate) fn places(&self, offset: u64) -> Option<(Arc<MappedFile>, Vec<BlockPlace>)> {
        Some((Arc::clone(self.source().mapped()?), self.walk.places(offset)?))
    }

    /// Extends the window to at least `bytes` bytes. Returns `false` if the input ends first, or if
    /// the next block does not directly follow the window.
    ///
    /// # Errors
    /// Returns a [`BlockError`](crate::block::BlockError) for a defect. The next call continues after
    /// it.
    pub(crate) fn grow(&mut self, bytes: usize) -> io::Result<bool> {
        while self.window().len() < bytes {
            let Some(header) = self.walk.next_block()? else { return Ok(false) };
            let is_next = header.expanded_before == self.offset + self.window().len() as u64;
            if !is_next && !self.window().is_empty() {
                return Ok(false);
            }
            self.load(&header)?;
        }
        Ok(true)
    }

    /// Moves the empty window to the next block. While the block is decoded, passes it to `take`, with the number
    /// that [`BlockWindow::take_missed`] will return. `take` returns the size of the v4 data of the records that it
    /// took, and the window starts after them. If this returns an error, they must not be used. A block into which
    /// the window was moved is not passed to `take`. Returns `false` at the end of the input.
    ///
    /// Does nothing, and returns `None`, if the window is not empty or another thread decodes blocks.
    ///
    /// # Errors
    /// See [`BlockWindow::grow`].
    pub(crate) fn take_block(
        &mut self,
        take: impl FnOnce(u64, &mut Decoding<'_>) -> usize,
    ) -> Option<io::Result<bool>> {
        if self.decodes_ahead || !self.window().is_empty() {
            return None;
        }
        let header = match self.walk.next_block() {
            Ok(Some(header)) => header,
            Ok(None) => return Some(Ok(false)),
            Err(error) => return Some(Err(error)),
        };
        // If the window was moved into the block, its first records must not be taken.
        if self.walk.is_within(&header) {
            return Some(self.load(&header).map(|()| true));
        }
        self.joined.clear();
        let missed = self.walk.missed();
        let DecodeBuffers { decoder, plain } = &mut self.buffers;
        let decoded = decode_block(decoder, plain, &header, self.walk.block(), |block| take(missed, block));
        Some(match decoded {
            Ok(taken_bytes) => {
                self.start_at(&header);
                self.consume(taken_bytes);
                Ok(true)
            }
            Err(reason) => Err(self.reject(&header, &reason)),
        })
    }

    /// Sets whether another thread decodes the next block while the current one is in the window, if the source
    /// is a mapped file.
    pub(crate) fn set_decode_ahead(&mut self, decodes_ahead: bool) {
        self.decodes_ahead = decodes_ahead;
    }

    fn decode_ahead(&mut self, at: usize) {
        if self.ahead.is_none() {
            let map = self.walk.source().mapped().cloned();
            self.ahead = map.and_then(|map| DecodeAhead::start(map, at));
            self.decodes_ahead = self.ahead.is_some();
        }
        if let Some(ahead) = &mut self.ahead {
            ahead.begin(at);
        }
    }

    /// Appends the v4 data of the block at the start of the source to the window.
    fn load(&mut self, header: &BlockHeader) -> io::Result<()> {
        let is_empty = self.window().is_empty();
        if is_empty {
            self.joined.clear();
        } else if self.joined.is_empty() {
            self.joined.extend_from_slice(&self.buffers.decoder.decoded()[self.at..]);
        } else {
            // This copies nothing while the window only grows.
            self.joined.drain(..self.at);
        }
        self.at = 0;
        let at = self.walk.source().offset() as usize;
        let ahead = self.ahead.as_mut().and_then(|ahead| ahead.take(at, header, &mut self.buffers));
        let decoded = ahead.unwrap_or_else(|| {
            let DecodeBuffers { decoder, plain } = &mut self.buffers;
            decode_block(decoder, plain, header, self.walk.block(), |_| ())
        });
        decoded.map_err(|reason| self.reject(header, &reason))?;
        if self.decodes_ahead && self.walk.selects_all() && header.is_in_sequence() {
            self.decode_ahead(at + header.block_bytes());
        }
        if is_empty {
            self.start_at(header);
        } else {
            self.walk.accept(header);
            self.joined.extend_from_slice(self.buffers.decoder.decoded());
        }
        Ok(())
    }

    /// Moves over the block at the start of the source, which is not valid for this reason.
    fn reject(&mut self, header: &BlockHeader, reason: &str) -> io::Error {
        self.buffers = DecodeBuffers::default();
        self.walk.reject(header, reason)
    }

    /// Moves the window, which is empty, to the block at the start of the source, which was decoded.
    fn start_at(&mut self, header: &BlockHeader) {
        let mut skipped = self.walk.accept(header);
        // The first copy in a stream contains the header of the v4 file, which must be at its start.
        if header.kind == Kind::Copy && self.read_bytes > 0 {
            skipped = skipped.max(header_bytes(self.buffers.decoder.decoded()));
        }
        self.at = skipped.min(self.buffers.decoder.decoded().len());
        self.offset = header.expanded_before + self.at as u64;
    }
}

/// Returns the size of the header of a v4 file at the start of `v4`; 0 if there is none.
fn header_bytes(v4: &[u8]) -> usize {
    match detect(v4) {
        Detected::Header(header) => header.size,
        _ => 0,
    }
}
