//! Parsed declarations.

use std::sync::Arc;

use crate::CType;
use crate::text::{SourceFile, Text};

/// All events of the given files, in order. Formats that number events by position use an event's
/// index in [`Declarations::events`] as its id.
#[derive(Debug, Clone, Default)]
pub struct Declarations {
    /// The source files, in the order given. [`Event::source`] is an index into this list.
    pub sources: Vec<SourceFile>,
    /// The events. A `tcg` declaration is replaced by the two events derived from it.
    pub events: Vec<Event>,
}

/// A declared enumeration: names for the values of integer arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enumeration {
    /// The name, which is a type of arguments.
    pub name: Text,
    /// The constants, in order. Their names and values differ.
    pub constants: Vec<Constant>,
    /// The whole declaration as written, without its line ending.
    pub declaration: Text,
}

/// A constant of an [`Enumeration`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// The name, a C identifier.
    pub name: Text,
    /// The value, given or counted.
    pub value: i32,
}

impl Enumeration {
    /// Returns the name of a recorded value, if it has one.
    pub fn name_of(&self, bits: u64) -> Option<&str> {
        // An `int` has 32 bits.
        let value = bits as u32 as i32;
        self.constants.iter().find(|constant| constant.value == value).map(|constant| &*constant.name)
    }

    /// Returns the value of the constant `name`, if there is one.
    pub fn value_of(&self, name: &str) -> Option<i32> {
        self.constants.iter().find(|constant| *constant.name == *name).map(|constant| constant.value)
    }
}

/// A declared event.
#[derive(Debug, Clone)]
pub struct Event {
    /// The name: `[A-Za-z0-9_]+`, unless the reader's dialect tolerates other characters.
    pub name: Text,
    /// The arguments, including `__cpu` of a `vcpu` event. Empty for `(void)`.
    pub arguments: Vec<Argument>,
    /// The format as C source, literals and macros as written (`"v %"PRIx64`). `None` if there is
    /// none.
    pub format: Option<Text>,
    /// Text that precedes [`Event::format`], without quotes: `cpu=%p ` for a `vcpu` event, else
    /// empty.
    pub format_prefix: &'static str,
    /// Whether the declaration has the property `disable`.
    pub disabled: bool,
    /// Whether the declaration has the property `vcpu`.
    pub vcpu: bool,
    /// Which half of a `tcg` declaration this event is. `None` for all other events.
    pub tcg: Option<Tcg>,
    /// Index into [`Declarations::sources`].
    pub source: usize,
    /// Line of the declaration, starting at 1.
    pub line: usize,
    /// The whole declaration as written, without its line ending.
    pub declaration: Text,
}

impl Event {
    /// Returns the declaration, after the declarations of the enumerations of its arguments, one per
    /// line. A reader needs nothing else to decode the event.
    pub fn whole_declaration(&self) -> Text {
        let mut lines: Vec<&str> = Vec::new();
        for enumeration in self.arguments.iter().filter_map(|argument| argument.enumeration.as_ref()) {
            if !lines.contains(&&*enumeration.declaration) {
                lines.push(&enumeration.declaration);
            }
        }
        if lines.is_empty() {
            return self.declaration.clone();
        }
        lines.push(&self.declaration);
        Text::from(lines.join("\n"))
    }
}

/// One of the two events that a `tcg` declaration declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tcg {
    /// `NAME_trans`, property `tcg-trans`.
    Translation,
    /// `NAME_exec`, property `tcg-exec`.
    Execution,
}

/// An argument of an event.
#[derive(Debug, Clone)]
pub struct Argument {
    /// The C type as written, without leading or trailing blanks. `int` for an enumeration.
    pub ctype_text: Text,
    /// The meaning of the C type.
    pub ctype: CType,
    /// The argument's name.
    pub name: Text,
    /// The declared TCG type, in the execution half of a `tcg` declaration.
    /// [`Argument::ctype_text`] is then the type of the value when the translated code runs.
    pub tcg_type: Option<TcgType>,
    /// The enumeration that is the declared type.
    pub enumeration: Option<Arc<Enumeration>>,
}

/// A type of QEMU's translator (TCG), for values that are known only when the translated code runs.
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
    /// Returns the TCG type with the C name `name`, if there is one.
    pub fn named(name: &str) -> Option<TcgType> {
        Some(match name {
            "TCGv" => TcgType::Target,
            "TCGv_i32" => TcgType::I32,
            "TCGv_i64" => TcgType::I64,
            "TCGv_ptr" => TcgType::Pointer,
            _ => return None,
        })
    }

    /// The name in C.
    pub fn name(self) -> &'static str {
        match self {
            TcgType::Target => "TCGv",
            TcgType::I32 => "TCGv_i32",
            TcgType::I64 => "TCGv_i64",
            TcgType::Pointer => "TCGv_ptr",
        }
    }

    /// The C type of recorded values. The guest's word is at most 64 bits wide.
    pub fn host_type(self) -> &'static str {
        match self {
            TcgType::Target | TcgType::I64 => "uint64_t",
            TcgType::I32 => "uint32_t",
            TcgType::Pointer => "void *",
        }
    }

    /// Returns the type in which translated code receives the value of `argument`, an argument of
    /// an execution half.
    ///
    /// This is the declared TCG type. An argument without one is a constant, whose TCG type depends
    /// on its C type. Returns `None` if constants cannot have that C type.
    pub fn of(argument: &Argument) -> Option<TcgType> {
        argument.tcg_type.or(match argument.ctype_text.as_str() {
            "uint8_t" | "uint16_t" | "uint32_t" => Some(TcgType::I32),
            "uint64_t" => Some(TcgType::I64),
            "void *" | "void*" => Some(TcgType::Pointer),
            _ => None,
        })
    }
}
