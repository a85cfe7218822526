//! Decoding of blocks.

use std::fmt;

use super::header::BlockHeader;
use super::{DEFINITION, FieldKind, LONG_INDEX, MAX_DEFINITIONS, RAW, SAME, from_zigzag};
use crate::ByteOrder;
use crate::order::{u32_at, u64_at};
use crate::simpletrace::v4::{self, PAYLOAD_AT};

/// The size of a definition without its kinds of fields, in bytes.
const DEFINITION_BYTES: usize = 14;

/// The number of bytes that may be written behind the last record.
const SLACK: usize = 8;

/// Restores the v4 records of blocks. It keeps its buffers between blocks.
#[derive(Debug, Default)]
pub struct BlockDecoder {
    out: Vec<u8>,
    definitions: Vec<Definition>,
    fields: Vec<Field>,
}

#[derive(Debug, Clone, Copy)]
struct Definition {
    /// The bytes of a v4 record before the payload. For definitions of integers only, all except
    /// the time are final.
    header: [u8; PAYLOAD_AT],
    /// The index of the first field.
    first: usize,
    fields: usize,
    /// Whether all fields are integers.
    is_integers: bool,
}

#[derive(Debug, Clone, Copy)]
struct Field {
    kind: FieldKind,
    /// The previous value. For a string, the offset of the previous one in the body.
    previous: u64,
    /// The length of the previous string; `usize::MAX` if there was none.
    length: usize,
}

/// The reason why a body cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyFault {
    /// The offset in the body.
    pub at: usize,
    /// What is wrong there.
    what: &'static str,
}

impl fmt::Display for BodyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at offset {} of the block's body, {}", self.at, self.what)
    }
}

const CUT: &str = "the body ends within an item";
const TOO_MANY: &str = "the records exceed the size in the header";

impl BlockDecoder {
    /// Returns the v4 records of a block whose uncompressed body is `body`.
    ///
    /// # Errors
    /// Returns an error if the body does not follow the format. [`BlockDecoder::decoded`] then
    /// returns the records before the error.
    pub fn decode(&mut self, header: &BlockHeader, body: &[u8]) -> Result<&[u8], BodyFault> {
        let mut state =
            State { decoder: self, body, at: 0, end: 0, most: header.expanded_bytes as usize, last_ns: 0 };
        state.decoder.definitions.clear();
        state.decoder.fields.clear();
        state.decoder.out.resize(state.most + SLACK, 0);
        let result = state.run(header.plain_bytes as usize);
        let end = state.end;
        self.out.truncate(end);
        result.map(|()| &*self.out)
    }

    /// Returns the v4 records of the last block, up to an error.
    pub fn decoded(&self) -> &[u8] {
        &self.out
    }
}

struct State<'d> {
    decoder: &'d mut BlockDecoder,
    body: &'d [u8],
    /// The offset in the body.
    at: usize,
    /// The number of decoded bytes.
    end: usize,
    /// The number of bytes to decode.
    most: usize,
    last_ns: u64,
}

impl State<'_> {
    fn run(&mut self, body_bytes: usize) -> Result<(), BodyFault> {
        while let Some(&first) = self.body.get(self.at) {
            match first {
                ..LONG_INDEX => self.record(usize::from(first), 1)?,
                LONG_INDEX..DEFINITION => {
                    let Some(&low) = self.body.get(self.at + 1) else { return self.fault(CUT) };
                    let high = usize::from(first - LONG_INDEX) << 8;
                    self.record(usize::from(LONG_INDEX) + high + usize::from(low), 2)?;
                }
                DEFINITION => self.define()?,
                RAW => self.copy()?,
            }
        }
        if self.end != self.most {
            return self.fault("the records are fewer than the header states");
        }
        if self.at != body_bytes {
            return self.fault("the body has another size than the header states");
        }
        Ok(())
    }

    #[cold]
    fn fault<T>(&self, what: &'static str) -> Result<T, BodyFault> {
        Err(BodyFault { at: self.at, what })
    }

    #[inline(always)]
    fn record(&mut self, index: usize, index_bytes: usize) -> Result<(), BodyFault> {
        let Some(&definition) = self.decoder.definitions.get(index) else {
            return self.fault("a record has no definition");
        };
        let Definition { first, fields: count, .. } = definition;
        let codes = self.at + index_bytes;
        let mut at = codes + (count + 2) / 2;
        let body = self.body;
        let Some(codes) = body.get(codes..at) else { return self.fault(CUT) };
        let Some(difference) = number(body, &mut at, code(codes, 0)) else { return self.fault(CUT) };
        let timestamp_ns = self.last_ns.wrapping_add(from_zigzag(difference));
        let (fields, out) = (&mut self.decoder.fields, &mut self.decoder.out);
        let Some(fields) = fields.get_mut(first..first + count) else { return self.fault(CUT) };
        if !definition.is_integers {
            let Some(end) =
                put_mixed(&definition, fields, codes, body, &mut at, timestamp_ns, out, self.end..self.most)
            else {
                return self.fault("a record is invalid, or exceeds the size in the header");
            };
            (self.at, self.end, self.last_ns) = (at, end, timestamp_ns);
            return Ok(());
        }
        let end = self.end + PAYLOAD_AT + 8 * count;
        if end > self.most {
            return self.fault(TOO_MANY);
        }
        let Some(out) = out.get_mut(self.end..end) else { return self.fault(TOO_MANY) };
        out[..PAYLOAD_AT].copy_from_slice(&definition.header);
        out[v4::TIMESTAMP_AT..][..8].copy_from_slice(&timestamp_ns.to_le_bytes());
        let (words, _) = out[PAYLOAD_AT..].as_chunks_mut();
        for (index, (field, word)) in fields.iter_mut().zip(words).enumerate() {
            let Some(difference) = number(body, &mut at, code(codes, index + 1)) else {
                return self.fault(CUT);
            };
            field.previous = field.previous.wrapping_add(from_zigzag(difference));
            *word = field.previous.to_le_bytes();
        }
        (self.at, self.end, self.last_ns) = (at, end, timestamp_ns);
        Ok(())
    }

    #[cold]
    fn define(&mut self) -> Result<(), BodyFault> {
        let Some(rest) = self.body.get(self.at + 1..) else { return self.fault(CUT) };
        let (Some(id), Some(pid), Some(&count)) =
            (u64_at(rest, 0, ByteOrder::Little), u32_at(rest, 8, ByteOrder::Little), rest.get(12))
        else {
            return self.fault(CUT);
        };
        let count = usize::from(count);
        let kinds_end = DEFINITION_BYTES - 1 + count.div_ceil(4);
        let Some(kinds) = rest.get(DEFINITION_BYTES - 1..kinds_end) else { return self.fault(CUT) };
        if self.decoder.definitions.len() == MAX_DEFINITIONS {
            return self.fault("there are too many definitions");
        }
        let first = self.decoder.fields.len();
        for index in 0..count {
            let kind = match kinds[index / 4] >> (2 * (index & 3)) & 3 {
                0 => FieldKind::Integer,
                1 => FieldKind::Str,
                2 if index + 1 == count => FieldKind::Rest,
                _ => return self.fault("a definition has an unknown kind of field"),
            };
            self.decoder.fields.push(Field { kind, previous: 0, length: usize::MAX });
        }
        let is_integers = self.decoder.fields[first..].iter().all(|field| field.kind == FieldKind::Integer);
        let header = v4::record_header(id, 0, 8 * count as u32, pid, ByteOrder::Little);
        self.decoder.definitions.push(Definition { header, first, fields: count, is_integers });
        self.at += 1 + kinds_end;
        Ok(())
    }

    #[cold]
    fn copy(&mut self) -> Result<(), BodyFault> {
        let Some(length) = u32_at(self.body, self.at + 1, ByteOrder::Little) else { return self.fault(CUT) };
        let start = self.at + 5;
        let Some(raw) = self.body.get(start..start.saturating_add(length as usize)) else {
            return self.fault(CUT);
        };
        let end = self.end + raw.len();
        if end > self.most {
            return self.fault(TOO_MANY);
        }
        self.decoder.out[self.end..end].copy_from_slice(raw);
        (self.at, self.end) = (start + raw.len(), end);
        Ok(())
    }
}

