//! Copies of the declarations in blocks, for readers that find these blocks damaged.

use std::collections::VecDeque;

use super::RAW;
use super::header::BlockHeader;
use super::zstd::Compressor;

/// The number of bytes before v4 data that is stored as it is.
const RAW_START: usize = 5;

/// The number of bytes in the file between a block and its copy, at least. Damage of a page then
/// leaves one of them.
const DISTANCE: u64 = 4096;

/// The copies that the file does not contain yet.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// The body of the copy of the current block: its file header, and its mapping records that later
    /// blocks may need. Empty if there are none.
    current: Vec<u8>,
    /// The headers of finished blocks, and the bodies of their copies.
    finished: VecDeque<(BlockHeader, Vec<u8>)>,
}

impl Copies {
    /// Appends v4 data to the copy of the current block.
    pub(super) fn add(&mut self, v4: &[u8]) {
        if self.current.is_empty() {
            // The length of the data follows later.
            self.current.extend([RAW, 0, 0, 0, 0]);
        }
        self.current.extend_from_slice(v4);
    }

    /// Finishes the copy of the current block, which has this header.
    pub(super) fn finish(&mut self, header: &BlockHeader) {
        if self.current.is_empty() {
            return;
        }
        let mut body = std::mem::take(&mut self.current);
        let v4_bytes = (body.len() - RAW_START) as u32;
        body[1..RAW_START].copy_from_slice(&v4_bytes.to_le_bytes());
        self.finished.push_back((*header, body));
    }

    /// Returns the header of a block, and the body of its copy, if the copy can be at the offset `at` in the file.
    pub(super) fn take_due(&mut self, at: u64) -> Option<(BlockHeader, Vec<u8>)> {
        self.finished.pop_front_if(|(of, _)| at - of.at - of.block_bytes() as u64 >= DISTANCE)
    }
}

/// Appends a copy to `file`. `header` lacks the sizes and the checksum.
#[cold]
pub(super) fn append_copy(
    header: &BlockHeader,
    body: &[u8],
    compressor: Option<&mut Compressor>,
    file: &mut Vec<u8>,
) {
    let mut packed = Vec::new();
    let packed_end = compressor.and_then(|compressor| compressor.compress(body, &mut packed, 0));
    let stored = packed_end.map_or(body, |end| &packed[..end]);
    let header = BlockHeader {
        is_zstd: packed_end.is_some(),
        body_bytes: stored.len() as u32,
        body_crc: crc32c::crc32c(stored),
        plain_bytes: body.len() as u32,
        expanded_bytes: (body.len() - RAW_START) as u32,
        ..*header
    };
    file.extend_from_slice(&header.encode());
    file.extend_from_slice(stored);
}
