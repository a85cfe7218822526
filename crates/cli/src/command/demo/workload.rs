//! The traced program: four threads compute the checksums of a file's blocks.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::exit::CliError;
use crate::values::parse_number;

ringtrace::include_trace!("demo");

const THREADS: u32 = 4;
const BLOCK_BYTES: usize = 64 << 10;

/// Writes a file, computes its checksum with tracing enabled, and removes the file. `words` are
/// `--trace OPTION... FILE MEGABYTES`.
pub fn run(words: &[OsString]) -> Result<String, CliError> {
    // A traced program needs only this: parse the options, and hold a guard that finishes the
    // trace when it is dropped.
    let words = [OsString::from("demo")].into_iter().chain(words.iter().cloned());
    let (options, words) =
        ringtrace::Options::from_args(words).map_err(|error| CliError::usage(error.to_string()))?;
    let _tracing = options.start().map_err(|error| CliError::input(error.to_string()))?;

    let [_, path, megabytes] = words.as_slice() else {
        return Err(CliError::usage("expected a file name and a size"));
    };
    let megabytes = parse_number::<u64>(&megabytes.to_string_lossy()).map_err(CliError::usage)?;
    let path = PathBuf::from(path);
    let done = fill(&path, megabytes << 20).and_then(|()| checksum(&path));
    let _ = std::fs::remove_file(&path);
    done.map_err(|error| CliError::system(path.display(), &error))
}

/// Writes a file of `bytes` bytes that are not all zero.
fn fill(path: &Path, bytes: u64) -> io::Result<()> {
    let block: Vec<u8> = (0..1 << 20).map(|at: u32| (at >> 3 ^ at) as u8).collect();
    let mut rest = bytes;
    let mut file = File::create(path)?;
    while rest > 0 {
        rest -= io::copy(&mut block.as_slice().take(rest), &mut file)?;
    }
    Ok(())
}

fn checksum(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    let bytes = file.metadata()?.len();
    trace::run_begin!(&*path.to_string_lossy(), bytes, THREADS);
    let next_block = AtomicU64::new(0);
    let checksum = thread::scope(|scope| {
        let spawn = |worker| {
            let (file, next_block) = (&file, &next_block);
            let work = move || work(worker, file, bytes, next_block);
            thread::Builder::new().name(format!("worker-{worker}")).spawn_scoped(scope, work)
        };
        let workers = (0..THREADS).map(spawn).collect::<io::Result<Vec<_>>>()?;
        let sums = workers.into_iter().map(|worker| worker.join().unwrap_or(Ok(0)));
        sums.into_iter().try_fold(0, |all, sum| sum.map(|sum| all ^ sum))
    })?;
    let blocks = bytes.div_ceil(BLOCK_BYTES as u64);
    trace::run_end(blocks, checksum);
    Ok(format!("{bytes} bytes in {blocks} blocks, checksum {checksum:x}\n"))
}

/// Processes blocks until none remain. Returns the exclusive or of their checksums.
fn work(worker: u32, file: &File, bytes: u64, next_block: &AtomicU64) -> io::Result<u64> {
    trace::worker_begin(worker);
    let mut buffer = vec![0; BLOCK_BYTES];
    let (mut sum, mut blocks) = (0, 0);
    loop {
        let block = next_block.fetch_add(1, Ordering::Relaxed);
        let offset = block * BLOCK_BYTES as u64;
        if offset >= bytes {
            break;
        }
        let len = (bytes - offset).min(BLOCK_BYTES as u64) as usize;
        trace::block_begin(block, offset, len);
        file.read_exact_at(&mut buffer[..len], offset)
            .inspect_err(|error| trace::block_failed(block, error.raw_os_error().unwrap_or(0)))?;
        trace::block_read(block, len as isize);
        let checksum = fnv(block, &buffer[..len]);
        trace::block_end(block, checksum);
        sum ^= checksum;
        blocks += 1;
    }
    trace::worker_end(worker, blocks);
    Ok(sum)
}

/// Returns the FNV-1a hash of block number `block`.
fn fnv(block: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325 ^ block, step)
}
