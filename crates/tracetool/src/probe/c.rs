//! Probes in C.

use std::borrow::Cow;
use std::iter::zip;

use ringtrace_events::format::{Outline, Reads};
use ringtrace_events::lint::Language;
use ringtrace_events::{Argument, CType, Diagnostic, Event};

use super::argument_names::argument_names;
use super::c_literal::{comment, format_source};
use super::unsupported::{bad_names, is_type, unknown_type};
use crate::{SourceWriter, Template};

/// Argument names that are replaced because generated C uses them for something else; sorted.
///
/// They are types, functions and constants that backends use, and macros of compilers and the C
/// library. Not every macro can be listed, because macros depend on the compiler. Keywords are
/// replaced too, but are listed elsewhere.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "EOF", "FILE", "LOG_INFO", "LOG_TRACE", "MAX_TRACE_STRLEN", "NULL", "TraceBufferRecord",
    "TraceEvent", "__dynamic_len", "__tp_data", "errno", "ftrace_write", "int16_t", "int32_t",
    "int64_t", "int8_t", "linux", "ptrdiff_t", "qemu_log", "qemu_loglevel",
    "qemu_loglevel_mask", "size_t", "ssize_t", "strnlen", "syslog", "trace_event_get_state",
    "trace_event_get_state_dynamic_by_id", "trace_event_get_vcpu_state",
    "trace_events_enabled_count", "trace_record_finish", "trace_record_start",
    "trace_record_write_str", "trace_record_write_u64", "tracepoint", "uint16_t", "uint32_t",
    "uint64_t", "uint8_t", "uintptr_t", "unix", "unlikely",
];

/// Keywords of C++ up to C++23 that are not keywords of C; sorted. Programs in C++ include the same
/// headers.
#[rustfmt::skip]
const CPLUSPLUS: &[&str] = &[
    "and", "and_eq", "bitand", "bitor", "catch", "char16_t", "char32_t", "char8_t", "class",
    "co_await", "co_return", "co_yield", "compl", "concept", "const_cast", "consteval", "constinit",
    "decltype", "delete", "dynamic_cast", "explicit", "export", "friend", "mutable", "namespace",
    "new", "noexcept", "not", "not_eq", "operator", "or", "or_eq", "private", "protected", "public",
    "reinterpret_cast", "requires", "static_cast", "template", "this", "throw", "try", "typeid",
    "typename", "using", "virtual", "wchar_t", "xor", "xor_eq",
];

/// A probe in C. Backends use this to write their calls.
///
/// [`CProbe::block`] fills in these placeholders of templates:
///
/// | placeholder | for `blk_read(void *req, int len) "req=%p len=%d"` |
/// | --- | --- |
/// | `{event}` | `blk_read` |
/// | `{capitals}` | `BLK_READ` |
/// | `{usdt_capitals}` | as above, but one `_` for each `__`, as in the macros of dtrace(1) |
/// | `{declaration}` | the whole declaration, for a comment |
/// | `{parameters}` | `void *req, int len`; without arguments, `void` |
/// | `{typed_parameters}` | as above, but an enumeration has its own type and not `int` |
/// | `{arguments}` | `req, len` |
/// | `{and_arguments}` | `, req, len`; without arguments, nothing |
/// | `{and_format}` | ` "req=%p len=%d"`, to follow another literal; without a format, nothing |
/// | `{and_printed}` | `, req, len`; without a format, nothing. Pointers to values have a cast |
/// | `{line}`, `{file}` | the position of the declaration, the file as a literal |
/// | `{output}` | the output file, as a literal |
/// | `{next_line}` | the number of the output's next line, as in all templates |
#[derive(Debug)]
pub struct CProbe<'a> {
    event: &'a Event,
    names: Vec<Cow<'a, str>>,
    capitals: String,
    usdt_capitals: String,
    declaration: String,
    parameters: String,
    typed_parameters: String,
    and_arguments: String,
    and_printed: String,
    and_format: String,
    line: String,
    file: String,
    output: String,
}

