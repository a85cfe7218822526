//! What a declaration says.

use crate::CType;
use crate::tcg::TcgType;
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
