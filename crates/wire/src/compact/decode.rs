//! Decoding of blocks.

use std::fmt;

use super::header::BlockHeader;
use super::{DEFINITION, Field, FieldKind, LONG_INDEX, MAX_DEFINITIONS, RAW, SAME, from_zigzag};
use crate::ByteOrder;
use crate::order::{u32_at, u64_at};
use crate::simpletrace::v4::{self, PAYLOAD_AT};

/// The size of a definition without its kinds of fields, in bytes.
const DEFINITION_BYTES: usize = 14;

/// The largest number of fields whose codes, with that of the time, fit into a u64.
const FEW_FIELDS: usize = 15;

/// For each code of a number, the bits that belong to it. Codes from 9 are not valid for numbers.
const MASKS: [u64; 16] = {
    let mut masks = [0; 16];
    let mut bytes = 1;
    while bytes <= 8 {
        masks[bytes] = u64::MAX >> (64 - 8 * bytes);
        bytes += 1;
    }
    masks
};

/// Records of at most this number of integers have their own decoding loop.
const FEW: usize = 4;

/// The size of the largest of these records as v4.
const FEW_V4_BYTES: usize = PAYLOAD_AT + 8 * FEW;

/// More than the size of the largest of these records in the body, so that each of its numbers can be
/// loaded as eight bytes.
const FEW_BYTES: usize = 64;

/// Restores the v4 data of blocks. It keeps its buffers between blocks.
#[derive(Debug, Default)]
pub struct BlockDecoder {
    /// The decoded data, up to `end`. It is never shortened, because extending it fills it with
    /// zeros, which takes time.
    out: Vec<u8>,
    end: usize,
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

/// The reason why a body cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyFault {
    /// The offset in the body.
    pub at: usize,
    /// The description of the fault.
    what: &'static str,
}

impl fmt::Display for BodyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at offset {} of the block's body, {}", self.at, self.what)
    }
}

const CUT: &str = "the body ends within an item";
const CODE: &str = "a record has an invalid code";

impl BlockDecoder {
    /// Returns the v4 data of a block whose uncompressed body is `body`.
    ///
    /// # Errors
    /// Returns an error if the body does not follow the format. [`BlockDecoder::decoded`] then
    /// returns the data before the error.
    pub fn decode(&mut self, header: &BlockHeader, body: &[u8]) -> Result<&[u8], BodyFault> {
        let most = header.expanded_bytes as usize;
        if self.out.len() < most {
            self.out.resize(most, 0);
        }
        self.definitions.clear();
        self.fields.clear();
        let mut state = State {
            definitions: &mut self.definitions,
            fields: &mut self.fields,
            out: &mut self.out[..most],
            body,
            at: 0,
            end: 0,
            last_ns: 0,
        };
        let result = state.run(header.plain_bytes as usize);
        self.end = state.end;
        result.map(|()| self.decoded())
    }

    /// Returns the v4 data of the last block, up to an error.
    pub fn decoded(&self) -> &[u8] {
        &self.out[..self.end]
    }
}

struct State<'d> {
    definitions: &'d mut Vec<Definition>,
    fields: &'d mut Vec<Field>,
    /// The space for the v4 data.
    out: &'d mut [u8],
    body: &'d [u8],
    /// The offset in the body.
    at: usize,
    /// The number of decoded bytes.
    end: usize,
    last_ns: u64,
}

