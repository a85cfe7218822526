//! Buffers in the layout of Arrow: bitmaps and strings.

/// A sequence of bits. The lowest bit of a byte comes first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bitmap {
    bytes: Vec<u8>,
    bits: usize,
    zeros: usize,
}

impl Bitmap {
    /// Returns the bytes. Unused bits of the last byte are 0.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Converts the bitmap to its bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the number of bits.
    pub fn len(&self) -> usize {
        self.bits
    }

    /// Returns whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.bits == 0
    }

    /// Returns the number of bits that are 0.
    pub fn count_zeros(&self) -> usize {
        self.zeros
    }

    /// Returns bit `index`, or false if there is none.
    pub fn get(&self, index: usize) -> bool {
        self.bytes.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 != 0)
    }

    /// Returns the bits.
    pub fn iter(&self) -> impl Iterator<Item = bool> {
        (0..self.bits).map(|index| self.get(index))
    }

    /// Returns the runs of equal bits: the bit, and their number.
    pub fn runs(&self) -> Vec<(bool, usize)> {
        let mut runs: Vec<(bool, usize)> = Vec::new();
        let mut add = |bit, count| match runs.last_mut() {
            Some((last, total)) if *last == bit => *total += count,
            _ => runs.push((bit, count)),
        };
        for (index, &byte) in self.bytes.iter().enumerate() {
            let count = (self.bits - 8 * index).min(8);
            match byte {
                0 => add(false, count),
                0xff => add(true, count),
                _ => (0..count).for_each(|bit| add(byte >> bit & 1 != 0, 1)),
            }
        }
        runs
    }

    #[inline]
    pub(super) fn push(&mut self, bit: bool) {
        if self.bits.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.bits % 8);
        }
        self.bits += 1;
        self.zeros += usize::from(!bit);
    }

    pub(super) fn push_run(&mut self, bit: bool, mut count: usize) {
        while count > 0 && !self.bits.is_multiple_of(8) {
            self.push(bit);
            count -= 1;
        }
        let whole = count / 8;
        self.bytes.resize(self.bytes.len() + whole, if bit { 0xff } else { 0 });
        self.bits += 8 * whole;
        self.zeros += if bit { 0 } else { 8 * whole };
        for _ in 0..count % 8 {
            self.push(bit);
        }
    }

    /// Appends the bits of `other`.
    pub(super) fn extend(&mut self, other: &Bitmap) {
        if other.zeros == other.bits {
            return self.push_run(false, other.bits);
        }
        let shift = self.bits % 8;
        if shift == 0 {
            self.bytes.extend_from_slice(&other.bytes);
        } else {
            for &byte in &other.bytes {
                if let Some(last) = self.bytes.last_mut() {
                    *last |= byte << shift;
                }
                self.bytes.push(byte >> (8 - shift));
            }
        }
        self.bits += other.bits;
        self.zeros += other.zeros;
        // The last byte of `other` may have filled up the previous one.
        self.bytes.truncate(self.bits.div_ceil(8));
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        (self.bits, self.zeros) = (0, 0);
    }
}

impl FromIterator<bool> for Bitmap {
    fn from_iter<I: IntoIterator<Item = bool>>(bits: I) -> Bitmap {
        let mut bitmap = Bitmap::default();
        bits.into_iter().for_each(|bit| bitmap.push(bit));
        bitmap
    }
}

/// A sequence of strings in UTF-8: where each of them ends, and all their bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strings {
    offsets: Vec<i32>,
    bytes: Vec<u8>,
}

impl Default for Strings {
    fn default() -> Strings {
        Strings { offsets: vec![0], bytes: Vec::new() }
    }
}

impl Strings {
    /// Returns the offsets of the strings, and the offset of the end of the last one. There is one
    /// more than there are strings.
    pub fn offsets(&self) -> &[i32] {
        &self.offsets
    }

    /// Returns the bytes of all strings.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Converts the strings to their offsets and bytes.
    pub fn into_parts(self) -> (Vec<i32>, Vec<u8>) {
        (self.offsets, self.bytes)
    }

    /// Returns the number of strings.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns string `index`, or an empty one if there is none.
    pub fn get(&self, index: usize) -> &str {
        let end = |index: usize| self.offsets.get(index).map_or(self.bytes.len(), |&at| at as usize);
        str::from_utf8(self.bytes.get(end(index)..end(index + 1)).unwrap_or_default()).unwrap_or_default()
    }

    /// Returns the strings.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Appends a string. A batch ends long before its strings have 2 GiB.
    #[inline]
    pub(super) fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.offsets.push(self.bytes.len() as i32);
    }

    /// Appends the strings of `other`.
    pub(super) fn extend(&mut self, other: &Strings) {
        let shift = self.bytes.len() as i32;
        self.offsets.extend(other.offsets.iter().skip(1).map(|offset| offset + shift));
        self.bytes.extend_from_slice(&other.bytes);
    }

    pub(super) fn clear(&mut self) {
        self.offsets.truncate(1);
        self.bytes.clear();
    }
}

impl<S: AsRef<str>> FromIterator<S> for Strings {
    fn from_iter<I: IntoIterator<Item = S>>(texts: I) -> Strings {
        let mut strings = Strings::default();
        texts.into_iter().for_each(|text| strings.push(text.as_ref()));
        strings
    }
}
