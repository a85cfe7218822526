//! Checks that `log-stap` scripts print the same output as C, for every conversion of every type.
//! SystemTap's numbers have 64 bits, and its conversions support no length modifiers and only one
//! flag.
//!
//! The test substitutes C's printf for SystemTap's, and passes each number as `long long`. A
//! separate test checks that SystemTap accepts the scripts.

use std::fmt::Write;
use std::path::Path;

use ringtrace_events::format::{Format, Value};
use ringtrace_events::{CType, Event};
use ringtrace_peers::systemtap::ScriptFolder;
use ringtrace_tracetool::StapMode;

use crate::sources::Declared;
use crate::systemtap::write;

const TYPES: [&str; 14] = [
    "int8_t",
    "uint8_t",
    "char",
    "bool",
    "short",
    "uint16_t",
    "int",
    "unsigned",
    "long",
    "uint64_t",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "void *",
];
const LENGTHS: [&str; 9] = ["", "hh", "h", "l", "ll", "z", "j", "t", "q"];

/// All conversions of all types.
fn conversions() -> Declared {
    let mut text = String::new();
    for (number, ctype) in TYPES.iter().enumerate() {
        for letter in ["d", "i", "u", "x", "X", "o"] {
            for length in LENGTHS {
                writeln!(text, "n{number}_{letter}_{length}({ctype} a) \"%{length}{letter}\"").unwrap();
            }
        }
        writeln!(text, "n{number}_c({ctype} a) \"%c\"").unwrap();
    }
    Declared::parse("conversions", &text)
}

/// All flags, with widths and precisions.
fn specifications() -> Declared {
    let mut text = String::new();
    for set in 0..32 {
        let chosen = "-+ #0".char_indices().filter(|(bit, _)| set >> bit & 1 == 1);
        let flags: String = chosen.map(|(_, flag)| flag).collect();
        for (number, amounts) in ["", "9", "30", ".5", "9.5", "30.9", ".30"].iter().enumerate() {
            for letter in ["d", "u", "x", "X", "o"] {
                let name = format!("s{set}_{number}_{letter}");
                writeln!(text, "{name}(int a) \"|%{flags}{amounts}{letter}|\"").unwrap();
            }
        }
        writeln!(text, "w{set}(int w, unsigned a, int b) \"|%{flags}*x|%*d\"").unwrap();
        writeln!(text, "t{set}(const char *a, int w, int p, const char *b) \"|%{flags}30s|%{flags}*.*s|\"")
            .unwrap();
    }
    Declared::parse("specifications", &text)
}

/// Returns special values of a type, as bit patterns of the type's size.
fn bits(ctype: CType) -> Vec<u64> {
    [0, 1, 0x7f, 0x80, 0x8001_8001_8001_8001, u64::MAX, 1 << 63].map(|bits| ctype.narrow(bits)).to_vec()
}

