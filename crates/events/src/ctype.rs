//! The C types of arguments, to the extent that traces depend on them.

use std::borrow::Cow;

/// The meaning of an argument's C type for recording and rendering.
///
/// Sizes apply to LP64 machines, such as QEMU's 64-bit hosts: `long` and pointers are 8 bytes long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CType {
    /// `const char *`, `char *`, `const char*`, `char*`: recorded as bytes.
    Str,
    /// `char **` and `const char **`: strings for writers and readers before October 2016, integers
    /// since then.
    StrStar,
    /// Any other pointer, recorded as a `u64`.
    Pointer,
    /// `bool`.
    Bool,
    /// An integer of `bytes` (1, 2, 4, 8) bytes.
    Integer {
        /// Size in bytes on the recording machine.
        bytes: u8,
        /// Whether values are sign-extended when they are narrowed.
        signed: bool,
    },
    /// `float` and `double`, recorded as the bits of a `double`.
    Double,
    /// Floating-point values whose encoding is unknown: `long double`, and `float` and `double` in
    /// files for old versions of QEMU. Recorded as a `u64`.
    Float,
    /// A type this crate does not know (a typedef, an enum, a struct), recorded as a `u64`.
    Unknown,
}

/// The rule that determines which pointers to characters are strings. QEMU changed the rule in
/// October 2016 (2.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StringRule {
    /// Format v0: none. Strings were recorded as addresses.
    Never,
    /// Formats v2, v3 and the first months of v4: `char *` with any number of stars.
    AnyStars,
    /// From October 2016 on: exactly one star.
    OneStar,
}

/// The words that may occur in the types of new declarations. Every backend knows them.
#[rustfmt::skip]
pub const ALLOWED_WORDS: [&str; 21] = [
    "int", "long", "short", "char", "bool", "unsigned", "signed", "int8_t", "uint8_t",
    "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "void", "size_t",
    "ssize_t", "uintptr_t", "ptrdiff_t", "const",
];

/// The words of types that only programs other than QEMU can use.
pub const EXTENDED_WORDS: [&str; 2] = ["double", "float"];

/// Returns the first word of the type `text` that some backends may not know.
///
/// As in QEMU, only spaces separate words, and stars are ignored.
pub(crate) fn unknown_word(text: &str) -> Option<Cow<'_, str>> {
    text.split(' ').map(without_stars).find(|word| !word.is_empty() && !is_allowed(word))
}

/// Returns the first word of the type `text` that backends of programs other than QEMU may not know.
pub(crate) fn unknown_extended_word(text: &str) -> Option<Cow<'_, str>> {
    let is_known = |word: &str| is_allowed(word) || EXTENDED_WORDS.contains(&word);
    text.split(' ').map(without_stars).find(|word| !word.is_empty() && !is_known(word))
}

pub(crate) fn is_allowed(word: &str) -> bool {
    // Checks the most frequent words first, without a search.
    matches!(word, "int" | "uint32_t" | "uint64_t" | "const" | "char" | "void")
        || ALLOWED_WORDS.contains(&word)
}

fn without_stars(word: &str) -> Cow<'_, str> {
    if word.as_bytes().contains(&b'*') { word.replace('*', "").into() } else { word.into() }
}

/// Spellings of string types. The original tools compare the spelling: `const  char *` with two
/// spaces is an integer.
const STRING_TYPES: [&str; 4] = ["const char *", "char *", "const char*", "char*"];

impl CType {
    /// Returns the meaning of the C type spelled `text`. Leading blanks are ignored.
    pub fn parse(text: &str) -> CType {
        let text = text.trim_start();
        // Nine out of ten arguments have one of these types.
        match text {
            "int" | "int32_t" => return CType::Integer { bytes: 4, signed: true },
            "uint32_t" | "unsigned" | "unsigned int" => return CType::Integer { bytes: 4, signed: false },
            "uint64_t" | "size_t" => return CType::Integer { bytes: 8, signed: false },
            "void *" => return CType::Pointer,
            "bool" => return CType::Bool,
            _ => {}
        }
        if !text.as_bytes().contains(&b'*') {
            return CType::parse_words(text);
        }
        if STRING_TYPES.contains(&text) {
            CType::Str
        } else if STRING_TYPES.iter().any(|start| text.starts_with(start)) {
            CType::StrStar
        } else {
            CType::Pointer
        }
    }

