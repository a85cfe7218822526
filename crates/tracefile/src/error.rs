//! What is wrong with a trace: where, what was expected, what was found, what to do.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{LockResult, PoisonError};

use ringtrace_events::message::visible;

/// Longer messages are cut: a name that they quote can have a megabyte.
const MESSAGE_CHARS: usize = 400;

/// One problem of a trace file. It is a word large, so that results that hardly ever hold one stay small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<ErrorDetails>);

/// What a [`Error`] says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorDetails {
    /// The file, as the user named it.
    pub file: String,
    /// Number of the record, from 1 (mapping records are not counted); `None` before the first.
    pub record: Option<u64>,
    /// Bytes from the start of the file.
    pub offset: Option<u64>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    kind: ErrorKind,
    /// What QEMU's newest reader says instead, where it says anything but a traceback.
    pub original_message: Option<String>,
}

/// What is at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The file, the declarations or the options.
    Data,
    /// The system refused.
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
        write!(f, "{}: ", self.file)?;
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
    /// A problem of the whole file. What the message quotes of it may be anything, and is made harmless.
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

    /// Whether the data or the system is at fault.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// All that it says.
    pub fn into_details(self) -> ErrorDetails {
        *self.0
    }

    /// The system refused.
    pub fn io(file: impl Into<String>, error: &std::io::Error) -> Error {
        Error::new(file, reason(error)).by_system()
    }

    /// The same, as something that the system refused.
    #[must_use]
    pub(crate) fn by_system(mut self) -> Error {
        self.kind = ErrorKind::System;
        self
    }

    /// The same, with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Error {
        self.0.help = Some(help.into());
        self
    }

    /// The same, for which QEMU's newest reader has words of its own.
    #[must_use]
    pub(crate) fn original_message(mut self, words: impl Into<String>) -> Error {
        self.0.original_message = Some(words.into());
        self
    }

    /// The same, when `before` more records come before it than it knew of.
    #[must_use]
    pub(crate) fn renumbered(mut self, before: u64) -> Error {
        self.record = self.record.map(|record| record + before);
        self
    }

    /// The same, at a place.
    #[must_use]
    pub(crate) fn at(mut self, record: Option<u64>, offset: u64) -> Error {
        self.record = record;
        self.offset = Some(offset);
        self
    }
}

/// `message` as people can be shown it.
fn shown(message: &str) -> String {
    match message.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => visible::text(&message[..end]) + "...",
        None => visible::text(message),
    }
}

/// What a reader tolerated, as the original would have, but in silence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Anomaly {
    /// A v4 record type that is neither 0 nor 1, taken for an event.
    RecordType,
    /// A record is longer than its arguments.
    Surplus,
    /// A record has fewer arguments than declared, and says so (2011 RFC).
    Missing,
    /// The header's version field is none that a text gives (2011 RFC).
    VersionField,
    /// A record's length field does not say where its arguments end.
    Length,
    /// The last string of a record is longer than the record.
    CutString,
    /// The file ends within a record that can still be shown.
    CutRecord,
    /// The file ends within a mapping record.
    CutMapping,
    /// The last bytes of the file are less than a record.
    Remainder,
    /// A dropped record's count that cannot be true (v0's counter ran below zero).
    DroppedCount,
    /// Declarations that came with the file differ from those the user gave.
    Declarations,
    /// Bytes that are no records, stepped over because the user said so.
    Damage,
    /// A mapping's name or a piece of metadata that cannot be understood.
    Metadata,
    /// An id that has no mapping before it, or no place among the declarations. Only a walk goes on after it, as
    /// after those below.
    UnknownId,
    /// The arguments of a record are not those of its declaration.
    ArgumentMismatch,
    /// A mapping record whose name cannot be one.
    Mapping,
    /// A record longer than any writer makes.
    Oversized,
    /// What the program says that a thread recorded and lost is not what the trace holds.
    Total,
}