impl State<'_> {
    fn run(&mut self, body_bytes: usize) -> Result<(), BodyFault> {
        while let Some(&first) = self.body.get(self.at) {
            match first {
                ..LONG_INDEX => {
                    let at = self.at;
                    let definition = self.definitions.get(usize::from(first));
                    match definition.filter(|definition| definition.is_integers).map(|it| it.fields) {
                        Some(0) => self.integers::<0>(first)?,
                        Some(1) => self.integers::<1>(first)?,
                        Some(2) => self.integers::<2>(first)?,
                        Some(3) => self.integers::<3>(first)?,
                        Some(FEW) => self.integers::<FEW>(first)?,
                        _ => {}
                    }
                    if self.at == at {
                        self.record(usize::from(first), 1)?;
                    }
                }
                LONG_INDEX..DEFINITION => {
                    let Some(&low) = self.body.get(self.at + 1) else { return self.fault(CUT) };
                    let high = usize::from(first - LONG_INDEX) << 8;
                    self.record(usize::from(LONG_INDEX) + high + usize::from(low), 2)?;
                }
                DEFINITION => self.define()?,
                RAW => self.copy()?,
            }
        }
        if self.end != self.out.len() {
            return self.fault("the v4 data is smaller than the header states");
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

    /// Decodes records of `N` integers that follow each other and have the definition `index`.
    /// Stops shortly before the end of the body or of the space for v4 data.
    fn integers<const N: usize>(&mut self, index: u8) -> Result<(), BodyFault> {
        let Some(&Definition { header, first, .. }) = self.definitions.get(usize::from(index)) else {
            return Ok(());
        };
        let fields = self.fields.get_mut(first..).and_then(|fields| fields.first_chunk_mut::<N>());
        let Some(fields) = fields else { return Ok(()) };
        // Keep the state in registers.
        let mut previous = fields.map(|field| field.previous);
        let (mut at, mut end, mut last_ns) = (self.at, self.end, self.last_ns);
        let mut is_valid = true;
        while let Some(item) = self.body.get(at..).and_then(|rest| rest.first_chunk::<FEW_BYTES>())
            && item[0] == index
            && let Some(out) = self.out.get_mut(end..).and_then(|out| out.first_chunk_mut::<FEW_V4_BYTES>())
        {
            let mut codes = u64_at(item, 1, ByteOrder::Little).unwrap_or(0);
            let mut data = 1 + N / 2 + 1;
            let mut next = || {
                let code = codes as usize & 15;
                codes >>= 4;
                let word = u64_at(item, data, ByteOrder::Little);
                data += code;
                is_valid &= code <= 8 && word.is_some();
                from_zigzag(word.unwrap_or(0) & MASKS[code])
            };
            let timestamp_ns = last_ns.wrapping_add(next());
            out[..PAYLOAD_AT].copy_from_slice(&header);
            out[v4::TIMESTAMP_AT..][..8].copy_from_slice(&timestamp_ns.to_le_bytes());
            let (words, _) = out[PAYLOAD_AT..].as_chunks_mut();
            for (value, word) in previous.iter_mut().zip(words) {
                *value = value.wrapping_add(next());
                *word = value.to_le_bytes();
            }
            if !is_valid {
                break;
            }
            at += data;
            end += PAYLOAD_AT + 8 * N;
            last_ns = timestamp_ns;
        }
        for (field, previous) in fields.iter_mut().zip(previous) {
            field.previous = previous;
        }
        (self.at, self.end, self.last_ns) = (at, end, last_ns);
        if is_valid { Ok(()) } else { self.fault(CODE) }
    }

    #[inline(always)]
    fn record(&mut self, index: usize, index_bytes: usize) -> Result<(), BodyFault> {
        let Some(definition) = self.definitions.get(index) else {
            return self.fault("a record has no definition");
        };
        let Definition { header, first, fields: count, is_integers } = definition;
        let codes_at = self.at + index_bytes;
        let data_at = codes_at + count / 2 + 1;
        let Some(fields) = self.fields.get_mut(*first..first + count) else { return self.fault(CUT) };
        let window = self.body.get(codes_at..data_at + 8 * (count + 1));
        let out = self.out.get_mut(self.end..self.end + PAYLOAD_AT + 8 * count);
        let (true, true, Some(window), Some(out)) = (*is_integers, *count <= FEW_FIELDS, window, out) else {
            return self.any_record(index, codes_at, data_at);
        };
        // The window contains the codes and at least one number more.
        let mut codes = window.first_chunk().map_or(0, |codes| u64::from_le_bytes(*codes));
        let data = &window[count / 2 + 1..];
        let mut at = 0;
        let mut next = || {
            let code = codes as usize & 15;
            codes >>= 4;
            let word = data.get(at..at + 8)?.first_chunk()?;
            at += code;
            (code <= 8).then(|| from_zigzag(u64::from_le_bytes(*word) & MASKS[code]))
        };
        let Some(difference) = next() else { return self.fault(CODE) };
        let timestamp_ns = self.last_ns.wrapping_add(difference);
        out[..PAYLOAD_AT].copy_from_slice(header);
        out[v4::TIMESTAMP_AT..][..8].copy_from_slice(&timestamp_ns.to_le_bytes());
        let (words, _) = out[PAYLOAD_AT..].as_chunks_mut();
        for (field, word) in fields.iter_mut().zip(words) {
            let Some(difference) = next() else { return self.fault(CODE) };
            field.previous = field.previous.wrapping_add(difference);
            *word = field.previous.to_le_bytes();
        }
        self.end += PAYLOAD_AT + 8 * count;
        self.at = data_at + at;
        self.last_ns = timestamp_ns;
        Ok(())
    }

    /// Decodes a record with strings, with many fields, or near the end of the body.
    fn any_record(&mut self, index: usize, codes_at: usize, data_at: usize) -> Result<(), BodyFault> {
        let Definition { header, first, fields: count, .. } = self.definitions[index];
        let Some(codes) = self.body.get(codes_at..data_at) else { return self.fault(CUT) };
        let fields = &mut self.fields[first..first + count];
        let mut record =
            AnyRecord { codes, body: self.body, at: data_at, out: &mut self.out[self.end..], end: 0 };
        let Some(timestamp_ns) = record.decode(&header, self.last_ns, fields) else {
            return self.fault("a record is invalid, incomplete, or exceeds the size in the header");
        };
        (self.at, self.end, self.last_ns) = (record.at, self.end + record.end, timestamp_ns);
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
        if self.definitions.len() == MAX_DEFINITIONS {
            return self.fault("there are too many definitions");
        }
        let first = self.fields.len();
        for index in 0..count {
            let kind = match kinds[index / 4] >> (2 * (index & 3)) & 3 {
                0 => FieldKind::Integer,
                1 => FieldKind::Str,
                2 if index + 1 == count => FieldKind::Rest,
                _ => return self.fault("a definition has an unknown kind of field"),
            };
            self.fields.push(Field::new(kind));
        }
        let is_integers = self.fields[first..].iter().all(|field| field.kind == FieldKind::Integer);
        let header = v4::record_header(id, 0, 8 * count as u32, pid, ByteOrder::Little);
        self.definitions.push(Definition { header, first, fields: count, is_integers });
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
        let Some(out) = self.out.get_mut(self.end..end) else {
            return self.fault("the v4 data exceeds the size in the header");
        };
        out.copy_from_slice(raw);
        (self.at, self.end) = (start + raw.len(), end);
        Ok(())
    }
}

/// A record that is being decoded.
struct AnyRecord<'d> {
    codes: &'d [u8],
    body: &'d [u8],
    /// The offset in the body.
    at: usize,
    out: &'d mut [u8],
    /// The number of decoded bytes.
    end: usize,
}

