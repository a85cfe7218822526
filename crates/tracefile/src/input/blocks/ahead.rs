//! Decodes the next block on another thread, while the entries of the current one are processed.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::Builder;

use ringtrace_wire::compact::{BlockDecoder, BlockHeader, Kind};

use super::decode::decode_block;
use crate::input::map::MappedFile;

/// A decoder, and the memory for a decompressed body.
#[derive(Default)]
pub(super) struct DecodeBuffers {
    pub(super) decoder: BlockDecoder,
    pub(super) plain: Vec<u8>,
}

/// A block that was decoded ahead.
struct DecodedBlock {
    /// The offset of the block in the file.
    at: usize,
    header: BlockHeader,
    result: Result<(), String>,
}

/// A thread that decodes one block at a time. It ends when this is dropped.
pub(super) struct DecodeAhead {
    requests: SyncSender<(usize, DecodeBuffers)>,
    results: Receiver<(Option<DecodedBlock>, DecodeBuffers)>,
    /// Whether a block is being decoded.
    is_pending: bool,
    spare: Option<DecodeBuffers>,
}

impl DecodeAhead {
    /// Starts the thread for the blocks of `map`, if one follows at or after offset `at`. Returns `None` also if
    /// the system refuses.
    pub(super) fn start(map: Arc<MappedFile>, at: usize) -> Option<DecodeAhead> {
        next_block(&map, at)?;
        let (requests, received) = sync_channel(1);
        let (sender, results) = channel();
        let work = move || work(&map, &received, &sender);
        Builder::new().name("decode".to_owned()).spawn(work).ok()?;
        Some(DecodeAhead { requests, results, is_pending: false, spare: Some(DecodeBuffers::default()) })
    }

    /// Starts to decode the next block from offset `at` of the file on, unless another one is being decoded.
    pub(super) fn begin(&mut self, at: usize) {
        if let Some(buffers) = self.spare.take() {
            self.is_pending = self.requests.send((at, buffers)).is_ok();
        }
    }

    /// If the block at offset `at` with this header was decoded ahead, puts it in `buffers`, and returns the
    /// result like [`decode_block`]. Waits until the thread has nothing to do.
    pub(super) fn take(
        &mut self,
        at: usize,
        header: &BlockHeader,
        buffers: &mut DecodeBuffers,
    ) -> Option<Result<(), String>> {
        if !std::mem::take(&mut self.is_pending) {
            return None;
        }
        let (block, mut decoded) = self.results.recv().ok()?;
        let block = block.filter(|block| block.at == at && block.header == *header);
        if block.is_some() {
            std::mem::swap(buffers, &mut decoded);
        }
        self.spare = Some(decoded);
        block.map(|block| block.result)
    }
}

fn work(
    map: &MappedFile,
    requests: &Receiver<(usize, DecodeBuffers)>,
    results: &Sender<(Option<DecodedBlock>, DecodeBuffers)>,
) {
    for (at, mut buffers) in requests {
        let decoded = decode_next(map, at, &mut buffers);
        if results.send((decoded, buffers)).is_err() {
            return;
        }
    }
}

/// Returns the offset and the header of the first block of records at or after offset `at`.
fn next_block(map: &MappedFile, mut at: usize) -> Option<(usize, BlockHeader)> {
    loop {
        let header = BlockHeader::parse(map.bytes().get(at..)?).ok()?;
        match header.kind {
            Kind::Records => return Some((at, header)),
            _ => at = at.checked_add(header.block_bytes())?,
        }
    }
}

/// Decodes the first block of records at or after offset `at`, if it is whole.
fn decode_next(map: &MappedFile, at: usize, buffers: &mut DecodeBuffers) -> Option<DecodedBlock> {
    let (at, header) = next_block(map, at)?;
    let range = at..at.checked_add(header.block_bytes())?;
    let bytes = map.bytes().get(range.clone())?;
    map.populate(range);
    let DecodeBuffers { decoder, plain } = buffers;
    let result = decode_block(decoder, plain, &header, bytes, |_| ());
    Some(DecodedBlock { at, header, result })
}
