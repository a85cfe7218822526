//! Errors and anomalies of trace files.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{LockResult, PoisonError};

use ringtrace_events::message::visible;

use crate::block::{BlockDefect, BlockError};
use crate::compressed::CompressionError;

/// The maximum length of a message. A name quoted in a message can be a megabyte long.
const MESSAGE_CHARS: usize = 400;

/// An error in a trace file, with its position, a message and a hint. It is boxed to keep results
/// small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<ErrorDetails>);

/// The fields of an [`Error`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorDetails {
    /// The file's name, as given by the user.
    pub file: String,
    /// The number of the record, from 1; mapping records are not counted. `None` outside a record.
    pub record: Option<u64>,
    /// The offset in the file, in bytes.
    pub offset: Option<u64>,
    /// The error message, without file and position.
    pub message: String,
    /// A hint that helps to resolve the error.
    pub help: Option<String>,
    kind: ErrorKind,
    /// The message that QEMU's newest reader prints, unless that reader prints a traceback.
    pub original_message: Option<String>,
}

/// The cause of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The file, the declarations or the options.
    Data,
    /// The operating system refused an operation.
    System,
}

impl Deref for Error {
    type Target = ErrorDetails;
    fn deref(&self) -> &ErrorDetails {
        &self.0
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut ErrorDetails {
        &mut self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", visible::text(&self.file))?;
        match (self.record, self.offset) {
            (Some(record), Some(offset)) => write!(f, "record {record} at offset {offset:#x}: ")?,
            (None, Some(offset)) => write!(f, "offset {offset:#x}: ")?,
            _ => {}
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl Error {
    /// Returns whether the file ends too early, so that no part of it follows the error.
    pub fn is_truncation(&self) -> bool {
        self.message.starts_with(TRUNCATED)
    }

    /// Creates an error about the whole file. Control characters in `message` are escaped.
    pub fn new(file: impl Into<String>, message: impl Into<String>) -> Error {
        Error(Box::new(ErrorDetails {
            file: file.into(),
            record: None,
            offset: None,
            message: shown(&message.into()),
            help: None,
            kind: ErrorKind::Data,
            original_message: None,
        }))
    }

    /// Returns the cause of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the fields of the error.
    pub fn into_details(self) -> ErrorDetails {
        *self.0
    }

    /// Creates an error from an I/O error.
    pub fn io(file: impl Into<String>, error: &std::io::Error) -> Error {
        match (CompressionError::of(error), BlockError::of(error)) {
            (Some(broken), _) => Error::new(file, broken.to_string()).help(broken.help()),
            (_, Some(broken)) => {
                Error::new(file, broken.to_string()).at(None, broken.at).help(block_help(broken.defect))
            }
            _ => Error::new(file, reason(error)).by_system(),
        }
    }

    #[must_use]
    pub(crate) fn by_system(mut self) -> Error {
        self.kind = ErrorKind::System;
        self
    }

    /// Sets the hint.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Error {
        self.0.help = Some(help.into());
        self
    }

    #[must_use]
    pub(crate) fn original_message(mut self, words: impl Into<String>) -> Error {
        self.0.original_message = Some(words.into());
        self
    }

    /// Adds `before` to the record number. Used for an error in a part of a file.
    #[must_use]
    pub(crate) fn renumbered(mut self, before: u64) -> Error {
        self.record = self.record.map(|record| record + before);
        self
    }

    #[must_use]
    pub(crate) fn at(mut self, record: Option<u64>, offset: u64) -> Error {
        self.record = record;
        self.offset = Some(offset);
        self
    }
}

fn shown(message: &str) -> String {
    match message.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => visible::text(&message[..end]) + "...",
        None => visible::text(message),
    }
}

/// A deviation that the reader tolerates and counts. QEMU's readers accept these silently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Anomaly {
    /// A v4 record type other than 0 and 1, read as an event.
    RecordType,
    /// A record longer than its arguments.
    Surplus,
    /// A record with fewer arguments than declared, but with a matching argument count (2011 RFC).
    Missing,
    /// An unexpected version field in the header (2011 RFC).
    VersionField,
    /// A length field that does not match the declared arguments.
    Length,
    /// A record whose last string is truncated.
    CutString,
    /// A truncated record at the end of the file. The reader returns the part that exists.
    CutRecord,
    /// A truncated mapping record at the end of the file.
    CutMapping,
    /// A truncated block at the end of a compact trace.
    CutBlock,
    /// A truncated file of a folder. The reader continues with the next file.
    CutFile,
    /// Files that are missing between those of a folder.
    MissingFiles,
    /// Bytes at the end of the file that are too few for a record.
    Remainder,
    /// An impossible count in a dropped record. The counter of v0 can wrap below zero.
    DroppedCount,
    /// Declarations in the file that differ from the user's.
    Declarations,
    /// An event that is not declared in the file, although others are.
    Undeclared,
    /// Bytes that are not records, skipped at the user's request.
    Damage,
    /// Invalid metadata, or an event name that is not UTF-8.
    Metadata,
    /// An id that has neither a preceding mapping record nor a position in the declarations. The
    /// reader stops at this and the following kinds of anomalies, while a summary continues.
    UnknownId,
    /// A record whose arguments do not match its declaration.
    ArgumentMismatch,
    /// A mapping record with an invalid name.
    Mapping,
    /// A record longer than writers produce.
    Oversized,
    /// A thread's totals that do not match the records in the trace.
    Total,
}

impl Anomaly {
    /// Returns the name of the anomaly in reports.
    pub fn name(self) -> &'static str {
        match self {
            Anomaly::RecordType => "unknown-record-type",
            Anomaly::Surplus => "surplus-bytes",
            Anomaly::Missing => "missing-arguments",
            Anomaly::VersionField => "version-field",
            Anomaly::Length => "wrong-length",
            Anomaly::CutString => "cut-string",
            Anomaly::CutRecord => "cut-record",
            Anomaly::CutMapping => "cut-mapping",
            Anomaly::CutBlock => "cut-block",
            Anomaly::CutFile => "cut-file",
            Anomaly::MissingFiles => "missing-files",
            Anomaly::Remainder => "remainder",
            Anomaly::DroppedCount => "impossible-dropped-count",
            Anomaly::Declarations => "declarations-differ",
            Anomaly::Undeclared => "undeclared-event",
            Anomaly::Damage => "damage",
            Anomaly::Metadata => "metadata",
            Anomaly::UnknownId => "unknown-id",
            Anomaly::ArgumentMismatch => "arguments-do-not-fit",
            Anomaly::Mapping => "mapping-name",
            Anomaly::Oversized => "oversized-record",
            Anomaly::Total => "totals",
        }
    }

