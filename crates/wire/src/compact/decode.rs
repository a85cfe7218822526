//! Decoding of blocks.

use std::fmt;

use super::header::BlockHeader;
use super::{DEFINITION, Field, FieldKind, LONG_INDEX, MAX_DEFINITIONS, RAW, SAME, from_zigzag};
use crate::ByteOrder;
use crate::order::{u32_at, u64_at};
use crate::simpletrace::v4::{self, PAYLOAD_AT};

/// The size of a definition without its kinds of fields, in bytes.
const DEFINITION_BYTES: usize = 14;

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

/// The size of strings up to which more bytes are copied than necessary.
const SHORT: usize = 32;

/// Records of at most this number of integers are decoded by a function for their number.
const FEW: usize = 10;

/// The size of the largest of these records as v4.
const FEW_V4_BYTES: usize = PAYLOAD_AT + 8 * FEW;

/// The number of bytes of the body from which such a record is decoded. Each of its numbers is loaded
/// as eight bytes, from an offset that is less than [`OFFSETS`].
const FEW_BYTES: usize = OFFSETS + 8;

/// A power of two that exceeds the size of the largest of these records in the body.
const OFFSETS: usize = 128;

/// Restores the v4 data of blocks. It keeps its buffers between blocks.
#[derive(Debug, Default)]
pub struct BlockDecoder {
    /// The decoded data, up to `end`. It is never shortened, because the system would clear its pages
    /// again.
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
    /// The number of fields if they are at most [`FEW`] integers, else [`OTHER`].
    shape: u8,
    /// The previous values of these fields.
    previous: [u64; FEW],
}

/// The shape of definitions that do not consist of a few integers.
const OTHER: u8 = u8::MAX;

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
        self.decode_with(header, body, |_| (), &mut TakeNone)?;
        Ok(self.decoded())
    }

    /// Decodes like [`BlockDecoder::decode`]. Passes the block to `take` before, whose result is returned; the v4
    /// data of records that it takes is undefined. Passes each later record of a few integers to `visitor`, which
    /// takes none of them.
    ///
    /// # Errors
    /// See [`BlockDecoder::decode`].
    pub fn decode_with<R>(
        &mut self,
        header: &BlockHeader,
        body: &[u8],
        take: impl FnOnce(&mut Decoding<'_>) -> R,
        visitor: &mut impl TakeFew,
    ) -> Result<R, BodyFault> {
        let mut block = self.start(header, body);
        let taken = take(&mut block);
        let result = block.expand_with(usize::MAX, visitor);
        self.end = block.end;
        result.map(|_| taken)
    }

    /// Starts to decode a block whose uncompressed body is `body`, in parts.
    pub fn start<'d>(&'d mut self, header: &BlockHeader, body: &'d [u8]) -> Decoding<'d> {
        let most = header.expanded_bytes as usize;
        if self.out.len() < most {
            self.out = vec![0; most];
        }
        self.definitions.clear();
        self.fields.clear();
        self.end = 0;
        Decoding {
            definitions: &mut self.definitions,
            fields: &mut self.fields,
            out: &mut self.out[..most],
            body,
            body_bytes: header.plain_bytes as usize,
            at: 0,
            end: 0,
            last_ns: 0,
        }
    }

    /// Returns the v4 data of the last block, up to an error.
    pub fn decoded(&self) -> &[u8] {
        &self.out[..self.end]
    }
}

/// The state of decoding records of a few integers.
struct FewState<'s> {
    /// The body from the next item on.
    rest: &'s [u8],
    /// The space for the v4 data of the next records.
    space: &'s mut [u8],
    last_ns: u64,
}

/// The reason why decoding records of a few integers ended.
enum FewEnd {
    /// The next item may belong to another definition.
    Other,
    /// The body or the space ends soon, or the next item is something else.
    Done,
    /// The last record was not taken. Its size as v4.
    Rejected(usize),
    /// A code is invalid.
    Fault,
}