impl<'a> CProbe<'a> {
    /// Creates the probe of `event`, which is declared in `file` and written to `output` (both
    /// literals). Fails if C does not support the declaration.
    pub(crate) fn new(event: &'a Event, file: &str, output: &str) -> Result<CProbe<'a>, Vec<Diagnostic>> {
        let mut diagnostics = bad_names(event, "C");
        let strange = event.arguments.iter().filter(|argument| !is_type(&argument.ctype_text));
        diagnostics.extend(strange.map(|argument| unknown_type(event, argument, "C")));
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let capitals = event.name.to_ascii_uppercase();
        let is_object = |name: &str| {
            let own = name.strip_prefix("_TRACE_").and_then(|rest| rest.strip_prefix(&*capitals));
            matches!(own, Some("_EVENT" | "_DSTATE"))
        };
        let is_keyword = |name: &str| CPLUSPLUS.binary_search(&name).is_ok();
        let names =
            argument_names(event, Language::C, |name| is_taken(name) || is_object(name) || is_keyword(name));
        Ok(CProbe {
            event,
            usdt_capitals: capitals.replace("__", "_"),
            capitals,
            declaration: comment(&event.declaration),
            parameters: parameters(&event.arguments, &names, |argument| &argument.ctype_text),
            typed_parameters: parameters(&event.arguments, &names, |argument| match &argument.enumeration {
                Some(enumeration) => &enumeration.name,
                None => &argument.ctype_text,
            }),
            and_arguments: and_arguments(event, &names),
            and_printed: and_printed(event, &names),
            and_format: and_format(event),
            line: event.line.to_string(),
            file: file.to_owned(),
            output: output.to_owned(),
            names,
        })
    }

    /// The event.
    pub fn event(&self) -> &'a Event {
        self.event
    }

    /// The event's name in capitals.
    pub fn capitals(&self) -> &str {
        &self.capitals
    }

    /// Returns the arguments with their C names, which differ from keywords and from names in
    /// generated code.
    pub fn arguments(&self) -> impl Iterator<Item = (&'a Argument, &str)> {
        zip(&self.event.arguments, &self.names).map(|(argument, name)| (argument, &**name))
    }

    /// Returns names for local variables, similar to `wanted`, that differ from each other and from
    /// the arguments.
    pub fn locals(&self, wanted: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut locals: Vec<String> = Vec::new();
        for mut name in wanted {
            while locals.contains(&name) || self.names.iter().any(|taken| **taken == name) {
                name.push('_');
            }
            locals.push(name);
        }
        locals
    }

    /// The names of the printed arguments: all of them, or, if the format is empty, only the
    /// argument of the format's prefix (if it has one).
    pub(crate) fn printed(&self) -> &[Cow<'a, str>] {
        printed(self.event, &self.names)
    }

    /// Writes `template` for this event.
    pub fn block(&self, template: &Template<'_>, out: &mut SourceWriter) {
        self.block_with(template, &[], out);
    }

    /// Writes `template` for this event, with `own` as additional placeholders.
    pub fn block_with(&self, template: &Template<'_>, own: &[(&str, &str)], out: &mut SourceWriter) {
        let arguments = self.and_arguments.strip_prefix(", ").unwrap_or_default();
        let values = [
            ("event", &*self.event.name),
            ("capitals", &self.capitals),
            ("usdt_capitals", &self.usdt_capitals),
            ("declaration", &self.declaration),
            ("parameters", &self.parameters),
            ("typed_parameters", &self.typed_parameters),
            ("arguments", arguments),
            ("and_arguments", &self.and_arguments),
            ("and_format", &self.and_format),
            ("and_printed", &self.and_printed),
            ("line", &self.line),
            ("file", &self.file),
            ("output", &self.output),
        ];
        if own.is_empty() {
            out.block(template, &values);
        } else {
            out.block(template, &[&values, own].concat());
        }
    }
}

