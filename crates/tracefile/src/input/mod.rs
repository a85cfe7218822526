//! Sources of bytes (mapped file, pipe, growing file), read through a window that moves forward.

pub(crate) mod blocks;
pub mod map;
mod stream;

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::compressed::Compression;
use crate::error::{Error, reason};
use blocks::{BlockPlace, BlockTotals, BlockWindow, Selection};
use map::MappedFile;
use ringtrace_wire::compact::{Decoding, MAGIC};
use stream::StreamWindow;

/// The size of the window onto a mapped file. Pages are populated ahead of the window and released
/// behind it, so that a file of any size needs only this much memory. A larger window (32 MiB, or
/// the whole file populated at once) is not faster. Reading a gigabyte with a window of 2 MiB takes
/// 5% longer.
const MAPPED_WINDOW_BYTES: usize = 8 << 20;

/// The distance behind the window at which pages are released. It exceeds the window's step.
const RELEASE_BYTES: usize = 2 * MAPPED_WINDOW_BYTES;

/// A source of bytes, read through a window that moves forward.
pub struct Input {
    backing: Backing,
    offset: u64,
    compression: Option<Compression>,
    /// The compressed file that the stream decompresses. `None` if it cannot be read again.
    compressed: Option<Arc<MappedFile>>,
    /// Whether reading waits for more bytes at the end of a file.
    is_growing: bool,
}

enum Backing {
    Mapped { map: Arc<MappedFile>, at: usize, end: usize, ahead: usize, releases: bool },
    Stream(StreamWindow),
    Blocks(Box<BlockWindow>),
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input").field("offset", &self.offset).field("file_bytes", &self.file_bytes()).finish()
    }
}

impl Input {
    fn new(backing: Backing) -> Input {
        Input { backing, offset: 0, compression: None, compressed: None, is_growing: false }
    }

    /// Opens `path`, or standard input for `-`. Maps a regular file, and treats anything else as a
    /// stream.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or is a directory.
    pub fn open(path: &Path) -> io::Result<Input> {
        if path.as_os_str() == "-" {
            let stdin = io::stdin();
            // Standard input can be mapped if it is a regular file at its start.
            if let Ok(file) = std::os::fd::AsFd::as_fd(&stdin).try_clone_to_owned() {
                let mut file = File::from(file);
                if file.metadata().is_ok_and(|metadata| metadata.is_file())
                    && file.stream_position().is_ok_and(|position| position == 0)
                {
                    return Input::from_file(file);
                }
            }
            return Ok(Input::from_reader(Box::new(io::stdin())));
        }
        Input::from_file(File::open(path)?)
    }