    /// Returns whether the anomaly indicates damage. Other anomalies occur in intact files.
    pub fn is_damage(self) -> bool {
        !matches!(self, Anomaly::DroppedCount | Anomaly::Declarations | Anomaly::VersionField)
    }
}

/// The maximum number of errors that are stored for each kind of anomaly. Further ones are only
/// counted.
pub const KEPT_PER_ANOMALY: usize = 3;

/// The anomalies of a file: for each kind, their number and the first few errors.
#[derive(Debug, Clone, Default)]
pub struct Anomalies {
    kinds: Vec<(Anomaly, u64, Vec<Error>)>,
}

impl Anomalies {
    /// Counts an anomaly. `error` is called only if its result is stored.
    pub(crate) fn add(&mut self, anomaly: Anomaly, error: impl FnOnce() -> Error) {
        let found = self.kinds.iter().position(|kind| kind.0 == anomaly).unwrap_or_else(|| {
            self.kinds.push((anomaly, 0, Vec::new()));
            self.kinds.len() - 1
        });
        let kind = &mut self.kinds[found];
        kind.1 += 1;
        if kind.2.len() < KEPT_PER_ANOMALY {
            kind.2.push(error());
        }
    }

    /// Returns each kind with its count and the first few errors, ordered by first occurrence.
    pub fn iter(&self) -> impl Iterator<Item = (Anomaly, u64, &[Error])> {
        self.kinds.iter().map(|(anomaly, count, kept)| (*anomaly, *count, kept.as_slice()))
    }

    /// Returns whether there are anomalies of this kind.
    pub(crate) fn contains(&self, anomaly: Anomaly) -> bool {
        self.kinds.iter().any(|kind| kind.0 == anomaly)
    }

