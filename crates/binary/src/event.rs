//! Events of a program.

use std::borrow::Cow;

use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{self as events, CType, SourceFile};

use crate::Operand;

/// An event, as far as the program's file describes it.
#[derive(Debug, Clone)]
pub struct Event {
    /// The name. It is in capitals if only a C symbol is known.
    pub name: String,
    /// The group of the declaration, if the program contains one.
    pub group: Option<String>,
    /// The declaration, from the program or from the caller.
    pub declaration: Option<events::Event>,
    /// The USDT probe.
    pub usdt: Option<Usdt>,
    /// The provider of the LTTng-UST tracepoint.
    pub lttng: Option<String>,
}

/// A USDT probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usdt {
    /// The provider, as in `usdt:BINARY:PROVIDER:NAME`.
    pub provider: String,
    /// The probe's name.
    pub name: String,
    /// The address of the semaphore. Tracers increment it while they use the probe, so that the
    /// program can check for them.
    pub semaphore: Option<u64>,
    /// The locations of the probe: at least one, and more if the compiler duplicated the code.
    pub sites: Vec<Site>,
}

/// A location of a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The instruction's address in the file.
    pub address: u64,
    /// The locations of the probe's values.
    pub operands: Vec<Operand>,
}

/// An argument of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument<'a> {
    /// The name. Probes without a declaration have none.
    pub name: Option<&'a str>,
    /// The C type: the declared one, or else one of the same size and signedness.
    pub ctype: &'a str,
    /// Whether the argument is a string.
    pub is_string: bool,
}

impl Event {
    /// Whether the event is declared with `disable`, so that it never occurs.
    pub fn is_disabled(&self) -> bool {
        self.declaration.as_ref().is_some_and(|declared| declared.disabled)
    }

    /// Whether only a C symbol is known. The name is then in capitals.
    pub fn is_symbol(&self) -> bool {
        self.declaration.is_none() && self.usdt.is_none() && self.lttng.is_none()
    }

    /// The prefix of the name: the provider of the USDT probe, or else the group, or else the LTTng
    /// provider.
    pub fn family(&self) -> Option<&str> {
        let usdt = self.usdt.as_ref().map(|usdt| usdt.provider.as_str());
        usdt.or(self.group.as_deref()).or(self.lttng.as_deref())
    }

    /// The values of the USDT probe at its first location.
    pub fn operands(&self) -> &[Operand] {
        self.usdt.as_ref().and_then(|usdt| usdt.sites.first()).map_or(&[], |site| &site.operands)
    }

    /// The declared arguments, or else the arguments of the USDT probe.
    pub fn arguments(&self) -> Vec<Argument<'_>> {
        match &self.declaration {
            Some(declared) => declared.arguments.iter().map(argument).collect(),
            None => self
                .operands()
                .iter()
                .map(|operand| Argument { name: None, ctype: operand.ctype(), is_string: false })
                .collect(),
        }
    }

    /// Returns a declaration for printing the probe's values: the event's own, or else one whose
    /// types match the sizes and signedness of the values.
    pub fn declaration_to_print(&self) -> Option<Cow<'_, events::Event>> {
        if let Some(declared) = &self.declaration {
            return Some(Cow::Borrowed(declared));
        }
        let of = |(operand, position): (&Operand, usize)| {
            let conversion = match (operand.bytes, operand.signed) {
                (1 | 2 | 4, false) => "%u",
                (_, true) => "%\" PRId64 \"",
                // The value may be an address.
                (_, false) => "0x%\" PRIx64 \"",
            };
            (format!("{} arg{position}", operand.ctype_of_bits()), format!("arg{position}={conversion}"))
        };
        let (arguments, formats): (Vec<String>, Vec<String>) =
            self.operands().iter().zip(1..).map(of).unzip();
        let text = format!("{}({}) \"{}\"\n", self.name, arguments.join(", "), formats.join(" "));
        let parsed = parse(vec![SourceFile::new("probe", text)], Dialect::Read);
        parsed.declarations.events.into_iter().next().map(Cow::Owned)
    }

    /// The format as C source: string literals and macros.
    pub fn format(&self) -> Option<&str> {
        self.declaration.as_ref()?.format.as_ref().map(ringtrace_events::Text::as_str)
    }
}

fn argument(declared: &events::Argument) -> Argument<'_> {
    Argument {
        name: Some(&declared.name),
        ctype: declared.enumeration.as_ref().map_or(&declared.ctype_text, |enumeration| &enumeration.name),
        is_string: matches!(declared.ctype, CType::Str),
    }
}
