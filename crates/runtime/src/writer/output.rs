//! The data to be appended to the trace file.

use ringtrace_wire::compact::{BlockDecoder, BlockEncoder, BlockHeader};

use super::preamble::Preamble;
use crate::options::FileFormat;

/// Data that was gathered but is not in the file yet.
#[derive(Debug)]
pub(super) struct Output {
    /// v4 data. With the compact format, it follows the data in `compact`.
    pub(super) v4: Vec<u8>,
    pub(super) compact: Option<Compact>,
}

#[derive(Debug, Default)]
pub(super) struct Compact {
    encoder: BlockEncoder,
    /// Finished blocks.
    blocks: Vec<u8>,
    /// The size of the v4 data in `blocks`.
    expanded_bytes: usize,
}

impl Output {
    pub(super) fn new(format: FileFormat) -> Output {
        let compact = match format {
            FileFormat::V4 => None,
            FileFormat::Compact => Some(Compact::default()),
        };
        Output { v4: Vec::new(), compact }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes() == 0
    }

    /// Returns the size of the data as v4.
    pub(super) fn bytes(&self) -> usize {
        self.v4.len() + self.compact.as_ref().map_or(0, |compact| compact.expanded_bytes)
    }

    /// Returns the data in the file's format. If more data is added, later results start with the
    /// same bytes.
    pub(super) fn encode(&mut self, preamble: &Preamble) -> &[u8] {
        let Some(compact) = &mut self.compact else { return &self.v4 };
        compact.push(&self.v4, preamble);
        self.v4.clear();
        &compact.blocks
    }

    /// Removes the data, because it is in the file.
    pub(super) fn clear(&mut self) {
        self.v4.clear();
        clear(&mut self.compact);
    }

    /// Returns the data as v4 and removes it. What is added next is at the start of a file.
    pub(super) fn restart(&mut self) -> Vec<u8> {
        let rest = std::mem::take(&mut self.v4);
        let Some(compact) = &mut self.compact else { return rest };
        [std::mem::take(compact).decode(), rest].concat()
    }
}

/// Returns the data in `compact` followed by `v4`, in the file's format.
pub(super) fn encode<'o>(v4: &'o [u8], compact: &'o mut Option<Compact>, preamble: &Preamble) -> &'o [u8] {
    let Some(compact) = compact else { return v4 };
    compact.push(v4, preamble);
    &compact.blocks
}

/// Removes the data in `compact`, because it is in the file.
pub(super) fn clear(compact: &mut Option<Compact>) {
    if let Some(compact) = compact {
        compact.blocks.clear();
        compact.expanded_bytes = 0;
    }
}

impl Compact {
    /// Appends v4 data in blocks of its own.
    fn push(&mut self, v4: &[u8], preamble: &Preamble) {
        let pushed = self.encoder.push(v4, |id| preamble.arguments(id as u32), &mut self.blocks);
        // Everything in `v4` was written by this crate.
        debug_assert_eq!(pushed, Ok(()));
        self.encoder.finish(&mut self.blocks);
        self.expanded_bytes += v4.len();
    }

    /// Returns the v4 data in the blocks.
    fn decode(self) -> Vec<u8> {
        let (mut v4, mut rest) = (Vec::new(), &*self.blocks);
        let mut decoder = BlockDecoder::default();
        while let Ok(header) = BlockHeader::parse(rest)
            && let Some((block, after)) = rest.split_at_checked(header.block_bytes())
            && let Some(body) = header.body(block)
        {
            let decoded = decoder.decode(&header, body).map(|records| v4.extend_from_slice(records));
            debug_assert_eq!(decoded, Ok(()));
            rest = after;
        }
        v4
    }
}