impl Definition {
    /// Decodes consecutive records of `N` integers with this definition. `number` is its index in the block.
    /// Encodes them as v4, unless `take` takes them. Inlined, so that the state stays in registers.
    #[inline(always)]
    fn few<const N: usize, T: TakeFew>(
        &mut self,
        number: usize,
        state: &mut FewState<'_>,
        take: &mut T,
    ) -> FewEnd {
        // The offset after the last number is less than OFFSETS, so masking it changes nothing.
        const { assert!(1 + N / 2 + 1 + 8 * (N + 1) < OFFSETS && N <= FEW && FEW < 15) };
        let Definition { header, previous, .. } = self;
        let Some(previous) = previous.first_chunk_mut::<N>() else { return FewEnd::Fault };
        let mut values = *previous;
        let why = loop {
            let FewState { rest, space, last_ns } = &mut *state;
            let (Some(item), Some(out)) = (rest.first_chunk(), space.first_chunk_mut::<FEW_V4_BYTES>())
            else {
                break FewEnd::Done;
            };
            let item: &[u8; FEW_BYTES] = item;
            if usize::from(item[0]) != number {
                break FewEnd::Other;
            }
            let mut codes = u64_at(item, 1, ByteOrder::Little).unwrap_or(0) & ((1 << (4 * (N + 1))) - 1);
            // A code that exceeds 8 has its highest bit, and another one.
            const HIGH: u64 = 0x8888_8888_8888_8888;
            if codes & HIGH & ((codes & !HIGH) + !HIGH) != 0 {
                break FewEnd::Fault;
            }
            let mut at = 1 + N / 2 + 1;
            let mut next = || {
                let code = codes as usize & 15;
                codes >>= 4;
                let word = u64_at(item, at & (OFFSETS - 1), ByteOrder::Little).unwrap_or(0);
                at += code;
                from_zigzag(word & MASKS[code])
            };
            *last_ns = last_ns.wrapping_add(next());
            for value in &mut values {
                *value = value.wrapping_add(next());
            }
            let event = FewEvent { definition: number, header, item };
            let is_taken = take.take(event, *last_ns, &values);
            if !is_taken {
                out[..PAYLOAD_AT].copy_from_slice(header);
                out[v4::TIMESTAMP_AT..][..8].copy_from_slice(&last_ns.to_le_bytes());
                let (words, _) = out[PAYLOAD_AT..].as_chunks_mut();
                for (value, word) in values.iter().zip(words) {
                    *word = value.to_le_bytes();
                }
            }
            // The mask shows the compiler that the offset is within `item`.
            *rest = &rest[at & (OFFSETS - 1)..];
            *space = &mut std::mem::take(space)[PAYLOAD_AT + 8 * N..];
            if T::TAKES && !is_taken {
                break FewEnd::Rejected(PAYLOAD_AT + 8 * N);
            }
        };
        *previous = values;
        why
    }
}

/// The event of a record of a few integers. A function that is not inlined should take its parts: a reference to
/// it would force all records' events into memory.
#[derive(Debug, Clone, Copy)]
pub struct FewEvent<'d> {
    /// The index of the definition in the block. All its records have the same event and number of
    /// integers.
    pub definition: usize,
    header: &'d [u8; PAYLOAD_AT],
    item: &'d [u8; FEW_BYTES],
}

impl FewEvent<'_> {
    /// Returns the part of the body that starts with the record.
    pub fn body(&self) -> &[u8] {
        self.item
    }

    /// Returns the id and the process id.
    pub fn ids(&self) -> (u64, u32) {
        let id = u64_at(self.header, v4::ID_AT, ByteOrder::Little);
        let pid = u32_at(self.header, v4::PID_AT, ByteOrder::Little);
        (id.unwrap_or_default(), pid.unwrap_or_default())
    }
}

/// A visitor of records of a few integers, compiled into the decoding loop.
pub trait TakeFew {
    /// Whether [`TakeFew::take`] accepts any records.
    const TAKES: bool = true;

    /// Visits a record. Returns `false` if it must be decoded to v4 data instead.
    fn take<const N: usize>(&mut self, event: FewEvent<'_>, timestamp_ns: u64, values: &[u64; N]) -> bool;
}

/// Takes no records.
#[derive(Debug)]
pub struct TakeNone;

impl TakeFew for TakeNone {
    const TAKES: bool = false;

    #[inline(always)]
    fn take<const N: usize>(&mut self, _: FewEvent<'_>, _: u64, _: &[u64; N]) -> bool {
        false
    }
}

/// A block that is being decoded in parts. See [`BlockDecoder::start`].
#[derive(Debug)]
pub struct Decoding<'d> {
    definitions: &'d mut Vec<Definition>,
    fields: &'d mut Vec<Field>,
    /// The space for the v4 data.
    out: &'d mut [u8],
    body: &'d [u8],
    /// The size of the body according to the header.
    body_bytes: usize,
    /// The offset in the body.
    at: usize,
    /// The number of decoded bytes.
    end: usize,
    last_ns: u64,
}

