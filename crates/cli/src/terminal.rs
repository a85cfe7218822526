//! What the tool writes to: standard output and error, their colours and widths.

use std::io::{self, IsTerminal, Write};

use crate::exit::Failure;

/// What is known about the two outputs. Read once, at start.
#[derive(Debug, Clone)]
pub struct Terminal {
    /// Standard output wants colours.
    pub colour_out: bool,
    /// Standard error wants colours.
    pub colour_err: bool,
    /// Standard error is a terminal: somebody waits there.
    pub watched: bool,
    /// Columns of standard output, 80 when it is no terminal.
    pub width: usize,
}

impl Terminal {
    /// Looks at the process's outputs, `NO_COLOR` (any non-empty value: no colours) and `TERM=dumb`.
    pub fn detect() -> Terminal {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let colours = !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let width = rustix::termios::tcgetwinsize(io::stdout()).map_or(0, |size| usize::from(size.ws_col));
        Terminal {
            colour_out: colours && io::stdout().is_terminal(),
            colour_err: colours && io::stderr().is_terminal(),
            watched: io::stderr().is_terminal(),
            width: if width == 0 { 80 } else { width },
        }
    }

    /// Says on standard error why a command stopped.
    pub fn report(&self, failure: &Failure) {
        if failure.message.is_empty() {
            return;
        }
        self.say("error", "1;31", &failure.message, failure.help.as_deref());
    }

    /// Says on standard error what is worth knowing though the command goes on.
    pub fn warn(&self, message: &str, help: Option<&str>) {
        self.say("warning", "1;33", message, help);
    }

    /// Says on standard error, word for word, what the program of a face says there.
    pub fn quote(&self, words: &str) {
        // A closed standard error leaves nobody to tell.
        let _ = io::stderr().lock().write_all(words.as_bytes());
    }

    fn say(&self, word: &str, style: &str, message: &str, help: Option<&str>) {
        let paint = |style: &str, text: &str| {
            if self.colour_err { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
        };
        let mut text = format!("{}: {message}\n", paint(style, word));
        if let Some(help) = help {
            text.push_str(&format!("  {}: {help}\n", paint("1;36", "help")));
        }
        // A closed standard error leaves nobody to tell.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}