impl AnyRecord<'_> {
    /// Decodes the record, and returns its time. `None` if it is invalid.
    fn decode(&mut self, header: &[u8; PAYLOAD_AT], last_ns: u64, fields: &mut [Field]) -> Option<u64> {
        let timestamp_ns = last_ns.wrapping_add(from_zigzag(self.number(self.code(0))?));
        self.put(header)?;
        for (index, field) in fields.iter_mut().enumerate() {
            let code = self.code(index + 1);
            if field.kind == FieldKind::Integer {
                field.previous = field.previous.wrapping_add(from_zigzag(self.number(code)?));
                self.put(&field.previous.to_le_bytes())?;
                continue;
            }
            if code != SAME {
                let length = usize::try_from(self.number(code)?).ok()?;
                *field = Field { previous: self.at as u64, length, ..*field };
                self.at = self.at.checked_add(length)?;
            }
            let start = usize::try_from(field.previous).ok()?;
            let text = self.body.get(start..start.checked_add(field.length)?)?;
            if field.kind == FieldKind::Str {
                self.put(&u32::try_from(text.len()).ok()?.to_le_bytes())?;
            }
            self.put(text)?;
        }
        let length = (self.end - v4::LENGTH_FROM) as u32;
        self.out[v4::TIMESTAMP_AT..][..8].copy_from_slice(&timestamp_ns.to_le_bytes());
        self.out[v4::LENGTH_AT..][..4].copy_from_slice(&length.to_le_bytes());
        Some(timestamp_ns)
    }

    /// Returns the code of the field with this index. Index 0 is the time.
    fn code(&self, index: usize) -> u8 {
        self.codes[index / 2] >> (4 * (index & 1)) & 15
    }

    /// Decodes a number of `code` bytes.
    fn number(&mut self, code: u8) -> Option<u64> {
        let (mut word, bytes) = ([0; 8], usize::from(code));
        word.get_mut(..bytes)?.copy_from_slice(self.body.get(self.at..self.at + bytes)?);
        self.at += bytes;
        Some(u64::from_le_bytes(word))
    }

    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.out.get_mut(self.end..self.end + bytes.len())?.copy_from_slice(bytes);
        self.end += bytes.len();
        Some(())
    }
}
