//! Compression of a file while it is written.

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// The number of bytes in a frame. A file is a sequence of frames, so that memory is bounded, and
/// so that a damaged frame does not affect those before it. Larger frames compress no better,
/// because the encoder's window is smaller.
const FRAME_BYTES: usize = 1 << 20;

/// Compresses a stream of bytes with zstd. The program `zstd -1` needs about 60% of the space.
#[derive(Debug, Default)]
pub struct ZstdWriter {
    frame: Vec<u8>,
    has_frames: bool,
}

impl ZstdWriter {
    /// Adds `bytes`. Appends complete frames to `out`.
    pub fn write(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(FRAME_BYTES - self.frame.len()));
            self.frame.extend_from_slice(now);
            bytes = later;
            if self.frame.len() == FRAME_BYTES {
                self.end_frame(out);
            }
        }
    }

    /// Appends the rest to `out`. An empty stream becomes an empty frame.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if !self.frame.is_empty() || !self.has_frames {
            self.end_frame(out);
        }
    }

    fn end_frame(&mut self, out: &mut Vec<u8>) {
        out.extend(compress_to_vec(self.frame.as_slice(), CompressionLevel::Fastest));
        self.frame.clear();
        self.has_frames = true;
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;
    use crate::Compression;

    #[test]
    fn what_is_compressed_is_read_back() {
        for size in [0, 1, FRAME_BYTES - 1, FRAME_BYTES, FRAME_BYTES + 1, 3 * FRAME_BYTES + 12_345] {
            let bytes: Vec<u8> = (0..size).map(|at| (at / 7 * at % 251) as u8).collect();
            let (mut writer, mut out) = (ZstdWriter::default(), Vec::new());
            bytes.chunks(100_000).for_each(|chunk| writer.write(chunk, &mut out));
            writer.finish(&mut out);
            assert_eq!(Compression::detect(&out), Some(Compression::Zstd));
            let mut back = Vec::new();
            Compression::Zstd.decode(Box::new(Cursor::new(out))).read_to_end(&mut back).unwrap();
            assert!(back == bytes, "{size}");
        }
    }
}
