//! The trace, mapped with all its pages present: as cheap as a file's bytes come.

#![expect(unsafe_code, reason = "maps the file")]

use std::fs::File;

use memmap2::{Mmap, MmapOptions};

pub fn file(name: &str) -> Result<Mmap, String> {
    let file = File::open(name).map_err(|error| format!("{name}: {error}"))?;
    // SAFETY: nobody cuts or writes the file meanwhile: whoever runs this made it for the purpose. (If they did,
    // every read here would still be within the mapping.)
    unsafe { MmapOptions::new().populate().map(&file) }.map_err(|error| format!("{name}: {error}"))
}
