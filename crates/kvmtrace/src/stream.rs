//! Reading a kvmtrace stream from a pipe or a file, with memory that does not grow with it.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};

use crate::record::{
    Cut, Layout, MAGIC, MAGIC_BYTES, Part, RECOGNISE_BYTES, Record, Start, Step, Tail, Variant, WideRecords,
    recognise, start,
};
use ringtrace_wire::ByteOrder;

const BUFFER_BYTES: usize = 1 << 16;

/// What is known of a stream before it is opened.
#[derive(Debug, Clone, Copy)]
pub struct StreamOptions {
    /// The version of its records; `None`: tell by its first bytes.
    pub variant: Option<Variant>,
    /// Its byte order; `None`: tell by its first bytes.
    pub order: Option<ByteOrder>,
    /// How to take records of six and seven words.
    pub wide_records: WideRecords,
}

/// A stream that is being read.
#[derive(Debug)]
pub struct Stream<R> {
    input: R,
    layout: Layout,
    buffer: Box<[u8]>,
    /// The part of the buffer that was read and not decoded.
    start: usize,
    end: usize,
    offset: u64,
    records: u64,
}

/// Where a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Which record, from 1.
    pub record: u64,
    /// Where it begins, in bytes from the start of the stream.
    pub offset: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {} at offset {:#x}", self.record, self.offset)
    }
}

/// Why a stream cannot be read, or not on.
#[derive(Debug)]
pub enum Error {
    /// The system refused to read.
    Io(io::Error),
    /// It begins like no stream of the expected variants.
    NotKvmtrace {
        /// Its first bytes.
        found: [u8; MAGIC_BYTES],
        /// The variant it was expected to have, if any.
        expected: Option<Variant>,
    },
    /// The magic word is in the other byte order than expected.
    OtherOrder {
        /// The order of the magic word.
        found: ByteOrder,
    },
    /// It ends within the magic word or a record.
    Cut {
        /// Which record would have been there.
        position: Position,
        /// What is missing.
        cut: Cut,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => write!(f, "{error}"),
            Error::NotKvmtrace { found, expected } => {
                let [a, b, c, d] = found;
                write!(f, "the stream begins with the bytes {a:02x} {b:02x} {c:02x} {d:02x}, ")?;
                match expected {
                    Some(_) => write!(f, "expected the magic word {MAGIC:#x} in either byte order"),
                    None => write!(f, "which is neither the magic word {MAGIC:#x} nor an event of KVM"),
                }
            }
            Error::OtherOrder { found } => write!(f, "the magic word says that the stream is {found}"),
            Error::Cut { position, cut } => {
                let Cut { part, part_at, have, need } = cut;
                let (there, wanted) = (have - part_at, need - part_at);
                match part {
                    Part::MagicWord => write!(f, "the stream ends in its magic word")?,
                    _ => write!(f, "{position}: the stream ends in the record's {part}")?,
                }
                write!(f, ": expected {wanted} bytes, found {there}")
            }
        }
    }
}

impl Error {
    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Error::Io(_) => None,
            Error::NotKvmtrace { expected: None, .. } => Some(
                "is it the output of kvmtrace? The first kernels wrote no magic word: `ringtrace kvmtrace --variant k1` expects none",
            ),
            Error::NotKvmtrace { found, .. } => match recognise(found) {
                Some((Variant::K1, _)) => Some(
                    "it looks like the first variant, which has no magic word: `ringtrace kvmtrace --variant k1` reads it",
                ),
                _ => None,
            },
            Error::OtherOrder { .. } => {
                Some("leave out --byte-order: only streams without a magic word need it")
            }
            Error::Cut { cut: Cut { part: Part::MagicWord, .. }, .. } => None,
            Error::Cut { .. } => Some("the stream was cut; all records before this one are whole"),
        }
    }
}

impl<R: Read> Stream<R> {
    /// Reads the first bytes of `input`, and tells by them what is not in `options`.
    ///
    /// Without anything to tell by, a stream is little-endian. An empty one is a stream without records.
    ///
    /// # Errors
    /// When it cannot be read, or is no such stream.
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

    /// How the stream's records are laid out.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The next record of what was read already.
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

    /// Reads on when [`buffered`](Stream::buffered) has no more, and may wait for it; `false` at the end of the
    /// stream.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn fill(&mut self) -> io::Result<bool> {
        if let Step::Record { .. } = self.layout.step(&self.buffer[self.start..self.end]) {
            return Ok(true);
        }
        // Less than a record is left, so there is room.
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

    /// Tells, at the end of the stream, whether it ended with a whole record.
    ///
    /// # Errors
    /// When it did not.
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

    /// Events and their counts: the most frequent first, those of equal counts in the order of the stream.
    pub fn sorted(&self) -> Vec<(u32, u64)> {
        let mut counts = self.counts.clone();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }
}
