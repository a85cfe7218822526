//! Numbers as text.

use std::io::Write;

use super::buffer::PushBlocks;
use super::{Block, Reserved};

/// Enough space for any number that this module formats, in bytes.
pub const NUMBER_BYTES: usize = 64;

const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut i = 0;
    while i < 100 {
        pairs[i] = [b'0' + (i / 10) as u8, b'0' + (i % 10) as u8];
        i += 1;
    }
    pairs
};

/// `.000` to `.999`.
static THOUSANDTHS: [[u8; 4]; 1000] = {
    let mut texts = [[b'.'; 4]; 1000];
    let mut i = 0;
    while i < 1000 {
        texts[i] = [b'.', b'0' + (i / 100) as u8, PAIRS[i % 100][0], PAIRS[i % 100][1]];
        i += 1;
    }
    texts
};

/// `0` to `999`, each followed by its number of digits.
static UP_TO_999: [[u8; 4]; 1000] = {
    let mut texts = [[0; 4]; 1000];
    let mut i = 0;
    while i < 1000 {
        let [_, a, b, c] = THOUSANDTHS[i];
        texts[i] = match i {
            0..10 => [c, 0, 0, 1],
            10..100 => [b, c, 0, 2],
            _ => [a, b, c, 3],
        };
        i += 1;
    }
    texts
};

/// Appends `value` in lower-case hex, without leading zeros.
#[inline(always)]
pub fn push_hex(value: u64, out: &mut Reserved<'_>) {
    out.push_block(&hex(value));
}

/// Formats `value` in lower-case hex, without leading zeros.
#[inline(always)]
pub fn hex(value: u64) -> Block<16> {
    let highest = (value | 1).ilog2();
    // Shift the first digit to the top, so that the leading zeros fall off the end.
    let digits = hex_digits(value << (!highest & 0b11_1100));
    Block::first(digits, highest as usize / 4 + 1)
}

/// Returns the 16 hex digits of `value`, most significant first.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
#[expect(unsafe_code, reason = "SSE2 instructions, which every x86-64 has")]
fn hex_digits(value: u64) -> [u8; 16] {
    // SAFETY: The function needs SSE2, which this build enables for all code (see the cfg above).
    unsafe { hex_digits_sse2(value) }
}

