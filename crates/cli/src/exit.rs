//! How the tool ends.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use ringtrace_tracefile::error::reason;

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
    /// What the program ended with that was started, or a shell's word for why it was not.
    Program(u8),
}

impl Exit {
    /// All of our own, by status.
    pub const ALL: [Exit; 5] = [Exit::Done, Exit::Input, Exit::Usage, Exit::Lost, Exit::System];

    /// The number that the process ends with.
    pub fn status(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Input => 1,
            Exit::Usage => 2,
            Exit::Lost => 3,
            Exit::System => 4,
            Exit::Program(status) => status,
        }
    }

    /// What that tells the caller.
    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Done => "done, also when whoever reads our output has had enough",
            Exit::Input => "the input has errors",
            Exit::Usage => "the command line makes no sense",
            Exit::Lost => "done, but events were lost while recording, and --strict asked to say so",
            Exit::System => "the system refused to read or write a file",
            Exit::Program(_) => "what the program that was started ended with",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.status())
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
    pub original_message: Option<String>,
}

impl Failure {
    /// The input has errors.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Input, message: message.into(), help: None, original_message: None }
    }

    /// The command line makes no sense.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Usage, message: message.into(), help: None, original_message: None }
    }

    /// The system refused `what` (a path, usually). A broken pipe is success: who closed it had enough.
    pub fn system(what: impl Display, error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure { exit: Exit::Done, message: String::new(), help: None, original_message: None };
        }
        Failure {
            exit: Exit::System,
            message: format!("{what}: {}", reason(error)),
            help: None,
            original_message: None,
        }
    }

    /// The same, with advice.
    pub fn help(self, help: impl Into<String>) -> Failure {
        Failure { help: Some(help.into()), ..self }
    }
}