    /// Creates the input of an open file.
    ///
    /// # Errors
    /// Returns an error if the file is a directory or cannot be mapped.
    pub fn from_file(file: File) -> io::Result<Input> {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory, not a trace"));
        }
        if !metadata.is_file() {
            return Ok(Input::from_reader(Box::new(file)));
        }
        match MappedFile::new(&file)? {
            Some(map) => Ok(Input::from_map(Arc::new(map))),
            // The file is empty, or is in /proc, where files have no size.
            None => Ok(Input::from_reader(Box::new(file))),
        }
    }

    /// Creates the input of a mapped file, from its start.
    pub fn from_map(map: Arc<MappedFile>) -> Input {
        let backing = Backing::Mapped { map, at: 0, end: 0, ahead: MAPPED_WINDOW_BYTES, releases: true };
        Input::new(backing)
    }

    /// Creates the input of a stream.
    pub fn from_reader(reader: Box<dyn Read + Send>) -> Input {
        Input::new(Backing::Stream(StreamWindow::new(reader)))
    }

    /// Creates an input without any bytes.
    pub(crate) fn empty() -> Input {
        Input::from_reader(Box::new(io::empty()))
    }

    /// Opens a file of which only the first bytes are needed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened.
    pub(crate) fn open_start(path: &Path, bytes: usize) -> io::Result<Input> {
        let mut input = Input::from_file(File::open(path)?)?;
        input.read_ahead(bytes);
        Ok(input)
    }

    /// Opens a growing file. At its end, reading waits for more bytes until a flag in `until` is
    /// set.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened.
    pub fn follow_until(path: &Path, until: FollowFlags) -> io::Result<Input> {
        let file = File::open(path)?;
        Ok(Input::follow_file(file, until, Box::new(|| false)))
    }

    /// Reads a growing file like [`Input::follow_until`], and also ends at the end of the file when
    /// `is_complete` returns true.
    pub(crate) fn follow_file(
        file: File,
        until: FollowFlags,
        is_complete: Box<dyn FnMut() -> bool + Send>,
    ) -> Input {
        let file = GrowingFile { file, until, is_complete, at_end: false, stopped: false, read_bytes: 0 };
        Input { is_growing: true, ..Input::from_reader(Box::new(file)) }
    }

    /// Returns whether reading waits for more bytes at the end of the file.
    pub(crate) fn is_growing(&self) -> bool {
        self.is_growing
    }

    /// Creates an input of the decompressed contents, from their start. Nothing may be consumed yet.
    fn decompress(self, compression: Compression) -> Input {
        let (compressed, is_growing) = (self.mapped().cloned(), self.is_growing);
        let decoder = compression.decode(Box::new(self));
        Input { compression: Some(compression), compressed, is_growing, ..Input::from_reader(decoder) }
    }

    /// Detects a compressed file from as few bytes as possible. The first bytes of a trace suffice to
    /// rule out compression.
    fn detect_compression(&mut self) -> io::Result<Option<Compression>> {
        let mut enough = 1;
        while self.grow(enough)? && Compression::is_possible(&self.window()[..enough]) {
            if let Some(found) = Compression::detect(self.window()) {
                return Ok(Some(found));
            }
            enough += 1;
        }
        Ok(None)
    }

    /// Creates an input of the trace in a file that may be compressed, compact, or both. Nothing may be
    /// consumed yet.
    pub(crate) fn decode(mut self) -> io::Result<(Input, Option<Compression>)> {
        let compression = self.detect_compression()?;
        let plain = match compression {
            Some(compression) => self.decompress(compression),
            None => self,
        };
        Ok((plain.expand()?, compression))
    }

    /// Ends a stream after the bytes in the window, because the rest cannot be read.
    pub(crate) fn end(&mut self) {
        match &mut self.backing {
            Backing::Stream(stream) => stream.end(),
            Backing::Blocks(blocks) => blocks.end(),
            Backing::Mapped { .. } => {}
        }
    }

    /// Creates an input of the v4 trace in a compact trace. Returns other inputs unchanged. Nothing may
    /// be consumed yet. Reads as few bytes as possible to recognize compact traces.
    pub(crate) fn expand(mut self) -> io::Result<Input> {
        let mut enough = 1;
        while self.grow(enough)? && MAGIC.starts_with(&self.window()[..enough]) {
            if enough == MAGIC.len() {
                return Ok(self.into_blocks());
            }
            enough += 1;
        }
        Ok(self)
    }

    /// Creates an input of the v4 trace in a compact trace. Nothing may be consumed yet.
    pub(crate) fn into_blocks(self) -> Input {
        Input::new(Backing::Blocks(Box::new(BlockWindow::new(self))))
    }

    /// Returns whether [`Input::again`] can read the input again.
    pub(crate) fn is_rereadable(&self) -> bool {
        match &self.backing {
            Backing::Blocks(blocks) => blocks.source().is_rereadable(),
            _ => self.mapped().is_some() || self.compressed.is_some(),
        }
    }

    /// Creates a second input of the same file, at `offset`. Returns `None` for a stream.
    pub(crate) fn again(&self, offset: u64) -> Option<Input> {
        if let Backing::Blocks(blocks) = &self.backing {
            let again = Input::new(Backing::Blocks(Box::new(blocks.again(offset)?)));
            return Some(Input { offset, ..again });
        }
        if let Some(map) = self.mapped() {
            let mut again = Input::from_map(Arc::clone(map));
            again.seek(offset);
            return Some(again);
        }
        let map = Arc::clone(self.compressed.as_ref()?);
        let mut again = Input::from_map(map).decompress(self.compression?);
        let mut left = usize::try_from(offset).ok()?;
        while left > 0 {
            // Ignore the error: the first reader also found it.
            again.grow(1).ok().filter(|grown| *grown)?;
            let step = left.min(again.window().len());
            again.consume(step);
            left -= step;
        }
        Some(again)
    }

    pub(crate) fn window(&self) -> &[u8] {
        match &self.backing {
            Backing::Mapped { map, at, end, .. } => map.bytes().get(*at..*end).unwrap_or_default(),
            Backing::Stream(stream) => stream.window(),
            Backing::Blocks(blocks) => blocks.window(),
        }
    }

    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of bytes in the input, if known.
    pub(crate) fn file_bytes(&self) -> Option<u64> {
        match &self.backing {
            Backing::Mapped { map, .. } => Some(map.bytes().len() as u64),
            Backing::Stream(_) => None,
            Backing::Blocks(blocks) => blocks.total_bytes(),
        }
    }

    /// Returns the size of a compact trace in the file, up to the part that was read if it is a
    /// stream. `None` if the trace is not compact.
    pub(crate) fn compact_bytes(&self) -> Option<u64> {
        let Backing::Blocks(blocks) = &self.backing else { return None };
        Some(blocks.source().file_bytes().unwrap_or(blocks.source().offset()))
    }

    /// Returns the number of bytes by which compression has made the blocks of a compact trace smaller.
    pub(crate) fn saved_bytes(&self) -> u64 {
        match &self.backing {
            Backing::Blocks(blocks) => blocks.saved_bytes(),
            _ => 0,
        }
    }

    /// Returns the size in the file of all blocks of a compact trace that were decoded. `None` if the
    /// trace is not compact.
    pub(crate) fn decoded_compact_bytes(&self) -> Option<u64> {
        match &self.backing {
            Backing::Blocks(blocks) => Some(blocks.decoded_bytes()),
            _ => None,
        }
    }

    /// Restricts a compact trace to blocks that `selection` selects. Does nothing for other inputs.
    pub(crate) fn select(&mut self, selection: Option<Selection>) {
        if let Backing::Blocks(blocks) = &mut self.backing {
            blocks.select(selection);
        }
    }

    /// Returns the totals of the headers of a compact trace in a mapped file. `None` for other inputs,
    /// and if a defect hides a header. See [`BlockWindow::totals`].
    pub(crate) fn block_totals(&self, may_search: bool) -> Option<BlockTotals> {
        match &self.backing {
            Backing::Blocks(blocks) => blocks.totals(may_search),
            _ => None,
        }
    }

    /// Returns the smallest and the largest time, like [`Input::block_totals`].
    pub(crate) fn block_time_range_ns(&self, may_search: bool) -> Option<(u64, u64)> {
        match &self.backing {
            Backing::Blocks(blocks) => blocks.time_range_ns(may_search),
            _ => None,
        }
    }

    /// Returns whether the headers of a compact trace in a mapped file have no defect. `false` for other
    /// inputs. See [`BlockWindow::is_index_complete`].
    pub(crate) fn is_index_complete(&self, may_search: bool) -> bool {
        matches!(&self.backing, Backing::Blocks(blocks) if blocks.is_index_complete(may_search))
    }

    pub(crate) fn has_mapped_blocks(&self) -> bool {
        matches!(&self.backing, Backing::Blocks(blocks) if blocks.source().mapped().is_some())
    }

    /// Returns the blocks of a compact trace in a mapped file, from `offset` on. See
    /// [`BlockWindow::places`].
    pub(crate) fn block_places(&self, offset: u64) -> Option<(Arc<MappedFile>, Vec<BlockPlace>)> {
        let Backing::Blocks(blocks) = &self.backing else { return None };
        blocks.places(offset)
    }

    /// Returns the number of records in blocks that were skipped or are missing before the window,
    /// and resets it.
    pub(crate) fn take_missed(&mut self) -> u64 {
        match &mut self.backing {
            Backing::Blocks(blocks) => blocks.take_missed(),
            _ => 0,
        }
    }

    /// Returns the number of bytes before the window, except those in skipped and missing blocks.
    pub(crate) fn read_bytes(&self) -> u64 {
        match &self.backing {
            Backing::Blocks(blocks) => blocks.read_bytes(),
            _ => self.offset,
        }
    }

    /// Returns the mapped file, unless the input is a stream.
    pub(crate) fn mapped(&self) -> Option<&Arc<MappedFile>> {
        match &self.backing {
            Backing::Mapped { map, .. } => Some(map),
            Backing::Stream(_) | Backing::Blocks(_) => None,
        }
    }

    /// Moves the window's start forward by `bytes`. The skipped bytes are released.
    pub(crate) fn consume(&mut self, bytes: usize) {
        self.offset += bytes as u64;
        match &mut self.backing {
            Backing::Mapped { at, end, .. } => *at = (*at + bytes).min(*end),
            Backing::Stream(stream) => stream.consume(bytes),
            Backing::Blocks(blocks) => blocks.consume(bytes),
        }
    }

    /// Extends the window to at least `bytes` bytes. Returns `false` if the input ends first. The
    /// window then contains all remaining bytes.
    pub(crate) fn grow(&mut self, bytes: usize) -> io::Result<bool> {
        match &mut self.backing {
            Backing::Mapped { map, at, end, ahead, releases } => {
                let size = map.bytes().len();
                if *end < size {
                    let target = at.saturating_add(bytes.max(*ahead)).clamp(*end, size);
                    map.populate(*end..target);
                    if *releases {
                        map.release(at.saturating_sub(RELEASE_BYTES)..*at);
                    }
                    *end = target;
                }
                Ok(*end - *at >= bytes)
            }
            Backing::Stream(stream) => stream.grow(bytes),
            Backing::Blocks(blocks) => {
                let grown = blocks.grow(bytes);
                self.offset = blocks.offset();
                grown
            }
        }
    }

    /// Decodes the next block of a compact trace, and passes it to `take` first. See [`BlockWindow::take_block`].
    pub(crate) fn take_block(
        &mut self,
        take: impl FnOnce(u64, &mut Decoding<'_>) -> usize,
    ) -> Option<io::Result<bool>> {
        let Backing::Blocks(blocks) = &mut self.backing else { return None };
        let taken = blocks.take_block(take);
        self.offset = blocks.offset();
        taken
    }

    /// Sets the size of the window onto a mapped file to `bytes`, or more if the caller needs more.
    /// From now on the caller, not the input, must release pages.
    pub(crate) fn set_ahead(&mut self, bytes: usize) {
        if let Backing::Mapped { ahead, releases, .. } = &mut self.backing {
            *ahead = bytes;
            *releases = false;
        }
    }

    /// Sets the size of the window onto a mapped file, without changing whether the input releases
    /// pages.
    fn read_ahead(&mut self, bytes: usize) {
        if let Backing::Mapped { ahead, .. } = &mut self.backing {
            *ahead = bytes;
        }
    }

    /// Sets whether another thread decodes the blocks of a mapped compact trace.
    pub(crate) fn set_decode_ahead(&mut self, decodes_ahead: bool) {
        if let Backing::Blocks(blocks) = &mut self.backing {
            blocks.set_decode_ahead(decodes_ahead);
        }
    }

    /// Moves to `offset` of a mapped file. Does nothing for a stream.
    pub(crate) fn seek(&mut self, offset: u64) {
        if let Backing::Blocks(blocks) = &mut self.backing {
            blocks.seek(offset);
            self.offset = blocks.offset();
        }
        if let Backing::Mapped { map, at, end, .. } = &mut self.backing {
            let target = usize::try_from(offset).unwrap_or(usize::MAX).min(map.bytes().len());
            *at = target;
            *end = target;
            self.offset = target as u64;
        }
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.grow(1)?;
        let window = self.window();
        let read = window.len().min(buffer.len());
        buffer[..read].copy_from_slice(&window[..read]);
        self.consume(read);
        Ok(read)
    }
}

