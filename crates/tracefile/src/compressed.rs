//! Compressed files, decompressed while they are read.

use std::error::Error as StdError;
use std::fmt;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use xz4rust::{XzDecoder, XzError, XzNextBlockResult};

/// The limit for the memory of a decoder. `zstd` has the same limit without `--long`, and `xz -9`
/// needs half of it.
const MAX_WINDOW_BYTES: usize = 128 << 20;

/// The number of bytes to decompress at a time. If the input is damaged, the bytes of the current
/// step are lost, so it is small.
const STEP_BYTES: usize = 8 << 10;

/// The number of compressed bytes to read at a time.
const SOURCE_BYTES: usize = 64 << 10;

/// A compression format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// `gzip`, `.gz`.
    Gzip,
    /// Zstandard, `.zst`.
    Zstd,
    /// `xz`, `.xz`.
    Xz,
}

/// All formats, with the bytes at the start of their files.
const MAGIC: [(&[u8], Compression); 3] = [
    (b"\x1f\x8b", Compression::Gzip),
    (b"\x28\xb5\x2f\xfd", Compression::Zstd),
    (b"\xfd7zXZ\0", Compression::Xz),
];

/// The bytes at the start of a skippable zstd frame, after a first byte from 0x50 to 0x5f.
const SKIPPABLE: &[u8] = b"\x2a\x4d\x18";

impl Compression {
    /// Returns the format of a file that starts with `start`, or `None` if it is not compressed.
    pub fn detect(start: &[u8]) -> Option<Compression> {
        let found = MAGIC.iter().find(|(magic, _)| start.starts_with(magic)).map(|(_, found)| *found);
        found.or_else(|| match start.split_first() {
            Some((0x50..=0x5f, rest)) if rest.starts_with(SKIPPABLE) => Some(Compression::Zstd),
            _ => None,
        })
    }

    /// Returns whether a file that starts with `start` may be compressed. `start` can be too short
    /// to decide.
    pub(crate) fn is_possible(start: &[u8]) -> bool {
        let is_skippable = match start.split_first() {
            Some((0x50..=0x5f, rest)) => SKIPPABLE.starts_with(rest) || rest.starts_with(SKIPPABLE),
            _ => false,
        };
        is_skippable || MAGIC.iter().any(|(magic, _)| magic.starts_with(start) || start.starts_with(magic))
    }

    /// Returns the format's name.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Xz => "xz",
        }
    }

    /// Returns a reader of the contents of the compressed `source`.
    ///
    /// If `source` is truncated or damaged, the reader returns everything before the defect, and
    /// then a [`CompressionError`] in an [`io::Error`].
    pub fn decode(self, source: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        let source = Source { inner: source, buffer: vec![0; SOURCE_BYTES], at: 0, end: 0 };
        match self {
            Compression::Gzip => Box::new(GzipReader(MultiGzDecoder::new(source))),
            Compression::Zstd => Box::new(ZstdReader::new(source)),
            Compression::Xz => Box::new(XzReader::new(source)),
        }
    }
}

/// Returns a reader of the contents of `source`, which may be compressed.
///
/// # Errors
/// Returns an error if the start of `source` cannot be read.
pub fn decompressed(mut source: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut start = Vec::new();
    while Compression::is_possible(&start) && Compression::detect(&start).is_none() {
        if (&mut source).take(1).read_to_end(&mut start)? == 0 {
            break;
        }
    }
    let compression = Compression::detect(&start);
    let whole = Box::new(io::Cursor::new(start).chain(source));
    Ok(match compression {
        Some(compression) => compression.decode(whole),
        None => whole,
    })
}

/// The reason why the rest of a compressed file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompressionError {
    compression: Compression,
    fault: Fault,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Truncated,
    Damaged,
    WindowTooLarge,
    Unsupported,
}

impl fmt::Display for CompressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.compression.name();
        match self.fault {
            Fault::Truncated => write!(f, "the {name} file is truncated"),
            Fault::Damaged => write!(f, "the {name} file is damaged"),
            Fault::WindowTooLarge => {
                write!(f, "the {name} file needs more than {} MiB of memory", MAX_WINDOW_BYTES >> 20)
            }
            Fault::Unsupported => write!(f, "the {name} file uses a feature that is not supported"),
        }
    }
}

impl StdError for CompressionError {}

impl CompressionError {
    /// Returns the compression error in `error`, which a reader from [`Compression::decode`]
    /// returned.
    pub fn of(error: &io::Error) -> Option<&CompressionError> {
        error.get_ref()?.downcast_ref()
    }

