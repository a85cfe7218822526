//! Temporary files for entries that do not fit into memory. The files have no name, so they vanish
//! with the process.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use super::Limits;
use crate::error::Error;
use crate::input::temporary_file_error;
use crate::read::located::{Located, Marks};

const ENTRY_BYTES: usize = 48;

const WRITE_BYTES: usize = 256 << 10;

/// A temporary file of sorted runs, created with the first run.
#[derive(Debug)]
pub(super) struct Spool {
    pub(super) limits: Limits,
    folder: PathBuf,
    file: Option<File>,
    end: u64,
}

/// The part of a sorted run in the spool that was not read yet.
#[derive(Debug)]
pub(super) struct SpooledRun {
    at: u64,
    end: u64,
    /// The number of times that the run's entries were joined with other runs.
    pub(super) level: u32,
}

#[derive(Debug)]
pub(super) struct RunWriter {
    start: u64,
    level: u32,
    buffer: Vec<u8>,
}

impl Spool {
    #[expect(clippy::disallowed_methods, reason = "temporary files are in the system's folder for them")]
    pub(super) fn new(limits: Limits) -> Spool {
        Spool { limits, folder: std::env::temp_dir(), file: None, end: 0 }
    }

    pub(super) fn error(&self, file: &str, error: &io::Error) -> Error {
        temporary_file_error(file, &self.folder, error)
    }

    pub(super) fn begin(&self, level: u32) -> RunWriter {
        RunWriter { start: self.end, level, buffer: Vec::with_capacity(WRITE_BYTES + ENTRY_BYTES) }
    }

    pub(super) fn push(&mut self, writing: &mut RunWriter, entry: &Located) -> io::Result<()> {
        writing.buffer.extend_from_slice(&encode(entry));
        if writing.buffer.len() < WRITE_BYTES { Ok(()) } else { self.flush(writing) }
    }

    pub(super) fn finish(&mut self, mut writing: RunWriter) -> io::Result<SpooledRun> {
        self.flush(&mut writing)?;
        Ok(SpooledRun { at: writing.start, end: self.end, level: writing.level })
    }

    fn flush(&mut self, writing: &mut RunWriter) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            vacant => vacant.insert(tempfile::tempfile_in(&self.folder)?),
        };
        file.write_all_at(&writing.buffer, self.end)?;
        self.end += writing.buffer.len() as u64;
        writing.buffer.clear();
        Ok(())
    }

    /// Appends the next entries of `run` to `entries`, or none at its end.
    pub(super) fn read(&self, run: &mut SpooledRun, entries: &mut Vec<Located>) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let left = usize::try_from(run.end - run.at).unwrap_or(usize::MAX);
        let mut bytes = vec![0; left.min(self.limits.read_entries.max(1) * ENTRY_BYTES)];
        file.read_exact_at(&mut bytes, run.at)?;
        run.at += bytes.len() as u64;
        entries.extend(bytes.as_chunks().0.iter().map(decode));
        Ok(())
    }
}

fn encode(entry: &Located) -> [u8; ENTRY_BYTES] {
    let mut bytes = [0; ENTRY_BYTES];
    let words = [entry.number, entry.offset, entry.timestamp_ns, entry.id];
    for (field, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *field = word.to_ne_bytes();
    }
    let halves = [entry.pid, entry.schema_index, entry.payload_bytes];
    for (field, half) in bytes[32..].as_chunks_mut().0.iter_mut().zip(halves) {
        *field = half.to_ne_bytes();
    }
    bytes[44] = entry.header_bytes;
    bytes[45] = entry.marks.0;
    bytes[46..].copy_from_slice(&entry.context_bytes.to_ne_bytes());
    bytes
}

#[expect(clippy::disallowed_methods, reason = "entries of a temporary file that only this process reads")]
fn decode(bytes: &[u8; ENTRY_BYTES]) -> Located {
    let word = |at: usize| bytes[at..].first_chunk().map_or(0, |field| u64::from_ne_bytes(*field));
    let half = |at: usize| bytes[at..].first_chunk().map_or(0, |field| u32::from_ne_bytes(*field));
    Located {
        number: word(0),
        offset: word(8),
        timestamp_ns: word(16),
        id: word(24),
        pid: half(32),
        schema_index: half(36),
        payload_bytes: half(40),
        header_bytes: bytes[44],
        marks: Marks(bytes[45]),
        context_bytes: u16::from_ne_bytes([bytes[46], bytes[47]]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_the_file() {
        let entry = Located {
            number: u64::MAX - 1,
            offset: 2,
            timestamp_ns: u64::MAX - 3,
            id: 4 << 32,
            pid: u32::MAX - 5,
            schema_index: 6,
            payload_bytes: 7 << 16,
            header_bytes: 8,
            marks: Marks(15),
            context_bytes: 0x1234,
        };
        assert_eq!(decode(&encode(&entry)), entry);
    }
}