/// Returns the 16 hex digits of `value`, most significant first.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[inline(always)]
fn hex_digits(value: u64) -> [u8; 16] {
    hex_digits_portable(value)
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
#[target_feature(enable = "sse2")]
fn hex_digits_sse2(value: u64) -> [u8; 16] {
    use std::arch::x86_64::{
        _mm_add_epi8, _mm_and_si128, _mm_cmpgt_epi8, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_set1_epi8,
        _mm_srli_epi16, _mm_unpackhi_epi64, _mm_unpacklo_epi8,
    };
    // One nibble per byte: the high and low nibbles of the eight bytes, interleaved.
    let bytes = _mm_cvtsi64_si128(value.swap_bytes().cast_signed());
    let low_nibbles = _mm_set1_epi8(15);
    let high = _mm_and_si128(_mm_srli_epi16::<4>(bytes), low_nibbles);
    let nibbles = _mm_unpacklo_epi8(high, _mm_and_si128(bytes, low_nibbles));
    let letters = _mm_and_si128(_mm_cmpgt_epi8(nibbles, _mm_set1_epi8(9)), _mm_set1_epi8(39));
    let digits = _mm_add_epi8(_mm_add_epi8(nibbles, _mm_set1_epi8(b'0'.cast_signed())), letters);
    let first = _mm_cvtsi128_si64(digits).cast_unsigned().to_le_bytes();
    let second = _mm_cvtsi128_si64(_mm_unpackhi_epi64(digits, digits)).cast_unsigned().to_le_bytes();
    join(first, second)
}

#[cfg_attr(all(target_arch = "x86_64", target_feature = "sse2"), allow(dead_code))]
#[inline(always)]
fn hex_digits_portable(value: u64) -> [u8; 16] {
    let half = |value: u32| {
        let mut x = u64::from(value);
        x = (x | x << 16) & 0x0000_ffff_0000_ffff;
        x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
        x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        let letters = ((x + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
        (x + 0x3030_3030_3030_3030 + letters * 39).to_be_bytes()
    };
    join(half((value >> 32) as u32), half(value as u32))
}

#[inline(always)]
fn join(first: [u8; 8], second: [u8; 8]) -> [u8; 16] {
    let mut both = [0; 16];
    both[..8].copy_from_slice(&first);
    both[8..].copy_from_slice(&second);
    both
}

/// Appends the `double` with these bits, with as many digits as are needed to read back the same
/// number: `0.5`, `1.0`, `1e-7`, `-inf`, `NaN`.
#[inline(never)]
pub fn push_double(bits: u64, out: &mut Reserved<'_>) {
    let mut text = [0; NUMBER_BYTES];
    let mut rest = &mut text[..];
    // The longest text has 24 bytes: `-2.2250738585072014e-308`.
    let _ = write!(rest, "{:?}", f64::from_bits(bits));
    let count = NUMBER_BYTES - rest.len();
    out.push(&text[..count]);
}

/// Appends `value` in decimal.
///
/// The digits are computed in registers. Loading eight bytes that were stored one by one stalls.
#[inline(always)]
pub fn push_decimal(value: u64, out: &mut Reserved<'_>) {
    const SIXTEEN_DIGITS: u64 = 10_u64.pow(16);
    if value < EIGHT_DIGITS {
        push_up_to_eight_digits(value, out);
    } else if value < SIXTEEN_DIGITS {
        let digits = sixteen_digits(value);
        let zeros = digits.trailing_zeros() / 8;
        out.push_block(&Block::first(as_text(digits >> (8 * zeros)), 16 - zeros as usize));
    } else {
        push_up_to_eight_digits(value / SIXTEEN_DIGITS, out);
        out.push_block(&Block::full(as_text(sixteen_digits(value % SIXTEEN_DIGITS))));
    }
}

const EIGHT_DIGITS: u64 = 10_u64.pow(8);

#[inline(always)]
fn push_up_to_eight_digits(value: u64, out: &mut Reserved<'_>) {
    let digits = eight_digits(value);
    // Zero has a digit, too.
    let zeros = (digits | 1 << 56).trailing_zeros() / 8;
    let text = ((digits >> (8 * zeros)) | 0x3030_3030_3030_3030).to_le_bytes();
    out.push_block(&Block::first(text, 8 - zeros as usize));
}

/// Returns the digits of a number below 10^16, one in each byte, with the first one in the lowest byte.
#[inline(always)]
fn sixteen_digits(value: u64) -> u128 {
    let (first, second) = (eight_digits(value / EIGHT_DIGITS), eight_digits(value % EIGHT_DIGITS));
    u128::from(first) | u128::from(second) << 64
}

/// Returns the digits of a number below 10^8 like [`sixteen_digits`]. It divides several numbers at once, by
/// multiplying with the inverse.
#[inline(always)]
fn eight_digits(value: u64) -> u64 {
    // Two numbers of four digits.
    let fours = (value / 10_000) | ((value % 10_000) << 32);
    // Four numbers of two digits.
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    tens | (twos - 10 * tens) << 8
}

#[inline(always)]
fn as_text(digits: u128) -> [u8; 16] {
    (digits | 0x3030_3030_3030_3030_3030_3030_3030_3030).to_le_bytes()
}

/// The number of digits of the largest u64.
const DECIMAL_DIGITS: usize = 20;

/// Writes `value` to the end of `digits`, and returns the index of its first digit.
#[inline(always)]
fn write_decimal(value: u64, digits: &mut [u8; DECIMAL_DIGITS]) -> usize {
    let mut at = digits.len();
    let mut left = value;
    while left >= 100 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[(left % 100) as usize]);
        left /= 100;
    }
    if left >= 10 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[left as usize]);
    } else {
        at -= 1;
        digits[at] = b'0' + left as u8;
    }
    at
}

