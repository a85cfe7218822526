//! A hash for identities and files.

/// The hash FNV-1a of 128 bits. It never changes, unlike the hashes of the standard library.
#[derive(Debug, Clone, Copy)]
pub struct Hash(u128);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

impl Hash {
    /// Adds bytes. It does not matter how they are split into calls.
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }

    /// Adds bytes, 16 at a time, which is faster than [`Hash::add`] and gives another result. Only the
    /// last call may have a number of bytes that is not a multiple of 16.
    #[expect(clippy::disallowed_methods, reason = "a hash, not a format")]
    pub fn add_words(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<16>();
        for word in words {
            let mixed = self.0 ^ u128::from_le_bytes(*word);
            // The rotation carries differences of the highest bits to the others.
            self.0 = mixed.wrapping_mul(PRIME).rotate_left(59);
        }
        self.add(rest);
    }

    /// Returns the hash of all added bytes.
    pub fn value(self) -> u128 {
        self.0
    }

    /// Returns the hash of all added bytes, as 32 digits.
    pub fn hex(self) -> String {
        format!("{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        let hash = |text: &str| {
            let mut hash = Hash::default();
            hash.add(text.as_bytes());
            hash.hex()
        };
        // From the reference implementation.
        assert_eq!(hash(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(hash("a"), "d228cb696f1a8caf78912b704e4a8964");
        assert_eq!(hash("foobar"), "343e1662793c64bf6f0d3597ba446f18");
    }
}