    /// Parses a type without `*`: C keywords in any order, or a name from `<stdint.h>` and similar
    /// headers.
    fn parse_words(text: &str) -> CType {
        let (mut long, mut short, mut char, mut int, mut signed, mut unsigned) = (0, 0, 0, 0, 0, 0);
        let mut name = None;
        for word in text.split_ascii_whitespace() {
            match word {
                "const" | "volatile" => {}
                "long" => long += 1,
                "short" => short += 1,
                "char" => char += 1,
                "int" => int += 1,
                "signed" => signed += 1,
                "unsigned" => unsigned += 1,
                _ if name.is_some() => return CType::Unknown,
                _ => name = Some(word),
            }
        }
        let c_words = long + short + char + int + signed + unsigned;
        if let Some(name) = name {
            let long_double = name == "double" && (long, c_words) == (1, 1);
            return match c_words {
                0 => CType::parse_name(name),
                _ if long_double => CType::Float,
                _ => CType::Unknown,
            };
        }
        let bytes = match (long, short, char, int) {
            (0, 0, 0, 0) if signed + unsigned > 0 => 4,
            (0, 0, 0, 1) => 4,
            (0, 0, 1, 0) => 1,
            (0, 1, 0, 0 | 1) => 2,
            (1 | 2, 0, 0, 0 | 1) => 8,
            _ => return CType::Unknown,
        };
        if signed + unsigned > 1 {
            return CType::Unknown;
        }
        CType::Integer { bytes, signed: unsigned == 0 }
    }

    fn parse_name(name: &str) -> CType {
        let (bytes, signed) = match name {
            "int8_t" => (1, true),
            "uint8_t" => (1, false),
            "int16_t" => (2, true),
            "uint16_t" => (2, false),
            "int32_t" => (4, true),
            "uint32_t" => (4, false),
            "int64_t" | "ssize_t" | "ptrdiff_t" | "intptr_t" | "intmax_t" => (8, true),
            "uint64_t" | "size_t" | "uintptr_t" | "uintmax_t" => (8, false),
            "bool" | "_Bool" => return CType::Bool,
            "float" | "double" => return CType::Double,
            _ => return CType::Unknown,
        };
        CType::Integer { bytes, signed }
    }

    /// Narrows recorded bits to the size of this type, then sign- or zero-extends them to 64 bits.
    /// Types other than integers keep all bits.
    #[inline]
    pub fn narrow(self, bits: u64) -> u64 {
        match self {
            CType::Integer { bytes, signed: true } => sign_extend(bits, bytes.min(8) * 8).cast_unsigned(),
            CType::Integer { bytes, signed: false } => zero_extend(bits, bytes.min(8) * 8),
            CType::Bool => u64::from(bits != 0),
            CType::Str | CType::StrStar | CType::Pointer | CType::Double | CType::Float | CType::Unknown => {
                bits
            }
        }
    }

    /// Returns recorded bits as a number of this type. Only signed integers can be negative. The
    /// result is meaningless for [`CType::Double`].
    #[inline]
    pub fn number(self, bits: u64) -> i128 {
        let bits = self.narrow(bits);
        match self {
            CType::Integer { signed: true, .. } => i128::from(bits.cast_signed()),
            _ => i128::from(bits),
        }
    }

    /// The type for readers to whom the encoding of floating-point values is unknown.
    pub(crate) fn without_doubles(self) -> CType {
        if self == CType::Double { CType::Float } else { self }
    }

    /// Whether a value of this type is recorded as bytes under `rule`.
    pub fn is_string(self, rule: StringRule) -> bool {
        match rule {
            StringRule::Never => false,
            StringRule::AnyStars => matches!(self, CType::Str | CType::StrStar),
            StringRule::OneStar => self == CType::Str,
        }
    }
}

/// Sign-extends the low `size` (1 to 64) bits.
#[inline]
pub(crate) fn sign_extend(bits: u64, size: u8) -> i64 {
    let unused = 64 - u32::from(size.clamp(1, 64));
    (bits << unused).cast_signed() >> unused
}

/// Zero-extends the low `size` (1 to 64) bits.
#[inline]
pub(crate) fn zero_extend(bits: u64, size: u8) -> u64 {
    let unused = 64 - u32::from(size.clamp(1, 64));
    (bits << unused) >> unused
}
