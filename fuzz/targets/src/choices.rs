//! An input as a row of choices: numbers and texts are taken off its front until there is nothing left.

/// What is left of an input.
#[derive(Debug, Clone, Copy)]
pub struct Choices<'a> {
    rest: &'a [u8],
}

impl<'a> Choices<'a> {
    /// The choices that `data` makes.
    pub fn new(data: &'a [u8]) -> Choices<'a> {
        Choices { rest: data }
    }

    /// Whether there are none left: from here on every number is 0 and every text empty.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// All that is left.
    pub fn rest(self) -> &'a [u8] {
        self.rest
    }

    /// A byte.
    pub fn byte(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    /// A u32.
    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    /// A u64.
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    /// One of `options`.
    pub fn one_of<T: Copy>(&mut self, options: &[T]) -> T {
        options[usize::from(self.byte()) % options.len()]
    }

    /// So many bytes, or what is left.
    pub fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(count.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    /// Everything before the next `end`, which is skipped, or all that is left.
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

/// Pieces of odd lengths, the same for the same seed, that never add up to more than is there: how bytes come from a
/// pipe.
#[derive(Debug, Clone, Copy)]
pub struct Chunks {
    state: u8,
}

impl Chunks {
    /// The lengths of `seed`.
    pub fn new(seed: u8) -> Chunks {
        Chunks { state: seed }
    }

    /// The next length: most are small, some are large.
    pub fn next_bytes(&mut self) -> usize {
        self.state = self.state.wrapping_mul(141).wrapping_add(3);
        match self.state >> 4 {
            short @ 0..=11 => usize::from(short) + 1,
            long => usize::from(long) * 7 + usize::from(self.state & 15),
        }
    }
}
