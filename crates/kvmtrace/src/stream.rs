//! Reads a kvmtrace stream from a pipe or a file, in bounded memory.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};

use crate::record::{
    Cut, Layout, MAGIC, MAGIC_BYTES, Part, RECOGNISE_BYTES, Record, Start, Step, Tail, Variant, WideRecords,
    recognise, start,
};
use ringtrace_wire::ByteOrder;

const BUFFER_BYTES: usize = 1 << 16;

/// Options for opening a stream.
#[derive(Debug, Clone, Copy)]
pub struct StreamOptions {
    /// The variant of the stream's records. `None` detects it from the first bytes.
    pub variant: Option<Variant>,
    /// The byte order of the stream. `None` detects it from the first bytes.
    pub order: Option<ByteOrder>,
    /// The treatment of records with six or seven words.
    pub wide_records: WideRecords,
}

/// A stream that is being read.
#[derive(Debug)]
pub struct Stream<R> {
    input: R,
    layout: Layout,
    buffer: Box<[u8]>,
    /// The unread part of the buffer is from `start` to `end`.
    start: usize,
    end: usize,
    offset: u64,
    records: u64,
}

/// The position of a record in its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The number of the record, from 1.
    pub record: u64,
    /// The offset of the record, in bytes from the start of the stream.
    pub offset: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {} at offset {:#x}", self.record, self.offset)
    }
}

/// An error while opening or reading a stream.
#[derive(Debug)]
pub enum Error {
    /// Reading failed.
    Io(io::Error),
    /// The start of the stream does not match any of the expected variants.
    NotKvmtrace {
        /// The first bytes of the stream.
        found: [u8; MAGIC_BYTES],
        /// The expected variant, if there was one.
        expected: Option<Variant>,
    },
    /// The magic word is not in the expected byte order.
    OtherOrder {
        /// The byte order of the magic word.
        found: ByteOrder,
    },
    /// The stream ends within the magic word or a record.
    Cut {
        /// The position of the incomplete record.
        position: Position,
        /// The missing part.
        cut: Cut,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => write!(f, "{error}"),
            Error::NotKvmtrace { found, expected } => {
                let [a, b, c, d] = found;
                write!(f, "the stream starts with the bytes {a:02x} {b:02x} {c:02x} {d:02x}, ")?;
                match expected {
                    Some(_) => write!(f, "expected the magic word {MAGIC:#x} in either byte order"),
                    None => write!(f, "which is neither the magic word {MAGIC:#x} nor a KVM event"),
                }
            }
            Error::OtherOrder { found } => {
                write!(f, "the stream is {found}, according to its magic word")
            }
            Error::Cut { position, cut } => {
                let Cut { part, part_at, have, need } = cut;
                let (there, wanted) = (have - part_at, need - part_at);
                match part {
                    Part::MagicWord => write!(f, "the stream ends within its magic word")?,
                    _ => write!(f, "{position}: the stream ends within the record's {part}")?,
                }
                write!(f, ": expected {wanted} bytes, found {there}")
            }
        }
    }
}

impl Error {
    /// Returns advice for the user.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Error::Io(_) => None,
            Error::NotKvmtrace { expected: None, .. } => Some(
                "check that kvmtrace wrote it; for the first kernels, which wrote no magic word, use `ringtrace kvmtrace --variant k1`",
            ),
            Error::NotKvmtrace { found, .. } => match recognise(found) {
                Some((Variant::K1, _)) => Some(
                    "it looks like the first variant, which has no magic word: try `ringtrace kvmtrace --variant k1`",
                ),
                _ => None,
            },
            Error::OtherOrder { .. } => Some("omit --byte-order: only streams without a magic word need it"),
            Error::Cut { cut: Cut { part: Part::MagicWord, .. }, .. } => None,
            Error::Cut { .. } => Some("the stream is truncated; all records before this one are complete"),
        }
    }
}

