//! The trace file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
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
        match wanted {
            Some(path) => {
                let file = options().create(true).truncate(true).open(path);
                let file = file.map_err(|error| StartError::File(path.to_path_buf(), error))?;
                Ok(Sink { path: absolute(path), file, bytes: 0 })
            }
            None => Sink::create_new(&PathBuf::from(format!("trace-{pid}"))),
        }
    }

    /// Makes the file of process `pid`, which was forked from one that records into `parent`: `PARENT.PID` beside
    /// one that the user named, else `trace-PID` in its folder. A device serves both.
    pub(crate) fn create_beside(parent: &Path, is_named: bool, pid: u32) -> Result<Sink, StartError> {
        if !is_named {
            return Sink::create_new(&parent.with_file_name(format!("trace-{pid}")));
        }
        let kind = std::fs::metadata(parent).map(|found| found.file_type());
        match kind {
            Ok(kind) if kind.is_char_device() => Sink::create(Some(parent), pid),
            Ok(kind) if !kind.is_file() => {
                let why = "its parent's trace goes to a pipe or socket, which cannot take two";
                Err(StartError::File(parent.to_path_buf(), io::Error::other(why)))
            }
            _ => Sink::create_new(&with_suffix(parent, pid)),
        }
    }

    /// Makes a file that is not there yet: `path`, else `path.1`, and so on.
    fn create_new(path: &Path) -> Result<Sink, StartError> {
        let mut candidate = path.to_path_buf();
        let mut number = 0;
        loop {
            match options().create_new(true).open(&candidate) {
                Ok(file) => return Ok(Sink { path: absolute(&candidate), file, bytes: 0 }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => {}
                Err(error) => return Err(StartError::File(candidate, error)),
            }
            number += 1;
            candidate = with_suffix(path, number);
        }
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

/// For its owner only. The standard library closes it in programs that take over by `exec`.
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

fn with_suffix(path: &Path, number: u32) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(format!(".{number}"));
    path.into()
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