/// Returns the output of C's printf.
fn in_c(event: &Event, values: &[Value<'_>]) -> String {
    let types: Vec<CType> = event.arguments.iter().map(|argument| argument.ctype).collect();
    rendered(&Format::of(event), &types, values)
}

fn rendered(format: &Format, types: &[CType], values: &[Value<'_>]) -> String {
    let mut out = Vec::new();
    format.render(types, values, &mut out);
    out.escape_ascii().to_string()
}

/// Returns the output of the probe of `event` in `script`, without the process id and time.
fn in_systemtap(script: &str, event: &Event, values: &[Value<'_>]) -> String {
    let opening = format!("\nprobe program.log.{} = ", event.name);
    let body = script.split_once(&opening).unwrap().1.split_once("\n}\n").unwrap().0;
    let call = body.split_once("printf(").unwrap().1.strip_suffix(')').unwrap();
    let variables: Vec<(&str, Value<'_>)> = event
        .arguments
        .iter()
        .map(|argument| argument.name.as_str())
        .zip(values.iter().copied())
        .chain([("arga_str", values[0]), ("argb_str", *values.last().unwrap())])
        .chain([("pid()", Value::Integer(1)), ("gettimeofday_ns()", Value::Integer(2))])
        .collect();
    let line = printf(call, &variables);
    let text = line.strip_prefix(&format!("1@2 {} ", event.name)).unwrap();
    text.strip_suffix("\\n").unwrap().to_owned()
}

/// Returns the output of `printf(call)`.
fn printf(call: &str, variables: &[(&str, Value<'_>)]) -> String {
    let (format, values) = call.split_once("\", ").unwrap();
    let texts: Vec<String> = expressions(values).map(|value| text_of(value, variables)).collect();
    let values: Vec<Value<'_>> = expressions(values)
        .zip(&texts)
        .map(|(value, text)| number_of(value, variables).map_or(Value::Str(text.as_bytes()), Value::Integer))
        .collect();
    let format = Format::parse(&format!("{}\"", with_lengths(format)));
    rendered(&format, &vec![CType::Unknown; values.len()], &values)
}

/// Inserts the length modifier `ll` into all integer conversions in `format`.
fn with_lengths(format: &str) -> String {
    let mut out = String::new();
    let mut in_conversion = false;
    for c in format.chars() {
        if in_conversion && matches!(c, 'd' | 'i' | 'u' | 'x' | 'X' | 'o') {
            out.push_str("ll");
        }
        in_conversion = if in_conversion { !c.is_alphabetic() && c != '%' } else { c == '%' };
        out.push(c);
    }
    out
}

/// Splits `list` at commas outside of parentheses.
fn expressions(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    list.split(move |c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    })
    .map(str::trim)
}

/// Returns the value of a string, or an empty string for a number.
fn text_of(expression: &str, variables: &[(&str, Value<'_>)]) -> String {
    if let Some(call) = expression.strip_prefix("sprintf(") {
        return printf(call.strip_suffix(')').unwrap(), variables);
    }
    match variables.iter().find(|(name, _)| *name == expression) {
        Some((_, Value::Str(bytes))) => String::from_utf8(bytes.to_vec()).unwrap(),
        _ => String::new(),
    }
}

/// Evaluates `NAME OPERATION NUMBER ...` from left to right. Returns `None` for a string.
fn number_of(expression: &str, variables: &[(&str, Value<'_>)]) -> Option<u64> {
    let mut words = expression.split(' ');
    let first = words.next()?;
    let (_, Value::Integer(bits)) = *variables.iter().find(|(name, _)| *name == first)? else { return None };
    let mut value = bits.cast_signed();
    while let (Some(operation), Some(operand)) = (words.next(), words.next()) {
        let hex = operand.strip_prefix("0x").map(|hex| i64::from_str_radix(hex, 16).unwrap());
        let operand = hex.unwrap_or_else(|| operand.parse().unwrap());
        value = match operation {
            "<<" => value << operand,
            ">>" => value >> operand,
            "&" => value & operand,
            "-" => value - operand,
            other => panic!("{expression}: {other}"),
        };
    }
    Some(value.cast_unsigned())
}

fn script(declared: &Declared) -> String {
    declared.script("log-stap", Path::new("program"), StapMode::Static)
}

#[test]
fn numbers_match_c() {
    let declared = conversions();
    let script = script(&declared);
    for event in declared.events() {
        for bits in bits(event.arguments[0].ctype) {
            let values = [Value::Integer(bits)];
            let declaration = &event.declaration;
            assert_eq!(
                in_systemtap(&script, event, &values),
                in_c(event, &values),
                "{bits:#x}: {declaration}"
            );
        }
    }
}

#[test]
fn flags_have_their_effect() {
    let declared = specifications();
    let script = script(&declared);
    for event in declared.events() {
        for number in [7, 123_456, u64::MAX - 4] {
            let integer = |index: usize, bits| Value::Integer(event.arguments[index].ctype.narrow(bits));
            let values = match event.arguments.len() {
                1 => vec![integer(0, number)],
                3 => vec![integer(0, 12), integer(1, number), integer(2, 20)],
                _ => vec![Value::Str(b"text"), Value::Integer(9), Value::Integer(3), Value::Str(b"other")],
            };
            let (stap, c) = (in_systemtap(&script, event, &values), in_c(event, &values));
            assert_eq!(stap, c, "{number}: {}\n{}", event.declaration, printing(&script, event));
        }
    }
}

/// Returns the line that prints `event`.
fn printing<'a>(script: &'a str, event: &Event) -> &'a str {
    let name = format!(" {} ", event.name);
    script.lines().find(|line| line.contains("printf") && line.contains(&name)).unwrap_or_default()
}

/// Runs SystemTap itself, with probes that do not need a program.
#[test]
fn systemtap_takes_every_conversion() {
    for declared in [conversions(), specifications()] {
        let place = ScriptFolder::new();
        write(&place, &declared, Path::new("program"), StapMode::Static);
        let stap = place.path("tapset/stap.stp");
        let mut names = std::fs::read_to_string(&stap).unwrap().replace("$arg", "");
        for event in declared.events() {
            names = names.replace(&format!("process(\"program\").mark(\"{}\")", event.name), "begin");
        }
        std::fs::write(&stap, names).unwrap();
        place.stap("-p2", &["-I", "tapset", "-e", "probe program.log.* { println(pp()) }"]);
    }
}
