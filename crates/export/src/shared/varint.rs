//! Numbers of variable length.

/// Appends `value` with seven bits in each byte, the lowest first.
pub fn push_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::push_varint;

    #[test]
    fn numbers_have_the_minimum_length() {
        for (value, expected) in [
            (0, &[0x00][..]),
            (1, &[0x01]),
            (127, &[0x7f]),
            (128, &[0x80, 0x01]),
            (300, &[0xac, 0x02]),
            (u64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
        ] {
            let mut bytes = Vec::new();
            push_varint(value, &mut bytes);
            assert_eq!(bytes, expected);
        }
    }
}