/// Whether generated C uses `name` for something else.
pub(crate) fn is_taken(name: &str) -> bool {
    TAKEN.binary_search(&name).is_ok()
}

/// The empty format. Compilers warn if arguments are passed with it.
const NO_TEXT: &str = "\"\"";

fn printed<'n, 'a>(event: &Event, names: &'n [Cow<'a, str>]) -> &'n [Cow<'a, str>] {
    let has_format = event.format.as_deref().is_some_and(|format| format != NO_TEXT);
    let of_prefix = usize::from(!event.format_prefix.is_empty());
    if has_format { names } else { &names[..of_prefix.min(names.len())] }
}

/// Returns the arguments with a comma before each. Backends receive enumerations as `int`.
fn and_arguments(event: &Event, names: &[Cow<'_, str>]) -> String {
    let mut out = String::with_capacity(names.iter().map(|name| name.len() + 2).sum());
    for (argument, name) in zip(&event.arguments, names) {
        out.extend([", ", if argument.enumeration.is_some() { "(int)" } else { "" }, name]);
    }
    out
}

/// Returns the printed arguments with a comma before each. Pointers to other types than `void` have
/// a cast, because in strict C, `%p` prints only `void *`.
fn and_printed(event: &Event, names: &[Cow<'_, str>]) -> String {
    let mut out = String::new();
    let texts = enumerations_as_text(event);
    for (index, (argument, name)) in zip(&event.arguments, printed(event, names)).enumerate() {
        if let (Some(enumeration), true) = (&argument.enumeration, texts.contains(&index)) {
            out.extend([", _trace_name_of_", &enumeration.name, "((int)", name, ")"]);
            continue;
        }
        let target = argument.ctype_text.trim_end().strip_suffix('*').map(str::trim);
        let is_value = matches!(argument.ctype, CType::Pointer | CType::StrStar)
            && !target.is_some_and(|target| matches!(target, "void" | "const void" | "void const"));
        let cast = match argument.enumeration {
            Some(_) => "(int)",
            None if is_value => "(const void *)",
            None => "",
        };
        out.extend([", ", cast, name]);
    }
    out
}

/// Returns the indexes of the enumerations that the format prints as strings.
fn enumerations_as_text(event: &Event) -> Vec<usize> {
    if event.arguments.iter().all(|argument| argument.enumeration.is_none()) {
        return Vec::new();
    }
    let outline = Outline::parse_prefixed(event.format_prefix, event.format.as_deref().unwrap_or_default());
    let texts = outline.conversions.iter().filter(|conversion| conversion.reads() == Reads::Text);
    texts.filter_map(|conversion| conversion.argument).collect()
}

/// Returns the parameter list for `arguments` with these `names` and types.
fn parameters<'a>(
    arguments: &'a [Argument],
    names: &[Cow<'_, str>],
    ctype: impl Fn(&'a Argument) -> &'a str,
) -> String {
    if arguments.is_empty() {
        return "void".to_owned();
    }
    let mut out = String::new();
    for (argument, name) in zip(arguments, names) {
        let comma = if out.is_empty() { "" } else { ", " };
        let blank = if argument.ctype_text.ends_with('*') { "" } else { " " };
        out.extend([comma, ctype(argument), blank, name]);
    }
    out
}

/// Returns the literals and macros of the format of `event`, with a blank before each.
fn and_format(event: &Event) -> String {
    let mut out = String::new();
    if !event.format_prefix.is_empty() {
        out.extend([" \"", event.format_prefix, "\""]);
    }
    match event.format.as_deref() {
        None | Some(NO_TEXT) => {}
        Some(format) => out.extend([" ", &format_source(format)]),
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn taken_words_are_sorted_for_searching() {
        assert!(super::TAKEN.is_sorted());
        assert!(super::CPLUSPLUS.is_sorted());
    }
}
