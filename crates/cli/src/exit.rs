//! How the tool ends.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// Exit statuses, the same for every command (the faces of other programs keep the originals').
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done. A reader that closed our output early is no error either.
    Done,
    /// 1: the input has errors.
    Input,
    /// 2: the command line makes no sense.
    Usage,
    /// 3: done, but data was lost and `--strict` asked to say so.
    Lost,
    /// 4: the system refused (I/O).
    System,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Input => 1,
            Exit::Usage => 2,
            Exit::Lost => 3,
            Exit::System => 4,
        })
    }
}

/// Why a command stopped: what `Terminal::report` says, and the status that goes with it.
#[derive(Debug)]
pub struct Failure {
    /// The status.
    pub exit: Exit,
    /// What happened: where, expected, found. Empty when all was said already.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// What the program of a face says instead, where it has words for it.
    pub original_words: Option<String>,
}

impl Failure {
    /// The input has errors.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Input, message: message.into(), help: None, original_words: None }
    }

    /// The command line makes no sense.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Usage, message: message.into(), help: None, original_words: None }
    }

    /// The system refused `what` (a path, usually). A broken pipe is success: who closed it had enough.
    pub fn system(what: impl Display, error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure { exit: Exit::Done, message: String::new(), help: None, original_words: None };
        }
        Failure {
            exit: Exit::System,
            message: format!("{what}: {}", reason(error)),
            help: None,
            original_words: None,
        }
    }

    /// The same, with advice.
    pub fn help(self, help: impl Into<String>) -> Failure {
        Failure { help: Some(help.into()), ..self }
    }
}

/// What the system says, without the number that the standard library adds.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