/// Appends a time that is given in thousandths of its unit: `1234.567` for 1234567.
#[inline(always)]
pub fn push_thousandths(thousandths: u64, out: &mut Reserved<'_>) {
    if !push_short_thousandths(thousandths, out) {
        out.push_block(&long_thousandths(thousandths));
    }
}

/// Like [`push_thousandths`], for values below a million, as nearly all are. For larger values,
/// appends nothing and returns `false`. There is no branch on the number of digits, because it
/// would be unpredictable.
#[inline(always)]
pub fn push_short_thousandths(thousandths: u64, out: &mut impl PushBlocks) -> bool {
    if thousandths >= 1_000_000 {
        return false;
    }
    let thousandths = thousandths as u32 as usize;
    let whole = UP_TO_999[thousandths / 1000];
    // The mask lets the compiler prove that the count is below 4, and omit a test.
    let count = usize::from(whole[3] & 3);
    out.push_both(&Block::first(whole, count), &Block::full(THOUSANDTHS[thousandths % 1000]));
    true
}

/// Formats any time in thousandths of its unit.
#[cold]
#[inline(never)]
pub fn long_thousandths(thousandths: u64) -> Block<24> {
    let mut digits = [0; DECIMAL_DIGITS];
    let at = write_decimal(thousandths / 1000, &mut digits);
    let mut text = [0; 24];
    let (whole, fraction) = text.split_at_mut(DECIMAL_DIGITS - at);
    whole.copy_from_slice(&digits[at..]);
    fraction[..4].copy_from_slice(&THOUSANDTHS[(thousandths % 1000) as usize]);
    Block::first(text, DECIMAL_DIGITS - at + 4)
}

/// Appends `value` in decimal, with leading zeros up to `width` digits.
pub fn push_padded(value: u64, width: usize, out: &mut Reserved<'_>) {
    let mut digits = 1;
    let mut bound = 10_u64;
    while digits < width && value >= bound {
        digits += 1;
        bound = bound.saturating_mul(10);
    }
    for _ in digits..width {
        out.push_byte(b'0');
    }
    push_decimal(value, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use crate::text::TextBuffer;

    fn text(push: impl FnOnce(&mut Reserved<'_>)) -> String {
        let mut out = TextBuffer::with_capacity(0);
        let mut space = out.reserve(NUMBER_BYTES);
        push(&mut space);
        space.keep();
        String::from_utf8(out.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn all_numbers_of_four_digits_are_right() {
        for value in 0..20_000 {
            assert_eq!(text(|out| push_decimal(value, out)), value.to_string());
            let large = 99_990_000 + value;
            assert_eq!(text(|out| push_decimal(large, out)), large.to_string());
        }
    }

    proptest! {
        #[test]
        fn numbers_match_the_standard_library(value: u64, shift in 0_u32..64) {
            let value = value >> shift;
            prop_assert_eq!(text(|out| push_hex(value, out)), format!("{value:x}"));
            prop_assert_eq!(text(|out| push_decimal(value, out)), value.to_string());
            let power = 10_u64.pow(shift % 20);
            for near in [power - 1, power, power + 1] {
                prop_assert_eq!(text(|out| push_decimal(near, out)), near.to_string());
            }
            prop_assert_eq!(
                text(|out| push_thousandths(value, out)),
                format!("{}.{:03}", value / 1000, value % 1000)
            );
            prop_assert_eq!(text(|out| push_padded(value, 9, out)), format!("{value:09}"));
            let portable = hex_digits_portable(value);
            prop_assert_eq!(String::from_utf8(portable.to_vec()).unwrap(), format!("{value:016x}"));
        }
    }
}