/// Copies the rest of `input` to a temporary file and maps it, unless `input` is empty. `tolerate`
/// decides whether reading continues after an error, or the copy ends there.
pub(crate) fn spool(
    name: &str,
    mut input: Input,
    mut tolerate: impl FnMut(&io::Error) -> Result<bool, Error>,
) -> Result<Input, Error> {
    #[expect(clippy::disallowed_methods, reason = "temporary files are in the system's folder for them")]
    let folder = std::env::temp_dir();
    let refused = |error: io::Error| temporary_file_error(name, &folder, &error);
    let mut file = tempfile::tempfile_in(&folder).map_err(refused)?;
    loop {
        match input.grow(1) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                if tolerate(&error)? {
                    continue;
                }
                break;
            }
        }
        let window = input.window();
        file.write_all(window).map_err(refused)?;
        input.consume(window.len());
    }
    if input.offset() == 0 {
        return Ok(input);
    }
    Input::from_file(file).map_err(refused)
}

pub(crate) fn temporary_file_error(file: &str, folder: &Path, error: &io::Error) -> Error {
    let message = format!("cannot write a temporary file in {}: {}", folder.display(), reason(error));
    Error::new(file, message)
        .by_system()
        .help("to sort, set the environment variable TMPDIR to a folder with enough space")
}

