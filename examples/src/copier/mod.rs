//! Copies a file, block by block, in several threads: a small storage engine, whose events say what it does.
//!
//! Each thread takes the next block that nobody has, reads it and writes it. What a request is, from `blk_begin` to `blk_end`,
//! is in `trace-events` beside this file.

pub mod program;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

ringtrace::include_trace!("copier");

/// What to copy, and how.
#[derive(Debug, Clone)]
pub struct Job {
    /// From where.
    pub source: PathBuf,
    /// To where; what is there is overwritten.
    pub target: PathBuf,
    /// How many threads copy.
    pub threads: u32,
    /// The size of a block, in bytes.
    pub block_bytes: usize,
}

/// What was copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// How many bytes.
    pub bytes: u64,
    /// In how many blocks.
    pub blocks: u64,
}

/// What the threads share.
struct Copy<'j> {
    job: &'j Job,
    source: File,
    target: File,
    bytes: u64,
    next_block: AtomicU64,
    failed: AtomicBool,
}

impl Job {
    /// A job with four threads and blocks of 64 KiB.
    pub fn new(source: &Path, target: &Path) -> Job {
        Job { source: source.to_owned(), target: target.to_owned(), threads: 4, block_bytes: 64 << 10 }
    }

    /// Does it.
    ///
    /// # Errors
    /// What the system said, and of which file; the target is then incomplete.
    pub fn run(&self) -> io::Result<Done> {
        let source = File::open(&self.source).map_err(|error| of(&self.source, &error))?;
        let bytes = source.metadata().map_err(|error| of(&self.source, &error))?.len();
        let target = File::create(&self.target).map_err(|error| of(&self.target, &error))?;
        target.set_len(bytes).map_err(|error| of(&self.target, &error))?;
        trace::copy_begin!(
            &*self.source.to_string_lossy(),
            &*self.target.to_string_lossy(),
            bytes,
            self.threads,
            self.block_bytes
        );
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
    /// What a thread does: blocks, until there are no more. Says how many it copied.
    fn work(&self, worker: u32) -> io::Result<u64> {
        trace::worker_begin(worker);
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
        }
        trace::worker_end(worker, blocks);
        Ok(blocks)
    }

    /// A request.
    fn copy(&self, req: u64, offset: u64, block: &mut [u8]) -> io::Result<()> {
        trace::blk_begin(req, offset, block.len());
        let failed = |what: &str, file: &Path, error: io::Error| {
            trace::blk_failed(req, what, error.raw_os_error().unwrap_or(0));
            of(file, &error)
        };
        let (source, target) = (&self.job.source, &self.job.target);
        self.source.read_exact_at(block, offset).map_err(|error| failed("read", source, error))?;
        trace::blk_read(req, block.len() as isize);
        self.target.write_all_at(block, offset).map_err(|error| failed("write", target, error))?;
        trace::blk_write(req, block.len() as isize);
        trace::blk_end(req);
        Ok(())
    }
}

/// What the system said of a file, with its name.
fn of(file: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_opened_is_named() {
        let error = Job::new(Path::new("/nowhere/from"), Path::new("/nowhere/to")).run().unwrap_err();
        assert!(error.to_string().starts_with("/nowhere/from: "), "{error}");
    }
}
