//! Argument values as keys for grouping or comparing entries.

use std::collections::HashMap;
use std::fmt;

use ringtrace_events::CType;
use ringtrace_events::format::Value;

/// A map for keys from untrusted files: fast, with a different seed in every process.
pub type KeyMap<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// The number of bytes of a string that a key contains. Recorded strings are rarely longer.
pub const KEY_BYTES: usize = 256;

/// An argument's value, owned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// An integer, or the bits of a floating-point value.
    Integer {
        /// The bits as recorded.
        bits: u64,
        /// The type of the argument, which determines how the value is displayed.
        ctype: CType,
    },
    /// The first [`KEY_BYTES`] bytes of a string.
    Str(Box<[u8]>),
}

impl Key {
    /// Creates the key of `value`, an argument of type `ctype`.
    pub fn new(value: Value<'_>, ctype: CType) -> Key {
        match value {
            Value::Integer(bits) => Key::Integer { bits, ctype },
            Value::Str(bytes) => Key::Str(cut(bytes).into()),
        }
    }
}

pub(crate) fn cut(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(KEY_BYTES)]
}

impl fmt::Display for Key {
    /// Displays pointers and values of unknown types in hexadecimal, other numbers according to
    /// their type, and strings with unprintable characters escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Integer { bits, ctype: ctype @ (CType::Integer { .. } | CType::Bool) } => {
                write!(f, "{}", ctype.number(*bits))
            }
            Key::Integer { bits, ctype: CType::Double } => write!(f, "{:?}", f64::from_bits(*bits)),
            Key::Integer { bits, .. } => write!(f, "{bits:#x}"),
            Key::Str(bytes) => {
                for chunk in bytes.utf8_chunks() {
                    for c in chunk.valid().chars() {
                        match c {
                            '\\' | '\0'..='\x1f' | '\x7f' => write!(f, "{}", (c as u8).escape_ascii())?,
                            _ if c.is_control() => write!(f, "{}", c.escape_unicode())?,
                            _ => write!(f, "{c}")?,
                        }
                    }
                    write!(f, "{}", chunk.invalid().escape_ascii())?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_displayed_by_their_type() {
        let int = CType::Integer { bytes: 4, signed: true };
        for (value, ctype, expected) in [
            (Value::Integer(u64::MAX), int, "-1"),
            (Value::Integer(0x1_0000_0007), int, "7"),
            (Value::Integer(u64::MAX), CType::Integer { bytes: 8, signed: false }, "18446744073709551615"),
            (Value::Integer(0xfff0), CType::Pointer, "0xfff0"),
            (Value::Integer(16), CType::Unknown, "0x10"),
            (Value::Integer(0.1_f64.to_bits()), CType::Double, "0.1"),
            (Value::Str(b"a \xc3\xa4 \xff\n\\"), CType::Str, "a \u{e4} \\xff\\n\\\\"),
            (Value::Str("\u{1b}[m\u{9b}\0".as_bytes()), CType::Str, "\\x1b[m\\u{9b}\\x00"),
        ] {
            assert_eq!(Key::new(value, ctype).to_string(), expected);
        }
    }

    #[test]
    fn long_strings_are_truncated() {
        let Key::Str(kept) = Key::new(Value::Str(&[b'x'; 70_000]), CType::Str) else { panic!() };
        assert_eq!(kept.len(), KEY_BYTES);
    }
}