    /// Counts the anomalies of one kind as another.
    pub(crate) fn replace(&mut self, from: Anomaly, to: Anomaly) {
        let moved = self.kinds.extract_if(.., |kind| kind.0 == from);
        let kinds = moved.map(|(_, count, kept)| (to, count, kept)).collect();
        self.append(Anomalies { kinds });
    }

    /// Returns whether there are no anomalies.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Returns the first anomaly.
    pub fn first(&self) -> Option<&Error> {
        self.kinds.first().and_then(|kind| kind.2.first())
    }

    /// Adds `before` to all record numbers.
    #[must_use]
    pub(crate) fn renumbered(mut self, before: u64) -> Anomalies {
        for (_, _, kept) in &mut self.kinds {
            *kept = std::mem::take(kept).into_iter().map(|error| error.renumbered(before)).collect();
        }
        self
    }

    /// Appends the anomalies of a later part of the file.
    pub(crate) fn append(&mut self, other: Anomalies) {
        for (anomaly, count, kept) in other.kinds {
            let unkept = count - kept.len() as u64;
            for error in kept {
                self.add(anomaly, || error);
            }
            if let Some(kind) = self.kinds.iter_mut().find(|kind| kind.0 == anomaly) {
                kind.1 += unkept;
            }
        }
    }
}

/// Returns advice about a defect of a compact trace.
fn block_help(defect: BlockDefect) -> &'static str {
    match defect {
        BlockDefect::Truncated => CUT_FILE_HELP,
        BlockDefect::Damaged => {
            "the rest of the file was not read; --keep-going reads the blocks after the damage"
        }
        BlockDefect::Newer => "read the file with a newer version of ringtrace",
    }
}

// The messages below are common to the reader and the summary.

pub(crate) const CUT_FILE_HELP: &str = "the program may have been killed, or the copy may be incomplete";

/// The begin of all messages about truncated files. See [`Error::is_truncation`].
pub(crate) const TRUNCATED: &str = "the file is truncated";

pub(crate) const CUT_MAPPING: &str = "the file is truncated within a mapping record";

/// The message for a truncated record. `need_bytes` is its size, if known.
pub(crate) fn cut_record(have_bytes: usize, need_bytes: Option<usize>) -> String {
    match need_bytes {
        Some(need) => {
            format!("{TRUNCATED}: this record needs {}, but only {}", bytes(need), remain(have_bytes))
        }
        None if have_bytes == 1 => format!("{TRUNCATED} within this record: only 1 byte remains"),
        None => format!("{TRUNCATED} within this record: only {have_bytes} bytes remain"),
    }
}

pub(crate) fn remainder(have_bytes: usize, need_bytes: usize) -> String {
    let (need, have) = (bytes(need_bytes), remain(have_bytes));
    format!("{TRUNCATED}: a record needs at least {need}, but only {have}")
}

/// `1 byte`, `2 bytes`
pub(crate) fn bytes(number: usize) -> String {
    match number {
        1 => "1 byte".to_owned(),
        number => format!("{number} bytes"),
    }
}

/// `1 remains`, `2 remain`
pub(crate) fn remain(bytes: usize) -> String {
    format!("{bytes} {}", if bytes == 1 { "remains" } else { "remain" })
}

/// The end of a message about an event that is not declared.
pub(crate) fn not_among(declared: usize) -> String {
    match declared {
        1 => "is not the only declared event".to_owned(),
        _ => format!("is not among the {declared} declared events"),
    }
}

pub(crate) fn unknown_record_type(record_type: u64) -> String {
    format!("unknown record type {record_type}; the record is read as an event")
}

pub(crate) fn oversized_record(bytes: Option<usize>) -> String {
    match bytes {
        Some(bytes) => {
            format!("the record has {bytes} bytes ({bytes:#x}), which is more than any writer produces")
        }
        None => "the record is longer than any writer produces".to_owned(),
    }
}

/// Returns the message of an I/O error without the error number that the standard library appends.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// Returns the guard of a lock, even if a thread panicked while holding the lock. No code in this
/// crate leaves the data of a lock inconsistent.
pub(crate) fn unpoisoned<T>(result: LockResult<T>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}