impl Decoding<'_> {
    /// Returns the v4 data that was decoded so far. The bytes of records that [`Decoding::take_while`]
    /// took are undefined.
    pub fn decoded(&self) -> &[u8] {
        &self.out[..self.end]
    }

    /// Decodes at least `bytes` more bytes of v4 data, unless the block ends first. Returns whether it
    /// ended. A mapping record is followed by a record, which may need it as its context.
    ///
    /// # Errors
    /// Returns an error if the body does not follow the format.
    pub fn expand(&mut self, bytes: usize) -> Result<bool, BodyFault> {
        self.expand_with(bytes, &mut TakeNone)
    }

    #[inline(always)]
    fn expand_with<T: TakeFew>(&mut self, bytes: usize, visitor: &mut T) -> Result<bool, BodyFault> {
        const { assert!(!T::TAKES) };
        let enough = self.end.saturating_add(bytes);
        loop {
            self.few(enough, visitor)?;
            let Some(&first) = self.body.get(self.at) else { break };
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
            if self.end >= enough && first < DEFINITION {
                return Ok(false);
            }
        }
        if self.end != self.out.len() {
            return self.fault("the v4 data is smaller than the header states");
        }
        if self.at != self.body_bytes {
            return self.fault("the body has another size than the header states");
        }
        Ok(true)
    }

    /// Decodes records of a few integers as long as `take` takes them. Returns the size of
    /// [`Decoding::decoded`] after them. Their v4 data is not written, but has a place there. The v4 data
    /// of the first record that `take` does not take follows. Also ends at other records and at items that
    /// are not definitions, shortly before the end of the block, and at a fault, which
    /// [`Decoding::expand`] returns.
    #[inline(always)]
    pub fn take_while(&mut self, take: &mut impl TakeFew) -> usize {
        loop {
            // Ignore faults: they are found again.
            let rejected_bytes = self.few(usize::MAX, take).unwrap_or(0);
            let is_definition = self.body.get(self.at) == Some(&DEFINITION);
            if rejected_bytes > 0 || !is_definition || self.define().is_err() {
                return self.end - rejected_bytes;
            }
        }
    }

    #[cold]
    fn fault<T>(&self, what: &'static str) -> Result<T, BodyFault> {
        Err(BodyFault { at: self.at, what })
    }

    /// Decodes records of a few integers, up to another item or to `enough` bytes of v4 data. Stops
    /// shortly before the end of the body or of the space for v4 data, and after a record that `take`
    /// does not take, whose size as v4 it then returns.
    #[inline(always)]
    fn few<T: TakeFew>(&mut self, enough: usize, take: &mut T) -> Result<usize, BodyFault> {
        let short = self.definitions.len().min(usize::from(LONG_INDEX));
        let definitions = &mut self.definitions[..short];
        let most = self.out.len().min(enough.saturating_add(FEW_V4_BYTES));
        let rest = self.body.get(self.at..).unwrap_or_default();
        let space = self.out.get_mut(self.end..most).unwrap_or_default();
        let (rest_bytes, space_bytes) = (rest.len(), space.len());
        let mut state = FewState { rest, space, last_ns: self.last_ns };
        let why = loop {
            let Some(&number) = state.rest.first() else { break FewEnd::Done };
            let number = usize::from(number);
            let Some(definition) = definitions.get_mut(number) else { break FewEnd::Done };
            let why = match definition.shape {
                0 => definition.few::<0, T>(number, &mut state, take),
                1 => definition.few::<1, T>(number, &mut state, take),
                2 => definition.few::<2, T>(number, &mut state, take),
                3 => definition.few::<3, T>(number, &mut state, take),
                4 => definition.few::<4, T>(number, &mut state, take),
                5 => definition.few::<5, T>(number, &mut state, take),
                6 => definition.few::<6, T>(number, &mut state, take),
                7 => definition.few::<7, T>(number, &mut state, take),
                8 => definition.few::<8, T>(number, &mut state, take),
                9 => definition.few::<9, T>(number, &mut state, take),
                10 => definition.few::<FEW, T>(number, &mut state, take),
                _ => break FewEnd::Done,
            };
            if !matches!(why, FewEnd::Other) {
                break why;
            }
        };
        self.at += rest_bytes - state.rest.len();
        self.end += space_bytes - state.space.len();
        self.last_ns = state.last_ns;
        match why {
            FewEnd::Other | FewEnd::Done => Ok(0),
            FewEnd::Rejected(v4_bytes) => Ok(v4_bytes),
            FewEnd::Fault => self.fault(CODE),
        }
    }

    /// Decodes a record with any fields. Its index takes `index_bytes` bytes.
    fn record(&mut self, index: usize, index_bytes: usize) -> Result<(), BodyFault> {
        let Some(definition) = self.definitions.get_mut(index) else {
            return self.fault("a record has no definition");
        };
        let codes_at = self.at + index_bytes;
        let data_at = codes_at + definition.fields / 2 + 1;
        let Some(codes) = self.body.get(codes_at..data_at) else { return self.fault(CUT) };
        let fields = self.fields.get_mut(definition.first..).unwrap_or_default();
        let Some(fields) = fields.get_mut(..definition.fields) else { return self.fault(CUT) };
        if definition.shape != OTHER {
            fields
                .iter_mut()
                .zip(definition.previous)
                .for_each(|(field, previous)| field.previous = previous);
        }
        let space = &mut self.out[self.end..];
        let mut record = Record { body: self.body, at: data_at, out: space, end: 0 };
        let Some(timestamp_ns) = record.decode(&definition.header, codes, self.last_ns, fields) else {
            return self.fault("a record is invalid, incomplete, or exceeds the size in the header");
        };
        if definition.shape != OTHER {
            definition
                .previous
                .iter_mut()
                .zip(fields)
                .for_each(|(previous, field)| *previous = field.previous);
        }
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
        let shape = if is_integers && count <= FEW { count as u8 } else { OTHER };
        self.definitions.push(Definition { header, first, fields: count, shape, previous: [0; FEW] });
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
struct Record<'d> {
    body: &'d [u8],
    /// The offset in the body.
    at: usize,
    /// The space for the v4 data.
    out: &'d mut [u8],
    /// The number of decoded bytes.
    end: usize,
}

