//! Writes v4 traces as compact traces.

use ringtrace_wire::compact::BlockEncoder;

use super::TraceWriter;

/// Encodes the output of a [`TraceWriter`], which must write little-endian v4, as a compact trace.
#[derive(Debug, Default)]
pub struct CompactWriter {
    encoder: BlockEncoder,
}

impl CompactWriter {
    /// Adds `records`, which `writer` has written. Appends complete blocks to `out`.
    pub fn write(&mut self, records: &[u8], writer: &TraceWriter, out: &mut Vec<u8>) {
        let pushed = self.encoder.push(records, |id| writer.kinds(id), out);
        // No record is larger than `MAX_RECORD_BYTES`, and a block may be larger than that.
        debug_assert_eq!(pushed, Ok(()), "a writer writes whole records");
    }

    /// Appends the incomplete block to `out`, if there is one.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.encoder.finish(out);
    }
}
