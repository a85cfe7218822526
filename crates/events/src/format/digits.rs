//! Digits of a number, without allocation.

use super::Output;

/// Buffer size: enough for 22 digits (64 bits in octal), and for storing 16 digits at once.
const ROOM: usize = 24;

/// Up to 22 digits at the start of a buffer.
pub(super) struct Digits {
    buffer: [u8; ROOM],
    length: usize,
}

const PAIRS: &[u8; 200] = b"0001020304050607080910111213141516171819\
      2021222324252627282930313233343536373839\
      4041424344454647484950515253545556575859\
      6061626364656667686970717273747576777879\
      8081828384858687888990919293949596979899";

impl Digits {
    /// Digits in base 10. Zero is `0`.
    #[inline]
    pub(super) fn decimal(mut number: u64) -> Digits {
        let length = number.checked_ilog10().unwrap_or(0) as usize + 1;
        let mut buffer = [0; ROOM];
        let mut end = length;
        while end >= 2 {
            let pair = (number % 100) as usize * 2;
            number /= 100;
            buffer[end - 2..end].copy_from_slice(&PAIRS[pair..pair + 2]);
            end -= 2;
        }
        if end == 1 {
            buffer[0] = b'0' + (number % 10) as u8;
        }
        Digits { buffer, length }
    }

    /// Digits in base 16. Zero is `0`.
    #[inline]
    pub(super) fn hex(number: u64, upper: bool) -> Digits {
        let length = (number | 1).ilog2() as usize / 4 + 1;
        // Shift the first digit to the top, so that digits and bytes are in the same order.
        let aligned = number << (64 - length * 4);
        let letter_offset = if upper { b'A' } else { b'a' } - b'0' - 10;
        let mut buffer = [0; ROOM];
        buffer[..8].copy_from_slice(&eight_hex_digits((aligned >> 32) as u32, letter_offset));
        buffer[8..16].copy_from_slice(&eight_hex_digits(aligned as u32, letter_offset));
        Digits { buffer, length }
    }

    /// Digits in base 8. Zero is `0`.
    pub(super) fn octal(mut number: u64) -> Digits {
        let length = (number | 1).ilog2() as usize / 3 + 1;
        let mut buffer = [0; ROOM];
        for digit in buffer[..length].iter_mut().rev() {
            *digit = b'0' + (number & 7) as u8;
            number >>= 3;
        }
        Digits { buffer, length }
    }

    pub(super) fn none() -> Digits {
        Digits { buffer: [0; ROOM], length: 0 }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.buffer[..self.length]
    }

    #[inline]
    pub(super) fn append_to(&self, out: &mut impl Output) {
        out.push_start(&self.buffer, self.length);
    }
}

/// Returns all eight hex digits of `number`, most significant first.
///
/// `letter_offset` is the distance between the character after `9` and the letter for 10.
#[inline]
fn eight_hex_digits(number: u32, letter_offset: u8) -> [u8; 8] {
    // Spread the eight nibbles over the eight bytes of a word, halving in each step.
    let mut spread = u64::from(number);
    spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff;
    spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ff;
    spread = (spread | spread << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    const EVERY_BYTE: u64 = 0x0101_0101_0101_0101;
    // A byte of this word is 1 if its nibble is above 9: adding 6 then carries into bit 4.
    let letters = ((spread + 6 * EVERY_BYTE) >> 4) & EVERY_BYTE;
    (spread + u64::from(b'0') * EVERY_BYTE + letters * u64::from(letter_offset)).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::Digits;

    #[test]
    fn digits_match_the_standard_library() {
        let mut number = u64::MAX;
        let numbers = std::iter::from_fn(|| {
            number = number / 3 * 2;
            Some(number)
        });
        for number in numbers.take(120).chain(0..=1001).chain([u64::MAX, i64::MAX as u64]) {
            assert_eq!(Digits::decimal(number).as_slice(), number.to_string().as_bytes());
            assert_eq!(Digits::hex(number, false).as_slice(), format!("{number:x}").as_bytes());
            assert_eq!(Digits::hex(number, true).as_slice(), format!("{number:X}").as_bytes());
            assert_eq!(Digits::octal(number).as_slice(), format!("{number:o}").as_bytes());
        }
    }
}