impl<R: Read> Stream<R> {
    /// Opens a stream. Reads the first bytes of `input` to detect the variant or byte order if
    /// `options` does not specify it.
    ///
    /// If the byte order cannot be detected, the stream is treated as little-endian. An empty
    /// stream contains no records.
    ///
    /// # Errors
    /// Returns an error if reading fails, or if the stream is not a kvmtrace stream.
    pub fn open(input: R, options: StreamOptions) -> Result<Stream<R>, Error> {
        let layout = Layout {
            variant: options.variant.unwrap_or(Variant::K3),
            order: options.order.unwrap_or(ByteOrder::Little),
            wide_records: options.wide_records,
        };
        let buffer = vec![0; BUFFER_BYTES].into_boxed_slice();
        let mut stream = Stream { input, layout, buffer, start: 0, end: 0, offset: 0, records: 0 };
        while stream.end < RECOGNISE_BYTES && stream.read().map_err(Error::Io)? {}
        if stream.end > 0 {
            stream.detect_layout(options)?;
        }
        Ok(stream)
    }

    fn detect_layout(&mut self, options: StreamOptions) -> Result<(), Error> {
        let window = &self.buffer[..self.end];
        let recognised = recognise(window);
        if options.variant == Some(Variant::K1) {
            if let (None, Some((Variant::K1, order))) = (options.order, recognised) {
                self.layout.order = order;
            }
            return Ok(());
        }
        match start(window) {
            Start::Magic(order) => {
                if options.order.is_some_and(|expected| expected != order) {
                    return Err(Error::OtherOrder { found: order });
                }
                self.layout.order = order;
                if let (None, Some((variant, _))) = (options.variant, recognised) {
                    self.layout.variant = variant;
                }
                self.start = MAGIC_BYTES;
                self.offset = MAGIC_BYTES as u64;
                Ok(())
            }
            Start::NoMagic(found) => match recognised {
                Some((variant, order)) if options.variant.is_none() => {
                    self.layout.variant = variant;
                    self.layout.order = options.order.unwrap_or(order);
                    Ok(())
                }
                _ => Err(Error::NotKvmtrace { found, expected: options.variant }),
            },
            Start::Short => Err(Error::Cut {
                position: Position { record: 1, offset: 0 },
                cut: Cut { part: Part::MagicWord, part_at: 0, have: self.end, need: MAGIC_BYTES },
            }),
        }
    }

    /// Returns the format of the stream's records.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns the next record that is complete in the buffer.
    pub fn buffered(&mut self) -> Option<(Position, Record)> {
        let Step::Record { record, size } = self.layout.step(&self.buffer[self.start..self.end]) else {
            return None;
        };
        self.records += 1;
        let position = Position { record: self.records, offset: self.offset };
        self.start += size;
        self.offset += size as u64;
        Some((position, record))
    }

    /// Reads more bytes after [`buffered`](Stream::buffered) returned `None`. The call may block.
    /// Returns `false` at the end of the stream.
    ///
    /// # Errors
    /// Returns the error of the underlying reader.
    pub fn fill(&mut self) -> io::Result<bool> {
        if let Step::Record { .. } = self.layout.step(&self.buffer[self.start..self.end]) {
            return Ok(true);
        }
        // The buffer contains less than a record, so there is free space.
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        self.read()
    }

    fn read(&mut self) -> io::Result<bool> {
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(count) => {
                    self.end += count;
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Checks that the stream ended after a complete record.
    ///
    /// # Errors
    /// Returns [`Error::Cut`] if it did not.
    pub fn finish(&self) -> Result<(), Error> {
        match self.layout.tail(&self.buffer[self.start..self.end]) {
            Tail::Clean => Ok(()),
            Tail::Cut(cut) => {
                let position = Position { record: self.records + 1, offset: self.offset };
                Err(Error::Cut { position, cut })
            }
        }
    }
}

/// Counts of events, in the order in which they first occurred.
#[derive(Debug, Clone, Default)]
pub struct EventCounts {
    counts: Vec<(u32, u64)>,
    index: HashMap<u32, usize>,
}

impl EventCounts {
    /// Counts one record of `event`.
    pub fn count(&mut self, event: u32) {
        let index = *self.index.entry(event).or_insert_with(|| {
            self.counts.push((event, 0));
            self.counts.len() - 1
        });
        if let Some((_, count)) = self.counts.get_mut(index) {
            *count += 1;
        }
    }

    /// Returns the events and their counts, the most frequent first. Events with equal counts are
    /// in the order of the stream.
    pub fn sorted(&self) -> Vec<(u32, u64)> {
        let mut counts = self.counts.clone();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }
}