/// Flags that stop the reading of a growing file. They can be set from any thread at any time.
#[derive(Debug, Clone, Default)]
pub struct FollowFlags {
    /// If set, reading ends soon, even if the file keeps growing.
    pub stop: Arc<AtomicBool>,
    /// If set, the file is complete, and reading stops at the end of the file.
    pub end: Arc<AtomicBool>,
}

pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Reads a file that another process appends to.
struct GrowingFile {
    file: File,
    until: FollowFlags,
    is_complete: Box<dyn FnMut() -> bool + Send>,
    /// Set if the file was complete before the last read.
    at_end: bool,
    stopped: bool,
    read_bytes: u64,
}

impl Read for GrowingFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.stopped {
                return Ok(0);
            }
            // Bytes written before the flag was set are still read. Do not wait for the end of the
            // file, because the file can grow as fast as it is read.
            self.stopped = self.until.stop.load(Ordering::Relaxed);
            // Load the flag before the read, so that all bytes written before it was set are read.
            let at_end = self.at_end || self.until.end.load(Ordering::Acquire);
            let read = self.file.read(buffer)?;
            self.read_bytes += read as u64;
            if read > 0 || self.stopped || at_end {
                return Ok(read);
            }
            let metadata = self.file.metadata()?;
            if metadata.is_file() && metadata.len() < self.read_bytes {
                return Err(io::Error::other(
                    "the file has become shorter, because it was truncated or rewritten; follow it again",
                ));
            }
            std::thread::sleep(POLL_INTERVAL);
            self.at_end = (self.is_complete)();
        }
    }
}
