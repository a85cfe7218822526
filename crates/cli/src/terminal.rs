//! Standard output and standard error: colours, widths and messages.

use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;

use clap::ValueEnum;
use ringtrace_display::Table;
use ringtrace_events::message::visible;
use rustix::fs::FileType;

use crate::exit::CliError;

/// When to use colours, as selected by `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColourChoice {
    Auto,
    Always,
    Never,
}

/// Properties of standard output and standard error, detected once at startup.
#[derive(Debug, Clone)]
pub struct Terminal {
    pub colour_out: bool,
    pub colour_err: bool,
    /// Whether standard error is a terminal, so that a user may be watching it.
    pub watched: bool,
    /// Whether a user may be watching standard output. This is assumed if it is a terminal, or a
    /// pipe to a program that may show it on a terminal, such as a pager.
    pub shown: bool,
    /// The number of columns of standard output, or 80 if it is not a terminal.
    pub width: usize,
    /// The maximum width of tables. It is unlimited if standard output is not a terminal, so that
    /// programs that read a table get all its columns.
    table_width: usize,
    pub unicode: bool,
}

impl Terminal {
    /// Examines the process's outputs, `NO_COLOR` (any non-empty value disables colours),
    /// `CLICOLOR_FORCE` (enables colours even without a terminal), `TERM=dumb`, `COLUMNS`
    /// (overrides the terminal's width) and the locale.
    #[expect(clippy::disallowed_methods, reason = "environment variables describe the terminal")]
    pub fn detect() -> Terminal {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = is_dumb();
        let forced =
            std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0");
        let colour = |is_terminal: bool| !set("NO_COLOR") && (forced || is_terminal && !dumb);
        let width = asked_columns().or_else(|| columns(io::stdout()));
        // The first variable that is set determines the character set.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|name| set(name));
        let locale = locale.and_then(std::env::var_os).unwrap_or_default().to_ascii_lowercase();
        let locale = locale.to_string_lossy();
        Terminal {
            colour_out: colour(io::stdout().is_terminal()),
            colour_err: colour(io::stderr().is_terminal()),
            watched: io::stderr().is_terminal() && !dumb,
            shown: may_be_seen(io::stdout()),
            width: width.unwrap_or(80),
            table_width: width.unwrap_or(usize::MAX),
            unicode: locale.contains("utf-8") || locale.contains("utf8"),
        }
    }

    /// Returns a copy of the terminal with colours set according to `--color`.
    pub fn with_colour(&self, when: Option<ColourChoice>) -> Terminal {
        let decide = |detected| match when {
            None | Some(ColourChoice::Auto) => detected,
            Some(choice) => choice == ColourChoice::Always,
        };
        Terminal { colour_out: decide(self.colour_out), colour_err: decide(self.colour_err), ..self.clone() }
    }

    /// Returns a copy of the terminal with another number of columns.
    pub fn with_width(&self, width: usize) -> Terminal {
        Terminal { width, table_width: width, ..self.clone() }
    }

    /// Returns a copy in which the fields for standard output describe standard error.
    pub fn of_stderr(&self) -> Terminal {
        let width = asked_columns().or_else(|| columns(io::stderr()));
        Terminal {
            colour_out: self.colour_err,
            width: width.unwrap_or(80),
            table_width: width.unwrap_or(usize::MAX),
            ..self.clone()
        }
    }

    /// Returns a terminal of `width` columns that supports only ASCII and no colours.
    #[cfg(test)]
    pub fn plain(width: usize) -> Terminal {
        Terminal {
            colour_out: false,
            colour_err: false,
            watched: false,
            shown: false,
            width,
            table_width: width,
            unicode: false,
        }
    }

    /// Colours `text` for standard output, if colours are enabled. `style` contains the numbers of
    /// an SGR sequence.
    pub fn paint(&self, style: &str, text: &str) -> String {
        paint(self.colour_out, style, text)
    }

    pub fn table(&self, table: &Table, out: &mut String) {
        table.render(self.table_width, |headings| self.paint("1", headings), out);
    }

    /// Folds a sentence to the width of standard output. All lines except the first are indented.
    pub fn fold(&self, sentence: &str) -> String {
        wrap(sentence.split(' '), self.width, "  ") + "\n"
    }

    /// Prints the error that stopped a command on standard error.
    pub fn report(&self, failure: &CliError) {
        if failure.message.is_empty() {
            return;
        }
        self.say("error", "1;31", &failure.message, failure.help.as_deref());
    }

    /// Prints a warning on standard error. The command continues.
    pub fn warn(&self, message: &str, help: Option<&str>) {
        self.say("warning", "1;33", message, help);
    }

    /// Prints `words` unchanged on standard error. They are the output of a program that the tool
    /// replaces.
    pub fn quote(&self, words: &str) {
        // Ignore errors: standard error may be closed.
        let _ = io::stderr().lock().write_all(words.as_bytes());
    }

    /// Prints a note on standard error.
    pub fn note(&self, message: &str) {
        self.say("note", "1;36", message, None);
    }

    fn say(&self, word: &str, style: &str, message: &str, help: Option<&str>) {
        let paint = |style: &str, text: &str| paint(self.colour_err, style, text);
        let mut text = format!("{}: {}\n", paint(style, word), harmless(message));
        if let Some(help) = help {
            text.push_str(&format!("  {}: {}\n", paint("1;36", "help"), harmless(help)));
        }
        // Ignore errors: standard error may be closed.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Makes control characters visible, except line feeds. Messages quote arguments and file names,
/// which may contain anything.
fn harmless(message: &str) -> String {
    message.split('\n').map(visible::text).collect::<Vec<_>>().join("\n")
}

/// Joins `words` into lines of at most `width` columns. A longer word gets a line of its own. All
/// lines except the first start with `indent`.
pub fn wrap<'w>(words: impl Iterator<Item = &'w str>, width: usize, indent: &str) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let columns = word.chars().count();
        if column > 0 && column + 1 + columns > width {
            text.push('\n');
            text.push_str(indent);
            column = indent.len();
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += columns;
    }
    text
}

/// Returns whether `TERM` names a terminal that can only print lines.
#[expect(clippy::disallowed_methods, reason = "TERM describes the terminal")]
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Returns the number of columns in the variable `COLUMNS`.
#[expect(clippy::disallowed_methods, reason = "COLUMNS describes the terminal")]
fn asked_columns() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok().filter(|&columns| columns > 0)
}

fn may_be_seen(output: impl AsFd) -> bool {
    let kind = rustix::fs::fstat(&output).map(|stat| FileType::from_raw_mode(stat.st_mode));
    rustix::termios::isatty(output) || matches!(kind, Ok(FileType::Fifo | FileType::Socket))
}

/// Returns the number of columns of `output`, if it is a terminal.
pub fn columns(output: impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(output).ok()?;
    Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

fn paint(coloured: bool, style: &str, text: &str) -> String {
    if coloured && !text.is_empty() { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_folded_at_spaces() {
        let terminal = Terminal::plain(10);
        assert_eq!(terminal.fold("one two three four"), "one two\n  three\n  four\n");
        assert_eq!(terminal.fold("averylongword and"), "averylongword\n  and\n");
        assert_eq!(terminal.fold("short"), "short\n");
    }
}