    /// Returns whether the file ends early.
    pub(crate) fn is_truncated(&self) -> bool {
        self.fault == Fault::Truncated
    }

    /// Returns advice for the user.
    pub fn help(&self) -> String {
        match self.fault {
            Fault::Truncated => {
                "everything before the end was read; the copy may be incomplete, or the file may still be growing"
                    .into()
            }
            Fault::Damaged => {
                format!(
                    "events before this may be wrong, because damage is often found only by a later checksum; `{} --test FILE` checks the file",
                    self.compression.name()
                )
            }
            Fault::WindowTooLarge | Fault::Unsupported => {
                format!("decompress it: {} -dc FILE | ringtrace print -", self.compression.name())
            }
        }
    }

    fn into_io(self) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, self)
    }
}

/// Returns the error to report for `error`, which a decoder returned.
fn explain(compression: Compression, error: io::Error) -> io::Error {
    // This is an error of the source, not of the compression.
    if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted {
        return error;
    }
    let fault = match error.kind() {
        io::ErrorKind::UnexpectedEof => Fault::Truncated,
        _ => Fault::Damaged,
    };
    CompressionError { compression, fault }.into_io()
}

/// A buffered source that can look at its next bytes.
struct Source {
    inner: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
}

impl Source {
    /// Returns the next bytes. Returns an empty slice at the end.
    fn peek(&mut self) -> io::Result<&[u8]> {
        while self.at == self.end {
            match self.inner.read(&mut self.buffer) {
                Ok(0) => break,
                Ok(read) => (self.at, self.end) = (0, read),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&self.buffer[self.at..self.end])
    }

    fn consume(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.end);
    }
}

impl Read for Source {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.peek()?;
        let read = available.len().min(out.len());
        out[..read].copy_from_slice(&available[..read]);
        self.consume(read);
        Ok(read)
    }
}

struct GzipReader(MultiGzDecoder<Source>);

impl Read for GzipReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let step = out.len().min(STEP_BYTES);
        self.0.read(&mut out[..step]).map_err(|error| explain(Compression::Gzip, error))
    }
}

/// Reads a sequence of zstd frames.
struct ZstdReader {
    decoder: FrameDecoder,
    source: Source,
    in_frame: bool,
    /// The error to return after all decoded bytes.
    failed: Option<io::Error>,
}

impl ZstdReader {
    fn new(source: Source) -> ZstdReader {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW_BYTES as u64);
        ZstdReader { decoder, source, in_frame: false, failed: None }
    }

    /// Starts the next frame. Returns false at the end of the input.
    fn start_frame(&mut self) -> io::Result<bool> {
        loop {
            if self.source.peek()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let skipped = io::copy(&mut (&mut self.source).take(length), &mut io::sink())?;
                    if skipped < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(zstd_error(&error)),
            }
        }
    }

    /// Decodes until there are bytes to read, or the frame ends.
    fn decode(&mut self) -> io::Result<()> {
        while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
            self.decoder
                .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                .map_err(|error| zstd_error(&error))?;
        }
        let checksums = (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum());
        if self.decoder.is_finished()
            && self.decoder.can_collect() == 0
            && matches!(checksums, (Some(expected), Some(found)) if expected != found)
        {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(())
    }

    /// Makes the bytes that the decoder retains for later blocks available for reading. The decoder
    /// retains a whole window until the last block, so this decodes an empty last block.
    fn release_window(&mut self) {
        // The header of an empty last block, and space for a checksum.
        let empty_block: &[u8] = &[1, 0, 0, 0, 0, 0, 0];
        // If this fails, the bytes in the window are lost.
        let _ = self.decoder.decode_blocks(empty_block, BlockDecodingStrategy::UptoBlocks(1));
    }
}

impl Read for ZstdReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(error) = self.failed.take() {
                let read = self.decoder.read(out).unwrap_or(0);
                if read == 0 {
                    self.in_frame = false;
                    return Err(explain(Compression::Zstd, error));
                }
                self.failed = Some(error);
                return Ok(read);
            }
            if !self.in_frame {
                self.in_frame = match self.start_frame() {
                    Ok(true) => true,
                    Ok(false) => return Ok(0),
                    Err(error) => return Err(explain(Compression::Zstd, error)),
                };
            }
            if let Err(error) = self.decode() {
                if error.raw_os_error().is_none() && !self.decoder.is_finished() {
                    self.release_window();
                }
                self.failed = Some(error);
                continue;
            }
            let read = self.decoder.read(out)?;
            if read > 0 {
                return Ok(read);
            }
            self.in_frame = false;
        }
    }
}

