//! Maps a trace with all pages present: the cheapest way to read a file.

#![expect(unsafe_code, reason = "maps the file")]

use std::fs::File;

use memmap2::{Mmap, MmapOptions};

pub fn file(name: &str) -> Result<Mmap, String> {
    let file = File::open(name).map_err(|error| format!("{name}: {error}"))?;
    // SAFETY: the benchmark created the file and does not change it. If another program writes to
    // it, every read is still within the mapping.
    unsafe { MmapOptions::new().populate().map(&file) }.map_err(|error| format!("{name}: {error}"))
}
