//! Values that QEMU's translator (TCG) passes into the code it makes.

use crate::Argument;

/// A type of the translator: what stands for a value that is known only when the translated code runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TcgType {
    /// `TCGv`: an integer of the guest's word size.
    Target,
    /// `TCGv_i32`
    I32,
    /// `TCGv_i64`
    I64,
    /// `TCGv_ptr`
    Pointer,
}

impl TcgType {
    /// The type that C calls `name`, if it is one of the translator's.
    pub fn named(name: &str) -> Option<TcgType> {
        Some(match name {
            "TCGv" => TcgType::Target,
            "TCGv_i32" => TcgType::I32,
            "TCGv_i64" => TcgType::I64,
            "TCGv_ptr" => TcgType::Pointer,
            _ => return None,
        })
    }

    /// What C calls it.
    pub fn name(self) -> &'static str {
        match self {
            TcgType::Target => "TCGv",
            TcgType::I32 => "TCGv_i32",
            TcgType::I64 => "TCGv_i64",
            TcgType::Pointer => "TCGv_ptr",
        }
    }

    /// The C type that events have its values in. The guest's word is at most 64 bits.
    pub fn host_type(self) -> &'static str {
        match self {
            TcgType::Target | TcgType::I64 => "uint64_t",
            TcgType::I32 => "uint32_t",
            TcgType::Pointer => "void *",
        }
    }

    /// The type in which the value of `argument` (of an event's execution half) gets into translated code: the one
    /// it was declared with, else the one that a constant of its C type has. `None` when there is none.
    pub fn of(argument: &Argument) -> Option<TcgType> {
        argument.tcg_type.or(match argument.ctype_text.as_str() {
            "uint8_t" | "uint16_t" | "uint32_t" => Some(TcgType::I32),
            "uint64_t" => Some(TcgType::I64),
            "void *" | "void*" => Some(TcgType::Pointer),
            _ => None,
        })
    }
}