/// Converts an error of the decoder to an I/O error. If the source failed, returns the source's
/// error.
fn zstd_error(error: &FrameDecoderError) -> io::Error {
    if matches!(error, FrameDecoderError::WindowSizeTooBig { .. }) {
        let fault = Fault::WindowTooLarge;
        return CompressionError { compression: Compression::Zstd, fault }.into_io();
    }
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(one) = cause {
        if let Some(found) = one.downcast_ref::<io::Error>() {
            return match found.raw_os_error() {
                Some(code) => io::Error::from_raw_os_error(code),
                None => found.kind().into(),
            };
        }
        cause = one.source();
    }
    io::ErrorKind::InvalidData.into()
}

/// Reads a sequence of xz streams.
struct XzReader {
    decoder: Box<XzDecoder<'static>>,
    source: Source,
    in_stream: bool,
}

impl XzReader {
    fn new(source: Source) -> XzReader {
        let decoder = XzDecoder::in_heap_with_alloc_dict_size(SOURCE_BYTES, MAX_WINDOW_BYTES);
        XzReader { decoder, source, in_stream: true }
    }

    /// Skips the zeros after a stream. Returns whether another stream follows.
    fn start_stream(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.source.peek()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            if zeros < bytes.len() {
                self.source.consume(zeros);
                self.decoder.reset();
                return Ok(true);
            }
            self.source.consume(zeros);
        }
    }
}

impl Read for XzReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let step = out.len().min(STEP_BYTES);
        if step == 0 {
            return Ok(0);
        }
        loop {
            if !self.in_stream {
                self.in_stream = self.start_stream()?;
                if !self.in_stream {
                    return Ok(0);
                }
            }
            let bytes = self.source.peek()?;
            let is_end = bytes.is_empty();
            match self.decoder.decode(bytes, &mut out[..step]) {
                Ok(XzNextBlockResult::NeedMoreData(consumed, produced)) => {
                    self.source.consume(consumed);
                    if produced > 0 {
                        return Ok(produced);
                    }
                    if is_end {
                        return Err(explain(Compression::Xz, io::ErrorKind::UnexpectedEof.into()));
                    }
                }
                Ok(XzNextBlockResult::EndOfStream(consumed, produced)) => {
                    self.source.consume(consumed);
                    self.in_stream = false;
                    if produced > 0 {
                        return Ok(produced);
                    }
                }
                Err(error) => return Err(xz_error(&error, is_end)),
            }
        }
    }
}