impl Anomaly {
    /// One word for it, for reports that count them.
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
            Anomaly::Remainder => "remainder",
            Anomaly::DroppedCount => "impossible-dropped-count",
            Anomaly::Declarations => "declarations-differ",
            Anomaly::Damage => "damage",
            Anomaly::Metadata => "metadata",
            Anomaly::UnknownId => "unknown-id",
            Anomaly::ArgumentMismatch => "arguments-do-not-fit",
            Anomaly::Mapping => "mapping-name",
            Anomaly::Oversized => "oversized-record",
            Anomaly::Total => "totals",
        }
    }

    /// Whether the file is damaged then. The others are what a writer did in a sound file.
    pub fn is_damage(self) -> bool {
        !matches!(self, Anomaly::DroppedCount | Anomaly::Declarations | Anomaly::VersionField)
    }
}

/// How many anomalies of a kind are kept in full; of the others only the number is known.
pub const KEPT_PER_ANOMALY: usize = 3;

/// The anomalies of a file: the first few of each kind, and how many there were.
#[derive(Debug, Clone, Default)]
pub struct Anomalies {
    kinds: Vec<(Anomaly, u64, Vec<Error>)>,
}

impl Anomalies {
    /// Adds one; `error` is made only when it will be kept.
    pub(crate) fn add(&mut self, anomaly: Anomaly, error: impl FnOnce() -> Error) {
        let kind = match self.kinds.iter().position(|kind| kind.0 == anomaly) {
            Some(found) => &mut self.kinds[found],
            None => {
                self.kinds.push((anomaly, 0, Vec::new()));
                let last = self.kinds.len() - 1;
                &mut self.kinds[last]
            }
        };
        kind.1 += 1;
        if kind.2.len() < KEPT_PER_ANOMALY {
            kind.2.push(error());
        }
    }

    /// Each kind, in order of its first appearance: how often, and the first few.
    pub fn iter(&self) -> impl Iterator<Item = (Anomaly, u64, &[Error])> {
        self.kinds.iter().map(|(anomaly, count, kept)| (*anomaly, *count, kept.as_slice()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The first one.
    pub fn first(&self) -> Option<&Error> {
        self.kinds.first().and_then(|kind| kind.2.first())
    }

    /// The same, when `before` more records come before them than they knew of.
    #[must_use]
    pub(crate) fn renumbered(mut self, before: u64) -> Anomalies {
        for (_, _, kept) in &mut self.kinds {
            *kept = std::mem::take(kept).into_iter().map(|error| error.renumbered(before)).collect();
        }
        self
    }

    /// Takes over those of another, that come after.
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

// What both the reader, which must understand all, and the walk, which goes on, find.

/// Advice for a file that ends within a record.
pub(crate) const CUT_FILE_HELP: &str =
    "the file is cut: the program may have been killed, or a copy ended early";

pub(crate) const CUT_MAPPING: &str = "the file ends within a mapping record";

pub(crate) fn cut_record(have_bytes: usize) -> String {
    format!("the file ends within this record, of which {have_bytes} bytes are there")
}

pub(crate) fn remainder(have_bytes: usize, need_bytes: usize) -> String {
    format!("the last {have_bytes} bytes are less than a record, which has {need_bytes}")
}

pub(crate) fn unknown_record_type(record_type: u64) -> String {
    format!("record type {record_type} is none: taken for an event")
}

pub(crate) fn oversized_record(bytes: Option<usize>) -> String {
    match bytes {
        Some(bytes) => format!("a record of {bytes} bytes ({bytes:#x}): no writer makes such"),
        None => "a record that is longer than any writer makes".to_owned(),
    }
}

/// What the system says, without the number that the standard library adds.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// What a lock guards, also after a thread panicked while it held it: no code of this crate leaves it half-written.
pub(crate) fn unpoisoned<T>(result: LockResult<T>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}
