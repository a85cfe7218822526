//! Recorded values with their declared types.

use std::borrow::Cow;

use ringtrace_events::CType;
use ringtrace_tracefile::{Entry, Value};
use ringtrace_wire::simpletrace::ArgumentKind;

/// A value with the type of its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypedValue<'a> {
    /// A signed integer of any size.
    Signed(i64),
    /// An unsigned integer of any size.
    Unsigned(u64),
    /// A boolean.
    Bool(bool),
    /// The bits of a floating-point number.
    Double(u64),
    /// Bits that are shown in hex: pointers, unknown types, and floating-point types whose recorded
    /// encoding is unknown.
    Pointer(u64),
    /// A string's bytes, in an unknown encoding.
    Text(&'a [u8]),
}

/// The [`TypedValue`] variant of all values of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// [`TypedValue::Signed`], with its size in bytes: 1, 2, 4 or 8.
    Signed(u8),
    /// [`TypedValue::Unsigned`], with its size in bytes.
    Unsigned(u8),
    /// [`TypedValue::Bool`].
    Bool,
    /// [`TypedValue::Double`].
    Double,
    /// [`TypedValue::Pointer`].
    Pointer,
    /// [`TypedValue::Text`].
    Text,
}

impl ValueKind {
    /// Returns the kind of an argument that is declared as `ctype` and recorded as `recorded`. Old
    /// versions recorded only the addresses of strings.
    pub fn of(ctype: CType, recorded: ArgumentKind) -> ValueKind {
        match (recorded, ctype) {
            (ArgumentKind::Str, _) => ValueKind::Text,
            (_, CType::Integer { bytes, signed: true }) => ValueKind::Signed(bytes),
            (_, CType::Integer { bytes, signed: false }) => ValueKind::Unsigned(bytes),
            (_, CType::Bool) => ValueKind::Bool,
            (_, CType::Double) => ValueKind::Double,
            (_, CType::Str | CType::StrStar | CType::Pointer | CType::Float | CType::Unknown) => {
                ValueKind::Pointer
            }
        }
    }

    /// Converts recorded bits to a value. Integers are truncated to their size. For
    /// [`ValueKind::Text`] the bits are an address.
    #[inline]
    pub fn typed(self, bits: u64) -> TypedValue<'static> {
        match self {
            ValueKind::Signed(1) => TypedValue::Signed(i64::from(bits as i8)),
            ValueKind::Signed(2) => TypedValue::Signed(i64::from(bits as i16)),
            ValueKind::Signed(4) => TypedValue::Signed(i64::from(bits as i32)),
            ValueKind::Signed(_) => TypedValue::Signed(bits.cast_signed()),
            ValueKind::Unsigned(1) => TypedValue::Unsigned(u64::from(bits as u8)),
            ValueKind::Unsigned(2) => TypedValue::Unsigned(u64::from(bits as u16)),
            ValueKind::Unsigned(4) => TypedValue::Unsigned(u64::from(bits as u32)),
            ValueKind::Unsigned(_) => TypedValue::Unsigned(bits),
            ValueKind::Bool => TypedValue::Bool(bits != 0),
            ValueKind::Double => TypedValue::Double(bits),
            ValueKind::Pointer | ValueKind::Text => TypedValue::Pointer(bits),
        }
    }
}

impl<'a> TypedValue<'a> {
    /// Returns the kind of this variant with the largest size.
    pub fn kind(&self) -> ValueKind {
        match self {
            TypedValue::Signed(_) => ValueKind::Signed(8),
            TypedValue::Unsigned(_) => ValueKind::Unsigned(8),
            TypedValue::Bool(_) => ValueKind::Bool,
            TypedValue::Double(_) => ValueKind::Double,
            TypedValue::Pointer(_) => ValueKind::Pointer,
            TypedValue::Text(_) => ValueKind::Text,
        }
    }