fn xz_error(error: &XzError, is_end: bool) -> io::Error {
    let fault = match error {
        XzError::NeedsLargerInputBuffer if is_end => Fault::Truncated,
        XzError::DictionaryTooLarge(_) => Fault::WindowTooLarge,
        XzError::UnsupportedStreamHeaderOption
        | XzError::UnsupportedBlockHeaderOption
        | XzError::Sha256NotSupported
        | XzError::UnsupportedCheckType(_)
        | XzError::UnsupportedBcjFilter(_) => Fault::Unsupported,
        _ => Fault::Damaged,
    };
    CompressionError { compression: Compression::Xz, fault }.into_io()
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    /// Returns text that can be compressed, but not to a few bytes.
    fn text() -> Vec<u8> {
        let mut seed = 1_u32;
        let word = |_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            format!("record {} of {}\n", seed >> 20, seed >> 28)
        };
        (0..40_000).map(word).collect::<String>().into_bytes()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }

    /// The output of `xz` for the text `ringtrace` and a line end.
    #[rustfmt::skip]
    const XZ: &[u8] = &[
        0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6, 0xb4, 0x46, 0x02, 0x00, 0x21, 0x01,
        0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x09, 0x72, 0x69, 0x6e, 0x67, 0x74,
        0x72, 0x61, 0x63, 0x65, 0x0a, 0x00, 0x00, 0x00, 0xde, 0x56, 0x07, 0x8e, 0x89, 0xe2, 0x58, 0x05,
        0x00, 0x01, 0x22, 0x0a, 0x15, 0x1a, 0xe1, 0x67, 0x1f, 0xb6, 0xf3, 0x7d, 0x01, 0x00, 0x00, 0x00,
        0x00, 0x04, 0x59, 0x5a,
    ];

    fn read(compressed: &[u8]) -> (Vec<u8>, Option<io::Error>) {
        let compression = Compression::detect(compressed).unwrap();
        let mut reader = compression.decode(Box::new(Cursor::new(compressed.to_vec())));
        let mut out = Vec::new();
        let failed = reader.read_to_end(&mut out).err();
        (out, failed)
    }

    #[test]
    fn formats_are_detected() {
        assert_eq!(Compression::detect(&gzip(b"x")), Some(Compression::Gzip));
        assert_eq!(Compression::detect(&zstd(b"x")), Some(Compression::Zstd));
        assert_eq!(Compression::detect(XZ), Some(Compression::Xz));
        assert_eq!(Compression::detect(b"\x51\x2a\x4d\x18"), Some(Compression::Zstd));
        assert_eq!(Compression::detect(b"\x51\x2a\x4d"), None);
        assert_eq!(Compression::detect(b""), None);
    }

    #[test]
    fn concatenated_files_are_read_as_one() {
        let text = text();
        for compress in [gzip, zstd] {
            let (first, second) = text.split_at(100_000);
            let mut both = compress(first);
            both.extend(compress(second));
            let (out, failed) = read(&both);
            assert!(failed.is_none(), "{failed:?}");
            assert!(out == text);
        }
    }

    #[test]
    fn xz_files_are_read() {
        let mut two = XZ.to_vec();
        // Padding between streams is a multiple of four zeros.
        two.extend([0; 8]);
        two.extend(XZ);
        two.extend([0; 4]);
        let (out, failed) = read(&two);
        assert!(failed.is_none(), "{failed:?}");
        assert_eq!(out, b"ringtrace\nringtrace\n");
        for cut in [20, 30, 45, XZ.len() - 1] {
            assert_eq!(read(&XZ[..cut]).1.unwrap().to_string(), "the xz file is truncated", "{cut}");
        }
        let mut damaged = XZ.to_vec();
        damaged[30] ^= 1;
        assert_eq!(read(&damaged).1.unwrap().to_string(), "the xz file is damaged");
    }

    #[test]
    fn skippable_frames_are_skipped() {
        let mut file = b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec();
        file.extend(zstd(b"after"));
        file.extend(b"\x5f\x2a\x4d\x18\x00\0\0\0");
        assert_eq!(read(&file).0, b"after");
        file.extend(b"\x5f\x2a\x4d\x18\x05\0\0\0abc");
        let (out, failed) = read(&file);
        assert_eq!(out, b"after");
        assert_eq!(failed.unwrap().to_string(), "the zstd file is truncated");
    }

    #[test]
    fn truncated_files_are_read_up_to_their_end() {
        let text = text();
        for (compress, name) in [(gzip as fn(&[u8]) -> Vec<u8>, "gzip"), (zstd, "zstd")] {
            let whole = compress(&text);
            for cut in [10, 1000, whole.len() / 2, whole.len() - 1] {
                let (out, failed) = read(&whole[..cut]);
                assert!(text.starts_with(&out));
                // Zstd blocks have at most 128 KiB.
                let fewest = (text.len() * cut / whole.len()).saturating_sub(160 << 10);
                assert!(out.len() >= fewest, "{name} {cut}: {} of {}", out.len(), text.len());
                assert_eq!(failed.unwrap().to_string(), format!("the {name} file is truncated"));
            }
        }
    }

    #[test]
    fn damaged_files_are_read_up_to_the_damage() {
        let text = text();
        for (compress, name) in [(gzip as fn(&[u8]) -> Vec<u8>, "gzip"), (zstd, "zstd")] {
            let mut file = compress(&text);
            let end = file.len();
            // The checksum is at the end.
            file[end - 6] ^= 0x55;
            let (_, failed) = read(&file);
            assert_eq!(failed.unwrap().to_string(), format!("the {name} file is damaged"));
        }
    }

    #[test]
    fn any_byte_may_be_wrong() {
        let text = &text()[..20_000];
        for compress in [gzip, zstd] {
            let file = compress(text);
            for at in 0..file.len() {
                let mut damaged = file.clone();
                damaged[at] ^= 0xff;
                if let Some(compression) = Compression::detect(&damaged) {
                    let mut out = Vec::new();
                    // Some damage cannot be detected. Check only that decoding does not panic.
                    let _ = compression
                        .decode(Box::new(Cursor::new(damaged)))
                        .take(1 << 24)
                        .read_to_end(&mut out);
                }
            }
        }
    }
}
