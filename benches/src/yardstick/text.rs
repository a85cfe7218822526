//! Writes the text of a trace, using a table of two events, one buffer and a cursor.

#![expect(unsafe_code, reason = "copies of constant length, without bounds checks")]

use std::fs::File;
use std::io::Write;

use crate::layout::{
    EVENT_BYTES, EVENT_ID_AT, EVENT_LENGTH_AT, EVENT_PID_AT, EVENT_TIME_AT, HEADER_BYTES, MAPPING_BYTES,
    MAPPING_ID_AT, MAPPING_LENGTH_AT, TYPE_BYTES, u32_at, u64_at,
};

/// The number of bytes in a write.
const FLUSH_BYTES: usize = 1 << 18;

/// Upper bound on the length of a line. The SAFETY comment in the loop that uses [`Cursor`] derives
/// it.
const LINE_BYTES: usize = 4096;

/// The longest string accepted.
const MAX_STRING_BYTES: usize = 1024;

/// The number of ids that can be mapped.
const IDS: usize = 1024;

/// A short text in a block that is copied as a whole, because a copy of constant length is a single
/// instruction.
struct Piece {
    block: [u8; 16],
    bytes: usize,
}

impl Piece {
    const fn new(text: &[u8]) -> Piece {
        let mut block = [0; 16];
        let mut at = 0;
        while at < text.len() {
            block[at] = text[at];
            at += 1;
        }
        Piece { block, bytes: text.len() }
    }
}

struct Argument {
    prefix: Piece,
    is_string: bool,
}

struct Event {
    name: Piece,
    arguments: [Argument; 2],
}

static EVENTS: [Event; 2] = [
    Event {
        name: Piece::new(b"perf_two "),
        arguments: [
            Argument { prefix: Piece::new(b"a=0x"), is_string: false },
            Argument { prefix: Piece::new(b" b=0x"), is_string: false },
        ],
    },
    Event {
        name: Piece::new(b"perf_str "),
        arguments: [
            Argument { prefix: Piece::new(b"s=b'"), is_string: true },
            Argument { prefix: Piece::new(b"' a=0x"), is_string: false },
        ],
    },
];

pub fn text(trace: &[u8], out: File) -> Result<(), String> {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
        {
            // SAFETY: the processor has all features that the function is compiled for.
            return unsafe { text_avx2(trace, out) };
        }
    }
    render(trace, out, hex_digits)
}

/// [`render`], compiled for processors with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn text_avx2(trace: &[u8], out: File) -> Result<(), String> {
    render(trace, out, |value| hex_digits_ssse3(value))
}

