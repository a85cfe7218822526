//! The encoder for Protobuf's wire format.

use crate::shared::varint::push_varint;

pub(super) const MAX_VARINT_BYTES: usize = 10;

#[derive(Debug, Default)]
pub(super) struct Message {
    bytes: Vec<u8>,
}

/// The type of a field's encoding: the lowest three bits of its tag.
#[derive(Clone, Copy)]
enum Wire {
    Varint = 0,
    Fixed64 = 1,
    Bytes = 2,
}

impl Message {
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Appends a field of type `uint64`, `uint32`, `bool` or enum.
    pub(super) fn uint(&mut self, field: u32, value: u64) {
        self.tag(field, Wire::Varint);
        push_varint(value, &mut self.bytes);
    }

    /// Appends a field of type `int64` or `int32`. Negative values take ten bytes.
    pub(super) fn int(&mut self, field: u32, value: i64) {
        self.uint(field, value.cast_unsigned());
    }

    pub(super) fn fixed64(&mut self, field: u32, value: u64) {
        self.tag(field, Wire::Fixed64);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(super) fn double(&mut self, field: u32, value: f64) {
        self.fixed64(field, value.to_bits());
    }

    pub(super) fn text(&mut self, field: u32, text: &str) {
        self.tag(field, Wire::Bytes);
        push_varint(text.len() as u64, &mut self.bytes);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Appends a nested message, with the fields that `encode` encodes.
    pub(super) fn message(&mut self, field: u32, encode: impl FnOnce(&mut Message)) {
        self.tag(field, Wire::Bytes);
        // Most lengths take one byte. Longer ones are inserted afterwards.
        let length_at = self.bytes.len();
        self.bytes.push(0);
        encode(self);
        let length = self.bytes.len() - length_at - 1;
        if length < 0x80 {
            self.bytes[length_at] = length as u8;
        } else {
            let mut varint = Vec::with_capacity(MAX_VARINT_BYTES);
            push_varint(length as u64, &mut varint);
            self.bytes.splice(length_at..=length_at, varint);
        }
    }

    /// Appends one byte of a field that the caller encodes itself.
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    fn tag(&mut self, field: u32, wire: Wire) {
        push_varint(u64::from(field) << 3 | wire as u64, &mut self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn fields_are_encoded_by_their_types() {
        let encoded = |encode: fn(&mut Message)| {
            let mut message = Message::default();
            encode(&mut message);
            hex(message.as_bytes())
        };
        assert_eq!(encoded(|message| message.uint(1, 150)), "089601");
        assert_eq!(encoded(|message| message.int(2, -1)), "10ffffffffffffffffff01");
        assert_eq!(encoded(|message| message.fixed64(47, 7)), "f9020700000000000000");
        assert_eq!(encoded(|message| message.double(1, 1.0)), "09000000000000f03f");
        assert_eq!(encoded(|message| message.text(2, "testing")), "120774657374696e67");
        assert_eq!(encoded(|message| message.message(3, |inner| inner.uint(1, 150))), "1a03089601");
    }

    #[test]
    fn long_messages_have_long_lengths() {
        let mut message = Message::default();
        message.message(1, |inner| inner.message(2, |text| text.text(3, &"x".repeat(200))));
        let begin = hex(&message.as_bytes()[..9]);
        // 206 bytes: a field of 203 bytes, which contains a string of 200 bytes.
        assert_eq!((&*begin, message.as_bytes().len()), ("0ace0112cb011ac801", 209));
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
