//! Text in exports.

use std::fs::File;
use std::io::{self, Write};

pub use ringtrace_tracefile::columns::{utf8, utf8_without_zeros};
use ringtrace_tracefile::parallel::{self, Pieces};
use ringtrace_tracefile::text::Render;
use ringtrace_tracefile::{Filter, Reader};

/// Writes the lines of the rest of `reader` to `file`, for [`Exporter::pieces`](crate::Exporter::pieces).
pub(crate) fn write_pieces(
    reader: &mut Reader,
    filter: &Filter,
    text: &mut (impl Render + Clone + Send),
    threads: usize,
    file: &mut File,
) -> io::Result<Pieces> {
    parallel::render(reader, filter, text, threads, |bytes| file.write_all(bytes))
}

/// Appends `bytes` for readers of zero-terminated strings. Zero bytes become C0 80, as in Java.
/// These bytes are never part of valid UTF-8.
pub(crate) fn push_without_zeros(bytes: &[u8], out: &mut Vec<u8>) {
    let mut parts = bytes.split(|byte| *byte == 0);
    out.extend_from_slice(parts.next().unwrap_or_default());
    for part in parts {
        out.extend_from_slice(b"\xc0\x80");
        out.extend_from_slice(part);
    }
}