#[inline(always)]
fn render(trace: &[u8], mut out: File, hex_digits: impl Fn(u64) -> [u8; 16]) -> Result<(), String> {
    let mut buffer = vec![0; FLUSH_BYTES + LINE_BYTES];
    let start = buffer.as_mut_ptr();
    let mut line = Cursor { at: start };
    let mut events: [Option<&Event>; IDS] = [None; IDS];
    let mut last_ns = None;
    let mut pid_text = (Piece::new(b""), u32::MAX);
    let mut rest = trace.get(HEADER_BYTES..).unwrap_or_default();
    while let Some(kind) = u64_at(rest, 0) {
        if kind == 0 {
            let Some(size) = map(rest, &mut events) else { break };
            rest = &rest[size..];
            continue;
        }
        let Some(head) = rest.first_chunk::<EVENT_BYTES>() else { break };
        let (id, length, pid) =
            (word(head, EVENT_ID_AT), half(head, EVENT_LENGTH_AT), half(head, EVENT_PID_AT));
        let end = TYPE_BYTES + length as usize;
        let Some(mut payload) = rest.get(EVENT_BYTES..end) else { break };
        let Some(Some(event)) = events.get(id as usize) else { return Err(format!("event id {id}")) };
        if kind != 1 {
            return Err(format!("record type {kind}"));
        }
        if pid != pid_text.1 {
            pid_text = (Piece::new(format!(" pid={pid} ").as_bytes()), pid);
        }
        let now_ns = word(head, EVENT_TIME_AT);
        let delta_ns = now_ns.wrapping_sub(last_ns.unwrap_or(now_ns));
        last_ns = Some(now_ns);
        // SAFETY: the cursor is at most FLUSH_BYTES from the start of the buffer. The LINE_BYTES
        // after that are enough for one iteration. It writes a name (16 bytes), a time (24), a pid
        // (16), two arguments, and a line end. Each argument is a prefix (16) and either a number
        // (16) or a string (MAX_STRING_BYTES and 16 more).
        unsafe {
            line.piece(&event.name);
            line.thousandths(delta_ns);
            line.piece(&pid_text.0);
            for argument in &event.arguments {
                line.piece(&argument.prefix);
                if argument.is_string {
                    let Some((bytes, tail)) = string(payload) else {
                        return Err("a truncated string".to_owned());
                    };
                    if !line.plain(bytes) {
                        return Err("a string contains a byte that must be escaped".to_owned());
                    }
                    payload = tail;
                } else {
                    let Some((value, tail)) = payload.split_first_chunk() else {
                        return Err("a truncated argument".to_owned());
                    };
                    line.hex(u64::from_le_bytes(*value), &hex_digits);
                    payload = tail;
                }
            }
            line.block(b"\n", 1);
        }
        rest = &rest[end..];
        let used = line.at.addr() - start.addr();
        if used > FLUSH_BYTES {
            out.write_all(&buffer[..used]).map_err(|error| format!("standard output: {error}"))?;
            line.at = start;
        }
    }
    let used = line.at.addr() - start.addr();
    out.write_all(&buffer[..used]).map_err(|error| format!("standard output: {error}"))?;
    if rest.is_empty() {
        Ok(())
    } else {
        Err(format!("the last {} bytes are not a complete record", rest.len()))
    }
}

/// Reads a mapping record. Returns `None` if it is truncated.
#[cold]
fn map(rest: &[u8], events: &mut [Option<&Event>; IDS]) -> Option<usize> {
    let id = u64_at(rest, MAPPING_ID_AT)?;
    let end = MAPPING_BYTES + u32_at(rest, MAPPING_LENGTH_AT)? as usize;
    let name = rest.get(MAPPING_BYTES..end)?;
    let is_named = |event: &&Event| event.name.block[..event.name.bytes].strip_suffix(b" ") == Some(name);
    if let Some(slot) = events.get_mut(usize::try_from(id).ok()?) {
        *slot = EVENTS.iter().find(is_named);
    }
    Some(end)
}

#[inline(always)]
fn word(head: &[u8; EVENT_BYTES], at: usize) -> u64 {
    u64_at(head, at).unwrap_or(0)
}

#[inline(always)]
fn half(head: &[u8; EVENT_BYTES], at: usize) -> u32 {
    u32_at(head, at).unwrap_or(0)
}

/// Splits a string of at most [`MAX_STRING_BYTES`] off the front of `payload`.
#[inline(always)]
fn string(payload: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, tail) = payload.split_first_chunk()?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > MAX_STRING_BYTES { None } else { tail.split_at_checked(length) }
}

/// A write position in the buffer. Its functions write whole blocks of up to 32 bytes, and advance
/// by the used part. The caller guarantees that there is space.
struct Cursor {
    at: *mut u8,
}

impl Cursor {
    /// # Safety
    /// N bytes must be free, and `count` must be at most N.
    #[inline(always)]
    unsafe fn block<const N: usize>(&mut self, block: &[u8; N], count: usize) {
        // SAFETY: the caller guarantees that N bytes are free.
        unsafe {
            self.at.copy_from_nonoverlapping(block.as_ptr(), N);
            self.at = self.at.add(count);
        }
    }

    /// # Safety
    /// 16 bytes must be free.
    #[inline(always)]
    unsafe fn piece(&mut self, piece: &Piece) {
        // SAFETY: the caller guarantees that 16 bytes are free, and no piece is longer than its
        // block.
        unsafe { self.block(&piece.block, piece.bytes) }
    }

