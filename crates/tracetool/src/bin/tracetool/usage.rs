//! The help text and the manual page, generated from the tables of options, formats and backends.

use std::fmt::Write;

use ringtrace_tracetool::{BACKENDS, FORMATS};

use crate::options::OPTIONS;

const CALLS: [&str; 4] = [
    "--format=FORMAT --backends=BACKEND[,BACKEND...] --group=NAME [OPTION...] EVENTS... OUTPUT",
    "[OPTION...] --batch=FILE",
    "--backends=BACKEND[,BACKEND...] --check-backends",
    "--list-backends",
];

const ABOUT: &str = "\
Generates source code from event declarations, the trace-events files EVENTS. OUTPUT is replaced atomically, and only if its \
contents change. `-` is standard input or output.";

const NOTES: &str = "\
Options precede the first file. Their names may be abbreviated if that is unique, except for those marked with a \
star. Calls of QEMU's scripts since 2010 also work.";

pub fn usage() -> String {
    let mut text = String::new();
    for (number, call) in CALLS.iter().enumerate() {
        text.push_str(if number == 0 { "usage: " } else { "       " });
        text.push_str("tracetool ");
        fold(call, 17, &mut text);
    }
    text.push('\n');
    fold(ABOUT, 0, &mut text);
    for (heading, entries) in lists() {
        let _ = writeln!(text, "\n{heading}:");
        for Entry { mark, name, about } in entries {
            let start = text.len();
            let _ = write!(text, " {mark}{name}");
            if text.len() - start >= ABOUT_COLUMN - 1 {
                text.push('\n');
                let _ = write!(text, "{:ABOUT_COLUMN$}", "");
            } else {
                let _ = write!(text, "{:1$}", "", ABOUT_COLUMN - (text.len() - start));
            }
            fold(about, ABOUT_COLUMN, &mut text);
        }
    }
    text.push('\n');
    fold(NOTES, 0, &mut text);
    text
}

const ABOUT_COLUMN: usize = 26;
const WIDTH: usize = 80;

struct Entry {
    /// A star or a blank.
    mark: char,
    name: String,
    about: &'static str,
}

/// The lists of options, formats and backends, with their headings.
fn lists() -> [(&'static str, Vec<Entry>); 3] {
    let options = OPTIONS.iter().map(|known| {
        let value = if known.value.is_empty() { String::new() } else { format!("={}", known.value) };
        let mark = if known.extension { '*' } else { ' ' };
        Entry { mark, name: format!("--{}{value}", known.name), about: known.about }
    });
    let entry = |name: &str, about| Entry { mark: ' ', name: name.to_owned(), about };
    let formats = FORMATS.iter().map(|format| entry(format.name, format.about));
    let backends = BACKENDS.iter().map(|backend| entry(backend.name, backend.about));
    [("Options", options.collect()), ("Formats", formats.collect()), ("Backends", backends.collect())]
}

/// Appends a wrapped line. All lines but the first are indented to `column`.
fn fold(line: &str, column: usize, text: &mut String) {
    for (number, word) in line.split(' ').enumerate() {
        let start = text.rfind('\n').map_or(0, |end| end + 1);
        if number > 0 && text.len() - start + 1 + word.len() > WIDTH {
            let _ = write!(text, "\n{:column$}", "");
        } else if number > 0 {
            text.push(' ');
        }
        text.push_str(word);
    }
    text.push('\n');
}

/// The manual page. It has no date, so that the same sources always produce the same page.
pub fn manual_page() -> String {
    let mut page = format!(
        ".TH tracetool 1 \"\" \"ringtrace {}\" \"User Commands\"\n.SH NAME\ntracetool \\- {}\n.SH SYNOPSIS\n",
        env!("CARGO_PKG_VERSION"),
        "generate source code from event declarations",
    );
    for call in CALLS {
        let _ = writeln!(page, "\\fBtracetool\\fR {}\n.br", roff(call));
    }
    let _ = writeln!(page, ".SH DESCRIPTION\n{}\n.PP\n{}", roff(ABOUT), roff(NOTES));
    for (heading, entries) in lists() {
        let _ = writeln!(page, ".SH {}", heading.to_uppercase());
        for Entry { mark, name, about } in entries {
            let _ = writeln!(
                page,
                ".TP\n\\fB{}\\fR{}\n{}",
                roff(&name),
                roff(mark.to_string().trim()),
                roff(about)
            );
        }
    }
    page.push_str(".SH \"EXIT STATUS\"\n0 on success, 1 on errors.\n.SH \"SEE ALSO\"\n.BR ringtrace (1)\n");
    page
}

fn roff(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq")
}
