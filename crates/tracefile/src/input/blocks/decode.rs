//! Decoding of blocks.

use std::io::{self, Read};

use ringtrace_wire::compact::{BlockDecoder, BlockHeader, Decoding, FewEvent, TakeFew, TakeNone};

use crate::compressed::Compression;
use crate::input::map::prefetch;

/// The error message for a body whose checksum is wrong.
const WRONG_CHECKSUM: &str = "the checksum of a block's body is wrong";

/// Decodes the block at the start of `bytes`, and passes it to `take` before, whose result is returned. Returns
/// the reason if the block is not valid; nothing that came from it may then be used.
pub(crate) fn decode_block<R>(
    decoder: &mut BlockDecoder,
    plain: &mut Vec<u8>,
    header: &BlockHeader,
    bytes: &[u8],
    take: impl FnOnce(&mut Decoding<'_>) -> R,
) -> Result<R, String> {
    let Some(body) = header.body(bytes).filter(|_| !header.is_zstd) else {
        let body = plain_body(plain, header, bytes)?;
        return decoder.decode_with(header, body, take, &mut TakeNone).map_err(|fault| fault.to_string());
    };
    // Decoding prefetches the body, so that the checksum finds it in the cache.
    let decoded = decoder.decode_with(header, body, take, &mut Prefetch(&mut TakeNone));
    match header.is_intact(body) {
        true => decoded.map_err(|fault| fault.to_string()),
        false => Err(WRONG_CHECKSUM.to_owned()),
    }
}

/// Prefetches the body of a block while its records are decoded. `T` visits the records.
pub(crate) struct Prefetch<'t, T>(pub(crate) &'t mut T);

impl<T: TakeFew> TakeFew for Prefetch<'_, T> {
    const TAKES: bool = T::TAKES;

    #[inline(always)]
    fn take<const N: usize>(&mut self, event: FewEvent<'_>, timestamp_ns: u64, values: &[u64; N]) -> bool {
        prefetch(event.body());
        self.0.take(event, timestamp_ns, values)
    }
}

/// Returns the uncompressed body of the block at the start of `bytes`. `plain` is memory for it. Returns
/// the reason if the body is damaged.
pub(crate) fn plain_body<'b>(
    plain: &'b mut Vec<u8>,
    header: &BlockHeader,
    bytes: &'b [u8],
) -> Result<&'b [u8], String> {
    let body = header.body(bytes).filter(|body| header.is_intact(body));
    let body = body.ok_or(WRONG_CHECKSUM)?;
    if header.is_zstd {
        // The C library takes a quarter of the time. If it refuses the body, the other decoder returns
        // the reason.
        if header.plain_body(body, plain).is_some() {
            return Ok(plain.get(..header.plain_bytes as usize).unwrap_or_default());
        }
        decompress(header, body, plain)?;
        return Ok(plain);
    }
    Ok(body)
}

/// Decompresses the body of a block to `plain`.
#[cold]
fn decompress(header: &BlockHeader, body: &[u8], plain: &mut Vec<u8>) -> Result<(), String> {
    plain.clear();
    let expected = header.plain_bytes as usize;
    let decoder = Compression::Zstd.decode(Box::new(io::Cursor::new(body.to_vec())));
    let read = decoder.take(expected as u64 + 1).read_to_end(plain);
    read.map_err(|error| format!("the body of a block cannot be decompressed: {error}"))?;
    match plain.len() == expected {
        true => Ok(()),
        false => Err(format!("the decompressed body of a block does not have {expected} bytes")),
    }
}

#[cfg(test)]
mod tests {
    use ringtrace_wire::ByteOrder;
    use ringtrace_wire::compact::BlockEncoder;
    use ringtrace_wire::simpletrace::Version;
    use ringtrace_wire::simpletrace::encode::{Encoder, Value};

    use super::*;

    /// Builds without the feature `zstd` decompress with another library.
    #[test]
    fn both_decoders_decompress_a_body() {
        let (mut records, encoder) = (Vec::new(), Encoder { version: Version::V4, order: ByteOrder::Little });
        for number in 0..20_000u64 {
            let values = [Value::Integer(number), Value::Integer(number * number % 1_000_003)];
            encoder.record(2, 20 * number, 1, &values, &mut records).unwrap();
        }
        let (mut blocks, mut file) = (BlockEncoder::compressed().unwrap(), Vec::new());
        blocks.push(&records, |_| None, &mut file).unwrap();
        blocks.finish(&mut file);
        let header = BlockHeader::parse(&file).unwrap();
        let body = header.body(&file).unwrap();
        assert!(header.is_zstd);
        let (mut buffer, mut plain) = (Vec::new(), Vec::new());
        decompress(&header, body, &mut plain).unwrap();
        assert!(header.plain_body(body, &mut buffer).unwrap() == plain);
        assert!(decompress(&header, &body[..body.len() - 1], &mut plain).is_err());
    }
}