impl Record<'_> {
    /// Decodes the record, and returns its time. `None` if it is invalid.
    #[inline(always)]
    fn decode(
        &mut self,
        header: &[u8; PAYLOAD_AT],
        codes: &[u8],
        last_ns: u64,
        fields: &mut [Field],
    ) -> Option<u64> {
        let code = |index: usize| Some(codes.get(index / 2)? >> (4 * (index & 1)) & 15);
        let timestamp_ns = last_ns.wrapping_add(from_zigzag(self.number(code(0)?)?));
        self.put(header)?;
        for (index, field) in fields.iter_mut().enumerate() {
            let code = code(index + 1)?;
            if field.kind == FieldKind::Integer {
                field.previous = field.previous.wrapping_add(from_zigzag(self.number(code)?));
                self.put(&field.previous.to_le_bytes())?;
                continue;
            }
            if code != SAME {
                field.length = usize::try_from(self.number(code)?).ok()?;
                field.previous = self.at as u64;
                self.at = self.at.checked_add(field.length)?;
            }
            if field.kind == FieldKind::Str {
                self.put(&u32::try_from(field.length).ok()?.to_le_bytes())?;
            }
            self.put_text(usize::try_from(field.previous).ok()?, field.length)?;
        }
        let length = (self.end - v4::LENGTH_FROM) as u32;
        self.out[v4::TIMESTAMP_AT..][..8].copy_from_slice(&timestamp_ns.to_le_bytes());
        self.out[v4::LENGTH_AT..][..4].copy_from_slice(&length.to_le_bytes());
        Some(timestamp_ns)
    }

    /// Decodes a number of `code` bytes.
    #[inline(always)]
    fn number(&mut self, code: u8) -> Option<u64> {
        let rest = self.body.get(self.at..)?;
        self.at += usize::from(code);
        match rest.first_chunk() {
            Some(word) if code <= 8 => Some(u64::from_le_bytes(*word) & MASKS[usize::from(code & 15)]),
            _ => number_at_end(rest, code),
        }
    }

    /// Appends the bytes of the body from `start` on.
    #[inline(always)]
    fn put_text(&mut self, start: usize, length: usize) -> Option<()> {
        let source = self.body.get(start..)?;
        let out = self.out.get_mut(self.end..)?;
        // The lengths of strings are hard to predict. Copying a fixed number of bytes takes less time
        // than choosing the best way to copy exactly the string.
        match (source.first_chunk::<SHORT>(), out.first_chunk_mut::<SHORT>()) {
            (Some(source), Some(out)) if length <= SHORT => *out = *source,
            _ => out.get_mut(..length)?.copy_from_slice(source.get(..length)?),
        }
        self.end += length;
        Some(())
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: &[u8; N]) -> Option<()> {
        *self.out.get_mut(self.end..)?.first_chunk_mut()? = *bytes;
        self.end += N;
        Some(())
    }
}

/// Decodes a number of `code` bytes at the start of `rest`, the last bytes of the body.
#[cold]
fn number_at_end(rest: &[u8], code: u8) -> Option<u64> {
    let mut word = [0; 8];
    let number = word.get_mut(..usize::from(code))?;
    number.copy_from_slice(rest.get(..usize::from(code))?);
    Some(u64::from_le_bytes(word))
}
