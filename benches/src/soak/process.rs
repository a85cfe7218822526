//! What a process uses, read from /proc.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Number of values in a [`Sample`].
pub const VALUES: usize = 7;

/// Names and units of the values, and by how much each may grow. Rings are of a fixed size, but their
/// pages are allocated when they are first used, which a few bursts still do after some minutes.
pub const COLUMNS: [Column; VALUES] = [
    Column { name: "FDS", allowed: 1 },
    Column { name: "MAPPINGS", allowed: 4 },
    Column { name: "THREADS", allowed: 2 },
    Column { name: "PRIVATE KiB", allowed: 512 },
    Column { name: "SHARED KiB", allowed: 4096 },
    Column { name: "ADDRESSES MiB", allowed: 66 },
    Column { name: "RINGS KiB", allowed: 4096 },
];

/// A column of the table.
pub struct Column {
    pub name: &'static str,
    /// The largest growth that is not an error, in the unit of the value.
    pub allowed: u64,
}

/// The values of [`COLUMNS`] at a moment.
pub type Sample = [u64; VALUES];

/// Returns what process `pid` uses. Its rings are in the folder `rings`.
///
/// # Errors
/// Fails if the process has ended.
pub fn sample(pid: u32, rings: &Path) -> io::Result<Sample> {
    let proc = Path::new("/proc").join(pid.to_string());
    let status = fs::read_to_string(proc.join("status"))?;
    let field = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.and_then(|value| value.split_whitespace().next()?.parse().ok()).unwrap_or_default()
    };
    let mut ring_bytes = 0;
    for file in fs::read_dir(rings)? {
        // A file may have been removed meanwhile.
        ring_bytes += file?.metadata().map_or(0, |metadata| metadata.blocks() * 512);
    }
    Ok([
        fs::read_dir(proc.join("fd"))?.count() as u64,
        fs::read_to_string(proc.join("maps"))?.lines().count() as u64,
        field("Threads"),
        field("RssAnon"),
        field("RssShmem"),
        field("VmSize") >> 10,
        ring_bytes >> 10,
    ])
}

/// Returns the median of each column.
pub fn medians(samples: &[Sample]) -> Sample {
    std::array::from_fn(|column| {
        let mut values: Vec<u64> = samples.iter().map(|sample| sample[column]).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or_default()
    })
}
