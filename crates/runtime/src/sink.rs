//! The trace file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::session::StartError;

/// A file that records are appended to.
#[derive(Debug)]
pub(crate) struct Sink {
    path: PathBuf,
    file: File,
    /// How many bytes are whole.
    bytes: u64,
}

impl Sink {
    /// Makes the file: one that the user named is truncated, the default one is a new one.
    pub(crate) fn create(wanted: Option<&Path>, pid: u32) -> Result<Sink, StartError> {
        let mut options = OpenOptions::new();
        options.write(true).mode(0o600);
        if let Some(path) = wanted {
            let file = options.create(true).truncate(true).open(path);
            let file = file.map_err(|error| StartError::File(path.to_path_buf(), error))?;
            return Ok(Sink { path: absolute(path), file, bytes: 0 });
        }
        options.create_new(true);
        for number in 0.. {
            let path = PathBuf::from(if number == 0 {
                format!("trace-{pid}")
            } else {
                format!("trace-{pid}.{number}")
            });
            match options.open(&path) {
                Ok(file) => return Ok(Sink { path: absolute(&path), file, bytes: 0 }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => {}
                Err(error) => return Err(StartError::File(path, error)),
            }
        }
        unreachable!("the loop ends by returning")
    }

    /// The file's path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes are whole.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Appends all of `bytes`, or nothing that counts.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
