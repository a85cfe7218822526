//! Interprets an input as a sequence of numbers and strings.

/// The rest of an input.
#[derive(Debug, Clone, Copy)]
pub struct Choices<'a> {
    rest: &'a [u8],
}

impl<'a> Choices<'a> {
    /// Creates choices that start at the beginning of `data`.
    pub fn new(data: &'a [u8]) -> Choices<'a> {
        Choices { rest: data }
    }

    /// Returns whether the end is reached. After that, every number is 0 and every string is empty.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the rest.
    pub fn rest(self) -> &'a [u8] {
        self.rest
    }

    /// Returns the next byte.
    pub fn byte(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    /// Returns the next u32.
    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    /// Returns the next u64.
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    /// Returns one of `options`.
    pub fn one_of<T: Copy>(&mut self, options: &[T]) -> T {
        options[usize::from(self.byte()) % options.len()]
    }

    /// Returns the next `count` bytes, or the rest.
    pub fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(count.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// Returns everything before the next byte `end`, or the rest. Skips that byte.
    pub fn until(&mut self, end: u8) -> &'a [u8] {
        let length = self.rest.iter().position(|&byte| byte == end).unwrap_or(self.rest.len());
        let taken = self.bytes(length);
        self.bytes(1);
        taken
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut array = [0; N];
        let taken = self.bytes(N);
        array[..taken.len()].copy_from_slice(taken);
        array
    }
}

/// The lengths of the chunks in which a pipe delivers its bytes. They depend only on the seed.
#[derive(Debug, Clone, Copy)]
pub struct Chunks {
    state: u8,
}

impl Chunks {
    /// Returns the lengths for `seed`.
    pub fn new(seed: u8) -> Chunks {
        Chunks { state: seed }
    }

    /// Returns the next length. Most are small, some are large.
    pub fn next_bytes(&mut self) -> usize {
        self.state = self.state.wrapping_mul(141).wrapping_add(3);
        match self.state >> 4 {
            short @ 0..=11 => usize::from(short) + 1,
            long => usize::from(long) * 7 + usize::from(self.state & 15),
        }
    }
}
