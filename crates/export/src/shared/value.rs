//! Recorded values as what they are declared to be: what exporters tell apart.

use std::borrow::Cow;

use ringtrace_events::CType;
use ringtrace_tracefile::{Entry, Value};
use ringtrace_wire::simpletrace::ArgumentKind;

/// A value, by its argument's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed<'a> {
    /// A signed integer of any size.
    Signed(i64),
    /// An unsigned integer of any size.
    Unsigned(u64),
    /// A truth value.
    Bool(bool),
    /// Bits that people read in hex: pointers, types that are not known, and floating types, of which nobody can say how they were recorded.
    Pointer(u64),
    /// A string's bytes, in no certain encoding.
    Text(&'a [u8]),
}

/// Which [`Typed`] all values of an argument are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// [`Typed::Signed`], of so many bytes: 1, 2, 4 or 8.
    Signed(u8),
    /// [`Typed::Unsigned`], of so many bytes.
    Unsigned(u8),
    /// [`Typed::Bool`].
    Bool,
    /// [`Typed::Pointer`].
    Pointer,
    /// [`Typed::Text`].
    Text,
}

impl Kind {
    /// The kind of arguments of type `ctype` that are recorded as `recorded`: strings were addresses once.
    pub fn of(ctype: CType, recorded: ArgumentKind) -> Kind {
        match (recorded, ctype) {
            (ArgumentKind::Str, _) => Kind::Text,
            (_, CType::Integer { bytes, signed: true }) => Kind::Signed(bytes),
            (_, CType::Integer { bytes, signed: false }) => Kind::Unsigned(bytes),
            (_, CType::Bool) => Kind::Bool,
            (_, CType::Str | CType::StrStar | CType::Pointer | CType::Float | CType::Unknown) => {
                Kind::Pointer
            }
        }
    }

    /// The value that recorded bits mean, of which an integer keeps no more than its size. There are none of [`Kind::Text`]: bits
    /// are those of an address then.
    #[inline]
    pub fn typed(self, bits: u64) -> Typed<'static> {
        match self {
            Kind::Signed(1) => Typed::Signed(i64::from(bits as i8)),
            Kind::Signed(2) => Typed::Signed(i64::from(bits as i16)),
            Kind::Signed(4) => Typed::Signed(i64::from(bits as i32)),
            Kind::Signed(_) => Typed::Signed(bits.cast_signed()),
            Kind::Unsigned(1) => Typed::Unsigned(u64::from(bits as u8)),
            Kind::Unsigned(2) => Typed::Unsigned(u64::from(bits as u16)),
            Kind::Unsigned(4) => Typed::Unsigned(u64::from(bits as u32)),
            Kind::Unsigned(_) => Typed::Unsigned(bits),
            Kind::Bool => Typed::Bool(bits != 0),
            Kind::Pointer | Kind::Text => Typed::Pointer(bits),
        }
    }
}

impl<'a> Typed<'a> {
    /// The largest kind of such values.
    pub fn kind(&self) -> Kind {
        match self {
            Typed::Signed(_) => Kind::Signed(8),
            Typed::Unsigned(_) => Kind::Unsigned(8),
            Typed::Bool(_) => Kind::Bool,
            Typed::Pointer(_) => Kind::Pointer,
            Typed::Text(_) => Kind::Text,
        }
    }

    /// `value` as an argument of type `ctype` has it.
    #[inline]
    pub fn of(ctype: CType, value: Value<'a>) -> Typed<'a> {
        match value {
            Value::Str(bytes) => Typed::Text(bytes),
            Value::Integer(bits) => Kind::of(ctype, ArgumentKind::Integer { signed: false }).typed(bits),
        }
    }
}

/// The values of `entry` with the names of its arguments. Ends early where the record does. What a record of the 2011 RFC has beyond its
/// declaration is `arg3`, `arg4` and so on, by its place from 1.
pub fn named_values<'a>(entry: &Entry<'a>) -> impl Iterator<Item = (Cow<'a, str>, Typed<'a>)> + use<'a> {
    let arguments = &entry.schema.arguments;
    let declared = arguments
        .iter()
        .zip(entry.values())
        .map(|(argument, value)| (Cow::Borrowed(argument.name.as_str()), Typed::of(argument.ctype, value)));
    let first = arguments.len() + 1;
    let integer = CType::Integer { bytes: 8, signed: false };
    let surplus = entry
        .surplus()
        .enumerate()
        .map(move |(index, value)| (Cow::Owned(format!("arg{}", first + index)), Typed::of(integer, value)));
    declared.chain(surplus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_their_types_say() {
        for (ctype, bits, expected) in [
            ("int8_t", 0x1ff, Typed::Signed(-1)),
            ("uint8_t", 0x1ff, Typed::Unsigned(255)),
            ("short", 0x8000, Typed::Signed(-32768)),
            ("int", 0xffff_ffff_8000_0000, Typed::Signed(-0x8000_0000)),
            ("unsigned", u64::MAX, Typed::Unsigned(0xffff_ffff)),
            ("int64_t", 1 << 63, Typed::Signed(i64::MIN)),
            ("size_t", u64::MAX, Typed::Unsigned(u64::MAX)),
            ("bool", 2, Typed::Bool(true)),
            ("bool", 0, Typed::Bool(false)),
            ("void *", 0xabc, Typed::Pointer(0xabc)),
            ("double", 0xabc, Typed::Pointer(0xabc)),
            ("BlockDriverState", 0xabc, Typed::Pointer(0xabc)),
            ("const char *", 0xabc, Typed::Pointer(0xabc)),
            ("char **", 0xabc, Typed::Pointer(0xabc)),
        ] {
            assert_eq!(Typed::of(CType::parse(ctype), Value::Integer(bits)), expected, "{ctype}");
        }
        assert_eq!(Typed::of(CType::Str, Value::Str(b"\xff")), Typed::Text(b"\xff"));
        assert_eq!(Kind::of(CType::Str, ArgumentKind::Integer { signed: false }), Kind::Pointer);
        assert_eq!(Kind::of(CType::StrStar, ArgumentKind::Str), Kind::Text);
    }

    proptest::proptest! {
        #[test]
        fn integers_are_those_of_the_declaration_language(bits: u64, bytes in proptest::sample::select(&[1_u8, 2, 4, 8]), signed: bool) {
            let ctype = CType::Integer { bytes, signed };
            let number = match Typed::of(ctype, Value::Integer(bits)) {
                Typed::Signed(number) => i128::from(number),
                Typed::Unsigned(number) => i128::from(number),
                other => panic!("{other:?}"),
            };
            proptest::prop_assert_eq!(number, ctype.number(bits));
        }
    }
}
