//! Why something was not generated.

use std::io;

/// What is said of it on standard error.
#[derive(Debug)]
pub struct Failure {
    /// Whole lines.
    pub text: String,
}

impl Failure {
    /// In one line.
    pub fn new(message: impl AsRef<str>) -> Failure {
        Failure { text: format!("error: {}\n", message.as_ref()) }
    }

    /// What is wrong with declarations, rendered, and how often.
    pub fn of_declarations(rendered: &str, errors: usize) -> Failure {
        let plural = if errors == 1 { "" } else { "s" };
        Failure { text: format!("{rendered}{errors} error{plural}: nothing was written\n") }
    }
}

/// What the system has against something, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}