    /// # Safety
    /// 24 bytes must be free.
    #[inline(always)]
    unsafe fn thousandths(&mut self, value: u64) {
        let (whole, fraction) = (value / 1000, value % 1000);
        // SAFETY: the caller guarantees 24 free bytes. At most 20 digits, a point and three digits
        // are written.
        unsafe {
            if whole < 10 {
                self.block(&[b'0' + whole as u8], 1);
            } else {
                self.decimal(whole);
            }
            self.block(&THOUSANDTHS[fraction as usize], 4);
        }
    }

    /// # Safety
    /// 20 bytes must be free.
    #[inline(always)]
    unsafe fn decimal(&mut self, mut value: u64) {
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        // SAFETY: the caller guarantees 20 free bytes, and `at..` is at most 20 bytes long.
        unsafe {
            self.at.copy_from_nonoverlapping(digits.as_ptr().add(at), digits.len() - at);
            self.at = self.at.add(digits.len() - at);
        }
    }

    /// # Safety
    /// 16 bytes must be free.
    #[inline(always)]
    unsafe fn hex(&mut self, value: u64, hex_digits: impl Fn(u64) -> [u8; 16]) {
        let digits = (67 - (value | 1).leading_zeros()) / 4;
        // SAFETY: the caller guarantees 16 free bytes, and a u64 has at most 16 hex digits.
        unsafe { self.block(&hex_digits(value << (4 * (16 - digits))), digits as usize) }
    }

    /// Writes `bytes`. Returns `false` if some of them need to be escaped.
    ///
    /// # Safety
    /// At least as many bytes must be free as `bytes` contains.
    #[inline(always)]
    unsafe fn plain(&mut self, bytes: &[u8]) -> bool {
        let odd = |&byte: &u8| !(b' '..=b'~').contains(&byte) | (byte == b'\\') | (byte == b'\'');
        // SAFETY: the caller guarantees that enough bytes are free.
        unsafe {
            self.at.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            self.at = self.at.add(bytes.len());
        }
        !bytes.iter().fold(false, |any, byte| any | odd(byte))
    }
}

/// `.000` to `.999`.
static THOUSANDTHS: [[u8; 4]; 1000] = {
    let mut texts = [[b'.'; 4]; 1000];
    let mut i = 0;
    while i < 1000 {
        texts[i] = [b'.', b'0' + (i / 100) as u8, b'0' + (i / 10 % 10) as u8, b'0' + (i % 10) as u8];
        i += 1;
    }
    texts
};

/// Returns the 16 hex digits of `value`, most significant first.
fn hex_digits(value: u64) -> [u8; 16] {
    let mut digits = [0; 16];
    for (digit, shift) in digits.iter_mut().zip((0..16).rev()) {
        *digit = b"0123456789abcdef"[(value >> (4 * shift) & 15) as usize];
    }
    digits
}

/// Returns the 16 hex digits of `value`, with a shuffle that looks up all digits at once.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "ssse3")]
fn hex_digits_ssse3(value: u64) -> [u8; 16] {
    use std::arch::x86_64::{
        _mm_and_si128, _mm_cvtsi64_si128, _mm_set1_epi8, _mm_setr_epi8, _mm_shuffle_epi8, _mm_srli_epi16,
        _mm_storeu_si128, _mm_unpacklo_epi8,
    };
    let bytes = _mm_cvtsi64_si128(value.swap_bytes().cast_signed());
    let low = _mm_set1_epi8(15);
    let nibbles =
        _mm_unpacklo_epi8(_mm_and_si128(_mm_srli_epi16::<4>(bytes), low), _mm_and_si128(bytes, low));
    let [zero, nine, a] = b"09a".map(u8::cast_signed);
    let letter = |nth: i8| a + nth;
    let digit = |nth: i8| zero + nth;
    let table = _mm_setr_epi8(
        zero,
        digit(1),
        digit(2),
        digit(3),
        digit(4),
        digit(5),
        digit(6),
        digit(7),
        digit(8),
        nine,
        a,
        letter(1),
        letter(2),
        letter(3),
        letter(4),
        letter(5),
    );
    let mut digits = [0; 16];
    // SAFETY: `digits` is 16 bytes, and the store needs no alignment.
    unsafe { _mm_storeu_si128(digits.as_mut_ptr().cast(), _mm_shuffle_epi8(table, nibbles)) };
    digits
}
