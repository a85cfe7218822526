//! Generated declarations that are similar to QEMU's in number, arguments, types and length.

use std::fmt::Write;

use crate::generate::Random;

/// The number of events in QEMU with no argument, with one, with two and so on.
const EVENTS_BY_ARGUMENTS: [u64; 11] = [612, 1725, 1698, 1006, 484, 245, 150, 47, 26, 10, 8];

/// Types of arguments in QEMU: frequency, type and conversion.
const TYPES: [(u64, &str, &str); 17] = [
    (2534, "uint32_t ", "0x%x"),
    (2353, "int ", "%d"),
    (1390, "uint64_t ", "0x%\" PRIx64 \""),
    (877, "uint64_t ", "%\" PRIu64 \""),
    (1870, "const char *", "%s"),
    (1056, "void *", "%p"),
    (783, "uint8_t ", "0x%02x"),
    (444, "bool ", "%d"),
    (401, "uint16_t ", "0x%04x"),
    (372, "unsigned ", "%u"),
    (186, "unsigned int ", "%u"),
    (161, "size_t ", "%zu"),
    (132, "int64_t ", "%\" PRId64 \""),
    (80, "int32_t ", "%d"),
    (76, "char *", "%s"),
    (69, "unsigned long ", "0x%lx"),
    (27, "char ", "%c"),
];

/// Parts of event and argument names, with typical lengths.
const WORDS: [&str; 24] = [
    "addr", "req", "bus", "cmd", "data", "dev", "device", "enter", "exit", "flags", "index", "irq", "len",
    "msg", "offset", "queue", "read", "reg", "reset", "ret", "size", "state", "virtio", "write",
];

/// The number of events after each comment with a file name.
const EVENTS_A_FILE: u64 = 8;

/// Returns 6,011 declarations, about 540 KB.
pub fn generate() -> String {
    let mut random = Random::default();
    let mut text = String::new();
    let total: u64 = EVENTS_BY_ARGUMENTS.iter().sum();
    for number in 0..total {
        if number % EVENTS_A_FILE == 0 {
            let (folder, file) = (word(&mut random), word(&mut random));
            // Writing to a string does not fail.
            let _ = writeln!(text, "\n# hw/{folder}/{file}.c");
        }
        event(number, &mut random, &mut text);
    }
    text
}

/// Returns the first hundred of the generated declarations.
pub fn group() -> String {
    let all = generate();
    let events = all.lines().filter(|line| line.contains('(')).take(100);
    events.map(|line| format!("{line}\n")).collect()
}

fn event(number: u64, random: &mut Random, text: &mut String) {
    let (_, count) = pick((0..).zip(EVENTS_BY_ARGUMENTS).map(|(count, weight)| (weight, count)), random);
    let _ = write!(text, "{}_{}_{}_{number}(", word(random), word(random), word(random));
    let mut format = format!("{} {}", word(random), word(random));
    for index in 0_u32..count {
        let (_, (ctype, conversion)) =
            pick(TYPES.map(|(weight, ctype, shown)| (weight, (ctype, shown))), random);
        let name = word(random);
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{ctype}{name}{index}");
        let _ = write!(format, " {name}={conversion}");
    }
    let void = if count == 0 { "void" } else { "" };
    // A format that ends with a macro needs no empty literal after it.
    let quoted = format!("\"{format}\"").replace(" \"\"", "");
    let _ = writeln!(text, "{void}) {quoted}");
}

fn word(random: &mut Random) -> &'static str {
    WORDS[random.below(WORDS.len() as u64) as usize]
}

/// Returns one of `choices`, each with a probability proportional to its weight.
fn pick<T: Clone + Default>(choices: impl IntoIterator<Item = (u64, T)>, random: &mut Random) -> (u64, T) {
    let choices: Vec<(u64, T)> = choices.into_iter().collect();
    let mut left = random.below(choices.iter().map(|(weight, _)| weight).sum());
    for choice in choices {
        match left.checked_sub(choice.0) {
            Some(rest) => left = rest,
            None => return choice,
        }
    }
    (0, T::default())
}

#[cfg(test)]
mod tests {
    use ringtrace_events::SourceFile;
    use ringtrace_events::parse::{Dialect, parse};

    #[test]
    fn they_match_qemus_in_number_and_length_and_have_no_errors() {
        let text = super::generate();
        assert!((530_000..560_000).contains(&text.len()), "{} bytes", text.len());
        let parsed = parse(vec![SourceFile::from_bytes("declarations", text.as_bytes())], Dialect::NEW);
        assert_eq!(parsed.declarations.events.len(), 6011);
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    }
}
