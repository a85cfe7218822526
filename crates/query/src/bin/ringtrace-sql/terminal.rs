//! Messages on standard error.

use std::io::{self, Write};

use ringtrace_events::message::visible;

/// Prints a warning. The program continues.
pub fn warn(message: &str, help: Option<&str>) {
    say("warning", message, help);
}

/// Prints a message, which begins with `word`.
pub fn say(word: &str, message: &str, help: Option<&str>) {
    let mut text = format!("{word}: {}\n", harmless(message));
    if let Some(help) = help {
        text.push_str(&format!("  help: {}\n", harmless(help)));
    }
    // Ignore errors: standard error may be closed.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Makes control characters visible, except line feeds.
fn harmless(message: &str) -> String {
    message.split('\n').map(visible::text).collect::<Vec<_>>().join("\n")
}
