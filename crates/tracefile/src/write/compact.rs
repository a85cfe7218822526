//! Writes v4 traces as compact traces.

use ringtrace_wire::compact::{BlockEncoder, NotRecords};
use ringtrace_wire::simpletrace::ArgumentKind;

use super::TraceWriter;

/// Encodes the output of a [`TraceWriter`], which must write little-endian v4, as a compact trace.
#[derive(Debug, Default)]
pub struct CompactWriter {
    encoder: BlockEncoder,
}

impl CompactWriter {
    /// Creates a writer that compresses blocks with zstd. Returns `None` if
    /// [`CAN_COMPRESS`](ringtrace_wire::compact::CAN_COMPRESS) is false, or if there is not enough memory.
    pub fn compressed() -> Option<CompactWriter> {
        BlockEncoder::compressed().map(|encoder| CompactWriter { encoder })
    }

    /// Adds `records`, which `writer` has written. Appends complete blocks to `out`.
    pub fn write(&mut self, records: &[u8], writer: &TraceWriter, out: &mut Vec<u8>) {
        let end = self.write_all(records, |id| writer.kinds(id), out);
        // No record is larger than `MAX_RECORD_BYTES`, and blocks may be larger than that.
        debug_assert_eq!(end, records.len(), "a writer writes whole records");
    }

    /// Adds the complete records at the start of `bytes`, and returns their size. `kinds` returns the
    /// arguments of event ids.
    pub(super) fn write_all<'k>(
        &mut self,
        bytes: &[u8],
        kinds: impl Fn(u64) -> Option<&'k [ArgumentKind]>,
        out: &mut Vec<u8>,
    ) -> usize {
        match self.encoder.push(bytes, kinds, out) {
            Ok(()) => bytes.len(),
            Err(NotRecords { at }) => at,
        }
    }

    /// Appends the incomplete block to `out`, if there is one.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.encoder.finish(out);
    }
}
