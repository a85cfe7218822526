//! A bpftrace script that prints the program's events.

use std::path::Path;

use ringtrace_binary::{Event, Operand};

use crate::EVENTS;

/// Prints a line for each event of [`EVENTS`], and ends with `done`.
pub fn script(program: &Path, provider: &str, offered: &[Event]) -> String {
    let mut script = String::new();
    for (name, values) in EVENTS {
        let event = offered.iter().find(|event| event.name == *name).unwrap();
        let mut format = (*name).to_owned();
        let mut arguments = String::new();
        for (index, conversion) in values.chars().enumerate() {
            let word = match index {
                0..6 => format!("arg{index}"),
                _ => beyond_six(event, index),
            };
            format += match conversion {
                'd' => " %ld",
                'u' => " %lu",
                'x' => " %lx",
                _ => " '%s'",
            };
            arguments += &match conversion {
                's' => format!(", str({word})"),
                _ => format!(", {word}"),
            };
        }
        let end = if *name == "done" { "exit();" } else { "" };
        let program = program.display();
        script += &format!(
            "usdt:{program}:{provider}:{name} {{ printf(\"{format}\\n\"{arguments}); @count[\"{name}\"]++; {end} }}\n"
        );
    }
    script
}

/// Returns the expression for an argument after the sixth. bpftrace has names only for the first
/// six, so the script reads the others from the locations in the note.
fn beyond_six(event: &Event, index: usize) -> String {
    let [site] = &event.usdt.as_ref().unwrap().sites[..] else { panic!("{event:?}") };
    let Operand { bytes, signed, place, .. } = &site.operands[index];
    let ctype = format!("{}int{}", if *signed { "" } else { "u" }, 8 * bytes);
    if let Some(constant) = place.strip_prefix('$') {
        // The compiler writes `-1` for the unsigned 16-bit value 65535.
        let shift = 64 - 8 * u32::from(*bytes);
        let bits = constant.parse::<i64>().unwrap() << shift;
        return if *signed {
            (bits >> shift).to_string()
        } else {
            (bits.cast_unsigned() >> shift).to_string()
        };
    }
    match place.split_once("(%").or(place.split_once("[x")) {
        // `16(%rsp)` or `[x0, 16]`.
        Some((offset, register)) if !offset.is_empty() => {
            format!("*({ctype}*)(reg(\"{}\") + {offset})", name(register.trim_end_matches(')')))
        }
        Some((_, rest)) => {
            let (register, offset) = rest.trim_end_matches(']').split_once(", ").unwrap();
            format!("*({ctype}*)(reg(\"r{register}\") + {offset})")
        }
        None => format!("({ctype})reg(\"{}\")", name(place.trim_start_matches('%'))),
    }
}

/// Returns bpftrace's name for the full x86-64 register.
fn name(register: &str) -> String {
    match register.strip_prefix('r').unwrap_or(register) {
        number if number.starts_with(|c: char| c.is_ascii_digit()) => {
            format!("r{}", number.trim_end_matches(['d', 'w', 'b']))
        }
        "al" => "ax".to_owned(),
        "bl" => "bx".to_owned(),
        "cl" => "cx".to_owned(),
        "dl" => "dx".to_owned(),
        "sil" => "si".to_owned(),
        "dil" => "di".to_owned(),
        word => word.trim_start_matches('e').to_owned(),
    }
}
