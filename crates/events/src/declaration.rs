//! What a declaration says.

use crate::CType;
use crate::text::{SourceFile, Text};

/// All events of the files given, in order. An event's place is its id in formats that number by position.
#[derive(Debug, Clone, Default)]
pub struct Declarations {
    /// The sources, in the order given; [`Event::source`] points here.
    pub sources: Vec<SourceFile>,
    /// The events, derived ones (`tcg`) in their declaration's place.
    pub events: Vec<Event>,
}

/// One event.
#[derive(Debug, Clone)]
pub struct Event {
    /// `[A-Za-z0-9_]+`, unless a reader's dialect tolerated another.
    pub name: Text,
    /// The arguments, `__cpu` of a `vcpu` event included; empty for `(void)`.
    pub arguments: Vec<Argument>,
    /// The C text of the format, literals and macros, as written (`"v %"PRIx64`); `None` when absent.
    pub format: Option<Text>,
    /// Format text that goes before [`Event::format`], without quotes (`cpu=%p ` of a `vcpu` event), else empty.
    pub format_prefix: &'static str,
    /// Declared with `disable`.
    pub disabled: bool,
    /// Declared with `vcpu`.
    pub vcpu: bool,
    /// Whether it comes from a `tcg` declaration, and which half it is.
    pub tcg: Option<Tcg>,
    /// Index into [`Declarations::sources`].
    pub source: usize,
    /// 1-based line of the declaration.
    pub line: usize,
    /// The whole declaration as written, without its line end.
    pub declaration: Text,
}

/// The half of a `tcg` declaration that an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tcg {
    /// `NAME_trans`, property `tcg-trans`.
    Translation,
    /// `NAME_exec`, property `tcg-exec`.
    Execution,
}

/// One argument.
#[derive(Debug, Clone)]
pub struct Argument {
    /// The C type as written, blanks at the ends removed.
    pub ctype_text: Text,
    /// What it means.
    pub ctype: CType,
    /// Its name.
    pub name: Text,
    /// In the execution half of a `tcg` declaration, the TCG type that it was declared with: then
    /// [`Argument::ctype_text`] is what its values are once the code runs.
    pub tcg_type: Option<TcgType>,
}

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
