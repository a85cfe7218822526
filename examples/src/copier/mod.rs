//! Copies a file in blocks, with several threads, and records each step.
//!
//! Each thread takes the next block, reads it and writes it. The file `trace-events` declares the
//! events of these steps, from `blk_begin` to `blk_end`.

pub mod program;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

ringtrace::include_trace!("copier");

/// A file to copy, and options.
#[derive(Debug, Clone)]
pub struct Job {
    /// The file to copy.
    pub source: PathBuf,
    /// The new file. An existing file is overwritten.
    pub target: PathBuf,
    /// Number of threads.
    pub threads: u32,
    /// Size of a block.
    pub block_bytes: usize,
}

/// The result of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// Number of bytes.
    pub bytes: u64,
    /// Number of blocks.
    pub blocks: u64,
}

/// State that the threads share.
struct Copy<'j> {
    job: &'j Job,
    source: File,
    target: File,
    bytes: u64,
    next_block: AtomicU64,
    failed: AtomicBool,
}

impl Job {
    /// Returns a job with four threads and blocks of 64 KiB.
    pub fn new(source: &Path, target: &Path) -> Job {
        Job { source: source.to_owned(), target: target.to_owned(), threads: 4, block_bytes: 64 << 10 }
    }

    /// Copies the file.
    ///
    /// # Errors
    /// Fails if a file cannot be read or written. The target is then incomplete.
    pub fn run(&self) -> io::Result<Done> {
        let source = File::open(&self.source).map_err(|error| of(&self.source, &error))?;
        let bytes = source.metadata().map_err(|error| of(&self.source, &error))?.len();
        let target = File::create(&self.target).map_err(|error| of(&self.target, &error))?;
        target.set_len(bytes).map_err(|error| of(&self.target, &error))?;
        trace::copy_begin!(&self.source, &self.target, bytes, self.threads, self.block_bytes);
        let (next_block, failed) = (AtomicU64::new(0), AtomicBool::new(false));
        let copy = Copy { job: self, source, target, bytes, next_block, failed };
        let blocks = thread::scope(|scope| {
            let copy = &copy;
            let spawn = |worker| {
                let name = format!("copier-{worker}");
                thread::Builder::new().name(name).spawn_scoped(scope, move || copy.work(worker))
            };
            let workers: io::Result<Vec<_>> = (0..self.threads.max(1)).map(spawn).collect();
            let done = workers?.into_iter().map(|worker| worker.join().unwrap_or(Ok(0)));
            done.sum::<io::Result<u64>>()
        })?;
        trace::copy_end(bytes, blocks);
        Ok(Done { bytes, blocks })
    }
}

impl Copy<'_> {
    /// Copies blocks in one thread, up to the end of the file. Returns the number of blocks.
    fn work(&self, worker: u32) -> io::Result<u64> {
        let mut span = trace::span!(worker_begin(worker) => worker_end(worker, 0));
        let mut buffer = vec![0; self.job.block_bytes];
        let mut blocks = 0;
        while !self.failed.load(Ordering::Relaxed) {
            let req = self.next_block.fetch_add(1, Ordering::Relaxed);
            let offset = req * self.job.block_bytes as u64;
            if offset >= self.bytes {
                break;
            }
            let length = (self.bytes - offset).min(self.job.block_bytes as u64) as usize;
            self.copy(req, offset, &mut buffer[..length])
                .inspect_err(|_| self.failed.store(true, Ordering::Relaxed))?;
            blocks += 1;
            span.set(|end| end.blocks = blocks);
        }
        Ok(blocks)
    }

    /// Copies one block.
    fn copy(&self, req: u64, offset: u64, block: &mut [u8]) -> io::Result<()> {
        let _block = trace::span!(blk_begin(req, offset, block.len()) => blk_end(req));
        let failed = |what: &str, file: &Path, error: io::Error| {
            trace::blk_failed(req, what, error.raw_os_error().unwrap_or(0));
            of(file, &error)
        };
        let (source, target) = (&self.job.source, &self.job.target);
        self.source.read_exact_at(block, offset).map_err(|error| failed("read", source, error))?;
        trace::blk_read(req, block.len() as isize);
        self.target.write_all_at(block, offset).map_err(|error| failed("write", target, error))?;
        trace::blk_write(req, block.len() as isize);
        Ok(())
    }
}

/// Adds the name of the file to an error, and removes the error number.
fn of(file: &Path, error: &io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split(" (os error ").next().unwrap_or_default();
    io::Error::new(error.kind(), format!("{}: {reason}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_file() {
        let error = Job::new(Path::new("/nowhere/from"), Path::new("/nowhere/to")).run().unwrap_err();
        assert!(error.to_string().starts_with("/nowhere/from: "), "{error}");
    }
}
