//! The digits of a number, without allocation.

/// Up to 22 digits (64 bits in octal), written from the back.
pub(super) struct Digits {
    buffer: [u8; 24],
    start: usize,
}

const PAIRS: &[u8; 200] = b"0001020304050607080910111213141516171819\
      2021222324252627282930313233343536373839\
      4041424344454647484950515253545556575859\
      6061626364656667686970717273747576777879\
      8081828384858687888990919293949596979899";

impl Digits {
    /// Base 10; `0` for 0.
    pub(super) fn decimal(mut number: u64) -> Digits {
        let mut digits = Digits::none();
        while number >= 100 {
            let pair = (number % 100) as usize * 2;
            number /= 100;
            digits.push(PAIRS[pair + 1]);
            digits.push(PAIRS[pair]);
        }
        let pair = number as usize * 2;
        digits.push(PAIRS[pair + 1]);
        if number >= 10 {
            digits.push(PAIRS[pair]);
        }
        digits
    }

    /// Base 16; `0` for 0.
    pub(super) fn hex(number: u64, upper: bool) -> Digits {
        let alphabet = if upper { b"0123456789ABCDEF" } else { b"0123456789abcdef" };
        Digits::in_powers_of_two(number, 4, alphabet)
    }

    /// Base 8; `0` for 0.
    pub(super) fn octal(number: u64) -> Digits {
        Digits::in_powers_of_two(number, 3, b"0123456789abcdef")
    }

    /// No digits.
    pub(super) fn none() -> Digits {
        Digits { buffer: [0; 24], start: 24 }
    }

    #[inline]
    fn in_powers_of_two(mut number: u64, bits: u32, alphabet: &[u8; 16]) -> Digits {
        let mut digits = Digits::none();
        loop {
            digits.push(alphabet[(number & ((1 << bits) - 1)) as usize]);
            number >>= bits;
            if number == 0 {
                return digits;
            }
        }
    }

    #[inline]
    fn push(&mut self, digit: u8) {
        // Never runs over: no 64-bit number has 24 digits. Saturation spares the check a panic.
        self.start = self.start.saturating_sub(1);
        if let Some(place) = self.buffer.get_mut(self.start) {
            *place = digit;
        }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Digits;

    #[test]
    fn the_same_as_the_standard_library() {
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
