//! `d`: the input of dtrace(1), which generates a header and an object file.

use std::borrow::Cow;

use ringtrace_events::lint::Language;
use ringtrace_events::{Argument, CType, Diagnostic};

use crate::probe::argument_names;
use crate::probe::unsupported::{at_most_arguments, have_types, have_words};
use crate::{Request, SourceWriter, Template};

/// The maximum number of arguments that <sys/sdt.h> supports.
const MAX_ARGUMENTS: usize = 12;

const HEAD: &str = "
/*
 * The USDT probes of {group}.
 * {origin}
 */

provider qemu {
";

const PROBE: &str = "
    probe {name}({arguments});
";

const FOOT: &str = "
};
";

pub(super) fn generate(request: &Request<'_>, out: &mut SourceWriter) -> Result<(), Vec<Diagnostic>> {
    let group = &request.group;
    let active = || group.events.iter().copied().filter(|event| !event.disabled);
    have_words(active(), "D")?;
    have_types(active(), "D")?;
    at_most_arguments(active(), MAX_ARGUMENTS)?;
    // dtrace(1) accepts an empty file, but not an empty provider.
    if active().next().is_none() {
        return Ok(());
    }
    out.block(&Template::new(HEAD), &[("group", group.name), ("origin", &group.origin())]);
    let template = Template::new(PROBE);
    for event in active() {
        let names = argument_names(event, Language::D, |_| false);
        let arguments: Vec<String> = std::iter::zip(&event.arguments, names)
            .map(|(argument, name)| parameter(argument, &name))
            .collect();
        let values = [("name", &*event.name), ("arguments", &arguments.join(", "))];
        out.indented(|out| out.block(&template, &values));
    }
    out.text(FOOT);
    Ok(())
}

/// Returns `argument`, with the name `name`, as a parameter in a prototype.
fn parameter(argument: &Argument, name: &str) -> String {
    let ctype = d_type(&argument.ctype_text);
    let blank = if ctype.ends_with('*') { "" } else { " " };
    format!("{ctype}{blank}{name}")
}

/// Converts the C type `text` to D.
///
/// DTrace has no `long long`, and the grammar of SystemTap's dtrace(1) supports few multi-word
/// types. A type that it cannot parse makes the whole file invalid. It accepts one word, optionally
/// with `const`, or `unsigned` plus one word that is not followed by `int`. Other types are
/// converted to these forms.
fn d_type(text: &str) -> String {
    let (pointed_to, stars) = text.split_at(text.find('*').unwrap_or(text.len()));
    let words: Vec<&str> = pointed_to.split_ascii_whitespace().collect();
    let is_const = words.contains(&"const");
    let is_long_long = words.iter().filter(|word| **word == "long").count() == 2;
    let others: Vec<&str> = words.into_iter().filter(|word| *word != "const").collect();
    let word: Cow<'_, str> = match (others.as_slice(), CType::parse(pointed_to)) {
        ([word], _) => (*word).into(),
        (_, CType::Integer { bytes, signed }) => integer(bytes, signed, is_long_long || is_const),
        // These types occur only in old files. The pointee type does not matter, and an enum is an
        // integer.
        (_, CType::Float) => "double".into(),
        _ if stars.is_empty() => "int".into(),
        _ => "void".into(),
    };
    let constant = if is_const { "const " } else { "" };
    let stars = stars.replace(|c| c != '*', "");
    let blank = if stars.is_empty() { "" } else { " " };
    format!("{constant}{word}{blank}{stars}")
}

/// Returns the name of an integer type of `bytes` bytes: a single word if `must_be_one` is set,
/// else C's usual name.
fn integer(bytes: u8, signed: bool, must_be_one: bool) -> Cow<'static, str> {
    match (bytes, signed) {
        (2, true) => "short".into(),
        (4, true) => "int".into(),
        (8, true) if !must_be_one => "long".into(),
        (1, false) if !must_be_one => "unsigned char".into(),
        (2, false) if !must_be_one => "unsigned short".into(),
        (4, false) if !must_be_one => "unsigned int".into(),
        (8, false) if !must_be_one => "unsigned long".into(),
        _ => format!("{}int{}_t", if signed { "" } else { "u" }, u16::from(bytes) * 8).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::d_type;

    #[test]
    fn types_are_mapped_not_their_text() {
        for (c, d) in [
            ("int", "int"),
            ("unsigned", "unsigned"),
            ("unsigned long", "unsigned long"),
            ("long unsigned int", "unsigned long"),
            ("short int", "short"),
            ("signed int", "int"),
            ("signed char", "int8_t"),
            ("char unsigned", "unsigned char"),
            ("const unsigned char *", "const uint8_t *"),
            ("long long", "int64_t"),
            ("signed long long", "int64_t"),
            ("unsigned long long int", "uint64_t"),
            ("long unsigned long", "uint64_t"),
            ("const long  long", "const int64_t"),
            ("long const long int", "const int64_t"),
            ("unsigned long long *", "uint64_t *"),
            ("const long long**", "const int64_t **"),
            ("const char *", "const char *"),
            ("uint8_t*", "uint8_t *"),
            ("const void * const *", "const void **"),
            ("const struct foo *", "const void *"),
            ("enum foo", "int"),
            ("long double", "double"),
            ("hwaddr", "hwaddr"),
        ] {
            assert_eq!(d_type(c), d, "{c}");
        }
    }
}
