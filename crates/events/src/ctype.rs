//! C types of arguments, as far as a trace needs them.

/// What an argument's C type means for recording and rendering. Sizes are those of an LP64 machine
/// (`long` and pointers 8 bytes), which is what QEMU's 64-bit hosts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CType {
    /// `const char *`, `char *`, `const char*`, `char*`: recorded as bytes.
    Str,
    /// `char **` and `const char **`: strings for writers and readers before October 2016, integers since.
    StrStar,
    /// Any other pointer: one u64.
    Pointer,
    /// `bool`.
    Bool,
    /// An integer of `bytes` (1, 2, 4, 8) bytes.
    Integer {
        /// Size on the machine that recorded.
        bytes: u8,
        /// Whether values are sign-extended when narrowed.
        signed: bool,
    },
    /// `float`, `double` of legacy files: its raw bits.
    Float,
    /// A type this crate does not know (a typedef, an enum, a struct): one u64.
    Unknown,
}

/// Which pointers to characters are strings. It changed in October 2016 (QEMU 2.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StringRule {
    /// Format v0: none, strings were recorded as addresses.
    Never,
    /// v2, v3 and v4's first months: `char *` with any number of stars.
    AnyStars,
    /// Since: exactly one star.
    OneStar,
}

impl CType {
    /// Whether a value of this type is recorded as bytes under `rule`.
    pub fn is_string(self, rule: StringRule) -> bool {
        match rule {
            StringRule::Never => false,
            StringRule::AnyStars => matches!(self, CType::Str | CType::StrStar),
            StringRule::OneStar => self == CType::Str,
        }
    }
}
