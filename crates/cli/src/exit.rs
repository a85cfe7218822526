//! How the tool ends.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use ringtrace_events::nearest::nearest;
use ringtrace_tracefile::Error as TraceError;
use ringtrace_tracefile::error::{ErrorDetails, reason};
use ringtrace_tracefile::pair::PairError;

/// Exit statuses, the same for every command (except for the [program names](crate::program_name), which keep those of the original).
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
            Exit::Done => "success, also if the reader of the output closed it early",
            Exit::Input => "the input has errors",
            Exit::Usage => "the command line is wrong",
            Exit::Lost => "success, but events were lost while recording, with --strict",
            Exit::System => "a file cannot be read or written",
            Exit::Program(_) => "the exit status of the program that was run",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.status())
    }
}

/// Why a command stopped: the message that [`Terminal::report`](crate::terminal::Terminal::report) writes, and the exit status.
#[derive(Debug)]
pub struct CliError {
    pub exit: Exit,
    /// What failed, on what, and why. Empty if everything was reported already.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The message of the original program, for the [program names](crate::program_name) that have one.
    pub original_message: Option<String>,
}

impl CliError {
    fn new(exit: Exit, message: impl Into<String>) -> CliError {
        CliError { exit, message: message.into(), help: None, original_message: None }
    }

    /// The input has errors.
    pub fn input(message: impl Into<String>) -> CliError {
        CliError::new(Exit::Input, message)
    }

    /// The command line makes no sense.
    pub fn usage(message: impl Into<String>) -> CliError {
        CliError::new(Exit::Usage, message)
    }

    /// The system refused `what`, usually a path. A broken pipe is success: the reader closed it because it had enough.
    pub fn system(what: impl Display, error: &io::Error) -> CliError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CliError::new(Exit::Done, ""),
            _ => CliError::new(Exit::System, format!("{what}: {}", reason(error))),
        }
    }

    /// Adds advice.
    pub fn help(self, help: impl Into<String>) -> CliError {
        CliError { help: Some(help.into()), ..self }
    }

    /// Adds advice, if there is any.
    pub fn maybe_help(self, help: Option<impl Into<String>>) -> CliError {
        CliError { help: help.map(Into::into).or(self.help), ..self }
    }

    /// Changes the exit status.
    pub fn exit(self, exit: Exit) -> CliError {
        CliError { exit, ..self }
    }
}

impl From<TraceError> for CliError {
    fn from(error: TraceError) -> CliError {
        let exit =
            if error.kind() == ringtrace_tracefile::ErrorKind::System { Exit::System } else { Exit::Input };
        let message = error.to_string();
        let ErrorDetails { help, original_message, .. } = error.into_details();
        CliError { exit, message, help, original_message }
    }
}

/// The events of the traces do not fit the description of a pair.
impl From<PairError> for CliError {
    fn from(error: PairError) -> CliError {
        CliError::usage(error.message).help(error.help)
    }
}

/// The question whether the candidate nearest to `word` is meant, if one is near.
pub fn did_you_mean<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    nearest(word, candidates).map(|name| format!("did you mean `{name}`?"))
}
