//! The help text, made of the lists that the rest works with.

use std::fmt::Write;

use ringtrace_tracetool::{BACKENDS, FORMATS};

use crate::options::OPTIONS;

const CALLS: &str = "\
usage: tracetool --format=FORMAT --backends=BACKEND[,BACKEND...] --group=NAME
                 [OPTION...] EVENTS... OUTPUT
       tracetool [OPTION...] --batch=FILE
       tracetool --backends=BACKEND[,BACKEND...] --check-backends
       tracetool --list-backends

Generates source code from declarations of events: the trace-events files
EVENTS. OUTPUT is written whole or not at all, and not touched when its contents
stay. `-` is standard input or output.
";

const NOTES: &str = "
Options stand before the first file; names may be shortened while they are
unique, but for those marked with a star. The calls of QEMU's scripts since 2010
work too: docs/tracetool.md.
";

/// The whole text.
pub fn usage() -> String {
    let mut text = CALLS.to_owned();
    let options = OPTIONS.iter().map(|known| {
        let mark = if known.own { "*" } else { " " };
        let value = if known.value.is_empty() { String::new() } else { format!("={}", known.value) };
        (format!("{mark}--{}{value}", known.name), known.about)
    });
    list("Options", options, &mut text);
    list("Formats", FORMATS.iter().map(|format| (format!(" {}", format.name), format.about)), &mut text);
    let backends = BACKENDS.iter().map(|backend| (format!(" {}", backend.name()), backend.about()));
    list("Backends", backends, &mut text);
    text.push_str(NOTES);
    text
}

/// Column on which explanations begin, and end.
const ABOUT: usize = 26;
const WIDTH: usize = 80;

fn list(heading: &str, entries: impl Iterator<Item = (String, &'static str)>, text: &mut String) {
    let _ = writeln!(text, "\n{heading}:");
    for (name, about) in entries {
        let mut column = 1 + name.len();
        let _ = write!(text, " {name}");
        if column >= ABOUT - 1 {
            text.push('\n');
            column = 0;
        }
        let _ = write!(text, "{:1$}", "", ABOUT - column);
        column = ABOUT;
        for word in about.split(' ') {
            if column > ABOUT && column + 1 + word.len() > WIDTH {
                let _ = write!(text, "\n{:ABOUT$}", "");
                column = ABOUT;
            } else if column > ABOUT {
                text.push(' ');
                column += 1;
            }
            text.push_str(word);
            column += word.len();
        }
        text.push('\n');
    }
}
