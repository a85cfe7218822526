//! Converts C's printf to SystemTap's.

use std::borrow::Cow;

use ringtrace_events::format::{Amount, Conversion, Part, Reads, parts};
use ringtrace_events::{Argument, CType, Event};

use super::Strings;
use super::conversion::{Count, Directive, Written};
use super::literal::inside;

/// The arguments of a SystemTap printf. There must be exactly as many values as conversions.
#[derive(Debug, Default)]
pub(in super::super) struct Printf {
    /// The format, for use between quotes.
    pub format: String,
    /// The values.
    pub values: Vec<String>,
}

impl Printf {
    /// Converts the format of `event`, whose arguments have these `names`. `strings` holds the
    /// arguments listed by [`texts`].
    pub fn new(event: &Event, names: &[Cow<'_, str>], strings: &Strings<'_>) -> Printf {
        let mut printf = Printf::default();
        for part in parts(event) {
            match part {
                Part::Text(bytes) => printf.format.push_str(&inside(&bytes).replace('%', "%%")),
                Part::Conversion(conversion) => {
                    // A conversion without an argument prints nothing. In C, its behaviour is
                    // undefined.
                    if let Some(directive) = directive(event, &conversion, names, strings) {
                        printf.format.push_str(&directive.format);
                        printf.values.extend(directive.values);
                    }
                }
            }
        }
        printf
    }
}

/// Returns the indexes of arguments that the format prints as strings.
pub(in super::super) fn texts(event: &Event) -> Vec<usize> {
    let is_address = |index: &usize| {
        let ctype = event.arguments.get(*index).map(|argument| argument.ctype);
        matches!(ctype, Some(CType::Str | CType::StrStar | CType::Pointer))
    };
    let parts = parts(event);
    let printed = parts.iter().filter_map(|part| match part {
        Part::Conversion(conversion) if conversion.reads() == Reads::Text => conversion.argument,
        _ => None,
    });
    printed.filter(is_address).collect()
}

fn directive(
    event: &Event,
    conversion: &Conversion,
    names: &[Cow<'_, str>],
    strings: &Strings<'_>,
) -> Option<Directive> {
    let count = |amount: Amount| match amount {
        Amount::Fixed(number) => Some(Count::Number(number)),
        Amount::Argument(index) => {
            names.get(usize::from(index)).map(|name| Count::Variable(name.to_string()))
        }
    };
    let index = conversion.argument?;
    let argument = event.arguments.get(index)?;
    let written = Written {
        flags: conversion.flags,
        width: conversion.width.and_then(count),
        precision: conversion.precision.and_then(count),
    };
    Some(match (conversion.reads(), strings.text(index)) {
        (Reads::Text, Some(text)) => written.text(text),
        // SystemTap has no floating-point conversions, and integers cannot be printed as strings.
        (Reads::Text | Reads::Float, _) => written.bits(names[index].to_string()),
        (reads, _) => written.number(conversion.letter, as_read(argument, reads, &names[index])),
    })
}

/// Returns the value of `argument` as the conversion reads it. In SystemTap, all values are 64
/// bits wide, and are sign- or zero-extended according to the argument's type.
fn as_read(argument: &Argument, reads: Reads, name: &str) -> String {
    let (bits, to_signed) = match reads {
        Reads::Integer { bytes, signed } => (u32::from(bytes) * 8, signed),
        Reads::Character => (8, false),
        _ => (64, false),
    };
    let (size, from_signed) = match argument.ctype {
        CType::Integer { bytes, signed } => (u32::from(bytes) * 8, signed),
        CType::Bool => (1, false),
        _ => (64, false),
    };
    let fits = match (from_signed, to_signed) {
        (false, false) | (true, true) => size <= bits,
        (false, true) => size < bits,
        (true, false) => false,
    };
    if fits || bits == 64 {
        name.to_owned()
    } else if to_signed {
        format!("{name} << {shift} >> {shift}", shift = 64 - bits)
    } else {
        format!("{name} & {:#x}", u64::MAX >> (64 - bits))
    }
}
