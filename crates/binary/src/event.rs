//! What is known of one event.

use std::borrow::Cow;

use ringtrace_events::parse::{Dialect, parse};
use ringtrace_events::{self as events, CType, SourceFile};

use crate::Operand;

/// An event of a program, as far as its file tells.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its name. In capitals where a symbol is all there is, for C keeps no more.
    pub name: String,
    /// The group it is declared in, in the program's own words.
    pub group: Option<String>,
    /// Its declaration: the program's own, or one that was given.
    pub declaration: Option<events::Event>,
    /// Its USDT probe.
    pub usdt: Option<Usdt>,
    /// The provider of its tracepoint of LTTng-UST.
    pub lttng: Option<String>,
}

/// A USDT probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usdt {
    /// Who offers it: `usdt:BINARY:PROVIDER:NAME`.
    pub provider: String,
    /// What it is called.
    pub name: String,
    /// The address of the semaphore that listeners count up, for the program to see that there are any.
    pub semaphore: Option<u64>,
    /// Where it is: once for each copy that the compiler made. There is one at least.
    pub sites: Vec<Site>,
}

/// One place of a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The instruction's address in the file.
    pub address: u64,
    /// Where its values are.
    pub operands: Vec<Operand>,
}

/// An argument of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument<'a> {
    /// Its name; probes without a declaration have none.
    pub name: Option<&'a str>,
    /// Its C type: as declared, else one of its width and sign.
    pub ctype: &'a str,
    /// Whether it is a string.
    pub is_string: bool,
}

impl Event {
    /// Declared with `disable`: the program can never tell of it.
    pub fn is_disabled(&self) -> bool {
        self.declaration.as_ref().is_some_and(|declared| declared.disabled)
    }

    /// A symbol is all there is of it: its name stands in capitals, whatever it is.
    pub fn is_symbol(&self) -> bool {
        self.declaration.is_none() && self.usdt.is_none() && self.lttng.is_none()
    }

    /// What comes before its name: the provider of its probe, else the group, else LTTng's provider.
    pub fn family(&self) -> Option<&str> {
        let usdt = self.usdt.as_ref().map(|usdt| usdt.provider.as_str());
        usdt.or(self.group.as_deref()).or(self.lttng.as_deref())
    }

    /// The values of its USDT probe, where they are first.
    pub fn operands(&self) -> &[Operand] {
        self.usdt.as_ref().and_then(|usdt| usdt.sites.first()).map_or(&[], |site| &site.operands)
    }

    /// Its arguments: as declared, else as the probe has them.
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

    /// A declaration by which what its probe brings can be printed: its own, or one of widths and signs.
    pub fn declaration_to_print(&self) -> Option<Cow<'_, events::Event>> {
        if let Some(declared) = &self.declaration {
            return Some(Cow::Borrowed(declared));
        }
        let of = |(operand, position): (&Operand, usize)| {
            let conversion = match (operand.bytes, operand.signed) {
                (1 | 2 | 4, false) => "%u",
                (_, true) => "%\" PRId64 \"",
                // It may be an address.
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

    /// Its format string in C, literals and macros.
    pub fn format(&self) -> Option<&str> {
        self.declaration.as_ref()?.format.as_ref().map(ringtrace_events::Text::as_str)
    }
}

fn argument(declared: &events::Argument) -> Argument<'_> {
    Argument {
        name: Some(&declared.name),
        ctype: &declared.ctype_text,
        is_string: matches!(declared.ctype, CType::Str),
    }
}