/// Returns the code of the field with this index. Index 0 is the time.
#[inline(always)]
fn code(codes: &[u8], index: usize) -> u8 {
    codes[index / 2] >> (4 * (index & 1)) & 15
}

/// Decodes the number of `code` bytes at `at`. `None` if the body is too short, or `code` is not a
/// number of bytes.
#[inline(always)]
fn number(body: &[u8], at: &mut usize, code: u8) -> Option<u64> {
    let bytes = usize::from(code);
    let value = match body.get(*at..*at + 8) {
        Some(word) if bytes <= 8 => {
            let mask = if bytes == 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
            word.first_chunk().map(|word| u64::from_le_bytes(*word) & mask)?
        }
        _ => last_number(body.get(*at..)?, bytes)?,
    };
    *at += bytes;
    Some(value)
}

/// Decodes a number in the last eight bytes of the body.
#[cold]
fn last_number(rest: &[u8], bytes: usize) -> Option<u64> {
    let mut word = [0; 8];
    word.get_mut(..bytes)?.copy_from_slice(rest.get(..bytes)?);
    Some(u64::from_le_bytes(word))
}

/// Decodes a record with strings. `range` is the part of `out` that is free. Returns the new start
/// of the free part, or `None` if the record is invalid.
#[expect(clippy::too_many_arguments, reason = "the parts of the state are borrowed separately")]
fn put_mixed(
    definition: &Definition,
    fields: &mut [Field],
    codes: &[u8],
    body: &[u8],
    at: &mut usize,
    timestamp_ns: u64,
    out: &mut [u8],
    range: std::ops::Range<usize>,
) -> Option<usize> {
    let out = out.get_mut(range.clone())?;
    let mut end = PAYLOAD_AT;
    out.get_mut(..end)?.copy_from_slice(&definition.header);
    let mut put = |bytes: &[u8]| {
        out.get_mut(end..end + bytes.len())?.copy_from_slice(bytes);
        end += bytes.len();
        Some(())
    };
    for (index, field) in fields.iter_mut().enumerate() {
        let code = code(codes, index + 1);
        if field.kind == FieldKind::Integer {
            field.previous = field.previous.wrapping_add(from_zigzag(number(body, at, code)?));
            put(&field.previous.to_le_bytes())?;
            continue;
        }
        if code != SAME {
            field.length =
                usize::try_from(number(body, at, code)?).ok().filter(|&length| length <= body.len())?;
            field.previous = *at as u64;
            *at += field.length;
        }
        let start = usize::try_from(field.previous).ok()?;
        let text = body.get(start..start.checked_add(field.length)?)?;
        if field.kind == FieldKind::Str {
            put(&(text.len() as u32).to_le_bytes())?;
        }
        put(text)?;
    }
    out[v4::TIMESTAMP_AT..][..8].copy_from_slice(&timestamp_ns.to_le_bytes());
    out[v4::LENGTH_AT..][..4].copy_from_slice(&((end - v4::LENGTH_FROM) as u32).to_le_bytes());
    Some(range.start + end)
}
