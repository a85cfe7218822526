//! Copies traces that need no conversion.

use ringtrace_wire::ByteOrder;
use ringtrace_wire::simpletrace::Version;

use super::CompactWriter;
use crate::error::Error;
use crate::metadata::Metadata;
use crate::read::Reader;

/// Returns whether a [`TraceWriter`] for little-endian v4 could have written the trace, which
/// `reader` has read completely: it is one file, self-describing, not being written, and has no anomalies.
///
/// [`TraceWriter`]: super::TraceWriter
pub fn is_canonical(reader: &Reader) -> bool {
    (reader.version(), reader.order()) == (Version::V4, ByteOrder::Little)
        && reader.header().is_some()
        && reader.is_rereadable()
        && reader.files().is_none()
        && !reader.is_live()
        && reader.anomalies().iter().next().is_none()
        && reader.metadata().iter().any(|metadata| matches!(metadata, Metadata::Version(_)))
}

/// Passes all bytes of the v4 trace that `reader` has read to `write`. If `compact` is set, passes
/// those of a compact trace with the same contents instead. Stops when `write` returns an error.
///
/// # Errors
/// The outer error means that the trace can no longer be read. The inner error is that of `write`.
pub fn copy<E>(
    reader: &Reader,
    compact: Option<&mut CompactWriter>,
    mut write: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<Result<(), E>, Error> {
    let failed = |error| Error::io(reader.file(), &error);
    let gone = || failed(std::io::ErrorKind::NotFound.into());
    let mut input = reader.input.again(0).ok_or_else(gone)?;
    let mut compact = compact;
    let (mut rest, mut blocks) = (Vec::new(), Vec::new());
    while input.grow(1).map_err(failed)? {
        let window = input.window();
        let written = match &mut compact {
            None => write(window),
            Some(compact) => {
                rest.extend_from_slice(window);
                let end = compact.write_all(&rest, |id| reader.kinds(id), &mut blocks);
                rest.drain(..end);
                write(&blocks)
            }
        };
        if written.is_err() {
            return Ok(written);
        }
        blocks.clear();
        let size = window.len();
        input.consume(size);
    }
    let Some(compact) = compact else { return Ok(Ok(())) };
    compact.finish(&mut blocks);
    Ok(write(&blocks))
}
