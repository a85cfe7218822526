//! Diagnostics as lines of JSON.

use std::fmt::Write as _;

use super::{SourceLocation, severity_word};
use crate::Diagnostic;

pub(super) fn render(diagnostic: &Diagnostic, place: &SourceLocation<'_>, out: &mut String) {
    let span = place.span(diagnostic);
    let columns = place.line_text.get(span).map_or(0, |text| text.chars().count());
    out.push('{');
    string_field("severity", severity_word(diagnostic.severity), out);
    string_field("code", diagnostic.code, out);
    string_field("message", &diagnostic.message, out);
    string_field("file", place.file, out);
    number_field("line", place.line, out);
    number_field("column", place.column, out);
    number_field("end_column", place.column + columns, out);
    number_field("start_byte", diagnostic.span.start, out);
    number_field("end_byte", diagnostic.span.end, out);
    string_field("label", &diagnostic.label, out);
    match &diagnostic.help {
        Some(help) => string_field("help", help, out),
        None => out.push_str("\"help\":null,"),
    }
    // Remove the comma after the last field.
    out.pop();
    out.push_str("}\n");
}

fn string_field(name: &str, value: &str, out: &mut String) {
    let _ = write!(out, "\"{name}\":");
    push_string(value, out);
    out.push(',');
}

fn number_field(name: &str, value: usize, out: &mut String) {
    let _ = write!(out, "\"{name}\":{value},");
}

fn push_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::push_string;

    #[test]
    fn strings_are_json() {
        let mut out = String::new();
        push_string("a\"b\\c\n\x1b\u{e9}", &mut out);
        assert_eq!(out, "\"a\\\"b\\\\c\\n\\u001b\u{e9}\"");
    }
}
