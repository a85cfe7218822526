//! Rust equivalents of C types, and the conversion of their values to recorded ones.

use std::borrow::Cow;

use ringtrace_events::{Argument, CType, Enumeration};

use super::enumeration::rust_name;

/// How the caller passes a value, and how it is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passing<'a> {
    /// A string: any type that implements `ToBytes`.
    Str,
    /// A pointer: any type that implements `ToAddress`.
    Pointer,
    /// An integer type, by name.
    Integer(&'static str),
    /// `f64` or `f32`.
    Float(&'static str),
    /// An `enum` in the same module.
    Enumeration(&'a Enumeration),
}

impl<'a> Passing<'a> {
    /// Returns how `argument` is passed, or `None` if Rust has no counterpart for its type.
    pub fn of(argument: &'a Argument) -> Option<Passing<'a>> {
        if let Some(enumeration) = &argument.enumeration {
            return Some(Passing::Enumeration(enumeration));
        }
        Some(match argument.ctype {
            CType::Str => Passing::Str,
            CType::StrStar | CType::Pointer => Passing::Pointer,
            CType::Bool => Passing::Integer("bool"),
            CType::Integer { bytes, signed } => {
                Passing::Integer(integer(&argument.ctype_text, bytes, signed)?)
            }
            CType::Double if argument.ctype_text.split(' ').any(|word| word == "float") => {
                Passing::Float("f32")
            }
            CType::Double => Passing::Float("f64"),
            CType::Float | CType::Unknown => return None,
        })
    }

    /// The type of a probe's parameter.
    pub fn parameter(self) -> Cow<'static, str> {
        match self {
            Passing::Str => "impl ::ringtrace::probe::ToBytes".into(),
            Passing::Pointer => "impl ::ringtrace::probe::ToAddress".into(),
            Passing::Integer(name) | Passing::Float(name) => name.into(),
            Passing::Enumeration(enumeration) => rust_name(&enumeration.name).into(),
        }
    }

    /// Returns an expression for a macro that converts the caller's `$name` to the parameter's
    /// type. An integer type accepts narrower ones.
    pub fn given(self, name: &str) -> String {
        match self {
            Passing::Integer(integer) if integer != "bool" => {
                format!("::ringtrace::probe::Integer::<{integer}>::of(${name}).value()")
            }
            _ => format!("${name}"),
        }
    }

    /// Like [`Passing::given`], for a value that is recorded later. An address borrows nothing.
    pub fn kept(self, name: &str) -> String {
        match self {
            Passing::Pointer => format!("::ringtrace::probe::Address::of(${name})"),
            Passing::Str => format!("::ringtrace::probe::string(${name})"),
            _ => self.given(name),
        }
    }

    /// The type of a parameter of the inner function, which runs if the probe is on.
    pub fn plain(self) -> &'static str {
        match self {
            Passing::Str => "&[u8]",
            Passing::Pointer => "u64",
            Passing::Integer(name) | Passing::Float(name) => name,
            Passing::Enumeration(_) => "i32",
        }
    }

    /// Returns an expression that converts the parameter `name` to the type [`Passing::plain`].
    pub fn to_plain(self, name: &str) -> String {
        match self {
            Passing::Str => format!("{name}.to_bytes()"),
            Passing::Pointer => format!("{name}.to_address()"),
            Passing::Integer(_) | Passing::Float(_) => name.to_owned(),
            Passing::Enumeration(_) => format!("{name} as i32"),
        }
    }

    /// Converts `name`, of type [`Passing::plain`], to the recorded value: bytes, an integer that is
    /// sign- or zero-extended to 64 bits, or the bits of a `double`.
    pub fn to_field(self, name: &str) -> String {
        match self {
            Passing::Str | Passing::Pointer | Passing::Integer("u64") => name.to_owned(),
            Passing::Integer("usize" | "isize") => format!("{name} as u64"),
            Passing::Integer("i64") => format!("{name}.cast_unsigned()"),
            Passing::Integer("i8" | "i16" | "i32") | Passing::Enumeration(_) => {
                format!("i64::from({name}).cast_unsigned()")
            }
            Passing::Integer(_) => format!("u64::from({name})"),
            Passing::Float("f64") => format!("{name}.to_bits()"),
            Passing::Float(_) => format!("f64::from({name}).to_bits()"),
        }
    }

    /// The variant of the runtime's `ArgumentKind`.
    pub fn kind(self) -> &'static str {
        match self {
            Passing::Str => "Str",
            Passing::Pointer => "Pointer",
            Passing::Integer(_) | Passing::Float(_) | Passing::Enumeration(_) => "Integer",
        }
    }
}

/// Returns the Rust integer type. If the size of the C type depends on the machine, the size of the
/// Rust type does, too.
fn integer(text: &str, bytes: u8, signed: bool) -> Option<&'static str> {
    let name = text.split_ascii_whitespace().find(|word| !matches!(*word, "const" | "volatile"));
    Some(match (name?, bytes, signed) {
        ("size_t" | "uintptr_t", ..) => "usize",
        ("ssize_t" | "ptrdiff_t" | "intptr_t", ..) => "isize",
        (_, 1, true) => "i8",
        (_, 1, false) => "u8",
        (_, 2, true) => "i16",
        (_, 2, false) => "u16",
        (_, 4, true) => "i32",
        (_, 4, false) => "u32",
        (_, 8, true) => "i64",
        (_, 8, false) => "u64",
        _ => return None,
    })
}