    /// Returns `value` with the type `ctype` of its argument.
    #[inline]
    pub fn of(ctype: CType, value: Value<'a>) -> TypedValue<'a> {
        match value {
            Value::Str(bytes) => TypedValue::Text(bytes),
            Value::Integer(bits) => ValueKind::of(ctype, ArgumentKind::Integer { signed: false }).typed(bits),
        }
    }
}

/// Returns the values of `entry` with the names of their arguments. If values are missing at the
/// end of a record, their arguments are left out. Records in the 2011 RFC's format can have more
/// values than declared; these are called `arg3`, `arg4` and so on, by their position from 1.
/// Values of enumerations are their names, as text, if they have one.
pub fn named_values<'a>(entry: &Entry<'a>) -> impl Iterator<Item = (Cow<'a, str>, TypedValue<'a>)> + use<'a> {
    let arguments = &entry.schema.arguments;
    let declared = arguments.iter().zip(entry.values()).map(|(argument, value)| {
        let typed = match argument.constant(value) {
            Some(name) => TypedValue::Text(name.as_bytes()),
            None => TypedValue::of(argument.ctype, value),
        };
        (Cow::Borrowed(argument.name.as_str()), typed)
    });
    let first = arguments.len() + 1;
    let integer = CType::Integer { bytes: 8, signed: false };
    let surplus = entry.surplus().enumerate().map(move |(index, value)| {
        (Cow::Owned(format!("arg{}", first + index)), TypedValue::of(integer, value))
    });
    declared.chain(surplus)
}

/// Returns the values of `entry` like [`named_values`], but those of enumerations as numbers.
pub(crate) fn plain_values<'a>(entry: &Entry<'a>) -> impl Iterator<Item = TypedValue<'a>> + use<'a> {
    let integer = CType::Integer { bytes: 8, signed: false };
    let types = entry.schema.arguments.iter().map(|argument| argument.ctype);
    let values = entry.values().chain(entry.surplus());
    values.zip(types.chain(std::iter::repeat(integer))).map(|(value, ctype)| TypedValue::of(ctype, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_declared_types() {
        for (ctype, bits, expected) in [
            ("int8_t", 0x1ff, TypedValue::Signed(-1)),
            ("uint8_t", 0x1ff, TypedValue::Unsigned(255)),
            ("short", 0x8000, TypedValue::Signed(-32768)),
            ("int", 0xffff_ffff_8000_0000, TypedValue::Signed(-0x8000_0000)),
            ("unsigned", u64::MAX, TypedValue::Unsigned(0xffff_ffff)),
            ("int64_t", 1 << 63, TypedValue::Signed(i64::MIN)),
            ("size_t", u64::MAX, TypedValue::Unsigned(u64::MAX)),
            ("bool", 2, TypedValue::Bool(true)),
            ("bool", 0, TypedValue::Bool(false)),
            ("void *", 0xabc, TypedValue::Pointer(0xabc)),
            ("double", 0xabc, TypedValue::Double(0xabc)),
            ("long double", 0xabc, TypedValue::Pointer(0xabc)),
            ("BlockDriverState", 0xabc, TypedValue::Pointer(0xabc)),
            ("const char *", 0xabc, TypedValue::Pointer(0xabc)),
            ("char **", 0xabc, TypedValue::Pointer(0xabc)),
        ] {
            assert_eq!(TypedValue::of(CType::parse(ctype), Value::Integer(bits)), expected, "{ctype}");
        }
        assert_eq!(TypedValue::of(CType::Str, Value::Str(b"\xff")), TypedValue::Text(b"\xff"));
        assert_eq!(ValueKind::of(CType::Str, ArgumentKind::Integer { signed: false }), ValueKind::Pointer);
        assert_eq!(ValueKind::of(CType::StrStar, ArgumentKind::Str), ValueKind::Text);
    }

    proptest::proptest! {
        #[test]
        fn integers_equal_those_of_the_declaration_language(bits: u64, bytes in proptest::sample::select(&[1_u8, 2, 4, 8]), signed: bool) {
            let ctype = CType::Integer { bytes, signed };
            let number = match TypedValue::of(ctype, Value::Integer(bits)) {
                TypedValue::Signed(number) => i128::from(number),
                TypedValue::Unsigned(number) => i128::from(number),
                other => panic!("{other:?}"),
            };
            proptest::prop_assert_eq!(number, ctype.number(bits));
        }
    }
}
